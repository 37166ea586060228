"""The kinds of changes in plain words, a row each: the phrases for it, and the changes in JSON that
it makes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from raybench.agent.models.named_fields import field_of, has_field, number
from raybench.analysis.scene.systems import System
from raybench.analysis.tools.clauses import NUMBER
from raybench.analysis.tools.marks import DETERMINED, OBJECT
from raybench.analysis.tools.nouns import object_without_name
from raybench.analysis.tools.phrases import Open
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import choices, there_are
from raybench.kinds.fields import LENGTH, fields_of
from raybench.kinds.kinds import KINDS
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.materials.catalogue import material_named
from raybench.scene.changes.centre import centre_of
from raybench.scene.document import Document
from raybench.scene.names import UnknownName, object_named
from raybench.scene.settings import Settings

Json = dict[str, Any]
Things = Sequence[SceneObject | System]
"""Objects, and groups taken as one."""
MakesChanges = Callable[[Document, Things, Mapping[str, str]], list[Json]]
"""The changes in JSON for a document, the objects and the texts of the slots by name."""
_NUMBER = rf"[-+−]?{NUMBER}"
_DISTANCE = rf"{_NUMBER}(?: ?(?:nm|[uµμ]m|mm|cm|dm|m|km|in|inch|ft)(?!\w))?"
_PER_MM = "(?:lines?|grooves?) ?(?:per|/) ?mm"
_WAY = "left|right|up|down|upwards?|downwards?|higher|lower"
_STEP = rf"(?:by )?{_DISTANCE} (?:(?:to|towards) )?(?:{_WAY})"
_X, _Y = (rf"{axis} ?=? ?{_DISTANCE}" for axis in "xy")
SLOTS = {
    "object": rf"{DETERMINED}{OBJECT}(?:(?: {DETERMINED}{OBJECT})* and {DETERMINED}{OBJECT})?",
    "target": rf"{DETERMINED}{OBJECT}",
    "angle": rf"{_NUMBER}(?: ?(?:°|deg(?:rees?)?|rad|mrad)(?!\w))?",
    "distance": _DISTANCE,
    "x": _NUMBER,
    "y": _NUMBER,
    "coordinates": rf"{_X}(?: ?,? (?:and )?{_Y})?|{_Y}(?: ?,? (?:and )?{_X})?",
    "wavelength": rf"{NUMBER} ?nm(?!\w)",
    "factor": NUMBER,
    "value": rf"{_NUMBER}(?: ?(?:{_PER_MM}|[a-zµμ°/²]{{1,4}})(?!\w))?",
    "density": rf"{NUMBER} ?{_PER_MM}(?!\w)",
    "percent": rf"{NUMBER} ?(?:%|percent)",
    "times": rf"twice|half|(?:two|three|four|five|ten|{NUMBER}) times",
    "field": r"[a-z][a-z0-9_./\[\]-]*(?: [a-z0-9_.\[\]-]+){0,3}?",
    "sense": r"(?:counter-?|anti-?)?clockwise",
    "way": _WAY,
    "steps": rf"{_STEP},? (?:and )?{_STEP}",
    "name": r"[a-z]\w*(?: \w+){0,2}",
    "material": r"[a-z][\w-]*(?: [\w-]+)?",
}
_STEPS = {
    "left": (-1, 0),
    "right": (1, 0),
    "up": (0, -1),
    "down": (0, 1),
    "higher": (0, -1),
    "lower": (0, 1),
}


@dataclass(frozen=True)
class ChangeRow:
    """A kind of change: patterns of the verb, its participle and what follows the object; and a
    function for the changes in JSON.

    ``changes`` takes the document, the objects and the texts of the slots by name.
    """

    verb: str
    participle: str
    tail: str
    changes: MakesChanges


def _rotated(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    by = number(slots["angle"], "deg", document)
    sense = slots.get("sense") or ""
    return [{"rotate": titles(objects), "by": -by if sense == "clockwise" else by}]


def _moved(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    by = number(slots["distance"], LENGTH, document)
    x, y = _STEPS[re.sub("wards?$", "", slots["way"])]
    return [{"move": titles(objects), "dx": x * by, "dy": y * by}]


def _moved_in_steps(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    steps = [
        _moved(document, objects, {"distance": distance, "way": way})[0]
        for distance, way in re.findall(
            rf"({_DISTANCE}) (?:(?:to|towards) )?({_WAY})", slots["steps"]
        )
    ]
    return [
        {"move": titles(objects)}
        | {axis: sum(step[axis] for step in steps) for axis in ("dx", "dy")}
    ]


def _moved_towards(sign: float) -> MakesChanges:
    """Moves along the line between the centres of an object and a target; ``sign`` is 1 towards it,
    -1 away from it.
    """

    def made(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
        by = sign * number(slots["distance"], LENGTH, document)
        moves = []
        for moved in _single(objects):
            x, y = _direction(document, moved, slots["target"])
            moves.append({"move": moved.title, "dx": x * by, "dy": y * by})
        return moves

    return made


def _moved_to_distance(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    """A move along the line between the centres of an object and a target, to a distance of these."""
    if len(objects) > 1:
        raise Open(f"Only one object can be moved to a distance from {slots['target']}. Name one.")
    (moved,) = _single(objects)
    x, y = _direction(document, moved, slots["target"])
    by = math.dist(centre_of(moved), centre_of(object_named(document.scene, slots["target"])))
    by -= number(slots["distance"], LENGTH, document)
    return [{"move": moved.title, "dx": x * by, "dy": y * by}]


def _direction(document: Document, moved: SceneObject, target: str) -> tuple[float, float]:
    """The direction from the centre of an object to that of a target, as a unit vector. Raises Open
    if they coincide.
    """
    at, to = centre_of(moved), centre_of(object_named(document.scene, target))
    distance = math.dist(at, to)
    if distance == 0:
        raise Open(
            f"{moved.title} and {target} have the same centre. Say in which direction, such as:"
            f" move {moved.title} by 10 mm to the right."
        )
    return (to.x - at.x) / distance, (to.y - at.y) / distance


def _deleted(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    return [{"delete": titles(objects)}]


def _duplicated(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    (moved,) = _moved(document, objects, slots) if "way" in slots else ({"move": titles(objects)},)
    count = {"count": _factor(slots["times"])} if slots.get("times") else {}
    return [{"duplicate": moved.pop("move"), **moved, **count}]


def _moved_to(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    if len(objects) > 1:
        raise Open("Only one object can be moved to a point. Name one.")
    return [
        {
            "move": titles(objects),
            "to": {name: number(slots[name], LENGTH, document) for name in "xy"},
        }
    ]


def _moved_along(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    """The centre of each object at the coordinates that are given; the other one stays."""
    to = {
        text[0]: number(text[1:].lstrip(" ="), LENGTH, document)
        for text in re.findall(rf"{_X}|{_Y}", slots["coordinates"])
    }
    out: list[Json] = []
    for moved in _single(objects):
        at = centre_of(moved)
        out.append(
            {"move": moved.title, "dx": to.get("x", at.x) - at.x, "dy": to.get("y", at.y) - at.y}
        )
    return out


def _tuned(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    if other := next((obj for obj in _single(objects) if not isinstance(obj, Source)), None):
        raise Open(f"{other.title} is not a source, so it has no wavelength.")
    return [
        {"set": obj.title, "wavelength": float(slots["wavelength"].removesuffix("nm"))}
        for obj in _single(objects)
    ]


def _ruled(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    return to_value(document, objects, {"field": "line density", "value": slots["density"]})


def _scaled(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    return [{"scale": titles(objects), "by": float(slots["factor"])}]


def _larger(sign: float) -> MakesChanges:
    def made(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
        by = 1 + sign * _part(slots["percent"])
        if by <= 0:
            raise Open("An object that is 100 % smaller has no size. Give less.")
        return [{"scale": titles(objects), "by": by}]

    return made


def _as_large(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    return [{"scale": titles(objects), "by": _factor(slots["times"])}]


def _part(percent: str) -> float:
    return float(re.sub(r" ?(%|percent)", "", percent)) / 100


def _factor(times: str) -> float:
    word = times.partition(" ")[0]
    return _TIMES[word] if word in _TIMES else float(word)


def _flipped(axis: float) -> MakesChanges:
    return lambda document, objects, slots: [{"mirror": titles(objects), "axis": axis}]


def _which_way(example: str) -> MakesChanges:
    def asked(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
        raise Open(f"Which way? Such as: {example.format(objects[0].title, **slots)}.")

    return asked


def _disabled(on: bool) -> MakesChanges:
    return lambda document, objects, slots: [
        {"disable": titles(objects)} | ({} if on else {"on": False})
    ]


def _hidden(on: bool) -> MakesChanges:
    return lambda document, objects, slots: [
        {"hide": titles(objects)} | ({} if on else {"on": False})
    ]


def _material(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    return [{"material": titles(objects), "name": material_named(slots["material"]).name}]


def _stronger(sign: float) -> MakesChanges:
    """A lens or mirror of more or less optical power, the reciprocal of its focal length."""

    def made(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
        by = 1 + sign * _part(slots["percent"])
        if by <= 0:
            raise Open("A lens that is 100 % weaker has no power. Give less.")
        return _multiplied(1 / by)(document, objects, {"field": "focal length"})

    return made


def _multiplied(by: float) -> MakesChanges:
    def made(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
        fields = [(obj, field_of(obj, slots["field"])) for obj in _single(objects)]
        return [
            {"set": obj.title, field.json_name: getattr(obj, field.name) * by}
            for obj, field in fields
        ]

    return made


_TIMES = {
    "half": 0.5,
    "twice": 2.0,
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "ten": 10.0,
}


def _as_bright(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    return _multiplied(_factor(slots["times"]))(document, objects, {"field": "brightness"})


def _grouped(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    return [{"group": [o.title for o in objects], "as": slots["name"].capitalize()}]


def to_value(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    out: list[Json] = []
    for obj in _single(objects):
        field = field_of(obj, slots["field"])
        out.append(
            {"set": obj.title, field.json_name: number(slots["value"], field.about.unit, document)}
        )
    return out


def _of_the_only(changes: MakesChanges) -> MakesChanges:
    """Changes of a field of the only object that has it; Open if there is not one."""

    def made(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
        having = [obj for obj in document.scene.objects if has_field(obj, slots["field"])]
        if not having:
            _refuse_field(document, slots["field"])
        if len(having) != 1:
            among = f" {there_are([o.title for o in having])}" if having else ""
            raise Open(f"Whose {slots['field']}?{among}")
        return changes(document, having, slots)

    return made


def _refuse_field(document: Document, words: str) -> None:
    """Raise Open, with the fields that can be set, for a property that objects of other kinds have,
    but not the only lens of a document.
    """
    labels = {f.about.label.lower() for kind in KINDS.values() for f in fields_of(kind)}
    lens = object_without_name("lens", document)
    if words in labels and not isinstance(lens, Unclear):
        field_of(lens, words)


def _refuse_name(document: Document, words: str) -> None:
    """Raise Open, with the names that there are, for a property of an object that a document does
    not have.
    """
    field, _, name = words.partition(" of ")
    if name and any(has_field(obj, field) for obj in document.scene.objects):
        try:
            object_named(document.scene, name)
        except UnknownName as error:
            raise Open(str(error)) from None


def to_setting(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    words = slots["field"]
    place = next((name for name, texts in _SETTINGS.items() if re.fullmatch(texts, words)), "")
    if not place:
        having = [obj for obj in document.scene.objects if has_field(obj, words)]
        if len(having) == 1:
            return to_value(document, having, slots)
        if not having:
            _refuse_field(document, words)
            _refuse_name(document, words)
        known = choices(
            [f.about.label.lower() for f in fields_of(Settings) if f.json_name in _SETTINGS], "and"
        )
        raise Open(
            f"Whose {words}? Such as: set the {words} of an object to a value. The scene's own"
            f" settings are: {known}."
        )
    unit = next(f.about.unit for f in fields_of(Settings) if f.json_name == place)
    return [{"settings": {place: number(slots["value"], unit, document)}}]


_SETTINGS = {
    "rayModeDensity": "(?:ray )?density|density of rays",
    "imageModeDensity": "image density",
    "maxRayDepth": (
        "(?:largest|max|maximum) (?:ray )?depth|depth(?: limit)?|(?:largest|max|maximum) number of"
        " interactions"
    ),
    "lengthScale": "length scale",
    "gridSize": "grid(?: size| spacing)?",
}
"""Patterns of words for the scene's numeric settings, by their names in files."""


