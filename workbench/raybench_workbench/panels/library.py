"""The library of parts that can be drawn: pictures of kinds, presets and modules, painted by the
painters of the canvas.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeGuard

from PySide6.QtCore import (
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QFont,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolBar,
    QToolButton,
    QWidget,
)

from raybench.errors import elide_text
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.kinds import KINDS, ROWS, kind_summary
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.presets import PRESETS
from raybench.scene.creation import (
    ALL_FAMILIES,
    FAMILIES,
    creatable_noun,
    creatable_title,
    is_preset,
    module_creatable_id,
    module_name_of,
    points_in_row,
)
from raybench.scene.modules.expansion import parts_within_steps
from raybench.scene.modules.module import Module
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.canvas.icons import icon_from_painter
from raybench_workbench.canvas.object_painter import paint_fill, paint_icon, paint_object
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.viewport import Camera, fit_camera
from raybench_workbench.document import WorkDocument
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.theme import ICON_SIZE, Theme
from raybench_workbench.translation import tr
from raybench_workbench.widgets import Index, NoMatchHint, SearchField, column_layout, row_layout

PICTURE_MARGIN = 0.08
"""Fraction of a picture left free on each side of a preset."""
_ROWS = {row.kind: row for row in ROWS}


def paint_module(parts: Sequence[SceneObject], painter: QPainter, style: Style) -> None:
    """Paint the parts of a module in a square of `theme.ICON_SIZE` units. If no part is visible,
    paint the general module icon.
    """
    if not _paint_objects(parts, painter, style):
        paint_icon(_ROWS[ModuleObj], painter, style)


def part_icon(part_id: str, theme: Theme) -> QIcon:
    """The icon of a kind or of a preset."""
    return icon_from_painter(lambda painter: paint_part_picture(part_id, painter, Style(theme)))


def paint_part_picture(part_id: str, painter: QPainter, style: Style) -> None:
    """Paint a kind, or a preset with its default values, in a square of `theme.ICON_SIZE` units."""
    if is_preset(part_id):
        preset = PRESETS[part_id]
        _paint_objects(preset(**preset.pictured).objects(), painter, style)
    else:
        paint_icon(_ROWS[KINDS[part_id]], painter, style)


def _paint_objects(objects: Sequence[SceneObject], painter: QPainter, style: Style) -> bool:
    """Paint objects as large as they fit; returns whether they have an extent."""
    boxes = [box for o in objects if (box := edges_bounding_box(object_edges(o))) is not None]
    if not boxes:
        return False
    corners = [Point(x, y) for box in boxes for x, y in (box[:2], box[2:])]
    xs, ys = [p.x for p in corners], [p.y for p in corners]
    camera: Camera = fit_camera(
        (min(xs), min(ys), max(xs), max(ys)), (ICON_SIZE, ICON_SIZE), PICTURE_MARGIN
    )
    for obj in objects:
        paint_fill(painter, obj, camera, style)
    for obj in objects:
        paint_object(painter, obj, camera, style)
    return True


COLUMNS = 3
TILE_HEIGHT = 68
"""The least height of an item: room for a name of two lines."""
PICTURE_SIDE = 32
"""Side of a picture in pixels."""
_NAME_TOP = theme.HALF + PICTURE_SIDE + 1
_NAME_ALIGNMENT = (
    Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
)
PART_ROLE = Qt.ItemDataRole.UserRole
"""The name of an item's kind, preset or module (`module_creatable_id`); empty for a heading."""
_SEARCH_TEXT_ROLE = Qt.ItemDataRole.UserRole + 1
_OBJECTS_ROLE = Qt.ItemDataRole.UserRole + 2
"""The objects painted as the picture of a module."""
MODULES = "Modules"
IMPORT_ITEM = "import"
"""The item that imports modules, which is not a part."""
MAX_STEPS = 5_000
"""Computation steps after which the picture of a module is given up."""
POINT_DISTANCE = 100.0
"""Distance of the points of a pictured module."""
MAX_NAME = 30
"""Length of a module's name."""


