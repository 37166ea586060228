"""Docks whose panels are created when they are first needed, since they import what the first
window does not need, such as plots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget

if TYPE_CHECKING:
    from raybench_workbench.inspector import Inspector
    from raybench_workbench.json_view.panel import JsonPanel
    from raybench_workbench.main_window import MainWindow
    from raybench_workbench.plots.panel import PlotPanel
    from raybench_workbench.studies.panel import StudyPanel


P = TypeVar("P", bound=QWidget)


class PanelDock(QDockWidget, Generic[P]):
    """A dock that is hidden at first. ``made`` is its panel, None until it is needed."""

    def __init__(
        self,
        title: str,
        make: Callable[[MainWindow, QDockWidget], P],
        height: int,
        window: MainWindow,
    ) -> None:
        """``height`` is the height of the dock when it is first shown, in pixels; 0 leaves it to
        Qt.
        """
        super().__init__(title, window)
        self._make, self._height, self._window = make, height, window
        self._sized = False
        self.made: P | None = None
        self.setWidget(QWidget(self))
        self.hide()
        self.visibilityChanged.connect(self._shown)

    @property
    def panel(self) -> P:
        """The panel, created if necessary."""
        if self.made is None:
            self.made = self._make(self._window, self)
            self.setWidget(self.made)
        return self.made

    def _shown(self, visible: bool) -> None:
        if not visible:
            return
        self.panel.show()
        if self._height and not self._sized:
            self._sized = True
            if (
                self.height() < self._height
            ):  # it may share its area with a dock that was made higher
                self._window.resizeDocks([self], [self._height], Qt.Orientation.Vertical)


def studies(window: MainWindow, dock: QDockWidget) -> StudyPanel:
    from raybench_workbench.studies.panel import StudyPanel

    return StudyPanel(window.document, window.selection, dock)


def inspector(window: MainWindow, dock: QDockWidget) -> Inspector:
    from raybench_workbench.inspector import Inspector

    panel = Inspector(window.document, window.selection, dock)

    def shrink(height: int) -> None:
        """Give the chat below it what is no longer needed."""
        chat, wanted = window.chat_dock, dock.height() - panel.height() + height
        for layout in (panel.layout(), dock.layout()):
            assert layout is not None
            layout.activate()
        window.resizeDocks(
            [dock, chat], [wanted, chat.height() + dock.height() - wanted], Qt.Orientation.Vertical
        )

    panel.rayLeft.connect(shrink)
    return panel


def plots(window: MainWindow, dock: QDockWidget) -> PlotPanel:
    from raybench_workbench.plots.panel import PlotPanel

    panel = PlotPanel(window.document, window.selection, dock)
    dock.visibilityChanged.connect(panel.set_in_front)
    return panel


def json_view(window: MainWindow, dock: QDockWidget) -> JsonPanel:
    from raybench_workbench.json_view.panel import JsonPanel

    return JsonPanel(window.document, window.selection, dock)
