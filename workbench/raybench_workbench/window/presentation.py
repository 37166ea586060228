"""The presentation: the canvas alone on the whole screen, with the plot of a study while its rows
are played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget

from raybench_workbench.window.tabs import show_tab_bar

if TYPE_CHECKING:
    from raybench_workbench.document import SceneSnapshot
    from raybench_workbench.main_window import MainWindow


class Presentation(QObject):
    """Shows the canvas of a window alone until `end` is called. The shortcuts of actions still
    work.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._top = window.window()
        self._layout, self._state = window.saveState(), self._top.windowState()
        bars = window.menuWidget(), window.statusBar(), window.messages
        self._hidden = [bar for bar in bars if bar is not None]
        self._added = [
            action
            for action in window.actions_by_id.values()
            if action.shortcutContext() == Qt.ShortcutContext.WindowShortcut
        ]
        window.addActions(self._added)  # their menus are hidden
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), window, self._go_back)
        film = window.study_dock if window.selection.snapshot is not None else None
        for dock in window.findChildren(QDockWidget):
            if dock is not film:
                dock.hide()
        for bar in self._hidden:
            bar.hide()
        self._show_study_plot(window.selection.snapshot)
        window.selection.snapshotChanged.connect(self._show_study_plot)
        window.canvas.set_presenting(True)
        window.canvas.setFocus()
        show_tab_bar(window, False)
        self._top.setWindowState(self._state | Qt.WindowState.WindowFullScreen)

    def end(self) -> None:
        """Show the whole window again."""
        window = self._window
        window.selection.snapshotChanged.disconnect(self._show_study_plot)
        self._escape.setEnabled(False)
        for action in self._added:
            window.removeAction(action)
        for bar in self._hidden:
            bar.show()
        if (panel := window.study_dock.made) is not None:
            panel.show_film_alone(False)
        show_tab_bar(window, True)
        self._top.setWindowState(self._state)
        window.restoreState(self._layout)
        window.canvas.set_presenting(False)
        self.setParent(None)
        self.deleteLater()
        window.refresh_actions()

    def _go_back(self) -> None:
        """Cancel a drag; else stop playing a study; else end the presentation."""
        window = self._window
        if window.selection.snapshot is not None or window.canvas.mode.busy:
            window.canvas.mode.cancel()
        else:
            self.end()

    def _show_study_plot(self, snapshot: SceneSnapshot | None) -> None:
        """Show the plot of a study while its rows are played."""
        dock = self._window.study_dock
        if snapshot is not None:
            dock.panel.show_film_alone(True)
        if dock.isVisible() != (snapshot is not None):
            dock.setVisible(snapshot is not None)


def is_presenting(window: MainWindow) -> bool:
    """Whether the window shows its canvas alone."""
    return window.canvas.presented


def toggle_presentation(window: MainWindow) -> None:
    """Start or end the presentation."""
    presentation = window.findChild(Presentation)
    if presentation is None:
        Presentation(window)
    else:
        presentation.end()
