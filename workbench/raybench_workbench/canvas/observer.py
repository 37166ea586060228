"""The observer of a scene: a disc that can be dragged by its middle and resized by its rim."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from raybench.scene.changes import SetSettings
from raybench.scene.document import Document
from raybench.scene.hit_test import ControlHit, Hit
from raybench_workbench.canvas.camera import Camera
from raybench_workbench.canvas.modes.drags import Edit, Modifiers, snapped
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.theme import HANDLE_SIZE

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

REACH = 6.0
"""Largest distance of the pointer from the observer's rim that resizes it, in pixels."""
SMALLEST = 3.0
"""Smallest radius that a drag makes, in pixels."""


def paint_observer(
    painter: QPainter, document: Document, viewport: Viewport, *, handles: bool = False
) -> None:
    """Paint the observer in observer mode; with ``handles`` also the square on its rim that resizes
    it.
    """
    settings = document.scene.settings
    if settings.mode != "observer" or settings.observer is None:
        return
    camera, theme = viewport.camera, viewport.theme
    at, radius = camera.to_screen(settings.observer.c), settings.observer.r * camera.scale
    painter.setPen(QPen(theme.color("sight"), 1.5))
    painter.setBrush(theme.color("sight", 0.25))
    painter.drawEllipse(at, radius, radius)
    if handles:
        painter.setBrush(theme.color("canvas"))
        painter.drawRect(
            QRectF(
                at.x() + radius - HANDLE_SIZE / 2,
                at.y() - HANDLE_SIZE / 2,
                HANDLE_SIZE,
                HANDLE_SIZE,
            )
        )
    painter.setBrush(Qt.BrushStyle.NoBrush)


def observer_part(document: Document, camera: Camera, at: QPointF) -> str:
    """The part of the observer at a point in pixels, ``rim`` or ``middle``; empty for none, and
    outside the observer mode.
    """
    settings = document.scene.settings
    if settings.mode != "observer" or settings.observer is None:
        return ""
    distance = math.hypot(*(at - camera.to_screen(settings.observer.c)).toTuple())
    radius = settings.observer.r * camera.scale
    if abs(distance - radius) <= REACH:
        return "rim"
    return "middle" if distance < radius else ""


def dragged_part(view: CanvasView, at: QPointF, hit: Hit | None) -> str:
    """The part of the observer that a drag from a point moves. It has precedence over objects,
    except selected ones and handles; a click selects the object below it.
    """
    below = hit is None or not (isinstance(hit, ControlHit) or hit.key in view.selection.keys)
    return observer_part(view.document.document, view.camera, at) if below else ""


class DragObserver(Edit):
    """Move the observer, or change its radius: one undo step."""

    def __init__(self, view: CanvasView, start: QPointF, part: str) -> None:
        super().__init__(view, start)
        observer = view.document.scene.settings.observer
        assert observer is not None
        self._part, self._observer = part, observer

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        view, (centre, radius) = self._view, self._observer
        to, settings = view.camera.to_scene(at), view.document.scene.settings
        x, y, unit = centre.x, centre.y, view.document.document.unit
        rounded = view.camera.rounded
        if self._part == "rim":
            radius = max(rounded(math.hypot(to.x - x, to.y - y)), SMALLEST / view.camera.scale)
            text = f"r = {radius:.4g} {unit}"
        else:
            x, y = rounded(x + to.x - self._start.x), rounded(y + to.y - self._start.y)
            if settings.snap_to_grid:
                x, y = snapped(x, settings.grid_size), snapped(y, settings.grid_size)
            text = f"{x:.4g}, {y:.4g} {unit}"
        self.begin_gesture().update(SetSettings({"observer": {"c": {"x": x, "y": y}, "r": radius}}))
        view.show_readout(text, at)
