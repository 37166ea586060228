"""Sentences that edit the scene: examples such as *Rotate {objects} by {angle}*, and the changes
that they stand for.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from raybench.agent.questions.example import Example, Unclear, value_in_unit
from raybench.agent.questions.slots import SLOTS, slot_for_kind, width_of_object
from raybench.analysis.measures.grammar import quote_argument
from raybench.analysis.question import Question
from raybench.kinds.blockers import Aperture
from raybench.kinds.fields import Field, described_fields
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.changes.placing import mean_point, object_centre
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


def _field_change(given: Given, document: Document) -> Json:
    """Set a field of an object, or a setting, to a value, or change it by a value or a factor."""
    title, field = given["field"]
    holder: SceneObject | Settings = document.scene.settings
    if title:
        holder = object_named(document.scene, title)
    now, number = json_at_path(holder, field.json_name), given.get("value")
    if now is None and given.keys() & {"factor", "sense"}:
        raise Unclear(f"The {field.about.label.lower()} has no value yet. Set it to one.")
    if number is None:
        value = now * float(given["factor"])
    elif number.unit == "%" and "sense" in given:
        value = now + given["sense"] * now * float(number.text) / 100
    else:
        value = value_in_unit(number, field.about.unit, document)
        value = now + given["sense"] * value if "sense" in given else value
    values = {field.json_name: value}
    return {"set": title, **values} if title else {"settings": values}


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


def _resize(given: Given, document: Document) -> Json:
    """Set the ends of an object, or of its opening, so that it has a width about its centre."""
    title, thing = given["object"], object_named(document.scene, given["object"])
    by = given["length"] * given["half"] / width_of_object(thing)
    opening = isinstance(thing, Aperture)
    ends = {name: getattr(thing, name) for name in (("p3", "p4") if opening else ("p1", "p2"))}
    x, y = mean_point([*ends.values()], title) if opening else object_centre(thing)
    set_ends = {n: {"x": x + by * (p.x - x), "y": y + by * (p.y - y)} for n, p in ends.items()}
    told = {} if isinstance(thing, Source) else {"measures": f"diameter({quote_argument(title)})"}
    return {"changes": [{"set": title, **set_ends}], **told}


def _reflection_changes(given: Given, document: Document) -> list[Json]:
    titles = given["objects"] if isinstance(given["objects"], list) else [given["objects"]]
    return [{"set": title, "partialReflect": given["on"]} for title in titles]


def _with_values(template: Any, given: Given) -> Any:
    """A change in JSON, in which each text such as ``{objects}`` is replaced by the value of this
    slot.
    """
    if isinstance(template, dict):
        return {name: _with_values(value, given) for name, value in template.items()}
    slot = str(template)
    return given[slot[1:-1]] if slot.startswith("{") else template


def _settings_field(json_name: str) -> Field:
    return next(f for f in described_fields(Settings) if f.json_name == json_name)


EDITS: tuple[tuple[str, Given, Any], ...] = (
    ("Rotate {objects} by {angle} [counterclockwise].", {}, {"rotate": "{objects}", "by": "{angle}"}),
    ("Rotate {objects} by {angle} clockwise.", {}, lambda g, d: {"rotate": g["objects"], "by": -g["angle"]}),
    ("Move {objects} by {distance:length} {way}.", {}, _move_by_change),
    ("Move {objects} to ({x}, {y}).", {}, _move_to_change),
    ("Move {objects} to x = {x}.", {}, _move_to_change),
    ("Move {objects} to y = {y}.", {}, _move_to_change),
    ("Move {object:any} {distance:length} toward {target:any}.", {"sense": 1}, _move_towards_change),
    ("Move {object:any} {distance:length} away from {target:any}.", {"sense": -1}, _move_towards_change),
    ("Increase the distance from {target:any} to {object:any} by {distance:length} [between gap].", {"sense": -1}, _move_towards_change),
    ("Reduce the distance from {target:any} to {object:any} by {distance:length} [between gap].", {"sense": 1}, _move_towards_change),
    ("Set the {field} of {object:any} to {value} [change make].", {}, _field_change),
    ("Set the {field} to {value} [change make].", {}, _field_change),
    ("Make the {field} of {object:any} {value}.", {}, _field_change),
    ("Set the radius of {object:circle} to {length} [change make].", {"half": 2}, _resize),
    ("Set the diameter of {object:sized} to {length} [change make width size open close reduce increase].", {"half": 1}, _resize),
    ("Make {object:sized} {length} wide [large long].", {"half": 1}, _resize),
    ("Lower {objects} by {distance:length}.", {"way": (0, 1)}, _move_by_change),
    ("Raise {objects} by {distance:length}.", {"way": (0, -1)}, _move_by_change),
    ("Set {objects:lamps} to {wavelength} [wavelength].", {}, _wavelength_changes),
    ("Make {objects:lamps} {wavelength}.", {}, _wavelength_changes),
    ("Increase the {field} of {object:any} by {value} [raise].", {"sense": 1}, _field_change),
    ("Increase the {field} by {value} [raise].", {"sense": 1}, _field_change),
    ("Reduce the {field} of {object:any} by {value} [decrease lower].", {"sense": -1}, _field_change),
    ("Reduce the {field} by {value} [decrease lower].", {"sense": -1}, _field_change),
    ("Double the {field} of {object:any}.", {"factor": 2}, _field_change),
    ("Halve the {field} of {object:any}.", {"factor": 0.5}, _field_change),
    ("Make {object:any} twice as {field} [double].", {"factor": 2}, _field_change),
    ("Make {objects} twice as large [big].", {}, {"scale": "{objects}", "by": 2}),
    ("Make {objects} half as large [size width wide small].", {}, {"scale": "{objects}", "by": 0.5}),
    ("Make {objects} {share} larger [increase bigger wider thicker taller longer].", {}, lambda g, d: {"scale": g["objects"], "by": 1 + g["share"] / 100}),
    ("Make {objects} {share} smaller [reduce narrow thinner shorter].", {}, lambda g, d: {"scale": g["objects"], "by": 1 - g["share"] / 100}),
    ("Make {object:any} half as {field} [halve].", {"factor": 0.5}, _field_change),
    ("Make {objects} of {material}.", {}, {"material": "{objects}", "name": "{material}"}),
    ("Change the material of {objects} to {material} [glass].", {}, {"material": "{objects}", "name": "{material}"}),
    ("Change {objects} to {material} [glass].", {}, {"material": "{objects}", "name": "{material}"}),
    ("Scale {objects} by {factor} [enlarge factor].", {}, {"scale": "{objects}", "by": "{factor}"}),
    ("Flip {objects} horizontally [mirror left right].", {}, {"mirror": "{objects}", "axis": 90.0}),
    ("Flip {objects} vertically [mirror upside down].", {}, {"mirror": "{objects}", "axis": 0.0}),
    ("Delete {objects}.", {}, {"delete": "{objects}"}),
    ("Duplicate {objects} [{count} times] [by {distance:length} {way}].", {}, _duplicate_change),
    ("Group {objects} as {name} [into].", {}, lambda g, d: {"group": g["objects"], "as": g["name"].capitalize()}),
    ("Switch off the reflections of {objects} [partial fresnel].", {"on": False}, _reflection_changes),
    ("Switch on the reflections of {objects} [partial fresnel].", {"on": True}, _reflection_changes),
    ("Paint {objects} black [blacken].", {}, {"finish": "{objects}", "with": BLACK_PAINT}),
    ("Remove the coatings of {objects} [uncoated bare strip].", {}, {"coat": "{objects}", "coating": ""}),
    ("Coat {objects} against reflections [put an antireflection anti-reflection ar coating layer on].", {}, {"coat": "{objects}", "coating": "MgF2 quarter wave 550"}),
    ("Switch off {objects}.", {}, {"disable": "{objects}"}),
    ("Switch on {objects}.", {}, {"disable": "{objects}", "on": False}),
    ("Hide {objects}.", {}, {"hide": "{objects}"}),
    ("Unhide {objects}.", {}, {"hide": "{objects}", "on": False}),
    ("Rename {object:any} to {title}.", {}, {"set": "{object}", "name": "{title}"}),
    ("Double the number of rays [twice many more].", {"field": ("", _settings_field("rayModeDensity")), "factor": 2}, _field_change),
    ("Halve the number of rays [half fewer].", {"field": ("", _settings_field("rayModeDensity")), "factor": 0.5}, _field_change),
    ("Simulate colours.", {}, {"settings": {"simulateColors": True}}),
    ("Do not simulate colours.", {}, {"settings": {"simulateColors": False}}),
)  # fmt: skip
"""The edits: the example, what its words stand for, and the change in JSON, or what makes it."""


def _arguments_maker(made: Any) -> Callable[[Given, Document], Json]:
    def call(given: Given, document: Document) -> Json:
        change = made(given, document) if callable(made) else _with_values(made, given)
        changes = change if isinstance(change, list) else [change]
        return change if "changes" in change else {"changes": changes}

    return call


def edit_examples() -> list[Example]:
    """The example questions that edit the scene."""
    found = []
    for text, given, made in EDITS:
        question = Question(text, given)
        slots = {name: slot_for_kind(kind, name) for name, kind in question.slots.items()}
        # objects take the rest
        slots = dict(sorted(slots.items(), key=lambda slot: slot[0] == "objects"))
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
    tool = "move_to_focus"
    found += [
        Example(tool, Question(text), line, parameters=sources, edits=True, intent=tool)
        for text in focus
    ]
    found += [
        Example(tool, Question(text), {}, lit=False, edits=True, intent=tool)
        for tool, texts in (("undo_edits", undo), ("redo_edits", redo))
        for text in texts
    ]
    return found
