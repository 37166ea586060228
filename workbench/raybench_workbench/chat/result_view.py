"""The arguments and the result of a tool call, shown in an expanded card as named fields and
tables.
"""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QCursor,
    QPainter,
    QPaintEvent,
    QPixmap,
    QStandardItem,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableView,
    QToolTip,
    QWidget,
)

from raybench.agent.call.outcome import ToolOutcome
from raybench.analysis.answers.sections import Fields, Section, Table, answer_sections, cell_text
from raybench.analysis.answers.words import underscores_to_spaces
from raybench_workbench import theme
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.widgets import (
    WrappedLabel,
    add_copy_action,
    column_layout,
    set_whole_row_selection,
)

MAX_CHARACTERS = 20_000
"""Length of a text; a longer one would block the window."""
LINES = 8
"""Number of rows of a table that are visible without scrolling."""
MAX_SECTIONS = 24
"""Number of fields and tables of a result; more would block the window."""
MAX_WIDTH = 30 * theme.GRID
"""Width of a column in pixels."""
MARGIN = 6
"""Pixels that a header takes besides its text and padding."""
SAMPLE = 30
"""Number of rows that determine the width of a column."""


class ResultTable(QTableView):
    """A table that shows up to `LINES` rows without scrolling; the user can copy selected rows."""

    def __init__(self, table: Table, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = table
        cells = QStandardItemModel(len(table.rows), len(table.headers), self)
        cells.setHorizontalHeaderLabels(table.headers)
        self.setModel(cells)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        row = theme.ROW_HEIGHT - theme.HALF
        set_whole_row_selection(self, table.title or "Result", row)
        font, header = theme.text_font(theme.SMALL_SIZE), self.horizontalHeader()
        self.setWordWrap(False)
        self.setFont(font)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setFixedHeight(theme.ROW_HEIGHT)
        for i, (title, numeric) in enumerate(zip(table.headers, table.numeric, strict=True)):
            side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
            aligned, texts = Qt.AlignmentFlag.AlignVCenter | side, [line[i] for line in table.rows]
            cells.horizontalHeaderItem(i).setTextAlignment(aligned)
            for k, text in enumerate(texts):
                item = QStandardItem(text)
                item.setTextAlignment(aligned)
                item.setToolTip(literal_tool_tip(text))
                cells.setItem(k, i, item)
            longest = sorted((text[:80] for text in texts[:SAMPLE]), key=len)[-2:]
            widths = [theme.text_pixel_width(text, font) for text in longest]
            widest = max(theme.text_pixel_width(title, header.font()), *widths, 0)
            self.setColumnWidth(i, min(MAX_WIDTH, widest + 2 * theme.GRID + MARGIN))
        header.setStretchLastSection(True)
        add_copy_action(
            self,
            lambda: table.headers,
            lambda reason: QToolTip.showText(QCursor.pos(), reason, self),
        )
        bar = 2 * theme.GRID + 2 * self.frameWidth()
        self.setFixedHeight(theme.ROW_HEIGHT + min(LINES, len(table.rows)) * row + bar)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the conversation if the table itself cannot scroll further."""
        bar = self.verticalScrollBar()
        if bar.maximum() > 0 or event.angleDelta().x():
            super().wheelEvent(event)
        else:
            event.ignore()


class Picture(QWidget):
    """A PNG, scaled down to the available width."""

    def __init__(self, png: bytes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pixels = QPixmap()
        self.pixels.loadFromData(png)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._scale_for_width(width) * self.pixels.height())

    def sizeHint(self) -> QSize:
        return self.pixels.size()

    def _scale_for_width(self, width: int) -> float:
        return min(1.0, width / max(1, self.pixels.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        scale = self._scale_for_width(self.width())
        painter.drawPixmap(
            QRectF(0, 0, scale * self.pixels.width(), scale * self.pixels.height()),
            self.pixels,
            QRectF(self.pixels.rect()),
        )


class ResultView(QWidget):
    """The arguments of a call, and its result as fields and tables."""

    def __init__(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        outcome: ToolOutcome | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName("Arguments and result")
        self.tables: list[ResultTable] = []
        self._column = column_layout(
            on=self, margins=(2 * theme.GRID, 0, 0, theme.HALF), spacing=theme.HALF
        )
        self._add_line(tool, "label")
        self._add_section(
            Fields(
                "",
                tuple(
                    (underscores_to_spaces(name), cell_text(value))
                    for name, value in arguments.items()
                    if value != ""
                ),
            )
        )
        if outcome is None:
            return
        if outcome.picture is not None:
            picture = Picture(outcome.picture.png, self)
            picture.setAccessibleName("The picture that the model saw")
            self._column.addWidget(picture)
        values = outcome.display_values
        if isinstance(values, str):
            rest = len(values) - MAX_CHARACTERS
            self._add_line(
                values if rest <= 0 else f"{values[:MAX_CHARACTERS]}\n… {rest} more characters",
                "" if outcome.ok else "error",
            )
            return
        parts = answer_sections(values)
        for section in parts[:MAX_SECTIONS]:
            self._add_section(section)
        if len(parts) > MAX_SECTIONS:
            self._add_line(f"… {len(parts) - MAX_SECTIONS} more parts", "dim")

    @property
    def text(self) -> str:
        """All text that the view shows."""
        parts = [label.text() for label in self.findChildren(QLabel)]
        rows = [
            " ".join(row)
            for table in self.tables
            for row in (table.cells.headers, *table.cells.rows)
        ]
        return "\n".join(parts + rows)

    def _add_line(self, text: str, role: str) -> None:
        self._column.addWidget(WrappedLabel(text, self, role=role, selectable=True))

    def _add_section(self, section: Section) -> None:
        if section.title and section.rows:
            self._add_line(section.title[0].upper() + section.title[1:], "title")
        if isinstance(section, Table):
            table = ResultTable(section, self)
            self.tables.append(table)
            self._column.addWidget(table)
        elif section.rows:
            grid = QGridLayout()
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(theme.GRID)
            grid.setVerticalSpacing(2)
            grid.setColumnStretch(1, 1)
            font = theme.text_font(theme.SMALL_SIZE)
            for i, (name, value) in enumerate(section.rows):
                about = WrappedLabel(name, self, role="label")
                about.setFixedWidth(min(theme.text_pixel_width(name, font) + 2, 11 * theme.GRID))
                shown = WrappedLabel(value[:MAX_CHARACTERS], self, selectable=True)
                shown.setFont(font)
                grid.addWidget(about, i, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(shown, i, 1)
            self._column.addLayout(grid)
