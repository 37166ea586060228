"""Sentences that add objects, such as *add a mirror at 200, 100* or *put a 80 mm lens 50 mm behind
Prism*.
"""

import dataclasses
import math
import re
from functools import cache
from typing import Any

from raybench.agent.questions.example import Example, Match, Unclear, value_in_unit
from raybench.agent.questions.objects import NOUNS, noun_in, objects_for_noun
from raybench.agent.questions.sentence import UNIT, Sentence, read_number
from raybench.agent.questions.slots import SLOTS, WordSlot, find_field, slot_for_kind
from raybench.analysis.question import Question
from raybench.errors import RaybenchError, list_possible_names
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import LENGTH, described_fields
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.kinds import SAMPLES
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, Mirror
from raybench.kinds.sources import Beam, PointSource, Source
from raybench.materials.catalogue import material_named
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

SIZE = 50.0
"""Size of an object in a scene without others, in scene units."""
_ORDINARY = {
    "lens": IdealLens, "mirror": Mirror, "curved mirror": ArcMirror, "screen": Detector, "sensor": Detector, "blocker": Blocker,
    "baffle": Blocker, "wall": Blocker, "grating": DiffractionGrating, "glass": Glass, "prism": EquilateralPrism, "source": PointSource,
    "light source": PointSource, "lamp": PointSource, "laser": Beam, "laser beam": Beam, "beam": Beam,
}  # fmt: skip
"""What a noun for several kinds means where an object is added."""
_BESIDE = {"right of": (1.0, 0.0), "left of": (-1.0, 0.0), "above": (0.0, -1.0), "over": (0.0, -1.0), "below": (0.0, 1.0),
           "under": (0.0, 1.0)}  # fmt: skip
_ALONG = {"behind": 1, "after": 1, "beyond": 1, "before": -1, "in front of": -1}
"""Places along the light, by its sense."""
_VALUE = rf"[-+−]?\d+(?:[.,]\d+)?(?: ?(?:{UNIT})(?![\w]))?"
_COORDINATE = rf"[-+−]?\d+(?:\.\d+)?(?: ?(?:{UNIT})(?![\w]))?"
_WHERE = (
    rf" at \(?(?:x ?=? ?)?(?P<x>{_COORDINATE}) ?,? ?(?:and )?(?:y ?=? ?)?(?P<y>{_COORDINATE})\)?"
    rf"| (?P<distance>{_VALUE}) (?:to the )?(?P<side>{'|'.join([*_ALONG, *_BESIDE])}) (?:the )?(?P<target>.+?)"
    r"| (?:half-?way |midway )?between (?:the )?(?P<first>.+?) and (?:the )?(?P<second>.+?)"
)
_ADD = re.compile(
    r"(?:please |pls |can you |could you )*(?:add|insert|place|put|create) (?:me )?(?:an?|another|one more)(?: new)?"
    rf"(?: (?P<value>{_VALUE}))? (?P<what>[a-z][a-z -]*?)"
    r"(?: (?:made )?of (?P<material>[\w-]+))?(?: (?:called|named) (?P<name>[^,;:]+?))?(?: with (?P<data>.+?))?"
    rf"(?:{_WHERE})?(?:,? (?:and )?(?:called|named|call it|name it) (?P<called>[^,;:]+?))?(?: (?:please|pls))? ?[.!]*",
    re.IGNORECASE,
)
_DATA = re.compile(
    rf"(?:an? |the )?(?P<field>[a-z][a-z ]*?)(?: of| =| is)? (?P<value>{_VALUE})", re.IGNORECASE
)
_DATA_FIRST = re.compile(rf"(?:an? )?(?P<value>{_VALUE}) (?P<field>[a-z][a-z ]*)", re.IGNORECASE)


@cache
def kinds_by_word() -> dict[str, str]:
    """The names of object kinds and presets, by the words that people use for them."""
    of_nouns = {n: row.kinds[0].__name__ for n, row in NOUNS.items() if len(row.kinds) == 1}
    labels = {creatable_title(what).lower(): what for what in (*SAMPLES, *PRESETS)}
    ordinary = {noun: kind.__name__ for noun, kind in _ORDINARY.items()}
    return {noun: what for noun, what in of_nouns.items() if what in SAMPLES} | labels | ordinary


