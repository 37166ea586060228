import math

import numpy as np
import pytest
from tests.core.lens.lenses import MIXED, TRIPLET

from raybench.kinds.glasses import Glass
from raybench.kinds.sources import SingleRay
from raybench.lens.glass import AIR, ModelGlass
from raybench.lens.prescription import Aperture, ApertureKind, Field, Prescription, Surface
from raybench.lens.sequential import trace_fan
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

D = 587.5618


def test_parabola_has_a_perfect_focus_and_equal_paths() -> None:
    mirror = Prescription(
        (Surface(-200.0, -100.0, AIR, conic=-1.0, is_mirror=True),),
        aperture=Aperture(ApertureKind.PUPIL, 90.0),
    )
    fan = trace_fan(mirror, Field(0.0), D, np.linspace(-1, 1, 9))
    assert fan.y[-1] == pytest.approx(np.zeros(9), abs=1e-12)
    assert fan.path[-1] == pytest.approx(np.full(9, 100.0), abs=1e-12)


def test_cartesian_surface_has_equal_paths() -> None:
    n = 1.5  # an ellipse with the eccentricity 1/n focuses parallel light within glass
    lens = Prescription(
        (Surface(20.0, 60.0, ModelGlass(n), conic=-1 / n**2),),
        aperture=Aperture(ApertureKind.PUPIL, 24.0),
    )
    fan = trace_fan(lens, Field(0.0), D, np.linspace(-1, 1, 9))
    assert fan.y[-1] == pytest.approx(np.zeros(9), abs=1e-12)
    assert fan.path[-1] == pytest.approx(np.full(9, n * 60.0), abs=1e-11)


def test_rays_are_those_of_the_bench() -> None:
    """The same lens of glass bodies, traced as a scene."""
    first, second = TRIPLET.surfaces[:2]
    single = Prescription(
        (first, Surface(second.radius, 30.0)), aperture=Aperture(ApertureKind.PUPIL, 8.0)
    )
    fan = trace_fan(single, Field(5.0), D, np.array([0.7]))
    rim = 6.0
    front, back = first.sag(rim), first.thickness + second.sag(rim)
    body = Glass(
        path=(
            Vertex(front, -rim),
            Vertex(back, -rim),
            Vertex(first.thickness, 0.0, True),
            Vertex(back, rim),
            Vertex(front, rim),
            Vertex(0.0, 0.0, True),
        ),
        ref_index=1.62041,
        partial_reflect=False,
    )
    slope = math.tan(math.radians(5.0))
    start = Point(-10.0, float(fan.y[0, 0] - slope * (fan.x[0, 0] + 10)))
    ray = SingleRay(p1=start, p2=Point(start.x + 1, start.y + slope))
    light = trace(Scene().with_objects((body, ray)))
    ends = light.p2[:2]
    assert ends == pytest.approx(np.stack([fan.x[:2, 0], fan.y[:2, 0]], axis=1), abs=1e-9)


@pytest.mark.parametrize("system", [TRIPLET, MIXED])
def test_tangential_vergence_is_that_of_neighbouring_rays(system: Prescription) -> None:
    step = 1e-5
    fan = trace_fan(system, Field(3.0), D, 0.4 + step * np.array([-1.0, 0.0, 1.0]), clipped=False)
    for i in range(len(system.surfaces)):
        x, y, dx, dy = (column[i] for column in (fan.x, fan.y, fan.dx, fan.dy))
        across = dx[0] * dy[2] - dy[0] * dx[2]
        away = ((x[2] - x[0]) * dy[2] - (y[2] - y[0]) * dx[2]) / across
        n = system.indices(D)[i + 1]
        assert fan.tangential[i, 1] == pytest.approx(-n / away, rel=1e-5, abs=1e-7)


def test_ray_from_within_the_sphere_of_a_surface_meets_it_at_its_vertex() -> None:
    """A surface whose sphere encloses the place that the ray comes from."""
    system = Prescription(
        (
            Surface(-200.0, -60.0, AIR, conic=-1.0, is_mirror=True),
            Surface(-120.0, 120.0, AIR, conic=-4.0, is_mirror=True),
        ),
        aperture=Aperture(ApertureKind.PUPIL, 40.0),
    )
    fan = trace_fan(system, Field(0.0), D, np.linspace(-1, 1, 9))
    assert fan.x[1] == pytest.approx(np.full(9, -60.0), abs=0.7)
    # a hyperboloid of this eccentricity images the parabola's focus without aberration
    assert fan.y[-1] == pytest.approx(np.zeros(9), abs=1e-10)
    assert np.ptp(fan.path[-1]) < 1e-10


def test_rays_end_beyond_a_semi_diameter_and_at_total_reflection() -> None:
    clipped = TRIPLET.with_surface(0, semi_diameter=3.0)
    fan = trace_fan(clipped, Field(0.0), D, np.linspace(-1, 1, 5))
    assert fan.is_clear.tolist() == [False, True, True, True, False]
    assert np.isnan(fan.y[-1, 0])
    ball = Prescription(
        (Surface(-4.0, 1.0, ModelGlass(1.9)), Surface(-1.2, 5.0)),
        aperture=Aperture(ApertureKind.PUPIL, 2.2),
    )
    assert not trace_fan(ball, Field(0.0), D, np.array([1.0])).is_clear[0]
