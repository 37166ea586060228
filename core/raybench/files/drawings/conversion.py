"""Converts a drawing to objects: each closed outline to a glass, or each segment to a mirror or
blocker, or all of it to a drawing without effect on light.
"""

import errno
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from raybench.errors import in_quotes
from raybench.files.drawings import KINDS, TOLERANCE
from raybench.files.drawings.contour import (
    Circle,
    Circular,
    Cubic,
    DrawingError,
    Outline,
    Segment,
    Straight,
    box_of_outline,
    outline_points,
    segment_shape,
    transform_outline,
)
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.curved_glasses import CurveGlass
from raybench.kinds.decorations import Drawing
from raybench.kinds.fields import METRES
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import ArcMirror, CurveMirror, Mirror
from raybench.kinds.object import InvalidObject, SceneObject, has_usable_numbers
from raybench.shapes.bezier import CurveNode
from raybench.shapes.curves import union_of_boxes
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc
from raybench.system.extras import missing_package_text
from raybench.system.files import read_bounded

MOST = 500
"""Number of outlines up to which they are compared."""
COARSE = 1e-3
"""Largest distance of an outline's polygon from it, as a fraction of its size."""


def count_nested_outlines(outlines: Sequence[Outline]) -> int:
    """The number of closed outlines that begin inside another one; 0 if there are too many to
    compare.
    """
    from shapely import Point as Place
    from shapely import Polygon, STRtree

    rings = []
    for o in [o for o in outlines[: MOST + 1] if o.closed]:
        left, top, right, bottom = box_of_outline(o)
        if size := max(right - left, bottom - top):
            rings.append(outline_points(o, COARSE * size))
    rings = [r for r in rings if len(r) > 3]
    if not 1 < len(rings) <= MOST:
        return 0
    inner, _ = STRtree([Polygon(r) for r in rings]).query(
        [Place(r[0]) for r in rings], predicate="within"
    )
    return len(set(inner.tolist()))


LARGEST_FILE = 20_000_000
"""Maximum size of a file in bytes."""
MOST_OBJECTS = 5_000


@dataclass(frozen=True)
class Imported:
    """The objects made from a drawing, and notes on what was omitted. ``size`` is the width and
    height in scene units.
    """

    objects: tuple[SceneObject, ...]
    notes: tuple[str, ...]
    size: tuple[float, float]

    @property
    def summary(self) -> str:
        """The number of objects and the size of the drawing, in words."""
        count = len(self.objects)
        return f"{count} object{'s' if count != 1 else ''}, {self.size[0]:.6g} × {self.size[1]:.6g}"


@dataclass(frozen=True)
class Outlines:
    """The outlines of a drawing in millimetres, with y down, and notes on what was omitted."""

    outlines: tuple[Outline, ...]
    notes: tuple[str, ...]


def read_drawing(path: Path) -> Outlines:
    """Read the outlines in an SVG or DXF file. Raises DrawingError."""
    reader = {".svg": "svg", ".dxf": "dxf"}.get(path.suffix.lower())
    if reader is None:
        raise DrawingError(f"{path.name}: a drawing is an .svg or a .dxf file.")
    try:
        content = read_bounded(path, LARGEST_FILE)
    except OSError as error:
        more = " Import a part of it." if error.errno == errno.EFBIG else ""
        raise DrawingError(f"{path}: cannot be read: {error.strerror}.{more}") from None
    try:
        if reader == "svg":
            from raybench.files.drawings.svg import read_svg as read
        else:
            from raybench.files.drawings.dxf import read_dxf as read
        outlines, notes = read(content)
    except ModuleNotFoundError as error:
        raise DrawingError(
            f"{path.name}: {missing_package_text('drawings need', str(error.name), 'import')}."
        ) from None
    except DrawingError as error:
        raise DrawingError(f"{path.name}: {error}") from None
    if not outlines:
        raise DrawingError(f"{path.name}: it has no lines or curves. {' '.join(notes)}".strip())
    once = tuple(dict.fromkeys(outlines))
    if again := len(outlines) - len(
        once
    ):  # many programs write a shape for the fill and one for the line
        notes.append(
            "1 outline that is there twice is read once."
            if again == 1
            else f"{again} outlines that are there again are read once."
        )
    return Outlines(once, tuple(notes))


