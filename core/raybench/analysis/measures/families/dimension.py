"""Measures of the size and place of objects, of the distance between two objects, and of the light
that escapes between two objects.
"""

import math
from collections.abc import Sequence

import numpy as np

from raybench.analysis.geometry.edge_curve import least_clearance
from raybench.analysis.geometry.straight import Floats, cross_products
from raybench.analysis.measures.families.beam import angle_on_screen
from raybench.analysis.measures.families.lens import LENS
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    HALF_TURN,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
    select_no_rays,
)
from raybench.analysis.measures.optical_axis import Axis, axis_crossings
from raybench.analysis.measures.selections import MeasuredObject, SelectedRays
from raybench.analysis.rays.stray_light import GapsOfEscapingRays, bounding_objects, escape_gaps
from raybench.analysis.scene.objects import box_as_traced
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.blockers import Aperture
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.mirrors import ArcMirror, ParabolicMirror, Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, Source
from raybench.scene.changes.placing import mean_point, object_centre
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line, Shape

Pair = tuple[MeasuredObject, MeasuredObject]


def _pair_of_objects(light: Light, first: int, second: int) -> Pair:
    return MeasuredObject(light, first), MeasuredObject(light, second)


PLACES: Family = Family(
    "Between two objects",
    (Parameter("object", Role.OBJECT),),
    MeasuredObject,
    needs=RowsNeeded.NONE,
    rays=select_no_rays,
)
TWO_OBJECTS = tuple(Parameter(name, Role.OBJECT) for name in ("first", "second"))
TWO_SURFACES = tuple(Parameter(name, Role.SURFACE) for name in ("first", "second"))


@PLACES.measure(
    Unit.LENGTH,
    "x coordinate of the centre of {object}",
    "What is the x coordinate of {object}?",
)
def centre_x(thing: MeasuredObject) -> float:
    """The x coordinate of the centre of an object, about which it turns: the vertex of a curved
    mirror, the start of a point source or a ray, the mean of the objects of a group.
    """
    return _object_centre(thing).x


@PLACES.measure(
    Unit.LENGTH,
    "y coordinate of the centre of {object}",
    "What is the y coordinate of {object}?",
)
def centre_y(thing: MeasuredObject) -> float:
    """The y coordinate, downwards, of the centre of an object (see centre_x)."""
    return _object_centre(thing).y


@PLACES.measure(
    Unit.LENGTH,
    "distance between the centres of {first} and {second}",
    "What is the distance from {first} to {second} [centre]?",
    "How far apart are {first} and {second} [spacing separation]?",
    parameters=TWO_OBJECTS,
    select=_pair_of_objects,
)
def distance(pair: Pair) -> float:
    """Distance between the centres of two objects: the vertex of a curved mirror, the start of a
    point source or a ray, the mean of the objects of a group.
    """
    return math.dist(*map(_object_centre, pair))


@PLACES.measure(
    Unit.LENGTH,
    "gap between {first} and {second}",
    "How large is the gap between {first} and {second}?",
    parameters=TWO_OBJECTS,
    select=_pair_of_objects,
)
def gap(pair: Pair) -> float:
    """Least distance between the surfaces of two objects, 0 where they touch; for a source, from
    the points where its light starts.
    """
    return least_clearance(*map(_surface_shapes, pair))


@PLACES.measure(
    Unit.LENGTH,
    "distance between {first} and {second} along the optical axis",
    "What is the distance from {first} to {second} along the axis?",
    parameters=TWO_OBJECTS,
    select=_pair_of_objects,
)
def axial_gap(pair: Pair) -> float:
    """Distance between the surfaces of two objects along the optical axis of the first or, if it
    has none, of the second.
    """
    first, second = pair
    axis = first.optical_axis or second.optical_axis
    if axis is None:
        raise Undefined(
            f"Neither {first.title} nor {second.title} has an optical axis; distance and gap need"
            " none."
        )
    ours, theirs = (_axis_crossings(thing, axis) for thing in pair)
    return min(abs(a - b) for a in ours for b in theirs)


