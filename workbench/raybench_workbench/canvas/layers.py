"""The layers of the canvas, in the order in which they are painted. Figures contain the same
layers, except the ones that only serve editing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from raybench_workbench.canvas import overlay
from raybench_workbench.canvas.frame import CanvasFrame
from raybench_workbench.canvas.labels import Label, edge_labels, object_labels, paint_labels
from raybench_workbench.canvas.object_layer import MANY_OBJECTS, paint_objects
from raybench_workbench.canvas.rays.light_colors import legend_corners, paint_legend
from raybench_workbench.canvas.readings import paint_irradiance
from raybench_workbench.canvas.texts import text_boxes
from raybench_workbench.canvas.treatments import paint_treatments
from raybench_workbench.measuring.measurements import (
    dimension_boxes,
    measurement_labels,
    paint_measurements,
)
from raybench_workbench.theme import GRID

EDITING_ONLY = ("CropBox", "Handle")
"""Kinds that help with editing and are not part of a figure."""


def _paint_objects(painter: QPainter, frame: CanvasFrame) -> None:
    document, at, view = frame.document, frame.viewport, frame.view
    if view is None:
        paint_objects(painter, document, at.camera, at.theme, without=EDITING_ONLY)
        return
    keys, only = frame.selected_keys, None
    cached = len(document.scene.objects) > MANY_OBJECTS and not document.scene.expansions
    many_chosen = cached and len(frame.selected_objects) > MANY_OBJECTS
    if cached:
        # images of the objects at rest and of many selected ones, and the others directly
        moving = document.hidden | set(keys) | {view.hovered}
        at_rest = [o for o in document.scene.objects if o.key not in moving]
        view.unselected_image.paint(painter, document, at, at_rest)
        only = [] if many_chosen else list(frame.selected_objects)
        if frame.object_under_pointer is not None and frame.object_under_pointer not in only:
            only.append(frame.object_under_pointer)
    else:
        view.unselected_image.abandon_painting()
    if many_chosen:
        view.selected_image.paint(painter, document, at, frame.selected_objects)
    else:
        view.selected_image.abandon_painting()
    paint_objects(
        painter,
        document,
        at.camera,
        at.theme,
        selected=keys,
        hovered=view.hovered,
        only=only,
        text_sizes=frame.text_sizes,
    )


def _paint_readings(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the irradiance at detectors, the lines of measurements, and dimensions."""
    paint_irradiance(painter, frame.document, frame.readings_by_key, frame.viewport)
    paint_measurements(
        painter, frame.drawn_measurements, frame.viewport, frame.selected_measurements
    )
    frame.occupied += dimension_boxes(frame.drawn_measurements, frame.camera)


def _paint_legend(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the legend: in the lower left corner of the canvas, or in the emptiest corner of a
    figure.
    """
    frame.occupied += text_boxes(frame.document, frame.camera, frame.text_sizes)
    legend, size = frame.legend, frame.viewport.size
    chips = (frame.view.chip, frame.view.hidden_chip) if frame.view is not None else ()
    shown = [QRectF(chip.geometry()) for chip in chips if chip.isVisible()]
    if legend is not None:
        above = round(size[1] - min(box.top() for box in shown)) - GRID if shown else 0
        corners = legend_corners(legend, (size[0], size[1] - above))
        box = corners[0]
        if frame.view is None:
            box = frame.place_free_labels([Label((), corners, required=True, avoids_objects=True)])[
                0
            ].box
        paint_legend(painter, legend, box, frame.theme)
        frame.occupied.append(box)
    frame.occupied += shown


def _paint_labels(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the values of measurements, the edge labels, the object names and the detector
    readings.
    """
    document, camera = frame.document, frame.camera
    values = measurement_labels(frame.drawn_measurements, camera, frame.selected_measurements)
    labels = list(values.values())
    for obj in frame.labelled_objects:  # before names, which have more possible positions
        labels += edge_labels(obj, document.edge_labels.get(obj.key, {}), camera)
    labels += object_labels(
        document, camera, frame.readings_by_key, frame.labelled_objects, frame.selected_keys
    )
    placed = frame.place_free_labels(labels)
    paint_labels(painter, placed, frame.theme)
    boxes = {id(p.label): p.box for p in placed}
    frame.value_boxes = {n: boxes[id(v)] for n, v in values.items() if id(v) in boxes}


SCALE_BAR = "scale bar"
"""The name of a layer that figures have on request."""


@dataclass(frozen=True)
class Layer:
    """A layer of the canvas: its name, the function that paints it, and whether it is painted in
    figures too.
    """

    name: str
    paint: Callable[[QPainter, CanvasFrame], None]
    exported: bool = False


def shown_layers(*, editing: bool, scale_bar: bool) -> Iterator[Layer]:
    """The layers to paint, the lowest first: all of them for ``editing``, else those of figures,
    with the scale bar if it is wanted.
    """
    return (
        layer
        for layer in LAYERS
        if editing or layer.exported or (scale_bar and layer.name == SCALE_BAR)
    )


LAYERS = (
    Layer("backdrop", lambda painter, frame: frame.paint_backdrop(painter, frame), exported=True),
    Layer("coordinates", overlay.paint_coordinates),
    Layer("observer", overlay.paint_observer_handle),
    Layer("objects", _paint_objects, exported=True),
    Layer("treatments", paint_treatments, exported=True),
    Layer("proposal", overlay.paint_proposed_edit),
    Layer("readings", _paint_readings, exported=True),
    Layer("control points", overlay.paint_control_points),
    Layer("badges", overlay.paint_problem_badges),
    Layer(SCALE_BAR, overlay.paint_scale_bar),
    Layer("transform handles", overlay.paint_transform_handles),
    Layer("ghost", overlay.paint_object_preview),
    Layer("snapping", overlay.paint_snap_target),
    Layer("legend", _paint_legend, exported=True),
    Layer("readout", overlay.paint_drag_readout),
    Layer("labels", _paint_labels, exported=True),
    Layer("hints", overlay.paint_hints),
)
"""All layers, the lowest first."""
