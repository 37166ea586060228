"""Parameters: numbers or choices in a document, by their names.

``Wedge.refIndex`` or ``Lens.p1.x`` is a field, or a part of one, in the file format's spelling;
``Lens.r1`` is short for ``Lens.params.r1``, ``Lens.f`` for ``Lens.focalLength``;
``settings.rayModeDensity`` is a setting of the scene, and ``"settings".x`` a field of an object
with that name. ``Lens.x`` and ``Lens.y`` move an object relative to its present position, and
``Prism.angle`` rotates it relative to its present angle, counter-clockwise as seen, about its
centre; ``Lens.centre_x`` and ``Lens.centre_y`` are the coordinates of its centre,
``Prism.orientation`` is its angle. A group moves and rotates as a whole. A field that is not a
number, such as ``Lens.material`` or ``Wedge.partialReflect``, is varied by choices:
``Lens.material=N-BK7|N-SF11``. ``Lens:W.coating=none|Silver`` is the coating of an edge,
``Lens:W.coating.thickness`` the thickness in nm of its outermost film, and
``Lens:W.coating.films[1].thickness`` that of another film; ``Baffle:N.finish`` and
``Baffle:N.finish.reflectance`` are a finish and one of its values.
"""

import dataclasses
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from raybench.errors import RaybenchError, elide_text, in_quotes, list_choices
from raybench.kinds.fields import LENGTH, Field, described_fields, settable_fields, unit_text
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.module_instance import ModuleObj
from raybench.phrase import Phrase
from raybench.scene.changes.change import Change
from raybench.scene.changes.materials import SetMaterial
from raybench.scene.changes.placing import Move, Rotate, mean_centre_of_objects
from raybench.scene.changes.setting import Set, SetSettings, effective_parameters, full_path
from raybench.scene.changes.values import (
    InvalidValue,
    json_at_path,
    parse_path,
    suggest_similar_names,
)
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.scene.materials import current_material
from raybench.scene.names import object_named
from raybench.scene.parameters.edge_treatment import (
    NoSuchTreatment,
    edge_place_at,
    read_edge_place,
)
from raybench.scene.place_numbers import part_placement_numbers, placement_numbers
from raybench.scene.settings import Settings
from raybench.scene.treatments import COATING, NO_TREATMENT, TREATMENTS

SETTINGS = "settings"
MOTIONS = {"x": LENGTH, "y": LENGTH, "angle": "deg"}
"""The motions of an object, with their units: moved by x and y, turned by an angle."""
POSITION_MOTIONS = {"centre_x": "x", "centre_y": "y", "orientation": "angle"}
"""How an object stands, its centre and its angle, with the motions that change it."""
MATERIAL_PLACE = "material"
"""The place of the material of a body of glass."""
NO_MATERIAL = "no material"
FLAG_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NUMERIC_KINDS = (
    "number",
    "coordinate",
    "point",
    "path",
    "points",
    "curve",
    "numbers",
    "limit",
    "data",
)
CHOICE_KINDS = ("choice", "flag", "text", "material")
"""Kinds of fields that are varied by choices."""
MOST_EDGES = 4
"""Maximum number of edges that an error message lists."""
MAX_LENGTH = 1000
"""Length limit of a link, a goal, a range or a deviation, characters: the time to read one may grow
with its square.
"""
_QUOTED = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)')\s*\.(.+)", re.DOTALL)


class InvalidParameter(RaybenchError):
    """A text does not name a parameter of the document."""


