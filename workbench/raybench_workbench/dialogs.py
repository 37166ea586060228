"""The dialogs of the window: a frame for others, questions with a few answers, and input of a name,
a text, a number, edge labels or a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
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
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr, translate_phrase
from raybench_workbench.widgets import Item, WrappedLabel, column_layout, set_vertical_scrolling

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


Role = QMessageBox.ButtonRole
MAX_LINES = 16


def ask_choice(
    parent: QWidget, question: str, details: str, answers: Mapping[str, Role], default: str = ""
) -> str:
    """Ask a question with the given answers and Cancel. Returns the chosen answer, or an empty text
    for Cancel; Enter chooses ``default``.
    """
    box = QMessageBox(QMessageBox.Icon.Warning, "", literal_tool_tip(question), parent=parent)
    box.setInformativeText(literal_tool_tip(details))
    buttons = {answer: box.addButton(answer, role) for answer, role in answers.items()}
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(buttons.get(default, cancel))
    box.exec()
    return next((answer for answer, b in buttons.items() if b is box.clickedButton()), "")


def show_notes(
    parent: QWidget,
    title: str,
    notes: Sequence[str],
    text: str = tr("Not everything is as in the file:"),
) -> None:
    """Show notes on what a read or written file does not represent exactly. Without notes, show
    nothing.
    """
    if notes:
        box = QMessageBox(parent)
        box.setWindowTitle(title)
        box.setText(text)
        box.setInformativeText("\n".join(first_lines(notes)))
        box.open()


def first_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """As many lines as fit in a dialog, followed by a line with the number of the others."""
    more = len(lines) - MAX_LINES
    shown = tuple(map(translate_phrase, lines[:MAX_LINES] if more > 1 else lines))
    return (*shown, tr("… and {more} more.", more=more)) if more > 1 else shown


def dialog_column_layout(dialog: QDialog, *items: Item, spacing: int = theme.GRID) -> QVBoxLayout:
    """The layout of a dialog: a column of items with margins."""
    return column_layout(*items, on=dialog, margins=2 * theme.GRID, spacing=spacing)


def action_and_cancel_buttons(dialog: QDialog, title: str) -> tuple[QDialogButtonBox, QPushButton]:
    """The button box of a dialog with one action and Cancel, and the button of that action.
    ``title`` is the title of the action. Tab visits the buttons after all other widgets.
    """
    buttons = QDialogButtonBox()
    accept = buttons.addButton(title, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons, accept


class ValueDialog(QDialog):
    """A dialog with a label, an input field, the reason of a refusal, OK and Cancel. A subclass
    decides in `accept_value` whether it closes.
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
        dialog_column_layout(self, WrappedLabel(label, self), edit, self.reason, buttons)
        QWidget.setTabOrder(edit, buttons)
        edit.setFocus(Qt.FocusReason.TabFocusReason)  # which selects what stands in a line
        self.setFixedWidth(width)

    def accept_value(self) -> None:
        """Use the value, because OK was pressed."""
        self.accept()

    def close_unless_refused(self, reason: str) -> None:
        """Close the dialog if ``reason`` is empty, else show it as the reason why the value is
        refused. Do nothing if the dialog was closed meanwhile.
        """
        if isValid(self) and reason:
            self.show_reason(reason)
            self._value_edit.setFocus()
        elif isValid(self):
            self.accept()

    def show_reason(self, reason: str) -> None:
        """Show why the value is refused; an empty text removes the reason. The height of the dialog
        is adapted.
        """
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        layout = self.layout()
        assert layout is not None
        layout.activate()
        # `adjustSize` does not count wrapped texts
        self.resize(self.width(), layout.totalHeightForWidth(self.width()))


class NameDialog(ValueDialog):
    """A dialog for a name. OK or Enter calls ``act`` with the name; the dialog closes unless
    ``act`` returns a reason to refuse it.
    """

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
        self.close_unless_refused(self._act(self.edit.text()))

    def show_reason(self, reason: str) -> None:
        theme.set_role(self.edit, "error" if reason else "")
        super().show_reason(reason)


class TextDialog(ValueDialog):
    """A dialog for a longer text. OK calls ``act`` with the text; the dialog closes unless ``act``
    returns a reason to refuse it.
    """

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
        self.close_unless_refused(self._act(self.edit.toPlainText()))


