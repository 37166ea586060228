"""Arithmetic on rows of `LANES` numbers, a number for each of as many rays; each lane's result is
independent of the others.

``add(rows, to, x, y)`` writes to row ``to`` the sums of the numbers in rows x and y; so the others.
`multiply_add` rounds the product, then the sum; `sine_and_cosine` writes rows ``to`` and ``to +
1``. ``add_scaled(rows, to, factor, others, row)`` adds to row ``to`` the factor times a row of
another array. ``is_within(rows, row, most)``: whether no number of a row is larger, up to its sign,
or NaN.
"""

from __future__ import annotations

from raybench.trace.compilation.jit import COMPILING
from raybench.trace.compilation.plain_lanes import LANES

WIDEST_ANGLE, LARGEST_POWER = 65_536.0, 700.0
"""Sines and cosines, and exponentials, are computed for arguments up to these sizes."""

if COMPILING:
    from raybench.trace.compilation.vector_lanes import (
        add,
        add_scaled,
        cosine,
        divide,
        exponential,
        is_within,
        multiply,
        multiply_add,
        negate,
        sine,
        sine_and_cosine,
        square_root,
        subtract,
    )
else:
    from raybench.trace.compilation.plain_lanes import (
        add,
        add_scaled,
        cosine,
        divide,
        exponential,
        is_within,
        multiply,
        multiply_add,
        negate,
        sine,
        sine_and_cosine,
        square_root,
        subtract,
    )

__all__ = [
    "LANES",
    "LARGEST_POWER",
    "WIDEST_ANGLE",
    "add",
    "add_scaled",
    "cosine",
    "divide",
    "exponential",
    "is_within",
    "multiply",
    "multiply_add",
    "negate",
    "sine",
    "sine_and_cosine",
    "square_root",
    "subtract",
]
