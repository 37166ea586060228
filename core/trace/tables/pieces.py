"""What the kernels see of a scene: flat arrays of primitives and objects.

Adding a kind of surface is one row in `_SURFACES` and one branch of the kernel's `interact`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.formula import PackedPrograms, Program
from core.kinds.blockers import Aperture, Blocker, CircleBlocker
from core.kinds.custom_surfaces import CustomSurfaceBase
from core.kinds.detectors import Detector
from core.kinds.faults import fault_of
from core.kinds.filters import Filtered
from core.kinds.glasses import CircleGlass, CustomGlass, GlassBody, HomogeneousGlass, ParamGlass, PlaneGlass, SphericalLens
from core.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating, Grating
from core.kinds.grin import CircleGrinGlass, GradedGlass
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import ArcMirror, BeamSplitter, CurveMirror, CustomMirror, IdealMirror, Mirror, ParabolicMirror, ParamMirror
from core.kinds.object import SceneObject
from core.kinds.outline import Edge, bounds, edges_of, path_edges, signed_area
from core.shapes.bezier import Bezier
from core.shapes.chain import Chain
from core.shapes.shape import Arc, FullLine, Line, Parabola, Shape

LINE, ARC, FULL_LINE, PARABOLA, BEZIER = range(5)
GLASS, MERGES, FILTER, INVERT, ONE_SIDED, SIMPLE, PARTIAL, MIRRORED, GRADED = (1 << bit for bit in range(9))

WIDTH = 9

MIN_SEGMENT = 1e-6
"""Shortest segment, in units of the scene's length scale; surfaces closer than this count as one."""


class Surface(IntEnum):
    """What a surface does to a ray."""

    NONE = 0
    REFRACT = 1
    REFLECT = 2
    ABSORB = 3
    LENS = 4
    DETECT = 5
    SPLIT = 6
    DIFFRACT = 7
    CUSTOM = 8


class Tables(NamedTuple):
    """A scene for the kernels. ``geometry`` (primitives, 9) holds

    for a line: start x, y, unit tangent x, y, length, outward normal x, y; the same for a full line, whose length is infinite;
    for an arc: centre x, y, radius, unit vector from the chord to the arc x, y, its product with a point of the chord, and +1 where the
    outward normal points away from the centre, -1 where it points to it;
    for a parabola: vertex x, y, unit vector along the chord x, y, half the chord, curvature c of y = c x²;
    for a Bezier curve: its four points, and +1 where the outward normal is the derivative turned (dx, dy) -> (dy, -dx), else -1.

    Of a one-sided surface only that side counts from which light leaves along the outward normal: column 7 of an arc is 1 where that is
    the farther of two crossings of its circle, -1 where it is the nearer, 0 for a two-sided one; column 8 of a Bezier curve is ±2.

    ``parameters`` (objects, 7): index and Cauchy B of a glass; program, origin x, y, extent and place in ``graded`` of a gradient-index
    body; centre x, y, unit tangent x, y and focal length of an ideal lens or mirror; transmission of a splitter; line spacing (nm), slit
    ratio, place and number of its orders in ``orders`` (-1 where the slit ratio gives their power), and to which side orders count (1
    right, -1 left) of a grating; first program, number of outgoing rays of a custom surface, and of one that is an arc the angle of the
    start and the angle from there to the end (rad), of one of Bezier curves the place in ``orders`` of the parameter at the start and the
    end of each; and in the last two columns the band of a filter (centre and half width, nm).
    """

    primitive: NDArray[np.int8]
    geometry: NDArray[np.float64]
    owner: NDArray[np.int64]
    edge: NDArray[np.int16]
    surface: NDArray[np.int8]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    flags: NDArray[np.uint16]
    parameters: NDArray[np.float64]
    orders: NDArray[np.float64]
    box: NDArray[np.float64]
    """Left, top, right and bottom of every object, with a little to spare (objects, 4)."""
    graded: NDArray[np.int64]
    """The gradient-index bodies."""
    programs: PackedPrograms
    shortest: float
    weakest_reflected: float
    weakest_refracted: float
    max_depth: int
    most_children: int
    """How many children one interaction can have at most."""


