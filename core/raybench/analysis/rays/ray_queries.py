"""Queries on the geometry of rays: rays in a region, through an opening, across an edge, or near a
point. Most functions return a mask.

For queries on power, polarization, wavelength and interactions see
`raybench.analysis.rays.ray_facts`.
"""

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from raybench.analysis.geometry.contact import (
    END,
    START,
    Contacts,
    contacts_with_shape,
    join_contacts,
)
from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    dot_products,
    rows_meeting_box,
    rows_to_mask,
    unit_vectors,
    vector_lengths,
)
from raybench.analysis.rays.ranges import check_range_bounds
from raybench.analysis.scene.objects import edges_as_traced
from raybench.errors import RaybenchError, list_choices, short_repr
from raybench.kinds.aspects.outlines import Edge, has_inside
from raybench.kinds.blockers import Aperture
from raybench.kinds.object import MAX_NUMBER, SceneObject, has_usable_numbers
from raybench.optics.interface import is_number
from raybench.scene.labels import LabelledEdge
from raybench.shapes.shape import FullLine, Line
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult
from raybench.trace.tolerances import CLEAR_OF_SURFACE, ON_EDGE, ON_SURFACE

ROUNDING = 4e-15
"""Rounding error of a point on an edge, as a fraction of the edge's largest coordinate."""
DIRECTIONS = ("any", "arriving", "entering", "leaving", "reflected")


class InvalidDirection(RaybenchError):
    """A direction is not one of `DIRECTIONS`, or does not apply to the object."""


def rays_inside(result: TraceResult, body: SceneObject) -> Mask:
    """Mask (n,) of the segments whose midpoint is inside the exact outline of a body. For a curved
    segment this is the midpoint by arc length, for an escaping ray a point just after its start.
    """
    points = result.middle
    escaped = np.flatnonzero(result.escaped)
    start = result.p1.take(escaped, axis=0)
    d, _ = unit_vectors(result.p2.take(escaped, axis=0) - start)
    after_start = start + CLEAR_OF_SURFACE * length_scale(result) * d
    for axis in range(2):
        points[escaped, axis] = after_start[:, axis]
    return contains_points(edges_as_traced(body, result.scene), points)


def rays_crossing(
    result: TraceResult, body: SceneObject, edge: LabelledEdge | None = None, direction: str = "any"
) -> Mask:
    """Mask (n,) of the segments that meet ``edge``, or any edge of the body if it is None, in one
    of the `DIRECTIONS`.

    ``arriving``: segments that end on the edge. ``entering`` and ``leaving``: segments that start
    on the edge and run into the body or out of it, or cross the edge in this direction undeviated.
    ``reflected``: segments that start on the edge and stay on the side of their parent. ``any``:
    all segments that touch the edge. Raises InvalidDirection.
    """
    if direction not in DIRECTIONS:
        raise InvalidDirection(
            f"direction is {short_repr(direction)}; it must be one of {list_choices(DIRECTIONS)}."
        )
    outline = edges_as_traced(body, result.scene)
    rows, met = edge_contacts(result, [e for e in outline if edge is None or e.index == edge.index])
    if direction == "any":
        return rows_to_mask(rows, len(result))
    if direction == "arriving":
        return rows_to_mask(rows[met.place == END], len(result))
    reflected = _starts_reflected(result, rows, met)
    if direction == "reflected":
        return rows_to_mask(rows[reflected], len(result))
    if not has_inside(outline):
        raise InvalidDirection(
            f"{body.reference} has no inside to be {direction}. Ask for 'arriving' or 'reflected'."
        )
    through = (met.place != END) & ~reflected
    rows, met = rows[through], met.select_contacts(through)
    inward = _inward_components(result, met, outline)
    return rows_to_mask(rows[inward > 0 if direction == "entering" else inward < 0], len(result))


def rays_by_angle(
    result: TraceResult, body: SceneObject, edge: LabelledEdge, low: float, high: float
) -> Mask:
    """Mask (n,) of the segments that touch an edge at an angle to its normal from ``low`` to
    ``high`` degrees, both included.
    """
    check_range_bounds(
        low, high, ("min_angle", "max_angle"), "degrees from the edge's normal", most=90.0
    )
    outline = edges_as_traced(body, result.scene)
    rows, met = edge_contacts(result, [e for e in outline if e.index == edge.index])
    p1, p2, _ = result.straight_pieces
    angle = met.angles(p1, p2)
    # angles near the normal are accurate to about 1e-6 degrees, the tolerance of the bounds
    return rows_to_mask(rows[(angle >= low - 1e-6) & (angle <= high + 1e-6)], len(result))


