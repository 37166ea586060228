"""The numbers that position whole objects: their centre and angle, the length of a line, and the
radius of an arc or a circle.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from raybench.kinds.aspects.similarity import cosine_and_sine
from raybench.kinds.decorations import CropBox, Handle
from raybench.kinds.fields import LENGTH
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.scene.changes.change import Change, Changes
from raybench.scene.changes.placing import Move, Rotate, mean_centre_of_objects
from raybench.scene.changes.setting import Set
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.parts import Part
from raybench.shapes.point import Point, midpoint, significant_decimals
from raybench.shapes.shape import Arc, arc_through

COORDINATE_DIGITS = 13
"""Significant digits of coordinates that are computed from a length and an angle."""


@dataclass(frozen=True)
class PointNumber:
    """A number that describes a point. ``get`` returns the number; ``put`` returns the point for
    another value of it. ``unit`` is as in `raybench.kinds.fields`.
    """

    label: str
    unit: str
    get: Callable[[Point], float]
    put: Callable[[Point, float], Point]
    low: float | None = None


COORDINATE_NUMBERS = (
    PointNumber("X", LENGTH, lambda p: p.x, lambda p, x: Point(x, p.y)),
    PointNumber("Y", LENGTH, lambda p: p.y, lambda p, y: Point(p.x, y)),
)


def polar_decimals(about: Point, length: float) -> int:
    """The number of decimals for the coordinates of a point at the distance ``length`` from the
    point ``about``.
    """
    return significant_decimals(max(abs(about.x), abs(about.y), length), COORDINATE_DIGITS)


def point_at_polar(about: Point, length: float, degrees: float) -> Point:
    """The point at the distance ``length`` from ``about``, in the direction ``degrees``,
    counter-clockwise on screen.
    """
    cosine, sine = cosine_and_sine(degrees)
    digits = polar_decimals(about, length)  # so that 60 up from -60 is 0, not its rounding error
    return Point(round(about.x + length * cosine, digits), round(about.y - length * sine, digits))


def polar_numbers(about: Point, label: str = "Length") -> tuple[PointNumber, PointNumber]:
    """The distance of a point from ``about`` and its direction (degrees, counter-clockwise on
    screen), as numbers that a user can edit.
    """

    def angle_from_origin(p: Point) -> float:
        return math.degrees(math.atan2(about.y - p.y, p.x - about.x)) + 0.0

    def turn_point(p: Point, degrees: float) -> Point:
        length = math.dist(p, about)
        return point_at_polar(
            about, round(length, polar_decimals(about, length) - 1), degrees
        )  # undoes the rounding of both coordinates

    return (
        PointNumber(
            label,
            LENGTH,
            lambda p: math.dist(p, about),
            lambda p, length: point_at_polar(about, length, angle_from_origin(p)),
            0.0,
        ),
        PointNumber("Angle", "deg", angle_from_origin, turn_point),
    )


def _curve_bend_number(start: Point, end: Point, *, parabola: bool) -> PointNumber:
    """The radius of the arc from ``start`` to ``end`` through a point or, for a parabola, its focal
    length. Editing this number moves the point to the middle of the curve, on the same side.
    """
    half, middle = math.dist(start, end) / 2, midpoint(start, end)
    nx, ny = (
        ((end.y - start.y) / (2 * half), (start.x - end.x) / (2 * half)) if half else (0.0, 0.0)
    )

    def height_above_chord(p: Point) -> float:
        return (p.x - middle.x) * nx + (p.y - middle.y) * ny

    def point_at_depth(depth: float, p: Point) -> Point:
        depth = math.copysign(depth, height_above_chord(p))
        return Point(middle.x + depth * nx, middle.y + depth * ny)

    def arc_radius_through(p: Point) -> float:
        arc = arc_through(start, p, end)
        return arc.radius if isinstance(arc, Arc) else math.inf

    def with_radius(p: Point, radius: float) -> Point:
        rest = math.sqrt(max(radius * radius - half * half, 0.0))
        return point_at_depth(
            radius + rest if abs(height_above_chord(p)) > half else radius - rest, p
        )

    def parabola_focal_length(p: Point) -> float:
        return half * half / (4 * abs(height_above_chord(p))) if height_above_chord(p) else math.inf

    def with_focal_length(p: Point, focal_length: float) -> Point:
        return point_at_depth(
            half * half / (4 * focal_length) if focal_length else abs(height_above_chord(p)), p
        )

    if parabola:
        return PointNumber(
            "Focal length", LENGTH, parabola_focal_length, with_focal_length, half / 1e3
        )
    return PointNumber("Radius", LENGTH, arc_radius_through, with_radius, half)


def point_numbers(obj: SceneObject, control: ControlPoint) -> tuple[PointNumber, ...]:
    """The coordinates of a control point, and numbers relative to other points: to the other end,
    the centre or the previous corner, or the radius of its arc.
    """
    return *COORDINATE_NUMBERS, *_point_relative_numbers(obj, control)


def _point_relative_numbers(obj: SceneObject, control: ControlPoint) -> tuple[PointNumber, ...]:
    points, centre = control_points(obj), kind_row_of(obj).centre
    own = [p for p in points if p.field == control.field]
    ends = {p.field: p.at for p in points if p.field in ("p1", "p2")}
    if control.meaning == "bend" and (len(own) == 1 or control.path.endswith("]")):
        if len(own) > 1:  # of an arc between two corners, not of a Bezier curve
            beside = own[control.index - 1].at, own[(control.index + 1) % len(own)].at
        elif len(ends) == 2:
            beside = ends["p1"], ends["p2"]
        else:
            return ()
        return (_curve_bend_number(*beside, parabola=isinstance(obj, ParabolicMirror)),)
    if control.field == centre or not control.path:
        return ()
    if centre and any(
        isinstance(e.shape, Arc) and e.shape.is_full_circle for e in object_edges(obj)
    ):
        return polar_numbers(next(p.at for p in points if p.field != control.field), "Radius")
    if len(own) > 1:
        nodes = [p for p in own if p.meaning != "bend" or p == control]
        return polar_numbers(nodes[nodes.index(control) - 1].at)
    other = next((at for field, at in ends.items() if field != control.field), None)
    return polar_numbers(other) if other is not None else ()


Objects = Sequence[SceneObject]
COMPARED_DECIMALS = 9
"""Decimals to which the numbers of several objects are compared."""
MIN_LENGTH = 1e-9
"""Smallest length that a line is given: at 0 its angle would be lost."""
ABOUT_CENTRE = "About the centre, which stays."
MAX_OBJECTS = 200
"""Maximum number of objects with common numbers, which a form has to compute at each change."""


@dataclass(frozen=True)
class PlacementNumber:
    """A number that describes the position of one or several objects. ``get`` returns it, or NaN if
    the objects differ; ``change`` returns the change to another value. ``unit`` is as in
    `raybench.kinds.fields`.
    """

    label: str
    unit: str
    get: Callable[[Objects], float]
    change: Callable[[Objects, float], Changes]
    low: float | None = None
    about: str = ""
    """A sentence on what stays unchanged."""
    motion: str = ""
    """The motion by which a study changes it (`raybench.scene.parameters.parameter`); empty for
    none.
    """


@dataclass(frozen=True)
class _ObjectNumber:
    """A number that describes the position of one object, and a function that returns the change to
    another value.
    """

    label: str
    unit: str
    value: float
    change: Callable[[float], Change]
    low: float | None
    about: str
    motion: str = ""


def _objects_centre(objects: Objects) -> Point:
    return mean_centre_of_objects(_objects_with_points(objects))


def _objects_with_points(objects: Objects) -> list[SceneObject]:
    return [o for o in objects if control_points(o)]


def _move_centre(objects: Objects, to: Point) -> Move:
    at, keys = _objects_centre(objects), [o.key for o in _objects_with_points(objects)]
    return Move(keys, to.x - at.x, to.y - at.y)


CENTRE_NUMBERS = (
    PlacementNumber(
        "Centre x",
        LENGTH,
        lambda o: _objects_centre(o).x,
        lambda o, x: _move_centre(o, Point(x, _objects_centre(o).y)),
        motion="x",
    ),
    PlacementNumber(
        "Centre y",
        LENGTH,
        lambda o: _objects_centre(o).y,
        lambda o, y: _move_centre(o, Point(_objects_centre(o).x, y)),
        motion="y",
    ),
)
"""Where the mean of the objects' centres is; another value moves all of them."""


