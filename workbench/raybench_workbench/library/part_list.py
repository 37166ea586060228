"""The pictures of the library: kinds, presets and the scene's modules as tiles below headings,
searched, clicked or dragged out.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from raybench.errors import elided
from raybench.kinds.kinds import KINDS
from raybench.kinds.module_instance import ModuleObj
from raybench.presets.presets import PRESETS
from raybench.scene.creation import (
    ALL_FAMILIES,
    is_preset,
    module_of,
    part_of_module,
    row_of_points,
    title_of,
)
from raybench.scene.modules.expansion import preview
from raybench.scene.modules.module import Module
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.library.pictures import paint_module, paint_picture
from raybench_workbench.words.plain_text import tool_tip

COLUMNS = 3
TILE_HEIGHT = 68
"""The least height of an item: room for a name of two lines."""
PICTURE = 32
"""Side of a picture in pixels."""
_NAME_TOP = theme.HALF + PICTURE + 1
_NAME_PLACE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
PART = Qt.ItemDataRole.UserRole
"""The name of an item's kind, preset or module (`part_of_module`); empty for a heading."""
_SEARCH_TEXT = Qt.ItemDataRole.UserRole + 1
_OBJECTS = Qt.ItemDataRole.UserRole + 2
"""The objects painted as the picture of a module."""
MODULES = "Modules"
IMPORT = "import"
"""The item that imports modules, which is not a part."""
MAX_STEPS = 5_000
"""Computation steps after which the picture of a module is given up."""
POINT_DISTANCE = 100.0
"""Distance of the points of a pictured module."""
MAX_NAME = 30
"""Length of a module's name."""
Index = QModelIndex | QPersistentModelIndex


def summary_of(what: str) -> str:
    """One line about a kind or a preset."""
    return PRESETS[what].summary if is_preset(what) else (KINDS[what].__doc__ or "").split("\n")[0]


def _name_font() -> QFont:
    return theme.text_font(theme.SMALL_SIZE - 1)


