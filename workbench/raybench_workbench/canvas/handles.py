"""Handles that are dragged on the canvas: those that rotate and scale the selection about a centre,
and those that move the observer of a scene or change its radius.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from raybench.errors import RaybenchError, elide_text
from raybench.scene.changes import Rotate, Scale, SetSettings
from raybench.scene.changes.placing import mean_centre_of_objects
from raybench.scene.document import Document
from raybench.scene.hit_test import ControlHit, Hit, scene_extent
from raybench.scene.locks import movable_keys
from raybench.scene.settings import Observer
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.drags import EditDrag, Modifiers, position_text, snap_value
from raybench_workbench.canvas.strokes import pixel_distance, set_pen_and_brush, square_around
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.theme import HANDLE_SIZE
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

HANDLE_DISTANCE = 22
"""Distance in pixels of the handles from the corners of the selection's bounding box."""
HANDLE_REACH = 8
"""Largest distance in pixels from the pointer to a handle."""
MAX_OBJECTS = 200
"""Number of selected objects above which there are no handles."""
TURN_STEP = 15.0
"""Angle in degrees to whose multiples Shift constrains a turn."""
RIM_REACH = 6.0
"""Largest distance of the pointer from the observer's rim that resizes it, in pixels."""
MIN_RADIUS = 3.0
"""Smallest radius that a drag makes, in pixels."""


@dataclass(frozen=True)
class TransformHandles:
    """The positions of the transform handles in pixels, with the objects and the centre that they
    act on.
    """

    keys: frozenset[int]
    about: Point
    centre: QPointF
    turn: QPointF
    scale: QPointF

    def handle_at(self, at: QPointF) -> str:
        """The name of the handle at a point in pixels, ``turn``, ``scale`` or ``centre``; empty if
        there is none.
        """
        # what lies below the centre must stay within reach
        places = {"turn": HANDLE_REACH, "scale": HANDLE_REACH, "centre": HANDLE_REACH - 3}
        near = (n for n, r in places.items() if pixel_distance(at, getattr(self, n)) <= r)
        return next(near, "")


def transform_handles(view: CanvasView) -> TransformHandles | None:
    """The transform handles of the selection; None if no selected object can be moved, or if more
    than `MAX_OBJECTS` objects are selected.
    """
    scene = view.document.scene
    if not 0 < len(view.selection.keys) <= MAX_OBJECTS:
        return None
    keys = movable_keys(scene, view.selection.keys) - view.document.document.hidden
    box = scene_extent(scene, keys) if keys else None
    if box is None:
        return None
    try:
        about = view.pivot or mean_centre_of_objects([o for o in scene.objects if o.key in keys])
    except RaybenchError:
        return None
    shown = view.camera.box_on_screen(box)
    turn = _handle_position_beside_corner(
        view, shown.topRight(), QPointF(HANDLE_DISTANCE, -HANDLE_DISTANCE)
    )
    scale = _handle_position_beside_corner(
        view, shown.bottomRight(), QPointF(HANDLE_DISTANCE, HANDLE_DISTANCE)
    )
    return TransformHandles(keys, about, view.camera.to_screen(about), turn, scale)


def _handle_position_beside_corner(view: CanvasView, corner: QPointF, away: QPointF) -> QPointF:
    """The position of a handle at a distance from a corner of the selection. For a visible corner
    it lies within the canvas, however small the canvas is.
    """
    at, right, bottom = corner + away, view.width(), view.height()
    if QRectF(0, 0, right, bottom).contains(corner):
        at.setX(max(HANDLE_REACH, min(at.x(), right - HANDLE_REACH)))
        at.setY(max(HANDLE_REACH, min(at.y(), bottom - HANDLE_REACH)))
    return at


class RotationDrag(EditDrag):
    """A drag that rotates the selection about its centre. It snaps to the directions of other
    objects; with Shift it goes in steps of `TURN_STEP`.
    """

    def __init__(self, view: CanvasView, start: QPointF, handles: TransformHandles) -> None:
        super().__init__(view, start)
        self._handles = handles
        self._directions = view.snapper.snap_directions(handles.keys)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        about, to = self._handles.about, self._view.camera.to_scene(at)
        before = math.atan2(self._start.y - about.y, self._start.x - about.x)
        angle = math.degrees(before - math.atan2(to.y - about.y, to.x - about.x))
        angle = (angle + 180) % 360 - 180
        if modifiers & Modifiers.ShiftModifier:
            angle = round(angle / TURN_STEP) * TURN_STEP
        radius = pixel_distance(at, self._handles.centre)
        met = self._view.snapper.snap_turn(angle, self._directions, radius, modifiers)
        angle = met.angle if met is not None else round(angle, 2)
        self.begin_gesture().update(Rotate(sorted(self._handles.keys), angle, about))
        words = f", {elide_text(tr(met.words), 40)}" if met is not None else ""
        self._view.show_readout(tr("{angle:g}°", angle=round(angle, 2)) + words, at)