@PLACES.measure(
    Unit.ANGLE,
    "angle between {first} and {second}",
    "What is the angle between {first} and {second}?",
    "Are {first:object} and {second:object} parallel [perpendicular]?",
    parameters=TWO_OBJECTS,
    select=_pair_of_objects,
)
def angle_between(pair: Pair) -> float:
    """Angle between two straight objects, such as flat mirrors, from 0 to 90. A source counts with
    the direction of its light; between two sources the angle is from 0 to 180.
    """
    (ax, ay), (bx, by) = map(_line_direction, pair)
    along = ax * bx + ay * by
    if not all(isinstance(thing.members[0], Source) for thing in pair):
        along = abs(along)
    return math.degrees(math.atan2(abs(ax * by - ay * bx), along))


def _line_direction(thing: MeasuredObject) -> tuple[float, float]:
    """The direction of a straight object, or of the light of a source. Raises Undefined for other
    objects.
    """
    if isinstance(obj := thing.members[0], Source):
        axis = kind_row_of(obj).axis(obj)
        if axis is None:
            raise Undefined(f"{thing.title} emits in no one direction.")
        return axis.direction
    shapes = thing.shapes
    if len(shapes) != 1 or not isinstance(shapes[0], Line):
        raise Undefined(f"{thing.title} is not straight.")
    return shapes[0].b.x - shapes[0].a.x, shapes[0].b.y - shapes[0].a.y


def _object_centre(thing: MeasuredObject) -> Point:
    return mean_point([_vertex_or_centre(obj) for obj in thing.members])


def _vertex_or_centre(obj: SceneObject) -> Point:
    """The vertex of a curved mirror; the centre of any other object."""
    axis = kind_row_of(obj).axis(obj) if isinstance(obj, Reflector) else None
    return object_centre(obj) if axis is None else axis.at


def _surface_shapes(thing: MeasuredObject) -> Sequence[Shape]:
    """The shapes of an object's edges; for a source, the shapes on which its light starts."""
    if isinstance(obj := thing.members[0], Source):
        start = object_centre(obj)
        return [Line(obj.p1, obj.p2) if isinstance(obj, Beam) else Line(start, start)]
    return thing.shapes


def _axis_crossings(thing: MeasuredObject, axis: Axis) -> list[float]:
    """The points where an axis crosses an object, as distances along the axis; for a source, the
    points where its light starts. Raises Undefined if the axis misses the object.
    """
    (x, y), (dx, dy) = axis
    if isinstance(thing.members[0], Source):
        at = _object_centre(thing)
        return [(at.x - x) * dx + (at.y - y) * dy]
    reach = 1.0 + sum(
        math.dist((x, y), p) + (s.length if math.isfinite(s.length) else 0.0)
        for s in thing.shapes
        for p in (s.a, s.midpoint)
    )
    met = axis_crossings(axis, thing.shapes, reach)
    if not met:
        raise Undefined(
            f"The optical axis does not meet {thing.title}; distance and gap need no axis."
        )
    return met


def cached_escape_gaps(light: Light) -> GapsOfEscapingRays:
    """The gaps between objects through which the traced light escapes."""
    return light.cached_value(
        ("gaps", -1), lambda: escape_gaps(light.result, light.scene, light.disabled)
    )


def _rays_escaping_between(light: Light, first: int, second: int) -> SelectedRays:
    found = cached_escape_gaps(light)
    return SelectedRays(light, found.rows[found.rays_between(first, second)])


def why_no_light_escapes(light: Light, first: int, second: int) -> str:
    """A sentence that says why no light escapes between two objects."""
    bounding = bounding_objects(light.scene, light.disabled)
    for index in (first, second):
        if index not in bounding:
            return f"{light.title(index)} lets light pass and bounds no gap"
    found = cached_escape_gaps(light)
    if not len(found.rows):
        return "no light escapes"
    of_these = np.isin(found.pair, (first, second)).any(axis=1)
    pairs, which = np.unique(found.pair, axis=0, return_inverse=True)
    power = light.result.total_power[found.rows] * np.where(of_these | ~of_these.any(), 1.0, 0.0)
    one, other = pairs[np.bincount(which.ravel(), power).argmax()].tolist()
    if one < 0:
        return "light escapes past no wall"
    where = (
        f"past {light.title(one)}"
        if one == other
        else f"between {light.title(one)} and {light.title(other)}"
    )
    whose = (
        "of the light that escapes, the most beside one of these leaves"
        if of_these.any()
        else "most light escapes"
    )
    return f"{whose} {where}"


