"""A window to drive, and the mouse on its canvas, in scene units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from prism_window import prism_document
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from raybench.scene.document import Document
from raybench.session import Session
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.app import make_application
from raybench_workbench.canvas.view import CanvasView
from raybench_workbench.document import WorkDocument
from raybench_workbench.picture_tests.pictures import make_styled_app_still
from raybench_workbench.preferences.choices import PREFERENCES
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.testing import close_windows, discard_edits, show_window
from raybench_workbench.window import tabs
from raybench_workbench.window.layout import PanelDock

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
PATIENCE = 60_000
"""Milliseconds."""
SIZE = (1280, 800)


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


@pytest.fixture(scope="session")
def styled_app(qapp: QApplication) -> QApplication:
    """The application in the dark theme, as `raybench_app` of the plugin, for all tests: a style
    sheet styles all widgets again each time that it is set.
    """
    style_app(qapp)
    return qapp


@pytest.fixture(scope="module")
def plain_app(styled_app: QApplication) -> Iterator[None]:
    """The application without the style of Raybench, for a module of tests."""
    styled_app.setStyleSheet("")
    yield
    style_app(styled_app)


def style_app(app: QApplication) -> None:
    make_application("dark")
    make_styled_app_still(app)


@pytest.fixture
def raybench_app(styled_app: QApplication) -> QApplication:
    if theme.current_theme() is not theme.DARK:
        style_app(styled_app)
    return styled_app


class KeptWindow:
    """A window that the tests of a module share. Each gets it with a document of its own, and as
    new.
    """

    window: MainWindow | None = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, what: Document | Path | None, size: tuple[int, int] = SIZE) -> MainWindow:
        window = self.window
        if window is None or not isValid(window) or window.isHidden():
            self.close()
            self.window = window = show_window(what, self.folder, size)
            self.state = window.saveState()
            return window
        for other in QApplication.topLevelWidgets():
            if other is not window and other.isVisible():
                other.close()
        discard_edits(window)
        window.close_panels()
        for dock in window.findChildren(PanelDock):
            if dock.made is not None:
                dock.hide()
                dock.made.deleteLater()
                dock.made, dock._sized = None, False
                dock.setWidget(QWidget(dock))
        window.canvas.activate_drawing_mode(None)
        for row in PREFERENCES:
            if window.settings.get(row) != row.default:
                window.preferences.choose_value(row, row.default)
        window.document.replace_session(
            Session.open(what) if isinstance(what, Path) else Session(what)
        )
        window.resize(*size)
        if window.saveState() != self.state:
            window.restoreState(self.state)
        window.canvas.setFocus()
        window.activateWindow()
        wait_until_settled(window)
        return window

    def close(self) -> None:
        if self.window is not None and isValid(self.window):
            close_windows([self.window])


@pytest.fixture(scope="module")
def kept_window(
    styled_app: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KeptWindow]:
    kept = KeptWindow(tmp_path_factory.mktemp("window"))
    yield kept
    kept.close()


@pytest.fixture
def open_window(
    request: pytest.FixtureRequest, raybench_app: QApplication
) -> Iterator[Callable[..., MainWindow]]:
    """As `open_window` of the plugin. The first window of a test that is marked `one_window` is
    that of its module, and others have its settings; ``one_window(False)`` takes a test out.
    """
    windows: list[MainWindow] = []
    kept: list[KeptWindow] = []
    marker = request.node.get_closest_marker("one_window")
    if marker is not None and False not in marker.args:
        kept.append(request.getfixturevalue("kept_window"))
    folder = kept[0].folder if kept else request.getfixturevalue("tmp_path")

    def open_(what: Document | Path | None = None, size: tuple[int, int] = SIZE) -> MainWindow:
        if kept:
            return kept.pop().open(what, size)
        for earlier in windows:
            earlier.settings.wait_until_written()
        windows.append(show_window(what, folder, size))
        return windows[-1]

    yield open_
    close_windows(windows)


@pytest.fixture
def window(open_window: Callable[..., MainWindow]) -> MainWindow:
    """A window with a beam, a prism, a detector and a mirror; modules of tests with another scene
    have their own.
    """
    return open_window(prism_document())


@pytest.fixture
def tab_page(
    raybench_app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    """The only tab of the only window, without a file. All scenes are closed afterwards without
    asking.
    """
    from raybench_workbench.main_window import MainWindow

    settings = Settings(tmp_path / "settings.json")
    monkeypatch.setattr(tabs, "_settings", settings)

    def make_page() -> MainWindow:
        return MainWindow(WorkDocument(), settings, tmp_path / "recovery", tmp_path / "talks")

    yield tabs.open_window(make_page)
    for window in tabs.tab_windows():
        window.is_closing = True
        window.close()
    settings.wait_until_written()


@pytest.fixture
def hand(qtbot: Any) -> Callable[[CanvasView], Hand]:
    return lambda view: Hand(view, qtbot)


@pytest.fixture
def mouse(window: MainWindow, hand: Callable[[CanvasView], Hand]) -> Hand:
    return hand(window.canvas)
