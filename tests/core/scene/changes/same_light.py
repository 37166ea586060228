"""The light of a scene compared with that of the scene after a change."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.edited import edited

from raybench.kinds.aspects.similarity import Similarity
from raybench.scene.changes.placing import _FixedPointChange
from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


def rays(result: TraceResult) -> NDArray[np.float64]:
    """Start, direction and power of every ray, in an order that does not depend on the order of
    sources and edges.
    """
    run = result.p2 - result.p1
    length = np.hypot(*run.T)
    with np.errstate(invalid="ignore"):
        unit = run / length[:, None]
    kept = length > 1e-6  # of a length that is only rounding the direction is chance
    table = np.column_stack([result.p1, unit, result.power])[kept]
    return table[np.lexsort(np.round(table, 4).T)]


def assert_same_light(scene: Scene, change: _FixedPointChange, by: Similarity) -> None:
    before = trace(scene, max_segments=3000)
    after = trace(edited(scene, change), max_segments=3000)
    a, b = rays(before), rays(after)
    matrix = np.array([[by.a, by.b], [by.c, by.d]])
    wanted = a.copy()
    wanted[:, :2] = a[:, :2] @ matrix.T + (by.dx, by.dy)
    wanted[:, 2:4] = a[:, 2:4] @ matrix.T / by.scale
    assert len(a) == len(b)
    # each ray of the one among those of the other: rounding may change their order
    for row in wanted:
        # of curved paths, whose errors grow from mirror to mirror
        scale = np.array([3e-3 * by.scale, 3e-3 * by.scale, 3e-4, 3e-4, 3e-5, 3e-5])
        assert np.min(np.max(np.abs(b - row) / scale, axis=1)) < 1, f"no ray as {row}"
    for old, new in zip(before.detectors, after.detectors, strict=True):
        assert new.power == pytest.approx(old.power, rel=1e-6)
