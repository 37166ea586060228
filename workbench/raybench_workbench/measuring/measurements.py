"""The values of a document's measurements, cached until the document or its trace changes, and the
painting of measurements.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from operator import is_not
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QObject, QPointF, QRectF, Qt, QThreadPool, Signal
from PySide6.QtGui import QPainter, QPen

from raybench.scene.document import Document
from raybench.scene.measurements import PINNED_KIND, Measurement
from raybench.shapes.curves import Box, union_of_boxes
from raybench.shapes.shape import Line
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.labels import Label, label_box, label_size
from raybench_workbench.canvas.strokes import (
    paint_dimension_line,
    pixel_distance,
    turn_clockwise,
    unit_vector,
)
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.measuring.dimensions import lay_out_dimension, paint_dimension
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr, translate_phrase

if TYPE_CHECKING:
    from raybench.analysis.measurements import DrawnMeasurement
    from raybench.shapes.point import Point

LARGE_TRACE = 20_000
"""Number of segments above which measurements of light are read in a worker thread."""
MAX_ARC_RADIUS = 36.0
"""Largest radius of an arc, in pixels."""
HALF_END_STROKE = 5.0
"""Half the length of the strokes at the ends of a line, in pixels."""
MAX_NORMAL_LENGTH = 56.0
"""Largest length of the normal on either side of a surface, in pixels."""
TREND_VALUES = 60
"""Number of values of a pinned measure that its trend shows."""
CLICK_REACH = 4.0
"""Largest distance from the pointer to a measurement that is clicked, in pixels."""


def read_measurements(
    document: Document,
    result: TraceResult | None,
    measurements: Mapping[str, Measurement] | None = None,
) -> dict[str, DrawnMeasurement]:
    """The measurements of a document, or the given ``measurements``, with their values for drawing,
    by name. Texts are in the language of the window.
    """
    measurements = document.measurements if measurements is None else measurements
    if not measurements:
        return {}
    from raybench.analysis.measurements import (
        evaluate_measurement,  # imports the measures, which the first window does not need
    )

    drawn = {name: evaluate_measurement(document, result, m) for name, m in measurements.items()}
    return {name: replace(each, text=translate_phrase(each.text)) for name, each in drawn.items()}


class MeasurementValues(QObject):
    """The measurement values of one window. For large traces, and for pinned measures, they are
    computed in a thread; the signal ``changed`` is emitted when they are available.

    ``failed`` is called with the reason if they cannot be computed.
    """

    changed = Signal()

    def __init__(self, failed: Callable[[str], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reading = LatestTaskRunner(
            self,
            failed,
            tr("Reading the measurements"),
            late=True,
            pool=QThreadPool.globalInstance(),
        )
        self._read_for: tuple[Document, TraceResult | None] | None = None
        self._drawn: dict[str, DrawnMeasurement] = {}
        self.trends: dict[str, deque[float]] = {}
        """The last values of pinned measures, by name."""

    @property
    def settled(self) -> bool:
        """Whether all values belong to the current document."""
        return not self._reading.is_working

    def drawn_measurements(
        self, document: Document, result: TraceResult | None
    ) -> dict[str, DrawnMeasurement]:
        """The measurements with their values, by name. While values are computed in a thread, these
        are the previous ones.
        """
        now = document, result
        if self._read_for is None or any(map(is_not, self._read_for, now)):
            self._read_for = now
            self._reading.cancel_request()
            large = result is not None and len(result) > LARGE_TRACE
            measured = document.measurements
            pinned = {n: m for n, m in measured.items() if m.kind == PINNED_KIND}
            later = {n: m for n, m in measured.items() if large and m.reads_light} | pinned
            at_once = {n: m for n, m in measured.items() if n not in later}
            before = {n: d for n, d in self._drawn.items() if n in later}
            self._drawn = before | read_measurements(document, result, at_once)
            if later:
                self._reading.request_task(
                    lambda: read_measurements(document, result, later), self._store_read_values
                )
        return self._drawn

    def _store_read_values(self, drawn: dict[str, DrawnMeasurement]) -> None:
        document = self._read_for[0] if self._read_for is not None else Document()
        known = {name: d for name, d in drawn.items() if name in document.measurements}
        self._drawn = self._drawn | known
        self.trends = {name: t for name, t in self.trends.items() if name in self._drawn}
        for name, each in known.items():
            if each.measured is not None and each.measured.defined:
                self.trends.setdefault(name, deque(maxlen=TREND_VALUES)).append(each.value)
        self.changed.emit()


def paint_measurements(
    painter: QPainter,
    drawn: Mapping[str, DrawnMeasurement],
    viewport: Viewport,
    selected: Collection[str] = (),
) -> None:
    """Paint the lines and arcs of measurements, and dimensions with their values. The values of
    other measurements are painted as labels, see `measurement_labels`.
    """
    theme, at = viewport.theme, viewport.camera.to_screen
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for name, each in drawn.items():
        color = "accent" if name in selected else "text"
        solid = QPen(theme.color(color, 0.9), 1.25)
        painter.setPen(solid)
        if each.line is not None and each.place is None:
            a, b = map(at, each.line)
            paint_dimension_line(painter, a, b, HALF_END_STROKE)
        if each.ray is not None:
            painter.drawLine(*map(at, each.ray))
        painter.setPen(QPen(theme.color(color, 0.7), 1, Qt.PenStyle.DashLine))
        for leg in each.legs:
            painter.drawLine(*map(at, leg))
        if each.normal is not None:
            foot, back = map(at, each.normal)
            along = unit_vector(foot, back) * MAX_NORMAL_LENGTH
            painter.drawLine(foot - along, foot + along)
        painter.setPen(solid)
        if each.place is not None:
            paint_dimension(painter, lay_out_dimension(each, viewport.camera), theme, color)
        elif each.arc is not None:
            arc = _Arc.between_legs(*map(at, each.arc))
            steps = max(2, int(abs(arc.sweep) / math.radians(3)))
            painter.drawPolyline([arc.point_at(i / steps) for i in range(steps + 1)])


@dataclass(frozen=True)
class _Arc:
    """The shorter arc, in pixels, between the two legs of an angle."""

    vertex: QPointF
    radius: float
    start: float
    sweep: float

    @classmethod
    def between_legs(cls, vertex: QPointF, a: QPointF, b: QPointF) -> _Arc:
        radius = min(MAX_ARC_RADIUS, *(0.9 * pixel_distance(vertex, end) for end in (a, b)))
        start, end = (math.atan2(p.y() - vertex.y(), p.x() - vertex.x()) for p in (a, b))
        return cls(vertex, radius, start, math.remainder(end - start, 2 * math.pi))

    def direction_at(self, part: float) -> QPointF:
        angle = self.start + self.sweep * part
        return QPointF(math.cos(angle), math.sin(angle))

    def point_at(self, part: float) -> QPointF:
        return self.vertex + self.direction_at(part) * self.radius


def measurement_labels(
    drawn: Mapping[str, DrawnMeasurement], camera: Camera, selected: Collection[str] = ()
) -> dict[str, Label]:
    """The labels with the values of measurements that the user has not placed, by name: beside the
    middle of a line, or between the legs of an angle.
    """
    labels = {}
    for name, each in drawn.items():
        if each.place is not None or not each.has_position:
            continue
        pieces = ((each.text, "accent" if name in selected else "text"),)
        boxes = tuple(_value_boxes(each, camera, label_size(pieces)))
        labels[name] = Label(pieces, boxes, required=name in selected)
    return labels


def _value_boxes(
    drawn: DrawnMeasurement, camera: Camera, size: tuple[float, float]
) -> list[QRectF]:
    at = camera.to_screen(drawn.at)
    if drawn.arc is None and drawn.line is not None:
        a, b = map(camera.to_screen, drawn.line)
        across = turn_clockwise(unit_vector(a, b) if a.x() > b.x() else unit_vector(b, a))
        places = [at, a + (b - a) * 0.3, a + (b - a) * 0.7]
        return [label_box(p, side, *size, gap=4) for p in places for side in (across, -across)]
    near = []
    if drawn.arc is not None:
        arc = _Arc.between_legs(*map(camera.to_screen, drawn.arc))
        at, out = arc.vertex, arc.direction_at(0.5)
        near = [label_box(arc.point_at(0.5), out, *size, gap=4), label_box(at, -out, *size)]
    around = ((0, -1), (1, 0), (0, 1), (-1, 0))
    return [*near, *(label_box(at, QPointF(*d), *size, gap=10) for d in around)]


def measurement_boxes(drawn: Mapping[str, DrawnMeasurement], camera: Camera) -> list[QRectF]:
    """The boxes around the lines of measurements, and around dimensions, in pixels."""
    ends = QMarginsF(HALF_END_STROKE, HALF_END_STROKE, HALF_END_STROKE, HALF_END_STROKE)
    lines = (line for each in drawn.values() for line in _drawn_lines(each))
    return [
        *(QRectF(*map(camera.to_screen, line)).normalized() + ends for line in lines),
        *(box + ends for box in dimension_boxes(drawn, camera)),
    ]


def dimension_boxes(drawn: Mapping[str, DrawnMeasurement], camera: Camera) -> list[QRectF]:
    """The boxes around dimensions in pixels, which labels must not cover."""
    placed = (lay_out_dimension(d, camera) for d in drawn.values() if d.place is not None)
    return [box for dimension in placed for box in dimension.boxes]


def dimension_extent(document: Document) -> Box | None:
    """The box around all placed dimension texts, in scene units; None if there are none."""
    points = [
        point
        for d in read_measurements(document, None).values()
        if d.place is not None
        for point in (d.place, *(d.line or ()), *(d.arc or ()))
    ]
    return union_of_boxes((p.x, p.y, p.x, p.y) for p in points)


def _drawn_lines(drawn: DrawnMeasurement) -> list[tuple[Point, Point]]:
    """The lines that a measurement draws, including the legs of an angle."""
    return [*([drawn.line] if drawn.line is not None else []), *drawn.legs]


def measurement_at(
    drawn: Mapping[str, DrawnMeasurement], labels: Mapping[str, QRectF], camera: Camera, at: QPointF
) -> str | None:
    """The name of the measurement whose label or line is at a point in pixels; None if there is
    none.
    """
    place, reach = camera.to_scene(at), CLICK_REACH / camera.scale
    for name, each in drawn.items():
        if each.place is not None and lay_out_dimension(each, camera).covers_point(at, CLICK_REACH):
            return name
        if name in labels and labels[name].contains(at):
            return name
        lines = [*_drawn_lines(each), *([each.normal] if each.normal is not None else [])]
        if any(math.dist(Line(a, b).nearest(place), place) <= reach for a, b in lines):
            return name
    return None
