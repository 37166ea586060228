"""The tolerances of objects' outlines and of the rays that sources emit; those of tracing are in
`raybench.trace.tolerances`.
"""

from __future__ import annotations

# fractions of the extent of an outline, or of its square

GAP = 1e-8
"""The widest gap in a closed outline: more than formulas of its ends round, less than rays pass
through.
"""
FLAT = 1e-12
"""The largest area of an outline that encloses nothing, as a fraction of its extent squared."""
MEETING = 1e-9
"""Graphs whose ends are closer than this, as a fraction of their width, are not joined by straight
sides.
"""
SAME_OUTLINE = 1e-6
"""The largest distance between the vertices of two equal lenses, as a fraction of the lens's
length.
"""

# numbers

SMALLEST_INDEX = 1e-9
"""The smallest refractive index of a body that transmits light."""
FIRST_ANGLE, LAST_ANGLE = 1e-6, 1e-5
"""The file format's margins (rad) of the first and last ray of a fan; they determine how many rays
there are.
"""
