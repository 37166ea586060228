"""Widths and angles reach to the rims of the sources' light, whatever the number of rays."""

from __future__ import annotations

import math

import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace

SCREEN = Detector(p1=Point(100, -60), p2=Point(100, 60), name="Screen")
LENS = IdealLens(p1=Point(50, -20), p2=Point(50, 20), focal_length=50, name="Lens")


def values(measures: str, *objects: SceneObject, density: float = 0.3) -> list[float | None]:
    document = Document(scene=Scene.of(objects, Settings(ray_mode_density=density)))
    return [m.value_or_none for m in measure_values(measures, document, trace(document))]


def beam(width: float, angle: float = 0.0) -> Beam:
    half = width / 2
    return Beam(p1=Point(0, -half), p2=Point(0, half), emis_angle=angle, name="Laser")


@pytest.mark.parametrize("density", [0.06, 0.3, 1.0])
@pytest.mark.parametrize("width", [10.0, 37.3])
def test_a_beam_is_as_wide_as_its_source(width: float, density: float) -> None:
    found = values(
        "arriving_width(Screen); beam_width(Screen); width(Screen)",
        beam(width),
        SCREEN,
        density=max(density, 2.5 * 10 / width / 10),
    )
    assert found == pytest.approx([width] * 3, rel=1e-8)


@pytest.mark.parametrize("turned", [True, False])
def test_a_fan_is_as_wide_as_its_angle(turned: bool) -> None:
    fan = AngleSource(p1=Point(0, 0), p2=Point(1, 0), emis_angle=18, symmetric=turned, name="Fan")
    other = SingleRay(p1=Point(0, -900), p2=Point(1, -900), name="Other")
    angle, width = values("arriving_divergence(Screen); width(Screen)", other, fan, SCREEN)
    first = -9 if turned else 0
    edges = [100 * math.tan(math.radians(first + a)) for a in (0, 18)]
    assert (angle, width) == pytest.approx((18, edges[1] - edges[0]), rel=1e-9)


def test_a_cone_is_as_wide_as_its_rims() -> None:
    found = values("width(Screen); arriving_divergence(Screen)", beam(10, 9), SCREEN)
    assert found == pytest.approx([10 + 200 * math.tan(math.radians(4.5)), 9], rel=1e-8)


def test_the_numerical_aperture_of_a_lens() -> None:
    found = values("half_angle(Lens); numerical_aperture(Lens); f_number(Lens)", beam(20), LENS)
    half = math.atan(10 / 50)
    assert found == pytest.approx([math.degrees(half), math.sin(half), 50 / 20], rel=1e-8)


def test_a_stop_cuts_the_rims() -> None:
    stop = Aperture(
        p1=Point(20, -30), p2=Point(20, 30), p3=Point(20, -4), p4=Point(20, 4), name="Stop"
    )
    (width,) = values("arriving_width(Screen)", beam(20), stop, SCREEN, density=1.0)
    assert width is not None
    assert 7 <= width <= 8


def test_the_largest_angle_of_any_ray() -> None:
    fan = AngleSource(p1=Point(0, 0), p2=Point(100, 10), emis_angle=12, name="Fan")
    ray = SingleRay(p1=Point(0, 30), p2=Point(100, 0), brightness=1e-3, name="Ray")
    tilted = IdealLens(p1=Point(45, -20), p2=Point(50, 20), focal_length=50, name="Tilted")
    steepest = math.degrees(math.atan(0.1)) + 6
    assert values("largest_angle(Screen, Fan)", fan, ray, SCREEN) == pytest.approx([steepest])
    assert values("largest_angle(Screen)", fan, ray, SCREEN) == pytest.approx(
        [math.degrees(math.atan(0.3))]
    )
    (of_lens,) = values("largest_angle(Tilted, Fan)", fan, tilted, SCREEN)
    axis = -math.degrees(math.atan(5 / 40))
    assert of_lens == pytest.approx(steepest - axis)
    assert values("largest_angle(Screen)", SCREEN) == [None]


def test_the_light_of_a_perfect_lens_has_no_width_at_its_focus() -> None:
    assert values("spot_width(Lens)", beam(20), LENS) == pytest.approx([0], abs=1e-9)


@pytest.mark.parametrize("density", [0.5, 4.0])
def test_a_rim_passes_glass_of_its_width(density: float) -> None:
    n, r, h = 1.5, 50.0, 5.0  # the flat side first, so that only the curved one refracts
    lens = SphericalLens(
        p1=Point(50, -h),
        p2=Point(50, h),
        params={"d": 4, "r1": None, "r2": -r},
        ref_index=n,
        name="Lens",
    )
    found = values(
        "marginal_focus(Lens); stop_fill(Lens)", beam(2 * h), lens, SCREEN, density=density
    )
    turn = math.asin(n * h / r) - math.asin(h / r)
    assert found == pytest.approx([h / math.tan(turn) - (r - math.sqrt(r**2 - h**2)), 1], rel=1e-6)


@pytest.mark.parametrize("focal_length", [20.0, -20.0])
def test_detectors_behind_an_object_do_not_widen_the_beam_that_leaves_it(
    focal_length: float,
) -> None:
    lens = IdealLens(p1=Point(50, -20), p2=Point(50, 20), focal_length=focal_length, name="Lens")
    behind = (
        Detector(p1=Point(60, -60), p2=Point(60, 60), name="Near"),
        Detector(p1=Point(150, -60), p2=Point(150, 60), name="Far"),
    )
    found = values("beam_width(Lens); beam_width(Near)", beam(10), lens, *behind)
    near = 10 * abs(1 - 10 / focal_length)
    assert found == pytest.approx([10, near], rel=1e-8)
