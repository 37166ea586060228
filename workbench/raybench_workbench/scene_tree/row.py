"""How a row of the list is painted: icon, name and kind; default names in italics, problems marked,
switches on the right.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from raybench_workbench import theme
from raybench_workbench.scene_tree.model import (
    GIVEN,
    GROUPS,
    KEY,
    KIND,
    PROBLEM,
    STATES,
    SWITCHES,
    Index,
)
from raybench_workbench.words.labels import elided_to


def switch_rect(row: QRect, name: str) -> QRect:
    """The place of a switch in a row's rectangle."""
    side = theme.ICON_SIZE
    right = row.right() - theme.HALF - (len(SWITCHES) - SWITCHES.index(name)) * side
    return QRect(right, row.top() + (row.height() - side) // 2, side, side)


def _paint_switch(painter: QPainter, name: str, box: QRect, color: QColor) -> None:
    """An eye with a stroke through it, an arrow of light, a padlock."""
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


class ObjectRow(QStyledItemDelegate):
    """Paints icon, name and switches; the kind dimmed on the right unless a default name contains
    it or the switches are needed there.
    """

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, theme.ROW_HEIGHT)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """The editor of a name, with the object's key as its property ``key``."""
        editor = super().createEditor(parent, option, index)
        editor.setProperty("key", index.data(KEY))
        return editor

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Let Enter take the name over at once. Qt does so later, when the editor may be gone
        because objects came or went.
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
        """Keep what was typed while rows are painted anew, as after a change of the theme."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = theme.current()
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
        icon.paint(
            painter,
            QRect(
                left,
                rect.top() + (rect.height() - theme.ICON_SIZE) // 2,
                theme.ICON_SIZE,
                theme.ICON_SIZE,
            ),
        )
        left += theme.ICON_SIZE + theme.GRID
        right = rect.right() - theme.GRID
        on = index.data(STATES)
        if under or on:
            for name in SWITCHES:
                if under or name in on:
                    _paint_switch(
                        painter,
                        name,
                        switch_rect(rect, name),
                        colors.color("accent" if name in on else "dim"),
                    )
            right = switch_rect(rect, SWITCHES[0] if under else on[0]).left() - theme.HALF
        if index.data(PROBLEM):
            painter.setPen(colors.color("warning"))
            painter.setFont(theme.text_font(strong=True))
            painter.drawText(
                QRect(right - 8, rect.top(), 10, rect.height()), Qt.AlignmentFlag.AlignCenter, "!"
            )
            right -= 2 * theme.GRID
        kind = index.data(GROUPS) or ("" if index.data(GIVEN) else index.data(KIND))
        font = index.data(Qt.ItemDataRole.FontRole)
        painter.setFont(font)
        name = elided_to(
            index.data(Qt.ItemDataRole.DisplayRole), painter.fontMetrics(), right - left
        )
        wide = theme.width_of(name, font)
        small = theme.text_font(theme.SMALL_SIZE)
        if kind and left + wide + 2 * theme.GRID + theme.width_of(kind, small) <= right:
            painter.setFont(small)
            painter.setPen(colors.color("dim"))
            painter.drawText(
                QRect(left, rect.top(), right - left, rect.height()),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                kind,
            )
        painter.setFont(font)
        painter.setPen(colors.color("dim" if "hidden" in on else "text"))
        painter.drawText(
            QRect(left, rect.top(), right - left, rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            name,
        )
        painter.restore()
