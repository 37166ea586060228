"""The heights of the rims of a lens's surfaces, when it is converted to objects of a scene."""

import math
from itertools import pairwise

import numpy as np

from raybench.lens.clearance import clear_semi_diameters
from raybench.lens.prescription import Prescription, Surface

RIM_MARGIN = 1.03
"""Rims of surfaces without a semi-diameter, relative to the outermost ray."""
LEAST_EDGE = 0.02
"""The distance of such rims at least, relative to that of the vertices."""


def rim_heights(system: Prescription) -> tuple[float, ...]:
    """The height of the rim of each surface: the given semi-diameter, or a little more than the
    rays of all fields need, limited to where the surface ends or crosses the next one.
    """
    surfaces = system.surfaces
    rims = [
        half
        if s.semi_diameter is not None
        else min(RIM_MARGIN * half, 0.999 * _conic_end_height(s))
        for s, half in zip(surfaces, clear_semi_diameters(system), strict=True)
    ]
    signs = np.cumprod([-1 if s.is_mirror else 1 for s in surfaces]).tolist()

    def lowered(i: int, limit: float) -> tuple[float, float]:
        """The rims of a surface and the next with a limit to those without a semi-diameter."""
        one, other = (
            min(rims[k], limit) if surfaces[k].semi_diameter is None else rims[k]
            for k in (i, i + 1)
        )
        return one, other

    def is_open(i: int, limit: float) -> bool:
        one, other = lowered(i, limit)
        way = surfaces[i].thickness
        edge = signs[i] * (way + surfaces[i + 1].sag(other) - surfaces[i].sag(one))
        return bool(edge >= LEAST_EDGE * abs(way))

    for _ in surfaces:  # a lower rim may come nearer to its other neighbour
        for i in _facing_surfaces(system):
            low, high = 0.0, max(rims[i], rims[i + 1])
            if is_open(i, high):
                continue
            for _ in range(50):
                middle = (low + high) / 2
                low, high = (middle, high) if is_open(i, middle) else (low, middle)
            if low > 0:
                rims[i], rims[i + 1] = lowered(i, low)
    return tuple(rims)


def _conic_end_height(surface: Surface) -> float:
    """The height at which a conic surface ends; infinite if it has no end."""
    under = (1 + surface.conic) * surface.curvature**2
    return 1 / math.sqrt(under) if under > 0 else math.inf


def _facing_surfaces(system: Prescription) -> list[int]:
    """The indices of the surfaces followed by glass, or by air and then a glass surface or a
    mirror.
    """
    media = [system.object_glass]
    for surface in system.surfaces:
        media.append(media[-1] if surface.is_mirror else surface.glass)
    real = [s.is_mirror or media[i] != media[i + 1] for i, s in enumerate(system.surfaces)]
    return [i for i, pair in enumerate(pairwise(real)) if all(pair)]
