"""Hit testing: the objects, rays, badges and measurements at a point of the canvas. All points are
in pixels.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.rays.ray_queries import rows_near_point
from raybench.scene import hit_test
from raybench.scene.document import Document
from raybench.scene.hit_test import BodyHit, Hit, drawn_extent
from raybench.scene.measurements import KINDS
from raybench.shapes.point import Point
from raybench.view import NO_RAYS
from raybench_workbench.canvas.strokes import pixel_distance
from raybench_workbench.canvas.texts import enlarged_text_sizes, text_boxes
from raybench_workbench.canvas.treatments import treatment_text_at
from raybench_workbench.measuring import measurements
from raybench_workbench.panels.ray_table import ray_description
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

BADGE_SIZE = 14
"""Width and height of the badge of an object with a problem, in pixels."""
MAX_BADGES = 60
HIT_TOLERANCE = 7.0
"""Hit test tolerance: largest distance from the pointer to an object, in pixels."""
RAY_TOLERANCE = 4.0
"""Largest distance from the pointer to a ray that is picked, in pixels."""
PICKABLE_MODES = ("rays", "extended")
"""The view modes that show the rays themselves."""


def find_hit_at_pixel(view: CanvasView, at: QPointF) -> Hit | None:
    """The topmost handle or object at a point."""
    document, tolerance = view.document.document, HIT_TOLERANCE / view.camera.scale
    return hit_test.find_hit_at_point(
        document.scene,
        view.camera.to_scene(at),
        tolerance,
        handles_of=view.selection.keys,
        without=document.hidden,
    )


def rays_near_pixel(view: CanvasView, at: QPointF) -> Rows:
    """The rows of the visible rays at a point, strong and near rays first. There are none unless
    the visible rays are a full trace of the document.
    """
    session = view.document.session
    result = session.fresh_result
    if (
        result is None
        or result is not view.document.result
        or session.document.scene.settings.mode not in PICKABLE_MODES
    ):
        return np.zeros(0, np.int64)
    return rows_near_point(
        result,
        view.camera.to_scene(at),
        RAY_TOLERANCE / view.camera.scale,
        view.rays.visible_rows(result),
    )


class RayPick:
    """A ray that was picked by a click. The whole path of the first ray at that point is
    highlighted, with ``extend`` in addition to the paths picked before; `choose_next_ray`
    highlights the path of the next ray instead.
    """

    def __init__(self, view: CanvasView, at: QPointF, *, extend: bool = False) -> None:
        self._view, self._place, self.rows = view, 0, rays_near_pixel(view, at)
        self._before = view.document.session.view.picked if extend else NO_RAYS
        self._show_picked_ray()

    @property
    def is_shown(self) -> bool:
        """Whether the ray of this click is still the one that was picked last."""
        return len(self.rows) > 0 and self._view.document.session.view.picked == self._picked

    @property
    def hint(self) -> str:
        """The hint that says which of several rays is shown, and how to see the next one."""
        if len(self.rows) < 2 or not self.is_shown:
            return ""
        return tr(
            "Ray {place} of {count} here. Tab shows the next.",
            place=self._place + 1,
            count=len(self.rows),
        )

    def choose_next_ray(self, *, forward: bool) -> None:
        self._place = (self._place + (1 if forward else -1)) % len(self.rows)
        self._show_picked_ray()

    def _show_picked_ray(self) -> None:
        document = self._view.document
        row = int(self.rows[self._place]) if len(self.rows) else None
        self._picked = self._before if row is None else self._before.with_row(row)
        shown = dataclasses.replace(document.session.view, picked=self._picked)
        if row is None:
            document.set_view(shown)
        else:
            document.set_view(dataclasses.replace(shown, whole_paths=True))
            self._view.rayPicked.emit(row)


def badge_boxes(view: CanvasView) -> dict[int, QRectF]:
    """The boxes of the problem badges in pixels, by object key; empty during a drag. Each badge is
    at a corner of its object, preferably the top right one, within the canvas and clear of texts
    and other badges.
    """
    out: dict[int, QRectF] = {}
    document, camera, (width, height) = view.document.document, view.camera, view.size_in_pixels
    if view.document.gesture is not None or not view.problems:
        return out
    canvas = QRectF(-BADGE_SIZE, -BADGE_SIZE, width + 2 * BADGE_SIZE, height + 2 * BADGE_SIZE)
    texts = text_boxes(document, camera, enlarged_text_sizes(document, camera))
    for key in view.problems:
        obj = document.scene.get(key) if key not in document.hidden else None
        box = drawn_extent(document.scene, obj) if obj is not None else None
        if box is None or len(out) >= MAX_BADGES:
            continue
        shown = camera.box_on_screen(box)
        if canvas.contains(shown.topRight()):
            left, right = shown.left() - BADGE_SIZE - 3, shown.right() + 3
            above, below = shown.top() - BADGE_SIZE - 3, shown.bottom() + 3
            places = [
                QRectF(
                    round(min(max(x, 2), width - BADGE_SIZE - 2)),
                    round(min(max(y, 2), height - BADGE_SIZE - 2)),
                    BADGE_SIZE,
                    BADGE_SIZE,
                )
                for x, y in ((right, above), (left, above), (right, below), (left, below))
            ]
            taken = [*texts, *out.values()]
            free = (p for p in places if not any(map(p.intersects, taken)))
            out[key] = next(free, places[0])
    return out


def badge_key_at_pixel(view: CanvasView, at: QPointF) -> int | None:
    """The key of the object whose badge is at a point."""
    return next((key for key, box in badge_boxes(view).items() if box.contains(at)), None)


def measurement_at(view: CanvasView, at: QPointF, hit: Hit | None) -> str | None:
    """The name of the measurement at a point where an object was hit; None if there is none, or it
    is below an edge or a handle.
    """
    if hit is not None and not isinstance(hit, BodyHit):
        return None
    measured = view.measured.drawn_measurements(view.document.document, view.document.result)
    return measurements.measurement_at(measured, view.value_boxes, view.camera, at)


def movable_value_at(view: CanvasView, at: QPointF, hit: Hit | None) -> str | None:
    """The name of the measurement whose written value is at a point and can be dragged."""
    name = measurement_at(view, at, hit)
    measured = view.measured.drawn_measurements(view.document.document, view.document.result)
    return name if name is not None and measured[name].axis is not None else None


def measured_point_at(view: CanvasView, at: QPointF) -> tuple[str, int] | None:
    """The selected measurement that has a draggable point at this place: its name, and the index of
    the point.
    """
    document = view.document.document
    for name in sorted(view.selection.measurements & document.measurements.keys()):
        for i, place in enumerate(movable_points(document, name)):
            if pixel_distance(view.camera.to_screen(place), at) <= HIT_TOLERANCE:
                return name, i
    return None


def movable_points(document: Document, name: str) -> list[Point]:
    """The points of a measurement that can be moved: those that were not picked on surfaces or
    rays.
    """
    measurement = document.measurements[name]
    kind = KINDS[measurement.kind]
    if kind.takes_surface or kind.takes_rays:
        return []
    return [pin.position_in_scene(document.scene) for pin in measurement.pins]


def tool_tip_at(view: CanvasView, at: QPointF, *, rays: bool) -> str:
    """The text of the tool tip at a point: the problems of the object whose badge is there, the
    coating and the finish of the edge there or, with ``rays``, a description of the ray.
    """
    badge = badge_key_at_pixel(view, at)
    if badge is not None:
        return "\n".join(p.text for p in view.problems[badge])
    place, tolerance = view.camera.to_scene(at), HIT_TOLERANCE / view.camera.scale
    if treated := treatment_text_at(view.document.document, place, tolerance):
        return treated
    if not rays or find_hit_at_pixel(view, at) is not None:
        return ""
    result = view.document.result
    return next(
        (ray_description(result, row) for row in rays_near_pixel(view, at).tolist() if result), ""
    )
