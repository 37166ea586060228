"""Edits in words: examples such as *Rotate {objects} by {angle}*, and the changes that they mean."""

import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from raybench.agent.questions.example import (
    Example,
    Match,
    Unclear,
    custom_slot,
    value_of,
)
from raybench.agent.questions.objects import SLOTS, of_kinds, things_of
from raybench.agent.questions.sentence import Number, Sentence
from raybench.analysis.question import Question
from raybench.analysis.scene.objects import System
from raybench.errors import list_choices, there_are
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import Field, fields_of
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.materials.catalogue import material_named, shipped_materials
from raybench.materials.database import fold_name
from raybench.presets.preset import Preset
from raybench.scene.changes.placing import centre_of
from raybench.scene.changes.quantity import with_unit
from raybench.scene.document import Document
from raybench.scene.names import object_named
from raybench.scene.settings import Settings

Json = dict[str, Any]
_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1), "upward": (0, -1), "downward": (0, 1),
         "upwards": (0, -1), "downwards": (0, 1), "higher": (0, -1), "lower": (0, 1)}  # fmt: skip
_SETTINGS = {
    "ray density": "rayModeDensity", "density": "rayModeDensity", "image density": "imageModeDensity", "ray depth": "maxRayDepth",
    "max ray depth": "maxRayDepth", "depth": "maxRayDepth", "length scale": "lengthScale", "grid size": "gridSize", "grid": "gridSize",
}  # fmt: skip


_LISTED = frozenset(["and", "the", "a", "an", "both", "all", "also", "my", "or"])
"""Words between the names of several objects."""


def field_of(obj: SceneObject | Preset, words: str) -> Field:
    """The field of an object or a preset that words refer to: by its label, a part of the label, or
    its name in files. Raises Unclear.
    """
    fields = [
        f
        for f in fields_of(type(obj))
        if f.about.kind in ("number", "limit", "coordinate") and not f.about.unused
    ]
    words = words.lower()
    exact = [
        f for f in fields if words in (f.about.label.lower(), f.json_name.lower(), *f.about.words)
    ]
    part = [
        f for f in fields if set(words.split()) <= set(re.findall(r"\w+", f.about.label.lower()))
    ]
    if len(candidates := exact or part) == 1:
        return candidates[0]
    title = obj.label if isinstance(obj, Preset) else obj.title
    known = ", ".join(
        f"{f.about.label.lower()} ({with_unit(value, f.about.unit, '').strip()})"
        if isinstance(value := getattr(obj, f.name), float) and math.isfinite(value)
        else f.about.label.lower()
        for f in fields
    )
    which = (
        f"Which {words} of {title}?"
        if candidates
        else f"{title} has no {words} that can be set in words."
    )
    raise Unclear(f"{which} It has: {known}." if known else which)


def has_field(obj: SceneObject, words: str) -> bool:
    """Whether words refer to one field of an object."""
    try:
        field_of(obj, words)
    except Unclear:
        return False
    return True


# --- slots


def _take_objects(name: str, match: Match, sentence: Sentence) -> None:
    """The first names that are left, up to another word, and a noun for the only object, or for
    several after *all*.
    """
    titles: list[str] = []
    every = re.search(r"\b(?:all|both|every|each)\b", sentence.text, re.IGNORECASE)
    for piece in sentence.pieces:
        is_object = piece.thing is not None or piece.noun
        if titles and not is_object and piece.typed not in _LISTED and not piece.spare:
            break
        if not any(piece is left for left in match.left):
            continue
        if piece.thing is not None:
            titles.append(piece.thing.title)
        elif piece.noun:
            found = [o.title for o in things_of(piece.noun, sentence.document)]
            if not found:
                raise Unclear(f"There is no {piece.noun} in this scene.")
            if len(found) > 1 and not every:
                match.choices[name] = found
            titles += found
        else:
            continue
        match.left.remove(piece)
    titles = list(dict.fromkeys(titles))
    if titles and name not in match.choices:
        match.values[name] = " and ".join(titles)
        match.given[name] = titles[0] if len(titles) == 1 else titles


def _leftover_words(match: Match) -> str:
    """The words that are left, as they were typed."""
    return " ".join(p.typed for p in match.left if p.typed and not p.thing)


