"""The progress of a running trace."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """The progress of a trace: the number of its segments, the share of power that has not been
    followed to its end, and the limit on segments.
    """

    segments: int
    alive: float
    limit: int
