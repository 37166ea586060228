"""The values of a document's measurements, cached until the document or its trace changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QObject, QPointF, QRectF, Qt, QThreadPool, Signal
from PySide6.QtGui import QPainter, QPen

from raybench.scene.document import Document
from raybench.scene.measurements import KINDS, Measurement
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.labels import Label, box_size, label_box
from raybench_workbench.canvas.strokes import pixel_distance, unit_vector
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.threads import Latest

if TYPE_CHECKING:
    from raybench.analysis.measurements import Drawn
    from raybench.shapes.point import Point

LARGE = 20_000
"""Number of segments above which measurements of light are read in a worker thread."""
ARC = 36.0
"""Largest radius of an arc, in pixels."""
END = 5.0
"""Half the length of the strokes at the ends of a line, in pixels."""
NORMAL = 56.0
"""Largest length of the normal on either side of a surface, in pixels."""
REACH = 4.0
"""Largest distance from the pointer to a measurement that is clicked, in pixels."""


def measurement_readings(
    document: Document,
    result: TraceResult | None,
    measurements: Mapping[str, Measurement] | None = None,
) -> dict[str, Drawn]:
    """The measurements of a document, or other ones, as they are drawn, by name."""
    measurements = document.measurements if measurements is None else measurements
    if not measurements:
        return {}
    from raybench.analysis.measurements import (
        read_measurement,  # imports the measures, which the first window does not need
    )

    return {name: read_measurement(document, result, m) for name, m in measurements.items()}


class Readings(QObject):
    """The readings of one window. Those of large traces are computed in a thread; ``changed`` is
    emitted when they are available.

    ``failed`` is called with the reason if they cannot be computed.
    """

    changed = Signal()

    def __init__(self, failed: Callable[[str], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reading = Latest(
            self, failed, "Reading the measurements", pool=QThreadPool.globalInstance()
        )
        self._read_for: tuple[Document, TraceResult | None] | None = None
        self._drawn: dict[str, Drawn] = {}

    def drawn(self, document: Document, result: TraceResult | None) -> dict[str, Drawn]:
        """The readings by name. Of a large trace, the previous ones are returned until the new ones
        are available.
        """
        now = document, result
        if (
            self._read_for is None
            or self._read_for[0] is not document
            or self._read_for[1] is not result
        ):
            self._read_for = now
            self._reading.drop()
            light = [n for n, m in document.measurements.items() if KINDS[m.kind].takes_surface]
            large = result is not None and len(result) > LARGE and bool(light)
            before = {n: d for n, d in self._drawn.items() if n in light} if large else {}
            at_once = {
                n: m for n, m in document.measurements.items() if not large or n not in light
            }
            self._drawn = before | measurement_readings(document, result, at_once)
            if large:
                later = {n: document.measurements[n] for n in light}
                self._reading.ask(
                    lambda: measurement_readings(document, result, later), self._add_read
                )
        return self._drawn

    def _add_read(self, drawn: dict[str, Drawn]) -> None:
        self._drawn = self._drawn | drawn
        self.changed.emit()


def paint_measurements(
    painter: QPainter,
    drawn: Mapping[str, Drawn],
    viewport: Viewport,
    selected: Collection[str] = (),
) -> None:
    """Paint the lines and arcs of measurements, by name; `measurement_labels` are their values."""
    camera, theme = viewport.camera, viewport.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for name, each in drawn.items():
        color = "accent" if name in selected else "text"
        painter.setPen(QPen(theme.color(color, 0.9), 1.25))
        if each.line is not None:
            a, b = (camera.to_screen(p) for p in each.line)
            along = unit_vector(a, b)
            across = QPointF(-along.y(), along.x()) * END
            painter.drawLine(a, b)
            for end in (a, b):
                painter.drawLine(end - across, end + across)
        painter.setPen(QPen(theme.color(color, 0.7), 1, Qt.PenStyle.DashLine))
        for leg in each.legs:
            painter.drawLine(*(camera.to_screen(p) for p in leg))
        if each.normal is not None:
            foot, back = (camera.to_screen(p) for p in each.normal)
            along = unit_vector(foot, back) * NORMAL
            painter.drawLine(foot - along, foot + along)
        painter.setPen(QPen(theme.color(color, 0.9), 1.25))
        if each.arc is not None:
            painter.drawPolyline(_arc_points(*(camera.to_screen(p) for p in each.arc)))


def _arc_points(vertex: QPointF, a: QPointF, b: QPointF) -> list[QPointF]:
    """The shorter arc about a vertex from one leg to the other."""
    radius = _arc_radius(vertex, a, b)
    start, sweep = _arc_angles(vertex, a, b)
    steps = max(2, int(abs(sweep) / math.radians(3)))
    return [vertex + _unit_vector(start + sweep * i / steps) * radius for i in range(steps + 1)]


def _arc_radius(vertex: QPointF, a: QPointF, b: QPointF) -> float:
    return min(ARC, *(0.9 * pixel_distance(vertex, end) for end in (a, b)))


def _arc_angles(vertex: QPointF, a: QPointF, b: QPointF) -> tuple[float, float]:
    start, end = (math.atan2(p.y() - vertex.y(), p.x() - vertex.x()) for p in (a, b))
    return start, math.remainder(end - start, 2 * math.pi)


def _unit_vector(angle: float) -> QPointF:
    return QPointF(math.cos(angle), math.sin(angle))


def measurement_labels(
    drawn: Mapping[str, Drawn], camera: Camera, selected: Collection[str] = ()
) -> list[Label]:
    """The values of measurements, as labels to be placed: beside the middle of a line, or within
    the legs of an angle.
    """
    labels = []
    for name, each in drawn.items():
        pieces = ((each.text, "accent" if name in selected else "text"),)
        labels.append(
            Label(
                pieces,
                tuple(_value_boxes(each, camera, box_size(pieces))),
                required=name in selected,
            )
        )
    return labels


def _value_boxes(drawn: Drawn, camera: Camera, size: tuple[float, float]) -> list[QRectF]:
    at = camera.to_screen(drawn.at)
    if drawn.arc is not None:
        vertex, a, b = (camera.to_screen(p) for p in drawn.arc)
        start, sweep = _arc_angles(vertex, a, b)
        out = _unit_vector(start + sweep / 2)
        radius = _arc_radius(vertex, a, b)
        return [
            label_box(vertex + out * radius, out, *size, gap=4),
            label_box(vertex, -out, *size),
            *_boxes_around(vertex, size),
        ]
    if drawn.line is not None:
        a, b = (camera.to_screen(p) for p in drawn.line)
        along = unit_vector(a, b)
        across = (
            QPointF(along.y(), -along.x()) if along.x() >= 0 else QPointF(-along.y(), along.x())
        )
        places = [at, a + (b - a) * 0.3, a + (b - a) * 0.7]
        return [label_box(p, side, *size, gap=4) for p in places for side in (across, -across)]
    return _boxes_around(at, size)


def _boxes_around(at: QPointF, size: tuple[float, float]) -> list[QRectF]:
    return [label_box(at, QPointF(*d), *size, gap=10) for d in ((0, -1), (1, 0), (0, 1), (-1, 0))]


def measurement_boxes(drawn: Mapping[str, Drawn], camera: Camera) -> list[QRectF]:
    """The boxes of the lines of measurements, in pixels."""
    ends = QMarginsF(END, END, END, END)
    return [
        QRectF(*map(camera.to_screen, line)).normalized() + ends
        for each in drawn.values()
        for line in _drawn_lines(each)
    ]


def _drawn_lines(drawn: Drawn) -> list[tuple[Point, Point]]:
    """The line and the legs of a measurement."""
    return [*([drawn.line] if drawn.line is not None else []), *drawn.legs]


def measurement_at(
    drawn: Mapping[str, Drawn], labels: Mapping[str, QRectF], camera: Camera, at: QPointF
) -> str | None:
    """The name of the measurement at a point in pixels: its value or one of its lines."""
    for name, each in drawn.items():
        if name in labels and labels[name].contains(at):
            return name
        lines = [*_drawn_lines(each), *([each.normal] if each.normal is not None else [])]
        if any(
            _distance_from_line(at, *(camera.to_screen(p) for p in line)) <= REACH for line in lines
        ):
            return name
    return None


def _distance_from_line(at: QPointF, a: QPointF, b: QPointF) -> float:
    """The distance of a point from the line between two others, in pixels."""
    d = b - a
    square = QPointF.dotProduct(d, d)
    along = min(max(QPointF.dotProduct(at - a, d) / square, 0.0), 1.0) if square else 0.0
    return pixel_distance(at, a + d * along)
