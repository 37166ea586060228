"""Pens, outlines, labels and arrow heads for the painters of objects. Line widths are in pixels at
any zoom.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.aspects.own_style import OwnStyle
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.shape import Arc, Parabola
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import SMALL_SIZE, Theme, rgb_components, text_font

MIN_LINE_WIDTH = 1.0
"""The least width of a line in pixels."""
MIN_CONTRAST = 1.5
"""The contrast with the canvas below which an object's own colour is not used."""


@dataclass(frozen=True)
class Style:
    """The style in which an object is painted: the theme, and states such as selected, hovered or
    disabled.
    """

    theme: Theme
    selected: bool = False
    hovered: bool = False
    disabled: bool = False
    ghost: str = ""
    """The colour of an object that is only proposed, or that a proposal would delete; it is drawn
    dashed.
    """
    over_light: bool = False
    """Whether light may lie below it."""
    text_sizes: Mapping[int, int] = field(default_factory=dict)
    """Sizes in pixels of texts that are enlarged to be readable, by key."""

    def pen(self, color: str, width: float) -> QPen:
        """A pen in one of the theme's colours: the accent colour if selected, fainter if
        disabled.
        """
        if self.ghost:
            return QPen(self.theme.color(self.ghost), width + 0.5, Qt.PenStyle.DashLine)
        name = "accent" if self.selected else ("text" if self.hovered else color)
        pen = QPen(
            self.theme.color(name, 0.35 if self.disabled else 1.0),
            width + (0.5 if self.selected or self.hovered else 0),
        )
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen

    def file_style_pen(self, given: Any, color: str, width: float) -> QPen:
        """A pen with the style that a file specifies, if its colour has enough contrast. Properties
        that are not specified are those of `pen`.
        """
        own, pen = OwnStyle.from_json(given), self.pen(color, width)
        if self.ghost:
            return pen
        if own.width is not None:
            pen.setWidthF(max(MIN_LINE_WIDTH, own.width) + pen.widthF() - width)
        if own.dash:
            pattern = own.dash * (1 + len(own.dash) % 2)
            pen.setDashPattern([dash / pen.widthF() for dash in pattern])
        if own.color is not None and not self.selected and not self.hovered:
            chosen = QColor.fromRgbF(*own.color)
            chosen.setAlphaF(chosen.alphaF() * pen.color().alphaF())
            if contrast_ratio(chosen, self.theme.color("canvas")) >= MIN_CONTRAST:
                pen.setColor(chosen)
        return pen