def part_summary(part_id: str) -> str:
    """A one-line description of a kind or a preset."""
    return PRESETS[part_id].summary if is_preset(part_id) else kind_summary(KINDS[part_id])


def _name_font() -> QFont:
    return theme.text_font(theme.SMALL_SIZE - 1)


class _TileDelegate(QStyledItemDelegate):
    """Paints an item of the part list as a picture above its name, and a heading across the width
    of the list.
    """

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = self.parent()
        assert isinstance(view, PartList)
        width = view.viewport().width()
        if not index.data(PART_ROLE):
            return QSize(width - 2, theme.ROW_HEIGHT)
        columns = min(COLUMNS, width // (view.longest_word + 4))
        tile = (width - 2) // max(columns, 1)
        name = QFontMetrics(_name_font()).boundingRect(
            QRect(0, 0, tile - 4, 0), _NAME_ALIGNMENT, index.data()
        )
        return QSize(tile, max(TILE_HEIGHT, _NAME_TOP + name.height() + 1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        current, part, box = theme.current_theme(), index.data(PART_ROLE), QRect(option.rect)
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
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current.color("selected_row" if selected else "hover"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        scale = PICTURE_SIDE / theme.ICON_SIZE
        painter.save()
        painter.translate(box.x() + (box.width() - PICTURE_SIDE) // 2, box.y() + theme.HALF)
        painter.scale(scale, scale)
        painter.setClipRect(0, 0, theme.ICON_SIZE, theme.ICON_SIZE)
        objects = index.data(_OBJECTS_ROLE)
        if objects is None:
            paint_part_picture(part, painter, Style(current))
        else:
            paint_module(objects, painter, Style(current))
        painter.restore()
        painter.setFont(_name_font())
        painter.setPen(current.color("text" if index.flags() else "dim"))
        painter.drawText(box.adjusted(2, _NAME_TOP, -2, -1), _NAME_ALIGNMENT, index.data())
        painter.restore()


class PartList(QListWidget):
    """The list of parts as tiles. A tile can be dragged to the canvas, also across other widgets."""

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
        self.setItemDelegate(_TileDelegate(self))
        self.setAccessibleName(tr("Parts"))
        self._modules: Mapping[str, Module] = {}
        self.longest_word = 0
        """The width of what is longest in the names of parts and cannot be broken, in pixels."""
        metrics = QFontMetrics(_name_font())
        for family, parts in ALL_FAMILIES.items():
            self._add_item(tr(family))
            for part in parts:
                name, tip = creatable_title(part), tr(part_summary(part))
                widths = map(metrics.horizontalAdvance, tr(name).replace("-", "- ").split())
                self.longest_word = max(self.longest_word, *widths)
                self._add_item(
                    tr(name), part, f"{family} {name} {tr(family)} {tr(name)} {tip}", tip
                )
        self._add_item(tr(MODULES))
        self._add_item(
            tr("Import…"),
            IMPORT_ITEM,
            tr("import modules"),
            tr("Take modules from another scene"),
            (),
        )

    def _add_item(
        self,
        text: str,
        part: str = "",
        search_text: str = "",
        tip: str = "",
        objects: Sequence[SceneObject] | None = None,
    ) -> QListWidgetItem:
        """Add the tile of a part, before the tile that imports modules, or a heading."""
        item = QListWidgetItem(text)
        item.setData(PART_ROLE, part)
        item.setData(_SEARCH_TEXT_ROLE, search_text.casefold())
        item.setData(_OBJECTS_ROLE, objects)
        item.setToolTip(tip)
        if not part:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        place = (
            self.row(self.item_of_part(IMPORT_ITEM))
            if module_name_of(part) is not None
            else self.count()
        )
        self.insertItem(place, item)
        return item

    def show_modules(self, modules: Mapping[str, Module]) -> bool:
        """Show the modules of the scene below the kinds and presets; returns whether they have
        changed.
        """
        if modules == self._modules:
            return False
        self._modules = modules
        for i in reversed(range(self.count())):
            if module_name_of(self.item(i).data(PART_ROLE)) is not None:
                self.takeItem(i)
        for name, module in modules.items():
            points = points_in_row(Point(0.0, 0.0), module.point_count, POINT_DISTANCE)
            instance = ModuleObj(module=name, points=tuple(points))
            item = self._add_item(
                elide_text(name, MAX_NAME),
                module_creatable_id(name),
                tr("module {name}", name=name),
                tr("Module {name}", name=name),
                parts_within_steps(instance, modules, MAX_STEPS),
            )
            if module.trouble:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setToolTip(
                    tr("Module {name} cannot be used: {trouble}", name=name, trouble=module.trouble)
                )
            item.setToolTip(literal_tool_tip(item.toolTip()))
        return True

    def visible_parts(self) -> list[QListWidgetItem]:
        """The visible items of parts, without headings."""
        items = [self.item(i) for i in range(self.count())]
        return [item for item in items if item.data(PART_ROLE) and not item.isHidden()]

    def item_of_part(self, part: str) -> QListWidgetItem:
        """The list item of a kind, preset or module."""
        return next(
            item for i in range(self.count()) if (item := self.item(i)).data(PART_ROLE) == part
        )

    def search_parts(self, text: str) -> None:
        """Show the parts whose name, family or summary contains every word of ``text``, with the
        headings of their families, and select the best match.
        """
        words, any_visible = text.casefold().split(), False
        for i in reversed(range(self.count())):  # parts come before their heading
            item = self.item(i)
            if item.data(PART_ROLE):
                matches = all(word in item.data(_SEARCH_TEXT_ROLE) for word in words)
                item.setHidden(not matches)
                any_visible = any_visible or matches
            else:
                item.setHidden(not any_visible)
                any_visible = False
        usable = [item for item in self.visible_parts() if item.flags()]
        named = [item for item in usable if all(word in item.text().casefold() for word in words)]
        best = (named or usable)[:1] if words else []
        self.clearSelection()
        self.setCurrentRow(self.row(best[0]) if best else -1)

    def choose_current_part(self) -> None:
        if _is_part_item(item := self.currentItem()):
            self.chosen.emit(item.data(PART_ROLE), True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and _is_part_item(item := self.itemAt(at)):
            self.setCurrentItem(item)
            self._pressed = item.data(PART_ROLE), at

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        part, start = self._pressed
        distance = (event.position().toPoint() - start).manhattanLength()
        far = distance >= QApplication.startDragDistance()
        self._carrying = self._carrying or (far and part != IMPORT_ITEM)
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
            self.choose_current_part()
        else:
            super().keyPressEvent(event)


def _is_part_item(item: QListWidgetItem | None) -> TypeGuard[QListWidgetItem]:
    """Whether a list item is a part that can be drawn, and not a heading."""
    return (
        item is not None and bool(item.data(PART_ROLE)) and item.flags() != Qt.ItemFlag.NoItemFlags
    )


class CreateBar(QToolBar):
    """The tool bar that creates objects. ``first`` are actions before the families, ``actions`` are
    the drawing actions by kind or preset, and ``menus`` are the menus by family.
    """

    def __init__(
        self,
        first: Sequence[QAction],
        actions: Mapping[str, QAction],
        menus: Mapping[str, QMenu],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setIconSize(QSize(theme.ICON_SIZE, theme.ICON_SIZE))
        self._actions = actions
        self._last = {family: kinds[0] for family, kinds in FAMILIES.items()}
        self._families: dict[str, QAction] = {}
        self.addActions(first)
        for family in ALL_FAMILIES:
            menus[family].aboutToShow.connect(partial(self._paint_menu, family))
        for family in FAMILIES:  # as actions, so that the menu of what has no room lists them
            action = self._families[family] = QAction(tr(family), self)
            action.setMenu(menus[family])
            action.setCheckable(True)
            action.triggered.connect(partial(self._draw_last_kind, family))
            self.addAction(action)
            button = self.widgetForAction(action)
            theme.set_role(button, "family")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.extension = self.findChild(QToolButton, "qt_toolbar_ext_button")
        self.update_theme()

    @property
    def buttons(self) -> dict[str, QWidget]:
        """The buttons by family. The tool bar may replace them."""
        return {family: self.widgetForAction(a) for family, a in self._families.items()}

    def _draw_last_kind(self, family: str) -> None:
        self._actions[self._last[family]].trigger()

    def mark_drawn_kind(self, kind: str) -> None:
        """Show which kind or preset is being drawn; an empty name means none."""
        for family, kinds in FAMILIES.items():
            if kind in kinds and self._last[family] != kind:
                self._last[family] = kind
                self._paint_button(family)
            self._families[family].setChecked(kind in kinds)

    def update_theme(self) -> None:
        for family in FAMILIES:
            self._paint_button(family)

    def _paint_button(self, family: str) -> None:
        kind, made = self._last[family], self._families[family]
        made.setIcon(part_icon(kind, theme.current_theme()))
        made.setToolTip(
            tr("Draw: {noun}. The arrow beside it has more.", noun=tr(creatable_noun(kind)))
        )
        self.buttons[family].setAccessibleName(
            tr("{family}: draw {noun}", family=tr(family), noun=tr(creatable_noun(kind)))
        )

    def _paint_menu(self, family: str) -> None:
        """Paint the icons of a menu only when it opens, because some are curves from formulas,
        which are slow to parse.
        """
        for kind in ALL_FAMILIES[family]:
            self._actions[kind].setIcon(part_icon(kind, theme.current_theme()))


class LibraryPanel(QWidget):
    """The search field above the list of parts. Enter chooses the first part found; the arrow keys
    select another.
    """

    chosen = Signal(str, bool)
    """The part that is to be drawn, and whether it was chosen by the keyboard."""
    importRequested = Signal()
    """Modules of another scene are to be imported."""
    exited = Signal()
    """The search was left by Esc."""

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.search = SearchField(tr("Find a part"), tr("Find a part: lens, prism, detector …"))
        self.parts = PartList(self)
        self.no_match = NoMatchHint(
            tr("No part matches. Try another word, such as lens or mirror."), self.parts
        )
        line = row_layout(self.search, margins=(0, 0, theme.GRID, 0))
        column_layout(
            line, (self.parts, 1), on=self, margins=(theme.GRID, 0, 0, 0), spacing=theme.HALF
        )
        self.search.textChanged.connect(self._search_parts)
        self.search.chosen.connect(self._choose_first_found)
        self.search.listEntered.connect(self._focus_part_list)
        self.search.exited.connect(self.exited)
        self.parts.chosen.connect(self._choose_part)
        theme.notifier.changed.connect(self.parts.viewport().update)
        document.opened.connect(self.search.clear)
        document.changed.connect(self._show_modules)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_modules()

    def _choose_part(self, part: str, by_keyboard: bool) -> None:
        if part == IMPORT_ITEM:
            self.importRequested.emit()
        else:
            self.chosen.emit(part, by_keyboard)

    def _show_modules(self, *_: object) -> None:
        if self.isVisible() and self.parts.show_modules(self._document.scene.modules):
            self._search_parts(self.search.text())

    def _search_parts(self, text: str) -> None:
        self.parts.search_parts(text)
        self.no_match.setVisible(not self.parts.visible_parts())

    def scroll_to_module(self, module: str) -> None:
        """Scroll to a module of the scene. The library must be visible."""
        self.search.clear()
        self.parts.scrollToItem(self.parts.item_of_part(module_creatable_id(module)))

    def _choose_first_found(self) -> None:
        item = self.parts.currentItem()
        if item is not None and self.search.text():
            self._choose_part(item.data(PART_ROLE), True)

    def _focus_part_list(self) -> None:
        if visible := self.parts.visible_parts():
            self.parts.setFocus()
            self.parts.setCurrentItem(self.parts.currentItem() or visible[0])

    def mark_drawn_part(self, part_id: str) -> None:
        """Show which part is being drawn; an empty name means none."""
        if part_id and (self.isVisible() or module_name_of(part_id) is None):
            item = self.parts.item_of_part(part_id)
            self.parts.setCurrentItem(item)
            self.parts.scrollToItem(item)
        else:
            self.parts.clearSelection()
            self.parts.setCurrentRow(-1)