def _take_property(name: str, match: Match, sentence: Sentence) -> None:
    """The field whose name the words which are left are, not only a part of it."""
    words = re.sub(r"^(?:the |a |an )", "", _leftover_words(match))
    thing = sentence.things.get(str(match.given.get("object")))
    if thing is None or isinstance(thing, System) or not has_field(thing, words):
        return
    about = field_of(thing, words).about
    if words in (about.label.lower(), *about.words):
        _take_field(name, match, sentence)


def _take_field(name: str, match: Match, sentence: Sentence) -> None:
    """The field that the words which are left name, of the object of the match or of the only one
    that has it; or a setting of the scene.
    """
    words = re.sub(r"^(?:the |a |an )", "", _leftover_words(match))
    said = re.search(r"(?:the )?([a-z][\w. /-]*?) (?:of|for|to|=|by|at)\b", sentence.text.lower())
    full = [w for w in (words, said[1].split(" ", 1)[-1] if said else "") if w]
    if not words:
        return
    title = match.given.get("object")
    if title is None and "object" in match.example.slots:
        return
    if isinstance(title, str):
        thing = sentence.things.get(title)
        if thing is None or isinstance(thing, System):
            raise Unclear(f"{title} is a group. Which of its objects?")
        obj_field = next(
            (field_of(thing, w) for w in full if has_field(thing, w)), None
        ) or field_of(thing, words)
        match.given[name] = (title, obj_field)
    else:
        having = [(o, w) for w in full for o in sentence.document.scene.objects if has_field(o, w)]
        if place := next((_SETTINGS[w] for w in full if w in _SETTINGS), None):
            match.given[name] = ("", next(f for f in fields_of(Settings) if f.json_name == place))
        elif len({o.title for o, _ in having}) == 1:
            match.given[name] = (having[0][0].title, field_of(*having[0]))
        elif having:
            raise Unclear(f"Whose {words}? {there_are([o.title for o, _ in having])}")
        else:
            known = list_choices(
                [
                    f.about.label.lower()
                    for f in fields_of(Settings)
                    if f.json_name in _SETTINGS.values()
                ],
                "and",
            )
            raise Unclear(
                f"Nothing here has a {words} that can be set in words. The scene's own settings are: {known}."
            )
    match.values[name] = words
    match.left = [p for p in match.left if not p.typed or p.thing]


def _default_field(values: Mapping[str, str], document: Document) -> str | None:
    title = values.get("object")
    if title is None:
        return "ray density"
    objects = [o for o in document.scene.objects if title in (None, o.title)]
    for obj in objects:
        for f in fields_of(type(obj)):
            if (
                f.about.kind == "number"
                and not f.about.unused
                and has_field(obj, f.about.label.lower())
            ):
                return f.about.label.lower()
    return None


def _take_value(name: str, match: Match, sentence: Sentence) -> None:
    """The number, for a field in its unit."""
    piece = next((p for p in match.left if p.number), None)
    if piece is None or piece.number is None:
        return
    match.left.remove(piece)
    match.given[name], match.values[name] = piece.number, piece.number.with_unit


def _take_way(name: str, match: Match, sentence: Sentence) -> None:
    # "up" is no word that a question keeps
    free = [p for p in sentence.pieces if p.thing is None or any(p is q for q in match.left)]
    piece = next((p for p in free if p.typed in _WAYS), None)
    if piece is not None:
        match.left = [p for p in match.left if p is not piece]
        match.given[name], match.values[name] = (
            _WAYS[piece.typed],
            f"to the {piece.typed}" if piece.typed in ("left", "right") else piece.typed,
        )


@cache
def _material_names() -> Mapping[str, str]:
    """The names of the catalogue's materials as they are searched for."""
    return {fold_name(name): name for name in shipped_materials()}