class _Tiles(QStyledItemDelegate):
    """Paints an item as a picture above its name, and a heading over the width of the list."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = self.parent()
        assert isinstance(view, QListWidget)
        width = view.viewport().width()
        if not index.data(PART):
            return QSize(width - 2, theme.ROW_HEIGHT)
        tile = (width - 2) // COLUMNS
        name = QFontMetrics(_name_font()).boundingRect(
            QRect(0, 0, tile - 4, 0), _NAME_PLACE, index.data()
        )
        return QSize(tile, max(TILE_HEIGHT, _NAME_TOP + name.height() + 1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        current, part, box = theme.current(), index.data(PART), QRect(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not part:
            painter.setFont(theme.text_font(theme.SMALL_SIZE, strong=True))
            painter.setPen(current.color("dim"))
            painter.drawText(
                box.adjusted(theme.HALF, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, index.data()
            )
            painter.restore()
            return
        selected, hovered = (
            bool(state & QStyle.StateFlag.State_Selected),
            bool(state & QStyle.StateFlag.State_MouseOver),
        )
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current.color("selected_row" if selected else "hover"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        scale = PICTURE / theme.ICON_SIZE
        painter.save()
        painter.translate(box.x() + (box.width() - PICTURE) // 2, box.y() + theme.HALF)
        painter.scale(scale, scale)
        painter.setClipRect(0, 0, theme.ICON_SIZE, theme.ICON_SIZE)
        objects = index.data(_OBJECTS)
        if objects is None:
            paint_picture(part, painter, Style(current))
        else:
            paint_module(objects, painter, Style(current))
        painter.restore()
        painter.setFont(_name_font())
        painter.setPen(current.color("text" if index.flags() else "dim"))
        painter.drawText(box.adjusted(2, _NAME_TOP, -2, -1), _NAME_PLACE, index.data())
        painter.restore()


class PartList(QListWidget):
    """The tiles. Dragging a tile carries its part, also over other widgets, until the button is
    released.
    """

    chosen = Signal(str, bool)
    """A part, and whether it was chosen with the keyboard."""
    carried = Signal(str, QPoint)
    """A part is carried over a point of the screen."""
    dropped = Signal(str, QPoint)
    abandoned = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pressed: tuple[str, QPoint] | None = None
        self._carrying = False
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setMouseTracking(True)
        self.setItemDelegate(_Tiles(self))
        self.setAccessibleName("Parts")
        self._modules: Mapping[str, Module] = {}
        for family, parts in ALL_FAMILIES.items():
            heading = QListWidgetItem(family, self)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            for part in parts:
                item = QListWidgetItem(title_of(part), self)
                item.setData(PART, part)
                item.setData(
                    _SEARCH_TEXT, f"{family} {title_of(part)} {summary_of(part)}".casefold()
                )
                item.setToolTip(summary_of(part))
        QListWidgetItem(MODULES, self).setFlags(Qt.ItemFlag.NoItemFlags)
        item = QListWidgetItem("Import…", self)
        item.setData(PART, IMPORT)
        item.setData(_SEARCH_TEXT, "import modules")
        item.setData(_OBJECTS, ())
        item.setToolTip("Take modules from another scene")

    def show_modules(self, modules: Mapping[str, Module]) -> bool:
        """Show the modules of the scene below the kinds and presets; returns whether they have
        changed.
        """
        if modules == self._modules:
            return False
        self._modules = modules
        for i in reversed(range(self.count())):
            if module_of(self.item(i).data(PART) or "") is not None:
                self.takeItem(i)
        for name, module in modules.items():
            points = row_of_points(Point(0.0, 0.0), module.point_count, POINT_DISTANCE)
            item = QListWidgetItem(elided(name, MAX_NAME))
            self.insertItem(self.row(self.item_of(IMPORT)), item)
            item.setData(PART, part_of_module(name))
            item.setData(_SEARCH_TEXT, f"module {name}".casefold())
            item.setData(
                _OBJECTS, preview(ModuleObj(module=name, points=tuple(points)), modules, MAX_STEPS)
            )
            item.setToolTip(
                tool_tip(
                    f"Module {name}"
                    + (f" cannot be used: {module.trouble}" if module.trouble else "")
                )
            )
            if module.trouble:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
        return True

    def visible_parts(self) -> list[QListWidgetItem]:
        """The visible items, without the headings."""
        items = [self.item(i) for i in range(self.count())]
        return [item for item in items if item.data(PART) and not item.isHidden()]

    def item_of(self, part: str) -> QListWidgetItem:
        """The item of a kind, preset or module."""
        return next(item for i in range(self.count()) if (item := self.item(i)).data(PART) == part)

    def search(self, text: str) -> None:
        """Show the parts whose name, family or summary has every word, and the headings of their
        families; select the best match.
        """
        words, heading, any_visible = text.casefold().split(), None, False
        for i in range(self.count()):
            item = self.item(i)
            if item.data(PART):
                matches = all(word in item.data(_SEARCH_TEXT) for word in words)
                item.setHidden(not matches)
                any_visible = any_visible or matches
                continue
            if heading is not None:
                heading.setHidden(not any_visible)
            heading, any_visible = item, False
        if heading is not None:
            heading.setHidden(not any_visible)
        usable = [item for item in self.visible_parts() if item.flags()]
        named = [item for item in usable if all(word in item.text().casefold() for word in words)]
        best = (named or usable)[:1] if words else []
        self.clearSelection()
        self.setCurrentRow(self.row(best[0]) if best else -1)

    def choose_current(self) -> None:
        item = self.currentItem()
        if item is not None and item.data(PART) and item.flags():
            self.chosen.emit(item.data(PART), True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if (
            event.button() == Qt.MouseButton.LeftButton
            and item is not None
            and item.data(PART)
            and item.flags()
        ):
            self.setCurrentItem(item)
            self._pressed = item.data(PART), event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        part, start = self._pressed
        far = (
            event.position().toPoint() - start
        ).manhattanLength() >= QApplication.startDragDistance()
        self._carrying = self._carrying or (far and part != IMPORT)
        if self._carrying:
            self.carried.emit(part, event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, carrying = self._pressed, self._carrying
        self._pressed, self._carrying = None, False
        if pressed is not None and carrying:
            self.dropped.emit(pressed[0], event.globalPosition().toPoint())
        elif pressed is not None:
            self.chosen.emit(pressed[0], False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._carrying:
            self._pressed, self._carrying = None, False
            self.abandoned.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.choose_current()
        else:
            super().keyPressEvent(event)
