"""Background work of which only the latest request matters: a drag or a held key builds up no
queue.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThreadPool

from raybench_workbench.threads.background import in_background, reason_of

T = TypeVar("T")


class Latest:
    """Runs one task at a time in a thread. Of the requests that arrive meanwhile only the latest is
    run.

    A result is dropped if something else was requested since; with ``late`` it is delivered, and
    the receiver decides whether to use it.
    """

    def __init__(
        self,
        owner: QObject,
        failed: Callable[[str], object],
        what: str,
        *,
        late: bool = False,
        pool: QThreadPool | None = None,
    ) -> None:
        """``failed`` is called with the reason if the work, named ``what``, fails."""
        self._owner, self._failed, self._what, self._late, self._pool = (
            owner,
            failed,
            what,
            late,
            pool,
        )
        self._request: tuple[Callable[[], Any], Callable[[Any], object]] | None = None
        """The latest request, until its result has been delivered."""
        self._running = False

    @property
    def working(self) -> bool:
        """Whether a result is pending."""
        return self._request is not None

    def ask(self, work: Callable[[], T], done: Callable[[T], object]) -> None:
        """Run ``work`` in a thread, and then ``done`` with its result in the GUI thread."""
        self._request = work, done
        self._begin()

    def drop(self) -> None:
        """Cancel the request."""
        self._request = None

    def _begin(self) -> None:
        if (request := self._request) is not None and not self._running:
            self._running = True
            work, done = request
            in_background(
                self._owner,
                work,
                partial(self._end, request, done),
                partial(self._end, request, self._fail),
                pool=self._pool,
            )

    def _end(self, request: object, deliver: Callable[[Any], object], result: object) -> None:
        self._running = False
        is_latest = request is self._request
        wanted = is_latest or (self._late and self.working)
        if is_latest:
            self._request = None
        if wanted:
            deliver(result)
        self._begin()

    def _fail(self, error: Exception) -> None:
        self._failed(reason_of(error, self._what))
