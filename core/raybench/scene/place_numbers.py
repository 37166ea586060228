"""The numbers by which whole objects are placed: their centre; of a line its length and its angle,
of an arc or a circle its radius.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from raybench.kinds.aspects.similarity import cosine_and_sine
from raybench.kinds.decorations import Handle
from raybench.kinds.fields import LENGTH
from raybench.kinds.kinds import row_of
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.scene.changes.placing import Move, centre_of_all
from raybench.scene.changes.setting import Set
from raybench.scene.changes.transaction import Changes, listed
from raybench.scene.control_points import ControlPoint, control_points
from raybench.shapes.point import Point, decimals, midpoint
from raybench.shapes.shape import Arc, arc_through

DIGITS = 13
"""Significant digits of coordinates that are computed from a length and an angle."""


@dataclass(frozen=True)
class PointNumber:
    """A number of a point: ``get`` reads it, ``put`` is the point with another value of it.
    ``unit`` as in `raybench.kinds.fields`.
    """

    label: str
    unit: str
    get: Callable[[Point], float]
    put: Callable[[Point, float], Point]
    low: float | None = None


COORDINATES = (
    PointNumber("X", LENGTH, lambda p: p.x, lambda p, x: Point(x, p.y)),
    PointNumber("Y", LENGTH, lambda p: p.y, lambda p, y: Point(p.x, y)),
)


def places_at(about: Point, length: float) -> int:
    """Decimals of the coordinates of a point at a distance from another."""
    return decimals(max(abs(about.x), abs(about.y), length), DIGITS)


def at_polar(about: Point, length: float, degrees: float) -> Point:
    """The point at a distance from another, in a direction counter-clockwise as seen."""
    cosine, sine = cosine_and_sine(degrees)
    digits = places_at(about, length)  # so that 60 up from -60 is 0, not its rounding error
    return Point(round(about.x + length * cosine, digits), round(about.y - length * sine, digits))


def polar_numbers(about: Point, label: str = "Length") -> tuple[PointNumber, PointNumber]:
    """The distance from a point and the direction, in degrees counter-clockwise as seen."""

    def angle(p: Point) -> float:
        return math.degrees(math.atan2(about.y - p.y, p.x - about.x)) + 0.0

    def turned(p: Point, degrees: float) -> Point:
        length = math.dist(p, about)
        return at_polar(
            about, round(length, places_at(about, length) - 1), degrees
        )  # undoes the rounding of both coordinates

    return (
        PointNumber(
            label,
            LENGTH,
            lambda p: math.dist(p, about),
            lambda p, length: at_polar(about, length, angle(p)),
            0.0,
        ),
        PointNumber("Angle", "deg", angle, turned),
    )


def bend_radius(a: Point, b: Point) -> PointNumber:
    """The radius of the arc from ``a`` to ``b`` through a point; the new point is in the middle of
    the arc, on the same side.
    """
    half, middle = math.dist(a, b) / 2, midpoint(a, b)
    nx, ny = ((b.y - a.y) / (2 * half), (a.x - b.x) / (2 * half)) if half else (0.0, 0.0)

    def get(p: Point) -> float:
        arc = arc_through(a, p, b)
        return arc.radius if isinstance(arc, Arc) else math.inf

    def put(p: Point, radius: float) -> Point:
        height = (p.x - middle.x) * nx + (p.y - middle.y) * ny
        rest = math.sqrt(max(radius * radius - half * half, 0.0))
        sagitta = math.copysign(radius + rest if abs(height) > half else radius - rest, height)
        return Point(middle.x + sagitta * nx, middle.y + sagitta * ny)

    return PointNumber("Radius", LENGTH, get, put, half)


def vertex_focal_length(a: Point, b: Point) -> PointNumber:
    """The focal length of the parabola from ``a`` to ``b`` with a vertex; the new vertex is before
    their middle, on the same side.
    """
    half, middle = math.dist(a, b) / 2, midpoint(a, b)
    nx, ny = ((b.y - a.y) / (2 * half), (a.x - b.x) / (2 * half)) if half else (0.0, 0.0)

    def height(p: Point) -> float:
        return (p.x - middle.x) * nx + (p.y - middle.y) * ny

    def get(p: Point) -> float:
        return half * half / (4 * abs(height(p))) if height(p) else math.inf

    def put(p: Point, focal_length: float) -> Point:
        depth = (
            math.copysign(half * half / (4 * focal_length), height(p))
            if focal_length
            else height(p)
        )
        return Point(middle.x + depth * nx, middle.y + depth * ny)

    return PointNumber("Focal length", LENGTH, get, put, half / 1e3)


def point_numbers(obj: SceneObject, control: ControlPoint) -> tuple[PointNumber, ...]:
    """The coordinates of a control point, then what it measures: from the other end, the centre or
    the corner before, or of its arc.
    """
    return *COORDINATES, *_relative_numbers(obj, control)


def _relative_numbers(obj: SceneObject, control: ControlPoint) -> Iterator[PointNumber]:
    points = control_points(obj)
    if control.meaning == "bend":
        ends = _ends_of_bend(obj, control)
        if ends is not None:
            yield (
                vertex_focal_length(*ends)
                if isinstance(obj, ParabolicMirror)
                else bend_radius(*ends)
            )
            return
    others = [p for p in points if p != control and p.field != control.field]
    if control.field == row_of(obj).centre or not control.path:
        return
    if row_of(obj).centre and any(isinstance(e.shape, Arc) and e.shape.full for e in edges_of(obj)):
        yield from polar_numbers(others[0].at, "Radius")
    elif (before := _point_before(points, control)) is not None:
        yield from polar_numbers(before)


def _ends_of_bend(obj: SceneObject, control: ControlPoint) -> tuple[Point, Point] | None:
    """The ends of the arc that a point bends; None for a control point of a Bezier curve."""
    own = [p.at for p in control_points(obj) if p.field == control.field]
    if len(own) > 1:
        return (
            (own[control.index - 1], own[(control.index + 1) % len(own)])
            if control.path.endswith("]")
            else None
        )
    ends = {p.field: p.at for p in control_points(obj)}
    return (ends["p1"], ends["p2"]) if {"p1", "p2"} <= ends.keys() else None


def _point_before(points: tuple[ControlPoint, ...], control: ControlPoint) -> Point | None:
    """The corner or node before a point; the other end of an object with two points of its own."""
    own = [p for p in points if p.field == control.field]
    if len(own) > 1:
        nodes = [p for p in own if p.meaning != "bend" or p == control]
        return nodes[nodes.index(control) - 1].at
    return next(
        (p.at for p in points if p.field in ("p1", "p2") and p.field != control.field), None
    )


Objects = Sequence[SceneObject]
MOST_EACH = 100
"""Maximum number of objects whose numbers are compared."""
SAME = 9
"""Decimals to which the numbers of several objects are compared."""
SHORTEST = 1e-9
"""Smallest length that a line is given: at 0 its angle would be lost."""
MOST = 200
"""Maximum number of objects with common numbers, which a form has to compute at each change."""


@dataclass(frozen=True)
class PlaceNumber:
    """A number of objects: ``get`` reads it, NaN where each has another, ``change`` gives it
    another value. ``unit`` as in `raybench.kinds.fields`.
    """

    label: str
    unit: str
    get: Callable[[Objects], float]
    change: Callable[[Objects, float], Changes]
    low: float | None = None
    about: str = ""
    """A sentence on what stays unchanged."""
    motion: str = ""
    """The motion by which a study changes it (`raybench.study.terms.parameter`); empty for none."""


def _objects_centre(objects: Objects) -> Point:
    return centre_of_all(_objects_with_points(objects))


def _objects_with_points(objects: Objects) -> list[SceneObject]:
    """The objects that have points."""
    return [o for o in objects if control_points(o)]


def _object_keys(objects: Objects) -> list[int]:
    return [o.key for o in _objects_with_points(objects)]


CENTRE = (
    PlaceNumber(
        "Centre x",
        LENGTH,
        lambda o: _objects_centre(o).x,
        lambda o, x: Move(_object_keys(o), x - _objects_centre(o).x, 0.0),
        motion="x",
    ),
    PlaceNumber(
        "Centre y",
        LENGTH,
        lambda o: _objects_centre(o).y,
        lambda o, y: Move(_object_keys(o), 0.0, y - _objects_centre(o).y),
        motion="y",
    ),
)
"""Where the mean of the objects' centres is; another value moves all of them."""


