"""One painting of the canvas or of a figure: the document, the camera and everything else that the
layers show.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from raybench.kinds.object import SceneObject
from raybench.raster.coloring import Legend
from raybench.scene.document import Document
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.labels import (
    Label,
    Light,
    PlacedLabel,
    outlines_to_avoid,
    place_labels,
)
from raybench_workbench.canvas.rays.arrow_heads import ArrowHeads
from raybench_workbench.canvas.readings import DetectorReading, detector_readings
from raybench_workbench.canvas.texts import Sizes, enlarged_text_sizes
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.measuring.measurements import read_measurements
from raybench_workbench.theme import Theme

if TYPE_CHECKING:
    from raybench.analysis.measurements import DrawnMeasurement
    from raybench_workbench.canvas.view import CanvasView

MAX_NAMES = 8
"""Number of selected objects up to which their names and edge labels are painted."""


@dataclass(eq=False)
class CanvasFrame:
    """What the layers show in one painting of the canvas or of a figure, with the boxes that the
    labels of later layers must not cover.
    """

    document: Document
    result: TraceResult | None
    viewport: Viewport
    paint_backdrop: Callable[[QPainter, CanvasFrame], None]
    """Paints the ground and the rays, and notes their light, arrow heads and legend."""
    view: CanvasView | None = None
    """The canvas that is painted; None for a figure."""
    light: Light | None = None
    heads: ArrowHeads | None = None
    legend: Legend | None = None
    occupied: list[QRectF] = field(default_factory=list)
    """The boxes, in pixels, that labels must not cover."""
    scale_bar_box: QRectF = field(default_factory=QRectF)
    """The box of the scale bar."""
    value_boxes: dict[str, QRectF] = field(default_factory=dict)
    """Where the values of measurements were painted, by name."""

    @property
    def canvas(self) -> CanvasView:
        """The canvas that is painted; figures have none, and leave out the layers that need it."""
        assert self.view is not None
        return self.view

    @property
    def camera(self) -> Camera:
        return self.viewport.camera

    @property
    def theme(self) -> Theme:
        return self.viewport.theme

    @cached_property
    def readings_by_key(self) -> Mapping[int, DetectorReading]:
        """The readings of the detectors, by the key of the detector: refined ones, if the canvas
        has some.
        """
        refined = self.view.refined_readings if self.view is not None else None
        if refined is not None and refined.result is self.result:
            return refined.by_key
        return detector_readings(self.document, self.result)

    @cached_property
    def text_sizes(self) -> Sizes:
        """The sizes in pixels of the texts that the canvas enlarges to make them readable."""
        return enlarged_text_sizes(self.document, self.camera) if self.view is not None else {}

    @cached_property
    def drawn_measurements(self) -> Mapping[str, DrawnMeasurement]:
        """All measurements to draw, by name, including the one that the next click would take,
        whose name is empty.
        """
        view = self.view
        if view is None:
            return read_measurements(self.document, self.result)
        measured = view.measured.drawn_measurements(self.document, self.result)
        if (draft := view.mode.draft_measurement) is not None:
            measured = measured | read_measurements(self.document, self.result, {"": draft})
        return measured

    @property
    def selected_measurements(self) -> Collection[str]:
        """The names of the measurements drawn in the accent colour: the one being taken, else the
        selected ones.
        """
        if self.view is None:
            return ()
        return {""} if "" in self.drawn_measurements else self.view.selection.measurements

    @property
    def selected_keys(self) -> Collection[int]:
        """The keys of the selected objects."""
        return self.view.selection.keys if self.view is not None else ()

    @cached_property
    def selected_objects(self) -> list[SceneObject]:
        """The selected objects, without the hidden ones."""
        keys = set(self.selected_keys) - self.document.hidden
        return [o for o in self.document.scene.objects if o.key in keys] if keys else []

    @cached_property
    def object_under_pointer(self) -> SceneObject | None:
        """The visible object under the pointer."""
        hovered = self.view.hovered if self.view is not None else None
        if hovered is None or hovered in self.document.hidden:
            return None
        return self.document.scene.get(hovered)

    @cached_property
    def labelled_objects(self) -> list[SceneObject]:
        """The objects whose name and edge labels are painted."""
        labelled = self.selected_objects if len(self.selected_keys) <= MAX_NAMES else []
        under = self.object_under_pointer
        return labelled if under is None or under in labelled else [*labelled, under]

    def place_free_labels(self, labels: list[Label]) -> list[PlacedLabel]:
        """Place labels where they cover no box that other labels or texts already occupy."""
        avoiding = any(label.object_key is not None or label.avoids_objects for label in labels)
        outlines = outlines_to_avoid(self.document, self.camera) if avoiding else None
        size = self.viewport.size
        return place_labels(labels, self.occupied, size, self.light, outlines, self.heads)
