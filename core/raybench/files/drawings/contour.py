"""Contours, which are chains of straight lines, circular arcs and cubic curves. Segments whose ends
meet are joined to contours.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from raybench.errors import RaybenchError
from raybench.shapes.bezier import Bezier
from raybench.shapes.curves import Box, bounding_box_of, union_of_boxes
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line, arc_through


class DrawingError(RaybenchError):
    """A drawing cannot be imported; the message states the reason and the remedy."""


class LineSegment(NamedTuple):
    a: Point
    b: Point


class ArcSegment(NamedTuple):
    """A circular arc of less than a full turn, given by its ends and a point between them."""

    a: Point
    through: Point
    b: Point


class CubicSegment(NamedTuple):
    a: Point
    c1: Point
    c2: Point
    b: Point


Segment = LineSegment | ArcSegment | CubicSegment


@dataclass(frozen=True, kw_only=True)
class NamedOutline:
    """The names of an outline and of its layer in a drawing; empty for an unnamed outline or
    layer.
    """

    name: str = field(default="", compare=False)
    layer: str = field(default="", compare=False)


@dataclass(frozen=True)
class Circle(NamedOutline):
    centre: Point
    radius: float
    closed: ClassVar[bool] = True

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The circle as two arcs of half a turn."""
        (x, y), r = self.centre, self.radius
        left, right = Point(x - r, y), Point(x + r, y)
        return ArcSegment(left, Point(x, y - r), right), ArcSegment(right, Point(x, y + r), left)


@dataclass(frozen=True)
class Contour(NamedOutline):
    """A chain of segments, each of which begins where the one before ends. A ``closed`` contour
    ends where it begins.
    """

    segments: tuple[Segment, ...]
    closed: bool


Outline = Contour | Circle
MOST_NAME = 60
"""Letters of a name that are kept."""
MOST_SEGMENTS = 50_000
"""Maximum number of segments that are read from a drawing."""


def transform_outline(
    outline: Outline, transform: Callable[[Point], Point], scale: float
) -> Outline:
    """A copy of an outline in which each point is mapped by ``transform``, a similarity that
    multiplies lengths by ``scale``.
    """
    if isinstance(outline, Circle):
        at = transform(outline.centre)
        return replace(outline, centre=at, radius=outline.radius * scale)
    segments = tuple(type(s)(*map(transform, s)) for s in outline.segments)
    return replace(outline, segments=segments)


def cubic_of_quadratic(a: Point, control: Point, b: Point) -> CubicSegment:
    """Convert a quadratic Bézier curve, given by its control points, to a cubic one."""
    c1, c2 = (
        Point(p.x + 2 / 3 * (control.x - p.x), p.y + 2 / 3 * (control.y - p.y)) for p in (a, b)
    )
    return CubicSegment(a, c1, c2, b)


def segment_shape(segment: Segment) -> Line | Arc | Bezier:
    """Convert a segment to a shape. An arc whose points are on one line becomes a line."""
    match segment:
        case LineSegment():
            return Line(*segment)
        case ArcSegment():
            return arc_through(*segment)  # type: ignore[return-value]
        case CubicSegment():
            return Bezier(*segment)


def box_of_outline(outline: Outline) -> Box:
    """The bounding box (left, top, right, bottom) of an outline."""
    box = union_of_boxes(bounding_box_of(segment_shape(s)) for s in outline.segments)
    assert box is not None, "an outline has segments"
    return box


def reversed_segment(segment: Segment) -> Segment:
    return type(segment)(*reversed(segment))


def join_segments(segments: Iterable[Segment], tolerance: float) -> Iterator[Contour]:
    """Join segments to contours where segment ends are within ``tolerance`` of each other. Where
    more than two ends meet, only two of them are joined.
    """
    left = {i: s for i, s in enumerate(segments) if math.dist(s[0], s[-1]) > 0 or len(s) > 2}
    ends: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, s in left.items():
        for end in (s[0], s[-1]):
            ends[_grid_cell(end, tolerance)].append(i)

    def take_segment_at(end: Point) -> Segment | None:
        """Remove a remaining segment that begins or ends at a point. Returns it in the direction in
        which it begins there; None if there is none.
        """
        x, y = _grid_cell(end, tolerance)
        for cell in ((x + dx, y + dy) for dx in (0, -1, 1) for dy in (0, -1, 1)):
            for i in ends.get(cell, ()):
                segment = left.get(i)
                if segment is None:
                    continue
                for turned in (segment, reversed_segment(segment)):
                    if math.dist(turned[0], end) <= tolerance:
                        del left[i]
                        return turned
        return None

    while left:
        chain = [left.pop(next(iter(left)))]
        for _ in range(2):  # onwards from its end, then, turned round, from its start
            while (
                math.dist(chain[0][0], chain[-1][-1]) > tolerance
                and (step := take_segment_at(chain[-1][-1])) is not None
            ):
                chain.append(step)
            if math.dist(chain[0][0], chain[-1][-1]) <= tolerance:
                break
            chain = [reversed_segment(s) for s in reversed(chain)]
        yield Contour(
            tuple(_align_segment_ends(chain)),
            len(chain) > 1 and math.dist(chain[0][0], chain[-1][-1]) <= tolerance,
        )


def _grid_cell(point: Point, size: float) -> tuple[int, int]:
    return math.floor(point.x / size), math.floor(point.y / size)


def _align_segment_ends(chain: list[Segment]) -> Iterator[Segment]:
    """The segments with their ends moved so that each begins exactly where the one before ends."""
    end: Point | None = None
    for s in chain:
        yield type(s)(end or s[0], *s[1:])
        end = s[-1]


def outline_points(outline: Outline, tolerance: float) -> list[Point]:
    """The points of a polyline that deviates from an outline by at most ``tolerance``. For a closed
    outline the first point is repeated at the end.
    """
    segments = outline.segments
    return [segments[0][0], *(p for s in segments for p in flatten_segment(s, tolerance))]


def flatten_segment(segment: Segment, tolerance: float) -> list[Point]:
    """The points of a polyline that deviates from a segment by at most ``tolerance``, without its
    first point.
    """
    shape, n = segment_shape(segment), 1
    if isinstance(shape, Bezier):
        a, c1, c2, b = segment  # type: ignore[misc]
        bend = max(
            math.hypot(a.x - 2 * c1.x + c2.x, a.y - 2 * c1.y + c2.y),
            math.hypot(c1.x - 2 * c2.x + b.x, c1.y - 2 * c2.y + b.y),
        )
        n = max(1, min(1000, math.ceil(math.sqrt(0.75 * bend / tolerance))))
    elif isinstance(shape, Arc):
        step = 2 * math.acos(1 - min(tolerance / shape.radius, 1.0))
        n = max(2, min(1000, math.ceil(abs(shape.sweep) / max(step, 1e-3))))
    if isinstance(shape, Line):
        return [shape.b]
    return [*(shape.at(k / n) for k in range(1, n)), segment[-1]]