def _of_last_point(obj: SceneObject) -> tuple[PlaceNumber, ...]:
    """What the last point of an object of two or three measures: a line's length and angle, an
    arc's or a circle's radius.
    """
    controls = control_points(obj)
    fields = [c.field for c in controls]
    if fields != ["p1", "p2"] and not (
        fields == ["p1", "p2", "p3"] and controls[-1].meaning == "bend"
    ):
        return ()
    numbers = point_numbers(obj, controls[-1])[len(COORDINATES) :]
    if not numbers:  # of a handle the points measure nothing
        return ()
    first = 0
    if len(controls) == 3:
        about = "The ends stay."
    elif isinstance(obj, Source) and controls[0].meaning == "centre":
        first, about = (
            1,
            "Of its direction; its place stays.",
        )  # how far away the point is that it shines towards means nothing
    elif numbers[0].label == "Radius":
        numbers, about = numbers[:1], "The centre stays."
    elif controls[0].noun != controls[1].noun:
        about = f"From the {controls[0].noun}, which stays."
    else:  # two ends alike, as of a mirror
        return _of_line(0, "The centre and the angle stay."), _of_line(
            1, "About the centre, which stays."
        )
    return tuple(_of_point(numbers[i], i, about) for i in range(first, len(numbers)))


def _of_point(number: PointNumber, which: int, about: str) -> PlaceNumber:
    """A number of an object, read and changed at its last point."""

    def last(objects: Objects) -> tuple[PointNumber, ControlPoint]:
        control = control_points(objects[0])[-1]
        return point_numbers(objects[0], control)[len(COORDINATES) + which], control

    def get(objects: Objects) -> float:
        read, control = last(objects)
        return read.get(control.at)

    def change(objects: Objects, value: float) -> Changes:
        read, control = last(objects)
        return Set((objects[0].key,), control.values(read.put(control.at, value)))

    return PlaceNumber(number.label, number.unit, get, change, number.low, about)


