"""The placement of text labels on the canvas, where they cover neither each other nor, if there is
room, the light.
"""

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath

from raybench.kinds.aspects.outlines import has_inside
from raybench.kinds.detectors import Detector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.scene.document import Document
from raybench.scene.hit_test import drawn_extent
from raybench.scene.labels import labelled_edges
from raybench.shapes.shape import Arc, Line
from raybench_workbench.canvas.rays.arrow_heads import ARROW_SIZE, ArrowHeads
from raybench_workbench.canvas.readings import DetectorReading, visible_detectors
from raybench_workbench.canvas.strokes import (
    outline_path,
    set_pen_and_brush,
    turn_clockwise,
    unit_vector,
)
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import GRID, SMALL_SIZE, Theme, text_font
from raybench_workbench.widgets import elide_to_width

MIN_DEPTH_INSIDE = 32.0
"""Distance in pixels to the opposite side of a body beyond which the label of an edge is placed
inside.
"""
MAX_LABELS = 16
"""Largest number of edges of a body whose labels are painted."""
MAX_READINGS = 60
"""Largest number of detectors whose readings are painted."""
MAX_OUTLINES = 400
"""Largest number of objects whose outlines labels avoid."""
NAME_WIDTH = 240
"""Largest width of a name on the canvas, in pixels."""
LABEL_GAP = GRID
"""Distance of a label from what it names, in pixels."""
CELL_SIZE = 8
"""Size of the cells of the coverage by light, in pixels."""
READING_GAPS = (4, 8)
"""Gaps, in multiples of `LABEL_GAP`, at which a reading that finds no room beside its detector
stands.
"""
RANK_COST = 0.04
"""Cost of each step down in the order of preference, relative to that of a label fully covered by
light.
"""
HEAD_COST = 0.5
"""Cost of covering an arrow head of a ray: it is lost more than a part of the line is."""
OUTLINE_COST = 3.0
"""Cost of covering objects: more than that of any place where a label covers none."""
OVERLAP_COST = 10.0
"""Cost of covering other labels or marks."""
Light = NDArray[np.float32]
"""(rows, columns): coverage of each cell of `CELL_SIZE` pixels by light; it may exceed 1."""


@dataclass(frozen=True)
class Label:
    """A label: pieces of text in theme colours, with the possible ``boxes`` of the label in pixels,
    the preferred box first.

    ``object_key`` is the key of the labelled object. A ``required`` label is painted even if it
    covers another label or object. A label with ``over_objects`` may cover objects only. A label
    with ``avoids_objects`` belongs to no object and avoids all objects.
    """

    pieces: tuple[tuple[str, str], ...]
    boxes: tuple[QRectF, ...]
    size: int = SMALL_SIZE
    required: bool = False
    object_key: int | None = None
    over_objects: bool = False
    avoids_objects: bool = False


@dataclass(frozen=True)
class PlacedLabel:
    """A label with the box that was chosen for it."""

    label: Label
    box: QRectF


def label_size(pieces: Sequence[tuple[str, str]], size: int = SMALL_SIZE) -> tuple[float, float]:
    """The width and height in pixels of a label made of these pieces of text."""
    metrics = QFontMetricsF(text_font(size))
    width = sum(metrics.horizontalAdvance(text) for text, _ in pieces) + GRID * (len(pieces) - 1)
    return math.ceil(width) + 8, math.ceil(metrics.height()) + 2


def label_box(
    at: QPointF, direction: QPointF, width: float, height: float, gap: float = LABEL_GAP
) -> QRectF:
    """The box of a label placed in a direction, a unit vector, from a point; its nearest side is
    ``gap`` pixels away from the point.
    """
    dx, dy = abs(direction.x()), abs(direction.y())
    reach = min(
        (width / 2 + gap) / dx if dx else math.inf, (height / 2 + gap) / dy if dy else math.inf
    )
    middle = at + direction * reach
    return QRectF(round(middle.x() - width / 2), round(middle.y() - height / 2), width, height)


class ObjectOutlines:
    """The outlines of a document's visible objects, which labels must not cover."""

    def __init__(self, document: Document, camera: Camera) -> None:
        self._camera, scene = camera, document.scene
        visible = [
            (o.key, scene.parts_of(o), box)
            for o in scene.objects
            if o.key not in document.hidden and (box := drawn_extent(scene, o)) is not None
        ]
        self._objects = [(key, parts) for key, parts, _ in visible]
        self._boxes = np.array([box for *_, box in visible], float).reshape(-1, 2, 2)

    def intersects(self, box: QRectF, except_key: int | None) -> bool:
        """Whether a box in pixels intersects any object other than the one with the key
        ``except_key``.
        """
        corners = box.topLeft(), box.bottomRight()
        low, high = (np.array(self._camera.to_scene(corner)) for corner in corners)
        apart = (self._boxes[:, 0] > high) | (self._boxes[:, 1] < low)
        near = [self._objects[i] for i in np.flatnonzero(~np.any(apart, axis=1))]
        return any(
            self._object_outline(part).intersects(box)
            for key, parts in near
            if key != except_key
            for part in parts
        )

    def _object_outline(self, obj: SceneObject) -> QPainterPath:
        edges = object_edges(obj)
        return outline_path(edges, self._camera, closed=has_inside(edges))