def _take_material(name: str, match: Match, sentence: Sentence) -> None:
    for written in re.findall(r"[A-Za-z][\w-]+", sentence.text)[::-1]:
        material = _material_names().get(fold_name(written), "")
        if (
            not material
            and re.search(rf"\b(?:of|to) {written}\b", sentence.text)
            and re.search(r"\d", written)
        ):
            material = material_named(written).name
        if material:
            match.given[name] = match.values[name] = material
            typed = written.lower()
            match.left = [
                p
                for p in match.left
                if not (p.typed and p.typed.strip("-") in typed)
                and not (p.number and p.number.text.lstrip("-") in typed)
            ]
            return


def _take_rest(name: str, match: Match, sentence: Sentence) -> None:
    """The words after *to*, as they were typed: a new name."""
    if said := re.search(
        r"\bto [\"'“]?(?!the\b)([\w -]+?)[\"'”]?$", sentence.text.rstrip(" .!"), re.IGNORECASE
    ):
        match.given[name] = match.values[name] = said[1]
        match.left = [p for p in match.left if p.text.lower() not in said[1].lower()]


def _default_value(values: Mapping[str, str], document: Document) -> str | None:
    """A value a tenth more than that of the field."""
    if "object" not in values:
        return "0.2"
    for obj in document.scene.objects:
        if values.get("object", obj.title) == obj.title and has_field(obj, values["field"]):
            about = field_of(obj, values["field"])
            now = getattr(obj, about.name)
            if isinstance(now, int | float) and math.isfinite(now):
                return with_unit(
                    float(f"{1.1 * now:.3g}") or 1.0, about.about.unit, document.unit
                ).strip()
    return "10"


def _first_source(values: Mapping[str, str], document: Document) -> str | None:
    return next(iter(SLOTS["source"].candidates(document)), None)


def _first_titles(values: Mapping[str, str], document: Document) -> str | None:
    things = things_of("lens", document) or [o for o in document.scene.objects if o.optical]
    return things[0].title if things else None


custom_slot("objects", _first_titles, _take_objects)
custom_slot("lamps", _first_source, _take_objects)
custom_slot("field", _default_field, _take_field)
custom_slot("value", _default_value, _take_value)
custom_slot("property", lambda values, document: None, _take_property)
custom_slot("way", "to the right", _take_way)
custom_slot("material", "N-BK7", _take_material)
custom_slot("title", "Front", _take_rest)


# --- changes


def _target_titles(given: Mapping[str, Any]) -> Any:
    return given["objects"]


def _rotate_changes(given: Mapping[str, Any], document: Document) -> Json:
    return {"rotate": _target_titles(given), "by": given["angle"] * given["sense"]}


def _move_changes(given: Mapping[str, Any], document: Document) -> Json:
    x, y = given["way"]
    return {"move": _target_titles(given), "dx": x * given["distance"], "dy": y * given["distance"]}


def _moved_to(given: Mapping[str, Any], document: Document) -> Json:
    if isinstance(given["objects"], list):
        raise Unclear("Only one object can be moved to a point. Name one.")
    at = centre_of(object_named(document.scene, given["objects"]))
    if {"x", "y"} <= given.keys():
        return {"move": given["objects"], "to": {"x": given["x"], "y": given["y"]}}
    return {
        "move": given["objects"],
        "dx": given.get("x", at.x) - at.x,
        "dy": given.get("y", at.y) - at.y,
    }


def _move_towards(sign: int) -> Callable[[Mapping[str, Any], Document], Json]:
    def made(given: Mapping[str, Any], document: Document) -> Json:
        at, to = (centre_of(object_named(document.scene, given[n])) for n in ("object", "target"))
        length = math.dist(at, to)
        if length == 0:
            raise Unclear(
                f"{given['object']} and {given['target']} have the same centre. Say in which direction."
            )
        by = sign * given["distance"] / length
        return {"move": given["object"], "dx": (to.x - at.x) * by, "dy": (to.y - at.y) * by}

    return made


def _set_changes(given: Mapping[str, Any], document: Document) -> Json:
    title, about = given["field"]
    value = value_of(given["value"], about.about.unit, document)
    if not title:
        return {"settings": {about.json_name: value}}
    return {"set": title, about.json_name: value}