def _read_addition(sentence: Sentence) -> dict[str, Any] | None:
    """The change that a sentence such as *add a mirror at 200, 100* asks for; None if it asks for
    none.
    """
    asked = _ADD.fullmatch(" ".join(sentence.text.split()))
    what = kinds_by_word().get(asked["what"].lower()) if asked is not None else None
    if asked is None or what is None:
        return None
    document = sentence.document
    at, towards = _read_position(asked, document)
    change = _change_adding_object(what, at, towards, document)
    if asked["value"]:  # a 532 nm laser, an 80 mm lens
        named = "wavelength" if asked["value"].endswith("nm") else "focal length"
        change = _with_field_value(change, named, asked["value"], document)
    for piece in re.split(r",? and |, ", asked["data"]) if asked["data"] else ():
        match = _DATA.fullmatch(piece) or _DATA_FIRST.fullmatch(piece)
        if match is None:
            raise Unclear(
                f"“{piece}” is not understood. Give a value by its name, such as: with a focal length of 80 mm."
            )
        change = _with_field_value(change, match["field"].strip(), match["value"], document)
    if asked["material"]:
        if not isinstance(change, AddPreset) or "material" not in {
            f.name for f in described_fields(PRESETS[change.name])
        }:
            raise Unclear(
                "Only lenses and prisms of the library are added of a material. Add it, then say:"
                f" make it of {asked['material']}."
            )
        name = material_named(asked["material"]).name
        change = dataclasses.replace(change, values={**change.values, "material": name})
    (written,) = changes_to_json((change,), document)
    if called := asked["name"] or asked["called"]:
        name = called.strip("\"'“”„ ")
        written |= {"as": name} if is_preset(what) else {"add": written["add"] | {"name": name}}
    return {"changes": [written]}


def _read_position(asked: re.Match[str], document: Document) -> tuple[Point, tuple[float, float]]:
    """The point at which a sentence asks to add an object, and the direction that the object should
    face. Raises Unclear.
    """
    if asked["x"] is not None:
        x, y = (value_in_unit(read_number(asked[axis]), LENGTH, document) for axis in "xy")
        return Point(x, y), (1.0, 0.0)
    if asked["distance"] is not None:
        target, side = _centre_of_title(asked["target"], document), asked["side"].lower()
        by = value_in_unit(read_number(asked["distance"]), LENGTH, document)
        if side in _ALONG:
            x, y = _light_direction_at(target, document)
            by *= _ALONG[side]
        else:
            x, y = _BESIDE[side]
        return Point(target.x + by * x, target.y + by * y), (x, y) if side in _ALONG else (
            abs(x),
            abs(y),
        )
    if asked["first"] is not None:
        a, b = (_centre_of_title(asked[end], document) for end in ("first", "second"))
        length = math.dist(a, b)
        towards = ((b.x - a.x) / length, (b.y - a.y) / length) if length else (1.0, 0.0)
        return Point((a.x + b.x) / 2, (a.y + b.y) / 2), towards
    beside = next((o.title for o in document.scene.objects if SLOTS["object"].fits(o)), "")
    near = f" or 50 mm behind {beside}" if beside else ""
    raise Unclear(f"Where is the {asked['what'].lower()} to be, such as at 200, 100{near}?")


def _centre_of_title(text: str, document: Document) -> Point:
    """The centre of the object or group that a name or a noun refers to. Raises Unclear, or
    NoCentre.
    """
    titles = {
        t.casefold(): t for t in (*document.groups, *(o.title for o in document.scene.objects))
    }
    title = titles.get(text.casefold())
    if title is None and (noun := noun_in(text.lower())):
        found = objects_for_noun(noun, document)
        if len(found) != 1:
            raise Unclear(
                f"Which {noun}? {list_possible_names([o.title for o in found])}"
                if found
                else f"There is no {noun} in this scene."
            )
        title = found[0].title
    try:
        return mean_centre_of_objects(target_objects(document, (title or text,)))
    except RaybenchError as error:
        raise Unclear(str(error)) from None


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
    change: Add | AddPreset, words: str, value: str, document: Document
) -> Add | AddPreset:
    made = PRESETS[change.name]() if isinstance(change, AddPreset) else change.objects[0]
    field = find_field(made, words)
    number = value_in_unit(read_number(value), field.about.unit, document)
    if isinstance(change, AddPreset):
        return dataclasses.replace(change, values={**change.values, field.json_name: number})
    try:
        return Add((change.objects[0].with_fields({field.name: number}),))
    except RaybenchError as error:
        raise Unclear(str(error)) from None


def _take_kind(name: str, match: Match) -> None:
    """Fill a slot with the kind of object that a sentence adds."""
    kinds = "|".join(map(re.escape, sorted(kinds_by_word(), key=len, reverse=True)))
    if said := re.search(rf"\b(?:an?|another) (?:[\w-]+ )??({kinds})\b", match.text.lower()):
        match.fill_slot(name, said[1])


_KINDS = WordSlot(_take_kind, "screen")
_EXAMPLES = (
    "Add a {kind} at ({x}, {y}).",
    "Add a {kind} {distance:length} behind {object}.",
    "Add a {kind:lenskind} with a focal length of {length} at ({x}, {y}).",
)


def adding_examples() -> list[Example]:
    """The example questions that add objects."""
    return [
        Example(
            "change_scene",
            question,
            {
                name: _KINDS if name == "kind" and not kind else slot_for_kind(kind, name)
                for name, kind in question.slots.items()
            },
            reads=_read_addition,
            lit=False,
            edits=True,
            rank=1,
            intent=f"add {question.text}",
        )
        for question in map(Question, _EXAMPLES)
    ]
