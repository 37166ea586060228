"""How long a call lasts: its own time, without what it waits for others, and the end of all that it began."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
POLL = 0.05
"""Seconds between looks at a clock that stands still."""


class OutOfTime(TimeoutError):
    """A call took more of its own time than it may."""


class CallScope:
    """A call at work, within the one that made it. All of it may be used from any thread."""

    def __init__(self, parent: CallScope | None = None) -> None:
        self.parent = parent
        self._over = False
        self._started: set[Future[Any]] = set()
        self._begun = time.perf_counter()
        self._waits = 0
        self._since = 0.0
        self._waited = 0.0

    @property
    def over(self) -> bool:
        """Whether this call, or one that it is part of, has ended: nothing more may be done for it."""
        return self._over or (self.parent is not None and self.parent.over)

    @property
    def own_seconds(self) -> float:
        """The time this call took so far, without its waiting."""
        now = time.perf_counter()
        return now - self._begun - self._waited - (now - self._since if self._waits else 0.0)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While a person or a trace is waited for, neither this call's clock nor that of its callers runs."""
        chain = list(self._chain())
        for scope in chain:
            scope._waits += 1
            if scope._waits == 1:
                scope._since = time.perf_counter()
        try:
            yield
        finally:
            for scope in chain:
                scope._waits -= 1
                if scope._waits == 0:
                    scope._waited += time.perf_counter() - scope._since

    async def within(self, seconds: float, work: Awaitable[T]) -> T:
        """What the work returns; OutOfTime if it takes more than these seconds of its own. However it ends, the call is over."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                left = seconds - self.own_seconds
                if left <= 0 and not self._waits:
                    raise OutOfTime
                await asyncio.wait({task}, timeout=max(left, POLL) if self._waits else left)
            return task.result()
        finally:
            task.cancel()
            self.end()

    def started(self, future: Future[T]) -> Future[T]:
        """Keep what this call began in another thread, to end it with the call."""
        self._started.add(future)
        future.add_done_callback(self._started.discard)
        return future

    def end(self) -> None:
        """The call is over, and what it began is cancelled."""
        self._over = True
        for future in tuple(self._started):
            future.cancel()

    def _chain(self) -> Iterator[CallScope]:
        scope: CallScope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent
