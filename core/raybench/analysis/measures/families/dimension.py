"""Measures of the size of an object, whatever the light does; of the places of objects and the
distances between them; and of the light that escapes between two.
"""

import math

import numpy as np

from raybench.analysis.geometry.contact import contacts_with
from raybench.analysis.geometry.edge_curve import least_clearance
from raybench.analysis.geometry.straight import Floats, Rows, cross_products
from raybench.analysis.measures.families.beam import as_seen
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    HALF_TURN,
    Measure,
    Parameter,
    Role,
    Undefined,
    Unit,
    no_rays,
)
from raybench.analysis.measures.paraxial import Axis, own_axis
from raybench.analysis.rays.stray_light import Gaps, escape_gaps
from raybench.analysis.scene.objects import box_as_traced
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.blockers import Aperture
from raybench.kinds.kinds import row_of
from raybench.kinds.mirrors import ArcMirror, ParabolicMirror, Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, Source
from raybench.scene.changes.placing import centre_of, mean_point
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line, Shape

ANYTHING = Parameter("object", Role.OBJECT)
FIRST, SECOND = Parameter("first", Role.SURFACE), Parameter("second", Role.SURFACE)
ONE, OTHER = Parameter("first", Role.OBJECT), Parameter("second", Role.OBJECT)


def centre_x(light: Light, index: int) -> float:
    """The x coordinate of the centre of an object, about which it turns: of a curved mirror its
    vertex, of a point source or a ray where it starts, of a group the mean of its objects.
    """
    return _object_centre(light, index).x


def centre_y(light: Light, index: int) -> float:
    """The y coordinate, downwards, of the centre of an object (see centre_x)."""
    return _object_centre(light, index).y


def distance(light: Light, first: int, second: int) -> float:
    """Distance between the centres of two objects: of a curved mirror its vertex, of a point source
    or a ray where it starts, of a group the mean of its objects.
    """
    return math.dist(_object_centre(light, first), _object_centre(light, second))


def gap(light: Light, first: int, second: int) -> float:
    """Least distance between the surfaces of two objects, 0 where they touch; of a source from
    where its light starts.
    """
    return least_clearance(_outline_shapes(light, first), _outline_shapes(light, second))


def axial_gap(light: Light, first: int, second: int) -> float:
    """Distance between the surfaces of two objects along the optical axis of the first or, if it
    has none, of the second.
    """
    axis = own_axis(light, first) or own_axis(light, second)
    if axis is None:
        raise Undefined(
            f"Neither {light.title(first)} nor {light.title(second)} has an optical axis; distance"
            " and gap need none."
        )
    ours, theirs = (along_axis(light, index, axis) for index in (first, second))
    return min(abs(a - b) for a in ours for b in theirs)


def angle_between(light: Light, first: int, second: int) -> float:
    """Angle between two straight objects, such as flat mirrors, or with the light of a source: from
    0 to 90, of two sources to 180.
    """
    (ax, ay), (bx, by) = (line_of(light, index) for index in (first, second))
    along = ax * bx + ay * by
    if not all(isinstance(light.things[index], Source) for index in (first, second)):
        along = abs(along)
    return math.degrees(math.atan2(abs(ax * by - ay * bx), along))


def line_of(light: Light, index: int) -> tuple[float, float]:
    """The direction of a straight object, or of the light of a source. Raises Undefined for others."""
    if isinstance(obj := light.things[index], Source):
        axis = row_of(obj).axis(obj)
        if axis is None:
            raise Undefined(f"{light.title(index)} emits in no one direction.")
        return axis.direction
    shapes = _outline_shapes(light, index)
    if len(shapes) != 1 or not isinstance(shapes[0], Line):
        raise Undefined(f"{light.title(index)} is not straight.")
    return shapes[0].b.x - shapes[0].a.x, shapes[0].b.y - shapes[0].a.y


def _object_centre(light: Light, index: int) -> Point:
    return mean_point([_vertex_or_centre(obj) for obj in _measured_objects(light, index)])


def _vertex_or_centre(obj: SceneObject) -> Point:
    """The vertex of a mirror that has one, else the centre."""
    axis = row_of(obj).axis(obj) if isinstance(obj, Reflector) else None
    return centre_of(obj) if axis is None else axis.at


def _measured_objects(light: Light, index: int) -> list[SceneObject]:
    return [light.scene.optical[i] for i in light.members(index)]


def _outline_shapes(light: Light, index: int) -> list[Shape]:
    if isinstance(obj := light.things[index], Source):
        return [
            Line(obj.p1, obj.p2) if isinstance(obj, Beam) else Line(centre_of(obj), centre_of(obj))
        ]
    return [edge.shape for member in light.members(index) for edge in light.edges(member)]


def along_axis(light: Light, index: int, axis: Axis) -> list[float]:
    """Where an axis meets an object, as distances along it; of a source where its light starts.
    Raises Undefined if it misses it.
    """
    (x, y), (dx, dy) = axis
    if isinstance(light.things[index], Source):
        at = _object_centre(light, index)
        return [(at.x - x) * dx + (at.y - y) * dy]
    shapes = _outline_shapes(light, index)
    reach = 1.0 + sum(
        math.dist((x, y), p) + (s.length if math.isfinite(s.length) else 0.0)
        for s in shapes
        for p in (s.a, s.midpoint)
    )
    line = (
        np.array([[x - reach * dx, y - reach * dy]]),
        np.array([[x + reach * dx, y + reach * dy]]),
    )
    met = [float(along) - reach for shape in shapes for along in contacts_with(*line, shape).along]
    if not met:
        raise Undefined(
            f"The optical axis does not meet {light.title(index)}; distance and gap need no axis."
        )
    return met


def escaped_between(light: Light, first: int, second: int) -> float:
    """Power that escapes through the gap between two objects: those that, seen from where the light
    was last, stand on either side.
    """
    return float(light.result.total_power[_escaping_between(light, first, second)].sum())


def escaped_share(light: Light, first: int, second: int) -> float:
    """Power that escapes through the gap between two objects as a fraction of the emitted power."""
    return light.share(escaped_between(light, first, second))


def _escaping_between(light: Light, first: int, second: int) -> Rows:
    """The segments that escape through the gap between two objects."""
    found = gaps_of(light)
    return found.rows[found.between(first, second)]


def gaps_of(light: Light) -> Gaps:
    """The gaps through which light escapes."""
    return light.cached(
        ("gaps", -1), lambda: escape_gaps(light.result, light.scene, light.disabled)
    )


BETWEEN = (
    Measure(
        centre_x,
        Unit.LENGTH,
        (ANYTHING,),
        quantity="x coordinate of the centre of {object}",
        rays=no_rays,
        questions=("What is the x coordinate of {object}?",),
    ),
    Measure(
        centre_y,
        Unit.LENGTH,
        (ANYTHING,),
        quantity="y coordinate of the centre of {object}",
        rays=no_rays,
        questions=("What is the y coordinate of {object}?",),
    ),
    Measure(
        distance,
        Unit.LENGTH,
        (ONE, OTHER),
        quantity="distance between the centres of {first} and {second}",
        rays=no_rays,
        questions=("What is the distance from {first} to {second} [centre]?",),
    ),
    Measure(
        gap,
        Unit.LENGTH,
        (ONE, OTHER),
        quantity="gap between {first} and {second}",
        rays=no_rays,
        questions=("How large is the gap between {first} and {second}?",),
    ),
    Measure(
        axial_gap,
        Unit.LENGTH,
        (ONE, OTHER),
        quantity="distance between {first} and {second} along the optical axis",
        rays=no_rays,
        questions=("What is the distance from {first} to {second} along the axis?",),
    ),
    Measure(
        angle_between,
        Unit.ANGLE,
        (ONE, OTHER),
        quantity="angle between {first} and {second}",
        rays=no_rays,
        questions=(
            "What is the angle between {first} and {second}?",
            "Are {first} and {second} parallel [perpendicular]?",
        ),
    ),
    Measure(
        escaped_between,
        Unit.POWER,
        (FIRST, SECOND),
        quantity="power that escapes between {first} and {second}",
        rays=_escaping_between,
        questions=("How much power escapes between {first} and {second}?",),
    ),
    Measure(
        escaped_share,
        Unit.ONE,
        (FIRST, SECOND),
        share=True,
        quantity="share of the emitted power that escapes between {first} and {second}",
        rays=_escaping_between,
        questions=("What share of the power escapes between {first} and {second}?",),
    ),
)


