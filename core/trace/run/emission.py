"""The rays that sources emit, in the file format's order, number and power."""

from __future__ import annotations

import math
import zlib
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, singledispatch
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import RaybenchError, one_line
from core.kinds.faults import fault_of
from core.kinds.object import SceneObject
from core.kinds.sources import AngleSource, Beam, PointSource, SingleRay, Source
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.shapes.point import Point

Floats = NDArray[np.float64]
MAX_RAYS = 5_000_000
"""What all sources of a scene may emit together: some GB while they are traced."""
PIECE = 1 << 15
"""Rays that are made at a time: few enough for a processor's cache, and made within a millisecond or two."""


class TooManyRays(RaybenchError):
    """A source would emit more rays than can be held."""


class _Stopped(Exception):
    """Nobody wants the rays any longer."""


class _Rows(NamedTuple):
    """Rays or a piece of them, to be written to; columns as in `InitialRays`."""

    start: Floats
    direction: Floats
    power: Floats
    gap: NDArray[np.bool_]
    source: NDArray[np.int32]
    wavelength: Floats


@dataclass(frozen=True, eq=False)
class InitialRays:
    """Rays as they leave their sources: starts and unit directions (n, 2), power (n,), gap flags (n,), source index (n,), nm (n,).

    ``shares`` tells for each source that has a density its index and what share of its power its rays carry: 1, or less where a ray would
    have a power above 1. Rays that were stopped on the way are not ``complete``: there are none.
    """

    start: Floats
    direction: Floats
    power: Floats
    gap: NDArray[np.bool_]
    source: NDArray[np.int32]
    wavelength: Floats
    shares: tuple[tuple[int, float], ...] = ()
    complete: bool = True

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """Where the rays of each source begin."""
        return np.flatnonzero(np.diff(self.source, prepend=-1))

    def __len__(self) -> int:
        return len(self.power)


@dataclass(frozen=True, eq=False)
class _Bundle:
    """``count`` rays of a source, with ``power`` each unless ``write``, which is told their pieces in order, says otherwise."""

    count: int
    power: float = 0.0
    write: Callable[[slice, _Rows], None] = lambda piece, rows: None
    share: float | None = None


Ask = Callable[[], None]
Sources = tuple[tuple[int, SceneObject], ...]
_last: tuple[Sources, Settings, InitialRays] | None = None


def initial_rays(scene: Scene, disabled: Collection[int] = (), stop: Callable[[], bool] | None = None) -> InitialRays:
    """All rays of all sources, in the order of the scene's optical objects; none where ``stop``, asked every few milliseconds, says so.

    The last ones are remembered: while something else is dragged, they are the same. So nobody may write to them.
    """
    global _last
    sources = tuple((i, o) for i, o in enumerate(scene.optical) if isinstance(o, Source) and o.key not in disabled and not fault_of(o))
    last = _last
    if last is not None and last[1] == scene.settings and [(i, id(o)) for i, o in sources] == [(i, id(o)) for i, o in last[0]]:
        return last[2]

    def ask() -> None:
        if stop is not None and stop():
            raise _Stopped

    try:
        rays = _emitted(sources, scene.settings, ask)
    except _Stopped:
        return InitialRays(*_room(0), complete=False)
    _last = (sources, scene.settings, rays)
    return rays


def _emitted(sources: Sources, settings: Settings, ask: Ask) -> InitialRays:
    bundles: list[tuple[int, float, _Bundle]] = []
    total = 0
    for i, obj in sources:
        ask()
        bundle = _emit(obj, settings, i, ask)
        total += bundle.count
        _bounded(obj, total, "bring the scene to")
        bundles.append((i, obj.wavelength if settings.simulate_colors else math.nan, bundle))  # type: ignore[attr-defined]
    rays, at = _room(total), 0
    for i, wavelength, bundle in bundles:
        for piece in _pieces(bundle.count, ask):
            rows = _Rows._make(column[at + piece.start : at + piece.stop] for column in rays)
            rows.power[:], rows.gap[:], rows.source[:], rows.wavelength[:] = bundle.power, False, i, wavelength
            bundle.write(piece, rows)
        at += bundle.count
    return InitialRays(*rays, shares=tuple((i, b.share) for i, _, b in bundles if b.share is not None))


