"""The drags of the select mode, from button press to release: each can be moved, finished or cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt

from core.kinds.object import SceneObject
from core.scene.changes import Move
from core.scene.changes.dragging import drag_of
from core.scene.control_points import ControlPoint
from core.scene.hit_test import within
from core.shapes.point import Point
from workbench.document import DocumentGesture

if TYPE_CHECKING:
    from workbench.canvas.view import CanvasView

Modifiers = Qt.KeyboardModifier


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
        self._view.set_camera(self._camera.panned(by.x(), by.y()))

    def finish(self) -> None:
        pass

    def cancel(self) -> None:
        self._view.set_camera(self._camera)


class RubberBand:
    """Select the objects that lie wholly in a rectangle, in addition to those in ``keep``."""

    def __init__(self, view: CanvasView, start: QPointF, keep: frozenset[int]) -> None:
        self._view, self._start, self._keep, self._before = view, start, keep, view.selection.keys

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        self._view.band = QRectF(self._start, at).normalized()
        a, b = self._view.camera.to_scene(self._view.band.topLeft()), self._view.camera.to_scene(self._view.band.bottomRight())
        self._view.selection.set(
            self._keep | (within(self._view.document.scene, (a.x, a.y, b.x, b.y)) - self._view.document.document.hidden)
        )
        self._view.update()

    def finish(self) -> None:
        self._view.band = None
        self._view.update()

    def cancel(self) -> None:
        self._view.selection.set(self._before)
        self.finish()


class _Edit:
    """A drag that changes the document: one undo step, or none if cancelled."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        self._view = view
        self._start = view.camera.to_scene(start)
        self._gesture: DocumentGesture | None = None

    def _begin_gesture(self) -> DocumentGesture:
        if self._gesture is None:
            self._gesture = self._view.document.begin_gesture()
        return self._gesture

    def finish(self) -> None:
        if self._gesture is not None:
            self._gesture.finish()

    def cancel(self) -> None:
        if self._gesture is not None:
            self._gesture.cancel()


class MoveObjects(_Edit):
    """Move whole objects; with Shift only horizontally or vertically."""

    def __init__(self, view: CanvasView, start: QPointF, keys: frozenset[int]) -> None:
        super().__init__(view, start)
        self._keys = tuple(keys)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        to = self._view.camera.to_scene(at)
        dx, dy = axis_aligned(to.x - self._start.x, to.y - self._start.y, modifiers)
        settings = self._view.document.scene.settings
        if settings.snap_to_grid:
            dx, dy = snapped(dx, settings.grid_size), snapped(dy, settings.grid_size)
        self._begin_gesture().update(Move(self._keys, dx, dy))


class MoveControl(_Edit):
    """Move one control point, or with the grip of a handle its group; with Shift only horizontally or vertically."""

    def __init__(self, view: CanvasView, start: QPointF, obj: SceneObject, control: ControlPoint) -> None:
        super().__init__(view, start)
        self._object, self._control = obj, control

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        to, was = self._view.camera.to_scene(at), self._control.at
        dx, dy = axis_aligned(to.x - self._start.x, to.y - self._start.y, modifiers)
        target = Point(was.x + dx, was.y + dy)
        settings = self._view.document.scene.settings
        if settings.snap_to_grid:
            target = Point(snapped(target.x, settings.grid_size), snapped(target.y, settings.grid_size))
        self._begin_gesture().update(drag_of(self._object, self._control, target))


def axis_aligned(dx: float, dy: float, modifiers: Modifiers) -> tuple[float, float]:
    """A displacement; while Shift is held, only its larger component."""
    if modifiers & Modifiers.ShiftModifier:
        return (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
    return dx, dy


def snapped(value: float, step: float) -> float:
    """The multiple of ``step`` nearest to a value."""
    return round(value / step) * step
