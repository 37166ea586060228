"""The layers of the canvas that serve editing: coordinates, handles, problem badges, ghosts, snap
targets and hints.
"""

import math
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from raybench.kinds.decorations import Handle
from raybench.kinds.object import SceneObject
from raybench.scene.control_points import control_points
from raybench.scene.handles import with_handle_groups
from raybench.scene.hit_test import drawn_extent
from raybench.scene.locks import is_locked
from raybench.scene.snapping.alignment import GuideLine
from raybench.shapes.curves import union_of_boxes
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.frame import MAX_NAMES, CanvasFrame
from raybench_workbench.canvas.handles import MAX_OBJECTS, paint_observer, transform_handles
from raybench_workbench.canvas.object_painter import paint_fill, paint_object
from raybench_workbench.canvas.strokes import (
    Style,
    diamond_around,
    paint_dimension_line,
    paint_label,
    set_pen_and_brush,
    square_around,
    text_width,
    unit_vector,
)
from raybench_workbench.canvas.viewport import multiples_in_range, round_length_below
from raybench_workbench.theme import GRID, HALF, HANDLE_SIZE, SMALL_SIZE, text_font
from raybench_workbench.translation import tr, with_decimal_sign

MAX_GHOSTS = 200
"""Number of objects of a proposal that are painted."""
EMPTY_HINT = tr("Open a scene with Ctrl+O, drop a file here, or take a part from the library")
MAX_SCALE_BAR = 120
"""Longest scale bar, in pixels."""
MIN_LABEL_DISTANCE = 72
"""Least distance between coordinates along a border, in pixels."""
BAND_HEIGHT = SMALL_SIZE + GRID
"""Height of the band of coordinates at the top, in pixels."""
HALF_MARK = 5.0
"""Half the size of the mark of a snap target, in pixels."""
LINE_OVERHANG = 12.0
"""Distance in pixels by which a line along edges extends beyond them."""


