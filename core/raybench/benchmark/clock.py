"""Timing by the best of several runs, since the machine may be shared."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 6.0
"""Total seconds after which a measurement is not repeated."""
LEAST = 0.3
"""Total seconds for which brief work is repeated: a processor at rest takes a while to reach its
clock rate.
"""


def best_of(
    work: Callable[[], object],
    times: int,
    clock: Callable[[], float] = time.perf_counter,
    least: float = LEAST,
) -> float:
    """The shortest duration of ``times`` runs of ``work`` in seconds of ``clock``; of more runs if
    they take less than ``least`` seconds in total, unless only one is wanted; of fewer if they
    exceed `PATIENCE` in total.

    With ``time.process_time``, single-threaded work is measured as on an idle machine, since only
    this process's CPU time counts.
    """
    best, runs, start = float("inf"), 0, time.perf_counter()
    while True:
        begun = clock()
        work()
        best = min(best, clock() - begun)
        runs, total = runs + 1, time.perf_counter() - start
        if total > PATIENCE or (runs >= times and (times == 1 or total > least)):
            return best
