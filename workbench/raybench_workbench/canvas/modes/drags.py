"""The drags of the select mode, from button press to release: each can be moved, finished or
cancelled.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt

from raybench.kinds.fields import LENGTH
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Change, Duplicate, Move
from raybench.scene.changes.placing import drag_of
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.hit_test import objects_in_box
from raybench.scene.place_numbers import COORDINATES, PointNumber, point_numbers
from raybench.scene.snapping.targets import targets_of
from raybench.shapes.curves import union
from raybench.shapes.point import Point, without_rounding_errors
from raybench_workbench.document import DocumentGesture

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

Modifiers = Qt.KeyboardModifier
MAX_SNAPPED = 20
"""Number of moved objects whose own points snap."""


class Drag(Protocol):
    """A drag. ``at`` is the pointer's position in pixels."""

    def move(self, at: QPointF, modifiers: Modifiers) -> None: ...
    def finish(self) -> None: ...
    def cancel(self) -> None: ...


class Pan:
    """Pan the canvas."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        self._view, self._start, self._camera = view, start, view.camera

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        by = at - self._start
        self._view.navigation.set_camera(self._camera.panned(by.x(), by.y()))

    def finish(self) -> None:
        pass

    def cancel(self) -> None:
        self._view.navigation.set_camera(self._camera)


class RubberBand:
    """Select the objects that lie wholly in a rectangle, in addition to those in ``keep``."""

    def __init__(self, view: CanvasView, start: QPointF, keep: frozenset[int]) -> None:
        self._view, self._start, self._keep, self._before = view, start, keep, view.selection.keys

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        self._view.band = QRectF(self._start, at).normalized()
        a, b = (
            self._view.camera.to_scene(self._view.band.topLeft()),
            self._view.camera.to_scene(self._view.band.bottomRight()),
        )
        self._select_existing(
            self._keep
            | (
                objects_in_box(self._view.document.scene, (a.x, a.y, b.x, b.y))
                - self._view.document.document.hidden
            )
        )
        self._view.update()

    def finish(self) -> None:
        self._view.band = None
        self._view.update()

    def cancel(self) -> None:
        self._select_existing(self._before)
        self.finish()

    def _select_existing(self, keys: frozenset[int]) -> None:
        """Select the objects that still exist: others may have been deleted during the drag, or
        another document opened.
        """
        scene = self._view.document.scene
        self._view.selection.set(k for k in keys if scene.get(k) is not None)


class Edit:
    """A drag that changes the document: one undo step, or none if cancelled."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        self._view = view
        self._start = view.camera.to_scene(start)
        self._gesture: DocumentGesture | None = None

    def begin_gesture(self) -> DocumentGesture:
        if self._gesture is None:
            self._gesture = self._view.document.begin_gesture()
        return self._gesture

    def finish(self) -> None:
        self._view.show_readout("")
        self._view.snapper.clear()
        if self._gesture is not None:
            self._gesture.finish()

    def cancel(self) -> None:
        self._view.show_readout("")
        self._view.snapper.clear()
        if self._gesture is not None:
            self._gesture.cancel()


class MoveObjects(Edit):
    """Move whole objects; with Shift only horizontally or vertically."""

    def __init__(self, view: CanvasView, start: QPointF, keys: frozenset[int]) -> None:
        super().__init__(view, start)
        self._keys = tuple(
            sorted(keys, key=view.document.scene.index_of)
        )  # copies are in the order of their originals
        moved = [o for k in self._keys if (o := view.document.scene.get(k)) is not None][
            :MAX_SNAPPED
        ]
        targets = [targets_of(view.document.scene.with_parts_of(o)) for o in moved]
        own = [p for t in targets for p, *_ in t.points]
        boxes = (
            [box for t in targets if (box := t.extent) is not None]
            if len(moved) == len(self._keys)
            else []
        )
        self._box = union(boxes)
        self._points = sorted(dict.fromkeys(own), key=lambda p: math.dist(p, self._start))
        """The objects' own points, those nearest to the pointer first."""

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        to = self._view.camera.to_scene(at)
        snapper = self._view.snapper
        dx, dy = snapper.snap_shift(
            self._points,
            to.x - self._start.x,
            to.y - self._start.y,
            modifiers,
            self._not_snapped_to,
            self._box,
        )
        self.begin_gesture().update(self._change(dx, dy))
        self._view.show_readout(f"{dx:.4g}, {dy:.4g} {self._view.document.document.unit}", at)

    @property
    def _not_snapped_to(self) -> frozenset[int]:
        """Keys of the objects that are not snapped to."""
        return frozenset(self._keys)

    def _change(self, dx: float, dy: float) -> Change:
        return Move(self._keys, dx, dy)


