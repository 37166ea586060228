"""A bounding-volume hierarchy over primitives, so that a ray is tested against those near it only
(Ericson, Real-Time Collision Detection). A node has as many sides as numbers fit into a vector of
the processor, and a ray is tested against all its boxes at once.
"""

from typing import NamedTuple

import numpy as np

from raybench.arrays import Floats, Int8s, Integers
from raybench.trace.compilation.jit import LANES, builder, inner
from raybench.trace.tolerances import BIN_MARGIN

X_IN, Y_IN, X_OUT, Y_OUT, BOX_ROWS = range(5)
"""The rows of `Hierarchy.box`."""
SIGNS = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
"""The signs of the directions of rays in each quadrant."""
ENTERED_AND_LEFT = np.array([[0, 1, 2, 3], [2, 1, 0, 3], [0, 3, 2, 1], [2, 3, 0, 1]])
"""Which sides of boxes (left, top, right, bottom) are those of `Hierarchy.box` for each quadrant.
"""
QUADRANTS = 4
"""To the right and down, left and down, right and up, left and up."""
ALL_SIDES = (1 << LANES) - 1
"""All sides of a node, as one bit each."""
AWAY = np.array([-1.0, -1.0, 1.0, 1.0])
"""The signs with which the sides of boxes grow as they are enlarged."""
BINS = 12
"""Number of bins of primitive centres, between which the primitives of a node may be split."""
DEEPEST = 24
"""Below this level nodes are split into equal parts, so that no hierarchy is deeper than this plus
log8 of its primitives.
"""
DEPTH = 40
"""More levels than a hierarchy has."""
RAYS = 512
"""The most rays that are searched at once."""
PACKED = 8
"""The row of a pack with the indices of its primitives, after those of their numbers that rays are
intersected with.
"""
LEFT, TOP, RIGHT, BOTTOM = range(PACKED + 1, PACKED + 5)
"""The last rows of a pack, with the bounding boxes of its primitives."""


class Hierarchy(NamedTuple):
    """Nodes with ``LANES`` sides each. For each quadrant that rays may go to (`QUADRANTS`) a node
    is there once, with the sides in the order in which these rays meet them; the first are the
    root.

    ``box`` (nodes, BOX_ROWS, LANES): where rays enter and leave each side's bounding box along each
    axis. An empty side has infinite ones that no ray meets. ``child`` (nodes LANES,): for each side
    its node times 2 ** `LANES` plus `ALL_SIDES`, or -1 - i for a leaf.

    A leaf has packs of up to ``LANES`` primitives of a kind: at most one of lines, of arcs, and of
    others. Its i is the index of the first times 8, plus 1, 2 and 4 for each of these that it has.
    ``pack`` (packs, 1 + BOTTOM, LANES): the numbers of the primitives, a column each, and their
    indices, NaN where there is none; and their boxes. ``primitive`` (packs LANES,): the indices, -1
    for none.
    """

    box: Floats
    child: Integers
    pack: Floats
    primitive: Integers


class Walk(NamedTuple):
    """The memory of one thread for searching up to `RAYS` rays in a hierarchy.

    Of each ray: the ``stack`` (DEPTH RAYS,) with nodes times 2 ** `LANES`, plus the sides that are
    still to be visited, as one bit each; and the ``depth`` of its last entry. Lists of the rays
    that are ``searched``; of tests of packs of ``lines``, ``arcs`` and ``others``: the pack plus 2
    ** 32 times the ray; and of the tests that ``hit``, with the primitives that were ``met``, as
    one bit each, and the distances ``reach`` (3 RAYS + 1, LANES). For a single ray: nodes that are
    ``waiting``, and a list of ``hits`` (primitives) with their ``distance``.
    """

    stack: Integers
    depth: Integers
    searched: Integers
    lines: Integers
    arcs: Integers
    others: Integers
    hit: Integers
    met: Integers
    reach: Floats
    waiting: Integers
    hits: Integers
    distance: Floats


