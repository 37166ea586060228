"""Objects to be added, in plain words: ``add a mirror at 200, 100``, ``put a screen 50 mm behind
Lens``.
"""

from __future__ import annotations

import dataclasses
import math
import re
from functools import cache

from raybench.agent.models.change_rows import SLOTS
from raybench.agent.models.named_fields import field_of, number
from raybench.analysis.tools.clauses import NUMBER, Meant
from raybench.analysis.tools.nouns import NOUNS, object_meant
from raybench.analysis.tools.phrases import Open, Phrases, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import LENGTH, fields_of
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.kinds import SAMPLES
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, Mirror
from raybench.kinds.sources import Beam, PointSource, Source
from raybench.materials.catalogue import material_named
from raybench.presets.presets import PRESETS
from raybench.presets.prisms import EquilateralPrism
from raybench.scene.changes import Add, AddPreset, changes_to_json
from raybench.scene.changes.centre import centre_of, centre_of_all
from raybench.scene.changes.change import objects_of
from raybench.scene.creation import added, default_points, is_preset, size_of_default, title_of
from raybench.scene.document import Document
from raybench.scene.hit_test import extent
from raybench.scene.names import UnknownName
from raybench.shapes.point import Point

SIZE = 50.0
"""Size of an object in a scene without others, in scene units."""
_ORDINARY = {
    "lens": IdealLens, "mirror": Mirror, "curved mirror": ArcMirror, "screen": Detector, "blocker": Blocker, "baffle": Blocker,
    "wall": Blocker, "grating": DiffractionGrating, "glass": Glass, "prism": EquilateralPrism, "source": PointSource,
    "light source": PointSource, "lamp": PointSource, "laser": Beam, "laser beam": Beam,
}  # fmt: skip
"""What a noun for several kinds means where an object is added."""
_TOWARDS = {
    "to the right of": ((1.0, 0.0), 1), "right of": ((1.0, 0.0), 1), "to the left of": ((1.0, 0.0), -1), "left of": ((1.0, 0.0), -1),
    "above": ((0.0, 1.0), -1), "over": ((0.0, 1.0), -1), "below": ((0.0, 1.0), 1), "under": ((0.0, 1.0), 1), "beneath": ((0.0, 1.0), 1),
}  # fmt: skip
"""Places beside something: along which axis, and in which sense."""
_ALONG = {
    "behind": 1,
    "after": 1,
    "beyond": 1,
    "downstream of": 1,
    "before": -1,
    "in front of": -1,
    "upstream of": -1,
}
"""Places along the light, by its sense."""
_XY = r"\(?(?:x ?=? ?)?(?P<x>{number}),? ?(?:and )?(?:y ?=? ?)?(?P<y>{number})\)?".format(
    number=SLOTS["distance"]
)
_WHERE = (
    rf" at {_XY}"
    rf"| (?P<distance>{SLOTS['distance']}) (?P<side>{'|'.join([*_ALONG, *_TOWARDS])}) (?:the"
    r" )?(?P<target>.+?)"
    r"| (?:half-?way |midway )?between (?:the )?(?P<first>.+?) and (?:the )?(?P<second>.+?)"
)
_ADD = re.compile(
    r"(?:please )?(?:add|insert|place|put|create) (?:an?|another|one more)(?: new| second| third)?"
    rf"(?: (?P<value>{NUMBER} ?(?:nm|mm|cm|m|in)))? (?P<what>[a-z][a-z -]*?)"
    r"(?: (?:made )?of (?P<material>[\w-]+))?(?: (?:called|named) (?P<name>[^,;:]+?))?(?: with"
    r" (?P<data>.+?))?"
    rf"(?:{_WHERE})?(?:,? (?:and )?(?:called|named|call it|name it) (?P<called>[^,;:]+?))? ?[.!]*",
    re.IGNORECASE,
)
_DATA = re.compile(
    rf"(?:an? |the )?(?P<field>[a-z][a-z ]*?)(?: of| =| is)? (?P<value>{SLOTS['value']})",
    re.IGNORECASE,
)
_DATA_FIRST = re.compile(
    rf"(?:an? )?(?P<value>{SLOTS['value']}) (?P<field>[a-z][a-z ]*)", re.IGNORECASE
)


@cache
def _kinds() -> dict[str, str]:
    """The names of kinds and presets by the words for them."""
    of_nouns = {noun: row.kinds[0].__name__ for noun, row in NOUNS.items() if len(row.kinds) == 1}
    labels = {title_of(what).lower(): what for what in (*SAMPLES, *PRESETS)}
    return (
        {noun: what for noun, what in of_nouns.items() if what in SAMPLES}
        | labels
        | {n: k.__name__ for n, k in _ORDINARY.items()}
    )


def _to_add(question: PlainQuestion) -> Understanding:
    """The object that a text asks to be added."""
    asked = _ADD.fullmatch(question.text)
    what = _kinds().get(asked["what"].lower()) if asked is not None else None
    if asked is None or what is None:
        return None
    document = question.document
    try:
        at, towards = _place(asked, what, document)
        change = _added(what, at, towards, document)
        if asked["value"]:  # a 532 nm laser, an 80 mm lens
            change = _with_value(
                change,
                "wavelength" if asked["value"].endswith("nm") else "focal length",
                asked["value"],
                document,
            )
        change = _with_data(change, asked["data"] or "", document)
        if asked["material"]:
            change = _made_of(change, asked["material"])
        (written,) = changes_to_json((change,), document)
    except RaybenchError as problem:  # also where no such object can be made
        return Unclear(str(problem))
    if asked["name"] or asked["called"]:
        name = (asked["name"] or asked["called"]).strip("\"'“”„ ")
        written |= {"as": name} if is_preset(what) else {"add": written["add"] | {"name": name}}
    return Meant({"changes": [written]})


