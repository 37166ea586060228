"""The mouse drags of the select mode, from button press to release. Each drag can be moved,
finished or cancelled.
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
from raybench.scene.changes.placing import control_drag_change
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.hit_test import objects_in_box
from raybench.scene.place_numbers import COORDINATE_NUMBERS, PointNumber, point_numbers
from raybench.scene.snapping.targets import snap_targets_of_objects
from raybench.shapes.curves import union_of_boxes
from raybench.shapes.point import Point, without_rounding_errors
from raybench_workbench.document import DocumentGesture
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

Modifiers = Qt.KeyboardModifier
MAX_SNAPPED = 20
"""Number of moved objects whose own points snap."""


class Drag(Protocol):
    """A mouse drag. In all methods ``at`` is the position of the pointer in pixels."""

    def move(self, at: QPointF, modifiers: Modifiers) -> None: ...
    def finish(self) -> None: ...
    def cancel(self) -> None: ...


class PanDrag:
    """A drag that pans the canvas."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        self._view, self._start, self._camera = view, start, view.camera

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        by = at - self._start
        self._view.navigation.set_camera(self._camera.panned(by.x(), by.y()))

    def finish(self) -> None:
        pass

    def cancel(self) -> None:
        self._view.navigation.set_camera(self._camera)


class RubberBandDrag:
    """A drag that selects the objects which lie wholly in a rectangle, in addition to the objects
    ``keep``.
    """

    def __init__(self, view: CanvasView, start: QPointF, keep: frozenset[int]) -> None:
        self._view, self._start, self._keep, self._before = view, start, keep, view.selection.keys

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        view = self._view
        view.band = QRectF(self._start, at).normalized()
        a, b = (view.camera.to_scene(p) for p in (view.band.topLeft(), view.band.bottomRight()))
        inside = objects_in_box(view.document.scene, (*a, *b)) - view.document.document.hidden
        self._select_existing(self._keep | inside)
        view.update()

    def finish(self) -> None:
        self._view.band = None
        self._view.update()

    def cancel(self) -> None:
        self._select_existing(self._before)
        self.finish()

    def _select_existing(self, keys: frozenset[int]) -> None:
        """Select those of the objects that still exist: some may have been deleted during the drag,
        or another document opened.
        """
        scene = self._view.document.scene
        self._view.selection.set(k for k in keys if scene.get(k) is not None)


class EditDrag:
    """A drag that changes the document as one undo step, or not at all if it is cancelled."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        self._view = view
        self._start = view.camera.to_scene(start)
        self._gesture: DocumentGesture | None = None

    def begin_gesture(self) -> DocumentGesture:
        if self._gesture is None:
            self._gesture = self._view.document.begin_gesture()
        return self._gesture

    def finish(self) -> None:
        self._clear_marks()
        if self._gesture is not None:
            self._gesture.finish()

    def cancel(self) -> None:
        self._clear_marks()
        if self._gesture is not None:
            self._gesture.cancel()

    def _clear_marks(self) -> None:
        self._view.show_readout("")
        self._view.snapper.clear_guide()


class ObjectDrag(EditDrag):
    """A drag that moves whole objects; with Shift only horizontally or vertically."""

    def __init__(self, view: CanvasView, start: QPointF, keys: frozenset[int]) -> None:
        super().__init__(view, start)
        scene = view.document.scene
        # copies are in the order of their originals
        self._keys = tuple(sorted(keys, key=scene.index_of))
        self._not_snapped_to = frozenset(keys)
        moved = [o for o in map(scene.get, self._keys[:MAX_SNAPPED]) if o is not None]
        targets = [snap_targets_of_objects(scene.with_parts_of(o)) for o in moved]
        own = dict.fromkeys(p for t in targets for p, *_ in t.points)
        self._points = sorted(own, key=lambda p: math.dist(p, self._start))
        """The objects' own points, those nearest to the pointer first."""
        self._box = union_of_boxes(t.extent for t in targets) if len(moved) == len(keys) else None

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        to, view = self._view.camera.to_scene(at), self._view
        x, y = to.x - self._start.x, to.y - self._start.y
        dx, dy = view.snapper.snap_shift(
            self._points, x, y, modifiers, self._not_snapped_to, self._box
        )
        self.begin_gesture().update(self._displacement_change(dx, dy))
        view.show_readout(position_text(dx, dy, view.document.document.unit), at)

    def _displacement_change(self, dx: float, dy: float) -> Change:
        return Move(self._keys, dx, dy)


