"""The ray table: the rays that pass the filters and the highlight, their order, and the texts of
the cells.
"""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
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
    QPointF,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    QThreadPool,
)
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStackedWidget,
    QTableView,
    QWidget,
)

from raybench.analysis.answers.words import ray_count_text
from raybench.analysis.rays import columns
from raybench.analysis.rays.ray_filter import COMPARED, InvalidRowFilter, filtered_rows
from raybench.scene import RELATIVE
from raybench.trace.columns import (
    DEGREES,
    LENGTH,
    NANOMETRES,
    Column,
    IncompleteColumn,
    Reading,
    unit_name,
)
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import PickedRays, View
from raybench_workbench import theme
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.number_edit import format_decimals
from raybench_workbench.threads import LatestTaskRunner, run_with_progress
from raybench_workbench.tracing import OUTDATED
from raybench_workbench.translation import tr, with_decimal_sign
from raybench_workbench.widgets import (
    LEFT,
    RIGHT,
    ElidedLabel,
    Hint,
    Index,
    add_copy_action,
    column_layout,
    measurable_text,
    push_button,
    row_layout,
    set_whole_row_selection,
)

NO_VALUE = "—"
"""The text of a value that a ray does not have."""


def coordinate_decimals(result: TraceResult) -> int:
    """The number of decimals that resolve 1e-5 of the extent of the traced rays."""
    if not len(result):
        return 2
    return 5 - math.ceil(math.log10(result.size or 1.0))


def _point_text(value: Sequence[float] | float, decimals: int) -> str:
    """A point as text. For the end of an escaping ray, given as a float, the text is its direction
    in degrees.
    """
    if isinstance(value, float):
        return tr("∞ at {angle:.1f}°", angle=value)
    x, y = (format_decimals(coordinate, decimals) for coordinate in value)
    return tr("{x}, {y}", x=x, y=y)


def _length_text(value: float, decimals: int) -> str:
    return "∞" if math.isinf(value) else format_decimals(value, decimals + 1)


def _power_text(value: float, _: int) -> str:
    return f"{value:.5f}" if value >= 1e-3 or value == 0 else f"{value:.2e}"


