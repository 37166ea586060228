"""Work in a thread: its answer comes in the GUI thread, to who is still there."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import QObject, QThreadPool
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from workbench.threads.background import in_background


@pytest.mark.parametrize("pooled", [False, True])
def test_the_answer_comes_in_the_gui_thread(qtbot: Any, raybench_app: QApplication, pooled: bool) -> None:
    owner, pool = QObject(), QThreadPool.globalInstance() if pooled else None
    came: list[object] = []
    in_background(owner, threading.get_ident, lambda ident: came.extend((ident, threading.get_ident())), pool=pool)
    qtbot.waitUntil(lambda: len(came) == 2)
    assert came[0] != came[1] == threading.get_ident()


def test_an_error_is_logged_and_reported_instead(qtbot: Any, raybench_app: QApplication, caplog: pytest.LogCaptureFixture) -> None:
    owner = QObject()
    errors: list[Exception] = []
    in_background(owner, lambda: [][1], errors.append, errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], IndexError)
    assert "work in the background failed" in caplog.text


def test_an_answer_to_who_was_deleted_is_dropped(qtbot: Any, raybench_app: QApplication) -> None:
    gone, there, go = QObject(), QObject(), threading.Event()
    came: list[str] = []
    in_background(gone, go.wait, lambda _: came.append("gone"))
    delete(gone)
    go.set()
    in_background(there, lambda: None, lambda _: came.append("there"))
    qtbot.waitUntil(lambda: "there" in came)
    QApplication.processEvents()
    assert came == ["there"]
