"""The table of colourings: the quantities that the colour of a ray can represent, each with a
legend.

A scene's own colour modes are in `raybench.optics.colour`; a coloring is chosen in the view
and replaces them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.errors import elide_text
from raybench.optics.colour import GREEN, MIXINGS, wavelength_to_rgb
from raybench.optics.polarization import EPS_POWER
from raybench.scene import RELATIVE
from raybench.scene.settings import Settings
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.result import TraceResult

Floats = NDArray[np.float64]
CATEGORY_COLORS = np.array(
    [
        [1.00, 0.80, 0.30], [0.36, 0.72, 1.00], [0.45, 0.88, 0.50], [1.00, 0.48, 0.42], [0.80, 0.58, 1.00],
        [0.30, 0.86, 0.84], [1.00, 0.62, 0.80], [0.76, 0.82, 0.42], [0.86, 0.66, 0.46], [0.72, 0.76, 0.80],
    ]
)  # fmt: skip
"""Colours (10, 3) that are easily distinguished; further categories repeat them."""
SCALE_COLORS = np.array(
    [
        [0.36, 0.40, 1.00],
        [0.75, 0.36, 0.86],
        [1.00, 0.45, 0.50],
        [1.00, 0.70, 0.28],
        [1.00, 1.00, 0.62],
    ]
)
"""Colours (5, 3) from low to high values."""
DIVERGING_COLORS = np.array([[0.32, 0.62, 1.00], [0.78, 0.78, 0.78], [1.00, 0.58, 0.16]])
"""Colours (3, 3) from one extreme through the middle to the other."""
SCALE_STEPS = 64
"""Number of distinguishable steps of a scale."""
POWER_DECADES = 4
"""Powers of ten of the scale of powers."""
POWER_OCTAVES = 8
"""Factors of two in power between the faintest and the strongest line."""
MIN_OPACITY = 0.1
"""Opacity of the weakest rays: their colour must still be seen."""
MOST_WAVELENGTHS = 8
"""Maximum number of distinct wavelengths that a legend lists separately."""


@dataclass(frozen=True, eq=False)
class Legend:
    """The meaning of colours. ``colors`` (k, 3) are red, green and blue from 0 to 1.

    Without ``is_scale``, ``labels`` has a position and a text for each colour. With it, the colours
    are evenly spaced along a bar, and the positions of labels are from 0 to 1.
    """

    title: str
    colors: Floats
    labels: tuple[tuple[float, str], ...]
    is_scale: bool = False


@dataclass(frozen=True, eq=False)
class ColoredRays:
    """The colour (n, 3) of each row of a trace, and its legend."""

    rgb: Floats
    legend: Legend


@dataclass(frozen=True)
class Coloring:
    """A coloring: its name and title, and the function that colours the rays of a trace."""

    name: str
    title: str
    color: Callable[[TraceResult, Settings], ColoredRays]


def line_opacity(power: Floats, strongest: float) -> Floats:
    """The opacities (n,) of lines with these powers. An opacity grows with the logarithm of the
    power relative to the ``strongest``.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        below = -np.log2(power / strongest) / POWER_OCTAVES
    opacity: Floats = np.where(
        power > 0, np.clip(1.0 - (1.0 - MIN_OPACITY) * below, MIN_OPACITY, 1.0), 0.0
    )
    return opacity


def _colors_on_scale(positions: Floats, stops: Floats) -> Floats:
    """The colours (n, 3) of positions (n,) from 0 to 1 on a colour scale with evenly spaced
    ``stops``. The scale has `SCALE_STEPS` steps.
    """
    stepped = np.round(np.clip(positions, 0.0, 1.0) * SCALE_STEPS) / SCALE_STEPS
    at = np.linspace(0.0, 1.0, len(stops))
    return np.stack([np.interp(stepped, at, channel) for channel in stops.T], axis=-1)


def _category_colors(
    codes: NDArray[np.int64], title: str, words: Callable[[int], str]
) -> ColoredRays:
    """The colours of integer codes (n,), and a legend of the codes that occur."""
    present = np.unique(codes)
    colors = CATEGORY_COLORS[present % len(CATEGORY_COLORS)]
    return ColoredRays(
        CATEGORY_COLORS[codes % len(CATEGORY_COLORS)],
        Legend(title, colors, tuple((i, words(code)) for i, code in enumerate(present.tolist()))),
    )