class MoveCopy(MoveObjects):
    """Move a copy of the objects, which also snaps to the originals and is selected at the end."""

    @property
    def _not_snapped_to(self) -> frozenset[int]:
        return frozenset()

    def __init__(self, view: CanvasView, start: QPointF, keys: frozenset[int]) -> None:
        super().__init__(view, start, keys)
        self._copies = Duplicate(self._keys, 0.0, 0.0)

    def _change(self, dx: float, dy: float) -> Change:
        return dataclasses.replace(self._copies, dx=dx, dy=dy)

    def finish(self) -> None:
        super().finish()
        made = [k for k in self._copies.copies if self._view.document.scene.get(k) is not None]
        if made:
            self._view.selection.set(made)


class MoveControl(Edit):
    """Move one control point, or with the grip of a handle its group; with Shift see `nearest_on_line`:
    about the other end if there is one.
    """

    def __init__(
        self, view: CanvasView, start: QPointF, obj: SceneObject, control: ControlPoint
    ) -> None:
        super().__init__(view, start)
        self._object, self._control = obj, control
        others = [c.at for c in control_points(obj) if c.field != control.field]
        self._other = others[0] if len(others) == 1 and control.path else None
        """The other end of an object that has two."""

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        to, was = self._view.camera.to_scene(at), self._control.at
        target = Point(was.x + to.x - self._start.x, was.y + to.y - self._start.y)
        along = (
            []
            if self._other is None
            else [math.atan2(was.y - self._other.y, was.x - self._other.x)]
        )
        target = self._view.snapper.snap_point(
            target, modifiers, origin=self._other or was, without={self._object.key}, along=along
        )
        self.begin_gesture().update(drag_of(self._object, self._control, target))
        unit = self._view.document.document.unit
        measured = [
            _number_readout(n, n.get(target), unit)
            for n in point_numbers(self._object, self._control)[len(COORDINATES) :]
        ]
        place = (
            []
            if self._other is not None and measured
            else [f"{target.x:.4g}, {target.y:.4g} {unit}"]
        )
        self._view.show_readout(
            ";  ".join([*place, ", ".join(measured)] if measured else place), at
        )


def _number_readout(number: PointNumber, value: float, unit: str) -> str:
    """A number of a point for the readout beside the pointer."""
    if number.unit != LENGTH:
        return f"{round(value, 1) + 0.0:g}°"
    return f"{'r ' if number.label == 'Radius' else ''}{value:.4g} {unit}"


def axis_aligned(dx: float, dy: float, modifiers: Modifiers) -> tuple[float, float]:
    """A displacement; while Shift is held, only its larger component."""
    if modifiers & Modifiers.ShiftModifier:
        return (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
    return dx, dy


def nearest_on_line(origin: Point, to: Point, along: Sequence[float] = ()) -> Point:
    """The point nearest to ``to`` on a line through ``origin`` at a multiple of 45° or at one of
    the angles ``along``, in radians.
    """
    dx, dy = to.x - origin.x, to.y - origin.y
    best = max(
        (*(i * math.pi / 4 for i in range(8)), *along),
        key=lambda a: dx * math.cos(a) + dy * math.sin(a),
    )
    reach = dx * math.cos(best) + dy * math.sin(best)
    x, y = origin.x + round(reach * math.cos(best), 9), origin.y + round(reach * math.sin(best), 9)
    size = max(abs(origin.x), abs(origin.y), abs(reach))
    return Point(without_rounding_errors(x, size), without_rounding_errors(y, size))


def length_and_angle(start: Point, end: Point, unit: str) -> str:
    """The length and the direction of a line, in degrees counter-clockwise as seen."""
    length, angle = (
        math.hypot(end.x - start.x, end.y - start.y),
        math.degrees(math.atan2(start.y - end.y, end.x - start.x)),
    )
    return f"{length:.4g} {unit}, {round(angle, 1) + 0.0:g}°"


def snap_value(value: float, step: float) -> float:
    """The multiple of ``step`` nearest to a value."""
    return without_rounding_errors(round(value / step) * step, value)
