"""The hierarchy gives the same hits as testing every primitive, and compiled kernels the same rows
as uncompiled ones.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from random_objects import random_scene

from raybench.files.document_file import save_document
from raybench.kinds.mirrors import Mirror
from raybench.kinds.primitives import GEOMETRY_WIDTH
from raybench.kinds.sources import PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.compilation.jit import LANES
from raybench.trace.tables import compiled as compiling
from raybench.trace.tables.bvh import (
    ALL_SIDES,
    DEPTH,
    ENTERED_AND_LEFT,
    LEFT,
    PACKED,
    build_hierarchy,
)
from raybench.trace.trace import trace

COLUMNS = (
    "p1",
    "p2",
    "power",
    "parent",
    "source_ray",
    "depth",
    "hit",
    "edge",
    "interaction",
    "status",
    "flags",
)


@pytest.mark.parametrize("seed", range(8))
def test_the_hierarchy_gives_the_same_hits_as_testing_every_primitive(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = random_scene(seed, 20 * (seed + 1))
    ordered = trace(scene, max_segments=40_000)
    monkeypatch.setattr(compiling, "FEW_PRIMITIVES", 10**9)
    plain = trace(scene, max_segments=40_000)
    assert len(ordered) > 1000
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(ordered, name), getattr(plain, name), err_msg=name)


@pytest.mark.parametrize("count", [1, 5, 1000])
@pytest.mark.parametrize("layout", ["random", "same", "growing"])
def test_every_primitive_is_in_one_node_and_in_all_boxes_above(count: int, layout: str) -> None:
    rng = np.random.default_rng(count)
    corner = rng.uniform(0, 100, (count, 2)) if layout == "random" else np.zeros((count, 2))
    size = (
        1.5 ** np.minimum(np.arange(count), 900)[:, None]
        if layout == "growing"
        else np.ones((count, 1))
    )
    boxes = np.hstack([corner, corner + size])
    kind = (np.arange(count) % 4).astype(np.int8)
    geometry = np.arange(count * GEOMETRY_WIDTH, dtype=float).reshape(count, -1)
    h = build_hierarchy(kind, geometry, boxes, np.arange(count))
    for quadrant, order in enumerate(ENTERED_AND_LEFT):
        seen: list[int] = []
        todo = [(quadrant, 0, np.array([-np.inf, -np.inf, np.inf, np.inf]))]
        while todo:
            node, level, around = todo.pop()
            assert level < DEPTH
            for side in range(LANES):
                box = h.box[node, np.argsort(order), side]
                child = int(h.child[LANES * node + side])
                if box[0] > box[2]:  # an empty side
                    continue
                assert (box[:2] >= around[:2]).all()
                assert (box[2:] <= around[2:]).all()
                if child >= 0:
                    assert child & ALL_SIDES == ALL_SIDES
                    todo.append((child >> LANES, level + 1, box))
                    continue
                pack = (-1 - child) >> 3
                for of in range(3):
                    if (-1 - child) >> of & 1:
                        at = h.primitive[LANES * pack : LANES * (pack + 1)]
                        at = at[at >= 0]
                        assert (np.minimum(kind[at], 2) == of).all()
                        assert (boxes[at, :2] >= box[:2]).all()
                        assert (boxes[at, 2:] <= box[2:]).all()
                        numbers = h.pack[pack, :, : len(at)]
                        np.testing.assert_array_equal(numbers[:PACKED].T, geometry[at, :PACKED])
                        np.testing.assert_array_equal(numbers[PACKED], at)
                        np.testing.assert_array_equal(numbers[LEFT:].T, boxes[at])
                        assert np.isnan(h.pack[pack, : PACKED + 1, len(at) :]).all()
                        seen += at.tolist()
                        pack += 1
        assert sorted(seen) == list(range(count))


def test_rays_along_the_axes_traverse_the_boxes_correctly() -> None:
    mirrors = [
        Mirror(p1=Point(10.0 * i, -5 + (i % 3)), p2=Point(10.0 * i, 5)) for i in range(1, 40)
    ]
    source = PointSource(x=0, y=0, brightness=1)
    scene = Scene.of([source, *mirrors], Settings(ray_mode_density=4 / 500, max_ray_depth=3))
    result = trace(scene)
    right = np.flatnonzero((result.depth == 0) & (result.hit >= 0))
    assert result.hit[right].tolist() == [1]
    assert result.p2[right[0]].tolist() == [10.0, pytest.approx(0, abs=1e-12)]


def test_without_the_compiler_the_kernels_give_the_same_rows(tmp_path: Path) -> None:
    save_document(Document(scene=random_scene(3, 30)), tmp_path / "scene.json")
    command = [
        sys.executable,
        "-m",
        "raybench_workbench",
        "trace",
        str(tmp_path / "scene.json"),
        "--max-segments",
        "300",
        "--out",
    ]
    for folder, off in (("compiled", "0"), ("plain", "1")):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": off}
        done = subprocess.run(
            [*command, str(tmp_path / folder)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
    with (
        np.load(tmp_path / "compiled/scene.npz") as compiled,
        np.load(tmp_path / "plain/scene.npz") as plain,
    ):
        assert len(plain["p1"]) == 300
        for name in ("hit", "parent", "depth", "source_ray", "escaped"):
            np.testing.assert_array_equal(plain[name], compiled[name], err_msg=name)
        for name in ("p1", "p2", "power"):
            np.testing.assert_allclose(
                plain[name], compiled[name], rtol=1e-9, atol=1e-9, err_msg=name
            )
        assert json.loads(str(plain["meta"]))["status"] == "segment limit"
        assert math.isfinite(float(plain["power"].sum()))
