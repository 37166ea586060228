"""A bounding-volume hierarchy over primitives, so that a ray is tested against those near it only (Ericson, Real-Time Collision
Detection)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.trace.compilation.jit import builder
from core.trace.tolerances import BIN_MARGIN

SMALL = 4
"""Maximum number of primitives in a leaf."""
LEAF_BITS = 3
"""A leaf's count of primitives is in this many low bits of its code, its first primitive above them."""
LEAF_MASK = (1 << LEAF_BITS) - 1
BINS = 12
"""Number of bins of primitive centres, between which a node may be split."""
STACK = 96
"""Size of the traversal stack, more than the depth of any hierarchy."""
DEEPEST = 64
"""Below this level nodes are split into equal halves, so that no hierarchy is deeper than this plus log2 of its primitives."""


class Hierarchy(NamedTuple):
    """Nodes with two sides each; the first is the root. ``box`` (n, 8): left, top, right and bottom of each side's bounding box. ``child``
    (n, 2): the index of each side's node, or if negative a leaf, -1 - (first << LEAF_BITS) - count. ``order``, ``kind``, ``geometry``: the
    indices, codes and numbers of the primitives in the order of the leaves."""

    box: NDArray[np.float64]
    child: NDArray[np.int64]
    order: NDArray[np.int64]
    kind: NDArray[np.int8]
    geometry: NDArray[np.float64]


class Walk(NamedTuple):
    """A thread's stack for traversing a hierarchy: ``node`` to visit and the distance ``near`` of its box; and a list of ``hits``
    (primitives) with their ``distance``."""

    node: NDArray[np.int64]
    near: NDArray[np.float64]
    hits: NDArray[np.int64]
    distance: NDArray[np.float64]


def new_walk(primitives: int) -> Walk:
    return Walk(np.empty(STACK, np.int64), np.empty(STACK), np.empty(primitives, np.int64), np.empty(primitives))


def hierarchy_of(kind: NDArray[np.int8], geometry: NDArray[np.float64], boxes: NDArray[np.float64], chosen: NDArray[np.int64]) -> Hierarchy:
    """The hierarchy over the ``chosen`` primitives (m,); ``kind`` (n,), ``geometry`` (n, GEOMETRY_WIDTH) and ``boxes`` (n, 4: left, top,
    right, bottom) are those of all primitives."""
    order = chosen.astype(np.int64)
    box, child = np.empty((max(1, len(order)), 8)), np.empty((max(1, len(order)), 2), np.int64)
    nodes = build_boxes(boxes, order, box, child)
    return Hierarchy(box[:nodes].copy(), child[:nodes].copy(), order, kind[order], geometry[order])


@builder
def build_boxes(boxes: NDArray[np.float64], order: NDArray[np.int64], box: NDArray[np.float64], child: NDArray[np.int64]) -> int:
    """Build a hierarchy's ``box`` and ``child`` over the primitives in ``order``, which is permuted; returns the number of nodes.

    Each node is split between bins of primitive centres where the surface-area heuristic is least. ``box`` and ``child`` have room for as
    many nodes as there are primitives, at least one.
    """
    n = len(order)
    box[:, 0:2], box[:, 2:4], box[:, 4:6], box[:, 6:8] = np.inf, -np.inf, np.inf, -np.inf
    child[:] = -1
    stack = np.empty((STACK, 4), np.int32)
    low_box, high_box = np.empty((BINS, 4)), np.empty((BINS, 4))
    low_count, bin_count = np.empty(BINS, np.int64), np.empty(BINS, np.int64)
    # a stack entry: first, last, slot (2 node + side) to fill, level; a hierarchy of one leaf is a root with an empty side
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, n, 0 if n <= SMALL else -1, 0
    depth, nodes = 1, 0 if n > SMALL else 1
    while depth > 0:
        depth -= 1
        first, last, slot, level = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        b0x, b0y, b1x, b1y = np.inf, np.inf, -np.inf, -np.inf
        c0x, c0y, c1x, c1y = np.inf, np.inf, -np.inf, -np.inf
        for i in range(first, last):
            k = order[i]
            b0x, b0y, b1x, b1y = min(b0x, boxes[k, 0]), min(b0y, boxes[k, 1]), max(b1x, boxes[k, 2]), max(b1y, boxes[k, 3])
            cx, cy = boxes[k, 0] + boxes[k, 2], boxes[k, 1] + boxes[k, 3]
            c0x, c0y, c1x, c1y = min(c0x, cx), min(c0y, cy), max(c1x, cx), max(c1y, cy)
        if slot >= 0:
            above, side = slot // 2, slot % 2
            box[above, 4 * side], box[above, 4 * side + 1] = b0x, b0y
            box[above, 4 * side + 2], box[above, 4 * side + 3] = b1x, b1y
            child[above, side] = -1 - ((first << LEAF_BITS) + last - first) if last - first <= SMALL else nodes
        if last - first <= SMALL:
            continue
        node = nodes
        nodes += 1
        axis = 0 if c1x - c0x > c1y - c0y else 1
        start, extent = (c0x, c1x - c0x) if axis == 0 else (c0y, c1y - c0y)
        middle = (first + last) // 2
        if extent > 0.0:
            scale = BINS / extent * (1.0 - BIN_MARGIN)
            for b in range(BINS):
                bin_count[b] = 0
                high_box[b, 0], high_box[b, 1], high_box[b, 2], high_box[b, 3] = np.inf, np.inf, -np.inf, -np.inf
            for i in range(first, last):
                k = order[i]
                b = int((boxes[k, axis] + boxes[k, axis + 2] - start) * scale)
                bin_count[b] += 1
                high_box[b, 0], high_box[b, 1] = min(high_box[b, 0], boxes[k, 0]), min(high_box[b, 1], boxes[k, 1])
                high_box[b, 2], high_box[b, 3] = max(high_box[b, 2], boxes[k, 2]), max(high_box[b, 3], boxes[k, 3])
            # cumulative boxes of the bins up to each bin, and from each bin on
            count = 0
            for b in range(BINS):
                count += bin_count[b]
                low_count[b] = count
                for j in range(4):
                    before = high_box[b, j] if b == 0 else low_box[b - 1, j]
                    low_box[b, j] = min(before, high_box[b, j]) if j < 2 else max(before, high_box[b, j])
            for b in range(BINS - 2, -1, -1):
                for j in range(4):
                    high_box[b, j] = min(high_box[b, j], high_box[b + 1, j]) if j < 2 else max(high_box[b, j], high_box[b + 1, j])
            least, cut = np.inf, -1
            for b in range(BINS - 1):
                left, right = low_count[b], last - first - low_count[b]
                if left > 0 and right > 0:
                    width = low_box[b, 2] - low_box[b, 0] + low_box[b, 3] - low_box[b, 1]
                    other = high_box[b + 1, 2] - high_box[b + 1, 0] + high_box[b + 1, 3] - high_box[b + 1, 1]
                    cost = left * width + right * other
                    if cost < least:
                        least, cut = cost, b
            if cut >= 0 and level < DEEPEST:
                i, j = first, last - 1
                while i <= j:
                    k = order[i]
                    if int((boxes[k, axis] + boxes[k, axis + 2] - start) * scale) <= cut:
                        i += 1
                    else:
                        order[i], order[j] = order[j], k
                        j -= 1
                middle = i
        stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = first, middle, 2 * node, level + 1
        stack[depth + 1, 0], stack[depth + 1, 1], stack[depth + 1, 2], stack[depth + 1, 3] = middle, last, 2 * node + 1, level + 1
        depth += 2
    return nodes
