"""Dashes distinguish what colours cannot: where colours show wavelengths, the extensions of rays
are dashed, as in the format's theme.

The format also dashes the observer's lines of sight; they are whole here, as nothing else is drawn
beside them, and the dashes of lines that begin side by side make rings.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from raybench.trace.results.images import LineRole

DASHES = {
    LineRole.RAY: (1.0, 0.0),
    LineRole.EXTENSION: (4.0, 4.0),
    LineRole.FORWARD: (2.0, 10.0),
    LineRole.OBSERVED: (1.0, 0.0),
}
"""Length in pixels of the dashes and of the gaps between them, twice that of the format's default
theme; whole lines have no gaps.
"""
MOST_DASHED = 400
"""Number of lines above which dashes would run together: they are painted whole, with the mean of
their light.
"""
Floats = NDArray[np.float64]


def dashes_of(role: NDArray[np.uint8]) -> Floats | None:
    """The dashes and gaps (n, 2) of lines of some roles; None if all are whole."""
    dashes = np.array([DASHES[r] for r in LineRole])[role]
    return dashes if dashes[:, 1].any() else None


def covered(dashes: Floats) -> NDArray[np.float32]:
    """The part (n, 1) of each line that its dashes cover."""
    part: NDArray[np.float32] = (dashes[:, :1] / dashes.sum(axis=1, keepdims=True)).astype(
        np.float32
    )
    return part


def phases(lines: Floats, starts: Floats, dashes: Floats) -> Floats:
    """Where in the period (n,) of its dashes each line begins that is a part of one from ``starts``
    (n, 2): so the dashes stay where they are while another part of the line is visible.
    """
    part: Floats = np.hypot(*(lines[:, :2] - starts).T) % dashes.sum(axis=1)
    return part


def dashed(lines: Floats, dashes: Floats, phase: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The dashes (m, 4) of lines (n, 4), and the line (m,) of each. Lengths have the unit of the
    lines.
    """
    along = lines[:, 2:] - lines[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    broken, period = dashes[:, 1] > 0, dashes.sum(axis=1)
    count = np.where(broken, np.maximum(np.ceil((length + phase) / period), 1.0), 1.0).astype(
        np.int64
    )
    of = np.repeat(np.arange(len(lines)), count)
    first = (np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)) * period[of] - phase[
        of
    ]
    begin = np.where(broken[of], np.maximum(first, 0.0), 0.0)
    end = np.where(broken[of], np.minimum(first + dashes[of, 0], length[of]), length[of])
    seen = (end > begin) | ~broken[of]
    of, begin, end = of[seen], begin[seen], end[seen]
    unit = along / np.maximum(length, 1e-30)[:, None]
    start = lines[of, :2]
    return (
        np.concatenate(
            [start + unit[of] * begin[:, None], start + unit[of] * end[:, None]], axis=1
        ),
        of,
    )
