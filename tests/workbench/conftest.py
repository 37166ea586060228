"""A window to drive, and the mouse on its canvas, in scene units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from prism_window import prism_document
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from raybench.shapes.point import Point
from raybench_workbench.canvas.view import CanvasView

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
PATIENCE = 60_000
"""Milliseconds."""


@dataclass
class Hand:
    """A hand on the mouse above a canvas; places are in scene units."""

    view: CanvasView
    qtbot: Any

    def at(self, x: float, y: float) -> QPoint:
        return self.view.camera.to_screen(Point(x, y)).toPoint()

    def click(self, x: float, y: float, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self.qtbot.mouseClick(self.view, LEFT, modifiers, self.at(x, y))

    def double_click(self, x: float, y: float) -> None:
        self.qtbot.mouseClick(self.view, LEFT, NONE, self.at(x, y))
        self.qtbot.mouseDClick(self.view, LEFT, NONE, self.at(x, y))

    def press(
        self,
        x: float,
        y: float,
        modifiers: Qt.KeyboardModifier = NONE,
        button: Qt.MouseButton = LEFT,
    ) -> None:
        self.qtbot.mousePress(self.view, button, modifiers, self.at(x, y))
        self._last = QPointF(self.at(x, y))

    def move(
        self,
        x: float,
        y: float,
        modifiers: Qt.KeyboardModifier = NONE,
        button: Qt.MouseButton = LEFT,
    ) -> None:
        """In three steps, as a hand does."""
        start, end = self._last, QPointF(self.at(x, y))
        for u in (0.3, 0.7, 1.0):
            at = QPointF((start + (end - start) * u).toPoint())
            event = QMouseEvent(
                QMouseEvent.Type.MouseMove,
                at,
                self.view.mapToGlobal(at),
                Qt.MouseButton.NoButton,
                button,
                modifiers,
            )
            QApplication.sendEvent(self.view, event)
            QApplication.processEvents()
        self._last = end

    def release(self, button: Qt.MouseButton = LEFT, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self.qtbot.mouseRelease(self.view, button, modifiers, self._last.toPoint())

    def drag(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        modifiers: Qt.KeyboardModifier = NONE,
    ) -> None:
        self.press(*start, modifiers)
        self.move(*end, modifiers)
        self.release(modifiers=modifiers)


@pytest.fixture
def qtbot(qtbot: Any) -> Any:
    """Waits patiently: a busy machine may take seconds for what takes milliseconds. Tests state a
    shorter time where it matters.
    """
    for name in ("waitUntil", "waitSignal", "waitExposed", "waitActive"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=PATIENCE))
    return qtbot


@pytest.fixture
def window(open_window: Callable[..., MainWindow]) -> MainWindow:
    """A window with a beam, a prism, a detector and a mirror; modules of tests with another scene
    have their own.
    """
    return open_window(prism_document())


@pytest.fixture
def hand(qtbot: Any) -> Callable[[CanvasView], Hand]:
    return lambda view: Hand(view, qtbot)


@pytest.fixture
def mouse(window: MainWindow, hand: Callable[[CanvasView], Hand]) -> Hand:
    return hand(window.canvas)
