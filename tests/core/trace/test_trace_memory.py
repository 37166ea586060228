"""Memory between traces: buffers are reused only when unreferenced, and never change a row."""

from __future__ import annotations

import gc
import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.benchmarks.scenes import prism, room
from tests.edited import edited

from raybench.scene.changes import Move
from raybench.trace import trace as tracing
from raybench.trace.columns import STORED
from raybench.trace.results.result import TraceResult
from raybench.trace.run import emission, generations
from raybench.trace.run.memory import LEAST_BYTES, MOST_SETS, ArrayBuffers, TraceMemory
from raybench.trace.tables import compiled
from raybench.trace.trace import trace

LET_GO = 0.2
"""Seconds in which a thread that helped lets go of its arguments, which it holds a moment longer
than its result takes.
"""


class Pair(NamedTuple):
    a: NDArray[np.float64]
    b: NDArray[np.int32]


def pair(n: int, width: int = 2) -> Pair:
    made = Pair(np.empty((n, width)), np.empty(n, np.int32))
    made.a.ravel()[:], made.b[:] = np.arange(n * width), np.arange(n)
    return made


def assert_same(a: TraceResult, b: TraceResult) -> None:
    for name in STORED:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def arrays_kept(memory: TraceMemory) -> set[int]:
    """The identities of the arrays that the next trace may use."""
    used = memory.left.generations
    sets = [arrays for _, arrays in memory.buffers._sets]
    return {
        id(a)
        for arrays in (*sets, *((used.queue, used.columns) if used else ()))
        for a in arrays
        if a.size
    }


def test_a_set_is_reused_when_its_last_view_is_deleted() -> None:
    buffers, n = ArrayBuffers(), LEAST_BYTES
    arrays = pair(n)
    given = Pair(*(a[: n // 2] for a in arrays))
    buffers.keep_arrays(arrays)
    del arrays
    part = given.a[10:20, 1]
    del given
    assert buffers.take_arrays(pair(1), 1) is None
    np.testing.assert_array_equal(part, 2.0 * np.arange(10, 20) + 1)
    del part
    again = buffers.take_arrays(pair(1), n)
    assert again is not None
    assert len(again.a) == n
    assert buffers.take_arrays(pair(1), 1) is None


def test_only_sets_of_the_same_columns_with_enough_room_are_taken_and_the_smallest_of_them() -> (
    None
):
    buffers, n = ArrayBuffers(), LEAST_BYTES
    for size, width in ((n, 3), (4 * n, 2), (2 * n, 2)):
        buffers.keep_arrays(pair(size, width))
    assert buffers.take_arrays(pair(1), 5 * n) is None
    found = buffers.take_arrays(pair(1), n)
    assert found is not None
    assert found.a.shape == (2 * n, 2)


def test_sets_that_are_views_are_not_kept() -> None:
    buffers, n = ArrayBuffers(), LEAST_BYTES
    buffers.keep_arrays(Pair(*(a[:] for a in pair(n))))
    assert buffers.take_arrays(pair(1), 1) is None


def test_small_sets_are_not_kept_and_of_many_the_newest_are() -> None:
    buffers = ArrayBuffers()
    buffers.keep_arrays(pair(10))
    assert buffers.take_arrays(pair(1), 1) is None
    for i in range(MOST_SETS + 2):
        buffers.keep_arrays(pair(LEAST_BYTES + i))
    sizes = []
    while (found := buffers.take_arrays(pair(1), 1)) is not None:
        sizes.append(len(found.a) - LEAST_BYTES)
    assert sizes == list(range(2, MOST_SETS + 2))


def test_a_result_in_use_is_not_overwritten_by_later_traces() -> None:
    memory = TraceMemory()
    held = trace(prism(3_000), memory=memory)
    rows, before = held.p2[5_000:6_000], held.p2.copy()
    for rays in (2_900, 3_100, 3_000):
        trace(prism(rays), memory=memory)
    np.testing.assert_array_equal(held.p2, before)
    del held
    for rays in (2_900, 3_100):
        trace(prism(rays), memory=memory)
    np.testing.assert_array_equal(rows, before[5_000:6_000])


def test_the_buffers_of_a_deleted_result_are_reused() -> None:
    memory = TraceMemory()
    address = trace(prism(3_000), memory=memory).p1.__array_interface__["data"]
    for _ in range(2):
        time.sleep(LET_GO)
        assert trace(prism(3_000), memory=memory).p1.__array_interface__["data"] == address


@pytest.mark.parametrize(("threads", "objects"), [(1, 2), (2, 2), (1, 1)])
def test_the_same_scene_needs_no_new_pages_when_it_is_traced_again(
    threads: int, objects: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither with many rows a source ray nor with one."""
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    scene, memory = prism(100_000), TraceMemory()
    scene = replace(scene, objects=scene.objects[:objects])
    gc.disable()  # a result in a reference cycle would be freed some time later
    try:
        trace(scene, memory=memory, threads=threads)
        first = arrays_kept(memory)
        for _ in range(3):
            time.sleep(LET_GO)
            trace(scene, memory=memory, threads=threads)
            assert arrays_kept(memory) == first
    finally:
        gc.enable()


def test_every_stored_column_is_written_by_the_kernels() -> None:
    """Old contents of reused buffers appear in no row."""
    for scene in (prism(3_000), room(12, 300)):
        memory, plain = TraceMemory(), trace(scene)
        trace(scene, memory=memory)
        gc.collect()
        used = memory.left.generations
        assert used is not None
        for array in used.columns:
            array.view(np.uint8)[...] = 0x5A
        assert_same(trace(scene, memory=memory), plain)


def test_rows_are_the_same_with_and_without_memory_while_a_scene_is_edited() -> None:
    memory, scene = TraceMemory(), room(30, 200)
    for step in range(6):
        scene = edited(scene, Move(scene.objects[-1 - step % 2].key, 1.0, 0.5))
        assert_same(trace(scene, memory=memory), trace(scene))


def test_rows_are_the_same_with_and_without_memory_for_other_source_rays() -> None:
    memory, scene = TraceMemory(), prism(300)
    for options in ({"draw": 1}, {"draw": 2}, {"max_source_rays": 40}, {}):
        assert_same(trace(scene, memory=memory, **options), trace(scene, **options))


def test_memories_are_independent_and_a_trace_without_one_keeps_nothing() -> None:
    one, other = TraceMemory(), TraceMemory()
    trace(prism(3_000), memory=one)
    trace(prism(3_000))
    assert None not in one.left
    assert set(other.left) == {None}
    for module in (tracing, emission, compiled):
        assert not [name for name in vars(module) if name.startswith("_last")]
