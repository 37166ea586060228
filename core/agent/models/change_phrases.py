"""Changes in plain words: ``rotate Prism by 7 degrees clockwise``, and what if: ``what if Lens were moved 5 mm to the right?``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.analysis.measures.grammar import quoted
from core.analysis.phrase import Phrase
from core.analysis.scene.systems import System
from core.analysis.tools.clauses import NUMBER, Clauses, Meant
from core.analysis.tools.marks import DETERMINED, OBJECT, Unclear
from core.analysis.tools.measure_phrases import measures_asked
from core.analysis.tools.phrases import Open, Phrases, Understanding, better, named
from core.analysis.tools.plain_question import PlainQuestion
from core.errors import choices
from core.kinds.blockers import Blocker
from core.kinds.detectors import Detector
from core.kinds.fields import LENGTH, Field, fields_of
from core.kinds.lenses import IdealLens, SphericalLens
from core.kinds.object import SceneObject
from core.kinds.sources import Source
from core.materials.catalogue import UnknownMaterial, material_named
from core.scene.changes.centre import NoCentre, centre_of
from core.scene.changes.quantity import InvalidQuantity, quantity, with_unit
from core.scene.document import Document
from core.scene.settings import Settings

Json = dict[str, Any]
Things = Sequence[SceneObject | System]
"""Objects, and groups taken as one."""
_NUMBER = rf"[-+−]?{NUMBER}"
_SLOTS = {
    "object": rf"{DETERMINED}{OBJECT}(?:(?: {DETERMINED}{OBJECT})* and {DETERMINED}{OBJECT})?",
    "angle": rf"{_NUMBER}(?: ?(?:°|deg(?:rees?)?|rad|mrad)(?!\w))?",
    "distance": rf"{_NUMBER}(?: ?(?:nm|[uµμ]m|mm|cm|dm|m|km|in|inch|ft)(?!\w))?",
    "x": _NUMBER,
    "y": _NUMBER,
    "factor": NUMBER,
    "value": rf"{_NUMBER}(?: ?[a-zµμ°/²]{{1,4}}(?!\w))?",
    "percent": rf"{NUMBER} ?(?:%|percent)",
    "field": r"[a-z][a-z0-9_.\[\]-]*(?: [a-z0-9_.\[\]-]+){0,3}?",
    "sense": r"(?:counter-?|anti-?)?clockwise",
    "way": r"left|right|up|down|upwards?|downwards?",
    "name": r"[a-z]\w*(?: \w+){0,2}",
    "material": r"[a-z][\w-]*(?: [\w-]+)?",
}
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True)
class _Row:
    """A kind of change: the verb, its participle, what follows the object, and the changes in JSON that what is written makes."""

    verb: str
    participle: str
    tail: str
    made: Callable[[Document, Things, Mapping[str, str]], list[Json]]


def _rotated(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    by = number(said["angle"], "deg", document)
    sense = said.get("sense") or ""
    return [{"rotate": _titles(objects), "by": -by if sense == "clockwise" else by}]


def _moved(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    by = number(said["distance"], LENGTH, document)
    x, y = _STEPS[re.sub("wards?$", "", said["way"])]
    return [{"move": _titles(objects), "dx": x * by, "dy": y * by}]


def _moved_to(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    if len(objects) > 1:
        raise Open("Only one object can be moved to a point. Name one.")
    (moved,) = _single(objects)
    at = centre_of(moved)
    x, y = (number(said[name], LENGTH, document) for name in "xy")
    return [{"move": moved.title, "dx": x - at.x, "dy": y - at.y}]


def _scaled(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    return [{"scale": _titles(objects), "by": float(said["factor"])}]


def _flipped(axis: float) -> Callable[[Document, Things, Mapping[str, str]], list[Json]]:
    return lambda document, objects, said: [{"mirror": _titles(objects), "axis": axis}]


def _disabled(on: bool) -> Callable[[Document, Things, Mapping[str, str]], list[Json]]:
    return lambda document, objects, said: [{"disable": _titles(objects)} | ({} if on else {"on": False})]


def _material(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    return [{"material": _titles(objects), "name": material_named(said["material"]).name}]


def _grouped(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    return [{"group": [o.title for o in objects], "as": said["name"].capitalize()}]


def _set(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    out: list[Json] = []
    for obj in _single(objects):
        field = field_of(obj, said["field"])
        out.append({"set": obj.title, field.json_name: number(said["value"], field.about.unit, document)})
    return out


def _setting(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
    words = said["field"]
    place = next((name for name, texts in _SETTINGS.items() if re.fullmatch(texts, words)), "")
    if not place:
        known = choices([f.about.label.lower() for f in fields_of(Settings) if f.json_name in _SETTINGS], "and")
        raise Open(f"Whose {words}? Such as: set the {words} of an object to a value. The scene's own settings are: {known}.")
    unit = next(f.about.unit for f in fields_of(Settings) if f.json_name == place)
    return [{"settings": {place: number(said["value"], unit, document)}}]


_SETTINGS = {
    "rayModeDensity": "(?:ray )?density|density of rays",
    "imageModeDensity": "image density",
    "maxRayDepth": "(?:largest|max|maximum) (?:ray )?depth|depth(?: limit)?|(?:largest|max|maximum) number of interactions",
    "lengthScale": "length scale",
    "gridSize": "grid(?: size| spacing)?",
}
"""The scene's settings that are numbers, by their names in files, with the words for them."""


