"""Keys on the canvas: the arrow keys move the selection, Space pans, Enter finishes a drawing and
Esc cancels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from raybench.scene.changes import Move
from raybench.scene.locks import movable_keys
from raybench_workbench.canvas.modes.create_mode import CreateMode
from raybench_workbench.canvas.modes.point_editor import open_form_for_point
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

COARSE_FACTOR, FINE_FACTOR = 10.0, 0.1
"""Factors on the step of the arrow keys while Shift or Alt is held."""
CANVAS_KEYS = (
    (tr("Arrow keys"), tr("Move the selection by one unit, or one step of the grid")),
    (tr("Shift+Arrow keys"), tr("Move it by {factor:g} of them", factor=COARSE_FACTOR)),
    (tr("Alt+Arrow keys"), tr("Move it by {factor:g} of one", factor=FINE_FACTOR)),
    ("Space+Drag", tr("Pan")),
    (
        "Esc",
        (
            tr(
                "Cancel a drag; stop a long trace; take back a point, then leave the tool;"
                " else select nothing; else remove the highlight"
            )
        ),
    ),
    (
        tr("Backspace, Ctrl+Z"),
        tr("While an object is drawn, or measured: take back the last point"),
    ),
    ("Enter", tr("Finish an outline; with a tool, place an object in the middle")),
    (
        "0-9",
        (
            tr(
                "With a tool: type the place of the first point, then the length and the"
                " angle to the next; 100 50 gives both"
            )
        ),
    ),
    ("Tab", tr("After a click on a ray or a measurement: take the next of several rays there")),
    (tr("Double click"), tr("On a handle: type its coordinates, length, angle or radius")),
    ("Shift+Drag", tr("Draw, move or turn in steps: 0°, 45°, 90° and the original direction")),
    ("Ctrl+Drag", tr("Move a copy; with a tool, draw symmetrically about the start")),
    ("Alt+Drag", tr("Do not snap")),
    (
        tr("Space, Left, Right, Home, End"),
        tr(
            "While a study is played: play or pause, a step back or forward, to the"
            " first or last row"
        ),
    ),
)
"""The keys of the canvas that are not shortcuts of actions, for the list of keys."""
FILM_KEYS = (
    Qt.Key.Key_Space,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
"""The keys that play a film and step through it."""
_DELETES = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def is_canvas_key(view: CanvasView, event: QKeyEvent) -> bool:
    """Whether the canvas handles this key, which may otherwise be a shortcut."""
    return (
        begins_number_input(view, event) or is_undo_key(view, event) or is_moving_key(view, event)
    )


def begins_number_input(view: CanvasView, event: QKeyEvent) -> bool:
    """Whether this key begins a number for the point being drawn, instead of acting as a shortcut.
    For example, ``-`` otherwise rotates the selection.
    """
    typed = event.text()
    return isinstance(view.mode, CreateMode) and bool(typed) and typed in "0123456789.-"


def is_undo_key(view: CanvasView, event: QKeyEvent) -> bool:
    """Whether this key removes the last drawn or measured point, rather than the selected objects
    or the document's last change.
    """
    undoes = event.key() in _DELETES or event.matches(QKeySequence.StandardKey.Undo)
    return undoes and view.mode.previous_point is not None


def is_moving_key(view: CanvasView, event: QKeyEvent) -> bool:
    """Whether this key moves the selection. With Alt it otherwise shows another view."""
    return event.key() in _DIRECTIONS and bool(view.selection.keys)


def handle_key_press(view: CanvasView, event: QKeyEvent) -> bool:
    """Handle a key press; returns whether the canvas uses the key."""
    key = Qt.Key(event.key())
    if key in FILM_KEYS and view.selection.snapshot is not None:
        view.filmKeyPressed.emit(key)
    elif key == Qt.Key.Key_Escape:
        # cancels the current drag, else clears the selection, else removes the highlight and leaves
        # the picture as it is
        if not view.mode.cancel():
            if view.selection.keys or view.selection.measurements:
                view.selection.clear()
            else:
                view.document.highlight(None)
                view.escapePressed.emit()
    elif is_undo_key(view, event):
        view.mode.cancel()
    elif key == Qt.Key.Key_Space:
        view.mode.space = True
        view.update_cursor()
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return view.mode.finish_drawing()
    elif begins_number_input(view, event):
        open_form_for_point(view, event.text())
    elif is_moving_key(view, event):
        coarse, fine = (
            event.modifiers() & held
            for held in (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier)
        )
        _move_selection(
            view,
            *_DIRECTIONS[key],
            factor=COARSE_FACTOR if coarse else FINE_FACTOR if fine else 1.0,
        )
    else:
        return False
    return True


def handle_key_release(view: CanvasView, event: QKeyEvent) -> bool:
    """Handle a key release; returns whether the canvas uses the key."""
    if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
        return False
    view.mode.space = False
    view.update_cursor()
    return True


def _move_selection(view: CanvasView, x: int, y: int, *, factor: float) -> None:
    """Move the selection by ``factor`` units, or by ``factor`` grid steps if it snaps to the grid.
    Consecutive moves are one undo step.
    """
    scene, settings = view.document.scene, view.document.scene.settings
    keys = sorted(movable_keys(scene, view.selection.keys))
    if not keys:
        view.document.failed.emit(
            tr(
                "The selection is locked and cannot be moved. Unlock it in its properties to"
                " move it."
            )
        )
        return
    unit = settings.grid_size if settings.snap_to_grid else settings.length_scale
    move = Move(keys, x * unit * factor, y * unit * factor)
    if view.document.change(move, merge_key=f"nudge {keys}"):
        view.navigation.show_objects(keys)
