"""The rays that sources emit, with the number, order and power that the file format defines."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.kinds.faults import fault_of
from core.kinds.kinds import row_of
from core.kinds.object import SceneObject
from core.kinds.rows.emission import Bundle, Floats, Poll, RayRows, check_count, chunks
from core.scene.scene import Scene
from core.scene.settings import Settings

Sources = tuple[tuple[int, SceneObject], ...]


class _Stopped(Exception):
    """The trace was stopped while source rays were computed."""


@dataclass(frozen=True, eq=False)
class InitialRays:
    """Rays as they leave their sources: starts and unit directions (n, 2), power (n,), gap flags (n,), source index (n,), nm (n,).

    ``fractions`` holds, for each source with a ray density, its index and the fraction of its power that its rays carry: less than 1 where
    a ray would have a power above 1. If the emission was stopped, ``complete`` is False and there are only those rays that had been
    computed. The rays were computed from ``sources`` (with their indices) and ``settings``.
    """

    start: Floats
    direction: Floats
    power: Floats
    gap: NDArray[np.bool_]
    source: NDArray[np.int32]
    wavelength: Floats
    fractions: tuple[tuple[int, float], ...] = ()
    complete: bool = True
    sources: Sources = ()
    settings: Settings | None = None

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """The index of the first ray of each source."""
        return np.flatnonzero(np.diff(self.source, prepend=-1))

    def __len__(self) -> int:
        return len(self.power)


def initial_rays(
    scene: Scene, disabled: Collection[int] = (), stop: Callable[[], bool] | None = None, before: InitialRays | None = None
) -> InitialRays:
    """All rays of all sources, in the order of the scene's optical objects; only the first ones if ``stop``, polled every few
    milliseconds, returns True.

    Returns ``before``, the rays of an earlier trace, if sources and settings are the same; so the arrays must not be written to.
    Raises TooManyRays.
    """
    emitting = ((i, o) for i, o in enumerate(scene.optical) if row_of(o).emits is not None)
    sources = tuple((i, o) for i, o in emitting if o.key not in disabled and not fault_of(o))
    if before is not None and before.complete and before.settings == scene.settings and _same(before.sources, sources):
        return before

    def ask() -> None:
        if stop is not None and stop():
            raise _Stopped

    return _emitted(sources, scene.settings, ask)


def _same(a: Sources, b: Sources) -> bool:
    return len(a) == len(b) and all(i == j and one is other for (i, one), (j, other) in zip(a, b, strict=True))


def _emitted(sources: Sources, settings: Settings, ask: Poll) -> InitialRays:
    bundles: list[tuple[int, float, Bundle]] = []
    total, done = 0, 0
    rays = _room(0)
    try:
        for i, obj in sources:
            ask()
            emits = row_of(obj).emits
            assert emits is not None
            bundle = emits(obj, settings, i, ask)
            total += bundle.count
            check_count(obj, total, "bring the scene to")
            bundles.append((i, obj.wavelength if settings.simulate_colors else math.nan, bundle))  # type: ignore[attr-defined]
        rays = _room(total)
        for i, wavelength, bundle in bundles:
            begin = done
            for chunk in chunks(bundle.count, ask):
                rows = RayRows._make(column[done : begin + chunk.stop] for column in rays)
                rows.power[:], rows.gap[:], rows.source[:], rows.wavelength[:] = bundle.power, False, i, wavelength
                bundle.write(chunk, rows)
                done = begin + chunk.stop
    except _Stopped:
        return InitialRays(*RayRows._make(column[:done] for column in rays), complete=False)
    fractions = tuple((i, b.fraction) for i, _, b in bundles if b.fraction is not None)
    return InitialRays(*rays, fractions=fractions, sources=sources, settings=settings)


def _room(n: int) -> RayRows:
    return RayRows(np.empty((n, 2)), np.empty((n, 2)), np.empty(n), np.empty(n, bool), np.empty(n, np.int32), np.empty(n))
