"""The layout of a scene as text, with the position of each object, definition and setting."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from raybench.files.scene_json import scene_to_json
from raybench.kinds.object import SceneObject
from raybench.scene.codec import object_to_json
from raybench.scene.scene import Scene

WIDTH = 100
"""Values that fit in a line of this many characters are written in one."""
INDENT = 2
_HIDDEN = re.compile("[\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u180e\u200b-\u200f\u2028-\u202f"
                     "\u205f-\u206f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff0-\uffff\U00010000-\U0010ffff]")  # fmt: skip
"""Characters that a text editor hides, changes or counts as two: they are written as escape
sequences.
"""

Owner = int | str | None
"""What a part belongs to: an object's key, a module's name, None for an entry of the scene itself.
"""


class Part(NamedTuple):
    """A part of a scene's text: the value of an ``entry`` of the scene, or of one object in
    ``objs`` or one definition in ``modules``.

    ``start`` and ``end`` are indices into the text, the end exclusive.
    """

    entry: str
    owner: Owner
    start: int
    end: int


@dataclass(frozen=True)
class SceneText:
    """A scene as text, with its parts in order."""

    text: str = field(repr=False)
    parts: tuple[Part, ...] = field(repr=False)

    def part_text(self, part: Part) -> str:
        return self.text[part.start : part.end]


Written = Mapping[int, tuple[SceneObject, str]]
"""Objects with their texts, by key."""


def scene_text(scene: Scene, written: Written | None = None) -> SceneText:
    """The text of a scene. ``written``: texts of objects, reused for unchanged objects."""
    pieces, parts, place = list[str](), list[Part](), 0

    def add(piece: str) -> None:
        nonlocal place
        pieces.append(piece)
        place += len(piece)

    def add_part(entry: str, owner: Owner, piece: str) -> None:
        parts.append(Part(entry, owner, place, place + len(piece)))
        add(piece)

    add("{")
    for i, (name, value) in enumerate(_entries(scene).items()):
        add(f"{',' if i else ''}\n{' ' * INDENT}{_text(name)}: ")
        if name == "objs" and scene.objects:
            add("[")
            for k, obj in enumerate(scene.objects):
                add(f"{',' if k else ''}\n{' ' * 2 * INDENT}")
                add_part(name, obj.key, text_of(obj, written))
            add(f"\n{' ' * INDENT}]")
        elif name == "modules" and isinstance(value, Mapping) and value:
            add("{")
            for k, (title, module) in enumerate(value.items()):
                add(f"{',' if k else ''}\n{' ' * 2 * INDENT}{_text(title)}: ")
                add_part(name, title, json_text(module, 2 * INDENT))
            add(f"\n{' ' * INDENT}}}")
        else:
            add_part(name, None, json_text(value, INDENT))
    add("\n}\n")
    return SceneText("".join(pieces), tuple(parts))


def _entries(scene: Scene) -> dict[str, Any]:
    """The JSON of a scene without that of its objects, for which there is an empty list."""
    return scene_to_json(
        Scene(settings=scene.settings, name=scene.name, modules=scene.modules, read=scene.read)
    )


def text_of(obj: SceneObject, written: Written | None = None) -> str:
    """The text of an object in a scene's text."""
    if written is not None and (known := written.get(obj.key)) is not None and known[0] is obj:
        return known[1]
    return json_text(object_to_json(obj), 2 * INDENT)


def json_text(value: Any, indent: int = 0) -> str:
    """A JSON value as text that starts after ``indent`` spaces: in one line if it fits, else an
    item in each line.
    """
    return _HIDDEN.sub(_escaped, "".join(_lines(value, indent, indent)))


def _lines(value: Any, indent: int, column: int) -> Iterator[str]:
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not isinstance(value, dict | list) or not value or column + len(flat) <= WIDTH:
        yield flat
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield opening
    inner = indent + INDENT
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for i, (name, item) in enumerate(items):
        before = f"{json.dumps(name, ensure_ascii=False)}: " if isinstance(value, dict) else ""
        yield f"{',' if i else ''}\n{' ' * inner}{before}"
        yield from _lines(item, inner, inner + len(before) + 1)
    yield f"\n{' ' * indent}{closing}"


def _text(name: str) -> str:
    return _HIDDEN.sub(_escaped, json.dumps(name, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]
