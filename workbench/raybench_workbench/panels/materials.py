"""The material picker with the glass map: refractive index over Abbe number, whose axis runs to the
left. A click chooses the nearest glass.
"""

import math
import re
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from raybench.materials import database
from raybench.materials.catalogue import nearest_materials, search_materials
from raybench.materials.material import Material
from raybench_workbench import theme
from raybench_workbench.plots.themed_plot import ThemedPlot
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    LEFT,
    RIGHT,
    NoMatchHint,
    WrappedLabel,
    column_layout,
    push_button,
    row_layout,
    set_whole_row_selection,
)

CLICK_REACH = 14.0
"""How far from a point a click picks it, pixels."""
PLOT_MARGIN = 0.08
MAX_ABBE_NUMBER = 100.0
"""Materials with weaker dispersion, such as gases, are left out: they would crowd the glasses into
a corner.
"""


class GlassMap(ThemedPlot):
    """A map with a point for each material. Search results are bright; the chosen material has a
    ring and its name.

    ``picked`` is emitted with the name of a material that is clicked.
    """

    picked = Signal(str)

    def __init__(self, materials: Sequence[Material], parent: QWidget | None = None) -> None:
        super().__init__(tr("Glass map"), parent)
        self._places = {
            m.name: (m.v_d, m.n_d)
            for m in materials
            if m.v_d is not None and m.n_d is not None and m.v_d <= MAX_ABBE_NUMBER
        }
        self._found: Collection[str] = self._places
        self._chosen = ""
        self._points = pg.ScatterPlotItem(size=6)
        self._ring = pg.ScatterPlotItem(size=13)
        self._label = pg.TextItem(anchor=(0.5, 1.3))
        for item in (self._points, self._ring, self._label):
            self.addItem(item)
        self.getViewBox().invertX(True)
        self.setLabel("bottom", tr("Abbe number V"))
        self.setLabel("left", tr("n at {wavelength} nm", wavelength=587.6))
        self._show_glasses([m.name for m in materials if m.family == "glass"])
        self.scene().sigMouseClicked.connect(self._click_material)
        self.scene().sigMouseMoved.connect(
            lambda position: self.setToolTip(self._nearest_material(position))
        )
        self.update_theme()

    def show_found_materials(self, names: Collection[str]) -> None:
        """Show the materials found by a search as bright points."""
        self._found = names
        self._paint_points()

    def choose_material(self, name: str) -> None:
        """Mark a material and bring it into view; do nothing if it is not on the map."""
        self._chosen = name
        self._paint_points()
        if name in self._places and not self.getViewBox().viewRect().contains(
            QPointF(*self._places[name])
        ):
            self.autoRange()

    def material_position(self, name: str) -> QPointF:
        """The position of a material in pixels of the widget. Raises KeyError if it is not on the
        map.
        """
        return QPointF(
            self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(*self._places[name])))
        )

    def update_theme(self, *_: object) -> None:
        super().update_theme()
        self._paint_points()

    def _show_glasses(self, names: Collection[str]) -> None:
        """Show the range of the map that contains the glasses; a few crystals have a much higher
        index.
        """
        v, n = zip(
            *(self._places[name] for name in names if name in self._places),
            strict=True,
        )
        self.setXRange(min(v), max(v), padding=PLOT_MARGIN)
        self.setYRange(min(n), max(n), padding=PLOT_MARGIN)

    def _paint_points(self) -> None:
        current = theme.current_theme()
        bright, faint = pg.mkBrush(current.color("accent")), pg.mkBrush(current.color("dim", 0.5))
        self._points.setData(
            pos=list(self._places.values()),
            brush=[bright if name in self._found else faint for name in self._places],
            pen=pg.mkPen(None),
        )
        place = self._places.get(self._chosen)
        self._ring.setVisible(place is not None)
        self._label.setVisible(place is not None)
        if place is not None:
            pen = pg.mkPen(current.color("text"), width=2)
            self._ring.setData(pos=[place], brush=None, pen=pen)
            self._label.setPos(*place)
            self._label.setText(self._chosen, color=current.color("text"))

    def _nearest_material(self, position: QPointF) -> str:
        """The material nearest to a position in the scene of the plot; empty if none is within
        `CLICK_REACH`.
        """
        box = self.getViewBox()

        def distance_to(name: str) -> float:
            at = box.mapViewToScene(QPointF(*self._places[name])) - position
            return math.hypot(at.x(), at.y())

        near = [(distance_to(name), name not in self._found, name) for name in self._places]
        distance, _, name = min(near, default=(math.inf, True, ""))
        return name if distance <= CLICK_REACH else ""

    def _click_material(self, event: Any) -> None:
        name = self._nearest_material(event.scenePos())
        if name and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(name)


COLUMNS = {tr("Name"): LEFT, "n": RIGHT, "V": RIGHT, tr("Kind"): LEFT}
"""The alignment of each column and of its heading."""
MOST_NEAREST = 15
MOST_OF_DATABASE = 20
DIALOG_SIZE = (860, 460)
TABLE_WIDTH = 360
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_NUMBERS = re.compile(r"\s*(\d(?:[.]\d*)?)(?:[\s,;]+(\d+(?:[.]\d*)?))?\s*")