class NumberDialog(ValueDialog):
    """A dialog for a number. OK or Enter calls ``act`` with the number."""

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
        """``unit`` is a unit as in `raybench.kinds.fields`. ``label`` up to its comma is the
        accessible name of the number. ``limits`` are the smallest and the largest number allowed.
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
    """A dialog with a row for each edge of an object: its compass name and the user's label. OK
    stores the edited labels as one undo step.
    """

    def __init__(self, document: WorkDocument, obj: SceneObject, parent: QWidget) -> None:
        self._document, self._key = document, obj.key
        edges = labelled_edges(obj, document.document.edge_labels.get(obj.key, {}))
        self.fields: dict[int, QLineEdit] = {
            edge.index: QLineEdit(edge.user_label) for edge in edges
        }
        rows = QWidget()
        form = QFormLayout(rows)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(theme.GRID)
        for edge in edges:
            self.fields[edge.index].setAccessibleName(tr("Label of edge {short}", short=edge.short))
            form.addRow(edge.short, self.fields[edge.index])
        area = QScrollArea()
        set_vertical_scrolling(area, rows)
        area.setFixedHeight(min(rows.sizeHint().height(), 320))
        area.setFocusProxy(next(iter(self.fields.values())))
        super().__init__(
            tr("Label edges"),
            tr(
                "Labels of your own for the edges of {name}, such as Entrance:",
                name=elide_text(obj.title, 60),
            ),
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
    """Ask the user to label the edges of the selected object."""
    (key,) = window.selection.keys
    obj = window.document.scene.get(key)
    if obj is not None:
        EdgeDialog(window.document, obj, window).open()


_UNUSUAL_CHARACTERS = re.compile(r"[^\w +,.()-]+")
_RESERVED_NAME = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
"""Names that Windows keeps for devices."""
MAX_NAME_LENGTH = 60


def safe_file_name(title: str, otherwise: str) -> str:
    """A file name made from a scene's title, without folder or suffix, that is valid on every
    system; ``otherwise`` if nothing is left of the title.
    """
    name = _UNUSUAL_CHARACTERS.sub("_", title)[:MAX_NAME_LENGTH].strip(" ._")
    return f"_{name}" if _RESERVED_NAME.match(name) else name or otherwise


def last_folder(parent: QWidget) -> Path:
    """The folder of the file that was asked for last, in this run or an earlier one; else the home
    folder.
    """
    settings = _find_settings(parent)
    folder = settings.folder if settings is not None else None
    return folder if folder is not None and os.path.isdir(folder) else Path.home()


def _remember_folder(parent: QWidget, file: Path) -> None:
    if (settings := _find_settings(parent)) is not None:
        settings.remember_folder(file.parent)


def _find_settings(widget: QWidget | None) -> Settings | None:
    """The settings of the window that a widget is in."""
    while widget is not None and not isinstance(getattr(widget, "settings", None), Settings):
        widget = widget.parentWidget()
    return getattr(widget, "settings", None)


def ask_open_name(parent: QWidget, title: str, folder: Path | None, kinds: str) -> Path | None:
    """Ask for a file to read; returns None if the user cancels. The dialog starts in ``folder``, or
    in the `last_folder`.
    """
    start = folder or last_folder(parent)
    name, _ = QFileDialog.getOpenFileName(parent, title, str(start), kinds)
    if not name:
        return None
    _remember_folder(parent, Path(name))
    return Path(name)


def ask_save_name(
    parent: QWidget, title: str, suggested: Path | str, kinds: str, suffixes: Collection[str]
) -> Path | None:
    """Ask for a file to write; returns None if the user cancels.

    Args:
        suggested: The name to begin with, in the `last_folder` unless it has a folder.
        kinds: Qt's name filters with one suffix each, such as ``PNG picture (*.png);;SVG drawing
            (*.svg)``.
        suffixes: The known suffixes, such as ``.png``.
    """
    first = str(last_folder(parent) / suggested)
    name, chosen = QFileDialog.getSaveFileName(parent, title, first, kinds)
    if not name:
        return None
    path = Path(name)
    _remember_folder(parent, path)
    if path.suffix.lower() in suffixes:
        return path  # the file dialog has asked whether to replace it
    kind = chosen or kinds.partition(";;")[0]  # some desktops do not report which filter was chosen
    path = path.with_name(path.name + kind[kind.index("*") + 1 : kind.rindex(")")])
    if os.path.exists(path):  # too long a name is refused where it is written
        question = literal_tool_tip(
            tr(
                "{name} already exists in {value}. Replace it?",
                name=path.name,
                value=path.parent.name or path.parent,
            )
        )
        if QMessageBox.question(parent, title, question) != QMessageBox.StandardButton.Yes:
            return None
    return path