def _colors_by_wavelength(result: TraceResult, settings: Settings) -> ColoredRays:
    known = np.unique(result.wavelength[~np.isnan(result.wavelength)])
    low, high = sorted((settings.violet_wavelength, settings.red_wavelength))

    def clipped_wavelength_colors(nm: Floats) -> Floats:
        """The colours of wavelengths. A wavelength outside the visible range gets the colour of the
        nearer end, since black would not be seen.
        """
        return wavelength_to_rgb(
            np.clip(nm, low, high), red=settings.red_wavelength, violet=settings.violet_wavelength
        )

    rgb = np.where(
        np.isnan(result.wavelength)[:, None],
        CATEGORY_COLORS[-1],
        clipped_wavelength_colors(np.nan_to_num(result.wavelength, nan=GREEN)),
    )
    if not len(known):
        return ColoredRays(
            rgb, Legend("Wavelength", CATEGORY_COLORS[-1:], ((0, "not simulated in this scene"),))
        )
    if len(known) <= MOST_WAVELENGTHS:
        return ColoredRays(
            rgb,
            Legend(
                "Wavelength",
                clipped_wavelength_colors(known),
                tuple((i, f"{nm:.5g} nm") for i, nm in enumerate(known.tolist())),
            ),
        )
    ends = np.linspace(known[0], known[-1], SCALE_STEPS)
    ticks = tuple(
        (place, f"{known[0] + place * (known[-1] - known[0]):.4g} nm") for place in (0.0, 0.5, 1.0)
    )
    return ColoredRays(
        rgb, Legend("Wavelength", clipped_wavelength_colors(ends), ticks, is_scale=True)
    )


def _colors_by_source(result: TraceResult, settings: Settings) -> ColoredRays:
    names, present = result.object_names, np.unique(result.source)
    place = np.searchsorted(present, result.source)

    def source_name(i: int) -> str:
        index = int(present[i])
        return elide_text(names[index], 40) if 0 <= index < len(names) else "unknown"

    return _category_colors(place, "Source", source_name)


def _colors_by_power(result: TraceResult, settings: Settings) -> ColoredRays:
    power = result.total_power
    most = float(power.max(initial=0.0)) or 1.0
    with np.errstate(divide="ignore"):
        place = 1.0 + np.log10(power / most) / POWER_DECADES
    ticks = tuple(
        (i / POWER_DECADES, ("≤ " if i == 0 else "") + f"{most * 10.0 ** (i - POWER_DECADES):.3g}")
        for i in range(0, POWER_DECADES + 1, 2)
    )
    title = "Power" if result.power_unit == RELATIVE else f"Power ({result.power_unit})"
    return ColoredRays(
        _colors_on_scale(place, SCALE_COLORS), Legend(title, SCALE_COLORS, ticks, is_scale=True)
    )


def _colors_by_polarisation(result: TraceResult, settings: Settings) -> ColoredRays:
    total = result.drawn_power
    part = result.power[:, 1] / result.full_power
    share = np.where(total > EPS_POWER, part / np.where(total > EPS_POWER, total, 1.0), 0.5)
    return ColoredRays(
        _colors_on_scale(share, DIVERGING_COLORS),
        Legend(
            "Polarisation",
            DIVERGING_COLORS,
            ((0.0, "s"), (0.5, "s = p"), (1.0, "p")),
            is_scale=True,
        ),
    )


def _colors_by_azimuth(result: TraceResult, settings: Settings) -> ColoredRays:
    """Colours whose hue is the azimuth, with the same hue for -90° and 90°. The less linear the
    light is, the greyer is the colour.
    """
    power, second = result.power, result.stokes[:, 0]
    first, total = power[:, 0] - power[:, 1], result.total_power
    some = result.drawn_power > EPS_POWER
    linear = np.where(some, np.hypot(first, second) / np.where(some, total, 1.0), 0.0)
    angle = np.arctan2(second, first)
    return ColoredRays(
        _hues(angle, np.round(np.minimum(linear, 1.0) * 8) / 8),
        Legend(
            "Azimuth of polarization",
            _hues(np.linspace(-np.pi, np.pi, SCALE_STEPS + 1), np.ones(SCALE_STEPS + 1)),
            ((0.0, "p"), (0.25, "-45°"), (0.5, "s"), (0.75, "45°"), (1.0, "p")), is_scale=True,
        ),
    )  # fmt: skip


