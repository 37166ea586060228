"""Cyclic garbage is collected in the GUI thread, whichever thread makes objects."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from raybench_workbench import threads
from raybench_workbench.cli import main
from raybench_workbench.threads import GarbageCollector


class Cycle:
    """Refers to itself, and says in which thread it is released."""

    def __init__(self, released: list[int]) -> None:
        self.me, self.released = self, released

    def __del__(self) -> None:
        self.released.append(threading.get_ident())


@pytest.fixture
def collector(raybench_app: QApplication) -> Iterator[GarbageCollector]:
    collector = GarbageCollector()
    yield collector
    collector.close()


def make_garbage(released: list[int]) -> None:
    for _ in range(5_000):
        Cycle(released)


def test_garbage_of_any_thread_is_collected_in_the_gui_thread(
    qtbot: Any, collector: GarbageCollector
) -> None:
    qtbot.wait(10)
    released = list[int]()
    thread = threading.Thread(target=make_garbage, args=(released,))
    thread.start()
    thread.join()
    assert not released
    qtbot.waitUntil(lambda: len(released) == 5_000)
    assert set(released) == {threading.get_ident()}


def test_what_there_is_at_the_start_is_not_searched_again(
    qtbot: Any, raybench_app: QApplication
) -> None:
    there = [object()]
    collector = GarbageCollector()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    later = [object()]
    assert [any(o is made for o in gc.get_objects()) for made in (there, later)] == [False, True]
    collector.close()


def test_a_drag_waits_for_the_youngest_garbage_alone(
    qtbot: Any, collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget, left, searched = QWidget(), Qt.MouseButton.LeftButton, list[int]()
    qtbot.addWidget(widget)
    monkeypatch.setattr(gc, "get_count", lambda: (1_000, 100, 100))
    monkeypatch.setattr(gc, "collect", searched.append)
    qtbot.mousePress(widget, left)
    qtbot.waitUntil(lambda: len(searched) > 0)
    assert set(searched) == {0}
    qtbot.mouseRelease(widget, left)
    qtbot.waitUntil(lambda: searched[-1] == 2)


def test_older_objects_are_searched_at_rest(
    qtbot: Any, raybench_app: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "CHECK_INTERVAL", 1)
    made, searched = 1_000, list[int]()
    monkeypatch.setattr(gc, "get_count", lambda: (made, 50, 50))
    monkeypatch.setattr(gc, "collect", searched.append)
    collector = GarbageCollector()
    qtbot.waitUntil(lambda: len(searched) > 2 * threads.QUIET_CHECKS)
    assert set(searched) == {0}
    made = 10
    qtbot.waitUntil(lambda: searched[-1] == 2)
    collector.close()


def test_long_work_does_not_keep_garbage(
    qtbot: Any, collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = list[int]()
    monkeypatch.setattr(gc, "get_count", lambda: (1_000, threads.MAX_YOUNG_COLLECTIONS, 0))
    monkeypatch.setattr(gc, "collect", searched.append)
    qtbot.waitUntil(lambda: 1 in searched)


def test_a_command_collects_garbage_but_not_among_its_imports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frozen = list[int]()
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    for _ in range(2):
        gc.disable()
        assert main(["models"]) == 0
        assert gc.isenabled()
    assert frozen == [1, 1]


def test_python_collects_garbage_again_once_it_is_stopped(
    qtbot: Any, raybench_app: QApplication
) -> None:
    collector = GarbageCollector()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    assert not gc.isenabled()
    collector.close()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
