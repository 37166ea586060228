"""Evaluating experiments at many points, in order, on threads or on an executor elsewhere."""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from core.analysis.measures.measure import Measured
from core.study.experiment import Evaluable, Stop, Values
from core.trace.run.memory import TraceMemory
from core.trace.trace import load_kernels

AHEAD = 4
"""Tasks for each thread that wait in the executor's queue."""
BATCH = 16
"""Points in one task for an executor elsewhere, which costs about a millisecond a task."""
Row = tuple[Measured, ...]


class Evaluator:
    """Evaluates experiments on an executor, or on threads of its own (as many as processors by default).

    The values are the same for any executor and number of threads. A context manager: on leaving it, what is under way is stopped.
    """

    def __init__(self, executor: Executor | None = None, threads: int | None = None, stop: Stop | None = None) -> None:
        load_kernels()
        self._many = threads or os.cpu_count() or 1
        self._elsewhere = executor
        self._own = ThreadPoolExecutor(self._many, "study") if executor is None else None
        self._memory, self._ended = threading.local(), threading.Event()
        self._stop = stop

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()  # traces under way stop too: after Ctrl-C, or when the caller leaves early
        if self._own is not None:
            self._own.shutdown(wait=True, cancel_futures=True)

    @property
    def stopped(self) -> bool:
        """Whether the caller asked to stop."""
        return self._stop is not None and self._stop()

    def one(self, experiment: Evaluable, values: Values) -> Row:
        """The measures at one point, computed in the calling thread."""
        return self._evaluated(experiment, (values,))[0]

    def rows(self, experiment: Evaluable, points: Iterable[Values]) -> Iterator[Row]:
        """The measures at points, in order, as they are computed; fewer if ``stop`` became true, which is polled before each task."""
        waiting: deque[Future[list[Row]]] = deque()
        tasks = _batches(points, BATCH if self._elsewhere is not None else 1)
        try:
            for task in tasks:
                if self.stopped:
                    break
                waiting.append(self._submit(experiment, task))
                if len(waiting) >= AHEAD * self._many:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def _submit(self, experiment: Evaluable, points: Sequence[Values]) -> Future[list[Row]]:
        if self._own is not None:
            return self._own.submit(self._evaluated, experiment, points)
        assert self._elsewhere is not None
        return self._elsewhere.submit(evaluate_batch, experiment, points)

    def _evaluated(self, experiment: Evaluable, points: Sequence[Values]) -> list[Row]:
        if not hasattr(self._memory, "kept"):
            self._memory.kept = TraceMemory()
        return [experiment.evaluate(values, self._memory.kept, self._ended.is_set) for values in points]


def evaluate_batch(experiment: Evaluable, points: Sequence[Values]) -> list[Row]:
    """The measures at some points: one task for an executor in another process."""
    load_kernels()
    memory = TraceMemory()
    return [experiment.evaluate(values, memory) for values in points]


def _batches(points: Iterable[Values], size: int) -> Iterator[tuple[Values, ...]]:
    several = iter(points)
    while batch := tuple(itertools.islice(several, size)):
        yield batch
