"""The definition of a measure: function, parameters and unit; the value of a measure; conversion of
values to other units.
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
    """A measure is declared incompletely, or its declaration does not match its function."""


class Undefined(RaybenchError):
    """A measure has no value for a trace; the message states the reason."""


def irradiance_unit(length: str, power: str) -> str:
    """The name of the unit of power per length."""
    if power == RELATIVE:
        return Phrase("relative power per {length}", length=length)
    return f"{power}/{length}"


class Unit(Enum):
    """The unit of a measure. Lengths are in scene units. Powers are in the unit of the document or,
    without one, relative to the brightness of the sources.
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
        """The displayed name of the unit; empty for a pure number. ``length`` and ``power`` are the
        names of the units of length and power.
        """
        match self:
            case Unit.POWER:
                return Phrase("relative power") if power == RELATIVE else power
            case Unit.LENGTH:
                return length
            case Unit.VERGENCE:
                return f"1/{length}"
            case Unit.IRRADIANCE:
                return irradiance_unit(length, power)
            case Unit.DISPERSION:
                return f"{length}/nm"
            case Unit.ONE:
                return ""
        return str(self.value)


class Role(Enum):
    """What a measure accepts as an argument: a kind of object, or a kind of text."""

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


class BundleChoice(Enum):
    """The bundles at an object from which a measure takes the strongest."""

    LEAVING = "leaves"
    TRANSMITTED = "goes through"
    ONWARD = "goes on from"  # it goes through, or where none does, as at a mirror, leaves
    ARRIVING = "arrives at"


class RowsNeeded(Enum):
    """The rows of a trace that a measure reads. Without the other rows its value is the same, so a
    trace need not keep them (`raybench.trace.keep.Keep`).
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
    """A parameter of a measure: name, role, and whether it is optional. ``noun`` describes the
    default argument: if a question names no object, the only object of this kind is meant.
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
    """A measure in the table of measures. Its name is the name of its function, and its help text
    the docstring of the function.

    ``select`` makes the arguments of the function from the light of a trace
    (`raybench.analysis.measures.light.Light`) and the arguments of the measure: object indices,
    texts such as path patterns, or None if omitted. With ``takes`` it gets the light, the object's
    index and the chosen bundle. Without ``select`` the function gets the light and the arguments.
    The function returns the value, or raises Undefined with the reason.

    ``quantity``: the name of the quantity in an answer, with parameters as slots; parts in brackets
    are left out if their slots have no value. ``questions``: one to three example questions
    (`raybench.analysis.question`); the first is suggested, and slots are parameters. ``rays``: a
    function, with the arguments of the measure's function, that returns the segments to highlight;
    by default the ``rows`` of the selection, and `select_no_rays` for measures that do not use
    rays. ``signed``: the sign only tells a sense or a side, as of a deviation, so that values are
    compared by magnitude. ``period``: values that differ by this number are equal, as directions do
    by 360; 0 for none. ``share``: the value is a part of a power. ``senses``: what a positive and a
    negative value mean. ``by_path``: unless it is a power, the measure uses the light on the
    principal path, or all light if the call asks for it. ``needs``: the rows of the trace that the
    functions read. ``note``: a function, with the arguments of the measure's function, that returns
    a remark on the value. Raises IncompleteMeasure if the declaration is invalid.
    """

    function: Callable[..., float]
    unit: Unit
    quantity: str
    questions: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    select: Callable[..., Any] | None = None
    takes: BundleChoice | None = None
    rays: Callable[..., Rows | None] | None = None
    signed: bool = False
    period: float = 0.0
    share: bool = False
    senses: tuple[str, str] = ("", "")
    by_path: bool = False
    needs: RowsNeeded = RowsNeeded.ROWS
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

    def value(self, light: Any, *arguments: int | str | None, all_light: bool = False) -> float:
        """The value of the measure for the light of a trace: the light on the principal path or,
        with ``all_light``, all light. Raises Undefined.
        """
        taken = self.select_light(light, *arguments, all_light=all_light)
        return self.function(*(taken if all_light else self.part_on_principal_path(taken)))

    def rows(
        self, light: Any, *arguments: int | str | None, all_light: bool = False
    ) -> Rows | None:
        """The segments from which the value is computed; None if the measure does not use rays.
        Raises Undefined.
        """
        taken = self.select_light(light, *arguments, all_light=all_light)
        taken = taken if all_light else self.part_on_principal_path(taken)
        if self.rays is not None:
            return self.rays(*taken)
        rows: Rows = taken[0].rows
        return rows

    def select_light(
        self, light: Any, *arguments: int | str | None, all_light: bool = False
    ) -> tuple[Any, ...]:
        """The arguments of the measure's function: the selected light on all paths. Of several
        bundles this is the strongest or, with ``all_light``, all merged into one. Raises Undefined.
        """
        if self.select is None:
            return light, *arguments
        if self.takes is not None:
            index, *of = arguments
            chosen = light.merge_candidate_bundles if all_light else light.strongest_bundle
            arguments = index, chosen(self.takes, index, *of)
        return (self.select(light, *arguments),)

    def part_on_principal_path(self, selected: tuple[Any, ...]) -> tuple[Any, ...]:
        """The part of the selected light on its principal path; unchanged unless
        `groups_by_path`.
        """
        if not self.groups_by_path:
            return selected
        (found,) = selected
        if isinstance(found, tuple | list):
            return (type(found)(part.principal_part() for part in found),)
        return (found.principal_part(),)

    def paths_of_selection(self, selected: tuple[Any, ...]) -> tuple[LightByPath, ...]:
        """The selected light grouped by path; two groupings if two selections are compared. Empty
        if the measure uses all light or a bundle.
        """
        if not self.groups_by_path:
            return ()
        (found,) = selected
        parts = found if isinstance(found, tuple | list) else (found,)
        return tuple(part.light_by_path for part in parts)

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
        """The name of the quantity with the ``titles`` of the arguments, such as ``power that
        arrives at Screen from Laser``.
        """
        order = titles.get(ORDER.name) if f"{{{ORDER.name}}}" not in self.quantity else None
        return fill_slots(self.quantity, titles) + (f" in order {order}" if order else "")

    @cached_property
    def help(self) -> str:
        """The docstring of the measure's function in one line."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @property
    def is_power(self) -> bool:
        """Whether the measure is a power or a part of a power."""
        return self.share or self.unit in (Unit.POWER, Unit.IRRADIANCE)

    @property
    def usage(self) -> str:
        """The signature of the measure, such as ``power(object, source?)``. A question mark follows
        an optional parameter.
        """
        return f"{self.name}({', '.join(map(str, self.parameters))})"


Function = TypeVar("Function", bound=Callable[..., float])


@dataclass
class Family:
    """A group of related measures, with a title and common parameters."""

    title: str
    parameters: tuple[Parameter, ...] = ()
    select: Callable[..., Any] | None = None
    takes: BundleChoice | None = None
    rays: Callable[..., Rows | None] | None = None
    by_path: bool = False
    needs: RowsNeeded = RowsNeeded.ROWS
    note: Callable[..., str] | None = None
    measures: list[Measure] = field(default_factory=list)

    def measure(
        self, unit: Unit, quantity: str, *questions: str, **about: Any
    ) -> Callable[[Function], Function]:
        """A decorator that makes a measure of this family from a function. ``about`` are other
        fields of `Measure`.
        """
        names = ("parameters", "select", "takes", "rays", "by_path", "needs", "note")
        common = {name: getattr(self, name) for name in names}

        def register_measure(function: Function) -> Function:
            fields = common | about
            if fields["takes"] not in (None, BundleChoice.ARRIVING):
                fields["parameters"] += (ORDER,)
            self.measures.append(Measure(function, unit, quantity, questions, **fields))
            return function

        return register_measure


def wrap_difference(difference: Any, period: float) -> Any:
    """Reduce a difference of periodic values to the equivalent difference of smallest magnitude.
    Arrays are allowed; with the period 0 the result is unchanged.
    """
    return difference - period * np.round(difference / period) if period else difference


def unwrap_values(values: NDArray[np.float64], period: float) -> NDArray[np.float64]:
    """Add multiples of the ``period`` to values (n,), so that they do not jump at the ends of the
    range: all lie within half a period of the first value. The mean stays in the range, such as
    (-180, 180]. NaN values are ignored.
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
    """The indices of the smallest and the largest of some values, and the size of their range
    (``spread``).
    """

    least: int
    most: int
    spread: float


