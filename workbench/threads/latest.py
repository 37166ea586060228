"""Work in a thread for what was asked last: a drag or a held key leaves no queue behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject

from workbench.threads.background import in_background

T = TypeVar("T")


class Latest(QObject):
    """Does one work at a time in a thread. What is asked meanwhile waits, and only the last of it is done.

    An answer may come after something else was asked: who asks decides whether it still counts.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.working = False
        self._next: tuple[Callable[[], Any], Callable[[Any], object], Callable[[Exception], object]] | None = None

    def ask(self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object] = lambda error: None) -> None:
        """Run ``work`` in a thread, and then ``done`` with its answer, or ``failed`` with its error, in the GUI thread."""
        self._next = work, done, failed
        if not self.working:
            self._begin()

    def _begin(self) -> None:
        if self._next is not None:
            (work, done, failed), self._next = self._next, None
            self.working = True
            in_background(self, work, partial(self._end, done), partial(self._end, failed))

    def _end(self, tell: Callable[[Any], object], answer: object) -> None:
        self.working = False
        tell(answer)
        if not self.working:
            self._begin()
