"""Ranges of parameters: the axes of a sweep, the bounds of an optimisation, and the deviations of a
tolerance study. Choices are separated by ``|``.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError, in_quotes
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity
from raybench.scene.document import Document
from raybench.scene.parameters.parameter import MAX_LENGTH, Parameter, read_parameter
from raybench.study.terms.parameter import check_value, read_choices

DEFAULT_COUNT = 11
"""Values of a range that states no number of them."""
MOST_VALUES = 100_000
_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^:]+)(?::(?P<count>-?\d+)(?P<log>\s*log)?)?")
_DIFFERENCE = re.compile(r"\s*(\d[\d.]*)\s*[-−–—]\s*(\d[\d.]*)\s*([a-zµμ°]*)\s*(?::.*)?")
"""One number less another: what is meant may be a range."""
_OVER = re.compile(r"[^()]/\s*(\d+)\s*$")


class InvalidRange(RaybenchError):
    """A text does not describe an axis, bounds or a deviation of a parameter."""


def _read_number(text: str, parameter: Parameter, document: Document, example: str) -> float:
    """Read a number in the unit of a parameter. Raises InvalidRange, or ChangeRefused if the
    parameter cannot have this value.
    """
    try:
        value = read_quantity(text.strip(), parameter.unit, document.unit)
    except InvalidQuantity as error:
        raise InvalidRange(f"{parameter.text} {error}. {example}".rstrip()) from None
    if not math.isfinite(value):
        raise InvalidRange(f"{parameter.text} must be a finite number, it is {text.strip()}.")
    return value


@dataclass(frozen=True)
class Axis:
    """A parameter and the values that a sweep gives it, in its unit."""

    parameter: Parameter
    values: tuple[float, ...]


def read_sweep_axis(text: str, document: Document) -> Axis:
    """Read an axis from a text such as ``Prism.angle=-20..20:81``, ``Lens.x=0..5mm:11``,
    ``Lens.focalLength=10..1000:5 log``, ``Wedge.refIndex=1.5,1.6,1.7`` or
    ``Lens.material=N-BK7|N-SF11``.

    Raises InvalidRange, InvalidParameter, UnknownName, or ChangeRefused if an end of the range is
    not allowed.
    """
    name, equals, values = text.rpartition("=")
    if not equals:
        raise InvalidRange(
            f"{in_quotes(text, 80)} is not an axis. Write a parameter and its values, such as"
            " Prism.angle=-20..20:81."
        )
    if _lists_choices(name, values, document):
        return Axis(*_read_choice_values(name, values, document))
    parameter = read_parameter(name, document)
    axis = Axis(parameter, _read_values(values.strip(), parameter, document))
    for value in {axis.values[0], axis.values[-1], min(axis.values), max(axis.values)}:
        check_value(parameter, value, document)
    return axis


def _read_values(text: str, parameter: Parameter, document: Document) -> tuple[float, ...]:
    example = "Write values as in -20..20:81 or 1.5,1.6,1.7."
    short = text if len(text) <= MAX_LENGTH else ""  # a list of numbers may be longer
    found = _RANGE.fullmatch(short)
    if found is None:
        if ends := _DIFFERENCE.fullmatch(short):
            low, high, unit = ends.groups()
            raise InvalidRange(
                f"{parameter.text}: {in_quotes(text, 60)} is a difference. Write a range as"
                f" {low}..{high}{unit}, a difference as ({low}-{high})."
            )
        return tuple(_read_number(one, parameter, document, example) for one in text.split(","))
    if over := _OVER.search(found["high"]):
        raise InvalidRange(
            f"{parameter.text}: {in_quotes(text, 60)} ends with a division. Write {over[1]} values"
            f" as :{over[1]}, a quotient as (2/3)."
        )
    low, high = (_read_number(found[end], parameter, document, example) for end in ("low", "high"))
    count = int(found["count"] or DEFAULT_COUNT)
    if not 2 <= count <= MOST_VALUES:
        raise InvalidRange(f"{parameter.text}: {count} values; a range has 2 to {MOST_VALUES}.")
    if found["log"] is None:
        return tuple(np.linspace(low, high, count).tolist())
    if low <= 0 or high <= 0:
        raise InvalidRange(
            f"{parameter.text}: a logarithmic range needs bounds above 0, not {low:g}..{high:g}."
        )
    return tuple(np.geomspace(low, high, count).tolist())


def _lists_choices(name: str, values: str, document: Document) -> bool:
    """Whether values are choices: several separated by ``|``, or a single one for a parameter that
    is not a number.
    """
    if "|" in values or ".." in values or "," in values:
        return "|" in values
    return bool(values.strip() and read_choices(name, (), document).choices)


def _read_choice_values(
    name: str, values: str, document: Document
) -> tuple[Parameter, tuple[float, ...]]:
    """Read a parameter and a list of choices for it. Returns the parameter and its values: numbers,
    or indices of choices.
    """
    texts = values.split("|")
    if not all(text.strip() for text in texts):
        raise InvalidRange(
            f"{name.strip()}: a choice is empty. Write them as in Lens.material=N-BK7|N-SF11."
        )
    parameter = read_choices(name, texts, document)
    if parameter.choices:
        return parameter, tuple(map(float, range(parameter.offered)))
    example = "Write numbers to choose from as in 0|180."
    numbers = tuple(_read_number(text, parameter, document, example) for text in texts)
    if len(set(numbers)) < len(numbers):
        raise InvalidRange(f"{parameter.text}: a number is given twice. Give different ones.")
    for value in numbers:
        check_value(parameter, value, document)
    return parameter, numbers


@dataclass(frozen=True)
class Bounds:
    """A parameter with its range, in its unit, and its present value (0 for a motion). If
    ``chosen`` is given, only these values are allowed.
    """

    parameter: Parameter
    low: float
    high: float
    now: float
    chosen: tuple[float, ...] = ()

    @property
    def contains_present_value(self) -> bool:
        """Whether the present value lies within the bounds."""
        return self.now in self.chosen if self.chosen else self.low <= self.now <= self.high


def read_bounds(text: str, document: Document) -> Bounds:
    """Read bounds from a text such as ``Lens.x=-50..50`` or ``Wedge.refIndex=1.4..1.9``, or choices
    from a text such as ``Lens.angle=0|180``. Lengths may have a unit.

    Raises InvalidRange, InvalidParameter, UnknownName, or ChangeRefused if an end of the range is
    not allowed.
    """
    name, equals, span = text.rpartition("=")
    if equals and _lists_choices(name, span, document):
        parameter, values = _read_choice_values(name, span, document)
        return Bounds(
            parameter, min(values), max(values), parameter.value_in_document(document), values
        )
    ends = span.split("..")
    if not equals or len(ends) != 2:
        raise InvalidRange(
            f"{in_quotes(text, 80)} gives no range. Write a parameter and its bounds, such as"
            " Lens.x=-50..50, or choices, such as Lens.material=N-BK7|N-SF11."
        )
    parameter = read_parameter(name, document)
    low, high = (
        _read_number(end, parameter, document, "Write its bounds as in -50..50.") for end in ends
    )
    if not low < high:
        raise InvalidRange(
            f"{parameter.text}: the lower bound {low:g} is not below the upper bound {high:g}."
        )
    for value in (low, high):
        check_value(parameter, value, document)
    return Bounds(parameter, low, high, parameter.value_in_document(document))


def values_from_shares(bounds: Sequence[Bounds], shares: Sequence[float]) -> tuple[float, ...]:
    """The values at fractions (0 to 1) of the ranges. At 1 the value is exactly the upper bound."""
    return tuple(
        b.high if u >= 1.0 else min(b.low + (b.high - b.low) * max(float(u), 0.0), b.high)
        for b, u in zip(bounds, shares, strict=True)
    )


def shares_of_values(bounds: Sequence[Bounds], values: Sequence[float]) -> list[float]:
    """The fractions (0 to 1) of the ranges at which values lie. A value outside its range gives the
    nearer end.
    """
    return [
        min(max((v - b.low) / (b.high - b.low), 0.0), 1.0)
        for b, v in zip(bounds, values, strict=True)
    ]


DISTRIBUTIONS = ("uniform", "normal")
TRUNCATION = 2.0
"""A normal distribution is cut off at this many standard deviations, where the stated deviation
lies.
"""
_DEVIATION = re.compile(r"(.+)(?:±|\+-|\+/-)\s*(.+?)(?:\s+(\w+))?\s*", re.DOTALL)
_SHARE = re.compile(r"(\d+\.?\d*|\.\d+)\s*%")


@dataclass(frozen=True)
class Deviation:
    """A parameter, its nominal value, its largest deviation to both sides, in its unit, and the
    distribution of its deviations.

    The distribution ``uniform`` is within the deviation; ``normal`` has half the deviation as its
    standard deviation, and is truncated at the deviation.
    """

    parameter: Parameter
    nominal: float
    by: float
    distribution: str = "uniform"

    def samples(self, count: int, random: np.random.Generator) -> NDArray[np.float64]:
        """Draw random values (count,) of the parameter."""
        if self.distribution == "uniform":
            return self.nominal + self.by * random.uniform(-1.0, 1.0, count)
        drawn = random.standard_normal(count)
        while (outside := np.abs(drawn) > TRUNCATION).any():
            drawn[outside] = random.standard_normal(int(outside.sum()))
        return self.nominal + self.by / TRUNCATION * drawn

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the parameter's distribution."""
        if self.distribution == "uniform":
            return self.by / math.sqrt(3)
        # of a normal distribution cut off on both sides
        density = math.exp(-(TRUNCATION**2) / 2) / math.sqrt(2 * math.pi)
        mass = math.erf(TRUNCATION / math.sqrt(2))
        return self.by / TRUNCATION * math.sqrt(1 - 2 * TRUNCATION * density / mass)


