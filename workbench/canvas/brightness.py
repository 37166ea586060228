"""Rays as light that adds up: for the scenes whose colour mode knows brightness.

Every ray adds its light, in linear values, to the pixels it crosses: one along each column or row, shared between the two pixels it lies
between. What the sums look like says `core.optics.colour_mixing`.
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

from core.optics.colour_mixing import SHOWN, ray_intensity, ray_light
from core.scene.settings import Settings
from core.trace.results.images import Marks
from core.trace.results.result import TraceResult
from workbench.canvas.camera import Camera
from workbench.canvas.ray_picture import DIMMED, LINE_COLORS, POINT_COLORS, Lines, on_screen, readable, wavelength_colors
from workbench.theme import Theme

CHUNK = 20_000
"""Pixels of lines that are added between two looks at the clock."""
BAND = 10_000
"""Pixels that are made visible between two looks at the clock."""
COARSE = 3
"""How many times larger the pixels are while something moves."""
POINT = 3
"""The side of the square that an image point lights, in pixels."""
Light = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BrightnessPicture:
    """A trace made ready to be added up. ``lines`` (n, 4) and ``points`` (k, 2) in scene units; ``light`` (n, c) and ``point_light``
    (k, c) are what they add, c being 3 for red, green and blue or 1 for an intensity.

    ``source_ray`` (n,) is what a thinned picture is chosen by.
    """

    lines: Lines
    source_ray: NDArray[np.int32]
    light: Light
    points: NDArray[np.float64]
    point_light: Light
    mode: str

    price_factor: ClassVar[float] = 4.0
    """How much longer a line takes, coarsely, than one that is painted over others."""
    smooth_factor: ClassVar[float] = 8.0

    def __len__(self) -> int:
        return len(self.lines)

    def every(self, k: int) -> BrightnessPicture:
        """The picture of every ``k``-th source ray, each standing for ``k``."""
        rows = np.flatnonzero(self.source_ray % k == 0)
        return replace(self, lines=self.lines[rows], source_ray=self.source_ray[rows], light=self.light[rows] * np.float32(k))

    def painted(self, painter: QPainter, lit: Lines, camera: Camera, size: tuple[int, int], theme: Theme, smooth: bool) -> Iterator[None]:
        """Add the light up and paint the sum over what is there, stopping now and then so that the caller can look at the clock.

        Unless it is to be ``smooth`` the pixels are coarse: a line is then as much wider as it is fainter.
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
                add_lines(sums, (width, height), lines[start:end], light[kept[start:end]])
                start = end
                yield
        if len(self.points):
            at = (self.points - np.array([camera.x, camera.y])) * camera.scale * ratio
            add_points(sums, (width, height), at, point_light)
            yield
        image = QImage(width, height, QImage.Format.Format_RGBA8888_Premultiplied)
        shown = np.frombuffer(image.bits(), np.uint8).reshape(height, image.bytesPerLine())[:, : 4 * width].reshape(-1, 4)
        shown[:] = 0
        bright = np.flatnonzero(sums.any(axis=1))
        for first in range(0, len(bright), BAND):
            some = bright[first : first + BAND]
            rgba = SHOWN[self.mode](sums[some] if sums.shape[1] > 1 else sums[some, 0])
            if not theme.dark:  # white light on a white ground would be nothing: there it is ink
                alpha = np.maximum(rgba[:, 3:], 1e-9)
                rgba[:, :3] = readable(rgba[:, :3] / alpha, theme) * alpha
            shown[some] = np.rint(rgba * 255)
            yield
        painter.setOpacity(DIMMED if len(lit) else 1.0)
        painter.drawImage(QRectF(0, 0, width / ratio, height / ratio), image)
        painter.setOpacity(1.0)
        yield


def brightness_picture(result: TraceResult, marks: Marks, settings: Settings, theme: Theme) -> BrightnessPicture:
    """What a mode draws of a trace, with the light that each mark adds in the scene's colour mode."""
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
    """What marks add: the colour of their wavelength where the scene has colours, else that of their role, times their power."""
    if settings.simulate_colors:
        rgb = wavelength_colors(wavelength, settings)
    else:
        shades = [theme.color(name) for name in role_colors.values()]
        rgb = np.array([(c.redF(), c.greenF(), c.blueF()) for c in shades])[role]
    if settings.color_mode == "colorizedIntensity":
        # a colour that stands for a power is a scale of its own: the theme's shades would only falsify it
        return ray_intensity(rgb if settings.simulate_colors else np.ones_like(rgb), power)[:, None].astype(np.float32)
    return ray_light(rgb, power).astype(np.float32)


def add_lines(sums: Light, size: tuple[int, int], lines: Lines, light: Light) -> None:
    """Add the light (n, c) of lines (n, 4) in pixels to the sums (height * width, c) of an image (width, height).

    A line adds its light once in every column it crosses, or in every row where it is steep, as Wu's lines do: between the two pixels
    whose middles it passes between, by its nearness to each.
    """
    width = size[0]
    start, end = lines[:, :2], lines[:, 2:]
    steep = np.abs(end[:, 1] - start[:, 1]) > np.abs(end[:, 0] - start[:, 0])
    for along, across, chosen in ((0, 1, ~steep), (1, 0, steep)):
        a, b, shade = start[chosen], end[chosen], light[chosen]
        back = a[:, along] > b[:, along]
        low, high = np.where(back[:, None], b, a), np.where(back[:, None], a, b)
        span = high[:, along] - low[:, along]
        slope = np.divide(high[:, across] - low[:, across], span, out=np.zeros_like(span), where=span > 0)
        first = np.maximum(np.ceil(low[:, along] - 0.5), 0).astype(np.int64)
        last = np.minimum(np.ceil(high[:, along] - 0.5), size[along]).astype(np.int64)
        count = np.maximum(last - first, 0)
        of = np.repeat(np.arange(len(count)), count)
        place = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count) + first[of]
        side = low[of, across] + slope[of] * (place + 0.5 - low[of, along]) - 0.5
        cell = np.floor(side)
        share = (side - cell).astype(np.float32)
        cell = cell.astype(np.int64)
        for shift, weight in ((0, 1 - share), (1, share)):
            beside = cell + shift
            inside = (beside >= 0) & (beside < size[across])
            x, y = (place, beside) if along == 0 else (beside, place)
            at = (y * width + x)[inside]
            for channel in range(sums.shape[1]):
                np.add.at(sums[:, channel], at, (weight * shade[of, channel])[inside])


def add_points(sums: Light, size: tuple[int, int], at: NDArray[np.float64], light: Light) -> None:
    """Add the light (k, c) of points (k, 2) in pixels to the sums of an image: each lights a small square."""
    width, height = size
    corner = np.floor(at - (POINT - 1) / 2).astype(np.int64)
    for dx in range(POINT):
        for dy in range(POINT):
            x, y = corner[:, 0] + dx, corner[:, 1] + dy
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            for channel in range(sums.shape[1]):
                np.add.at(sums[:, channel], (y * width + x)[inside], light[inside, channel])
