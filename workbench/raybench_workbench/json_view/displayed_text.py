"""The text that the JSON dock shows: whose texts its parts are, and how it changes with the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from raybench.files.scene_text.edits import Edited
from raybench.files.scene_text.layout import Part, SceneText, text_of
from raybench.files.scene_text.reading import common_ends
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Add, Replace
from raybench.scene.scene import Scene

CLOSE = 12
"""Changed ranges with fewer characters between them are marked as one."""


class Piece(NamedTuple):
    """A replacement in a text, whose characters ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class DisplayedText:
    """Its parts, the objects whose texts they are, by key, and the scene of its other entries."""

    text: SceneText
    objects: dict[int, SceneObject]
    scene: Scene

    def written(self) -> dict[int, tuple[SceneObject, str]]:
        """The texts of its objects."""
        return {
            p.owner: (obj, self.text.part_text(p))
            for p in self.text.parts
            if p.entry == "objs"
            and isinstance(p.owner, int)
            and (obj := self.objects.get(p.owner)) is not None
        }

    def same_but_objects(self, scene: Scene) -> bool:
        """Whether a scene differs from what is shown at most in values of objects."""
        if _own_entries(self.scene) != _own_entries(scene):
            return False
        keys = [p.owner for p in self.text.parts if p.entry == "objs" and p.owner is not None]
        return keys == [o.key for o in scene.objects] and all(k in self.objects for k in keys)

    def changed_objects(self, scene: Scene) -> list[SceneObject]:
        """The objects of a scene, the same but in their values, that are shown as they were."""
        return [o for o in scene.objects if self.objects[o.key] is not o]

    def rewritten(
        self, changed: Sequence[SceneObject], scene: Scene
    ) -> tuple[DisplayedText, list[Piece], list[Part]]:
        """The text with a few objects rewritten in place, what is to be replaced in this one, from
        top to bottom, and the ranges of the new text that differ.
        """
        keys = {o.key: o for o in changed}
        parts, pieces, marks, out, at, shift = (
            list[Part](),
            list[Piece](),
            list[Part](),
            list[str](),
            0,
            0,
        )
        for p in self.text.parts:
            obj = keys.get(p.owner) if isinstance(p.owner, int) and p.entry == "objs" else None
            if obj is None:
                parts.append(p._replace(start=p.start + shift, end=p.end + shift) if shift else p)
                continue
            was, now = self.text.part_text(p), text_of(obj)
            moved = Part(p.entry, p.owner, p.start + shift, p.start + shift + len(now))
            if was != now:
                first, behind = common_ends(was, now)
                pieces.append(
                    Piece(p.start + first, p.end - behind, now[first : len(now) - behind])
                )
                marks.append(_difference(moved, was, now))
                out += [self.text.text[at : p.start], now]
                at = p.end
                shift += len(now) - len(was)
            parts.append(moved)
        text = SceneText("".join([*out, self.text.text[at:]]), tuple(parts))
        return DisplayedText(text, {**self.objects, **keys}, scene), pieces, marks

    def differences(self, text: SceneText) -> list[Part]:
        """The ranges of another text that differ from this one."""
        known = {(p.entry, p.owner): self.text.part_text(p) for p in self.text.parts}
        changed = [(p, known.get((p.entry, p.owner)), text.part_text(p)) for p in text.parts]
        return _joined([_difference(p, was or "", now) for p, was, now in changed if was != now])

    def after(self, edited: Edited, before: Scene, now: Scene) -> DisplayedText:
        """The text after the scene ``before`` has become ``now`` by an edit of the text."""
        stated = {k for c in edited.changes for k in _stated(c)}
        objects = {}
        for p in edited.text.parts:
            if p.entry == "objs" and isinstance(p.owner, int):
                known = now.get(p.owner) if p.owner in stated else self.objects.get(p.owner)
                if known is not None:
                    objects[p.owner] = known
        in_step = _own_entries(self.scene) == _own_entries(before)
        return DisplayedText(edited.text, objects, now if in_step else self.scene)


def _own_entries(scene: Scene) -> tuple[object, ...]:
    kept = {k: v for k, v in scene.read.items() if k != "objs"}
    return scene.settings, scene.name, {name: m.read for name, m in scene.modules.items()}, kept


def _stated(change: object) -> list[int]:
    """The keys of the objects that a change states as a whole."""
    if isinstance(change, Replace):
        return [k for k in change.listed if isinstance(k, int)]
    return [o.key for o in change.objects] if isinstance(change, Add) else []


def _difference(part: Part, was: str, now: str) -> Part:
    """The range of a part in which its text differs from what it was, whole words."""
    first, behind = common_ends(was, now)
    start, end = part.start + first, part.end - behind
    offset = part.start
    while start > offset and _in_word(now[start - 1 - offset]):
        start -= 1
    while end < part.end and _in_word(now[end - offset]):
        end += 1
    return part._replace(start=start, end=max(start, end))


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign in "_.+-"


def _joined(parts: list[Part]) -> list[Part]:
    """Ranges, those that follow each other closely joined."""
    out: list[Part] = []
    for p in parts:
        if out and p.start - out[-1].end < CLOSE:
            out[-1] = out[-1]._replace(end=p.end)
        else:
            out.append(p)
    return out