def _colours(on: bool) -> Callable[[Document, Things, Mapping[str, str]], list[Json]]:
    return lambda document, objects, said: [{"settings": {"simulateColors": on}}]


def _raised(sign: float) -> Callable[[Document, Things, Mapping[str, str]], list[Json]]:
    def made(document: Document, objects: Things, said: Mapping[str, str]) -> list[Json]:
        out: list[Json] = []
        for obj in _single(objects):
            field = field_of(obj, said["field"])
            now = getattr(obj, field.name)
            if said.get("percent"):
                by = now * float(re.sub(r" ?(%|percent)", "", said["percent"])) / 100
            else:
                by = number(said["value"], field.about.unit, document)
            out.append({"set": obj.title, field.json_name: now + sign * by})
        return out

    return made


_ABOUT = "[(about|around) (its|the|their) [own] (cent(re|er)|middle)]"
"""Where what has no other centre is turned and scaled."""
ROWS = (
    _Row("(rotate|turn|tilt)", "(rotated|turned|tilted)", f"[by] {{angle}} [{{sense}}] {_ABOUT}", _rotated),
    _Row("(rotate|turn|tilt)", "(rotated|turned|tilted)", f"{{sense}} by {{angle}} {_ABOUT}", _rotated),
    _Row("(move|shift)", "(moved|shifted|displaced)", "[by] {distance} [(to|towards) the] {way}", _moved),
    _Row("(move|shift)", "(moved|shifted|displaced)", "{way} [by] {distance}", _moved),
    _Row("(move|put|place)", "(moved|put|placed)", "(to|at) ({x} {y})", _moved_to),
    _Row("(scale|enlarge)", "(scaled|enlarged)", f"by [a factor [of]] {{factor}} {_ABOUT}", _scaled),
    _Row("(flip|mirror)", "(flipped|mirrored)", "(horizontally|left to right)", _flipped(90.0)),
    _Row("(flip|mirror)", "(flipped|mirrored)", "(vertically|upside down)", _flipped(0.0)),
    _Row("(make|build)", "made", "(of|from|out of) {material}", _material),
    _Row("group", "grouped", "(as|named|called|into) [a|an] {name}", _grouped),
    _Row("(disable|deactivate|switch off|turn off)", "(disabled|deactivated|switched off|turned off|off)", "", _disabled(True)),
    _Row("(enable|activate|switch on|turn on)", "(enabled|activated|switched on|turned on|on)", "", _disabled(False)),
    _Row("(delete|remove)", "(deleted|removed|gone)", "", lambda document, objects, said: [{"delete": _titles(objects)}]),
    _Row("(duplicate|copy)", "(duplicated|copied)", "", lambda document, objects, said: [{"duplicate": _titles(objects)}]),
)  # fmt: skip
FIELD_ROWS = (
    _Row("(set|change)", "(is|was|were|becomes|is set to|were set to|is changed to|were changed to)", "{value}", _set),
    _Row("(increase|raise)", "(is|was|were) (increased|raised)", "by {value}", _raised(1.0)),
    _Row("(increase|raise)", "(is|was|were) (increased|raised)", "by {percent}", _raised(1.0)),
    _Row("(decrease|reduce|lower)", "(is|was|were) (decreased|reduced|lowered)", "by {value}", _raised(-1.0)),
    _Row("(decrease|reduce|lower)", "(is|was|were) (decreased|reduced|lowered)", "by {percent}", _raised(-1.0)),
)
"""Changes of a field of an object."""
SETTING_ROWS = (
    _Row("(set|change)", "(is|was|were|becomes|is set to|is changed to)", "{value}", _setting),
    _Row("simulate (colours|colors)", "(colours|colors) (are|were) simulated", "", _colours(True)),
    _Row("(do not|don't) simulate (colours|colors)", "(colours|colors) (are|were) not simulated", "", _colours(False)),
)
"""Changes of the scene's settings."""


