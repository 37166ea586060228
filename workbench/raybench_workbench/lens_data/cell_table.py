"""A table whose cells are edited as in a spreadsheet. Refused input stays in its cell, with the
reason.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from raybench.errors import RaybenchError
from raybench_workbench import theme
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import (
    tr,
    translated_message,
    with_decimal_point,
    with_decimal_sign,
)
from raybench_workbench.widgets import (
    LEFT,
    RIGHT,
    Index,
    is_completion_selected,
    offer_name_completion,
)

MARK_ROLE = Qt.ItemDataRole.UserRole
"""The role of a sign beside the text of a cell."""
COLUMN_PADDING = 3 * theme.GRID
"""Pixels of a column besides its text and its sign."""
MEASURED_ROWS = 200
"""Rows whose texts give a column its width."""
NAMES_WIDTH = 25 * theme.GRID
"""The smallest width of the list of names that complete a cell, in pixels."""
Role = Qt.ItemDataRole


@dataclass(frozen=True)
class RefusedInput:
    """The refused text of a cell, the reason, and texts that the user may have meant."""

    text: str
    reason: str
    suggestions: tuple[str, ...] = ()


class CellModel(QAbstractTableModel):
    """The model of a `CellTable`. A subclass returns the texts of the cells and changes them."""

    refused = Signal()
    """A cell got a refusal, or lost it."""
    tried = Signal(int, int, str)
    """A row, a column and the text that is being typed into its cell."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.refusals: dict[tuple[int, int], RefusedInput] = {}

    def cell_title(self, row: int, column: int) -> str:
        """The name of a cell for a screen reader."""
        raise NotImplementedError

    def edited_text(self, row: int, column: int) -> str:
        """The text of a cell with all digits, shown in the editor."""
        raise NotImplementedError

    def change_cell(self, row: int, column: int, text: str) -> str:
        """Change a cell; returns the reason if the text is refused. May raise RaybenchError, whose
        ``near`` are texts that the user may have meant.
        """
        raise NotImplementedError

    def cell_names(self, column: int) -> Sequence[str]:
        """The names offered for completion in the cells of a column."""
        return ()

    def has_numbers(self, column: int) -> bool:
        """Whether the cells of a column are numbers, which have the decimal sign of the language."""
        return False

    name_separators = ""
    """What stands before a name that is completed."""

    def cell_data(self, row: int, column: int, role: int) -> Any:
        """The data of a cell that has no refused input."""
        raise NotImplementedError

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role == Role.AccessibleTextRole:
            text = self.data(index) or "empty"
            return f"{self.cell_title(row, column)}: {text}"
        refusal = self.refusals.get((row, column))
        if refusal is not None:
            if role in (Role.DisplayRole, Role.EditRole):
                return refusal.text
            if role == Role.ForegroundRole:
                return theme.current_theme().color("error")
            if role in (Role.ToolTipRole, Role.AccessibleDescriptionRole):
                return literal_tool_tip(refusal.reason)
        data = (
            self.edited_text(row, column)
            if role == Role.EditRole
            else self.cell_data(row, column, role)
        )
        shows_number = role in (Role.DisplayRole, Role.EditRole) and self.has_numbers(column)
        return with_decimal_sign(data) if shows_number and data else data

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        """Change a cell by a text. A refused text stays in the cell and is tried again after the
        next change, because one change can make another possible.
        """
        is_changed = self._change_or_refuse(index.row(), index.column(), str(value))
        for (row, column), refusal in list(self.refusals.items()) if is_changed else ():
            self._change_or_refuse(row, column, refusal.text)
        return is_changed

    def _change_or_refuse(self, row: int, column: int, text: str) -> bool:
        cell = row, column
        try:
            given = with_decimal_point(text) if self.has_numbers(column) else text
            reason, near = self.change_cell(*cell, given), ()
        except RaybenchError as error:
            reason, near = translated_message(error), getattr(error, "near", ())
        if reason:
            self.refusals[cell] = RefusedInput(text, reason, near)
            self._show_refusal(*cell)
        else:
            self.discard_refusal(*cell)
        return not reason

    def discard_refusal(self, row: int, column: int) -> None:
        """Discard the refused input of a cell, so that it shows its value again."""
        if self.refusals.pop((row, column), None) is not None:
            self._show_refusal(row, column)

    def _show_refusal(self, row: int, column: int) -> None:
        index = self.index(row, column)
        self.dataChanged.emit(index, index)
        self.refused.emit()


