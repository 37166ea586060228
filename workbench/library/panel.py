"""The library: all kinds and presets, and the scene's modules, with pictures, to be searched, clicked, or dragged out onto the canvas."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from core.errors import elided
from core.kinds.kinds import KINDS
from core.kinds.module_instance import ModuleObj
from core.presets.presets import PRESETS
from core.scene.creation import ALL_FAMILIES, is_preset, module_of, part_of_module, row_of_points, title_of
from core.scene.modules.expansion import preview
from core.scene.modules.module import Module
from core.shapes.point import Point
from workbench import theme
from workbench.canvas.strokes import Style
from workbench.document import WorkDocument
from workbench.library.pictures import paint_module, paint_picture
from workbench.words.plain_text import tool_tip

COLUMNS = 3
TILE_HEIGHT = 68
"""The least height of an item: room for a name of two lines."""
PICTURE = 32
"""Side of a picture in pixels."""
_NAME_TOP = theme.HALF + PICTURE + 1
_NAME_PLACE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_PART = Qt.ItemDataRole.UserRole
"""The name of an item's kind, preset or module (`part_of_module`); empty for a heading."""
_FOUND_BY = Qt.ItemDataRole.UserRole + 1
_PICTURED = Qt.ItemDataRole.UserRole + 2
"""The objects that picture a module."""
MODULES = "Modules"
IMPORT = "import"
"""The part that is none, but imports modules."""
STEPS = 5_000
"""Steps within which a module is computed for its picture."""
APART = 100.0
"""Distance of the points of a pictured module."""
LONGEST = 30
"""Characters of a module's name."""
Index = QModelIndex | QPersistentModelIndex


def summary_of(what: str) -> str:
    """One line about a kind or a preset."""
    return PRESETS[what].summary if is_preset(what) else (KINDS[what].__doc__ or "").split("\n")[0]


def _name_font() -> QFont:
    return theme.text_font(theme.SMALL_SIZE - 1)


