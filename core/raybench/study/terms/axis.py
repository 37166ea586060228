"""Axes of a sweep: a parameter and the numbers that are put into it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from raybench.errors import RaybenchError, in_quotes
from raybench.scene.changes.quantity import InvalidQuantity, quantity
from raybench.scene.document import Document
from raybench.study.terms.parameter import LONGEST, Parameter, check_value, read_parameter

STEPS = 11
"""Values of a range that states no number of them."""
MOST_VALUES = 100_000
_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^:]+)(?::(?P<count>-?\d+)(?P<log>\s*log)?)?")
_DIFFERENCE = re.compile(r"\s*(\d[\d.]*)\s*[-−–—]\s*(\d[\d.]*)\s*([a-zµμ°]*)\s*(?::.*)?")
"""One number less another: what is meant may be a range."""
_OVER = re.compile(r"[^()]/\s*(\d+)\s*$")


class InvalidAxis(RaybenchError):
    """A text describes no axis of a sweep."""


@dataclass(frozen=True)
class Axis:
    """A parameter and its values, in its unit."""

    parameter: Parameter
    values: tuple[float, ...]


def read_axis(text: str, document: Document) -> Axis:
    """The axis that a text such as ``Prism.angle=-20..20:81``, ``Lens.x=0..5mm:11``,
    ``Lens.focalLength=10..1000:5 log`` or ``Wedge.refIndex=1.5,1.6,1.7`` describes.

    Raises InvalidAxis, InvalidParameter, UnknownName, or ChangeRefused where the ends of the range
    cannot be set.
    """
    name, equals, values = text.rpartition("=")
    if not equals:
        raise InvalidAxis(
            f"{in_quotes(text, 80)} is not an axis. Write a parameter and its values, such as"
            " Prism.angle=-20..20:81."
        )
    parameter = read_parameter(name, document)
    axis = Axis(parameter, _values(values.strip(), parameter, document))
    for value in {axis.values[0], axis.values[-1], min(axis.values), max(axis.values)}:
        check_value(parameter, value, document)
    return axis


def _values(text: str, parameter: Parameter, document: Document) -> tuple[float, ...]:
    found = (
        _RANGE.fullmatch(text) if len(text) <= LONGEST else None
    )  # a list of numbers may be longer
    if found is None:
        if len(text) <= LONGEST and (ends := _DIFFERENCE.fullmatch(text)):
            low, high, unit = ends.groups()
            raise InvalidAxis(f"{parameter.text}: {in_quotes(text, 60)} is a difference. Write a range as {low}..{high}{unit}, "
                              f"a difference as ({low}-{high}).")  # fmt: skip
        return tuple(_number(part, parameter, document) for part in text.split(","))
    if over := _OVER.search(found["high"]):
        raise InvalidAxis(
            f"{parameter.text}: {in_quotes(text, 60)} ends with a division. Write {over[1]} values"
            f" as :{over[1]}, a quotient as (2/3)."
        )
    low, high = (_number(found[end], parameter, document) for end in ("low", "high"))
    count = int(found["count"] or STEPS)
    if not 2 <= count <= MOST_VALUES:
        raise InvalidAxis(f"{parameter.text}: {count} values; a range has 2 to {MOST_VALUES}.")
    if found["log"] is None:
        return tuple(np.linspace(low, high, count).tolist())
    if low <= 0 or high <= 0:
        raise InvalidAxis(
            f"{parameter.text}: a logarithmic range needs bounds above 0, not {low:g}..{high:g}."
        )
    return tuple(np.geomspace(low, high, count).tolist())


def _number(text: str, parameter: Parameter, document: Document) -> float:
    try:
        value = quantity(text.strip(), parameter.unit, document.unit)
    except InvalidQuantity as error:
        raise InvalidAxis(
            f"{parameter.text} {error}. Write values as in -20..20:81 or 1.5,1.6,1.7."
        ) from None
    if not math.isfinite(value):
        raise InvalidAxis(f"{parameter.text} must be a finite number, it is {text.strip()}.")
    return value
