"""The colours of marks of light in a theme, and marks grouped by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.optics.colour import GREEN, wavelength_to_rgb
from raybench.optics.colour_mixing import GAMMA
from raybench.scene.settings import Settings
from raybench.trace.results.images import LineRole, PointRole
from raybench_workbench.canvas.rays.picture import Colors
from raybench_workbench.theme import Theme

LINE_COLORS = {
    LineRole.RAY: "ray",
    LineRole.EXTENSION: "extension",
    LineRole.FORWARD: "forward",
    LineRole.OBSERVED: "sight",
}
POINT_COLORS = {
    PointRole.REAL: "ray",
    PointRole.VIRTUAL: "extension",
    PointRole.VIRTUAL_OBJECT: "forward",
}
"""Theme colours, by role, of marks without a wavelength."""
OCTAVES = 7
"""Opacity ranges from 1 to 2**-OCTAVES = 1/128; weaker rays, which eight bits do not resolve, are
not painted beside stronger ones.
"""
KEPT = 4
"""Octaves below the strongest ray within which rays are painted however weak they are, for many
weak rays add up to light.
"""
ALPHA_STEPS = 21
"""Number of opacity steps over `OCTAVES`."""
MOST_LEVELS = 255
"""Largest number of an opacity step."""
WIDTH_STEPS = 8
"""Steps of a ray's width to which the widths of lines are rounded."""
PURE_INK, WHITE_INK = 0.3, 0.04
"""Largest luminance of pure colours and of white light on a light page: contrasts of 3 : 1 and 12 :
1 with white.
"""


@dataclass(frozen=True, eq=False)
class Buckets:
    """Rows grouped by colour: ``rows`` are sorted by layer and colour, and bucket i is
    ``rows[starts[i]:starts[i + 1]]``, faint ones first.

    ``colors`` (m, 4): red, green, blue and opacity from 0 to 1.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    colors: Colors
    widths: NDArray[np.float64]
    """(m,): the width of lines, relative to that of a ray."""


def buckets_of(
    rgb: NDArray[np.float64],
    opacity: NDArray[np.float64],
    width: NDArray[np.float64] | float = 1.0,
    layer: NDArray[np.int64] | int = 0,
) -> Buckets:
    """Group marks by layer (n,), from the lowest to the highest, colour (n, 3), opacity (n,), which
    counts as at most 1, and width (n,), relative to that of a ray. Marks fainter than `OCTAVES`
    allow are left out, but none within `KEPT` octaves of the strongest: many faint rays add up. So
    are those without opacity, as of the negative power that a beam splitter of 170 % reflects.
    """
    with np.errstate(divide="ignore"):
        level = np.round(-np.log2(np.clip(opacity, 0.0, 1.0)) * (ALPHA_STEPS / OCTAVES)).astype(
            np.float64
        )
    faintest = level.min(initial=np.inf) + KEPT * (ALPHA_STEPS / OCTAVES)
    seen = level <= min(max(faintest, ALPHA_STEPS), MOST_LEVELS)
    fine = np.round(rgb * 255).astype(np.int64)
    key = (
        (np.where(seen, MOST_LEVELS - level, 0).astype(np.int64) << 24)
        | (fine[:, 0] << 16)
        | (fine[:, 1] << 8)
        | fine[:, 2]
    )
    key |= np.asarray(layer, np.int64) << 32
    key = (key << 8) | np.broadcast_to(
        np.rint(np.asarray(width) * WIDTH_STEPS).astype(np.int64), key.shape
    )
    rows = np.flatnonzero(seen)
    rows = rows[np.argsort(key[rows], kind="stable")]
    keys, starts = np.unique(key[rows], return_index=True)
    widths, keys = (keys & 255) / WIDTH_STEPS, keys >> 8
    colors = np.stack(
        [keys >> 16 & 255, keys >> 8 & 255, keys & 255, keys >> 24 & 255], axis=1
    ).astype(float)
    colors[:, :3] /= 255
    colors[:, 3] = 2.0 ** ((colors[:, 3] - MOST_LEVELS) / (ALPHA_STEPS / OCTAVES))
    return Buckets(rows, np.append(starts, len(rows)), colors, widths)


def wavelength_colors(wavelength: NDArray[np.float64], settings: Settings) -> NDArray[np.float64]:
    """The colours (n, 3) of wavelengths in nm, mapped as the scene's settings say; green for NaN."""
    return wavelength_to_rgb(
        np.nan_to_num(wavelength, nan=GREEN),
        red=settings.red_wavelength,
        violet=settings.violet_wavelength,
    )


def role_rgb(role_colors: Mapping[Any, str], theme: Theme) -> NDArray[np.float64]:
    """The theme's colours (k, 3) of marks by their role."""
    shades = [theme.color(name) for name in role_colors.values()]
    return np.array([(c.redF(), c.greenF(), c.blueF()) for c in shades])


def readable(rgb: NDArray[np.float64], theme: Theme) -> NDArray[np.float64]:
    """Colours (n, 3) of light, unchanged for a dark theme. For a light one they keep their hue and
    are darkened for contrast: white light, which a white page cannot show, to nearly black, so that
    it outweighs the colours at its rim as it does on a dark ground; pure colours as little as they
    need.
    """
    if theme.dark:
        return rgb
    luminance = rgb**GAMMA @ np.array([0.2126, 0.7152, 0.0722])
    strongest = np.maximum(rgb.max(axis=-1), 1e-9)
    purity = 1 - rgb.min(axis=-1) / strongest
    most = WHITE_INK + (PURE_INK - WHITE_INK) * purity
    darker: NDArray[np.float64] = rgb * np.minimum(1.0, most / np.maximum(luminance, 1e-9))[
        :, None
    ] ** (1 / GAMMA)
    return darker
