"""Images of rays without a background, which can be made in any thread.

Their lines are laid over each other, or added up, in floating point (`raybench.raster.lines`); sums
are then shown as the scene's colour mode maps them (`raybench.optics.colour`).
"""

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from raybench.optics.colour import MIXINGS
from raybench.raster.lines import add_lines, draw_lines, overlay_lines, write_pixel_bytes
from raybench.trace.compilation.loading import is_machine_code_loaded
from raybench_workbench.canvas.rays.drawing import Light, RayDrawing
from raybench_workbench.canvas.rays.light_colors import color_on_background
from raybench_workbench.canvas.rays.pixel_lines import (
    dash_covered_fraction,
    dash_phases,
    pixel_lines,
    split_into_dashes,
)
from raybench_workbench.canvas.rays.ray_vectors import Progress, draw_rays, paint_points
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.theme import Theme

PIXELS_PER_REPORT = 10_000
"""Pixels whose colours are computed between two reports of progress."""
COARSE_PIXEL_SIDE = 3
"""Side of the pixels of a quick image, in device pixels."""


def ray_image(
    drawing: RayDrawing,
    viewport: Viewport,
    coarse: int = 1,
    progress: Progress = lambda done: None,
) -> QImage:
    """An image of a drawing of rays. Its pixels are ``coarse`` times larger than device pixels, and
    its lines are fainter by that factor. Light that adds up is as bright, on the whole, with any
    number of device pixels.

    ``progress`` is called every few milliseconds with the part that is done; it may raise an error
    to cancel. Raises MemoryError. As long as the kernels are not compiled, Qt draws the lines.
    """
    image = _transparent_image(viewport, coarse)
    size = image.width(), image.height()
    if drawing.mode:
        sums = sum_light(drawing, viewport, coarse, progress)
        _write_light_as_pixels(drawing.mode, sums, image_bytes(image), viewport.theme, progress)
        return image
    by_kernel = is_machine_code_loaded()
    if by_kernel:
        sums = _sum_line_light(drawing, viewport, coarse, size, progress)
        write_pixel_bytes(image_bytes(image), sums)
    with QPainter(image) as painter:
        if not by_kernel:
            draw_rays(painter, drawing, viewport, progress=progress)
        paint_points(painter, drawing, viewport)
    return image


def sum_light(
    drawing: RayDrawing,
    viewport: Viewport,
    coarse: int = 1,
    progress: Progress = lambda done: None,
) -> Light:
    """The sum of the light (n, c) of a drawing whose light adds up, in each of the n pixels of the
    image that `ray_image` makes of it.
    """
    ratio = viewport.ratio / coarse
    size = _image_size(viewport, ratio)
    sums = _sum_line_light(drawing, viewport, coarse, size, progress)
    if drawing.point_sides is not None and len(drawing.points):
        sides = 2 * np.rint((drawing.point_sides * ratio - 1) / 2).astype(np.int64) + 1
        light = drawing.point_light / np.float32(coarse**2)
        at = viewport.camera.points_in_pixels(drawing.points) * ratio
        add_point_light(sums, size, at, light, sides)
    return sums


def light_image(mode: str, sums: Light, viewport: Viewport) -> QImage:
    """The image of sums of light in pixels, as `sum_light` makes them, in a colour mode."""
    image = _transparent_image(viewport)
    _write_light_as_pixels(mode, sums, image_bytes(image), viewport.theme, lambda done: None)
    return image


def _image_size(viewport: Viewport, ratio: float) -> tuple[int, int]:
    return math.ceil(viewport.size[0] * ratio), math.ceil(viewport.size[1] * ratio)


def _transparent_image(viewport: Viewport, coarse: int = 1) -> QImage:
    """A transparent image of a viewport in device pixels, or in ``coarse`` times larger ones."""
    ratio = viewport.ratio / coarse
    image = QImage(*_image_size(viewport, ratio), QImage.Format.Format_RGBA8888_Premultiplied)
    if image.isNull():
        raise MemoryError
    image.fill(0)
    image.setDevicePixelRatio(ratio)
    return image


def _sum_line_light(
    drawing: RayDrawing,
    viewport: Viewport,
    coarse: int,
    extent: tuple[int, int],
    progress: Progress,
) -> Light:
    """The sum of the light (width * height, c) of a drawing's lines in each pixel of an image."""
    camera, ratio = viewport.camera, viewport.ratio / coarse
    light, dashes = drawing.light, drawing.dashes
    strength = slice(0 if drawing.mode else 3, None)  # of lines that cover, opacity alone
    # lines are as wide in smaller pixels, and added light is as bright there on the whole
    brightness = ratio if drawing.mode else 1.0 / coarse
    if brightness != 1.0:
        light = light.copy()
        light[:, strength] *= np.float32(brightness)
    if dashes is not None and (coarse > 1 or drawing.dashes_run_together):
        light = light.copy()
        light[:, strength] *= dash_covered_fraction(dashes)
        dashes = None
    kernel = add_lines if drawing.mode else overlay_lines
    sums = np.zeros((extent[0] * extent[1], light.shape[1]), np.float32)
    for lines, rows in pixel_lines(drawing.lines, camera, viewport.size, ratio):
        if dashes is not None:
            own, starts = (
                dashes[rows] * ratio,
                camera.points_in_pixels(drawing.lines[rows, :2]) * ratio,
            )
            lines, line = split_into_dashes(lines, own, dash_phases(lines, starts, own))
            rows = rows[line]
        draw_lines(kernel, sums, extent, lines, light[rows])
        progress(float(rows[-1] + 1) / len(drawing) if len(rows) else 0.0)
    return sums


def add_point_light(
    sums: Light,
    size: tuple[int, int],
    at: NDArray[np.float64],
    light: Light,
    sides: NDArray[np.int64],
) -> None:
    """Add the light (k, c) of points at ``at`` (k, 2), in pixels, to the sums of an image. Each
    point lights a square whose side (k,) is an odd number of pixels.
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


def _write_light_as_pixels(
    mode: str, sums: Light, pixels: NDArray[np.uint8], theme: Theme, progress: Progress
) -> None:
    """Write sums of light into the pixels of an image, in the colours of a colour mode."""
    bright = np.flatnonzero(sums.any(axis=1))
    for first in range(0, len(bright), PIXELS_PER_REPORT):
        some = bright[first : first + PIXELS_PER_REPORT]
        rgba = MIXINGS[mode].displayed_color(sums[some] if sums.shape[1] > 1 else sums[some, 0])
        if not theme.is_dark:  # white light would be invisible on a white ground: darken it
            rgba[:, :3] = color_on_background(rgba, theme) * rgba[:, 3:]
        pixels[some] = np.rint(rgba * 255)
        progress(1.0)


def image_bytes(image: QImage) -> NDArray[np.uint8]:
    """A view of the pixels of an image with four bytes per pixel, (n, 4); writing to it changes the
    image.
    """
    return np.frombuffer(image.bits(), np.uint8).reshape(-1, 4)


def draw_image(painter: QPainter, image: QImage, opacity: float) -> None:
    """Paint an image over the canvas."""
    painter.setOpacity(opacity)
    painter.drawImage(QRectF(QPointF(), image.deviceIndependentSize()), image)
    painter.setOpacity(1.0)
