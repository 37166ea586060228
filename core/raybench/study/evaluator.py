"""Evaluation of experiments at many points, in order, on threads or on an executor elsewhere."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Self

from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.study.experiment import Evaluable, Stop, Values
from raybench.trace.run.memory import TraceMemory
from raybench.trace.run.sharing import MOST_THREADS
from raybench.trace.run.stopping import StopEvent

AHEAD = 4
"""Queued tasks per thread of the executor."""
FIRST_BATCH = 16
"""Points in the first tasks for an executor elsewhere, which costs about a millisecond a task."""
MOST_BATCH = 64
TASK_S = 0.02
"""Seconds that a task should take: few enough to see rows appear, enough that waking the caller
costs little beside it.
"""
POLL_S, GRACE_S = 0.05, 0.2
"""Seconds between polls of a stop while a task is waited for, and those that a task has to end
after it.
"""
Row = tuple[Measured, ...]
Batch = tuple[list[Row], float]
"""The rows of one task, and the seconds that they took."""


class Evaluator:
    """Evaluates experiments on an executor, or on threads of its own: as many as processors by
    default, and not many more than are of use.

    The values are the same for any executor and number of threads. A context manager: on leaving
    it, running tasks are stopped. Raises RaybenchError for a number of threads below 1.
    """

    def __init__(
        self, executor: Executor | None = None, threads: int | None = None, stop: Stop | None = None
    ) -> None:
        if threads is not None and threads < 1:
            raise RaybenchError(
                f"threads is {threads}; give a whole number of at least 1, or None for all"
                " processors."
            )
        processors = os.cpu_count() or 1
        self._many = min(threads or processors, max(processors, MOST_THREADS))
        self._elsewhere = executor
        self._own = ThreadPoolExecutor(self._many, "study") if executor is None else None
        self._memory, self._ended = threading.local(), StopEvent()
        self._stop = stop

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # traces under way stop too: after Ctrl-C, or when the caller leaves early
        self._ended.set()
        if self._own is not None:
            self._own.shutdown(wait=True, cancel_futures=True)

    @property
    def stopped(self) -> bool:
        """Whether the caller asked to stop."""
        return self._stop is not None and self._stop()

    def one(self, experiment: Evaluable, values: Values) -> Row:
        """The measures at one point, computed in the calling thread."""
        return self._evaluated(experiment, (values,))[0][0]

    def rows(self, experiment: Evaluable, points: Iterable[Values]) -> Iterator[Row]:
        """The measures at points, in order, as they are computed; fewer if ``stop`` became true.

        It is polled before each task and while one is waited for; those under way then have
        `GRACE_S` to end, before they are dropped.
        """
        waiting: deque[Future[Batch]] = deque()
        several = iter(points)
        size = FIRST_BATCH if self._elsewhere is not None else 1
        try:
            while not self.stopped and (batch := tuple(itertools.islice(several, size))):
                waiting.append(self._submit(experiment, batch))
                if len(waiting) >= AHEAD * self._many:
                    if not self._ends(waiting[0]):
                        return
                    rows, seconds = waiting.popleft().result()
                    size = _batch_size(len(rows), seconds)
                    yield from rows
            while waiting and self._ends(waiting[0]):
                yield from waiting.popleft().result()[0]
        finally:
            for future in waiting:
                future.cancel()

    def _ends(self, task: Future[Batch]) -> bool:
        """Wait for a task; returns False if it has not ended `GRACE_S` after a stop."""
        while not self.stopped:
            if wait((task,), POLL_S).done:
                return True
        return bool(wait((task,), GRACE_S).done)

    def _submit(self, experiment: Evaluable, points: Sequence[Values]) -> Future[Batch]:
        if self._own is not None:
            return self._own.submit(self._evaluated, experiment, points)
        assert self._elsewhere is not None
        return self._elsewhere.submit(evaluate_batch, experiment, points)

    def _evaluated(self, experiment: Evaluable, points: Sequence[Values]) -> Batch:
        if not hasattr(self._memory, "kept"):
            self._memory.kept = TraceMemory()
        return _timed(experiment, points, self._memory.kept, self._ended)


def evaluate_batch(experiment: Evaluable, points: Sequence[Values]) -> Batch:
    """The measures at some points: one task for an executor in another process."""
    return _timed(experiment, points, TraceMemory())


def _timed(
    experiment: Evaluable, points: Sequence[Values], memory: TraceMemory, stop: Stop | None = None
) -> Batch:
    begun = time.perf_counter()
    return [
        experiment.evaluate(values, memory, stop) for values in points
    ], time.perf_counter() - begun


def _batch_size(count: int, seconds: float) -> int:
    """The number of points that take `TASK_S`, from those of the last task."""
    return max(1, min(MOST_BATCH, int(count * TASK_S / max(seconds, 1e-9))))
