"""The frame of a figure: its size, and the camera that brings an area of the scene into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF

from core.shapes.curves import Box, union
from workbench.canvas.camera import Camera, fitted
from workbench.export.sizes import LARGEST

ROUNDS = 4
"""How often a frame is widened: what is painted in pixels is larger in scene units after each time, by less and less."""

Size = tuple[int, int]
Drawn = Callable[[Camera], Sequence[QRectF]]


def frame(box: Box | None, margin: float, size: Size | None, width: float, scale: float, drawn: Drawn | None = None) -> tuple[Size, Camera]:
    """The size of a figure in pixels, ``scale`` of them for a logical one, and its camera.

    Args:
        box: The area in scene units.
        margin: Free space around it, as a fraction of the figure.
        size: In pixels; None for that with the ``width`` in pixels and the aspect ratio of the area.
        drawn: The boxes, in logical pixels, of what else is painted and must not be cut off, such as texts; the area grows to hold them.
    """
    for _ in range(ROUNDS):
        whole = size or _natural_size(box, margin, width)
        logical = max(1, round(whole[0] / scale)), max(1, round(whole[1] / scale))
        camera = fitted(box, logical, margin)
        cut = [part for part in drawn(camera) if not QRectF(0, 0, *logical).contains(part)] if drawn is not None else []
        if not cut:
            break
        box = union((box, *(_in_scene(part, camera) for part in cut)))
    return logical, camera


def _in_scene(part: QRectF, camera: Camera) -> Box:
    (left, top), (right, bottom) = camera.to_scene(part.topLeft()), camera.to_scene(part.bottomRight())
    return left, top, right, bottom


def _natural_size(box: Box | None, margin: float, width: float) -> Size:
    """A size in pixels with the aspect ratio of a box."""
    if box is None or box[2] <= box[0]:
        return round(width), round(width * 0.625)
    shape = min((box[3] - box[1]) / (box[2] - box[0]), LARGEST)  # of a width that is hardly any it may be infinite
    shape = min(max(shape, 1 / 4), 4.0) if margin else shape
    largest = min(width, LARGEST, LARGEST / shape if shape > 0 else width)
    return max(1, round(largest)), max(1, round(largest * shape))