@dataclass(frozen=True)
class Parameter:
    """A number or a choice in a document that a study can vary.

    Attributes:
        text: The name as written by the user.
        target: The key of the object, the keys of a group's objects, or None for the scene's
            settings.
        place: A field or a part of a field, or a name in `MOTIONS` or `POSITION_MOTIONS`.
        unit: The unit of its numbers: `LENGTH` for scene units.
        choices: The possible values of a place that is not a number; the values of the parameter
            are then indices of this list. The first ``offered`` items are offered to users, a
            further item is the present value.
    """

    text: str
    target: int | tuple[int, ...] | None
    place: str
    unit: str
    choices: tuple[str, ...] = ()
    offered: int = 0
    origin: float = 0.0
    """For a name in `POSITION_MOTIONS` the number as it was read, from which the motion is counted.
    """

    @property
    def identity(self) -> tuple[int | tuple[int, ...] | None, str]:
        """The key or keys of the target, and the path to the value. Equal for two notations of the
        same parameter, and for a motion and the coordinate that it changes.
        """
        return self.target, POSITION_MOTIONS.get(
            self.place, self.place
        ) if self.target else self.place

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of the target; none for the scene's settings."""
        if isinstance(self.target, tuple):
            return self.target
        return () if self.target is None else (self.target,)

    def with_new_keys(self, keys: Mapping[int, Collection[int]]) -> "Parameter | None":
        """The parameter with other keys of its target; None if the target was removed or became
        several objects.
        """
        new = tuple(sorted(n for key in self.keys for n in keys.get(key, (key,))))
        if self.target is None:
            return self
        if isinstance(self.target, tuple):
            return replace(self, target=new) if new else None
        return replace(self, target=new[0]) if len(new) == 1 else None

    def change(self, value: float) -> Change:
        """The change that sets the parameter to a number, or to the choice with this index."""
        chosen: Any = self._choice_at(value) if self.choices else value
        if self.target is None:
            return SetSettings({self.place: chosen})
        if self.choices and self.place == MATERIAL_PLACE:
            return SetMaterial(self.target, name="" if chosen == NO_MATERIAL else chosen)
        if treated := edge_place_at(self.place):
            return treated.change(self.target, chosen)
        match self.place:
            case "x":
                return Move(self.target, dx=value)
            case "y":
                return Move(self.target, dy=value)
            case "angle":
                return Rotate(self.target, value)
            case "centre_x":
                return Move(self.target, dx=value - self.origin)
            case "centre_y":
                return Move(self.target, dy=value - self.origin)
            case "orientation":
                return Rotate(self.target, value - self.origin)
            case _:
                return Set(self.target, {self.place: chosen})

    def change_in(self, document: Document, value: float) -> Change:
        """The change that sets the number in a document to a value, also for positions of
        objects.
        """
        if self.place in POSITION_MOTIONS and self.keys:
            return replace(self, origin=self.value_in_document(document)).change(value)
        return self.change(value)

    def _choice_at(self, value: float) -> Any:
        text = self.choices[round(value)]
        return FLAG_WORDS[text.lower()] if self.unit == "flag" else text

    def value_text(self, value: float, form: str = ".6g") -> str:
        """A value of the parameter as text without a unit: a number, or the choice with this index."""
        return self.choices[round(value)] if self.choices else format(value, form)

    def value_in_document(self, document: Document) -> float:
        """The present value in a document: a number, 0 for a motion, or the index of a choice.
        Raises InvalidParameter if there is no number, as for an unlimited depth.
        """
        if self.is_motion:
            return 0.0
        if self.choices:
            return float(self.choices.index(self.text_in_document(document)))
        if self.target is not None and self.place in POSITION_MOTIONS:
            return _current_position(document, self.target, self.place)
        if (treated := edge_place_at(self.place)) and isinstance(self.target, int):
            try:
                return treated.number_in_document(document, self.target)
            except NoSuchTreatment as error:
                raise InvalidParameter(f"{self.text}: {error}") from None
        owner = self._owner(document)
        if isinstance(owner, ModuleObj):
            owner = dataclasses.replace(owner, params=effective_parameters(owner, document.scene))
        found = None if owner is None else json_at_path(owner, self.place)
        if isinstance(found, bool) or not isinstance(found, int | float):
            now = "is not in the document" if found is None else f"is {in_quotes(str(found), 60)}"
            raise InvalidParameter(
                f"{self.text} {now}, not a number. Name a field, or a part of one, that holds a"
                " number."
            )
        return float(found)

    def _owner(self, document: Document) -> Any:
        """The object, the settings, or the data of the part that contain the value; None if the
        document no longer contains them.
        """
        if self.target is None:
            return document.scene.settings
        keys = self.target if isinstance(self.target, tuple) else (self.target,)
        if (data := _part_data(keys, self.place, document)) is not None:
            return data
        return None if isinstance(self.target, tuple) else document.scene.get(self.target)

    def text_in_document(self, document: Document) -> str:
        """The present value in a document, as text."""
        if (treated := edge_place_at(self.place)) and isinstance(self.target, int):
            return treated.text_in_document(document, self.target)
        owner = self._owner(document)
        if self.place == MATERIAL_PLACE and isinstance(owner, HomogeneousGlass):
            own = current_material(owner)
            return NO_MATERIAL if own is None else own.material.name
        found = None if owner is None else json_at_path(owner, self.place)
        written = str(found).lower() if isinstance(found, bool) else str(found)
        return next((c for c in self.choices if FLAG_WORDS.get(c.lower(), c) == found), written)

    @property
    def is_motion(self) -> bool:
        """Whether the parameter is a motion, whose values are relative to the present position of
        the object.
        """
        return self.target is not None and self.place in MOTIONS

    def unit_text(self, document: Document) -> str:
        """The unit of the parameter in words; empty for a pure number."""
        return "" if self.choices else unit_text(self.unit, document.unit)


