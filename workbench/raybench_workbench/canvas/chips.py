"""Small labels (chips) on the canvas. One in the corner describes the ray filter, and a click on it
removes the filter. One above it counts the hidden objects, and a click shows them. One at the top
shows the progress of a long trace; a click or Esc stops the trace and keeps its rays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.texts import STOP_TIP, literal_tool_tip
from raybench_workbench.tracing import TraceService, TraceState
from raybench_workbench.translation import tr
from raybench_workbench.widgets import elide_to_width

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

MAX_WIDTH = 0.7
"""Largest width of the chip, as a fraction of the canvas's width."""
CHIP_DELAY = 400
"""Milliseconds for which a trace is shown in the status line alone."""


class _Chip(QPushButton):
    """A small label on the canvas. It is repositioned when the canvas is resized."""

    def __init__(self, canvas: QWidget, focus: Qt.FocusPolicy) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        theme.set_role(self, "chip")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(focus)
        canvas.installEventFilter(self)

    def _update_chip(self, *_: object) -> None:
        raise NotImplementedError

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.isVisible() and event.type() == QEvent.Type.Resize:
            self._update_chip()
        return super().eventFilter(watched, event)


class FilterChip(_Chip):
    """Shows the ray filters of the document's view in the lower left corner of the canvas. Hidden
    if there are none.
    """

    def __init__(self, document: WorkDocument, parent: QWidget) -> None:
        super().__init__(parent, Qt.FocusPolicy.TabFocus)
        self._document = document
        self.clicked.connect(document.show_all_rays)
        document.viewChanged.connect(self._update_chip)
        document.changed.connect(self._update_chip)
        self._update_chip()

    def _update_chip(self, *_: object) -> None:
        view = self._document.session.view
        self.setVisible(view.has_ray_filter)
        if view.has_ray_filter:
            words = tr(
                "Shown: {description}", description=view.description(self._document.document)
            )
            available = round(self._canvas.width() * MAX_WIDTH) - 6 * theme.GRID
            shown = elide_to_width(words, self.fontMetrics(), max(available, 8 * theme.GRID))
            self.setText(f"{shown}   ×")
            self.setToolTip(literal_tool_tip(tr("{words}\nClick to show all rays.", words=words)))
            self.setAccessibleName(tr("{words}. Show all rays", words=words))
            self.adjustSize()
            # above, messages may lie over the canvas
            self.move(theme.GRID, self._canvas.height() - self.height() - theme.GRID)


class HiddenObjectsChip(_Chip):
    """Counts the hidden objects of a document, above ``below``. Not visible if there are none."""

    def __init__(self, document: WorkDocument, below: FilterChip, parent: QWidget) -> None:
        super().__init__(parent, Qt.FocusPolicy.TabFocus)
        self._document, self._below = document, below
        self.setToolTip(tr("Hidden objects still act on light. Click to show them."))
        document.viewChanged.connect(self._update_chip)
        document.changed.connect(self._update_chip)
        self._update_chip()

    def _update_chip(self, *_: object) -> None:
        document = self._document.document
        count = sum(document.scene.get(key) is not None for key in document.hidden)
        self.setVisible(count > 0)
        if count:
            self.setText(tr("{count} hidden   ×", count=count))
            self.setAccessibleName(tr("{count} hidden. Show what is hidden", count=count))
            self.adjustSize()
            foot = self._below.y() if self._below.isVisible() else self._canvas.height()
            self.move(theme.GRID, foot - self.height() - theme.GRID)


class TraceChip(_Chip):
    """Shows the progress of a `TraceService` at the top of the canvas while a trace takes long."""

    def __init__(self, service: TraceService, canvas: CanvasView) -> None:
        super().__init__(canvas, Qt.FocusPolicy.NoFocus)
        self._service, self._view = service, canvas
        self.setToolTip(STOP_TIP)
        self._patience = QTimer(self, singleShot=True, interval=CHIP_DELAY)
        self._patience.timeout.connect(self._update_chip)
        self.clicked.connect(service.stop)
        service.stateChanged.connect(self._show_trace_state)
        self.hide()

    def _show_trace_state(self, state: TraceState) -> None:
        if state is not TraceState.TRACING:
            self._patience.stop()
            self.hide()
        elif self.isVisible():
            self._update_chip()
        elif not self._patience.isActive():
            self._patience.start()

    def _update_chip(self, *_: object) -> None:
        progress = self._service.progress_words
        words = tr("Tracing: {progress}", progress=progress) if progress else tr("Tracing")
        self.setText(tr("{words}   Esc stops   ×", words=words))
        self.setAccessibleName(tr("{words}. Stop", words=words))
        self.adjustSize()
        self.move((self._canvas.width() - self.width()) // 2, theme.GRID)
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
            and self.isVisible()
            and not self._view.mode.busy
        ):
            self._service.stop()
            return True
        return super().eventFilter(watched, event)
