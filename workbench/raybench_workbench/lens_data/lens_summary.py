"""The summary of a lens in one line of text."""

import math

from raybench.lens.checks import LensChecks
from raybench.lens.glass import AIR
from raybench.lens.prescription import Prescription
from raybench_workbench.translation import tr

BRIEF_COUNT = 3
"""The number of figures where there is little room."""


def lens_summary_text(system: Prescription, checks: LensChecks, *, brief: bool = False) -> str:
    """The first-order data of a lens and its thinnest glass edge in one line. With ``brief``, only
    the most important ones.
    """
    first, unit = checks.first, system.unit
    if first is None:
        return tr("The lens has no first order.")

    def length(value: float) -> str:
        return tr("{value:.5g} {unit}", value=value, unit=unit) if math.isfinite(value) else "∞"

    edges = [
        (edge, i)
        for i, (edge, s) in enumerate(
            zip(checks.edge_thicknesses, system.surfaces, strict=False), 1
        )
        if math.isfinite(edge) and s.glass != AIR and not s.is_mirror
    ]
    edge, behind = min(edges, default=(math.nan, 0))
    texts = [
        f"f {length(first.focal_length)}",
        tr("f/{number:.3g}", number=first.f_number) if 0 < first.f_number < math.inf else "",
        tr("back focus {length}", length=length(first.back_focus)),
        tr("image {length}", length=length(first.image))
        if math.isfinite(system.object_distance)
        else "",
        tr("magnification {magnification:.4g}", magnification=first.magnification)
        if first.magnification
        else "",
        tr("length {length}", length=length(system.vertices[-1])),
        tr("least edge {length} behind {behind}", length=length(edge), behind=behind)
        if behind
        else "",
        tr(
            "pupil {length} at {other}",
            length=length(first.entrance_diameter),
            other=length(first.entrance_pupil),
        ),
        tr(
            "exit pupil {length} at {other}",
            length=length(first.exit_diameter),
            other=length(first.exit_pupil),
        ),
    ]
    # lines break between the figures alone
    texts = texts[:BRIEF_COUNT] if brief else texts
    return "   ".join(text.replace(" ", "\u00a0") for text in texts if text)
