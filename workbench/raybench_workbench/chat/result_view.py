"""The arguments and the result of a tool call, shown in an expanded card as named fields and
tables.
"""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from raybench.agent.call.outcome import ToolOutcome
from raybench.analysis.answers.sections import Fields, Section, Table, answer_sections, cell_text
from raybench.analysis.answers.words import capitalize_first, underscores_to_spaces
from raybench_workbench import theme
from raybench_workbench.chat.result_table import ResultTable
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, column_layout, push_button

MAX_CHARACTERS = 20_000
"""Length of a text; a longer one would block the window."""
MAX_SECTIONS = 24
"""Number of fields and tables of a result; more would block the window."""
MAX_COMPARED = 3
"""Number of tables that a closed card shows."""


class PictureView(QWidget):
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


class AnswerTables(QWidget):
    """The tables of an answer, one below the other. A long table has a button that shows more rows."""

    def __init__(
        self,
        outcome: ToolOutcome | None,
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._rays = outcome.rays_by_place if outcome is not None else {}
        self._measures = outcome.measures_by_place if outcome is not None else {}
        self._document, self._selection = document, selection
        self.tables: list[ResultTable] = []
        self._column = column_layout(
            on=self, margins=(2 * theme.GRID, 0, 0, theme.HALF), spacing=theme.HALF
        )

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

    def add_table(self, section: Table, titled: bool = True) -> None:
        """Add a table, below its title unless ``titled`` is False."""
        if section.title and section.rows and titled:
            self._add_line(capitalize_first(section.title), "title")
        table = ResultTable(
            section, self._rays, self._measures, self._document, self._selection, self
        )
        self.tables.append(table)
        self._column.addWidget(table)
        if table.hidden_row_count:
            more = push_button(
                tr("{count} more", count=table.hidden_row_count),
                table.show_more_rows,
                tip=tr("Show all rows"),
            )
            table.unfolded.connect(more.hide)
            self._column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)


def tables_with_bars(outcome: ToolOutcome) -> tuple[Table, ...]:
    """The tables that a collapsed card shows: the first table of an answer that has bars, and those
    like it.
    """
    sections = answer_sections(outcome.display_values) if outcome.ok else ()
    barred = [s for s in sections if isinstance(s, Table) and s.bar_column is not None]
    return tuple(s for s in barred if s.headers == barred[0].headers)[:MAX_COMPARED]


class ResultView(AnswerTables):
    """The arguments of a call, and its result as fields and tables."""

    def __init__(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        outcome: ToolOutcome | None,
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(outcome, document, selection, parent)
        self.setAccessibleName(tr("Arguments and result"))
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
            picture = PictureView(outcome.picture.png, self)
            picture.setAccessibleName(tr("The picture that the model saw"))
            self._column.addWidget(picture)
        values = outcome.display_values
        if isinstance(values, str):
            rest = len(values) - MAX_CHARACTERS
            self._add_line(
                values
                if rest <= 0
                else tr(
                    "{values}\n… {rest} more characters", values=values[:MAX_CHARACTERS], rest=rest
                ),
                "" if outcome.ok else "error",
            )
            return
        parts = answer_sections(values)
        for section in parts[:MAX_SECTIONS]:
            self._add_section(section)
        if len(parts) > MAX_SECTIONS:
            self._add_line(tr("… {count} more parts", count=len(parts) - MAX_SECTIONS), "dim")

    def _add_section(self, section: Section) -> None:
        if isinstance(section, Table):
            self.add_table(section)
        elif section.rows:
            if section.title:
                self._add_line(capitalize_first(section.title), "title")
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
