"""Sentences that add objects, such as *add a mirror at 200, 100* or *put a 80 mm lens 50 mm behind
Prism*.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from raybench.agent.questions.example import Example, Match, Unclear, value_in_unit
from raybench.agent.questions.objects import NOUNS
from raybench.agent.questions.sentence import Number
from raybench.agent.questions.slots import TextSlot, WordSlot, find_field, slot_for_kind
from raybench.analysis.question import Question
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import described_fields
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.kinds import SAMPLES
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, Mirror
from raybench.kinds.sources import Beam, PointSource, Source
from raybench.presets import PRESETS
from raybench.presets.prisms import EquilateralPrism
from raybench.scene.changes import Add, AddPreset, changes_to_json
from raybench.scene.changes.change import target_objects
from raybench.scene.changes.placing import mean_centre_of_objects, object_centre
from raybench.scene.creation import (
    creatable_title,
    creation_change,
    default_creation_points,
    default_object_size,
    is_preset,
)
from raybench.scene.document import Document
from raybench.scene.hit_test import drawn_extent
from raybench.shapes.point import Point

Given = Mapping[str, Any]
SIZE = 50.0
"""Size of an object in a scene without others, in scene units."""
_ORDINARY = {
    "lens": IdealLens, "mirror": Mirror, "curved mirror": ArcMirror, "screen": Detector, "sensor": Detector, "blocker": Blocker,
    "baffle": Blocker, "wall": Blocker, "grating": DiffractionGrating, "glass": Glass, "prism": EquilateralPrism, "source": PointSource,
    "light source": PointSource, "lamp": PointSource, "laser": Beam, "laser beam": Beam, "beam": Beam,
}  # fmt: skip
"""What a noun for several kinds means where an object is added."""
_BESIDE = {"right": (1.0, 0.0), "left": (-1.0, 0.0), "above": (0.0, -1.0), "over": (0.0, -1.0), "below": (0.0, 1.0),
           "under": (0.0, 1.0)}  # fmt: skip
_ALONG = {"behind": 1, "after": 1, "beyond": 1, "before": -1}
"""Places along the light, by its sense."""


@cache
def kinds_by_word() -> dict[str, str]:
    """The names of object kinds and presets, by the words that people use for them."""
    of_nouns = {n: row.kinds[0].__name__ for n, row in NOUNS.items() if len(row.kinds) == 1}
    labels = {creatable_title(what).lower(): what for what in (*SAMPLES, *PRESETS)}
    ordinary = {noun: kind.__name__ for noun, kind in _ORDINARY.items()}
    return {noun: what for noun, what in of_nouns.items() if what in SAMPLES} | labels | ordinary


class KindSlot(TextSlot):
    """A slot for the kind of an object that is added, with the values said of it: *80 mm lens*,
    *lens with a focal length of 80 mm*.
    """

    phase = 0

    def take_piece(self, name: str, match: Match, needed: bool) -> None:
        pieces, texts = match.left, [p.text.lower() for p in match.left]
        runs = [(i, j) for i in range(1, 6) for j in range(min(i + 4, len(pieces)), i, -1)]
        runs = [(i, j) for i, j in runs if " ".join(texts[i:j]) in kinds_by_word()]
        if not runs:
            return
        (start, end), words = runs[0], list[str]()
        match.fill_slot(name, " ".join(texts[start:end]))
        data = [("", p.value) for p in pieces[1:start] if p.kind == "number"]
        before = [replace(p, spare=False) for p in pieces[:start] if p.kind != "number"]
        if texts[end : end + 1] == ["with"]:
            first = end = end + 1
            while end < len(pieces) and pieces[end].typed not in ("at", *_ALONG, *_BESIDE):
                piece = pieces[end]
                if piece.kind == "number" and (words or end == first):
                    data.append((" ".join(words), piece.value))
                    words = []
                elif piece.kind == "word":
                    words += [piece.typed] * bool(piece.word)
                else:
                    break
                end += 1
            if words and data:  # with 80 mm focal length
                data[-1] = " ".join(words), data[-1][1]
        match.given["data"] = data
        match.left = [*before, *pieces[end:]]


def _take_side(name: str, match: Match) -> None:
    """Fill a slot with the side of an object at which another is added."""
    sides = (p for p in match.left if p.typed in _ALONG.keys() | _BESIDE.keys())
    if (piece := next(sides, None)) is not None:
        match.drop_piece(piece)
        match.fill_slot(name, piece.typed)


def _add_at(given: Given, document: Document) -> dict[str, Any]:
    return _addition(given, Point(given["x"], given["y"]), (1.0, 0.0), document)


def _add_beside(given: Given, document: Document) -> dict[str, Any]:
    target, side, by = _centre(given["target"], document), given["side"], given["distance"]
    if side in _ALONG:
        x, y = _light_direction_at(target, document)
        return _addition(given, _moved(target, by * _ALONG[side], (x, y)), (x, y), document)
    x, y = _BESIDE[side]
    return _addition(given, _moved(target, by, (x, y)), (abs(x), abs(y)), document)


def _add_between(given: Given, document: Document) -> dict[str, Any]:
    a, b = (_centre(given[end], document) for end in ("first", "second"))
    length = math.dist(a, b)
    towards = ((b.x - a.x) / length, (b.y - a.y) / length) if length else (1.0, 0.0)
    return _addition(given, Point((a.x + b.x) / 2, (a.y + b.y) / 2), towards, document)


def _centre(title: str, document: Document) -> Point:
    return mean_centre_of_objects(target_objects(document, (title,)))


def _moved(at: Point, by: float, way: tuple[float, float]) -> Point:
    return Point(at.x + by * way[0], at.y + by * way[1])


def _addition(
    given: Given, at: Point, towards: tuple[float, float], document: Document
) -> dict[str, Any]:
    """The arguments of the call that adds an object at a point, turned to face a direction."""
    what = kinds_by_word()[given["kind"]]
    change = _change_adding_object(what, at, towards, document)
    for words, number in given["data"]:  # a 532 nm laser, an 80 mm lens
        named = words or ("wavelength" if number.unit == "nm" else "focal length")
        change = _with_field_value(change, named, number, document)
    if material := given.get("material"):
        if not isinstance(change, AddPreset) or "material" not in {
            f.name for f in described_fields(PRESETS[change.name])
        }:
            raise Unclear(
                "Only lenses and prisms of the library are added of a material. Add it, then say:"
                f" make it of {material}."
            )
        change = replace(change, values={**change.values, "material": material})
    (written,) = changes_to_json((change,), document)
    if name := given.get("name"):
        written |= {"as": name} if is_preset(what) else {"add": written["add"] | {"name": name}}
    return {"changes": [written]}


def _light_direction_at(to: Point, document: Document) -> tuple[float, float]:
    """The unit direction of the light at a point, estimated from the scene: from the first source
    to the point, or to the right if there is no source.
    """
    for source in document.scene.objects:
        if isinstance(source, Source) and source.key not in document.disabled:
            start = object_centre(source)
            if (length := math.dist(start, to)) > 0:
                return (to.x - start.x) / length, (to.y - start.y) / length
    return 1.0, 0.0


def _change_adding_object(
    what: str, at: Point, towards: tuple[float, float], document: Document
) -> Add | AddPreset:
    """The change that adds an object of ordinary size, turned to face a direction, or a preset of
    its default size.
    """
    x, y = towards
    if is_preset(what):
        return creation_change(what, [at, Point(at.x + x, at.y + y)])
    met = (o for o in document.scene.objects if o.optical and not isinstance(o, Source))
    boxes = [box for o in met if (box := drawn_extent(document.scene, o)) is not None]
    widths = (max(right - left, foot - top) for left, top, right, foot in boxes)
    sizes = sorted(size for size in widths if 0 < size < math.inf)
    usual = sizes[len(sizes) // 2] if sizes else SIZE
    points = default_creation_points(what, at, default_object_size(usual))
    offsets = ((p.x - at.x, p.y - at.y) for p in points)
    return creation_change(
        what, [Point(at.x + dx * x - dy * y, at.y + dx * y + dy * x) for dx, dy in offsets]
    )


def _with_field_value(
    change: Add | AddPreset, words: str, value: Number, document: Document
) -> Add | AddPreset:
    made = PRESETS[change.name]() if isinstance(change, AddPreset) else change.objects[0]
    field = find_field(made, words)
    number = value_in_unit(value, field.about.unit, document)
    if isinstance(change, AddPreset):
        return replace(change, values={**change.values, field.json_name: number})
    try:
        return Add((change.objects[0].with_fields({field.name: number}),))
    except RaybenchError as error:
        raise Unclear(str(error)) from None


_MORE = "[ called {name}] [of {material}] [insert put place create another new one more halfway midway half way]"
_EXAMPLES = (
    ("Add a {kind} at ({x}, {y}) ", _add_at),
    ("Add a {kind} {distance:length} {side} {target:any} ", _add_beside),
    ("Add a {kind} between {first:any} and {second:any} ", _add_between),
)
_SLOTS = {"kind": KindSlot("kind", "screen"), "side": WordSlot(_take_side, "behind")}


def adding_examples() -> list[Example]:
    """The example questions that add objects."""
    return [
        Example(
            "change_scene",
            question,
            {n: _SLOTS.get(n) or slot_for_kind(kind, n) for n, kind in question.slots.items()},
            call,
            lit=False,
            edits=True,
            rank=1,
            intent=f"add {question.without_brackets}",
        )
        for question, call in (
            (Question(f"{text.strip()} {_MORE}."), call) for text, call in _EXAMPLES
        )
    ]
