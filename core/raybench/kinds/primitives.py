"""Codes of primitives and surfaces, flags of objects, and the columns of their rows in the kernels'
tables.

A primitive is a row of `Tables.geometry` whose columns depend on its code; an object is a row of
`Tables.parameters` whose columns depend on its surface. Kernels take these module-level integers as
constants, so this file is one of the kernels' sources.
"""

from enum import IntEnum

# codes of primitives
LINE, ARC, FULL_LINE, PARABOLA, BEZIER = range(5)


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
    MUELLER = 9


# flags of objects
(
    GLASS,
    MERGES,
    FILTER,
    INVERT,
    ONE_SIDED,
    SIMPLE,
    PARTIAL,
    MIRRORED,
    GRADED,
    MATERIAL,
    COUNTS,
    COATED,
    FINISHED,
    POLARIZES,
) = (1 << bit for bit in range(14))
"""In order: is a glass; merges with a coincident glass surface; filters by wavelength; inverts the
filter; acts on one side only; has an outline that does not cross itself; reflects partially;
reflects, though its surface is a lens or a grating; acts on light along its way, by a graded index
or by absorption; has the index of a material; counts light and lets it pass; has coated edges; has
edges with a finish; makes light of which the Stokes parameters S2 and S3 are needed.
"""

GEOMETRY_WIDTH = 9
"""Number of columns of a primitive's row; unused ones are 0."""

# a line: start, unit tangent, length, outward unit normal, end; and a full line, whose length is
# infinite and which has no end
LINE_X, LINE_Y, LINE_TX, LINE_TY, LINE_LENGTH, LINE_NX, LINE_NY, LINE_END_X, LINE_END_Y = range(9)

# an arc: centre, radius, unit vector from the middle of the chord to the arc (0, 0 for a full
# circle), the scalar product of that vector with any point of the chord
ARC_X, ARC_Y, ARC_RADIUS, ARC_UX, ARC_UY, ARC_CHORD, ARC_OUTWARD, ARC_SIDE = range(8)
"""ARC_OUTWARD: +1 where the outward normal points away from the centre, -1 where it points to it.
ARC_SIDE, of a one-sided arc: 1 if the farther of the two intersections with its circle counts, -1
if the nearer does; 0 for a two-sided one. (Light leaves along the normal.)
"""

# a parabola y = c x² in its own frame: vertex, unit vector along the chord (the frame's x), half
# the chord, c
PARABOLA_X, PARABOLA_Y, PARABOLA_TX, PARABOLA_TY, PARABOLA_HALF, PARABOLA_CURVATURE = range(6)

# a cubic Bezier curve: its four control points
(
    BEZIER_X0,
    BEZIER_Y0,
    BEZIER_X1,
    BEZIER_Y1,
    BEZIER_X2,
    BEZIER_Y2,
    BEZIER_X3,
    BEZIER_Y3,
    BEZIER_OUTWARD,
) = range(9)
"""BEZIER_OUTWARD: positive where the outward normal is the derivative turned (dx, dy) -> (dy, -dx),
else negative; ±1 for a two-sided curve, ±2 for a one-sided one.
"""

PARAMETER_WIDTH = 7
"""Number of columns of an object's row; unused ones are 0."""

# a homogeneous glass: index n = A + B / wavelength², or the row of its material in
# `Tables.indices`; GRADED_BODY if it absorbs
GLASS_INDEX, GLASS_CAUCHY_B, GLASS_MATERIAL = range(3)

# a gradient-index body: its program, the origin of its formulas, its extent, and its position in
# `Tables.graded`
GRADED_PROGRAM, GRADED_X, GRADED_Y, GRADED_EXTENT, GRADED_BODY = range(5)

# an ideal lens or mirror: centre, unit tangent, focal length
LENS_X, LENS_Y, LENS_TX, LENS_TY, LENS_FOCAL_LENGTH = range(5)

# a beam splitter: transmitted fraction of the power
SPLITTER_TRANSMISSION = 0

# a grating: line spacing (nm), slit ratio, first and number of its orders in `Tables.orders`
GRATING_SPACING, GRATING_SLIT_RATIO, GRATING_ORDERS, GRATING_ORDER_COUNT, GRATING_RIGHT = range(5)
"""GRATING_ORDERS is -1 where the slit ratio gives the power of the orders. GRATING_RIGHT: the side
to which positive orders go as the ray sees it, 1 right, -1 left.
"""

# a custom surface: its first program, number of outgoing rays, and of an arc the angle of its start
# and from there to its end (rad)
CUSTOM_PROGRAM, CUSTOM_RAYS, CUSTOM_START, CUSTOM_SWEEP = range(4)
CUSTOM_SPANS = CUSTOM_START
"""Of a custom surface of Bezier curves: the index in `Tables.orders` of the parameter at the start
and the end of each curve.
"""

# a polarizing element: its position in `Tables.mueller`, and whether it reflects (1) or not (0)
MUELLER_ROW, MUELLER_REFLECTS = range(2)

# a filter: centre and half width of its band (nm), in addition to the columns of the surface
FILTER_CENTRE, FILTER_HALF_WIDTH = 5, 6

# a finished edge at a wavelength and from one side (`Tables.finish_rows`): the fractions of reflected
# and of transmitted light that are scattered at normal incidence, the reflectance of a paint (-1
# without one), the number of scattered rays, and the ranges of its rows in `Tables.finish_nodes` and
# of its target's points in `Tables.finish_outlines`
(
    FINISH_REFLECTED,
    FINISH_TRANSMITTED,
    FINISH_REFLECTANCE,
    FINISH_RAYS,
    FINISH_NODES,
    FINISH_NODES_END,
    FINISH_OUTLINE,
    FINISH_OUTLINE_END,
    FINISH_WIDTH,
) = range(9)

PROGRAMS, ORDERS, BODIES, MATERIALS, MUELLERS = range(5)
"""What a column may index: the programs, `Tables.orders`, `Tables.graded`, `Tables.indices` or
`Tables.mueller`. In
an object's own `Piece` indices are relative to its first entry; in the tables of a scene they are
absolute.
"""
