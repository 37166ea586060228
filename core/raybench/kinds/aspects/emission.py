"""Generation of the rays of a source, in the number, order and power that the file format defines."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from raybench.arrays import Booleans, Floats, Int32s
from raybench.errors import RaybenchError, one_line
from raybench.kinds.object import SceneObject
from raybench.shapes.point import Point

if TYPE_CHECKING:
    from raybench.scene.settings import Settings

MAX_RAYS = 5_000_000
"""Maximum number of rays of all sources of a scene: a few GB while they are traced."""
RAYS_PER_CHUNK = 1 << 15
"""Rays generated at a time: few enough for the processor's cache, and for a polling interval of one
or two milliseconds.
"""


class TooManyRays(RaybenchError):
    """A source would emit more than `MAX_RAYS` rays."""


class RayRows(NamedTuple):
    """Output arrays for a slice of the rays of sources: starts and unit directions (n, 2), power
    (n,), gap flags (n,), source index (n,), and wavelength in nm (n,).
    """

    start: Floats
    direction: Floats
    power: Floats
    gap: Booleans
    source: Int32s
    wavelength: Floats


@dataclass(frozen=True, eq=False)
class RayBundle:
    """The ``count`` rays of a source, each with ``power``. ``write(chunk, rows)`` writes a slice of
    the rays into ``rows``. It is called for all slices in order, or for one slice with a step,
    which selects rays evenly.

    ``fraction`` is the fraction of the source's power that its rays carry: below 1 if the power of
    rays was limited to 1; None for sources without a density.
    """

    count: int
    power: float = 0.0
    write: Callable[[slice, RayRows], None] = lambda chunk, rows: None
    fraction: float | None = None


Poll = Callable[[], None]
"""Called every few milliseconds; raises an exception to cancel the emission."""


Emission = Callable[[Any, "Settings", int, Poll], RayBundle]
"""Arguments: a source, the settings, the source's index in the scene, and the poll function. Raises
TooManyRays.
"""


def chunk_slices(count: int, poll: Poll) -> Iterator[slice]:
    """Yield consecutive slices of at most `RAYS_PER_CHUNK` items that together cover ``count``
    items. ``poll`` is called before each slice; it raises an exception to stop.
    """
    for begin in range(0, count, RAYS_PER_CHUNK):
        poll()
        yield slice(begin, min(begin + RAYS_PER_CHUNK, count))


def write_rays_from_point(
    rows: RayRows, start: Point, directions_x: Floats, directions_y: Floats
) -> None:
    """Write rays that start at ``start`` and have the directions (``directions_x``,
    ``directions_y``).
    """
    rows.start[:, 0], rows.start[:, 1] = start
    rows.direction[:, 0], rows.direction[:, 1] = directions_x, directions_y


def equal_power_bundle(
    count: int, power_per_ray: float, write: Callable[[slice, RayRows], None]
) -> RayBundle:
    """A bundle of rays, each with the power ``power_per_ray``, limited to 1."""
    return RayBundle(
        count, min(power_per_ray, 1.0), write, 1.0 / max(power_per_ray, 1.0) if count else None
    )


def angular_step(density: float) -> float:
    """The angle (rad) between neighbouring rays of a point source; infinite if the density is too
    small for any ray.
    """
    number = 500 * density
    # the format parses the number's JavaScript text as an integer: 5e-7 gives 5
    rays = int(number) if number >= 1e-6 else int(repr(number)[0])
    return 2 * math.pi / rays if rays else math.inf


def density_for_brightness(
    settings: "Settings", power_per_ray: Callable[[float], float], poll: Poll
) -> float:
    """The ray density of the scene's settings. In the mode of exact brightness it is raised in
    steps of 1/500 until the power of each ray is at most 1.
    """
    density, steps = settings.density, 1
    if settings.color_mode == "default":
        return density
    while power_per_ray(density) > 1 and 500 * density < MAX_RAYS:
        steps *= 8
        for chunk in chunk_slices(steps, poll):
            densities = np.full(chunk.stop - chunk.start + 1, 1 / 500)
            densities[0] = density
            np.cumsum(densities, out=densities)
            density = float(densities[-1])
            if not power_per_ray(density) > 1:
                return float(
                    densities[
                        bisect_left(densities, True, key=lambda d: not power_per_ray(float(d)) > 1)
                    ]
                )
    return density


def check_ray_count(source: SceneObject, count: float, action: str = "emit") -> None:
    """Raise TooManyRays if ``count`` exceeds MAX_RAYS. ``action`` is the verb of the message, as in
    “would emit ... rays”.
    """
    if not count <= MAX_RAYS:
        text = (
            f"{source.reference} would {action} {count:.3g} rays; at most {MAX_RAYS:,} can be traced."
            " Lower the ray density."
        )
        raise TooManyRays(one_line(text))


def stepped_values(first: float, step: float, end: float, poll: Poll) -> Floats:
    """The values ``first``, ``first`` + ``step`` ... below ``end``. They are computed by repeated
    addition, as the file format requires.
    """
    if not first < end:
        return np.empty(0)
    if not math.isfinite(step):
        return np.array([first]) if math.isfinite(first) else np.empty(0)
    values = np.empty(math.ceil((end - first) / step) + 2)
    values[0] = first
    for chunk in chunk_slices(len(values) - 1, poll):
        values[chunk.start + 1 : chunk.stop + 1] = step
        part = values[chunk.start : chunk.stop + 1]
        np.cumsum(part, out=part)
    return values[: np.searchsorted(values, end)]
