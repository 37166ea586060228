"""The progress of a running trace, and the request to stop traces from another thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from raybench.arrays import Integers


@dataclass(frozen=True)
class Progress:
    """The progress of a trace: the number of its segments, the share of power that has not been
    followed to its end, and the limit on segments.
    """

    segments: int
    alive: float
    limit: int


class StopEvent(threading.Event):
    """A ``stop`` for `raybench.trace.trace.trace`: once it is set, traces that were given it end,
    or do not begin.

    It writes into the memory that compiled code reads, so that short traces do not return to the
    interpreter to ask: its lock is what several threads wait for.
    """

    def __init__(self) -> None:
        super().__init__()
        self._flags: dict[int, Integers] = {}

    def __call__(self) -> bool:
        """Whether it is set."""
        return self.is_set()

    def set(self) -> None:
        """Stop the traces that were given it, and those that will be."""
        super().set()
        for flag in tuple(self._flags.values()):
            flag[0] = 1

    @contextmanager
    def forwarded_to_flag(self, flag: Integers) -> Iterator[None]:
        """A context in which setting the event writes 1 to a flag, (1,)."""
        self._flags[id(flag)] = flag
        if self.is_set():
            flag[0] = 1
        try:
            yield
        finally:
            del self._flags[id(flag)]
