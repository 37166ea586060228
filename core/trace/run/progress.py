"""How far a running trace is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a trace is: the number of its segments, the part of all power that has not been followed to its end, and the limit on
    segments, at which it ends if not before."""

    segments: int
    alive: float
    limit: int
