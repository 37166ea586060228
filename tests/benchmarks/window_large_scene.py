"""How long the event loop is blocked while a large scene is edited; run as a module, prints
JSON.
"""

from __future__ import annotations

import json
import sys
from functools import partial

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from raybench.files.document_file import save_document
from raybench.scene.changes import Set
from raybench.scene.creation import object_from_drag
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.system.files import temporary_folder
from raybench_workbench import files
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import offscreen_window, wait_until_settled

from .window_events import longest_hold, send_mouse, taken

KINDS = ("Blocker", "Mirror", "IdealLens", "CircleBlocker")
COLUMNS, SPACING = 70, 20
REST = 1.5
"""Seconds until all that an action started has ended."""
TIMES = 5


def large_scene(objects: int) -> Document:
    """Objects of several kinds in rows."""
    places = [(i % COLUMNS * SPACING, i // COLUMNS * SPACING) for i in range(objects)]
    return Document(
        scene=Scene.of(
            [
                object_from_drag(KINDS[i % len(KINDS)], Point(x, y), Point(x + 10, y + 12))
                for i, (x, y) in enumerate(places)
            ]
        )
    )


def measure(objects: int, *, text: bool) -> dict[str, float]:
    """The longest times in milliseconds for opening a scene of so many objects, for selecting,
    beginning to drag, dragging, and editing one, of the best of `TIMES`, and for painting all of
    them selected; with ``text``, beside the scene as JSON.
    """
    with temporary_folder() as folder, offscreen_window(None) as window:
        path = folder / "many.raybench"
        save_document(large_scene(objects), path)
        wait_until_settled(window)
        opened = longest_hold(lambda: files.open_file(window, path), seconds=REST)
        wait_until_settled(window)
        if text:
            longest_hold(window.actions_by_id["view.json"].trigger, seconds=2 * REST)
        return {"open_ms": opened, **_edits(window)}


def _edits(window: MainWindow) -> dict[str, float]:
    canvas, document = window.canvas, window.document
    listed = document.scene.objects
    row = len(listed) // COLUMNS // 2 * COLUMNS
    many = [listed[row + 4 * i].key for i in range(TIMES + 1)]  # blockers, in the middle
    window.selection.set(many[:1])
    longest_hold(seconds=REST)
    left = Qt.MouseButton.LeftButton
    move = partial(send_mouse, canvas, QMouseEvent.Type.MouseMove, pressed=left)
    times_by_name: dict[str, list[float]] = {
        name: [] for name in ("select_ms", "begin_ms", "drag_ms", "edit_ms")
    }
    for i, key in enumerate(many[1:]):
        obj = document.scene.get(key)
        assert obj is not None
        times_by_name["select_ms"].append(
            longest_hold(partial(window.selection.set, {key}), seconds=REST)
        )
        start = canvas.camera.to_screen(Point((obj.p1.x + obj.p2.x) / 2, (obj.p1.y + obj.p2.y) / 2))  # type: ignore[attr-defined]
        send_mouse(canvas, QMouseEvent.Type.MouseButtonPress, start, left, left)
        times_by_name["begin_ms"].append(
            longest_hold(partial(move, start + QPointF(5, 3)), seconds=REST)
        )
        times_by_name["drag_ms"].append(
            longest_hold(partial(move, start + QPointF(9, 30)), seconds=REST)
        )
        send_mouse(canvas, QMouseEvent.Type.MouseButtonRelease, start + QPointF(9, 30), left)
        longest_hold(seconds=REST)
        times_by_name["edit_ms"].append(
            longest_hold(partial(document.change, Set(key, {"name": f"Edited {i}"})), seconds=REST)
        )
    window.selection.set(o.key for o in listed)
    longest_hold(seconds=REST)
    canvas.repaint()
    return {name: min(times) for name, times in times_by_name.items()} | {
        "paint_ms": min(taken(canvas.repaint) for _ in range(TIMES))
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), text="text" in sys.argv[2:])))
