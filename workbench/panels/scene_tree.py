"""The list of the scene's objects: icon, name and kind; default names in italics, problems marked."""

from __future__ import annotations

import itertools
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.kinds.object import SceneObject
from core.kinds.unread import Unread
from core.scene.changes import Set
from core.scene.document import Document
from core.scene.problems import problems_of
from core.scene.scene import Scene
from workbench import theme
from workbench.canvas.icons import kind_icon
from workbench.document import WorkDocument
from workbench.selection import Selection

KEY = Qt.ItemDataRole.UserRole
KIND = KEY + 1
PROBLEM = KEY + 2
GIVEN = KEY + 3
Index = QModelIndex | QPersistentModelIndex


class SceneModel(QAbstractListModel):
    """One row per object, in the scene's order."""

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._objects: tuple[SceneObject, ...] = ()
        self._problems: dict[int, str] = {}
        self._icons: dict[tuple[str, bool], QIcon] = {}
        self.show_scene(document.scene)

    def show_scene(self, scene: Scene) -> None:
        """Show a scene; if it has the same objects as before, the model is not reset."""
        same = [o.key for o in scene.objects] == [o.key for o in self._objects]
        if not same:
            self.beginResetModel()
        changed = [i for i, (a, b) in enumerate(zip(self._objects, scene.objects, strict=False)) if a.name != b.name]
        self._objects = scene.objects
        if not same:
            self._problems = {}
            for problem in problems_of(scene):
                if problem.key is not None:
                    self._problems.setdefault(problem.key, problem.text)
            self.endResetModel()
        elif changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def repaint_icons(self) -> None:
        self._icons.clear()
        if self._objects:
            self.dataChanged.emit(self.index(0), self.index(len(self._objects) - 1))

    def key_at(self, row: int) -> int:
        return self._objects[row].key

    def rows_of(self, keys: frozenset[int]) -> list[int]:
        return [i for i, o in enumerate(self._objects) if o.key in keys]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._objects)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if isinstance(self._objects[index.row()], Unread) else flags | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        obj = self._objects[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return obj.title
            case Qt.ItemDataRole.EditRole:
                return obj.name
            case Qt.ItemDataRole.FontRole:
                return theme.text_font(italic=not obj.name)
            case Qt.ItemDataRole.DecorationRole:
                which = obj.type, obj.key in self._document.document.disabled
                return self._icons.setdefault(which, kind_icon(which[0], theme.current(), disabled=which[1]))
            case Qt.ItemDataRole.ToolTipRole:
                return self._problems.get(obj.key, f"{obj.title}: {obj.label}")
        return {KEY: obj.key, KIND: obj.type if isinstance(obj, Unread) else obj.label, PROBLEM: obj.key in self._problems,
                GIVEN: not obj.name and not isinstance(obj, Unread)}.get(role)  # fmt: skip

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        obj = self._objects[index.row()]
        name = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or name == obj.name:
            return False
        return self._document.change(Set(obj.key, {"name": name}))


class _Row(QStyledItemDelegate):
    """Paints icon, name and, unless a default name contains it, the kind dimmed on the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, theme.ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = theme.current()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colors.color("selected_row"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colors.color("hover"))
        left = rect.left() + theme.GRID
        icon: QIcon = index.data(Qt.ItemDataRole.DecorationRole)
        icon.paint(painter, QRect(left, rect.top() + (rect.height() - theme.ICON_SIZE) // 2, theme.ICON_SIZE, theme.ICON_SIZE))
        left += theme.ICON_SIZE + theme.GRID
        right = rect.right() - theme.GRID
        if index.data(PROBLEM):
            painter.setPen(colors.color("warning"))
            painter.setFont(theme.text_font(strong=True))
            painter.drawText(QRect(right - 8, rect.top(), 10, rect.height()), Qt.AlignmentFlag.AlignCenter, "!")
            right -= 2 * theme.GRID
        kind = "" if index.data(GIVEN) else index.data(KIND)
        font = index.data(Qt.ItemDataRole.FontRole)
        name = " ".join(index.data(Qt.ItemDataRole.DisplayRole).split())  # a name may contain line breaks, a row has one line
        wide = theme.width_of(name, font)
        small = theme.text_font(theme.SMALL_SIZE)
        if kind and left + wide + 2 * theme.GRID + theme.width_of(kind, small) <= right:
            painter.setFont(small)
            painter.setPen(colors.color("dim"))
            painter.drawText(
                QRect(left, rect.top(), right - left, rect.height()), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, kind
            )
        painter.setFont(font)
        painter.setPen(colors.color("text"))
        text = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(QRect(left, rect.top(), right - left, rect.height()), Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


class SceneTree(QWidget):
    """The list, kept in sync with the selection; shows a hint while the scene is empty."""

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._selection = selection
        self.model = SceneModel(document, self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Row(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Objects of the scene")
        self.hint = QLabel("No objects. Open a scene, or drop a file on the window.", self)
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.hint.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, 0)
        theme.set_role(self.hint, "dim")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.hint)
        self._following = False
        self.list.selectionModel().selectionChanged.connect(self._selection_changed)
        selection.changed.connect(self._follow)
        document.changed.connect(self._show)
        theme.notifier.changed.connect(self.model.repaint_icons)
        self._show(document.document, document.document)

    def _show(self, before: Document, after: Document) -> None:
        self.model.show_scene(after.scene)
        if before.disabled != after.disabled:
            self.model.repaint_icons()
        self._stack.setCurrentWidget(self.list if after.scene.objects else self.hint)
        self._follow(self._selection.keys)

    def _selection_changed(self) -> None:
        if not self._following:
            self._selection.set(self.model.key_at(row) for row in self._selected_rows())

    def _selected_rows(self) -> list[int]:
        return sorted(row for r in self.list.selectionModel().selection().toList() for row in range(r.top(), r.bottom() + 1))

    def _follow(self, keys: frozenset[int]) -> None:
        rows = self.model.rows_of(keys)
        if rows == self._selected_rows():
            return
        chosen = QItemSelection()
        # consecutive rows form one range: Qt would take seconds for thousands of ranges of one row
        for _, group in itertools.groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
            run = [row for _, row in group]
            chosen.append(QItemSelectionRange(self.model.index(run[0]), self.model.index(run[-1])))
        self._following = True
        self.list.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if rows:
            self.list.scrollTo(self.model.index(rows[0]))
        self._following = False
