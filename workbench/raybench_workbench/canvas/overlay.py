"""Paints what lies over the objects: handles, badges of problems, the rubber band, unfinished
outlines, hints, the scale bar and coordinates.
"""

import math
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from raybench.kinds.decorations import Handle
from raybench.kinds.object import SceneObject
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.handles import with_groups
from raybench.scene.hit_test import drawn_extent
from raybench.shapes.point import Point
from raybench_workbench.canvas.strokes import paint_label
from raybench_workbench.canvas.texts import readable_sizes, text_boxes
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.theme import GRID, HALF, HANDLE_SIZE, SMALL_SIZE, Theme, text_font

BADGE = 14
"""Width and height of the badge of an object with a problem, in pixels."""
MAX_BADGES = 60
EMPTY_HINT = "Open a scene with Ctrl+O, drop a file here, or take a part from the library"
LONGEST = 120
"""Longest scale bar, in pixels."""
APART = 72
"""Least distance between coordinates along a border, in pixels."""
BAND = SMALL_SIZE + GRID
"""Height of the band of coordinates at the top, in pixels."""


def paint_handles(
    painter: QPainter, obj: SceneObject, camera: Camera, theme: Theme, *, fixed: bool
) -> None:
    """Paint the control points of an object: discs for ends and corners, rings for centres,
    diamonds for points that bend; hollow squares if the object is locked.
    """
    pen = QPen(theme.color("accent"), 1.25)
    painter.setPen(pen)
    painter.setBrush(theme.color("canvas"))
    half = HANDLE_SIZE / 2
    for control in control_points(obj):
        at = camera.to_screen(control.at)
        if fixed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(
                QRectF(at.x() - half + 1, at.y() - half + 1, HANDLE_SIZE - 2, HANDLE_SIZE - 2)
            )
        elif control.meaning == "bend":
            reach = half + 1
            painter.drawPolygon(
                [at + QPointF(*d) * reach for d in ((0, -1), (1, 0), (0, 1), (-1, 0))]
            )
        else:
            ring = control.meaning == "centre"
            painter.drawEllipse(at, half + 2 * ring, half + 2 * ring)
            if ring:
                painter.drawEllipse(at, 1.0, 1.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_group_of_handle(
    painter: QPainter, handle: Handle, document: Document, camera: Camera, theme: Theme
) -> None:
    """Paint a dashed frame around the objects and points that move with a handle, and a dashed line
    to its grip.
    """
    group = with_groups(document.scene, [handle])
    boxes = [
        box
        for o in group.objects
        if o is not handle and (box := drawn_extent(document.scene, o)) is not None
    ]
    boxes += [
        (c.at.x, c.at.y, c.at.x, c.at.y) for controls in group.points.values() for c in controls
    ]
    if not boxes:
        return
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    corners = (
        camera.to_screen(Point(min(lefts), min(tops))),
        camera.to_screen(Point(max(rights), max(bottoms))),
    )
    frame, grip = QRectF(*corners).adjusted(-GRID, -GRID, GRID, GRID), camera.to_screen(handle.p1)
    painter.setPen(QPen(theme.color("accent", 0.6), 1, Qt.PenStyle.DashLine))
    painter.drawRect(frame)
    if not frame.contains(grip):
        nearest = QPointF(
            min(max(grip.x(), frame.left()), frame.right()),
            min(max(grip.y(), frame.top()), frame.bottom()),
        )
        painter.drawLine(grip, nearest)


def badge_places(
    document: Document, keys: Iterable[int], camera: Camera, size: tuple[int, int]
) -> dict[int, QRectF]:
    """The boxes of the badges of objects with problems, in pixels, by key: at a corner of each,
    preferably the right top one, within the canvas and clear of the scene's texts and other badges.
    """
    out: dict[int, QRectF] = {}
    texts = text_boxes(document, camera, readable_sizes(document, camera))
    for key in keys:
        obj = document.scene.get(key)
        box = (
            drawn_extent(document.scene, obj)
            if obj is not None and key not in document.hidden
            else None
        )
        if box is None or len(out) >= MAX_BADGES:
            continue
        top, bottom = (
            camera.to_screen(Point(box[2], box[1])),
            camera.to_screen(Point(box[0], box[3])),
        )
        if -BADGE < top.x() < size[0] + BADGE and -BADGE < top.y() < size[1] + BADGE:
            left, right, above, below = (
                bottom.x() - BADGE - 3,
                top.x() + 3,
                top.y() - BADGE - 3,
                bottom.y() + 3,
            )
            places = [
                QRectF(
                    round(min(max(x, 2), size[0] - BADGE - 2)),
                    round(min(max(y, 2), size[1] - BADGE - 2)),
                    BADGE,
                    BADGE,
                )
                for x, y in ((right, above), (left, above), (right, below), (left, below))
            ]
            free = (
                p
                for p in places
                if not any(p.intersects(other) for other in (*texts, *out.values()))
            )
            out[key] = next(free, places[0])
    return out


def paint_badges(painter: QPainter, places: Iterable[QRectF], theme: Theme) -> None:
    """Paint a triangle with an exclamation mark in each place."""
    font = text_font(SMALL_SIZE - 2, strong=True)
    for box in places:
        corners = QPolygonF(
            [QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()]
        )
        painter.setPen(QPen(theme.color("canvas"), 3))
        painter.drawPolygon(corners)
        painter.setPen(QPen(theme.color("warning"), 1.25))
        painter.setBrush(theme.color("warning"))
        painter.drawPolygon(corners)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(theme.color("canvas"))
        painter.setFont(font)
        painter.drawText(box.adjusted(0, 3, 0, 2), Qt.AlignmentFlag.AlignCenter, "!")


def paint_band(painter: QPainter, band: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("accent"), 1))
    painter.setBrush(theme.color("accent", 0.10))
    painter.drawRect(band)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_stroke(
    painter: QPainter,
    corners: list[QPointF],
    hint: str,
    size: tuple[int, int],
    scale: QRectF,
    theme: Theme,
) -> None:
    """Paint the corners of an unfinished outline up to the pointer, and the ``hint`` at the foot of
    the canvas, above the ``scale`` bar where it is wide.
    """
    painter.setPen(QPen(theme.color("accent"), 1.25))
    if len(corners) > 1:
        painter.drawPolyline(corners)
        painter.setBrush(theme.color("canvas"))
        for corner in corners[:-1]:
            painter.drawEllipse(corner, HANDLE_SIZE / 2, HANDLE_SIZE / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(text_font(SMALL_SIZE))
    text = painter.fontMetrics().elidedText(hint, Qt.TextElideMode.ElideRight, size[0] - 4 * GRID)
    width = painter.fontMetrics().horizontalAdvance(text)
    at = QPointF(round((size[0] - width) / 2), size[1] - 2 * GRID)
    if at.x() + width + GRID > scale.left():
        at.setY(scale.top() - GRID)
    paint_label(painter, at, text, theme, "text")


def paint_hint(painter: QPainter, size: tuple[int, int], theme: Theme) -> None:
    """Paint the hint for an empty canvas."""
    painter.setFont(text_font())
    painter.setPen(theme.color("dim"))
    painter.drawText(QRectF(0, 0, *size), Qt.AlignmentFlag.AlignCenter, EMPTY_HINT)


def round_length(longest: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is not larger than a length above 0."""
    power = 10.0 ** math.floor(math.log10(longest))
    return next(k * power for k in (5.0, 2.0, 1.0) if k * power <= longest * (1 + 1e-9))


def paint_scale_bar(painter: QPainter, document: Document, viewport: Viewport) -> QRectF:
    """Paint a bar of a round length and its length into the lower right corner. Returns its box."""
    camera, size, theme = viewport.camera, viewport.size, viewport.theme
    length = round_length(LONGEST / camera.scale)
    wide = length * camera.scale
    right, y = size[0] - 2 * GRID, size[1] - 2 * GRID
    painter.setFont(text_font(SMALL_SIZE - 1))
    text = f"{length:g} {document.unit}"
    width = painter.fontMetrics().horizontalAdvance(text)
    box = QRectF(right - max(wide, (wide + width) / 2), y - 2.5 * GRID, max(wide, width), 3 * GRID)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("canvas", 0.82))
    painter.drawRoundedRect(box.adjusted(-HALF, 0, HALF, 0), 3, 3)  # legible over light
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("dim"), 1))
    painter.drawLine(QPointF(right - wide, y), QPointF(right, y))
    for x in (right - wide, right):
        painter.drawLine(QPointF(x, y - 4), QPointF(x, y))
    painter.drawText(QPointF(right - (wide + width) / 2, y - 6), text)
    return box


def paint_coordinates(painter: QPainter, document: Document, viewport: Viewport) -> None:
    """Paint coordinates along the top and the left border of a canvas whose grid is shown: x to the
    right, y down.
    """
    camera, size, theme = viewport.camera, viewport.size, viewport.theme
    step = round_length(2.5 * APART / camera.scale)  # the next round length above APART
    left, top, width, height = camera.rectangle(size)
    painter.setFont(text_font(SMALL_SIZE - 1))
    metrics = painter.fontMetrics()
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    painter.fillRect(QRectF(0, 0, size[0], BAND), theme.color("canvas", 0.8))
    painter.setPen(theme.color("dim"))
    painter.drawText(QPointF(6, BAND - 6), document.unit)
    free = 6 + metrics.horizontalAdvance(document.unit) + HALF
    for i in range(math.ceil(left / step), math.floor((left + width) / step) + 1):
        x = (i * step - camera.x) * camera.scale
        text = f"{i * step:.{decimals}f}"
        painter.drawLine(QPointF(x, BAND - 4), QPointF(x, BAND))
        if (start := round(x - metrics.horizontalAdvance(text) / 2)) >= free:
            painter.drawText(QPointF(start, BAND - 6), text)
    for i in range(math.ceil(top / step), math.floor((top + height) / step) + 1):
        y = (i * step - camera.y) * camera.scale
        if y > 2 * BAND:
            text = f"{i * step:.{decimals}f}"
            painter.fillRect(
                QRectF(0, y - BAND / 2, metrics.horizontalAdvance(text) + GRID, BAND),
                theme.color("canvas", 0.8),
            )
            painter.drawText(QPointF(6, round(y + metrics.ascent() / 2 - 1)), text)