def _raise_changes(sign: float) -> Callable[[Mapping[str, Any], Document], Json]:
    def made(given: Mapping[str, Any], document: Document) -> Json:
        title, about = given["field"]
        number: Number = given["value"]
        now = getattr(
            object_named(document.scene, title) if title else document.scene.settings, about.name
        )
        by = (
            now * float(number.text) / 100
            if number.unit == "%"
            else value_of(number, about.about.unit, document)
        )
        value = now + sign * by
        return (
            {"set": title, about.json_name: value}
            if title
            else {"settings": {about.json_name: value}}
        )

    return made


def _multiply_changes(factor: float) -> Callable[[Mapping[str, Any], Document], Json]:
    def made(given: Mapping[str, Any], document: Document) -> Json:
        title, about = given["field"]
        if not title:
            return {
                "settings": {about.json_name: getattr(document.scene.settings, about.name) * factor}
            }
        return {
            "set": title,
            about.json_name: getattr(object_named(document.scene, title), about.name) * factor,
        }

    return made


def _tune_changes(given: Mapping[str, Any], document: Document) -> list[Json]:
    titles = given["objects"] if isinstance(given["objects"], list) else [given["objects"]]
    for title in titles:
        if not isinstance(object_named(document.scene, title), Source):
            raise Unclear(f"{title} is not a source, so it has no wavelength.")
    return [{"set": title, "wavelength": given["wavelength"]} for title in titles]


def _group_changes(given: Mapping[str, Any], document: Document) -> Json:
    return {"group": given["objects"], "as": str(given["name"]).capitalize()}


def _duplicate_changes(given: Mapping[str, Any], document: Document) -> Json:
    x, y = given.get("way", (0, 0))
    shift = (
        {"dx": x * given["distance"], "dy": y * given["distance"]} if "distance" in given else {}
    )
    count = {"count": given["count"]} if "count" in given else {}
    return {"duplicate": given["objects"], **shift, **count}


def _rename_changes(given: Mapping[str, Any], document: Document) -> Json:
    return {"set": given["object"], "name": given["title"]}


def _verb_changes(verb: str, **more: Any) -> Callable[[Mapping[str, Any], Document], Json]:
    return lambda given, document: {verb: _target_titles(given), **more}


def _settings_change(**values: Any) -> Callable[[Mapping[str, Any], Document], Json]:
    return lambda given, document: {"settings": values}