class ScalingDrag(EditDrag):
    """A drag that scales the selection about its centre by the ratio of the pointer's distances
    from the centre; with Shift the factor goes in steps of 0.25.
    """

    def __init__(self, view: CanvasView, start: QPointF, handles: TransformHandles) -> None:
        super().__init__(view, start)
        self._handles = handles

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        about, to = self._handles.about, self._view.camera.to_scene(at)
        first = math.dist(self._start, about)
        ratio = math.dist(to, about) / first if first else 1.0
        step = 0.25 if modifiers & Modifiers.ShiftModifier else 0.01
        ratio = max(round(ratio / step) * step, step)
        self.begin_gesture().update(Scale(sorted(self._handles.keys), round(ratio, 2), about))
        self._view.show_readout(tr("× {ratio:g}", ratio=ratio), at)


class CentreDrag:
    """A drag that moves the centre about which the selection is rotated and scaled."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        self._view, self._before = view, view.pivot

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        self._view.pivot = self._view.snapper.snap_pointer(at, modifiers)

    def finish(self) -> None:
        self._view.snapper.clear_guide()
        self._view.update()

    def cancel(self) -> None:
        self._view.pivot = self._before
        self.finish()


def paint_observer(
    painter: QPainter, document: Document, viewport: Viewport, *, handles: bool = False
) -> None:
    """Paint the observer of a document in observer mode. With ``handles``, also paint the square on
    its rim that changes its radius.
    """
    observer = _find_observer(document)
    if observer is None:
        return
    camera, theme = viewport.camera, viewport.theme
    at, radius = camera.to_screen(observer.c), observer.r * camera.scale
    set_pen_and_brush(painter, QPen(theme.color("sight"), 1.5), theme.color("sight", 0.25))
    painter.drawEllipse(at, radius, radius)
    if handles:
        painter.setBrush(theme.color("canvas"))
        painter.drawRect(square_around(at + QPointF(radius, 0), HANDLE_SIZE / 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _find_observer(document: Document) -> Observer | None:
    settings = document.scene.settings
    return settings.observer if settings.mode == "observer" else None


def observer_part_at(document: Document, camera: Camera, at: QPointF) -> str:
    """The part of the observer at a point in pixels, ``rim`` or ``middle``; empty if there is none
    or the document is not in observer mode.
    """
    observer = _find_observer(document)
    if observer is None:
        return ""
    inside = observer.r * camera.scale - pixel_distance(at, camera.to_screen(observer.c))
    return "rim" if abs(inside) <= RIM_REACH else "middle" if inside > 0 else ""


def observer_part_to_drag(view: CanvasView, at: QPointF, hit: Hit | None) -> str:
    """The part of the observer that a drag from a point would move; empty if it would move
    something else. The observer has precedence over objects, except selected ones and their
    handles.
    """
    below = hit is None or not (isinstance(hit, ControlHit) or hit.key in view.selection.keys)
    return observer_part_at(view.document.document, view.camera, at) if below else ""


class ObserverDrag(EditDrag):
    """A drag that moves the observer or changes its radius, as one undo step."""

    def __init__(self, view: CanvasView, start: QPointF, part: str) -> None:
        super().__init__(view, start)
        observer = view.document.scene.settings.observer
        assert observer is not None
        self._part, self._observer = part, observer

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        view, (centre, radius) = self._view, self._observer
        to, settings = view.camera.to_scene(at), view.document.scene.settings
        x, y, unit = centre.x, centre.y, view.document.document.unit
        rounded = view.camera.round_to_pixel
        if self._part == "rim":
            radius = max(rounded(math.dist(to, centre)), MIN_RADIUS / view.camera.scale)
            text = tr("r = {radius:.4g} {unit}", radius=radius, unit=unit)
        else:
            x, y = rounded(x + to.x - self._start.x), rounded(y + to.y - self._start.y)
            if settings.snap_to_grid:
                x, y = snap_value(x, settings.grid_size), snap_value(y, settings.grid_size)
            text = position_text(x, y, unit)
        self.begin_gesture().update(SetSettings({"observer": {"c": {"x": x, "y": y}, "r": radius}}))
        view.show_readout(text, at)
