"""Drawing of lines into an image of light. Lines are either added up, or drawn on top of each
other.

Around a line, the light in a pixel is a quadratic B-spline of the pixel's distance from it: a
bundle is equally bright in every direction, and next to no moiré appears where lines are about a
pixel apart (Zwicker et al., EWA splatting, 2001).
"""

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from raybench.trace.compilation.jit import entry, inner

Floats = NDArray[np.float32]
REACH = 1.5
"""Distance from a line, in pixels, beyond which it has no light."""
BAND_BYTES = 1 << 19
"""The size of a band of an image: it stays in the processor's cache while all lines are drawn into
it.
"""
FEW = 1_000
"""Lines that are drawn into the whole image at once."""


@inner
def _line_sampling(
    line: NDArray[np.float64], width: int, height: int, top: int, bottom: int
) -> tuple[int, int, float, float, float, int, int, int, int, int]:
    """How to sample the line (x1, y1, x2, y2) along its longer axis, within the pixel rows from
    ``top`` up to, but not including, ``bottom``.

    The first and the end of the columns, the place across of column 0 and its slope, the cosine of
    the slope, the strides along and across, the first and the end of the pixels across, and how
    many of these a column may touch.
    """
    x1, y1, x2, y2 = line[0], line[1], line[2], line[3]
    missed = max(y1, y2) < top - 2 * REACH or min(y1, y2) > bottom + 2 * REACH
    steep = abs(y2 - y1) > abs(x2 - x1)
    if steep:
        x1, y1, x2, y2 = y1, x1, y2, x2
    if x1 > x2:
        x1, y1, x2, y2 = x2, y2, x1, y1
    first = max(math.ceil(x1 - 0.5), 0)
    end = first if missed else max(min(math.ceil(x2 - 0.5), height if steep else width), first)
    slope = (y2 - y1) / (x2 - x1) if end > first else 0.0
    start, cosine = y1 + slope * (0.5 - x1) - 0.5, 1.0 / math.sqrt(1.0 + slope * slope)
    reach = REACH / cosine
    if steep:
        first, end, low, high = max(first, top), min(end, bottom), 0, width
    else:
        low, high = top, bottom
        if abs(slope) > 1e-9:
            enter, leave = (top - reach - start) / slope, (bottom + reach - start) / slope
            first, end = (
                max(first, math.floor(min(enter, leave))),
                min(end, math.ceil(max(enter, leave)) + 1),
            )
    along, across = (width, 1) if steep else (1, width)
    return first, end, start, slope, cosine, along, across, low, high, math.ceil(2 * reach)


@inner
def _pixel_weight_at_distance(distance: float) -> float:
    """The fraction of a line's light that a pixel at this distance (in pixels) gets: a quadratic
    B-spline.
    """
    outer, middle = max(1.5 - abs(distance), 0.0), max(0.5 - abs(distance), 0.0)
    return 0.5 * outer * outer - 1.5 * middle * middle


@entry
def add_lines(
    sums: Floats,
    width: int,
    height: int,
    lines: NDArray[np.float64],
    light: Floats,
    top: int,
    bottom: int,
) -> None:
    """Add the light (n, c) of lines (x1, y1, x2, y2), (n, 4), in pixels, to ``sums`` (height *
    width, c). Only pixel rows from ``top`` up to, but not including, ``bottom`` are changed.

    A line adds its light once per pixel of its length. Lines outside the image add nothing.
    """
    channels = sums.shape[1]
    for i in range(lines.shape[0]):
        first, end, start, slope, cosine, along, across, low, high, touched = _line_sampling(
            lines[i], width, height, top, bottom
        )
        for column in range(first, end):
            y = start + slope * column
            row = math.ceil(y - REACH / cosine)
            for r in range(max(row, low), min(row + touched, high)):
                part, at = (
                    np.float32(_pixel_weight_at_distance((y - r) * cosine)),
                    column * along + r * across,
                )
                for c in range(channels):
                    sums[at, c] += part * light[i, c]


