"""Bounds: a parameter and the range in which a study may vary it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from raybench.errors import RaybenchError, in_quotes
from raybench.scene.changes.quantity import InvalidQuantity, quantity
from raybench.scene.document import Document
from raybench.study.terms.parameter import Parameter, check_value, read_parameter


class InvalidBounds(RaybenchError):
    """A text describes no range in which a parameter can be varied."""


@dataclass(frozen=True)
class Bounds:
    """A parameter, its range in its unit, and its present value (0 for a motion)."""

    parameter: Parameter
    low: float
    high: float
    now: float


def read_bounds(text: str, document: Document) -> Bounds:
    """The bounds that a text such as ``Lens.x=-50..50`` or ``Wedge.refIndex=1.4..1.9`` describes;
    lengths may have a unit.

    Raises InvalidBounds, InvalidParameter, UnknownName, or ChangeRefused where an end of the range
    cannot be set.
    """
    name, equals, span = text.rpartition("=")
    ends = span.split("..")
    if not equals or len(ends) != 2:
        raise InvalidBounds(
            f"{in_quotes(text, 80)} gives no range. Write a parameter and its bounds, such as"
            " Lens.x=-50..50."
        )
    parameter = read_parameter(name, document)
    try:
        low, high = (quantity(end, parameter.unit, document.unit) for end in ends)
    except InvalidQuantity as error:
        raise InvalidBounds(f"{parameter.text} {error}. Write its bounds as in -50..50.") from None
    if not low < high:
        raise InvalidBounds(
            f"{parameter.text}: the lower bound {low:g} is not below the upper bound {high:g}."
        )
    for value in (low, high):
        check_value(parameter, value, document)
    return Bounds(parameter, low, high, parameter.value_in(document))


def from_units(bounds: Sequence[Bounds], shares: Sequence[float]) -> tuple[float, ...]:
    """The values at some shares (0 to 1) of the ranges: at 1 the upper bound itself, and never
    above it by a rounding error.
    """
    return tuple(
        b.high if u >= 1.0 else min(b.low + (b.high - b.low) * max(float(u), 0.0), b.high)
        for b, u in zip(bounds, shares, strict=True)
    )


def to_units(bounds: Sequence[Bounds], values: Sequence[float]) -> list[float]:
    """The shares (0 to 1) of the ranges at which some values lie, the nearest where they lie
    outside.
    """
    return [
        min(max((v - b.low) / (b.high - b.low), 0.0), 1.0)
        for b, v in zip(bounds, values, strict=True)
    ]
