"""Converts a drawing to objects, layer by layer: each closed outline to a glass, each segment to a
mirror or blocker, or all outlines to a decoration without effect on light. Objects keep their names
in the drawing.
"""

import errno
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from raybench.errors import in_quotes
from raybench.files.drawings import DEFAULT_TOLERANCE, KINDS
from raybench.files.drawings.contour import (
    ArcSegment,
    Circle,
    CubicSegment,
    DrawingError,
    LineSegment,
    Outline,
    Segment,
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
from raybench.scene.free_names import free_name
from raybench.shapes.bezier import CurveNode
from raybench.shapes.curves import union_of_boxes
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc
from raybench.system.extras import missing_package_text
from raybench.system.files import read_bounded

MAX_COMPARED_OUTLINES = 500
"""Number of outlines up to which they are compared."""
COARSE_TOLERANCE = 1e-3
"""Largest distance of an outline's polygon from it, as a fraction of its size."""


def count_nested_outlines(outlines: Sequence[Outline]) -> int:
    """The number of closed outlines that lie inside another outline; 0 if there are too many
    outlines to compare.
    """
    from shapely import Point as Place
    from shapely import Polygon, STRtree

    rings = []
    for o in [o for o in outlines[: MAX_COMPARED_OUTLINES + 1] if o.closed]:
        left, top, right, bottom = box_of_outline(o)
        if size := max(right - left, bottom - top):
            rings.append(outline_points(o, COARSE_TOLERANCE * size))
    rings = [r for r in rings if len(r) > 3]
    if not 1 < len(rings) <= MAX_COMPARED_OUTLINES:
        return 0
    inner, _ = STRtree([Polygon(r) for r in rings]).query(
        [Place(r[0]) for r in rings], predicate="within"
    )
    return len(set(inner.tolist()))


LARGEST_FILE = 20_000_000
"""Maximum size of a file in bytes."""
MOST_OBJECTS = 5_000


@dataclass(frozen=True)
class ImportedDrawing:
    """The objects made from a drawing, and notes on omitted contents. ``size`` is the width and
    height in scene units; ``layers`` maps the name of each layer (empty without a name) to the keys
    of its objects.
    """

    objects: tuple[SceneObject, ...]
    notes: tuple[str, ...]
    size: tuple[float, float]
    layers: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The number of objects and the size of the drawing, in words."""
        count = len(self.objects)
        return f"{count} object{'s' if count != 1 else ''}, {self.size[0]:.6g} × {self.size[1]:.6g}"


@dataclass(frozen=True)
class DrawingOutlines:
    """The outlines of a drawing in millimetres, with y down, and notes on omitted contents."""

    outlines: tuple[Outline, ...]
    notes: tuple[str, ...]

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the layers, in the order of the drawing."""
        return tuple(dict.fromkeys(o.layer for o in self.outlines))


def guess_layer_kind(layer: str) -> str:
    """The kind of object that a layer probably contains, guessed from the layer's name: one of
    `KINDS`, or empty.
    """
    return next((kind for word, kind in _KIND_OF_WORD.items() if word in layer.lower()), "")


_KIND_OF_WORD = {
    "mirror": "mirror", "glass": "glass", "lens": "glass", "prism": "glass", "stop": "blocker",
    "baffle": "blocker", "block": "blocker", "wall": "blocker", "dimension": "drawing",
}  # fmt: skip
"""What the words in a layer's name mean."""


def read_drawing(path: Path) -> DrawingOutlines:
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
    return DrawingOutlines(once, tuple(notes))


def convert_drawing(
    drawing: DrawingOutlines,
    as_: str | Mapping[str, str],
    *,
    scale: float = 1.0,
    unit: str = "mm",
    tolerance: float = DEFAULT_TOLERANCE,
    centre: Point | None = None,
) -> ImportedDrawing:
    """Convert the outlines of a drawing to objects. ``as_`` selects the kind of object.

    Args:
        as_: One of `KINDS` for all outlines, or a mapping from the name of each layer to its kind;
            other layers are omitted.
        scale: Factor by which the size of the drawing is multiplied.
        unit: The length unit of the scene.
        tolerance: Largest distance of flattened curves from the drawing, in scene units.
        centre: The position of the middle of the drawing; None keeps the coordinates of the
            drawing.

    Raises DrawingError.
    """
    kinds = dict.fromkeys(drawing.layers, as_) if isinstance(as_, str) else as_
    if wrong := [kind for kind in kinds.values() if kind not in KINDS]:
        raise DrawingError(
            f"A drawing becomes one of {', '.join(KINDS)}, not {in_quotes(wrong[0])}."
        )
    if not (scale > 0 and math.isfinite(scale)) or not (tolerance > 0 and math.isfinite(tolerance)):
        raise DrawingError("Scale and tolerance must be above 0.")
    factor = scale * float(Fraction(1, 1000) / METRES[unit])
    chosen = [o for o in drawing.outlines if o.layer in kinds]
    left, top, right, bottom = union_of_boxes(map(box_of_outline, chosen)) or (0.0,) * 4
    dx, dy = (
        (0.0, 0.0)
        if centre is None
        else (centre.x - factor * (left + right) / 2, centre.y - factor * (top + bottom) / 2)
    )
    if not all(has_usable_numbers(factor * c) for c in (left, right, top, bottom)):
        raise DrawingError("The drawing is too large for a scene. Give a smaller scale.")

    def place_point(p: Point) -> Point:
        return Point(_round_coordinate(factor * p.x + dx), _round_coordinate(factor * p.y + dy))

    notes = list(drawing.notes)
    outlines = [transform_outline(o, place_point, factor) for o in chosen]
    glasses = [o for o in outlines if kinds[o.layer] == "glass"]
    if open_ := sum(not o.closed for o in glasses):
        notes.append(
            "1 open path cannot become glass: close it."
            if open_ == 1
            else f"{open_} open paths cannot become glass: close them in the drawing."
        )
    bodies = [o for o in outlines if o.closed and kinds[o.layer] in ("glass", "optics")]
    if inner := count_nested_outlines(bodies):
        lie = "1 outline lies" if inner == 1 else f"{inner} outlines lie"
        notes.append(
            f"{lie} in others: where glasses overlap, their refractive indices multiply. Give a"
            " hole the index 1/n."
        )
    try:
        made = tuple(itertools.islice(_layer_objects(outlines, kinds, tolerance), MOST_OBJECTS + 1))
    except InvalidObject as error:
        raise DrawingError(f"The drawing cannot be imported: {error}") from None
    if len(made) > MOST_OBJECTS:
        raise DrawingError(
            f"The drawing becomes more than {MOST_OBJECTS:,} objects. Raise the tolerance, or"
            " import a part of it."
        )
    if not made:
        what = as_.replace("_", " ") if isinstance(as_, str) else "part of the scene"
        raise DrawingError(f"Nothing in the drawing can become a {what}. {' '.join(notes)}".strip())
    taken: set[str] = set()
    objects: list[SceneObject] = []
    layers: defaultdict[str, list[int]] = defaultdict(list)
    for obj, name, layer in made:
        named = replace(obj, name=free_name(name, taken)) if name else obj
        taken.add(named.name)
        objects.append(named)
        layers[layer].append(named.key)
    size = factor * (right - left), factor * (bottom - top)
    return ImportedDrawing(tuple(objects), tuple(notes), size, layers)


def _layer_objects(
    outlines: Sequence[Outline], kinds: Mapping[str, str], tolerance: float
) -> Iterator[tuple[SceneObject, str, str]]:
    """The objects of the outlines, each with its name and its layer."""
    for layer, kind in kinds.items():
        own = [o for o in outlines if o.layer == layer]
        if kind == "drawing" and own:
            yield _drawing_object(own, tolerance), layer, layer
        elif kind != "drawing":
            for o in own:
                yield from ((obj, o.name, layer) for obj in _OBJECT_MAKERS[kind](o, tolerance))


def _round_coordinate(value: float) -> float:
    """A coordinate rounded to remove the digits that converting units has added."""
    return float(f"{value:.12g}")


def _glass_objects(o: Outline, tolerance: float) -> Iterator[SceneObject]:
    if isinstance(o, Circle):
        yield CircleGlass(p1=o.centre, p2=Point(o.centre.x + o.radius, o.centre.y))
    elif o.closed and any(isinstance(s, CubicSegment) for s in o.segments):
        cubics = (c for s in o.segments for c in _segment_cubics(s))
        yield CurveGlass(points=tuple(CurveNode(c.a, c.c1, c.c2) for c in cubics))
    elif o.closed and len(o.segments) + sum(isinstance(s, ArcSegment) for s in o.segments) >= 3:
        # an arc has its middle among the corners
        corners = ((p, p is not s[0]) for s in o.segments for p in s[:-1])
        yield Glass(path=tuple(Vertex(*p, through) for p, through in corners))


def _mirror_objects(o: Outline, tolerance: float) -> Iterator[SceneObject]:
    if isinstance(o, Circle):
        (x, y), r = o.centre, o.radius
        for side in (-1, 1):
            yield ArcMirror(p1=Point(x - r, y), p2=Point(x + r, y), p3=Point(x, y + side * r))
        return
    run: list[CubicSegment] = []
    for s in (*o.segments, None):
        if isinstance(s, CubicSegment):
            run.append(s)
            continue
        if run:
            yield CurveMirror(
                points=(*(CurveNode(c.a, c.c1, c.c2) for c in run), CurveNode(run[-1].b)),
                is_closed=False,
            )
            run = []
        if isinstance(s, LineSegment):
            yield Mirror(p1=s.a, p2=s.b)
        elif isinstance(s, ArcSegment):
            yield ArcMirror(p1=s.a, p2=s.b, p3=s.through)


def _blocker_objects(o: Outline, tolerance: float) -> Iterator[SceneObject]:
    if isinstance(o, Circle):
        yield CircleBlocker(p1=o.centre, p2=Point(o.centre.x + o.radius, o.centre.y))
        return
    for a, b in itertools.pairwise(outline_points(o, tolerance)):
        if a != b:
            yield Blocker(p1=a, p2=b)


def _glass_or_mirror_objects(o: Outline, tolerance: float) -> Iterator[SceneObject]:
    return (_glass_objects if o.closed else _mirror_objects)(o, tolerance)


def _drawing_object(outlines: Sequence[Outline], tolerance: float) -> Drawing:
    strokes = (
        [_round_coordinate(c) for p in outline_points(o, tolerance) for c in p] for o in outlines
    )
    return Drawing(strokes=tuple(strokes))


def _segment_cubics(segment: Segment) -> Iterator[CubicSegment]:
    """A segment as cubic curves. An arc is split into pieces of at most 45°, whose error is four
    millionths of its radius.
    """
    if isinstance(segment, CubicSegment):
        yield segment
        return
    shape, (start, end) = segment_shape(segment), (segment[0], segment[-1])
    if not isinstance(shape, Arc):
        third = Point((end.x - start.x) / 3, (end.y - start.y) / 3)
        c1, c2 = (
            Point(start.x + third.x, start.y + third.y),
            Point(end.x - third.x, end.y - third.y),
        )
        yield CubicSegment(start, c1, c2, end)
        return
    n = max(1, math.ceil(abs(shape.sweep) / (math.pi / 4)))
    arm, (x, y) = 4 / 3 * math.tan(shape.sweep / n / 4), shape.centre
    for a, b in itertools.pairwise([start, *(shape.at(k / n) for k in range(1, n)), end]):
        c1 = Point(a.x - arm * (a.y - y), a.y + arm * (a.x - x))
        c2 = Point(b.x + arm * (b.y - y), b.y - arm * (b.x - x))
        yield CubicSegment(a, c1, c2, b)


_OBJECT_MAKERS: dict[str, Callable[[Outline, float], Iterator[SceneObject]]] = {
    "glass": _glass_objects, "mirror": _mirror_objects, "blocker": _blocker_objects,
    "optics": _glass_or_mirror_objects,
}  # fmt: skip
"""What makes the objects of an outline, by kind; drawings are made of all outlines of a layer."""
