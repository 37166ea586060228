"""Objects without an optical effect: text, lines, rulers, frames and handles."""

import dataclasses
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.outlines import Edges, path_edges
from raybench.kinds.aspects.own_style import OWN_COLOR, OWN_STYLE
from raybench.kinds.aspects.pieces import no_piece
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import transform_fields
from raybench.kinds.fields import (
    LENGTH,
    choice_field,
    coordinate,
    data,
    described_field,
    flag,
    number,
    point,
    string,
    style_field,
)
from raybench.kinds.object import SceneObject, has_usable_numbers, kind
from raybench.phrase import Phrase
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Line


@kind
class Decoration(SceneObject):
    """An object that is drawn but does not affect light."""

    optical = False
    has_edge_table = False


@kind
class TextLabel(Decoration):
    """A line of text."""

    label = "Text"

    x: float = coordinate("X", help="Anchor, to the right.")
    y: float = coordinate("Y", help="Anchor, downwards: the text's base line.")
    text: str = string("", "Text")
    font_size: float = number(24.0, "Size", unit=LENGTH, low=0)
    font: str = string(
        "Serif",
        "Font",
        help=(
            "A family, or several in order; the program's own font is used where none is installed."
        ),
    )
    font_style: str = choice_field(
        "Normal", "Style", ("Normal", "Bold", "Italic", "Bold Italic", "Oblique", "Bold Oblique")
    )
    alignment: str = choice_field(
        "left", "Alignment", ("left", "center", "right"), titles=("Left", "Centre", "Right")
    )
    small_caps: bool = flag(False, "Small capitals")
    angle: float = number(0.0, "Angle", unit="deg", help="Counter-clockwise as seen.")
    fill_style: Any = style_field("color", "Colour", help=OWN_COLOR)

    @property
    def is_placeholder(self) -> bool:
        """Whether the text is a placeholder such as ``{{lightsource}}``, which only the gallery of
        the web application fills in.
        """
        return re.fullmatch(r"\{\{\w+\}\}", self.text.strip()) is not None


@kind
class LineArrow(Decoration):
    """A line with or without arrow heads."""

    label = "Line"

    p1: Point = point("Start")
    p2: Point = point("End")
    arrow: bool = flag(False, "Arrow at the end")
    back_arrow: bool = flag(False, "Arrow at the start")
    line_style: Any = style_field("line_style", "Style", help=OWN_STYLE)


@kind
class Ruler(Decoration):
    """A scale with divisions."""

    label = "Ruler"

    p1: Point = point("Zero")
    p2: Point = point("End")
    scale_interval: float = number(10.0, "Division", unit=LENGTH, low=1e-9, scales=False)


@kind
class Protractor(Decoration):
    """A circle with divisions of angle."""

    label = "Protractor"

    p1: Point = point("Centre")
    p2: Point = point("Zero direction")


@kind
class Drawing(Decoration):
    """Freehand strokes, each stored as a flat list x, y, x, y ..."""

    label = "Drawing"

    strokes: Any = data((), "Strokes")
    is_drawing: bool = flag(False, "Unfinished")
    line_style: Any = style_field("line_style", "Style", help=OWN_STYLE)

    @property
    def lines(self) -> tuple[tuple[Point, ...], ...]:
        """The points of each stroke. A stroke ends before its first invalid number."""
        if "lines" not in self.derived_values:
            strokes = self.strokes if isinstance(self.strokes, list | tuple) else ()
            self.derived_values["lines"] = tuple(
                _stroke_points(s) for s in strokes if isinstance(s, list | tuple)
            )
        lines: tuple[tuple[Point, ...], ...] = self.derived_values["lines"]
        return lines


def _stroke_points(stroke: Sequence[Any]) -> tuple[Point, ...]:
    numbers = itertools.takewhile(
        lambda v: isinstance(v, int | float) and has_usable_numbers(v), stroke
    )
    flat = [float(v) for v in numbers]
    return tuple(Point(x, y) for x, y in zip(flat[::2], flat[1::2], strict=False))


@kind
class CropBox(Decoration):
    """The frame of an exported picture. The frame may also limit the number of traced rays."""

    label = "Crop box"

    p1: Point = point("Top left corner")
    p4: Point = point("Bottom right corner")
    format: str = choice_field("png", "Format", ("png", "svg"), titles=("PNG", "SVG"))
    width: float = number(1920.0, "Width", unit="px", low=16, high=16384)
    ray_count_limit: float = described_field(
        "limit",
        math.inf,
        "Ray limit",
        help="Tracing stops after this many segments; empty or 0 for no limit.",
    )
    transparent: bool = flag(False, "Transparent")


class GroupedPoint(NamedTuple):
    """A point of another object that a handle moves: the object's index in the scene, the point's
    position, and its name in the file format. The name is the number of the end (``part``) or of
    the ``corner``.
    """

    target: int
    at: Point
    part: object = None
    corner: object = None


