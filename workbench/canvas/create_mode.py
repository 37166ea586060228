"""The create mode of the canvas: drag an object out or click its ends, click a position, or click an outline's corners in sequence."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from core.kinds.kinds import KINDS
from core.scene.changes import Add
from core.scene.creation import from_drag, from_points, is_click, is_path, least_points
from core.shapes.point import Point
from workbench.canvas.drags import Modifiers, Pan, constrained, length_and_angle, snapped
from workbench.document import DocumentGesture

if TYPE_CHECKING:
    from workbench.canvas.view import CanvasView

SLACK = 4
"""Tolerance in pixels for telling a click from a drag; twice that for hitting a corner."""
DEFAULT_SIZE = 120
"""Size in pixels of an object that the Enter key adds."""


class CreateMode:
    """States: waiting for the first point; drawing, with the unfinished object visible; panning. After one object, select mode again.

    A dragged object is part of the document from the first mouse move on, so that its rays show. It is one undo step; Esc cancels it.
    """

    def __init__(self, view: CanvasView, kind: str) -> None:
        self._view, self.kind = view, kind
        self._label = KINDS[kind].label
        self._gesture: DocumentGesture | None = None
        self._start: Point | None = None
        self._pressed: QPointF | None = None
        self._pan: tuple[Pan, Qt.MouseButton] | None = None
        self._key: int | None = None
        self.points: list[Point] = []
        """The corners clicked so far and, last, the position of the pointer."""
        self.space = False

    @property
    def busy(self) -> bool:
        return True  # no hover effects while drawing

    @property
    def hint(self) -> str:
        """The instruction shown at the foot of the canvas."""
        name = self._label.lower()
        if is_path(self.kind):
            more = "click the first point or press Enter to finish" if len(self.points) > least_points(self.kind) else "click its points"
            return f"New {name}: {more}. Esc cancels."
        if is_click(self.kind):
            return f"New {name}: click where it goes. Esc cancels."
        return (
            f"New {name}: click its other end. Esc cancels." if self._start else f"New {name}: drag it out, or click its ends. Esc cancels."
        )

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        if button != Qt.MouseButton.LeftButton or self.space:
            self._pan = Pan(self._view, at), button
            return
        self._pressed = at
        point = self._snap(at, modifiers)
        if is_path(self.kind):
            self._click_corner(at, point)
        elif is_click(self.kind):
            self._show(point, point)
            self._finish()
        elif self._start is None:
            self._start = point
            self._view.update()
        else:
            self._show(self._start, point)
            self._finish()

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pan is not None:
            self._pan[0].move(at, modifiers)
            return
        point = self._snap(at, modifiers)
        if self.points:
            self.points[-1] = point
            self._view.update()
        elif self._start is not None and point != self._start:
            self._show(self._start, point)
        before = self._start or (self.points[-2] if len(self.points) > 1 else None)
        self._view.show_readout(length_and_angle(before, point, self._view.document.document.unit) if before else "", at)

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        if self._pan is not None:
            if button == self._pan[1]:
                self._pan = None
            return
        dragged = self._pressed is not None and (at - self._pressed).manhattanLength() > SLACK
        self._pressed = None
        if self._start is not None and dragged:
            self._finish()

    def cancel(self) -> bool:
        """Discard the unfinished object and return to the select mode; returns True."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
        self._view.choose_kind(None)
        return True

    def leave(self) -> None:
        """Keep the object drawn so far; called before another mode is activated."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.finish()

    def finish(self) -> None:
        """Finish the outline; if nothing was begun, add an object of default size in the centre (the Enter key)."""
        if self.points:
            self._finish_path(self.points[:-1])
            return
        middle = QPointF(self._view.width() / 2, self._view.height() / 2)
        half = QPointF(0, DEFAULT_SIZE / 2)
        to_scene = self._view.camera.to_scene
        if is_path(self.kind):
            corners = (middle - half, middle + half + QPointF(half.y(), 0), middle + half - QPointF(half.y(), 0))
            self._finish_path([to_scene(c) for c in corners])
        else:
            self._show(to_scene(middle - half), to_scene(middle + half) if not is_click(self.kind) else to_scene(middle))
            self._finish()

    def _snap(self, at: QPointF, modifiers: Modifiers) -> Point:
        point = self._view.camera.to_scene(at)
        before = self._start or (self.points[-2] if len(self.points) > 1 else None)
        if before is not None and modifiers & Modifiers.ShiftModifier:
            point = constrained(before, point)
        settings = self._view.document.scene.settings
        step = settings.grid_size
        return Point(snapped(point.x, step), snapped(point.y, step)) if settings.snap_to_grid else point

    # --- objects drawn by one drag

    def _show(self, start: Point, end: Point) -> None:
        """Add the object from ``start`` to ``end`` to the document, or replace it there under the same key."""
        if self._gesture is None:
            self._gesture = self._view.document.begin_gesture()
        made = from_drag(self.kind, start, end)
        if self._key is None:
            self._key = made.key
        made = dataclasses.replace(made, key=self._key)
        self._gesture.update(Add((made,)))

    def _finish(self) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.finish()
        if self._key is not None and self._view.document.scene.get(self._key) is not None:
            self._view.selection.set({self._key})
        self._view.choose_kind(None)

    # --- outlines

    def _click_corner(self, at: QPointF, point: Point) -> None:
        done = self.points[:-1]
        if len(done) >= least_points(self.kind) and (self._view.camera.to_screen(done[0]) - at).manhattanLength() <= 2 * SLACK:
            self._finish_path(done)
        elif not done or point != done[-1]:  # ignore the second press of a double click
            self.points = [*done, point, point]
            self._view.update()
        elif len(done) >= least_points(self.kind):
            self._finish_path(done)

    def _finish_path(self, points: list[Point]) -> None:
        if len(points) < least_points(self.kind):
            self._view.document.failed.emit(f"A {self._label.lower()} needs {least_points(self.kind)} points or more. Click some more.")
            return
        made = from_points(self.kind, points)
        self.points = []
        if self._view.document.change(Add((made,))):
            self._view.selection.set({made.key})
        self._view.choose_kind(None)
