"""Refraction and reflection against the textbook."""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick


def slab(n: float, **more: object) -> Glass:
    """A wide body that fills y > 0 as far as its rays go."""
    corners = ((-1e6, 0.0), (1e6, 0.0), (1e6, 1e6), (-1e6, 1e6))
    return Glass(path=tuple(Vertex(x, y) for x, y in corners), ref_index=n, **more)


def turned(
    point: tuple[float, float], angle: float, about: tuple[float, float]
) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    x, y = point[0] - about[0], point[1] - about[1]
    return about[0] + c * x - s * y, about[1] + s * x + c * y


def fresnel_amplitudes(n1: float, n2: float, angle: float) -> tuple[float, float, float]:
    """r_s, r_p and the angle of refraction (Born & Wolf, section 1.5.2, eqs. 20 and 21)."""
    out = math.asin(n1 * math.sin(angle) / n2)
    r_s = -math.sin(angle - out) / math.sin(angle + out)
    r_p = math.tan(angle - out) / math.tan(angle + out)
    return r_s, r_p, out


def test_snell_and_fresnel_hold_at_a_thousand_random_interfaces() -> None:
    rng = np.random.default_rng(7)
    for _ in range(1000):
        n, angle, tilt = (
            rng.uniform(1.05, 3.5),
            math.radians(rng.uniform(0.5, 89.0)),
            rng.uniform(0, 2 * math.pi),
        )
        foot = tuple(rng.uniform(-100, 100, 2))
        start = (foot[0] - 50 * math.sin(angle), foot[1] - 50 * math.cos(angle))
        path = [
            turned((foot[0] + x, foot[1] + y), tilt, foot)
            for x, y in ((-900, 0), (900, 0), (900, 900), (-900, 900))
        ]
        p1, p2 = Point(*turned(start, tilt, foot)), Point(*foot)
        body = Glass(path=tuple(Vertex(*p) for p in path), ref_index=n)
        result = trace(
            Scene.of([SingleRay(p1=p1, p2=p2), body], Settings(color_mode="linear")),
            max_segments=3,
            threads=1,
        )
        r_s, r_p, out = fresnel_amplitudes(1.0, n, angle)
        by = {Interaction(i): k for k, i in enumerate(result.interaction)}
        reflected, refracted = by[Interaction.REFLECT], by[Interaction.REFRACT]
        np.testing.assert_allclose(
            result.power[reflected], [0.5 * r_s**2, 0.5 * r_p**2], atol=1e-12
        )
        np.testing.assert_allclose(
            result.power[refracted], [0.5 * (1 - r_s**2), 0.5 * (1 - r_p**2)], atol=1e-12
        )
        d = result.p2[refracted] - result.p1[refracted]
        want = turned((math.sin(out), math.cos(out)), tilt, (0, 0))
        np.testing.assert_allclose(d / np.hypot(*d), want, atol=1e-9)


@pytest.mark.parametrize("offset", [0.0, 1e-14, 1e-9])
def test_a_body_of_the_index_around_it_lets_tangent_light_pass(offset: float) -> None:
    ray = SingleRay(p1=Point(-200, 100 - offset), p2=Point(-100, 100 - offset))
    result = trace(
        Scene(objects=(ray, CircleGlass(p1=Point(0, 0), p2=Point(100, 0), ref_index=1.0)))
    )
    assert result.power[-1].sum() == 1.0
    assert result.p2[-1][1] == 100 - offset
    assert result.ledger.imbalance == 0.0


def test_at_brewsters_angle_the_reflection_is_purely_s() -> None:
    n = 1.5
    angle = math.atan(n)
    ray = SingleRay(p1=Point(-math.sin(angle), -math.cos(angle)), p2=Point(0, 0))
    result = trace(Scene.of([ray, slab(n)], Settings(color_mode="linear")), max_segments=3)
    (row,) = np.flatnonzero(result.interaction == Interaction.REFLECT)
    assert result.power[row, 1] < 1e-30
    assert result.power[row, 0] == pytest.approx(0.5 * ((n**2 - 1) / (n**2 + 1)) ** 2)


@pytest.mark.parametrize("n", [1.2, 1.5, 2.4])
def test_total_reflection_begins_at_the_critical_angle(n: float) -> None:
    critical = math.asin(1 / n)
    for angle, expected in (
        (critical - 1e-9, Interaction.REFRACT),
        (critical + 1e-9, Interaction.TIR),
    ):
        ray = SingleRay(p1=Point(-math.sin(angle), math.cos(angle)), p2=Point(0, 0))
        result = trace(Scene.of([ray, slab(n)], Settings(color_mode="linear")), max_segments=20)
        assert expected in result.interaction


