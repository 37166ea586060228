"""A pyqtgraph plot in the colours and fonts of the theme, without pyqtgraph's own menu and buttons."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from workbench import theme


class ThemedPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that follows the theme; a subclass adds its own colours in `retheme`, which it calls when it is built."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseTracking(True)
        theme.notifier.changed.connect(self.retheme)

    def retheme(self, *_: object) -> None:
        """Take the colours and fonts of the current theme."""
        current = theme.current()
        self.setBackground(current.color("panel"))
        font = QFont(theme.text_font(theme.SMALL_SIZE))
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(current.color("separator")))
            axis.setTextPen(pg.mkPen(current.color("dim")))
            axis.setTickFont(font)
