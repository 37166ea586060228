"""The rows of the ray table: which rays a filter and a highlight leave, in which order, and what
their cells say.
"""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    QThreadPool,
)
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QTableView,
    QWidget,
)

from raybench.analysis.answers.words import rays_counted
from raybench.analysis.rays.ray_filter import COMPARED, InvalidRowFilter, filtered_rows
from raybench.trace.columns import (
    COLUMNS as ALL_COLUMNS,
)
from raybench.trace.columns import (
    DEGREES,
    LENGTH,
    NANOMETRES,
    RELATIVE,
    Column,
    IncompleteColumn,
    Reading,
    written,
)
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import PickedRays, View
from raybench_workbench import theme
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.number_edit import format_decimals
from raybench_workbench.threads import Latest, with_progress
from raybench_workbench.tracing import OUTDATED
from raybench_workbench.widgets import (
    ElidedLabel,
    Hint,
    add_copy,
    describe_widget,
    in_a_column,
    measurable_text,
    select_whole_rows,
)

NONE = "—"
"""The text of a value that a ray does not have."""


def decimals_of(result: TraceResult) -> int:
    """The number of decimals that resolves 1e-5 of the extent of the traced rays."""
    if not len(result):
        return 2
    return 5 - math.ceil(math.log10(result.size or 1.0))


def _point_text(value: Sequence[float] | float, decimals: int) -> str:
    """A point as text; for the end of an escaping ray (a float) its direction in degrees."""
    if isinstance(value, float):
        return f"∞ at {value:.1f}°"
    return f"{format_decimals(value[0], decimals)}, {format_decimals(value[1], decimals)}"


def _length_text(value: float, decimals: int) -> str:
    return "∞" if math.isinf(value) else format_decimals(value, decimals + 1)


def _power_text(value: float, _: int) -> str:
    return f"{value:.5f}" if value >= 1e-3 or value == 0 else f"{value:.2e}"


FORMATS: dict[tuple[type, str], Callable[[Any, int], str]] = {
    (tuple, LENGTH): _point_text,
    (float, LENGTH): _length_text,
    (float, RELATIVE): _power_text,
    (float, DEGREES): lambda value, _: f"{value:.2f}°",
    (float, NANOMETRES): lambda value, _: f"{value:.1f}",
    (float, ""): lambda value, _: f"{value:.4f}",
    (int, ""): lambda value, _: str(value),
    (bool, ""): lambda value, _: "yes" if value else "no",
    (str, ""): lambda value, _: str(value),
}
"""Formatting functions by value type and unit; arguments are the value and the number of decimals
of lengths.
"""


def text_of(column: Column, value: Any, decimals: int) -> str:
    """A value of a column as text; ``decimals`` are those of places, see `decimals_of`."""
    return NONE if value is None else FORMATS[column.value, column.unit](value, decimals)


def ray_line(result: TraceResult, row: int) -> str:
    """A ray in a line, such as ``r3-12: Lamp, 540.0 nm, power 0.01200, refract, to Screen``."""
    reading = Reading(result, np.array([row]))
    source, wavelength, power, way, target, status = (
        text_of(ALL_COLUMNS[name], ALL_COLUMNS[name].values(reading)[0], 2)
        for name in ("source_name", "wavelength", "total_power", "interaction", "object", "status")
    )
    colour = [f"{wavelength} nm"] if wavelength != NONE else []
    return f"{result.segment_id(row)}: " + ", ".join(
        [source, *colour, f"power {power}", way, status if target == NONE else f"to {target}"]
    )


Index = QModelIndex | QPersistentModelIndex
COLUMNS = written(
    "title",
    (
        "id",
        "p1",
        "end",
        "length",
        "total_power",
        "degree_of_polarization",
        "wavelength",
        "interaction",
        "status",
        "object",
    ),
)
"""The table's columns; columns not named here follow in the order of `raybench.trace.columns`."""
if unformatted := [column.name for column in COLUMNS if (column.value, column.unit) not in FORMATS]:
    raise IncompleteColumn(
        f"The ray table cannot show {unformatted[0]!r}: give its type and unit a format in FORMATS."
    )
RIGHT_ALIGNED = {
    column.name for column in COLUMNS if column.value is not str or column.name == "id"
}


