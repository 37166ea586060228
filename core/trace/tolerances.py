"""The tolerances of tracing and of questions about its rows: how near counts as touching.

Lengths are fractions of the scene's length scale (`Settings.length_scale`), so that a scene drawn twice as large is traced alike; those of
the kernels are fractions of the shortest segment, and those of curved paths fractions of the size of the medium's body.
"""

from __future__ import annotations

# fractions of the scene's length scale

SHORTEST = 1e-6
"""The shortest segment: surfaces closer than this are met as one, and a ray does not meet again what it has just left within it."""
ON_SURFACE = 1e-6
"""How near an end lies to the surface it is on, and how far beside a surface the media on its sides are looked up."""
TOUCHING = 1e-6
"""How near surfaces of two bodies count as touching."""
JUST_AFTER = 1e-6
"""How far behind its start a ray is in the medium it goes through; for tests that count no margin."""
CLEAR_OF_SURFACE = 1e-3
"""How far behind its start an escaping ray, which meets nothing more, is looked up: clear of the margin around a body's outline."""

# fractions of the shortest segment

NEXT_SURFACE = 1e-6
"""The least distance to a surface other than the one that a ray left: in a corner the next wall may be that near."""
END_MARGIN = 1e-3
"""What is granted to the ends of lines, arcs and parabolas, so that no ray slips between neighbours."""
TIGHT = 1e-3
"""Mirrors closer than this are met as one: light that went on being reflected between them would be lost in rounding."""

# fractions of a gradient-index body's size, of its index, or of the power

STEP_ERROR = 1e-12
"""The error of one step of a curved path."""
LEAST_STEP = 1e-13
"""A step shorter than this fails: the path cannot be followed to the accuracy asked for."""
PATH_END = 1e-12
"""How near a path's end lies to its surface."""
