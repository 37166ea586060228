"""How is light reflected and refracted at an interface between two refractive indices?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer, element
from raybench.analysis.answers.incidence import at_incidence, regime
from raybench.analysis.answers.words import in_words
from raybench.analysis.answers.xml_answer import provenance
from raybench.analysis.tools.tool import AnalysisTool
from raybench.optics.interface import incidence


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
    root = element(
        "fresnel",
        *at_incidence(light),
        n1=n1,
        n2=n2,
        angle=angle,
        regime=regime(light),
        **provenance(None),
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
