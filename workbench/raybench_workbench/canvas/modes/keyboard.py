"""Keys on the canvas: the arrow keys move the selection, Space pans, Enter finishes a drawing and
Esc cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QCursor, QKeyEvent, QKeySequence

from raybench.kinds.object import SceneObject
from raybench.scene.changes import Move
from raybench.scene.changes.placing import drag_of
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.creation import title_of
from raybench.scene.locks import movable_keys
from raybench.scene.place_numbers import COORDINATES, PointNumber, point_numbers, polar_numbers
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.create_mode import CreateMode
from raybench_workbench.canvas.modes.select_mode import PointEditor

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

COARSE = 10
"""Factor on the step of the arrow keys while Shift is held."""
KEYS = (
    ("Arrow keys", "Move the selection by one unit, or one step of the grid"),
    ("Shift+Arrow keys", f"Move it by {COARSE} of them"),
    ("Space+Drag", "Pan"),
    (
        "Esc",
        (
            "Cancel a drag; stop a long trace; take back a point, then leave the tool; else select"
            " nothing; else remove the highlight"
        ),
    ),
    ("Backspace, Ctrl+Z", "While an object is drawn, or measured: take back the last point"),
    ("Enter", "Finish an outline; with a tool, place an object in the middle"),
    (
        "0-9",
        (
            "With a tool: type the place of the first point, then the length and the angle to the"
            " next; 100 50 gives both"
        ),
    ),
    ("Double click", "On a handle: type its coordinates, length, angle or radius"),
    ("Shift+Drag", "Draw, move or turn in steps: 0°, 45°, 90° and the original direction"),
    ("Ctrl+Drag", "Move a copy; with a tool, draw symmetrically about the start"),
    ("Alt+Drag", "Do not snap"),
)
"""The keys of the canvas that are not shortcuts of actions, for the list of keys."""
_DELETES = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def drawing_uses(view: CanvasView, event: QKeyEvent) -> bool:
    """Whether a key that may be a shortcut is for what is drawn or measured."""
    return begins_number(view, event) or takes_back(view, event)


def begins_number(view: CanvasView, event: QKeyEvent) -> bool:
    """Whether a key begins a number for the point being drawn, rather than being a shortcut: ``-``
    otherwise rotates the selection.
    """
    typed = event.text()
    return isinstance(view.mode, CreateMode) and bool(typed) and typed in "0123456789.-"


def takes_back(view: CanvasView, event: QKeyEvent) -> bool:
    """Whether a key takes back the last point of what is drawn or measured, not the selection or
    the last change of the document.
    """
    undoes = event.key() in _DELETES or event.matches(QKeySequence.StandardKey.Undo)
    return undoes and view.mode.begun is not None


def press_key(view: CanvasView, event: QKeyEvent) -> bool:
    """Handle a key press; returns whether the canvas uses the key."""
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Escape:
        # cancels the current drag, else clears the selection, else removes the highlight
        if not view.mode.cancel():
            if view.selection.keys or view.selection.measurements:
                view.selection.clear()
            else:
                view.document.highlight(None)
    elif takes_back(view, event):
        view.mode.cancel()
    elif key == Qt.Key.Key_Space:
        view.mode.space = True
        view.update_cursor()
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return view.mode.finish()
    elif begins_number(view, event):
        type_point(view, event.text())
    elif key in _DIRECTIONS and view.selection.keys:
        coarse = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        _move_selection(view, *_DIRECTIONS[key], factor=COARSE if coarse else 1)
    else:
        return False
    return True


def release_key(view: CanvasView, event: QKeyEvent) -> bool:
    """Handle a key release; returns whether the canvas uses the key."""
    if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
        return False
    view.mode.space = False
    view.update_cursor()
    return True


def _move_selection(view: CanvasView, x: int, y: int, *, factor: int) -> None:
    """Move the selection by one unit, or one grid step where it snaps, times ``factor``.
    Consecutive moves are one undo step.
    """
    scene, settings = view.document.scene, view.document.scene.settings
    keys = sorted(movable_keys(scene, view.selection.keys))
    if not keys:
        view.document.failed.emit(
            "The selection is locked and cannot be moved. Unlock it in its properties to move it."
        )
        return
    unit = settings.grid_size if settings.snap_to_grid else settings.length_scale
    move = Move(keys, x * unit * factor, y * unit * factor)
    if view.document.change(move, merge_key=f"nudge {keys}"):
        view.navigation.show_objects(keys)


def edit_point(view: CanvasView, obj: SceneObject, control: ControlPoint) -> None:
    """Open the form of a control point's numbers; all that is typed in it is one undo step."""
    document = view.document

    def current() -> tuple[SceneObject, ControlPoint] | None:
        now = document.scene.get(obj.key)
        controls = control_points(now) if now is not None else ()
        same = (c for c in controls if (c.field, c.path) == (control.field, control.path))
        return next(((now, c) for c in same if now is not None), None)

    def numbers_now() -> tuple[Sequence[PointNumber], Point] | None:
        now = current()
        return (point_numbers(*now), now[1].at) if now is not None else None

    def moved(at: Point) -> str:
        now = current()
        if now is None:
            return f"{obj.title} is no longer in the scene."
        return document.attempt(drag_of(*now, at), f"point {id(current)}")

    title, numbers = f"{obj.title}: {control.label.lower()}", point_numbers(obj, control)
    editor = PointEditor(view, title, numbers, control.at, moved=moved)
    editor.form.refused.connect(document.failed)
    editor.follow(document.changed, numbers_now)


def edit_centre(view: CanvasView, at: Point) -> None:
    """Open the form of the centre about which the selection is rotated, mirrored and scaled; it is
    not part of the document.
    """

    def moved(to: Point) -> str:
        view.pivot = to
        view.update()
        return ""

    PointEditor(view, "Centre of rotation", COORDINATES, at, moved=moved)


def type_point(view: CanvasView, text: str) -> None:
    """Open the form for the point that the create mode waits for, with ``text`` as its first
    number.
    """
    mode = view.mode
    assert isinstance(mode, CreateMode)
    at = mode.at or view.camera.to_scene(QPointF(view.mapFromGlobal(QCursor.pos())))
    numbers: tuple[PointNumber, ...] = COORDINATES
    if mode.begun is not None:
        numbers = *polar_numbers(mode.begun), *COORDINATES
    what = "first point" if mode.begun is None else "next point"
    done = mode.begin_at if mode.begun is None else mode.draw_to
    form = PointEditor(view, f"{title_of(mode.kind)}: {what}", numbers, at, done=done)
    form.begin(0, text)