def _room(n: int) -> _Rows:
    return _Rows(np.empty((n, 2)), np.empty((n, 2)), np.empty(n), np.empty(n, bool), np.empty(n, np.int32), np.empty(n))


def _pieces(count: int, ask: Ask) -> Iterator[slice]:
    """What is done at a time, asking before each whether to go on."""
    for begin in range(0, count, PIECE):
        ask()
        yield slice(begin, min(begin + PIECE, count))


@singledispatch
def _emit(source: SceneObject, settings: Settings, index: int, ask: Ask) -> _Bundle:
    raise TypeError(f"{type(source).__name__} emits nothing.")


@_emit.register
def _single(source: SingleRay, settings: Settings, index: int, ask: Ask) -> _Bundle:
    dx, dy = source.p2.x - source.p1.x, source.p2.y - source.p1.y
    if dx == 0 and dy == 0:
        return _Bundle(0)
    norm = math.hypot(dx, dy)

    def write(piece: slice, rows: _Rows) -> None:
        rows.start[:], rows.direction[:], rows.gap[:] = source.p1, (dx / norm, dy / norm), True

    return _Bundle(1, source.brightness, write)


@_emit.register
def _point(source: PointSource, settings: Settings, index: int, ask: Ask) -> _Bundle:
    density = _density(settings, lambda d: source.brightness / d, ask)
    _bounded(source, 500 * density)
    step = _angular_step(density)
    first = -2 * step + 1e-6 if settings.mode == "observer" else 0.0
    angles = _steps(first, step, 2 * math.pi - 1e-5, ask)

    def write(piece: slice, rows: _Rows) -> None:
        _leave(rows, source_point(source), np.sin(angles[piece]), np.cos(angles[piece]))
        rows.gap[:] = angles[piece] == first

    return _fan(len(angles), source.brightness / density, write)


@_emit.register
def _angle(source: AngleSource, settings: Settings, index: int, ask: Ask) -> _Bundle:
    density = _density(settings, lambda d: source.brightness / d, ask)
    step, width = _angular_step(density), source.emis_angle / 180 * math.pi
    zero = -2 * step + 1e-6 if settings.mode == "observer" else 0.0
    first, last = (zero - width / 2, zero + width / 2 - 1e-5) if source.symmetric else (zero, zero + width - 1e-5)
    _bounded(source, (last - first) / step)
    offsets, axis = _steps(first, step, last, ask), math.atan2(source.p2.y - source.p1.y, source.p2.x - source.p1.x)

    def write(piece: slice, rows: _Rows) -> None:
        angles = offsets[piece] + axis
        _leave(rows, source.p1, np.cos(angles), np.sin(angles))
        rows.gap[:] = offsets[piece] == zero

    return _fan(len(offsets), source.brightness / density, write)


