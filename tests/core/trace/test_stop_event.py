"""A stop event ends traces from another thread, and does not let them begin."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from core.benchmark.scenes import prism, room
from core.trace.codes import Completion
from core.trace.run.stopping import StopEvent
from core.trace.trace import trace


@pytest.mark.parametrize("threads", [1, 2])
def test_a_running_trace_ends_when_the_event_is_set(threads: int) -> None:
    scene, stop = room(20, 20_000), StopEvent()
    trace(room(20, 10))  # kernels are loaded
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    part = trace(scene, threads=threads, stop=stop, max_segments=1 << 40)
    timer.join()
    assert part.completion == Completion.CANCELLED
    assert len(part) > 0
    assert part.ledger.alive > 0


def test_a_trace_is_not_interrupted_by_asking_a_stop_event() -> None:
    asked = []

    class Counted(StopEvent):
        def is_set(self) -> bool:
            asked.append(time.perf_counter())
            return super().is_set()

    scene = prism(10_000)
    whole = trace(scene, stop=Counted(), threads=1)
    assert whole.completion == Completion.COMPLETE
    assert len(asked) <= len(scene.objects) + 10  # while rays are emitted, and before they are traced


def test_no_trace_begins_with_an_event_that_is_set() -> None:
    stop = StopEvent()
    stop.set()
    result = trace(prism(100), stop=stop)
    assert result.completion == Completion.CANCELLED
    assert len(result) == 0


def test_a_flag_is_left_alone_after_its_trace() -> None:
    stop, during, after = StopEvent(), np.zeros(1, np.int64), np.zeros(1, np.int64)
    with stop.reaching(after):
        pass
    with stop.reaching(during):
        stop.set()
    assert during[0] == 1
    assert after[0] == 0