PROGRAMS, ORDERS, BODIES = range(3)
"""What numbers in ``parameters`` may count from: the first of an object's own in the lists of all objects together."""


class Piece(NamedTuple):
    """What one object is to the kernels, whatever else is in the scene: its part of the tables.

    ``links`` are those columns of ``parameters`` that hold a place among all objects' programs, orders or bodies; here they count from
    the object's own first one. ``most_orders`` tells how many children one interaction can have, for a wave of 1 nm and at most.
    """

    kinds: tuple[int, ...] = ()
    geometry: tuple[tuple[float, ...], ...] = ()
    edges: tuple[int, ...] = ()
    surface: int = Surface.NONE
    flags: int = 0
    parameters: tuple[float, ...] = (0.0,) * 7
    links: tuple[tuple[int, int], ...] = ()
    orders: tuple[float, ...] = ()
    programs: tuple[Program, ...] = ()
    graded: bool = False
    most_orders: tuple[float, float] = (0.0, 1.0)
    fault: str = ""
    """Why an object has no effect on light."""


NOTHING = Piece()
"""What light passes."""


def piece_of(obj: SceneObject, colours: bool) -> Piece:
    """An object's part of the tables. ``colours`` tells whether the scene simulates them."""
    row = _SURFACES.get(type(obj)) or next((r for kind, r in _SURFACES.items() if isinstance(obj, kind)), None)
    if fault := fault_of(obj):
        return Piece(fault=fault)
    if row is None:
        return NOTHING
    surface, describe = row
    edges = _edges(obj, colours)
    parameters, links = [0.0] * 7, []
    orders: list[float] = []
    programs: tuple[Program, ...] = ()
    most = (0.0, 1.0)
    graded = isinstance(obj, GradedGlass)
    if isinstance(obj, CustomSurfaceBase):
        programs = tuple(obj.programs())
        if not programs:
            surface = Surface.ABSORB
        angles = _arc_angles(edges)
        parameters[:4] = 0.0, len(obj.out_rays), *(angles or (0.0, 0.0))
        links = [(0, PROGRAMS)] if angles else [(0, PROGRAMS), (2, ORDERS)]
        orders.extend(_spans(edges))
        most = (0.0, 2.0 * len(obj.out_rays) - 1)
    elif isinstance(obj, GradedGlass):
        programs = (obj.program(),)
        box = bounds(edges)
        if box is None:
            return NOTHING
        parameters[:5] = 0.0, *obj.origin, max(box[2] - box[0], box[3] - box[1]), 0.0
        links = [(0, PROGRAMS), (4, BODIES)]
    # of a parametric glass the curve's own direction tells inside from outside, as the format has it
    oriented = isinstance(obj, GlassBody) and not isinstance(obj, ParamGlass)
    orientation = math.copysign(1.0, signed_area(edges)) if oriented else 1.0
    kinds, geometry, numbers_of_edges = [], [], []
    for e in edges:
        if e.shape.length == 0:
            continue
        for kind, numbers in _primitives(e.shape, orientation):
            if isinstance(obj, CustomSurfaceBase) and not obj.two_sided:
                numbers = _one_sided(kind, numbers)
            kinds.append(kind)
            geometry.append(numbers + (0.0,) * (WIDTH - len(numbers)))
            numbers_of_edges.append(e.index)
    flags, own = describe(obj, edges)
    parameters[: len(own)] = own
    if isinstance(obj, Grating):
        if obj.custom_brightness:
            parameters[2:4] = 0.0, len(obj.brightnesses)
            links = [(2, ORDERS)]
            orders.extend(obj.brightnesses)
        if obj.line_density > 0:
            most = (2e6 / obj.line_density, float(len(obj.brightnesses)) if obj.custom_brightness else math.inf)
    if obj.merges_with_glass:
        flags |= MERGES
    if isinstance(obj, Filtered) and obj.filter and colours:
        flags |= FILTER | (INVERT if obj.invert else 0)
        parameters[5:7] = obj.wavelength, obj.bandwidth
    return Piece(
        tuple(kinds), tuple(geometry), tuple(numbers_of_edges), int(surface), flags, tuple(parameters), tuple(links), tuple(orders),
        programs, graded, most,
    )  # fmt: skip


