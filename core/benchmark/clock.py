"""Measuring times on a machine that others use too: the best of several runs."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 6.0
"""Seconds after which a measurement is not repeated any more."""


def best_of(work: Callable[[], object], times: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of so many runs, in seconds by a clock; fewer runs where these take longer than `PATIENCE` together.

    ``time.process_time`` counts only what this process itself computed: for work of one thread, the time on an idle machine.
    """
    best, until = float("inf"), time.perf_counter() + PATIENCE
    for _ in range(times):
        begun = clock()
        work()
        best = min(best, clock() - begun)
        if time.perf_counter() > until:
            break
    return best
