"""Forms on the canvas for typed points: a control point, the centre of rotation, and the next point
of the object being drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QCursor

from raybench.kinds.object import SceneObject
from raybench.scene.changes.dragging import drag_of
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.creation import title_of
from raybench.scene.point_numbers import COORDINATES, PointNumber, point_numbers, polar
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.create_mode import CreateMode
from raybench_workbench.canvas.modes.point_editor import PointEditor

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView


def edit_point(view: CanvasView, obj: SceneObject, control: ControlPoint) -> None:
    """Open the form of a control point's numbers; all that is typed in it is one undo step."""
    numbers, document = point_numbers(obj, control), view.document

    def current() -> tuple[SceneObject, ControlPoint] | None:
        now = document.scene.get(obj.key)
        same = (
            (c for c in control_points(now) if (c.field, c.path) == (control.field, control.path))
            if now is not None
            else ()
        )
        return next(((now, c) for c in same if now is not None), None)

    def numbers_now() -> tuple[Sequence[PointNumber], Point] | None:
        now = current()
        return (point_numbers(*now), now[1].at) if now is not None else None

    def moved(at: Point) -> str:
        now = current()
        if now is None:
            return f"{obj.title} is no longer in the scene."
        return document.attempt(drag_of(*now, at), f"point {id(numbers)}")

    at = view.camera.to_screen(control.at)
    editor = PointEditor(
        view,
        at,
        f"{obj.title}: {control.label.lower()}",
        numbers,
        control.at,
        document.document.unit,
        moved,
    )
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

    PointEditor(
        view,
        view.camera.to_screen(at),
        "Centre of rotation",
        COORDINATES,
        at,
        view.document.document.unit,
        moved,
    )


def type_point(view: CanvasView, text: str) -> bool:
    """Open the form for the point that the create mode waits for, with ``text`` as its first
    number. Returns False in another mode.
    """
    mode = view.mode
    if not isinstance(mode, CreateMode):
        return False
    at = (
        view.camera.to_scene(QPointF(view.mapFromGlobal(QCursor.pos())))
        if mode.at is None
        else mode.at
    )
    numbers: tuple[PointNumber, ...]
    done: Callable[[Point], None]
    if mode.begun is None:
        what, numbers, done = "first point", COORDINATES, mode.begin_at
    else:
        what, numbers, done = "next point", (*polar(mode.begun), *COORDINATES), mode.draw_to
    form = PointEditor(
        view, view.camera.to_screen(at), f"{title_of(mode.kind)}: {what}", numbers, at, view.document.document.unit,
        lambda _: "", done,
    )  # fmt: skip
    form.begin(0, text)
    return True
