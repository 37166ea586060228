"""Bounds of questions, checked before they are asked."""

from __future__ import annotations

import math

from core.errors import RaybenchError, short_repr
from core.optics.interface import is_number


class InvalidRange(RaybenchError):
    """The bounds of a range are not numbers, out of their domain, or the wrong way round."""


def check_range(low: float, high: float, names: tuple[str, str], meaning: str, *, least: float = 0.0, most: float = math.inf) -> None:
    """Raises InvalidRange, naming the bound, unless both are numbers from ``least`` to ``most`` in order. Infinity may be ``most``."""
    domain = f"from {least:g} to {most:g}" if math.isfinite(most) else f"of {least:g} or more"
    for name, value in zip(names, (low, high), strict=True):
        if not is_number(value) and not (value == math.inf and most == math.inf):
            raise InvalidRange(f"{name} is {short_repr(value)}; give a number {domain} ({meaning}).")
        if not least <= value <= most:
            raise InvalidRange(f"{name} is {value:g}; it must be {domain} ({meaning}).")
    if low > high:
        raise InvalidRange(f"{names[0]} {low:g} is larger than {names[1]} {high:g}. Exchange them.")