def _colours(on: bool) -> MakesChanges:
    return lambda document, objects, slots: [{"settings": {"simulateColors": on}}]


def _raised(sign: float) -> MakesChanges:
    def made(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
        out: list[Json] = []
        for obj in _single(objects):
            field = field_of(obj, slots["field"])
            now = getattr(obj, field.name)
            by = (
                now * _part(slots["percent"])
                if slots.get("percent")
                else number(slots["value"], field.about.unit, document)
            )
            out.append({"set": obj.title, field.json_name: now + sign * by})
        return out

    return made


def _by_how_much(document: Document, objects: Things, slots: Mapping[str, str]) -> list[Json]:
    obj = _single(objects)[0]
    field_of(obj, slots["field"])
    raise Open(f"By how much? Such as: increase the {slots['field']} of {obj.title} by 10 %.")


_SWAP = "(swap|change|replace|exchange|switch)"
_ABOUT = "[(about|around) (its|the|their) [own] (cent(re|er)|middle)]"
"""The default centre of rotation and scaling."""
_TOWARDS = "[further] (toward|towards|closer to|nearer to)"
_AWAY = "(away from|farther from|further from|further away from|farther away from)"
ROWS = (
    ChangeRow("(rotate|turn|tilt)", "(rotated|turned|tilted|rotates|turns|tilts)", f"[by] {{angle}} [{{sense}}] {_ABOUT}", _rotated),
    ChangeRow("(rotate|turn|tilt)", "(rotated|turned|tilted|rotates|turns|tilts)", f"{{sense}} by {{angle}} {_ABOUT}", _rotated),
    ChangeRow("(move|shift)", "[moved|shifted|displaced|moves|shifts]", "[by] {distance} [further] [(to|towards) the] {way}", _moved),
    ChangeRow("(move|shift)", "[moved|shifted|displaced|moves|shifts]", "{steps}", _moved_in_steps),
    ChangeRow("(move|shift)", "(moved|shifted|displaced|moves|shifts)", "{way} [by] {distance}", _moved),
    ChangeRow("(move|shift)", "(moved|shifted|displaced)", "[by] {distance}", _which_way("move {0} by {distance} to the right")),
    ChangeRow("(move|shift|bring)", "[moved|shifted|brought|moves]", f"[by] {{distance}} {_TOWARDS} {{target}}", _moved_towards(1.0)),
    ChangeRow("(move|shift|bring)", "(moved|shifted|brought|moves|shifts)", f"{_TOWARDS} {{target}} by {{distance}}", _moved_towards(1.0)),
    ChangeRow("(move|shift)", "[moved|shifted|moves|shifts]", f"[by] {{distance}} {_AWAY} {{target}}", _moved_towards(-1.0)),
    ChangeRow("(move|shift)", "(moved|shifted|moves|shifts)", f"{_AWAY} {{target}} by {{distance}}", _moved_towards(-1.0)),
    ChangeRow("(put|place|set|move)", "(put|placed|set|moved)", "[to|at] [a distance of] {distance} from {target}", _moved_to_distance),
    ChangeRow("(move|put|place)", "(moved|put|placed)", "(to|at) ({x} {y})", _moved_to),
    ChangeRow("(move|put|place)", "(moved|put|placed)", "(to|at) {coordinates}", _moved_along),
    ChangeRow("(set|change|tune)", "(set|changed|tuned)", "to {wavelength}", _tuned),
    ChangeRow("(set|change|make|give)", "(set|changed|given|had|has)", "[to] {density}", _ruled),
    ChangeRow("(scale|enlarge)", "(scaled|enlarged)", f"by [a factor [of]] {{factor}} {_ABOUT}", _scaled),
    ChangeRow("(enlarge|scale up)", "(enlarged|scaled up)", "by {percent}", _larger(1.0)),
    ChangeRow("(shrink|scale down)", "(shrunk|scaled down)", "by {percent}", _larger(-1.0)),
    ChangeRow("make", "made", "[by] {percent} (larger|bigger)", _larger(1.0)),
    ChangeRow("make", "made", "[by] {percent} smaller", _larger(-1.0)),
    ChangeRow("make", "made", "(larger|bigger) by {percent}", _larger(1.0)),
    ChangeRow("make", "made", "smaller by {percent}", _larger(-1.0)),
    ChangeRow("make", "made", "{times} as (large|big)", _as_large),
    ChangeRow("(flip|mirror)", "(flipped|mirrored)", "(horizontally|left to right)", _flipped(90.0)),
    ChangeRow("(flip|mirror)", "(flipped|mirrored)", "(vertically|upside down)", _flipped(0.0)),
    ChangeRow("(flip|mirror)", "(flipped|mirrored)", "", _which_way("flip {0} horizontally, or flip {0} vertically")),
    ChangeRow("(make|build)", "made", "(of|from|out of) {material}", _material),
    ChangeRow(f"{_SWAP} (glass|material) of", "(swapped|changed|replaced|exchanged)", "(for|by|with|to) {material}", _material),
    ChangeRow("(swap|replace|exchange|switch)", "(swapped|replaced|exchanged)", "(for|by|with|to) {material}", _material),
    ChangeRow("(set|change)", "(set|changed)", "to {material}", _material),
    ChangeRow("use {material} (for|in)", "made (of|from|out of) {material}", "", _material),
    ChangeRow("make", "made", "[by] {percent} stronger", _stronger(1.0)),
    ChangeRow("make", "made", "[by] {percent} weaker", _stronger(-1.0)),
    ChangeRow("make", "made", "{times} as (bright|intense)", _as_bright),
    ChangeRow("group", "grouped", "(as|named|called|into) [a|an] {name}", _grouped),
    ChangeRow("(disable|deactivate|switch off|turn off)", "(disabled|deactivated|switched off|turned off|off)", "", _disabled(True)),
    ChangeRow("(enable|activate|switch on|turn on)", "(enabled|activated|switched on|turned on|on)", "", _disabled(False)),
    ChangeRow("(switch|turn)", "(switched|turned)", "off", _disabled(True)),
    ChangeRow("(switch|turn)", "(switched|turned)", "on", _disabled(False)),
    ChangeRow("hide", "hidden", "", _hidden(True)),
    ChangeRow("unhide", "(unhidden|shown again)", "", _hidden(False)),
    ChangeRow("(delete|remove|take (out|away))", "(deleted|removed|taken (out|away)|gone|missing|not there)", "", _deleted),
    ChangeRow("(duplicate|copy)", "(duplicated|copied)", "[{times}] [by] {distance} [further] [(to|towards) the] {way}", _duplicated),
    ChangeRow("(duplicate|copy)", "(duplicated|copied)", "[{times}]", _duplicated),
)  # fmt: skip
FIELD_ROWS = (
    ChangeRow(
        "(set|change|make)",
        "(is|was|were|becomes|is set to|were set to|is changed to|were changed to)",
        "{value}",
        to_value,
    ),
    ChangeRow("(increase|raise)", "(is|was|were) (increased|raised)", "by {value}", _raised(1.0)),
    ChangeRow("(increase|raise)", "(is|was|were) (increased|raised)", "by {percent}", _raised(1.0)),
    ChangeRow(
        "(decrease|reduce|lower)",
        "(is|was|were) (decreased|reduced|lowered)",
        "by {value}",
        _raised(-1.0),
    ),
    ChangeRow(
        "(decrease|reduce|lower)",
        "(is|was|were) (decreased|reduced|lowered)",
        "by {percent}",
        _raised(-1.0),
    ),
    ChangeRow(
        "(increase|raise|decrease|reduce|lower)",
        "(is|was|were) (increased|raised|decreased|reduced|lowered)",
        "",
        _by_how_much,
    ),
    ChangeRow("double", "(is|was|were) doubled", "", _multiplied(2.0)),
    ChangeRow("(halve|half)", "(is|was|were) halved", "", _multiplied(0.5)),
)
"""Changes of a field of an object."""
ONLY_ROWS = tuple(
    replace(row, changes=_of_the_only(row.changes)) for row in FIELD_ROWS[1:] if row.tail
)
"""Changes of a field of the only object that has it, which is not named."""
SETTING_ROWS = (
    ChangeRow(
        "(set|change)", "(is|was|were|becomes|is set to|is changed to)", "{value}", to_setting
    ),
    ChangeRow(
        "simulate (colours|colors)", "(colours|colors) (are|were) simulated", "", _colours(True)
    ),
    ChangeRow(
        "(do not|don't) simulate (colours|colors)",
        "(colours|colors) (are|were) not simulated",
        "",
        _colours(False),
    ),
)
"""Changes of the scene's settings."""


def _single(things: Things) -> list[SceneObject]:
    """The objects; Open if there is a group among them."""
    if group := next((thing for thing in things if isinstance(thing, System)), None):
        raise Open(f"{group.title} is a group. Which of its objects?")
    return [thing for thing in things if not isinstance(thing, System)]


def titles(objects: Things) -> str | list[str]:
    return objects[0].title if len(objects) == 1 else [o.title for o in objects]
