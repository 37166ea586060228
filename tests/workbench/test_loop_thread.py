"""A thread with an event loop: calls posted to it, tasks, its death and its end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from raybench_workbench.threads import LoopThread

SECONDS = 10.0


class Recorder:
    """A loop thread and what happened in it."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.deaths: list[BaseException] = []
        self.dead = threading.Event()
        self.thread = LoopThread(
            "tested", lambda: self.begun.append(threading.current_thread().name), self._died
        )

    def _died(self, error: BaseException) -> None:
        self.deaths.append(error)
        self.dead.set()

    def wait(self) -> None:
        """Wait until all calls posted so far have run."""
        reached = threading.Event()
        self.thread.post(reached.set)
        assert reached.wait(SECONDS)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    recorder = Recorder()
    yield recorder
    recorder.thread.close()


def test_it_starts_with_the_first_call_and_runs_calls_in_their_order(recorder: Recorder) -> None:
    assert not recorder.begun
    ran: list[int] = []
    for number in range(3):
        recorder.thread.post(ran.append, number)
    recorder.wait()
    assert ran == [0, 1, 2]
    assert recorder.begun == ["tested"]


def test_calls_that_do_not_wake_it_wait_for_its_start(recorder: Recorder) -> None:
    ran: list[str] = []
    recorder.thread.post(ran.append, "queued", wake=False)
    assert not recorder.begun
    recorder.thread.start()
    recorder.thread.post(ran.append, "posted", wake=False)
    recorder.wait()
    assert ran == ["queued", "posted"]


def test_it_starts_again_after_its_death(recorder: Recorder) -> None:
    def end() -> None:
        raise SystemExit(3)

    recorder.thread.post(end)
    assert recorder.dead.wait(SECONDS)
    assert [type(error) for error in recorder.deaths] == [SystemExit]
    recorder.wait()
    assert recorder.begun == ["tested", "tested"]


def test_close_cancels_its_tasks_and_ignores_later_calls(recorder: Recorder) -> None:
    cancelled = threading.Event()

    async def wait_forever() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    recorder.thread.run_coroutine(wait_forever)
    recorder.wait()
    recorder.thread.close()
    assert cancelled.is_set()
    recorder.thread.post(recorder.begun.append, "after the end")
    recorder.thread.start()
    assert recorder.begun == ["tested"]
