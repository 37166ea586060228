"""Measures of the size of an object itself, whatever the light does."""

from __future__ import annotations

import math

import numpy as np

from raybench.analysis.geometry.straight import Floats, cross
from raybench.analysis.measures.families.beam import as_seen
from raybench.analysis.measures.families.between import along_axis, line_of
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
from raybench.analysis.measures.paraxial import own_axis
from raybench.analysis.scene.traced_outline import box_as_traced
from raybench.kinds.blockers import Aperture
from raybench.kinds.kinds import row_of
from raybench.kinds.mirrors import ArcMirror, ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.rows.similarity import Similarity
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line

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
    if (circle := _circle(light, index)) is not None:
        return 2 * circle.radius
    axis = own_axis(light, index)
    if axis is not None:
        return _extent(light, [_turned(obj, axis[1]) for obj in members], 1)
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
    if (circle := _circle(light, index)) is not None:
        return 2 * circle.radius
    if (plate := _plate(light, index)) is not None:
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
    if _circle(light, index) is not None:
        return 0.0
    axis = own_axis(light, index)
    if axis is None:
        raise Undefined(
            f"{light.title(index)} has no optical axis along which its rim has a thickness."
        )
    (_, along), across = (
        axis,
        _extent(light, [_turned(light.scene.optical[i], axis[1]) for i in light.members(index)], 1),
    )
    ends: Floats = np.array(
        [
            p[:2]
            for i in light.members(index)
            for edge in light.edges(i)
            for p in (edge.shape.a, edge.shape.b)
        ]
    )
    on, off = ends @ np.array(along), cross(np.array(along), ends)
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
    return _extent(light, [_turned(obj, axis[1])], 0)


def horizontal_size(light: Light, index: int) -> float:
    """Full size of an object in x."""
    return _extent(light, [light.scene.optical[i] for i in light.members(index)], 0)


def vertical_size(light: Light, index: int) -> float:
    """Full size of an object in y."""
    return _extent(light, [light.scene.optical[i] for i in light.members(index)], 1)


def tilt(light: Light, index: int) -> float:
    """Angle of a straight object to the horizontal, in (-90, 90], counter-clockwise on screen."""
    angle = as_seen(*line_of(light, index))
    return angle - 180.0 if angle > 90.0 else angle + 180.0 if angle <= -90.0 else angle


def _plate(light: Light, index: int) -> float | None:
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
        float(cross(along, np.array([p.x - one.a.x, p.y - one.a.y]))) for p in (other.a, other.b)
    ]
    return abs(off[0]) if abs(off[0] - off[1]) <= PARALLEL * other.length else None


def _circle(light: Light, index: int) -> Arc | None:
    """The outline of an object that is a full circle; None for others."""
    shapes = [edge.shape for i in light.members(index) for edge in light.edges(i)]
    return shapes[0] if len(shapes) == 1 and isinstance(shapes[0], Arc) and shapes[0].full else None


def _turned(obj: SceneObject, axis: tuple[float, float]) -> SceneObject:
    """An object in a frame whose x axis is along an optical axis."""
    turned: SceneObject = row_of(obj).transformed(
        obj, Similarity.rotation(math.degrees(math.atan2(axis[1], axis[0])), Point(0.0, 0.0))
    )
    return turned


def _extent(light: Light, objects: list[SceneObject], coordinate: int) -> float:
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
