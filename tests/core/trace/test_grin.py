"""Rows of curved rays: points, lengths, questions, files, and bodies of every kind."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from raybench.analysis.agentic_tools import clear_context, find_paths_xml, set_context_from_result
from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.ray_queries import rays_by_angle, rays_crossing, rays_inside
from raybench.files.scene_json import scene_from_json, scene_to_json
from raybench.files.trace_npz import load_npz, save_npz
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.scene.scene import Scene
from raybench.trace.codes import Completion, Status
from raybench.trace.kernels.medium import index_distinct_media
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces
from raybench.trace.run.generations import Generations
from raybench.trace.tables.compiled import compile_scene
from raybench.trace.trace import trace

W = 0.02 / math.sqrt(0.96)
"""The wave number of a ray in the rod that is level 10 from the axis: g / sqrt(1 - g² A²)."""
K = 4 / 3 * math.tan(math.pi / 8) * 50


def scene_of(*objects: dict[str, Any], **settings: Any) -> Scene:
    return scene_from_json({"version": 5, "objs": list(objects), **settings})


def ray(x: float, y: float, x2: float, y2: float) -> dict[str, Any]:
    return {"type": "SingleRay", "p1": {"x": x, "y": y}, "p2": {"x": x2, "y": y2}, "brightness": 1}


def rod(**more: Any) -> dict[str, Any]:
    path = [{"x": x, "y": y} for x, y in ((0, -40), (300, -40), (300, 40), (0, 40))]
    index = r"1.5\cdot\sqrt{1-0.0004y^2}"
    return {
        "type": "GrinGlass",
        "name": "Rod",
        "path": path,
        "refIndexFn": index,
        "partialReflect": False,
    } | more


def test_a_path_is_one_row_whose_points_run_from_its_start_to_its_end() -> None:
    result = trace(scene_of(ray(-20, 10, 0, 10), rod()))
    assert result.points[:, 1].tolist()[0::2] == [0, 0]
    first, count = result.points[1]
    line = result.polyline[first : first + count]
    assert (first, count) == (0, len(result.polyline))
    np.testing.assert_array_equal(line[0], result.p1[1])
    np.testing.assert_array_equal(line[-1], result.p2[1])
    assert result.depth.tolist() == [0, 1, 2]
    # y = 10 cos(W x): its length by quadrature
    x = np.linspace(0, 300, 200_001)
    slope = np.hypot(1, 10 * W * np.sin(W * x))
    assert result.length[1] == pytest.approx(np.trapezoid(slope, x), rel=1e-4)
    assert math.isinf(result.length[2])
    np.testing.assert_allclose(line[:, 1], 10 * np.cos(W * line[:, 0]), atol=1e-4)


def test_inside_and_crossing_questions_use_the_curved_path() -> None:
    # the ray goes round the small glass in the middle, which its chord would cross
    inner = {
        "type": "CircleGlass",
        "name": "Pearl",
        "p1": {"x": 200, "y": 10},
        "p2": {"x": 203, "y": 10},
        "refIndex": 1.2,
    }
    scene = scene_of(
        ray(-20, 10, 0, 10),
        rod(
            path=[
                {"x": x, "y": y}
                for x, y in ((0, -40), (2 * math.pi / W, -40), (2 * math.pi / W, 40), (0, 40))
            ]
        ),
        inner,
    )
    result = trace(scene)
    body, pearl = scene.optical[1], scene.optical[2]
    assert np.flatnonzero(rays_inside(result, body)).tolist() == [1]
    np.testing.assert_allclose(result.middle[1], [math.pi / W, -10], atol=0.1)
    assert np.flatnonzero(rays_inside(result, pearl)).tolist() == []
    edges = labelled_edges(body)
    west, east = edges[3], edges[1]
    assert np.flatnonzero(rays_crossing(result, body, west)).tolist() == [0, 1]
    assert np.flatnonzero(rays_by_angle(result, body, east, 0, 0.1)).tolist() == [1, 2]


def test_a_detector_in_an_absorbing_medium_measures_what_arrives_and_whence() -> None:
    detector = {
        "type": "Detector",
        "p1": {"x": math.pi / W, "y": -40},
        "p2": {"x": math.pi / W, "y": 40},
    }
    at_node = {
        "type": "Detector",
        "p1": {"x": math.pi / 2 / W, "y": -40},
        "p2": {"x": math.pi / 2 / W, "y": 40},
    }
    result = trace(scene_of(ray(-20, 10, 0, 10), rod(absorptionFn="0.001"), at_node, detector))
    first, second = result.detectors
    # at the first node y = 0 the slope is -10 W; at the turning point the ray is level
    assert first.normal / first.power == pytest.approx(1 / math.hypot(1, 10 * W), abs=1e-6)
    assert first.shear / first.power == pytest.approx(10 * W / math.hypot(1, 10 * W), abs=1e-5)
    assert second.normal / second.power == pytest.approx(1, abs=1e-6)
    assert second.power == pytest.approx(math.exp(-0.001 * result.length[1:3].sum()), rel=1e-5)
    assert result.ledger.imbalance == pytest.approx(0, abs=1e-9)


def test_round_bodies_of_all_kinds_give_the_same_light() -> None:
    index = r"1.2+0.3\cdot e^{-\frac{x^2+y^2}{900}}"
    nodes = [
        {"a1": {"x": 50, "y": 0}, "c1": {"x": 50, "y": K}, "c2": {"x": K, "y": 50}},
        {"a1": {"x": 0, "y": 50}, "c1": {"x": -K, "y": 50}, "c2": {"x": -50, "y": K}},
        {"a1": {"x": -50, "y": 0}, "c1": {"x": -50, "y": -K}, "c2": {"x": -K, "y": -50}},
        {"a1": {"x": 0, "y": -50}, "c1": {"x": K, "y": -50}, "c2": {"x": 50, "y": -K}},
    ]
    arcs = [
        {"x": 50, "y": 0},
        {"x": 0, "y": 50, "arc": True},
        {"x": -50, "y": 0},
        {"x": 0, "y": -50, "arc": True},
    ]
    bodies: list[dict[str, Any]] = [
        {"type": "CircleGrinGlass", "p1": {"x": 0, "y": 0}, "p2": {"x": 50, "y": 0}},
        {"type": "GrinGlass", "path": arcs},
        {"type": "ParamGrinGlass"},
        {"type": "CurveGrinGlass", "points": nodes},
    ]
    results = [
        trace(
            scene_of(
                *(ray(-90, y, 0, y) for y in (-31.0, 7.0, 44.0)),
                b | {"refIndexFn": index, "partialReflect": False},
            )
        )
        for b in bodies
    ]
    for other, tolerance in zip(results[1:], (1e-9, 1e-6, 0.1), strict=True):
        assert len(other) == len(results[0]) == 9
        closed = ~other.escaped
        np.testing.assert_allclose(other.p2[closed], results[0].p2[closed], atol=tolerance)


def test_rays_from_a_source_inside_a_body_start_in_its_medium() -> None:
    result = trace(scene_of(ray(100, 10, 110, 10), rod()))
    assert result.points[0, 1] > 0
    x, y = result.polyline[result.points[0, 0] + 3]
    assert y == pytest.approx(10 * math.cos(W * (x - 100)), abs=1e-5)


def test_light_that_starts_where_the_index_has_no_value_ends_there_and_on_no_edge(
    tmp_path: Path,
) -> None:
    lost, sent = ray(100, -10, 110, -10) | {"name": "Lost"}, ray(100, 10, 110, 10)
    scene = scene_of(rod(refIndexFn=r"\sqrt{y}"), sent, lost)
    result = trace(scene)
    row = 1
    assert (result.points[row, 1], result.status[row], result.hit[row], result.edge[row]) == (
        1,
        Status.ILL_DEFINED,
        0,
        -1,
    )
    pieces = np.bincount(result.straight_pieces[2], minlength=len(result))
    assert (pieces >= 1).all()
    for ends in (
        first_straight_pieces(result, result.rows),
        last_straight_pieces(result, result.rows),
    ):
        assert [end[row].tolist() for end in ends] == [[100, -10]] * 2
    assert result.length[row] == 0
    (transit,) = bind_measures("transit_time(Lost > *)", document := Document(scene=scene))
    assert transit.evaluate(Light.from_document(document, result)).value == 0
    save_npz(result, tmp_path / "light.npz")
    np.testing.assert_array_equal(load_npz(tmp_path / "light.npz").points, result.points)
    set_context_from_result(scene, result)
    try:
        assert "Lost → Rod (ill_defined)" in find_paths_xml("Lost > *")
    finally:
        clear_context()


def test_a_mirror_within_the_medium_sends_a_ray_back_on_its_path() -> None:
    wall = {"type": "Mirror", "p1": {"x": math.pi / W, "y": -30}, "p2": {"x": math.pi / W, "y": 30}}
    result = trace(scene_of(ray(-20, 10, 0, 10), rod(), wall))
    np.testing.assert_allclose(result.p2[2], [0, 10], atol=1e-8)
    assert result.hit.tolist() == [1, 2, 1, -1]


def test_bodies_of_one_medium_share_its_program() -> None:
    source, cube = ray(-20, 3, 0, 3), r"3.375\cdot\left(1-0.0004y^2\right)^{1.5}"
    three, other = [rod() for _ in range(3)], rod(origin={"x": 0, "y": 9})
    together, alone = (trace(scene_of(source, *rods)) for rods in (three, [rod(refIndexFn=cube)]))
    np.testing.assert_allclose(together.p2, alone.p2, rtol=1e-9)
    sizes = [
        index_distinct_media(compile_scene(scene_of(*rods)).tables)[-1, 1]
        for rods in ([rod()], three, [*three, other])
    ]
    assert sizes[0] == sizes[1] == sizes[2] / 2


def test_an_endless_path_is_stopped_with_a_warning() -> None:
    result = trace(scene_of(ray(-20, 3, 0, 3), rod(refIndexFn=r"\frac{1}{\left(x-50\right)^2}")))
    assert len(result.warnings) == 1
    assert len(result) < 10


def test_properties_at_their_defaults_are_left_out_and_the_others_kept(tmp_path: Path) -> None:
    data = {"version": 5, "objs": [rod(stepSize=0.5, origin={"x": 0, "y": 3}, plotFns=True)]}
    scene = scene_from_json(data)
    assert scene_to_json(scene) | {} == data
    save_npz(trace(scene_of(ray(-20, 10, 0, 10), rod())), tmp_path / "rod.npz")
    with np.load(tmp_path / "rod.npz") as file:
        assert len(file["p1"]) == 3


def test_results_without_media_have_no_points() -> None:
    result = trace(scene_of(ray(0, 0, 1, 0)))
    assert result.points.shape == (1, 2)
    assert not result.points.any()
    assert isinstance(result, TraceResult)


def waves(terms: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Random waves: two wave numbers and a phase each, (3, terms)."""
    return np.random.default_rng(3).uniform((-0.1, -0.1, 0), (0.1, 0.1, 6), (terms, 3)).round(4).T


