"""The table of painters for all kinds of objects, on the canvas and in icons, by the names that the
kinds refer to; and the painters of decorations other than texts.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from raybench.kinds.aspects.row import IncompleteKind, Row
from raybench.kinds.decorations import CropBox, Drawing, Handle, LineArrow, Protractor, Ruler
from raybench.kinds.kinds import ROWS, kind_row_of
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document
from raybench_workbench.canvas import optical_painters as optical
from raybench_workbench.canvas import polarization_painters as polarization
from raybench_workbench.canvas.strokes import (
    Sketch,
    Style,
    pixel_distance,
    square_around,
    turn_clockwise,
    unit_vector,
)
from raybench_workbench.canvas.texts import paint_text
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import SMALL_SIZE, text_font

NUMBER_SIZE = SMALL_SIZE - 1
"""Size in pixels of the numbers of rulers."""
LINES_PER_STROKE = 500
"""Lines of a stroke that are painted at a time: the time that Qt takes grows as the square of their
number where they cross.
"""
Paint = Callable[[Any, Sketch], None]


def paint_nothing(obj: SceneObject, sketch: Sketch) -> None:
    """Paint nothing: the painter of objects without a picture of their own."""


def paint_arrow(obj: LineArrow, sketch: Sketch) -> None:
    a, b = sketch.end_points(obj)
    sketch.set_pen("decoration", 1.25, file_style=obj.line_style)
    sketch.draw_line(a, b)
    solid = sketch.painter.pen()
    solid.setStyle(Qt.PenStyle.SolidLine)
    sketch.painter.setPen(solid)
    if obj.arrow:
        sketch.draw_chevron(b, a, 8)
    if obj.back_arrow:
        sketch.draw_chevron(a, b, 8)


def paint_ruler(obj: Ruler, sketch: Sketch) -> None:
    sketch.set_pen("decoration", 1)
    sketch.draw_line(*sketch.end_points(obj))
    sketch.painter.setFont(text_font(NUMBER_SIZE))
    for foot, across, number in _ruler_marks(obj, sketch.camera):
        sketch.draw_line(foot, foot + across * (8 if number else 4))
        if number:
            width = sketch.painter.fontMetrics().horizontalAdvance(number)
            sketch.painter.drawText(_ruler_number_position(foot, across, width), number)


def ruler_number_boxes(document: Document, camera: Camera) -> list[QRectF]:
    """The boxes, in pixels, of the numbers beside all visible rulers of a scene."""
    metrics = QFontMetrics(text_font(NUMBER_SIZE))
    boxes = []
    for obj in document.drawn_objects:
        for foot, across, number in _ruler_marks(obj, camera) if isinstance(obj, Ruler) else ():
            if number:
                width = metrics.horizontalAdvance(number)
                at = _ruler_number_position(foot, across, width)
                boxes.append(QRectF(at.x(), at.y() - metrics.ascent(), width, metrics.height()))
    return boxes


def _ruler_marks(obj: Ruler, camera: Camera) -> Iterator[tuple[QPointF, QPointF, str]]:
    """The position, direction and number of each tick mark of a ruler. Most marks have no number;
    there are no marks if they would be too close together.
    """
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along, step = unit_vector(a, b), obj.scale_interval * camera.scale
    if step < 4:
        return
    every = next(k for k in (1, 2, 5, 10, 20, 50, 100) if k * step >= 40 or k == 100)
    for i in range(min(1000, int(pixel_distance(a, b) / step + 1e-6) + 1)):
        number = f"{i * obj.scale_interval:g}" if i % every == 0 else ""
        yield a + along * (i * step), turn_clockwise(along), number


def _ruler_number_position(foot: QPointF, direction: QPointF, width: int) -> QPointF:
    """The position at which the text of a ruler's number starts, on its base line."""
    return foot + direction * 18 + QPointF(-width / 2, 4)


def paint_ruler_icon(obj: Ruler, sketch: Sketch) -> None:
    sketch.set_pen("decoration", 1.25)
    sketch.painter.drawRect(QRectF(2.5, 7, 15, 6))
    for x in (6.25, 10, 13.75):
        sketch.draw_line(QPointF(x, 7), QPointF(x, 10))


def paint_protractor(obj: Protractor, sketch: Sketch) -> None:
    centre, zero = sketch.end_points(obj)
    radius = pixel_distance(centre, zero)
    sketch.set_pen("decoration", 1)
    sketch.painter.drawEllipse(centre, radius, radius)
    start = math.atan2(zero.y() - centre.y(), zero.x() - centre.x())
    for degrees in range(0, 360, 10 if radius < 150 else 5):
        angle = start - math.radians(degrees)
        direction = QPointF(math.cos(angle), math.sin(angle))
        inner = radius - (10 if degrees % 30 == 0 else 5)
        sketch.draw_line(centre + direction * radius, centre + direction * inner)


def paint_drawing(obj: Drawing, sketch: Sketch) -> None:
    sketch.set_pen("decoration", 1.25, file_style=obj.line_style)
    for line in obj.lines:
        points = [sketch.camera.to_screen(p) for p in line]
        for first in range(0, max(1, len(points) - 1), LINES_PER_STROKE):
            sketch.painter.drawPolyline(points[first : first + LINES_PER_STROKE + 1])


