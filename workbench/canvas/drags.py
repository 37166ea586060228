"""What can go on between pressing a button and letting go: each drag is a small machine that can be moved, finished or cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt

from core.kinds.object import SceneObject
from core.scene.changes import Move, Set
from core.scene.control_points import ControlPoint
from core.scene.hit_test import within
from core.shapes.point import Point
from workbench.document import Gesture

if TYPE_CHECKING:
    from workbench.canvas.view import CanvasView

Modifiers = Qt.KeyboardModifier


class Drag(Protocol):
    """One drag. ``at`` is in pixels."""

    def move(self, at: QPointF, modifiers: Modifiers) -> None: ...
    def finish(self) -> None: ...
    def cancel(self) -> None: ...


class Pan:
    """Moving the picture under the pointer."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        self._view, self._start, self._camera = view, start, view.camera

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        by = at - self._start
        self._view.look(self._camera.panned(by.x(), by.y()))

    def finish(self) -> None:
        pass

    def cancel(self) -> None:
        self._view.look(self._camera)


class Band:
    """Selecting what lies wholly in a rectangle, beside what was selected if ``keep``."""

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
        self._gesture: Gesture | None = None

    def _begun(self) -> Gesture:
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
    """Dragging whole objects; Shift keeps to the horizontal or the vertical."""

    def __init__(self, view: CanvasView, start: QPointF, keys: frozenset[int]) -> None:
        super().__init__(view, start)
        self._keys = tuple(keys)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        to = self._view.camera.to_scene(at)
        dx, dy = straight(to.x - self._start.x, to.y - self._start.y, modifiers)
        settings = self._view.document.scene.settings
        if settings.snap_to_grid:
            dx, dy = snapped(dx, settings.grid_size), snapped(dy, settings.grid_size)
        self._begun().update(Move(self._keys, dx, dy))


class MoveControl(_Edit):
    """Dragging one control point; Shift keeps to the horizontal or the vertical."""

    def __init__(self, view: CanvasView, start: QPointF, obj: SceneObject, control: ControlPoint) -> None:
        super().__init__(view, start)
        self._key, self._control = obj.key, control

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        to, was = self._view.camera.to_scene(at), self._control.at
        dx, dy = straight(to.x - self._start.x, to.y - self._start.y, modifiers)
        place = Point(was.x + dx, was.y + dy)
        settings = self._view.document.scene.settings
        if settings.snap_to_grid:
            place = Point(snapped(place.x, settings.grid_size), snapped(place.y, settings.grid_size))
        self._begun().update(Set(self._key, self._control.values(place)))


def straight(dx: float, dy: float, modifiers: Modifiers) -> tuple[float, float]:
    """A shift, kept to the axis it is nearest to while Shift is held."""
    if modifiers & Modifiers.ShiftModifier:
        return (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
    return dx, dy


def snapped(value: float, step: float) -> float:
    return round(value / step) * step
