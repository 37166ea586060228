"""The list of a document's measurements with names and values. Del or the context menu removes the
selected ones.
"""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.measurements import Readings
from raybench_workbench.measuring.mode import measurements_change
from raybench_workbench.translation import tr

MAX_ROWS = 6
"""Number of rows that are visible without scrolling."""


class MeasurementList(QTreeWidget):
    """A row for each measurement. The parent widget is hidden while there are none."""

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        readings: Readings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._selection, self._readings = document, selection, readings
        self._following = False
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
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
        if [item.text(0) for item in self._tree_items()] != names:
            self.clear()
            self.addTopLevelItems([QTreeWidgetItem([name, ""]) for name in names])
            self.resizeColumnToContents(0)
        for item in self._tree_items():
            name = item.text(0)
            item.setText(1, drawn[name].text if name in drawn else "…")
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._following = False
        self._show_selected()
        row = max(self.sizeHintForRow(0), 1)
        self.setFixedHeight(max(1, min(len(names), MAX_ROWS)) * row + theme.HALF)
        panel = self.parentWidget()
        if panel is not None:
            panel.setVisible(bool(names))

    def _tree_items(self) -> list[QTreeWidgetItem]:
        return self.findItems("*", Qt.MatchFlag.MatchWildcard)

    def _select_chosen_measurements(self) -> None:
        if not self._following:
            self._selection.set_measurements(item.text(0) for item in self.selectedItems())

    def _show_selected(self, *_: object) -> None:
        self._following = True
        for item in self._tree_items():
            item.setSelected(item.text(0) in self._selection.measurements)
        self._following = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            delete_measurements(self._document, self._selection)
        else:
            super().keyPressEvent(event)

    def _show_menu(self, at: QPoint) -> None:
        if self._selection.measurements:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(
                tr("Delete"), lambda: delete_measurements(self._document, self._selection)
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