class _Tiles(QStyledItemDelegate):
    """Paints an item as a picture above its name, and a heading across the list."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = self.parent()
        assert isinstance(view, QListWidget)
        width = view.viewport().width()
        if not index.data(_PART):
            return QSize(width - 2, theme.ROW_HEIGHT)
        tile = (width - 2) // COLUMNS
        name = QFontMetrics(_name_font()).boundingRect(QRect(0, 0, tile - 4, 0), _NAME_PLACE, index.data())
        return QSize(tile, max(TILE_HEIGHT, _NAME_TOP + name.height() + 1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        current, part, box = theme.current(), index.data(_PART), QRect(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not part:
            painter.setFont(theme.text_font(theme.SMALL_SIZE, strong=True))
            painter.setPen(current.color("dim"))
            painter.drawText(box.adjusted(theme.HALF, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, index.data())
            painter.restore()
            return
        chosen, under = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
        if chosen or under:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current.color("selected_row" if chosen else "hover"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        scale = PICTURE / theme.ICON_SIZE
        painter.save()
        painter.translate(box.x() + (box.width() - PICTURE) // 2, box.y() + theme.HALF)
        painter.scale(scale, scale)
        painter.setClipRect(0, 0, theme.ICON_SIZE, theme.ICON_SIZE)
        pictured = index.data(_PICTURED)
        if pictured is None:
            paint_picture(part, painter, Style(current))
        else:
            paint_module(pictured, painter, Style(current))
        painter.restore()
        painter.setFont(_name_font())
        painter.setPen(current.color("text" if index.flags() else "dim"))
        painter.drawText(box.adjusted(2, _NAME_TOP, -2, -1), _NAME_PLACE, index.data())
        painter.restore()


class PartList(QListWidget):
    """The pictures. A press that moves away carries the part, over other widgets too, until it is released."""

    chosen = Signal(str, bool)
    """A part, and whether it was chosen by the keyboard."""
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
                item.setData(_PART, part)
                item.setData(_FOUND_BY, f"{family} {title_of(part)} {summary_of(part)}".casefold())
                item.setToolTip(summary_of(part))
        QListWidgetItem(MODULES, self).setFlags(Qt.ItemFlag.NoItemFlags)
        item = QListWidgetItem("Import…", self)
        item.setData(_PART, IMPORT)
        item.setData(_FOUND_BY, "import modules")
        item.setData(_PICTURED, ())
        item.setToolTip("Take modules from another scene")

    def show_modules(self, modules: Mapping[str, Module]) -> bool:
        """Show the modules of the scene below the kinds and presets; whether they are others than before."""
        if modules == self._modules:
            return False
        self._modules = modules
        for i in reversed(range(self.count())):
            if module_of(self.item(i).data(_PART) or "") is not None:
                self.takeItem(i)
        for name, module in modules.items():
            points = row_of_points(Point(0.0, 0.0), module.point_count, APART)
            item = QListWidgetItem(elided(name, LONGEST))
            self.insertItem(self.row(self.item_of(IMPORT)), item)
            item.setData(_PART, part_of_module(name))
            item.setData(_FOUND_BY, f"module {name}".casefold())
            item.setData(_PICTURED, preview(ModuleObj(module=name, points=tuple(points)), modules, STEPS))
            item.setToolTip(tool_tip(f"Module {name}" + (f" cannot be used: {module.trouble}" if module.trouble else "")))
            if module.trouble:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
        return True

    def items_of_parts(self) -> list[QListWidgetItem]:
        """The items that are no headings and are shown."""
        items = [self.item(i) for i in range(self.count())]
        return [item for item in items if item.data(_PART) and not item.isHidden()]

    def item_of(self, part: str) -> QListWidgetItem:
        """The item of a kind, preset or module."""
        return next(item for i in range(self.count()) if (item := self.item(i)).data(_PART) == part)

    def search(self, text: str) -> None:
        """Show the parts whose name, family or summary holds every word, those named so first; with them the headings of their families."""
        words, heading, any_below = text.casefold().split(), None, False
        for i in range(self.count()):
            item = self.item(i)
            if item.data(_PART):
                fits = all(word in item.data(_FOUND_BY) for word in words)
                item.setHidden(not fits)
                any_below = any_below or fits
                continue
            if heading is not None:
                heading.setHidden(not any_below)
            heading, any_below = item, False
        if heading is not None:
            heading.setHidden(not any_below)
        shown = self.items_of_parts()
        named = [item for item in shown if all(word in item.text().casefold() for word in words)]
        found = (named or shown)[:1] if words else []
        self.clearSelection()
        self.setCurrentRow(self.row(found[0]) if found else -1)

    def choose_current(self) -> None:
        item = self.currentItem()
        if item is not None and item.data(_PART):
            self.chosen.emit(item.data(_PART), True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and item is not None and item.data(_PART) and item.flags():
            self.setCurrentItem(item)
            self._pressed = item.data(_PART), event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        part, start = self._pressed
        far = (event.position().toPoint() - start).manhattanLength() >= QApplication.startDragDistance()
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


class Library(QWidget):
    """A search field above the pictures. Enter chooses the part found first, the arrow keys another."""

    chosen = Signal(str, bool)
    """The part that is to be drawn, and whether it was chosen by the keyboard."""
    importRequested = Signal()
    """Modules of another scene are to be imported."""

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.search = QLineEdit(self)
        self.search.setPlaceholderText("Find a part: lens, prism, detector …")
        self.search.setAccessibleName("Find a part")
        self.search.setClearButtonEnabled(True)
        self.parts = PartList(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GRID, 0, 0, 0)
        column.setSpacing(theme.HALF)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, theme.GRID, 0)
        line.addWidget(self.search)
        column.addLayout(line)
        column.addWidget(self.parts, 1)
        self.search.textChanged.connect(self.parts.search)
        self.search.installEventFilter(self)
        self.parts.chosen.connect(self._choose)
        theme.notifier.changed.connect(self.parts.viewport().update)
        document.changed.connect(self._show_modules)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_modules()

    def _choose(self, part: str, by_keyboard: bool) -> None:
        if part == IMPORT:
            self.importRequested.emit()
        else:
            self.chosen.emit(part, by_keyboard)

    def _show_modules(self, *_: object) -> None:
        if self.isVisible() and self.parts.show_modules(self._document.scene.modules):
            self.parts.search(self.search.text())

    def reveal(self, module: str) -> None:
        """Scroll to a module of the scene; the library must be visible."""
        self.search.clear()
        self.parts.scrollToItem(self.parts.item_of(part_of_module(module)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Enter choose while the search has the focus, Esc clear it, and the down key enter the pictures."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                item = self.parts.currentItem()
                if item is not None and self.search.text():
                    self._choose(item.data(_PART), True)
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
            if event.key() == Qt.Key.Key_Down and (shown := self.parts.items_of_parts()):
                self.parts.setFocus()
                self.parts.setCurrentItem(self.parts.currentItem() or shown[0])
                return True
        return super().eventFilter(watched, event)

    def show_tool(self, what: str) -> None:
        """Mark the part that is being drawn; empty for none."""
        if what and (self.isVisible() or module_of(what) is None):
            item = self.parts.item_of(what)
            self.parts.setCurrentItem(item)
            self.parts.scrollToItem(item)
        else:
            self.parts.clearSelection()
            self.parts.setCurrentRow(-1)
