"""How long the window's thread works on much light: panning, the full picture at rest, a click; run as a module, prints JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from core.kinds.sources import PointSource
from core.scene.document import Document
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.session import Session
from workbench.main_window import MainWindow
from workbench.shot import offscreen_window, settle

MOVES = 30
"""Moves of the mouse of a pan."""
STEP = 7
"""Pixels of each."""


def star(rays: int) -> Document:
    """A point source whose rays all cross the canvas."""
    settings = Settings(ray_mode_density=rays / 500)
    return Document(scene=Scene.of([PointSource(name="Lamp", x=3.0, y=2.0, brightness=settings.ray_mode_density)], settings))


def held(done: Callable[[], bool], seconds: float = 60.0) -> tuple[float, float]:
    """The longest round of the event loop until ``done``, in milliseconds of this thread, and the time until then on the clock."""
    from PySide6.QtCore import QCoreApplication

    longest, first = 0.0, time.perf_counter()
    while not done() and time.perf_counter() < first + seconds:
        begun = time.thread_time()
        QCoreApplication.processEvents()
        longest = max(longest, time.thread_time() - begun)
        time.sleep(0.0005)
    return longest * 1e3, (time.perf_counter() - first) * 1e3


def panned(window: MainWindow) -> dict[str, float]:
    """Drag the canvas with the middle button: the middle and the longest time of a frame, then what follows when the hand rests."""
    from PySide6.QtCore import QCoreApplication, QPointF, Qt
    from PySide6.QtGui import QMouseEvent

    view, middle = window.canvas, Qt.MouseButton.MiddleButton
    at = QPointF(view.width() / 2, view.height() / 2)

    def send(kind: QMouseEvent.Type, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
        QCoreApplication.sendEvent(view, QMouseEvent(kind, at, view.mapToGlobal(at), button, buttons, Qt.KeyboardModifier.NoModifier))

    send(QMouseEvent.Type.MouseButtonPress, middle, middle)
    frames = []
    for i in range(MOVES):
        at += QPointF(STEP if i < MOVES / 2 else -STEP, 2)
        begun = time.thread_time()
        send(QMouseEvent.Type.MouseMove, Qt.MouseButton.NoButton, middle)
        QCoreApplication.processEvents()
        frames.append((time.thread_time() - begun) * 1e3)
    send(QMouseEvent.Type.MouseButtonRelease, middle, Qt.MouseButton.NoButton)
    longest, waited = held(lambda: view.settled)
    frames.sort()
    return {"frame_ms": frames[len(frames) // 2], "worst_frame_ms": frames[-1], "hold_ms": longest, "rest_ms": waited}


def clicked(window: MainWindow) -> dict[str, float]:
    """Click a ray, the inspector being open: the time until its facts are there, and the longest hold of what follows."""
    from PySide6.QtCore import QPointF

    from workbench.canvas.picking import pick_ray

    view = window.canvas
    pick_ray(view, QPointF(view.width() * 0.3, view.height() * 0.6))
    held(lambda: view.settled)
    begun = time.thread_time()
    picked = pick_ray(view, QPointF(view.width() * 0.7, view.height() * 0.4))
    taken = (time.thread_time() - begun) * 1e3
    longest, _ = held(lambda: view.settled)
    assert picked, "the rays are so dense that every click meets one"
    return {"click_ms": taken, "after_click_ms": longest}


def measured(rays: int, *, click: bool) -> dict[str, float]:
    """Open the star in a window, pan it, and with ``click`` pick one of its rays."""
    with offscreen_window(None) as window:
        window.document.adopt(Session(star(rays)))
        window.service.start()
        settle(window)
        result = window.document.result
        out = {"segments": float(len(result) if result is not None else 0)} | panned(window)
        return out | (clicked(window) if click else {})


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]), click="click" in sys.argv[2:])))
