"""Focus, focal length and magnification of traced bundles, against the closed forms of lenses and
mirrors.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.analysis.rays.bundle import (
    Focus,
    NoFocus,
    best_focus,
    bundle_conjugates,
    fit_cardinal_points,
)
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

IDEAL = IdealLens(p1=Point(0, -40), p2=Point(0, 40), focal_length=100)


def traced(*objects: SceneObject, density: float = 1.0) -> TraceResult:
    return trace(Scene.of(objects, Settings(ray_mode_density=density)))


def through(result: TraceResult) -> tuple[np.ndarray, np.ndarray]:
    """Of every source ray that is only refracted or bent on its way out: its row, and the row that
    it leaves by.
    """
    kept = [Interaction.REFRACT, Interaction.LENS, Interaction.REFLECT]
    out = []
    for leaf in result.lineage.leaves().tolist():
        path = result.lineage.path(leaf)
        ways = result.interaction[path[1:]]
        if len(path) > 1 and np.isin(ways, kept).all() and len(set(ways.tolist())) == 1:
            out.append((path[0], leaf))
    pairs = np.array(out)
    return pairs[:, 0], pairs[:, 1]


def focus_of(result: TraceResult) -> Focus:
    _, last = through(result)
    return best_focus(result.p1[last], result.p2[last] - result.p1[last], result.total_power[last])


def test_an_ideal_lens_focuses_a_beam_in_one_point() -> None:
    result = traced(Beam(p1=Point(-50, -20), p2=Point(-50, 20)), IDEAL)
    focus = focus_of(result)
    assert focus.point == pytest.approx((100, 0), abs=1e-9)
    assert focus.rms < 1e-9
    assert focus.width < 1e-9
    assert focus.real
    first, last = through(result)
    d = result.p2 - result.p1
    lens = fit_cardinal_points(result.p1[first], d[first], result.p1[last], d[last])
    assert lens.focal_length == pytest.approx(100)
    assert lens.focal_point == pytest.approx((100, 0), abs=1e-6)
    assert lens.principal_point == pytest.approx((0, 0), abs=1e-6)


def test_a_diverging_lens_has_a_virtual_focus() -> None:
    result = traced(
        Beam(p1=Point(-50, -20), p2=Point(-50, 20)),
        IdealLens(p1=Point(0, -40), p2=Point(0, 40), focal_length=-80),
    )
    focus = focus_of(result)
    assert focus.point == pytest.approx((-80, 0), abs=1e-9)
    assert not focus.real


def test_a_thick_lens_obeys_the_lensmaker() -> None:
    n, r1, r2, d = 1.5, 120.0, -180.0, 30.0
    lens = SphericalLens(
        p1=Point(0, -30),
        p2=Point(0, 30),
        params={"d": d, "r1": r1, "r2": r2},
        ref_index=n,
        partial_reflect=False,
    )
    result = traced(Beam(p1=Point(-80, -5), p2=Point(-80, 5)), lens, density=2)
    first, last = through(result)
    way = result.p2 - result.p1
    found = fit_cardinal_points(result.p1[first], way[first], result.p1[last], way[last])
    f = 1 / ((n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2)))  # Hecht, 6.1
    assert found.focal_length == pytest.approx(f, rel=1e-6)
    # the rear principal plane lies -f (n-1) d / (n r1) behind the rear vertex, which is d/2 behind
    # the middle
    assert found.principal_point.x == pytest.approx(d / 2 - f * (n - 1) * d / (n * r1), rel=1e-4)
    assert found.focal_point.x - found.principal_point.x == pytest.approx(f, rel=1e-6)


def test_a_parabolic_mirror_focuses_in_its_focus() -> None:
    mirror = ParabolicMirror(p1=Point(20, 40), p2=Point(20, -40), p3=Point(40, 0))  # x = 40 - y²/80
    result = traced(Beam(p1=Point(-50, -20), p2=Point(-50, 20)), mirror)
    focus = focus_of(result)
    assert focus.point == pytest.approx((20, 0), abs=1e-8)
    assert focus.rms < 1e-8
    first, last = through(result)
    d = result.p2 - result.p1
    found = fit_cardinal_points(result.p1[first], d[first], result.p1[last], d[last])
    assert found.focal_length == pytest.approx(20, rel=1e-4)
    assert found.focal_point == pytest.approx((20, 0), abs=1e-3)
    assert found.principal_point == pytest.approx((40, 0), abs=1e-3)


def test_paraxial_focal_length_despite_aberration() -> None:
    lens = SphericalLens(
        p1=Point(0, -45),
        p2=Point(0, 45),
        params={"d": 30, "r1": 1e9, "r2": -60},
        ref_index=1.5,
        partial_reflect=False,
    )
    result = traced(Beam(p1=Point(-80, -28), p2=Point(-80, 28)), lens)
    first, last = through(result)
    d = result.p2 - result.p1
    found = fit_cardinal_points(result.p1[first], d[first], result.p1[last], d[last])
    assert found.focal_length == pytest.approx(120, rel=1e-4)
    assert found.principal_point.x == pytest.approx(15, abs=0.01)


def test_many_rays_are_fitted_like_few() -> None:
    def focal_length(heights: np.ndarray) -> float:
        ones = np.ones_like(heights)
        bent = -heights - 1e-5 * heights**3
        before = np.stack([-50 * ones, heights], axis=1), np.stack([50 * ones, 0 * ones], axis=1)
        after = np.stack([0 * ones, heights], axis=1), np.stack([100 * ones, bent], axis=1)
        return fit_cardinal_points(*before, *after).focal_length

    for count in (50, 5000):
        assert focal_length(np.linspace(-20, 20, count)) == pytest.approx(100, rel=1e-9)
    few_places = np.array([-20.0, 0.0, 20.0])  # more terms than places
    many = focal_length(np.repeat(few_places, 2000))
    assert many == pytest.approx(focal_length(np.repeat(few_places, 100)), rel=1e-6)


def test_least_spot_equals_brute_force() -> None:
    rng = np.random.default_rng(3)
    p = np.stack([np.zeros(60), np.linspace(-20, 20, 60)], axis=1)
    target = np.stack([100 + rng.normal(0, 6, 60), rng.normal(0, 0.2, 60)], axis=1)
    weights = rng.uniform(0.1, 1, 60)
    focus = best_focus(p, target - p, weights)
    d = (target - p) / np.hypot(*(target - p).T)[:, None]
    axis = np.array(focus.axis)

    def spread(x: float) -> float:
        s = (x - p @ axis) / (d @ axis)
        h = (p + s[:, None] * d) @ np.array([-axis[1], axis[0]])
        mean = np.average(h, weights=weights)
        return math.sqrt(np.average((h - mean) ** 2, weights=weights))

    at = float(np.array(focus.point) @ axis)
    assert focus.rms == pytest.approx(spread(at))
    assert all(spread(at + off) > focus.rms for off in (-1, -0.01, 0.01, 1))


def test_bundles_without_a_focus_are_named_errors() -> None:
    p, right = np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    toward = np.array([[1.0, 0.1], [1.0, -0.1]])
    for call, words in (
        (lambda: best_focus(p, right), "parallel"),
        (lambda: best_focus(p, np.array([[1.0, 0.0], [-1.0, 0.0]])), "no common axis"),
        (lambda: best_focus(p[:1], right[:1]), "at least 2"),
        (lambda: best_focus(p, right * np.nan), "no direction"),
        (lambda: best_focus(p, toward, np.zeros(2)), "weight"),
        (lambda: fit_cardinal_points(p, right, p, right), "infinite"),
        (lambda: fit_cardinal_points(p, toward, p, right), "not parallel"),
        (lambda: fit_cardinal_points(p, right, p[:1], right[:1]), "at least 2"),
        (lambda: fit_cardinal_points(p * 0, right, p, toward), "one point"),
    ):
        with pytest.raises(NoFocus, match=words):
            call()


def test_off_axis_mirror() -> None:
    """At 90 degrees twice that of the whole parabola, 2f / (1 + cos 90°), with the focus where the
    parabola's is.
    """
    mirror = ParabolicMirror(p1=Point(-100, -62.5), p2=Point(100, -62.5), p3=Point(0, 0))
    result = traced(Beam(p1=Point(85, -200), p2=Point(75, -200)), mirror, density=2)
    once = np.flatnonzero(result.depth == 1)
    d = result.p2 - result.p1
    first = result.parent[once]
    lens = fit_cardinal_points(result.p1[first], d[first], result.p1[once], d[once])
    assert lens.focal_length == pytest.approx(80, rel=1e-5)
    assert lens.focal_point == pytest.approx((0, -40), abs=1e-6)
    assert lens.principal_point == pytest.approx((80, -40), abs=1e-3)


def test_parallel_rays_turned_aside_stay_parallel() -> None:
    p = np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 2.0]])
    along, aside = np.tile([1.0, 0.0], (3, 1)), np.tile([0.0, 1.0], (3, 1))
    with pytest.raises(NoFocus, match="infinite"):
        fit_cardinal_points(p, along, p + np.array([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), aside)


@pytest.mark.parametrize(("middle", "height"), [(0.5, 0.0), (1.5, 1.5), (-3.0, -3.0)])
def test_image_on_axis_or_of_the_middle_ray(middle: float, height: float) -> None:
    """Coddington: a mirror of radius R images parallel light at the tangential focus, R / 2
    cos(incidence) along the reflected ray.
    """
    radius = 60.0
    h = np.linspace(middle - 1, middle + 1, 11)
    angle = np.arcsin(h / radius)
    on_mirror = np.stack([radius * np.cos(angle), h], axis=1)
    p_in, d_in = np.stack([np.full(11, -100.0), h], axis=1), np.tile([1.0, 0.0], (11, 1))
    d_out = np.stack([-np.cos(2 * angle), -np.sin(2 * angle)], axis=1)
    image = bundle_conjugates(p_in, d_in, on_mirror, d_out, (Point(0, 0), (1.0, 0.0))).image_point
    turn = math.asin(height / radius)
    along = radius / 2 * math.cos(turn)
    exact = (
        radius * math.cos(turn) - along * math.cos(2 * turn),
        height - along * math.sin(2 * turn),
    )
    assert image is not None
    assert image == pytest.approx(exact, rel=1e-7, abs=1e-7)
