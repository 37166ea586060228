"""The frame budget: the number of source rays is estimated from earlier traces, and a trace that
exceeds the budget is cut.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.benchmarks.scenes import prism, room

from raybench.trace.codes import Completion, Interaction
from raybench.trace.results.result import Ledger, TraceResult
from raybench.trace.run.frame_budget import FIRST_RAYS, FrameBudget
from raybench.trace.trace import trace


def traced(
    rays: int,
    milliseconds: float,
    *,
    preparing: float = 0.0,
    completion: Completion = Completion.COMPLETE,
    alive: float = 0.0,
):
    """The result of a trace with a number of source rays and a duration."""
    rows = [
        {"p1": (0, 0), "p2": (1, 0), "brightness_s": 0.5, "brightness_p": 0.5, "escaped": True}
    ] * rays
    result = TraceResult.from_segments(rows)
    return dataclasses.replace(
        result,
        milliseconds=milliseconds,
        preparing_ms=preparing,
        completion=completion,
        ledger=Ledger(emitted=rays, alive=alive),
    )


def test_the_first_frame_has_a_default_size_and_the_next_is_estimated_from_it() -> None:
    budget = FrameBudget(10.0)
    assert budget.rays == FIRST_RAYS
    budget.update_estimate(traced(100, 1.0))
    assert 700 <= budget.rays <= 1000


def test_preparation_time_does_not_count_as_time_per_ray() -> None:
    budget = FrameBudget(10.0)
    budget.update_estimate(traced(100, 51.0, preparing=50.0))
    assert 700 <= budget.rays <= 1000
    assert budget.time_limit_ms > 60


def test_one_slow_frame_thins_the_next_a_little_and_many_do_more() -> None:
    budget = FrameBudget(10.0)
    budget.update_estimate(traced(100, 1.0))
    before = budget.rays
    budget.update_estimate(traced(100, 3.0))
    assert before / 2 <= budget.rays <= before
    for _ in range(20):
        budget.update_estimate(traced(100, 3.0))
    assert 230 <= budget.rays <= 333
    budget.update_estimate(traced(100, 1.0))
    assert budget.rays == before


def test_a_cut_frame_halves_the_next_and_a_stopped_one_is_ignored() -> None:
    budget = FrameBudget(10.0)
    budget.update_estimate(traced(100, 1.0))
    before = budget.rays
    budget.update_estimate(traced(100, 500.0, completion=Completion.CANCELLED))
    assert budget.rays == before
    budget.update_estimate(traced(before, 20.0, completion=Completion.REDUCED, alive=1.0))
    assert budget.rays <= before / 2


def test_frames_converge_to_their_budget() -> None:
    scene, budget, per_segment = room(60, 20_000), FrameBudget(8.0), 1e-3
    for _ in range(6):
        result = trace(scene, max_source_rays=budget.rays)
        milliseconds = per_segment * len(result)
        budget.update_estimate(
            dataclasses.replace(result, milliseconds=milliseconds, preparing_ms=0.0)
        )
        assert result.completion is Completion.REDUCED
    assert 4.0 < milliseconds < 10.0, "close to 8, as far as the number of segments per ray varies"
    rays = np.unique(result.source_ray[result.interaction == Interaction.SOURCE])
    assert np.diff(rays).max() < 1.5 * 20_000 / len(rays), "the rays are even over the source"


def test_a_trace_far_beyond_its_budget_is_cut_after_all_source_rays_have_been_started() -> None:
    result = trace(prism(200_000), max_source_rays=100_000, budget_ms=1.0)
    assert result.completion is Completion.REDUCED
    assert (result.interaction == Interaction.SOURCE).sum() == 100_000
    assert result.ledger.alive > 0
    assert result.ledger.imbalance == pytest.approx(0, abs=1e-6)
