"""The progress of a running trace, and an event that stops traces from another thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from raybench.arrays import Integers


@dataclass(frozen=True)
class TraceProgress:
    """The progress of a trace: its number of segments, the fraction of the power that still has to
    be followed, and the limit on segments.
    """

    segments: int
    alive: float
    limit: int


class StopEvent(threading.Event):
    """An event to pass as ``stop`` to `raybench.trace.trace.trace`. Once it is set, running traces
    end, and further traces do not begin.

    The event writes to memory that compiled code reads, so that short traces need not return to the
    interpreter, for whose lock several threads would wait.
    """

    def __init__(self) -> None:
        super().__init__()
        self._flags: dict[int, Integers] = {}

    def __call__(self) -> bool:
        """Whether the event is set."""
        return self.is_set()

    def set(self) -> None:
        """Stop all traces that use this event, now and in the future."""
        super().set()
        for flag in tuple(self._flags.values()):
            flag[0] = 1

    @contextmanager
    def forwarded_to_flag(self, flag: Integers) -> Iterator[None]:
        """A context in which setting the event also writes 1 to ``flag`` (1,)."""
        self._flags[id(flag)] = flag
        if self.is_set():
            flag[0] = 1
        try:
            yield
        finally:
            del self._flags[id(flag)]