def find_extremes(
    values: NDArray[np.float64], period: float = 0.0, *, signed: bool = False
) -> Extremes | None:
    """The extremes of values (n,), without NaN; None if all are NaN.

    With a ``period`` they are the ends of the shortest range that contains all values, such as 178
    and -178 for directions. If ``signed`` is true, values are compared by magnitude
    (`Measure.signed`).
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
    """Return None. Measures that do not use rays, such as the distance of two objects, declare this
    function as their ``rays``.
    """


@dataclass(frozen=True)
class Measured:
    """The value of a measure.

    ``value`` is NaN if it is undefined; then ``reason`` says why. ``unit``: name of the unit, empty
    for a pure number. ``expression``: source text of the measure. ``note``: a remark on the value.
    ``share``: share of the light that was measured. ``period``: see `Measure.period`.
    ``not_followed``: the untraced light that is missing in the value. ``paths``: kinds of path of
    the light (`raybench.analysis.measures.kinds_of_path`), if requested. ``other_path``: the path
    in words, if a study found another path than in the scene.
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
        """The difference from another value: 0 if it is below the rounding error, NaN if a value is
        undefined; for directions, the smaller angle between them.
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
        """The measure and its value as text in one line, with ``digits`` significant digits."""
        if not self.defined:
            return f"undefined = {self.expression}: {self.reason}"
        return f"{self.rounded(digits)} = {self.expression}" + (
            f" ({self.note})" if self.note else ""
        )

    @property
    def number(self) -> str:
        """The value with its unit, as text for users; ``undefined`` if it has no value."""
        return f"{self.digits}{unit_suffix(self.unit)}" if self.defined else "undefined"

    @property
    def digits(self) -> str:
        """The value without its unit, as text for users; ``undefined`` if it has no value. The
        direction -180 is written as 180.
        """
        read = f"{self.value + 0.0:.{SIGNIFICANT}g}"
        if self.period and float(read) == -self.period / 2:
            read = read.removeprefix("-")
        return read if self.defined else "undefined"

    def rounded(self, digits: int) -> str:
        """The value with its unit, as text for programs, rounded to ``digits`` significant
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
    """A unit does not exist, or has another dimension than the value."""


def conversion_factor(
    unit: Unit, wanted: str, scene_unit: str, power_unit: str = RELATIVE
) -> float | None:
    """The factor that converts values from ``unit`` to the unit ``wanted``; None if their
    dimensions differ. ``scene_unit`` is the unit of lengths, ``power_unit`` the unit of powers.
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


def convert_where_possible(
    measured: Measured, unit: Unit, wanted: str, scene_unit: str
) -> Measured:
    """Convert a value to the unit ``wanted``. It is unchanged if ``wanted`` is empty or has another
    dimension.
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
    """Convert a value to the unit ``wanted``, unchanged if that is empty. Raises UnknownUnit if the
    unit does not exist or has another dimension.
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
    return convert_where_possible(measured, unit, wanted, scene_unit)