class CopyDrag(ObjectDrag):
    """A drag that moves copies of the objects. The copies also snap to the originals, and are
    selected at the end.
    """

    def __init__(self, view: CanvasView, start: QPointF, keys: frozenset[int]) -> None:
        super().__init__(view, start, keys)
        self._copies, self._not_snapped_to = Duplicate(self._keys, 0.0, 0.0), frozenset()

    def _displacement_change(self, dx: float, dy: float) -> Change:
        return dataclasses.replace(self._copies, dx=dx, dy=dy)

    def finish(self) -> None:
        super().finish()
        made = [k for k in self._copies.copies if self._view.document.scene.get(k) is not None]
        if made:
            self._view.selection.set(made)


class ControlPointDrag(EditDrag):
    """A drag that moves a control point, or by its grip a handle's group. With Shift, a point only
    moves in the directions of `nearest_point_on_directions` from the other end of the object.
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
        view, was, other = self._view, self._control.at, self._other
        to, unit = view.camera.to_scene(at), view.document.document.unit
        target = Point(was.x + to.x - self._start.x, was.y + to.y - self._start.y)
        along = [] if other is None else [math.atan2(was.y - other.y, was.x - other.x)]
        target = view.snapper.snap_point(
            target, modifiers, origin=other or was, without={self._object.key}, along=along
        )
        self.begin_gesture().update(control_drag_change(self._object, self._control, target))
        numbers = point_numbers(self._object, self._control)[len(COORDINATE_NUMBERS) :]
        shown = [", ".join(_coordinate_readout(n, n.get(target), unit) for n in numbers)]
        if other is None or not numbers:
            shown.insert(0, position_text(*target, unit))
        view.show_readout(";  ".join(filter(None, shown)), at)


def _coordinate_readout(number: PointNumber, value: float, unit: str) -> str:
    """The text with one coordinate of a point, shown beside the pointer."""
    if number.unit != LENGTH:
        return tr("{angle:g}°", angle=round(value, 1) + 0.0)
    text = tr("{length:.4g} {unit}", length=value, unit=unit)
    return f"r {text}" if number.label == "Radius" else text


def position_text(x: float, y: float, unit: str) -> str:
    """Two coordinates, or a displacement, as text."""
    return tr("{x:.4g}, {y:.4g} {unit}", x=x, y=y, unit=unit)


def align_to_axis(dx: float, dy: float, modifiers: Modifiers) -> tuple[float, float]:
    """The displacement (``dx``, ``dy``); while Shift is held, the smaller component is set to zero."""
    if modifiers & Modifiers.ShiftModifier:
        return (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
    return dx, dy


def nearest_point_on_directions(origin: Point, to: Point, along: Sequence[float] = ()) -> Point:
    """The point nearest to ``to`` that lies in certain directions from ``origin``: the multiples of
    45° and the angles ``along``, in radians.
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


def length_and_angle_text(start: Point, end: Point, unit: str) -> str:
    """The length of a line and its direction, in degrees counter-clockwise as seen, as text."""
    angle = math.degrees(math.atan2(start.y - end.y, end.x - start.x))
    return tr(
        "{length:.4g} {unit}, {angle:g}°",
        length=math.dist(start, end),
        unit=unit,
        angle=round(angle, 1) + 0.0,
    )


def snap_value(value: float, step: float) -> float:
    """The multiple of ``step`` that is nearest to ``value``."""
    return without_rounding_errors(round(value / step) * step, value)
