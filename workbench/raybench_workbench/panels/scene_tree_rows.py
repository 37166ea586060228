"""The rows of the scene's objects, and how the user edits them: names, switches and the order."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.scene.changes import Change, Disable, Hide, Reorder, Set
from raybench.scene.locks import is_locked
from raybench.scene.scene import Scene
from raybench_workbench import theme
from raybench_workbench.canvas.icons import kind_icon
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.document_lists import SceneProblems
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import LEFT, RIGHT, Index, elide_to_width


def switch_rect(row: QRect, name: str) -> QRect:
    """The rectangle of a switch within the rectangle of a row."""
    side = theme.ICON_SIZE
    right = row.right() - theme.HALF - (len(SWITCHES) - SWITCHES.index(name)) * side
    return QRect(right, row.top() + (row.height() - side) // 2, side, side)


def _paint_switch(painter: QPainter, name: str, box: QRect, color: QColor) -> None:
    """Paint the icon of a switch: an eye with a stroke through it, an arrow of light, or a padlock."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y = box.center().x() + 0.5, box.center().y() + 0.5
    if name == "hidden":
        painter.drawEllipse(QRectF(x - 6, y - 3.5, 12, 7))
        painter.drawEllipse(QRectF(x - 1.5, y - 1.5, 3, 3))
        painter.drawLine(int(x - 5), int(y + 5), int(x + 5), int(y - 5))
    elif name == "disabled":
        for dy in (-3, 0, 3):
            painter.drawLine(int(x - 6), int(y + dy), int(x + 6), int(y + dy))
        painter.drawRect(QRectF(x - 2, y - 6, 4, 12))
    else:
        painter.drawRect(QRectF(x - 4, y - 1, 8, 6))
        painter.drawArc(QRectF(x - 2.5, y - 6, 5, 9), 0, 180 * 16)


