"""Questions about where rays are, as functions from a result to the rows that answer.

What they carry and what happened to them is asked in `core.analysis.rays.ray_facts`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.analysis.geometry.contact import TOUCH, contacts
from core.analysis.geometry.containment import contains
from core.analysis.geometry.meeting import END, START, Contacts, joined
from core.analysis.geometry.straight import Floats, Mask, Rows, lengths, meeting_box
from core.analysis.rays.ranges import check_range
from core.analysis.scene.traced_outline import edges_as_traced
from core.errors import RaybenchError, in_quotes
from core.kinds.object import SceneObject
from core.kinds.outline import Edge
from core.scene.labels import LabelledEdge
from core.shapes.shape import Arc, FullLine
from core.trace.codes import Interaction
from core.trace.results.result import RaySet, TraceResult
from core.trace.tolerances import CLEAR_OF_SURFACE

BESIDE = 1e-6
"""How far to both sides of an edge it is asked which side is inside, in scene units times the length scale."""
DIRECTIONS = ("any", "arriving", "entering", "leaving", "reflected")


class InvalidDirection(RaybenchError):
    """A way of meeting an edge that is none, or that makes no sense there."""


def rays_inside(result: TraceResult, body: SceneObject) -> RaySet:
    """The segments whose midpoint, along the path where that is curved, is within a body's true outline.

    Of an escaping ray it is a point just after its start.
    """
    points = result.middle
    escaped = np.flatnonzero(result.escaped)
    d = result.p2[escaped] - result.p1[escaped]
    with np.errstate(invalid="ignore", divide="ignore"):
        points[escaped] = result.p1[escaped] + d * (CLEAR_OF_SURFACE * length_scale(result) / lengths(d))[:, None]
    rows = np.flatnonzero(contains(edges_as_traced(body, result.scene), points))
    return RaySet(rows, f"rays inside {in_quotes(body.title)}", result.revision)


def rays_touching(result: TraceResult, body: SceneObject, edge: LabelledEdge) -> RaySet:
    """The segments that cross an edge of a body, or start or end on it."""
    rows, _ = edge_contacts(result, _as_traced(result, body, edge))
    return _answer(result, rows, f"rays crossing edge {edge.reference} of {in_quotes(body.title)}")


def rays_crossing(result: TraceResult, body: SceneObject, edge: LabelledEdge | None = None, direction: str = "any") -> RaySet:
    """The segments that meet an edge of a body, or any of its edges, in one of the `DIRECTIONS`.

    ``arriving``: those that end on it. ``entering`` and ``leaving``: those that go on from it into the body or out of it, or pass
    through it that way without being bent. ``reflected``: those that start on it on the side that their parent came from. ``any``:
    all that touch it. Raises InvalidDirection.
    """
    if direction not in DIRECTIONS:
        raise InvalidDirection(f"direction is {direction!r}; it must be one of {list(DIRECTIONS)}.")
    edges = edges_as_traced(body, result.scene) if edge is None else _as_traced(result, body, edge)
    where = f"{in_quotes(body.title)}" if edge is None else f"edge {edge.reference} of {in_quotes(body.title)}"
    if direction in ("entering", "leaving"):
        rows, inward = _through(result, body, edges, direction)
        rows = rows[inward > 0] if direction == "entering" else rows[inward < 0]
    else:
        rows, met = edge_contacts(result, edges)
        if direction == "arriving":
            rows = rows[met.place == END]
        elif direction == "reflected":
            rows = rows[_turned_back(result, rows, met)]
    words = {"any": "crossing", "arriving": "ending on", "reflected": "reflected at"}
    return _answer(result, rows, f"rays {words.get(direction, f'{direction} through')} {where}")


def rays_through(result: TraceResult, body: SceneObject, edge: LabelledEdge) -> RaySet:
    """The segments that go on from an edge into its body or out of it: those that are ``entering`` or ``leaving`` in `rays_crossing`."""
    rows, inward = _through(result, body, _as_traced(result, body, edge), "entering")
    return _answer(result, rows[inward != 0], f"rays through edge {edge.reference} of {in_quotes(body.title)}")


def rays_by_angle(result: TraceResult, body: SceneObject, edge: LabelledEdge, low: float, high: float) -> RaySet:
    """The segments that touch an edge and meet it at an angle to its normal between two bounds, in degrees, both included."""
    check_range(low, high, ("min_angle", "max_angle"), "degrees from the edge's normal", most=90.0)
    rows, met = edge_contacts(result, _as_traced(result, body, edge))
    p1, p2, _ = result.straight_pieces
    angle = met.angles(p1, p2)
    # the angle of a normal ray is right to some 1e-6 degrees: bounds are included with that much room
    rows = rows[(angle >= low - 1e-6) & (angle <= high + 1e-6)]
    question = f"rays meeting edge {edge.reference} of {in_quotes(body.title)} at {low:g}° to {high:g}° from its normal"
    return _answer(result, rows, question)


def rays_through_region(result: TraceResult, x: float, y: float, width: float, height: float) -> RaySet:
    """The segments that pass a rectangle with the corner (x, y), its edges included; all in scene units."""
    check_range(0.0, width, ("0", "width"), "scene units")
    check_range(0.0, height, ("0", "height"), "scene units")
    if not (math.isfinite(x) and math.isfinite(y)):
        raise RaybenchError(f"The region's corner ({x}, {y}) is no place. Give two numbers in scene units.")
    p1, p2, rows = result.straight_pieces
    found = rows[meeting_box(p1, p2, np.array([x, y]), np.array([x + width, y + height]))]
    return _answer(result, found, f"rays passing the region from ({x:g}, {y:g}) to ({x + width:g}, {y + height:g})")


def nearest_ray(result: TraceResult, x: float, y: float) -> tuple[int, float]:
    """The row of the segment nearest to a point, and its distance in scene units. An escaping ray goes on without end.

    Raises RaybenchError where there are no rays, or the point is none.
    """
    if not len(result):
        raise RaybenchError("There are no rays to look among.")
    if not (math.isfinite(x) and math.isfinite(y)):
        raise RaybenchError(f"({x}, {y}) is no place. Give two numbers in scene units.")
    p1, p2, rows = result.straight_pieces
    d, rel = p2 - p1, np.array([x, y]) - p1
    square = (d * d).sum(axis=1)
    share = (rel * d).sum(axis=1) / np.where(square > 0, square, 1.0)
    last = np.append(rows[1:] != rows[:-1], True)
    u = np.clip(share, 0.0, np.where(last & result.escaped[rows], np.inf, 1.0))
    distance = lengths(rel - u[:, None] * d)
    k = int(distance.argmin())
    return int(rows[k]), float(distance[k])


def edge_contacts(result: TraceResult, edges: Sequence[Edge]) -> tuple[Rows, Contacts]:
    """Where the segments of a result meet some edges: the row of each contact, and the contacts of the straight pieces.

    Where two pieces of a curved segment join counts as on the way.
    """
    p1, p2, rows = result.straight_pieces
    met = joined([contacts(p1, p2, e.shape, touch_distance(result, e)) for e in edges])
    of = rows[met.segment]
    if len(result.polyline) and len(of):
        first = np.append(True, rows[1:] != rows[:-1])[met.segment]
        last = np.append(rows[1:] != rows[:-1], True)[met.segment]
        met = met.chosen(~((met.place == START) & ~first) & ~((met.place == END) & ~last))
        of = rows[met.segment]
    return of, met


def _as_traced(result: TraceResult, body: SceneObject, edge: LabelledEdge) -> list[Edge]:
    return [e for e in edges_as_traced(body, result.scene) if e.index == edge.index]


def touch_distance(result: TraceResult, edge: Edge) -> float:
    """How near counts as touching an edge: `TOUCH` in the scene's length scale, but no nearer than rounding allows that far out."""
    far = max((abs(c) for p in (edge.shape.a, edge.shape.b) for c in p if math.isfinite(c)), default=0.0)
    far = 0.0 if isinstance(edge.shape, FullLine) else far
    return max(TOUCH * length_scale(result), 4e-15 * far)


