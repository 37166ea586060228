"""How long the window is held while the prism of a scene is dragged."""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

from raybench.kinds.glasses import Glass
from raybench.shapes.point import Point
from raybench_workbench.shot import offscreen_window, wait_until_settled

MOVES = 60
INTERVAL = 1 / 60
"""Seconds between two moves of the mouse."""
TARGET = 50.0
"""Milliseconds that the window may be held at a time."""


def measure_drag(scene_path: Path) -> dict[str, float]:
    """Drag the first glass of a scene along a circle by `MOVES` real mouse moves, and until all is
    traced and painted again.

    ``longest_hold_ms`` is the longest time that one round of the event loop took (an upper bound of
    every single event in it); ``median_hold_ms`` the middle of the rounds that did something;
    ``frames`` counts the traces shown while dragging, ``segments`` those of the full trace,
    ``settle_ms`` the time from letting go until the full picture stands.
    """
    from PySide6.QtCore import QCoreApplication, QPointF, Qt
    from PySide6.QtGui import QMouseEvent

    with offscreen_window(scene_path) as window:
        wait_until_settled(window)
        view, document = window.canvas, window.document
        glass = next(o for o in document.scene.objects if isinstance(o, Glass))
        centre = Point(
            sum(v.x for v in glass.path) / len(glass.path),
            sum(v.y for v in glass.path) / len(glass.path),
        )
        start = view.camera.to_screen(centre)
        holds: list[float] = []
        frames = 0

        def count(_: object) -> None:
            nonlocal frames
            frames += 1

        def send(kind: QMouseEvent.Type, at: QPointF, buttons: Qt.MouseButton) -> None:
            button = (
                Qt.MouseButton.NoButton
                if kind == QMouseEvent.Type.MouseMove
                else Qt.MouseButton.LeftButton
            )
            event = QMouseEvent(
                kind, at, view.mapToGlobal(at), button, buttons, Qt.KeyboardModifier.NoModifier
            )
            QCoreApplication.postEvent(view, event)

        def run(seconds: float) -> None:
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                begun = time.perf_counter()
                QCoreApplication.processEvents()
                holds.append((time.perf_counter() - begun) * 1e3)
                time.sleep(0.0005)

        document.resultChanged.connect(count)
        send(QMouseEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton)
        run(INTERVAL)
        for i in range(1, MOVES + 1):
            angle = 2 * math.pi * i / MOVES
            at = start + QPointF(40 * math.sin(angle) + 10, 25 * (1 - math.cos(angle)))
            send(QMouseEvent.Type.MouseMove, at, Qt.MouseButton.LeftButton)
            run(INTERVAL)
        dragged = frames
        released = time.perf_counter()
        send(QMouseEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)
        run(INTERVAL)
        while window.service.busy or window.service.awaits_trace or not view.settled:
            run(0.002)
        settled = (time.perf_counter() - released) * 1e3
        assert document.session.fresh_result is not None
        busy = sorted(h for h in holds if h > 0.2)
        return {
            "longest_hold_ms": max(holds),
            "median_hold_ms": busy[len(busy) // 2] if busy else 0.0,
            "frames": float(dragged),
            "segments": float(len(document.session.fresh_result)),
            "settle_ms": settled,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="+", type=Path, metavar="SCENE")
    for path in parser.parse_args().scenes:
        m = measure_drag(path)
        print(
            f"{path.stem}: longest hold {m['longest_hold_ms']:.1f} ms (target below {TARGET:g} ms),"
            f" median {m['median_hold_ms']:.1f} ms, {m['frames']:.0f} traces shown in {MOVES}"
            f" moves, all {m['segments']:.0f} segments {m['settle_ms']:.0f} ms after letting go"
        )


if __name__ == "__main__":
    main()
