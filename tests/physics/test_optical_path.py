"""The optical path of each ray: closed forms, an exact sequential trace, an integral, and a plain sum
over the rays before it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from tests.core.lens.lenses import MIXED, TRIPLET
from tests.physics.random_scenes import bench

from raybench.analysis.rays.optical_path import optical_path_lengths
from raybench.arrays import Floats
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.curved_glasses import ParamGlass
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass, GlassBody
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.mirrors import ParabolicMirror, ParamMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import AngleSource, Beam, SingleRay, Source
from raybench.lens.opening import lens_document
from raybench.lens.paraxial import chief_slope, first_order
from raybench.lens.prescription import Prescription
from raybench.lens.sequential import trace_fan
from raybench.scene.hit_test import is_inside
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace


def paths_to(index: int, *objects: SceneObject) -> Floats:
    """The optical paths of the rays that end on an object."""
    result = trace(Scene.of(objects, Settings(ray_mode_density=1)))
    paths = optical_path_lengths(result)[result.hit == index]
    assert len(paths) > 10
    return paths


def curve(x: str, y: str, last: float = math.tau) -> tuple[dict[str, object], ...]:
    return ({"eqnX": x, "eqnY": y, "tMin": 0, "tMax": last, "tStep": 0.01},)


FAN = AngleSource(p1=Point(-30, 0), p2=Point(0, 0), emis_angle=60, brightness=1)


def test_all_ways_by_an_elliptic_mirror_are_one_long_axis() -> None:
    mirror = ParamMirror(pieces=curve(r"50\cdot\cos\left(t\right)", r"40\cdot\sin\left(t\right)"))
    focus = CircleBlocker(p1=Point(30, 0), p2=Point(30.5, 0))
    turned = replace(FAN, p2=Point(-60, 0))
    # the ways end on a small ball about the other focus, which they meet straight
    assert paths_to(2, turned, mirror, focus) == pytest.approx(100 - 0.5, abs=1e-6)


def test_a_parabola_makes_plane_waves_one_way_long() -> None:
    """From a plane to the focus it is as far as to the directrix."""
    beam = Beam(p1=Point(40, -30), p2=Point(-40, -30), brightness=1)
    mirror = ParabolicMirror(p1=Point(-50, 0), p2=Point(50, 0), p3=Point(0, 25))
    screen = Blocker(p1=Point(-0.2, 0), p2=Point(0.2, 0))
    paths = paths_to(2, beam, mirror, screen)
    assert paths[paths > 40] == pytest.approx(25 + 30 + 25, abs=1e-9)


def test_a_cartesian_oval_images_without_difference() -> None:
    """Before the oval light is in air, behind it in glass: l + n l' is the same for all points (Born &
    Wolf, section 4.2.1).
    """
    n, apart, total = 1.5, 90.0, 30 + 1.5 * 60
    slope = rf"\left({n * n * apart}\cdot\cos\left(t\right)-{total}\right)"
    root = rf"\sqrt{{{slope}^2-{n * n - 1}\cdot{n * n * apart**2 - total**2}}}"
    r = rf"\frac{{{slope}-{root}}}{{{n * n - 1}}}"
    x, y = (
        float(v)
        for v in _oval_radius(n, apart, total, 0.3) * np.array([math.cos(0.3), math.sin(0.3)])
    )
    corners = ((x - 30, -y), (80.0, -y), (80.0, y), (x - 30, y))
    pieces = [  # clockwise as seen, from the lower end of the oval on
        {
            "eqnX": rf"{r}\cdot\cos\left(t\right)-30", "eqnY": rf"-{r}\cdot\sin\left(t\right)",
            "tMin": -0.3, "tMax": 0.3, "tStep": 0.01,
        },
        *(
            {"eqnX": f"{a}+t*{c - a}", "eqnY": f"{b}+t*{d - b}", "tMin": 0, "tMax": 1, "tStep": 1}
            for (a, b), (c, d) in pairwise(corners)
        ),
    ]  # fmt: skip
    body = ParamGlass(pieces=pieces, ref_index=n, cauchy_b=0, partial_reflect=False)
    image = Blocker(p1=Point(60, -0.1), p2=Point(60, 0.1))
    fan = replace(FAN, emis_angle=20)
    assert paths_to(2, fan, body, image) == pytest.approx(total, abs=1e-6)


def _oval_radius(n: float, apart: float, total: float, t: float) -> float:
    b = n * n * apart * math.cos(t) - total
    root = math.sqrt(b * b - (n * n - 1) * (n * n * apart**2 - total**2))
    return (b - root) / (n * n - 1)


def plate(left: float, right: float, index: float) -> Glass:
    corners = ((left, -60), (right, -60), (right, 60), (left, 60))
    return Glass(path=tuple(Vertex(*c) for c in corners), ref_index=index, partial_reflect=False)


def test_plates_that_overlap_and_a_source_within() -> None:
    """Indices multiply where bodies overlap; what is disabled is not there."""
    ray = SingleRay(p1=Point(5, 0), p2=Point(6, 0))
    objects = (ray, plate(0, 20, 1.5), plate(10, 30, 2.0), plate(22, 26, 1.2))
    objects = (*objects, Detector(p1=Point(40, -9), p2=Point(40, 9)))
    result = trace(Scene.of(objects))
    assert optical_path_lengths(result)[:-1] == pytest.approx(
        [7.5, 7.5 + 30, 41.5, 41.5 + 9.6, 59.1, 69.1]
    )
    assert optical_path_lengths(result)[-1] == np.inf
    without = trace(Scene.of(objects), disabled={objects[2].key})
    assert optical_path_lengths(without)[-2] == pytest.approx(15 * 1.5 + 2 + 4 * 1.2 + 14)


def test_rows_of_a_file_may_name_objects_that_the_scene_lacks() -> None:
    scene = Scene.of((SingleRay(p1=Point(5, 0), p2=Point(6, 0)), plate(0, 20, 1.5)))
    result = trace(scene)
    wrong = np.asfortranarray(result.p1), np.array([7, -9], np.int32)
    other = replace(result, p1=wrong[0], hit=wrong[1])
    assert optical_path_lengths(other) == pytest.approx(optical_path_lengths(result))


@pytest.mark.parametrize(("system", "within"), [(TRIPLET, 1e-9), (MIXED, 1e-6)])
def test_path_through_a_lens_is_that_of_the_sequential_trace(
    system: Prescription, within: float
) -> None:
    """The second lens has an asphere, which is traced on the bench as a chain of cubics."""
    bodies = [
        replace(o, partial_reflect=False) if isinstance(o, GlassBody) else o
        for o in lens_document(system, "lens").scene.objects
        if not isinstance(o, Source)
    ]
    count, first = len(system.surfaces), first_order(system)
    for field in system.fields:
        fan = trace_fan(system, field, 587.56, np.linspace(-0.9, 0.9, 7))
        slope = chief_slope(system, first, field.value)
        clear = np.flatnonzero(fan.is_clear)
        assert len(clear) > 3
        for k in clear.tolist():
            x, y = float(fan.x[0, k]) - 10, -float(fan.y[0, k])
            start = Point(x, y + 10 * slope)
            ray = SingleRay(p1=start, p2=Point(x + 1, start.y - slope), wavelength=587.56)
            light = trace(Scene.of((*bodies, ray), Settings(simulate_colors=True)))
            found = optical_path_lengths(light)[:count]
            assert np.diff(found) == pytest.approx(np.diff(fan.path[:count, k]), abs=within)


def test_path_in_a_graded_medium_is_an_integral() -> None:
    ball = CircleGrinGlass(p1=Point(50, 20), p2=Point(80, 20))
    result = trace(Scene.of([SingleRay(p1=Point(0, 30), p2=Point(1, 30)), ball]))
    curved = int(np.argmax(result.points[:, 1]))
    first, n = result.points[curved]
    points = result.polyline[first : first + n]
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    fine = CubicSpline(along, points)(np.linspace(0, along[-1], 20_001))
    steps = np.hypot(*np.diff(fine, axis=0).T)
    index = ball.index_at((fine[1:] + fine[:-1]) / 2, None)
    paths = optical_path_lengths(result)
    assert np.ptp(index) > 0.05
    assert paths[curved] - paths[0] == pytest.approx(float((index * steps).sum()), rel=1e-7)
    assert result.length[curved] == pytest.approx(float(steps.sum()), rel=1e-7)
    assert paths[0] == pytest.approx(result.length[0])


@pytest.mark.parametrize("height", [1.0, 3.0, 7.0, 10.0, 30.0, 70.0, 95.0])
def test_luneburg_lens_has_equal_paths(height: float) -> None:
    """R (1 + pi / 2) from the plane that touches the lens; also where a path turns so little that
    few points describe it.
    """
    radius = 100.0
    lens = CircleGrinGlass(
        p1=Point(0, 0),
        p2=Point(radius, 0),
        origin=Point(0, 0),
        ref_index_fn=r"\sqrt{2-\frac{x^2+y^2}{100^2}}",
        partial_reflect=False,
    )
    result = trace(Scene.of([SingleRay(p1=Point(-radius, height), p2=Point(0, height)), lens]))
    within = optical_path_lengths(result)[int(np.argmax(result.points[:, 1]))]
    assert within == pytest.approx(radius * (1 + math.pi / 2), rel=1e-8)


@pytest.mark.parametrize("seed", range(30))
def test_path_is_the_plain_sum_of_index_times_length(seed: int) -> None:
    scene = bench(seed)
    result = trace(scene, max_segments=300, threads=1)
    bodies = [o for o in scene.optical if isinstance(o, GlassBody)]
    outlines = [object_edges(o, scene.settings.simulate_colors) for o in bodies]
    paths, plain = optical_path_lengths(result), np.zeros(len(result))
    for row, segment in enumerate(result.segments):
        at = Point(*((result.p1[row] + result.p2[row]) / 2))
        index = 1.0
        for body, edges in zip(bodies, outlines, strict=True):
            if is_inside(edges, at):
                colour = segment.wavelength if scene.settings.simulate_colors else None
                index *= body.uniform_index(colour)
        parent = int(result.parent[row])
        before = plain[parent] if parent >= 0 else 0.0
        plain[row] = np.inf if result.escaped[row] else before + index * segment.length
    assert paths == pytest.approx(plain, rel=1e-9, abs=1e-9)