@PLACES.measure(
    Unit.POWER,
    "power that escapes between {first} and {second}",
    "How much power escapes between {first} and {second}?",
    parameters=TWO_SURFACES,
    select=_rays_escaping_between,
    needs=RowsNeeded.ROWS,
    rays=None,
)
def escaped_between(escaping: SelectedRays) -> float:
    """Power that escapes through the gap between two walls: the walls whose ends are nearest to the
    escaping ray on either side.
    """
    return escaping.power


@PLACES.measure(
    Unit.ONE,
    "share of the emitted power that escapes between {first} and {second}",
    "What share of the power escapes between {first} and {second}?",
    parameters=TWO_SURFACES,
    select=_rays_escaping_between,
    needs=RowsNeeded.ROWS,
    rays=None,
    share=True,
)
def escaped_share(escaping: SelectedRays) -> float:
    """Power that escapes through the gap between two walls as a fraction of the emitted power."""
    return escaping.light.share(escaping.power)


SIZES: Family = Family(
    "Size of an object", (LENS,), MeasuredObject, needs=RowsNeeded.NONE, rays=select_no_rays
)
PARALLEL = 1e-9
"""Difference of the distances of the ends of parallel faces, relative to their length."""


@SIZES.measure(
    Unit.LENGTH,
    "diameter of {object}",
    "What is the diameter of {object}?",
    "How wide is {object} [large]?",
)
def diameter(thing: MeasuredObject) -> float:
    """Full size of an object across its optical axis, as of a lens or a curved mirror; the length
    of a straight object, and the width of an aperture's opening.
    """
    if len(thing.members) == 1 and isinstance(opening := thing.members[0], Aperture):
        return math.dist(opening.p3, opening.p4)
    if (circle := _circle_outline(thing)) is not None:
        return 2 * circle.radius
    if (axis := thing.optical_axis) is not None:
        return _size_in_frame(thing, axis, 1)
    shapes = thing.shapes
    if len(shapes) == 1 and isinstance(shapes[0], Line):
        return shapes[0].length
    raise Undefined(
        f"{thing.title} has no optical axis across which it has a diameter; its sizes are"
        " horizontal_size and vertical_size."
    )


@SIZES.measure(Unit.LENGTH, "thickness of {object}", "How thick is {object}?")
def thickness(thing: MeasuredObject) -> float:
    """Length of an object along its optical axis: the centre thickness of a lens, the length of a
    system from first to last surface; of a plate or a rod the distance between its two longest
    faces.
    """
    if (circle := _circle_outline(thing)) is not None:
        return 2 * circle.radius
    if (plate := _plate_thickness(thing)) is not None:
        return plate
    if (axis := thing.optical_axis) is None:
        raise Undefined(
            f"{thing.title} has no optical axis along which it has a thickness; its sizes are"
            " horizontal_size and vertical_size."
        )
    return float(np.ptp(_axis_crossings(thing, axis)))


@SIZES.measure(
    Unit.LENGTH,
    "edge thickness of {object}",
    "What is the thickness of {object} at its rim?",
)
def edge_thickness(thing: MeasuredObject) -> float:
    """Thickness of a lens at its rim, along the optical axis, at the thinner end: 0 where its
    surfaces meet in an edge.
    """
    if _circle_outline(thing) is not None:
        return 0.0
    if (axis := thing.optical_axis) is None:
        raise Undefined(f"{thing.title} has no optical axis along which its rim has a thickness.")
    along, across = np.array(axis[1]), _size_in_frame(thing, axis, 1)
    ends: Floats = np.array([p[:2] for shape in thing.shapes for p in (shape.a, shape.b)])
    on, off = ends @ along, cross_products(along, ends)
    near = PARALLEL * across
    if np.ptp(off) < across - near:
        return 0.0  # the rim is the summit of a curve
    return float(min(np.ptp(on[np.abs(off - rim) <= near]) for rim in (off.min(), off.max())))


