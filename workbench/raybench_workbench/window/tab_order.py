"""The order in which Tab visits the widgets of a window: that in which one reads them.

Qt's own focus chain is the order in which widgets were made: docks, and forms that are filled anew,
come last wherever they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from raybench_workbench.window.focus_frame import FocusFrame

AREAS = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    None,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
"""The docks of each area in order, with the central widget (None) between them."""


def move_focus(window: QMainWindow, forward: bool) -> bool:
    """Focus the next or the previous widget that takes the focus by Tab, in a frame; returns
    whether there is one.

    Qt also asks for the next one where the focus is gone; nobody pressed a key then, and no frame
    is shown.
    """
    order, current, gone = list(tab_order(window)), window.focusWidget(), focus_is_gone(window)
    if not [widget for widget in order if widget is not current]:
        return False
    step = 1 if forward else -1
    place = order.index(current) + step if current in order else 0 if forward else -1
    found = order[place % len(order)]
    found.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    if not gone:
        FocusFrame(found)
    return True


def focus_is_gone(widget: QWidget) -> bool:
    """Whether the focus is in a widget, or one inside it, that is hidden or disabled; Qt then asks
    for the next one.
    """
    focused = widget.window().focusWidget()
    return (
        focused is not None
        and widget.isAncestorOf(focused)
        and not (focused.isEnabled() and focused.isVisible())
    )


def tab_order(window: QMainWindow) -> Iterator[QWidget]:
    """The visible widgets of a window that take the focus by Tab: the bar at the top, the docks
    around the canvas, the status line.
    """
    yield from stops(window.menuWidget())
    docks = [d for d in window.findChildren(QDockWidget) if d.isVisible() and not d.isFloating()]
    for area in AREAS:
        if area is None:
            yield from stops(window.centralWidget())
        for dock in in_reading_order(
            [
                d
                for d in docks
                if window.dockWidgetArea(d) == area and window.rect().intersects(d.geometry())
            ]
        ):
            yield from stops(dock)
    yield from stops(window.statusBar())


def stops(widget: QWidget | None) -> Iterator[QWidget]:
    """A widget and those inside it, as far as they take the focus by Tab, or have it."""
    if widget is None or not (widget.isVisible() or widget.hasFocus()):
        return
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
    if takes and (widget.isEnabled() or widget.hasFocus()):
        yield widget
    for child in in_reading_order(
        [c for c in widget.children() if isinstance(c, QWidget) and not c.isWindow()]
    ):
        yield from stops(child)


def in_reading_order(siblings: list[QWidget]) -> list[QWidget]:
    """Widgets of one parent line by line, each from left to right; a line is what begins above the
    middle of its first widget.
    """
    lines: list[list[QWidget]] = []
    for widget in sorted(siblings, key=lambda w: w.y()):
        if lines and widget.geometry().center().y() <= lines[-1][0].geometry().bottom():
            lines[-1].append(widget)
        else:
            lines.append([widget])
    return [widget for line in lines for widget in sorted(line, key=lambda w: w.x())]
