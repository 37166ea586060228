"""Work in a thread: its answer comes in the GUI thread, to who is still there."""

from __future__ import annotations

import threading
import time
from types import FrameType
from typing import Any

import pytest
from PySide6.QtCore import QObject, QThreadPool
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from raybench.errors import RaybenchError
from raybench_workbench.threads import gui_thread_function, run_in_background


@pytest.mark.parametrize("pooled", [False, True])
def test_the_answer_comes_in_the_gui_thread(
    qtbot: Any, raybench_app: QApplication, pooled: bool
) -> None:
    owner, pool = QObject(), QThreadPool.globalInstance() if pooled else None
    came: list[object] = []
    run_in_background(
        owner,
        threading.get_ident,
        lambda ident: came.extend((ident, threading.get_ident())),
        came.append,
        pool=pool,
    )
    qtbot.waitUntil(lambda: len(came) == 2)
    assert came[0] != came[1] == threading.get_ident()


def test_an_error_is_logged_and_reported_instead(
    qtbot: Any, raybench_app: QApplication, caplog: pytest.LogCaptureFixture
) -> None:
    owner = QObject()
    errors: list[Exception] = []
    run_in_background(owner, lambda: [][1], errors.append, errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], IndexError)
    assert "work in the background failed" in caplog.text


def test_an_error_of_the_program_is_reported_and_is_no_defect_to_log(
    qtbot: Any, raybench_app: QApplication, caplog: pytest.LogCaptureFixture
) -> None:
    def work() -> None:
        raise RaybenchError("Wait until the scene is traced.")

    owner = QObject()
    errors: list[Exception] = []
    run_in_background(owner, work, errors.append, errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert str(errors[0]) == "Wait until the scene is traced."
    assert not caplog.text


def unforeseen(error: Exception) -> None:
    raise AssertionError(error)


def test_an_answer_to_who_was_deleted_is_dropped(qtbot: Any, raybench_app: QApplication) -> None:
    gone, there, go = QObject(), QObject(), threading.Event()
    came: list[str] = []
    run_in_background(gone, go.wait, lambda _: came.append("gone"), unforeseen)
    delete(gone)
    go.set()
    run_in_background(there, lambda: None, lambda _: came.append("there"), unforeseen)
    qtbot.waitUntil(lambda: "there" in came)
    QApplication.processEvents()
    assert came == ["there"]


def test_calls_from_a_thread_are_made_in_the_gui_thread_in_their_order(
    qtbot: Any, raybench_app: QApplication
) -> None:
    owner = QObject()
    came: list[tuple[int, int]] = []
    show = gui_thread_function(owner, lambda n: came.append((n, threading.get_ident())))
    threading.Thread(target=lambda: [show(n) for n in range(5)]).start()
    qtbot.waitUntil(lambda: len(came) == 5)
    assert came == [(n, threading.get_ident()) for n in range(5)]


class Released:
    """Says in which thread it is released."""

    def __init__(self, released: list[int]) -> None:
        self.released = released

    def work(self, *_: object) -> None: ...

    def fail(self) -> None:
        raise RaybenchError("Wait until the scene is traced.")

    def __del__(self) -> None:
        self.released.append(threading.get_ident())


@pytest.mark.parametrize("fails", [False, True])
def test_what_a_job_refers_to_is_released_in_the_gui_thread(
    qtbot: Any, raybench_app: QApplication, fails: bool
) -> None:
    def linger(_frame: FrameType, event: str, argument: Any) -> None:
        if event == "c_return" and argument.__name__ == "emit":
            time.sleep(0.2)  # so that the GUI thread is done with the result before the thread is

    owner, released = QObject(), list[int]()
    it = Released(released)
    threading.setprofile(linger)
    try:
        run_in_background(owner, it.fail if fails else it.work, it.work, it.work)
    finally:
        threading.setprofile(None)
    del it
    qtbot.waitUntil(lambda: bool(released))
    assert released == [threading.get_ident()]
