"""A formula that is being typed, as it is written by hand."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from raybench.formula import FormulaError, parse_latex
from raybench.formula.tree import Node
from raybench_workbench import theme
from raybench_workbench.formulas.layout import MOST_NODES, Box, formula_box

TALLEST = 90
"""Largest height of the preview, in pixels; a larger formula is scaled down."""


class FormulaPreview(QWidget):
    """Hidden while the formula cannot be read, and where it says nothing that its text does not."""

    def __init__(self, variables: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._variables = variables
        self._box: Box | None = None
        self.setAccessibleName("Formula, rendered")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.notifier.changed.connect(self.update)
        self.hide()

    def show_formula(self, text: str) -> None:
        """Show a formula in LaTeX."""
        self._box = None
        try:
            tree = parse_latex(text, self._variables)
        except FormulaError:
            tree = None
        if tree is not None and tree.size <= MOST_NODES and _is_worth_showing(tree):
            self._box = formula_box(tree)
        self.setVisible(self._box is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        if self._box is None:
            return QSize(0, 0)
        return QSize(40, min(TALLEST, math.ceil(self._box.up + self._box.down) + theme.GRID))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._box is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.current().color("text"), 1.1))
        room = QRectF(self.rect()).adjusted(theme.HALF, theme.HALF, -theme.HALF, -theme.HALF)
        high = self._box.up + self._box.down
        scale = min(1.0, room.width() / max(self._box.width, 1.0), room.height() / max(high, 1.0))
        painter.translate(room.left(), room.center().y() - scale * high / 2 + scale * self._box.up)
        painter.scale(scale, scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._box.paint(painter, 0.0, 0.0)
        painter.end()


def _is_worth_showing(tree: Node) -> bool:
    """Whether a formula is more than a number or a name."""
    return bool(tree.args)
