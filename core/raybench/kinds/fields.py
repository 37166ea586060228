"""Descriptions of the fields of scene objects: label, unit, range and one line of help.

Forms, files, tool schemas and documentation are generated from these descriptions.
"""

import dataclasses
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

LENGTH = "length"
"""The unit of a field in scene units, whose length unit is the document's."""

METRES = {
    "nm": Fraction(1, 10**9),
    "µm": Fraction(1, 10**6),
    "mm": Fraction(1, 10**3),
    "cm": Fraction(1, 100),
    "m": Fraction(1),
    "in": Fraction(254, 10**4),
}
"""The units of length, one of which is a document's, in metres."""

WATTS = {
    "nW": Fraction(1, 10**9),
    "µW": Fraction(1, 10**6),
    "mW": Fraction(1, 10**3),
    "W": Fraction(1),
    "kW": Fraction(10**3),
}
"""Units of power, in watts."""

DESCRIPTION_KEY = "description"


def unit_text(unit: str, scene_unit: str) -> str:
    """The unit of a field (see `Description.unit`) as text, where ``scene_unit`` is the length
    unit. Units such as ``1/length`` are allowed.
    """
    return unit.replace(LENGTH, scene_unit)


@dataclass(frozen=True, slots=True)
class Description:
    """The description of one field.

    ``kind`` is ``number``, ``flag``, ``choice``, ``text``, ``point``, ``path`` (a tuple of
    vertices), ``points``, ``curve`` (a tuple of curve nodes), ``coordinate`` (one number of a
    point), ``numbers`` (a tuple of floats), ``out_rays`` (a tuple of pairs of formulas), ``limit``
    (a number or infinity), ``material`` (a name of the catalogue), ``coating`` (a name or JSON) or
    ``data`` (JSON kept as it is). ``low`` and ``high`` bound the values that forms and changes
    accept; None means no bound. ``titles`` are the displayed names of the choices. A text field
    with ``choices`` also accepts other texts; a text field with ``variables`` is a LaTeX formula in
    these variables. An ``unused`` field is kept for other programs that read the file, and has no
    effect in this program. If ``scales`` is false, a length stays the same when its object is
    scaled, for example the divisions of a ruler.
    """

    kind: str
    label: str
    help: str = ""
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Other names of the field in questions and requests, in lower case: lines per mm."""

    unused: bool = False
    scales: bool = True


@dataclass(frozen=True, slots=True)
class Field:
    """A described field of a kind: its attribute, its key in the file, its default and its
    description.
    """

    name: str
    json_name: str
    default: Any
    about: Description

    @property
    def is_required(self) -> bool:
        return self.default is dataclasses.MISSING


PERSON_NAMES = frozenset({"Dove"})
"""Words of displayed names that are names of persons."""


def label_in_sentence(label: str) -> str:
    """A displayed name as it is written within a sentence: in lower case, except for abbreviations
    and the names of persons.
    """
    return " ".join(
        word if word.isupper() or word in PERSON_NAMES else word.lower() for word in label.split()
    )


STYLE_KINDS = ("color", "line_style")
"""Kinds of fields that say how an object asks to be drawn: only its colour, or also the width and
dashes of its lines.
"""


def described_field(kind: str, default: Any, label: str, **about: Any) -> Any:
    """A dataclass field with a `Description`."""
    return dataclasses.field(
        default=default, metadata={DESCRIPTION_KEY: Description(kind, label, **about)}
    )


number, flag, string, data = (
    partial(described_field, kind) for kind in ("number", "flag", "text", "data")
)
"""Fields of numbers, switches and texts, and of JSON that is kept and written back; each takes its
default and its label.
"""
point, coordinate, path, points, curve = (
    partial(described_field, kind, dataclasses.MISSING, unit=LENGTH)
    for kind in ("point", "coordinate", "path", "points", "curve")
)
"""Required fields: a point, the x or y of an object that is one point, tuples of vertices, of
points and of curve nodes; each takes its label.
"""


def choice_field(default: str, label: str, choices: Sequence[str], **about: Any) -> Any:
    return described_field("choice", default, label, choices=tuple(choices), **about)


def style_field(kind: str, label: str, **about: Any) -> Any:
    """A dataclass field for the JSON of a style (`raybench.kinds.aspects.own_style.OwnStyle`).
    ``kind`` is one of `STYLE_KINDS`.
    """
    return described_field(kind, None, label, **about)


def described_fields(kind: type[Any]) -> tuple[Field, ...]:
    """The described fields of a dataclass, in the order of forms and files."""
    if kind not in _fields:
        _fields[kind] = tuple(
            Field(f.name, camel_case(f.name), f.default, f.metadata[DESCRIPTION_KEY])
            for f in dataclasses.fields(kind)
            if DESCRIPTION_KEY in f.metadata
        )
    return _fields[kind]


_fields: dict[type[Any], tuple[Field, ...]] = {}


def settable_fields(kind: type[Any], power_unit: str = "") -> tuple[Field, ...]:
    """The described fields of a kind, and the numbers that a change may set in place of another
    field. ``power_unit`` adds the ``powers`` of the kind in this unit
    (`raybench.scene.document.Document.source_unit`).
    """
    powers: tuple[Field, ...] = getattr(kind, "powers", ())
    return (
        *described_fields(kind),
        *(
            dataclasses.replace(f, about=dataclasses.replace(f.about, unit=power_unit))
            for f in powers
        ),
    )


@functools.lru_cache(1_024)
def camel_case(name: str) -> str:
    """The file format's spelling of an attribute: ``ref_index`` -> ``refIndex``; ``a1_4`` stays."""
    head, *rest = name.split("_")
    return head + "".join(f"_{word}" if word.isdigit() else word.capitalize() for word in rest)


def as_number(value: Any) -> float | None:
    """A finite number from JSON, where a number may be written as text; None for any other
    value.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
