"""Refined light: the means of pictures, curves and readings over draws of a scene, with their
errors. Each draw is traced, added to the means and dropped, so that more draws need no more memory.

The same draws give the same means for any number of threads.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Floats
from raybench.optics.colour import MIXINGS
from raybench.scene.document import Document
from raybench.study.batch_means import BatchMeans
from raybench.study.estimate import LEAST_DRAWS, MOST_DRAWS, count_draws
from raybench.trace.codes import Completion
from raybench.trace.limits import default_memory_limit
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

Light = NDArray[np.float32]
DRAWS_GROWTH = 1.5
"""About the factor from the draws of one state of the means to those of the next."""
MOST_CONCURRENT_DRAWS = 4
"""Draws that are traced at a time: the rows of each, and of one more, are in memory."""
PIXELS_PER_BAND = 100_000
"""Pixels whose colours are compared at a time."""


class MeanOfDraws(Protocol):
    """The mean of something that is computed from each draw of a scene."""

    @property
    def draws(self) -> int:
        """The number of draws added so far."""
        ...

    @property
    def error(self) -> float:
        """The relative standard error of the mean, for at least two draws."""
        ...

    def add_draw(self, result: TraceResult) -> None:
        """Add the next draw. If this raises an exception, the mean does not change."""
        ...


def refine(
    document: Document,
    means: Sequence[MeanOfDraws],
    *,
    error: float = 0.0,
    draws: int = MOST_DRAWS,
    stop: Callable[[], bool] | None = None,
    **limits: Any,
) -> Iterator[int]:
    """Add draws of a document to means until the error of each is at most ``error``, or until each
    has ``draws`` draws. Yields the number of draws after 2 draws, and then each time after about
    half more: the number that all means have which took the last draw. Yields nothing if all draws
    of the document are equal.

    Means with more draws wait until the others have as many. ``stop`` is polled every few
    milliseconds; once it returns True, nothing more is yielded. ``limits`` are ``threads``,
    ``max_segments`` and ``memory_limit`` of `raybench.trace.trace.trace`, whose errors are raised.
    """
    due, most = 2, count_draws(document, draws) // 2 * 2
    draw = min((mean.draws for mean in means), default=most) - 1
    for result in _trace_draws(document, range(draw + 1, most), stop=stop, **limits):
        draw += 1
        if result.completion is Completion.CANCELLED:
            return
        for mean in means:
            if mean.draws == draw:
                mean.add_draw(result)
        del result  # its memory serves the next draw
        while due <= draw:
            due = 2 * math.ceil(DRAWS_GROWTH * due / 2)
        if draw + 1 == due:
            yield due
            if due >= LEAST_DRAWS and all(mean.error <= error for mean in means):
                return


def _trace_draws(
    document: Document,
    draws: Iterable[int],
    *,
    threads: int | None = None,
    memory_limit: int | None = None,
    stop: Callable[[], bool] | None = None,
    **options: Any,
) -> Iterator[TraceResult]:
    """Yield the traces of draws of a document, in order. Each thread traces a whole draw, which is
    a little faster than sharing the rays of a draw.

    Only whole draws can be traced independently of each other, since the choice of weak reflections
    that are followed depends on the order of all rays of a trace.
    """
    threads = threads or os.cpu_count() or 1
    several, ended = min(threads, MOST_CONCURRENT_DRAWS), False
    memories: SimpleQueue[TraceMemory] = SimpleQueue()
    for _ in range(several):
        memories.put(TraceMemory())

    def trace_draw(draw: int) -> TraceResult:
        memory = memories.get()
        try:
            return trace(
                document, draw=draw, threads=threads // several, memory=memory,
                memory_limit=(memory_limit or default_memory_limit()) // several,
                stop=lambda: ended or (stop is not None and stop()), **options,
            )  # fmt: skip
        finally:
            memories.put(memory)

    waiting: deque[Future[TraceResult]] = deque()
    with ThreadPoolExecutor(several, "draws") as pool:
        try:
            for draw in draws:
                waiting.append(pool.submit(trace_draw, draw))
                if len(waiting) > several:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            ended = True


class MeanNumbers(BatchMeans):
    """The means of the numbers (n,) that ``numbers_of`` computes from each draw.

    ``groups`` are groups of numbers, such as those of a curve. ``error`` is the largest relative
    error of a group: the root of the sum of squared errors divided by the root of the sum of
    squared means; 0 if all means are 0.
    """

    def __init__(
        self, numbers_of: Callable[[TraceResult], Floats], groups: Sequence[slice]
    ) -> None:
        super().__init__()
        self._numbers_of, self._groups = numbers_of, groups

    def add_draw(self, result: TraceResult) -> None:
        self.add_numbers(self._numbers_of(result))

    @property
    def error(self) -> float:
        errors, means = self.errors, np.nan_to_num(self.means)
        of_groups = [(np.linalg.norm(errors[g]), np.linalg.norm(means[g])) for g in self._groups]
        return max((float(error / mean) for error, mean in of_groups if mean > 0), default=0.0)


@dataclass(frozen=True, eq=False)
class RefinedLight:
    """The mean ``light`` (n, c), or (height, width, c), of pixels over ``draws`` draws, and its
    ``error``: the standard error of the displayed picture relative to its brightness
    (`picture_error`).
    """

    light: Light
    draws: int
    error: float


class MeanLight:
    """The mean of the light (n, c) that ``light_of`` computes from each draw. It is displayed in
    the colour mode ``mode``.
    """

    def __init__(self, light_of: Callable[[TraceResult], Light], mode: str) -> None:
        self._light_of, self._mode = light_of, mode
        self._halves: list[Light] = []
        """The means over every second draw, from the first and from the second on."""
        self._refined: RefinedLight | None = None
        self.draws = 0

    def add_draw(self, result: TraceResult) -> None:
        light = self._light_of(result)
        if self.draws < 2:
            self._halves.append(light)
        else:
            light -= self._halves[self.draws % 2]
            light /= np.float32(self.draws // 2 + 1)
            self._halves[self.draws % 2] += light
        self.draws += 1

    @property
    def error(self) -> float:
        return self.refined.error

    @property
    def refined(self) -> RefinedLight:
        """The mean light, for at least two draws."""
        if self._refined is None or self._refined.draws != self.draws:
            one, other = self._halves
            error = picture_error(one, other, self._mode)
            self._refined = RefinedLight((one + other) / np.float32(2.0), self.draws, error)
        return self._refined


def refine_light(
    document: Document, light_of: Callable[[TraceResult], Light], **options: Any
) -> Iterator[RefinedLight]:
    """Yield the mean of the light (n, c) that ``light_of`` computes from each trace, for more and
    more draws. The ``options`` are those of `refine`.
    """
    mean = MeanLight(light_of, document.scene.settings.color_mode)
    for _ in refine(document, [mean], **options):
        yield mean.refined


def picture_error(one: Light, other: Light, mode: str) -> float:
    """The standard error of the mean of two pictures (n, c) of the same light, each the mean of
    half of the draws, relative to the brightness of the picture; 0 without light.

    It is half the difference of the pictures, so that it is right even if draws depend on each
    other: the root mean square over all pixels, in the displayed colours of a colour mode on a
    black background.
    """
    difference = brightness = 0.0
    for first in range(0, len(one), PIXELS_PER_BAND):
        light = [half[first : first + PIXELS_PER_BAND] for half in (one, other)]
        lit = light[0].any(axis=1) | light[1].any(axis=1)
        a, b = (
            MIXINGS[mode].displayed_color(some[lit] if some.shape[1] > 1 else some[lit, 0])[:, :3]
            for some in light
        )
        difference += float(((a - b) ** 2).sum())
        brightness += float(((a + b) ** 2).sum())
    return math.sqrt(difference / brightness) if brightness else 0.0
