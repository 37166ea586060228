"""Notes on a width: it is of few rays, or widened by partial reflections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.reflected_light import without_reflections
from raybench.analysis.measures.bound import Bound, BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Role, Undefined
from raybench.errors import choices
from raybench.kinds.sources import SingleRay
from raybench.trace.codes import NO_ORDER

WIDTHS = ("rms", "width", "least_rms")
"""The measures of how wide the light at a line is."""
OF_BUNDLES = (
    "spot_rms",
    "spot_width",
    "beam_width",
    "arriving_width",
    "divergence",
    "numerical_aperture",
    "f_number",
)
"""Those of how wide a bundle is."""
FEW = 5
"""Rays from which on a width needs no note: between n rays of a beam lie n - 1 of its n parts."""
ONE_RAY = "one ray has no width; a higher ray density, or a source with more rays, gives one"


def note_of_spot(light: Light, *measures: Bound, unit: str = "") -> str:
    """The note on measures of widths, with values in a ``unit``; empty if they need none."""
    rays = min(
        (n for bound in measures if isinstance(bound, BoundMeasure) and (n := _rays(light, bound))),
        default=FEW,
    )
    if rays == 1:
        return ONE_RAY
    few = f"of {rays} rays; a higher ray density gives a better value" if rays < FEW else ""
    return "; ".join(
        note
        for note in (
            few,
            _of_orders(light, measures),
            without_reflections(light, *measures, unit=unit),
        )
        if note
    )


def _of_orders(light: Light, measures: Sequence[Bound]) -> str:
    """That a spot is of several diffraction orders of one source; empty if it is not."""
    for bound in measures:
        if not isinstance(bound, BoundMeasure) or all(
            p.role is not Role.LINE for p in bound.measure.parameters
        ):
            continue
        index, *sources = bound.indices(light)
        assert isinstance(index, int)
        for source in sources:
            rows = light.arriving(index, source)  # type: ignore[arg-type]
            rows = rows[light.result.order[rows] != NO_ORDER]
            found = np.unique(
                np.stack([light.result.order[rows], light.result.source[rows]]), axis=1
            )
            if found.shape[1] > len(np.unique(found[1])):
                orders = choices([f"{order}" for order in np.unique(found[0]).tolist()], "and")
                return (
                    f"of light in the orders {orders} together; direction and angular_separation"
                    " are of one order"
                )
    return ""


def _rays(light: Light, bound: BoundMeasure) -> int:
    """The number of rays that a width is measured of; 0 if it is another measure, has no value, or
    is of single rays as they are.
    """
    index, *of = bound.indices(light) or [None]
    takes, name = bound.measure.takes, bound.measure.name
    if not isinstance(index, int) or name not in (*WIDTHS, *OF_BUNDLES):
        return 0
    try:
        rows = (
            light.arriving(index, *of) if takes is None else light.strongest(takes, index, *of).rows  # type: ignore[arg-type]
        )
    except Undefined:
        return 0
    if len(rows) > 1 and all(
        isinstance(light.scene.optical[i], SingleRay)
        for i in set(light.result.source[rows].tolist())
        if i >= 0
    ):
        return 0
    return (
        len(rows) if takes is None or len(rows) > 1 else 0
    )  # a bundle of one ray has no width, which its reason says
