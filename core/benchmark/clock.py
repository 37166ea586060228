"""Timing by the best of several runs, since the machine may be shared."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 6.0
"""Total seconds after which a measurement is not repeated."""


def best_of(work: Callable[[], object], times: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest duration of ``times`` runs of ``work``, in seconds of ``clock``; fewer runs if they exceed `PATIENCE` in total.

    With ``time.process_time``, single-threaded work is measured as on an idle machine, since only this process's CPU time counts.
    """
    best, until = float("inf"), time.perf_counter() + PATIENCE
    for _ in range(times):
        begun = clock()
        work()
        best = min(best, clock() - begun)
        if time.perf_counter() > until:
            break
    return best
