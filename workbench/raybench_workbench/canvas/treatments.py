"""The painting of treated edges: a thin line along a coated edge, dots along an edge with a finish.
Also the text that describes a treatment.
"""

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from raybench.kinds.outline import object_edges
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.scene.treatments import FINISH
from raybench.shapes.point import Point
from raybench_workbench.canvas.frame import CanvasFrame
from raybench_workbench.canvas.strokes import outline_path

LINE_WIDTH = 2.0
"""Of the line along a treated edge, in pixels."""
FINISH_DASHES = [1.0, 2.0]
"""The dots and gaps along an edge with a finish, in widths of the line: through the gaps a coating
below it is seen.
"""


def paint_treatments(painter: QPainter, frame: CanvasFrame) -> None:
    """Paint a line along each treated edge that is not hidden."""
    document = frame.document
    if not any(document.treatments):
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for sort, treatments in document.treatments.by_type:
        pen = QPen(frame.viewport.theme.color(sort.noun), LINE_WIDTH)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if sort is FINISH:
            pen.setDashPattern(FINISH_DASHES)
            pen.setWidthF(1.5 * LINE_WIDTH)
        for obj in document.drawn_objects if treatments else ():
            own = treatments.get(obj.key, {})
            edges = [e for e in object_edges(obj) if e.index in own] if own else []
            for edge in edges:
                if math.isfinite(edge.shape.length):
                    path = outline_path([edge], frame.camera, closed=False)
                    painter.strokePath(path, pen)


def treatment_text_at(document: Document, at: Point, tolerance: float) -> str:
    """The text about the treated edge nearest to a point of the scene: the edge, its coating and
    its finish. Empty if no treated edge is within the ``tolerance``.
    """
    treated = document.treatments
    near = []
    for obj in document.drawn_objects if any(treated) else ():
        if any(obj.key in own for own in treated):
            for edge in labelled_edges(obj, document.edge_labels.get(obj.key, {})):
                if own := treated.at_edge(obj.key, edge.index):
                    distance = math.dist(edge.edge.shape.nearest(at), at)
                    words = ", ".join(each.title for each in own.values())
                    near.append((distance, f"{edge.title}: {words}"))
    distance, text = min(near, default=(math.inf, ""))
    return text if distance <= tolerance else ""