@_emit.register
def _beam(source: Beam, settings: Settings, index: int, ask: Ask) -> _Bundle:
    dx, dy = source.p2.x - source.p1.x, source.p2.y - source.p1.y
    length, half, scale = math.hypot(dx, dy), source.emis_angle / 180 * math.pi / 2, settings.length_scale
    if length == 0:
        return _Bundle(0)

    def share(density: float) -> float:
        return source.brightness * scale / density / (1 + 2 * math.floor(half / _angular_step(density)))

    density = _density(settings, share, ask)
    step, n = _angular_step(density), length * density / scale
    _bounded(source, n * (1 + 2 * math.floor(half / step)))
    normal = math.atan2(dx, dy) + math.pi / 2
    wanted = share(density)
    power = min(wanted, 1.0)

    def place(start: Floats, along: Floats) -> None:
        np.add(source.p1.x, along * dx, out=start[:, 0])
        np.add(source.p1.y, along * dy, out=start[:, 1])

    def aim(direction: Floats, powers: Floats, offsets: Floats) -> None:
        # the axis itself is exact, so that a vertical beam is horizontal to the last digit
        axis = offsets == 0
        direction[:, 0] = np.where(axis, dy / length, np.sin(normal + offsets))
        direction[:, 1] = np.where(axis, -dx / length, np.cos(normal + offsets))
        if source.lambert:
            np.multiply(power, np.cos(offsets), out=powers)

    if source.random:
        count = math.ceil(n * (1 + 2 * math.floor(half / step)))
        generator = np.random.default_rng([zlib.crc32(str(settings.random_seed).encode()), index])

        def write(piece: slice, rows: _Rows) -> None:
            numbers = generator.random((len(rows.power), 2))
            place(rows.start, numbers[:, 0])
            aim(rows.direction, rows.power, (2 * numbers[:, 1] - 1) * half)
            rows.gap[0] = piece.start == 0

    else:
        side = _steps(step, step, half, ask)
        fan = np.concatenate([[0.0], np.column_stack([side, -side]).ravel()])
        count, directions, powers = math.floor(n + 0.5) * len(fan), np.empty((len(fan), 2)), np.full(len(fan), power)
        for piece in _pieces(len(fan), ask):
            aim(directions[piece], powers[piece], fan[piece])

        def write(piece: slice, rows: _Rows) -> None:
            ray = np.arange(piece.start, piece.stop)
            point = ray // len(fan)
            of_fan = ray - point * len(fan)
            place(rows.start, (point + 0.5) / n)
            rows.direction[:], rows.power[:] = directions.take(of_fan, axis=0), powers.take(of_fan)

    return _Bundle(count, power, write, 1.0 / max(wanted, 1.0))


def source_point(source: PointSource) -> Point:
    return Point(source.x, source.y)


def _leave(rows: _Rows, at: Point, x: Floats, y: Floats) -> None:
    rows.start[:, 0], rows.start[:, 1] = at
    rows.direction[:, 0], rows.direction[:, 1] = x, y


def _fan(count: int, wanted: float, write: Callable[[slice, _Rows], None]) -> _Bundle:
    """Rays from a point, each with the power that is wanted, but at most 1."""
    return _Bundle(count, min(wanted, 1.0), write, 1.0 / max(wanted, 1.0) if count else None)


def _angular_step(density: float) -> float:
    number = 500 * density
    # the format counts rays in the number as JavaScript writes it: 5e-7 gives 5
    rays = int(number) if number >= 1e-6 else int(repr(number)[0])
    return 2 * math.pi / rays if rays else math.inf


def _density(settings: Settings, power_per_ray: Callable[[float], float], ask: Ask) -> float:
    """The scene's density; where brightness is to be right, raised in steps of 1/500 until no ray carries more than 1."""
    density, steps = settings.density, 1
    if settings.color_mode == "default":
        return density
    while power_per_ray(density) > 1 and 500 * density < MAX_RAYS:
        steps *= 8
        for piece in _pieces(steps, ask):
            densities = np.full(piece.stop - piece.start + 1, 1 / 500)
            densities[0] = density
            np.cumsum(densities, out=densities)
            density = float(densities[-1])
            if not power_per_ray(density) > 1:
                return float(densities[bisect_left(densities, True, key=lambda d: not power_per_ray(float(d)) > 1)])
    return density


def _bounded(source: SceneObject, count: float, deed: str = "emit") -> None:
    if not count <= MAX_RAYS:
        text = f"{source.reference} would {deed} {count:.3g} rays; at most {MAX_RAYS:,} can be traced. Lower the ray density."
        raise TooManyRays(one_line(text))


def _steps(first: float, step: float, end: float, ask: Ask) -> Floats:
    """first, first + step ... below end, each the sum of the one before and the step, as a counting loop gives them."""
    if not first < end:
        return np.empty(0)
    if not math.isfinite(step):
        return np.array([first]) if math.isfinite(first) else np.empty(0)
    values = np.empty(math.ceil((end - first) / step) + 2)
    values[0] = first
    for piece in _pieces(len(values) - 1, ask):
        values[piece.start + 1 : piece.stop + 1] = step
        part = values[piece.start : piece.stop + 1]
        np.cumsum(part, out=part)
    return values[: np.searchsorted(values, end)]
