"""Of what is asked while a thread works, only the last is done."""

from __future__ import annotations

import threading
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from workbench.threads.latest import Latest


def test_what_is_asked_meanwhile_is_done_once_and_last(qtbot: Any, raybench_app: QApplication) -> None:
    owner, go = QObject(), threading.Event()
    latest = Latest(owner)
    done: list[int] = []
    came: list[tuple[int, int]] = []

    def work(n: int) -> int:
        go.wait()
        done.append(n)
        return n

    for n in range(5):
        latest.ask(lambda n=n: work(n), lambda answer: came.append((answer, threading.get_ident())))  # type: ignore[misc]
    assert latest.working
    go.set()
    qtbot.waitUntil(lambda: not latest.working)
    assert done == [0, 4]
    assert came == [(0, threading.get_ident()), (4, threading.get_ident())]


def test_after_an_error_what_was_asked_since_is_done(qtbot: Any, raybench_app: QApplication) -> None:
    owner = QObject()
    latest = Latest(owner)
    failed: list[Exception] = []
    came: list[str] = []
    latest.ask(lambda: [][1], came.append, failed.append)
    latest.ask(lambda: "later", came.append)
    qtbot.waitUntil(lambda: came == ["later"])
    assert isinstance(failed[0], IndexError)
    assert not latest.working
