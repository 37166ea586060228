"""A bounding-volume hierarchy over primitives, so that a ray is tested against those near it only
(Ericson, Real-Time Collision Detection). A node has as many sides as numbers fit into a vector of
the processor, and a ray is tested against all its boxes at once.
"""

from typing import NamedTuple

import numpy as np

from raybench.arrays import Floats, Int8s, Integers
from raybench.kinds.primitives import ARC, LINE
from raybench.trace.compilation.jit import LANES, builder, inner
from raybench.trace.tolerances import BIN_MARGIN

LEFT, TOP, RIGHT, BOTTOM, BOX_ROWS = range(5)
"""The rows of `Hierarchy.box` that belong to a node: the sides of its boxes."""
ALL_SIDES = (1 << LANES) - 1
AWAY = np.array([-1.0, -1.0, 1.0, 1.0])
"""The signs with which the sides of boxes grow as they are enlarged."""
BINS = 12
"""Number of bins of primitive centres, between which the primitives of a node may be split."""
LARGEST = 16
DEEPEST = 24
"""Below this level nodes are split into equal parts, so that no hierarchy is deeper than this plus
log8 of its primitives.
"""
DEPTH = 40
"""More levels than a hierarchy has."""
RAYS = 512
"""The most rays that are searched at once."""
MOST_GROUPS = 2
"""The most groups of a leaf."""
LEAF_PRIMITIVE = 8
"""The row of a leaf with the indices of its primitives, after those of their numbers that rays are
intersected with.
"""


class Hierarchy(NamedTuple):
    """Nodes with ``LANES`` sides each; the first is the root. ``box`` (nodes, BOX_ROWS, LANES):
    left, top, right and bottom of each side's bounding box; an empty side has the left at infinity
    and the right at minus infinity. ``child`` (nodes LANES,): for each side the index of its node,
    or -1 - i for leaf i of the following.

    ``leaf`` (leaves, LEAF_ROWS, LANES): the numbers of up to ``LANES`` primitives, a column each, and
    their indices. ``lanes`` (leaves, 3): which of them are lines, arcs and others, as one bit each.
    """

    box: Floats
    child: Integers
    leaf: Floats
    lanes: Integers


class Walk(NamedTuple):
    """The memory of one thread for traversing a hierarchy.

    Of each of n rays: the ``stack`` (DEPTH, n) with nodes times 2 ** `LANES`, plus the sides that
    are still to be visited, as one bit each; and its last entry ``depth`` (n,). Lists of the rays
    that are ``searched``, and of those that are ``at_leaf`` and the ``leaf``. The distances
    ``reach`` to the boxes of a node, or to the primitives of a leaf, first as lines, then as arcs.
    For a single ray: nodes that are ``waiting``, and a list of ``hits`` (primitives) with their
    ``distance``.
    """

    stack: Integers
    depth: Integers
    searched: Integers
    at_leaf: Integers
    leaf: Integers
    reach: Floats
    waiting: Integers
    hits: Integers
    distance: Floats


def new_walk(primitives: int) -> Walk:
    return Walk(
        np.empty(DEPTH * RAYS, np.int64),
        np.empty(RAYS, np.int64),
        np.empty(RAYS, np.int64),
        *np.empty((2, MOST_GROUPS * RAYS + MOST_GROUPS), np.int64),
        np.empty(2 * LANES),
        np.empty(LANES * DEPTH, np.int64),
        np.empty(primitives, np.int64),
        np.empty(primitives),
    )


def build_hierarchy(
    kind: Int8s,
    geometry: Floats,
    boxes: Floats,
    chosen: Integers,
) -> Hierarchy:
    """Build the hierarchy over the ``chosen`` primitives (m,). ``kind`` (n,), ``geometry`` (n,
    GEOMETRY_WIDTH) and ``boxes`` (n, 4: left, top, right, bottom) are those of all primitives.
    """
    most = max(1, len(chosen))
    box, child = np.empty((most, BOX_ROWS, LANES)), np.empty(most * LANES, np.int64)
    leaf = np.full((most, LANES), -1)
    order = chosen.astype(np.int64)
    nodes = build_boxes(boxes * AWAY, kind, order, box, child, leaf) if len(order) else 0
    slots = leaf[leaf[:, 0] >= 0]
    kinds = np.where(slots < 0, -1, kind[slots])
    numbers = geometry[slots].swapaxes(1, 2)[:, :LEAF_PRIMITIVE]
    bits = 1 << np.arange(LANES)
    return Hierarchy(
        box[:nodes] * AWAY[:, None],
        child[: nodes * LANES].copy(),
        np.concatenate([numbers, slots[:, None].astype(np.float64)], axis=1),
        np.stack([(of * bits).sum(1) for of in (kinds == LINE, kinds == ARC, kinds > ARC)], axis=1),
    )


@inner
def half_perimeter(box: Floats, i: int) -> float:
    perimeter: float = box[i, 2] + box[i, 0] + box[i, 3] + box[i, 1]
    return perimeter


