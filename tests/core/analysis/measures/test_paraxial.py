"""The paraxial measures of wide beams of few and of many rays, by closed forms (Hecht, sections
5.4, 6.1 and 6.2).
"""

from __future__ import annotations

import math

import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.paraxial import cardinal_points_from_beam, conjugates_from_beam
from raybench.analysis.measures.selections import ObjectBeam
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import ArcMirror, ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace


def values(text: str, *objects: SceneObject, density: float, members: str = "") -> list[float]:
    scene = Scene.of(objects, Settings(ray_mode_density=density, color_mode="linear"))
    groups = (
        {"System": frozenset(o.key for o in scene.objects if o.name.startswith(members))}
        if members
        else {}
    )
    document = Document(scene=scene, groups=groups)
    return [m.value for m in measure_values(text, document, trace(document.scene))]


def beam(low: float, high: float) -> Beam:
    return Beam(p1=Point(0, -high), p2=Point(0, -low), brightness=0.01, name="Sun")


def lens(
    r1: float,
    r2: float,
    n: float,
    *,
    x: float = 100.0,
    half: float = 20.0,
    partial: bool = False,
    name: str = "Lens",
) -> SphericalLens:
    return SphericalLens(
        p1=Point(x, -half), p2=Point(x, half), def_by="DR1R2", params={"d": 6.0, "r1": r1, "r2": r2}, ref_index=n, cauchy_b=0.0,
        partial_reflect=partial, name=name,
    )  # fmt: skip


def system_matrix(surfaces: list[tuple[float, float, float, float]]) -> tuple[float, float]:
    """The focal length and the back focal length of surfaces: distance from the one before, radius,
    indices before and after.
    """
    height, angle = 1.0, 0.0  # of a ray that arrives parallel
    for distance, radius, before, after in surfaces:
        height += distance * angle
        angle = (before * angle - height * (after - before) / radius) / after
    return -1.0 / angle, -height / angle


@pytest.mark.parametrize("rays", [2, 3, 4, 5, 6, 7, 8, 10, 12, 20, 100])
def test_a_fast_lens_with_few_rays(rays: int) -> None:
    n, r1, r2 = 1.7, 90.0, -80.0
    f, back = system_matrix([(0, r1, 1, n), (6, r2, n, 1)])
    found = values(
        "focal_length(Lens); back_focal_length(Lens)",
        beam(-18, 18),
        lens(r1, r2, n),
        density=rays / 36,
    )
    assert found == pytest.approx([f, back], rel=1e-4)


@pytest.mark.parametrize("rays", [2, 3, 5, 8, 20, 100])
def test_a_one_sided_fan(
    rays: int,
) -> None:
    turn = math.asin(60 / 200)
    ends = [Point(100 + 200 * math.cos(turn), y) for y in (-60, 60)]
    mirror = ArcMirror(p1=ends[0], p2=ends[1], p3=Point(300, 0), name="Mirror")
    fan = AngleSource(
        p1=Point(0, 0), p2=Point(100, 3), emis_angle=18.0, brightness=0.01, name="Fan"
    )
    found = values("image_distance(Mirror); magnification(Mirror)", fan, mirror, density=rays / 25)
    assert found == pytest.approx([150.0, -0.5], rel=1e-5)


@pytest.mark.parametrize("rays", [2, 5, 20])
@pytest.mark.parametrize(("low", "high"), [(20.0, 60.0), (-5.0, 60.0), (60.0, 110.0)])
def test_a_beam_beside_a_parabolas_axis(low: float, high: float, rays: int) -> None:
    parabola = ParabolicMirror(
        p1=Point(350 - 200**2 / 600, -200),
        p2=Point(350 - 200**2 / 600, 200),
        p3=Point(350, 0),
        name="Mirror",
    )
    found = values(
        "focal_length(Mirror); back_focal_length(Mirror)",
        beam(low, high),
        parabola,
        density=rays / (high - low),
    )
    assert found == pytest.approx([150.0, 150.0], rel=1e-5)


def test_a_one_sided_beam() -> None:
    n, r1, r2 = 1.7, 90.0, -80.0
    f, _ = system_matrix([(0, r1, 1, n), (6, r2, n, 1)])
    assert values(
        "focal_length(Lens)", beam(-2, 18), lens(r1, r2, n), density=2.0
    ) == pytest.approx([f], rel=1e-5)