def placement_numbers(objects: Objects) -> tuple[PlacementNumber, ...]:
    """The numbers that position the objects as a whole. Empty for a single point, whose coordinates
    are its own properties, for objects without points, and for more than `MAX_OBJECTS` objects.

    For several objects, these are the numbers that each of them has, such as the angles of mirrors;
    setting a number sets it for all of them.
    """
    if len(objects) > MAX_OBJECTS:
        return ()
    placed = _objects_with_points(objects)
    if not placed or (
        len(objects) == 1 and (len(control_points(placed[0])) == 1 or isinstance(placed[0], Handle))
    ):
        return ()
    numbers = [{n.label: n for n in _object_placement_numbers(o)} for o in placed]
    common = [label for label in numbers[0] if all(label in own for own in numbers)]
    return *CENTRE_NUMBERS, *(
        _common_placement_number([own[label] for own in numbers]) for label in common
    )


def _common_placement_number(numbers: Sequence[_ObjectNumber]) -> PlacementNumber:
    """One placement number for several objects: reads the value they have in common, NaN if they
    differ, and sets it for all.
    """
    first = numbers[0]

    def numbers_of_objects(objects: Objects) -> list[_ObjectNumber]:
        every = (_object_placement_numbers(o) for o in _objects_with_points(objects))
        return [n for own in every for n in own if n.label == first.label]

    def common_value(objects: Objects) -> float:
        values = [n.value for n in numbers_of_objects(objects)]
        return values[0] if len({round(v, COMPARED_DECIMALS) for v in values}) == 1 else math.nan

    def changes_to_value(objects: Objects, value: float) -> Changes:
        return [n.change(value) for n in numbers_of_objects(objects)]

    low = max((n.low for n in numbers if n.low is not None), default=None)
    single = len(numbers) == 1
    about = first.about if single else f"Of each. {first.about}"
    motion = first.motion if single else ""
    return PlacementNumber(
        first.label, first.unit, common_value, changes_to_value, low, about, motion
    )