def sort_keys(result: TraceResult, column: Column) -> NDArray[np.float64]:
    """Numbers in whose order rows are sorted by a column, (n,): texts by the alphabet, places by x,
    what has no value last (NaN).
    """
    stored = getattr(result, column.name, None)
    if column.vocabulary is not None:
        words = {int(word): word.word for word in column.vocabulary}
        ranks = {
            code: rank for rank, code in enumerate(sorted(words, key=lambda code: words[code]))
        }
        return np.array([ranks.get(code, np.nan) for code in range(256)], np.float64)[stored]
    if column.name == "id":
        return np.arange(len(result), dtype=np.float64)
    if column.name == "object":
        order = np.argsort(
            np.array([name.lower() for name in result.object_names] or [""]), kind="stable"
        )
        ranks_of = np.full(len(order) + 1, np.nan)
        ranks_of[order] = np.arange(len(order))
        return ranks_of[result.hit]
    if column.name == "end":
        return np.where(result.escaped, np.nan, result.p2[:, 0])
    if isinstance(stored, np.ndarray) and stored.ndim == 2:
        return stored[:, 0]
    return column.numbers(result)


@dataclass(frozen=True, eq=False)
class ChosenRows:
    """Rows of a result in the order of the table, and why the filter cannot be read; it is left out
    then. ``ascending``: the order is that of the trace.
    """

    rows: NDArray[np.int64]
    problem: str = ""
    ascending: bool = True


def chosen_rows(
    result: TraceResult | None,
    view: View,
    text: str,
    answers: Mapping[str, RaySet],
    sorting: tuple[int, Qt.SortOrder] | None,
) -> ChosenRows:
    """The rows that the highlight, the filter of the view and that of the table leave, sorted by a
    column in a direction or, without one, in the order of the trace.
    """
    if result is None:
        return ChosenRows(np.zeros(0, np.int64))
    kept, problem = np.ones(len(result), bool), ""
    lit = (
        view.highlight.rows
        if view.highlight is not None and view.highlight.revision == result.revision
        else None
    )
    for rows in (lit, view.visible_rows(result)):
        if rows is not None:
            kept &= _row_mask(rows, len(result))
    if text.strip():
        try:
            kept &= _row_mask(filtered_rows(result, text, answers), len(result))
        except InvalidRowFilter as error:
            problem = str(error)
    rows = np.flatnonzero(kept)
    if sorting is not None:
        keys = sort_keys(result, COLUMNS[sorting[0]])[rows]
        down = sorting[1] == Qt.SortOrder.DescendingOrder
        rows = rows[np.argsort(-keys if down else keys, kind="stable")]
    return ChosenRows(rows, problem, sorting is None)


