"""Dialogs: the frame of one, questions with a few answers, a name, a text, a number, the labels of
edges, and files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from raybench.errors import elide_text
from raybench.kinds.object import SceneObject
from raybench.scene.changes import LabelEdge
from raybench.scene.labels import labelled_edges
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.texts import tool_tip
from raybench_workbench.widgets import Item, WrappedLabel, column_layout, set_vertical_scrolling

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


Role = QMessageBox.ButtonRole


def ask_choice(
    parent: QWidget, question: str, about: str, answers: Mapping[str, Role], default: str = ""
) -> str:
    """Ask a question with these answers and Cancel; returns the answer, empty for Cancel. Enter is
    the default one.
    """
    box = QMessageBox(QMessageBox.Icon.Warning, "", tool_tip(question), parent=parent)
    box.setInformativeText(tool_tip(about))
    buttons = {answer: box.addButton(answer, role) for answer, role in answers.items()}
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(buttons.get(default, cancel))
    box.exec()
    return next((answer for answer, b in buttons.items() if b is box.clickedButton()), "")


def dialog_column(dialog: QDialog, *items: Item, spacing: int = theme.GRID) -> QVBoxLayout:
    """The layout of a dialog: a column of items with margins."""
    return column_layout(*items, on=dialog, margins=2 * theme.GRID, spacing=spacing)


def accept_and_cancel(dialog: QDialog, title: str) -> tuple[QDialogButtonBox, QPushButton]:
    """The buttons of a dialog with one action, whose title is ``title``, and the button of that
    action. Tab visits them after the widgets laid out before them.
    """
    buttons = QDialogButtonBox()
    accept = buttons.addButton(title, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons, accept


class ValueDialog(QDialog):
    """A label, an edit, the reason of a refusal, OK and Cancel. A subclass decides in `accept_value`
    whether it closes.
    """

    def __init__(
        self, title: str, label: str, edit: QWidget, parent: QWidget, width: int = 320
    ) -> None:
        super().__init__(parent)
        self._value_edit = edit
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.reason = WrappedLabel(parent=self, role="error")
        self.reason.hide()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        buttons.accepted.connect(self.accept_value)
        buttons.rejected.connect(self.reject)
        dialog_column(self, WrappedLabel(label, self), edit, self.reason, buttons)
        QWidget.setTabOrder(edit, buttons)
        edit.setFocus(Qt.FocusReason.TabFocusReason)  # which selects what stands in a line
        self.setFixedWidth(width)

    def accept_value(self) -> None:
        """Called at OK."""
        self.accept()

    def close_unless(self, reason: str) -> None:
        """Close the dialog, or show the reason why the value is refused. Do nothing if the dialog
        was closed while a question was asked.
        """
        if isValid(self) and reason:
            self.show_reason(reason)
            self._value_edit.setFocus()
        elif isValid(self):
            self.accept()

    def show_reason(self, reason: str) -> None:
        """Show why the value is refused, or clear the reason if the text is empty; the height of
        the dialog follows.
        """
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        layout = self.layout()
        assert layout is not None
        layout.activate()
        # `adjustSize` does not count wrapped texts
        self.resize(self.width(), layout.totalHeightForWidth(self.width()))


class NameDialog(ValueDialog):
    """At OK or Enter calls ``act`` with the name; closes unless that returns a reason to refuse it."""

    def __init__(
        self, title: str, label: str, name: str, act: Callable[[str], str], parent: QWidget
    ) -> None:
        edit = QLineEdit(name)
        super().__init__(title, label, edit, parent)
        self.edit, self._act = edit, act
        self.edit.setAccessibleName(label)
        self.edit.selectAll()
        self.edit.textEdited.connect(lambda: self.show_reason(""))

    def accept_value(self) -> None:
        self.close_unless(self._act(self.edit.text()))

    def show_reason(self, reason: str) -> None:
        theme.set_role(self.edit, "error" if reason else "")
        super().show_reason(reason)


class TextDialog(ValueDialog):
    """At OK calls ``act`` with the text; closes unless that returns a reason to refuse it."""

    def __init__(
        self, title: str, label: str, text: str, act: Callable[[str], str], parent: QWidget
    ) -> None:
        edit = QPlainTextEdit(text)
        super().__init__(title, label, edit, parent, 480)
        self.edit, self._act = edit, act
        edit.setAccessibleName(label)
        edit.setTabChangesFocus(True)
        edit.setFixedHeight(8 * edit.fontMetrics().lineSpacing())
        edit.selectAll()
        edit.textChanged.connect(lambda: self.show_reason(""))

    def accept_value(self) -> None:
        self.close_unless(self._act(self.edit.toPlainText()))


class NumberDialog(ValueDialog):
    """Calls ``act`` with the number at OK or Enter."""

    def __init__(
        self,
        title: str,
        label: str,
        value: float,
        unit: str,
        scene_unit: str,
        act: Callable[[float], Any],
        parent: QWidget,
        limits: tuple[float | None, float | None] = (None, None),
    ) -> None:
        """``unit`` is as in `raybench.kinds.fields`. The name of the number is the ``label`` up to
        the comma, ``limits`` the least and the largest that is taken.
        """
        edit = NumberEdit(label.partition(",")[0], unit, scene_unit, *limits)
        super().__init__(title, label, edit, parent)
        self.edit, self._act, self._value = edit, act, value
        edit.set_value(value)
        edit.committed.connect(partial(setattr, self, "_value"))
        edit.refused.connect(self.show_reason)
        edit.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close by Esc, and by Enter once the number is committed."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.reject()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                QTimer.singleShot(0, self, self.accept_value)
        return super().eventFilter(watched, event)

    def accept_value(self) -> None:
        if self.edit.isModified():  # refused: it stays to be corrected
            self.edit.setFocus()
            return
        self.accept()
        self._act(self._value)


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
        set_vertical_scrolling(area, rows)
        area.setFixedHeight(min(rows.sizeHint().height(), 320))
        area.setFocusProxy(next(iter(self.fields.values())))
        super().__init__(
            "Label edges",
            f"Labels of your own for the edges of {elide_text(obj.title, 60)}, such as Entrance:",
            area,
            parent,
        )

    def accept_value(self) -> None:
        labels = [
            LabelEdge([self._key], edge=str(index), as_=field.text().strip())
            for index, field in self.fields.items()
            if field.isModified()
        ]
        reason = self._document.apply_or_refuse(labels) if labels else ""
        self.show_reason(reason)
        if not reason:
            self.accept()


def ask_edge_labels(window: MainWindow) -> None:
    """Ask for the labels of the edges of the selected object."""
    (key,) = window.selection.keys
    obj = window.document.scene.get(key)
    if obj is not None:
        EdgeDialog(window.document, obj, window).open()


_UNUSUAL = re.compile(r"[^\w +,.()-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
"""Names that Windows keeps for devices."""
LONGEST = 60


def safe_file_name(title: str, otherwise: str) -> str:
    """A title from a scene as a file name without suffix, without a folder and valid on every
    system.
    """
    name = _UNUSUAL.sub("_", title)[:LONGEST].strip(" ._")
    return f"_{name}" if _RESERVED.match(name) else name or otherwise


def ask_open_name(parent: QWidget, title: str, folder: Path | None, kinds: str) -> Path | None:
    """The file to read, or None if the user cancels. The dialog begins in ``folder``, or in the
    home folder.
    """
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder or Path.home()), kinds)
    return Path(name) if name else None


def ask_save_name(
    parent: QWidget, title: str, suggested: Path | str, kinds: str, suffixes: Collection[str]
) -> Path | None:
    """The file to write, or None if the user cancels.

    Args:
        kinds: Qt's name filters with one suffix each, such as ``PNG picture (*.png);;SVG drawing
            (*.svg)``.
        suffixes: The known suffixes, such as ``.png``.
    """
    name, chosen = QFileDialog.getSaveFileName(parent, title, str(suggested), kinds)
    if not name:
        return None
    path = Path(name)
    if path.suffix.lower() in suffixes:
        return path  # the file dialog has asked whether to replace it
    kind = chosen or kinds.partition(";;")[0]  # some desktops do not report which filter was chosen
    path = path.with_name(path.name + kind[kind.index("*") + 1 : kind.rindex(")")])
    if os.path.exists(path):  # too long a name is refused where it is written
        question = tool_tip(
            f"{path.name} already exists in {path.parent.name or path.parent}. Replace it?"
        )
        if QMessageBox.question(parent, title, question) != QMessageBox.StandardButton.Yes:
            return None
    return path
