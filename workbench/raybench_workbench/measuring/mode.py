"""The measuring mode of the canvas: click the points of a measurement, or drag from the first to
the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from raybench.scene.changes import SetDocument
from raybench.scene.document import Document
from raybench.scene.free_names import free_names
from raybench.scene.measurements import KINDS, Measurement, pin_at
from raybench.shapes.point import Point
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.modes.drags import Modifiers, Pan

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

SLACK = 4
"""Largest movement of a click in pixels; more is a drag."""


class MeasureMode:
    """States: waiting for the next point; panning. Esc removes the last point or, without one,
    leaves the tool.
    """

    def __init__(self, view: CanvasView, kind: str) -> None:
        self._view, self.kind = view, KINDS[kind]
        self._picked: list[tuple[Point, int | None]] = []
        """The points clicked so far, each with the key of the object it was picked on."""
        self._pressed: QPointF | None = None
        self._modifiers = Modifiers.NoModifier
        """The modifiers of the last mouse move, which a release uses."""
        self._pan: tuple[Pan, Qt.MouseButton] | None = None
        self.at: tuple[Point, int | None] | None = None
        """The snapped position of the pointer, and the key of the object there."""
        self.space = False

    @property
    def busy(self) -> bool:
        return not self.kind.takes_surface  # the surface under the pointer is lit

    @property
    def begun(self) -> Point | None:
        """The last point clicked."""
        return self._picked[-1][0] if self._picked else None

    @property
    def hint(self) -> str:
        """The instruction shown at the foot of the canvas."""
        back = "takes the last point back" if self._picked else "leaves the tool"
        return f"{self.kind.title}: click {self.kind.clicks[len(self._picked)]}. Esc {back}."

    @property
    def draft(self) -> Measurement | None:
        """The measurement that a click would take; None while points are missing."""
        points = [*self._picked, *([self.at] if self.at is not None else [])]
        return self._make_measurement(points) if len(points) == len(self.kind.clicks) else None

    @property
    def points(self) -> list[Point]:
        """The points clicked so far and, last, that at the pointer."""
        return [at for at, _ in self._picked] + (
            [self.at[0]] if self.at is not None and self._picked else []
        )

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        if button != Qt.MouseButton.LeftButton or self.space:
            self._pan = Pan(self._view, at), button
            return
        self._pressed = at
        self._take_point(at, modifiers)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pan is not None:
            self._pan[0].move(at, modifiers)
            return
        self._modifiers = modifiers
        self.at = self._point_under(at, modifiers)
        self._view.update()

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        if self._pan is not None:
            if button == self._pan[1]:
                self._pan = None
            return
        pressed, self._pressed = self._pressed, None
        if pressed is not None and self._picked and (at - pressed).manhattanLength() > SLACK:
            self._take_point(at, self._modifiers)

    def leave_canvas(self) -> None:
        """Remove the draft at the pointer, which has left the canvas."""
        self.at = None
        self._view.snapper.clear()
        self._view.update()

    def cancel(self) -> bool:
        """Remove the last point or, without one, return to the select mode; returns True."""
        if self._picked:
            self._picked.pop()
        else:
            self._view.choose_kind(None)
        self._view.snapper.clear()
        self._view.update()
        return True

    def leave(self) -> None:
        """Called before another mode is activated: points that measure nothing yet are dropped."""

    def _point_under(self, at: QPointF, modifiers: Modifiers) -> tuple[Point, int | None]:
        """The point of a click, and the key of the object that it is attached to."""
        view = self._view
        origin = self._picked[0][0] if self._picked else None
        point = view.snapper.snap(at, modifiers, origin=origin)
        scene, met = view.document.scene, view.snapper.current
        on = (
            picking.hit_at(view, at)
            if self.kind.takes_surface
            else met.met
            if met is not None
            else None
        )
        key = on.key if on is not None else None
        return point, scene.owner_of(key) if key is not None else None

    def _take_point(self, at: QPointF, modifiers: Modifiers) -> None:
        point, key = self._point_under(at, modifiers)
        if self.kind.takes_surface and key is None:
            self._view.document.failed.emit(
                f"There is no surface here. Click {self.kind.clicks[0]}."
            )
            return
        if self._picked and point == self._picked[-1][0]:
            return  # the second press of a double click
        self._picked.append((point, key))
        self.at = point, key
        if len(self._picked) == len(self.kind.clicks):
            self._finish_measurement()
        self._view.update()

    def _make_measurement(self, points: list[tuple[Point, int | None]]) -> Measurement:
        scene = self._view.document.scene
        return Measurement(self.kind.id, tuple(pin_at(scene, at, key) for at, key in points))

    def _finish_measurement(self) -> None:
        view, made = self._view, self._make_measurement(self._picked)
        self._picked, self.at, self._pressed = [], None, None
        view.snapper.clear()
        existing = view.document.document.measurements
        name = next(free_names(self.kind.title.lower(), existing))
        if view.document.change(
            with_measurements(view.document.document, {**existing, name: made})
        ):
            view.selection.set_measurements({name})
            view.choose_measurement(self.kind.id) if view.keeps_tool else view.choose_kind(None)


def with_measurements(document: Document, measurements: dict[str, Measurement]) -> SetDocument:
    """The change that replaces the measurements of a document."""

    def address(key: int) -> int | None:
        return key if document.scene.get(key) is not None else None

    return SetDocument(measurements={name: m.to_json(address) for name, m in measurements.items()})
