"""The mode of the canvas while it shows a snapshot in place of the document: the mouse pans and
zooms.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from raybench_workbench.canvas.modes.drags import Modifiers, PanDrag
from raybench_workbench.canvas.modes.mode import Mode


class SnapshotMode(Mode):
    """Pans with any button. Esc, and leaving the mode, show the document again."""

    _pan: PanDrag | None = None

    @property
    def busy(self) -> bool:
        return True  # nothing under the pointer is highlighted

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        self._pan = PanDrag(self._view, at)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pan is not None:
            self._pan.move(at, modifiers)

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        self._pan = None

    def cancel(self) -> bool:
        self._view.selection.show_snapshot(None)
        return True

    def leave_mode(self) -> None:
        self._view.selection.show_snapshot(None)
