"""Checks the bounds of range queries, and describes ranges in words."""

import math

from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError, short_repr
from raybench.optics.interface import is_number


class InvalidRange(RaybenchError):
    """The bounds of a range are not numbers, out of their domain, or in the wrong order."""


def check_range_bounds(
    low: float, high: float, names: tuple[str, str], meaning: str, *, most: float = math.inf
) -> None:
    """Raise InvalidRange unless 0 <= ``low`` <= ``high`` <= ``most``. Infinity is allowed only if
    ``most`` is infinite.
    """
    domain = f"from 0 to {most:g}" if math.isfinite(most) else "of 0 or more"
    for name, value in zip(names, (low, high), strict=True):
        if not is_number(value) and not (value == math.inf and most == math.inf):
            raise InvalidRange(
                f"{name} is {short_repr(value)}; give a number {domain} ({meaning})."
            )
        if not 0 <= value <= most:
            raise InvalidRange(f"{name} is {value:g}; it must be {domain} ({meaning}).")
    if low > high:
        raise InvalidRange(f"{names[0]} {low:g} is larger than {names[1]} {high:g}. Swap them.")


def is_excluded_rounded_bound(bound: float, towards: float) -> bool:
    """Whether a bound is one floating-point step from a rounded number, in the direction of
    ``towards``. Such a bound excludes the rounded number.
    """
    return bound == math.nextafter(float(value_in_words(float(bound))), towards)


def range_in_words(least: float, most: float, lowest: float, highest: float, unit: str = "") -> str:
    """A range from ``least`` to ``most`` as text. The quantity has values from ``lowest`` to
    ``highest``. Bounds are included unless `is_excluded_rounded_bound` is true for them.
    """
    low, high = value_in_words(least), value_in_words(most)
    above, below = (
        is_excluded_rounded_bound(least, math.inf),
        is_excluded_rounded_bound(most, -math.inf),
    )
    if not above and not below and most < highest:
        return f"{low}{unit}" if least == most else f"{low} to {high}{unit}"
    bounds = [f"more than {low}{unit}" if above else f"{low}{unit} or more"] * (least > lowest)
    bounds += [f"less than {high}{unit}" if below else f"{high}{unit} or less"] * (most < highest)
    return " and ".join(bounds)