def length_scale(result: TraceResult) -> float:
    """The length scale of the scene that was traced; 1 where that is not known."""
    return result.scene.settings.length_scale if result.scene is not None else 1.0


def _answer(result: TraceResult, rows: Rows, question: str) -> RaySet:
    """Rows, each of which may be there several times, in order."""
    mask = np.zeros(len(result), bool)
    mask[rows] = True
    return RaySet(np.flatnonzero(mask), question, result.revision)


def has_inside(edges: Sequence[Edge]) -> bool:
    """Whether edges enclose something: a closed outline, or a half-plane."""
    if not edges:
        return False
    if len(edges) == 1 and (isinstance(edges[0].shape, FullLine) or (isinstance(edges[0].shape, Arc) and edges[0].shape.full)):
        return True
    joins = zip(edges, [*edges[1:], edges[0]], strict=True)
    return len(edges) > 1 and all(math.dist(e.shape.b, f.shape.a) < BESIDE for e, f in joins)


def _through(result: TraceResult, body: SceneObject, edges: Sequence[Edge], direction: str) -> tuple[Rows, Floats]:
    """The segments that go on through edges of a body, and how they run, see `_goes_inward`. InvalidDirection where it has no inside."""
    outline = edges_as_traced(body, result.scene)
    if not has_inside(outline):
        raise InvalidDirection(f"{body.reference} has no inside to be {direction}. Ask for 'arriving' or 'reflected'.")
    rows, met = edge_contacts(result, edges)
    p1, p2, _ = result.straight_pieces
    through = (met.place != END) & ~_turned_back(result, rows, met)
    rows, met = rows[through], met.chosen(through)
    return rows, _goes_inward(p1, p2, met, outline, BESIDE * length_scale(result))


def _turned_back(result: TraceResult, rows: Rows, met: Contacts) -> Mask:
    """Which contacts are starts of segments on the side of the edge that their parent came from."""
    starts = np.flatnonzero((met.place == START) & (result.parent[rows] >= 0))
    turned = np.zeros(len(rows), bool)
    p1, p2, of = result.straight_pieces
    here, normal = met.segment[starts], met.normal[starts]
    before = result.parent[rows[starts]].astype(np.int64)
    if len(result.polyline):
        before = np.searchsorted(of, before, side="right") - 1
    d, d_before = p2[here] - p1[here], p2[before] - p1[before]
    turned[starts] = (d * normal).sum(axis=1) * (d_before * normal).sum(axis=1) < 0
    # a detector or a lens lets light through, whatever rounding says of grazing rays
    turned[starts] &= ~np.isin(result.interaction[rows[starts]], (Interaction.REFRACT, Interaction.DETECT, Interaction.LENS))
    return turned


def _goes_inward(p1: Floats, p2: Floats, met: Contacts, edges: Sequence[Edge], beside: float) -> Floats:
    """How segments run where they meet a body's outline: positive into it, negative out of it, 0 along it."""
    # of the two sides of an edge one is inside
    inside = contains(edges, met.points(p1, p2) + beside * met.normal, 0.0)
    along: Floats = ((p2[met.segment] - p1[met.segment]) * met.normal).sum(axis=1)
    return np.where(inside, along, -along)