def primitive_boxes(kind: NDArray[np.int8], g: NDArray[np.float64], shortest: float) -> NDArray[np.float64]:
    """Left, top, right and bottom of primitives (n, 4), with the shortest segment to spare; infinite for what has no end."""
    boxes = np.empty((len(kind), 4))
    line = kind == LINE
    ends = g[:, 0:2] + np.where(line, g[:, 4], 0.0)[:, None] * g[:, 2:4]
    boxes[:, 0:2], boxes[:, 2:4] = np.minimum(g[:, 0:2], ends), np.maximum(g[:, 0:2], ends)
    arc = kind == ARC
    boxes[arc, 0:2], boxes[arc, 2:4] = g[arc, 0:2] - g[arc, 2:3], g[arc, 0:2] + g[arc, 2:3]
    bezier = kind == BEZIER
    hull = g[bezier, :8].reshape(-1, 4, 2)
    boxes[bezier, 0:2], boxes[bezier, 2:4] = hull.min(axis=1), hull.max(axis=1)
    for k in np.flatnonzero(kind == PARABOLA):
        # over its chord a parabola lies between the vertex's and the ends' distance along the axis
        x, y, tx, ty, half, c = g[k, :6]
        rise = c * half * half
        corners = np.array([(x + u * tx + v * ty, y + u * ty - v * tx) for u in (-half, half) for v in (0.0, rise)])
        boxes[k, 0:2], boxes[k, 2:4] = corners.min(axis=0), corners.max(axis=0)
    boxes[kind == FULL_LINE] = (-math.inf, -math.inf, math.inf, math.inf)
    spare = shortest + 1e-12 * np.abs(g[:, 0:2]).max(axis=1, initial=0.0)
    boxes[:, 0:2] -= spare[:, None]
    boxes[:, 2:4] += spare[:, None]
    return boxes


def _edges(obj: SceneObject, colours: bool) -> tuple[Edge, ...]:
    if isinstance(obj, SphericalLens):
        return path_edges(obj.outline(simulate_colors=colours) or ())
    return edges_of(obj)


def _arc_angles(edges: tuple[Edge, ...]) -> tuple[float, float] | None:
    """The angle of an arc's start as seen from its centre, and from there to its end in the sense of growing angles; None for others."""
    shape = edges[0].shape if edges else None
    return (shape.start, shape.sweep % (2 * math.pi)) if isinstance(shape, Arc) else None


def _spans(edges: tuple[Edge, ...]) -> Iterable[float]:
    """The parameter of formulas at the start and the end of each Bezier curve: the curve's own or, without one, the number of the edge."""
    for e in edges:
        if e.shape.length == 0:
            continue
        if isinstance(e.shape, Chain):
            yield from e.shape.spans.ravel().tolist()
        elif isinstance(e.shape, Bezier):
            yield from (float(e.index), e.index + 1.0)


def _one_sided(kind: int, numbers: tuple[float, ...]) -> tuple[float, ...]:
    if kind == ARC:
        return (*numbers, numbers[6])
    return (*numbers[:8], 2 * numbers[8]) if kind == BEZIER else numbers


def _primitives(shape: Shape, orientation: float) -> Iterable[tuple[int, tuple[float, ...]]]:
    if isinstance(shape, Chain):
        return [(BEZIER, (*numbers, orientation)) for numbers in shape.cubics.reshape(-1, 8).tolist()]
    return [_primitive(shape, orientation)]


def _primitive(shape: Line | Arc | FullLine | Parabola | Bezier, orientation: float) -> tuple[int, tuple[float, ...]]:
    match shape:
        case Arc():
            return ARC, _arc(shape, orientation)
        case FullLine():
            tx, ty = shape.unit
            return FULL_LINE, (shape.through.x, shape.through.y, tx, ty, math.inf, ty, -tx)
        case Parabola():
            tx, ty, half, curvature = shape.frame
            return PARABOLA, (shape.vertex.x, shape.vertex.y, tx, ty, half, curvature, 0.0)
        case Bezier():
            return BEZIER, (*shape.p0, *shape.p1, *shape.p2, *shape.p3, orientation)
        case Line():
            return LINE, _line(shape, orientation)


