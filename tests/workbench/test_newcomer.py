"""A newcomer's task, by mouse and keyboard, with its actions counted.

An action is a click, a drag, a key or a word or number that is typed; Tab and Enter count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from raybench.session import Session
from raybench.shapes.point import Point
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.panels.preset_form import PresetForm
from raybench_workbench.shot import wait_seconds, wait_until_settled

LEFT, SHIFT, CONTROL = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
MOST = 40
REPEATS = 100


class Person:
    """Hands on mouse and keyboard, whose actions are counted."""

    def __init__(self, window: Any, qtbot: Any, mouse: Any) -> None:
        self.window, self.qtbot, self.mouse, self.actions = window, qtbot, mouse, 0

    def click(self, x: float, y: float, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
        self.actions += 1
        self.mouse.press(x, y, modifiers)
        self.mouse.release(modifiers=modifiers)

    def hover(self, x: float, y: float) -> None:
        self.mouse._last = self.window.canvas.camera.to_screen(Point(x, y))
        self.mouse.move(x, y, button=Qt.MouseButton.NoButton)

    def drag(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        modifiers: Any = Qt.KeyboardModifier.NoModifier,
    ) -> None:
        self.actions += 1
        self.mouse.drag(start, end, modifiers)

    def press(self, key: Any, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
        self.actions += 1
        self.qtbot.keyClick(QApplication.focusWidget() or self.window.canvas, key, modifiers)
        wait_seconds(0.02)

    def type(self, text: str) -> None:
        self.actions += 1
        self.qtbot.keyClicks(QApplication.focusWidget(), text)

    def take(self, part: str) -> None:
        """Click a picture of the library."""
        self.actions += 1
        parts = self.window.library.parts
        item = parts.item_of_part(part)
        parts.scrollToItem(item)
        wait_seconds(0)
        self.qtbot.mouseClick(parts.viewport(), LEFT, pos=parts.visualItemRect(item).center())

    def hold(self, key: Any, modifiers: Any, ended: Callable[[], bool]) -> None:
        """Hold a key, which repeats, until something is seen."""
        self.actions += 1
        for _ in range(REPEATS):
            if ended():
                return
            self.qtbot.keyClick(self.window.canvas, key, modifiers)
        raise AssertionError(f"nothing more happened after {REPEATS} repeats of {key}")

    def back_to_window(self) -> None:
        """What a window manager does when a dialog closes; the offscreen platform has none."""
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)

    def find(self, words: str) -> None:
        """Find an action by its title and run it."""
        self.press(Qt.Key.Key_K, CONTROL)
        query = QApplication.activePopupWidget().query
        self.qtbot.keyClicks(query, words)
        self.qtbot.keyClick(query, Qt.Key.Key_Return)
        self.actions += 2
        wait_seconds(0.02)
        self.back_to_window()

    def click_number(self, name: str) -> None:
        """Click into a number of the form that is shown."""
        self.actions += 1
        edit = next(
            e
            for e in self.window.forms.currentWidget().findChildren(NumberEdit)
            if e.accessibleName() == name
        )
        self.qtbot.mouseClick(edit, LEFT)
        assert edit.hasFocus()


def test_a_bench_is_built_with_exact_numbers_in_forty_actions(
    open_window, hand, qtbot, monkeypatch, tmp_path
):
    window = open_window(None)
    window.document.new()
    window.canvas.setFocus()
    person = Person(window, qtbot, hand(window.canvas))
    document = window.document

    person.find("snap to grid")  # clicks are at multiples of 20 mm
    assert document.scene.settings.snap_to_grid
    person.take("PointSource")
    person.click(200, 400)

    person.take("PlanoConvexLens")  # collimates: the source is in its front focus
    form = window.forms.currentWidget()
    assert isinstance(form, PresetForm)
    person.click_number("Focal length")
    for text in ("150", "60"):
        if not QApplication.focusWidget().selectedText():
            person.press(Qt.Key.Key_A, CONTROL)
        person.type(text)
        person.press(Qt.Key.Key_Tab)
    person.click(340, 400)
    lens = document.scene.objects[-1]
    assert math.dist(lens.p1, lens.p2) == 60

    person.take("EquilateralPrism")
    person.click(560, 400)
    prism = document.scene.objects[-1]

    person.take("Mirror")
    person.click(800, 320)
    person.type("1")  # opens the form for length and angle
    qtbot.keyClicks(QApplication.focusWidget(), "80")
    person.press(Qt.Key.Key_Tab)
    person.type("-60")
    person.press(Qt.Key.Key_Return)
    mirror = document.scene.objects[-1]
    assert mirror.p1 == (800, 320)
    assert math.dist(mirror.p1, mirror.p2) == pytest.approx(180)
    assert mirror.p2.y == pytest.approx(320 + 180 * math.sin(math.radians(60)))

    person.take("Detector")
    person.drag((700, 660), (900, 660))
    detector = document.scene.objects[-1]
    assert (detector.p1, detector.p2) == ((700, 660), (900, 660))

    person.click(560, 400)  # the prism, turned by 7°
    assert window.selection.keys == {prism.key}
    person.press(Qt.Key.Key_R, CONTROL)
    person.type("7")  # in the place of the number that the dialog offers
    person.press(Qt.Key.Key_Return)
    assert document.session.history.undo_text.endswith("turned by 7° counter-clockwise")
    person.back_to_window()

    person.click(900, 660)  # mirror and detector, moved together by one step of the grid
    person.click(*mirror.p2, SHIFT)
    assert window.selection.keys == {mirror.key, detector.key}
    person.press(Qt.Key.Key_Right)
    assert document.scene.get(detector.key).p1.x == 720

    made = document.document
    steps = len(document.session.history.done)
    person.hold(Qt.Key.Key_Z, CONTROL, lambda: not document.session.history.done)
    assert not document.scene.objects
    person.hold(Qt.Key.Key_Z, CONTROL | SHIFT, lambda: len(document.session.history.done) == steps)
    assert document.document.scene == made.scene

    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "bench.raybench"), "")
    )
    person.press(Qt.Key.Key_S, CONTROL)
    person.actions += 2  # the name and Enter
    assert Session.open(tmp_path / "bench.raybench").document.scene.objects == made.scene.objects
    wait_until_settled(window)
    assert len(document.result) > 50
    print(f"{person.actions} actions")
    assert person.actions <= MOST
