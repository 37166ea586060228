"""Reflection and refraction at an interface, in an answer."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from raybench.analysis.answers.record import ABSENT, Angle, Degrees, Record, Share, Written
from raybench.optics.interface import Incidence, brewster_angle, critical_angle

Regime = Literal["refraction", "total_reflection"]


class Polarized(Record):
    s: Share
    p: Share
    unpolarized: Share


class Phases(Record):
    s: Degrees | None
    p: Degrees | None
    difference: Degrees | None


class AtIncidence(Record):
    """Reflectance, transmittance and angles of light at an interface."""

    reflectance: Polarized = ABSENT
    transmittance: Polarized = ABSENT
    refraction_angle: Angle = ABSENT
    critical_angle: Angle = ABSENT
    brewster_angle: Annotated[float, Written("degrees", missing="none")] = ABSENT
    phase_shift: Annotated[Phases | None, Written("Phases", missing="none")] = ABSENT


def at_incidence(light: Incidence) -> dict[str, Any]:
    """The fields of `AtIncidence`."""
    return {
        "reflectance": Polarized(s=light.r_s, p=light.r_p, unpolarized=(light.r_s + light.r_p) / 2),
        "transmittance": Polarized(
            s=light.t_s, p=light.t_p, unpolarized=(light.t_s + light.t_p) / 2
        ),
        "refraction_angle": light.refraction,
        "critical_angle": critical_angle(light.n1, light.n2),
        "brewster_angle": brewster_angle(light.n1, light.n2),
        "phase_shift": (
            Phases(s=light.phase_s, p=light.phase_p, difference=light.phase_difference)
            if light.total
            else None
        ),
    }


def regime(light: Incidence) -> Regime:
    """Whether light is totally reflected."""
    return "total_reflection" if light.total else "refraction"
