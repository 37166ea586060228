"""Random scenes of many kinds at once, row by row against a second, plain tracer."""

from __future__ import annotations

import dataclasses
import math
import os

import numpy as np
import pytest
from tests.physics.plain_tracer import Row, Tracer
from tests.physics.random_scenes import bench

from raybench.scene.scene import Scene
from raybench.trace.columns import RayColumns
from raybench.trace.run import generations
from raybench.trace.trace import trace

MOST = 600
DEEP = 6
"""Interactions after which rounding may have grown too much to compare."""
SCENES = 10_000 if os.environ.get("RAYBENCH_LONG") else 60
BLOCK = 20
OTHERS = (Tracer(eps=0.5e-6), Tracer(eps=2e-6), Tracer(end=1e-10), Tracer(end=1e-8))
"""The same rules with other tolerances: where these disagree with one another, a scene has no
answer to compare with.
"""

Traced = tuple[list[Row], dict[int, float]]


def traced(scene: Scene, threads: int = 1) -> Traced:
    """What the engine finds, in the plain tracer's form."""
    found = trace(scene, threads=threads, max_segments=MOST + 1)
    way = found.p2 - found.p1
    end = np.where(
        found.escaped[:, None], found.p1 + 100 * way / np.hypot(*way.T)[:, None], found.p2
    )
    columns = (found.p1, end, found.power, found.hit, found.parent, found.depth, found.source_ray)
    rows = [
        Row(complex(*p), complex(*q), s, p_, hit, parent, depth, ray)
        for p, q, (s, p_), hit, parent, depth, ray in zip(
            *(c.tolist() for c in columns), strict=True
        )
    ]
    return rows, {d.index: d.power for d in found.detectors}


def difference(a: Traced, b: Traced) -> str:
    """Where two traces of a scene differ, "" if nowhere."""
    for i, (p, q) in enumerate(zip(a[0], b[0], strict=False)):
        told, wanted = (
            (p.hit, p.parent, p.depth, p.source_ray),
            (q.hit, q.parent, q.depth, q.source_ray),
        )
        if min(p.depth, q.depth) > DEEP:
            if told != wanted:
                # rounding has parted two rays, which changes the places of all that come later
                return ""
            continue
        if told != wanted:
            return f"row {i}: hit, parent, depth, source ray {told}, not {wanted}"
        near = 1e-6 * max(1.0, abs(q.end) / 1000) ** 2  # far away things are met at a grazing angle
        if abs(p.start - q.start) > near or abs(p.end - q.end) > near:
            return f"row {i}: {p.start} to {p.end}, not {q.start} to {q.end}"
        if max(abs(p.s - q.s), abs(p.p - q.p)) > 1e-12 + 1e-6 * (q.s + q.p):
            return f"row {i}: power {p.s}, {p.p}, not {q.s}, {q.p}"
    if max((r.depth for r in b[0]), default=0) <= DEEP:
        if len(a[0]) != len(b[0]):
            return f"{len(a[0])} rows, not {len(b[0])}"
        for k, power in b[1].items():
            if not math.isclose(a[1][k], power, rel_tol=1e-9, abs_tol=1e-12):
                return f"detector {k}: {a[1][k]}, not {power}"
    return ""


def genuine_difference(scene: Scene) -> str:
    """Where the engine differs from the plain tracer, "" if nowhere or where the tolerances decide."""
    found = traced(scene)
    if not (first := difference(found, Tracer().trace(scene, MOST))):
        return ""
    others = [other.trace(scene, MOST) for other in OTHERS]
    if any(difference(found, other) == "" or difference(other, others[0]) for other in others):
        return ""
    return first


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, SCENES, BLOCK))
def test_every_row_of_random_scenes_is_that_of_the_plain_tracer(first: int) -> None:
    found = {seed: genuine_difference(bench(seed)) for seed in range(first, first + BLOCK)}
    assert {seed: text for seed, text in found.items() if text} == {}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(0, 2_000 if os.environ.get("RAYBENCH_LONG") else 24, 2))
def test_random_scenes_have_the_same_rows_for_any_number_of_threads(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)  # else small scenes take one thread only
    scene = bench(seed)
    one, *others = (trace(scene, threads=threads, max_segments=MOST) for threads in (1, 2, 3, 8))
    for other in others:
        for f in dataclasses.fields(RayColumns):
            np.testing.assert_array_equal(
                getattr(other, f.name), getattr(one, f.name), err_msg=f.name
            )