def rays_through_region(
    result: TraceResult, x: float, y: float, width: float, height: float
) -> Mask:
    """Mask (n,) of the segments that meet a rectangle, borders included. Its corner (x, y) and its
    size are in scene units.
    """
    check_range_bounds(0.0, width, ("0", "width"), "scene units", most=MAX_NUMBER)
    check_range_bounds(0.0, height, ("0", "height"), "scene units", most=MAX_NUMBER)
    _check_point(x, y)
    p1, p2, rows = result.straight_pieces
    meeting = rows_meeting_box(p1, p2, np.array([x, y]), np.array([x + width, y + height]))
    return rows_to_mask(rows[meeting], len(result))


def nearest_ray(result: TraceResult, x: float, y: float) -> tuple[int, float]:
    """The row of the segment nearest to a point, and its distance in scene units. Escaping segments
    extend to infinity. Raises RaybenchError if there are no rays or a coordinate is not finite.
    """
    if not len(result):
        raise RaybenchError("There are no rays to search.")
    _check_point(x, y)
    p1, p2, rows = result.straight_pieces
    d, rel = p2 - p1, np.array([x, y]) - p1
    square = dot_products(d, d)
    fraction = dot_products(rel, d) / np.where(square > 0, square, 1.0)
    last = np.append(rows[1:] != rows[:-1], True)
    u = np.clip(fraction, 0.0, np.where(last & result.escaped[rows], np.inf, 1.0))
    distance = vector_lengths(rel - u[:, None] * d)
    k = int(distance.argmin())
    return int(rows[k]), float(distance[k])


def _check_point(x: float, y: float) -> None:
    for name, value in (("x", x), ("y", y)):
        if not is_number(value) or not has_usable_numbers(value):
            raise RaybenchError(
                f"{name} is {short_repr(value)}; give a number of at most {MAX_NUMBER:g} in scene"
                " units."
            )


def edge_contacts(result: TraceResult, edges: Sequence[Edge]) -> tuple[Rows, Contacts]:
    """The contacts of the segments of a trace with some edges: the row of each contact (k,), and
    the contacts. Curved segments are series of straight pieces; contacts at the joints of pieces are
    left out.
    """
    p1, p2, rows = result.straight_pieces
    met = join_contacts(
        [contacts_with_shape(p1, p2, e.shape, touch_tolerance(result, e)) for e in edges]
    )
    row_of_contact = rows[met.segment]
    if len(result.polyline) and len(row_of_contact):
        first = np.append(True, rows[1:] != rows[:-1])[met.segment]
        last = np.append(rows[1:] != rows[:-1], True)[met.segment]
        met = met.select_contacts(~((met.place == START) & ~first) & ~((met.place == END) & ~last))
        row_of_contact = rows[met.segment]
    return row_of_contact, met


def touch_tolerance(result: TraceResult, edge: Edge) -> float:
    """The largest distance from an edge that counts as touching: `ON_EDGE` times the length scale,
    and at least the rounding error of the edge's coordinates.
    """
    largest = max(
        (abs(c) for p in (edge.shape.a, edge.shape.b) for c in p if math.isfinite(c)), default=0.0
    )
    largest = 0.0 if isinstance(edge.shape, FullLine) else largest
    return max(ON_EDGE * length_scale(result), ROUNDING * largest)


def length_scale(result: TraceResult) -> float:
    """The length scale of the traced scene; 1 if the trace has no scene."""
    return result.scene.settings.length_scale if result.scene is not None else 1.0


def _starts_reflected(result: TraceResult, rows: Rows, met: Contacts) -> Mask:
    """Mask (k,) of the contacts at which a segment starts on the side of the edge on which its
    parent arrived.
    """
    starts = np.flatnonzero((met.place == START) & (result.parent[rows] >= 0))
    reflected = np.zeros(len(rows), bool)
    p1, p2, row_of_piece = result.straight_pieces
    here, normal = met.segment[starts], met.normal[starts]
    before = result.parent[rows[starts]].astype(np.int64)
    if len(result.polyline):
        before = np.searchsorted(row_of_piece, before, side="right") - 1
    d, d_before = (p2.take(k, axis=0) - p1.take(k, axis=0) for k in (here, before))
    reflected[starts] = dot_products(d, normal) * dot_products(d_before, normal) < 0
    # detectors and lenses only transmit, even if rounding errors suggest otherwise for grazing rays
    reflected[starts] &= ~np.isin(
        result.interaction[rows[starts]],
        (Interaction.REFRACT, Interaction.DETECT, Interaction.LENS, Interaction.POLARIZE),
    )
    return reflected