def convert_drawing(
    drawing: Outlines,
    as_: str,
    *,
    scale: float = 1.0,
    unit: str = "mm",
    tolerance: float = TOLERANCE,
    centre: Point | None = None,
) -> Imported:
    """Convert the outlines of a drawing to objects. ``as_`` says which objects they become.

    Args:
        as_: One of `KINDS`.
        scale: Factor to the drawing's own size.
        unit: The length unit of the scene.
        tolerance: Largest distance of flattened curves from the drawing, in scene units.
        centre: Where the middle of the drawing goes; None leaves it where it is in the drawing.

    Raises DrawingError.
    """
    if as_ not in KINDS:
        raise DrawingError(f"A drawing becomes one of {', '.join(KINDS)}, not {in_quotes(as_)}.")
    if not (scale > 0 and math.isfinite(scale)) or not (tolerance > 0 and math.isfinite(tolerance)):
        raise DrawingError("Scale and tolerance must be above 0.")
    factor = scale * float(Fraction(1, 1000) / METRES[unit])
    left, top, right, bottom = union_of_boxes(map(box_of_outline, drawing.outlines)) or (0.0,) * 4
    dx, dy = (
        (0.0, 0.0)
        if centre is None
        else (centre.x - factor * (left + right) / 2, centre.y - factor * (top + bottom) / 2)
    )
    if not all(has_usable_numbers(factor * c) for c in (left, right, top, bottom)):
        raise DrawingError("The drawing is too large for a scene. Give a smaller scale.")

    def place_point(p: Point) -> Point:
        return Point(_short_coordinate(factor * p.x + dx), _short_coordinate(factor * p.y + dy))

    notes = list(drawing.notes)
    outlines = [transform_outline(o, place_point, factor) for o in drawing.outlines]
    open_ = sum(not o.closed for o in outlines)
    if as_ == "glass" and open_:
        notes.append(
            "1 open path cannot become glass: close it."
            if open_ == 1
            else f"{open_} open paths cannot become glass: close them in the drawing."
        )
    if as_ == "glass" and (inner := count_nested_outlines(outlines)):
        lie = "1 outline lies" if inner == 1 else f"{inner} outlines lie"
        notes.append(
            f"{lie} in others: where glasses overlap, their refractive indices multiply. Give a"
            " hole the index 1/n."
        )
    try:
        objects = tuple(itertools.islice(_AS[as_](outlines, tolerance), MOST_OBJECTS + 1))
    except InvalidObject as error:
        raise DrawingError(f"The drawing cannot be imported: {error}") from None
    if len(objects) > MOST_OBJECTS:
        raise DrawingError(
            f"The drawing becomes more than {MOST_OBJECTS:,} objects. Raise the tolerance, or"
            " import a part of it."
        )
    if not objects:
        raise DrawingError(f"Nothing in the drawing can become a {as_}. {' '.join(notes)}".strip())
    return Imported(objects, tuple(notes), (factor * (right - left), factor * (bottom - top)))


def _short_coordinate(value: float) -> float:
    """A coordinate rounded so that it has no digits that come only from the conversion of units."""
    return float(f"{value:.12g}")


def _glass_objects(outlines: Sequence[Outline], tolerance: float) -> Iterator[SceneObject]:
    for o in outlines:
        if isinstance(o, Circle):
            yield CircleGlass(p1=o.centre, p2=Point(o.centre.x + o.radius, o.centre.y))
        elif o.closed and any(isinstance(s, Cubic) for s in o.segments):
            yield CurveGlass(
                points=tuple(
                    CurveNode(c.a, c.c1, c.c2) for s in o.segments for c in _segment_cubics(s)
                )
            )
        elif o.closed and len(o.segments) + sum(isinstance(s, Circular) for s in o.segments) >= 3:
            # an arc has its middle among the corners
            corners = ((p, p is not s[0]) for s in o.segments for p in s[:-1])
            yield Glass(path=tuple(Vertex(*p, through) for p, through in corners))


def _mirror_objects(outlines: Sequence[Outline], tolerance: float) -> Iterator[SceneObject]:
    for o in outlines:
        if isinstance(o, Circle):
            (x, y), r = o.centre, o.radius
            for side in (-1, 1):
                yield ArcMirror(p1=Point(x - r, y), p2=Point(x + r, y), p3=Point(x, y + side * r))
            continue
        run: list[Cubic] = []
        for s in (*o.segments, None):
            if isinstance(s, Cubic):
                run.append(s)
                continue
            if run:
                yield CurveMirror(
                    points=(*(CurveNode(c.a, c.c1, c.c2) for c in run), CurveNode(run[-1].b)),
                    is_closed=False,
                )
                run = []
            if isinstance(s, Straight):
                yield Mirror(p1=s.a, p2=s.b)
            elif isinstance(s, Circular):
                yield ArcMirror(p1=s.a, p2=s.b, p3=s.through)


def _blocker_objects(outlines: Sequence[Outline], tolerance: float) -> Iterator[SceneObject]:
    for o in outlines:
        if isinstance(o, Circle):
            yield CircleBlocker(p1=o.centre, p2=Point(o.centre.x + o.radius, o.centre.y))
            continue
        for a, b in itertools.pairwise(outline_points(o, tolerance)):
            if a != b:
                yield Blocker(p1=a, p2=b)


def _drawing_objects(outlines: Sequence[Outline], tolerance: float) -> Iterator[SceneObject]:
    strokes = (
        [_short_coordinate(c) for p in outline_points(o, tolerance) for c in p] for o in outlines
    )
    yield Drawing(strokes=tuple(strokes))


def _segment_cubics(segment: Segment) -> Iterator[Cubic]:
    """A segment as cubic curves. An arc is split into pieces of at most 45°, whose error is four
    millionths of its radius.
    """
    if isinstance(segment, Cubic):
        yield segment
        return
    shape, (start, end) = segment_shape(segment), (segment[0], segment[-1])
    if not isinstance(shape, Arc):
        third = Point((end.x - start.x) / 3, (end.y - start.y) / 3)
        c1, c2 = (
            Point(start.x + third.x, start.y + third.y),
            Point(end.x - third.x, end.y - third.y),
        )
        yield Cubic(start, c1, c2, end)
        return
    n = max(1, math.ceil(abs(shape.sweep) / (math.pi / 4)))
    arm, (x, y) = 4 / 3 * math.tan(shape.sweep / n / 4), shape.centre
    for a, b in itertools.pairwise([start, *(shape.at(k / n) for k in range(1, n)), end]):
        c1 = Point(a.x - arm * (a.y - y), a.y + arm * (a.x - x))
        c2 = Point(b.x + arm * (b.y - y), b.y - arm * (b.x - x))
        yield Cubic(a, c1, c2, b)


_AS: dict[str, Callable[[Sequence[Outline], float], Iterator[SceneObject]]] = {
    "glass": _glass_objects, "mirror": _mirror_objects, "blocker": _blocker_objects, "drawing": _drawing_objects
}  # fmt: skip
