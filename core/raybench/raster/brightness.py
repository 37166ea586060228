"""The brightness of light: the rays of a trace, summed in the pixels of a picture."""

import numpy as np
from numpy.typing import NDArray

from raybench.optics.colour import linear_ray_light, wavelength_to_rgb
from raybench.raster.lines import add_lines, clip_lines, draw_lines
from raybench.scene.settings import Settings
from raybench.shapes.curves import Box
from raybench.trace.results.images import image_marks_in_view_mode
from raybench.trace.results.result import TraceResult


def sum_ray_light(
    result: TraceResult, settings: Settings, box: Box, size: tuple[int, int]
) -> NDArray[np.float32]:
    """The light of a trace in a box (left, top, right, bottom) of a scene with these settings, as
    linear red, green and blue (height * width, 3) of an image of ``size`` (width, height).

    Each ray adds its power once per pixel of its length, in the colour of its wavelength, or in
    white if the scene simulates no colours.
    """
    lines = image_marks_in_view_mode(result, settings).lines
    (left, top, right, bottom), (width, height) = box, size
    scale = np.array([width / (right - left), height / (bottom - top)] * 2)
    clipped, kept = clip_lines((lines.ends - np.array([left, top] * 2)) * scale, size)
    rgb = np.ones((len(kept), 3))
    if settings.simulate_colors:
        colours = settings.red_wavelength, settings.violet_wavelength
        rgb = wavelength_to_rgb(lines.wavelength[kept], red=colours[0], violet=colours[1])
    light = linear_ray_light(rgb, lines.power[kept]).astype(np.float32)
    sums = np.zeros((width * height, 3), np.float32)
    draw_lines(add_lines, sums, size, clipped, light)
    return sums
