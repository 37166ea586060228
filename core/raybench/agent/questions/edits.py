"""Sentences that edit the scene: examples such as *Rotate {objects} by {angle}*, and the changes
that they stand for.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from raybench.agent.questions.example import Example, Unclear, value_in_unit
from raybench.agent.questions.sentence import Number
from raybench.agent.questions.slots import SLOTS, circle_radius, slot_for_kind
from raybench.analysis.question import Question
from raybench.kinds.fields import Field, described_fields
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.changes.placing import object_centre
from raybench.scene.changes.values import json_at_path
from raybench.scene.document import Document
from raybench.scene.names import object_named
from raybench.scene.settings import Settings

BLACK_PAINT = "Aeroglaze Z306 black paint"
Json = dict[str, Any]
Given = Mapping[str, Any]


def _move_by_change(given: Given, document: Document) -> Json:
    x, y = given["way"]
    return {"move": given["objects"], "dx": x * given["distance"], "dy": y * given["distance"]}


def _move_to_change(given: Given, document: Document) -> Json:
    if isinstance(given["objects"], list):
        raise Unclear("Only one object can be moved to a point. Name one.")
    if {"x", "y"} <= given.keys():
        return {"move": given["objects"], "to": {"x": given["x"], "y": given["y"]}}
    at = object_centre(object_named(document.scene, given["objects"]))
    dx, dy = given.get("x", at.x) - at.x, given.get("y", at.y) - at.y
    return {"move": given["objects"], "dx": dx, "dy": dy}


def _move_towards_change(given: Given, document: Document) -> Json:
    at, to = (object_centre(object_named(document.scene, given[n])) for n in ("object", "target"))
    length = math.dist(at, to)
    if length == 0:
        same = f"{given['object']} and {given['target']} have the same centre."
        raise Unclear(f"{same} Say in which direction.")
    by = given["sense"] * given["distance"] / length
    return {"move": given["object"], "dx": (to.x - at.x) * by, "dy": (to.y - at.y) * by}


def _field_change_maker(
    new: Callable[[float, Number | None, Field, Given, Document], float],
) -> Callable[[Given, Document], Json]:
    """Make the function that sets a field of an object, or a setting, to a new value."""

    def made(given: Given, document: Document) -> Json:
        title, field = given["field"]
        holder: SceneObject | Settings = document.scene.settings
        if title:
            holder = object_named(document.scene, title)
        now = json_at_path(holder, field.json_name)
        if now is None and new is not _requested_value:
            raise Unclear(f"The {field.about.label.lower()} has no value yet. Set it to one.")
        value = new(now, given.get("value"), field, given, document)
        values = {field.json_name: value}
        return {"set": title, **values} if title else {"settings": values}

    return made


def _requested_value(
    now: float, number: Number | None, field: Field, given: Given, document: Document
) -> float:
    assert number is not None
    return value_in_unit(number, field.about.unit, document)


def _increased_value(
    now: float, number: Number | None, field: Field, given: Given, document: Document
) -> float:
    assert number is not None
    if number.unit == "%":
        return now + float(given["sense"]) * now * float(number.text) / 100
    return now + float(given["sense"]) * value_in_unit(number, field.about.unit, document)


_set_value = _field_change_maker(_requested_value)
_raise_value = _field_change_maker(_increased_value)
_multiply_value = _field_change_maker(
    lambda now, number, field, given, _: now * float(given["factor"])
)


def _wavelength_changes(given: Given, document: Document) -> list[Json]:
    titles = given["objects"] if isinstance(given["objects"], list) else [given["objects"]]
    for title in titles:
        if not isinstance(object_named(document.scene, title), Source):
            raise Unclear(f"{title} is not a source, so it has no wavelength.")
    return [{"set": title, "wavelength": given["wavelength"]} for title in titles]


def _duplicate_change(given: Given, document: Document) -> Json:
    change: Json = {"duplicate": given["objects"]}
    if "distance" in given:
        x, y = given.get("way", (0, 0))
        change |= {"dx": x * given["distance"], "dy": y * given["distance"]}
    return change | ({"count": given["count"]} if "count" in given else {})


def _change_maker_with_objects(verb: str, **more: Any) -> Callable[[Given, Document], Json]:
    return lambda given, document: {verb: given["objects"], **more}


def _set_material_change(given: Given, document: Document) -> Json:
    return {"material": given["objects"], "name": given["material"]}


def _rotate_change(given: Given, document: Document) -> Json:
    return {"rotate": given["objects"], "by": given["angle"] * given["sense"]}


def _scale_change(given: Given, document: Document) -> Json:
    by = given["factor"] if "factor" in given else 1 + given["sense"] * given["share"] / 100
    return {"scale": given["objects"], "by": by}


def _resize(given: Given, document: Document) -> Json:
    now = circle_radius(object_named(document.scene, given["object"])) * given["half"]
    return {"scale": given["object"], "by": given["length"] / now}


def _settings_change_maker(**values: Any) -> Callable[[Given, Document], Json]:
    return lambda given, document: {"settings": values}


def _reflection_changes_maker(on: bool) -> Callable[[Given, Document], list[Json]]:
    def made(given: Given, document: Document) -> list[Json]:
        titles = given["objects"] if isinstance(given["objects"], list) else [given["objects"]]
        return [{"set": title, "partialReflect": on} for title in titles]

    return made


def _settings_field(json_name: str) -> Field:
    return next(f for f in described_fields(Settings) if f.json_name == json_name)


EDITS: tuple[tuple[str, Given, Callable[[Given, Document], Any]], ...] = (
    ("Rotate {objects} by {angle} [counterclockwise].", {"sense": 1}, _rotate_change),
    ("Rotate {objects} by {angle} clockwise.", {"sense": -1}, _rotate_change),
    ("Move {objects} by {distance:length} {way}.", {}, _move_by_change),
    ("Move {objects} to ({x}, {y}).", {}, _move_to_change),
    ("Move {objects} to x = {x}.", {}, _move_to_change),
    ("Move {objects} to y = {y}.", {}, _move_to_change),
    ("Move {object:any} {distance:length} toward {target:any}.", {"sense": 1}, _move_towards_change),
    ("Move {object:any} {distance:length} away from {target:any}.", {"sense": -1}, _move_towards_change),
    ("Increase the distance from {target:any} to {object:any} by {distance:length} [between gap].", {"sense": -1}, _move_towards_change),
    ("Reduce the distance from {target:any} to {object:any} by {distance:length} [between gap].", {"sense": 1}, _move_towards_change),
    ("Set the {field} of {object:any} to {value} [change make].", {}, _set_value),
    ("Set the {field} to {value} [change make].", {}, _set_value),
    ("Make the {field} of {object:any} {value}.", {}, _set_value),
    ("Set the radius of {object:circle} to {length} [change make].", {"half": 1}, _resize),
    ("Set the diameter of {object:circle} to {length} [change make].", {"half": 2}, _resize),
    ("Set {objects:lamps} to {wavelength} [wavelength].", {}, _wavelength_changes),
    ("Make {objects:lamps} {wavelength}.", {}, _wavelength_changes),
    ("Increase the {field} of {object:any} by {value} [raise].", {"sense": 1}, _raise_value),
    ("Increase the {field} by {value} [raise].", {"sense": 1}, _raise_value),
    ("Reduce the {field} of {object:any} by {value} [decrease lower].", {"sense": -1}, _raise_value),
    ("Reduce the {field} by {value} [decrease lower].", {"sense": -1}, _raise_value),
    ("Double the {field} of {object:any}.", {"factor": 2}, _multiply_value),
    ("Halve the {field} of {object:any}.", {"factor": 0.5}, _multiply_value),
    ("Make {object:any} twice as {field} [double].", {"factor": 2}, _multiply_value),
    ("Make {objects} twice as large [big].", {"factor": 2}, _scale_change),
    ("Make {objects} half as large [size width wide small].", {"factor": 0.5}, _scale_change),
    ("Make {objects} {share} larger [increase bigger wider thicker taller longer].", {"sense": 1}, _scale_change),
    ("Make {objects} {share} smaller [reduce narrow thinner shorter].", {"sense": -1}, _scale_change),
    ("Make {object:any} half as {field} [halve].", {"factor": 0.5}, _multiply_value),
    ("Make {objects} of {material}.", {}, _set_material_change),
    ("Change the material of {objects} to {material} [glass].", {}, _set_material_change),
    ("Change {objects} to {material} [glass].", {}, _set_material_change),
    ("Scale {objects} by {factor} [enlarge factor].", {}, _scale_change),
    ("Flip {objects} horizontally [mirror left right].", {}, _change_maker_with_objects("mirror", axis=90.0)),
    ("Flip {objects} vertically [mirror upside down].", {}, _change_maker_with_objects("mirror", axis=0.0)),
    ("Delete {objects}.", {}, _change_maker_with_objects("delete")),
    ("Duplicate {objects} [{count} times] [by {distance:length} {way}].", {}, _duplicate_change),
    ("Group {objects} as {name} [into].", {}, lambda g, d: {"group": g["objects"], "as": g["name"].capitalize()}),
    ("Switch off the reflections of {objects} [partial fresnel].", {}, _reflection_changes_maker(False)),
    ("Switch on the reflections of {objects} [partial fresnel].", {}, _reflection_changes_maker(True)),
    ("Paint {objects} black [blacken].", {}, _change_maker_with_objects("finish", **{"with": BLACK_PAINT})),
    ("Remove the coatings of {objects} [uncoated bare strip].", {}, _change_maker_with_objects("coat", coating="")),
    ("Coat {objects} against reflections [put an antireflection anti-reflection ar coating layer on].", {}, _change_maker_with_objects("coat", coating="MgF2 quarter wave 550")),
    ("Switch off {objects}.", {}, _change_maker_with_objects("disable")),
    ("Switch on {objects}.", {}, _change_maker_with_objects("disable", on=False)),
    ("Hide {objects}.", {}, _change_maker_with_objects("hide")),
    ("Unhide {objects}.", {}, _change_maker_with_objects("hide", on=False)),
    ("Rename {object:any} to {title}.", {}, lambda g, d: {"set": g["object"], "name": g["title"]}),
    ("Double the number of rays [twice many more].", {"field": ("", _settings_field("rayModeDensity")), "factor": 2}, _multiply_value),
    ("Halve the number of rays [half fewer].", {"field": ("", _settings_field("rayModeDensity")), "factor": 0.5}, _multiply_value),
    ("Simulate colours.", {}, _settings_change_maker(simulateColors=True)),
    ("Do not simulate colours.", {}, _settings_change_maker(simulateColors=False)),
)  # fmt: skip
"""The edits: the example, what its words stand for, and the change in JSON."""


def _arguments_maker(made: Callable[[Given, Document], Any]) -> Callable[[Given, Document], Json]:
    def call(given: Given, document: Document) -> Json:
        change = made(given, document)
        return {"changes": change if isinstance(change, list) else [change]}

    return call


def edit_examples() -> list[Example]:
    """The example questions that edit the scene."""
    found = []
    for text, given, made in EDITS:
        question = Question(text, given)
        slots = {name: slot_for_kind(kind, name) for name, kind in question.slots.items()}
        slots = dict(
            sorted(slots.items(), key=lambda slot: slot[0] == "objects")
        )  # they take the rest
        found.append(
            Example(
                "change_scene", question, slots, _arguments_maker(made), lit=False, edits=True, intent=f"edit {text}",
            )
        )  # fmt: skip
    focus = (
        "Move {detector_name} to the [best] focus [position].",
        "Focus the light on {detector_name} [refocus].",
    )
    undo = ("Undo.", "Undo my last change [edit step move rotation].")
    redo = ("Redo.", "Redo my last change [edit step].")
    sources, line = frozenset(("source_name",)), {"detector_name": SLOTS["line"]}
    found += [
        Example(
            "move_to_focus",
            Question(text),
            line,
            parameters=sources,
            edits=True,
            intent="move_to_focus",
        )
        for text in focus
    ]
    found += [
        Example(tool, Question(text), {}, lit=False, edits=True, intent=tool)
        for tool, texts in (("undo_edits", undo), ("redo_edits", redo))
        for text in texts
    ]
    return found