def outlines_to_avoid(document: Document, camera: Camera) -> ObjectOutlines | None:
    """The object outlines that labels must not cover; None if the document has too many objects."""
    return ObjectOutlines(document, camera) if len(document.scene.objects) <= MAX_OUTLINES else None


def place_labels(
    labels: Iterable[Label],
    taken: Iterable[QRectF],
    size: tuple[int, int],
    light: Light | None = None,
    outlines: ObjectOutlines | None = None,
    heads: ArrowHeads | None = None,
) -> list[PlacedLabel]:
    """Choose a box for each label in turn. The boxes overlap neither the boxes ``taken`` nor the
    ``outlines`` of objects other than the label's own. Labels without a free box are omitted.

    A box beyond the border is moved inside, if possible not onto its own object. Among the free
    boxes, one without arrow heads and with little light is preferred, then the first.
    """
    places = heads.centres if heads is not None else np.empty((0, 2))
    placed: list[PlacedLabel] = []
    taken = list(taken)
    for label in labels:
        found: list[tuple[float, QRectF]] = []
        for rank, wanted in enumerate(label.boxes):
            x = max(min(wanted.x(), size[0] - wanted.width() - 4), 4)
            y = max(min(wanted.y(), size[1] - wanted.height() - 4), 4)
            box = QRectF(QPointF(x, y), wanted.size())
            moved = (abs(x - wanted.x()) + abs(y - wanted.y())) / (8 * GRID)
            covers = any(map(box.intersects, taken))
            hides = False
            if outlines is not None and (label.object_key is not None or label.avoids_objects):
                hides = outlines.intersects(box, label.object_key if box == wanted else None)
            forbidden = covers or (hides and not label.over_objects)
            if forbidden and not label.required:
                continue
            cost = OVERLAP_COST * covers + OUTLINE_COST * hides + RANK_COST * rank
            cost += min(moved, 2.0) + _light_covered_fraction(box, light)
            found.append((cost + HEAD_COST * _overlaps_any_arrow_head(box, places), box))
        if found:
            _, box = min(found, key=lambda each: each[0])
            taken.append(box)
            placed.append(PlacedLabel(label, box))
    return placed


def _overlaps_any_arrow_head(box: QRectF, places: NDArray[np.float64]) -> bool:
    reach = ARROW_SIZE / 2
    low, high = np.array(box.topLeft().toTuple()), np.array(box.bottomRight().toTuple())
    return bool(((places > low - reach) & (places < high + reach)).all(axis=1).any())