def aligned(array: Floats) -> Floats:
    """A copy of an array whose rows of ``LANES`` numbers do not straddle lines of the cache."""
    memory = np.empty(array.size + LANES)
    first = -(memory.ctypes.data // memory.itemsize) % LANES
    copy = memory[first : first + array.size].reshape(array.shape)
    copy[...] = array
    return copy


def new_walk(primitives: int) -> Walk:
    return Walk(
        stack=np.empty(DEPTH * RAYS, np.int64),
        depth=np.empty(RAYS, np.int64),
        searched=np.empty(RAYS, np.int64),
        lines=np.empty(RAYS + 1, np.int64),
        arcs=np.empty(RAYS + 1, np.int64),
        others=np.empty(RAYS + 1, np.int64),
        hit=np.empty(3 * RAYS + 1, np.int64),
        met=np.empty(3 * RAYS + 1, np.int64),
        reach=aligned(np.empty((3 * RAYS + 1, LANES))),
        waiting=np.empty(LANES * DEPTH, np.int64),
        hits=np.empty(primitives, np.int64),
        distance=np.empty(primitives),
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
    box, child = np.empty((most, BOX_ROWS, LANES)), np.empty((most, LANES), np.int64)
    primitive = np.full((most, LANES), -1)
    nodes = (
        build_boxes(boxes * AWAY, kind, chosen.astype(np.int64), box, child, primitive)
        if len(chosen)
        else 0
    )
    box, child = box[:nodes] * AWAY[:, None], child[:nodes]
    entered, below = [], []
    for quadrant in range(QUADRANTS):
        sides = box[:, ENTERED_AND_LEFT[quadrant]]
        with np.errstate(invalid="ignore"):  # an empty side has no centre, and is sorted last
            centre = sides[:, :2] + sides[:, 2:]
            order = np.argsort((centre * SIGNS[quadrant][:, None]).sum(axis=1), axis=1)
        entered.append(np.take_along_axis(sides, order[:, None], axis=2))
        to = np.take_along_axis(child, order, axis=1)
        below.append(np.where(to < 0, to, (QUADRANTS * to + quadrant) << LANES | ALL_SIDES))
    primitive = primitive[primitive[:, 0] >= 0]
    pack = np.concatenate(
        [geometry[primitive][..., :PACKED], primitive[..., None], boxes[primitive]], axis=2
    )
    pack[primitive < 0, : PACKED + 1] = np.nan
    return Hierarchy(
        aligned(np.stack(entered, axis=1).reshape(-1, BOX_ROWS, LANES)),
        np.stack(below, axis=1).ravel(),
        aligned(pack.swapaxes(1, 2)),
        primitive.ravel(),
    )


@inner
def half_perimeter(box: Floats, i: int) -> float:
    perimeter: float = box[i, 2] + box[i, 0] + box[i, 3] + box[i, 1]
    return perimeter


@inner
def packs_of_kinds(counts: Integers, i: int) -> int:
    """How many packs the primitives of a part need."""
    packs: int = (
        (counts[i, 0] + LANES - 1) // LANES
        + (counts[i, 1] + LANES - 1) // LANES
        + (counts[i, 2] + LANES - 1) // LANES
    )
    return packs


@inner
def is_leaf(counts: Integers, i: int) -> bool:
    """Whether the primitives of a part fit into one pack of each kind."""
    return bool(counts[i, 0] <= LANES and counts[i, 1] <= LANES and counts[i, 2] <= LANES)


@inner
def copy_part(box: Floats, counts: Integers, i: int, to: int) -> None:
    """Copy what `measure_part` has written."""
    for j in range(4):
        box[to, j] = box[i, j]
    for j in range(3):
        counts[to, j] = counts[i, j]


@inner
def measure_part(
    boxes: Floats, kind: Int8s, order: Integers, first: int, last: int, box: Floats,
    counts: Integers, i: int,
) -> None:  # fmt: skip
    """Write the bounding box of a range of primitives, and how many lines, arcs and others it has."""
    for j in range(4):
        box[i, j] = -np.inf
    for j in range(3):
        counts[i, j] = 0
    for at in range(first, last):
        k = order[at]
        counts[i, min(kind[k], 2)] += 1
        for j in range(4):
            box[i, j] = max(box[i, j], boxes[k, j])


@builder
def build_boxes(
    boxes: Floats,
    kind: Int8s,
    order: Integers,
    box: Floats,
    child: Integers,
    primitive: Integers,
) -> int:
    """Build the ``box`` (nodes, BOX_ROWS, LANES) and ``child`` (nodes, LANES) arrays of a hierarchy
    over the primitives in ``order``, which is permuted, and the indices of the primitives of each
    pack (packs, LANES). Returns the number of nodes. Nodes are numbered without their quadrants. In
    ``boxes`` and ``box`` the left and top have the opposite sign, so that the box around several
    boxes has the largest of their numbers.

    The primitives of a node are divided until there are as many parts as sides, or each is a leaf:
    the part with the most work is split between bins of primitive centres where the surface-area
    heuristic is least. There is room for as many nodes and packs as primitives, at least one.
    """
    stack = np.empty((LANES * DEPTH, 4), np.int64)  # first, last, slot of the side to fill, level
    bin_box, low_box, high_box = np.empty((BINS, 4)), np.empty((BINS, 4)), np.empty((BINS, 4))
    bin_count = np.empty((BINS, 3), np.int64)
    low_count, high_count = np.empty((BINS, 3), np.int64), np.empty((BINS, 3), np.int64)
    # the first primitives of the parts of a node and the end of the last; their boxes and kinds
    part = np.empty(LANES + 1, np.int64)
    part_box, part_count = np.empty((LANES, 4)), np.empty((LANES, 3), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, len(order), 0, 0
    depth, nodes, packs = 1, 1, 0
    while depth > 0:
        depth -= 1
        first, last, node, level = (
            stack[depth, 0],
            stack[depth, 1],
            stack[depth, 2],
            stack[depth, 3],
        )
        parts = 1
        part[0], part[1] = first, last
        measure_part(boxes, kind, order, first, last, part_box, part_count, 0)
        while parts < LANES:
            at, most = -1, -1.0
            for i in range(parts):
                work = half_perimeter(part_box, i) * (part[i + 1] - part[i])
                if work > most and not is_leaf(part_count, i):
                    at, most = i, work
            if at < 0:
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
            if extent > 0.0 and level < DEEPEST:
                scale = BINS / extent * (1.0 - BIN_MARGIN)
                bin_count[:], low_count[:], high_count[:] = 0, 0, 0
                bin_box[:], low_box[:], high_box[:] = -np.inf, -np.inf, -np.inf
                for i in range(begin, end):
                    k = order[i]
                    b = int((boxes[k, axis + 2] - boxes[k, axis] - start) * scale)
                    bin_count[b, min(kind[k], 2)] += 1
                    for j in range(4):
                        bin_box[b, j] = max(bin_box[b, j], boxes[k, j])
                # cumulative boxes and kinds of the bins up to each bin, and from each bin on
                for b in range(BINS):
                    before, c = max(b - 1, 0), BINS - 1 - b
                    after = min(c + 1, BINS - 1)
                    for j in range(4):
                        low_box[b, j] = max(bin_box[b, j], low_box[before, j])
                        high_box[c, j] = max(bin_box[c, j], high_box[after, j])
                    for j in range(3):
                        low_count[b, j] = bin_count[b, j] + low_count[before, j]
                        high_count[c, j] = bin_count[c, j] + high_count[after, j]
                least, cut = np.inf, -1
                for b in range(BINS - 1):
                    low_packs = packs_of_kinds(low_count, b)
                    high_packs = packs_of_kinds(high_count, b + 1)
                    if low_packs > 0 and high_packs > 0:
                        cost = low_packs * half_perimeter(low_box, b)
                        cost += high_packs * half_perimeter(high_box, b + 1)
                        if cost < least:
                            least, cut = cost, b
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
                copy_part(part_box, part_count, i, i + 1)
            part[at + 1] = middle
            measure_part(boxes, kind, order, begin, middle, part_box, part_count, at)
            measure_part(boxes, kind, order, middle, end, part_box, part_count, at + 1)
            parts += 1
        for side in range(LANES):
            child[node, side] = -1
            for j in range(4):
                box[node, j, side] = part_box[side, j] if side < parts else -np.inf
        for side in range(parts):
            begin, end = part[side], part[side + 1]
            if is_leaf(part_count, side):
                leaf = packs << 3
                for of in range(3):
                    lane = 0
                    for i in range(begin, end):
                        if min(kind[order[i]], 2) == of:
                            primitive[packs, lane] = order[i]
                            lane += 1
                    if lane > 0:
                        packs += 1
                        leaf |= 1 << of
                child[node, side] = -1 - leaf
            else:
                child[node, side] = nodes
                stack[depth, 0], stack[depth, 1] = begin, end
                stack[depth, 2], stack[depth, 3] = nodes, level + 1
                nodes += 1
                depth += 1
    return nodes