class MaterialPicker(QDialog):
    """The dialog that chooses a material. It calls ``assign`` with the name, or with an empty name
    for no material. If ``assign`` returns a reason to refuse the name, the dialog stays open.

    ``present`` is the index and the Abbe number of the object, the target of ``Nearest``, and
    ``name`` its material.
    """

    def __init__(
        self,
        assign: Callable[[str], str],
        name: str = "",
        present: tuple[float, float | None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Material"))
        self._assign, self._present = assign, present
        self._all = tuple(m for m in search_materials() if m.family != "metal")
        self._shown: Sequence[Material] = ()
        self.search = QLineEdit(self)
        self.search.setAccessibleName(tr("Search materials"))
        self.search.setPlaceholderText(tr("A name, or n and V: 1.62 36"))
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        self.table = self._make_table()
        self.no_match = NoMatchHint(
            tr("No material matches. Try another name, or n and V."), self.table
        )
        self.map = GlassMap(self._all, self)
        self.about = WrappedLabel(parent=self, role="dim")
        self.problem = WrappedLabel(parent=self, role="error")
        self.problem.hide()
        across = row_layout(column_layout(self.search, (self.table, 1)), (self.map, 1))
        column_layout((across, 1), self.about, self.problem, self._add_buttons(), on=self)
        self.resize(*DIALOG_SIZE)
        self.search.textChanged.connect(self._search_materials)
        self.table.itemSelectionChanged.connect(self._show_selected)
        self.table.cellDoubleClicked.connect(lambda *_: self.accept())
        self.map.picked.connect(self._pick_material)
        self._search_materials("")
        self.choose_material(name)
        threading.Thread(
            target=database.database_entries, daemon=True
        ).start()  # preload the list for the first search

    @property
    def chosen_name(self) -> str:
        """The name of the selected material; empty if none is selected."""
        material = self._chosen_material()
        return material.name if material is not None else ""

    def _chosen_material(self) -> Material | None:
        row = self.table.currentRow()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def choose_material(self, name: str) -> None:
        """Select a material in the list; do nothing if it is not listed."""
        names = [m.name for m in self._shown]
        if name in names:
            self.table.selectRow(names.index(name))

    def accept(self) -> None:
        if self.chosen_name:
            self._assign_material(self.chosen_name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the search field has the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in LIST_KEYS
        ):
            self.table.event(event)
            return True
        return super().eventFilter(watched, event)

    def _assign_material(self, name: str) -> None:
        problem = self._assign(name)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        if not problem:
            super().accept()

    def _search_materials(self, text: str) -> None:
        if numbers := _NUMBERS.fullmatch(text):
            n, v = numbers.groups()
            families = {m.family for m in self._all}
            found = nearest_materials(
                float(n), float(v) if v else None, self._all, most=MOST_NEAREST, families=families
            )
        else:
            known = {m.name: m for m in self._all}
            found = search_materials(text, materials=known, of_database=MOST_OF_DATABASE)
        self._show_materials(found)
        if text and self._shown:
            self.table.selectRow(0)

    def _show_materials(self, materials: Sequence[Material]) -> None:
        kept, self._shown = self.chosen_name, materials
        self.table.clearSelection()
        self.table.setCurrentCell(-1, -1)
        self.table.setRowCount(len(materials))
        self.no_match.setVisible(not materials)
        for row, m in enumerate(materials):
            texts = m.name, _number_text(m.n_d, 5), _number_text(m.v_d, 2), m.family
            for column, (text, side) in enumerate(zip(texts, COLUMNS.values(), strict=True)):
                self.table.setItem(row, column, _table_cell(text, side))
        self.map.show_found_materials({m.name for m in materials})
        self.choose_material(kept)
        self._show_selected()

    def _show_selected(self) -> None:
        one, about = self._chosen_material(), " "
        self.map.choose_material(self.chosen_name)
        if one is not None and (data := one.dispersion) is not None:
            about = f"{one.name}: {data.low:g} to {data.high:g} nm. {one.source}"
        self.about.setText(about)
        self._assigns.setEnabled(one is not None)

    def _pick_material(self, name: str) -> None:
        if name not in {m.name for m in self._shown}:
            self.search.clear()
        self.choose_material(name)

    def _select_nearest_glass(self) -> None:
        assert self._present is not None
        self.search.clear()
        n, v = self._present
        self.choose_material(nearest_materials(n, v, self._all, most=1)[0].name)

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, len(COLUMNS), self)
        for column, (title, side) in enumerate(COLUMNS.items()):
            table.setHorizontalHeaderItem(column, _table_cell(title, side))
        table.setSelectionMode(table.SelectionMode.SingleSelection)
        table.setEditTriggers(table.EditTrigger.NoEditTriggers)
        set_whole_row_selection(table, tr("Materials"), theme.ROW_HEIGHT)
        header, mode = table.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(mode.ResizeToContents)
        header.setSectionResizeMode(0, mode.Stretch)
        table.setFixedWidth(TABLE_WIDTH)
        return table

    def _add_buttons(self) -> QDialogButtonBox:
        box, role = QDialogButtonBox(self), QDialogButtonBox.ButtonRole
        self._assigns = QPushButton(tr("Assign"), self)
        self._assigns.setDefault(True)
        none = push_button(
            tr("No material"),
            lambda: self._assign_material(""),
            tip=tr("Return to the refractive index and Cauchy's B of the form."),
            role="",
        )
        nearest = push_button(
            tr("Nearest"),
            self._select_nearest_glass,
            tip=tr("Select the glass nearest to the object's present index and dispersion."),
            role="",
        )
        nearest.setEnabled(self._present is not None)
        box.addButton(self._assigns, role.AcceptRole)
        for button in (none, nearest):
            box.addButton(button, role.ActionRole)
            button.setAutoDefault(False)
        box.addButton(QDialogButtonBox.StandardButton.Cancel)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        return box


def _number_text(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _table_cell(text: str, side: Qt.AlignmentFlag) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setTextAlignment(side)
    return item
