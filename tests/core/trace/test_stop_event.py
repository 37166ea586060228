"""Stops end traces: an event that is set in another thread, also before they begin, and a function
that is polled while paths take long.
"""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from tests.benchmarks.scenes import prism, room

from raybench.files.document_file import document_from_json
from raybench.trace.codes import Completion
from raybench.trace.run.progress import StopEvent
from raybench.trace.trace import trace


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
    assert (
        len(asked) <= len(scene.objects) + 10
    )  # while rays are emitted, and before they are traced


def test_no_trace_begins_with_an_event_that_is_set() -> None:
    stop = StopEvent()
    stop.set()
    result = trace(prism(100), stop=stop)
    assert result.completion == Completion.CANCELLED
    assert len(result) == 0


def test_a_flag_is_left_alone_after_its_trace() -> None:
    stop, during, after = StopEvent(), np.zeros(1, np.int64), np.zeros(1, np.int64)
    with stop.forwarded_to_flag(after):
        pass
    with stop.forwarded_to_flag(during):
        stop.set()
    assert during[0] == 1
    assert after[0] == 0


STIFF = {
    "version": 5,
    "rayModeDensity": 0.5,
    "objs": [
        {"type": "Beam", "p1": {"x": -200, "y": -60}, "p2": {"x": -200, "y": 60}},
        {
            "type": "CircleGrinGlass", "p1": {"x": 0, "y": 0}, "p2": {"x": 100, "y": 0}, "partialReflect": True,
            "refIndexFn": r"1.5+0.4\sin(40x)\sin(40y)",
        },
    ],
}  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.security
def test_paths_that_take_long_are_cut_where_a_trace_is_stopped(threads: int) -> None:
    """All of them take twenty seconds, and no call of a kernel ends for long."""
    scene = document_from_json(STIFF).scene
    begun = time.process_time()
    result = trace(scene, threads=threads, stop=lambda: time.process_time() > begun + 0.3)
    assert result.completion is Completion.CANCELLED
    assert len(result) > 10
    assert time.process_time() - begun < 12
    begun = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        trace(scene, threads=threads, stop=interrupted)
    assert time.process_time() - begun < 12


def interrupted() -> bool:
    raise KeyboardInterrupt
