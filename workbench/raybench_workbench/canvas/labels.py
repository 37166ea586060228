"""Labels of objects: placed where they cover neither each other nor, if there is room, the
light.
"""

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
from raybench.kinds.outline import edges_of
from raybench.scene.document import Document
from raybench.scene.hit_test import drawn_extent
from raybench.scene.labels import labelled_edges
from raybench.shapes.curves import Box
from raybench.shapes.shape import Arc, Line
from raybench_workbench.canvas.rays.arrow_heads import ARROW_SIZE, ArrowHeads
from raybench_workbench.canvas.readings import Reading, visible_detectors
from raybench_workbench.canvas.strokes import outline_path, unit_vector
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import GRID, SMALL_SIZE, Theme, text_font
from raybench_workbench.widgets import elided_to

ROOM_INSIDE = 32.0
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
GAP = GRID
"""Distance of a label from what it names, in pixels."""
CELL = 8
"""Size of the cells of the coverage by light, in pixels."""
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
"""(rows, columns): coverage of each cell of `CELL` pixels by light; it may exceed 1."""


@dataclass(frozen=True)
class Label:
    """Pieces of text in colours of the theme, and the possible ``boxes`` of the label on the
    canvas, the preferred one first.

    ``of`` is the key of the object that it belongs to. A label that is ``required`` is painted even
    if it covers another one, or another object than its own; one that may be ``over_objects``
    covers only objects. One that is ``apart`` belongs to no object and avoids all.
    """

    pieces: tuple[tuple[str, str], ...]
    boxes: tuple[QRectF, ...]
    size: int = SMALL_SIZE
    required: bool = False
    of: int | None = None
    over_objects: bool = False
    apart: bool = False


@dataclass(frozen=True)
class Placed:
    """A label and its box."""

    label: Label
    box: QRectF


def box_size(pieces: Sequence[tuple[str, str]], size: int = SMALL_SIZE) -> tuple[float, float]:
    """Width and height of a label with these pieces of text, in pixels."""
    metrics = QFontMetricsF(text_font(size))
    width = sum(metrics.horizontalAdvance(text) for text, _ in pieces) + GRID * (len(pieces) - 1)
    return math.ceil(width) + 8, math.ceil(metrics.height()) + 2


def label_box(
    at: QPointF, direction: QPointF, width: float, height: float, gap: float = GAP
) -> QRectF:
    """The box of a label in a direction, a unit vector, from a point: its nearest side is ``gap``
    pixels away.
    """
    dx, dy = abs(direction.x()), abs(direction.y())
    reach = min(
        (width / 2 + gap) / dx if dx else math.inf, (height / 2 + gap) / dy if dy else math.inf
    )
    middle = at + direction * reach
    return QRectF(round(middle.x() - width / 2), round(middle.y() - height / 2), width, height)


class Outlines:
    """The outlines of a document's visible objects, which names and readings avoid."""

    def __init__(self, document: Document, camera: Camera) -> None:
        self._camera, scene = camera, document.scene
        visible = [
            (o, box)
            for o in scene.objects
            if o.key not in document.hidden and (box := drawn_extent(scene, o)) is not None
        ]
        self._parts = [(o.key, scene.parts_of(o)) for o, _ in visible]
        self._boxes = np.array([box for _, box in visible], float).reshape(-1, 4)

    def intersects(self, box: QRectF, except_key: int | None) -> bool:
        """Whether a box in pixels intersects an object, other than that with the given key."""
        left, top = self._camera.to_scene(box.topLeft())
        right, bottom = self._camera.to_scene(box.bottomRight())
        boxes = self._boxes
        near = np.flatnonzero(
            (boxes[:, 0] <= right)
            & (boxes[:, 2] >= left)
            & (boxes[:, 1] <= bottom)
            & (boxes[:, 3] >= top)
        )
        return any(
            self._outline_of(part).intersects(box)
            for i in near
            if self._parts[i][0] != except_key
            for part in self._parts[i][1]
        )

    def _outline_of(self, obj: SceneObject) -> QPainterPath:
        edges = edges_of(obj)
        return outline_path(edges, self._camera, closed=has_inside(edges))


def outlines_to_avoid(document: Document, camera: Camera) -> Outlines | None:
    """The outlines that labels avoid; None where there are too many."""
    return Outlines(document, camera) if len(document.scene.objects) <= MAX_OUTLINES else None


