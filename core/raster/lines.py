"""Lines added to an image in linear light, one sample per column or row, split between two pixels (Wu, SIGGRAPH 1991)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.trace.compilation.jit import entry


@entry
def add_lines(sums: NDArray[np.float32], width: int, height: int, lines: NDArray[np.float64], light: NDArray[np.float32]) -> None:
    """Add the light, (n, c), of lines (x1, y1, x2, y2), (n, 4), in pixels, to the accumulated light ``sums``, (height * width, c).

    A line adds its light once in every column that it crosses, or in every row if it is steep, split linearly between the two pixels
    whose centres are nearest to it. Lines outside the image add nothing.
    """
    channels = sums.shape[1]
    for i in range(lines.shape[0]):
        x1, y1, x2, y2 = lines[i, 0], lines[i, 1], lines[i, 2], lines[i, 3]
        steep = abs(y2 - y1) > abs(x2 - x1)
        if steep:
            x1, y1, x2, y2 = y1, x1, y2, x2
        if x1 > x2:
            x1, y1, x2, y2 = x2, y2, x1, y1
        along, across = (height, width) if steep else (width, height)
        along_stride, across_stride = (width, 1) if steep else (1, width)
        first = max(math.ceil(x1 - 0.5), 0)
        last = min(math.ceil(x2 - 0.5), along)
        if first >= last:
            continue
        slope = (y2 - y1) / (x2 - x1)
        for column in range(first, last):
            y = y1 + slope * (column + 0.5 - x1) - 0.5
            row = math.floor(y)
            weight = np.float32(y - row)
            at = column * along_stride + row * across_stride
            if 0 <= row < across:
                for c in range(channels):
                    sums[at, c] += (np.float32(1.0) - weight) * light[i, c]
            if 0 <= row + 1 < across:
                for c in range(channels):
                    sums[at + across_stride, c] += weight * light[i, c]