@kind
class Handle(SceneObject):
    """A handle: dragging this point moves the group of the handle, which consists of whole objects
    and of single points of other objects. In the object order of the file format a handle counts as
    an optical object, but it does not affect light. ``objIndices`` are the indices of the objects
    in the scene, ``controlPoints`` the single points.
    """

    label = "Handle"
    has_edge_table = False

    p1: Point = point("Grip")
    p2: Point = point("Pivot")
    obj_indices: Any = data((), "Objects")
    control_points: Any = data((), "Control points")
    transformation: str = string(
        "default", "Transformation", choices=("default", "rotation", "scaling", "xTranslation", "yTranslation"),
        titles=("Move", "Rotate", "Scale", "Move sideways", "Move vertically"),
        help="What dragging the grip does to what the handle holds; about the pivot.",
    )  # fmt: skip
    move_step: float = number(1.0, "Move step", unit=LENGTH, low=0, scales=False)
    rotate_step: float = number(0.5, "Rotate step", unit="deg", low=0)
    scale_step: float = number(1.0, "Scale step", unit="%", low=0)
    not_done: bool = flag(False, "Unfinished")

    @property
    def grouped_object_indices(self) -> tuple[int, ...]:
        """The indices of the objects that the handle moves as a whole."""
        return tuple(i for i in _items_if_list(self.obj_indices) if _is_index(i))

    @property
    def grouped_points(self) -> tuple[GroupedPoint, ...]:
        """The single points of other objects that the handle moves; invalid entries are left
        out.
        """
        return tuple(
            grouped
            for entry in _items_if_list(self.control_points)
            if (grouped := _read_grouped_point(entry)) is not None
        )

    @property
    def target_indices(self) -> frozenset[int]:
        """The indices of all objects that the handle moves, as a whole or by single points, each
        once.
        """
        return frozenset(self.grouped_object_indices) | {
            held.target for held in self.grouped_points
        }

    def with_new_indices(self, indices: Mapping[int, int]) -> Self:
        """The handle for a scene in which objects have other indices: ``indices`` maps old to new
        indices. Objects without a new index leave the group. Invalid entries are kept.
        """
        objects = self.obj_indices
        if isinstance(objects, list | tuple):
            objects = tuple(
                indices.get(i) if _is_index(i) else i
                for i in objects
                if not _is_index(i) or i in indices
            )
        points = []
        for entry in _items_if_list(self.control_points):
            grouped = _read_grouped_point(entry)
            if grouped is None:
                points.append(entry)
            elif grouped.target in indices:
                points.append({**entry, "targetObjIndex": indices[grouped.target]})
        listed = isinstance(self.control_points, list | tuple)
        return dataclasses.replace(
            self,
            obj_indices=objects,
            control_points=tuple(points) if listed else self.control_points,
        )

    def with_grouped_points_at(self, new_positions: Sequence[Point]) -> Self:
        """The handle with the new positions of its `grouped_points`."""
        positions, points = iter(new_positions), list(_items_if_list(self.control_points))
        for i, entry in enumerate(points):
            if _read_grouped_point(entry) is not None:
                x, y = next(positions)
                points[i] = {**entry, "newPoint": {"x": x, "y": y}}
        return dataclasses.replace(self, control_points=tuple(points)) if points else self


def _items_if_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _read_grouped_point(entry: Any) -> GroupedPoint | None:
    """Read a point from the JSON of a handle; None if it cannot be read."""
    match entry:
        case {
            "targetObjIndex": target,
            "newPoint": {"x": int() | float() as x, "y": int() | float() as y},
        } if _is_index(target):
            about = entry.get("dragContext")
            context = about if isinstance(about, Mapping) else {}
            usable = has_usable_numbers(x) and has_usable_numbers(y)
            return (
                GroupedPoint(
                    target, Point(float(x), float(y)), context.get("part"), context.get("index")
                )
                if usable
                else None
            )
    return None


def _crop_box_edges(obj: CropBox) -> Edges:
    (x1, y1), (x2, y2) = obj.p1, obj.p4
    return path_edges((Vertex(x1, y1), Vertex(x2, y1), Vertex(x2, y2), Vertex(x1, y2)))


def _crop_box_fields(a: Point, b: Point) -> dict[str, Point]:
    """The fields of a frame between two corners: its top left and its bottom right corner."""
    return {"p1": Point(min(a.x, b.x), min(a.y, b.y)), "p4": Point(max(a.x, b.x), max(a.y, b.y))}


def _text_left_and_right(obj: TextLabel) -> tuple[float, float]:
    """The left and right end of a text, measured along its base line from its anchor. Each letter
    is estimated to be 0.55 font sizes wide.
    """
    width = 0.55 * obj.font_size * max((len(line) for line in obj.text.split("\n")), default=0)
    left = {"left": 0.0, "center": -width / 2, "right": -width}[obj.alignment]
    return left, left + width


def _text_end_points(obj: TextLabel) -> tuple[Point, ...]:
    angle = math.radians(obj.angle)
    return tuple(
        Point(obj.x + reach * math.cos(angle), obj.y - reach * math.sin(angle))
        for reach in _text_left_and_right(obj)
    )


