"""The hierarchy gives the same hits as testing every primitive, and compiled kernels the same rows as uncompiled ones."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.files.scene_json import save_scene
from core.kinds.blockers import Aperture, CircleBlocker
from core.kinds.glasses import CircleGlass, Glass, PlaneGlass
from core.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from core.kinds.lenses import IdealLens, SphericalLens
from core.kinds.mirrors import ArcMirror, BeamSplitter, IdealMirror, Mirror, ParabolicMirror
from core.kinds.object import SceneObject
from core.kinds.sources import PointSource
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.shapes.point import Point, Vertex
from core.trace.compilation.lanes import LANES
from core.trace.tables import compiled as compiling
from core.trace.tables.bvh import BOX_ROWS, STACK, hierarchy_of
from core.trace.trace import trace

COLUMNS = ("p1", "p2", "power", "parent", "source_ray", "depth", "hit", "edge", "interaction", "status", "flags")


def random_object(rng: np.random.Generator) -> SceneObject:
    """One object of any kind, about 10 units in size, somewhere in a field of 200."""
    x, y = rng.uniform(0, 200, 2)
    a, b, c, d = (Point(x + dx, y + dy) for dx, dy in rng.uniform(-6, 6, (4, 2)))
    middle = Point((a.x + b.x) / 2 + (b.y - a.y) / 4, (a.y + b.y) / 2 - (b.x - a.x) / 4)
    arc = tuple(Vertex(p.x, p.y, i == 1) for i, p in enumerate((a, middle, b, Point(a.x - 3, b.y - 3))))
    kinds: list[SceneObject] = [
        Mirror(p1=a, p2=b), ArcMirror(p1=a, p2=b, p3=middle), ParabolicMirror(p1=a, p2=b, p3=middle),
        IdealMirror(p1=a, p2=b, focal_length=20), BeamSplitter(p1=a, p2=b), IdealLens(p1=a, p2=b, focal_length=-15),
        Glass(path=tuple(Vertex(*p) for p in (a, b, c))), Glass(path=arc), CircleGlass(p1=a, p2=b), CircleBlocker(p1=a, p2=b),
        Aperture(p1=a, p3=b, p4=c, p2=d), DiffractionGrating(p1=a, p2=b), ConcaveDiffractionGrating(p1=a, p2=b, p3=middle),
        SphericalLens(p1=a, p2=b, params={"d": 3, "r1": 20, "r2": -20}),
    ]  # fmt: skip
    return kinds[int(rng.integers(len(kinds)))]


def random_scene(seed: int, count: int) -> Scene:
    rng = np.random.default_rng(seed)
    floor = PlaneGlass(p1=Point(0, 230), p2=Point(200, 240))
    objects = [PointSource(x=100, y=100, brightness=3), floor, *(random_object(rng) for _ in range(count))]
    return Scene.of(objects, Settings(ray_mode_density=3, max_ray_depth=12))


@pytest.mark.parametrize("seed", range(8))
def test_the_hierarchy_gives_the_same_hits_as_testing_every_primitive(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = random_scene(seed, 20 * (seed + 1))
    ordered = trace(scene, max_segments=40_000)
    monkeypatch.setattr(compiling, "FEW", 10**9)
    plain = trace(scene, max_segments=40_000)
    assert len(ordered) > 1000
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(ordered, name), getattr(plain, name), err_msg=name)


@pytest.mark.parametrize("count", [1, 5, 1000])
@pytest.mark.parametrize("layout", ["random", "same", "growing"])
def test_every_primitive_is_in_one_node_and_in_all_boxes_above(count: int, layout: str) -> None:
    rng = np.random.default_rng(count)
    corner = rng.uniform(0, 100, (count, 2)) if layout == "random" else np.zeros((count, 2))
    size = 1.5 ** np.minimum(np.arange(count), 900)[:, None] if layout == "growing" else np.ones((count, 1))
    boxes = np.hstack([corner, corner + size])
    h = hierarchy_of(np.arange(count, dtype=np.int8), boxes * 2, boxes, np.arange(count))
    assert sorted(h.order.tolist()) == list(range(count))
    np.testing.assert_array_equal(h.geometry, 2 * boxes[h.order])
    seen: list[int] = []
    todo = [(0, 0, np.array([-np.inf, -np.inf, np.inf, np.inf]))]
    deepest = 0
    while todo:
        node, level, around = todo.pop()
        deepest = max(deepest, level)
        for side in range(LANES):
            box, child = h.box[BOX_ROWS * node : BOX_ROWS * (node + 1), side], int(h.child[LANES * node + side])
            if box[0] > box[2]:  # an empty side
                continue
            assert (box[:2] >= around[:2]).all()
            assert (box[2:] <= around[2:]).all()
            if child < 0:
                np.testing.assert_array_equal(box, boxes[h.order[-1 - child]])
                seen.append(-1 - child)
            else:
                todo.append((child, level + 1, box))
    assert sorted(seen) == list(range(count))
    assert deepest * LANES < STACK


def test_rays_along_the_axes_traverse_the_boxes_correctly() -> None:
    mirrors = [Mirror(p1=Point(10.0 * i, -5 + (i % 3)), p2=Point(10.0 * i, 5)) for i in range(1, 40)]
    source = PointSource(x=0, y=0, brightness=1)
    scene = Scene.of([source, *mirrors], Settings(ray_mode_density=4 / 500, max_ray_depth=3))
    result = trace(scene)
    right = np.flatnonzero((result.depth == 0) & (result.hit >= 0))
    assert result.hit[right].tolist() == [1]
    assert result.p2[right[0]].tolist() == [10.0, pytest.approx(0, abs=1e-12)]


def test_without_the_compiler_the_kernels_give_the_same_rows(tmp_path: Path) -> None:
    save_scene(random_scene(3, 30), tmp_path / "scene.json")
    command = [sys.executable, "-m", "workbench", "trace", str(tmp_path / "scene.json"), "--max-segments", "300", "--out"]
    for folder, off in (("compiled", "0"), ("plain", "1")):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": off}
        done = subprocess.run([*command, str(tmp_path / folder)], capture_output=True, text=True, env=environment, timeout=300)
        assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "compiled/scene.npz") as compiled, np.load(tmp_path / "plain/scene.npz") as plain:
        assert len(plain["p1"]) == 300
        for name in ("hit", "parent", "depth", "source_ray", "escaped"):
            np.testing.assert_array_equal(plain[name], compiled[name], err_msg=name)
        for name in ("p1", "p2", "power"):
            np.testing.assert_allclose(plain[name], compiled[name], rtol=1e-9, atol=1e-9, err_msg=name)
        assert json.loads(str(plain["meta"]))["status"] == "segment limit"
        assert math.isfinite(float(plain["power"].sum()))