def _hues(angles: Floats, saturation: Floats) -> Floats:
    """The colours (n, 3) of angles on a circle of hues; grey for a ``saturation`` of 0."""
    stepped = np.round(angles / np.pi * SCALE_STEPS) / SCALE_STEPS * np.pi
    thirds = np.array([0.0, -2.0, 2.0]) * np.pi / 3
    colors: Floats = 0.66 + 0.34 * saturation[:, None] * np.cos(stepped[:, None] + thirds)
    return colors


def _colors_by_ellipticity(result: TraceResult, settings: Settings) -> ColoredRays:
    total = result.total_power
    some = result.drawn_power > EPS_POWER
    share = np.where(some, result.stokes[:, 1] / np.where(some, total, 1.0), 0.0)
    return ColoredRays(
        _colors_on_scale(0.5 + 0.5 * share, DIVERGING_COLORS),
        Legend(
            "Circular polarization", DIVERGING_COLORS,
            ((0.0, "left"), (0.5, "none"), (1.0, "right")), is_scale=True,
        ),
    )  # fmt: skip


def _colors_by_degree(result: TraceResult, settings: Settings) -> ColoredRays:
    return ColoredRays(
        _colors_on_scale(result.degree_of_polarization, SCALE_COLORS),
        Legend(
            "Degree of polarization",
            SCALE_COLORS,
            ((0.0, "0"), (0.5, "0.5"), (1.0, "1")),
            is_scale=True,
        ),
    )


def _colors_by_depth(result: TraceResult, settings: Settings) -> ColoredRays:
    most = int(result.depth.max(initial=0))
    ticks = sorted({0, most // 2, most})
    labels = tuple((i / max(most, 1), str(i)) for i in ticks)
    return ColoredRays(
        _colors_on_scale(result.depth / max(most, 1), SCALE_COLORS),
        Legend("Interactions before", SCALE_COLORS, labels, is_scale=True),
    )


def _colors_by_status(result: TraceResult, settings: Settings) -> ColoredRays:
    return _category_colors(
        result.status.astype(np.int64),
        "How it ends",
        lambda code: Status(code).word.replace("_", "-"),
    )


def _colors_by_interaction(result: TraceResult, settings: Settings) -> ColoredRays:
    return _category_colors(
        result.interaction.astype(np.int64), "Made by", lambda code: Interaction(code).word
    )


COLORINGS = {
    c.name: c
    for c in (
        Coloring("wavelength", "Wavelength", _colors_by_wavelength),
        Coloring("source", "Source", _colors_by_source),
        Coloring("power", "Power", _colors_by_power),
        Coloring("polarisation", "Polarisation", _colors_by_polarisation),
        Coloring("degree", "Degree of polarization", _colors_by_degree),
        Coloring("azimuth", "Azimuth of polarization", _colors_by_azimuth),
        Coloring("circular", "Circular polarization", _colors_by_ellipticity),
        Coloring("depth", "Depth", _colors_by_depth),
        Coloring("interaction", "Interaction", _colors_by_interaction),
        Coloring("status", "Status", _colors_by_status),
    )
}
"""All colorings, by name."""


def scene_legend(settings: Settings) -> Legend | None:
    """The legend of the scene's colour mode; None if its colours are not a scale."""
    decades = MIXINGS[settings.color_mode].decades
    if not decades:
        return None
    low, high = min(decades), max(decades)
    light = 10.0 ** np.linspace(low, high, SCALE_STEPS)
    labels = tuple(((d - low) / (high - low), f"{10.0**d:g}") for d in decades)
    return Legend(
        "Intensity",
        MIXINGS[settings.color_mode].displayed_color(light)[:, :3],
        labels,
        is_scale=True,
    )
