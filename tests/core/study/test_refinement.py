"""Mean pictures over draws, beside closed forms and plain means."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import raybench as rb
from raybench.scene.document import Document
from raybench.study.refinement import Light, RefinedLight, refine_light
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