@builder
def build_boxes(
    boxes: Floats,
    kind: Int8s,
    order: Integers,
    box: Floats,
    child: Integers,
    leaf: Integers,
) -> int:
    """Build the ``box`` and ``child`` arrays of a hierarchy over the primitives in ``order``, which
    is permuted, and the indices of the primitives of each ``leaf`` (leaves, LANES). Returns the
    number of nodes. In ``boxes`` and ``box`` the left and top have the opposite sign, so
    that the box around several boxes has the largest of their numbers.

    The primitives of a node are divided until there are as many parts as sides, or none has more
    primitives than a node has sides: the part with the most work is split between bins of primitive
    centres where the surface-area heuristic is least. ``box`` and ``child`` have room for as many
    nodes as there are primitives, at least one.
    """
    n = len(order)
    stack = np.empty((LANES * DEPTH, 4), np.int64)  # first, last, slot of the side to fill, level
    low_box, high_box = np.empty((BINS, 4)), np.empty((BINS, 4))
    low_count, bin_count = np.empty(BINS, np.int64), np.empty(BINS, np.int64)
    part, work = (
        np.empty(LANES + 1, np.int64),
        np.empty(LANES),
    )  # the first primitives of the parts of a node and the end of the last
    stack[0, 0] = 0
    stack[0, 1] = n
    stack[0, 2] = -1
    stack[0, 3] = 0
    depth, nodes, leaves = 1, 0, 0
    while depth > 0:
        depth -= 1
        first = stack[depth, 0]
        last = stack[depth, 1]
        slot = stack[depth, 2]
        level = stack[depth, 3]
        node = nodes
        nodes += 1
        if slot >= 0:
            child[slot] = node << LANES | ALL_SIDES
        for side in range(LANES):
            child[LANES * node + side] = -1
            for j in range(4):
                box[node, j, side] = -np.inf
        parts = 1
        part[0], part[1], work[0] = first, last, 1.0 * max(0, last - first - LARGEST)
        while parts < LANES:
            at = 0
            for i in range(1, parts):
                if work[i] > work[at]:
                    at = i
            if work[at] <= 0.0:
                break
            begin, end = part[at], part[at + 1]
            c0x = np.inf
            c0y = np.inf
            c1x = -np.inf
            c1y = -np.inf
            for i in range(begin, end):
                k = order[i]
                cx, cy = boxes[k, 2] - boxes[k, 0], boxes[k, 3] - boxes[k, 1]
                c0x = min(c0x, cx)
                c0y = min(c0y, cy)
                c1x = max(c1x, cx)
                c1y = max(c1y, cy)
            axis = 0 if c1x - c0x > c1y - c0y else 1
            start, extent = (c0x, c1x - c0x) if axis == 0 else (c0y, c1y - c0y)
            middle = (begin + end) // 2
            left_work, right_work = 1.0 * (middle - begin), 1.0 * (end - middle)
            if extent > 0.0 and level < DEEPEST:
                scale = BINS / extent * (1.0 - BIN_MARGIN)
                bin_count[:] = 0
                low_box[:], high_box[:] = -np.inf, -np.inf
                for i in range(begin, end):
                    k = order[i]
                    b = int((boxes[k, axis + 2] - boxes[k, axis] - start) * scale)
                    bin_count[b] += 1
                    for j in range(4):
                        high_box[b, j] = max(high_box[b, j], boxes[k, j])
                # cumulative boxes of the bins up to each bin, and from each bin on
                count = 0
                for b in range(BINS):
                    count += bin_count[b]
                    low_count[b] = count
                    for j in range(4):
                        before = low_box[max(b - 1, 0), j]
                        low_box[b, j] = max(before, high_box[b, j])
                for b in range(BINS - 2, -1, -1):
                    for j in range(4):
                        high_box[b, j] = max(high_box[b, j], high_box[b + 1, j])
                least, cut = np.inf, -1
                for b in range(BINS - 1):
                    left, right = low_count[b], end - begin - low_count[b]
                    if left > 0 and right > 0:
                        width = half_perimeter(low_box, b)
                        other = half_perimeter(high_box, b + 1)
                        low_nodes = (left + LANES - 1) // LANES
                        high_nodes = (right + LANES - 1) // LANES
                        cost = low_nodes * width + high_nodes * other
                        if cost < least:
                            least = cost
                            cut = b
                            left_work = left * width
                            right_work = right * other
                if cut >= 0:
                    i, j = begin, end - 1
                    while i <= j:
                        k = order[i]
                        if int((boxes[k, axis + 2] - boxes[k, axis] - start) * scale) <= cut:
                            i += 1
                        else:
                            order[i], order[j] = order[j], k
                            j -= 1
                    middle = i
            for i in range(parts, at, -1):
                part[i + 1] = part[i]
            for i in range(parts - 1, at, -1):
                work[i + 1] = work[i]
            part[at + 1] = middle
            # a part that fits into a node is not split
            work[at] = left_work if middle - begin > LARGEST else 0.0
            work[at + 1] = right_work if end - middle > LARGEST else 0.0
            parts += 1
        for side in range(parts):
            begin, end = part[side], part[side + 1]
            for i in range(begin, end):
                k = order[i]
                for j in range(4):
                    box[node, j, side] = max(box[node, j, side], boxes[k, j])
            if end - begin <= LARGEST:
                groups = (end - begin + LANES - 1) // LANES
                child[LANES * node + side] = -1 - (leaves << 2 | groups)
                at, of = begin, 0
                while at < end:
                    for i in range(begin, end):
                        if kind[order[i]] == of:
                            leaf[leaves + (at - begin) // LANES, (at - begin) % LANES] = order[i]
                            at += 1
                    of += 1
                leaves += groups
            else:
                stack[depth, 0] = begin
                stack[depth, 1] = end
                stack[depth, 2] = LANES * node + side
                stack[depth, 3] = level + 1
                depth += 1
    return nodes
