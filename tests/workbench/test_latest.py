"""Of what is asked while a thread works, only the last is done."""

from __future__ import annotations

import threading
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from raybench_workbench.threads import LatestTaskRunner


class _Counted:
    """Work that waits until it may go on, and notes what was done and what came as an answer, in
    which thread.
    """

    def __init__(self) -> None:
        self.go = threading.Event()
        self.done: list[int] = []
        self.came: list[tuple[int, int]] = []

    def request_task(self, latest: LatestTaskRunner, n: int) -> None:
        def work() -> int:
            self.go.wait()
            self.done.append(n)
            return n

        latest.request_task(work, lambda answer: self.came.append((answer, threading.get_ident())))


def unforeseen(reason: str) -> None:
    raise AssertionError(reason)


def test_what_is_asked_meanwhile_is_done_once_and_last_and_earlier_answers_are_dropped(
    qtbot: Any, raybench_app: QApplication
) -> None:
    owner, counted = QObject(), _Counted()
    latest = LatestTaskRunner(owner, unforeseen, "The work")
    for n in range(5):
        counted.request_task(latest, n)
    assert latest.is_working
    counted.go.set()
    qtbot.waitUntil(lambda: not latest.is_working)
    assert counted.done == [0, 4]
    assert counted.came == [(4, threading.get_ident())]


def test_late_answers_come_where_they_are_wanted(qtbot: Any, raybench_app: QApplication) -> None:
    owner, counted = QObject(), _Counted()
    latest = LatestTaskRunner(owner, unforeseen, "The work", late=True)
    for n in range(5):
        counted.request_task(latest, n)
    counted.go.set()
    qtbot.waitUntil(lambda: not latest.is_working)
    assert counted.came == [(0, threading.get_ident()), (4, threading.get_ident())]


def test_what_was_dropped_is_not_answered_and_later_work_is(
    qtbot: Any, raybench_app: QApplication
) -> None:
    owner, counted = QObject(), _Counted()
    latest = LatestTaskRunner(owner, unforeseen, "The work", late=True)
    counted.request_task(latest, 0)
    counted.request_task(latest, 1)
    latest.cancel_request()
    assert not latest.is_working
    counted.go.set()
    qtbot.waitUntil(lambda: counted.done == [0])
    counted.request_task(latest, 2)
    qtbot.waitUntil(lambda: not latest.is_working)
    assert counted.done[-1] == 2
    assert counted.came[-1] == (2, threading.get_ident())
    assert 1 not in counted.done


def test_an_error_is_told_with_its_reason_and_what_was_asked_since_is_done(
    qtbot: Any, raybench_app: QApplication
) -> None:
    owner = QObject()
    reasons: list[str] = []
    came: list[str] = []
    latest = LatestTaskRunner(owner, reasons.append, "The plot")
    latest.request_task(lambda: [][1], came.append)
    qtbot.waitUntil(lambda: not latest.is_working)
    assert reasons == ["The plot failed (IndexError: list index out of range)."]
    latest.request_task(lambda: [][1], came.append)
    latest.request_task(lambda: "later", came.append)
    qtbot.waitUntil(lambda: came == ["later"])
    assert len(reasons) == 1
    assert not latest.is_working
