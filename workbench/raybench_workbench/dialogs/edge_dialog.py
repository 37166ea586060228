"""The dialog that labels the edges of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QFrame, QLineEdit, QScrollArea, QWidget

from raybench.errors import elided
from raybench.kinds.object import SceneObject
from raybench.scene.changes import LabelEdge
from raybench.scene.labels import labelled_edges
from raybench_workbench import theme
from raybench_workbench.dialogs.value_dialog import ValueDialog
from raybench_workbench.document import WorkDocument

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

MOST_HEIGHT = 320
"""Largest height of the rows in pixels; more are scrolled."""


class EdgeDialog(ValueDialog):
    """A row for each edge, called by its compass label, with the user's label; OK sets those that
    were edited, as one step.
    """

    def __init__(self, document: WorkDocument, obj: SceneObject, parent: QWidget) -> None:
        self._document, self._key = document, obj.key
        edges = labelled_edges(obj, document.document.edge_labels.get(obj.key, {}))
        self.fields: dict[int, QLineEdit] = {edge.index: QLineEdit(edge.user) for edge in edges}
        rows = QWidget()
        form = QFormLayout(rows)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(theme.GRID)
        for edge in edges:
            self.fields[edge.index].setAccessibleName(f"Label of edge {edge.short}")
            form.addRow(edge.short, self.fields[edge.index])
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(rows)
        area.setFixedHeight(min(rows.sizeHint().height(), MOST_HEIGHT))
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFocusProxy(next(iter(self.fields.values())))
        super().__init__(
            "Label edges",
            f"Labels of your own for the edges of {elided(obj.title, 60)}, such as Entrance:",
            area,
            parent,
        )

    def agree(self) -> None:
        edited = [
            (index, field.text().strip())
            for index, field in self.fields.items()
            if field.isModified()
        ]
        reason = (
            self._document.attempt(
                [LabelEdge([self._key], edge=str(index), as_=text) for index, text in edited]
            )
            if edited
            else ""
        )
        self.show_reason(reason)
        if not reason:
            self.accept()


def ask_edge_labels(window: MainWindow) -> None:
    """Ask for the labels of the edges of the selected object."""
    (key,) = window.selection.keys
    obj = window.document.scene.get(key)
    if obj is not None:
        EdgeDialog(window.document, obj, window).open()
