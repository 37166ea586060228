"""The tolerances of tracing and of the analysis of its rows.

Each is relative to the length in its section's heading; `Settings.length_scale` scales them with
the scene.
"""

# fractions of the scene's length scale

ON_SURFACE = 1e-6
"""The largest distance of a segment's end from its surface, and the distance from a surface at
which the adjacent media are looked up.
"""
TOUCHING = 1e-6
"""The largest distance at which surfaces of two bodies count as touching."""
CLEAR_OF_SURFACE = 1e-3
"""The distance from its start at which the medium of an escaping ray is looked up: more than the
margin of the test for inside.
"""
ON_EDGE = 1e-7
"""The largest distance at which a point counts as on an edge; covers the rounding of ray ends."""

# fractions of the shortest segment

NEXT_SURFACE = 1e-6
"""The least distance to a surface other than the one a ray starts on: in a corner the adjacent wall
may be that near.
"""
END_MARGIN = 1e-3
"""The extension of lines, arcs and parabolas at their ends, so that no ray passes between adjacent
ones.
"""
TIGHT = 1e-3
"""Mirrors closer than this coincide: reflections between them would be shorter than rounding
errors.
"""

# fractions of a gradient-index body's size, of its index, or of the power

STEP_ERROR = 1e-12
"""The error of one step of a curved path."""
LEAST_STEP = 1e-13
"""A shorter step fails: the path cannot be integrated to the required accuracy."""
PATH_END = 1e-12
"""The largest distance of a path's end from its surface."""

# power, where sources emit up to 1 per ray

WEAK_REFLECTION = 0.01
"""Weaker reflections are resampled in the default colour mode: one stands for several."""
WEAKEST_SPECULAR = 1e-6
"""The weakest light that an edge with a finish reflects or refracts, as a fraction of the weakest
scattered rays.
"""
MOST_POWER = 1e300
"""Light that an element makes stronger than this is not followed: at the next such element its
power could be none that a float holds.
"""

# fractions of a curve's extent, of an arc's radius, of its parameter, of coordinates, or of a
# number

SAME_HIT = 1e-9
"""How far before a known hit on a Bezier curve, as a fraction of its extent, the intersection is
repeated to find the parameter.
"""
ON_END = 1e-9
"""How far from the chord, as a fraction of the radius, a ray meets a circle where rounding may
decide whether that is on the arc.
"""
ROOT_STEP = 1e-16
"""A Newton step of a curve's parameter below which its root is found."""
ROOT_STEPS = 60
"""Maximum number of these steps: bisection alone reaches the precision of a double in fewer."""
HUGE = 1e300
"""Replaces the reciprocal of 0: a distance of 0 times it is 0, and any other is beyond all boxes.
"""
BOX_MARGIN = 1e-12
"""The margin of bounding boxes for rounding, as a fraction of the largest coordinate of a
primitive's start.
"""
BIN_MARGIN = 1e-9
"""Keeps the last primitive centre of a node within its last bin."""
SAME_FRACTION = 1e-9
"""The relative difference up to which sources count as emitting the same fraction of their power.
"""
AT_THRESHOLD = 1e-12
"""The relative difference within which a power equals a threshold, so that it is not above it: 0.1
* 0.1 rounds to more than 0.01.
"""

# sines of angles

WIDEST_SINE = 1.0 - 1e-9
"""The largest sine of a scattered direction to the normal: one along the edge would not leave it.
"""

PARALLEL = 1e-14
"""The sine of the angle below which a ray and a line are parallel: what remains is rounding, and a
meeting point would be arbitrary.
"""
PARALLEL_AFAR = 1e-12
"""The same for a ray and a half-plane, whose line has no ends, and for two rays: rounding turns
rays by more than `PARALLEL` after some interactions.
"""
