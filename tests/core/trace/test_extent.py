"""What is worth seeing of a traced scene at once: foci and images near its objects, but not endless
rays and faint ghosts.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from raybench.kinds.blockers import Blocker
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.hit_test import scene_extent
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.results.extent import IMAGE_REACH, box_with_images, traced_scene_extent
from raybench.trace.results.images import ImagePoints, PointRole
from raybench.trace.trace import trace

BEAM = Beam(p1=Point(0, -10), p2=Point(0, 10))


def lens(focal_length: float) -> IdealLens:
    return IdealLens(p1=Point(50, -20), p2=Point(50, 20), focal_length=focal_length)


def seen(*objects: object, mode: str = "rays") -> tuple[float, float, float, float]:
    scene = Scene.of(objects, Settings(mode=mode, ray_mode_density=1.0))  # type: ignore[arg-type]
    box = traced_scene_extent(scene, trace(scene))
    assert box is not None
    return box


def test_focus_beyond_all_objects_is_included():
    assert seen(BEAM, lens(80)) == pytest.approx((0, -20, 130, 20), abs=1e-6)


def test_focus_that_something_stops_is_not_included():
    stop = Blocker(p1=Point(60, -20), p2=Point(60, 20))
    assert seen(BEAM, lens(80), stop) == pytest.approx((0, -20, 60, 20), abs=1e-6)


def test_focus_far_from_the_objects_is_not_included():
    far = IMAGE_REACH * 50
    assert seen(BEAM, lens(far - 1)) == pytest.approx((0, -20, 50 + far - 1, 20), abs=1e-6)
    assert seen(BEAM, lens(far + 1)) == pytest.approx((0, -20, 50, 20), abs=1e-6)


@pytest.mark.parametrize(("mode", "left"), [("rays", 0), ("extended", -30), ("images", -30)])
def test_virtual_image_is_included_where_it_is_drawn(mode, left):
    assert seen(BEAM, lens(-80), mode=mode) == pytest.approx((left, -20, 50, 20), abs=1e-6)


@pytest.mark.parametrize("mode", ["rays", "images"])
def test_the_image_that_a_small_part_of_a_point_source_s_light_forms_is_included(mode):
    small = IdealLens(p1=Point(50, -2), p2=Point(50, 2), focal_length=20.0)
    scene = Scene.of(
        [PointSource(x=0, y=0), small],
        Settings(mode=mode, ray_mode_density=1.0, image_mode_density=1.0),
    )
    box = traced_scene_extent(scene, trace(scene))
    assert box is not None
    assert box[2] == pytest.approx(50 + 100 / 3, abs=0.1)


def test_parallel_light_adds_nothing():
    assert seen(BEAM) == pytest.approx((0, -10, 0, 10), abs=1e-6)


def test_scene_without_a_trace_is_as_large_as_its_objects():
    scene = Scene.of([BEAM, lens(80)])
    assert traced_scene_extent(scene, None) == scene_extent(scene)


def test_faint_ghosts_do_not_enlarge_the_extent():
    at = np.array([[10.0, 0.0]] * 98 + [[90.0, 0.0]] * 2)
    images = ImagePoints(
        at,
        np.full(100, PointRole.REAL, np.uint8),
        np.ones(100),
        np.full(100, np.nan),
        np.arange(100),
    )
    assert box_with_images((0.0, 0.0, 50.0, 50.0), images) == (0.0, 0.0, 50.0, 50.0)
    strong = dataclasses.replace(images, power=np.where(at[:, 0] > 50, 10.0, 1.0))
    assert box_with_images((0.0, 0.0, 50.0, 50.0), strong) == (0.0, 0.0, 90.0, 50.0)


def test_images_alone_have_an_extent():
    images = ImagePoints(
        np.array([[3.0, 4.0]]), np.zeros(1, np.uint8), np.ones(1), np.full(1, np.nan), np.arange(1)
    )
    assert box_with_images(None, images) == (3.0, 4.0, 3.0, 4.0)


def single(y: float, slope: float = 0.0) -> SingleRay:
    return SingleRay(p1=Point(0, y), p2=Point(10, y + 10 * slope))


def test_the_place_where_separate_single_rays_meet_behind_a_lens_is_included():
    assert seen(single(-10), single(0), single(10), lens(80)) == pytest.approx(
        (0, -20, 130, 20), abs=1e-6
    )


def test_single_rays_that_cross_by_chance_or_never_add_nothing():
    assert seen(single(-10, 0.1), single(10, -0.1)) == pytest.approx((0, -10, 10, 10), abs=1e-6)
    assert seen(single(-10), single(10), lens(-80)) == pytest.approx((0, -20, 50, 20), abs=1e-6)
