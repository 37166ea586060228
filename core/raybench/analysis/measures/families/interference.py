"""Measures of the light at a detector with interference (`raybench.analysis.interference`)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from raybench.analysis.interference.fringes import Fringes
from raybench.analysis.measures.families.detector import DETECTOR
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Family, Parameter, Role, Undefined, Unit
from raybench.analysis.measures.selections import ArrivingLight

POSITION = Parameter("position", Role.NUMBER)


@dataclass(frozen=True, eq=False)
class InterferingLight(ArrivingLight):
    """The light that arrives at a detector, and a position as a distance from the detector's first
    end.
    """

    position: float = 0.0

    @classmethod
    def at_detector(cls, light: Light, index: int, position: str = "0") -> InterferingLight:
        """The light that arrives at the detector ``index``, with a position on it."""
        return cls(
            light, light.arriving_rows(index), None, index, light.title(index), float(position)
        )

    @property
    def fringes(self) -> Fringes:
        """The interference fringes. Raises Undefined if no light arrives, or if the rays are too
        coarse.
        """
        fringes = self.light.fringes(self.index)
        if fringes.too_coarse or not len(fringes.x):
            raise Undefined(fringes.too_coarse or fringes.reason)
        return fringes

    @property
    def note(self) -> str:
        """Which light is left out of the interference, as a phrase; empty if none is."""
        return " ".join(self.fringes.remarks).rstrip(".")


INTERFERENCE: Family = Family(
    "Interference", (DETECTOR,), InterferingLight.at_detector, note=lambda arriving: arriving.note
)


@INTERFERENCE.measure(
    Unit.LENGTH,
    "distance of the fringes at {detector}",
    "How far apart are the fringes at {detector} [spacing period width interference]?",
)
def fringe_spacing(arriving: InterferingLight) -> float:
    """Mean distance of the bright fringes along a detector."""
    return _require_fringe_value(arriving.fringes.spacing, arriving.fringes)


@INTERFERENCE.measure(
    Unit.ONE,
    "contrast of the fringes at {detector}",
    "What is the contrast of the fringes at {detector} [interference]?",
    "What is the visibility of the fringes at {detector}?",
)
def fringe_contrast(arriving: InterferingLight) -> float:
    """Contrast (I_max - I_min) / (I_max + I_min) of neighbouring bright and dark fringes at a
    detector, their mean weighted by irradiance. Fringes lower than a tenth of the range of the
    interference there do not count.
    """
    return _require_fringe_value(arriving.fringes.contrast, arriving.fringes)


@INTERFERENCE.measure(
    Unit.POWER,
    "power that arrives at {detector} with interference",
    "How much power reaches {detector} with interference [coherent]?",
)
def coherent_power(arriving: InterferingLight) -> float:
    """Power that arrives at a detector if coherent waves interfere."""
    return arriving.fringes.power


@INTERFERENCE.measure(
    Unit.IRRADIANCE,
    "irradiance at the distance {position} from the first end of {detector} with interference",
    "What is the irradiance at {position} from the first end of {detector} with interference?",
    parameters=(DETECTOR, POSITION),
)
def coherent_irradiance(arriving: InterferingLight) -> float:
    """Irradiance with interference at a position on a detector, given as the distance from its
    first end.
    """
    fringes, position = arriving.fringes, arriving.position
    if not 0 <= position <= fringes.x[-1]:
        raise Undefined(f"{arriving.title} is {fringes.x[-1]:.6g} long: {position:g} is beyond it.")
    return float(np.interp(position, fringes.x, fringes.irradiance))


def _require_fringe_value(value: float, fringes: Fringes) -> float:
    if math.isnan(value):
        raise Undefined(" ".join([fringes.reason, *fringes.remarks]))
    return value
