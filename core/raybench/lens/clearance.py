"""Clear apertures and edge thicknesses of a prescription."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from raybench.lens.prescription import Prescription
from raybench.lens.sequential import Fan, trace_fields


def clear_semi_diameters(system: Prescription, rays: Fan | None = None) -> tuple[float, ...]:
    """Half the clear aperture of each surface: the given semi-diameter, or else the largest height
    of the rays of all fields and wavelengths. ``rays`` are the traced rays, if they are available.
    """
    fan = rays or trace_fields(system, np.array([-1.0, 0.0, 1.0]), clipped=False)
    heights = np.nan_to_num(np.abs(fan.y[:-1])).max(axis=1)
    return tuple(
        float(height) if s.semi_diameter is None else s.semi_diameter
        for s, height in zip(system.surfaces, heights, strict=True)
    )


def edge_thicknesses(
    system: Prescription, semi_diameters: Sequence[float] | None = None
) -> tuple[float, ...]:
    """The distance along the axis from the rim of each surface except the last to the rim of the
    next; positive if light passes the rims in this order. Both rims are taken at the larger of the
    two ``semi_diameters`` (by default the clear ones). NaN where a surface does not reach this
    height.
    """
    heights = clear_semi_diameters(system) if semi_diameters is None else semi_diameters
    sign, out = 1.0, []
    for (one, height), (other, next_height) in pairwise(zip(system.surfaces, heights, strict=True)):
        sign = -sign if one.is_mirror else sign
        rim = max(height, next_height)
        out.append(sign * (one.thickness + other.sag(rim) - one.sag(rim)))
    return tuple(out)