def _line(line: Line, orientation: float) -> tuple[float, ...]:
    tx, ty = (line.b.x - line.a.x) / line.length, (line.b.y - line.a.y) / line.length
    return line.a.x, line.a.y, tx, ty, line.length, ty * orientation, -tx * orientation


def _arc(arc: Arc, orientation: float) -> tuple[float, ...]:
    outward = math.copysign(1.0, arc.sweep) * orientation
    if arc.full:
        return arc.centre.x, arc.centre.y, arc.radius, 0.0, 0.0, -1.0, outward
    a, b, m = arc.a, arc.b, arc.midpoint
    chord = math.hypot(b.x - a.x, b.y - a.y)
    nx, ny = (b.y - a.y) / chord, (a.x - b.x) / chord
    side = math.copysign(1.0, (m.x - a.x) * nx + (m.y - a.y) * ny)
    nx, ny = nx * side, ny * side
    return arc.centre.x, arc.centre.y, arc.radius, nx, ny, nx * a.x + ny * a.y, outward


def _glass(obj: HomogeneousGlass | GradedGlass, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    simple = isinstance(obj, CircleGlass | PlaneGlass | CircleGrinGlass | CustomGlass | ParamGlass) or is_simple(edges)
    flags = GLASS | (SIMPLE if simple else 0) | (PARTIAL if obj.partial_reflect else 0)
    if isinstance(obj, HomogeneousGlass):
        return flags, (obj.ref_index, obj.cauchy_b)
    return flags | GRADED, ()


def _plain(obj: SceneObject, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    return 0, ()


def _lens(obj: IdealLens | IdealMirror, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    line = edges[0].shape
    flags = MIRRORED if isinstance(obj, IdealMirror) else 0
    if line.length == 0:
        return flags, ()
    tx, ty = (obj.p2.x - obj.p1.x) / line.length, (obj.p2.y - obj.p1.y) / line.length
    return flags, (line.midpoint.x, line.midpoint.y, tx, ty, obj.focal_length)


def _detector(obj: Detector, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    return 0 if obj.two_sided else ONE_SIDED, ()


def _splitter(obj: BeamSplitter, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    return 0, (obj.trans_ratio,)


def _grating(obj: Grating, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    mirrored = isinstance(obj, ConcaveDiffractionGrating) or (isinstance(obj, DiffractionGrating) and obj.mirrored)
    spacing = 1e6 / obj.line_density if obj.line_density > 0 else math.inf
    right = -1.0 if isinstance(obj, ConcaveDiffractionGrating) else 1.0
    return MIRRORED if mirrored else 0, (spacing, obj.slit_ratio, -1.0, 0.0, right)


def _custom(obj: CustomSurfaceBase, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    return 0 if obj.two_sided else ONE_SIDED, ()


_SURFACES: dict[type[SceneObject], tuple[Surface, Callable[[Any, tuple[Edge, ...]], tuple[int, tuple[float, ...]]]]] = {
    GlassBody: (Surface.REFRACT, _glass),
    Mirror: (Surface.REFLECT, _plain),
    ArcMirror: (Surface.REFLECT, _plain),
    CurveMirror: (Surface.REFLECT, _plain),
    CustomMirror: (Surface.REFLECT, _plain),
    ParamMirror: (Surface.REFLECT, _plain),
    ParabolicMirror: (Surface.REFLECT, _plain),
    IdealMirror: (Surface.LENS, _lens),
    BeamSplitter: (Surface.SPLIT, _splitter),
    Blocker: (Surface.ABSORB, _plain),
    CircleBlocker: (Surface.ABSORB, _plain),
    Aperture: (Surface.ABSORB, _plain),
    Grating: (Surface.DIFFRACT, _grating),
    IdealLens: (Surface.LENS, _lens),
    Detector: (Surface.DETECT, _detector),
    CustomSurfaceBase: (Surface.CUSTOM, _custom),
}


def is_simple(edges: tuple[Edge, ...]) -> bool:
    """Whether an outline meets itself nowhere, so that the side of an edge alone tells inside from outside."""
    if len(edges) == 3 and all(isinstance(e.shape, Line) for e in edges):
        return signed_area(edges) != 0
    from shapely import Polygon

    ring = [p for e in edges for p in e.shape.points()[:-1]]
    return len(ring) >= 3 and bool(Polygon(ring).is_valid)
