"""Refinement of sweeps: the place of a step is found, smooth curves are left alone, limits and
stops are kept.
"""

from __future__ import annotations

import pytest
from tests.core.study.scenes import lens_scene

from raybench.study.experiment import Evaluator
from raybench.study.sweep import InvalidSweep, Sweep, SweepPoint, refine_sweep


def refine(
    axes: list[str], measures: str, most: int, density: float = 1
) -> tuple[list[SweepPoint], list[SweepPoint]]:
    document = lens_scene(rayModeDensity=density)
    sweep = Sweep.build(document, axes, measures)
    points = list(sweep.run())
    with Evaluator() as evaluator:
        return points, list(refine_sweep(sweep, points, most, evaluator))


def test_the_place_where_light_is_lost_is_found() -> None:
    """A single ray meets the middle of a screen that is 100 long: it misses when the screen has
    moved by 50.
    """
    points, more = refine(["Screen.y=0..100:12"], "rays(Screen, Lamp)", 200, density=0.05)
    values = sorted(p.values[0] for p in [*points, *more] if p.measures[0].value == 0)
    lit = max(p.values[0] for p in [*points, *more] if p.measures[0].value > 0)
    assert lit <= 50 <= values[0]
    assert 0 < values[0] - lit < 1e-3
    assert len({p.index for p in [*points, *more]}) == len(points) + len(more)


def test_a_smooth_curve_needs_no_more_points() -> None:
    assert refine(["Screen.x=-50..0:21"], "width(Screen)", 100)[1] == []


def test_a_limit_is_kept() -> None:
    assert len(refine(["Screen.y=0..100:11"], "rays(Screen, Lamp)", 7)[1]) == 7


def test_a_measure_that_becomes_undefined_is_followed_to_its_border() -> None:
    points, more = refine(["Screen.y=0..100:11"], "centroid(Screen)", 60)
    every = [*points, *more]
    border = min(p.values[0] for p in every if not p.measures[0].defined)
    assert border - max(p.values[0] for p in every if p.measures[0].defined) < 1e-3


def test_two_parameters_are_refused() -> None:
    with pytest.raises(InvalidSweep, match="one parameter"):
        refine(["Screen.y=0..1:2", "Screen.x=0..1:2"], "rays(Screen)", 7)