def parameter_text(name: str, place: str) -> str:
    """The text of a parameter of the object or group ``name``. The name is in quotation marks if it
    would otherwise be ambiguous.
    """
    misread = name == SETTINGS or name[:1] in ("'", '"')
    mark = next((m for m in "\"'" if m not in name), "") if misread else ""
    return f"{mark}{name}{mark}.{place}"


def read_parameter(text: str, document: Document) -> Parameter:
    """Read a numeric parameter from a text. A name that contains dots may be in quotation marks.

    Raises InvalidParameter, or UnknownName with the nearest names.
    """
    return find_parameter(text, document, numeric=True)


def find_parameter(text: str, document: Document, *, numeric: bool) -> Parameter:
    """The parameter with this text; unless ``numeric``, it may be a choice.

    Raises InvalidParameter, or UnknownName with the nearest names.
    """
    if (treated := read_edge_place(text, document)) is not None:
        key, at_edge = treated
        found = Parameter(text.strip(), key, at_edge.path, at_edge.unit)
        if at_edge.value:
            found.value_in_document(document)
        elif numeric:
            example = next(iter(at_edge.treatment_type.catalogue()))
            raise InvalidParameter(
                f"{text.strip()} is no number. Give choices, such as {text.strip()}={NO_TREATMENT}|"
                f"{example}, or vary one of its values, such as {text.strip()}."
                f"{'thickness' if at_edge.treatment_type is COATING else 'reflectance'}."
            )
        return found
    if quoted := _QUOTED.fullmatch(text):
        name, place = quoted[1] or quoted[2] or "", quoted[3].strip()
    else:
        name, place = _split_owner_and_place(text.strip(), document)
    if name == SETTINGS and not (
        quoted and any(o.title == SETTINGS for o in document.scene.objects)
    ):
        return Parameter(
            text.strip(),
            None,
            place,
            _unit_at_place(place, described_fields(Settings), "settings", numeric),
        )
    members = _group_keys(name, document)
    obj = None if members else object_named(document.scene, name)
    keys = members if obj is None else (obj.key,)
    if place == "f" and not hasattr(obj, "f"):
        place = "focalLength"
    data = (
        None if obj is not None and place == MATERIAL_PLACE else _part_data(keys, place, document)
    )
    if data is not None:
        unit = _unit_at_place(place, described_fields(type(data)), in_quotes(name), numeric)
        return Parameter(text.strip(), members if obj is None else obj.key, place, unit)
    if members and place not in (*MOTIONS, *POSITION_MOTIONS):
        names = (*_part_fields(members, document), *MOTIONS, *POSITION_MOTIONS)
        raise InvalidParameter(
            f"{text.strip()}: this group has only {', '.join(names)}."
            " Name one of its objects for a field."
        )
    target = members if obj is None else obj.key
    if place in POSITION_MOTIONS:
        now = _current_position(document, target, place)
        return Parameter(text.strip(), target, place, MOTIONS[POSITION_MOTIONS[place]], origin=now)
    if place in MOTIONS or obj is None:
        return Parameter(text.strip(), target, place, MOTIONS[place])
    if place == MATERIAL_PLACE and not numeric and isinstance(obj, HomogeneousGlass):
        return Parameter(text.strip(), obj.key, place, "text")
    place = full_path(place, obj, document.scene)
    treatment = place.partition(".")[0]
    if treatment in {sort.noun for sort in TREATMENTS}:
        edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
        if named := [f"{obj.title}:{edge.title}.{place}" for edge in edges]:
            raise InvalidParameter(
                f"{text.strip()}: each edge has its own {treatment}. Name"
                f" {list_choices(named[:MOST_EDGES])}."
            )
    besides = (*MOTIONS, *POSITION_MOTIONS)
    fields = settable_fields(type(obj), document.source_unit)
    unit = _unit_at_place(place, fields, obj.reference, numeric, besides)
    return Parameter(text.strip(), obj.key, place, unit)