def _of_line(which: int, about: str) -> PlaceNumber:
    """The length or the angle of an object with two ends, which stays where its centre is."""

    def measured(objects: Objects) -> tuple[Point, tuple[float, float]]:
        a, b = (c.at for c in control_points(objects[0]))
        length, angle = (number.get(b) for number in polar_numbers(a))
        digits = places_at(a, length) - 1  # what was rounded in both ends
        return Point(round((a.x + b.x) / 2, digits), round((a.y + b.y) / 2, digits)), (
            round(length, digits),
            angle,
        )

    def change(objects: Objects, value: float) -> Changes:
        centre, (length, angle) = measured(objects)
        length, angle = (value, angle) if which == 0 else (length, value)
        first, last = (at_polar(centre, length / 2, angle + turn) for turn in (180.0, 0.0))
        a, b = control_points(objects[0])
        return Set((objects[0].key,), {**a.values(first), **b.values(last)})

    label, unit = (("Length", LENGTH), ("Angle", "deg"))[which]
    return PlaceNumber(
        label,
        unit,
        lambda objects: measured(objects)[1][which],
        change,
        SHORTEST if which == 0 else None,
        about,
    )


def place_numbers(objects: Objects) -> tuple[PlaceNumber, ...]:
    """The numbers that place objects as a whole; none for a single point, whose coordinates are its
    own properties, for what is not placed by points, and for more than `MOST`. The centre is left
    out where it is a property of the object.
    """
    if len(objects) > MOST:
        return ()
    placed = _objects_with_points(objects)
    if not placed or (
        len(objects) == 1 and (len(control_points(placed[0])) == 1 or isinstance(placed[0], Handle))
    ):
        return ()
    if len(objects) > 1:
        return (*CENTRE, *(_of_each(placed) if len(placed) <= MOST_EACH else ()))
    own = _of_one(placed[0])
    return own if row_of(placed[0]).centre else (*CENTRE, *own)


def _of_one(obj: SceneObject) -> tuple[PlaceNumber, ...]:
    """The numbers of one object besides its centre."""
    own = _of_last_point(obj)
    if own and isinstance(obj, IdealLens | SphericalLens):
        own = (replace(own[0], label="Diameter"), *own[1:])
    return own


def _of_each(objects: Objects) -> tuple[PlaceNumber, ...]:
    """The numbers that each of several objects has, such as the angles of mirrors: another value is
    given to all of them.
    """
    numbers = [_of_one(o) for o in objects]
    labels = [n.label for n in numbers[0]]
    if any([n.label for n in own] != labels for own in numbers[1:]):
        return ()

    def common(of: Objects, i: int) -> float:
        values = {round(_of_one(o)[i].get([o]), SAME) for o in _objects_with_points(of)}
        return values.pop() if len(values) == 1 else math.nan

    def each(of: Objects, i: int, value: float) -> Changes:
        return [
            change
            for o in _objects_with_points(of)
            for change in listed(_of_one(o)[i].change([o], value))
        ]

    lows = [
        max((low for own in numbers if (low := own[i].low) is not None), default=None)
        for i in range(len(labels))
    ]
    return tuple(
        PlaceNumber(
            n.label,
            n.unit,
            partial(common, i=i),
            lambda of, value, i=i: each(of, i, value),  # type: ignore[misc]
            lows[i],
            f"Of each. {n.about}",
        )
        for i, n in enumerate(numbers[0])
    )
