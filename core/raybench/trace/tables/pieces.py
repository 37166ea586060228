"""The rows of one object in the tables, with or without simulated colours, and the bounding boxes
of primitives.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from raybench.kinds.kinds import row_of
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.outline import edges_of, fault_of
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
    Surface,
)
from raybench.kinds.rows.pieces import Piece
from raybench.trace.tolerances import BOX_MARGIN


def piece_of(obj: SceneObject, colours: bool) -> Piece:
    """An object's part of the tables: that of its kind, with flags for filters and merging.
    ``colours``: whether they are simulated.
    """
    if fault := fault_of(obj):
        return Piece(fault=fault)
    piece = row_of(obj).piece(obj, edges_of(obj, colours))
    if piece.surface == Surface.NONE:
        return piece
    flags, parameters = piece.flags, list(piece.parameters)
    if obj.merges_with_glass:
        flags |= MERGES
    if isinstance(obj, Filtered) and obj.filter and colours:
        flags |= FILTER | (INVERT if obj.invert else 0)
        parameters[FILTER_CENTRE], parameters[FILTER_HALF_WIDTH] = obj.wavelength, obj.bandwidth
    return piece._replace(flags=flags, parameters=tuple(parameters))


def primitive_boxes(
    kind: NDArray[np.int8], g: NDArray[np.float64], margin: float
) -> NDArray[np.float64]:
    """Bounding boxes of primitives (n, 4: left, top, right, bottom), enlarged by a margin; infinite
    for unbounded ones.
    """
    boxes = np.empty((len(kind), 4))
    start, tangent = g[:, LINE_X : LINE_Y + 1], g[:, LINE_TX : LINE_TY + 1]
    ends = start + np.where(kind == LINE, g[:, LINE_LENGTH], 0.0)[:, None] * tangent
    boxes[:, 0:2], boxes[:, 2:4] = np.minimum(start, ends), np.maximum(start, ends)
    if (arc := kind == ARC).any():
        centre, radius = g[arc, ARC_X : ARC_Y + 1], g[arc, ARC_RADIUS : ARC_RADIUS + 1]
        boxes[arc, 0:2], boxes[arc, 2:4] = centre - radius, centre + radius
    if (bezier := kind == BEZIER).any():
        hull = g[bezier, BEZIER_X0 : BEZIER_Y3 + 1].reshape(-1, 4, 2)
        boxes[bezier, 0:2], boxes[bezier, 2:4] = hull.min(axis=1), hull.max(axis=1)
    for k in np.flatnonzero(kind == PARABOLA):
        # over its chord a parabola lies between the heights of its vertex and its ends along the
        # axis
        x, y, tx, ty, half, c = g[k, : PARABOLA_CURVATURE + 1]
        rise = c * half * half
        corners = np.array(
            [(x + u * tx + v * ty, y + u * ty - v * tx) for u in (-half, half) for v in (0.0, rise)]
        )
        boxes[k, 0:2], boxes[k, 2:4] = corners.min(axis=0), corners.max(axis=0)
    if (full := kind == FULL_LINE).any():
        boxes[full] = (-math.inf, -math.inf, math.inf, math.inf)
    margins = margin + BOX_MARGIN * np.abs(g[:, 0:2]).max(axis=1, initial=0.0)
    boxes[:, 0:2] -= margins[:, None]
    boxes[:, 2:4] += margins[:, None]
    return boxes