def long_sum(height: float, terms: int) -> str:
    """A sum of waves in LaTeX."""
    return "".join(
        rf"+{height:.10f}\cos\left({a:.4f}x+{b:.4f}y+{c:.4f}\right)" for a, b, c in waves(terms).T
    ).replace("+-", "-")


def test_a_path_through_a_long_sum_of_waves_is_that_of_an_independent_integrator() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    a, b, c = waves(60)

    def slope(_: float, state: Any) -> list[float]:
        angle = a * state[0] + b * state[1] + c
        n, force = 1.5 + 0.004 * np.cos(angle).sum(), -0.004 * np.sin(angle)
        return [state[2], state[3], n * (force @ a), n * (force @ b)]

    def leaving(_: float, state: Any) -> float:
        return float(state[0] - 1000)

    leaving.terminal = True  # type: ignore[attr-defined]
    path = [{"x": x, "y": y} for x, y in ((0, -300), (1000, -300), (1000, 300), (0, 300))]
    result = trace(
        scene_of(ray(-20, 10, 0, 10), rod(path=path, refIndexFn="1.5" + long_sum(0.004, 60)))
    )
    n = 1.5 + 0.004 * np.cos(b * 10 + c).sum()
    whole = integrate.solve_ivp(
        slope,
        (0, 1500),
        [0, 10, n, 0],
        "DOP853",
        rtol=1e-13,
        atol=1e-11,
        events=leaving,
        dense_output=True,
    )
    np.testing.assert_allclose(result.p2[1], whole.y_events[0][0][:2], atol=1e-6)
    first, count = result.points[1]
    line = result.polyline[first : first + count]
    along = whole.sol(np.linspace(0, whole.t_events[0][0], 200_001))
    np.testing.assert_allclose(line[:, 1], np.interp(line[:, 0], along[0], along[1]), atol=1e-4)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stop_within_a_path_keeps_the_path_so_far(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # in Maxwell's fish eye the path is a circle that never meets the rim; the long sum makes each
    # step slow
    eye = r"\frac{2}{1+\frac{x^2+y^2}{10000}}" + long_sum(1e-9, 150)
    ball = {
        "type": "CircleGrinGlass",
        "p1": {"x": 0, "y": 0},
        "p2": {"x": 1000, "y": 0},
        "refIndexFn": eye,
    }
    running: list[Generations] = []
    advance = Generations._advance
    monkeypatch.setattr(
        Generations, "_advance", lambda self, *args: running.append(self) or advance(self, *args)
    )
    polls = itertools.count()

    def stop() -> bool:
        return bool(running) and next(polls) > 20

    result = trace(scene_of(ray(20, 0, 20, 10), ball), threads=threads, stop=stop)
    assert result.completion is Completion.CANCELLED
    assert result.status.tolist() == [Status.ALIVE]
    first, count = result.points[0]
    np.testing.assert_array_equal(result.polyline[first + count - 1], result.p2[0])
    assert result.ledger.alive == pytest.approx(result.ledger.emitted)
    # the first turns are on the circle that is normal to the x axis at x = 20 and at -10000 / 20;
    # the long sum lets later ones drift
    centre, points = (20 - 500) / 2, result.polyline[:500]
    np.testing.assert_allclose(np.hypot(points[:, 0] - centre, points[:, 1]), 260, atol=1e-3)