class CellDelegate(QStyledItemDelegate):
    """Edits a cell, and paints the cell's mark on the side that its text leaves free."""

    def __init__(self, model: CellModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        edit, column = QLineEdit(parent), index.column()
        edit.setAccessibleName(self._model.cell_title(index.row(), column))
        if self._model.cell_names(column):
            names = partial(self._model.cell_names, column)
            offer_name_completion(edit, names, self._model.name_separators)
            popup = edit.completer().popup()
            assert popup is not None
            popup.setMinimumWidth(NAMES_WIDTH)
            edit.completer().activated.connect(lambda _: self._commit(edit))
            # the list of completions takes Enter before the filter of the delegate sees it
            edit.returnPressed.connect(
                lambda: None if is_completion_selected(edit) else self._commit(edit)
            )
        row = index.row()
        edit.textEdited.connect(lambda text: self._model.tried.emit(row, column, text))
        return edit

    def _commit(self, edit: QLineEdit) -> None:
        # later: the completion is put into the field after it is chosen
        def commit() -> None:
            if isValid(edit) and edit.isVisible():  # else Enter did it
                self.commitData.emit(edit)
                self.closeEditor.emit(edit, QAbstractItemDelegate.EndEditHint.SubmitModelCache)

        QTimer.singleShot(0, self, commit)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        if editor.property("before") is None:  # not while one types
            editor.setText(str(index.data(Role.EditRole)))
            editor.setProperty("before", editor.text())
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        if editor.text() != editor.property("before"):
            model.setData(index, editor.text())

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        rect = option.rect
        needed = max(rect.width(), theme.text_pixel_width("-0.000000000000") + COLUMN_PADDING)
        room = editor.parentWidget()
        rect.setWidth(needed if room is None else min(needed, room.width() - rect.left()))
        editor.setGeometry(rect)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            view = self.parent()
            assert isinstance(view, CellTable)
            index = view.currentIndex()
            self._model.discard_refusal(index.row(), index.column())
            self._model.tried.emit(index.row(), index.column(), "")
        return super().eventFilter(editor, event)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if (index.row(), index.column()) in self._model.refusals:
            painter.setPen(theme.current_theme().color("error"))
            painter.drawRect(option.rect.adjusted(0, 0, -2, -2))
        sign = index.data(MARK_ROLE)
        if sign:
            painter.save()
            painter.setFont(theme.text_font(theme.SMALL_SIZE, strong=True))
            painter.setPen(theme.current_theme().color("dim" if sign == "A" else "accent"))
            side = Qt.AlignmentFlag.AlignRight
            if index.data(Role.TextAlignmentRole) != LEFT:
                side = Qt.AlignmentFlag.AlignLeft
            room = option.rect.adjusted(theme.HALF, 0, -theme.HALF, 0)
            painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, sign)
            painter.restore()


