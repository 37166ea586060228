"""Paints the layer above the objects: handles, names, edge labels, the rubber band and the hint on an empty canvas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from core.kinds.object import SceneObject
from core.scene.control_points import control_points
from core.scene.document import Document
from core.scene.hit_test import Box, extent
from core.scene.labels import labelled_edges
from core.shapes.point import Point
from core.shapes.shape import Arc
from workbench.canvas.camera import Camera
from workbench.canvas.strokes import paint_label
from workbench.theme import GRID, HANDLE_SIZE, SMALL_SIZE, Theme, text_font

MAX_LABELS = 16
"""Largest number of edges of a body whose labels are painted."""
NAME_WIDTH = 240
"""Largest width of a name on the canvas, in pixels."""
BADGE = 14
"""Width and height of the badge of an object with a problem, in pixels."""
MAX_BADGES = 60
EMPTY_HINT = "Open a scene with Ctrl+O, drop a file here, or take a part from the library"


def paint_handles(painter: QPainter, obj: SceneObject, camera: Camera, theme: Theme, *, fixed: bool) -> None:
    """Paint the control points of an object: discs for ends and corners, rings for centres, diamonds for points that bend; hollow squares
    if the object is locked."""
    pen = QPen(theme.color("accent"), 1.25)
    painter.setPen(pen)
    painter.setBrush(theme.color("canvas"))
    half = HANDLE_SIZE / 2
    for control in control_points(obj):
        at = camera.to_screen(control.at)
        if fixed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(at.x() - half + 1, at.y() - half + 1, HANDLE_SIZE - 2, HANDLE_SIZE - 2))
        elif control.meaning == "bend":
            reach = half + 1
            painter.drawPolygon([at + QPointF(*d) * reach for d in ((0, -1), (1, 0), (0, 1), (-1, 0))])
        else:
            ring = control.meaning == "centre"
            painter.drawEllipse(at, half + 2 * ring, half + 2 * ring)
            if ring:
                painter.drawEllipse(at, 1.0, 1.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_name(
    painter: QPainter, obj: SceneObject, box: Box | None, camera: Camera, size: tuple[int, int], theme: Theme, *, selected: bool
) -> None:
    """Paint an object's name above its bounding box, within the canvas."""
    if box is None:
        return
    font = text_font(SMALL_SIZE)
    painter.setFont(font)
    text = painter.fontMetrics().elidedText(" ".join(obj.title.split()), Qt.TextElideMode.ElideMiddle, NAME_WIDTH)
    width = painter.fontMetrics().horizontalAdvance(text)
    top = camera.to_screen(((box[0] + box[2]) / 2, box[1]))  # type: ignore[arg-type]
    x = min(max(top.x() - width / 2, GRID), size[0] - width - GRID)
    # a thin body has its edge labels outside: leave room for them
    gap = 4.5 * GRID if (box[3] - box[1]) * camera.scale < 8 * GRID else 2.5 * GRID
    y = min(max(top.y() - gap, 2 * GRID), size[1] - GRID)
    paint_label(painter, QPointF(round(x), round(y)), text, theme, "accent" if selected else "text")


def paint_edge_labels(painter: QPainter, obj: SceneObject, labels: Mapping[int, str], camera: Camera, theme: Theme) -> None:
    """Paint the labels of an object's edges beside them; of an open line or curve, the compass points that its sides face, on each side."""
    edges = labelled_edges(obj, labels) if obj.has_edge_table else ()
    if not edges or len(edges) > MAX_LABELS:
        return
    painter.setFont(text_font(SMALL_SIZE - 1))
    metrics = painter.fontMetrics()
    centre_x = sum(e.edge.shape.midpoint.x for e in edges) / len(edges)
    centre_y = sum(e.edge.shape.midpoint.y for e in edges) / len(edges)
    for e in edges:
        shape, middle = e.edge.shape, e.edge.shape.midpoint
        if shape.length * camera.scale < 3 * GRID or (isinstance(shape, Arc) and shape.full):
            continue
        # inside a body, or outside where it is too thin; the name of an open line's side on that side
        thick = math.hypot(middle.x - centre_x, middle.y - centre_y) * camera.scale > 3 * GRID
        texts = [(e.title, -1.5 if thick and not e.sides else 2.0)]
        if e.sides and not e.user and len(edges) == 1:
            texts = [(e.sides[0], 2.0), (e.sides[1], -2.0)]
        for text, away in texts:
            at = camera.to_screen(middle) + QPointF(*e.normal) * away * GRID
            width = metrics.horizontalAdvance(text)
            paint_label(painter, QPointF(round(at.x() - width / 2), round(at.y() + metrics.ascent() / 2 - 1)), text, theme, "dim")


def badge_places(document: Document, keys: Iterable[int], camera: Camera, size: tuple[int, int]) -> dict[int, QRectF]:
    """Where the badges of objects with problems are, in pixels, by key: at the right top of each, within the canvas."""
    out: dict[int, QRectF] = {}
    for key in keys:
        obj = document.scene.get(key)
        box = extent(document.scene, obj) if obj is not None and key not in document.hidden else None
        if box is None or len(out) >= MAX_BADGES:
            continue
        corner = camera.to_screen(Point(box[2], box[1]))
        if -BADGE < corner.x() < size[0] + BADGE and -BADGE < corner.y() < size[1] + BADGE:
            x, y = min(max(corner.x() + 3, 2), size[0] - BADGE - 2), min(max(corner.y() - BADGE - 3, 2), size[1] - BADGE - 2)
            out[key] = QRectF(round(x), round(y), BADGE, BADGE)
    return out


def paint_badges(painter: QPainter, places: Iterable[QRectF], theme: Theme) -> None:
    """Paint a triangle with an exclamation mark in each place."""
    font = text_font(SMALL_SIZE - 2, strong=True)
    for box in places:
        corners = QPolygonF([QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()])
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


def paint_stroke(painter: QPainter, corners: list[QPointF], hint: str, size: tuple[int, int], theme: Theme) -> None:
    """Paint the corners of an unfinished outline up to the pointer, and the ``hint`` at the foot of the canvas."""
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
    paint_label(painter, QPointF(round((size[0] - width) / 2), size[1] - 2 * GRID), text, theme, "text")


def paint_hint(painter: QPainter, size: tuple[int, int], theme: Theme) -> None:
    """Paint the hint for an empty canvas."""
    painter.setFont(text_font())
    painter.setPen(theme.color("dim"))
    painter.drawText(QRectF(0, 0, *size), Qt.AlignmentFlag.AlignCenter, EMPTY_HINT)
