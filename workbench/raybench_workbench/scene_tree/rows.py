"""The rows of the list under the mouse: switches are clicked, rows dragged to another place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QListView, QWidget

from raybench_workbench import theme
from raybench_workbench.scene_tree.model import SWITCHES
from raybench_workbench.scene_tree.row import switch_rect

SCROLL_PAUSE = 60
"""Milliseconds between two rows that are scrolled while rows are dragged beyond the list."""


class ObjectRows(QListView):
    """The rows: a click on a switch turns it, a drag moves the selected rows to the place of the
    line, Esc cancels it.

    A drag beyond the first or last visible row scrolls.
    """

    switched = Signal(int, str)
    dropped = Signal(int)
    """The row before which the selected rows are dropped."""
    hovered = Signal(int)
    """The row under the pointer; -1 for none."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pressed: QPoint | None = None
        self._gap: int | None = None
        self._given_up = False
        """Whether the drag was given up; the button is still pressed."""
        self._dragged_to = 0
        """The height of the pointer during a drag."""
        self._scrolling = QTimer(self, interval=SCROLL_PAUSE)
        self._scrolling.timeout.connect(self._scroll)
        self.setMouseTracking(True)
        self.viewport().installEventFilter(self)

    def _switch_at(self, at: QPoint) -> tuple[int, str] | None:
        index = self.indexAt(at)
        names = (
            [n for n in SWITCHES if switch_rect(self.visualRect(index), n).contains(at)]
            if index.isValid()
            else []
        )
        return (index.row(), names[0]) if names else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        left = event.button() == Qt.MouseButton.LeftButton
        if left and (switch := self._switch_at(at)) is not None:
            self.switched.emit(*switch)
            return
        index = self.indexAt(at)
        self._pressed = at if left and index.isValid() and not event.modifiers() else None
        if self._pressed is not None and self.selectionModel().isSelected(index):
            # a click on one of several selects it alone at release: the press may begin a drag of
            # all
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        index = self.indexAt(at)
        self.hovered.emit(index.row() if index.isValid() else -1)
        if self._given_up:
            return
        if self._pressed is None:
            super().mouseMoveEvent(event)
        elif (
            self._gap is not None
            or (at - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        ):
            self._dragged_to = at.y()
            self._show_gap()
            if not 0 <= at.y() < self.viewport().height():
                self._scrolling.start()

    def _show_gap(self) -> None:
        """Show the gap between rows that is nearest to the pointer, among the visible rows."""
        y = min(max(self._dragged_to, 0), self.viewport().height() - 1)
        index = self.indexAt(QPoint(0, y))
        self._gap = (
            index.row() + (y > self.visualRect(index).center().y())
            if index.isValid()
            else self.model().rowCount()
        )
        self.viewport().update()

    def _scroll(self) -> None:
        above, below = self._dragged_to < 0, self._dragged_to >= self.viewport().height()
        if self._gap is None or not (above or below):
            self._scrolling.stop()
            return
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (bar.singleStep() if below else -bar.singleStep()))
        self._show_gap()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, gap, self._pressed, self._gap, self._given_up = (
            self._pressed,
            self._gap,
            None,
            None,
            False,
        )
        self.viewport().update()
        if gap is not None:
            self.dropped.emit(gap)
        elif pressed is not None:
            self.setCurrentIndex(self.indexAt(pressed))
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._gap is not None:
            self._pressed, self._gap, self._given_up = None, None, True
            self.viewport().update()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._switch_at(event.position().toPoint()) is None:
            super().mouseDoubleClickEvent(event)
        else:
            self.mousePressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and watched is self.viewport():
            self.hovered.emit(-1)
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._gap is not None:
            row, count = self._gap, self.model().rowCount()
            y = (
                self.visualRect(self.model().index(row, 0)).top()
                if row < count
                else self.visualRect(self.model().index(count - 1, 0)).bottom()
            )
            painter = QPainter(self.viewport())
            painter.fillRect(
                QRect(0, y - 1, self.viewport().width(), 2), theme.current().color("accent")
            )
            painter.end()
