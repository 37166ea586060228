"""The glass map: index over Abbe number, which runs to the left as usual; a click picks the nearest
glass.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import QWidget

from raybench.materials.material import Material
from raybench_workbench import theme
from raybench_workbench.plots.themed_plot import ThemedPlot

NEAR = 14.0
"""How far from a point a click picks it, pixels."""
MARGIN = 0.08
MOST_V = 100.0
"""Materials with weaker dispersion, such as gases, are left out: they would crowd the glasses into
a corner.
"""


class GlassMap(ThemedPlot):
    """Points for materials; the results of a search are bright, the chosen one has a ring and its
    name.

    ``picked`` is emitted with the name of a material that is clicked.
    """

    picked = Signal(str)

    def __init__(self, materials: Sequence[Material], parent: QWidget | None = None) -> None:
        super().__init__("Glass map", parent)
        known = [(m.name, m.v_d, m.n_d) for m in materials]
        self._places = {
            name: (v, n) for name, v, n in known if v is not None and n is not None and v <= MOST_V
        }
        self._found: Collection[str] = self._places
        self._chosen = ""
        self._points = pg.ScatterPlotItem(size=6)
        self._ring = pg.ScatterPlotItem(size=13)
        self._label = pg.TextItem(anchor=(0.5, 1.3))
        for item in (self._points, self._ring, self._label):
            self.addItem(item)
        self.getViewBox().invertX(True)
        self.setLabel("bottom", "Abbe number V")
        self.setLabel("left", "n at 587.6 nm")
        self._show_glasses({m.name for m in materials if m.family == "glass"})
        self.scene().sigMouseClicked.connect(
            lambda event: self._clicked(event.scenePos(), event.button())
        )
        self.scene().sigMouseMoved.connect(self._pointed)
        self.retheme()

    def show_found(self, names: Collection[str]) -> None:
        """Show the results of a search."""
        self._found = names
        self._paint()

    def choose(self, name: str) -> None:
        """Mark a material and bring it into view; without effect if it is not on the map."""
        self._chosen = name
        self._paint()
        if name in self._places and not self.getViewBox().viewRect().contains(
            QPointF(*self._places[name])
        ):
            self.autoRange()

    def position_of(self, name: str) -> QPointF:
        """Where a material is, in pixels of the widget. Raises KeyError if it is not on the map."""
        return QPointF(
            self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(*self._places[name])))
        )

    def retheme(self, *_: object) -> None:
        super().retheme()
        self._paint()

    def _show_glasses(self, names: Collection[str]) -> None:
        """Show the part of the map where the glasses are: a few crystals have a far higher index."""
        v, n = zip(*(place for name, place in self._places.items() if name in names), strict=True)
        self.setXRange(min(v), max(v), padding=MARGIN)
        self.setYRange(min(n), max(n), padding=MARGIN)

    def _paint(self) -> None:
        current = theme.current()
        bright, faint = pg.mkBrush(current.color("accent")), pg.mkBrush(current.color("dim", 0.5))
        self._points.setData(
            [v for v, _ in self._places.values()],
            [n for _, n in self._places.values()],
            brush=[bright if name in self._found else faint for name in self._places],
            pen=pg.mkPen(None),
        )
        there = [self._places[self._chosen]] if self._chosen in self._places else []
        self._ring.setData(
            [v for v, _ in there],
            [n for _, n in there],
            brush=None,
            pen=pg.mkPen(current.color("text"), width=2),
        )
        self._label.setVisible(bool(there))
        if there:
            self._label.setPos(*there[0])
            self._label.setText(self._chosen, color=current.color("text"))

    def _nearest(self, position: QPointF) -> str:
        """The material nearest to a position in the plot's scene; empty if none is within `NEAR`."""
        box = self.getViewBox()
        away = []
        for name, place in self._places.items():
            at = box.mapViewToScene(QPointF(*place))
            away.append(
                (
                    math.hypot(at.x() - position.x(), at.y() - position.y()),
                    name not in self._found,
                    name,
                )
            )
        distance, _, name = min(away, default=(math.inf, True, ""))
        return name if distance <= NEAR else ""

    def _pointed(self, position: QPointF) -> None:
        self.setToolTip(self._nearest(position))

    def _clicked(self, position: QPointF, button: Qt.MouseButton) -> None:
        name = self._nearest(position)
        if name and button == Qt.MouseButton.LeftButton:
            self.picked.emit(name)
