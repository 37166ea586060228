"""The rays that sources emit, in the file format's order, number and power."""

from __future__ import annotations

import math
import zlib
from bisect import bisect_left
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from core.errors import RaybenchError, one_line
from core.scene.faults import fault_of
from core.scene.object import SceneObject
from core.scene.point import Point
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.scene.sources import AngleSource, Beam, PointSource, SingleRay, Source

Floats = NDArray[np.float64]
MAX_RAYS = 5_000_000
"""What all sources of a scene may emit together: some GB while they are traced."""


class TooManyRays(RaybenchError):
    """A source would emit more rays than can be held."""


@dataclass(frozen=True, eq=False)
class InitialRays:
    """Rays as they leave their sources: starts and unit directions (n, 2), power (n,), gap flags (n,), source index (n,), nm (n,).

    ``shares`` tells for each source that has a density its index and what share of its power its rays carry: 1, or less where a ray would
    have a power above 1.
    """

    start: Floats
    direction: Floats
    power: Floats
    gap: NDArray[np.bool_]
    source: NDArray[np.int32]
    wavelength: Floats
    shares: tuple[tuple[int, float], ...] = ()

    def __len__(self) -> int:
        return len(self.power)


@dataclass(frozen=True, eq=False)
class _Bundle:
    start: Floats
    direction: Floats
    power: Floats
    gap: NDArray[np.bool_]
    share: float | None = None


Sources = tuple[tuple[int, SceneObject], ...]
_last: tuple[Sources, Settings, InitialRays] | None = None


def initial_rays(scene: Scene, disabled: Collection[int] = ()) -> InitialRays:
    """All rays of all sources, in the order of the scene's optical objects.

    The last ones are remembered: while something else is dragged, they are the same. So nobody may write to them.
    """
    global _last
    sources = tuple((i, o) for i, o in enumerate(scene.optical) if isinstance(o, Source) and o.key not in disabled and not fault_of(o))
    last = _last
    if last is not None and last[1] == scene.settings and [(i, id(o)) for i, o in sources] == [(i, id(o)) for i, o in last[0]]:
        return last[2]
    rays = _emitted(sources, scene.settings)
    _last = (sources, scene.settings, rays)
    return rays


def _emitted(sources: Sources, settings: Settings) -> InitialRays:
    bundles: list[tuple[int, float, _Bundle]] = []
    total = 0
    for i, obj in sources:
        bundle = _emit(obj, settings, i)
        total += len(bundle.power)
        _bounded(obj, total, "bring the scene to")
        bundles.append((i, obj.wavelength, bundle))  # type: ignore[attr-defined]
    if not bundles:
        none = np.empty(0)
        return InitialRays(np.empty((0, 2)), np.empty((0, 2)), none, none.astype(bool), none.astype(np.int32), none)
    colours = settings.simulate_colors
    return InitialRays(
        np.concatenate([b.start for _, _, b in bundles]),
        np.concatenate([b.direction for _, _, b in bundles]),
        np.concatenate([b.power for _, _, b in bundles]),
        np.concatenate([b.gap for _, _, b in bundles]),
        np.concatenate([np.full(len(b.power), i, np.int32) for i, _, b in bundles]),
        np.concatenate([np.full(len(b.power), w if colours else math.nan) for _, w, b in bundles]),
        tuple((i, b.share) for i, _, b in bundles if b.share is not None),
    )


@singledispatch
def _emit(source: SceneObject, settings: Settings, index: int) -> _Bundle:
    raise TypeError(f"{type(source).__name__} emits nothing.")


@_emit.register
def _single(source: SingleRay, settings: Settings, index: int) -> _Bundle:
    dx, dy = source.p2.x - source.p1.x, source.p2.y - source.p1.y
    if dx == 0 and dy == 0:
        return _fan(source.p1, np.empty(0), np.empty(0), 0.0, np.empty(0, bool))
    norm = math.hypot(dx, dy)
    return _Bundle(np.array([source.p1]), np.array([[dx / norm, dy / norm]]), np.array([source.brightness]), np.ones(1, bool))


@_emit.register
def _point(source: PointSource, settings: Settings, index: int) -> _Bundle:
    density = _density(settings, lambda d: source.brightness / d)
    _bounded(source, 500 * density)
    step = _angular_step(density)
    first = -2 * step + 1e-6 if settings.mode == "observer" else 0.0
    angles = _steps(first, step, 2 * math.pi - 1e-5)
    return _fan(source_point(source), np.sin(angles), np.cos(angles), source.brightness / density, np.arange(len(angles)) == 0)


