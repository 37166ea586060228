"""The rows in the tables for the objects of a scene, and the pieces from which they are made."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Floats, Int8s, Int32s, Integers
from raybench.kinds.aspects.pieces import EMPTY_PIECE, Piece
from raybench.kinds.kinds import ROWS, kind_row_of
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.outline import object_edges, object_fault
from raybench.kinds.primitives import (
    ARC,
    ARC_RADIUS,
    ARC_X,
    ARC_Y,
    BEZIER,
    BEZIER_X0,
    BEZIER_Y3,
    FILTER,
    FILTER_CENTRE,
    FILTER_HALF_WIDTH,
    FULL_LINE,
    GEOMETRY_WIDTH,
    INVERT,
    LINE,
    LINE_LENGTH,
    LINE_TX,
    LINE_TY,
    LINE_X,
    LINE_Y,
    MERGES,
    PARABOLA,
    PARABOLA_CURVATURE,
    PARAMETER_WIDTH,
    Surface,
)
from raybench.trace.tables.bvh import AWAY
from raybench.trace.tolerances import BOX_MARGIN


def object_piece(obj: SceneObject, colours: bool) -> Piece:
    """The piece of an object, made by its kind, with flags for filters and merging. ``colours``
    says whether colours are simulated.
    """
    if fault := object_fault(obj):
        return Piece(fault=fault)
    piece = kind_row_of(obj).piece(obj, object_edges(obj, colours))
    if piece.surface == Surface.NONE:
        return piece
    flags, parameters = piece.flags, list(piece.parameters)
    if obj.merges_with_glass:
        flags |= MERGES
    if isinstance(obj, Filtered) and obj.filter and colours:
        flags |= FILTER | (INVERT if obj.invert else 0)
        parameters[FILTER_CENTRE], parameters[FILTER_HALF_WIDTH] = obj.wavelength, obj.bandwidth
    return piece._replace(flags=flags, parameters=tuple(parameters))


def primitive_boxes(kind: Int8s, g: Floats, margin: float) -> Floats:
    """The bounding boxes of primitives (n, 4: left, top, right, bottom), enlarged by ``margin``.
    They are infinite for unbounded primitives.
    """
    boxes = np.empty((len(kind), 4))
    kinds = set(kind.tolist())
    for code in kinds:
        chosen = kind == code if len(kinds) > 1 else slice(None)
        boxes[chosen, :2], boxes[chosen, 2:] = _corners_of_boxes(code, g[chosen])
    away = np.abs(g[:, :2])
    margins = margin + BOX_MARGIN * np.maximum(away[:, 0], away[:, 1])
    boxes += margins[:, None] * AWAY
    return boxes


def _corners_of_boxes(code: int, g: Floats) -> tuple[Any, Any]:
    """The left top and the right bottom (n, 2) of the boxes of primitives with this code, without
    margins.
    """
    start = g[:, LINE_X : LINE_Y + 1]
    if code == LINE:
        ends = start + g[:, LINE_LENGTH : LINE_LENGTH + 1] * g[:, LINE_TX : LINE_TY + 1]
        return np.minimum(start, ends), np.maximum(start, ends)
    if code == ARC:
        centre, radius = g[:, ARC_X : ARC_Y + 1], g[:, ARC_RADIUS : ARC_RADIUS + 1]
        return centre - radius, centre + radius
    if code == BEZIER:
        hull = g[:, BEZIER_X0 : BEZIER_Y3 + 1].reshape(-1, 4, 2)
        return hull.min(axis=1), hull.max(axis=1)
    if code == PARABOLA:
        # over its chord a parabola lies between the heights of its vertex and its ends along the
        # axis
        x, y, tx, ty, half, c = g[:, : PARABOLA_CURVATURE + 1].T
        rise = c * half * half
        corners = np.array(
            [(x + u * tx + v * ty, y + u * ty - v * tx) for u in (-half, half) for v in (0.0, rise)]
        )
        return corners.min(axis=0).T, corners.max(axis=0).T
    return (-math.inf, math.inf) if code == FULL_LINE else (start, start)


FEW_SURFACES = 8
"""Below this many surfaces of a group it is faster to make their pieces one by one."""


class ObjectRows(NamedTuple):
    """The rows of some objects in `Tables`: one row for each object, in ascending order of the
    objects' ``indices`` in the scene, and one for each primitive.

    ``remarkable`` holds, by index, the remaining fields of the pieces of a few objects: those that
    have a fault, several outgoing rays, or ``links``. Linked ``parameters`` are indices relative to
    the object's first program, order or body.
    """

    indices: Integers
    size: Integers
    surface: Int8s
    flags: NDArray[np.uint16]
    parameters: Floats
    extent: Floats
    """The bounding box of each object (objects, 4: left, top, right, bottom); ``box`` is that of
    each primitive.
    """
    primitive: Int8s
    geometry: Floats
    edge: Int32s
    box: Floats
    remarkable: Mapping[int, Piece]

    @property
    def first(self) -> Integers:
        """The index of the first primitive of each object."""
        return np.cumsum(self.size) - self.size

    def select_objects(self, chosen: Integers, indices: Integers) -> ObjectRows:
        """The rows of the ``chosen`` objects, which get new ``indices`` in the scene."""
        inner = _primitive_indices(self.first[chosen], self.size[chosen])
        new = (
            dict(zip(self.indices[chosen].tolist(), indices.tolist(), strict=True))
            if self.remarkable
            else {}
        )
        remarkable = {new[i]: p for i, p in self.remarkable.items() if i in new}
        return ObjectRows._make(
            [indices, *(c[chosen] for c in self[1:6]), *(c[inner] for c in self[6:10]), remarkable]
        )

    def with_objects_overwritten(self, others: ObjectRows) -> ObjectRows | None:
        """The rows of some objects overwritten by ``others``, in the same arrays. Returns None,
        without writing anything, if the number of primitives of an object has changed.
        """
        if (self.size[others.indices] != others.size).any():
            return None
        outer: Any = others.indices
        if len(outer) == 1:  # slices are faster
            first = int(self.size[: outer[0]].sum())
            outer = slice(outer[0], outer[0] + 1)
            inner: Any = slice(first, first + len(others.primitive))
        else:
            inner = _primitive_indices(self.first[outer], others.size)
        columns: list[NDArray[Any]] = [*self[2:10]]
        for k, column in enumerate(columns, 2):
            column[outer if k < 6 else inner] = others[k]
        if not (self.remarkable or others.remarkable):
            return self
        gone = set(others.indices.tolist())
        rest = [(i, p) for i, p in self.remarkable.items() if i not in gone]
        return self._replace(remarkable=dict(sorted([*rest, *others.remarkable.items()])))


def build_object_rows(
    optical: Sequence[SceneObject], indices: Sequence[int], colours: bool, margin: float
) -> ObjectRows:
    """The rows of the objects with the given indices. ``colours`` says whether colours are
    simulated; ``margin`` is how far bounding boxes are enlarged.
    """
    groups: dict[Any, list[int]] = defaultdict(list)
    others = []
    for i in indices:
        kind = type(optical[i])
        if kind in BESIDES_ENDS:
            groups[kind, BESIDES_ENDS[kind](optical[i])].append(i)
        else:
            others.append(i)
    several = []
    for group in groups.values():
        rows = (
            _surface_group_rows([optical[i] for i in group], group, colours, margin)
            if len(group) >= FEW_SURFACES
            else None
        )
        if rows is not None:
            several.append(rows)
        else:
            others.extend(group)
    others.sort()
    if others:
        several.append(
            rows_from_pieces([object_piece(optical[i], colours) for i in others], others, margin)
        )
    return join_rows(several)


def rows_from_pieces(pieces: Sequence[Piece], indices: Sequence[int], margin: float) -> ObjectRows:
    """The rows of objects whose pieces are given."""
    primitive = np.array([k for p in pieces for k in p.kinds], np.int8)
    geometry = np.array([g for p in pieces for g in p.geometry], np.float64).reshape(
        -1, GEOMETRY_WIDTH
    )
    size = np.array([len(p.kinds) for p in pieces], np.int64)
    box = primitive_boxes(primitive, geometry, margin)
    return ObjectRows(
        np.array(indices, np.int64),
        size,
        np.array([p.surface for p in pieces], np.int8),
        np.array([p.flags for p in pieces], np.uint16),
        np.array([p.parameters for p in pieces], np.float64).reshape(-1, PARAMETER_WIDTH),
        _object_extents(box, size),
        primitive,
        geometry,
        np.array([e for p in pieces for e in p.edges], np.int32),
        box,
        {
            i: remark
            for i, p in zip(indices, pieces, strict=True)
            if (remark := _piece_with_nondefault_fields(p))
        },
    )


def join_rows(several: Iterable[ObjectRows]) -> ObjectRows:
    """Join the rows of several groups of objects. No object occurs twice."""
    some = [s for s in several if len(s.indices)]
    if len(some) < 2:
        return some[0] if some else rows_from_pieces((), (), 0.0)
    indices, *columns = (np.concatenate([s[k] for s in some]) for k in range(10))
    order = np.argsort(indices)
    size = columns[0]
    inner = _primitive_indices((np.cumsum(size) - size)[order], size[order])
    remarkable = dict(sorted(chain.from_iterable(s.remarkable.items() for s in some)))
    return ObjectRows._make(
        [
            indices[order],
            *(c[order] for c in columns[:5]),
            *(c[inner] for c in columns[5:]),
            remarkable,
        ]
    )


def _piece_with_nondefault_fields(piece: Piece) -> Piece | None:
    """A piece with only the fields that are not stored in rows. None if all of them have their
    defaults, as for most objects.
    """
    if piece.fault or piece.links or piece.most_orders != EMPTY_PIECE.most_orders:
        return piece._replace(kinds=(), geometry=(), edges=())
    return None


def _object_extents(boxes: Floats, size: Integers) -> Floats:
    """The bounding box of each object, made from those of its primitives. It is empty for an object
    without primitives.
    """
    if len(size) == 1 and len(boxes):
        extent: Floats = (boxes * AWAY).max(axis=0, keepdims=True) * AWAY
        return extent
    out = np.full((len(size), 4), -np.inf)
    some = np.flatnonzero(size)
    if len(some):
        first = np.cumsum(size) - size
        out[some] = np.maximum.reduceat(boxes * AWAY, first[some])
    out *= AWAY
    return out


def _primitive_indices(first: Integers, size: Integers) -> Integers:
    """The indices of all primitives of some objects. ``first`` is the index of an object's first
    primitive, ``size`` their number.
    """
    ends = np.cumsum(size)
    return np.repeat(first - (ends - size), size) + np.arange(ends[-1] if len(ends) else 0)


BESIDES_ENDS: dict[type[SceneObject], Callable[[Any], Any]] = {
    row.kind: attrgetter(
        *(
            f.name
            for f in dataclasses.fields(row.kind)
            if f.compare and f.name not in ("p1", "p2", "name", "locked")
        )
    )
    for row in ROWS
    if row.ends_geometry is not None
}
"""For the kinds whose geometry can be computed for many objects at once: the values, besides the
ends, on which their pieces depend.
"""


def _surface_group_rows(
    objects: Sequence[Any], indices: Sequence[int], colours: bool, margin: float
) -> ObjectRows | None:
    """The rows of surfaces of one kind that differ only in their ends. None if they have no
    primitives, or if one has the length 0.
    """
    points = chain.from_iterable(map(attrgetter("p1", "p2"), objects))
    numbers = chain.from_iterable(points)
    ends = np.fromiter(numbers, np.float64, 4 * len(objects)).reshape(-1, 4)
    length = np.fromiter(
        map(math.hypot, *(ends[:, 2:4] - ends[:, 0:2]).T.tolist()), np.float64, len(objects)
    )
    ends_geometry, first = kind_row_of(objects[0]).ends_geometry, object_piece(objects[0], colours)
    if ends_geometry is None or not first.kinds or not length.all():
        return None
    rows = rows_from_pieces([first], [0], margin).select_objects(
        np.zeros(len(objects), np.int64), np.array(indices, np.int64)
    )
    ax, ay, bx, by = ends.T
    columns, parameters = ends_geometry(ax, ay, bx, by, length)
    geometry = np.zeros((len(objects), GEOMETRY_WIDTH))
    for i, column in enumerate(columns):
        geometry[:, i] = column
    for i, column in parameters.items():
        rows.parameters[:, i] = column
    remark = _piece_with_nondefault_fields(first)
    box = primitive_boxes(rows.primitive, geometry, margin)
    return rows._replace(
        extent=box,
        geometry=geometry,
        box=box,
        remarkable=dict.fromkeys(indices, remark) if remark else {},
    )
