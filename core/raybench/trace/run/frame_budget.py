"""The number of source rays that can be traced within a frame's time, estimated from earlier
traces.
"""

import math

from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult

FIRST_RAYS = 200
"""Source rays of the first trace, before its speed is known."""
SLOWDOWN_WEIGHT = 0.3
"""The weight of a slower trace in the moving average of the time per ray: one slow frame does not
thin all that follow.
"""
MAX_OVERRUN = 2.0
"""A trace is cut after this many times the budget, once all source rays have been started."""


class FrameBudget:
    """The limits with which `raybench.trace.trace.trace` takes about ``milliseconds``. Every trace
    updates them.

    ``trace(scene, max_source_rays=budget.rays, budget_ms=budget.time_limit_ms)``, then
    ``budget.update_estimate(result)``.
    """

    def __init__(self, milliseconds: float) -> None:
        self.milliseconds = milliseconds
        self._per_ray: float | None = None
        self._preparing = 0.0

    @property
    def rays(self) -> int:
        """The number of source rays to trace. It is a power of the square root of 2, so that small
        changes do not make the picture flicker.
        """
        if self._per_ray is None:
            return FIRST_RAYS
        fitting = max(1.0, self.milliseconds / max(self._per_ray, 1e-6))
        return int(2 ** (math.floor(2 * math.log2(fitting)) / 2))

    @property
    def time_limit_ms(self) -> float:
        """The time in milliseconds after which a trace is stopped, once all source rays were
        started.
        """
        return self._preparing + MAX_OVERRUN * self.milliseconds

    def update_estimate(self, result: TraceResult) -> None:
        """Update the estimate with the time that a trace took. A trace that was stopped by the user
        or by a limit is ignored.
        """
        rays = int((result.parent < 0).sum())
        if not rays or result.completion not in (Completion.COMPLETE, Completion.REDUCED):
            return
        self._preparing = result.preparing_ms
        cut = result.completion is Completion.REDUCED and result.ledger.alive > 0
        measured = (
            max(result.milliseconds - result.preparing_ms, 0.0) / rays * (2.0 if cut else 1.0)
        )
        if self._per_ray is None or measured < self._per_ray or cut:
            self._per_ray = measured
        else:
            self._per_ray += SLOWDOWN_WEIGHT * (measured - self._per_ray)
