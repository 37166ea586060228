"""The lines of rays in pixels: clipped to the canvas, split into dashes, and divided into portions.

Where colours show wavelengths, the extensions of rays are dashed to tell them apart, as in the
format's theme. The observer's lines of sight are solid.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from raybench.raster.lines import clip_lines
from raybench.trace.results.images import LineRole
from raybench_workbench.canvas.viewport import Camera

DASHES = {
    LineRole.RAY: (1.0, 0.0),
    LineRole.EXTENSION: (4.0, 4.0),
    LineRole.FORWARD: (2.0, 10.0),
    LineRole.OBSERVED: (1.0, 0.0),
}
"""Length in pixels of the dashes and of the gaps between them, twice that of the format's default
theme; whole lines have no gaps.
"""
MAX_DASHED_LINES = 400
"""Number of lines above which dashes would run together: they are painted whole, with the mean of
their light.
"""
LINES_PER_CLIP = 100_000
"""Lines that are clipped at a time."""
PIXELS_PER_PASS = 3_000_000
"""Pixels of lines that are drawn at a time."""
Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Lines = NDArray[np.float64]
"""(n, 4): x1, y1, x2, y2."""


def clip_lines_to_canvas(
    lines: Lines, camera: Camera, size: tuple[float, float]
) -> tuple[Lines, Indices]:
    """The lines clipped to the canvas, in pixels, and the indices of the visible lines."""
    ends = [camera.points_in_pixels(some) for some in (lines[:, :2], lines[:, 2:])]
    return clip_lines(np.hstack(ends), size)


def pixel_lines(
    lines: Lines, camera: Camera, size: tuple[int, int], ratio: float
) -> Iterator[tuple[Lines, Indices]]:
    """The visible lines in device pixels with their indices, in portions that each take a few
    milliseconds to draw.
    """
    for first in range(0, len(lines), LINES_PER_CLIP):
        on, kept = clip_lines_to_canvas(lines[first : first + LINES_PER_CLIP], camera, size)
        on *= ratio
        reach = np.cumsum(np.maximum(*np.abs(on[:, 2:] - on[:, :2]).T))
        total = float(reach[-1]) if len(reach) else 0.0
        ends = np.searchsorted(
            reach, np.arange(PIXELS_PER_PASS, total + PIXELS_PER_PASS, PIXELS_PER_PASS)
        ).tolist()
        start = 0
        for end in [*ends, len(on)]:
            if end > start:
                yield on[start:end], first + kept[start:end]
                start = end


def dash_lengths_by_role(role: NDArray[np.uint8]) -> Floats | None:
    """The lengths (n, 2) of dash and gap for lines of the given roles; None if all lines are solid."""
    dashes = np.array([DASHES[r] for r in LineRole])[role]
    return dashes if dashes[:, 1].any() else None


def dash_covered_fraction(dashes: Floats) -> NDArray[np.float32]:
    """The fraction (n, 1) of each line's length that its dashes cover."""
    part: NDArray[np.float32] = (dashes[:, :1] / dashes.sum(axis=1, keepdims=True)).astype(
        np.float32
    )
    return part


def dash_phases(lines: Lines, starts: Floats, dashes: Floats) -> Floats:
    """The position (n,) within the dash period at which each clipped line begins. ``starts`` (n, 2)
    are the points where the unclipped lines begin, so that dashes stay in place when the view
    moves.
    """
    part: Floats = np.hypot(*(lines[:, :2] - starts).T) % dashes.sum(axis=1)
    return part


def split_into_dashes(lines: Lines, dashes: Floats, phase: Floats) -> tuple[Lines, Indices]:
    """The dashes (m, 4) of lines (n, 4), and the index (m,) of the line of each dash. Lengths have
    the unit of the lines.
    """
    along = lines[:, 2:] - lines[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    broken, period = dashes[:, 1] > 0, dashes.sum(axis=1)
    count = np.where(broken, np.maximum(np.ceil((length + phase) / period), 1.0), 1.0).astype(
        np.int64
    )
    line = np.repeat(np.arange(len(lines)), count)
    number = np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count)
    first = number * period[line] - phase[line]
    begin = np.where(broken[line], np.maximum(first, 0.0), 0.0)
    end = np.where(broken[line], np.minimum(first + dashes[line, 0], length[line]), length[line])
    seen = (end > begin) | ~broken[line]
    line, begin, end = line[seen], begin[seen], end[seen]
    unit = (along / np.maximum(length, 1e-30)[:, None])[line]
    start = lines[line, :2]
    return np.hstack([start + unit * begin[:, None], start + unit * end[:, None]]), line
