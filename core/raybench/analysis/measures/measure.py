"""The definition of a measure: its function, parameters and unit. Also the value of a measure, and
its conversion to other units.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.paths.principal import LightByPath
from raybench.analysis.question import Question, fill_slots
from raybench.errors import RaybenchError, elide_text, list_choices
from raybench.kinds.fields import METRES, WATTS
from raybench.phrase import Phrase
from raybench.scene import RELATIVE
from raybench.scene.changes.quantity import unit_suffix
from raybench.trace.results.warnings import OmittedLight


class IncompleteMeasure(TypeError):
    """The declaration of a measure is incomplete or does not match its function, which is a
    programming error.
    """


class Undefined(RaybenchError):
    """A measure has no value for a trace; the message states the reason."""


def irradiance_unit(length: str, power: str) -> str:
    """The unit of power per length along a detector."""
    if power == RELATIVE:
        return Phrase("relative power per {length}", length=length)
    return f"{power}/{length}"


class Unit(Enum):
    """The unit of a measure. Powers are in the document's unit, or else relative to the brightness
    of the scene's sources, lengths in scene units.
    """

    POWER = "relative power"
    LENGTH = "scene units"
    ANGLE = "deg"
    VERGENCE = "1 per scene unit"
    IRRADIANCE = "relative power per scene unit"
    DISPERSION = "scene units per nm"
    TIME = "ps"
    ONE = "1"

    def symbol(self, length: str, power: str = RELATIVE) -> str:
        """The name of the unit as it is displayed; empty for a pure number. ``length`` is the name
        of the scene unit, such as mm, ``power`` that of powers.
        """
        named = {
            Unit.POWER: Phrase("relative power") if power == RELATIVE else power,
            Unit.LENGTH: length,
            Unit.VERGENCE: f"1/{length}",
            Unit.IRRADIANCE: irradiance_unit(length, power),
            Unit.DISPERSION: f"{length}/nm",
            Unit.ONE: "",
        }
        return named.get(self, self.value)


class Role(Enum):
    """The kind of object or text that is valid as an argument of a measure."""

    SURFACE = "an object that light meets: anything optical but a source"
    SYSTEM = "an object that light meets, or several as one: a group, or an instance of a module"
    OBJECT = "an object that light leaves: a source, or one that light meets; or several as one"
    LINE = (
        "an object that is one straight line, such as a detector, blocker, flat mirror or ideal"
        " lens"
    )
    DETECTOR = "a detector"
    APERTURE = "an aperture"
    SOURCE = "a source"
    ORDER = "a diffraction order with its sign, such as 1, 0 or -1"
    LENS = "a lens system: a lens with a prescription"
    NUMBER = "a number, such as 14"
    SEIDEL = (
        "a Seidel sum: spherical, coma, astigmatism, petzval, distortion, axial_colour or"
        " lateral_colour"
    )
    EDGE = "an edge of an object, such as Prism:N"
    PATTERN = "a path pattern, such as Laser > Prism:N (refract) > * > Screen"


ROUNDING = 1e-12
"""Relative difference of two values that differ by rounding errors only."""
TURN, HALF_TURN = 360.0, 180.0
"""The periods in degrees after which directions, and those of lines without a sense, repeat."""
SIGNIFICANT, EXACT = 6, 9
"""Significant digits of a value in a sentence, and where programs read it, or a person asks for
all.
"""


class Takes(Enum):
    """Which bundles at an object a measure is about. Of several such bundles it uses the strongest."""

    LEAVING = "leaves"
    TRANSMITTED = "goes through"
    ONWARD = "goes on from"  # it goes through, or where none does, as at a mirror, leaves
    ARRIVING = "arrives at"


class Needs(Enum):
    """The rows of a trace that a measure reads. A trace for it need not keep others
    (`raybench.trace.keep.Keep`), and the value is the same.
    """

    ROWS = "all rows"
    ARRIVING = "the rows that end on its arguments"
    ARRIVING_PATHS = "those that end on its arguments, and what their light has met"
    FIRST_ARRIVING = "those that end on its arguments, and whether their light came there before"
    LEAVING = "the rows that start on its arguments, and those that end there"
    ESCAPING = (
        "the rows that end on nothing; none without arguments, for which the balance suffices"
    )
    SUMS = "no rows without arguments, for the balance of power suffices; all rows with them"
    NONE = "no rows: only the scene, and what its sources emit"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure: its name in the table, its role, and whether it is optional.

    ``noun`` is that of the default argument: in a question without a name, the only object of this
    kind.
    """

    name: str
    role: Role
    optional: bool = False
    noun: str = ""

    def __str__(self) -> str:
        return self.name + "?" * self.optional


