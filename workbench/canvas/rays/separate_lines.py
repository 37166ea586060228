"""Added light as lines of a drawing, on which lines cover each other instead of adding up.

Each ray is a line in the mean colour that is shown across it, and so wide that its ink is that of the canvas. Where rays run together, such
as the colours of white light before a prism, or light that a mirror sends back, all of them have the colour of their sum and together cover
as densely as the sum is shown.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.optics.colour_mixing import MIXINGS, Mixing
from workbench.canvas.rays.brightness import BrightnessPicture, Light, shown_color
from workbench.canvas.rays.ray_picture import Lines, RayPicture, buckets_of
from workbench.theme import Theme

SAME_PLACE = 1e-7
"""The distance within which the ends of coinciding rays lie, relative to the largest coordinate."""
PROFILE = np.array([0.75 - d * d if d < 0.5 else 0.5 * (1.5 - d) ** 2 for d in np.arange(0.05, 1.5, 0.1)])
"""The part of its light that a ray has at distances across it on the canvas, 0.1 pixels apart, on one side: see `core.raster.lines`."""
Floats = NDArray[np.float64]


def separate_lines(picture: BrightnessPicture, theme: Theme) -> RayPicture:
    """The light of a picture as separate lines."""
    mixing = MIXINGS[picture.mode]
    ends = _ordered(picture.lines)
    places = np.round(ends / (SAME_PLACE * np.abs(ends[:, :2]).max(initial=1e-30)))
    _, first, group, together = np.unique(places, axis=0, return_index=True, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    light = np.zeros((len(together), picture.light.shape[1]), np.float32)
    np.add.at(light, group, picture.light)
    below, whole = _running_together(ends[first], light)
    opacity, under, across = _shown(mixing, whole)[:, 3], _shown(mixing, below)[:, 3], _across(mixing, whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.where(under < 1.0, 1.0 - (1.0 - _shown(mixing, below + light)[:, 3]) / (1.0 - under), 1.0)
    alone = 1.0 - (1.0 - np.clip(more, 0.0, 1.0)) ** (1.0 / together)
    rgb, width = shown_color(across, theme), across[:, 3] / np.maximum(opacity, 1e-9)
    lines = buckets_of(rgb[group], alone[group], width[group])
    dots = _shown(mixing, picture.point_light)
    points = buckets_of(shown_color(dots, theme), dots[:, 3])
    return RayPicture(
        picture.lines[lines.rows], picture.source_ray[lines.rows], lines.starts, lines.colors,
        picture.points[points.rows], points, picture.legend, lines.widths,
    )  # fmt: skip


def _shown(mixing: Mixing, light: Light) -> Floats:
    """The colour (n, 4) in which light (n, c) is shown."""
    return mixing.shown(light if light.shape[1] > 1 else light[:, 0])


def _across(mixing: Mixing, light: Light) -> Floats:
    """The colours (n, 4) of light in all across a ray, over a width of one pixel: the canvas spreads it over three pixels."""
    return np.asarray(0.2 * sum(_shown(mixing, light * np.float32(part)) for part in PROFILE))


def _ordered(lines: Lines) -> Lines:
    """Lines (n, 4) from left to right, and upright ones from top to bottom."""
    turned = (lines[:, 0] > lines[:, 2]) | ((lines[:, 0] == lines[:, 2]) & (lines[:, 1] > lines[:, 3]))
    return np.where(turned[:, None], lines[:, [2, 3, 0, 1]], lines)


def _running_together(lines: Lines, light: Light) -> tuple[Light, Light]:
    """What other lines add to the middle of each of some lines (n, 4) on which they lie: (n, c) the longer ones, and all with itself."""
    below, whole = np.zeros_like(light), light.copy()
    along = lines[:, 2:] - lines[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    size = np.abs(lines[:, :2]).max(initial=1e-30)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = along / length[:, None]
    offset = lines[:, 0] * unit[:, 1] - lines[:, 1] * unit[:, 0]
    keys = np.stack([np.round(unit[:, 0] / SAME_PLACE), np.round(unit[:, 1] / SAME_PLACE), np.round(offset / (10 * SAME_PLACE * size))], 1)
    order = np.lexsort((-length, *keys.T))
    ends = np.flatnonzero((np.diff(keys[order], axis=0) != 0).any(axis=1)) + 1
    for rows in np.split(order, ends):
        if len(rows) > 1:
            begin = (lines[rows, :2] * unit[rows[0]]).sum(axis=1)
            end = begin + length[rows]
            for i, (row, middle) in enumerate(zip(rows, (begin + end) / 2, strict=True)):
                covers = (begin < middle) & (middle < end)
                below[row] = light[rows[:i][covers[:i]]].sum(axis=0)
                whole[row] = light[rows[covers]].sum(axis=0)
    return below, whole
