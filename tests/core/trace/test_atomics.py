"""Atomic operations between threads: a lock excludes others, and writes become visible in order."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiling_tests import run_where_kernels_are_compiled

from core.trace.compilation.atomics import exchange, load, lock, store, unlock
from core.trace.compilation.jit import COMPILING, part


@part
def count_behind_lock(state: Any, counts: Any, times: int) -> None:
    for _ in range(times):
        lock(state, 0)
        counts[0] += 1
        counts[1] += counts[0] % 2
        unlock(state, 0)


@part
def write_in_turn(state: Any, out: Any, first: int, step: int) -> None:
    for i in range(first, len(out), step):
        while load(state, 1) != i:
            pass
        out[i] = out[i - 1] + 1 if i else 0
        store(state, 1, i + 1)


@part
def exchanged(state: Any, value: int) -> int:
    return exchange(state, 2, value)


def in_threads(*works: Any) -> None:
    threads = [threading.Thread(target=w) for w in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_lock_excludes_other_threads() -> None:
    state, counts = np.zeros(16, np.int64), np.zeros(2, np.int64)
    count_behind_lock(state, counts, 0)
    times = 100_000 if COMPILING else 1_000
    in_threads(*[lambda: count_behind_lock(state, counts, times)] * 3)
    assert counts.tolist() == [3 * times, 3 * times // 2]


def test_threads_in_turn_see_earlier_writes() -> None:
    state, out = np.zeros(16, np.int64), np.zeros(2_000, np.int64)
    in_threads(lambda: write_in_turn(state, out, 0, 2), lambda: write_in_turn(state, out, 1, 2))
    assert out.tolist() == list(range(2_000))


def test_exchange_returns_the_previous_value() -> None:
    state = np.array([5, 6, 7])
    assert exchanged(state, 9) == 7
    assert state.tolist() == [5, 6, 9]


@pytest.mark.skipif(COMPILING, reason="this is the process")
def test_the_same_in_compiled_code(tmp_path: Path) -> None:
    run_where_kernels_are_compiled(__file__, tmp_path)
