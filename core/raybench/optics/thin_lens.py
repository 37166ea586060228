"""The ideal thin lens (Hecht, section 5.2.3)."""

from __future__ import annotations

import math


def thin_lens(
    dx: float, dy: float, tx: float, ty: float, height: float, focal_length: float
) -> tuple[float, float]:
    """The unit direction of a ray behind a thin lens.

    (dx, dy) is the ray's unit direction, (tx, ty) the unit vector along the lens, ``height`` the
    distance of the point of incidence from the lens's centre along it. In the lens's frame the
    slope decreases by height / focal length, which gives perfect imaging.
    """
    nx, ny = ty, -tx
    along = dx * nx + dy * ny
    if along < 0.0:
        nx, ny, along = -nx, -ny, -along
    slope = (dx * tx + dy * ty) / along - height / focal_length
    if abs(slope) > 1e100:  # parallel to the lens, for extremely short focal lengths
        return math.copysign(tx, slope * tx), math.copysign(ty, slope * ty)
    norm = math.sqrt(1.0 + slope * slope)
    return (nx + slope * tx) / norm, (ny + slope * ty) / norm