_OBJECTS = {"objects": "objects"}
_FIELD: Mapping[str, Any] = {"field": "field", "value": "value"}
_OF = {"object": SLOTS["any"], **_FIELD}
_AXES = {"x": "coordinate", "y": "coordinate"}
EDITS: tuple[tuple[str, Mapping[str, Any], Mapping[str, Any], Any], ...] = (
    ("Rotate {objects} by {angle} [counterclockwise].", {**_OBJECTS, "angle": "angle"}, {"sense": 1}, _rotate_changes),
    ("Rotate {objects} by {angle} clockwise.", {**_OBJECTS, "angle": "angle"}, {"sense": -1}, _rotate_changes),
    ("Move {objects} by {distance} {way}.", {"distance": "length", "way": "way", **_OBJECTS}, {}, _move_changes),
    ("Move {objects} to ({x}, {y}).", {**_AXES, **_OBJECTS}, {}, _moved_to),
    ("Move {objects} to x = {x}.", {"x": "coordinate", **_OBJECTS}, {}, _moved_to),
    ("Move {objects} to y = {y}.", {"y": "coordinate", **_OBJECTS}, {}, _moved_to),
    ("Move {object} {distance} toward {target} [closer nearer].", {"object": SLOTS["any"], "target": SLOTS["any"], "distance": "length"}, {}, _move_towards(1)),
    ("Move {object} {distance} away from {target} [further farther].", {"object": SLOTS["any"], "target": SLOTS["any"], "distance": "length"}, {}, _move_towards(-1)),
    ("Set the {field} of {object} to {value} [change make].", _OF, {}, _set_changes),
    ("Set the {field} to {value} [change make].", _FIELD, {}, _set_changes),
    ("Make the {field} of {object} {value}.", _OF, {}, _set_changes),
    ("Set {objects} to {wavelength} [tune change make wavelength].", {"objects": "lamps", "wavelength": "wavelength"}, {}, _tune_changes),
    ("Increase the {field} of {object} by {value} [raise].", _OF, {}, _raise_changes(1)),
    ("Increase the {field} by {value} [raise].", _FIELD, {}, _raise_changes(1)),
    ("Reduce the {field} of {object} by {value} [decrease lower].", _OF, {}, _raise_changes(-1)),
    ("Reduce the {field} by {value} [decrease lower].", _FIELD, {}, _raise_changes(-1)),
    ("Double the {field} of {object}.", {"object": SLOTS["any"], "field": "field"}, {}, _multiply_changes(2)),
    ("Halve the {field} of {object}.", {"object": SLOTS["any"], "field": "field"}, {}, _multiply_changes(0.5)),
    ("Make {objects} of {material}.", {**_OBJECTS, "material": "material"}, {}, lambda g, d: {"material": _target_titles(g), "name": g["material"]}),
    ("Change the material of {objects} to {material} [glass set].", {**_OBJECTS, "material": "material"}, {}, lambda g, d: {"material": _target_titles(g), "name": g["material"]}),
    ("Change {objects} to {material} [glass set].", {**_OBJECTS, "material": "material"}, {}, lambda g, d: {"material": _target_titles(g), "name": g["material"]}),
    ("Scale {objects} by {factor} [enlarge factor].", {"factor": "factor", **_OBJECTS}, {}, lambda g, d: {"scale": _target_titles(g), "by": g["factor"]}),
    ("Flip {objects} horizontally [mirror left right].", _OBJECTS, {}, _verb_changes("mirror", axis=90.0)),
    ("Flip {objects} vertically [mirror upside down].", _OBJECTS, {}, _verb_changes("mirror", axis=0.0)),
    ("Delete {objects}.", _OBJECTS, {}, _verb_changes("delete")),
    ("Duplicate {objects} [{count} times] [by {distance} {way}].", {"distance": "length", "way": "way", "count": "count", **_OBJECTS}, {}, _duplicate_changes),
    ("Group {objects} as {name} [into].", {"name": "name", **_OBJECTS}, {}, _group_changes),
    ("Switch off {objects}.", _OBJECTS, {}, _verb_changes("disable")),
    ("Switch on {objects}.", _OBJECTS, {}, _verb_changes("disable", on=False)),
    ("Hide {objects}.", _OBJECTS, {}, _verb_changes("hide")),
    ("Unhide {objects}.", _OBJECTS, {}, _verb_changes("hide", on=False)),
    ("Rename {object} to {title}.", {"object": SLOTS["any"], "title": "title"}, {}, _rename_changes),
    ("Simulate colours.", {}, {}, _settings_change(simulateColors=True)),
    ("Do not simulate colours.", {}, {}, _settings_change(simulateColors=False)),
)  # fmt: skip
"""The edits: the example, its slots, what its words stand for, and the change in JSON."""


def _change_arguments(made: Callable[..., Any]) -> Callable[[Mapping[str, Any], Document], Json]:
    def call(given: Mapping[str, Any], document: Document) -> Json:
        change = made(given, document)
        return {"changes": change if isinstance(change, list) else [change]}

    return call


def edit_examples() -> list[Example]:
    """The examples of edits."""
    found = [
        Example(
            "change_scene",
            Question(text, given),
            slots,
            _change_arguments(made),
            lit=False,
            edits=True,
            intent=f"edit {text}",
        )
        for text, slots, given, made in EDITS
    ]
    line = of_kinds(Detector, Blocker, noun="detector")
    found += [
        Example(
            "move_to_focus",
            Question(text),
            {"detector_name": line},
            lambda g, d: dict(g),
            frozenset(("source_name",)),
            edits=True,
            intent="move_to_focus",
        )
        for text in (
            "Move {detector_name} to the [best] focus [position].",
            "Focus the light on {detector_name} [refocus].",
        )
    ]
    found += [
        Example(tool, Question(text), {}, lambda g, d: {}, lit=False, edits=True, intent=tool)
        for tool, texts in {
            "undo_edits": ("Undo.", "Undo my last change [edit step move rotation]."),
            "redo_edits": ("Redo.", "Redo my last change [edit step]."),
        }.items()
        for text in texts
    ]
    return found