def _inward_components(result: TraceResult, met: Contacts, edges: Sequence[Edge]) -> Floats:
    """The components (k,) of the segments' directions along the inward normal at contacts with a
    body; positive into the body.
    """
    p1, p2, _ = result.straight_pieces
    beside = met.points(p1, p2) + ON_SURFACE * length_scale(result) * met.normal
    inside = contains_points(edges, beside, 0.0)
    d = p2.take(met.segment, axis=0) - p1.take(met.segment, axis=0)
    along = dot_products(d, met.normal)
    return np.where(inside, along, -along)


def segments_through_opening(result: TraceResult, aperture: Aperture) -> Rows:
    """The segments that cross the opening of an aperture or end in it, in the order of the trace;
    twice if they cross it twice. Segments that start in the opening do not count.
    """
    if aperture.p3 == aperture.p4 or not len(result):
        return np.empty(0, np.int64)
    p1, p2, row = result.straight_pieces
    d, length = unit_vectors(p2 - p1)
    centre = np.array([(aperture.p3.x + aperture.p4.x) / 2, (aperture.p3.y + aperture.p4.y) / 2])
    # an escaping ray is endless: it is followed beyond the opening
    reach = vector_lengths(p1 - centre) + math.dist(aperture.p3, aperture.p4)
    far = p1 + np.maximum(length, reach)[:, None] * d
    met = contacts_with_shape(
        p1, np.where(result.escaped[row][:, None], far, p2), Line(aperture.p3, aperture.p4)
    )
    crossing: Rows = row[met.segment[met.place != START]]
    return crossing


PIECES_PER_BATCH = 1 << 13
"""Pieces per batch: few enough for the processor's cache."""
FEW_PIECES = 250_000
"""Number of pieces below which another thread does not pay."""


def rows_near_point(
    result: TraceResult, point: tuple[float, float], within: float, among: Rows | None = None
) -> Rows:
    """The segments within a distance of a point in scene units, in the order in which a click there
    likely means them: by power times `ray_weight_by_click_distance`. ``among`` are the rows to
    choose from, ascending; None for all.
    """
    p1, p2, row_of_piece = result.straight_pieces
    each = max(FEW_PIECES, -(-len(p1) // (os.cpu_count() or 1)))
    chunks = [(first, min(first + each, len(p1))) for first in range(0, len(p1), each)]

    def find_near_pieces(ends: tuple[int, int]) -> tuple[Rows, Floats]:
        return _straight_pieces_near(p1, p2, point, within, *ends)

    if len(chunks) > 1:
        with ThreadPoolExecutor(len(chunks)) as pool:
            parts = list(pool.map(find_near_pieces, chunks))
    else:
        parts = [find_near_pieces(ends) for ends in chunks]
    if not parts:
        return np.zeros(0, np.int64)
    found = row_of_piece[np.concatenate([pieces for pieces, _ in parts])]
    distance = np.concatenate([d for _, d in parts])
    if among is not None:
        allowed = np.isin(found, among)
        found, distance = found[allowed], distance[allowed]
    weight = result.total_power[found] * ray_weight_by_click_distance(distance, within / 2)
    rows: Rows = found[np.argsort(-weight, kind="stable")]
    if len(result.polyline):  # a curved segment may be near with several pieces
        rows = rows[np.sort(np.unique(rows, return_index=True)[1])]
    return rows


def ray_weight_by_click_distance(distance: Floats, half_weight_distance: float) -> Floats:
    """A factor for the power of a ray by its distance from a click, one half at
    ``half_weight_distance``. A strong ray beside the pointer then ranks before a weak one under it.
    """
    return 1 / (1 + (distance / half_weight_distance) ** 2)


def _straight_pieces_near(
    p1: Floats, p2: Floats, at: tuple[float, float], within: float, first: int, end: int
) -> tuple[Rows, Floats]:
    """The straight pieces with the numbers ``first`` to ``end`` - 1 that are near a point, and
    their distances.
    """
    pieces, distances = [np.zeros(0, np.int64)], [np.zeros(0)]
    for k in range(first, end, PIECES_PER_BATCH):
        last = min(k + PIECES_PER_BATCH, end)
        x, y = p1[k:last, 0], p1[k:last, 1]
        dx, dy = p2[k:last, 0] - x, p2[k:last, 1] - y
        cross = (x - at[0]) * dy - (
            y - at[1]
        ) * dx  # the distance of the whole straight line times the piece's length
        near = np.flatnonzero(cross * cross <= within * within * (dx * dx + dy * dy))
        if not len(near):
            continue
        start, d = p1[k + near] - at, np.stack([dx[near], dy[near]], axis=1)
        square = dot_products(d, d)
        along = np.clip(-dot_products(start, d) / np.where(square > 0, square, 1.0), 0.0, 1.0)
        distance = np.hypot(*(start + along[:, None] * d).T)
        close = distance <= within
        pieces.append(k + near[close])
        distances.append(distance[close])
    return np.concatenate(pieces), np.concatenate(distances)
