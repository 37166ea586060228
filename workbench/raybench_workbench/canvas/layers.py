"""The layers of the canvas above the rays, in the order in which they are painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from raybench.kinds.decorations import Handle
from raybench.kinds.object import SceneObject
from raybench.scene.control_points import control_points
from raybench.scene.locks import is_locked
from raybench_workbench import theme
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.labels import (
    edge_labels,
    object_labels,
    outlines_to_avoid,
    paint_labels,
    place,
)
from raybench_workbench.canvas.modes.create_mode import CreateMode
from raybench_workbench.canvas.modes.select_mode import SelectMode
from raybench_workbench.canvas.object_layer import MANY, paint_objects, paint_proposal
from raybench_workbench.canvas.object_painter import paint_fill, paint_object
from raybench_workbench.canvas.observer import paint_observer
from raybench_workbench.canvas.overlay import (
    paint_badges,
    paint_band,
    paint_group_of_handle,
    paint_handles,
    paint_hint,
    paint_stroke,
)
from raybench_workbench.canvas.rays.legend import legend_corners, paint_legend
from raybench_workbench.canvas.readings import detector_readings, paint_irradiance
from raybench_workbench.canvas.scale import paint_coordinates, paint_scale_bar
from raybench_workbench.canvas.strokes import Style, paint_label, text_width
from raybench_workbench.canvas.texts import Sizes, readable_sizes, text_boxes
from raybench_workbench.canvas.transform_handles import (
    MOST,
    paint_transform_handles,
    transform_handles,
)
from raybench_workbench.measuring.mode import MeasureMode
from raybench_workbench.measuring.painter import measurement_labels, paint_measurements
from raybench_workbench.measuring.readings import readings
from raybench_workbench.snapping.guides import paint_guides, paint_snap
from raybench_workbench.theme import GRID

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

MAX_NAMES = 8
"""Number of selected objects up to which their names and edge labels are painted."""


def paint_layers(painter: QPainter, view: CanvasView) -> dict[str, QRectF]:
    """Paint everything above the rays. Returns the boxes of the values of measurements in pixels,
    by name.
    """
    current_theme, document = theme.current(), view.document.document
    badges = picking.badges(view)
    detected, sizes = (
        detector_readings(document, view.document.result),
        readable_sizes(document, view.camera),
    )
    if document.scene.settings.show_grid:
        paint_coordinates(painter, document, view.viewport)
    paint_observer(painter, document, view.camera, current_theme, handles=True)
    if len(document.scene.objects) > MANY and not document.scene.expansions:
        _paint_many(painter, view, sizes)
    else:
        view.still.drop()
        view.chosen.drop()
        selected, hovered = view.selection.keys, view.hovered
        paint_objects(
            painter,
            document,
            view.camera,
            current_theme,
            selected=selected,
            hovered=hovered,
            text_sizes=sizes,
        )
    if (edit := view.selection.proposal) is not None:
        paint_proposal(painter, edit.before, edit.after, view.camera, current_theme)
    chosen = [
        o
        for o in document.scene.objects
        if o.key in view.selection.keys and o.key not in document.hidden
    ]
    labelled = chosen if len(view.selection.keys) <= MAX_NAMES else []
    under = _under_pointer(view)
    if under is not None and under not in labelled:
        labelled = [*labelled, under]
    paint_irradiance(painter, document, detected, view.camera, current_theme)
    measured, names = view.measured.of(document, view.document.result), view.selection.measurements
    if isinstance(view.mode, MeasureMode) and (draft := view.mode.draft) is not None:
        measured, names = (
            measured | readings(document, view.document.result, {"": draft}),
            frozenset({""}),
        )
    paint_measurements(painter, measured, view.camera, current_theme, names)
    for obj in labelled:
        if isinstance(obj, Handle):
            paint_group_of_handle(painter, obj, document, view.camera, current_theme)
    for obj in chosen if len(chosen) <= MOST else ():
        paint_handles(
            painter, obj, view.camera, current_theme, fixed=is_locked(document.scene, obj)
        )
    paint_badges(painter, badges.values(), current_theme)
    handles = transform_handles(view) if isinstance(view.mode, SelectMode) else None
    ends = [view.camera.to_screen(c.at) for o in labelled for c in control_points(o)[:MAX_NAMES]]
    taken = [*badges.values(), *(QRectF(at.x() - 5, at.y() - 5, 10, 10) for at in ends)]
    scale = paint_scale_bar(painter, document, view.viewport)
    taken += [*text_boxes(document, view.camera, sizes), scale]
    if handles is not None and view.document.gesture is None:
        paint_transform_handles(painter, handles, current_theme)
        reaches = ((handles.turn, 8), (handles.scale, 8), (handles.centre, 5))
        taken += [QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r) for at, r in reaches]
    if isinstance(view.mode, CreateMode):
        for obj in view.mode.ghost:
            paint_fill(painter, obj, view.camera, Style(current_theme))
            paint_object(obj, painter, view.camera, Style(current_theme, ghost="accent"))
    paint_guides(painter, view.snapper.guides, document.unit, view.camera, current_theme)
    if view.snapper.current is not None:
        taken.append(
            paint_snap(
                painter, view.snapper.current, view.snapper.words, view.camera, current_theme
            )
        )
    if view.backdrop.rays is not None and view.backdrop.rays.legend is not None:
        above = view.chip.height() if view.chip.isVisible() else 0
        corner = legend_corners(view.backdrop.rays.legend, (view.width(), view.height() - above))[0]
        paint_legend(painter, view.backdrop.rays.legend, corner, current_theme)
        taken.append(corner)
    if view.chip.isVisible():
        taken.append(QRectF(view.chip.geometry()))
    values = measurement_labels(measured, view.camera, names)
    labels = list(values)
    for obj in labelled:  # before names, which have more possible positions
        labels += edge_labels(obj, document.edge_labels.get(obj.key, {}), view.camera)
    labels += object_labels(document, view.camera, detected, labelled, view.selection.keys)
    text, at = view.readout
    if text:
        x = min(at.x() + 14, view.width() - text_width(text) - GRID)
        taken.append(
            paint_label(
                painter,
                QPointF(round(x), round(min(at.y() + 24, view.height() - GRID))),
                text,
                current_theme,
            )
        )
    outlines = outlines_to_avoid(document, view.camera) if labelled or detected else None
    placed = place(
        labels, taken, view.size_pair, view.backdrop.light, outlines, view.backdrop.heads
    )
    paint_labels(painter, placed, current_theme)
    boxes = {id(p.label): p.box for p in placed}
    if view.band is not None:
        paint_band(painter, view.band, current_theme)
    if isinstance(view.mode, CreateMode | MeasureMode):
        corners = [view.camera.to_screen(p) for p in view.mode.points]
        paint_stroke(painter, corners, view.mode.hint, view.size_pair, scale, current_theme)
    elif not document.scene.objects:
        paint_hint(painter, view.size_pair, current_theme)
    return {
        n: boxes[id(label)] for n, label in zip(measured, values, strict=True) if id(label) in boxes
    }


def _paint_many(painter: QPainter, view: CanvasView, sizes: Sizes) -> None:
    """Paint the objects of a large scene: cached images of those at rest and of many selected ones,
    and the others directly.
    """
    document, colours, keys = view.document.document, theme.current(), view.selection.keys
    at_rest = [
        o
        for o in document.scene.objects
        if o.key not in document.hidden and o.key not in keys and o.key != view.hovered
    ]
    chosen = (
        [o for o in document.scene.objects if o.key in keys and o.key not in document.hidden]
        if keys
        else []
    )
    under = _under_pointer(view)
    view.still.paint(painter, document, view.viewport, at_rest)
    if len(chosen) > MANY:
        view.chosen.paint(painter, document, view.viewport, chosen)
        chosen = []
    else:
        view.chosen.drop()
    if under is not None and under not in chosen:
        chosen.append(under)
    paint_objects(
        painter,
        document,
        view.camera,
        colours,
        selected=keys,
        hovered=view.hovered,
        only=chosen,
        text_sizes=sizes,
    )


def _under_pointer(view: CanvasView) -> SceneObject | None:
    document = view.document.document
    return (
        document.scene.get(view.hovered)
        if view.hovered is not None and view.hovered not in document.hidden
        else None
    )
