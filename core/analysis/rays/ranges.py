"""Validation of the bounds of range queries."""

from __future__ import annotations

import math

from core.errors import RaybenchError, short_repr
from core.optics.interface import is_number


class InvalidRange(RaybenchError):
    """The bounds of a range are not numbers, out of their domain, or in the wrong order."""


def check_range(low: float, high: float, names: tuple[str, str], meaning: str, *, most: float = math.inf) -> None:
    """Raise InvalidRange unless 0 <= ``low`` <= ``high`` <= ``most``. Infinity is valid only if ``most`` is infinite."""
    domain = f"from 0 to {most:g}" if math.isfinite(most) else "of 0 or more"
    for name, value in zip(names, (low, high), strict=True):
        if not is_number(value) and not (value == math.inf and most == math.inf):
            raise InvalidRange(f"{name} is {short_repr(value)}; give a number {domain} ({meaning}).")
        if not 0 <= value <= most:
            raise InvalidRange(f"{name} is {value:g}; it must be {domain} ({meaning}).")
    if low > high:
        raise InvalidRange(f"{names[0]} {low:g} is larger than {names[1]} {high:g}. Swap them.")
