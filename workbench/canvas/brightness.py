"""Rays with additive intensity: for scenes with simulated colours, and for the colour modes that show brightness.

Every ray adds its intensity, in linear values, to the pixels that it crosses (`core.raster.lines`); `core.optics.colour_mixing` maps a sum
to the displayed colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from core.optics.colour_mixing import ADDED, SHOWN
from core.raster.lines import add_lines
from core.scene.settings import Settings
from core.trace.results.images import Marks
from core.trace.results.result import TraceResult
from workbench.canvas.camera import Camera
from workbench.canvas.ray_picture import DIMMED, LINE_COLORS, POINT_COLORS, Lines, on_screen, readable, wavelength_colors
from workbench.theme import Theme

CHUNK = 500_000
"""Pixels of lines added between two polls of the clock."""
BAND = 10_000
"""Pixels whose colours are computed between two polls of the clock."""
COARSE = 3
"""Pixel size of the quick image, in device pixels."""
POINT = 3
"""Side of the square that an image point covers, in pixels."""
Light = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BrightnessPicture:
    """A trace prepared for additive painting. ``lines`` (n, 4) and ``points`` (k, 2) are in scene units; ``light`` (n, c) and
    ``point_light`` (k, c) are the values they add, with c = 3 for red, green and blue or c = 1 for an intensity.

    ``source_ray`` (n,) is the source ray of each line, by which `every` selects whole paths.
    """

    lines: Lines
    source_ray: NDArray[np.int32]
    light: Light
    points: NDArray[np.float64]
    point_light: Light
    mode: str

    cost_factor: ClassVar[float] = 4.0
    """Painting time of a coarse line, relative to one of `RayPicture`."""
    smooth_factor: ClassVar[float] = 8.0

    def __len__(self) -> int:
        return len(self.lines)

    def every(self, k: int) -> BrightnessPicture:
        """The picture of every ``k``-th source ray, each with ``k`` times its light."""
        rows = np.flatnonzero(self.source_ray % k == 0)
        return replace(self, lines=self.lines[rows], source_ray=self.source_ray[rows], light=self.light[rows] * np.float32(k))

    def painted(
        self, painter: QPainter, lit: Lines, camera: Camera, size: tuple[int, int], theme: Theme, smooth: bool, width: float = 0.0
    ) -> Iterator[None]:
        """Sum the light of all marks and paint the sum as an image, yielding at intervals so that the caller can poll the clock.

        Without ``smooth`` the pixels are `COARSE` times larger and lines that much fainter. ``width`` is ignored.
        """
        coarse = 1 if smooth else COARSE
        ratio = painter.device().devicePixelRatioF() / coarse
        width, height = math.ceil(size[0] * ratio), math.ceil(size[1] * ratio)
        light, point_light = self.light / np.float32(coarse), self.point_light / np.float32(coarse**2)
        sums = np.zeros((height * width, self.light.shape[1]), np.float32)
        lines, kept = on_screen(self.lines, camera, size)
        lines *= ratio
        yield
        reach = np.abs(lines[:, 2:] - lines[:, :2]).max(axis=1, initial=0.0)
        ends = np.searchsorted(np.cumsum(reach), np.arange(CHUNK, reach.sum() + CHUNK, CHUNK))
        start = 0
        for end in [*ends.tolist(), len(lines)]:
            if end > start:
                add_lines(sums, width, height, lines[start:end], light[kept[start:end]])
                start = end
                yield
        if len(self.points):
            at = (self.points - np.array([camera.x, camera.y])) * camera.scale * ratio
            add_points(sums, (width, height), at, point_light)
            yield
        image = QImage(width, height, QImage.Format.Format_RGBA8888_Premultiplied)
        visible = np.frombuffer(image.bits(), np.uint8).reshape(height, image.bytesPerLine())[:, : 4 * width].reshape(-1, 4)
        visible[:] = 0
        bright = np.flatnonzero(sums.any(axis=1))
        for first in range(0, len(bright), BAND):
            some = bright[first : first + BAND]
            rgba = SHOWN[self.mode](sums[some] if sums.shape[1] > 1 else sums[some, 0])
            if not theme.dark:  # white light would be invisible on a white background: darken it
                alpha = np.maximum(rgba[:, 3:], 1e-9)
                rgba[:, :3] = readable(rgba[:, :3] / alpha, theme) * alpha
            visible[some] = np.rint(rgba * 255)
            yield
        painter.setOpacity(DIMMED if len(lit) else 1.0)
        painter.drawImage(QRectF(0, 0, width / ratio, height / ratio), image)
        painter.setOpacity(1.0)
        yield


def brightness_picture(result: TraceResult, marks: Marks, settings: Settings, theme: Theme) -> BrightnessPicture:
    """The picture of the marks of a trace, each with the light that it adds in the scene's colour mode."""
    lines, points = marks.lines, marks.points
    return BrightnessPicture(
        lines.ends,
        result.source_ray[lines.row],
        _light(lines.power, lines.wavelength, lines.role, LINE_COLORS, settings, theme),
        points.at,
        _light(points.power, points.wavelength, points.role, POINT_COLORS, settings, theme),
        settings.color_mode,
    )


def _light(
    power: NDArray[np.float64],
    wavelength: NDArray[np.float64],
    role: NDArray[np.uint8],
    role_colors: Mapping[Any, str],
    settings: Settings,
    theme: Theme,
) -> Light:
    """The light (n, c) that marks add: power times the colour of the wavelength if the scene simulates colours, else of the role."""
    if settings.simulate_colors:
        rgb = wavelength_colors(wavelength, settings)
    else:
        shades = [theme.color(name) for name in role_colors.values()]
        rgb = np.array([(c.redF(), c.greenF(), c.blueF()) for c in shades])[role]
    if settings.color_mode == "colorizedIntensity" and not settings.simulate_colors:
        rgb = np.ones_like(rgb)  # the colour encodes power: the theme's colours would distort the scale
    light = ADDED[settings.color_mode](rgb, power).astype(np.float32)
    return light if light.ndim == 2 else light[:, None]


def add_points(sums: Light, size: tuple[int, int], at: NDArray[np.float64], light: Light) -> None:
    """Add the light (k, c) of points (k, 2), in pixels, to the sums of an image: each covers a small square."""
    width, height = size
    corner = np.floor(at - (POINT - 1) / 2).astype(np.int64)
    for dx in range(POINT):
        for dy in range(POINT):
            x, y = corner[:, 0] + dx, corner[:, 1] + dy
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            for channel in range(sums.shape[1]):
                np.add.at(sums[:, channel], (y * width + x)[inside], light[inside, channel])
