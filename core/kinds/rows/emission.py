"""How a source's rays are counted and written, in the file format's order, number and power."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import RaybenchError, one_line
from core.kinds.object import SceneObject
from core.scene.settings import Settings
from core.shapes.point import Point

Floats = NDArray[np.float64]
MAX_RAYS = 5_000_000
"""What all sources of a scene may emit together: some GB while they are traced."""
CHUNK = 1 << 15
"""Rays that are made at a time: few enough for a processor's cache, and made within a millisecond or two."""


class TooManyRays(RaybenchError):
    """A source would emit more rays than can be held."""


class RayRows(NamedTuple):
    """A chunk of rays to be written: starts and unit directions (n, 2), power (n,), gap flags (n,), source index (n,), wavelength in nm
    (n,)."""

    start: Floats
    direction: Floats
    power: Floats
    gap: NDArray[np.bool_]
    source: NDArray[np.int32]
    wavelength: Floats


@dataclass(frozen=True, eq=False)
class Bundle:
    """``count`` rays of a source, with ``power`` each. ``write`` is called for their chunks in order, with the chunk's rays and its rows.

    ``fraction`` is that of the source's power which its rays carry, below 1 where a ray would have a power above 1; None for sources
    without a density.
    """

    count: int
    power: float = 0.0
    write: Callable[[slice, RayRows], None] = lambda chunk, rows: None
    fraction: float | None = None


Ask = Callable[[], None]
"""Called every few milliseconds; raises where nobody wants the rays any longer."""
Emission = Callable[[Any, Settings, int, Ask], Bundle]
"""The rays of a source with the settings and the source's index in the scene. Raises TooManyRays."""


def chunks(count: int, ask: Ask) -> Iterator[slice]:
    """What is done at a time, asking before each whether to go on."""
    for begin in range(0, count, CHUNK):
        ask()
        yield slice(begin, min(begin + CHUNK, count))


def write_from_point(rows: RayRows, at: Point, x: Floats, y: Floats) -> None:
    """Write rays from one point into the directions (x, y)."""
    rows.start[:, 0], rows.start[:, 1] = at
    rows.direction[:, 0], rows.direction[:, 1] = x, y


def fan(count: int, wanted: float, write: Callable[[slice, RayRows], None]) -> Bundle:
    """Rays from a point, each with the power that is wanted, but at most 1."""
    return Bundle(count, min(wanted, 1.0), write, 1.0 / max(wanted, 1.0) if count else None)


def angular_step(density: float) -> float:
    """The angle (rad) between neighbouring rays of a point; infinite where the density gives none."""
    number = 500 * density
    # the format counts rays in the number as JavaScript writes it: 5e-7 gives 5
    rays = int(number) if number >= 1e-6 else int(repr(number)[0])
    return 2 * math.pi / rays if rays else math.inf


def raised_density(settings: Settings, power_per_ray: Callable[[float], float], ask: Ask) -> float:
    """The scene's density; where brightness is to be right, raised in steps of 1/500 until no ray carries more than 1."""
    density, steps = settings.density, 1
    if settings.color_mode == "default":
        return density
    while power_per_ray(density) > 1 and 500 * density < MAX_RAYS:
        steps *= 8
        for chunk in chunks(steps, ask):
            densities = np.full(chunk.stop - chunk.start + 1, 1 / 500)
            densities[0] = density
            np.cumsum(densities, out=densities)
            density = float(densities[-1])
            if not power_per_ray(density) > 1:
                return float(densities[bisect_left(densities, True, key=lambda d: not power_per_ray(float(d)) > 1)])
    return density


def check_count(source: SceneObject, count: float, deed: str = "emit") -> None:
    """Raise TooManyRays where a source would emit, or bring the scene to, more than MAX_RAYS."""
    if not count <= MAX_RAYS:
        text = f"{source.reference} would {deed} {count:.3g} rays; at most {MAX_RAYS:,} can be traced. Lower the ray density."
        raise TooManyRays(one_line(text))


def steps(first: float, step: float, end: float, ask: Ask) -> Floats:
    """first, first + step ... below end, each the sum of the one before and the step, as a counting loop gives them."""
    if not first < end:
        return np.empty(0)
    if not math.isfinite(step):
        return np.array([first]) if math.isfinite(first) else np.empty(0)
    values = np.empty(math.ceil((end - first) / step) + 2)
    values[0] = first
    for chunk in chunks(len(values) - 1, ask):
        values[chunk.start + 1 : chunk.stop + 1] = step
        part = values[chunk.start : chunk.stop + 1]
        np.cumsum(part, out=part)
    return values[: np.searchsorted(values, end)]
