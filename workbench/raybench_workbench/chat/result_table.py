"""A table of an answer in the conversation: cells can have bars, and each row highlights its rays
on the canvas.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCursor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from raybench.analysis.answers.sections import Table
from raybench.analysis.answers.words import ray_count_text
from raybench.analysis.rays.ray_facts import is_ray_id
from raybench.trace.results.ray_set import RaySet
from raybench_workbench import theme
from raybench_workbench.chat.chips import zoom_to_rays
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.pinning import pin_measures
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    LEFT,
    RIGHT,
    Index,
    add_copy_action,
    set_whole_row_selection,
)

OTHER_COLUMNS_WIDTH = 30 * theme.GRID
"""Width in pixels of the columns with names, at least one, and bars that stand before the others.
"""
VISIBLE_ROWS, MAX_VISIBLE_ROWS = 8, 24
"""Number of rows that are visible at first, and without scrolling when all are shown."""
MAX_WIDTH, LEAST_WIDTH, BAR_WIDTH = 30 * theme.GRID, 7 * theme.GRID, 9 * theme.GRID
"""Largest width of a column, smallest width of one with names, and width of one with bars, in
pixels.
"""
ARROW, PASSES, REFLECTS = " → ", (" (refract)", " (lens)"), " (reflect)"
"""Between the surfaces of a path, and at one that light passes or is reflected at."""
HEADER_MARGIN = 6
"""Pixels that a header takes besides its text and padding."""
MEASURED_ROWS = 30
"""Number of rows that determine the width of a column."""
TABLE_ROW_HEIGHT = theme.ROW_HEIGHT - theme.HALF


class _CellModel(QAbstractTableModel):
    """The cells of a `ResultTable`. Tool tips are made only where they are asked for."""

    def __init__(self, table: "ResultTable") -> None:
        super().__init__(table)
        self._table, self._cells = table, table.cells

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._cells.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._cells.headers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells.rows[row][column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal_tool_tip(self._table.row_tool_tip(row, self._cells.rows[row][column]))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells.headers[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal_tool_tip(self._cells.headers[section])
        return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        return RIGHT if self._cells.numeric_columns[column] else LEFT


class _CellDelegate(QStyledItemDelegate):
    """Paints a cell with its shortened number, over a bar if the column has bars."""

    def __init__(self, table: "ResultTable") -> None:
        super().__init__(table)
        self._table = table

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = self._table.short_text(index.row(), index.column())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, colors = self._table, theme.current_theme()
        row, box = index.row(), QRectF(option.rect)
        if table.is_row_highlighted(row):
            painter.fillRect(box, colors.color("selected_row"))
        elif row == table.previewed:
            painter.fillRect(box, colors.color("hover"))
        if index.column() == table.cells.bar_column:
            part = table.cells.bars[row]
            full = box.adjusted(2, 3, -2, -3)
            full.setWidth(max(1.0, abs(part) * full.width()) if part else 0.0)
            painter.fillRect(full, colors.color("accent" if part > 0 else "warning", 0.3))
        super().paint(painter, option, index)


class ResultTable(QTableView):
    """A table that shows up to `VISIBLE_ROWS` rows at first. Hovering over a row, or moving to it
    by keyboard, previews its rays; a click or Enter highlights them or removes the highlight; a
    double click or Z zooms to them. Selected rows can be copied.

    ``rays`` and ``measures`` are the ray sets and the measure expressions of rows, by the places of
    ``table``. A measure can be pinned by the context menu or P.
    """

    unfolded = Signal()
    """All rows are shown."""

    def __init__(
        self,
        table: Table,
        rays: Mapping[str, RaySet],
        measures: Mapping[str, str],
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.cells, self._document, self._selection = table, document, selection
        self._rays = [rays.get(place) for place in table.places]
        self._measures = [measures.get(place, "") for place in table.places]
        self.previewed = -1
        """The row whose rays are previewed; -1 for none."""
        self._zoomed, self._modifiers = False, Qt.KeyboardModifier.NoModifier
        self._short_paths = {
            i: _shortened_paths([row[i] for row in table.rows])
            for i in range(len(table.headers))
            if any(ARROW in row[i] for row in table.cells if isinstance(row[i], str))
        }
        self.setModel(_CellModel(self))
        self.setItemDelegate(_CellDelegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        set_whole_row_selection(self, table.title or tr("Result"), TABLE_ROW_HEIGHT)
        font, header = theme.text_font(theme.SMALL_SIZE), self.horizontalHeader()
        self.setWordWrap(False)
        self.setFont(font)
        self.setMouseTracking(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setFixedHeight(theme.ROW_HEIGHT)
        header.setStretchLastSection(True)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._widths: list[int] = []
        self._tight: list[int] = []
        """The widths that elide nothing, without the space between the columns."""
        for i, title in enumerate(table.headers):
            texts = [
                self.short_text(row, i)[:80] for row in range(len(table.cells))[:MEASURED_ROWS]
            ]
            longest = sorted(texts, key=len)[-2:]
            widths = [theme.text_pixel_width(text, font) for text in longest]
            title_width = 0 if i == table.bar_column else theme.text_pixel_width(title, font)
            header_width, widest = (
                title_width + 2 * theme.GRID + HEADER_MARGIN,
                max(widths, default=0),
            )
            for kept, padding in ((self._widths, 2 * theme.GRID), (self._tight, theme.HALF)):
                kept.append(min(MAX_WIDTH, max(header_width, widest + padding + HEADER_MARGIN)))
        self._names: list[int] = []
        """The columns of names before the bars."""
        if table.bar_column is not None:
            self._widths[table.bar_column] = max(self._widths[table.bar_column], BAR_WIDTH)
            # names, then bars, are what a narrow conversation shows
            room = OTHER_COLUMNS_WIDTH - self._widths[table.bar_column]
            for i, numeric in enumerate(table.numeric_columns):
                if not numeric and not _holds_ray_ids(table.cells, i):
                    room -= self._widths[i]
                    if room >= 0 or not self._names:
                        self._names.append(i)
            for place, column in enumerate([*self._names, table.bar_column]):
                header.moveSection(header.visualIndex(column), place)
        self._fit_columns()
        add_copy_action(
            self,
            lambda: table.headers,
            lambda reason: QToolTip.showText(QCursor.pos(), reason, self),
        )
        if any(self._measures):
            pin = QAction(tr("Pin"), self)
            pin.setShortcut(QKeySequence("P"))
            pin.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            pin.setToolTip(tr("Keep the value beside its object: it follows every change"))
            pin.triggered.connect(self._pin_rows)
            self.addAction(pin)
        self._show_lines(VISIBLE_ROWS)
        self.clicked.connect(self._click_row)
        self.doubleClicked.connect(lambda index: self._zoom_to_row(index.row()))
        document.viewChanged.connect(self.viewport().update)
        document.changed.connect(self._forget_preview)

    def short_text(self, row: int, column: int) -> str:
        """The shortened text of a cell: a number with few digits, a fraction in percent, or a path
        with only the steps in which it differs from those in its column.
        """
        if column in self._short_paths:
            return self._short_paths[column][row]
        value = self.cells.cells[row][column]
        if not isinstance(value, float):
            return self.cells.rows[row][column]
        if "share" in self.cells.headers[column].split():
            return f"{100 * value:.3g} %"
        return f"{value + 0.0:.4g}"

    @property
    def hidden_row_count(self) -> int:
        """The number of rows that `show_more_rows` would add."""
        return 0 if self._lines > VISIBLE_ROWS else max(0, len(self.cells.rows) - VISIBLE_ROWS)

    def show_more_rows(self) -> None:
        """Show all rows, or `MAX_VISIBLE_ROWS` rows with a scroll bar for the rest."""
        self._show_lines(MAX_VISIBLE_ROWS)
        self.unfolded.emit()

    def _show_lines(self, lines: int) -> None:
        self._lines = lines
        count = len(self.cells.rows)
        height = sum(self.rowHeight(row) for row in range(min(lines, count)))
        bar = self.horizontalScrollBar().sizeHint().height() + 2 * self.frameWidth()
        self.setFixedHeight(theme.ROW_HEIGHT + height + bar)
        scrolls = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(scrolls if lines > VISIBLE_ROWS else never)

    def _fit_columns(self) -> None:
        """Narrow the columns of names if the bars need more space."""
        widths, bar = [*self._widths], self.cells.bar_column
        if bar is not None:
            over = sum(widths[i] for i in (*self._names, bar)) - self.viewport().width()
            for least in (self._tight, [LEAST_WIDTH] * len(widths)):
                for i in sorted(self._names, key=lambda i: -widths[i]):
                    less = min(max(0, over), max(0, widths[i] - least[i]))
                    widths[i], over = widths[i] - less, over - less
        for i, width in enumerate(widths):
            self.setColumnWidth(i, width)

    # --- rays of rows

    def rays_of_row(self, row: int) -> RaySet | None:
        """The rays of a row; None if the row has none, or if the document has changed since."""
        rays = self._rays[row] if 0 <= row < len(self._rays) else None
        if rays is None or not len(rays):
            return None
        return rays if rays.revision == self._document.document.revision else None

    def is_row_highlighted(self, row: int) -> bool:
        """Whether the rays of a row are highlighted."""
        rays = self.rays_of_row(row)
        return rays is not None and self._document.session.view.highlight is rays

    def row_tool_tip(self, row: int, text: str) -> str:
        """The tool tip of a cell with a text, which says what a click does with the rays of its row."""
        rays = self._rays[row]
        if rays is None or not len(rays):
            return text
        about = tr(
            "{rays}: click to highlight, double click (Z) to zoom.",
            rays=ray_count_text(len(rays)),
        )
        return f"{text}\n{about}" if text else about

    def _preview_row(self, row: int) -> None:
        before, rays = self.rays_of_row(self.previewed), self.rays_of_row(row)
        self.previewed = row if rays is not None else -1
        if rays is not None or (before is not None and self._selection.hovered is before):
            self._selection.hover_rays(rays)
        self.viewport().update()

    def _forget_preview(self, *_documents: object) -> None:
        if self.previewed >= 0:
            if self._selection.hovered is self._rays[self.previewed]:
                self._selection.hover_rays(None)
            self.previewed = -1
        self.viewport().update()

    def _click_row(self, index: QModelIndex) -> None:
        zoomed, self._zoomed = self._zoomed, False  # a double click ends with another click
        if not zoomed and self._modifiers == Qt.KeyboardModifier.NoModifier:
            self._toggle_row(index.row())

    def _toggle_row(self, row: int) -> None:
        rays = self.rays_of_row(row)
        if rays is not None:
            self._document.highlight(None if self.is_row_highlighted(row) else rays)

    def _zoom_to_row(self, row: int) -> None:
        self._zoomed = True
        rays = self.rays_of_row(row)
        if rays is not None:
            zoom_to_rays(self._document, rays)

    def _pin_rows(self) -> None:
        """Pin the measures of the selected rows."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        if measures := [self._measures[row] for row in rows if self._measures[row]]:
            pin_measures(self._document, "; ".join(measures))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._modifiers = event.modifiers()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if (row := self.rowAt(event.position().toPoint().y())) != self.previewed:
            self._preview_row(row)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._preview_row(-1)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if self.hasFocus():
            self._preview_row(current.row())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._preview_row(self.currentIndex().row())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._preview_row(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._toggle_row(row)
        elif event.key() == Qt.Key.Key_Z and not event.modifiers():
            self._zoom_to_row(row)
            self._zoomed = False
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the conversation if the table itself cannot scroll further."""
        scrolls = self._lines > VISIBLE_ROWS and self.verticalScrollBar().maximum() > 0
        if scrolls or event.angleDelta().x():
            super().wheelEvent(event)
        else:
            event.ignore()


def _shortened_paths(texts: Sequence[str]) -> list[str]:
    """Paths with only the surfaces that change light, without the first and last steps that all
    paths share.
    """
    paths = [text.strip().split(ARROW) for text in texts]
    first, last = ({path[end] for path in paths} for end in (0, -1))
    short = []
    for text, path in zip(texts, paths, strict=True):
        turns = [step for step in path[1:-1] if not step.endswith(PASSES)]
        begin = path[:1] if len(first) > 1 or not turns else []
        end = path[-1:] if len(path) > 1 and (len(last) > 1 or not turns) else []
        indent = text[: len(text) - len(text.lstrip())]
        short.append(indent + ARROW.join([*begin, *turns, *end]).replace(REFLECTS, ""))
    return short


def _holds_ray_ids(cells: Sequence[Sequence[Any]], column: int) -> bool:
    values = [row[column] for row in cells if row[column] is not None]
    return all(isinstance(value, str) and is_ray_id(value) for value in values)
