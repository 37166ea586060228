"""Traces that keep only the rows that end on some objects."""

import numpy as np
import pytest
from tests.core.analysis.random_light import random_light
from tests.physics.random_scenes import bench

from raybench.kinds.glasses import GlassBody
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import SingleRay, Source
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.codes import Completion, Interaction
from raybench.trace.columns import STORED
from raybench.trace.keep import NOT_KEPT, ODD, REFLECTED, SCATTERED, Keep, RowsNotKept
from raybench.trace.results.path_keys import path_keys
from raybench.trace.run import generations, memory
from raybench.trace.trace import trace


@pytest.mark.parametrize("seed", range(12))
def test_kept_rows_are_those_of_the_whole_trace(seed):
    if seed % 2:
        scene, whole = random_light(np.random.default_rng(seed))
    else:
        scene = bench(seed)
        whole = trace(scene, threads=1, max_segments=600)
    lit = [i for i, o in enumerate(scene.optical) if not isinstance(o, Source)]
    rng = np.random.default_rng(seed)
    objects = tuple(sorted(rng.choice([-1, *lit], min(3, len(lit)), replace=False).tolist()))
    keep = Keep(objects, objects[-1:] if seed % 3 else (), paths=True)
    kept = trace(scene, threads=1, max_segments=600, keep=keep)
    assert kept.kept is not None or len(whole.counted)
    if kept.kept is None:
        return
    begun_at = np.where(whole.parent < 0, whole.source, whole.hit[whole.parent])
    rows = np.flatnonzero(np.isin(whole.hit, objects) | np.isin(begun_at, keep.leaving))
    if keep.leaving:
        parent, known = whole.parent[rows], kept.parent >= 0
        np.testing.assert_array_equal(rows[kept.parent[known]], parent[known])
        np.testing.assert_array_equal(kept.parent == -1, parent < 0)
        np.testing.assert_array_equal(kept.parent == NOT_KEPT, ~known & (parent >= 0))
        assert not np.isin(parent[~known], rows).any()
    for name in STORED:
        if name not in ("parent", "points"):
            np.testing.assert_array_equal(getattr(kept, name), getattr(whole, name)[rows], name)
    for mine, theirs in zip(kept.pieces()[:2], whole.pieces(rows)[:2], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    every = np.arange(len(rows))
    for ends in (True, False):
        np.testing.assert_array_equal(
            path_keys(kept, every, ends=ends), path_keys(whole, rows, ends=ends)
        )
    for row, met in zip(rows.tolist(), kept.kept.met.tolist(), strict=True):
        *before, _ = path = whole.lineage.path(row)
        reflections = sum(
            isinstance(scene.optical[whole.hit[a]], GlassBody)
            and whole.interaction[b] == Interaction.REFLECT
            for a, b in zip(before, path[1:], strict=True)
        )
        assert [bool(met >> bit & 1) for bit in range(len(keep.objects))] == [
            index in whole.hit[before] for index in keep.objects
        ]
        assert bool(met & int(REFLECTED)) == (reflections > 0)
        assert bool(met & int(ODD)) == (reflections % 2 == 1)
        assert bool(met & int(SCATTERED)) == (Interaction.SCATTER in whole.interaction[path])
    assert kept.ledger == whole.ledger
    assert kept.kept.segments == len(whole)
    assert kept.kept.emitted.sum() == pytest.approx(whole.ledger.emitted, rel=1e-12)


def test_what_is_not_kept_is_refused():
    kept = trace(bench(2), keep=Keep(()))
    assert kept.kept is not None
    assert len(kept) == 0
    questions = (
        lambda: kept.lineage,
        lambda: kept.parent >= 0,
        lambda: np.flatnonzero(kept.parent),
        lambda: kept.parent.astype(int),
        lambda: kept.ray_set(kept.rows),
        lambda: kept.segment_id(0),
    )
    for ask in questions:
        with pytest.raises(RowsNotKept, match="without keep"):
            ask()


def test_rows_without_paths_are_those_with_them():
    with_paths, without = (
        trace(bench(2), keep=Keep((-1, 2), paths=paths)) for paths in (True, False)
    )
    assert len(without)
    for name in STORED:
        if name != "parent":
            np.testing.assert_array_equal(getattr(without, name), getattr(with_paths, name), name)
    with pytest.raises(RowsNotKept, match="without keep"):
        path_keys(without, np.arange(len(without)))


def test_kept_rows_do_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    monkeypatch.setattr(generations, "MOST_SHARED", 8)
    monkeypatch.setattr(memory, "BATCH_RAYS", 4)
    scene = bench(4)
    hit = trace(scene, max_segments=600).hit
    objects = tuple(np.unique(hit[hit >= 0])[:2].tolist())
    one, three = (
        trace(scene, max_segments=600, threads=n, keep=Keep(objects, objects[:1])) for n in (1, 3)
    )
    for name in STORED:
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name), name)
    np.testing.assert_array_equal(one.kept.path_key, three.kept.path_key)
    np.testing.assert_array_equal(one.kept.met, three.kept.met)
    assert one.ledger == three.ledger


def test_memory_does_not_grow_with_rows_that_are_not_kept():
    mirrors = [Mirror(p1=Point(x, -1e4), p2=Point(x, 1e4)) for x in (0.0, 10.0)]
    scene = Scene.of([*mirrors, SingleRay(p1=Point(5, 0), p2=Point(6, 0.01))])
    kept = trace(scene, max_segments=100_000, memory_limit=3_000_000, keep=Keep())
    assert kept.completion is Completion.SEGMENT_LIMIT
    assert kept.kept.segments == 100_000
