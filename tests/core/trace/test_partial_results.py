"""What a long trace shows while it runs: rows of the result to come, whole paths of evenly selected
source rays.
"""

from __future__ import annotations

import numpy as np
import pytest

from raybench.kinds.glasses import CircleGlass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import PointSource
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace import trace as tracing
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench.trace.run import generations
from raybench.trace.trace import trace

CORNERS = [Point(0, 0), Point(300, 10), Point(310, 290), Point(-10, 300)]
ROOM = Scene.of(
    [
        *(Mirror(p1=a, p2=b) for a, b in zip(CORNERS, [*CORNERS[1:], CORNERS[0]], strict=True)),
        CircleGlass(p1=Point(200, 200), p2=Point(230, 200)),
        PointSource(x=90.0, y=80.0, brightness=5),
    ],
    Settings(ray_mode_density=4.0),
)
"""A room of mirrors with a glass ball: light goes round until something stops it."""


def partial_results(
    monkeypatch: pytest.MonkeyPatch, threads: int, most: int = 100_000, unit: str = "relative"
) -> tuple[list[TraceResult], TraceResult]:
    monkeypatch.setattr(tracing, "FIRST_SHOWN_SECONDS", 0.0)
    monkeypatch.setattr(tracing, "SHOWN_TIME_FACTOR", 1.2)
    monkeypatch.setattr(tracing, "MAX_SHOWN_SEGMENTS", most)
    monkeypatch.setattr(generations, "PROGRESS_INTERVAL", 0.0)
    monkeypatch.setattr(generations, "POLL_INTERVAL", 0.0)
    parts: list[TraceResult] = []
    return parts, trace(
        ROOM,
        max_segments=60_000,
        threads=threads,
        partial=parts.append,
        revision=7,
        power_unit=unit,
    )


@pytest.mark.parametrize(("threads", "unit"), [(1, "relative"), (2, "mW")])
def test_partial_results_hold_the_first_rows_of_the_result_and_grow(monkeypatch, threads, unit):
    parts, whole = partial_results(monkeypatch, threads, unit=unit)
    assert len(parts) >= 2
    assert [len(p) for p in parts] == sorted(len(p) for p in parts)
    for part in parts:
        n = len(part)
        assert 0 < n <= len(whole)
        assert part.completion == Completion.REDUCED
        assert part.revision == 7
        assert (part.power_unit, part.full_power) == (unit, whole.full_power)
        assert part.milliseconds > 0
        for name in ("p1", "p2", "power", "parent", "source_ray", "hit"):
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[:n])


def test_a_long_partial_result_holds_whole_paths_of_some_source_rays(monkeypatch):
    parts, whole = partial_results(monkeypatch, 1, most=500)
    part = parts[-1]
    assert 50 < len(part) < 2_500 < len(whole)
    assert ((part.parent >= 0) | (part.depth == 0)).all(), "nothing comes from nowhere"
    later = np.flatnonzero(part.parent >= 0)
    np.testing.assert_allclose(part.p1[later], part.p2[part.parent[later]], atol=1e-9)
    rays = np.unique(part.source_ray)
    assert len(np.unique(np.diff(rays))) == 1, "evenly selected"


def test_partial_results_stay_as_they_are_when_the_trace_goes_on(monkeypatch):
    seen: list[tuple[TraceResult, np.ndarray]] = []
    monkeypatch.setattr(tracing, "FIRST_SHOWN_SECONDS", 0.0)
    monkeypatch.setattr(generations, "PROGRESS_INTERVAL", 0.0)
    monkeypatch.setattr(generations, "POLL_INTERVAL", 0.0)
    trace(
        ROOM,
        max_segments=60_000,
        threads=1,
        partial=lambda part: seen.append((part, part.p2.copy())),
    )
    assert seen
    for part, ends in seen:
        np.testing.assert_array_equal(part.p2, ends)
