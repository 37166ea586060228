"""How long the window is held at once while a large scene is edited; run as a module, prints JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from core.files.document_file import save_document
from core.scene.changes import Set
from core.scene.creation import from_drag
from core.scene.document import Document
from core.scene.scene import Scene
from core.shapes.point import Point
from workbench import files
from workbench.main_window import MainWindow
from workbench.shot import offscreen_window, settle

KINDS = ("Blocker", "Mirror", "IdealLens", "CircleBlocker")
COLUMNS, SPACING = 70, 20
REST = 1.5
"""Seconds until all that an action started has ended."""
TIMES = 5


def large_scene(objects: int) -> Document:
    """Objects of several kinds in rows."""
    places = [(i % COLUMNS * SPACING, i // COLUMNS * SPACING) for i in range(objects)]
    return Document(
        scene=Scene.of([from_drag(KINDS[i % len(KINDS)], Point(x, y), Point(x + 10, y + 12)) for i, (x, y) in enumerate(places)])
    )


def longest(act: Callable[[], object], seconds: float = REST) -> float:
    """The longest time in milliseconds for which the window's thread worked at a time from an action on. Times of the processor in this
    thread, so that other programs do not count."""
    begun = time.thread_time()
    act()
    worst, until = time.thread_time() - begun, time.perf_counter() + seconds
    while time.perf_counter() < until:
        begun = time.thread_time()
        QCoreApplication.processEvents()
        worst = max(worst, time.thread_time() - begun)
        time.sleep(0.001)
    return worst * 1e3


def held(objects: int, *, text: bool) -> dict[str, float]:
    """The longest times in milliseconds for opening a scene of so many objects, for selecting, beginning to drag, dragging, and editing
    one, of the best of `TIMES`, and for painting all of them selected; with ``text``, beside the scene as JSON."""
    with tempfile.TemporaryDirectory() as folder, offscreen_window(None) as window:
        path = Path(folder) / "many.raybench"
        save_document(large_scene(objects), path)
        settle(window)
        opened = longest(lambda: files.open_file(window, path))
        settle(window)
        if text:
            longest(lambda: window.actions_by_id["view.json"].trigger(), 2 * REST)
        return {"open_ms": opened, **_edits(window)}


def _edits(window: MainWindow) -> dict[str, float]:
    canvas, document = window.canvas, window.document
    listed = document.scene.objects
    row = len(listed) // COLUMNS // 2 * COLUMNS
    many = [listed[row + 4 * i].key for i in range(TIMES + 1)]  # blockers, in the middle
    window.selection.set(many[:1])
    longest(lambda: None)

    def send(kind: QMouseEvent.Type, at: QPointF, held_down: bool) -> None:
        button = Qt.MouseButton.NoButton if kind == QMouseEvent.Type.MouseMove else Qt.MouseButton.LeftButton
        buttons = Qt.MouseButton.LeftButton if held_down else Qt.MouseButton.NoButton
        QCoreApplication.sendEvent(canvas, QMouseEvent(kind, at, canvas.mapToGlobal(at), button, buttons, Qt.KeyboardModifier.NoModifier))

    found: dict[str, list[float]] = {name: [] for name in ("select_ms", "begin_ms", "drag_ms", "edit_ms")}
    for i, key in enumerate(many[1:]):
        obj = document.scene.get(key)
        assert obj is not None
        found["select_ms"].append(longest(partial(window.selection.set, {key})))
        start = canvas.camera.to_screen(Point((obj.p1.x + obj.p2.x) / 2, (obj.p1.y + obj.p2.y) / 2))  # type: ignore[attr-defined]
        send(QMouseEvent.Type.MouseButtonPress, start, True)
        found["begin_ms"].append(longest(partial(send, QMouseEvent.Type.MouseMove, start + QPointF(5, 3), True)))
        found["drag_ms"].append(longest(partial(send, QMouseEvent.Type.MouseMove, start + QPointF(9, 30), True)))
        send(QMouseEvent.Type.MouseButtonRelease, start + QPointF(9, 30), False)
        longest(lambda: None)
        found["edit_ms"].append(longest(partial(document.change, Set(key, {"name": f"Edited {i}"}))))
    window.selection.set(o.key for o in listed)
    longest(lambda: None)

    def paint() -> None:
        canvas.repaint()

    paint()
    return {name: min(times) for name, times in found.items()} | {"paint_ms": min(longest(paint, 0.0) for _ in range(TIMES))}


if __name__ == "__main__":
    print(json.dumps(held(int(sys.argv[1]), text="text" in sys.argv[2:])))
