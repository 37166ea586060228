"""Image points on the canvas: each mark is seen as a point, and no point is painted far from where
it is.
"""

from __future__ import annotations

import numpy as np

from raybench_workbench.canvas.rays.ray_vectors import merge_near_points, place_visible_points
from raybench_workbench.canvas.viewport import Camera

DISTANCE = 9.0


def distances(a, b):
    return np.hypot(*(a[:, None] - b[None]).transpose(2, 0, 1))


def test_marks_are_apart_and_points_close_to_theirs():
    points = np.random.default_rng(3).random((3000, 2)) * [300, 200] - 50
    mark = merge_near_points(points, DISTANCE)
    marks = points[np.unique(mark)]
    assert 100 < len(marks) < 800
    assert distances(marks, marks)[~np.eye(len(marks), dtype=bool)].min() >= DISTANCE
    assert np.hypot(*(points - points[mark]).T).max() < 2 * DISTANCE
    assert (mark[np.unique(mark)] == np.unique(mark)).all()


def test_points_that_are_apart_stay_where_they_are():
    points = (
        np.stack(np.meshgrid(np.arange(20), np.arange(20)), axis=-1).reshape(-1, 2)
        * DISTANCE
        * 1.01
    )
    assert merge_near_points(points, DISTANCE).tolist() == list(range(400))


def test_a_streak_becomes_dots_each_colour_its_own():
    streak = np.stack([np.linspace(0, 30, 60), np.linspace(0, 40, 60)], axis=1)
    points = np.concatenate([streak, streak, [[5000.0, 0.0]]])
    group = np.repeat([0, 1, 0], [60, 60, 1])
    seen, at = place_visible_points(points, group, Camera(), (100, 100), DISTANCE)
    assert seen.tolist() == list(range(120)), "all that are on the canvas"
    for some in (at[:60], at[60:]):
        assert 4 <= len(np.unique(some, axis=0)) <= 6
    seen, at = place_visible_points(points, group, Camera(scale=20.0), (1000, 1000), DISTANCE)
    assert (at == points[seen]).all(), "zoomed in, all are apart"


def test_panning_keeps_the_marks():
    points = np.random.default_rng(5).random((500, 2)) * 60 + 100
    group = np.zeros(500, np.int64)
    still = place_visible_points(points, group, Camera(), (400, 400), DISTANCE)[1]
    for shift in (0.3, 4.0, 17.7):
        assert (
            place_visible_points(points, group, Camera(shift, -shift), (400, 400), DISTANCE)[1]
            == still
        ).all()


def test_without_points_nothing_is_painted():
    assert len(merge_near_points(np.zeros((0, 2)), DISTANCE)) == 0
    assert (
        len(
            place_visible_points(
                np.zeros((0, 2)), np.zeros(0, np.int64), Camera(), (100, 100), DISTANCE
            )[0]
        )
        == 0
    )