def contrast_ratio(color: QColor, ground: QColor) -> float:
    """The contrast ratio of two opaque colours by WCAG 2, from 1 (no contrast) to 21."""
    a, below = color.alphaF(), rgb_components(ground)
    mixed = [a * c + (1 - a) * g for c, g in zip(rgb_components(color), below, strict=True)]
    dark, light = sorted((_luminance(mixed), _luminance(below)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(rgb: Sequence[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@dataclass(frozen=True)
class Sketch:
    """Paints the lines of an object in a style, as a camera shows them."""

    painter: QPainter
    camera: Camera
    style: Style

    def end_points(self, obj: Any) -> tuple[QPointF, QPointF]:
        """The two end points of an object such as a line segment, in pixels."""
        return self.camera.to_screen(obj.p1), self.camera.to_screen(obj.p2)

    def set_pen(
        self, color: str, width: float, dashes: Sequence[float] = (), *, file_style: Any = None
    ) -> None:
        """Choose the pen for the following lines, in a colour of the theme. ``file_style`` is the
        style that a file specifies.
        """
        pen = (
            self.style.pen(color, width)
            if file_style is None
            else self.style.file_style_pen(file_style, color, width)
        )
        if dashes:
            pen.setDashPattern(dashes)
        self.painter.setPen(pen)

    def outline(self, obj: SceneObject, *, closed: bool = False) -> QPainterPath:
        """The outline of an object, in pixels."""
        return outline_path(object_edges(obj), self.camera, closed=closed)

    def draw_line(self, a: QPointF, b: QPointF) -> None:
        self.painter.drawLine(a, b)

    def draw_chevron(self, tip: QPointF, other: QPointF, size: float) -> None:
        """Draw two strokes at ``tip`` that point away from ``other``, or towards it if ``size`` is
        negative.
        """
        back = unit_vector(tip, other)
        for side in (0.6, -0.6):
            self.draw_line(tip, tip + back * size + turn_clockwise(back) * (side * abs(size)))


def outline_path(edges: Sequence[Edge], camera: Camera, *, closed: bool) -> QPainterPath:
    """Edges as a painter path in pixels, with arcs as exact arcs."""
    path = QPainterPath()
    for i, edge in enumerate(edges):
        shape = edge.shape
        if i == 0 or not closed:
            path.moveTo(camera.to_screen(shape.a))
        if isinstance(shape, Arc):
            box = square_around(camera.to_screen(shape.centre), shape.radius * camera.scale)
            path.arcTo(box, -math.degrees(shape.start), -math.degrees(shape.sweep))
        elif isinstance(shape, Bezier):
            path.cubicTo(*(camera.to_screen(p) for p in (shape.p1, shape.p2, shape.p3)))
        elif isinstance(shape, Parabola | Chain):
            for point in shape.points()[1:]:
                path.lineTo(camera.to_screen(point))
        else:
            path.lineTo(camera.to_screen(shape.b))
    if edges and closed:
        path.closeSubpath()
    return path


def set_pen_and_brush(
    painter: QPainter, line: QPen | QColor | None, fill: QColor | None = None
) -> None:
    """Set the pen for lines and the brush for areas; None draws none."""
    painter.setPen(line if line is not None else Qt.PenStyle.NoPen)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)


def text_width(text: str) -> float:
    """The width of small text in pixels."""
    return QFontMetricsF(text_font(SMALL_SIZE)).horizontalAdvance(text)


def paint_label(
    painter: QPainter, at: QPointF, text: str, theme: Theme, color: str = "text"
) -> QRectF:
    """Paint small text on a translucent background, legible over rays; its baseline starts at
    ``at``. Returns its bounding box.
    """
    painter.setFont(text_font(SMALL_SIZE))
    metrics = painter.fontMetrics()
    size = QSizeF(metrics.horizontalAdvance(text) + 8, metrics.height() + 2)
    box = QRectF(at - QPointF(4, metrics.ascent() + 1), size)
    set_pen_and_brush(painter, None, theme.color("canvas", 0.78))
    painter.drawRoundedRect(box, 3, 3)
    set_pen_and_brush(painter, theme.color(color))
    painter.drawText(at, text)
    return box


def paint_dimension_line(painter: QPainter, a: QPointF, b: QPointF, half_tick: float) -> None:
    """Paint a dimension line: a line with a stroke across each end, which extends ``half_tick``
    pixels to both sides.
    """
    across = turn_clockwise(unit_vector(a, b)) * half_tick
    painter.drawLine(a, b)
    for end in (a, b):
        painter.drawLine(end - across, end + across)


def square_around(at: QPointF, half: float) -> QRectF:
    """The square with the centre ``at`` and sides of twice ``half``."""
    return QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)


def diamond_around(at: QPointF, half: float) -> QPolygonF:
    """The diamond with the centre ``at`` and diagonals of twice ``half``."""
    return QPolygonF([at + QPointF(*d) * half for d in ((0, -1), (1, 0), (0, 1), (-1, 0))])


def pixel_distance(a: QPointF, b: QPointF) -> float:
    """Distance of two points, in pixels."""
    return math.hypot(b.x() - a.x(), b.y() - a.y())


def unit_vector(a: QPointF, b: QPointF) -> QPointF:
    """The unit vector from one point to another; (1, 0) if they coincide."""
    length = pixel_distance(a, b)
    return QPointF(1, 0) if length == 0 else (b - a) / length


def turn_clockwise(vector: QPointF) -> QPointF:
    """The vector turned by 90° clockwise as seen on the screen."""
    return QPointF(-vector.y(), vector.x())