def _distance_from_text(obj: TextLabel, at: Point) -> float:
    angle = math.radians(obj.angle)
    dx, dy = at.x - obj.x, at.y - obj.y
    along = dx * math.cos(angle) - dy * math.sin(angle)
    down = dx * math.sin(angle) + dy * math.cos(angle)
    left, right = _text_left_and_right(obj)
    outside_x = max(left - along, 0.0, along - right)
    outside_y = max(-obj.font_size - down, 0.0, down - 0.25 * obj.font_size)
    return math.hypot(outside_x, outside_y)


def _outermost_circle_points(obj: Protractor) -> tuple[Point, ...]:
    """The outermost points of a protractor's circle to the left, right, top and bottom."""
    (x, y), r = obj.p1, math.dist(obj.p2, obj.p1)
    return Point(x - r, y), Point(x + r, y), Point(x, y - r), Point(x, y + r)


def _distance_from_strokes(obj: Drawing, at: Point) -> float:
    sides = (Line(a, b) for line in obj.lines for a, b in itertools.pairwise(line))
    return min((math.dist(side.nearest(at), at) for side in sides), default=math.inf)


def _drawing_remarks(obj: Drawing, edges: Edges) -> Iterator[str]:
    if not any(obj.lines):
        yield Phrase("has nothing to draw: its strokes have no points.")


def _transform_text(obj: TextLabel, by: Similarity) -> TextLabel:
    new: TextLabel = transform_fields(obj, by)
    if by.is_shift:
        return new
    if not by.is_mirrored:
        turned = by.angle(0.0)
        angle = obj.angle + turned
        return dataclasses.replace(
            new, angle=angle if abs(angle) <= 360 else math.remainder(angle, 360.0)
        )
    # text stays readable: it follows the reflected baseline, reversed if necessary
    along = by.angle(obj.angle)
    against = math.remainder(along + 180.0, 360.0)
    if abs(along) <= abs(against):
        return dataclasses.replace(new, angle=along)
    alignment = {"left": "right", "right": "left"}.get(obj.alignment, obj.alignment)
    return dataclasses.replace(new, angle=against, alignment=alignment)


def _transform_drawing(obj: Drawing, by: Similarity) -> Drawing:
    strokes = tuple([c for p in line for c in by.point(p)] for line in obj.lines)
    return dataclasses.replace(obj, strokes=strokes)


def _transform_handle(obj: Handle, by: Similarity) -> Handle:
    new: Handle = transform_fields(obj, by)
    return new.with_grouped_points_at([by.point(grouped.at) for grouped in obj.grouped_points])


def _transform_crop_box(obj: CropBox, by: Similarity) -> CropBox:
    if not by.keeps_axes:
        raise obj.invalid_error(
            "its frame",
            "must stay parallel to the axes. Leave it out, or rotate by a multiple of 90°",
        )
    a, b = by.point(obj.p1), by.point(obj.p4)
    return dataclasses.replace(
        obj, p1=Point(min(a.x, b.x), min(a.y, b.y)), p4=Point(max(a.x, b.x), max(a.y, b.y))
    )


make_decoration_row = partial(Row, family="Measure", piece=no_piece)
ROWS = (
    make_decoration_row(
        Ruler, edges=outlines.line_edges, sample=sample.ENDS, painter="ruler",
        icon=sample.numbered_points_fields(2.5, 7, 18, 7) | {"scale_interval": 5},
    ),
    make_decoration_row(
        Protractor, edges=outlines.no_edges,
        distance=lambda obj, at: abs(math.dist(at, obj.p1) - math.dist(obj.p2, obj.p1)),
        drawn=_outermost_circle_points, centre="p1", sample=sample.ENDS, painter="protractor",
        icon=sample.numbered_points_fields(10, 10, 17.5, 10),
    ),
    make_decoration_row(
        TextLabel, edges=outlines.no_edges, distance=_distance_from_text, drawn=_text_end_points,
        sample=sample.click_sample(lambda at: {"x": at.x, "y": at.y, "text": "Text"}),
        transformed=_transform_text, painter="text",
        icon={"x": 10, "y": 15.5, "text": "T", "font_size": 16, "alignment": "center"},
    ),
    make_decoration_row(
        LineArrow, edges=outlines.line_edges, sample=sample.ENDS, painter="arrow",
        icon=sample.numbered_points_fields(4, 16, 16, 4) | {"arrow": True},
    ),
    make_decoration_row(
        CropBox, edges=_crop_box_edges, sample=sample.drag_sample(_crop_box_fields),
        transformed=_transform_crop_box, painter="frame",
        icon={"p1": Point(3, 4), "p4": Point(17, 16)},
    ),
    Row(
        Drawing, family="", edges=outlines.no_edges, piece=no_piece, distance=_distance_from_strokes,
        drawn=lambda obj: [p for line in obj.lines for p in line], remarks=_drawing_remarks,
        transformed=_transform_drawing, painter="drawing",
        icon={"strokes": ((3, 13, 6, 7, 9, 12, 12, 6, 16, 11),)},
    ),
    Row(
        Handle, family="", edges=outlines.no_edges, piece=no_piece, centre="p2",
        transformed=_transform_handle, painter="handle",
        icon=sample.numbered_points_fields(10, 10, 10, 10),
    ),
)  # fmt: skip
