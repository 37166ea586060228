"""A chip in the corner of the canvas that describes the active ray filter. A click removes the
filter.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.texts import tool_tip
from raybench_workbench.widgets import elided_to

MAX_WIDTH = 0.7
"""Largest width of the chip, as a fraction of the canvas's width."""


class FilterChip(QPushButton):
    """Shows `View.words` of the document's view in the lower left corner of its parent; hidden
    without a filter.
    """

    def __init__(self, document: WorkDocument, parent: QWidget) -> None:
        super().__init__(parent)
        self._document, self._canvas = document, parent
        theme.set_role(self, "chip")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

        self.clicked.connect(document.show_all_rays)
        document.viewChanged.connect(self._show)
        document.changed.connect(self._show)
        parent.installEventFilter(self)
        self._show()

    def _show(self, *_: object) -> None:
        view = self._document.session.view
        self.setVisible(view.filtered)
        if view.filtered:
            words = f"Shown: {view.words(self._document.document)}"
            available = round(self._canvas.width() * MAX_WIDTH) - 6 * theme.GRID
            self.setText(
                elided_to(words, self.fontMetrics(), max(available, 8 * theme.GRID)) + "   ×"
            )
            self.setToolTip(tool_tip(f"{words}\nClick to show all rays."))
            self.setAccessibleName(f"{words}. Show all rays")
            self.adjustSize()
            self.move(
                theme.GRID, self._canvas.height() - self.height() - theme.GRID
            )  # above, messages may lie over the canvas

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._show()
        return super().eventFilter(watched, event)
