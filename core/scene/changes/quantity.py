"""Parsing and formatting of numbers with units: "5 mm", "0.2 µm", "30 deg"."""

from __future__ import annotations

import re
from fractions import Fraction

from core.kinds.fields import LENGTH

_METRES = {"nm": Fraction(1, 10**9), "µm": Fraction(1, 10**6), "mm": Fraction(1, 10**3), "cm": Fraction(1, 100), "m": Fraction(1),
           "in": Fraction(254, 10**4)}  # fmt: skip
_SPELLED = {"um": "µm", "μm": "µm", "inch": "in", "°": "deg", "degrees": "deg"}
_RADIAN = Fraction(180) / Fraction(3.141592653589793)
_QUANTITY = re.compile(r"\s*([-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*([a-zA-Zµμ°%²/]*)\s*")
MAX_LENGTH = 60


class InvalidQuantity(ValueError):
    """A text is not a number with a compatible unit; the message says why."""


def quantity(text: str, unit: str, scene_unit: str) -> float:
    """The number in a text, converted to the unit of a field (see `Description.unit`). A number without a unit is taken to be in that unit.

    Raises InvalidQuantity.
    """
    target = scene_unit if unit == LENGTH else unit
    match = _QUANTITY.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if match is None:
        example = f"5 or '5 {target}'" if target else "5"
        raise InvalidQuantity(f"must be a number such as {example}, it is the text {text[:MAX_LENGTH]!r}")
    value = match[1].replace("−", "-")
    given = _SPELLED.get(match[2], match[2])
    if not given or given == target:
        return float(value)
    if given in _METRES and target in _METRES:
        return float(Fraction(value) * _METRES[given] / _METRES[target])
    if given == "rad" and target == "deg":
        return float(Fraction(value) * _RADIAN)
    compatible = list(_METRES) if target in _METRES else ["deg", "rad"] if target == "deg" else [target] if target else []
    raise InvalidQuantity(f"is in '{match[2]}'; give {'one of ' + ', '.join(compatible) if compatible else 'a number without a unit'}")


def with_unit(value: float, unit: str, scene_unit: str) -> str:
    """A number formatted with its unit."""
    number = f"{value:.6g}"
    if unit in ("deg", "°"):
        return f"{number}°"
    written = {LENGTH: scene_unit, "1/length": f"1/{scene_unit}"}.get(unit, unit)
    return f"{number} {written}" if written else number
