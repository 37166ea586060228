"""Numerical tolerances of a scene file act on its trace."""

from __future__ import annotations

from typing import Any

import pytest

from raybench.files.scene_json import scene_from_json
from raybench.trace.codes import Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


def lit(
    *objects: dict[str, Any], tolerances: dict[str, float], brightness: float = 1.0, **settings: Any
) -> TraceResult:
    """The trace of a ray from the origin to the right."""
    source = {
        "type": "SingleRay",
        "p1": {"x": 0, "y": 0},
        "p2": {"x": 1, "y": 0},
        "brightness": brightness,
    }
    return trace(
        scene_from_json(
            {"version": 5, "objs": [source, *objects], "numericalTolerances": tolerances} | settings
        ),
        threads=1,
    )


def line(kind: str, x: float, low: float = -5.0, high: float = 5.0, **more: Any) -> dict[str, Any]:
    return {"type": kind, "p1": {"x": x, "y": low}, "p2": {"x": x, "y": high}} | more


@pytest.mark.parametrize(("cutoff", "segments"), [(1e-6, 3), (1e-5, 2), (1e-3, 1), (0.0, 4)])
def test_rays_weaker_than_the_power_cutoff_end(cutoff: float, segments: int) -> None:
    splitters = [line("BeamSplitter", 10.0 * k, transRatio=1e-2) for k in (1, 2, 3)]
    transmitted = (
        lit(
            *splitters, tolerances={"rayPowerCutoff": cutoff}, brightness=2e-2, colorMode="linear"
        ).power[:, 0]
        * 2
    )
    # of the rays that go straight on: 0.02, 2e-4, 2e-6, 2e-8
    expected = [2 * 100.0**-k for k in (1, 2, 3, 4)]
    assert sum((abs(transmitted - p) < 1e-9 * p).any() for p in expected) == segments


@pytest.mark.parametrize(
    ("reach", "scale", "status"),
    [(0, 1, Status.ESCAPED), (0.5, 1, Status.ABSORBED), (0.2, 3, Status.ABSORBED)],
)
def test_lines_are_extended_at_their_ends(reach: float, scale: float, status: Status) -> None:
    result = lit(
        line("Blocker", 10, low=0.4), tolerances={"curveEndpoint": reach}, lengthScale=scale
    )
    assert result.status.tolist() == [status]


def test_extended_lines_are_found_in_a_large_scene_too() -> None:
    others = [line("Blocker", 20.0 + k, low=30.0 + 9 * k, high=35.0 + 9 * k) for k in range(40)]
    result = lit(*others, line("Blocker", 10, low=0.4), tolerances={"curveEndpoint": 0.5})
    assert result.hit.tolist() == [41]


@pytest.mark.parametrize(("merging", "segments"), [(1e-6, 3), (1e-2, 2)])
def test_surfaces_nearer_than_the_merging_distance_act_together(
    merging: float, segments: int
) -> None:
    left = {
        "type": "Glass",
        "path": [{"x": x, "y": y} for x, y in ((-9, -9), (5, -9), (5, 9), (-9, 9))],
        "partialReflect": False,
    }
    right = {
        "type": "Glass",
        "path": [{"x": x, "y": y} for x, y in ((5.001, -9), (90, -9), (90, 9), (5.001, 9))],
        "partialReflect": False,
    }
    stop = line("Blocker", 50)
    assert len(lit(left, right, stop, tolerances={"interactionMerging": merging})) == segments


@pytest.mark.parametrize(("forward", "hit"), [(1e-6, 1), (0.5, 2)])
def test_nothing_is_hit_within_the_forward_distance_of_a_source(forward: float, hit: int) -> None:
    assert lit(
        line("Blocker", 0.1), line("Blocker", 10), tolerances={"forwardDistance": forward}
    ).hit.tolist() == [hit]
