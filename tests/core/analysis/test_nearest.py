"""Picking rays near a click, and the whole path of one, against brute force."""

from __future__ import annotations

import numpy as np

from raybench.analysis.paths.paths import add_ancestors_and_descendants
from raybench.analysis.rays.ray_queries import rows_near_point
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.sources import Beam
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.columns import default_rows
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


def random_result(n, families, seed=0):
    rng, columns = np.random.default_rng(seed), default_rows(n)
    columns["p1"], columns["p2"], columns["power"] = (
        rng.random((n, 2)) * 100,
        rng.random((n, 2)) * 100,
        rng.random((n, 2)),
    )
    columns["source_ray"] = (np.arange(n) % families).astype(np.int32)
    at = np.arange(n)
    ancestor = at - families * (1 + rng.integers(0, 3, n))
    columns["parent"] = np.maximum(np.where(ancestor >= 0, ancestor, at - families), -1).astype(
        np.int32
    )
    return TraceResult(**columns)


def distance_to(a, b, at):
    """The least distance from a point to many points along a segment."""
    along = np.linspace(0, 1, 4001)[:, None]
    return float(np.hypot(*(a + along * (b - a) - at).T).min())


def test_rays_near_a_click_equal_brute_force():
    result, within = random_result(300, 10), 2.0
    for at in np.random.default_rng(1).random((60, 2)) * 120 - 10:
        distances = np.array(
            [distance_to(a, b, at) for a, b in zip(result.p1, result.p2, strict=True)]
        )
        found = rows_near_point(result, tuple(at), within)
        assert set(np.flatnonzero(distances < within - 0.01)) <= set(found.tolist())
        assert (distances[found] < within + 0.01).all()
        weight = result.total_power[found] / (1 + (distances[found] / (within / 2)) ** 2)
        assert (np.diff(weight) < 0.01).all()


def test_a_strong_ray_beside_a_weak_one_comes_first():
    rows = [
        {"p1": (0, y), "p2": (10, y), "brightness_s": s, "brightness_p": 0}
        for y, s in ((0.5, 0.03), (0.1, 0.7), (0.1, 0.3), (0.4, 0.6))
    ]
    result = TraceResult.from_segments(rows)
    assert rows_near_point(result, (5, 0.5), 1.0).tolist() == [3, 1, 2, 0]
    assert rows_near_point(result, (5, 0.5), 1.0, np.array([0, 2])).tolist() == [2, 0]
    assert not len(rows_near_point(result, (5, 1.0), 0.4))
    assert not len(rows_near_point(result, (11.5, 0), 1.0))


def test_a_curved_ray_near_a_click_is_one_ray():
    ball = CircleGrinGlass(p1=Point(0, 0), p2=Point(50, 0), ref_index_fn=r"\sqrt{2-(x^2+y^2)/2500}")
    beam = Beam(p1=Point(-90, -20), p2=Point(-90, 20))
    result = trace(Scene.of([beam, ball], Settings(ray_mode_density=0.2)))
    found = rows_near_point(result, (0, 0), 40.0).tolist()
    curved = np.flatnonzero(result.points[:, 1] > 10).tolist()
    assert curved
    assert set(curved) <= set(found)
    assert len(found) == len(set(found))


def test_the_whole_path_is_all_ancestors_and_descendants():
    result = random_result(400, 7)
    for row in (0, 8, 100, 399):
        expected = {*result.lineage.path(row), *result.lineage.descendants(row).tolist()}
        assert set(add_ancestors_and_descendants(result, np.array([row])).tolist()) == expected
    both = add_ancestors_and_descendants(result, np.array([8, 100]))
    assert (
        both.tolist()
        == np.union1d(
            add_ancestors_and_descendants(result, np.array([8])),
            add_ancestors_and_descendants(result, np.array([100])),
        ).tolist()
    )
