"""Rays with additive intensity: for scenes with simulated colours, and for the colour modes that
show brightness.

Every ray adds its intensity, in linear values, to the pixels that it crosses
(`raybench.raster.lines`); `raybench.optics.colour_mixing` maps a sum to the displayed colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter

from raybench.optics.colour_mixing import MIXINGS
from raybench.raster.coloring import Legend, scene_legend
from raybench.raster.lines import add_lines, draw_lines
from raybench.scene.settings import Settings
from raybench.trace.results.images import Marks, PointRole
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.rays.clipping import Lines
from raybench_workbench.canvas.rays.dashes import MOST_DASHED, covered, dashed, dashes_of, phases
from raybench_workbench.canvas.rays.images import draw_image, empty_image, image_bytes, pixel_lines
from raybench_workbench.canvas.rays.light_colors import (
    LINE_COLORS,
    POINT_COLORS,
    readable,
    role_rgb,
    wavelength_colors,
)
from raybench_workbench.canvas.rays.picture import (
    Colors,
    every_source_ray,
    numbers_in_source,
    sparse_of,
)
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.theme import Theme

BAND = 10_000
"""Pixels whose colours are computed between two polls of the clock."""
COARSE = 3
"""Pixel size of the quick image, in device pixels."""
POINT_SIDES = {PointRole.REAL: 7, PointRole.VIRTUAL: 5, PointRole.VIRTUAL_OBJECT: 3}
"""Side of the square that an image point covers, in pixels, where its colour is that of its
wavelength.
"""
LARGEST_POINT = max(POINT_SIDES.values())
Light = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BrightnessPicture:
    """A trace prepared for additive painting. ``lines`` (n, 4) and ``points`` (k, 2) are in scene
    units; ``light`` (n, c) and ``point_light`` (k, c) are the values they add, with c = 3 for red,
    green and blue or c = 1 for an intensity.

    ``source_ray`` (n,) is the number of the source ray of each line, by which `every` selects whole
    paths.
    """

    lines: Lines
    source_ray: NDArray[np.int32]
    light: Light
    points: NDArray[np.float64]
    point_light: Light
    point_sides: NDArray[np.int64]
    """(k,): the side in pixels of the square that a point covers, an odd number."""
    mode: str
    legend: Legend | None = None
    dashes: NDArray[np.float64] | None = None
    """(n, 2): length in pixels of the dashes of each line and of its gaps; None if all are whole.
    """

    cost_factor: ClassVar[float] = 4.0
    """Painting time of a coarse line, relative to one of `RayPicture`."""
    smooth_factor: ClassVar[float] = 12.0

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def steps(self) -> int:
        return 2 + len(self.lines) // 1000

    @cached_property
    def sparse(self) -> BrightnessPicture:
        return sparse_of(self)

    def every(self, k: int) -> BrightnessPicture:
        """The picture of every ``k``-th source ray, with ``k`` times its light, but no line
        brighter than the brightest of all.
        """
        rows = every_source_ray(self.source_ray, k)
        light, dashes = self.light[rows], self.dashes[rows] if self.dashes is not None else None
        gain = min(float(k), max(1.0, self._brightest / max(float(light.max(initial=0.0)), 1e-30)))
        light *= np.float32(gain)
        return replace(
            self,
            lines=self.lines[rows],
            source_ray=self.source_ray[rows] // k,
            light=light,
            dashes=dashes,
        )

    @cached_property
    def _brightest(self) -> float:
        return max(1.0, float(self.light.max(initial=0.0)))

    def line_colors(self, rows: NDArray[np.int64] | None = None) -> Colors:
        """The colour (n, 4) in which each line, or each of those in ``rows``, is shown where it is
        alone.
        """
        light = self.light if rows is None else self.light[rows]
        rgba = MIXINGS[self.mode].shown(light if light.shape[1] > 1 else light[:, 0])
        opacity = np.maximum(rgba[:, 3:], 1e-9)
        return np.concatenate([np.minimum(rgba[:, :3] / opacity, 1.0), rgba[:, 3:]], axis=1)

    def painted(
        self,
        painter: QPainter,
        viewport: Viewport,
        *,
        smooth: bool,
        opacity: float = 1.0,
        width: float = 0.0,
    ) -> Iterator[None]:
        """Paint the sum of the light of all marks as an image, yielding at intervals so that the
        caller can poll the clock.

        Without ``smooth`` the pixels are `COARSE` times larger and lines that much fainter.
        ``width`` is ignored.
        """
        coarse = 1 if smooth else COARSE
        for image in self._summed(viewport, coarse):
            if image is not None:
                draw_image(painter, image, viewport.ratio / coarse, opacity)
            yield

    def layer(self, viewport: Viewport) -> Iterator[QImage | None]:
        """Make an image of the sum without a background, in any thread: yields None at intervals,
        and the image last.
        """
        return self._summed(viewport, 1)

    def _summed(self, viewport: Viewport, coarse: int) -> Iterator[QImage | None]:
        camera, ratio = viewport.camera, viewport.ratio
        image = empty_image(viewport.size, ratio / coarse)
        extent = image.width(), image.height()
        light, point_light, dashes = (
            self.light / np.float32(coarse),
            self.point_light / np.float32(coarse**2),
            self.dashes,
        )
        if dashes is not None and (coarse > 1 or np.count_nonzero(dashes[:, 1]) > MOST_DASHED):
            light, dashes = light * covered(dashes), None
        sums = np.zeros((image.width() * image.height(), self.light.shape[1]), np.float32)
        yield None
        for lines, rows in pixel_lines(self.lines, camera, viewport.size, ratio / coarse):
            if dashes is not None:
                own = dashes[rows] * ratio
                lines, of = dashed(
                    lines, own, phases(lines, camera.pixels(self.lines[rows, :2]) * ratio, own)
                )
                rows = rows[of]
            draw_lines(add_lines, sums, extent, lines, light[rows])
            yield None
        if len(self.points):
            at = camera.pixels(self.points) * ratio / coarse
            sides = 2 * np.rint((self.point_sides * ratio / coarse - 1) / 2).astype(np.int64) + 1
            add_points(sums, extent, at, point_light, sides)
            yield None
        visible = image_bytes(image)
        bright = np.flatnonzero(sums.any(axis=1))
        for first in range(0, len(bright), BAND):
            some = bright[first : first + BAND]
            rgba = MIXINGS[self.mode].shown(sums[some] if sums.shape[1] > 1 else sums[some, 0])
            if (
                not viewport.theme.dark
            ):  # white light would be invisible on a white background: darken it
                rgba[:, :3] = shown_color(rgba, viewport.theme) * rgba[:, 3:]
            visible[some] = np.rint(rgba * 255)
            yield None
        yield image


def brightness_picture(
    result: TraceResult, marks: Marks, settings: Settings, theme: Theme
) -> BrightnessPicture:
    """The picture of the marks of a trace, each with the light that it adds in the scene's colour
    mode.
    """
    lines, points = marks.lines, marks.points
    return BrightnessPicture(
        lines.ends,
        numbers_in_source(result, lines.row),
        _light(lines.power, lines.wavelength, lines.role, LINE_COLORS, settings, theme),
        points.at,
        _light(points.power, points.wavelength, points.role, POINT_COLORS, settings, theme),
        np.array(
            [POINT_SIDES[role] if settings.simulate_colors else LARGEST_POINT for role in PointRole]
        )[points.role],
        settings.color_mode,
        scene_legend(settings),
        dashes_of(lines.role) if settings.simulate_colors else None,
    )


def shown_color(rgba: NDArray[np.float64], theme: Theme) -> NDArray[np.float64]:
    """The colours (n, 3) of shown light (n, 4), which are premultiplied by its opacity, on the
    background of a theme.
    """
    return readable(np.minimum(rgba[:, :3] / np.maximum(rgba[:, 3:], 1e-9), 1.0), theme)


def _light(
    power: NDArray[np.float64],
    wavelength: NDArray[np.float64],
    role: NDArray[np.uint8],
    role_colors: Mapping[Any, str],
    settings: Settings,
    theme: Theme,
) -> Light:
    """The light (n, c) that marks add: power times the colour of the wavelength if the scene
    simulates colours, else of the role.
    """
    if settings.simulate_colors:
        rgb = wavelength_colors(wavelength, settings)
    elif MIXINGS[
        settings.color_mode
    ].decades:  # the colour shows the power: the theme's colours would distort the scale
        rgb = np.ones((len(role), 3))
    else:
        rgb = role_rgb(role_colors, theme)[role]
    light = MIXINGS[settings.color_mode].added(rgb, power).astype(np.float32)
    return light if light.ndim == 2 else light[:, None]


def add_points(
    sums: Light,
    size: tuple[int, int],
    at: NDArray[np.float64],
    light: Light,
    sides: NDArray[np.int64],
) -> None:
    """Add the light (k, c) of points (k, 2), in pixels, to the sums of an image: each covers a
    square with an odd side (k,).
    """
    width, height = size
    middle, reach = np.floor(at).astype(np.int64), sides // 2
    most = int(reach.max(initial=0))
    for dx in range(-most, most + 1):
        for dy in range(-most, most + 1):
            x, y = middle[:, 0] + dx, middle[:, 1] + dy
            inside = (
                (x >= 0) & (x < width) & (y >= 0) & (y < height) & (reach >= max(abs(dx), abs(dy)))
            )
            for channel in range(sums.shape[1]):
                np.add.at(sums[:, channel], (y * width + x)[inside], light[inside, channel])
