"""A line edit on the canvas for a control point's coordinates."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from core.scene.changes import Set
from core.scene.changes.dragging import drag_of
from core.scene.control_points import ControlPoint
from core.shapes.point import Point
from workbench.document import WorkDocument
from workbench.theme import set_role, width_of


def parse_point(text: str) -> Point:
    """Parse two finite numbers separated by a comma, a semicolon or spaces. Raises ValueError with the remedy."""
    parts = [p for p in re.split(r"[,;\s]+", text.strip().strip("()")) if p]
    if len(parts) != 2:
        raise ValueError("Type two numbers, x and y, such as 120, 80.")
    try:
        x, y = float(parts[0]), float(parts[1])
    except ValueError:
        raise ValueError(f"'{text}' are not two numbers. Type x and y, such as 120, 80.") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("Coordinates must be finite numbers.")
    return Point(x, y)


class PointEditor(QLineEdit):
    """Enter sets the coordinates; Esc or losing the focus discards them. Invalid input is reported and stays in the field."""

    def __init__(self, document: WorkDocument, key: int, control: ControlPoint, at: QPointF, parent: QWidget) -> None:
        super().__init__(f"{control.at.x:.10g}, {control.at.y:.10g}", parent)
        self._document, self._key, self._control = document, key, control
        self.setToolTip(f"{control.label}: x, y in {document.document.unit}")
        self.setAccessibleName(f"Coordinates of {control.label}")
        self.setFixedWidth(max(width_of("00000.000, 00000.000"), width_of(self.text())) + 16)
        self.adjustSize()
        self.move(
            int(min(max(at.x() + 10, 0), max(0, parent.width() - self.width()))),
            int(min(max(at.y() + 10, 0), max(0, parent.height() - self.height()))),
        )
        self.returnPressed.connect(self._commit)
        self.selectAll()
        self.show()
        self.setFocus()

    def _commit(self) -> None:
        try:
            at = parse_point(self.text())
        except ValueError as error:
            set_role(self, "error")
            self._document.failed.emit(str(error))
            return
        obj = self._document.scene.get(self._key)
        if self._document.change(Set(self._key, self._control.values(at)) if obj is None else drag_of(obj, self._control, at)):
            self.close_editor()

    def close_editor(self) -> None:
        self.hide()
        self.deleteLater()
        parent = self.parentWidget()
        if parent is not None:
            parent.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_editor()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.isVisible():
            self.hide()
            self.deleteLater()
