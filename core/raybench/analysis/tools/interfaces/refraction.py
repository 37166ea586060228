"""How is light refracted and reflected: at an interface of two indices, and what is the index of a
body?
"""

import math
from typing import Annotated, Any, Literal

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import ABSENT, Angle, Degrees, Record, Root, Share, Written
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.measures.light import LIGHT_SPEED
from raybench.analysis.scene.objects import edges_as_traced, names_listed
from raybench.analysis.scene.surroundings import nesting
from raybench.analysis.tools.tool import AnalysisTool, Wavelength
from raybench.kinds.aspects.outlines import bounds
from raybench.kinds.glasses import GlassBody, HomogeneousGlass
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F, abbe_number
from raybench.optics.colour import GREEN
from raybench.optics.interface import (
    Incidence,
    brewster_angle,
    critical_angle,
    incidence,
)
from raybench.scene.names import glass_named

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
    context: None = None


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
    )
    reflected = (light.r_s + light.r_p) / 2
    how = "total reflection" if light.total else f"refracted to {in_words(light.refraction)}°"
    sentence = (
        f"{in_words(reflected * 100)} % of unpolarized light is reflected from n {in_words(n1)} to"
        f" n {in_words(n2)}"
    )
    return Answer(root, f"{sentence} at {in_words(angle)}°: {how}")


FRESNEL = AnalysisTool(
    function=fresnel,
    asks="reflection from n {n1} to n {n2} at {angle}°",
    questions=("How much power is reflected from n {n1} to n {n2} at {angle}?",),
    limit=0,
    needs_scene=False,
    needs_light=False,
)


NAMED = 3
"""Maximum number of bodies around it that are named."""


class RefractiveIndex(Root, tag="refractive_index"):
    object: str
    wavelength: float | None
    n: float | None
    effective_n: float | None
    outside: str | None
    n_outside: float | None
    n_centre: float | None
    critical_angle: Degrees | None = ABSENT
    brewster_angle: Degrees = ABSENT
    brewster_angle_inside: Degrees = ABSENT
    abbe_number: float | None
    speed: float | None


def refractive_index(glass_name: str, wavelength: Wavelength = GREEN) -> Answer:
    """Tell the refractive index of a body at a wavelength, its effective index in other bodies,
    its critical angle, and its speed of light.

    Where bodies overlap, their indices are multiplied. The angles are those at an interface to air,
    or to the bodies that the body lies inside: the critical angle from inside, and the Brewster
    angle from outside and from inside; tir_analysis_xml reports them for each edge and the media
    that touch it. The Abbe number V_d is reported if the scene simulates colours.

    Args:
        glass_name: Name of a glass object in the scene.
        wavelength: Wavelength in nm; used only if the scene simulates colours.

    Returns:
        Root refractive_index: n, effective_n, outside (the bodies around it), n_outside,
        critical_angle, brewster_angle, brewster_angle_inside, abbe_number and speed (c over
        effective_n, m/s); an index that varies is left out, and n_centre given: that at the middle
        of its outline.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name doesn't match any object, or wavelength is invalid; the message
            lists the existing names.
    """
    context = require_context()
    body = glass_named(context.scene, glass_name)
    colours = context.scene.settings.simulate_colors
    n = body.uniform_index(wavelength if colours else None)
    found = next(iter(nesting(context.scene, context.disabled, wavelength, [body])), None)
    effective = n if found is None else found.effective
    angles: dict[str, Any] = {}
    if n:
        angles = {
            "critical_angle": critical_angle(n, 1.0),
            "brewster_angle": brewster_angle(1.0, n),
            "brewster_angle_inside": brewster_angle(n, 1.0),
        }
    # beside a body inside others light has the index of these: the ratio of the indices on both
    # sides is the body's own
    around = found.inside if found is not None else ()
    outside = names_listed([o.title for o in around], NAMED) if around else None
    indices = [
        index
        for line in (LINE_D, LINE_F, LINE_C)
        if colours and (index := body.uniform_index(line)) is not None
    ]
    middle = None if n is not None else _body_middle(context, body)
    n_centre = (
        float(body.index_at(np.array([middle]), wavelength if colours else None)[0])
        if middle
        else None
    )
    abbe = abbe_number(*indices) if len(indices) == 3 else math.inf
    dispersion = abbe if math.isfinite(abbe) else None
    speed = LIGHT_SPEED / abs(effective) if effective else None
    root = RefractiveIndex(
        object=body.title,
        wavelength=wavelength if colours else None,
        n=n,
        effective_n=effective,
        outside=outside,
        n_outside=effective / n if around and effective and n else None,
        n_centre=n_centre,
        **angles,
        abbe_number=dispersion,
        speed=speed,
    )
    at = (
        f" at {in_words(wavelength)} nm"
        if colours
        else " at every wavelength: the scene does not simulate colours"
    )
    if n is None:
        there = (
            f": {n_centre:.7g} at its middle, ({middle[0]:.6g}, {middle[1]:.6g})"
            if middle and n_centre is not None
            else ""
        )
        return Answer(
            root,
            f"The index of {in_words(body.title)} varies from place to place{there}",
            complete_sentence=True,
        )
    material = body.material if isinstance(body, HomogeneousGlass) else None
    of = "" if material is None else f"is made of {in_words(material.material.name)} and "
    words = [f"{in_words(body.title)} {of}has the refractive index {n:.7g}{at}"]
    if effective is not None and abs(effective - n) > 1e-12 * abs(n):
        words.append(f"with the bodies around it {effective:.7g}")
    if angles["critical_angle"] is not None:
        words.append(f"critical angle {angles['critical_angle']:.6g}° against {outside or 'air'}")
        if outside and effective and (to_air := critical_angle(effective, 1.0)) is not None:
            words[-1] += f", {to_air:.6g}° against air"
    if dispersion is not None:
        words.append(f"Abbe number {dispersion:.5g}")
    words.append(f"Brewster angle {angles['brewster_angle']:.6g}° from {outside or 'air'}")
    if speed is not None:
        words.append(f"light runs in it at {speed:.6g} m/s")
    return Answer(root, "; ".join(words), complete_sentence=True)


def _body_middle(context: TracedScene, body: GlassBody) -> tuple[float, float] | None:
    """The middle of the bounding box of a body; None if it has no outline."""
    edges = edges_as_traced(body, context.scene)
    box = bounds(edges) if edges else None
    return None if box is None else ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


REFRACTIVE_INDEX = AnalysisTool(
    function=refractive_index,
    asks="refractive index of {glass_name|}",
    questions=(
        "What is the refractive index of {glass_name}?",
        "What glass is {glass_name} made of [material type]?",
        "What is the critical angle of {glass_name}?",
        "What is the Brewster angle of {glass_name}?",
        "What is the Abbe number of {glass_name}?",
    ),
    limit=0,
    needs_light=False,
)