def _row_mask(rows: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    mask = np.zeros(count, bool)
    mask[rows] = True
    return mask


class RayModel(QAbstractTableModel):
    """Some rows of a result; texts are formatted only for visible cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: TraceResult | None = None
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._decimals = 2

    def show_rows(self, result: TraceResult | None, rows: NDArray[np.int64]) -> None:
        """Show some rows in this order."""
        self.beginResetModel()
        self.result, self.rows = result, rows
        self._decimals = decimals_of(result) if result is not None else 2
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole and self.result is not None:
            (value,) = column.values(Reading(self.result, self.rows[index.row()][None]))
            return text_of(column, value, self._decimals)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight
                if column.name in RIGHT_ALIGNED
                else Qt.AlignmentFlag.AlignLeft
            )
            return Qt.AlignmentFlag.AlignVCenter | side
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            words = COLUMNS[section].words
            return f"{words[0].upper()}{words[1:]}."
        return None


UNITS = {NANOMETRES: "nm", RELATIVE: "rel."}
"""Units shown beside column titles, other than the document's length unit; degrees are shown with
each value.
"""


class Header(QHeaderView):
    """Column titles with dimmed units, aligned as their cells."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.unit = "mm"
        self.sorting: tuple[int, Qt.SortOrder] | None = None
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.ROW_HEIGHT)

    def unit_of(self, section: int) -> str:
        unit = COLUMNS[section].unit
        return self.unit if unit == LENGTH else UNITS.get(unit, "")

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        colors, column = theme.current_theme(), COLUMNS[section]
        painter.save()
        painter.fillRect(rect, colors.color("panel"))
        painter.setPen(colors.color("separator"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setFont(theme.text_font(theme.SMALL_SIZE))
        unit = self.unit_of(section)
        wide = painter.fontMetrics().horizontalAdvance(column.title)
        unit_wide = painter.fontMetrics().horizontalAdvance(" " + unit) if unit else 0
        inner = rect.adjusted(theme.GRID, 0, -theme.GRID, 0)
        left = (
            inner.right() + 1 - wide - unit_wide if column.name in RIGHT_ALIGNED else inner.left()
        )
        painter.setPen(colors.color("text"))
        painter.drawText(
            QRect(left, rect.top(), wide + 1, rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            column.title,
        )
        painter.setPen(colors.color("dim"))
        painter.drawText(
            QRect(left + wide, rect.top(), unit_wide + 1, rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            " " + unit if unit else "",
        )
        if self.sorting is not None and self.sorting[0] == section:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.color("accent"))
            tip = 1 if self.sorting[1] == Qt.SortOrder.DescendingOrder else -1
            middle, base = QPointF(rect.right() - theme.HALF, rect.center().y() + 0.5), 2.0 * tip
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawPolygon(
                [middle + QPointF(-3, -base), middle + QPointF(3, -base), middle + QPointF(0, base)]
            )
        painter.restore()


FILTER_WIDTHS = 80, 184
"""The smallest and the usual width of the filter's field, in pixels: in a small window the buttons
beside it need the room.
"""
MEASURED, LONGEST, WIDEST = 100, 5, 160
"""Number of rays and of their longest texts that give a column its width, and the largest width, in
pixels.
"""
PADDING = 2 * theme.GRID - 2
"""Pixels by which a column is wider than its longest text: as few as leave room for the ids of a
long session at an ordinary size.
"""
MANY = 20_000
"""Number of segments above which rows are chosen in a thread."""
MOST_SELECTED = 1000
"""Number of rays up to which those picked elsewhere are selected in the table."""
HINT = "No rays yet. A scene with a source fills this table."
NOTHING_PASSES = "No ray matches the filter and the highlight. “Show all rays” removes both."
NOTHING_MATCHES = (
    "No ray matches what is typed above. Type names, words of the table, or a condition such as"
    " power > 0.1."
)


class RayTable(QWidget):
    """The table, and above it a line that names the answer or filter whose rays it shows, with a
    button to show all rays.
    """

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.model = RayModel(self)
        self.table = QTableView(self)
        self._header = Header(self.table)
        self.table.setHorizontalHeader(self._header)
        self.table.setModel(self.model)
        select_whole_rows(self.table, "Rays", theme.ROW_HEIGHT - theme.HALF)
        self.table.setWordWrap(False)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._header.setStretchLastSection(True)
        self._widths = [0] * len(COLUMNS)
        self.question = ElidedLabel(self)
        self._clear = QPushButton("Show all rays", self)
        theme.set_role(self._clear, "flat")
        self._clear.clicked.connect(document.show_all_rays)
        self.filter = QLineEdit(self)
        self.filter.setAccessibleName("Filter of the table")
        self.filter.setPlaceholderText("power > 0.1, Screen, reflect")
        words = (
            "names, interactions, ends, the rays of an answer such as R1, or one of"
            f" {', '.join(COMPARED)}"
        )
        self.filter.setToolTip(f"Conditions that must all hold: {words}.")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(FILTER_WIDTHS[0])
        self.filter.setMaximumWidth(FILTER_WIDTHS[1])
        self.filter.textChanged.connect(lambda: self._choose_rows())
        self.whole = QCheckBox("Whole paths", self)
        self.whole.setToolTip(
            "Light with the selected rays all before them and all that came of them"
        )
        self.whole.clicked.connect(self._whole_chosen)
        self.export_button = describe_widget(
            QPushButton("Export…", self), tip="Write the rays of the table to a file", role="flat"
        )
        self.export_button.clicked.connect(self.ask_export)
        self._bar = QWidget(self)
        theme.set_role(self._bar, "bar")
        line = QHBoxLayout(self._bar)
        line.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
        line.addWidget(
            self.filter, FILTER_WIDTHS[1]
        )  # it takes what room there is up to its usual width
        line.addWidget(self.whole)
        line.addWidget(self.question, 1)
        line.addWidget(self._clear)
        line.addWidget(self.export_button)
        add_copy(self.table, self._column_titles, document.failed.emit)
        whole_paths, export = QAction("Whole paths", self.table), QAction("Export…", self.table)
        whole_paths.setCheckable(True)
        whole_paths.triggered.connect(self._whole_chosen)
        self.whole.toggled.connect(whole_paths.setChecked)
        export.triggered.connect(self.ask_export)
        self.table.addActions([whole_paths, export])
        self.hint = Hint(HINT, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.hint)
        in_a_column(self._bar, self._stack, on=self, margins=0, spacing=0)
        self._seen: tuple[object, ...] = ()
        self._choosing = Latest(
            self,
            document.failed.emit,
            "Choosing the rows of the ray table",
            pool=QThreadPool.globalInstance(),
        )
        self._ascending = True
        """Whether the rows of the table are in the order of the trace."""
        self._header.sectionClicked.connect(self.sort_by)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        document.fullResultReady.connect(self._choose_rows)
        document.opened.connect(self._forget_rows)
        document.viewChanged.connect(self._view_changed)
        self._choose_rows()

    def _view_changed(self, view: View) -> None:
        if (view.highlight, view.ray_filter, view.specific_rays) != self._seen:
            self._choose_rows()
        elif not view.picked:
            self.table.clearSelection()
        else:
            self._select_picked(view.picked)
        self.whole.setChecked(view.whole_paths)

    def _forget_rows(self) -> None:
        self._widths = [0] * len(COLUMNS)
        self._choose_rows()

    def _fit_columns(self, result: TraceResult | None) -> None:
        """Make the columns wide enough for a sample of the trace. They only grow, so that an edit
        does not shift them.
        """
        if result is None or not len(result):
            return
        sample, decimals = (
            np.unique(np.linspace(0, len(result) - 1, MEASURED).astype(np.int64)),
            decimals_of(result),
        )
        reading, title_font = Reading(result, sample), theme.text_font(theme.SMALL_SIZE)
        for i, column in enumerate(COLUMNS):
            texts = sorted(
                {text_of(column, value, decimals) for value in column.values(reading)}, key=len
            )[-LONGEST:]
            title = theme.width_of(f"{column.title} {self._header.unit_of(i)}", title_font)
            width = min(
                max(title, *(theme.width_of(measurable_text(text)) for text in texts)) + PADDING,
                WIDEST,
            )
            if width > self._widths[i]:
                self._widths[i] = width
                self.table.setColumnWidth(i, width)

    def _choose_rows(self, _: object = None) -> None:
        """Choose the rows, of many rays in a thread: filters and sorting would hold the window."""
        result, view = self._document.session.result, self._document.session.view
        self._seen = view.highlight, view.ray_filter, view.specific_rays
        answers = dict(self._document.session.answers)
        choose = partial(
            chosen_rows, result, view, self.filter.text(), answers, self._header.sorting
        )
        self._choosing.drop()
        if result is None or len(result) <= MANY:
            self._show_rows(result, choose())
        else:
            self._choosing.ask(choose, partial(self._show_rows, result))

    @property
    def settled(self) -> bool:
        """Whether the table shows the rows that were chosen last."""
        return not self._choosing.working

    def _show_rows(self, result: TraceResult | None, chosen: ChosenRows) -> None:
        """Show chosen rows."""
        document, view = self._document.document, self._document.session.view
        rays, rows, problem = view.highlight, chosen.rows, chosen.problem
        self._header.unit = document.unit
        fresh = rays is not None and result is not None and rays.revision == result.revision
        texts = []
        theme.set_role(self.filter, "error" if problem else "")
        if rays is not None:
            age = "" if fresh else ", of an earlier state of the scene: ask again"
            texts.append(
                f"{rays.name + ': ' if rays.name else ''}{rays.question}"
                f" ({rays_counted(len(rays))}{age})"
            )
        if view.filtered:
            texts.append(f"Shown: {view.description(document)} ({rays_counted(len(rows))})")
        if self.filter.text().strip() and not problem:
            texts.append(rays_counted(len(rows)))
        self._clear.setVisible(rays is not None or view.filtered)
        theme.set_role(
            self.question, "warning" if problem or not (fresh or rays is None) else "accent"
        )
        self.question.set_full_text(problem or " · ".join(texts))
        same = result is self.model.result
        if not same:
            self._fit_columns(result)
        self.model.show_rows(result, rows)
        self._ascending = chosen.ascending
        if (
            same
        ):  # other rows were asked for, or another order; after an edit the table stays where it is
            self.table.scrollToTop()
        self._select_picked(view.picked)
        self.whole.setChecked(view.whole_paths)
        self.export_button.setEnabled(len(rows) > 0)
        passes = NOTHING_PASSES if rays is not None or view.filtered else NOTHING_MATCHES
        self.hint.setText(HINT if result is None or not len(result) else passes)
        self._stack.setCurrentWidget(self.table if len(rows) else self.hint)

    def sort_by(self, section: int) -> None:
        """Sort by a column: the first click ascending, the second descending, the third in the
        order of the trace.
        """
        ascending, descending = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        last = self._header.sorting
        following = {
            None: (section, ascending),
            (section, ascending): (section, descending),
            (section, descending): None,
        }
        self._header.sorting = following.get(last, (section, ascending))
        self._header.viewport().update()
        self._choose_rows()

    def _select_picked(self, picked: PickedRays) -> None:
        """Select the rows of rays that were picked elsewhere, and bring the first into view."""
        selected = self._selected_rows()
        if len(picked) > MOST_SELECTED or (
            len(picked) == len(selected) and np.isin(selected, picked.rows).all()
        ):
            return
        places = self._table_places(picked.rows).tolist()
        selection = QItemSelection()
        for place in places:
            selection.select(self.model.index(place, 0), self.model.index(place, len(COLUMNS) - 1))
        self.table.selectionModel().blockSignals(True)
        self.table.selectionModel().select(
            selection, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        self.table.selectionModel().blockSignals(False)
        self.table.viewport().update()
        if places:
            self.table.scrollTo(self.model.index(places[0], 0))

    def _table_places(self, rays: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where some rays stand in the table, ascending, without those that are not in it."""
        rows = self.model.rows
        if not self._ascending:
            return np.flatnonzero(np.isin(rows, rays))
        rays = np.sort(rays)
        place = np.searchsorted(rows, rays)
        found: NDArray[np.int64] = (
            place[rows[np.minimum(place, len(rows) - 1)] == rays] if len(rows) else place[:0]
        )
        return found

    def _selected_rows(self) -> NDArray[np.int64]:
        """The rows of the selected rays, (k,), in the order of the table."""
        ranges = sorted(
            (r.top(), r.bottom() + 1) for r in self.table.selectionModel().selection().toList()
        )
        parts = [self.model.rows[first:end] for first, end in ranges]
        return parts[0] if len(parts) == 1 else np.concatenate([*parts, self.model.rows[:0]])

    def _column_titles(self) -> list[str]:
        return [
            f"{column.title} {self._header.unit_of(i)}".strip() for i, column in enumerate(COLUMNS)
        ]

    def _whole_chosen(self, whole: bool) -> None:
        self._document.set_view(dataclasses.replace(self._document.session.view, whole_paths=whole))

    def ask_export(self) -> None:
        """Ask for a name, and write the rays of the table."""
        if (
            path := ask_save_name(self, "Export rays", "rays.csv", "Rays as CSV (*.csv)", (".csv",))
        ) is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Write the rays of the table, in the order of the trace; an error is shown above the
        canvas.
        """
        from raybench.files.rays_export import RAY_WRITERS

        result, document, failed = self.model.result, self._document.document, self._document.failed
        if result is None:
            return
        if result.revision != document.revision:
            failed.emit(OUTDATED)
            return
        rays, write = (
            RaySet(np.sort(self.model.rows), "rays of the table", result.revision),
            RAY_WRITERS[".csv"],
        )
        with_progress(
            lambda progress: write(path, document, result, rays, progress),
            f"Writing {path.name}",
            self,
            lambda _: None,
            failed.emit,
        )

    def _selection_changed(self) -> None:
        if (
            self.model.result is not self._document.session.result
        ):  # the rows of a new trace are being chosen
            return
        view = self._document.session.view
        self._document.set_view(dataclasses.replace(view, picked=PickedRays(self._selected_rows())))
