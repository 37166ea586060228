"""The threads that help a trace: they are called, work while they are wanted, and end before the
trace does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from raybench.trace.run.sharing import MOST_THREADS, ThreadTeam


class Work:
    """Work that lasts until it is closed. ``begun`` has the threads of each worker."""

    def __init__(self, work: Callable[[int], None] = lambda worker: None) -> None:
        self.begun: dict[int, list[int]] = {}
        self.closed = threading.Event()
        self._work = work

    def work(self, worker: int) -> None:
        self.begun.setdefault(worker, []).append(threading.get_ident())
        self._work(worker)
        self.closed.wait()

    def close(self, closed: bool) -> None:
        self.closed.set() if closed else self.closed.clear()

    def team(self, threads: int) -> ThreadTeam:
        return ThreadTeam(threads, self.work, self.close)

    def await_workers(self, count: int, times: int = 1) -> None:
        while len(self.begun) < count or any(len(t) < times for t in self.begun.values()):
            time.sleep(1e-4)


def test_all_others_work_each_time() -> None:
    work = Work()
    team = work.team(3)
    for times in range(1, 20):
        team.call()
        work.await_workers(2, times)
        team.dismiss()
    assert {worker: len(threads) for worker, threads in work.begun.items()} == {1: 19, 2: 19}


def test_who_works_is_not_called_again() -> None:
    work = Work()
    team = work.team(2)
    for _ in range(50):
        team.call()
    work.await_workers(1)
    team.dismiss()
    assert len(work.begun[1]) == 1


def test_the_end_waits_for_all_and_raises_their_exception() -> None:
    ended: list[int] = []

    def fail_late(worker: int) -> None:
        time.sleep(0.02 * worker)
        ended.append(worker)
        raise ValueError(f"worker {worker}")

    team = Work(fail_late).team(3)
    team.call()
    while not ended:
        time.sleep(1e-4)
    with pytest.raises(ValueError, match="worker 1"):
        team.dismiss()
    team_of_none = Work(fail_late).team(1)
    team_of_none.call()
    team_of_none.dismiss()
    assert 1 in ended


def test_who_comes_late_does_not_begin() -> None:
    work = Work()
    team = work.team(MOST_THREADS + 5)  # more than the pool has
    team.call()
    work.await_workers(MOST_THREADS)
    team.dismiss()
    time.sleep(0.02)
    assert len(work.begun) == MOST_THREADS


def test_one_thread_polls_while_another_works() -> None:
    polls: list[int] = []
    team, threads = Work().team(1), threading.get_ident()

    def call() -> int:
        time.sleep(0.02)
        return threading.get_ident()

    assert team.poll_during(call, lambda: polls.append(threading.get_ident())) != threads
    assert set(polls) == {threads}
