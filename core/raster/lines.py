"""Lines drawn into an image of light: added up, or laid over each other.

Around a line, the light in a pixel is a quadratic B-spline of the pixel's distance from it: a bundle is equally bright in every direction,
and next to no moiré appears where lines are about a pixel apart (Zwicker et al., EWA splatting, 2001).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.trace.compilation.jit import entry, inner

Floats = NDArray[np.float32]
REACH = 1.5
"""Distance from a line, in pixels, beyond which it has no light."""


@inner
def _samples(line: NDArray[np.float64], width: int, height: int) -> tuple[int, int, float, float, float, int, int, int]:
    """How a line (x1, y1, x2, y2) is walked along its steeper axis: the first and the end of the columns, the place across of column 0
    and its slope, the cosine of the slope, the strides along and across, and the number of pixels across."""
    x1, y1, x2, y2 = line[0], line[1], line[2], line[3]
    steep = abs(y2 - y1) > abs(x2 - x1)
    if steep:
        x1, y1, x2, y2 = y1, x1, y2, x2
    if x1 > x2:
        x1, y1, x2, y2 = x2, y2, x1, y1
    along, across = (height, width) if steep else (width, height)
    along_stride, across_stride = (width, 1) if steep else (1, width)
    first = max(math.ceil(x1 - 0.5), 0)
    end = max(min(math.ceil(x2 - 0.5), along), first)
    slope = (y2 - y1) / (x2 - x1) if end > first else 0.0
    return first, end, y1 + slope * (0.5 - x1) - 0.5, slope, 1.0 / math.sqrt(1.0 + slope * slope), along_stride, across_stride, across


@inner
def _part(distance: float) -> float:
    """The part of a line's light at a distance from it, in pixels: a quadratic B-spline."""
    d = abs(distance)
    return 0.75 - d * d if d < 0.5 else 0.5 * (1.5 - d) * (1.5 - d)


@entry
def add_lines(sums: Floats, width: int, height: int, lines: NDArray[np.float64], light: Floats) -> None:
    """Add the light, (n, c), of lines (x1, y1, x2, y2), (n, 4), in pixels, to the accumulated light ``sums``, (height * width, c).

    A line adds its light once per pixel of its length. Lines outside the image add nothing.
    """
    channels = sums.shape[1]
    for i in range(lines.shape[0]):
        first, end, start, slope, cosine, along_stride, across_stride, across = _samples(lines[i], width, height)
        reach = REACH / cosine
        for column in range(first, end):
            y = start + slope * column
            row = max(math.ceil(y - reach), 0)
            at = column * along_stride + row * across_stride
            while row < across and row < y + reach:
                part = np.float32(_part((y - row) * cosine))
                for c in range(channels):
                    sums[at, c] += part * light[i, c]
                row += 1
                at += across_stride


@entry
def cover_lines(shown: Floats, width: int, height: int, lines: NDArray[np.float64], colors: Floats) -> None:
    """Lay lines (x1, y1, x2, y2), (n, 4), in pixels, one over the other: Porter and Duff's operator 'over'.

    ``colors`` (n, 4) are red, green, blue and opacity from 0 to 1; ``shown`` (height * width, 4) is premultiplied by its opacity.
    """
    for i in range(lines.shape[0]):
        first, end, start, slope, cosine, along_stride, across_stride, across = _samples(lines[i], width, height)
        reach = REACH / cosine
        red, green, blue, alpha = colors[i, 0], colors[i, 1], colors[i, 2], colors[i, 3]
        for column in range(first, end):
            y = start + slope * column
            row = max(math.ceil(y - reach), 0)
            at = column * along_stride + row * across_stride
            while row < across and row < y + reach:
                opacity = np.float32(_part((y - row) * cosine)) * alpha
                shown[at, 0] += opacity * (red - shown[at, 0])
                shown[at, 1] += opacity * (green - shown[at, 1])
                shown[at, 2] += opacity * (blue - shown[at, 2])
                shown[at, 3] += opacity * (np.float32(1.0) - shown[at, 3])
                row += 1
                at += across_stride


@entry
def to_bytes(pixels: NDArray[np.uint8], shown: Floats) -> None:
    """Write values from 0 to 1, (n, c), as bytes from 0 to 255."""
    for i in range(shown.shape[0]):
        for c in range(shown.shape[1]):
            pixels[i, c] = np.uint8(shown[i, c] * np.float32(255.0) + np.float32(0.5))