@_emit.register
def _angle(source: AngleSource, settings: Settings, index: int) -> _Bundle:
    density = _density(settings, lambda d: source.brightness / d)
    step, width = _angular_step(density), source.emis_angle / 180 * math.pi
    zero = -2 * step + 1e-6 if settings.mode == "observer" else 0.0
    first, last = (zero - width / 2, zero + width / 2 - 1e-5) if source.symmetric else (zero, zero + width - 1e-5)
    _bounded(source, (last - first) / step)
    offsets = _steps(first, step, last)
    angles = offsets + math.atan2(source.p2.y - source.p1.y, source.p2.x - source.p1.x)
    return _fan(source.p1, np.cos(angles), np.sin(angles), source.brightness / density, offsets == zero)


@_emit.register
def _beam(source: Beam, settings: Settings, index: int) -> _Bundle:
    dx, dy = source.p2.x - source.p1.x, source.p2.y - source.p1.y
    length, half, scale = math.hypot(dx, dy), source.emis_angle / 180 * math.pi / 2, settings.length_scale
    if length == 0:
        return _fan(source.p1, np.empty(0), np.empty(0), 0.0, np.empty(0, bool))

    def share(density: float) -> float:
        return source.brightness * scale / density / (1 + 2 * math.floor(half / _angular_step(density)))

    density = _density(settings, share)
    step, n = _angular_step(density), length * density / scale
    _bounded(source, n * (1 + 2 * math.floor(half / step)))
    normal = math.atan2(dx, dy) + math.pi / 2
    if source.random:
        count = math.ceil(n * (1 + 2 * math.floor(half / step)))
        numbers = np.random.default_rng([zlib.crc32(str(settings.random_seed).encode()), index]).random((count, 2))
        along, offsets, gap = numbers[:, 0], (2 * numbers[:, 1] - 1) * half, np.arange(count) == 0
    else:
        side = _steps(step, step, half)
        fan = np.concatenate([[0.0], np.column_stack([side, -side]).ravel()])
        along = np.repeat((np.arange(math.floor(n + 0.5)) + 0.5) / n, len(fan))
        offsets = np.tile(fan, math.floor(n + 0.5))
        gap = np.zeros(len(along), bool)
    wanted = share(density)
    power = np.full(len(along), min(wanted, 1.0))
    if source.lambert:
        power = power * np.cos(offsets)
    start = np.column_stack([source.p1.x + along * dx, source.p1.y + along * dy])
    # the axis itself is exact, so that a vertical beam is horizontal to the last digit
    axis = offsets == 0
    direction = np.column_stack(
        [np.where(axis, dy / length, np.sin(normal + offsets)), np.where(axis, -dx / length, np.cos(normal + offsets))]
    )
    return _Bundle(start, direction, power, gap, 1.0 / max(wanted, 1.0))


def source_point(source: PointSource) -> Point:
    return Point(source.x, source.y)


def _fan(at: Point, x: Floats, y: Floats, wanted: float, gap: NDArray[np.bool_]) -> _Bundle:
    """Rays from a point, each with the power that is wanted, but at most 1."""
    power = np.full(len(x), min(wanted, 1.0))
    return _Bundle(np.tile(np.array(at), (len(x), 1)), np.column_stack([x, y]), power, gap, 1.0 / max(wanted, 1.0) if len(x) else None)


def _angular_step(density: float) -> float:
    number = 500 * density
    # the format counts rays in the number as JavaScript writes it: 5e-7 gives 5
    rays = int(number) if number >= 1e-6 else int(repr(number)[0])
    return 2 * math.pi / rays if rays else math.inf


def _density(settings: Settings, power_per_ray: Callable[[float], float]) -> float:
    """The scene's density; where brightness is to be right, raised in steps of 1/500 until no ray carries more than 1."""
    densities = np.array([settings.density])
    if settings.color_mode == "default":
        return settings.density
    while power_per_ray(float(densities[-1])) > 1 and 500 * densities[-1] < MAX_RAYS:
        # each the sum of the one before and the step, as a counting loop gives them
        densities = np.cumsum(np.concatenate([densities[:1], np.full(8 * len(densities), 1 / 500)]))
    found = bisect_left(densities, True, key=lambda d: not power_per_ray(float(d)) > 1)
    return float(densities[min(found, len(densities) - 1)])


def _bounded(source: SceneObject, count: float, deed: str = "emit") -> None:
    if not count <= MAX_RAYS:
        text = f"'{source.title}' ({source.type}) would {deed} {count:.3g} rays; at most {MAX_RAYS:,} can be traced. Lower the ray density."
        raise TooManyRays(one_line(text))


def _steps(first: float, step: float, end: float) -> Floats:
    """first, first + step ... below end, each the sum of the one before and the step, as a counting loop gives them."""
    if not first < end:
        return np.empty(0)
    if not math.isfinite(step):
        return np.array([first]) if math.isfinite(first) else np.empty(0)
    count = math.ceil((end - first) / step) + 2
    values = np.cumsum(np.concatenate([[first], np.full(count, step)]))
    return values[values < end]
