"""Coated edges on the canvas: a thin line along each, and what its coating is."""

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from raybench.kinds.outline import object_edges
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.shapes.point import Point
from raybench_workbench.canvas.frame import Frame
from raybench_workbench.canvas.strokes import outline_path

WIDTH = 2.0
"""Of the line along a coated edge, in pixels."""


def paint_coatings(painter: QPainter, frame: Frame) -> None:
    """Paint a line along each coated edge that is not hidden."""
    document = frame.document
    if not document.coatings:
        return
    pen = QPen(frame.viewport.theme.color("coating"), WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for obj in document.drawn_objects:
        own = document.coatings.get(obj.key, {})
        edges = [e for e in object_edges(obj) if e.index in own] if own else []
        for edge in edges:
            if math.isfinite(edge.shape.length):
                path = outline_path([edge], frame.camera, closed=False)
                painter.strokePath(path, pen)


def coating_text_at(document: Document, at: Point, tolerance: float) -> str:
    """The edge, and its coating, that is nearest to a point of the scene; empty if none is within
    the ``tolerance``.
    """
    near = []
    for obj in document.drawn_objects if document.coatings else ():
        if own := document.coatings.get(obj.key):
            for edge in labelled_edges(obj, document.edge_labels.get(obj.key, {})):
                if edge.index in own:
                    distance = math.dist(edge.edge.shape.nearest(at), at)
                    near.append((distance, f"{edge.title}: {own[edge.index].title}"))
    distance, text = min(near, default=(math.inf, ""))
    return text if distance <= tolerance else ""
