"""Traces that fit into a frame: as many rays of each source as the time allows, judged by the traces before."""

from __future__ import annotations

import math

from core.trace.codes import Completion
from core.trace.results.result import TraceResult

FIRST_RAYS = 200
"""Source rays of the first trace, when nothing is known about its speed."""
FORGETTING = 0.3
"""The weight of a slower trace in what is expected of the next: one slow frame is no reason to thin all that follow."""
PATIENCE = 2.0
"""How many times its milliseconds a trace may take before it is cut, once all its rays have begun."""


class FrameBudget:
    """What to ask of `core.trace.trace.trace` so that it takes about so many ``milliseconds``; learns from every trace.

    ``trace(scene, max_source_rays=budget.rays, budget_ms=budget.cut_after)``, then ``budget.learn(result)``.
    """

    def __init__(self, milliseconds: float) -> None:
        self.milliseconds = milliseconds
        self._per_ray: float | None = None
        self._preparing = 0.0

    @property
    def rays(self) -> int:
        """How many source rays fit. A power of the root of 2, so that the picture does not flicker with every small change."""
        if self._per_ray is None:
            return FIRST_RAYS
        fitting = max(1.0, self.milliseconds / max(self._per_ray, 1e-6))
        return int(2 ** (math.floor(2 * math.log2(fitting)) / 2))

    @property
    def cut_after(self) -> float:
        """Milliseconds after which a trace is cut, all its rays begun, where there were too many of them after all."""
        return self._preparing + PATIENCE * self.milliseconds

    def learn(self, result: TraceResult) -> None:
        """Note how fast a trace was; one that a person stopped says nothing."""
        rays = int((result.parent < 0).sum())
        if not rays or result.completion not in (Completion.COMPLETE, Completion.REDUCED):
            return
        self._preparing = result.preparing_ms
        cut = result.completion is Completion.REDUCED and result.ledger.alive > 0
        measured = max(result.milliseconds - result.preparing_ms, 0.0) / rays * (2.0 if cut else 1.0)
        if self._per_ray is None or measured < self._per_ray or cut:
            self._per_ray = measured
        else:
            self._per_ray += FORGETTING * (measured - self._per_ray)