@cache
def _patterns(asked: bool) -> tuple[tuple[_Row, str], ...]:
    """The rows with a pattern of what is to be done or, if ``asked``, of what is supposed to have been done."""
    texts: list[tuple[_Row, str]] = []
    for row in ROWS:
        done = f"{{object}} [is|are|was|were|gets|be|has been|had been] {row.participle} {row.tail}"
        texts.append((row, done if asked else f"{row.verb} {{object}} {row.tail}"))
        if asked:
            texts.append((row, f"(i|we|you|one) {row.verb} {{object}} {row.tail}"))
    for row in FIELD_ROWS:
        to = "(to|=) " if row.made is _set else ""
        of = "{field} of {object}"
        texts.append((row, f"{of} {row.participle} {row.tail}" if asked else f"{row.verb} {of} {to}{row.tail}"))
        had = f"{{object}} (had|has|have) [a|an] {{field}} of {row.tail}"
        texts.append((row, had if asked else f"{row.verb} {{object}} {{field}} {to}{row.tail}"))
        if asked:
            texts.append((row, f"(i|we|you|one) {row.verb} {of} {to}{row.tail}"))
    for row in SETTING_ROWS:
        if row.made is _setting:
            texts.append((row, f"{{field}} {row.participle} {row.tail}" if asked else f"{row.verb} {{field}} (to|=) {row.tail}"))
        else:
            texts.append((row, row.participle if asked else row.verb))
    return tuple((row, Phrase(text.strip()).pattern(lambda slot: f"(?P<{slot}>{_SLOTS[slot]})")) for row, text in texts)


def _first(said: Clauses, before: str, asked: bool) -> tuple[_Row, re.Match[str]] | None:
    """Take the first change in the clauses, the longest of those that begin there."""
    found = [
        (-match.start(), match.end() - match.start(), i, row, f"{before}{pattern}")
        for i, (row, pattern) in enumerate(_patterns(asked))
        if (match := said.copy().take_phrase(f"{before}{pattern}"))
    ]
    if not found:
        return None
    *_, row, pattern = max(found, key=lambda f: f[:2])
    match = said.take_phrase(pattern)
    assert match is not None
    return row, match


def _changes(said: Clauses, before: str, asked: bool) -> list[Json] | None:
    """Take all changes that "and" joins; None if there is none. Raises Open, or RaybenchError if one cannot be made."""
    out: list[Json] = []
    while (found := _first(said, before, asked)) is not None:
        row, match = found
        objects = _named(said, match.groupdict().get("object") or "")
        out += row.made(said.document, objects, {name: text for name, text in match.groupdict().items() if text})
        before = r"(?<=\| )(?:and |then )+"  # after the one before, not anywhere
    said.left = re.sub(r"\| (?:and|then) (?=\|)", "| ", said.left)
    return out or None


def _named(said: Clauses, text: str) -> Things:
    """The objects whose marks stand in a text. Raises Open."""
    objects: list[SceneObject | System] = []
    for mark in re.findall(OBJECT, text):
        meant = said.each(mark)
        if isinstance(meant, Unclear):
            raise Open(meant.problem)
        objects += meant
    return objects


def _to_change(question: PlainQuestion) -> Understanding:
    """What a text asks to change."""
    said = question.clauses()
    try:
        changes = _changes(said, r"(?<!if )(?<!i )(?<!we )", asked=False)
    except (Open, UnknownMaterial, NoCentre) as problem:
        return said.ask(str(problem))
    return None if changes is None else said.whole({"changes": changes})


_IF = r"(?:if|when|suppose|assuming) (?:that )?"


