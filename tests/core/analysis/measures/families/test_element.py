"""Prism, light guide and cavity: their measures by closed forms."""

from __future__ import annotations

import math

import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.measure import Measured
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, IdealMirror, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

APEX = 50.0


def values(text: str, *objects: SceneObject) -> list[Measured]:
    document = Document(scene=Scene.of(objects))
    return list(measure_values(text, document, trace(document.scene)))


def prism(n: float, apex: float = APEX) -> Glass:
    half, height = math.tan(math.radians(apex / 2)) * 100, 100.0
    return Glass(
        path=(Vertex(-half, height), Vertex(half, height), Vertex(0, 0)), ref_index=n, name="Prism"
    )


def ray(angle: float) -> SingleRay:
    """A ray to the left face of the prism; ``angle`` upwards from the right."""
    x, y = -100 * math.tan(math.radians(APEX / 2)) / 2, 50.0
    dx, dy = math.cos(math.radians(angle)), -math.sin(math.radians(angle))
    return SingleRay(
        p1=Point(x - 200 * dx, y - 200 * dy), p2=Point(x - 199 * dx, y - 199 * dy), name="Ray"
    )


@pytest.mark.parametrize("n", [1.3, 1.5, 1.8])
@pytest.mark.parametrize("angle", [10.0, 25.0, 40.0])
def test_a_prism_in_any_position(n: float, angle: float) -> None:
    apex, least, deviation = values(
        "prism_angle(Prism); minimum_deviation(Prism); deviation(Prism)", prism(n), ray(angle)
    )
    assert apex.value == pytest.approx(APEX)
    assert abs(least.value) == pytest.approx(
        math.degrees(2 * math.asin(n * math.sin(math.radians(APEX / 2)))) - APEX
    )
    if deviation.defined:
        assert abs(deviation.value) >= abs(least.value) - 1e-9
        assert deviation.value * least.value > 0


def test_in_symmetric_passage_the_deviation_is_the_least() -> None:
    n = 1.6
    symmetric = math.degrees(math.asin(n * math.sin(math.radians(APEX / 2)))) - APEX / 2
    least, deviation = values(
        "minimum_deviation(Prism); deviation(Prism)", prism(n), ray(symmetric)
    )
    assert deviation.value == pytest.approx(least.value)


def test_what_is_no_prism_has_a_reason() -> None:
    ball = CircleGlass(p1=Point(0, 50), p2=Point(0, 80), ref_index=1.5, name="Prism")
    (apex,) = values("prism_angle(Prism)", ball, ray(0))
    assert "curved face" in apex.reason
    corner = Glass(
        path=(Vertex(0, 0), Vertex(0, 100), Vertex(100, 100)), ref_index=1.5, name="Prism"
    )  # reflects totally
    apex, least = values("prism_angle(Prism); minimum_deviation(Prism)", corner, ray(0))
    assert apex.value == pytest.approx(90)
    assert "is reflected inside" in least.reason
    inside = SingleRay(p1=Point(0, 5), p2=Point(1, 5), name="Ray")
    half_plane = PlaneGlass(
        p1=Point(300, 0), p2=Point(300, 10), ref_index=1.5, partial_reflect=True, name="Prism"
    )
    bubble = CircleGlass(
        p1=Point(100, 0), p2=Point(130, 0), ref_index=0.8, partial_reflect=True, name="Bubble"
    )
    for objects in ((half_plane,), (half_plane, bubble)):
        (apex,) = values("prism_angle(Prism)", *objects, inside)
        assert apex.reason == "The light starts inside 'Prism': it goes through one face of it."
    plate = Glass(
        path=(Vertex(0, 0), Vertex(20, 0), Vertex(20, 100), Vertex(0, 100)),
        ref_index=1.5,
        name="Prism",
    )
    assert values("prism_angle(Prism)", plate, ray(0))[0].value == pytest.approx(0, abs=1e-9)


def slab(low: float, high: float, n: float, name: str) -> Glass:
    return Glass(
        path=(Vertex(0, low), Vertex(200, low), Vertex(200, high), Vertex(0, high)),
        ref_index=n,
        name=name,
    )


def test_a_light_guide_accepts_what_its_cladding_reflects_totally() -> None:
    core = slab(-5, 5, 1.5, "Core")
    alone = values("guide_aperture(Core); acceptance_angle(Core)", core)
    assert [m.value for m in alone] == pytest.approx([math.sqrt(1.25), 90.0])
    clad = [core, slab(-15, -5, 1.45, "Upper"), slab(5, 15, 1.45, "Lower")]
    aperture = math.sqrt(1.5**2 - 1.45**2)
    found = values(
        "guide_aperture(Core); guide_aperture(Core, Upper); acceptance_angle(Core)", *clad
    )
    assert [m.value for m in found] == pytest.approx(
        [aperture, aperture, math.degrees(math.asin(aperture))]
    )
    (reversed_,) = values("guide_aperture(Upper, Core)", *clad)
    assert "guides no light" in reversed_.reason
    document = Document(scene=Scene.of(clad))
    off = document.with_annotations(disabled=frozenset({document.scene.objects[0].key}))
    assert [
        m.reason
        for m in measure_values("guide_aperture(Core); acceptance_angle(Core)", off, trace(off))
    ] == ["'Core' is disabled."] * 2
    joined = [
        core,
        slab(5, 15, 1.5, "Rest"),
        slab(-15, -5, 1.45, "Lower"),
    ]  # which of two equally long sides is first is chance
    assert values("guide_aperture(Core)", *joined)[0].value == pytest.approx(aperture)
    clad = [core, slab(-15, -5, -2.0, "Upper"), slab(5, 15, 1.2, "Lower")]
    (left_handed,) = values("guide_aperture(Core, Upper)", *clad)
    assert "is not above that around it, -2 in magnitude" in left_handed.reason