def _frame_painter(color: str, width: float, dashes: tuple[float, float]) -> Paint:
    """Make the function that paints a crop box. Its icon has stronger lines than the box on the
    canvas, which must not distract.
    """

    def paint(obj: CropBox, sketch: Sketch) -> None:
        sketch.set_pen(color, width, dashes)
        sketch.painter.drawRect(
            QRectF(sketch.camera.to_screen(obj.p1), sketch.camera.to_screen(obj.p4))
        )

    return paint


def paint_handle(obj: Handle, sketch: Sketch) -> None:
    sketch.set_pen("decoration", 1)
    sketch.painter.drawRect(square_around(sketch.camera.to_screen(obj.p1), 3.5))


def paint_module_icon(obj: SceneObject, sketch: Sketch) -> None:
    """Paint the icon of a module: several parts, drawn as squares and a circle."""
    sketch.set_pen("outline", 1.25)
    for x, y in ((3.5, 3.5), (11.5, 3.5), (3.5, 11.5)):
        sketch.painter.drawRect(QRectF(x, y, 5, 5))
    sketch.painter.drawEllipse(QRectF(11.5, 11.5, 5, 5))


def paint_unread_icon(obj: SceneObject, sketch: Sketch) -> None:
    """Paint the icon of unreadable objects: a dotted circle in the warning colour."""
    sketch.painter.setPen(QPen(sketch.style.theme.color("warning"), 1.25, Qt.PenStyle.DotLine))
    sketch.painter.drawEllipse(QPointF(10, 10), 6, 6)


@dataclass(frozen=True)
class Painter:
    """The paint functions of a kind of object: ``lines`` paints over the rays, ``fill`` below them.
    The optional ``icon`` paints the icon instead of these two.
    """

    lines: Paint
    fill: Paint | None = None
    icon: Paint | None = None


def check_painters(painters: Mapping[str, Painter], rows: Iterable[Row]) -> Mapping[str, Painter]:
    """Return the painters after a check. Raises IncompleteKind if a kind names a painter that is
    missing, or if no kind names one of the painters.
    """
    rows = list(rows)
    for row in rows:
        if row.painter not in painters:
            raise IncompleteKind(
                f"{row.kind.__name__} ({row.kind.__module__}) has no painter: PAINTERS of"
                f" {__name__} has no '{row.painter}', which its row names."
            )
    for name in painters.keys() - {row.painter for row in rows}:
        raise IncompleteKind(
            f"The painter '{name}' in PAINTERS of {__name__} is named by no kind's row. Remove it,"
            " or correct the name."
        )
    return painters


PAINTERS = check_painters(
    {
        "ray": Painter(optical.paint_directed_source, icon=optical.paint_source_icon),
        "fan": Painter(optical.paint_directed_source, icon=optical.paint_source_icon),
        "point": Painter(optical.paint_point_source),
        "beam": Painter(optical.paint_beam),
        "body": Painter(optical.paint_body, optical.paint_body_fill),
        "half-plane": Painter(optical.paint_half_plane, optical.paint_half_plane_fill),
        "ideal lens": Painter(optical.paint_ideal_lens),
        "mirror": Painter(optical.paint_mirror),
        "ideal mirror": Painter(optical.paint_ideal_mirror),
        "splitter": Painter(optical.paint_splitter),
        "polarizer": Painter(polarization.paint_polarizer),
        "wave plate": Painter(polarization.paint_wave_plate),
        "rotator": Painter(polarization.paint_rotator),
        "polarizing splitter": Painter(polarization.paint_polarizing_splitter),
        "grating": Painter(optical.paint_grating),
        "blocker": Painter(optical.paint_blocker),
        "custom surface": Painter(optical.paint_custom_surface),
        "detector": Painter(optical.paint_detector),
        "ruler": Painter(paint_ruler, icon=paint_ruler_icon),
        "protractor": Painter(paint_protractor),
        "text": Painter(paint_text),
        "arrow": Painter(paint_arrow),
        "frame": Painter(
            _frame_painter("separator", 1, (1, 3)),
            icon=_frame_painter("decoration", 1.25, (2, 2)),
        ),
        "drawing": Painter(paint_drawing),
        "handle": Painter(paint_handle),
        "module": Painter(paint_nothing, icon=paint_module_icon),
        "unread": Painter(paint_nothing, icon=paint_unread_icon),
    },
    ROWS,
)


_FILLED = frozenset(
    row.kind for row in ROWS if PAINTERS[row.painter].fill is not None or row.painter == "module"
)


def has_fill(obj: SceneObject) -> bool:
    """Whether an object, or a part of a module instance, may paint something below the rays."""
    return type(obj) in _FILLED


def paint_fill(painter: QPainter, obj: SceneObject, camera: Camera, style: Style) -> None:
    """Paint the part of an object that lies below the rays, such as the body of a glass."""
    fill = PAINTERS[kind_row_of(obj).painter].fill
    if fill is not None:
        fill(obj, Sketch(painter, camera, style))


def paint_object(painter: QPainter, obj: SceneObject, camera: Camera, style: Style) -> None:
    """Paint an object's lines over the rays."""
    PAINTERS[kind_row_of(obj).painter].lines(obj, Sketch(painter, camera, style))


def paint_icon(row: Row, painter: QPainter, style: Style) -> None:
    """Paint the icon of a kind in a square of 20 pixels."""
    obj, own = row.kind(**row.icon), PAINTERS[row.painter].icon
    if own is not None:
        own(obj, Sketch(painter, Camera(), style))
    else:
        paint_fill(painter, obj, Camera(), style)
        paint_object(painter, obj, Camera(), style)