class ChoiceDelegate(CellDelegate):
    """Edits a cell with a combo box of its column's names, which opens at once. ``note`` returns
    the text shown after a name in the box.
    """

    def __init__(self, model: CellModel, note: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(model, parent)
        self._note = note

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = QComboBox(parent)
        box.setAccessibleName(self._model.cell_title(index.row(), index.column()))
        for name in self._model.cell_names(index.column()):
            box.addItem(f"{name} {self._note(name)}".rstrip(), name)
        box.setMaxVisibleItems(box.count())
        box.activated.connect(lambda _: self._commit_choice(box))
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def _commit_choice(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box, QAbstractItemDelegate.EndEditHint.NoHint)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(editor.findData(index.data(Role.EditRole)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        if editor.currentData() not in (None, index.data(Role.EditRole)):
            model.setData(index, editor.currentData())


class CellTable(QTableView):
    """A table with editable cells. Typing, F2 or a double click edits a cell; Enter moves down, Tab
    moves sideways, Esc discards the input.
    """

    def __init__(self, model: CellModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = model
        self.setModel(model)
        self.setAccessibleName(name)
        self.setItemDelegate(CellDelegate(model, self))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(theme.GRID * 5)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Move to the cell below after Enter, unless the input was refused."""
        super().closeEditor(editor, hint)
        at = self.currentIndex()
        if (
            hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache
            and (at.row(), at.column()) not in self.cells.refusals
            and at.row() + 1 < self.cells.rowCount()
        ):
            self.setCurrentIndex(at.siblingAtRow(at.row() + 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Edit the current cell on Enter, and discard its refused input on Esc."""
        at, is_edited = self.currentIndex(), self.state() == self.State.EditingState
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if at.flags() & Qt.ItemFlag.ItemIsEditable and not is_edited:
                self.edit(at)
        elif event.key() == Qt.Key.Key_Escape:
            self.cells.discard_refusal(at.row(), at.column())
        else:
            super().keyPressEvent(event)

    def fit_columns(self, widest: int = 200) -> None:
        """Widen each column to its heading and its texts; of many rows, only a sample is measured."""
        width_of = self.fontMetrics().horizontalAdvance
        rows = range(0, self.cells.rowCount(), 1 + self.cells.rowCount() // MEASURED_ROWS)
        for column in range(self.cells.columnCount()):
            title = self.cells.headerData(column, Qt.Orientation.Horizontal) or ""
            width = width_of(title) - theme.GRID  # it has no sign
            for row in rows:
                at = self.cells.index(row, column)
                text = width_of(str(self.cells.data(at) or ""))
                width = max(width, text + (width_of("M") if self.cells.data(at, MARK_ROLE) else 0))
            wanted = min(width + COLUMN_PADDING, widest)
            if self.columnWidth(column) < wanted or not self.property("fitted"):
                self.setColumnWidth(column, wanted)
        self.setProperty("fitted", True)


@dataclass(frozen=True)
class ListColumn:
    """A column of a table of values: its heading, and the functions that write and read a value's
    cell. ``read`` raises RaybenchError; a column without it is read-only.

    Attributes:
        automatic: What an empty cell stands for.
        names: The names that complete what is typed.
        applies: Whether a value has a cell here.
        fault: Why a value's cell is wrong; empty if it is not.
        is_text: Whether it holds texts, which begin at the left.
    """

    title: str
    tip: str
    text: Callable[[Any], str]
    read: Callable[[Any, str], Any] | None = None
    automatic: str = ""
    names: Callable[[], Sequence[str]] = tuple
    applies: Callable[[Any], bool] = lambda value: True
    fault: Callable[[Any], str] = lambda value: ""
    is_text: bool = False


class ListModel(CellModel):
    """The model of a short list of values, such as wavelengths. An empty last row adds a value. One
    value can be marked in a column of its own.
    """

    def __init__(
        self,
        columns: Sequence[ListColumn],
        new: Any,
        change: Callable[[tuple[Any, ...], int], str],
        noun: str,
        marked_title: str = "",
        parent: QObject | None = None,
    ) -> None:
        """``new`` is the initial value of the empty row. ``change`` sets the values and the index
        of the marked one, and returns the reason if it refuses them.
        """
        super().__init__(parent)
        self._columns, self._new, self._change, self._noun = columns, new, change, noun
        self._marked_title = marked_title
        self.values: tuple[Any, ...] = ()
        self.marked = 0

    def show_values(self, values: tuple[Any, ...], marked: int = 0) -> None:
        if len(values) != len(self.values):
            self.beginResetModel()
            self.refusals.clear()
            self.values, self.marked = values, marked
            self.endResetModel()
        else:
            self.values, self.marked = values, marked
            self.dataChanged.emit(self.index(0, 0), self.index(len(values), self.columnCount() - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.values) + 1

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._columns) + bool(self._marked_title)

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == len(self._columns):
            exists = index.row() < len(self.values)
            return usual | Qt.ItemFlag.ItemIsUserCheckable if exists else usual
        column, is_new = self._columns[index.column()], index.row() == len(self.values)
        has = not index.column() if is_new else column.applies(self.values[index.row()])
        return usual | Qt.ItemFlag.ItemIsEditable if has and column.read is not None else usual

    def cell_names(self, column: int) -> Sequence[str]:
        return self._columns[column].names() if column < len(self._columns) else ()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Role.TextAlignmentRole:
            return self._alignment(section)
        if section == len(self._columns):
            return self._marked_title if role == Role.DisplayRole else None
        column = self._columns[section]
        return {Role.DisplayRole: column.title, Role.ToolTipRole: f"{column.tip}."}.get(
            Qt.ItemDataRole(role)
        )

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        is_marks = column == len(self._columns)  # a mark stands on the left
        return LEFT if is_marks or self._columns[column].is_text else RIGHT

    def cell_title(self, row: int, column: int) -> str:
        is_marks = column == len(self._columns)
        title = self._marked_title if is_marks else self._columns[column].title
        return tr("{title} of {noun} {row}", title=title, noun=tr(self._noun), row=row + 1)

    def edited_text(self, row: int, column: int) -> str:
        if row == len(self.values) or column == len(self._columns):
            return ""
        what, value = self._columns[column], self.values[row]
        return what.text(value) if what.applies(value) else ""

    def has_numbers(self, column: int) -> bool:
        return column < len(self._columns) and not self._columns[column].is_text

    def change_cell(self, row: int, column: int, text: str) -> str:
        if row == len(self.values) and not text.strip():
            return ""
        value = self.values[row] if row < len(self.values) else self._new
        read = self._columns[column].read
        assert read is not None
        new = read(value, text)
        return self._change((*self.values[:row], new, *self.values[row + 1 :]), self.marked)

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role == Role.CheckStateRole:
            return not self._change(self.values, index.row())
        return super().setData(index, value, role)

    def remove(self, rows: Collection[int]) -> str:
        """Remove the values in these rows; returns the reason if that is refused."""
        kept = [i for i in range(len(self.values)) if i not in rows]
        if len(kept) == len(self.values):
            return ""
        before = sum(i < self.marked for i in kept)
        marked = before if self.marked in kept else min(before, len(kept) - 1)
        return self._change(tuple(self.values[i] for i in kept), max(marked, 0))

    def cell_data(self, row: int, column: int, role: int) -> Any:
        is_marks = column == len(self._columns)
        if role == Role.CheckStateRole and is_marks and row < len(self.values):
            return Qt.CheckState.Checked if row == self.marked else Qt.CheckState.Unchecked
        if role == Role.DisplayRole:
            if row == len(self.values):
                return tr("add") if not column else ""
            has = not is_marks and self._columns[column].applies(self.values[row])
            return self.edited_text(row, column) or (self._columns[column].automatic if has else "")
        if role == Role.TextAlignmentRole:
            return self._alignment(column)
        if role == Role.ForegroundRole and row == len(self.values):
            return theme.current_theme().color("dim")
        fault = self._columns[column].fault if not is_marks and row < len(self.values) else None
        if fault is not None and (reason := fault(self.values[row])):
            if role == Role.ForegroundRole:
                return theme.current_theme().color("error")
            if role in (Role.ToolTipRole, Role.AccessibleDescriptionRole):
                return literal_tool_tip(reason)
        if role == Role.ForegroundRole and not is_marks and self._columns[column].read is None:
            return theme.current_theme().color("dim")
        return None


class ListTable(CellTable):
    """The table of a `ListModel`. Del removes the selected values; then ``removed`` is emitted,
    with the reason if the removal is refused, else with an empty text.
    """

    removed = Signal(str)

    def __init__(self, model: ListModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(model, name, parent)
        self.list = model
        self.verticalHeader().hide()
        remove = QAction(tr("Delete"), self)
        remove.setShortcut(QKeySequence.StandardKey.Delete)
        remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        remove.triggered.connect(self.remove_selected)
        self.addAction(remove)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_values(self, values: tuple[Any, ...], marked: int = 0) -> None:
        """Show other values. The same cell stays current."""
        at = self.currentIndex()
        self.list.show_values(values, marked)
        if at.row() >= 0 and not self.currentIndex().isValid():
            self.setCurrentIndex(self.list.index(min(at.row(), len(values)), at.column()))

    def remove_selected(self) -> None:
        """Remove the values of the selected rows."""
        rows = {index.row() for index in self.selectionModel().selectedIndexes()}
        self.removed.emit(self.list.remove(rows))
