"""How long the window's thread works on much light: panning, the full picture at rest, a click; run
as a module, prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial

from PySide6.QtCore import QCoreApplication, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from raybench.kinds.sources import PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench_workbench.canvas.picking import RayPick
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import offscreen_window, wait_until_settled

from .window_events import longest_hold, send_mouse, taken

MOVES = 30
"""Moves of the mouse of a pan."""
STEP = 7
"""Pixels of each."""


def star(rays: int) -> Document:
    """A point source whose rays all cross the canvas."""
    settings = Settings(ray_mode_density=rays / 500)
    return Document(
        scene=Scene.of(
            [PointSource(name="Lamp", x=3.0, y=2.0, brightness=settings.ray_mode_density)], settings
        )
    )


def panned(window: MainWindow) -> dict[str, float]:
    """Drag the canvas with the middle button: the middle and the longest time of a frame, then what
    follows when the hand rests.
    """
    view, middle = window.canvas, Qt.MouseButton.MiddleButton
    at = QPointF(view.width() / 2, view.height() / 2)
    send_mouse(view, QMouseEvent.Type.MouseButtonPress, at, middle, middle)
    frames = []
    for i in range(MOVES):
        at += QPointF(STEP if i < MOVES / 2 else -STEP, 2)
        move = partial(send_mouse, view, QMouseEvent.Type.MouseMove, at, pressed=middle)
        frames.append(taken(move) + taken(QCoreApplication.processEvents))
    send_mouse(view, QMouseEvent.Type.MouseButtonRelease, at, middle)
    begun = time.perf_counter()
    longest = longest_hold(done=lambda: view.settled)
    waited = (time.perf_counter() - begun) * 1e3
    frames.sort()
    return {
        "frame_ms": frames[len(frames) // 2],
        "worst_frame_ms": frames[-1],
        "hold_ms": longest,
        "rest_ms": waited,
    }


def clicked(window: MainWindow) -> dict[str, float]:
    """Click a ray, the inspector being open: the time until its facts are there, and the longest
    hold of what follows.
    """
    view = window.canvas
    RayPick(view, QPointF(view.width() * 0.3, view.height() * 0.6))
    longest_hold(done=lambda: view.settled)
    picked: list[bool] = []
    spent = taken(
        lambda: picked.append(
            RayPick(view, QPointF(view.width() * 0.7, view.height() * 0.4)).is_shown
        )
    )
    longest = longest_hold(done=lambda: view.settled)
    assert picked == [True], "the rays are so dense that every click meets one"
    return {"click_ms": spent, "after_click_ms": longest}


def measured(rays: int, *, click: bool) -> dict[str, float]:
    """Open the star in a window, pan it, and with ``click`` pick one of its rays."""
    with offscreen_window(None) as window:
        window.document.replace_session(Session(star(rays)))
        window.service.start()
        wait_until_settled(window)
        result = window.document.result
        out = {"segments": float(len(result) if result is not None else 0)} | panned(window)
        return out | (clicked(window) if click else {})


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]), click="click" in sys.argv[2:])))