def part_placement_numbers(
    part_of_object: Callable[[Objects], Part],
) -> tuple[PlacementNumber, ...]:
    """The numbers that position a whole part: the position of its middle, and its angle.
    ``part_of_object`` returns the part that consists of given objects.
    """

    def place(objects: Objects) -> Point:
        at = part_of_object(objects).placement
        return Point(at.dx, at.dy)

    def angle(objects: Objects) -> float:
        return part_of_object(objects).placement.angle(0.0) + 0.0

    def turn(objects: Objects, value: float) -> Rotate:
        return Rotate([o.key for o in objects], value - angle(objects), place(objects))

    def shift(objects: Objects, dx: float, dy: float) -> Move:
        return Move([o.key for o in objects], dx, dy)

    x, y = CENTRE_NUMBERS
    return (
        replace(x, get=lambda o: place(o).x, change=lambda o, v: shift(o, v - place(o).x, 0.0)),
        replace(y, get=lambda o: place(o).y, change=lambda o, v: shift(o, 0.0, v - place(o).y)),
        PlacementNumber("Angle", "deg", angle, turn, None, ABOUT_CENTRE, "angle"),
    )


def _object_placement_numbers(obj: SceneObject) -> tuple[_ObjectNumber, ...]:
    """The position numbers that the points of an object determine: length and angle of a line,
    radius of an arc or a circle, and angle of an arc or an outline.
    """
    controls = [c for c in control_points(obj) if c.field != "origin"]
    fields = [c.field for c in controls]
    bent = fields == ["p1", "p2", "p3"] and controls[-1].meaning == "bend"
    if fields != ["p1", "p2"] and not bent:
        return _direction_number(obj, "first corner", "second")
    first, last = controls[0], controls[-1]
    numbers = _point_relative_numbers(obj, last)
    if not numbers:  # of a handle the points measure nothing
        return ()
    if bent:
        about = "The ends stay."
    elif isinstance(obj, Source) and first.meaning == "centre":
        # how far away the point is that it shines towards means nothing
        numbers, about = numbers[1:], "Of its direction; its place stays."
    elif numbers[0].label == "Radius":
        numbers, about = numbers[:1], "The centre stays."
    elif first.noun == last.noun:  # two ends alike, as of a mirror
        return _line_numbers(obj, first, last)
    else:
        about = f"From the {first.noun}, which stays."

    def set_point_number(number: PointNumber, value: float) -> Set:
        return Set((obj.key,), last.values(number.put(last.at, value)))

    own = (
        _ObjectNumber(n.label, n.unit, n.get(last.at), partial(set_point_number, n), n.low, about)
        for n in numbers
    )
    return *own, *(_direction_number(obj, "first end", "second") if bent else ())


def _direction_number(obj: SceneObject, start: str, end: str) -> tuple[_ObjectNumber, ...]:
    """The direction from the field ``start`` to the field ``end`` of an object, as a number that
    rotates the object.
    """
    ends = [c.at for c in control_points(obj) if c.meaning == "end"]
    if len(ends) < 2 or isinstance(obj, CropBox | Handle):
        return ()
    _, direction = polar_numbers(ends[0])
    angle = direction.get(ends[1])

    def turn(value: float) -> Rotate:
        return Rotate((obj.key,), value - angle)

    about = f"From its {start} to the {end}. {ABOUT_CENTRE}"
    return (_ObjectNumber("Angle", "deg", angle, turn, None, about, "angle"),)


def _line_numbers(obj: SceneObject, a: ControlPoint, b: ControlPoint) -> tuple[_ObjectNumber, ...]:
    """The length and the angle of an object with two ends. Editing them does not move the object's
    centre.
    """
    length, angle = (number.get(b.at) for number in polar_numbers(a.at))
    digits = polar_decimals(a.at, length) - 1  # what was rounded in both ends
    length, centre = round(length, digits), Point(*(round(c, digits) for c in midpoint(a.at, b.at)))

    def set_length_and_angle(length: float, angle: float) -> Set:
        first, last = (point_at_polar(centre, length / 2, angle + turn) for turn in (180.0, 0.0))
        return Set((obj.key,), {**a.values(first), **b.values(last)})

    label = "Diameter" if isinstance(obj, IdealLens | SphericalLens) else "Length"
    stays = "The centre and the angle stay.", ABOUT_CENTRE
    return (
        _ObjectNumber(
            label, LENGTH, length, lambda v: set_length_and_angle(v, angle), MIN_LENGTH, stays[0]
        ),
        _ObjectNumber(
            "Angle",
            "deg",
            angle,
            lambda v: set_length_and_angle(length, v),
            None,
            stays[1],
            "angle",
        ),
    )
