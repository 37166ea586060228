"""Work in a thread for what was asked last: a drag or a held key leaves no queue behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThreadPool

from workbench.threads.background import in_background, reason_of

T = TypeVar("T")


class Latest:
    """Does one work at a time in a thread. What is asked meanwhile waits, and only the last of it is done.

    An answer is dropped if something else was asked since; with ``late`` it is told, and who asks decides whether it still counts.
    """

    def __init__(
        self, owner: QObject, failed: Callable[[str], object], what: str, *, late: bool = False, pool: QThreadPool | None = None
    ) -> None:
        """``failed`` is called with the reason for which the work, called ``what``, has no answer."""
        self._owner, self._failed, self._what, self._late, self._pool = owner, failed, what, late, pool
        self._asked: tuple[Callable[[], Any], Callable[[Any], object]] | None = None
        """What was asked last, until its answer is here."""
        self._running = False

    @property
    def working(self) -> bool:
        """Whether an answer is awaited."""
        return self._asked is not None

    def ask(self, work: Callable[[], T], done: Callable[[T], object]) -> None:
        """Run ``work`` in a thread, and then ``done`` with its answer in the GUI thread."""
        self._asked = work, done
        self._begin()

    def drop(self) -> None:
        """Ask for nothing any more."""
        self._asked = None

    def _begin(self) -> None:
        if (asked := self._asked) is not None and not self._running:
            self._running = True
            work, done = asked
            in_background(self._owner, work, partial(self._end, asked, done), partial(self._end, asked, self._fail), pool=self._pool)

    def _end(self, asked: object, tell: Callable[[Any], object], answer: object) -> None:
        self._running = False
        last = asked is self._asked
        counts = last or (self._late and self.working)
        if last:
            self._asked = None
        if counts:
            tell(answer)
        self._begin()

    def _fail(self, error: Exception) -> None:
        self._failed(reason_of(error, self._what))