class ObjectRowDelegate(QStyledItemDelegate):
    """Paints a row of the object list: icon, name and switches. The kind is dimmed on the right,
    unless a default name contains it or the switches need the space.
    """

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, theme.ROW_HEIGHT)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """The editor for a name. Its property ``key`` is the key of the object."""
        editor = super().createEditor(parent, option, index)
        editor.setProperty("key", index.data(KEY_ROLE))
        return editor

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Accept the name on Enter at once. Qt would accept it later, when the editor may be gone
        because objects were added or removed.
        """
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor)
            return True
        return super().eventFilter(editor, event)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Keep the typed name while rows are painted again, for example after a change of theme."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = theme.current_theme()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        under = bool(state & QStyle.StateFlag.State_MouseOver)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colors.color("selected_row"))
        elif under:
            painter.fillRect(rect, colors.color("hover"))
        left = rect.left() + theme.GRID
        icon: QIcon = index.data(Qt.ItemDataRole.DecorationRole)
        side = theme.ICON_SIZE
        icon.paint(painter, left, rect.top() + (rect.height() - side) // 2, side, side)
        left += side + theme.GRID
        right = rect.right() - theme.GRID
        on = index.data(STATES_ROLE)
        switches = SWITCHES if under else on
        for name in switches:
            color = colors.color("accent" if name in on else "dim")
            _paint_switch(painter, name, switch_rect(rect, name), color)
        if switches:
            right = switch_rect(rect, switches[0]).left() - theme.HALF
        if index.data(PROBLEM_ROLE):
            painter.setPen(colors.color("warning"))
            painter.setFont(theme.text_font(strong=True))
            place = QRect(right - 8, rect.top(), 10, rect.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "!")
            right -= 2 * theme.GRID
        kind = index.data(GROUPS_ROLE) or ("" if index.data(GIVEN_ROLE) else index.data(KIND_ROLE))
        font = index.data(Qt.ItemDataRole.FontRole)
        painter.setFont(font)
        name = elide_to_width(index.data(), painter.fontMetrics(), right - left)
        wide = theme.text_pixel_width(name, font)
        small = theme.text_font(theme.SMALL_SIZE)
        room = QRect(left, rect.top(), right - left, rect.height())
        if kind and left + wide + 2 * theme.GRID + theme.text_pixel_width(kind, small) <= right:
            painter.setFont(small)
            painter.setPen(colors.color("dim"))
            painter.drawText(room, RIGHT, kind)
        painter.setFont(font)
        painter.setPen(colors.color("dim" if "hidden" in on else "text"))
        painter.drawText(room, LEFT, name)
        painter.restore()


SCROLL_PAUSE = 60
"""Milliseconds between two rows that are scrolled while rows are dragged beyond the list."""


class ObjectListView(QListView):
    """The list view of the objects. A click on a switch toggles it. A drag moves the selected rows
    to the marked gap, and Esc cancels it.
    """

    switched = Signal(int, str)
    dropped = Signal(int)
    """The row before which the selected rows are dropped."""
    hovered = Signal(int)
    """The row under the pointer; -1 for none."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pressed: QPoint | None = None
        self._gap: int | None = None
        self._given_up = False
        """Whether the drag was given up; the button is still pressed."""
        self._dragged_to = 0
        """The height of the pointer during a drag."""
        self._scrolling = QTimer(self, interval=SCROLL_PAUSE)
        self._scrolling.timeout.connect(self._scroll_rows)
        self.setMouseTracking(True)
        self.viewport().installEventFilter(self)

    def _switch_at(self, at: QPoint) -> tuple[int, str] | None:
        index = self.indexAt(at)
        for name in SWITCHES:
            if index.isValid() and switch_rect(self.visualRect(index), name).contains(at):
                return index.row(), name
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        left = event.button() == Qt.MouseButton.LeftButton
        if left and (switch := self._switch_at(at)) is not None:
            self.switched.emit(*switch)
            return
        index = self.indexAt(at)
        self._pressed = at if left and index.isValid() and not event.modifiers() else None
        if self._pressed is not None and self.selectionModel().isSelected(index):
            # a click on one of several selects it alone at release: the press may begin a drag of
            # all
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        index = self.indexAt(at)
        self.hovered.emit(index.row() if index.isValid() else -1)
        if self._given_up:
            return
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        distance = (at - self._pressed).manhattanLength()
        if self._gap is not None or distance >= QApplication.startDragDistance():
            self._dragged_to = at.y()
            self._show_drop_gap()
            if not 0 <= at.y() < self.viewport().height():
                self._scrolling.start()

    def _show_drop_gap(self) -> None:
        """Show a line in the gap between two visible rows that is nearest to the pointer."""
        y = min(max(self._dragged_to, 0), self.viewport().height() - 1)
        index = self.indexAt(QPoint(0, y))
        self._gap = (
            index.row() + (y > self.visualRect(index).center().y())
            if index.isValid()
            else self.model().rowCount()
        )
        self.viewport().update()

    def _scroll_rows(self) -> None:
        above, below = self._dragged_to < 0, self._dragged_to >= self.viewport().height()
        if self._gap is None or not (above or below):
            self._scrolling.stop()
            return
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (bar.singleStep() if below else -bar.singleStep()))
        self._show_drop_gap()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, gap = self._pressed, self._gap
        self._pressed, self._gap, self._given_up = None, None, False
        self.viewport().update()
        if gap is not None:
            self.dropped.emit(gap)
        elif pressed is not None:
            self.setCurrentIndex(self.indexAt(pressed))
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._gap is not None:
            self._pressed, self._gap, self._given_up = None, None, True
            self.viewport().update()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._switch_at(event.position().toPoint()) is None:
            super().mouseDoubleClickEvent(event)
        else:
            self.mousePressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and watched is self.viewport():
            self.hovered.emit(-1)
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._gap is not None:
            last = self.model().rowCount() - 1
            row = self.visualRect(self.model().index(min(self._gap, last), 0))
            y = row.bottom() if self._gap > last else row.top()
            painter = QPainter(self.viewport())
            line = QRect(0, y - 1, self.viewport().width(), 2)
            painter.fillRect(line, theme.current_theme().color("accent"))
            painter.end()


KEY_ROLE = Qt.ItemDataRole.UserRole
KIND_ROLE = KEY_ROLE + 1
PROBLEM_ROLE = KEY_ROLE + 2
GIVEN_ROLE = KEY_ROLE + 3
STATES_ROLE = KEY_ROLE + 4
GROUPS_ROLE = KEY_ROLE + 5
SWITCHES = ("hidden", "disabled", "locked")
"""The switches of a row, from left to right."""
SWITCH_TIPS = {
    "hidden": tr("Hidden: acts on light, but is not drawn"),
    "disabled": tr("Light passes it"),
    "locked": tr("Locked: cannot be dragged"),
}