def read_deviation(text: str, document: Document) -> Deviation:
    """Read a deviation from a text such as ``Lens.x±0.1``, ``Lens.x ± 0.1 mm normal``,
    ``Prism.angle+-0.5`` or ``Lens.focalLength±1%`` (percent of the nominal value).

    Raises InvalidRange, InvalidParameter, UnknownName, or ChangeRefused if an end is not allowed.
    """
    found = _DEVIATION.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if found is None:
        raise InvalidRange(
            f"{in_quotes(text, 80)} is not a deviation. Write a parameter and how far it may be"
            " off, such as Lens.x±0.1."
        )
    parameter = read_parameter(found[1], document)
    size, distribution, known = found[2], "uniform", ""
    if found[3] in DISTRIBUTIONS:
        distribution = found[3]
    elif found[3]:
        size = f"{size} {found[3]}"  # a unit
        known = f"The distribution is one of {', '.join(DISTRIBUTIONS)}."
    nominal = parameter.value_in_document(document)
    if share := _SHARE.fullmatch(size):
        if nominal == 0:
            why = "is counted from 0" if parameter.is_motion else "is 0"
            unit = parameter.unit_text(document)
            how = f"in {unit}" if unit else "as a number"
            raise InvalidRange(
                f"{text.strip()}: {parameter.text} {why}. Give its deviation {how}, not in %."
            )
        by = abs(nominal) * float(share[1]) / 100
    else:
        by = _read_number(size, parameter, document, known)
    if not by > 0:
        raise InvalidRange(f"{parameter.text}: a deviation is a number above 0, not {by:g}.")
    for value in (nominal - by, nominal + by):
        check_value(parameter, value, document)
    return Deviation(parameter, nominal, by, distribution)


def draw_samples(deviations: Sequence[Deviation], count: int, seed: int) -> NDArray[np.float64]:
    """Draw random values of all parameters, (count, parameters).

    Each parameter has its own sequence of random numbers, so that its samples do not depend on the
    other parameters or on ``count``.
    """
    streams = np.random.default_rng(seed).spawn(len(deviations))
    columns = [d.samples(count, stream) for d, stream in zip(deviations, streams, strict=True)]
    return np.stack(columns, axis=1) if columns else np.empty((count, 0))