def place_labels(
    labels: Iterable[Label],
    taken: Iterable[QRectF],
    size: tuple[int, int],
    light: Light | None = None,
    outlines: Outlines | None = None,
    heads: ArrowHeads | None = None,
) -> list[Placed]:
    """Place labels one after the other on a canvas, where they overlap neither the boxes ``taken``
    nor, if they belong to an object, the ``outlines`` of other objects. Labels without a free
    position are omitted.

    A box that extends beyond the border is moved inside, if possible not onto its own object. Of
    the free boxes the one with the least light, and without arrow heads, is taken, then the
    preferred one.
    """
    places = heads.places if heads is not None else np.empty((0, 2))
    placed: list[Placed] = []
    taken = list(taken)
    for label in labels:
        best: tuple[float, QRectF] | None = None
        for i, wanted in enumerate(label.boxes):
            x = max(min(wanted.x(), size[0] - wanted.width() - 4), 4)
            y = max(min(wanted.y(), size[1] - wanted.height() - 4), 4)
            box = QRectF(x, y, wanted.width(), wanted.height())
            moved = (abs(box.x() - wanted.x()) + abs(box.y() - wanted.y())) / (8 * GRID)
            covers = any(box.intersects(other) for other in taken)
            if covers and not label.required:
                continue
            own = label.of if box == wanted else None
            hides = (
                outlines is not None
                and (label.of is not None or label.apart)
                and outlines.intersects(box, own)
            )
            if hides and not (label.required or label.over_objects):
                continue
            cost = (
                OVERLAP_COST * covers
                + OUTLINE_COST * hides
                + RANK_COST * i
                + min(moved, 2.0)
                + _covered_by_light(box, light)
            )
            cost += HEAD_COST * _holds_any(box, places)
            if best is None or cost < best[0]:
                best = cost, box
        if best is not None:
            taken.append(best[1])
            placed.append(Placed(label, best[1]))
    return placed


def _holds_any(box: QRectF, places: NDArray[np.float64]) -> bool:
    x, y = places[:, 0], places[:, 1]
    reach = ARROW_SIZE / 2
    across = (x > box.left() - reach) & (x < box.right() + reach)
    return bool((across & (y > box.top() - reach) & (y < box.bottom() + reach)).any())


