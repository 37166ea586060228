"""Keyboard and mouse wheel in the whole window: the frame around the focused widget, the Tab order,
and wheel events that scroll a panel and do not change the number under the pointer.
"""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from raybench_workbench import theme

RETURNING_REASONS = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
"""Reasons for which a widget loses the focus and gets it back."""


class FocusFrame(QWidget):
    """A frame around the focused widget; a click or a move of the focus removes it."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(widget.size())
        widget.installEventFilter(self)
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        widget = self.parentWidget()
        if event.type() == QEvent.Type.Resize and widget is not None:
            self.resize(widget.size())
        left = (
            isinstance(event, QFocusEvent)
            and event.lostFocus()
            and event.reason() not in RETURNING_REASONS
        )
        if left or event.type() == QEvent.Type.MouseButtonPress:
            self.hide()
            self.deleteLater()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme.current_theme().color("accent"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


DOCK_AREAS = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    None,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
"""The docks of each area in order, with the central widget (None) between them."""


def move_focus(window: QMainWindow, forward: bool) -> bool:
    """Focus the next or previous widget in the Tab order and frame it; returns whether there is
    one.

    Qt also calls this when the focused widget disappears, without a key press; then no frame is
    shown.
    """
    order, current, gone = list(tab_order(window)), window.focusWidget(), is_focus_gone(window)
    if not set(order) - {current}:
        return False
    step = 1 if forward else -1
    place = order.index(current) + step if current in order else 0 if forward else -1
    found = order[place % len(order)]
    found.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    if not gone:
        FocusFrame(found)
    return True


def is_focus_gone(widget: QWidget) -> bool:
    """Whether the focus is in this widget, or in a hidden or disabled one inside it, which makes Qt
    ask for the next widget.
    """
    focused = widget.window().focusWidget()
    return (
        focused is not None
        and widget.isAncestorOf(focused)
        and not (focused.isEnabled() and focused.isVisible())
    )


def tab_order(window: QMainWindow) -> Iterator[QWidget]:
    """The visible widgets of a window in Tab order: the bar at the top, the docks around the
    canvas, the status line.
    """
    yield from focusable_widgets(window.menuWidget())
    docks = [d for d in window.findChildren(QDockWidget) if d.isVisible() and not d.isFloating()]
    for area in DOCK_AREAS:
        if area is None:
            yield from focusable_widgets(window.centralWidget())
        there = [
            d
            for d in docks
            if window.dockWidgetArea(d) == area and window.rect().intersects(d.geometry())
        ]
        for dock in sort_in_reading_order(there):
            yield from focusable_widgets(dock)
    yield from focusable_widgets(window.statusBar())


def focusable_widgets(widget: QWidget | None) -> Iterator[QWidget]:
    """Those widgets, among a widget and its descendants, that take the focus by Tab or have it."""
    if widget is None or not (widget.isVisible() or widget.hasFocus()):
        return
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
    if takes and (widget.isEnabled() or widget.hasFocus()):
        yield widget
    children = [c for c in widget.children() if isinstance(c, QWidget) and not c.isWindow()]
    for child in sort_in_reading_order([c for c in children if not c.isHidden() or c.hasFocus()]):
        yield from focusable_widgets(child)


def sort_in_reading_order(siblings: Iterable[QWidget]) -> list[QWidget]:
    """Sibling widgets sorted line by line, each line from left to right. A line contains the
    widgets that begin above the middle of its first widget.
    """
    lines: list[list[QWidget]] = []
    for widget in sorted(siblings, key=lambda w: w.y()):
        if lines and widget.geometry().center().y() <= lines[-1][0].geometry().bottom():
            lines[-1].append(widget)
        else:
            lines.append([widget])
    return [widget for line in lines for widget in sorted(line, key=lambda w: w.x())]


def leave_wheel_to_form(field: QWidget, focused_too: bool = False) -> None:
    """Make the mouse wheel over a combo box, slider or spin box scroll the form around it, unless
    the field has the focus; with ``focused_too``, even then.
    """
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel does not give it the focus
    field.installEventFilter(_WheelFilter(field, focused_too))


class _WheelFilter(QObject):
    def __init__(self, field: QWidget, focused_too: bool) -> None:
        super().__init__(field)
        self._field, self._focused_too = field, focused_too

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or (self._field.hasFocus() and not self._focused_too):
            return False
        event.ignore()
        return True