class SceneModel(QAbstractListModel):
    """The list model with one row per object, in the scene's order."""

    def __init__(
        self, document: WorkDocument, problems: SceneProblems, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._problems = document, problems
        self._objects: tuple[SceneObject, ...] = ()
        self._rows: dict[int, int] = {}
        """The row of each object, by its key."""
        self._lock_objs = False
        self._icons: dict[tuple[str, bool], QIcon] = {}
        self.show_scene(document.scene)

    def show_scene(self, scene: Scene) -> None:
        """Show the objects of a scene. Rows of objects that already existed stay selected or in
        editing.
        """
        before, locks = self._objects, scene.settings.lock_objs
        relocked, self._lock_objs = locks != self._lock_objs, locks
        if [o.key for o in scene.objects] != list(self._rows):
            self._rows = rows = {o.key: row for row, o in enumerate(scene.objects)}
            self.layoutAboutToBeChanged.emit()
            self._objects, kept = scene.objects, self.persistentIndexList()
            moved = [self.index(rows.get(before[index.row()].key, -1)) for index in kept]
            self.changePersistentIndexList(kept, moved)
            self.layoutChanged.emit()
            return
        self._objects = scene.objects
        shown = attrgetter("type", "name", "alias", "locked")
        changed = [
            i
            for i, (a, b) in enumerate(zip(before, scene.objects, strict=True))
            if relocked or (a is not b and shown(a) != shown(b))
        ]
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def repaint_icons(self) -> None:
        self._icons.clear()
        if self._objects:
            self.dataChanged.emit(self.index(0), self.index(len(self._objects) - 1))

    def object_with_key(self, key: int) -> SceneObject | None:
        return self._document.scene.get(key)

    def key_at(self, row: int) -> int:
        return self._objects[row].key

    def rows_of_keys(self, keys: frozenset[int]) -> list[int]:
        return sorted(self._rows[key] for key in keys if key in self._rows)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._objects)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if isinstance(self._objects[index.row()], UnreadObject):
            return flags
        return flags | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        obj, document = self._objects[index.row()], self._document.document
        unread = isinstance(obj, UnreadObject)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return obj.title
            case Qt.ItemDataRole.EditRole:
                return obj.name
            case Qt.ItemDataRole.FontRole:
                return theme.text_font(italic=not obj.name)
            case Qt.ItemDataRole.DecorationRole:
                which = obj.type, obj.key in document.disabled
                if which not in self._icons:
                    self._icons[which] = kind_icon(
                        which[0], theme.current_theme(), disabled=which[1]
                    )
                return self._icons[which]
            case Qt.ItemDataRole.ToolTipRole:
                problems = self._problems.problems_text(obj.key) or f"{obj.title}: {tr(obj.label)}"
                states = [SWITCH_TIPS[name] for name in self.enabled_switches(index.row())]
                return literal_tool_tip("\n".join([problems, *states]))
            case _ if role == STATES_ROLE:
                return self.enabled_switches(index.row())
            case _ if role == GROUPS_ROLE:
                return ", ".join(name for name, keys in document.groups.items() if obj.key in keys)
            case _ if role == KEY_ROLE:
                return obj.key
            case _ if role == KIND_ROLE:
                return obj.type if unread else tr(obj.label)
            case _ if role == PROBLEM_ROLE:
                return obj.key in self._problems.by_key
            case _ if role == GIVEN_ROLE:
                return not obj.name and not unread
        return None

    def enabled_switches(self, row: int) -> tuple[str, ...]:
        """The names of those of the `SWITCHES` that are on in a row."""
        obj, document = self._objects[row], self._document.document
        on = {
            "hidden": obj.key in document.hidden,
            "disabled": obj.key in document.disabled,
            "locked": is_locked(document.scene, obj),
        }
        return tuple(name for name in SWITCHES if on[name])

    def set_switch(self, row: int, name: str, selected: frozenset[int]) -> None:
        """Toggle a switch of a row. If the row's object is selected, set the switch of all selected
        objects.
        """
        key, on = self._objects[row].key, name not in self.enabled_switches(row)
        keys = selected if key in selected else {key}
        free = "unlocked" if self._document.scene.settings.lock_objs else "default"
        changes: dict[str, Change] = {
            "hidden": Hide(keys, on=on),
            "disabled": Disable(keys, on=on),
            "locked": Set(keys, {"locked": "locked" if on else free}),
        }
        self._document.change(changes[name])

    def move_objects(self, keys: frozenset[int], row: int) -> None:
        """Move objects to the place before a row, or to the end if there is no such row."""
        rest = [o.key for o in self._objects if o.key not in keys]
        after = [o.key for o in self._objects[row:] if o.key not in keys]
        if after:
            self._document.change(Reorder(keys, before=after[0]))
        elif rest:
            self._document.change(Reorder(keys, after=rest[-1]))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        obj = self._objects[index.row()]
        name = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or name == obj.name:
            return False
        return self._document.change(Set(obj.key, {"name": name}))
