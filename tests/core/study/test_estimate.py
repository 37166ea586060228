"""Means over random draws, beside closed forms."""

import itertools
import math

import numpy as np
import pytest

import raybench as rb
from raybench.analysis.measures.light import Light
from raybench.scene.document import Document
from raybench.study.estimate import InvalidEstimate, estimate
from raybench.trace.trace import trace


def scene_of_random_lamp() -> rb.Scene:
    """A point-like lamp that emits into ±60°, and a screen that subtends ±45° of it."""
    scene = rb.Scene(
        rb.Beam("Lamp", width=0.01, at=(0, 0)),
        rb.Detector("Screen", height=20, at=(10, 0)),
        ray_mode_density=10,
    )
    scene.set("Lamp", random=True, emis_angle=120)
    return scene


def last_means(document: Document, measures: str, **options: float | int) -> tuple[float, ...]:
    *_, means = estimate(document, measures, **options)  # type: ignore[arg-type]
    return tuple(v for mean in means for v in (mean.value, mean.error, mean.draws))


def test_mean_within_its_error_of_the_exact_share() -> None:
    share, error, draws = last_means(scene_of_random_lamp().document, "share(Screen)", error=0.01)
    assert error / share <= 0.01
    assert draws >= 8
    assert abs(share - 90 / 120) < 4 * error


def test_same_means_for_any_threads() -> None:
    document = scene_of_random_lamp().document
    one, three = (
        last_means(document, "share(Screen); rms(Screen)", draws=12, threads=n) for n in (1, 3)
    )
    assert one == three


def test_error_is_that_of_independent_draws() -> None:
    states = list(estimate(scene_of_random_lamp().document, "share(Screen)", draws=20))
    values = [means[0].latest.value for means in states]
    assert len(set(values)) > 10
    mean = sum(values) / 20
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / 19)
    assert states[-1][0].value == pytest.approx(mean)
    assert states[-1][0].error == pytest.approx(spread / math.sqrt(20))


def test_first_draw_is_the_scene_itself() -> None:
    scene = scene_of_random_lamp()
    first = next(estimate(scene.document, "share(Screen)"))
    assert first[0].value == float(scene.measure("share(Screen)"))


def test_light_without_an_object_is_of_the_same_draw() -> None:
    scene = scene_of_random_lamp()
    scene.add(rb.Blocker("Wall", p1=(5, -1), p2=(5, 1)))
    for draw in range(2):
        result = trace(scene.document, draw=draw)
        light = Light.from_document(scene.document, result)
        wall = light.scene.optical.index(scene.document.scene.objects[-1])
        without = light.with_object_disabled(wall).result
        first, other = (r.direction[r.parent < 0] for r in (result, without))
        assert first == pytest.approx(other)


def test_stop_ends_with_the_draws_so_far() -> None:
    polls = itertools.count()
    states = list(
        estimate(
            scene_of_random_lamp().document,
            "share(Screen)",
            threads=1,
            stop=lambda: next(polls) > 20,
        )
    )
    assert 0 < len(states) < 1000


def test_a_scene_without_chance_is_refined_by_more_rays() -> None:
    scene = rb.Scene(
        rb.PointSource("Lamp", at=(0, 0)), rb.Detector("Screen", height=17, at=(10, 2))
    )
    exact = (math.atan(1.05) + math.atan(0.65)) / (2 * math.pi)
    share, error, draws = last_means(scene.document, "share(Screen)", error=1e-3)
    assert 8 <= draws < 1000
    assert abs(share - exact) < 4 * error
    assert abs(share - exact) < abs(float(scene.measure("share(Screen)")) - exact)
    values = [m.latest.value for (m,) in estimate(scene.document, "share(Screen)", draws=256)]
    _, error, _ = last_means(scene.document, "share(Screen)", draws=256)
    independent = np.std(values) / math.sqrt(256)
    assert abs(np.mean(values) - exact) < error < independent
    one, three = (last_means(scene.document, "rms(Screen)", draws=9, threads=n) for n in (1, 3))
    assert one == three


def test_single_rays_cannot_be_refined() -> None:
    scene = rb.Scene(rb.SingleRay("Ray", at=(0, 0)), rb.Detector("Screen", height=20, at=(10, 0)))
    with pytest.raises(InvalidEstimate, match="only single rays"):
        next(estimate(scene.document, "power(Screen)"))


def test_rare_light_is_not_taken_for_none() -> None:
    """Eight draws without light at a small detector are no reason to stop."""
    scene = rb.Scene(
        rb.SingleRay("Ray", p1=(0, 0), p2=(1, 0)),
        rb.Mirror("Wall", height=20, at=(50, 0)),
        rb.Detector("Eye", height=1, at=(40, 12)),
    )
    scene.change([{"finish": "Wall", "with": {"scatter": "lambertian", "rays": 1}}])
    *_, means = estimate(scene.document, "power(Eye)", error=0.3)
    assert means[0].value > 0
    assert means[0].draws > 8


def test_specular_survivors_differ_between_draws() -> None:
    """Half a percent stays specular, too weak to be followed in each draw."""
    scene = rb.Scene(
        rb.SingleRay("Ray", p1=(0, 0), p2=(1, 0)),
        rb.Mirror("Wall", height=20, at=(50, 0), angle=45),
        rb.Detector("Eye", height=0.001, at=(50, 30), angle=90),
    )
    scene.change([{"finish": "Wall", "with": {"scatter": "lambertian", "total": 0.995}}])
    *_, means = estimate(scene.document, "power(Eye)", draws=400)
    assert means[0].error > 0
    assert abs(means[0].value - 0.005) < 4 * means[0].error


def test_mean_of_directions_is_on_both_sides_of_their_ends() -> None:
    """Half of the rays of a lamp go a little up, half a little down, to the left."""
    scene = rb.Scene(rb.Beam("Lamp", width=1, at=(0, 0), angle=180), ray_mode_density=2)
    scene.set("Lamp", random=True, emis_angle=2)
    *_, (mean,) = estimate(scene.document, "direction(Lamp)", draws=40)
    assert abs(abs(mean.value) - 180) < 4 * mean.error < 1


def test_measure_that_never_has_a_value_ends() -> None:
    scene = scene_of_random_lamp()
    scene.move("Screen", dx=-40)
    *_, means = estimate(scene.document, "rms(Screen)")
    assert means[0].draws == means[0].undefined == 8
    assert "undefined" in str(means[0])
