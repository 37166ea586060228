"""A detector lets light pass unchanged, also where it lies on a surface: it counts, and the surface
acts as if alone.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.physics.random_scenes import bench

from raybench.analysis.measures.light import Light
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.rays.detector_light import light_at_detector
from raybench.analysis.rays.hit_columns import fill_hit_columns
from raybench.analysis.rays.incidence import rays_hitting
from raybench.analysis.rays.ray_filter import MatchCondition
from raybench.files.trace_npz import load_npz, save_npz
from raybench.kinds.blockers import Blocker
from raybench.kinds.custom_surfaces import CustomSurface, OutRayFormulas
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass, PlaneGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import SingleRay, Source
from raybench.scene.problems.pairs import find_coinciding_surfaces
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import FullLine, Line
from raybench.trace.codes import Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

SCENES = 500 if os.environ.get("RAYBENCH_LONG") else 30
BLOCK = 10
MOST = 2_000
FIRST = 10_000 * int(os.environ.get("RAYBENCH_SEED") or 0)
TOP, BOTTOM = Point(0, -50), Point(0, 50)
LASER = SingleRay(p1=Point(-50, 20), p2=Point(0, 40), brightness=1.0)
BLOCK_OF_GLASS = Glass(
    path=tuple(Vertex(*p) for p in ((0, -50), (100, -50), (100, 50), (0, 50))), ref_index=1.5
)
CLEAR = replace(BLOCK_OF_GLASS, partial_reflect=False)
ENDS = {"p1": TOP, "p2": BOTTOM}
SURFACES: dict[str, SceneObject] = {
    "glass": BLOCK_OF_GLASS,
    "half-plane": PlaneGlass(**ENDS, ref_index=1.5),
    "mirror": Mirror(**ENDS),
    "splitter": BeamSplitter(**ENDS, trans_ratio=0.3),
    "lens": IdealLens(**ENDS, focal_length=80),
    "grating": DiffractionGrating(**ENDS, line_density=500),
    "screen": Blocker(**ENDS),
    "plate": CustomSurface(
        **ENDS,
        out_rays=(
            OutRayFormulas(r"\theta_0", r"0.6\cdot P_0"),
            OutRayFormulas(r"\pi-\theta_0", r"P_0-P_1"),
        ),
    ),
}
COLUMNS = ("p1", "p2", "power", "wavelength", "parent", "interaction", "status", "depth", "edge")


def linear(*objects: SceneObject) -> Scene:
    """The objects, and a laser."""
    return Scene.of([*objects, LASER]).with_settings(color_mode="linear")


def assert_same_rows(a: TraceResult, b: TraceResult) -> None:
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


@pytest.mark.quick
@pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)
@pytest.mark.parametrize("first", [True, False], ids=["detector first", "detector second"])
def test_a_surface_acts_as_without_its_detector(surface: SceneObject, first: bool) -> None:
    both = Detector(p1=Point(0, -60), p2=Point(0, 60))
    result = trace(linear(both, surface) if first else linear(surface, both))
    assert_same_rows(result, trace(linear(surface)))
    # as just in front of it
    ahead = trace(linear(surface, Detector(p1=Point(-1e-3, -60), p2=Point(-1e-3, 60))))
    assert result.detectors[0].power == pytest.approx(ahead.detectors[0].power, abs=1e-12)
    assert not any("lie on each other" in w.text for w in result.warnings)


def test_light_that_arrives_counts_whatever_returns() -> None:
    detector = Detector(p1=TOP, p2=BOTTOM, irrad_map=True, bin_size=20.0)
    for surface in (*list(SURFACES.values())[1:], CLEAR):
        scene = linear(surface, detector)
        light = Light(scene, trace(scene))
        index = scene.optical.index(detector)
        assert MEASURES["power"].value(light, index) == pytest.approx(1.0)
        assert MEASURES["rays"].value(light, index) == 1
        assert MEASURES["centroid"].value(light, index) == pytest.approx(90.0)
        (reading,) = light.result.detectors
        assert reading.bins is not None
        assert reading.bins[4] == pytest.approx(reading.power)


def test_several_detectors_on_one_line_each_count() -> None:
    detectors = [Detector(p1=TOP, p2=BOTTOM) for _ in range(3)]
    alone = trace(linear(*detectors))
    on_glass = trace(linear(*detectors[:2], CLEAR, detectors[2]))
    for result in (alone, on_glass):
        assert [d.power for d in result.detectors] == pytest.approx([1, 1, 1])
    assert len(alone) == 2
    assert not alone.warnings


def test_a_one_sided_detector_counts_its_own_side() -> None:
    back = SingleRay(p1=Point(-50, 20), p2=Point(0, 40), brightness=1.0)
    for ends, power in (((TOP, BOTTOM), 1.0), ((BOTTOM, TOP), 0.0)):
        detector = Detector(p1=ends[0], p2=ends[1], two_sided=False)
        result = trace(Scene.of([Mirror(**ENDS), detector, back]))
        assert result.detectors[0].power == power


def test_a_detector_on_a_contact_of_glasses_counts() -> None:
    right = replace(CLEAR, path=tuple(Vertex(100 + v.x, v.y) for v in CLEAR.path), ref_index=1.7)
    detector = Detector(p1=Point(100, -50), p2=Point(100, 50))
    without, with_it = (trace(linear(CLEAR, *more, right)) for more in ([], [detector]))
    assert_same_rows(with_it, without)
    assert with_it.detectors[0].power == pytest.approx(1.0)


def test_no_problem_is_told_of_detectors_on_surfaces() -> None:
    for surface in SURFACES.values():
        detectors = [Detector(p1=TOP, p2=BOTTOM), Detector(p1=BOTTOM, p2=TOP, two_sided=False)]
        assert not list(find_coinciding_surfaces(linear(surface, *detectors)))


def test_tools_find_the_light_that_a_detector_counts(tmp_path: Path) -> None:
    detector = Detector(name="Reading", p1=TOP, p2=BOTTOM)
    scene = linear(CLEAR, detector)
    result = trace(scene)
    index = scene.optical.index(detector)
    save_npz(result, tmp_path / "trace.npz")
    for kept in (result, load_npz(tmp_path / "trace.npz"), result.subset(result.rows, 7)):
        assert kept.rows_ending_on(index).tolist() == [0]
    assert np.flatnonzero(rays_hitting(result, scene, index)).tolist() == [0]
    at = MatchCondition("object", (detector.key,)).mask(result)
    assert np.flatnonzero(at).tolist() == [0, 1]
    assert light_at_detector(result, index, detector).rows.tolist() == [0]
    recorded = [
        {"p1": a, "p2": b, "brightness_s": 0.5, "brightness_p": 0.5, "parent": i - 1 if i else None}
        for i, (a, b) in enumerate(zip(result.p1, result.p2, strict=True))
    ]
    placed = fill_hit_columns(TraceResult.from_segments(recorded), scene)
    assert placed.hit.tolist() == result.hit.tolist()
    assert placed.rows_ending_on(index).tolist() == [0]


def with_detectors(scene: Scene, random: Random) -> tuple[Scene, list[Detector]]:
    """The scene with detectors on all of its straight surfaces, some of them twice, anywhere in the
    order of objects.
    """
    detectors, objects = list[Detector](), list(scene.objects)
    for obj in scene.optical:
        for shape in [e.shape for e in object_edges(obj)] if not isinstance(obj, Source) else []:
            if isinstance(shape, FullLine):
                (x, y), (ux, uy) = shape.through, shape.unit_direction
                shape = Line(Point(x - 300 * ux, y - 300 * uy), Point(x + 300 * ux, y + 300 * uy))
            if isinstance(shape, Line) and shape.length > 0:
                ends = [shape.a, shape.b][:: random.choice((1, -1))]
                detectors += [
                    Detector(p1=ends[0], p2=ends[1], two_sided=random.random() < 0.7)
                    for _ in range(random.choice((1, 1, 2)))
                ]
    for detector in detectors:
        objects.insert(random.choice((0, random.randint(0, len(objects)))), detector)
    return Scene.of(objects, scene.settings), detectors


def joined(result: TraceResult) -> np.ndarray:
    """The rows (p1, p2, power, wavelength, interaction) of a trace as if there were no detectors."""
    assert result.scene is not None
    index = [i for i, o in enumerate(result.scene.optical) if isinstance(o, Detector)]
    split = np.isin(result.hit, index) & (result.status == Status.CONTINUED)
    start, made = result.p1.copy(), result.interaction.copy()
    for row in np.flatnonzero((result.parent >= 0) & split[result.parent]).tolist():
        start[row], made[row] = start[result.parent[row]], made[result.parent[row]]
    away = np.where(result.escaped[:, None], result.p2 - result.p1, 0.0)
    length = np.hypot(*away.T)
    end = np.where(result.escaped[:, None], 0.0, result.p2)
    end = end + np.divide(away, length[:, None], out=np.zeros_like(away), where=length[:, None] > 0)
    columns = [start, end, result.power, np.nan_to_num(result.wavelength)[:, None], made[:, None]]
    return np.hstack(columns)[~split]


def assert_same_light(a: np.ndarray, b: np.ndarray, seed: int) -> None:
    assert len(a) == len(b), seed
    for row in a:
        assert (np.abs(b - row) <= 1e-6 * np.maximum(1, np.abs(row))).all(axis=1).any(), (seed, row)


def expected_reading(result: TraceResult, detector: Detector) -> float | None:
    """What a detector counts by the rows of the trace without it: what arrives, less what returns;
    None where rounding decides.
    """
    t = np.subtract(detector.p2, detector.p1)
    size = math.hypot(*t)
    d = result.p2 - result.p1
    length = np.hypot(*d.T)
    d, t = d / length[:, None], t / size
    a = np.array(detector.p1) - result.p1
    det = d[:, 0] * t[1] - d[:, 1] * t[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (a[:, 0] * t[1] - a[:, 1] * t[0]) / det
        u = (a[:, 0] * d[:, 1] - a[:, 1] * d[:, 0]) / det
    near_end = np.minimum(np.abs(u), np.abs(u - size)) < 1e-5
    on = (s > 1e-5) & (s < length + 1e-5) & (u > 0) & (u < size)
    doubtful = on & (np.abs(det) < 1e-4)
    doubtful |= (near_end | (np.abs(det) < 1e-8)) & (s > -1e-5) & (s < length + 1e-5)
    if doubtful.any():
        return None
    on &= result.status != Status.DEPTH
    if not detector.two_sided:
        on &= det > 0
    total = float((np.sign(det) * result.total_power)[on].sum())
    ends = on & (np.abs(s - length) < 1e-5)
    back = np.flatnonzero((result.parent >= 0) & ends[result.parent])
    back = back[det[back] * det[result.parent[back]] < 0]
    if detector.two_sided:
        total += float((np.sign(det) * result.total_power)[back].sum())
    return total


@pytest.mark.long
@pytest.mark.parametrize("first", range(FIRST, FIRST + SCENES, BLOCK))
def test_detectors_on_all_surfaces_leave_light_as_it_is(first: int) -> None:
    read = 0
    for seed in range(first, first + BLOCK):
        scene = bench(seed)
        more, detectors = with_detectors(scene, Random(seed))
        plain, result = trace(scene, max_segments=MOST), trace(more, max_segments=MOST)
        keys = {d.key for d in detectors}
        met = [i for i, o in enumerate(more.optical) if o.key in keys]
        if not np.isin(result.hit, met).any():  # as where each surface acts on all light
            assert_same_rows(result, plain)
        else:
            free = {"color_mode": "linear", "max_ray_depth": math.inf}
            plain = trace(scene.with_settings(**free), max_segments=MOST)
            result = trace(more.with_settings(**free), max_segments=MOST)
            if max(len(plain), len(result)) >= MOST:
                continue
            assert_same_light(joined(result), joined(plain), seed)
        readings = {more.optical[r.index].key: r.power for r in result.detectors}
        for detector in detectors:
            expected = expected_reading(plain, detector)
            if expected is not None:
                read += expected != 0
                assert readings[detector.key] == pytest.approx(expected, rel=1e-6, abs=1e-9), seed
    assert read > 0
