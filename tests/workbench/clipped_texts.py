"""Texts that are wider than their field, in all widgets of a form, a dialog or a window."""

from __future__ import annotations

import re

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QWidget,
)

from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.texts import ZERO_WIDTH_SPACE
from raybench_workbench.widgets import ElidedLabel

BREAK = re.compile(rf"[ \n\t{ZERO_WIDTH_SPACE}]+|(?<=[\u3000-\u9fff\uff00-\uffef])")
"""Where a label can be wrapped: not at a no-break space, and behind any Chinese character."""
EDIT_MARGIN = 2
"""Pixels that a line edit keeps free at each side of its text, besides its text margins."""


def clipped(root: QWidget) -> list[str]:
    """The texts below a widget that are not seen whole, each with its name, its width and its room.

    A name, a formula or an address that its person types may be longer than its field, which
    scrolls; a number, a choice, a placeholder and everything that the program says may not.
    """
    return [
        f"{_named(w)}: '{text}' is {wide:g} wide, its room {room:g}"
        for w in _visible(root)
        for text, wide, room in _texts(w)
        if wide > room
    ]


def _visible(root: QWidget) -> list[QWidget]:
    return [w for w in (root, *root.findChildren(QWidget)) if w.isVisibleTo(root)]


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName()}".strip()


def _texts(widget: QWidget) -> list[tuple[str, float, float]]:
    """The texts of a widget, with the width (or height) that each takes and has."""
    width = QFontMetricsF(widget.font()).horizontalAdvance
    if isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        room = widget.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, widget
        ).width() - 2  # fmt: skip
        return [
            (widget.itemText(i), width(widget.itemText(i)), room) for i in range(widget.count())
        ]
    if isinstance(widget, QLineEdit):
        return _texts_of_edit(widget)
    if isinstance(widget, QTabBar):
        return [
            (widget.tabText(i), widget.tabSizeHint(i).width(), widget.tabRect(i).width())
            for i in range(widget.count())
        ]
    if isinstance(widget, QAbstractButton) and widget.text():
        return [(widget.text(), widget.sizeHint().width(), widget.width())]
    if isinstance(widget, ElidedLabel):
        return [(widget.full_text, width(widget.full_text), widget.width())]
    if isinstance(widget, QLabel) and widget.text():
        if widget.wordWrap():
            longest = max(BREAK.split(QLabel.text(widget)), key=width)
            return [
                (longest, width(longest), widget.width()),
                (widget.text(), widget.heightForWidth(widget.width()), widget.height()),
            ]
        return [(widget.text(), widget.sizeHint().width(), widget.width())]
    return []


def _texts_of_edit(edit: QLineEdit) -> list[tuple[str, float, float]]:
    option = QStyleOptionFrame()
    edit.initStyleOption(option)
    inside = (
        edit.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, edit).width()
    )
    margins = edit.textMargins()
    room = inside - margins.left() - margins.right() - 2 * EDIT_MARGIN
    width = QFontMetricsF(edit.font()).horizontalAdvance
    shown = (
        edit.text()
        if isinstance(edit, NumberEdit) or isinstance(edit.parent(), QAbstractSpinBox)
        else ""
    )
    return [
        (text, width(text), room)
        for text in (shown, edit.placeholderText() if not edit.text() else "")
        if text
    ]
