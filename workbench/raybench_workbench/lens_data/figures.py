"""The figures of a lens in a line of text."""

import math

from raybench.lens.checks import LensChecks
from raybench.lens.glass import AIR
from raybench.lens.prescription import Prescription

BRIEF = 3
"""The number of figures where there is little room."""


def figures_text(system: Prescription, checks: LensChecks, *, brief: bool = False) -> str:
    """The first order of a lens in one line, and its thinnest edge of glass; ``brief`` gives those that
    are looked for first.
    """
    first, unit = checks.first, system.unit
    if first is None:
        return "The lens has no first order."

    def length(value: float) -> str:
        return f"{value:.5g} {unit}" if math.isfinite(value) else "∞"

    edges = [
        (edge, i)
        for i, (edge, s) in enumerate(zip(checks.edges, system.surfaces, strict=False), 1)
        if math.isfinite(edge) and s.glass != AIR and not s.is_mirror
    ]
    edge, behind = min(edges, default=(math.nan, 0))
    texts = [
        f"f {length(first.focal_length)}",
        f"f/{first.f_number:.3g}" if 0 < first.f_number < math.inf else "",
        f"back focus {length(first.back_focus)}",
        f"image {length(first.image)}" if math.isfinite(system.object_distance) else "",
        f"magnification {first.magnification:.4g}" if first.magnification else "",
        f"length {length(system.vertices[-1])}",
        f"least edge {length(edge)} behind {behind}" if behind else "",
        f"pupil {length(first.entrance_diameter)} at {length(first.entrance_pupil)}",
        f"exit pupil {length(first.exit_diameter)} at {length(first.exit_pupil)}",
    ]
    # lines break between the figures alone
    texts = texts[:BRIEF] if brief else texts
    return "   ".join(text.replace(" ", "\u00a0") for text in texts if text)