@SIZES.measure(
    Unit.LENGTH,
    "depth of {object} from its vertex to its rim",
    "How deep is {object}?",
    "What is the sag of {object}?",
    parameters=(Parameter("object", Role.SURFACE, noun="mirror"),),
)
def sag(mirror: MeasuredObject) -> float:
    """Depth of a curved mirror along its axis, from its vertex to its rim."""
    axis = mirror.optical_axis
    if axis is None or not isinstance(mirror.members[0], ArcMirror | ParabolicMirror):
        raise Undefined(f"{mirror.title} is no curved mirror with an axis.")
    return _size_in_frame(mirror, axis, 0)


@SIZES.measure(
    Unit.LENGTH, "horizontal size of {object}", "What is the horizontal size of {object}?"
)
def horizontal_size(thing: MeasuredObject) -> float:
    """Full size of an object in x."""
    return _size_in_frame(thing, None, 0)


@SIZES.measure(
    Unit.LENGTH,
    "vertical size of {object}",
    "What is the vertical size of {object}?",
    "How high is {object}?",
)
def vertical_size(thing: MeasuredObject) -> float:
    """Full size of an object in y."""
    return _size_in_frame(thing, None, 1)


@SIZES.measure(
    Unit.ANGLE,
    "angle of {line} to the horizontal",
    "What is the tilt [angle] of {line}?",
    "What is the angle of {line} [inclination]?",
    "At what angle to the horizontal is {line}?",
    parameters=(Parameter("line", Role.LINE, noun="mirror"),),
    period=HALF_TURN,
    senses=("counter-clockwise", "clockwise"),
)
def tilt(thing: MeasuredObject) -> float:
    """Angle of a straight object to the horizontal, in (-90, 90], counter-clockwise on screen."""
    angle = angle_on_screen(*_line_direction(thing))
    return angle - 180.0 if angle > 90.0 else angle + 180.0 if angle <= -90.0 else angle


def _plate_thickness(thing: MeasuredObject) -> float | None:
    """The distance between the two longest faces of a plate or rod; None if these are not flat and
    parallel.
    """
    faces = [shape for shape in thing.shapes if isinstance(shape, Line)]
    if len(thing.members) != 1 or len(faces) < 4 or len(faces) < len(thing.shapes):
        return None
    one, other = sorted(faces, key=lambda face: -face.length)[:2]
    along = np.array([one.b.x - one.a.x, one.b.y - one.a.y]) / one.length
    off = [
        float(cross_products(along, np.array([p.x - one.a.x, p.y - one.a.y])))
        for p in (other.a, other.b)
    ]
    return abs(off[0]) if abs(off[0] - off[1]) <= PARALLEL * other.length else None


def _circle_outline(thing: MeasuredObject) -> Arc | None:
    """The outline of an object if it is a full circle; None otherwise."""
    shapes = thing.shapes
    return (
        shapes[0]
        if len(shapes) == 1 and isinstance(shapes[0], Arc) and shapes[0].is_full_circle
        else None
    )


def _size_in_frame(thing: MeasuredObject, axis: Axis | None, coordinate: int) -> float:
    """The size of the bounding box of an object along ``axis`` (``coordinate`` 0) or across it (1).
    Without an axis the frame is that of the scene. Raises Undefined if the size is infinite.
    """
    objects = thing.members
    if axis is not None:
        turn = Similarity.rotation(
            math.degrees(math.atan2(axis[1][1], axis[1][0])), Point(0.0, 0.0)
        )
        objects = [kind_row_of(obj).transformed(obj, turn) for obj in objects]
    boxes: Floats = np.array([box_as_traced(obj, thing.light.scene) for obj in objects])
    size = float(boxes[:, 2 + coordinate].max() - boxes[:, coordinate].min())
    if not math.isfinite(size):
        raise Undefined(f"{objects[0].title} has no end.")
    return size
