"""Places of objects and distances between them against closed forms: of centres, of surfaces, and
along an optical axis.
"""

from __future__ import annotations

import math

import pytest

from raybench.analysis.geometry.edge_curve import least_clearance
from raybench.analysis.measures.bound import measure_values
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ArcMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.bezier import Bezier
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, FullLine, Line, Parabola, Shape, circle_about
from raybench.trace.trace import trace

OBJECTS: list[SceneObject] = [
    PointSource(name="Lamp", x=-100, y=30),
    Beam(name="Laser", p1=Point(-50, -5), p2=Point(-50, 5)),
    SphericalLens(
        name="Lens", p1=Point(0, -10), p2=Point(0, 10), params={"d": 6.0, "r1": 60.0, "r2": -60.0}
    ),
    IdealLens(name="Thin", p1=Point(40, -10), p2=Point(40, 10), focal_length=50),
    Detector(name="Screen", p1=Point(100, -20), p2=Point(100, 40)),
    CircleGlass(name="Ball", p1=Point(0, 80), p2=Point(5, 80)),
    CircleGlass(name="Bead", p1=Point(30, 120), p2=Point(32, 120)),
    Glass(name="Wedge", path=(Vertex(150, 0), Vertex(170, 0), Vertex(150, 20)), ref_index=1.5),
    ArcMirror(name="Dish", p1=Point(-95, 460), p2=Point(-95, 540), p3=Point(-100, 500)),
    ArcMirror(name="Cup", p1=Point(95, 460), p2=Point(95, 540), p3=Point(100, 500)),
    Blocker(name="Above", p1=Point(90, -300), p2=Point(110, -300)),
]
DOCUMENT = Document(scene=Scene.of(OBJECTS))


def value(expression: str) -> float:
    (found,) = measure_values(expression, DOCUMENT, trace(DOCUMENT, threads=1))
    assert found.unit == "mm"
    assert found.defined, found.reason
    return found.value


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("centre_x(Wedge)", 470 / 3),
        ("centre_y(Wedge)", 20 / 3),
        ("centre_y(Screen)", 10.0),
        ("centre_x(Lamp)", -100.0),
        ("centre_x(Dish)", -100.0),
        ("distance(Thin, Screen)", math.hypot(60, 10)),
        ("gap(Thin, Screen)", 60.0),
        ("axial_gap(Thin, Screen)", 60.0),
        ("gap(Lens, Thin)", 37.0),
        ("distance(Lens, Thin)", 40.0),
        ("axial_gap(Thin, Lens)", 37.0),
        ("distance(Dish, Cup)", 200.0),
        ("axial_gap(Dish, Cup)", 200.0),
        ("distance(Ball, Bead)", 50.0),
        ("gap(Ball, Bead)", 43.0),
        ("distance(Lamp, Laser)", math.hypot(50, 30)),
        ("gap(Lamp, Laser)", math.hypot(50, 25)),
        ("axial_gap(Lamp, Thin)", 140.0),
        ("gap(Wedge, Ball)", math.hypot(150, 60) - 5),
        ("gap(Wedge, Wedge)", 0.0),
    ],
)
def test_a_distance_is_that_of_the_closed_form(expression: str, expected: float) -> None:
    assert value(expression) == pytest.approx(expected, abs=1e-9)


def test_without_an_axis_there_is_no_distance_along_it() -> None:
    result = trace(DOCUMENT, threads=1)
    none, missed = measure_values(
        "axial_gap(Screen, Wedge); axial_gap(Thin, Above)", DOCUMENT, result
    )
    assert (
        none.reason
        == "Neither 'Screen' nor 'Wedge' has an optical axis; distance and gap need none."
    )
    assert missed.reason == "The optical axis does not meet 'Above'; distance and gap need no axis."


QUARTER = Arc(Point(0, 0), 10.0, 0.0, math.pi / 2)
CURVE = Bezier(Point(0, 0), Point(10, 0), Point(20, 0), Point(30, 0))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (circle_about(Point(0, 0), Point(3, 0)), circle_about(Point(10, 0), Point(14, 0)), 3.0),
        (circle_about(Point(0, 0), Point(20, 0)), circle_about(Point(5, 0), Point(7, 0)), 13.0),
        (circle_about(Point(0, 0), Point(5, 0)), circle_about(Point(6, 0), Point(10, 0)), 0.0),
        (QUARTER, Line(Point(20, -5), Point(20, 5)), 10.0),
        (QUARTER, Line(Point(-20, -5), Point(-20, 30)), 20.0),
        (Line(Point(0, 0), Point(10, 10)), Line(Point(0, 10), Point(10, 0)), 0.0),
        (Line(Point(0, 0), Point(10, 0)), Line(Point(20, -5), Point(20, 5)), 10.0),
        (
            FullLine(Point(0, 0), Point(1, 1)),
            circle_about(Point(10, 0), Point(12, 0)),
            10 / math.sqrt(2) - 2,
        ),
        (FullLine(Point(0, 0), Point(1, 0)), FullLine(Point(5, 7), Point(6, 7)), 7.0),
        (CURVE, Line(Point(12, 4), Point(40, 4)), 4.0),
        (
            Parabola(Point(-10, 10), Point(10, 10), Point(0, 0)),
            Line(Point(-30, -3), Point(30, -3)),
            3.0,
        ),
    ],
)
def test_the_clearance_of_two_curves_is_exact(one: Shape, other: Shape, expected: float) -> None:
    assert least_clearance([one], [other]) == pytest.approx(expected, abs=1e-9)
    assert least_clearance([other], [one]) == pytest.approx(expected, abs=1e-9)
