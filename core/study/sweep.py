"""Sweeps: measures over the values of one or two parameters."""

from __future__ import annotations

import itertools
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.measures.bound import BoundMeasure, bind
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measured
from core.errors import RaybenchError
from core.scene.changes import applied
from core.scene.document import Document
from core.study.axis import Axis
from core.trace.run.memory import TraceMemory
from core.trace.trace import DEFAULT_LIMIT, load_kernels, trace

MOST_POINTS = 1_000_000
AHEAD = 4
"""Points for each thread that wait in the executor's queue."""


class InvalidSweep(RaybenchError):
    """A sweep cannot be made as it is asked for."""


@dataclass(frozen=True)
class Point:
    """One row of a sweep: the values of the parameters, and the measures there."""

    index: int
    values: tuple[float, ...]
    measures: tuple[Measured, ...]


@dataclass(frozen=True)
class Sweep:
    """What is swept: a document, one or two axes, and measures."""

    document: Document
    axes: tuple[Axis, ...]
    measures: tuple[BoundMeasure, ...]
    max_segments: int = DEFAULT_LIMIT

    @classmethod
    def of(cls, document: Document, axes: Sequence[Axis], measures: str | Sequence[str], max_segments: int = DEFAULT_LIMIT) -> Sweep:
        """A sweep. Raises InvalidSweep, or what `bind` raises where a measure cannot be read."""
        if not 1 <= len(axes) <= 2:
            raise InvalidSweep(f"A sweep has one or two parameters, not {len(axes)}.")
        if len(axes) == 2 and axes[0].parameter == axes[1].parameter:
            raise InvalidSweep(f"{axes[0].parameter.text} is swept twice. Name two different parameters.")
        bound = bind(measures, document.scene, document.edge_labels)
        made = cls(document, tuple(axes), bound, max_segments)
        if len(made) > MOST_POINTS:
            raise InvalidSweep(f"{len(made)} points are too many; at most {MOST_POINTS}. Take fewer values.")
        return made

    def __len__(self) -> int:
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def points(self) -> Iterator[tuple[float, ...]]:
        """The values of the parameters, the last one running fastest."""
        return itertools.product(*(axis.values for axis in self.axes))

    def run(self, executor: Executor | None = None, threads: int | None = None, stop: Callable[[], bool] | None = None) -> Iterator[Point]:
        """The points in order, as they are computed.

        The values are the same for any executor and number of ``threads`` (all processors by default), for every point is traced for
        itself. ``stop`` is polled before each point; true ends the sweep with the points so far. A point that cannot be set raises
        ChangeRefused.
        """
        load_kernels()
        many = threads or os.cpu_count() or 1
        own = ThreadPoolExecutor(many, "sweep") if executor is None else None
        waiting: list[Future[Point]] = []
        memory, ended = threading.local(), threading.Event()
        try:
            for index, values in enumerate(self.points):
                if stop is not None and stop():
                    break
                waiting.append((executor or own).submit(self._point, index, values, memory, ended))  # type: ignore[union-attr]
                while waiting and (len(waiting) > AHEAD * many or waiting[0].done()):
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            ended.set()  # traces under way stop too: after Ctrl-C, or when the caller leaves the iterator
            for future in waiting:
                future.cancel()
            if own is not None:
                own.shutdown(wait=True, cancel_futures=True)

    def _point(self, index: int, values: tuple[float, ...], memory: threading.local, ended: threading.Event) -> Point:
        if not hasattr(memory, "kept"):
            memory.kept = TraceMemory()
        pairs = zip(self.axes, values, strict=True)
        document = applied([axis.parameter.change(value) for axis, value in pairs], self.document)
        result = trace(
            document.scene,
            threads=1,
            disabled=document.disabled,
            revision=document.revision,
            max_segments=self.max_segments,
            stop=ended.is_set,
            memory=memory.kept,
        )
        light = Light.of(document, result)
        return Point(index, values, tuple(m.of(light) for m in self.measures))


@dataclass(frozen=True)
class SweepTable:
    """The rows of a sweep: ``columns`` are parameters, then measures, each with its unit (empty for a number without one)."""

    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: NDArray[np.float64]
    """(points, columns); NaN where a measure is undefined."""
    revision: int

    @classmethod
    def of(cls, sweep: Sweep, points: Sequence[Point]) -> SweepTable:
        """The table of some points of a sweep."""
        names = [axis.parameter.text for axis in sweep.axes] + [m.expression for m in sweep.measures]
        units = [axis.parameter.unit_text(sweep.document) for axis in sweep.axes]
        units += [m.measure.unit.text(sweep.document.unit) for m in sweep.measures]
        rows = [[*point.values, *(m.value for m in point.measures)] for point in points]
        table = np.array(rows, np.float64).reshape(-1, len(names))
        return cls(tuple(names), tuple("" if u == "1" else u for u in units), table, sweep.document.revision)
