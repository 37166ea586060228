"""The layers of the canvas, in the order in which they are painted. Figures have those that do not
serve editing alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from raybench.kinds.decorations import Handle
from raybench.kinds.object import SceneObject
from raybench.raster.coloring import Legend
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.locks import is_locked
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.handles import (
    MOST,
    paint_observer,
    paint_transform_handles,
    transform_handles,
)
from raybench_workbench.canvas.labels import (
    Label,
    Light,
    Placed,
    edge_labels,
    object_labels,
    outlines_to_avoid,
    paint_labels,
    place_labels,
)
from raybench_workbench.canvas.modes.create_mode import CreateMode
from raybench_workbench.canvas.modes.select_mode import SelectMode
from raybench_workbench.canvas.object_layer import MANY, paint_objects, paint_proposal
from raybench_workbench.canvas.object_painter import paint_fill, paint_object
from raybench_workbench.canvas.overlay import (
    paint_badges,
    paint_band,
    paint_coordinates,
    paint_group_of_handle,
    paint_handles,
    paint_hint,
    paint_scale_bar,
    paint_stroke,
)
from raybench_workbench.canvas.rays.arrow_heads import ArrowHeads
from raybench_workbench.canvas.rays.light_colors import legend_corners, paint_legend
from raybench_workbench.canvas.readings import Reading, detector_readings, paint_irradiance
from raybench_workbench.canvas.strokes import Style, paint_label, text_width
from raybench_workbench.canvas.texts import Sizes, readable_sizes, text_boxes
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.measuring.measurements import (
    measurement_labels,
    measurement_readings,
    paint_measurements,
)
from raybench_workbench.measuring.mode import MeasureMode
from raybench_workbench.snapping import paint_guides, paint_snap
from raybench_workbench.theme import GRID

if TYPE_CHECKING:
    from raybench.analysis.measurements import Drawn
    from raybench_workbench.canvas.view import CanvasView

EDITING_ONLY = ("CropBox", "Handle")
"""Kinds that help with editing and are not part of a figure."""
MAX_NAMES = 8
"""Number of selected objects up to which their names and edge labels are painted."""


@dataclass(eq=False)
class Frame:
    """What one painting of the layers shows, and what each of them leaves for the next ones."""

    document: Document
    result: TraceResult | None
    viewport: Viewport
    paint_backdrop: Callable[[QPainter, Frame], None]
    """Paints the ground and the rays, and notes their light, arrow heads and legend."""
    view: CanvasView | None = None
    """The canvas that is painted; None for a figure."""
    light: Light | None = None
    heads: ArrowHeads | None = None
    legend: Legend | None = None
    taken: list[QRectF] = field(default_factory=list)
    """The boxes, in pixels, that labels must not cover."""
    scale: QRectF = field(default_factory=QRectF)
    """The box of the scale bar."""
    value_boxes: dict[str, QRectF] = field(default_factory=dict)
    """Where the values of measurements were painted, by name."""

    @cached_property
    def detected(self) -> Mapping[int, Reading]:
        """The readings of detectors, by object key."""
        return detector_readings(self.document, self.result)

    @cached_property
    def text_sizes(self) -> Sizes:
        """The sizes of texts that are enlarged on the canvas."""
        return readable_sizes(self.document, self.viewport.camera) if self.view is not None else {}

    @cached_property
    def measured(self) -> Mapping[str, Drawn]:
        """The measurements as they are drawn, by name; that being taken has none."""
        view = self.view
        if view is None:
            return measurement_readings(self.document, self.result)
        measured = view.measured.drawn(self.document, self.result)
        if isinstance(view.mode, MeasureMode) and (draft := view.mode.draft) is not None:
            measured = measured | measurement_readings(self.document, self.result, {"": draft})
        return measured

    @property
    def selected_measurements(self) -> Collection[str]:
        """The names of the measurements in the accent colour: that being taken, or those
        selected.
        """
        if self.view is None:
            return ()
        return {""} if "" in self.measured else self.view.selection.measurements

    @property
    def selected(self) -> Collection[int]:
        """The keys of the selected objects."""
        return self.view.selection.keys if self.view is not None else ()

    @cached_property
    def chosen(self) -> list[SceneObject]:
        """The selected objects that are not hidden."""
        keys, hidden = self.selected, self.document.hidden
        if not keys:
            return []
        return [o for o in self.document.scene.objects if o.key in keys and o.key not in hidden]

    @cached_property
    def under_pointer(self) -> SceneObject | None:
        """The visible object under the pointer."""
        hovered = self.view.hovered if self.view is not None else None
        if hovered is None or hovered in self.document.hidden:
            return None
        return self.document.scene.get(hovered)

    @cached_property
    def labelled(self) -> list[SceneObject]:
        """The objects whose names and edge labels are painted."""
        labelled = self.chosen if len(self.selected) <= MAX_NAMES else []
        under = self.under_pointer
        return labelled if under is None or under in labelled else [*labelled, under]

    def place(self, labels: list[Label]) -> list[Placed]:
        """Place labels where they cover nothing that is taken."""
        at = self.viewport
        avoiding = any(label.of is not None or label.apart for label in labels)
        outlines = outlines_to_avoid(self.document, at.camera) if avoiding else None
        return place_labels(labels, self.taken, at.size, self.light, outlines, self.heads)


def _paint_coordinates(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    if frame.document.scene.settings.show_grid:
        paint_coordinates(painter, frame.document, frame.viewport)


def _paint_observer(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    paint_observer(painter, frame.document, frame.viewport, handles=True)


def _paint_objects(painter: QPainter, frame: Frame) -> None:
    document, at, view = frame.document, frame.viewport, frame.view
    if view is None:
        paint_objects(painter, document, at.camera, at.theme, without=EDITING_ONLY)
        return
    keys, only = frame.selected, None
    if len(document.scene.objects) > MANY and not document.scene.expansions:
        # cached images of the objects at rest and of many selected ones, and the others directly
        hidden = document.hidden
        at_rest = [
            o
            for o in document.scene.objects
            if o.key not in hidden and o.key not in keys and o.key != view.hovered
        ]
        view.still.paint(painter, document, at, at_rest)
        only = list(frame.chosen)
        if len(only) > MANY:
            view.chosen.paint(painter, document, at, only)
            only = []
        else:
            view.chosen.drop()
        if frame.under_pointer is not None and frame.under_pointer not in only:
            only.append(frame.under_pointer)
    else:
        view.still.drop()
        view.chosen.drop()
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


def _paint_proposal(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    if (edit := view.selection.proposal) is not None:
        at = frame.viewport
        paint_proposal(painter, edit.before, edit.after, at.camera, at.theme)


def _paint_readings(painter: QPainter, frame: Frame) -> None:
    """Paint the irradiance at detectors, and the lines of measurements."""
    paint_irradiance(painter, frame.document, frame.detected, frame.viewport)
    paint_measurements(painter, frame.measured, frame.viewport, frame.selected_measurements)


def _paint_control_points(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    document, at = frame.document, frame.viewport
    for obj in frame.labelled:
        if isinstance(obj, Handle):
            paint_group_of_handle(painter, obj, document, at.camera, at.theme)
        for control in control_points(obj)[:MAX_NAMES]:
            end = at.camera.to_screen(control.at)
            frame.taken.append(QRectF(end.x() - 5, end.y() - 5, 10, 10))
    for obj in frame.chosen if len(frame.chosen) <= MOST else ():
        fixed = is_locked(document.scene, obj)
        paint_handles(painter, obj, at.camera, at.theme, fixed=fixed)


def _paint_badges(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    boxes = picking.badge_boxes(view).values()
    paint_badges(painter, boxes, frame.viewport.theme)
    frame.taken += boxes


def _paint_scale_bar(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    frame.scale = paint_scale_bar(painter, frame.document, frame.viewport)
    frame.taken.append(frame.scale)


def _paint_transform_handles(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    handles = transform_handles(view) if isinstance(view.mode, SelectMode) else None
    if handles is not None and view.document.gesture is None:
        paint_transform_handles(painter, handles, frame.viewport.theme)
        for at, r in ((handles.turn, 8), (handles.scale, 8), (handles.centre, 5)):
            frame.taken.append(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r))


def _paint_ghost(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    camera, theme = frame.viewport.camera, frame.viewport.theme
    for obj in view.mode.ghost if isinstance(view.mode, CreateMode) else ():
        paint_fill(painter, obj, camera, Style(theme))
        paint_object(obj, painter, camera, Style(theme, ghost="accent"))


def _paint_snapping(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    snapper, camera, theme = view.snapper, frame.viewport.camera, frame.viewport.theme
    paint_guides(painter, snapper.guides, frame.document.unit, camera, theme)
    if snapper.current is not None:
        frame.taken.append(paint_snap(painter, snapper.current, snapper.snap_title, camera, theme))


def _paint_legend(painter: QPainter, frame: Frame) -> None:
    """Paint the legend in the lower left corner of the canvas, or in the emptiest one of a
    figure.
    """
    frame.taken += text_boxes(frame.document, frame.viewport.camera, frame.text_sizes)
    legend, view, size = frame.legend, frame.view, frame.viewport.size
    if legend is not None:
        if view is None:
            corners = Label((), legend_corners(legend, size), required=True, apart=True)
            box = frame.place([corners])[0].box
        else:
            above = view.chip.height() if view.chip.isVisible() else 0
            box = legend_corners(legend, (size[0], size[1] - above))[0]
        paint_legend(painter, legend, box, frame.viewport.theme)
        frame.taken.append(box)
    if view is not None and view.chip.isVisible():
        frame.taken.append(QRectF(view.chip.geometry()))


def _paint_readout(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    text, at = view.readout
    if text:
        x = min(at.x() + 14, view.width() - text_width(text) - GRID)
        y = min(at.y() + 24, view.height() - GRID)
        corner = QPointF(round(x), round(y))
        frame.taken.append(paint_label(painter, corner, text, frame.viewport.theme))


def _paint_labels(painter: QPainter, frame: Frame) -> None:
    """Paint the values of measurements, the labels of edges, names and the readings of
    detectors.
    """
    document, camera = frame.document, frame.viewport.camera
    values = measurement_labels(frame.measured, camera, frame.selected_measurements)
    labels = list(values)
    for obj in frame.labelled:  # before names, which have more possible positions
        labels += edge_labels(obj, document.edge_labels.get(obj.key, {}), camera)
    labels += object_labels(document, camera, frame.detected, frame.labelled, frame.selected)
    placed = frame.place(labels)
    paint_labels(painter, placed, frame.viewport.theme)
    boxes = {id(p.label): p.box for p in placed}
    for name, label in zip(frame.measured, values, strict=True):
        if id(label) in boxes:
            frame.value_boxes[name] = boxes[id(label)]


def _paint_hints(painter: QPainter, frame: Frame, view: CanvasView) -> None:
    """Paint the rubber band, an unfinished outline with its hint, and the hint of an empty
    canvas.
    """
    mode, size, theme = view.mode, frame.viewport.size, frame.viewport.theme
    if view.band is not None:
        paint_band(painter, view.band, theme)
    if isinstance(mode, CreateMode | MeasureMode):
        corners = [frame.viewport.camera.to_screen(p) for p in mode.points]
        paint_stroke(painter, corners, mode.hint, size, frame.scale, theme)
    elif not frame.document.scene.objects:
        paint_hint(painter, size, theme)


@dataclass(frozen=True)
class Layer:
    """A layer: its name, the function that paints it, and whether figures have it."""

    name: str
    paint: Callable[[QPainter, Frame], None]
    exported: bool = True


def _editing_layer(name: str, paint: Callable[[QPainter, Frame, CanvasView], None]) -> Layer:
    """A layer that serves editing, on the canvas alone."""

    def paint_on_canvas(painter: QPainter, frame: Frame) -> None:
        if frame.view is not None:
            paint(painter, frame, frame.view)

    return Layer(name, paint_on_canvas, exported=False)


LAYERS = (
    Layer("backdrop", lambda p, f: f.paint_backdrop(p, f)),
    _editing_layer("coordinates", _paint_coordinates),
    _editing_layer("observer", _paint_observer),
    Layer("objects", _paint_objects),
    _editing_layer("proposal", _paint_proposal),
    Layer("readings", _paint_readings),
    _editing_layer("control points", _paint_control_points),
    _editing_layer("badges", _paint_badges),
    _editing_layer("scale bar", _paint_scale_bar),
    _editing_layer("transform handles", _paint_transform_handles),
    _editing_layer("ghost", _paint_ghost),
    _editing_layer("snapping", _paint_snapping),
    Layer("legend", _paint_legend),
    _editing_layer("readout", _paint_readout),
    Layer("labels", _paint_labels),
    _editing_layer("hints", _paint_hints),
)
"""All layers, the lowest first."""