def _supposed(question: PlainQuestion) -> Understanding:
    """What a text asks about changes that are not made."""
    said = question.clauses()
    try:
        changes = _changes(said, _IF, asked=True)
        if changes is None and (match := said.take_phrase(rf"(?:without )(?P<object>{_SLOTS['object']}) ")) is not None:
            changes = [{"disable": _titles(_named(said, match["object"]))}]
    except (Open, UnknownMaterial, NoCentre) as problem:
        return said.ask(str(problem))
    if changes is None:
        return None
    asks = r"what (?:happens|would happen|will happen|changes|would change|is|are|was|would be)(?: to| with)?|what"
    said.take(rf"how (?:does|do|would|will|much does|much would)|{asks}")
    said.take(r"(?:would |will )?(?:change|vary|be|become|do)(?: then)?")
    if not said.rest:
        return said.whole({"changes": changes, "measures": _usual(question.document, changes)})
    said.left = re.sub(r"^(?:\| )+|(?: \|)+$", "", said.left)
    found = measures_asked(said)
    if not isinstance(found, Meant):  # "does the power reach Screen" is asked as "how much power reaches Screen"
        said.left = f"how much {said.left}"
        found = better(found, measures_asked(said))
    return Meant({"changes": changes, **found}, found.spare) if isinstance(found, Meant) else found or said.whole({})


def _usual(document: Document, changes: list[Json]) -> str:
    """Measures that tell what changes do: of the detectors, and of the light that leaves what is changed."""
    objects = [o for o in document.scene.objects if o.optical and o.key not in document.disabled]
    detectors = [o for o in objects if isinstance(o, Detector)][:2]
    measures = [f"{name}({quoted(o.title)})" for o in detectors for name in ("power", "centroid", "rms")]
    kept = {"rotate", "move", "set", "scale", "mirror", "material"}
    touched = [title for change in changes for verb in kept & change.keys() for title in _listed(change[verb])]
    for obj in (o for o in objects if o.title in touched and not isinstance(o, Detector | Source)):
        lens = isinstance(obj, IdealLens | SphericalLens)
        measures += [f"{name}({quoted(obj.title)})" for name in (("focus", "spot_rms") if lens else ("direction",))]
    return "; ".join(measures or ["escaped()", "absorbed()"])


def _listed(target: Any) -> list[str]:
    return [target] if isinstance(target, str) else list(target)


def _single(things: Things) -> list[SceneObject]:
    """The objects; Open if there is a group among them."""
    if group := next((thing for thing in things if isinstance(thing, System)), None):
        raise Open(f"{group.title} is a group. Which of its objects?")
    return [thing for thing in things if not isinstance(thing, System)]


def _titles(objects: Things) -> str | list[str]:
    return objects[0].title if len(objects) == 1 else [o.title for o in objects]


def number(text: str, unit: str, document: Document) -> float:
    """A number in a field's unit. Raises Open."""
    try:
        return quantity(re.sub(r"(?<=\d) ?(?:degrees?|°)$", " deg", text), unit, document.unit)
    except InvalidQuantity as error:
        raise Open(f"“{text}” {error}.") from None


def field_of(obj: SceneObject, words: str) -> Field:
    """The field of an object that some words mean: by its label, a part of the label, or its name in files. Raises Open."""
    fields = [f for f in fields_of(type(obj)) if f.about.kind in ("number", "limit", "coordinate") and not f.about.unused]
    exact = [f for f in fields if words in (f.about.label.lower(), f.json_name.lower())]
    part = [f for f in fields if set(words.split()) <= set(re.findall(r"\w+", f.about.label.lower()))]
    if len(found := exact or part) == 1:
        return found[0]
    known = ", ".join(
        f"{f.about.label.lower()} ({with_unit(value, f.about.unit, '').strip()})"
        if isinstance(value := getattr(obj, f.name), float)
        else f.about.label.lower()
        for f in fields
    )
    which = f"Which {words} of {obj.title}?" if found else f"{obj.title} has no {words} that can be set in words."
    raise Open(f"{which} It has: {known}." if known else which)


CHANGE = Phrases(
    "rotate {object_name} by {angle}", "move {object_name} by {x} mm to the right", "make {glass_name} of N-BK7", understood=_to_change
)
TO_FOCUS = Phrases(
    "move {detector_name} to the best focus",
    "(move|shift|put|place|bring|set) {detector_name} (to|into|in|at) [the] [best] focus",
    "(focus|refocus) the light on {detector_name}",
    "refocus {detector_name}",
    clauses=("source_name",),
    slots={"detector_name": named((Detector, Blocker), "detector")},
)
WHAT_IF = Phrases(
    "what if {object_name} is rotated by {angle}", "what happens if {object_name} is moved by {x} mm to the right", understood=_supposed
)
