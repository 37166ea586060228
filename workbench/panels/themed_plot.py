"""A pyqtgraph plot in the colours and fonts of the theme, without pyqtgraph's own menu and buttons."""

from __future__ import annotations

from pathlib import Path

import pyqtgraph as pg
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QWidget

from workbench import theme

MARGIN = 0.05
"""Free space around the data, as a fraction of their range."""
PIXELS = 2
"""Pixels of an exported picture for each of the plot's."""


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

    def set_titles(self, across: str, up: str) -> None:
        """Set the titles of the axes."""
        style = {"color": theme.current().color("dim").name(), "font-size": f"{theme.SMALL_SIZE}px"}
        self.setLabel("bottom", across, **style)
        self.setLabel("left", up, **style)

    def save(self, path: Path) -> None:
        """Write the plot as PNG or SVG, by the ending of the name. Raises OSError if the picture cannot be written."""
        size = self.size()
        if path.suffix.lower() == ".svg":
            from PySide6.QtSvg import QSvgGenerator

            drawing = QSvgGenerator()
            drawing.setFileName(str(path))
            drawing.setSize(size)
            drawing.setViewBox(self.rect())
            painter = QPainter(drawing)
        else:
            picture = QImage(PIXELS * size, QImage.Format.Format_ARGB32)
            picture.setDevicePixelRatio(PIXELS)
            painter = QPainter(picture)
        self.render(painter)
        painter.end()
        if path.suffix.lower() != ".svg" and not picture.save(str(path)):
            raise OSError(f"{path}: the picture cannot be written. Choose another folder.")