@pytest.mark.parametrize(("angle", "guided"), [(0.98, True), (1.02, False)])
def test_the_acceptance_angle_is_where_total_reflection_ends(angle: float, guided: bool) -> None:
    aperture = math.radians(angle * math.degrees(math.asin(math.sqrt(1.5**2 - 1.45**2))))
    ray_in = SingleRay(p1=Point(-10, 10 * math.tan(aperture)), p2=Point(0, 0), name="Ray")
    clad = [slab(-5, 5, 1.5, "Core"), slab(-15, -5, 1.45, "Upper"), slab(5, 15, 1.45, "Lower")]
    (reflections,) = values("most_total_reflections(Core)", *clad, ray_in)
    assert (reflections.value > 2) is guided


def hollow(vertex: float, radius: float, name: str, facing: float) -> ArcMirror:
    """A mirror on the x axis, hollow on the side to which it is ``facing`` (1: to the right)."""
    x, y = radius * (1 - math.cos(0.1)), radius * math.sin(0.1)
    return ArcMirror(
        p1=Point(vertex + facing * x, -y),
        p2=Point(vertex + facing * x, y),
        p3=Point(vertex, 0),
        name=name,
    )


FLAT = Mirror(p1=Point(50, -20), p2=Point(50, 20), name="M2")


@pytest.mark.parametrize(
    ("one", "other", "g"),
    [
        (hollow(0, 100, "M1", 1), FLAT, 0.5),  # half of the radius apart
        (hollow(0, 100, "M1", 1), hollow(100, 100, "M2", -1), 0.0),  # confocal
        (hollow(0, 100, "M1", 1), hollow(150, 100, "M2", -1), 0.25),
        (hollow(0, 100, "M1", 1), hollow(200, 100, "M2", -1), 1.0),  # concentric
        (
            hollow(0, 100, "M1", -1),
            hollow(250, 100, "M2", -1),
            3.5 * -1.5,
        ),  # the first one bulges into the cavity
        (IdealMirror(p1=Point(0, -20), p2=Point(0, 20), focal_length=100, name="M1"), FLAT, 0.75),
        (BeamSplitter(p1=Point(0, -20), p2=Point(0, 20), name="M1"), FLAT, 1.0),
    ],
)
def test_the_stability_of_a_cavity(one: SceneObject, other: SceneObject, g: float) -> None:
    there, back = values("stability(M1, M2); stability(M2, M1)", one, other)
    assert there.value == pytest.approx(g, abs=1e-6)
    assert back.value == pytest.approx(g, abs=1e-6)


def test_mirrors_that_do_not_face() -> None:
    tilted = Mirror(p1=Point(40, -20), p2=Point(60, 20), name="M2")
    (found,) = values("stability(M1, M2)", hollow(0, 100, "M1", 1), tilted)
    assert "does not face" in found.reason
    wall = Blocker(p1=Point(50, -20), p2=Point(50, 20), name="M2")
    (found,) = values("stability(M1, M2)", hollow(0, 100, "M1", 1), wall)
    assert "no mirror" in found.reason


def test_the_angle_of_refraction_is_that_of_snells_law() -> None:
    half = math.radians(APEX / 2)
    for angle in (5.0, 20.0):
        found, at_edge = values(
            "refraction(Prism); edge_refraction(Prism:W)", prism(1.5), ray(angle)
        )
        incidence = half + math.radians(
            angle
        )  # the normal of the left face points up by half the apex angle, away from the light
        assert found.value == pytest.approx(math.degrees(math.asin(math.sin(incidence) / 1.5)))
        assert at_edge.value == pytest.approx(found.value, abs=0.5)  # with weak light from inside
    (mirror,) = values(
        "refraction(M2)", FLAT, SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Ray")
    )
    assert "refracts no light" in mirror.reason


def test_the_brightest_ray_is_the_strongest_that_arrives() -> None:
    wall = Blocker(p1=Point(100, -50), p2=Point(100, 50), name="Wall")
    rays = [
        SingleRay(p1=Point(0, y), p2=Point(1, y), brightness=power, name=f"Ray {y}")
        for y, power in ((0, 0.3), (10, 0.7), (20, 0.7))
    ]
    (found,) = values("strongest_ray(Wall)", wall, *rays)
    assert found.value == pytest.approx(0.7)
