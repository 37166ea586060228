"""The rays that sources emit, in the file format's order, number and power."""

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
from core.kinds.rows.emission import Ask, Bundle, Floats, RayRows, check_count, chunks
from core.scene.scene import Scene
from core.scene.settings import Settings

Sources = tuple[tuple[int, SceneObject], ...]


class _Stopped(Exception):
    """The trace was stopped while its sources emitted."""


@dataclass(frozen=True, eq=False)
class InitialRays:
    """Rays as they leave their sources: starts and unit directions (n, 2), power (n,), gap flags (n,), source index (n,), nm (n,).

    ``shares`` tells for each source that has a density its index and what share of its power its rays carry: 1, or less where a ray would
    have a power above 1. Rays whose emission was stopped are not ``complete``: there are none. ``sources`` with their indices and
    ``settings`` are what they were made from.
    """

    start: Floats
    direction: Floats
    power: Floats
    gap: NDArray[np.bool_]
    source: NDArray[np.int32]
    wavelength: Floats
    shares: tuple[tuple[int, float], ...] = ()
    complete: bool = True
    sources: Sources = ()
    settings: Settings | None = None

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """Where the rays of each source begin."""
        return np.flatnonzero(np.diff(self.source, prepend=-1))

    def __len__(self) -> int:
        return len(self.power)


def initial_rays(
    scene: Scene, disabled: Collection[int] = (), stop: Callable[[], bool] | None = None, before: InitialRays | None = None
) -> InitialRays:
    """All rays of all sources, in the order of the scene's optical objects; none where ``stop``, polled every few milliseconds, says so.

    Returns ``before``, rays made earlier, where sources and settings are the same: nobody may write to them.
    """
    emitting = ((i, o) for i, o in enumerate(scene.optical) if row_of(o).emits is not None)
    sources = tuple((i, o) for i, o in emitting if o.key not in disabled and not fault_of(o))
    if before is not None and before.complete and before.settings == scene.settings and _same(before.sources, sources):
        return before

    def ask() -> None:
        if stop is not None and stop():
            raise _Stopped

    try:
        return _emitted(sources, scene.settings, ask)
    except _Stopped:
        return InitialRays(*_room(0), complete=False)


def _same(a: Sources, b: Sources) -> bool:
    return len(a) == len(b) and all(i == j and one is other for (i, one), (j, other) in zip(a, b, strict=True))


def _emitted(sources: Sources, settings: Settings, ask: Ask) -> InitialRays:
    bundles: list[tuple[int, float, Bundle]] = []
    total = 0
    for i, obj in sources:
        ask()
        emits = row_of(obj).emits
        assert emits is not None
        bundle = emits(obj, settings, i, ask)
        total += bundle.count
        check_count(obj, total, "bring the scene to")
        bundles.append((i, obj.wavelength if settings.simulate_colors else math.nan, bundle))  # type: ignore[attr-defined]
    rays, at = _room(total), 0
    for i, wavelength, bundle in bundles:
        for chunk in chunks(bundle.count, ask):
            rows = RayRows._make(column[at + chunk.start : at + chunk.stop] for column in rays)
            rows.power[:], rows.gap[:], rows.source[:], rows.wavelength[:] = bundle.power, False, i, wavelength
            bundle.write(chunk, rows)
        at += bundle.count
    shares = tuple((i, b.fraction) for i, _, b in bundles if b.fraction is not None)
    return InitialRays(*rays, shares=shares, sources=sources, settings=settings)


def _room(n: int) -> RayRows:
    return RayRows(np.empty((n, 2)), np.empty((n, 2)), np.empty(n), np.empty(n, bool), np.empty(n, np.int32), np.empty(n))