def _light_covered_fraction(box: QRectF, light: Light | None) -> float:
    """The fraction of a box's area that is covered by light."""
    if light is None:
        return 0.0
    rows = slice(max(int(box.top() // CELL_SIZE), 0), int(box.bottom() // CELL_SIZE) + 1)
    columns = slice(max(int(box.left() // CELL_SIZE), 0), int(box.right() // CELL_SIZE) + 1)
    cells = light[rows, columns]
    return float(np.minimum(cells, 1.0).mean()) if cells.size else 0.0


def paint_labels(painter: QPainter, placed: Iterable[PlacedLabel], theme: Theme) -> None:
    """Paint labels on a translucent background, so that they are legible over light."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for p in placed:
        painter.setFont(text_font(p.label.size))
        metrics = painter.fontMetrics()
        set_pen_and_brush(painter, None, theme.color("canvas", 0.82))
        painter.drawRoundedRect(p.box, 3, 3)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        x = p.box.x() + 4
        for text, color in p.label.pieces:
            painter.setPen(theme.color(color))
            painter.drawText(QPointF(x, p.box.y() + 1 + metrics.ascent()), text)
            x += metrics.horizontalAdvance(text) + GRID


_DIAGONAL = 0.7071
_COMPASS = (
    *(QPointF(x, y) for x, y in ((0, -1), (0, 1), (1, 0), (-1, 0))),
    *(QPointF(x, y) for y in (-_DIAGONAL, _DIAGONAL) for x in (_DIAGONAL, -_DIAGONAL)),
)


def object_labels(
    document: Document,
    camera: Camera,
    readings: Mapping[int, DetectorReading],
    named: Collection[SceneObject] = (),
    selected: Collection[int] = (),
) -> list[Label]:
    """The labels of objects: names for the objects in ``named``, and readings for the detectors.

    Selected objects, whose names are in the accent colour, come first. Where there is little space,
    some objects have no label.
    """
    labels: list[Label] = []
    for obj in named:
        chosen = obj.key in selected
        title = elide_to_width(obj.title, QFontMetricsF(text_font(SMALL_SIZE)), NAME_WIDTH)
        pieces = [(title, "accent" if chosen else "text")]
        if obj.key in readings:
            pieces.append((readings[obj.key].text, "detector"))
        boxes = _label_boxes_around(document, obj, camera, label_size(pieces))
        required = not chosen or len(selected) == 1
        labels.append(Label(tuple(pieces), boxes, required=required, object_key=obj.key))
    others = readings.keys() - {o.key for o in named}
    detectors = (d for d in visible_detectors(document) if d.key in others) if others else ()
    for part in itertools.islice(detectors, MAX_READINGS):
        pieces = [(readings[part.key].text, "detector")]
        boxes = _label_boxes_around(document, part, camera, label_size(pieces))
        labels.append(Label(tuple(pieces), boxes, object_key=part.key, over_objects=True))
    return labels


def _label_boxes_around(
    document: Document, obj: SceneObject, camera: Camera, size: tuple[float, float]
) -> tuple[QRectF, ...]:
    """The possible boxes of an object's label: at the ends and sides of a detector, or around the
    bounding box of any other object.
    """
    if isinstance(obj, Detector):
        ends = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
        first, last = sorted(ends, key=lambda p: (p.y(), p.x()))
        along = unit_vector(first, last)
        upright = abs(along.y()) >= abs(along.x())
        side = QPointF(-1, 0) if upright else QPointF(0, -1)
        middle, across = (first + last) / 2, turn_clockwise(along)
        at_ends = [(first, -along), (last, along)]
        near = [
            *at_ends,
            *((end, direction) for end in (first, last) for direction in (side, -side)),
            (middle, -across),
            (middle, across),
        ]
        return (
            *(label_box(at, direction, *size) for at, direction in near),
            *(
                label_box(at, direction, *size, gap=away * LABEL_GAP)
                for away in READING_GAPS
                for at, direction in at_ends
            ),
            *(
                label_box(at + direction * away * LABEL_GAP, side, *size)
                for away in READING_GAPS
                for at, direction in at_ends
            ),
        )
    box = drawn_extent(document.scene, obj)
    if box is None:
        return ()
    around = camera.box_on_screen(box)
    half = around.bottomRight() - around.center()
    rim = [(around.center() + QPointF(d.x() * half.x(), d.y() * half.y()), d) for d in _COMPASS]
    return (
        *(label_box(at, d, *size, gap=LABEL_GAP + 2) for at, d in rim),
        *(label_box(at, d, *size, gap=4 * LABEL_GAP) for at, d in rim[:4]),
    )


def edge_labels(obj: SceneObject, user_labels: Mapping[int, str], camera: Camera) -> list[Label]:
    """Labels with names beside the edges of an object. For an open line or curve, the names are the
    compass directions that its two sides face.
    """
    edges = labelled_edges(obj, user_labels) if obj.has_edge_table else ()
    if len(edges) > MAX_LABELS:
        return []
    labels = []
    for e in edges:
        shape, centre, outward = e.edge.shape, e.edge.shape.midpoint, QPointF(*e.normal)
        whole = isinstance(shape, Arc) and shape.is_full_circle
        if shape.length * camera.scale < 3 * GRID or whole or outward.isNull():
            continue
        others = (math.dist(o.edge.shape.nearest(centre), centre) for o in edges if o is not e)
        room = min(others, default=math.inf) * camera.scale
        thin = room <= MIN_DEPTH_INSIDE  # a label inside would overlap the opposite side
        texts = [(e.title, (outward,) if thin else (-outward, outward))]
        places = [camera.to_screen(centre)]
        if e.sides:
            if isinstance(shape, Line):
                # in its middle, a label would often cover the light that it is there for
                a, b = camera.to_screen(shape.a), camera.to_screen(shape.b)
                places += [a * (1 - u) + b * u for u in (0.25, 0.75)]
            texts = [(e.title, (outward, -outward))]
            if not e.user_label and len(edges) == 1:
                texts = [(e.sides[0], (outward,)), (e.sides[1], (-outward,))]
        for text, directions in texts:
            pieces = ((text, "dim"),)
            size = label_size(pieces, SMALL_SIZE - 1)
            spots = itertools.product((7, 22)[: 1 + thin], places, directions)
            boxes = tuple(label_box(at, d, *size, gap=gap) for gap, at, d in spots)
            labels.append(Label(pieces, boxes, SMALL_SIZE - 1))
    return labels
