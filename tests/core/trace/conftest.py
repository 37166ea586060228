"""Traces that are paused at a number of rows, so that tests stop them at a row and not at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from raybench.trace.kernels import rays as codes
from raybench.trace.run import generations
from raybench.trace.run.generations import NEVER, Generations


class Hold:
    """Pauses traces that have ``rows`` rows, until ``until`` returns True or the trace is stopped.

    ``reached`` is set when a trace has that many rows; ``stop`` is an argument for `trace` that
    stops it then.
    """

    def __init__(self, rows: int, until: Callable[[], bool]) -> None:
        self.rows, self.until, self.reached = rows, until, threading.Event()

    def stop(self) -> bool:
        return self.reached.is_set()


def never() -> bool:
    return False


@pytest.fixture
def hold_at(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Hold]:
    """``hold_at(rows, until)`` pauses traces with ``stop`` or ``progress``; each call adds a
    `Hold`. Polls are made very frequent.
    """
    holds: list[Hold] = []
    advance = Generations._advance

    def advance_to_hold(self: Generations, block: int, large: int) -> int:
        reached = [hold for hold in holds if self.rows >= hold.rows]
        for hold in reached:
            hold.reached.set()
        if (
            block < NEVER
            and not self.state[codes.STOP]
            and any(not hold.until() for hold in reached)
        ):
            time.sleep(1e-4)
            return codes.POLL
        return advance(self, min(block, 1), large)

    monkeypatch.setattr(Generations, "_advance", advance_to_hold)
    monkeypatch.setattr(generations, "POLL_INTERVAL", 1e-5)

    def add(rows: int, until: Callable[[], bool] = never) -> Hold:
        holds[:] = [hold for hold in holds if hold.until is not never]
        holds.append(Hold(rows, until))
        return holds[-1]

    return add