OBJECT = Parameter("object", Role.SYSTEM, noun="lens")

PARALLEL = 1e-9
"""Difference of the distances of the ends of parallel faces, relative to their length."""
MIRROR = Parameter("object", Role.SURFACE, noun="mirror")
LINE = Parameter("line", Role.LINE, noun="mirror")


def diameter(light: Light, index: int) -> float:
    """Full size of an object across its optical axis, as of a lens or a curved mirror; the length
    of one that is a straight line, and the width of an aperture's opening.
    """
    members = [light.scene.optical[i] for i in light.members(index)]
    if len(members) == 1 and isinstance(opening := members[0], Aperture):
        return math.dist(opening.p3, opening.p4)
    if (circle := _circle_outline(light, index)) is not None:
        return 2 * circle.radius
    axis = own_axis(light, index)
    if axis is not None:
        return _bounding_size(light, [_turn_to_axis(obj, axis[1]) for obj in members], 1)
    shapes = [edge.shape for i in light.members(index) for edge in light.edges(i)]
    if len(shapes) == 1 and isinstance(shapes[0], Line):
        return shapes[0].length
    raise Undefined(
        f"{light.title(index)} has no optical axis across which it has a diameter; its sizes are"
        " horizontal_size and vertical_size."
    )


def thickness(light: Light, index: int) -> float:
    """Length of an object along its optical axis: the centre thickness of a lens, the length of a
    system from first to last surface; of a plate or a rod the distance of its two longest faces.
    """
    if (circle := _circle_outline(light, index)) is not None:
        return 2 * circle.radius
    if (plate := _plate_thickness(light, index)) is not None:
        return plate
    axis = own_axis(light, index)
    if axis is None:
        raise Undefined(
            f"{light.title(index)} has no optical axis along which it has a thickness; its sizes"
            " are horizontal_size and vertical_size."
        )
    return float(np.ptp(along_axis(light, index, axis)))


def edge_thickness(light: Light, index: int) -> float:
    """Length of a lens along its optical axis at its rim, at the thinner end of it: 0 where its
    surfaces meet in an edge.
    """
    if _circle_outline(light, index) is not None:
        return 0.0
    axis = own_axis(light, index)
    if axis is None:
        raise Undefined(
            f"{light.title(index)} has no optical axis along which its rim has a thickness."
        )
    (_, along), across = (
        axis,
        _bounding_size(
            light, [_turn_to_axis(light.scene.optical[i], axis[1]) for i in light.members(index)], 1
        ),
    )
    ends: Floats = np.array(
        [
            p[:2]
            for i in light.members(index)
            for edge in light.edges(i)
            for p in (edge.shape.a, edge.shape.b)
        ]
    )
    on, off = ends @ np.array(along), cross_products(np.array(along), ends)
    near = PARALLEL * across
    if np.ptp(off) < across - near:
        return 0.0  # the rim is the summit of a curve
    return float(min(np.ptp(on[np.abs(off - rim) <= near]) for rim in (off.min(), off.max())))


def sag(light: Light, index: int) -> float:
    """Depth of a curved mirror along its axis, from its vertex to its rim."""
    axis = own_axis(light, index)
    if (
        axis is None
        or len(light.members(index)) != 1
        or not isinstance(obj := light.scene.optical[index], ArcMirror | ParabolicMirror)
    ):
        raise Undefined(f"{light.title(index)} is no curved mirror with an axis.")
    return _bounding_size(light, [_turn_to_axis(obj, axis[1])], 0)


def horizontal_size(light: Light, index: int) -> float:
    """Full size of an object in x."""
    return _bounding_size(light, [light.scene.optical[i] for i in light.members(index)], 0)


def vertical_size(light: Light, index: int) -> float:
    """Full size of an object in y."""
    return _bounding_size(light, [light.scene.optical[i] for i in light.members(index)], 1)