def test_an_ideal_lens_images_a_point_to_a_point() -> None:
    """1/s + 1/s' = 1/f, off the axis and for rays as steep as they come."""
    f, s, height = 70.0, 110.0, 13.0
    image = Point(s * f / (s - f), -height * f / (s - f))
    lens = IdealLens(p1=Point(0, -500), p2=Point(0, 500), focal_length=f)
    for target in np.linspace(-450, 450, 31):
        result = trace(
            Scene.of([SingleRay(p1=Point(-s, height), p2=Point(0, float(target))), lens])
        )
        p, d = result.p1[1], result.p2[1] - result.p1[1]
        y = p[1] + d[1] / d[0] * (image.x - p[0])
        assert y == pytest.approx(image.y, abs=1e-9)


def test_a_diverging_lens_gives_a_virtual_image() -> None:
    f, s, height = -60.0, 90.0, 8.0
    at = s * f / (s - f)
    lens = IdealLens(p1=Point(0, -500), p2=Point(0, 500), focal_length=f)
    for target in (-100.0, 20.0, 300.0):
        result = trace(Scene.of([SingleRay(p1=Point(-s, height), p2=Point(0, target)), lens]))
        p, d = result.p1[1], result.p2[1] - result.p1[1]
        assert p[1] + d[1] / d[0] * (at - p[0]) == pytest.approx(-height * f / (s - f), abs=1e-9)


def test_a_prism_at_minimum_deviation_measures_its_index() -> None:
    """n = sin((A + D)/2) / sin(A/2) (Hecht, section 5.5.1)."""
    n, apex = 1.6, math.radians(60)
    half_base, height = 100.0 * math.sin(apex / 2), 100.0 * math.cos(apex / 2)
    prism = Glass(
        path=(Vertex(0, 0), Vertex(half_base, height), Vertex(-half_base, height)),
        ref_index=n, partial_reflect=False,
    )  # fmt: skip
    deviation = 2 * math.asin(n * math.sin(apex / 2)) - apex
    inside_y = 50.0
    on_left = Point(-inside_y * math.tan(apex / 2), inside_y)
    direction = (math.cos(deviation / 2), -math.sin(deviation / 2))
    ray = SingleRay(
        p1=Point(on_left.x - 80 * direction[0], on_left.y - 80 * direction[1]), p2=on_left
    )
    result = trace(Scene.of([ray, prism]))
    d = result.p2[-1] - result.p1[-1]
    assert math.atan2(d[1], d[0]) == pytest.approx(deviation / 2, abs=1e-12)
    np.testing.assert_allclose(result.p2[1][1], inside_y, atol=1e-9)


def test_cauchy_dispersion_shifts_the_index() -> None:
    for wavelength in (400.0, 540.0, 700.0):
        n = 1.5 + 0.01 / (wavelength * 1e-3) ** 2
        angle = math.radians(40)
        ray = SingleRay(
            p1=Point(-math.sin(angle), -math.cos(angle)), p2=Point(0, 0), wavelength=wavelength
        )
        scene = Scene.of(
            [ray, slab(1.5, cauchy_b=0.01, partial_reflect=False)], Settings(simulate_colors=True)
        )
        result = trace(scene, max_segments=2)
        d = result.p2[1] - result.p1[1]
        assert d[0] / np.hypot(*d) == pytest.approx(math.sin(angle) / n, rel=1e-7)


def test_parallel_light_through_a_ball_crosses_the_axis_at_its_back_focus() -> None:
    """Paraxial effective focal length of a ball lens from its centre: nD / 4(n - 1)."""
    n, radius = 1.5, 10.0
    ball = CircleGlass(p1=Point(0, 0), p2=Point(radius, 0), ref_index=n, partial_reflect=False)
    beam = Beam(p1=Point(-40, -0.001), p2=Point(-40, 0.001))
    result = trace(Scene.of([beam, ball], Settings(ray_mode_density=2000)))
    last = np.flatnonzero(result.escaped)
    p, d = result.p1[last], result.p2[last] - result.p1[last]
    crossing = p[:, 0] - p[:, 1] / d[:, 1] * d[:, 0]
    np.testing.assert_allclose(crossing, n * 2 * radius / (4 * (n - 1)), rtol=1e-6)


def test_power_is_conserved_to_rounding_where_nothing_is_truncated() -> None:
    body = Glass(path=(Vertex(0, 0), Vertex(60, 10), Vertex(30, 50)), ref_index=1.5)
    result = trace(
        Scene.of([PointSource(x=-20, y=10, brightness=0.5), body], Settings(color_mode="linear"))
    )
    ledger = result.ledger
    assert abs(ledger.imbalance) < 1e-12 * ledger.emitted
    parents = result.parent[result.parent >= 0]
    children = np.bincount(
        parents, weights=result.total_power[result.parent >= 0], minlength=len(result)
    )
    assert (children <= result.total_power * (1 + 1e-12)).all()


def test_negative_index_refracts_to_the_same_side() -> None:
    angle = math.radians(30)
    ray = SingleRay(p1=Point(-math.sin(angle), -math.cos(angle)), p2=Point(0, 0))
    result = trace(Scene.of([ray, slab(-1.5, partial_reflect=False)]), max_segments=2)
    d = result.p2[1] - result.p1[1]
    assert d[0] / np.hypot(*d) == pytest.approx(-math.sin(angle) / 1.5)
    assert d[1] > 0
