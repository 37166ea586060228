"""The visible part of a scene: the camera, and the size and colours in which it is painted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTransform

from raybench.shapes.curves import Box
from raybench.shapes.point import Point
from raybench_workbench.theme import Theme

MAX_SCALE, MIN_SCALE = 1e12, 1e-12
"""Limits of the scale, in pixels per scene unit."""


@dataclass(frozen=True, slots=True)
class Camera:
    """The visible part of a scene. ``x``, ``y``: the scene point at the canvas's top left corner;
    ``scale``: pixels per scene unit.
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    def to_screen(self, point: Point) -> QPointF:
        return QPointF((point[0] - self.x) * self.scale, (point[1] - self.y) * self.scale)

    def box_on_screen(self, box: Box) -> QRectF:
        """A box of the scene in pixels."""
        return QRectF(self.to_screen(Point(*box[:2])), self.to_screen(Point(*box[2:])))

    def points_in_pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points (n, 2) of the scene in pixels."""
        at: NDArray[np.float64] = (points - np.array([self.x, self.y])) * self.scale
        return at

    def to_scene(self, point: QPointF) -> Point:
        return Point(point.x() / self.scale + self.x, point.y() / self.scale + self.y)

    def round_to_pixel(self, value: float) -> float:
        """A coordinate or length in scene units, rounded to the decimals that a pixel can resolve.
        The error is at most half a pixel.
        """
        return round(value, -math.floor(math.log10(1 / self.scale))) + 0.0

    def zoomed(self, factor: float, about: QPointF) -> Camera:
        """The camera zoomed in by ``factor``, with the scene point at ``about`` (in pixels) fixed."""
        scale = min(MAX_SCALE, max(MIN_SCALE, self.scale * factor))
        at = self.to_scene(about)
        return Camera(at.x - about.x() / scale, at.y - about.y() / scale, scale)

    def panned(self, dx: float, dy: float) -> Camera:
        """The camera panned so that the picture moves by ``dx``, ``dy`` pixels."""
        return Camera(self.x - dx / self.scale, self.y - dy / self.scale, self.scale)

    def resized(self, old: tuple[int, int], new: tuple[int, int]) -> Camera:
        """The camera with the same scene point in the centre after the canvas size changed from
        ``old`` to ``new``, in pixels.
        """
        return self.panned((new[0] - old[0]) / 2, (new[1] - old[1]) / 2)

    def visible_rectangle(self, size: tuple[int, int]) -> tuple[float, float, float, float]:
        """The visible rectangle (x, y, width, height) in scene units, for a canvas of ``size``
        pixels.
        """
        return self.x, self.y, size[0] / self.scale, size[1] / self.scale

    @property
    def pixel_transform(self) -> QTransform:
        return QTransform(self.scale, 0, 0, self.scale, -self.x * self.scale, -self.y * self.scale)


def fit_camera(box: Box | None, size: tuple[int, int], margin: float = 0.1) -> Camera:
    """The camera that centres a box (left, top, right, bottom). ``margin`` is the fraction of the
    canvas left free on each side. Without a box, one scene unit is one pixel.
    """
    width, height = max(1, size[0]), max(1, size[1])
    if box is None:
        return Camera()
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    if wide <= 0 and high <= 0:
        wide = high = 100.0
    free = 1 - 2 * margin
    scale = min(
        free * width / wide if wide > 0 else MAX_SCALE,
        free * height / high if high > 0 else MAX_SCALE,
    )
    scale = min(MAX_SCALE, max(MIN_SCALE, scale))
    return Camera(
        (left + right) / 2 - width / 2 / scale, (top + bottom) / 2 - height / 2 / scale, scale
    )


def round_length_below(longest: float) -> float:
    """The largest length of the form 1, 2 or 5 times a power of ten that is at most ``longest``."""
    power = 10.0 ** math.floor(math.log10(longest))
    return next(k * power for k in (5.0, 2.0, 1.0) if k * power <= longest * (1 + 1e-9))


def multiples_in_range(step: float, start: float, length: float) -> range:
    """The integer factors k for which k times ``step`` lies in the range that begins at ``start``."""
    return range(math.ceil(start / step), math.floor((start + length) / step) + 1)


@dataclass(frozen=True)
class Viewport:
    """A part of a scene shown on a canvas of ``size`` logical pixels, each of ``ratio`` device
    pixels.
    """

    camera: Camera
    size: tuple[int, int]
    ratio: float
    theme: Theme
