"""Nothing in a picture depends on the machine, the moment or an earlier test: style, font, cursor,
effects, hover, animation.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QHoverEvent, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench_workbench.shot import NotSettled, picture, wait_until

COVER = QColor(128, 128, 128)
"""What is painted over widgets that are left out of a picture."""
ACTIVATION = 2.0
"""Seconds that a desktop may take to make a window the active one."""
OUTSIDE = QPointF(-1, -1)
EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_AnimateCombo, Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip, Qt.UIEffect.UI_AnimateToolBox,
)  # fmt: skip

FIXED = {
    QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons: 0,
    QStyle.StyleHint.SH_DialogButtonLayout: 0,
}
"""What a style else takes from the desktop: icons on the buttons of dialogs, and their order, here
without icons as on Windows.
"""


class _Everywhere(QProxyStyle):
    """A style without what differs between desktops, see `FIXED`."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        return FIXED[hint] if hint in FIXED else super().styleHint(hint, option, widget, returnData)


def make_still(app: QApplication) -> None:
    """Give an application a style, a palette and a font that are the same on every machine; stop
    its cursor and its effects.

    The style is Fusion with a light palette, the font Open Sans of 13 pixels without hinting. A
    style sheet of the application's own stays.
    """
    from raybench_workbench.theme import load_fonts, text_font

    load_fonts()
    keep_still(app)
    app.styleHints().setColorScheme(Qt.ColorScheme.Light)
    app.setPalette(app.style().standardPalette())
    app.setFont(text_font())


def keep_still(app: QApplication) -> None:
    """Give an application that has its own palette and font a style and numbers that are the same
    on every desktop; stop its cursor and its effects.
    """
    QLocale.setDefault(QLocale.c())
    app.setStyle(_Everywhere("Fusion"))
    app.setCursorFlashTime(0)
    for effect in EFFECTS:
        app.setEffectEnabled(effect, False)


def end_hover(widget: QWidget) -> None:
    """Take the pointer, which an earlier test may have left there, off a widget and all within it."""
    for each in (widget, *widget.findChildren(QWidget)):
        each.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        in_view = isinstance(each.parentWidget(), QAbstractItemView)
        if in_view or each.testAttribute(Qt.WidgetAttribute.WA_Hover):
            QApplication.sendEvent(
                each, QHoverEvent(QEvent.Type.HoverLeave, OUTSIDE, OUTSIDE, OUTSIDE)
            )


def still_picture(widget: QWidget, hide: Iterable[QWidget] = ()) -> QImage:
    """The widget as an image (RGB, 32 bits), at rest and without hover; the widgets ``hide`` within
    it are covered. Its window is made the active one if the application has none, which depends on
    the desktop otherwise.

    Raises `raybench_workbench.shot.NotSettled` if it keeps changing, RaybenchError if it has no
    pixels, or if a widget to cover is not within it.
    """
    hide = list(hide)
    for each in hide:
        if each is not widget and not widget.isAncestorOf(each):
            name = f"'{each.accessibleName() or each.objectName() or type(each).__name__}'"
            raise RaybenchError(
                f"{name} cannot be hidden, as it is not within the widget of the picture. Leave it"
                " out of `hide`."
            )
    if widget.size().isEmpty():
        raise RaybenchError(
            f"a widget of {widget.width()} x {widget.height()} pixels has no picture. Resize it"
            " before."
        )
    if QApplication.activeWindow() is None and widget.window().isVisible():
        widget.activateWindow()
        with contextlib.suppress(NotSettled):  # a desktop may refuse it
            wait_until(widget.isActiveWindow, ACTIVATION)
    end_hover(widget)
    image = picture(widget).convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(image)
    try:
        for each in hide:
            painter.fillRect(QRect(each.mapTo(widget, QPoint(0, 0)), each.size()), COVER)
    finally:
        painter.end()
    return image
