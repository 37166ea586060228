"""Hit testing: the objects, rays, badges and measurements at a point of the canvas. All points are
in pixels.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF

from raybench.analysis.rays.ray_queries import nearest_row
from raybench.scene import hit_test
from raybench.scene.hit_test import Hit
from raybench.view import NO_RAYS
from raybench_workbench.canvas.overlay import badge_places
from raybench_workbench.measuring import measurements
from raybench_workbench.panels.ray_table import ray_line

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

TOLERANCE = 7.0
"""Hit test tolerance: largest distance from the pointer to an object, in pixels."""
RAY_TOLERANCE = 4.0
"""Largest distance from the pointer to a ray that is picked, in pixels."""
PICKABLE_MODES = ("rays", "extended")
"""The view modes that show the rays themselves."""


def hit_at(view: CanvasView, at: QPointF) -> Hit | None:
    """The topmost handle or object at a point."""
    document, tolerance = view.document.document, TOLERANCE / view.camera.scale
    return hit_test.hit_at(
        document.scene,
        view.camera.to_scene(at),
        tolerance,
        handles_of=view.selection.keys,
        without=document.hidden,
    )


def ray_at(view: CanvasView, at: QPointF) -> int | None:
    """The row of the visible ray at a point; None while the visible rays are not a full trace of
    the document.
    """
    session = view.document.session
    result = session.fresh_result
    if (
        result is None
        or result is not view.document.result
        or session.document.scene.settings.mode not in PICKABLE_MODES
    ):
        return None
    return nearest_row(
        result,
        view.camera.to_scene(at),
        RAY_TOLERANCE / view.camera.scale,
        view.rays.visible_rows(result),
    )


def pick_ray(view: CanvasView, at: QPointF, *, extend: bool = False) -> bool:
    """Highlight the whole path of the ray at a point, with ``extend`` in addition to those picked
    before; returns whether a ray was hit.
    """
    row, current = ray_at(view, at), view.document.session.view
    before = current.picked if extend else NO_RAYS
    if row is None:
        view.document.set_view(dataclasses.replace(current, picked=before))
        return False
    view.document.set_view(dataclasses.replace(current, picked=before.then(row), whole_paths=True))
    view.rayPicked.emit(row)
    return True


def badge_boxes(view: CanvasView) -> dict[int, QRectF]:
    """The boxes of the badges of objects with problems, by object key; none during a drag."""
    if view.document.gesture is not None or not view.problems:
        return {}
    return badge_places(view.document.document, view.problems, view.camera, view.size_pair)


def badge_at(view: CanvasView, at: QPointF) -> int | None:
    """The key of the object whose badge is at a point."""
    return next((key for key, box in badge_boxes(view).items() if box.contains(at)), None)


def measurement_at(view: CanvasView, at: QPointF) -> str | None:
    """The name of the measurement at a point."""
    measured = view.measured.drawn(view.document.document, view.document.result)
    return measurements.measurement_at(measured, view.value_boxes, view.camera, at)


def tip_at(view: CanvasView, at: QPointF, *, rays: bool) -> str:
    """The tool tip at a point: the problems of the object whose badge is there or, with ``rays``, a
    description of the ray.
    """
    badge = badge_at(view, at)
    if badge is not None:
        return "\n".join(p.text for p in view.problems[badge])
    row = ray_at(view, at) if rays and hit_at(view, at) is None else None
    result = view.document.result
    return ray_line(result, row) if row is not None and result is not None else ""
