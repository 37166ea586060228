"""Sharing work among threads: parts are searched by any thread, placed in order, and written once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

import pytest

from raybench.trace.run.sharing import Pipeline, PlacedPart, ThreadTeam


class Work:
    """Parts are numbers. Records the order of places, and what was written; each part writes its
    number plus one.
    """

    def __init__(
        self,
        crowded_at: int = -1,
        last: int = -1,
        search: Callable[[int], None] = lambda part: None,
    ) -> None:
        self.placed: list[int] = []
        self.written: list[int] = []
        self.crowded_at, self.last, self._search = crowded_at, last, search
        self.busy: set[int] = set()

    def search(self, buffer: list[int], part: int) -> None:
        assert id(buffer) not in self.busy, "a buffer holds two parts"
        self.busy.add(id(buffer))
        self._search(part)
        buffer[:] = [part]

    def place(self, buffer: list[int]) -> PlacedPart | None:
        (part,) = buffer
        if part == self.crowded_at:
            return None
        self.placed.append(part)
        return PlacedPart(lambda: self.write(buffer), part == self.last)

    def write(self, buffer: list[int]) -> int:
        (part,) = buffer
        self.written.append(part)
        self.busy.discard(id(buffer))
        return part + 1

    def pipeline(self, parts: int, workers: int, buffers: int = 3) -> Pipeline:
        own: list[list[list[int]]] = [[[] for _ in range(buffers)] for _ in range(workers)]
        return Pipeline([(i % workers, i) for i in range(parts)], own, self.search, self.place)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_parts_are_placed_in_order(threads: int) -> None:
    chance = random.Random(1)
    work = Work(search=lambda part: time.sleep(chance.uniform(0, 1e-3)))
    pipeline, team = work.pipeline(100, threads), ThreadTeam(threads)
    team.run(pipeline.step, pipeline.is_idle)
    team.end()
    assert work.placed == list(range(100))
    assert sorted(work.written) == list(range(100))
    assert pipeline.written == 5050


def test_a_single_worker_does_all() -> None:
    work = Work()
    pipeline = work.pipeline(20, 4)
    while pipeline.step(2):
        pass
    assert pipeline.is_idle()
    assert sorted(work.written) == list(range(20))


def test_workers_keep_to_their_own_parts() -> None:
    searched: list[int] = []
    pipeline = Work(search=searched.append).pipeline(8, 2)
    while not pipeline.is_idle():
        pipeline.step(0)
        before = len(searched)
        pipeline.step(1)
        assert all(part % 2 for part in searched[before:])
    assert sorted(searched) == list(range(8))


def test_without_room_it_rests() -> None:
    searched: list[int] = []
    work = Work(crowded_at=3, search=searched.append)
    pipeline, team = work.pipeline(9, 2), ThreadTeam(2)
    team.run(pipeline.step, pipeline.is_idle)
    assert pipeline.crowded
    assert work.placed == sorted(work.written) == [0, 1, 2]
    work.crowded_at = -1
    pipeline.resume()
    team.run(pipeline.step, pipeline.is_idle)
    team.end()
    assert work.placed == list(range(9))
    assert sorted(searched) == list(range(9)), "what was searched is not searched again"


def test_nothing_is_placed_after_the_last() -> None:
    work = Work(last=4)
    pipeline, team = work.pipeline(50, 3), ThreadTeam(3)
    team.run(pipeline.step, pipeline.is_idle)
    team.end()
    assert work.placed == sorted(work.written) == [0, 1, 2, 3, 4]
    assert pipeline.is_idle()


@pytest.mark.parametrize("threads", [1, 3])
def test_exceptions_wait_for_all_threads(threads: int) -> None:
    def fail(part: int) -> None:
        if part == 7:
            raise ValueError("part 7")
        time.sleep(1e-3)

    pipeline, team = Work(search=fail).pipeline(40, threads), ThreadTeam(threads)
    with pytest.raises(ValueError, match="part 7"):
        team.run(pipeline.step, pipeline.is_idle)
    assert team._working == 0


def test_workers_are_the_same_threads() -> None:
    names: dict[int, set[int]] = {}
    team = ThreadTeam(3)
    for _ in range(20):
        left = list(range(30))

        def step(worker: int, left: list[int] = left) -> bool:
            names.setdefault(worker, set()).add(threading.get_ident())
            if left:
                left.pop()
                time.sleep(1e-4)
            return bool(left)

        team.run(step, lambda left=left: not left)  # type: ignore[misc]
    team.end()
    assert set(names) == {0, 1, 2}
    assert all(len(threads) == 1 for threads in names.values())


def test_the_end_waits_for_late_threads() -> None:
    taken, ended = threading.Event(), threading.Event()

    class Slow(ThreadTeam):
        """Takes a while to note that a thread is working."""

        @property
        def _working(self) -> int:  # type: ignore[override]
            return self.noted

        @_working.setter
        def _working(self, count: int) -> None:
            if count:
                taken.set()
                time.sleep(0.05)
            self.noted = count

    late: list[str] = []

    def finished() -> bool:
        if ended.is_set():
            late.append(threading.current_thread().name)
        return taken.wait()

    team = Slow(2)
    team.run(lambda worker: False, finished)
    team.end()
    ended.set()
    time.sleep(0.1)
    assert not late


def test_one_thread_polls_while_the_others_work() -> None:
    polls: list[int] = []
    work = Work(search=lambda part: time.sleep(2e-3))
    pipeline, team = work.pipeline(20, 1), ThreadTeam(1)
    team.run(pipeline.step, pipeline.is_idle, lambda: polls.append(threading.get_ident()))
    team.end()
    assert sorted(work.written) == list(range(20))
    assert set(polls) == {threading.get_ident()}