def tilt(light: Light, index: int) -> float:
    """Angle of a straight object to the horizontal, in (-90, 90], counter-clockwise on screen."""
    angle = as_seen(*line_of(light, index))
    return angle - 180.0 if angle > 90.0 else angle + 180.0 if angle <= -90.0 else angle


def _plate_thickness(light: Light, index: int) -> float | None:
    """The distance of the two longest faces of a plate or a rod, which are flat and parallel; None
    for other objects.
    """
    shapes = sorted(
        (edge.shape for i in light.members(index) for edge in light.edges(i)),
        key=lambda shape: -shape.length,
    )
    if (
        len(light.members(index)) != 1
        or len(shapes) < 4
        or not all(isinstance(shape, Line) for shape in shapes)
    ):
        return None
    one, other = shapes[:2]
    along = np.array([one.b.x - one.a.x, one.b.y - one.a.y]) / one.length
    off = [
        float(cross_products(along, np.array([p.x - one.a.x, p.y - one.a.y])))
        for p in (other.a, other.b)
    ]
    return abs(off[0]) if abs(off[0] - off[1]) <= PARALLEL * other.length else None


def _circle_outline(light: Light, index: int) -> Arc | None:
    """The outline of an object that is a full circle; None for others."""
    shapes = [edge.shape for i in light.members(index) for edge in light.edges(i)]
    return shapes[0] if len(shapes) == 1 and isinstance(shapes[0], Arc) and shapes[0].full else None


def _turn_to_axis(obj: SceneObject, axis: tuple[float, float]) -> SceneObject:
    """An object in a frame whose x axis is along an optical axis."""
    turned: SceneObject = row_of(obj).transformed(
        obj, Similarity.rotation(math.degrees(math.atan2(axis[1], axis[0])), Point(0.0, 0.0))
    )
    return turned


def _bounding_size(light: Light, objects: list[SceneObject], coordinate: int) -> float:
    """The size of the bounding box of some objects. Raises Undefined if it is infinite."""
    boxes: Floats = np.array([box_as_traced(obj, light.scene) for obj in objects])
    size = float(boxes[:, 2 + coordinate].max() - boxes[:, coordinate].min())
    if not math.isfinite(size):
        raise Undefined(f"{objects[0].title} has no end.")
    return size


MEASURES = (
    Measure(
        diameter,
        Unit.LENGTH,
        (OBJECT,),
        quantity="diameter of {object}",
        rays=no_rays,
        questions=("What is the diameter of {object}?",),
    ),
    Measure(
        thickness,
        Unit.LENGTH,
        (OBJECT,),
        quantity="thickness of {object}",
        rays=no_rays,
        questions=("How thick is {object}?",),
    ),
    Measure(
        edge_thickness,
        Unit.LENGTH,
        (OBJECT,),
        quantity="edge thickness of {object}",
        rays=no_rays,
        questions=("What is the thickness of {object} at its rim?",),
    ),
    Measure(
        sag,
        Unit.LENGTH,
        (MIRROR,),
        quantity="depth of {object} from its vertex to its rim",
        rays=no_rays,
        questions=(
            "How deep is {object}?",
            "What is the sag of {object}?",
        ),
    ),
    Measure(
        horizontal_size,
        Unit.LENGTH,
        (OBJECT,),
        quantity="horizontal size of {object}",
        rays=no_rays,
        questions=("What is the horizontal size of {object}?",),
    ),
    Measure(
        vertical_size,
        Unit.LENGTH,
        (OBJECT,),
        quantity="vertical size of {object}",
        rays=no_rays,
        questions=(
            "What is the vertical size of {object}?",
            "How high is {object}?",
        ),
    ),
    Measure(
        tilt,
        Unit.ANGLE,
        (LINE,),
        period=HALF_TURN,
        quantity="angle of {line} to the horizontal",
        senses=("counter-clockwise", "clockwise"),
        rays=no_rays,
        questions=(
            "What is the tilt [angle] of {line}?",
            "What is the angle of {line} [inclination]?",
            "At what angle to the horizontal is {line}?",
        ),
    ),
)