SOURCE = Parameter("source", Role.SOURCE, optional=True)
"""The source to whose light a measure is restricted."""
ORDER = Parameter("order", Role.ORDER, optional=True)
"""The parameter of measures of a bundle that leaves an object."""


@dataclass(frozen=True)
class Measure:
    """A measure in the table of measures. Its name is that of its function, and its help text is
    the docstring of the function.

    ``select`` makes what the function takes of the light of a trace
    (`raybench.analysis.measures.light.Light`) and the arguments: indices into the scene's optical
    objects, None if omitted, and texts such as path patterns. A measure that ``takes`` a bundle
    selects from the light, the object's index and the bundle. Without ``select`` the function takes
    the light and the arguments themselves. It returns the value or raises Undefined with the
    reason.

    ``quantity`` names the measure in an answer, with the parameters as slots, those in brackets
    only where they are given. ``questions`` are one to three examples that ask for it
    (`raybench.analysis.question`), the first of which is suggested; their slots are parameters.
    ``rays`` takes what the function does and gives the segments that an answer highlights: by
    default the ``rows`` of what is selected, and `select_no_rays` for a measure that is not about
    rays. ``signed``: the sign is only a sense or a side, as of a deviation, so that minimum and
    maximum are those of its magnitude. ``period``: values that differ by it are the same, as
    directions by a full turn; 0 for none. ``share``: it is a part of a power. ``senses`` says what
    a positive and a negative value mean. ``by_path``: unless it is a power, it is measured on the
    principal path of the selected light (`raybench.analysis.paths_of_selection.principal_part`), or
    on all of this light if the call asks for it. ``needs``: the rows of the trace that the function
    and ``select`` read; all, unless it says less. ``note`` takes what the function does and gives
    the remark on its value, empty for none. An invalid declaration raises IncompleteMeasure.
    """

    function: Callable[..., float]
    unit: Unit
    quantity: str
    questions: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    select: Callable[..., Any] | None = None
    takes: Takes | None = None
    rays: Callable[..., Rows | None] | None = None
    signed: bool = False
    period: float = 0.0
    share: bool = False
    senses: tuple[str, str] = ("", "")
    by_path: bool = False
    needs: Needs = Needs.ROWS
    note: Callable[..., str] | None = None

    def __post_init__(self) -> None:
        names = [p.name for p in self.parameters]
        optional = [p.optional for p in self.parameters]
        wanted = [False] if self.select else [False, *optional]
        taken = inspect.signature(self.function).parameters.values()
        faults = {
            "has no help: a docstring from a capital letter to a full stop": not re.fullmatch(
                r"[A-Z].*\.", self.help
            ),
            "has no questions that ask for it": not self.questions,
            "has no rays to highlight; if it is not about rays, state select_no_rays": not (
                self.rays or self.select
            ),
            f"has two parameters of one name: {names}": len(set(names)) < len(names),
            "has a required parameter after an optional one": optional != sorted(optional),
            f"has the parameters {names}, which are not those of its function; optional ones default"
            " to None": [p.default is None for p in taken] != wanted,
            "has a question with slots that are not parameters": any(
                question.slots.keys() - set(names) for question in self.examples
            ),
        }
        for fault, found in faults.items():
            if found:
                raise IncompleteMeasure(f"The measure {self.name!r} {fault}.")

    def value(self, light: Any, *arguments: int | str | None, of_all: bool = False) -> float:
        """The value of the measure for the light of a trace: for that on the principal path or,
        with ``of_all``, for all light. Raises Undefined.
        """
        taken = self.select_light(light, *arguments, of_all=of_all)
        return self.function(*(taken if of_all else self.on_principal_path(taken)))

    def rows(self, light: Any, *arguments: int | str | None, of_all: bool = False) -> Rows | None:
        """The segments from which the value is computed; None if the measure is not about rays.
        Raises Undefined.
        """
        taken = self.select_light(light, *arguments, of_all=of_all)
        taken = taken if of_all else self.on_principal_path(taken)
        if self.rays is not None:
            return self.rays(*taken)
        rows: Rows = taken[0].rows
        return rows

    def select_light(
        self, light: Any, *arguments: int | str | None, of_all: bool = False
    ) -> tuple[Any, ...]:
        """The selected light that is passed to the measure's function, on all paths. Of several
        bundles it is the strongest or, with ``of_all``, all merged into one. Raises Undefined.
        """
        if self.select is None:
            return light, *arguments
        if self.takes is not None:
            index, *of = arguments
            chosen = light.merge_candidate_bundles if of_all else light.strongest_bundle
            arguments = index, chosen(self.takes, index, *of)
        return (self.select(light, *arguments),)

    def on_principal_path(self, selected: tuple[Any, ...]) -> tuple[Any, ...]:
        """The part of the selected light that is on its principal path, if the measure is
        `by_path`; else all of it.
        """
        if not self.groups_by_path:
            return selected
        (found,) = selected
        if isinstance(found, tuple | list):
            return (type(found)(part.principal_part() for part in found),)
        return (found.principal_part(),)

    def paths_of_selection(self, selected: tuple[Any, ...]) -> tuple[LightByPath, ...]:
        """The selected light grouped by path. If two selections are compared, one grouping for
        each. Empty if the measure is about all light or a bundle.
        """
        if not self.groups_by_path:
            return ()
        (found,) = selected
        parts = found if isinstance(found, tuple | list) else (found,)
        return tuple(part.by_path for part in parts)

    @property
    def groups_by_path(self) -> bool:
        return self.by_path and self.takes is None and not self.is_power

    @property
    def name(self) -> str:
        return self.function.__name__

    @cached_property
    def examples(self) -> tuple[Question, ...]:
        """The example questions that ask for the measure."""
        return tuple(map(Question, self.questions))

    def quantity_text(self, titles: Mapping[str, str]) -> str:
        """The name of the quantity with the titles of the arguments, such as ``power that arrives
        at Screen from Laser``.
        """
        order = titles.get(ORDER.name) if f"{{{ORDER.name}}}" not in self.quantity else None
        return fill_slots(self.quantity, titles) + (f" in order {order}" if order else "")

    @cached_property
    def help(self) -> str:
        """The docstring of the measure's function as one line."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @property
    def is_power(self) -> bool:
        """Whether the measure is a power or a part of a power."""
        return self.share or self.unit in (Unit.POWER, Unit.IRRADIANCE)

    @property
    def usage(self) -> str:
        """The signature of the measure, such as ``power(object, source?)``, where a question mark
        follows an optional parameter.
        """
        return f"{self.name}({', '.join(map(str, self.parameters))})"


Function = TypeVar("Function", bound=Callable[..., float])


@dataclass
class Family:
    """A group of related measures, with its title and what its measures have in common."""

    title: str
    parameters: tuple[Parameter, ...] = ()
    select: Callable[..., Any] | None = None
    takes: Takes | None = None
    rays: Callable[..., Rows | None] | None = None
    by_path: bool = False
    needs: Needs = Needs.ROWS
    note: Callable[..., str] | None = None
    measures: list[Measure] = field(default_factory=list)

    def measure(
        self, unit: Unit, quantity: str, *questions: str, **about: Any
    ) -> Callable[[Function], Function]:
        """A decorator that makes a function a measure of this family; ``about`` are other fields of
        `Measure`.
        """
        names = ("parameters", "select", "takes", "rays", "by_path", "needs", "note")
        common = {name: getattr(self, name) for name in names}

        def register_measure(function: Function) -> Function:
            fields = common | about
            if fields["takes"] not in (None, Takes.ARRIVING):
                fields["parameters"] += (ORDER,)
            self.measures.append(Measure(function, unit, quantity, questions, **fields))
            return function

        return register_measure


def wrap_difference(difference: Any, period: float) -> Any:
    """Reduce a difference of periodic values (or an array of them) to the equivalent difference of
    smallest size. Without a period it is unchanged.
    """
    return difference - period * np.round(difference / period) if period else difference


def unwrap_values(values: NDArray[np.float64], period: float) -> NDArray[np.float64]:
    """Add multiples of the ``period`` to values (n,) so that all are within half a period of the
    first and do not jump at the ends of the range. Their mean remains in the range, such as (-180,
    180]. NaN values are ignored.
    """
    known = np.isfinite(values)
    if not period or not known.any():
        return values
    turns = np.round(
        (values - values[known][0]) / period
    )  # whole ones, so that a value that does not move keeps its last digit
    mean = (values - period * turns)[known].mean()
    out: NDArray[np.float64] = values - period * (
        turns + math.ceil(float(f"{mean:.{SIGNIFICANT}g}") / period - 0.5)
    )
    return out


@dataclass(frozen=True)
class Extremes:
    """The indices of the least and the largest of some values, and the size of the range
    (``spread``).
    """

    least: int
    most: int
    spread: float


def find_extremes(
    values: NDArray[np.float64], period: float = 0.0, *, signed: bool = False
) -> Extremes | None:
    """The extremes of values (n,), where NaN values are ignored; None if all values are NaN.

    With a ``period`` they are the ends of the shortest range that contains all, which may pass the
    end of a period, as directions from 178 to -178. Of values whose sign is only a sense they are
    those of the size (`Measure.signed`).
    """
    known = np.flatnonzero(np.isfinite(values))
    if not len(known):
        return None
    if period:
        turned = values[known] % period
        ranked = np.argsort(turned, kind="stable")
        gaps = np.diff(turned[ranked], append=turned[ranked[0]] + period)
        largest = int(np.argmax(gaps))
        spread = max(0.0, period - float(gaps[largest]))
        least, most = ranked[(largest + 1) % len(ranked)], ranked[largest]
    else:
        spread = float(np.ptp(values[known]))
        least, most = np.argmin(values[known]), np.argmax(values[known])
    if signed:
        size = np.abs(values[known])
        least, most = np.argmin(size), np.argmax(size)
    return Extremes(int(known[least]), int(known[most]), spread)


def select_no_rays(*arguments: Any) -> None:
    """Return None. It is declared as the ``rays`` of a measure that is not about rays, such as the
    distance of two objects.
    """


@dataclass(frozen=True)
class Measured:
    """The value of a measure. ``value`` is NaN if it is undefined, and then ``reason`` says why.
    ``unit`` is the name of the unit, empty for a pure number. ``expression`` is the source text of
    the measure, and ``note`` a remark on the value. ``share`` is the share of the light that the
    value is about. ``period`` is that of `Measure.period`. ``not_followed`` is the untraced light
    that the value lacks. ``paths`` are the kinds of path of the light
    (`raybench.analysis.measures.kinds_of_path`), if they were asked for; ``other_path`` is the path
    in words, if a study found another one than in its scene.
    """

    value: float
    unit: str
    expression: str
    reason: str = ""
    note: str = ""
    not_followed: OmittedLight | None = None
    period: float = 0.0
    share: float = 1.0
    paths: tuple[tuple[str, ...], ...] = field(default=(), compare=False, repr=False)
    other_path: str = field(default="", compare=False, repr=False)

    @property
    def defined(self) -> bool:
        return not math.isnan(self.value)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __float__(self) -> float:
        return self.value

    @property
    def value_or_none(self) -> float | None:
        """The value, or None if it is undefined."""
        return self.value if self.defined else None

    def difference_from(self, other: Measured) -> float:
        """The difference from another value. It is 0 if it is below the rounding error of both, NaN
        if one is undefined, and for directions the smaller angle between them.
        """
        difference = float(wrap_difference(self.value - other.value, self.period))
        return (
            0.0
            if abs(difference) <= ROUNDING * max(abs(self.value), abs(other.value))
            else difference
        )

    def __str__(self) -> str:
        """The value with unit and expression as text for a person, such as ``8 relative power =
        power(Screen)``, with six significant digits.
        """
        return self.line(SIGNIFICANT)

    def line(self, digits: int) -> str:
        """The text of `__str__` with the given number of significant digits."""
        if not self.defined:
            return f"undefined = {self.expression}: {self.reason}"
        return f"{self.rounded(digits)} = {self.expression}" + (
            f" ({self.note})" if self.note else ""
        )

    @property
    def number(self) -> str:
        """The value with its unit as text for a person; ``undefined`` if it has no value."""
        return f"{self.digits}{unit_suffix(self.unit)}" if self.defined else "undefined"

    @property
    def digits(self) -> str:
        """The value without its unit as text for a person; ``undefined`` if it has no value. A
        direction of -180 is written as 180.
        """
        read = f"{self.value + 0.0:.{SIGNIFICANT}g}"
        if self.period and float(read) == -self.period / 2:
            read = read.removeprefix("-")
        return read if self.defined else "undefined"

    def rounded(self, digits: int) -> str:
        """The value with its unit as text for programs, rounded to the given number of significant
        digits.
        """
        return (
            f"{self.value + 0.0:.{digits}g} {self.unit}".rstrip() if self.defined else "undefined"
        )


_ANGLES = {
    "deg": 1.0,
    "rad": math.pi / 180,
    "mrad": math.pi / 0.18,
    "arcmin": 60.0,
    "arcsec": 3600.0,
}
_TIMES = {"fs": 1e3, "ps": 1.0, "ns": 1e-3}
_DIOPTRE = "dpt"
SPELLED: Mapping[str, str] = MappingProxyType(
    {
        **{unit: unit for unit in (*METRES, *_ANGLES, *_TIMES, _DIOPTRE, *WATTS)},
        "uW": "µW", "um": "µm", "μm": "µm", "micron": "µm", "microns": "µm", "micrometer": "µm", "micrometre": "µm", "micrometers": "µm",
        "micrometres": "µm", "nanometer": "nm", "nanometre": "nm", "nanometers": "nm", "nanometres": "nm", "millimeter": "mm",
        "millimetre": "mm", "millimeters": "mm", "millimetres": "mm", "centimeter": "cm", "centimetre": "cm", "centimeters": "cm",
        "centimetres": "cm", "meter": "m", "metre": "m", "meters": "m", "metres": "m", "inch": "in", "inches": "in", "°": "deg",
        "degree": "deg", "degrees": "deg", "radian": "rad", "radians": "rad", "milliradian": "mrad", "milliradians": "mrad",
        "arcminutes": "arcmin", "arcseconds": "arcsec", "picoseconds": "ps", "femtoseconds": "fs", "nanoseconds": "ns",
        **dict.fromkeys(("D", "d", "dioptre", "dioptres", "diopter", "diopters"), _DIOPTRE),
    }
)  # fmt: skip
"""The units by the words for them."""


class UnknownUnit(RaybenchError):
    """A unit does not exist, or is of another dimension than the value."""


def conversion_factor(
    unit: Unit, wanted: str, scene_unit: str, power_unit: str = RELATIVE
) -> float | None:
    """The factor that converts values of ``unit`` to the unit ``wanted``; None if that has another
    dimension. ``scene_unit`` is the unit of lengths, ``power_unit`` that of powers.
    """
    name = SPELLED.get(wanted, wanted)
    if unit is Unit.POWER and name in WATTS and power_unit in WATTS:
        return float(WATTS[power_unit] / WATTS[name])
    if unit is Unit.ANGLE:
        return _ANGLES.get(name)
    if unit is Unit.TIME:
        return _TIMES.get(name)
    if unit is Unit.LENGTH and name in METRES:
        return float(METRES[scene_unit] / METRES[name])
    if unit is Unit.VERGENCE and name == _DIOPTRE:
        return float(1 / METRES[scene_unit])
    return None


def convert_to_unit(measured: Measured, unit: Unit, wanted: str, scene_unit: str) -> Measured:
    """Convert a value to the unit ``wanted``. It is returned unchanged if no unit is given, or one
    of another dimension.
    """
    by = conversion_factor(unit, wanted, scene_unit, measured.unit)
    return (
        measured
        if by is None
        else replace(
            measured, value=by * measured.value, unit=SPELLED[wanted], period=by * measured.period
        )
    )


def convert_measured(measured: Measured, unit: Unit, wanted: str, scene_unit: str) -> Measured:
    """Convert a value to the unit ``wanted``; it is returned unchanged if none is given. Raises
    UnknownUnit if the unit does not apply.
    """
    if not wanted:
        return measured
    if wanted not in SPELLED:
        raise UnknownUnit(
            f"There is no unit '{elide_text(wanted, 20)}'. Give"
            f" {list_choices([*METRES, *_ANGLES, *_TIMES, _DIOPTRE, *WATTS])}."
        )
    if conversion_factor(unit, wanted, scene_unit, measured.unit) is None:
        of = f"is in {measured.unit}" if measured.unit else "has no unit"
        raise UnknownUnit(
            f"{elide_text(measured.expression, 60)} {of}, which is not converted to {SPELLED[wanted]}."
            " Leave the unit out."
        )
    return convert_to_unit(measured, unit, wanted, scene_unit)
