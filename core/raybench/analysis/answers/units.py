"""Values of measures in other units than those of the document."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from raybench.analysis.measures.measure import Measured, Unit
from raybench.errors import RaybenchError, choices, elided
from raybench.scene.changes.quantity import METRES

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
        **{unit: unit for unit in (*METRES, *_ANGLES, *_TIMES, _DIOPTRE)},
        "um": "µm", "μm": "µm", "micron": "µm", "microns": "µm", "micrometer": "µm", "micrometre": "µm", "micrometers": "µm",
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
    """A unit does not exist, or a value has another dimension."""


def factor(unit: Unit, wanted: str, scene_unit: str) -> float | None:
    """The factor that converts values of a unit to another one; None if that has another dimension.
    ``scene_unit``: the unit of a length.
    """
    name = SPELLED.get(wanted, wanted)
    if unit is Unit.ANGLE:
        return _ANGLES.get(name)
    if unit is Unit.TIME:
        return _TIMES.get(name)
    if unit is Unit.LENGTH and name in METRES:
        return float(METRES[scene_unit] / METRES[name])
    if unit is Unit.VERGENCE and name == _DIOPTRE:
        return float(1 / METRES[scene_unit])
    return None


def in_unit(measured: Measured, unit: Unit, wanted: str, scene_unit: str) -> Measured:
    """A value converted to another unit; unchanged if no unit is wanted, or one of another
    dimension.
    """
    by = factor(unit, wanted, scene_unit)
    return (
        measured
        if by is None
        else replace(
            measured, value=by * measured.value, unit=SPELLED[wanted], period=by * measured.period
        )
    )


def converted(measured: Measured, unit: Unit, wanted: str, scene_unit: str) -> Measured:
    """A value in another unit, as it is if none is wanted. Raises UnknownUnit."""
    if not wanted:
        return measured
    if wanted not in SPELLED:
        raise UnknownUnit(
            f"There is no unit '{elided(wanted, 20)}'. Give"
            f" {choices([*METRES, *_ANGLES, *_TIMES, _DIOPTRE])}."
        )
    if factor(unit, wanted, scene_unit) is None:
        of = f"is in {measured.unit}" if measured.unit else "has no unit"
        raise UnknownUnit(
            f"{elided(measured.expression, 60)} {of}, which is not converted to {SPELLED[wanted]}."
            " Leave the unit out."
        )
    return in_unit(measured, unit, wanted, scene_unit)