VALUE_FORMATS: dict[tuple[type, str], Callable[[Any, int], str]] = {
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


def cell_text(column: Column, value: Any, decimals: int) -> str:
    """The text of a cell with a value of a column. ``decimals`` applies to coordinates, see
    `coordinate_decimals`.
    """
    if value is None:
        return NO_VALUE
    text = VALUE_FORMATS[column.value, column.unit](value, decimals)
    return text if column.value is str else with_decimal_sign(text)


def ray_description(result: TraceResult, row: int) -> str:
    """A ray described in one line, such as ``r3-12: Lamp, 540.0 nm, power 0.01200, refract, to
    Screen``.
    """
    reading = Reading(result, np.array([row]))
    source, wavelength, power, way, target, status = (
        cell_text(columns.COLUMNS[name], columns.COLUMNS[name].values(reading)[0], 2)
        for name in ("source_name", "wavelength", "total_power", "interaction", "object", "status")
    )
    colour = [f"{wavelength} nm"] if wavelength != NO_VALUE else []
    return f"{result.segment_id(row)}: " + ", ".join(
        [
            source,
            *colour,
            tr("power {power}", power=power),
            way,
            status if target == NO_VALUE else f"to {target}",
        ]
    )


COLUMNS = columns.columns_with_name(
    "title",
    (
        "id",
        "p1",
        "end",
        "length",
        "optical_path",
        "total_power",
        "degree_of_polarization",
        "wavelength",
        "interaction",
        "status",
        "object",
    ),
)
"""The table's columns; columns not named here follow in the order of the table of columns."""
if unformatted := [
    column.name for column in COLUMNS if (column.value, column.unit) not in VALUE_FORMATS
]:
    raise IncompleteColumn(
        f"The ray table cannot show {unformatted[0]!r}: give its type and unit a format in FORMATS."
    )
RIGHT_ALIGNED = {
    column.name for column in COLUMNS if column.value is not str or column.name == "id"
}


def sort_keys(result: TraceResult, column: Column) -> NDArray[np.float64]:
    """Numbers (n,) by which rows are sorted for a column: alphabetical ranks for texts, x for
    points, and NaN for missing values, which come last.
    """
    stored = getattr(result, column.name, None)
    if column.vocabulary is not None:
        return _alphabetic_ranks({int(word): word.word for word in column.vocabulary})[stored]
    if column.name == "object":
        return _alphabetic_ranks(dict(enumerate(result.object_names)))[result.hit]
    if column.name == "id":
        return np.arange(len(result), dtype=np.float64)
    if column.name == "end":
        return np.where(result.escaped, np.nan, result.p2[:, 0])
    if isinstance(stored, np.ndarray) and stored.ndim == 2:
        return stored[:, 0]
    return column.numbers(result)


def _alphabetic_ranks(words: Mapping[int, str]) -> NDArray[np.float64]:
    """The alphabetical rank of the word of each code; NaN for the code -1, which stands for no
    word.
    """
    ranks = np.full(max(words, default=0) + 2, np.nan)
    for rank, code in enumerate(sorted(words, key=lambda code: words[code].lower())):
        ranks[code] = rank
    return ranks


def filtered_and_sorted_rows(
    result: TraceResult | None,
    view: View,
    text: str,
    answers: Mapping[str, RaySet],
    column: int,
    order: Qt.SortOrder,
    on_request: Sequence[Column] = (),
) -> tuple[NDArray[np.int64], str]:
    """The rows that pass the highlight, the view's filter and the table's filter ``text``, sorted
    by a column or, if it is -1, in trace order. Also the reason if the table's filter is invalid,
    which is then ignored.

    The columns ``on_request`` are computed, so that their cells can be read.
    """
    if result is None:
        return np.zeros(0, np.int64), ""
    for requested in on_request:
        requested.values(Reading(result, result.rows[:1]))
    lit, problem = view.highlight, ""
    kept = [view.visible_rows(result)]
    if lit is not None and lit.revision == result.revision:
        kept.append(lit.rows)
    if text.strip():
        try:
            kept.append(filtered_rows(result, text, answers))
        except InvalidRowFilter as error:
            problem = str(error)
    passes = np.ones(len(result), bool)
    for some in kept:
        if some is not None:
            mask = np.zeros(len(result), bool)
            mask[some] = True
            passes &= mask
    rows = np.flatnonzero(passes)
    if column >= 0:
        keys = sort_keys(result, COLUMNS[column])[rows]
        down = order == Qt.SortOrder.DescendingOrder
        rows = rows[np.argsort(-keys if down else keys, kind="stable")]
    return rows, problem


class RayModel(QAbstractTableModel):
    """The table model of some rows of a trace result. Texts are formatted only for visible cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: TraceResult | None = None
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self.unit = "mm"
        self._decimals = 2

    def show_rows(
        self, result: TraceResult | None, rows: NDArray[np.int64], unit: str = "mm"
    ) -> None:
        """Show these rows of a result in this order. ``unit`` is the unit of length of the
        document.
        """
        self.beginResetModel()
        self.result, self.rows, self.unit = result, rows, unit
        self._decimals = coordinate_decimals(result) if result is not None else 2
        self.endResetModel()

    def column_unit(self, section: int) -> str:
        """The unit beside a column's title; degrees are shown with each value."""
        power = RELATIVE if self.result is None else self.result.power_unit
        unit = unit_name(COLUMNS[section].unit, self.unit, power)
        return {DEGREES: "", RELATIVE: tr("rel.")}.get(unit, unit)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole and self.result is not None:
            (value,) = column.values(Reading(self.result, self.rows[index.row()][None]))
            return cell_text(column, value, self._decimals)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.name in RIGHT_ALIGNED else LEFT
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(COLUMNS[section].title)
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            words = tr(COLUMNS[section].words)
            return f"{words[0].upper()}{words[1:]}."
        return None


class RayTableHeader(QHeaderView):
    """The header of the ray table: column titles with dimmed units. The first click sorts
    ascending, the second descending, the third in trace order.
    """

    def __init__(self, model: RayModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setStretchLastSection(True)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.ROW_HEIGHT)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        colors, column, unit = (
            theme.current_theme(),
            COLUMNS[section],
            self._model.column_unit(section),
        )
        painter.save()
        painter.fillRect(rect, colors.color("panel"))
        painter.setPen(colors.color("separator"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setFont(theme.text_font(theme.SMALL_SIZE))
        left, title = rect.left() + theme.GRID, tr(column.title)
        widths = [painter.fontMetrics().horizontalAdvance(t) for t in (title, f" {unit}")]
        if column.name in RIGHT_ALIGNED:
            left = rect.right() + 1 - theme.GRID - (sum(widths) if unit else widths[0])
        for text, width, color in zip((title, f" {unit}"), widths, ("text", "dim"), strict=True):
            painter.setPen(colors.color(color))
            place = QRect(left, rect.top(), width + 1, rect.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            left += width
        if self.sortIndicatorSection() == section:
            tip = 1 if self.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder else -1
            middle, base = QPointF(rect.right() - theme.HALF, rect.center().y() + 0.5), 2.0 * tip
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.color("accent"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawPolygon(
                [middle + QPointF(-3, -base), middle + QPointF(3, -base), middle + QPointF(0, base)]
            )
        painter.restore()


FILTER_WIDTHS = 80, 184
"""The smallest and the usual width of the filter's field, in pixels: in a small window the buttons
beside it need the room.
"""
MEASURED_ROWS, MEASURED_TEXTS, MAX_COLUMN_WIDTH = 100, 5, 160
"""Number of rays and of their longest texts that give a column its width, and the largest width, in
pixels.
"""
COLUMN_PADDING = 2 * theme.GRID - 2
"""Pixels by which a column is wider than its longest text: as few as leave room for the ids of a
long session at an ordinary size.
"""
MANY_SEGMENTS = 20_000
"""Number of segments and of points of curved ones above which rows are chosen in a thread."""
MOST_SELECTED = 1000
"""Number of rays up to which those picked elsewhere are selected in the table."""
HINT = tr("No rays yet. A scene with a source fills this table.")
NOTHING_PASSES = tr("No ray matches the filter and the highlight. “Show all rays” removes both.")
NOTHING_MATCHES = tr(
    "No ray matches what is typed above. Type names, words of the table, or a"
    " condition such as power > 0.1."
)


class RayTable(QWidget):
    """The table of rays. A line above it names the answer or filter whose rays it shows, with a
    button to show all rays.
    """

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.model = RayModel(self)
        self.table = QTableView(self)
        self._header = RayTableHeader(self.model, self.table)
        self.table.setHorizontalHeader(self._header)
        self.table.setModel(self.model)
        set_whole_row_selection(self.table, tr("Rays"), theme.ROW_HEIGHT - theme.HALF)
        self.table.setWordWrap(False)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._widths = [0] * len(COLUMNS)
        self.question = ElidedLabel(self)
        self._clear = push_button(tr("Show all rays"), document.show_all_rays)
        self.filter = self._make_filter_field()
        self.whole = QCheckBox(tr("Whole paths"), self)
        self.whole.setToolTip(
            tr("Light with the selected rays all before them and all that came of them")
        )
        self.whole.clicked.connect(self._show_whole_paths)
        self.export_button = push_button(
            tr("Export…"), self.ask_export, tip=tr("Write the rays of the table to a file")
        )
        bar = QWidget(self)
        theme.set_role(bar, "bar")
        row_layout(
            (self.filter, FILTER_WIDTHS[1]),  # it takes what room there is up to its usual width
            self.whole,
            (self.question, 1),
            self._clear,
            self.export_button,
            on=bar,
            margins=(theme.GRID, 0, theme.GRID, 0),
        )
        self._shown = [self._make_column_action(i) for i in range(len(COLUMNS))]
        self._add_actions()
        self.hint = Hint(HINT, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.hint)
        column_layout(bar, self._stack, on=self, margins=0, spacing=0)
        self._seen: tuple[object, ...] = ()
        self._choosing = LatestTaskRunner(
            self,
            document.failed.emit,
            tr("Choosing the rows of the ray table"),
            pool=QThreadPool.globalInstance(),
        )
        self._header.sortIndicatorChanged.connect(self._update_shown_rows)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        document.fullResultReady.connect(self._update_shown_rows)
        document.opened.connect(self._forget_document)
        document.viewChanged.connect(self._view_changed)
        self._update_shown_rows()

    def _make_filter_field(self) -> QLineEdit:
        field = QLineEdit(self)
        field.setAccessibleName(tr("Filter of the table"))
        field.setPlaceholderText(tr("power > 0.1, Screen, reflect"))
        field.setToolTip(
            tr(
                "Conditions that must all hold: names, interactions, ends, the rays of an"
                " answer such as R1, or one of {names}.",
                names=", ".join(COMPARED),
            )
        )
        field.setClearButtonEnabled(True)
        field.setMinimumWidth(FILTER_WIDTHS[0])
        field.setMaximumWidth(FILTER_WIDTHS[1])
        field.textChanged.connect(self._update_shown_rows)
        return field

    def _make_column_action(self, section: int) -> QAction:
        """The action that shows and hides a column."""
        column = COLUMNS[section]
        action = QAction(tr(column.title), self._header)
        action.setCheckable(True)
        action.setChecked(not column.on_request)
        action.setEnabled(column.name != "id")
        action.toggled.connect(self._update_shown_rows)
        self.table.setColumnHidden(section, column.on_request or column.polarized)
        return action

    def _add_actions(self) -> None:
        """Fill the context menus of the table and of its header."""
        add_copy_action(self.table, self._column_titles, self._document.failed.emit)
        whole_paths, export = (
            QAction(tr("Whole paths"), self.table),
            QAction(tr("Export…"), self.table),
        )
        whole_paths.setCheckable(True)
        whole_paths.triggered.connect(self._show_whole_paths)
        self.whole.toggled.connect(whole_paths.setChecked)
        export.triggered.connect(self.ask_export)
        chooser = QMenu(tr("Columns"), self.table)
        chooser.addActions(self._shown)
        self._header.addActions(self._shown)
        self._header.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.table.addActions([whole_paths, export, chooser.menuAction()])

    def _view_changed(self, view: View) -> None:
        if (view.highlight, view.ray_filter, view.specific_rays) != self._seen:
            self._update_shown_rows()
        elif not view.picked:
            self.table.clearSelection()
        else:
            self._select_picked_rays(view.picked)
        self.whole.setChecked(view.whole_paths)

    def _forget_document(self) -> None:
        self.filter.clear()
        self._widths = [0] * len(COLUMNS)
        self._update_shown_rows()

    def _fit_columns(self, result: TraceResult | None) -> None:
        """Make the columns wide enough for a sample of the trace. They only grow, so that an edit
        does not move them.
        """
        if result is None or not len(result):
            return
        sample = np.unique(np.linspace(0, len(result) - 1, MEASURED_ROWS).astype(np.int64))
        reading, decimals = Reading(result, sample), coordinate_decimals(result)
        title_font = theme.text_font(theme.SMALL_SIZE)
        for i, column in enumerate(COLUMNS):
            if self.table.isColumnHidden(i):
                continue
            texts = {cell_text(column, value, decimals) for value in column.values(reading)}
            title = f"{tr(column.title)} {self.model.column_unit(i)}"
            longest = map(measurable_text, sorted(texts, key=len)[-MEASURED_TEXTS:])
            width = (
                max(
                    theme.text_pixel_width(title, title_font), *map(theme.text_pixel_width, longest)
                )
                + COLUMN_PADDING
            )
            if min(width, MAX_COLUMN_WIDTH) > self._widths[i]:
                self._widths[i] = min(width, MAX_COLUMN_WIDTH)
                self.table.setColumnWidth(i, self._widths[i])

    def _update_shown_rows(self, *_: object) -> None:
        """Filter and sort the rows. For many rays this is done in a thread, because it would block
        the window.
        """
        result, view = self._document.session.result, self._document.session.view
        self._seen = view.highlight, view.ray_filter, view.specific_rays
        choose = partial(
            filtered_and_sorted_rows,
            result,
            view,
            self.filter.text(),
            dict(self._document.session.answers),
            self._header.sortIndicatorSection(),
            self._header.sortIndicatorOrder(),
            self._shown_columns_on_request(),
        )
        self._choosing.cancel_request()
        if result is None or len(result) + len(result.polyline) <= MANY_SEGMENTS:
            self._show_rows(result, *choose())
        else:
            self._choosing.request_task(choose, lambda chosen: self._show_rows(result, *chosen))

    @property
    def settled(self) -> bool:
        """Whether the table shows the rows of the latest filter and order."""
        return not self._choosing.is_working

    def _show_rows(self, result: TraceResult | None, rows: NDArray[np.int64], problem: str) -> None:
        """Show the filtered rows, and the reason if the filter is invalid."""
        view, same = self._document.session.view, result is self.model.result
        is_polarized = result is not None and result.is_polarized
        for i, (column, action) in enumerate(zip(COLUMNS, self._shown, strict=True)):
            action.setVisible(is_polarized or not column.polarized)
            shown = action.isChecked() and action.isVisible()
            if self.table.isColumnHidden(i) is shown:
                self.table.setColumnHidden(i, not shown)
                same = False
        theme.set_role(self.filter, "error" if problem else "")
        self._describe_rows(result, len(rows), problem)
        self._clear.setVisible(view.highlight is not None or view.has_ray_filter)
        self.model.show_rows(result, rows, self._document.document.unit)
        if same:  # other rows or another order; after an edit the table stays where it is
            self.table.scrollToTop()
        else:
            self._fit_columns(result)
        self._select_picked_rays(view.picked)
        self.whole.setChecked(view.whole_paths)
        self.export_button.setEnabled(len(rows) > 0)
        if result is None or not len(result):
            self.hint.setText(HINT)
        else:
            by_view = view.highlight is not None or view.has_ray_filter
            self.hint.setText(NOTHING_PASSES if by_view else NOTHING_MATCHES)
        self._stack.setCurrentWidget(self.table if len(rows) else self.hint)

    def _shown_columns_on_request(self) -> list[Column]:
        return [
            column
            for column, action in zip(COLUMNS, self._shown, strict=True)
            if column.on_request and action.isChecked()
        ]

    def _describe_rows(self, result: TraceResult | None, count: int, problem: str) -> None:
        """Write above the table which rays it shows, or why the filter is invalid."""
        view, texts, stale = self._document.session.view, [], False
        if (rays := view.highlight) is not None:
            stale = result is None or rays.revision != result.revision
            age = tr(", of an earlier state of the scene: ask again") if stale else ""
            name = f"{rays.name}: " if rays.name else ""
            texts.append(f"{name}{rays.question} ({ray_count_text(len(rays))}{age})")
        if view.has_ray_filter:
            shown = view.description(self._document.document)
            texts.append(
                tr(
                    "Shown: {shown} ({rays})",
                    shown=shown,
                    rays=ray_count_text(count),
                )
            )
        if self.filter.text().strip() and not problem:
            texts.append(ray_count_text(count))
        theme.set_role(self.question, "warning" if problem or stale else "accent")
        self.question.set_full_text(problem or " · ".join(texts))

    def _select_picked_rays(self, picked: PickedRays) -> None:
        """Select the rows of rays that were picked elsewhere, and scroll to the first."""
        selected = self._selected_rows()
        if (
            self._choosing.is_working  # the rows that are chosen will be selected
            or len(picked) > MOST_SELECTED
            or (len(picked) == len(selected) and np.isin(selected, picked.rows).all())
        ):
            return
        rows = self.model.rows
        if self._header.sortIndicatorSection() >= 0:
            places = np.flatnonzero(np.isin(rows, picked.rows)).tolist()
        else:
            first, end = (np.searchsorted(rows, picked.rows, side) for side in ("left", "right"))
            places = np.sort(first[first < end]).tolist()
        selection = QItemSelection()
        for place in places:
            selection.select(self.model.index(place, 0), self.model.index(place, len(COLUMNS) - 1))
        with QSignalBlocker(self.table.selectionModel()):
            self.table.selectionModel().select(
                selection, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
        self.table.viewport().update()
        if places:
            self.table.scrollTo(self.model.index(places[0], 0))

    def _selected_rows(self) -> NDArray[np.int64]:
        """The trace rows (k,) of the selected table rows, in the order of the table."""
        ranges = sorted(
            (r.top(), r.bottom() + 1) for r in self.table.selectionModel().selection().toList()
        )
        parts = [self.model.rows[first:end] for first, end in ranges]
        return parts[0] if len(parts) == 1 else np.concatenate([*parts, self.model.rows[:0]])

    def _column_titles(self) -> list[str]:
        return [
            f"{tr(column.title)} {self.model.column_unit(i)}".strip()
            for i, column in enumerate(COLUMNS)
        ]

    def _show_whole_paths(self, whole: bool) -> None:
        self._document.set_view(dataclasses.replace(self._document.session.view, whole_paths=whole))

    def ask_export(self) -> None:
        """Ask for a file name and write the rays of the table to the file."""
        path = ask_save_name(
            self, tr("Export rays"), "rays.csv", tr("Rays as CSV (*.csv)"), (".csv",)
        )
        if path is not None:
            self.export_table(path)

    def export_table(self, path: Path) -> None:
        """Write the rays of the table to a file in trace order. An error is shown above the canvas."""
        from raybench.files.rays_export import export_rays

        result, document, failed = self.model.result, self._document.document, self._document.failed
        if result is None:
            return
        if result.revision != document.revision:
            failed.emit(OUTDATED)
            return
        rays = RaySet(np.sort(self.model.rows), tr("rays of the table"), result.revision)
        also = [column.sql for column in self._shown_columns_on_request()]
        run_with_progress(
            lambda progress: export_rays(path, document, result, rays, progress, also),
            tr("Writing {name}", name=path.name),
            self,
            lambda _: None,
            failed.emit,
        )

    def _selection_changed(self) -> None:
        if self.model.result is self._document.session.result:  # else rows are being chosen
            picked = PickedRays(self._selected_rows())
            view = dataclasses.replace(self._document.session.view, picked=picked)
            self._document.set_view(view)