@entry
def overlay_lines(
    shown: Floats,
    width: int,
    height: int,
    lines: NDArray[np.float64],
    colors: Floats,
    top: int,
    bottom: int,
) -> None:
    """Draw lines (x1, y1, x2, y2), (n, 4), in pixels, on top of each other, with Porter and Duff's
    operator 'over'. Only pixel rows from ``top`` up to, but not including, ``bottom`` are changed.

    ``colors`` (n, 4) are red, green, blue and opacity from 0 to 1; ``shown`` (height * width, 4) is
    premultiplied by its opacity.
    """
    for i in range(lines.shape[0]):
        first, end, start, slope, cosine, along, across, low, high, touched = _line_sampling(
            lines[i], width, height, top, bottom
        )
        red, green, blue, alpha = colors[i, 0], colors[i, 1], colors[i, 2], colors[i, 3]
        for column in range(first, end):
            y = start + slope * column
            row = math.ceil(y - REACH / cosine)
            for r in range(max(row, low), min(row + touched, high)):
                opacity, at = (
                    np.float32(_pixel_weight_at_distance((y - r) * cosine)) * alpha,
                    column * along + r * across,
                )
                shown[at, 0] += opacity * (red - shown[at, 0])
                shown[at, 1] += opacity * (green - shown[at, 1])
                shown[at, 2] += opacity * (blue - shown[at, 2])
                shown[at, 3] += opacity * (np.float32(1.0) - shown[at, 3])


def clip_lines(
    lines: NDArray[np.float64], size: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The lines (n, 4), in pixels, clipped by the Liang-Barsky algorithm to an image of ``size``
    (width, height) with a few pixels around it, and the indices of those that are left.
    """
    start, end = lines[:, :2], lines[:, 2:]
    delta = end - start
    low, high = np.full(2, -4.0), np.asarray(size) + 4.0
    with np.errstate(divide="ignore", invalid="ignore"):
        at_low, at_high = (low - start) / delta, (high - start) / delta
    # of a parallel line both are infinite: of opposite signs if it lies within
    enters, leaves = np.minimum(at_low, at_high), np.maximum(at_low, at_high)
    u = np.maximum(np.maximum(enters[:, 0], enters[:, 1]), 0.0)
    v = np.minimum(np.minimum(leaves[:, 0], leaves[:, 1]), 1.0)
    kept = np.flatnonzero(u <= v)
    start, delta, u, v = start[kept], delta[kept], u[kept, None], v[kept, None]
    return np.hstack([start + delta * u, start + delta * v]), kept


def draw_lines(
    kernel: Callable[..., None],
    image: Floats,
    size: tuple[int, int],
    lines: NDArray[np.float64],
    values: Floats,
) -> None:
    """Draw lines into an image of ``size`` (width, height) with the kernel `add_lines` or
    `overlay_lines`. Many lines are drawn in horizontal bands by several threads.
    """
    width, height = size
    rows = (
        height
        if len(lines) <= FEW
        else max(1, BAND_BYTES // (width * image.shape[1] * image.itemsize))
    )
    bands = [(top, min(top + rows, height)) for top in range(0, height, rows)]

    def draw_row_band(band: tuple[int, int]) -> None:
        kernel(image, width, height, lines, values, *band)

    if len(bands) == 1:
        draw_row_band(bands[0])
    else:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(draw_row_band, bands))


@entry
def write_pixel_bytes(pixels: NDArray[np.uint8], shown: Floats) -> None:
    """Convert the values ``shown`` (n, c), from 0 to 1, to bytes from 0 to 255, and write them to
    ``pixels``.
    """
    for i in range(shown.shape[0]):
        for c in range(shown.shape[1]):
            pixels[i, c] = np.uint8(shown[i, c] * np.float32(255.0) + np.float32(0.5))