@pytest.mark.parametrize("lenses", [6, 7, 12])
def test_systems_of_many_surfaces_have_principal_planes(lenses: int) -> None:
    members, surfaces, n = [], list[tuple[float, float, float, float]](), 1.5
    for i in range(lenses):
        members.append(lens(900, -700, n, x=100 + 20 * i, name=f"L{i}"))
        surfaces += [(14.0 if i else 0.0, 900, 1, n), (6.0, -700, n, 1)]
    f, back = system_matrix(surfaces)
    text = "nominal_focal_length(System); rear_principal_plane(System); focal_length(System)"
    assert values(text, beam(-3, 3), *members, density=1.0, members="L") == pytest.approx(
        [f, back - f, f], rel=1e-4
    )


@pytest.mark.parametrize("rays", [3, 9, 40])
def test_a_reflection_has_another_focal_length(rays: int) -> None:
    """The front of a biconvex lens is a convex mirror, f = -R/2."""
    scene = Scene.of(
        [beam(-4, 4), lens(80, -120, 1.5, partial=True)],
        Settings(ray_mode_density=rays / 8, color_mode="linear"),
    )
    light = Light.from_document(Document(scene=scene), trace(scene))
    reflected = next(b for b in light.bundles(1) if b.result.depth[b.rows[0]] == 1)
    at_lens = ObjectBeam(light, 1, reflected)
    assert cardinal_points_from_beam(at_lens).focal_length == pytest.approx(-40.0, rel=5e-3)
    image = conjugates_from_beam(at_lens).image_point
    assert image is not None
    assert image.x == pytest.approx(137.0, abs=0.5)


def test_mirrors_in_the_way_of_each_other() -> None:
    """On the axis of a Cassegrain telescope light meets the back of the small mirror, which is not
    what the telescope does.
    """
    primary = ParabolicMirror(
        p1=Point(346, -70), p2=Point(346, 70), p3=Point(350, 0), name="Primary"
    )
    secondary = ArcMirror(p1=Point(149, -25), p2=Point(149, 25), p3=Point(150, 0), name="Secondary")
    scene = Scene.of([beam(-65, 65), primary, secondary], Settings(color_mode="linear"))
    document = Document(
        scene=scene, groups={"Telescope": frozenset(o.key for o in (primary, secondary))}
    )
    found = measure_values(
        "nominal_focal_length(Telescope); rear_principal_plane(Telescope)", document, trace(scene)
    )
    assert [m.reason for m in found] == ["Light on its axis does not meet 'Primary'."] * 2


@pytest.mark.parametrize("rays", [12, 40])
@pytest.mark.parametrize(("low", "high"), [(-2.0, 8.0), (-5.0, 5.0), (-9.0, 1.0)])
def test_any_part_of_a_ball(low: float, high: float, rays: int) -> None:
    """f = n R / (2 (n - 1)) from its centre, for parallel light, and for a fan from a point that
    lies more to one side.
    """
    n, radius = 1.5, 20.0
    f = n * radius / (2 * (n - 1))
    ball = CircleGlass(
        p1=Point(100, 0),
        p2=Point(120, 0),
        ref_index=n,
        cauchy_b=0.0,
        partial_reflect=False,
        name="Ball",
    )
    found = values(
        "focal_length(Ball); back_focal_length(Ball)",
        beam(low, high),
        ball,
        density=rays / (high - low),
    )
    assert found == pytest.approx([f, f - radius], rel=1e-3)
    fan = AngleSource(
        p1=Point(0, 0),
        p2=Point(100, -(low + high) / 2),
        emis_angle=5.0,
        brightness=0.01,
        name="Fan",
    )
    found = values(
        "image_distance(Ball); magnification(Ball)", fan, ball, density=rays / (500 * 5 / 360)
    )
    image = 1 / (1 / f - 1 / 100)
    assert found == pytest.approx([image - radius, -image / 100], rel=1e-3)


@pytest.mark.parametrize("cone", [2.0, 10.0, 20.0, 60.0])
@pytest.mark.parametrize("shift", [0.0, 4.0])
def test_the_line_of_an_extended_source_is_the_object(cone: float, shift: float) -> None:
    n, r1, r2 = 1.5, 60.0, -60.0
    f, _ = system_matrix([(0, r1, 1, n), (6, r2, n, 1)])
    front = f * (n - 1) * 6 / (n * -r2)  # principal plane behind the first vertex
    lamp = Beam(
        p1=Point(0, shift - 5),
        p2=Point(0, shift + 5),
        brightness=0.01,
        emis_angle=cone,
        name="Lamp",
    )
    distance, magnification = values(
        "object_distance(Lens); magnification(Lens)", lamp, lens(r1, r2, n, x=103.0), density=1
    )
    assert distance == pytest.approx(100)
    assert magnification == pytest.approx(f / (f - 100 - front), rel=3e-4)