def _part_fields(keys: tuple[int, ...], document: Document) -> tuple[str, ...]:
    """The names of the data fields of the part that consists of the objects with these keys."""
    part = document.part_of_objects(keys)
    return (
        () if part is None else tuple(f.json_name for f in described_fields(type(part.preset.data)))
    )


def _part_data(keys: tuple[int, ...], place: str, document: Document) -> Any:
    """The data of the part that consists of the objects with these keys, if ``place`` is a field of
    the data; otherwise None.
    """
    part = document.part_of_objects(keys)
    is_there = place.partition(".")[0].partition("[")[0] in _part_fields(keys, document)
    return part.preset.data if part is not None and is_there else None


def _current_position(document: Document, target: int | tuple[int, ...], place: str) -> float:
    """The position of an object or a group, given by its keys: the number ``place`` of
    `POSITION_MOTIONS`; for a part, the number of its placement. Raises NoCentre, or
    InvalidParameter if it has no angle.
    """
    keys = target if isinstance(target, tuple) else (target,)
    objects = [o for key in keys if (o := document.scene.get(key)) is not None]
    if not objects:
        raise InvalidParameter(f"{place} is of an object that is not in the document.")
    if (part := document.part_of_objects(keys)) is not None:
        numbers = part_placement_numbers(lambda _: part)
        return next(n.get(objects) for n in numbers if n.motion == POSITION_MOTIONS[place])
    if place != "orientation":
        return float(getattr(mean_centre_of_objects(objects), POSITION_MOTIONS[place]))
    if len(keys) == 1:
        for number in placement_numbers(objects):
            if number.label == "Angle":
                return number.get(objects)
    names = ", ".join(o.title for o in objects)
    raise InvalidParameter(f"{in_quotes(names, 60)} has no angle of its own: turn it by its angle.")


def parameter_owner_names(document: Document) -> list[str]:
    """The possible first words of parameters, the longest first: the names of objects and groups,
    and ``settings``.
    """
    return sorted(
        {*(o.title for o in document.scene.objects), *document.groups, SETTINGS},
        key=len,
        reverse=True,
    )


def _group_keys(name: str, document: Document) -> tuple[int, ...]:
    """The keys of the objects in the group with this name. Empty if there is no such group, or if
    an object has this name.
    """
    if any(o.title == name for o in document.scene.objects):
        return ()
    return tuple(sorted(document.groups.get(name, ())))


def _split_owner_and_place(text: str, document: Document) -> tuple[str, str]:
    """Split a parameter's text into name and place. The name is the longest known name with which
    the text begins, otherwise the text before the first dot.
    """
    for name in parameter_owner_names(document):
        if text.startswith(f"{name}."):
            return name, text[len(name) + 1 :]
    name, dot, place = text.partition(".")
    if not dot or not place:
        raise InvalidParameter(
            Phrase(
                "{text} names no parameter. Write an object and a place, such as"
                " Lens.focalLength or Prism.angle.",
                text=in_quotes(text, 80),
            )
        )
    object_named(document.scene, name)  # raises with the names that there are
    return name, place


def _unit_at_place(
    place: str,
    fields: tuple[Field, ...],
    owner: str,
    numeric: bool,
    besides: Iterable[str] = (),
) -> str:
    """The unit of the number at a place among ``fields``. Unless ``numeric``, the place may also be
    a choice; then the kind of its field is returned. The error message also suggests the places
    ``besides``.
    """
    try:
        name, _ = parse_path(place)
    except InvalidValue as error:
        raise InvalidParameter(str(error)) from None
    found = next((f for f in fields if f.json_name == name), None)
    if found is None:
        numbers = [*besides, *(f.json_name for f in fields if f.about.kind in _NUMERIC_KINDS)]
        raise InvalidParameter(
            f"{owner} has no field {elide_text(name, 60)!r}. {suggest_similar_names(name, numbers)}"
        )
    if found.about.kind in _NUMERIC_KINDS:
        return found.about.unit
    if numeric or found.about.kind not in CHOICE_KINDS:
        how = f" Give choices, such as {place}=A|B." if found.about.kind in CHOICE_KINDS else ""
        raise InvalidParameter(
            f"{owner}: {place} is a {found.about.kind}, not a number. Name a field that holds a"
            f" number.{how}"
        )
    return found.about.kind
