"""How is light reflected and refracted at an interface between two refractive indices?"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import ABSENT, Angle, Degrees, Record, Root, Share, Written
from raybench.analysis.answers.words import in_words
from raybench.analysis.tools.tool import AnalysisTool
from raybench.optics.interface import Incidence, brewster_angle, critical_angle, incidence

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


class Fresnel(Root, AtIncidence, tag="fresnel"):
    n1: float
    n2: float
    angle: Degrees
    regime: Regime
    context: None


def fresnel(n1: float, n2: float, angle: float) -> Answer:
    """Compute how light is reflected and refracted at an interface between two refractive indices,
    by Fresnel's equations.

    Needs no scene. Reflectances and transmittances are fractions of power.

    Args:
        n1: Refractive index of the medium that the light comes from, such as 1.5.
        n2: Refractive index of the medium on the other side, such as 1.0 for air.
        angle: Angle of incidence in degrees from the interface's normal, 0 to 90.

    Returns:
        Root fresnel: reflectance, transmittance, angles of refraction, total reflection and
        Brewster, and the phase shifts of total reflection; "none" if there is no such angle or
        shift.

    Raises:
        ValueError: If an index is 0 or not a number, or the angle is not from 0 to 90.
    """
    light = incidence(n1, n2, angle)
    root = Fresnel(
        **at_incidence(light),
        n1=n1,
        n2=n2,
        angle=angle,
        regime=regime(light),
        context=None,
    )
    reflected = (light.r_s + light.r_p) / 2
    how = "total reflection" if light.total else f"refracted to {in_words(light.refraction)}°"
    sentence = (
        f"{in_words(reflected * 100)} % of unpolarized light is reflected from n {in_words(n1)} to"
        f" n {in_words(n2)}"
    )
    return Answer(root, f"{sentence} at {in_words(angle)}°: {how}")


TOOL = AnalysisTool(
    function=fresnel,
    asks="reflection from n {n1} to n {n2} at {angle}°",
    questions=("How much power is reflected from n {n1} to n {n2} at {angle}?",),
    limit=0,
    needs_scene=False,
    needs_light=False,
)
