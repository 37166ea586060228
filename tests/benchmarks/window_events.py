"""How long the window's event loop is blocked, in milliseconds of processor time of its thread:
other programs do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

NAP = 0.0005
"""Seconds between two rounds of the event loop."""
NONE = Qt.MouseButton.NoButton


def longest_hold(
    act: Callable[[], object] = lambda: None,
    done: Callable[[], bool] = lambda: False,
    seconds: float = 60.0,
) -> float:
    """The longest block of the event loop from an action on, until ``done``, or for some seconds of
    the clock.
    """
    until = time.perf_counter() + seconds
    worst = taken(act)
    while not done() and time.perf_counter() < until:
        worst = max(worst, taken(QCoreApplication.processEvents))
        time.sleep(NAP)
    return worst


def taken(act: Callable[[], object]) -> float:
    """The time that an action takes."""
    begun = time.thread_time()
    act()
    return (time.thread_time() - begun) * 1e3


def send_mouse(
    widget: QWidget,
    kind: QMouseEvent.Type,
    at: QPointF,
    button: Qt.MouseButton = NONE,
    pressed: Qt.MouseButton = NONE,
) -> None:
    """Send a mouse event: ``button`` is the one that changed, ``pressed`` those that are down after
    it.
    """
    QCoreApplication.sendEvent(
        widget,
        QMouseEvent(
            kind, at, widget.mapToGlobal(at), button, pressed, Qt.KeyboardModifier.NoModifier
        ),
    )
