"""The painting of dimensions: measurements whose text the user has placed. They have dimension
lines with arrows and extension lines, arcs of angles, or texts with leaders. All lengths are in
pixels, at any zoom.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from raybench_workbench.canvas.strokes import (
    pixel_distance,
    set_pen_and_brush,
    turn_clockwise,
    unit_vector,
)
from raybench_workbench.canvas.texts import letter_outlines, letter_rim
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import SMALL_SIZE, Theme, text_font

if TYPE_CHECKING:
    from raybench.analysis.measurements import DrawnMeasurement

HEAD_LENGTH, HALF_HEAD_WIDTH = 10.0, 1.8
"""The length of an arrow head, and half its width."""
TAIL_LENGTH = 8.0
"""The length of a line behind an arrow head that is outside."""
EXTENSION_GAP, EXTENSION_OVERHANG = 2.0, 4.0
"""How far an extension line begins from what is measured, and goes beyond the dimension line."""
SHOULDER_LENGTH = 10.0
"""The length of the level part of a leader."""
TEXT_DISTANCE = 3.0
"""The distance of a text from its line."""
LINE_WIDTH, HALO_WIDTH = 1.0, 4.0
"""The widths of a line, and of its rim in the colour of the canvas."""
MAX_KEPT_RIMS = 500
"""How many rims of texts are kept for the next painting."""
LEVEL_SINE = 1e-6
"""The sine of an angle that is a rounding error."""
MAX_PIECE_LENGTH, MAX_PIECES = 16.0, 200
"""The size of the boxes around pieces of a slanted line, and how many a line has at most."""
ARC_STEP = math.radians(2)
"""The angle between the points of an arc."""


@dataclass(frozen=True)
class Dimension:
    """The painted shape of a measurement: lines as lists of points, the tips and directions of
    arrow heads, and a text of ``size`` with its centre at ``middle``, rotated by ``angle`` degrees.
    """

    lines: tuple[tuple[QPointF, ...], ...]
    heads: tuple[tuple[QPointF, QPointF], ...]
    text: tuple[str, ...]
    middle: QPointF
    size: tuple[float, float]
    angle: float = 0.0

    @property
    def text_transform(self) -> QTransform:
        """The transform that moves a text centred at the origin to its position on the canvas."""
        return QTransform.fromTranslate(self.middle.x(), self.middle.y()).rotate(self.angle)

    @property
    def text_box(self) -> QRectF:
        """The box around the text."""
        wide, high = self.size
        return self.text_transform.mapRect(QRectF(-wide / 2, -high / 2, wide, high))

    @property
    def boxes(self) -> list[QRectF]:
        """Boxes that cover the text and all lines."""
        return [
            self.text_box,
            *(_box_of_points(p) for line in self.lines for p in _line_pieces(line)),
        ]

    def covers_point(self, at: QPointF, reach: float) -> bool:
        """Whether a point is on the text, or within ``reach`` of a line."""
        wide, high = self.size
        own = self.text_transform.inverted()[0].map(at)
        if abs(own.x()) <= wide / 2 and abs(own.y()) <= high / 2:
            return True
        return any(
            _distance_from_line(at, a, b) <= reach
            for line in self.lines
            for a, b in itertools.pairwise(line)
        )


def lay_out_dimension(drawn: DrawnMeasurement, camera: Camera) -> Dimension:
    """The dimension of a measurement whose text the user has placed."""
    text = tuple(drawn.text.split("\n"))
    size = _text_size(text)
    lay_out = _lay_out_line if drawn.arc is None else _lay_out_arc
    laid = (lay_out if drawn.tip is None else _lay_out_leader)(drawn, camera, size)
    extensions = (_extension_line(*map(camera.to_screen, ends)) for ends in drawn.extensions)
    lines = (*filter(None, extensions), laid.line)
    return Dimension(lines, laid.heads, text, laid.middle, size, laid.angle)


class _DimensionLayout(NamedTuple):
    """The lines, the arrow heads and the text position of a `Dimension`."""

    line: tuple[QPointF, ...]
    heads: tuple[tuple[QPointF, QPointF], ...]
    middle: QPointF
    angle: float = 0.0


def _extension_line(a: QPointF, b: QPointF) -> tuple[QPointF, ...]:
    """The extension line from a measured point to a dimension line; empty if they are close."""
    if pixel_distance(a, b) <= EXTENSION_GAP:
        return ()
    along = unit_vector(a, b)
    return a + along * EXTENSION_GAP, b + along * EXTENSION_OVERHANG


def _lay_out_line(
    drawn: DrawnMeasurement, camera: Camera, size: tuple[float, float]
) -> _DimensionLayout:
    assert drawn.line is not None
    assert drawn.place is not None
    a, b = map(camera.to_screen, drawn.line)
    along = unit_vector(a, b)
    if along.x() < -LEVEL_SINE or (along.x() < LEVEL_SINE and along.y() > 0):
        a, b = b, a  # so that the text is read from below, or from the right
    along, length, wide = unit_vector(a, b), pixel_distance(a, b), size[0]
    place = camera.to_screen(drawn.place) - a
    at = place.x() * along.x() + place.y() * along.y()
    inside = length >= 2 * HEAD_LENGTH + 4
    heads, start, end = ((a, -along), (b, along)), 0.0, length
    if not inside:
        heads, start, end = (
            ((a, along), (b, -along)),
            -HEAD_LENGTH - TAIL_LENGTH,
            length + HEAD_LENGTH + TAIL_LENGTH,
        )
    if wide <= length:
        at = min(max(at, wide / 2), length - wide / 2)
    elif at < 0:
        at = min(at, -HEAD_LENGTH - TEXT_DISTANCE - wide / 2)
        start = min(start, at - wide / 2)
    else:  # beside a short line
        at = max(at, length + HEAD_LENGTH + TEXT_DISTANCE + wide / 2)
        end = max(end, at + wide / 2)
    up = QPointF(along.y(), -along.x())
    middle = a + along * at + up * (size[1] / 2 + TEXT_DISTANCE - 1)
    line = a + along * start, a + along * end
    angle = math.degrees(math.atan2(along.y(), along.x()))
    return _DimensionLayout(line, heads, middle, angle)


def _lay_out_arc(
    drawn: DrawnMeasurement, camera: Camera, size: tuple[float, float]
) -> _DimensionLayout:
    assert drawn.arc is not None
    vertex, a, b = map(camera.to_screen, drawn.arc)
    radius = pixel_distance(vertex, a)
    first, last = (math.atan2(p.y() - vertex.y(), p.x() - vertex.x()) for p in (a, b))
    sweep = math.remainder(last - first, 2 * math.pi)
    inside = abs(sweep) * radius >= 2 * HEAD_LENGTH + 6
    turned = math.copysign(1.0, sweep)
    beyond = 0.0 if inside else turned * (HEAD_LENGTH + TAIL_LENGTH) / max(radius, 1.0)

    def at(angle: float, distance: float = radius) -> QPointF:
        return vertex + QPointF(math.cos(angle), math.sin(angle)) * distance

    # a straight head lies on the chord of the arc below it
    lean = min(HEAD_LENGTH / 2 / max(radius, 1.0), math.pi / 4) * turned * (1 if inside else -1)
    ahead = turned if inside else -turned
    heads = tuple(
        (at(end), turn_clockwise(at(end + side * lean, 1.0) - vertex) * (-side * ahead))
        for end, side in ((first, 1), (last, -1))
    )
    start, whole = first - beyond, sweep + 2 * beyond
    steps = max(2, math.ceil(abs(whole) / ARC_STEP))
    line = tuple(at(start + whole * i / steps) for i in range(steps + 1))
    out = at(first + sweep / 2, 1.0) - vertex
    reach = abs(out.x()) * size[0] / 2 + abs(out.y()) * size[1] / 2 + 2 * TEXT_DISTANCE
    middle = vertex + out * (radius + reach)
    return _DimensionLayout(line, heads, middle)


def _lay_out_leader(
    drawn: DrawnMeasurement, camera: Camera, size: tuple[float, float]
) -> _DimensionLayout:
    assert drawn.place is not None
    assert drawn.tip is not None
    place, tip = camera.to_screen(drawn.place), camera.to_screen(drawn.tip)
    side = 1.0 if place.x() >= tip.x() else -1.0
    knee, middle = place, place + QPointF(side * (SHOULDER_LENGTH + TEXT_DISTANCE + size[0] / 2), 0)
    line = tip, knee, place + QPointF(side * SHOULDER_LENGTH, 0)
    heads = ((tip, unit_vector(place, tip)),) if pixel_distance(place, tip) > HEAD_LENGTH else ()
    return _DimensionLayout(line, heads, middle)


def paint_dimension(painter: QPainter, dimension: Dimension, theme: Theme, color: str) -> None:
    """Paint a dimension in a colour of the theme, with a rim that keeps it legible over light."""
    ground, ink = theme.color("canvas", 0.75), theme.color(color)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for pen in (_flat_pen(ground, HALO_WIDTH), _flat_pen(ink, LINE_WIDTH)):
        set_pen_and_brush(painter, pen)
        for line in dimension.lines:
            painter.drawPolyline(list(line))
    set_pen_and_brush(painter, None, ink)
    for tip, along in dimension.heads:
        back, across = tip - along * HEAD_LENGTH, turn_clockwise(along) * HALF_HEAD_WIDTH
        painter.drawPolygon(QPolygonF([tip, back + across, back - across]))
    painter.setTransform(dimension.text_transform, True)
    painter.fillPath(_text_rim(dimension.text), ground)
    painter.setFont(text_font(SMALL_SIZE))
    painter.setPen(ink)
    for at, row in zip(_text_line_positions(dimension.text), dimension.text, strict=True):
        painter.drawText(at, row)
    painter.restore()


def _text_size(text: Sequence[str]) -> tuple[float, float]:
    """The width and the height of lines of text."""
    metrics = QFontMetricsF(text_font(SMALL_SIZE))
    return max(map(metrics.horizontalAdvance, text)) + 2.0, metrics.height() * len(text)


def _text_line_positions(text: Sequence[str]) -> list[QPointF]:
    """The position at which each line of a text begins, if the text is centred at the origin."""
    (wide, high), ascent = _text_size(text), QFontMetricsF(text_font(SMALL_SIZE)).ascent()
    return [QPointF(1 - wide / 2, (i / len(text) - 0.5) * high + ascent) for i in range(len(text))]


@lru_cache(MAX_KEPT_RIMS)
def _text_rim(text: tuple[str, ...]) -> QPainterPath:
    """The rim around the letters of a text centred at the origin. It is one outline, since that is
    painted much faster.
    """
    font = text_font(SMALL_SIZE)
    return letter_rim(
        letter_outlines(text, _text_line_positions(text), font), SMALL_SIZE
    ).simplified()


def _flat_pen(color: QColor, width: float) -> QPen:
    """A pen with flat line ends, so that lines end exactly at the tips of arrow heads."""
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _line_pieces(line: Sequence[QPointF]) -> Iterator[tuple[QPointF, QPointF]]:
    """The pieces of a line, at most `MAX_PIECE_LENGTH` long. Horizontal and vertical lines are not
    split.
    """
    for a, b in itertools.pairwise(line):
        slanted = min(abs(b.x() - a.x()), abs(b.y() - a.y()))
        count = min(math.ceil(slanted / MAX_PIECE_LENGTH), MAX_PIECES) or 1
        points = [a + (b - a) * (i / count) for i in range(count + 1)]
        yield from itertools.pairwise(points)


def _box_of_points(points: Sequence[QPointF]) -> QRectF:
    rim = HALF_HEAD_WIDTH + 1
    return QPolygonF(points).boundingRect().adjusted(-rim, -rim, rim, rim)


def _distance_from_line(at: QPointF, a: QPointF, b: QPointF) -> float:
    along, length, off = unit_vector(a, b), pixel_distance(a, b), at - a
    reach = min(max(off.x() * along.x() + off.y() * along.y(), 0.0), length)
    return pixel_distance(at, a + along * reach)
