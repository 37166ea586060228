"""Adding objects: drag one out or click its ends, click a place, or click the corners of an outline one after the other."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from core.kinds.kinds import KINDS
from core.scene.changes import Add
from core.scene.creation import from_drag, from_points, is_click, is_path, least_points
from core.shapes.point import Point
from workbench.canvas.drags import Modifiers, Pan, snapped, straight
from workbench.document import Gesture

if TYPE_CHECKING:
    from workbench.canvas.view import CanvasView

SLACK = 4
"""Pixels within which a release is a click, and a click on a corner is meant for it."""
FIRST_SIZE = 120
"""Pixels of an object that is placed by the Enter key."""


class CreateTool:
    """States: waiting for the first point; drawing, with what has been made on show; panning meanwhile. One object, then the arrow again.

    What is drawn out is part of the document from its first move on, so that its light is seen; it is one undo step, and Esc takes it back.
    """

    def __init__(self, view: CanvasView, kind: str) -> None:
        self._view, self.kind = view, kind
        self._label = KINDS[kind].label
        self._gesture: Gesture | None = None
        self._start: Point | None = None
        self._pressed: QPointF | None = None
        self._pan: tuple[Pan, Qt.MouseButton] | None = None
        self._key: int | None = None
        self.points: list[Point] = []
        """The corners clicked so far and, last, where the pointer is."""
        self.space = False

    @property
    def busy(self) -> bool:
        return True  # nothing lights up under the pointer while something is drawn

    @property
    def hint(self) -> str:
        """What to do next."""
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
        place = self._snap(at, modifiers)
        if is_path(self.kind):
            self._click_corner(at, place)
        elif is_click(self.kind):
            self._show(place, place)
            self._finish()
        elif self._start is None:
            self._start = place
            self._view.update()
        else:
            self._show(self._start, place)
            self._finish()

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pan is not None:
            self._pan[0].move(at, modifiers)
            return
        place = self._snap(at, modifiers)
        if self.points:
            self.points[-1] = place
            self._view.update()
        elif self._start is not None and place != self._start:
            self._show(self._start, place)

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
        """Take back what is being drawn, and be the arrow again."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
        self._view.choose_kind(None)
        return True

    def leave(self) -> None:
        """Keep what was drawn so far, for another tool takes over."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.finish()

    def finish(self) -> None:
        """End an outline as it is or, where nothing was begun, put an object of a common size into the middle (the Enter key)."""
        if self.points:
            self._finish_path(self.points[:-1])
            return
        middle = QPointF(self._view.width() / 2, self._view.height() / 2)
        half = QPointF(0, FIRST_SIZE / 2)
        to_scene = self._view.camera.to_scene
        if is_path(self.kind):
            corners = (middle - half, middle + half + QPointF(half.y(), 0), middle + half - QPointF(half.y(), 0))
            self._finish_path([to_scene(c) for c in corners])
        else:
            self._show(to_scene(middle - half), to_scene(middle + half) if not is_click(self.kind) else to_scene(middle))
            self._finish()

    def _snap(self, at: QPointF, modifiers: Modifiers) -> Point:
        place = self._view.camera.to_scene(at)
        before = self._start or (self.points[-2] if len(self.points) > 1 else None)
        if before is not None:
            dx, dy = straight(place.x - before.x, place.y - before.y, modifiers)
            place = Point(before.x + dx, before.y + dy)
        settings = self._view.document.scene.settings
        step = settings.grid_size
        return Point(snapped(place.x, step), snapped(place.y, step)) if settings.snap_to_grid else place

    # --- strokes

    def _show(self, start: Point, end: Point) -> None:
        """Have the object in the document as the stroke is now, always under the same key."""
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

    def _click_corner(self, at: QPointF, place: Point) -> None:
        done = self.points[:-1]
        if len(done) >= least_points(self.kind) and (self._view.camera.to_screen(done[0]) - at).manhattanLength() <= 2 * SLACK:
            self._finish_path(done)
        elif not done or place != done[-1]:  # the second press of a double click is no corner
            self.points = [*done, place, place]
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
