"""Exact comparison of two pictures: one wrong digit changes a few dozen pixels, fewer than any
tolerance forgives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

RED = (60, 60, 255)
"""Pixels that differ, as blue, green and red."""


@dataclass(frozen=True, eq=False)
class Difference:
    """How a picture differs from the expected one, which is None if missing. ``changed`` (height,
    width) marks the pixels, if both have the same size; ``marked`` shows them red over the darkened
    picture.
    """

    text: str
    actual: QImage
    expected: QImage | None = None
    marked: QImage | None = None
    changed: NDArray[np.bool_] | None = None


def pixels(image: QImage) -> Any:
    """The blue, green and red bytes of a 32-bit image as an array (height, width, 3).

    The array shares the image's memory: keep a reference to the image, or copy the array.
    """
    lines = np.frombuffer(image.bits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return lines[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, :3]


def changed_pixels(actual: QImage, expected: QImage) -> NDArray[np.bool_] | None:
    """The pixels (height, width) in which two images differ; None if their sizes differ."""
    if actual.size() != expected.size():
        return None
    one, other = (image.convertToFormat(QImage.Format.Format_RGB32) for image in (actual, expected))
    changed: NDArray[np.bool_] = (pixels(one) != pixels(other)).any(axis=2)
    return changed


def compare(actual: QImage, expected: QImage) -> Difference | None:
    """The difference between an image and the expected one; None if they are equal."""
    changed = changed_pixels(actual, expected)
    if changed is None:
        sizes = (
            f"{actual.width()} x {actual.height()} instead of {expected.width()} x"
            f" {expected.height()} pixels"
        )
        return Difference(f"is {sizes}", actual, expected)
    if not changed.any():
        return None
    rows, columns = (np.flatnonzero(np.any(changed, axis=axis)) for axis in (1, 0))
    where = f"x {columns[0]} to {columns[-1]}, y {rows[0]} to {rows[-1]}"
    wanted = expected.convertToFormat(QImage.Format.Format_RGB32)
    marked = QImage(wanted.size(), QImage.Format.Format_RGB32)
    pixels(marked)[:] = pixels(wanted) // 4
    pixels(marked)[changed] = RED
    return Difference(
        f"differs in {int(changed.sum())} pixels ({where})", actual, expected, marked, changed
    )