def _place(
    asked: re.Match[str], what: str, document: Document
) -> tuple[Point, tuple[float, float]]:
    """The point at which to add an object, and the direction that it faces. Raises Open."""
    if asked["x"] is not None:
        x, y = (number(asked[axis], LENGTH, document) for axis in "xy")
        return Point(x, y), (1.0, 0.0)
    if asked["distance"] is not None:
        target = _centre(asked["target"], document)
        side = asked["side"].lower()
        (x, y), sign = (
            (_along_light(target, document), _ALONG[side]) if side in _ALONG else _TOWARDS[side]
        )
        by = sign * number(asked["distance"], LENGTH, document)
        return Point(target.x + by * x, target.y + by * y), (x, y)
    if asked["first"] is not None:
        a, b = (_centre(asked[end], document) for end in ("first", "second"))
        length = math.dist(a, b)
        return Point((a.x + b.x) / 2, (a.y + b.y) / 2), (
            (
                (b.x - a.x) / length,
                (b.y - a.y) / length,
            )
            if length
            else (1.0, 0.0)
        )
    near = next(
        (
            f" or 50 mm behind {o.title}"
            for o in document.scene.objects
            if o.optical and not isinstance(o, Source)
        ),
        "",
    )
    raise Open(f"Where is the {asked['what'].lower()} to be, such as at 200, 100{near}?")


def _centre(text: str, document: Document) -> Point:
    """The centre of the object or group of a name or a noun. Raises Open or NoCentre."""
    titles = {
        title.casefold(): title
        for title in (*document.groups, *(o.title for o in document.scene.objects))
    }
    meant = object_meant(text.lower(), document, ()) if text.casefold() not in titles else None
    if isinstance(meant, Unclear):
        raise Open(meant.problem)
    try:
        return centre_of_all(
            objects_of(document, (meant.title if meant else titles.get(text.casefold(), text),))
        )
    except UnknownName as error:
        raise Open(str(error)) from None


def _along_light(to: Point, document: Document) -> tuple[float, float]:
    """The unit direction from the first source to a point, to the right without one: along the
    light as far as the scene shows it.
    """
    for source in (
        o
        for o in document.scene.objects
        if isinstance(o, Source) and o.key not in document.disabled
    ):
        start = centre_of(source)
        if (length := math.dist(start, to)) > 0:
            return (to.x - start.x) / length, (to.y - start.y) / length
    return 1.0, 0.0


def _added(
    what: str, at: Point, towards: tuple[float, float], document: Document
) -> Add | AddPreset:
    """An object of an ordinary size that faces a direction, or of a preset's own."""
    x, y = towards
    if is_preset(what):
        return added(what, [at, Point(at.x + x, at.y + y)])
    points = default_points(what, at, size_of_default(_usual_size(document)))
    return added(
        what,
        [
            Point(at.x + dx * x - dy * y, at.y + dx * y + dy * x)
            for dx, dy in ((p.x - at.x, p.y - at.y) for p in points)
        ],
    )


def _usual_size(document: Document) -> float:
    """The median of the sizes of the objects that light meets."""
    met = (o for o in document.scene.objects if o.optical and not isinstance(o, Source))
    boxes = [box for o in met if (box := extent(document.scene, o)) is not None]
    sizes = sorted(
        size
        for left, top, right, foot in boxes
        if 0 < (size := max(right - left, foot - top)) < math.inf
    )
    return sizes[len(sizes) // 2] if sizes else SIZE


def _with_data(change: Add | AddPreset, text: str, document: Document) -> Add | AddPreset:
    """A change with the values that words such as "a focal length of 80 mm and 5 mm thickness"
    give. Raises Open.
    """
    for piece in re.split(r",? and |, ", text) if text else ():
        match = _DATA.fullmatch(piece) or _DATA_FIRST.fullmatch(piece)
        if match is None:
            raise Open(
                f"“{piece}” is not understood. Give a value by its name, such as: with a focal"
                " length of 80 mm."
            )
        change = _with_value(change, match["field"].lower().strip(), match["value"], document)
    return change


def _made_of(change: Add | AddPreset, name: str) -> AddPreset:
    """A preset of a material of the catalogue. Raises Open or UnknownMaterial."""
    if not isinstance(change, AddPreset) or "material" not in {
        f.name for f in fields_of(PRESETS[change.name])
    }:
        raise Open(
            "Only lenses and prisms of the library are added of a material. Add it, then say: make"
            f" it of {name}."
        )
    return dataclasses.replace(
        change, values={**change.values, "material": material_named(name).name}
    )


def _with_value(
    change: Add | AddPreset, words: str, value: str, document: Document
) -> Add | AddPreset:
    if isinstance(change, AddPreset):
        field = field_of(PRESETS[change.name](), words)
        return dataclasses.replace(
            change,
            values={**change.values, field.json_name: number(value, field.about.unit, document)},
        )
    (obj,) = change.objects
    field = field_of(obj, words)
    try:
        return Add((obj.with_fields({field.name: number(value, field.about.unit, document)}),))
    except RaybenchError as error:
        raise Open(str(error)) from None


ADD = Phrases("add a detector 50 mm behind {object_name}", understood=_to_add)
