"""The list of a document's measurements with names and values. Del or the context menu removes the
selected ones.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from raybench.scene.measurements import PINNED_KIND, Measurement
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.measurements import MeasurementValues
from raybench_workbench.measuring.mode import measurements_change
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr, translate_phrase, with_decimal_sign
from raybench_workbench.widgets import RIGHT

if TYPE_CHECKING:
    from raybench.analysis.measurements import DrawnMeasurement

MAX_ROWS = 6
"""Number of rows that are visible without scrolling."""


NAME, VALUE = range(2)
TREND_ROLE = Qt.ItemDataRole.UserRole + 1
"""The role of the last values of a pinned measure."""
TREND_WIDTH = 9 * theme.GRID


def _measurement_name(item: QTreeWidgetItem) -> str:
    return str(item.data(NAME, Qt.ItemDataRole.UserRole))


def _row_texts(
    measurement: Measurement, name: str, drawn: DrawnMeasurement | None
) -> tuple[str, str, str]:
    """The title and the value of a measurement, and its tool tip. Those of a pinned measure have
    two lines, the second with the change since it was pinned, or the reason why it has no value.
    """
    if drawn is None:
        return name, "…", ""
    measured = drawn.measured
    if measured is None:
        return name, drawn.text.replace("\n", ", "), drawn.text
    from raybench.analysis.measurements import pinned_value_text  # with the measures

    value = tr(pinned_value_text(measured, measurement.digits))
    if not measured.defined:
        return f"{measured.expression}\n", f"{value}\n", translate_phrase(measured.reason)
    tip, since = f"{measured.expression} = {with_decimal_sign(measured.number)}", ""
    if (reference := measurement.reference) is not None:
        change = measured.difference_from(dataclasses.replace(measured, value=reference))
        relative = bool(reference) and not measured.period
        since = f"{100 * change / abs(reference):+.3g} %" if relative else f"{change:+.3g}"
        since = with_decimal_sign(since) if change else tr("as pinned")
        told = tr(
            "{change} from {before}, when it was pinned",
            change=with_decimal_sign(f"{change:+.6g}"),
            before=with_decimal_sign(f"{reference:.6g}"),
        )
        tip += f"\n{told}"
    return f"{measured.expression}\n", f"{value}\n{since}", f"{tip}\n{measured.note}".strip()


class _TrendDelegate(QStyledItemDelegate):
    """Paints the last values of a pinned measure as a curve below its name."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        values = index.data(TREND_ROLE) or ()
        if len(values) < 2:
            return
        box = QRectF(option.rect).adjusted(theme.HALF, option.rect.height() / 2 + 2, 0, -4)
        box.setWidth(min(TREND_WIDTH, box.width()))
        low, high = min(values), max(values)
        span = high - low or 1.0
        points = [
            QPointF(
                box.left() + box.width() * i / (len(values) - 1),
                box.bottom() - box.height() * ((v - low) / span if high > low else 0.5),
            )
            for i, v in enumerate(values)
        ]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.current_theme().color("accent"), 1.25))
        painter.drawPolyline(points)
        painter.drawEllipse(points[-1], 1.5, 1.5)
        painter.restore()


class MeasurementList(QTreeWidget):
    """The list of measurements. Its parent widget is hidden while the list is empty."""

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        readings: MeasurementValues,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._selection, self._readings = document, selection, readings
        self._following = False
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.header().setStretchLastSection(False)  # it would not become narrower again
        self.setRootIsDecorated(False)
        self.setItemDelegateForColumn(NAME, _TrendDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Measurements"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.itemSelectionChanged.connect(self._select_chosen_measurements)
        document.changed.connect(self.show_rows)
        document.resultChanged.connect(self.show_rows)
        readings.changed.connect(self.show_rows)
        selection.measurementsChanged.connect(self._show_selected)

    def show_rows(self, *_: object) -> None:
        """Show the measurements of the document and their values."""
        document = self._document.document
        drawn = self._readings.drawn_measurements(document, self._document.result)
        names = list(document.measurements)
        self._following = True
        if [_measurement_name(item) for item in self._tree_items()] != names:
            self.clear()
            for name in names:
                item = QTreeWidgetItem(self, [name, ""])
                item.setData(NAME, Qt.ItemDataRole.UserRole, name)
                item.setTextAlignment(VALUE, RIGHT)
        for item in self._tree_items():
            name = _measurement_name(item)
            title, value, tip = _row_texts(document.measurements[name], name, drawn.get(name))
            item.setText(NAME, title)
            item.setText(VALUE, value)
            for column in (NAME, VALUE):
                item.setToolTip(column, literal_tool_tip(tip))
            item.setData(NAME, TREND_ROLE, tuple(self._readings.trends.get(name, ())))
        self._fit_columns()
        self._following = False
        self._show_selected()
        rows = [self.sizeHintForIndex(self.indexFromItem(i)).height() for i in self._tree_items()]
        self.setFixedHeight(max(1, sum(rows[:MAX_ROWS])) + theme.HALF)
        panel = self.parentWidget()
        if panel is not None:
            panel.setVisible(bool(names))

    def _fit_columns(self) -> None:
        width = self.viewport().width()
        values = self.sizeHintForColumn(VALUE)
        name = max(width - values, width * 2 // 5)
        self.setColumnWidth(NAME, name)
        self.setColumnWidth(VALUE, width - name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _tree_items(self) -> list[QTreeWidgetItem]:
        return [item for i in range(self.topLevelItemCount()) if (item := self.topLevelItem(i))]

    def _select_chosen_measurements(self) -> None:
        if not self._following:
            self._selection.set_measurements(
                _measurement_name(item) for item in self.selectedItems()
            )

    def _show_selected(self, *_: object) -> None:
        self._following = True
        for item in self._tree_items():
            item.setSelected(_measurement_name(item) in self._selection.measurements)
        self._following = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            delete_measurements(self._document, self._selection)
        else:
            super().keyPressEvent(event)

    def _show_menu(self, at: QPoint) -> None:
        if names := self._selection.measurements:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            chosen = [m for n, m in self._document.document.measurements.items() if n in names]
            pinned = all(m.kind == PINNED_KIND for m in chosen)
            menu.addAction(
                tr("Unpin") if pinned else tr("Delete"),
                lambda: delete_measurements(self._document, self._selection),
            )
            menu.popup(self.viewport().mapToGlobal(at))


def delete_measurements(document: WorkDocument, selection: Selection) -> None:
    """Remove the selected measurements."""
    kept = {
        n: m for n, m in document.document.measurements.items() if n not in selection.measurements
    }
    if len(kept) < len(document.document.measurements) and document.change(
        measurements_change(document.document, kept)
    ):
        selection.set_measurements(())