def _covered_by_light(box: QRectF, light: Light | None) -> float:
    """The fraction of a box that is covered by light."""
    if light is None:
        return 0.0
    rows = slice(max(int(box.top() // CELL), 0), int(box.bottom() // CELL) + 1)
    columns = slice(max(int(box.left() // CELL), 0), int(box.right() // CELL) + 1)
    cells = light[rows, columns]
    return float(np.minimum(cells, 1.0).mean()) if cells.size else 0.0


def paint_labels(painter: QPainter, placed: Iterable[Placed], theme: Theme) -> None:
    """Paint labels on a translucent background, legible over light."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for p in placed:
        painter.setFont(text_font(p.label.size))
        metrics = painter.fontMetrics()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("canvas", 0.82))
        painter.drawRoundedRect(p.box, 3, 3)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        x = p.box.x() + 4
        for text, color in p.label.pieces:
            painter.setPen(theme.color(color))
            painter.drawText(QPointF(x, p.box.y() + 1 + metrics.ascent()), text)
            x += metrics.horizontalAdvance(text) + GRID


_COMPASS = tuple(
    QPointF(x, y)
    for x, y in (
        (0, -1),
        (0, 1),
        (1, 0),
        (-1, 0),
        (0.7071, -0.7071),
        (-0.7071, -0.7071),
        (0.7071, 0.7071),
        (-0.7071, 0.7071),
    )
)


def object_labels(
    document: Document,
    camera: Camera,
    readings: Mapping[int, Reading],
    named: Collection[SceneObject] = (),
    selected: Collection[int] = (),
) -> list[Label]:
    """The labels of objects: the names of those in ``named``, and the readings of detectors.

    Selected objects, whose names are in the accent colour, come first. Where there is little space,
    some objects have no label.
    """
    names = {o.key: o for o in named}
    labels: list[Label] = []
    for obj in named:
        chosen = obj.key in selected
        title = elided_to(obj.title, QFontMetricsF(text_font(SMALL_SIZE)), NAME_WIDTH)
        pieces = [(title, "accent" if chosen else "text")]
        if obj.key in readings:
            pieces.append((readings[obj.key].text, "detector"))
        labels.append(
            Label(
                tuple(pieces),
                _boxes_around(document, obj, camera, box_size(pieces)),
                required=not chosen or len(selected) == 1,
                of=obj.key,
            )
        )
    detectors = visible_detectors(document) if readings else ()
    for part in [p for p in detectors if p.key in readings and p.key not in names][:MAX_READINGS]:
        pieces = [(readings[part.key].text, "detector")]
        labels.append(
            Label(
                tuple(pieces),
                _boxes_around(document, part, camera, box_size(pieces)),
                of=part.key,
                over_objects=True,
            )
        )
    return labels


def _boxes_around(
    document: Document, obj: SceneObject, camera: Camera, size: tuple[float, float]
) -> tuple[QRectF, ...]:
    """The possible positions of a label around an object: at the ends and sides of a detector,
    around the bounding box of any other.
    """
    if isinstance(obj, Detector):
        ends = sorted(
            (camera.to_screen(obj.p1), camera.to_screen(obj.p2)), key=lambda p: (p.y(), p.x())
        )
        along = unit_vector(ends[0], ends[1])
        across = QPointF(-along.y(), along.x())
        side = QPointF(-1, 0) if abs(along.y()) >= abs(along.x()) else QPointF(0, -1)
        middle = (ends[0] + ends[1]) / 2
        places = [
            (ends[0], -along),
            (ends[1], along),
            *((end, direction) for end in ends for direction in (side, -side)),
            (middle, -across),
            (middle, across),
        ]
        near = [label_box(at, direction, *size) for at, direction in places]
        return (
            *near,
            *(label_box(at, direction, *size, gap=4 * GAP) for at, direction in places[:2]),
        )
    box = drawn_extent(document.scene, obj)
    return _around_box(box, camera, size) if box is not None else ()


def _around_box(box: Box, camera: Camera, size: tuple[float, float]) -> tuple[QRectF, ...]:
    left, top, right, bottom = box
    a, b = camera.to_screen((left, top)), camera.to_screen((right, bottom))  # type: ignore[arg-type]
    middle, half = (a + b) / 2, (b - a) / 2
    near = [
        label_box(middle + QPointF(d.x() * half.x(), d.y() * half.y()), d, *size, gap=GAP + 2)
        for d in _COMPASS
    ]
    far = [
        label_box(middle + QPointF(d.x() * half.x(), d.y() * half.y()), d, *size, gap=4 * GAP)
        for d in _COMPASS[:4]
    ]
    return (*near, *far)


def edge_labels(obj: SceneObject, own: Mapping[int, str], camera: Camera) -> list[Label]:
    """The labels of an object's edges, beside them; of an open line or curve, the compass points
    that its two sides face.
    """
    edges = labelled_edges(obj, own) if obj.has_edge_table else ()
    if not edges or len(edges) > MAX_LABELS:
        return []
    labels = []
    for e in edges:
        shape, middle = e.edge.shape, camera.to_screen(e.edge.shape.midpoint)
        outward = QPointF(*e.normal)
        if (
            shape.length * camera.scale < 3 * GRID
            or (isinstance(shape, Arc) and shape.full)
            or outward.isNull()
        ):
            continue
        centre = e.edge.shape.midpoint
        room = (
            min(
                (math.dist(o.edge.shape.nearest(centre), centre) for o in edges if o is not e),
                default=math.inf,
            )
            * camera.scale
        )
        thin = room <= ROOM_INSIDE  # a label inside would overlap the opposite side
        texts: Sequence[tuple[str, tuple[QPointF, ...]]] = [
            (e.title, (outward,) if thin else (-outward, outward))
        ]
        places = [middle]
        if e.sides:
            if isinstance(
                shape, Line
            ):  # in its middle, a label would often cover the light that it is there for
                ends = camera.to_screen(shape.a), camera.to_screen(shape.b)
                places += [ends[0] * (1 - u) + ends[1] * u for u in (0.25, 0.75)]
            texts = [(e.title, (outward, -outward))]
            if not e.user and len(edges) == 1:
                texts = [(e.sides[0], (outward,)), (e.sides[1], (-outward,))]
        for text, directions in texts:
            pieces = ((text, "dim"),)
            size = box_size(pieces, SMALL_SIZE - 1)
            boxes = tuple(
                label_box(at, d, *size, gap=gap)
                for gap in (7, 22)[: 1 + thin]
                for at in places
                for d in directions
            )
            labels.append(Label(pieces, boxes, SMALL_SIZE - 1))
    return labels
