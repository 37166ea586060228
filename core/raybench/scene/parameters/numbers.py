"""The numbers of a document, each a parameter with its description; and the completion of parameter
names.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from raybench.errors import RaybenchError
from raybench.kinds.fields import (
    LENGTH,
    Description,
    described_fields,
    settable_fields,
)
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes.setting import effective_parameters, full_path
from raybench.scene.codec import field_to_json
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.parameters.edge_treatment import edge_places
from raybench.scene.parameters.parameter import (
    MOTIONS,
    SETTINGS,
    Parameter,
    find_parameter,
    parameter_text,
)
from raybench.scene.place_numbers import placement_numbers
from raybench.scene.settings import Settings

_NUMERIC_KINDS = ("number", "coordinate", "point", "path", "points", "curve", "numbers", "limit")
_PLAIN_KINDS = ("number", "coordinate", "limit")
CENTRE_NUMBERS = {
    "centre_x": Description("number", "Centre x", unit=LENGTH),
    "centre_y": Description("number", "Centre y", unit=LENGTH),
}
ORIENTATION = Description("number", "Angle", unit="deg", help="Counter-clockwise as seen.")
FITTED_FIELDS = ("refIndex", "cauchyB")
"""The fields that a material of the catalogue replaces."""
MOST_OF_LIST = 200
"""Numbers of a list, such as the corners of an outline, above which none of them is listed."""


class DocumentNumber(NamedTuple):
    """A number of a document: the name of the object, group or part that has it, the parameter that
    sets it, and the description of its field.
    """

    owner: str
    parameter: Parameter
    about: Description

    @property
    def place(self) -> str:
        """The text of the place after the name of the owner."""
        return self.parameter.text.removeprefix(self.owner).lstrip("\"'.")


def numbers_of_document(document: Document) -> Iterator[DocumentNumber]:
    """Yield the numbers of groups and parts, of objects, of the treatments of edges, and of the
    settings.
    """
    yield from numbers_of_wholes(document)
    for obj in document.scene.objects:
        yield from numbers_of_object(obj, document)
    yield from numbers_of_edges(document)
    yield from numbers_of_settings(document)


def numbers_of_wholes(document: Document) -> Iterator[DocumentNumber]:
    """Yield the numbers of a document's groups and parts."""
    named = [
        (name, place, about) for name in document.groups for place, about in CENTRE_NUMBERS.items()
    ]
    for part in document.parts:
        data = part.preset.data
        for f in described_fields(type(data)):
            if f.about.kind in _PLAIN_KINDS and _is_finite(getattr(data, f.name)):
                named.append((document.part_name(part), f.json_name, f.about))
    for name, place, about in named:
        with suppress(RaybenchError):  # a part of several objects without a name
            found = find_parameter(parameter_text(name, place), document, numeric=True)
            yield DocumentNumber(name, found, about)


def numbers_of_object(obj: SceneObject, document: Document) -> Iterator[DocumentNumber]:
    """Yield the numbers of an object: its position and angle, and the numbers in its fields."""
    if isinstance(obj, UnreadObject):
        return

    def number(place: str, about: Description, path: str = "") -> DocumentNumber:
        text = parameter_text(obj.title, place)
        return DocumentNumber(obj.title, Parameter(text, obj.key, path or place, about.unit), about)

    if control_points(obj):
        for place, about in CENTRE_NUMBERS.items():
            yield number(place, about)
        if any(n.label == "Angle" for n in placement_numbers((obj,))):
            yield number("orientation", ORIENTATION)
    row = kind_row_of(obj)
    unseen = {*row.not_shown(obj)}
    exact = isinstance(obj, HomogeneousGlass) and obj.material is not None
    for f in settable_fields(type(obj), document.source_unit):
        if (
            f.about.unused
            or f.name in unseen
            or f.json_name in MOTIONS
            or (exact and f.json_name in FITTED_FIELDS)
        ):
            continue
        if f.about.kind in _NUMERIC_KINDS:
            value = field_to_json(f, getattr(obj, f.name))
            places = list(_number_places(f.json_name, value))
            for place in places if len(places) <= MOST_OF_LIST else ():
                within = place.removeprefix(f.json_name).strip(".")
                label = Phrase("{label} {part}", label=Phrase(f.about.label), part=within)
                yield number(place, replace(f.about, label=label) if within else f.about)
        elif f.json_name == "params":
            for name, about in _described_parameters(obj, document).items():
                short = full_path(name, obj, document.scene)
                yield number(name if short != name else f"params.{name}", about, f"params.{name}")


def _described_parameters(obj: Any, document: Document) -> dict[str, Description]:
    """The numbers in the field ``params`` of an object."""
    held = obj.params
    if isinstance(obj, ModuleObj):
        held = effective_parameters(obj, document.scene)
    if not isinstance(held, Mapping):
        return {}
    known = kind_row_of(obj).parameters(obj)
    return {
        name: known.get(name) or Description("number", name)
        for name, value in held.items()
        if _is_finite(value)
    }


def _number_places(path: str, value: Any) -> Iterator[str]:
    """The paths of the finite numbers in a JSON value at a path."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _number_places(f"{path}.{key}", part)
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _number_places(f"{path}[{i}]", part)
    elif _is_finite(value):
        yield path


def _is_finite(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value)


def numbers_of_edges(document: Document) -> Iterator[DocumentNumber]:
    """The numbers of the coatings and finishes of a document's edges."""
    for obj, text, at in edge_places(document):
        about = Description("number", text.removeprefix(obj.title).lstrip(":"), unit=at.unit)
        yield DocumentNumber(obj.title, Parameter(text, obj.key, at.path, at.unit), about)


def numbers_of_settings(document: Document) -> Iterator[DocumentNumber]:
    """The numbers among the settings of a document's scene."""
    for f in described_fields(Settings):
        if f.about.kind in _PLAIN_KINDS and _is_finite(getattr(document.scene.settings, f.name)):
            text = f"{SETTINGS}.{f.json_name}"
            yield DocumentNumber(
                SETTINGS, Parameter(text, None, f.json_name, f.about.unit), f.about
            )


def parameter_names(document: Document) -> list[str]:
    """The names of a document's parameters: motions of groups and objects, and all numbers."""
    titles = (*document.groups, *(obj.title for obj in document.scene.objects))
    motions = [parameter_text(title, place) for title in titles for place in MOTIONS]
    numbers = [number.parameter.text for number in numbers_of_document(document)]
    return list(dict.fromkeys((*motions, *numbers)))
