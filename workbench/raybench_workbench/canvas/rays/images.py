"""Images into which rays are drawn pixel by pixel, in any thread."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from raybench_workbench.canvas.camera import Camera
from raybench_workbench.canvas.rays.clipping import Lines, on_screen

CLIPPED = 100_000
"""Lines that are clipped at a time."""
PIXELS = 3_000_000
"""Pixels of lines that are drawn at a time."""


def empty_image(size: tuple[int, int], ratio: float) -> QImage:
    """A transparent image for ``size`` logical pixels with ``ratio`` pixels for each. Raises
    MemoryError.
    """
    image = QImage(
        math.ceil(size[0] * ratio),
        math.ceil(size[1] * ratio),
        QImage.Format.Format_RGBA8888_Premultiplied,
    )
    if image.isNull():
        raise MemoryError
    image.fill(0)
    image.setDevicePixelRatio(ratio)
    return image


def image_bytes(image: QImage) -> NDArray[np.uint8]:
    """The bytes (n, 4) of the pixels of an image with four bytes per pixel; writing to them changes
    it.
    """
    return np.frombuffer(image.bits(), np.uint8).reshape(-1, 4)


def draw_image(painter: QPainter, image: QImage, ratio: float, opacity: float) -> None:
    """Paint an image with ``ratio`` pixels for each logical one."""
    painter.setOpacity(opacity)
    painter.drawImage(QRectF(0, 0, image.width() / ratio, image.height() / ratio), image)
    painter.setOpacity(1.0)


def pixel_lines(
    lines: Lines, camera: Camera, size: tuple[int, int], ratio: float
) -> Iterator[tuple[Lines, NDArray[np.int64]]]:
    """The visible lines in device pixels and their indices, in portions that take a few
    milliseconds to draw.
    """
    for first in range(0, len(lines), CLIPPED):
        on, kept = on_screen(lines[first : first + CLIPPED], camera, size)
        on *= ratio
        reach = np.cumsum(np.abs(on[:, 2:] - on[:, :2]).max(axis=1, initial=0.0))
        total = float(reach[-1]) if len(reach) else 0.0
        ends = np.searchsorted(reach, np.arange(PIXELS, total + PIXELS, PIXELS)).tolist()
        start = 0
        for end in [*ends, len(on)]:
            if end > start:
                yield on[start:end], first + kept[start:end]
                start = end
