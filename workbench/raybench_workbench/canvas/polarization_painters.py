"""Painters of elements that change the polarization of light: a line with a dial on it, which shows
the axis as it is seen looking into the light, with s upwards.
"""

import math

from PySide6.QtCore import QPointF, QRectF, Qt

from raybench.kinds.polarizing_elements import (
    Polarizer,
    PolarizingElement,
    PolarizingSplitter,
    Rotator,
    WavePlate,
)
from raybench_workbench.canvas.strokes import Sketch, pixel_distance, square_around

DIAL_RADIUS = 7.0
"""Radius of a dial in pixels, of elements that are not short."""


def paint_polarizer(obj: Polarizer, sketch: Sketch) -> None:
    at, radius = _paint_dial(obj, sketch)
    step = _dial_vector(obj.axis, radius)
    sketch.draw_line(at - step, at + step)


def paint_wave_plate(obj: WavePlate, sketch: Sketch) -> None:
    """Paint a wave plate; its fast axis is the longer stroke of the cross."""
    at, radius = _paint_dial(obj, sketch)
    for step in (
        _dial_vector(obj.fast_axis, radius),
        _dial_vector(obj.fast_axis + 90, 0.45 * radius),
    ):
        sketch.draw_line(at - step, at + step)


def paint_rotator(obj: Rotator, sketch: Sketch) -> None:
    """Paint a rotator; the arrow shows in which sense it turns light."""
    at, radius = _paint_dial(obj, sketch)
    inner, sense = 0.55 * radius, math.copysign(1.0, obj.rotation)
    box: QRectF = square_around(at, inner)
    sketch.painter.drawArc(box, 16 * 90, round(16 * sense * 240))
    tip = at + _dial_vector(sense * 240, inner)
    sketch.draw_chevron(tip, at + _dial_vector(sense * 190, inner), 0.5 * radius)


def paint_polarizing_splitter(obj: PolarizingSplitter, sketch: Sketch) -> None:
    """Paint a polarizing splitter as a beam splitter with a dot (s) and a stroke (p) in its middle."""
    sketch.set_pen("mirror", 2.5, (3, 1.2))
    sketch.draw_line(*sketch.end_points(obj))
    at, radius = _paint_dial(obj, sketch, line=False)
    sketch.draw_line(at - QPointF(0.6 * radius, 0), at + QPointF(0.6 * radius, 0))
    sketch.painter.drawEllipse(at, 1.0, 1.0)


def _paint_dial(obj: PolarizingElement, sketch: Sketch, line: bool = True) -> tuple[QPointF, float]:
    """Paint the line of an element and an empty dial on it. Returns its centre and radius."""
    a, b = sketch.end_points(obj)
    if line:
        sketch.set_pen("mirror", 2.5)
        sketch.draw_line(a, b)
    radius, at = min(DIAL_RADIUS, pixel_distance(a, b) / 3), (a + b) / 2
    sketch.set_pen("mirror", 1.25)
    sketch.painter.setBrush(sketch.style.theme.color("canvas"))
    sketch.painter.drawEllipse(at, radius, radius)
    sketch.painter.setBrush(Qt.BrushStyle.NoBrush)  # other objects are painted next
    sketch.set_pen("mirror", 1.5)
    return at, radius


def _dial_vector(degrees: float, length: float) -> QPointF:
    """The vector from the centre of a dial to an azimuth in degrees, counter-clockwise from the
    top.
    """
    angle = math.radians(degrees)
    return QPointF(-length * math.sin(angle), -length * math.cos(angle))
