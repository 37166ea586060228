"""Contours: chains of straight lines, circular arcs and cubic curves, joined where their ends meet."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from raybench.errors import RaybenchError
from raybench.shapes.bezier import Bezier
from raybench.shapes.curves import Box, box_of
from raybench.shapes.point import Point
from raybench.shapes.shape import Line, arc_through


class DrawingError(RaybenchError):
    """A drawing cannot be imported; the message says why, and what to do."""


class Straight(NamedTuple):
    a: Point
    b: Point


class Circular(NamedTuple):
    """An arc of less than a full turn, through a point between its ends."""

    a: Point
    through: Point
    b: Point


class Cubic(NamedTuple):
    a: Point
    c1: Point
    c2: Point
    b: Point


Segment = Straight | Circular | Cubic


@dataclass(frozen=True)
class Circle:
    centre: Point
    radius: float


@dataclass(frozen=True)
class Contour:
    """A chain of segments, each beginning where the one before ends; a ``closed`` one ends where it
    begins.
    """

    segments: tuple[Segment, ...]
    closed: bool


Outline = Contour | Circle
MOST_SEGMENTS = 50_000
"""Maximum number of segments that are read from a drawing."""


def map_outline(outline: Outline, to: Callable[[Point], Point], scale: float) -> Outline:
    """An outline with its points moved by a similarity that scales lengths by ``scale``."""
    if isinstance(outline, Circle):
        return Circle(to(outline.centre), outline.radius * scale)
    return Contour(tuple(type(s)(*map(to, s)) for s in outline.segments), outline.closed)


def cubic_of_quadratic(a: Point, control: Point, b: Point) -> Cubic:
    """The quadratic Bézier curve with these control points as a cubic one."""
    c1, c2 = (
        Point(p.x + 2 / 3 * (control.x - p.x), p.y + 2 / 3 * (control.y - p.y)) for p in (a, b)
    )
    return Cubic(a, c1, c2, b)


def box_of_outline(outline: Outline) -> Box:
    """The smallest box (left, top, right, bottom) around an outline."""
    if isinstance(outline, Circle):
        (x, y), r = outline.centre, outline.radius
        return x - r, y - r, x + r, y + r
    lefts, tops, rights, bottoms = zip(*map(_box_of_segment, outline.segments), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _box_of_segment(segment: Segment) -> Box:
    match segment:
        case Straight():
            return box_of(Line(*segment))
        case Circular():
            return box_of(arc_through(*segment))
        case Cubic():
            return box_of(Bezier(*segment))


def reversed_segment(segment: Segment) -> Segment:
    return type(segment)(*reversed(segment))


def join_segments(segments: Iterable[Segment], near: float) -> Iterator[Contour]:
    """Segments joined to contours where their ends lie within ``near`` of each other. At a branch,
    two of them are joined.
    """
    left = {i: s for i, s in enumerate(segments) if math.dist(s[0], s[-1]) > 0 or len(s) > 2}
    ends: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, s in left.items():
        for end in (s[0], s[-1]):
            ends[_grid_cell(end, near)].append(i)

    def take_segment_at(end: Point) -> Segment | None:
        """A segment left that begins or ends at a point, turned so that it begins there; it is
        taken away.
        """
        x, y = _grid_cell(end, near)
        for cell in ((x + dx, y + dy) for dx in (0, -1, 1) for dy in (0, -1, 1)):
            for i in ends.get(cell, ()):
                segment = left.get(i)
                if segment is None:
                    continue
                for turned in (segment, reversed_segment(segment)):
                    if math.dist(turned[0], end) <= near:
                        del left[i]
                        return turned
        return None

    while left:
        chain = [left.pop(next(iter(left)))]
        for _ in range(2):  # onwards from its end, then, turned round, from its start
            while (
                math.dist(chain[0][0], chain[-1][-1]) > near
                and (step := take_segment_at(chain[-1][-1])) is not None
            ):
                chain.append(step)
            if math.dist(chain[0][0], chain[-1][-1]) <= near:
                break
            chain = [reversed_segment(s) for s in reversed(chain)]
        yield Contour(
            tuple(_with_common_ends(chain)),
            len(chain) > 1 and math.dist(chain[0][0], chain[-1][-1]) <= near,
        )


def _grid_cell(at: Point, near: float) -> tuple[int, int]:
    return math.floor(at.x / near), math.floor(at.y / near)


def _with_common_ends(chain: list[Segment]) -> Iterator[Segment]:
    """The segments, each beginning exactly where the one before ends."""
    end: Point | None = None
    for s in chain:
        yield type(s)(end or s[0], *s[1:])
        end = s[-1]


def circle_segments(circle: Circle) -> tuple[Segment, ...]:
    """A circle as two arcs."""
    (x, y), r = circle.centre, circle.radius
    left, right = Point(x - r, y), Point(x + r, y)
    return Circular(left, Point(x, y - r), right), Circular(right, Point(x, y + r), left)


def flatten_segment(segment: Segment, tolerance: float) -> list[Point]:
    """The points after the first of a polyline that leaves a segment by at most ``tolerance``."""
    if isinstance(segment, Straight):
        return [segment.b]
    if isinstance(segment, Cubic):
        a, c1, c2, b = segment
        bend = max(
            math.hypot(a.x - 2 * c1.x + c2.x, a.y - 2 * c1.y + c2.y),
            math.hypot(c1.x - 2 * c2.x + b.x, c1.y - 2 * c2.y + b.y),
        )
        n = max(1, min(1000, math.ceil(math.sqrt(0.75 * bend / tolerance))))
        curve = Bezier(*segment)
        return [curve.at(k / n) for k in range(1, n)] + [b]
    centre, radius, start, sweep = circle_of(segment)
    if not math.isfinite(radius):
        return [segment.b]
    step = 2 * math.acos(max(-1.0, 1 - min(tolerance / radius, 1.0)))
    n = max(2, min(1000, math.ceil(abs(sweep) / max(step, 1e-3))))
    on = (start + sweep * k / n for k in range(1, n))
    return [Point(centre.x + radius * math.cos(t), centre.y + radius * math.sin(t)) for t in on] + [
        segment.b
    ]


def circle_of(arc: Circular) -> tuple[Point, float, float, float]:
    """Centre, radius, angle of the start and signed sweep of an arc (radians); an infinite radius
    where its points lie on a line.
    """
    (ax, ay), (mx, my), (bx, by) = arc
    d = 2 * ((mx - ax) * (by - ay) - (my - ay) * (bx - ax))
    if d == 0:
        return arc.a, math.inf, 0.0, 0.0
    m, b = (mx - ax) ** 2 + (my - ay) ** 2, (bx - ax) ** 2 + (by - ay) ** 2
    cx, cy = ax + (m * (by - ay) - b * (my - ay)) / d, ay + (b * (mx - ax) - m * (bx - ax)) / d
    start, through, end = (math.atan2(p.y - cy, p.x - cx) for p in arc)
    sweep = (end - start) % (2 * math.pi)
    if (through - start) % (2 * math.pi) > sweep:
        sweep -= 2 * math.pi
    return Point(cx, cy), math.hypot(ax - cx, ay - cy), start, sweep


def arc(centre: Point, radius: float, start: float, sweep: float) -> Circular:
    """An arc from the angle ``start`` by a signed ``sweep`` (radians)."""

    def at(t: float) -> Point:
        return Point(centre.x + radius * math.cos(t), centre.y + radius * math.sin(t))

    return Circular(at(start), at(start + sweep / 2), at(start + sweep))
