"""Sweeps: measures over the values of one or two parameters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.study.evaluator import Evaluator
from raybench.study.experiment import Experiment, Values
from raybench.study.table import Table, table_of
from raybench.study.terms.axis import Axis, read_axis
from raybench.trace.limits import DEFAULT_LIMIT

MOST_POINTS = 1_000_000


class InvalidSweep(RaybenchError):
    """The request for a sweep is invalid."""


@dataclass(frozen=True)
class Point:
    """One row of a sweep: the values of the parameters, and the measures there."""

    index: int
    values: Values
    measures: tuple[Measured, ...]


@dataclass(frozen=True)
class Sweep:
    """A sweep: an experiment, and the values of its one or two parameters."""

    experiment: Experiment
    axes: tuple[Axis, ...]

    @classmethod
    def of(
        cls,
        document: Document,
        axes: Sequence[str],
        measures: str | Sequence[str],
        max_segments: int = DEFAULT_LIMIT,
        links: Sequence[str] = (),
    ) -> Sweep:
        """A sweep over axes as `read_axis` reads them. Raises its errors, InvalidSweep, or what
        `Experiment.of` raises.
        """
        if not 1 <= len(axes) <= 2:
            raise InvalidSweep(f"A sweep has one or two parameters, not {len(axes)}.")
        swept = tuple(read_axis(text, document) for text in axes)
        made = cls(
            Experiment.of(
                document, [axis.parameter for axis in swept], measures, links, max_segments
            ),
            swept,
        )
        if len(made) > MOST_POINTS:
            raise InvalidSweep(
                f"{len(made)} points are too many; at most {MOST_POINTS}. Take fewer values."
            )
        return made

    def __len__(self) -> int:
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def points(self) -> Iterator[Values]:
        """The values of the parameters, the last one running fastest."""
        return itertools.product(*(axis.values for axis in self.axes))

    def run(
        self,
        executor: Executor | None = None,
        threads: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[Point]:
        """The points in order, as they are computed.

        The values are the same for any executor and number of ``threads`` (all processors by
        default). ``stop`` is polled before each point; true ends the sweep with the points so far.
        Measures are undefined where a point cannot be set or traced.
        """
        with Evaluator(executor, threads, stop) as evaluator:
            rows = evaluator.rows(self.experiment, self.points)
            for index, (values, row) in enumerate(zip(self.points, rows, strict=False)):
                yield Point(index, values, row)

    def table(self, points: Sequence[Point]) -> Table:
        """The table of some of its points."""
        return table_of(self.experiment, [(point.values, point.measures) for point in points])
