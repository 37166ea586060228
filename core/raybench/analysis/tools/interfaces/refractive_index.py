"""What is the refractive index of a body, and which angles follow from it?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import ABSENT, Degrees, Root
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.measures.light import LIGHT_SPEED
from raybench.analysis.scene.objects import edges_as_traced, names_listed
from raybench.analysis.scene.surroundings import nesting
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.glasses import GlassBody, HomogeneousGlass
from raybench.kinds.outline import bounds
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F, abbe_number
from raybench.optics.colour import GREEN
from raybench.optics.interface import brewster_angle, check_wavelength, critical_angle
from raybench.scene.names import glass_named

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


def refractive_index(glass_name: str, wavelength: float = GREEN) -> Answer:
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
    check_wavelength(wavelength)
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
    middle = None if n is not None else _middle(context, body)
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
        context=context,
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


def _middle(context: TracedScene, body: GlassBody) -> tuple[float, float] | None:
    """The middle of the bounding box of a body; None if it has no outline."""
    edges = edges_as_traced(body, context.scene)
    box = bounds(edges) if edges else None
    return None if box is None else ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def _asks(arguments: Mapping[str, Any]) -> str:
    return f"refractive index of {in_words(arguments.get('glass_name', ''))}"


TOOL = AnalysisTool(
    function=refractive_index,
    asks=_asks,
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