def paint_coordinates(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint coordinates along the top and left border of a canvas whose grid is visible. The x axis
    points right, the y axis down.
    """
    if not frame.document.scene.settings.show_grid:
        return
    camera, size, unit = frame.camera, frame.viewport.size, frame.document.unit
    step = round_length_below(
        2.5 * MIN_LABEL_DISTANCE / camera.scale
    )  # the next round length above APART
    left, top, width, height = camera.visible_rectangle(size)
    painter.setFont(text_font(SMALL_SIZE - 1))
    metrics = painter.fontMetrics()
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    ground = frame.theme.color("canvas", 0.8)
    painter.fillRect(QRectF(0, 0, size[0], BAND_HEIGHT), ground)
    painter.setPen(frame.theme.color("dim"))
    painter.drawText(QPointF(6, BAND_HEIGHT - 6), unit)
    free = 6 + metrics.horizontalAdvance(unit) + HALF
    for i in multiples_in_range(step, left, width):
        x = (i * step - camera.x) * camera.scale
        text = with_decimal_sign(f"{i * step:.{decimals}f}")
        painter.drawLine(QPointF(x, BAND_HEIGHT - 4), QPointF(x, BAND_HEIGHT))
        if (start := round(x - metrics.horizontalAdvance(text) / 2)) >= free:
            painter.drawText(QPointF(start, BAND_HEIGHT - 6), text)
    for i in multiples_in_range(step, top, height):
        y = (i * step - camera.y) * camera.scale
        if y > 2 * BAND_HEIGHT:
            text = with_decimal_sign(f"{i * step:.{decimals}f}")
            wide = metrics.horizontalAdvance(text) + GRID
            painter.fillRect(QRectF(0, y - BAND_HEIGHT / 2, wide, BAND_HEIGHT), ground)
            painter.drawText(QPointF(6, round(y + metrics.ascent() / 2 - 1)), text)


def paint_observer_handle(painter: QPainter, frame: CanvasFrame) -> None:
    paint_observer(painter, frame.document, frame.viewport, handles=True)


def paint_proposed_edit(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the objects that a proposed edit would change, add or delete, as dashed ghosts."""
    edit = frame.canvas.selection.proposed_edit
    if edit is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    before, after = edit.before.scene, edit.after.scene
    changed = [(after, o, "accent") for o in after.objects if before.get(o.key) != o]
    deleted = [(before, o, "error") for o in before.objects if after.get(o.key) is None]
    for scene, obj, color in (changed + deleted)[:MAX_GHOSTS]:
        for part in scene.parts_of(obj):
            paint_object(painter, part, frame.camera, Style(frame.theme, ghost=color))


def paint_control_points(painter: QPainter, frame: CanvasFrame) -> None:
    camera, scene = frame.camera, frame.document.scene
    for obj in frame.labelled_objects:
        if isinstance(obj, Handle):
            _paint_group_of_handle(painter, obj, frame)
        ends = (camera.to_screen(c.at) for c in control_points(obj)[:MAX_NAMES])
        frame.occupied += [square_around(end, 5) for end in ends]
    for name in frame.canvas.selection.measurements & frame.document.measurements.keys():
        set_pen_and_brush(
            painter, QPen(frame.theme.color("accent"), 1.25), frame.theme.color("canvas")
        )
        for place in picking.movable_points(frame.document, name):
            painter.drawEllipse(camera.to_screen(place), HANDLE_SIZE / 2, HANDLE_SIZE / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    for obj in frame.selected_objects if len(frame.selected_objects) <= MAX_OBJECTS else ():
        _paint_handles(painter, obj, frame, fixed=is_locked(scene, obj))


def _paint_handles(painter: QPainter, obj: SceneObject, frame: CanvasFrame, *, fixed: bool) -> None:
    """Paint the control points of an object: discs for ends and corners, rings for centres,
    diamonds for points that bend it. The points of a locked object are hollow squares.
    """
    ground = None if fixed else frame.theme.color("canvas")
    set_pen_and_brush(painter, QPen(frame.theme.color("accent"), 1.25), ground)
    half = HANDLE_SIZE / 2
    for control in control_points(obj):
        at = frame.camera.to_screen(control.at)
        if fixed:
            painter.drawRect(square_around(at, half - 1))
        elif control.meaning == "bend":
            painter.drawPolygon(diamond_around(at, half + 1))
        elif control.meaning == "centre":
            painter.drawEllipse(at, half + 2, half + 2)
            painter.drawEllipse(at, 1.0, 1.0)
        else:
            painter.drawEllipse(at, half, half)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_group_of_handle(painter: QPainter, handle: Handle, frame: CanvasFrame) -> None:
    """Paint a dashed frame around the objects and points that move together with a handle, and a
    dashed line to the handle's grip.
    """
    scene, camera = frame.document.scene, frame.camera
    group = with_handle_groups(scene, [handle])
    points = [c.at for controls in group.points.values() for c in controls]
    box = union_of_boxes(
        [
            *(drawn_extent(scene, o) for o in group.objects if o is not handle),
            *((p.x, p.y, p.x, p.y) for p in points),
        ]
    )
    if box is None:
        return
    around = camera.box_on_screen(box).adjusted(-GRID, -GRID, GRID, GRID)
    grip = camera.to_screen(handle.p1)
    painter.setPen(QPen(frame.theme.color("accent", 0.6), 1, Qt.PenStyle.DashLine))
    painter.drawRect(around)
    if not around.contains(grip):
        x = min(max(grip.x(), around.left()), around.right())
        y = min(max(grip.y(), around.top()), around.bottom())
        painter.drawLine(grip, QPointF(x, y))


def paint_problem_badges(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint a triangle with an exclamation mark beside objects with problems."""
    boxes, theme = picking.badge_boxes(frame.canvas).values(), frame.theme
    painter.setFont(text_font(SMALL_SIZE - 2, strong=True))
    for box in boxes:
        top = QPointF(box.center().x(), box.top())
        corners = QPolygonF([top, box.bottomRight(), box.bottomLeft()])
        set_pen_and_brush(painter, QPen(theme.color("canvas"), 3))
        painter.drawPolygon(corners)
        set_pen_and_brush(painter, QPen(theme.color("warning"), 1.25), theme.color("warning"))
        painter.drawPolygon(corners)
        set_pen_and_brush(painter, theme.color("canvas"))
        painter.drawText(box.adjusted(0, 3, 0, 2), Qt.AlignmentFlag.AlignCenter, "!")
    frame.occupied += boxes


def paint_scale_bar(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the scale bar in the lower right corner: a bar of a round length, with that length as
    text.
    """
    camera, size, theme = frame.camera, frame.viewport.size, frame.theme
    length = round_length_below(MAX_SCALE_BAR / camera.scale)
    wide = length * camera.scale
    right, y = size[0] - 2 * GRID, size[1] - 2 * GRID
    painter.setFont(text_font(SMALL_SIZE - 1))
    text = f"{length:g} {frame.document.unit}"
    width = painter.fontMetrics().horizontalAdvance(text)
    box = QRectF(right - max(wide, (wide + width) / 2), y - 2.5 * GRID, max(wide, width), 3 * GRID)
    set_pen_and_brush(painter, None, theme.color("canvas", 0.82))
    painter.drawRoundedRect(box.adjusted(-HALF, 0, HALF, 0), 3, 3)  # legible over light
    set_pen_and_brush(painter, QPen(theme.color("dim"), 1))
    painter.drawLine(QPointF(right - wide, y), QPointF(right, y))
    for x in (right - wide, right):
        painter.drawLine(QPointF(x, y - 4), QPointF(x, y))
    painter.drawText(QPointF(right - (wide + width) / 2, y - 6), text)
    frame.scale_bar_box = box
    frame.occupied.append(box)


def paint_transform_handles(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the handles of the selection: a ring with an arrow turns, a square with a diagonal
    scales, a cross marks the centre.
    """
    view, theme = frame.canvas, frame.theme
    handles = transform_handles(view) if view.is_select_mode_active else None
    if handles is None or view.document.gesture is not None:
        return
    half = HANDLE_SIZE / 2
    set_pen_and_brush(painter, QPen(theme.color("accent"), 1.25), theme.color("canvas"))
    at = handles.turn
    painter.drawEllipse(at, half + 2, half + 2)
    painter.drawArc(square_around(at, 3), 30 * 16, 280 * 16)
    painter.drawLine(at + QPointF(3, -1), at + QPointF(3, -4))
    at = handles.scale
    painter.drawRect(square_around(at, half + 1))
    painter.drawLine(at - QPointF(2, 2), at + QPointF(2, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    at = handles.centre
    painter.drawLine(at - QPointF(5, 0), at + QPointF(5, 0))
    painter.drawLine(at - QPointF(0, 5), at + QPointF(0, 5))
    for at, reach in ((handles.turn, 8), (handles.scale, 8), (handles.centre, 5)):
        frame.occupied.append(square_around(at, reach))


def paint_object_preview(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint a preview of the object that the first click would add."""
    for obj in frame.canvas.mode.ghost:
        paint_fill(painter, obj, frame.camera, Style(frame.theme))
        paint_object(painter, obj, frame.camera, Style(frame.theme, ghost="accent"))


def paint_snap_target(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the alignment guides of moved objects, and the mark, the name and the guide line of the
    current snap target.
    """
    snapper, theme, camera = frame.canvas.snapper, frame.theme, frame.camera
    _paint_alignment_guides(painter, snapper.guides, frame)
    if (snap := snapper.current) is None:
        return
    at, name = camera.to_screen(snap.at), snapper.snap_title
    if snap.met.guide is not None:
        painter.setPen(QPen(theme.color("accent", 0.7), 1, Qt.PenStyle.DashLine))
        painter.drawLine(*(camera.to_screen(p) for p in snap.met.guide))
    set_pen_and_brush(painter, QPen(theme.color("accent"), 1.5))
    _paint_snap_mark(painter, snap.kind.mark, at)
    box = square_around(at, HALF_MARK)
    if name:
        # readings of objects are on the right
        left = max(at.x() - text_width(name) - 2 * GRID, GRID)
        corner = QPointF(round(left), round(at.y() - GRID - 2))
        box |= paint_label(painter, corner, name, theme, "accent")
    frame.occupied.append(box)


def _paint_alignment_guides(
    painter: QPainter, guides: Iterable[GuideLine], frame: CanvasFrame
) -> None:
    """Paint a line along aligned edges, and mark equal distances with their length."""
    painter.setPen(QPen(frame.theme.color("accent", 0.8), 1))
    ends = [(g, frame.camera.to_screen(g.a), frame.camera.to_screen(g.b)) for g in guides]
    for guide, a, b in ends:
        along = unit_vector(a, b)
        if guide.what == "aligned" and a != b:
            painter.drawLine(a - along * LINE_OVERHANG, b + along * LINE_OVERHANG)
        elif a != b:
            paint_dimension_line(painter, a, b, HALF_MARK)
    for guide, a, b in ends:
        if guide.what == "distance":
            text = tr(
                "{length:.4g} {unit}", length=math.dist(guide.a, guide.b), unit=frame.document.unit
            )
            level = guide.a.y == guide.b.y
            beside = QPointF(-text_width(text) / 2, -GRID) if level else QPointF(GRID, HALF)
            paint_label(painter, (a + b) / 2 + beside, text, frame.theme, "accent")


def _paint_snap_mark(painter: QPainter, mark: str, at: QPointF) -> None:
    box = square_around(at, HALF_MARK)
    match mark:
        case "square":
            painter.drawRect(box)
        case "triangle":
            top = QPointF(at.x(), box.top())
            painter.drawPolygon(QPolygonF([top, box.bottomRight(), box.bottomLeft()]))
        case "circle":
            painter.drawEllipse(box)
        case "cross":
            painter.drawLine(box.topLeft(), box.bottomRight())
            painter.drawLine(box.topRight(), box.bottomLeft())
        case "diamond":
            painter.drawPolygon(diamond_around(at, HALF_MARK + 1))
        case "angle":
            painter.drawLine(box.topLeft(), box.bottomLeft())
            painter.drawLine(box.bottomLeft(), box.bottomRight())
            painter.drawRect(QRectF(box.left(), at.y(), HALF_MARK, HALF_MARK))


def paint_drag_readout(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the length or angle of a drag beside the pointer."""
    (text, at), view = frame.canvas.readout, frame.canvas
    if text:
        x = min(at.x() + 14, view.width() - text_width(text) - GRID)
        y = min(at.y() + 24, view.height() - GRID)
        frame.occupied.append(paint_label(painter, QPointF(round(x), round(y)), text, frame.theme))


def paint_hints(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint the selection rectangle, the unfinished outline with its hint, and the hint on an empty
    canvas.
    """
    view, theme, size = frame.canvas, frame.theme, frame.viewport.size
    if view.band is not None:
        set_pen_and_brush(painter, QPen(theme.color("accent"), 1), theme.color("accent", 0.10))
        painter.drawRect(view.band)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    if view.mode.hint:
        corners = [frame.camera.to_screen(p) for p in view.mode.clicked_and_pointer_points]
        paint_unfinished_outline(painter, corners, view.mode.hint, frame)
    elif not frame.document.scene.objects:
        painter.setFont(text_font())
        painter.setPen(theme.color("dim"))
        painter.drawText(QRectF(0, 0, *size), Qt.AlignmentFlag.AlignCenter, EMPTY_HINT)


def paint_unfinished_outline(
    painter: QPainter, corners: list[QPointF], hint: str, frame: CanvasFrame
) -> None:
    """Paint the corners of an unfinished outline up to the pointer, and the text ``hint`` at the
    foot of the canvas.
    """
    theme, size = frame.theme, frame.viewport.size
    painter.setPen(QPen(theme.color("accent"), 1.25))
    if len(corners) > 1:
        painter.drawPolyline(corners)
        painter.setBrush(theme.color("canvas"))
        for corner in corners[:-1]:
            painter.drawEllipse(corner, HANDLE_SIZE / 2, HANDLE_SIZE / 2)
    painter.setFont(text_font(SMALL_SIZE))
    text = painter.fontMetrics().elidedText(hint, Qt.TextElideMode.ElideRight, size[0] - 4 * GRID)
    width = painter.fontMetrics().horizontalAdvance(text)
    at = QPointF(round((size[0] - width) / 2), size[1] - 2 * GRID)
    if at.x() + width + GRID > frame.scale_bar_box.left():
        at.setY(frame.scale_bar_box.top() - GRID)
    paint_label(painter, at, text, theme)
