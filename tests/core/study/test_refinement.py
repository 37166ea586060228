"""Mean pictures and numbers over draws, beside closed forms and plain means."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import raybench as rb
from raybench.arrays import Floats
from raybench.scene.document import Document
from raybench.study import refinement
from raybench.study.refinement import Light, MeanNumbers, RefinedLight, refine, refine_light
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

BINS = 40


def document() -> Document:
    """A lamp that emits at random into ±60°."""
    scene = rb.Scene(
        rb.Beam("Lamp", width=10, at=(0, 0)), ray_mode_density=0.7, color_mode="linear"
    )
    scene.set("Lamp", random=True, emis_angle=120)
    return scene.document


def light_by_angle(result: TraceResult) -> Light:
    """White light (BINS, 3) as bright as the rays in the equal parts of ±60° are many, 0.5 in the
    mean.
    """
    along = result.p2 - result.p1
    angle = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    rays, _ = np.histogram(angle, BINS, (-60, 60))
    light = 0.5 * rays / rays.mean()
    return np.repeat(light.astype(np.float32)[:, None], 3, axis=1)


def refined(draws: int, **options: int | float) -> list[RefinedLight]:
    return list(refine_light(document(), light_by_angle, draws=draws, **options))


def test_error_falls_as_of_independent_draws_and_is_that_of_the_closed_form() -> None:
    """The lamp is equally bright in all directions; a displayed value is the light to the power of
    1 / 2.2.
    """
    states = refined(1000)
    for state in states[4:]:
        true = float(np.sqrt((((2 * state.light) ** (1 / 2.2) - 1) ** 2).mean()))
        assert state.error == pytest.approx(true, rel=0.6)
    first, last = states[4], states[-1]
    assert last.error / first.error == pytest.approx(math.sqrt(first.draws / last.draws), rel=0.3)


def test_mean_is_that_of_the_draws_for_any_threads() -> None:
    one, two, three = (refined(10, threads=n)[-1].light for n in (1, 2, 3))
    assert (one == two).all()
    assert (one == three).all()
    each = [light_by_angle(trace(document(), draw=draw)) for draw in range(10)]
    assert one == pytest.approx(np.mean(each, axis=0), rel=1e-5)


def test_draws_are_traced_side_by_side_and_added_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    second_ended = threading.Event()

    def trace_second_draw_first(*arguments: Any, draw: int, **options: Any) -> TraceResult:
        assert draw != 0 or second_ended.wait(60)
        result = trace(*arguments, draw=draw, **options)
        if draw == 1:
            second_ended.set()
        return result

    expected = refined(4, threads=1)[-1].light
    monkeypatch.setattr(refinement, "trace", trace_second_draw_first)
    assert (refined(4, threads=2)[-1].light == expected).all()


def test_ends_at_the_error_or_when_stopped() -> None:
    far = refined(100)
    wanted = far[6].error
    assert refined(100, error=wanted)[-1].draws <= far[6].draws
    polls = itertools.count()
    some = list(refine_light(document(), light_by_angle, stop=lambda: next(polls) > 30, threads=1))
    assert 0 < len(some) < 10


def test_single_rays_have_no_other_draws() -> None:
    scene = rb.Scene(rb.SingleRay("Ray", at=(0, 0)), color_mode="linear")
    assert not list(refine_light(scene.document, light_by_angle))


def rays_by_angle(result: TraceResult) -> Floats:
    """The rays (4,) in the quarters of ±60°."""
    along = result.p2 - result.p1
    angle = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    return np.histogram(angle, 4, (-60, 60))[0].astype(float)


def many_rays(result: TraceResult) -> Floats:
    """The same, without those of a quarter that has few rays."""
    rays = rays_by_angle(result)
    return np.where(rays >= rays.mean() - 10, rays, math.nan)


def mean_of(
    numbers_of: Callable[[TraceResult], Floats],
    draws: int,
    scene: Document | None = None,
    **options: int,
) -> MeanNumbers:
    mean = MeanNumbers(numbers_of, [slice(0, 4)])
    list(refine(scene or document(), [mean], draws=draws, **options))
    return mean


def test_means_of_numbers_are_those_of_all_draws() -> None:
    """Up to 32 draws the error is the spread by the root of their number; then that of batches."""
    each = np.array([many_rays(trace(document(), draw=draw)) for draw in range(100)])
    few, many = mean_of(many_rays, 30), mean_of(many_rays, 100)
    assert np.isnan(each[:30]).any()
    counts = np.isfinite(each[:30]).sum(axis=0)
    assert few.means == pytest.approx(np.nanmean(each[:30], axis=0))
    assert few.errors == pytest.approx(np.nanstd(each[:30], axis=0, ddof=1) / np.sqrt(counts))
    batches = np.nanmean(each.reshape(25, 4, 4), axis=1)
    assert many.means == pytest.approx(np.nanmean(each, axis=0))
    assert many.errors == pytest.approx(batches.std(axis=0, ddof=1) / 5)
    assert many.error == pytest.approx(np.linalg.norm(many.errors) / np.linalg.norm(many.means))


def test_errors_of_numbers_are_those_of_closed_forms() -> None:
    """A quarter of a lamp's n rays is in each quarter of its angles, at random with the variance
    3 n / 16. Where the rays of a beam lie between those of other draws, as many are on each side of
    its middle, with an error that falls faster than by the root of their number.
    """
    n, draws = len(trace(document())), 400
    mean = mean_of(rays_by_angle, draws)
    assert (abs(mean.means - n / 4) < 4 * mean.errors).all()
    assert mean.error == pytest.approx(math.sqrt(3 / (n * draws)), rel=0.4)

    def rays_by_side(result: TraceResult) -> Floats:
        return np.histogram(result.p1[:, 1], 2, (-5, 5))[0].astype(float)

    beam = rb.Scene(rb.Beam("Sun", width=10, at=(0, 0)), ray_mode_density=0.07).document
    few, many = (mean_of(rays_by_side, draws, beam) for draws in (16, 512))
    assert 0 < many.error < few.error / 10
    assert (abs(many.means - many.means.mean()) < 4 * many.errors).all()


def test_numbers_are_the_same_for_any_threads() -> None:
    one, *others = (mean_of(rays_by_angle, 40, threads=n) for n in (1, 2, 3))
    for other in others:
        assert (one.means == other.means).all()
        assert (one.errors == other.errors).all()


def test_a_new_mean_takes_the_draws_of_others_which_wait() -> None:
    first, second = (MeanNumbers(rays_by_angle, [slice(0, 4)]) for _ in range(2))
    list(refine(document(), [first], draws=20))
    assert list(refine(document(), [first, second], draws=30)) == [2, 4, 6, 10, 16, 24]
    assert first.draws == second.draws == 30
    assert (first.means == second.means).all()
