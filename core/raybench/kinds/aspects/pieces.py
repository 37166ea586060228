"""Pieces: the rows of one object in the kernels' tables, computed from its edges.

The functions `line_columns`, `circle_columns` and `lens_frame_columns` take numbers for one object
or arrays for many.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from raybench.arrays import Floats
from raybench.formula import Program
from raybench.kinds.aspects.outlines import Edges
from raybench.kinds.primitives import (
    ARC,
    ARC_OUTWARD,
    BEZIER,
    FULL_LINE,
    GEOMETRY_WIDTH,
    LENS_TX,
    LENS_TY,
    LENS_X,
    LENS_Y,
    LINE,
    PARABOLA,
    PARAMETER_WIDTH,
    Surface,
)
from raybench.materials.material import AssignedMaterial
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.shape import Arc, FullLine, Line, Parabola, Shape

Number = TypeVar("Number", float, Floats)
EndsGeometry = Callable[
    [Floats, Floats, Floats, Floats, Floats], tuple[tuple[Floats, ...], Mapping[int, Floats]]
]
"""Maps p1.x, p1.y, p2.x, p2.y and the distance of the ends, arrays for many objects, to the columns
of their primitives and to parameters by column index.
"""


class Piece(NamedTuple):
    """The rows of the kernels' tables that belong to one object, independent of the rest of the
    scene.

    ``links`` names the columns of ``parameters`` that hold an index, and the list to which the
    index refers (programs, orders, graded bodies, materials or polarizing elements); in a piece,
    indices are relative to the object's first entry in the list. ``most_orders`` are two limits on
    the children of one interaction: at a wavelength of 1 nm, and at any wavelength.
    """

    kinds: tuple[int, ...] = ()
    geometry: tuple[tuple[float, ...], ...] = ()
    edges: tuple[int, ...] = ()
    surface: int = Surface.NONE
    flags: int = 0
    parameters: tuple[float, ...] = (0.0,) * PARAMETER_WIDTH
    links: tuple[tuple[int, int], ...] = ()
    orders: tuple[float, ...] = ()
    programs: tuple[Program, ...] = ()
    graded: bool = False
    material: AssignedMaterial | None = None
    mueller: Callable[[float | None], Floats] | None = None
    """The Mueller matrices (2, 2, 4, 4) of a polarizing element at a wavelength (nm; None for light
    without one): along and against its normal, of transmitted and of reflected light.
    """
    most_orders: tuple[float, float] = (0.0, 1.0)
    fault: str = ""
    """Why an object has no effect on light."""


EMPTY_PIECE = Piece()
"""The piece of an object that does not act on light."""


def no_piece(obj: Any, edges: Edges) -> Piece:
    """An empty piece, for kinds that do not act on light."""
    return EMPTY_PIECE


def surface_piece_maker(surface: Surface) -> Callable[[Any, Edges], Piece]:
    """Return a function that makes the `Piece` of an object with the same ``surface`` along all of
    its edges.
    """
    return lambda obj, edges: piece_on_edges(edges, surface)


def piece_on_edges(
    edges: Edges,
    surface: Surface,
    flags: int = 0,
    parameters: Mapping[int, float] | None = None,
    *,
    orientation: float = 1.0,
    one_sided: bool = False,
    **more: Any,
) -> Piece:
    """Make a `Piece` with ``surface`` along the edges. ``more`` are other fields of the piece.

    ``parameters`` maps columns to numbers. ``orientation`` is 1 if outward is to the left of an
    edge's direction as seen, else -1. A ``one_sided`` surface acts only on light that leaves along
    the outward normal.
    """
    kinds, geometry, indices = [], [], []
    for edge in edges:
        if edge.shape.length == 0:
            continue
        for kind, numbers in _shape_primitives(edge.shape, orientation, one_sided):
            kinds.append(kind)
            geometry.append(numbers + (0.0,) * (GEOMETRY_WIDTH - len(numbers)))
            indices.append(edge.index)
    row = [0.0] * PARAMETER_WIDTH
    for column, value in (parameters or {}).items():
        row[column] = value
    return Piece(
        tuple(kinds), tuple(geometry), tuple(indices), int(surface), flags, tuple(row), **more
    )


def line_columns(
    ax: Number, ay: Number, bx: Number, by: Number, length: Number
) -> tuple[Number, ...]:
    """The table columns of lines between two ends. The outward normal is to the left of the line on
    screen.
    """
    tx, ty = (bx - ax) / length, (by - ay) / length
    return ax, ay, tx, ty, length, ty, -tx, bx, by


def circle_columns(x: Number, y: Number, radius: Number) -> tuple[Number, ...]:
    """The table columns of circles. The outward normal points away from the centre."""
    zero = 0.0 * radius
    return x, y, radius, zero, zero, zero - 1.0, zero + 1.0


def lens_frame_columns(
    ax: Number, ay: Number, bx: Number, by: Number, length: Number
) -> dict[int, Number]:
    """The centres and unit tangents of ideal lenses between two ends, by the index of the table
    column that holds each number.
    """
    return {
        LENS_X: (ax + bx) / 2,
        LENS_Y: (ay + by) / 2,
        LENS_TX: (bx - ax) / length,
        LENS_TY: (by - ay) / length,
    }


def lines_geometry(
    ax: Floats, ay: Floats, bx: Floats, by: Floats, length: Floats
) -> tuple[tuple[Floats, ...], Mapping[int, Floats]]:
    """The geometry columns of lines from (``ax``, ``ay``) to (``bx``, ``by``)."""
    return line_columns(ax, ay, bx, by, length), {}


def lenses_geometry(
    ax: Floats, ay: Floats, bx: Floats, by: Floats, length: Floats
) -> tuple[tuple[Floats, ...], Mapping[int, Floats]]:
    """The geometry columns of ideal lenses from (``ax``, ``ay``) to (``bx``, ``by``), with their
    centres and tangents.
    """
    return line_columns(ax, ay, bx, by, length), lens_frame_columns(ax, ay, bx, by, length)


def circles_geometry(
    x: Floats, y: Floats, rim_x: Floats, rim_y: Floats, radius: Floats
) -> tuple[tuple[Floats, ...], Mapping[int, Floats]]:
    """The geometry columns of circles about (``x``, ``y``) through (``rim_x``, ``rim_y``)."""
    return circle_columns(x, y, radius), {}


def _shape_primitives(
    shape: Shape, orientation: float, one_sided: bool
) -> Iterable[tuple[int, tuple[float, ...]]]:
    """Yield the code and the geometry numbers of each primitive of a shape. For a ``one_sided``
    shape the numbers state the side on which it acts.
    """
    beziers = 2 * orientation if one_sided else orientation
    match shape:
        case Line():
            *others, nx, ny, bx, by = line_columns(*shape.a, *shape.b, shape.length)
            return [(LINE, (*others, nx * orientation, ny * orientation, bx, by))]
        case Arc():
            numbers = _arc_columns(shape, orientation)
            return [(ARC, (*numbers, numbers[ARC_OUTWARD]) if one_sided else numbers)]
        case FullLine():
            tx, ty = shape.unit_direction
            return [(FULL_LINE, (*shape.through, tx, ty, math.inf, ty, -tx))]
        case Parabola():
            return [(PARABOLA, (*shape.vertex, *shape.local_frame))]
        case Bezier():
            return [(BEZIER, (*shape.p0, *shape.p1, *shape.p2, *shape.p3, beziers))]
        case Chain():
            return [
                (BEZIER, (*numbers, beziers)) for numbers in shape.cubics.reshape(-1, 8).tolist()
            ]


def _arc_columns(arc: Arc, orientation: float) -> tuple[float, ...]:
    outward = math.copysign(1.0, arc.sweep) * orientation
    if arc.is_full_circle:
        *others, away = circle_columns(*arc.centre, arc.radius)
        return *others, away * outward
    a, b, m = arc.a, arc.b, arc.midpoint
    chord = math.hypot(b.x - a.x, b.y - a.y)
    nx, ny = (b.y - a.y) / chord, (a.x - b.x) / chord
    side = math.copysign(1.0, (m.x - a.x) * nx + (m.y - a.y) * ny)
    nx, ny = nx * side, ny * side
    return arc.centre.x, arc.centre.y, arc.radius, nx, ny, nx * a.x + ny * a.y, outward
