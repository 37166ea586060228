"""The frame of a figure: its size, and the camera that brings an area of the scene into it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF

from raybench.shapes.curves import Box, union
from raybench_workbench.canvas.camera import Camera, fitted
from raybench_workbench.export.sizes import LARGEST

PART = 1e-6
"""Part of a pixel that is a rounding error."""
ROUNDS = 4
"""How often a frame is widened: what is painted in pixels is larger in scene units after each time,
by less and less.
"""

Size = tuple[int, int]
Drawn = Callable[[Camera], Sequence[QRectF]]


def frame(
    box: Box | None,
    margin: float,
    size: Size | None,
    width: float,
    scale: float,
    drawn: Drawn | None = None,
) -> tuple[tuple[float, float], Camera]:
    """The size of a figure in logical pixels, each of ``scale`` pixels, and its camera, for the
    next whole numbers of them.

    Args:
        box: The area in scene units.
        margin: Free space around it, as a fraction of the figure.
        size: In pixels; None for that with the ``width`` in pixels and the aspect ratio of the
            area.
        drawn: The boxes, in logical pixels, of what else is painted and must not be cut off, such
            as texts; the area grows to hold them.
    """
    for _ in range(ROUNDS):
        whole = size or _natural_size(box, margin, width)
        exact = whole[0] / scale, whole[1] / scale
        camera = fitted(box, whole_pixels(exact), margin)
        cut = (
            [part for part in drawn(camera) if not QRectF(0, 0, *exact).contains(part)]
            if drawn is not None
            else []
        )
        if not cut:
            break
        box = union((box, *(_in_scene(part, camera) for part in cut)))
    return exact, camera


def whole_pixels(size: tuple[float, float]) -> Size:
    """The whole numbers of pixels that hold a size."""
    return max(1, math.ceil(size[0] - PART)), max(1, math.ceil(size[1] - PART))


def _in_scene(part: QRectF, camera: Camera) -> Box:
    (left, top), (right, bottom) = (
        camera.to_scene(part.topLeft()),
        camera.to_scene(part.bottomRight()),
    )
    return left, top, right, bottom


def _natural_size(box: Box | None, margin: float, width: float) -> tuple[float, int]:
    """A size in pixels with the aspect ratio of a box."""
    if box is None or box[2] <= box[0]:
        return width, round(width * 0.625)
    shape = min(
        (box[3] - box[1]) / (box[2] - box[0]), LARGEST
    )  # of a width that is hardly any it may be infinite
    shape = min(max(shape, 1 / 4), 4.0) if margin else shape
    largest = min(width, LARGEST, LARGEST / shape if shape > 0 else width)
    return max(1.0, largest), max(1, round(largest * shape))
