"""Pens, outlines, labels and arrow heads for the painters of objects. Line widths are in pixels at
any zoom.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.aspects.own_style import OwnStyle
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.shape import Arc, Parabola
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import SMALL_SIZE, Theme, text_font

THINNEST = 1.0
"""The least width of a line in pixels."""
MIN_CONTRAST = 1.5
"""The contrast with the canvas below which an object's own colour is not used."""


@dataclass(frozen=True)
class Style:
    """The style in which an object is painted."""

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

    def own_pen(self, given: Any, color: str, width: float) -> QPen:
        """A pen with the style that a file specifies, where its colour has enough contrast; what it
        leaves open is as in `pen`.
        """
        own, pen = OwnStyle.from_json(given), self.pen(color, width)
        if self.ghost:
            return pen
        if own.width is not None:
            pen.setWidthF(max(THINNEST, own.width) + pen.widthF() - width)
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
    """The contrast ratio, by WCAG 2, of a colour that is painted on an opaque one: 1 for none to
    21.
    """
    a = color.alphaF()
    mixed = [a * c + (1 - a) * g for c, g in zip(_rgb(color), _rgb(ground), strict=True)]
    light, dark = sorted((_luminance(mixed), _luminance(_rgb(ground))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _rgb(color: QColor) -> tuple[float, float, float]:
    return color.redF(), color.greenF(), color.blueF()


def _luminance(rgb: Sequence[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def outline_path(edges: Sequence[Edge], camera: Camera, *, closed: bool) -> QPainterPath:
    """Edges as a painter path in pixels, with arcs as exact arcs."""
    path = QPainterPath()
    if not edges:
        return path
    path.moveTo(camera.to_screen(edges[0].shape.a))
    for edge in edges:
        shape = edge.shape
        if not closed:
            path.moveTo(camera.to_screen(shape.a))
        if isinstance(shape, Arc):
            centre, radius = camera.to_screen(shape.centre), shape.radius * camera.scale
            box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
            path.arcTo(box, -math.degrees(shape.start), -math.degrees(shape.sweep))
        elif isinstance(shape, Bezier):
            path.cubicTo(*(camera.to_screen(p) for p in (shape.p1, shape.p2, shape.p3)))
        elif isinstance(shape, Parabola | Chain):
            for point in shape.points()[1:]:
                path.lineTo(camera.to_screen(point))
        else:
            path.lineTo(camera.to_screen(shape.b))
    if closed:
        path.closeSubpath()
    return path


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
    box = QRectF(
        at.x() - 4,
        at.y() - metrics.ascent() - 1,
        metrics.horizontalAdvance(text) + 8,
        metrics.height() + 2,
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("canvas", 0.78))
    painter.drawRoundedRect(box, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.color(color))
    painter.drawText(at, text)
    return box


def paint_chevron(painter: QPainter, tip: QPointF, other: QPointF, size: float) -> None:
    """Paint two strokes at ``tip`` that point away from ``other``, or towards it if ``size`` is
    negative.
    """
    back = unit_vector(tip, other)
    across = QPointF(-back.y(), back.x())
    for side in (0.6, -0.6):
        painter.drawLine(tip, tip + back * size + across * (side * abs(size)))


def pixel_distance(a: QPointF, b: QPointF) -> float:
    """Distance of two points, in pixels."""
    return math.hypot(b.x() - a.x(), b.y() - a.y())


def unit_vector(a: QPointF, b: QPointF) -> QPointF:
    """The unit vector from one point to another; (1, 0) if they coincide."""
    length = pixel_distance(a, b)
    return QPointF(1, 0) if length == 0 else (b - a) / length
