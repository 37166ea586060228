"""Colours of light: of a single wavelength, and of many rays together in each colour mode of a
scene.

Light is added linearly. Each mode, a row of `MIXINGS`, computes the contribution of a ray, and the
displayed colour of the sum: red, green, blue and opacity from 0 to 1, premultiplied by the opacity.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from raybench.arrays import Floats

GREEN = 540.0
"""The wavelength in nm of light where a scene simulates no colours."""
RED, VIOLET = 620.0, 420.0
"""Default wavelengths in nm that are displayed as red and violet; a scene can set others."""
COLOURS = {
    "violet": (390.0, 455.0), "blue": (455.0, 492.0), "green": (492.0, 577.0), "yellow": (577.0, 597.0), "orange": (597.0, 622.0),
    "red": (622.0, 780.0),
}  # fmt: skip
"""The ranges of wavelengths in nm that have these names: Hecht, table 3.4."""
_STOPS = np.array([380.0, 420.0, 460.0, 500.0, 540.0, 580.0, 620.0, 700.0])
_RED = np.array([0.5, 0.5, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
_GREEN = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0])
_BLUE = np.array([1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
_SEEN = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])


def wavelength_to_rgb(wavelength: ArrayLike, *, red: float = RED, violet: float = VIOLET) -> Floats:
    """The colours (..., 3), from 0 to 1, of vacuum wavelengths (nm). As in the file format, they
    change linearly between the spectral colours.

    Black outside the visible range. ``red`` and ``violet`` are the wavelengths displayed in these
    colours; the spectrum is scaled accordingly if red is the longer one.
    """
    wave = np.asarray(wavelength, dtype=float)
    if red > violet:
        wave = VIOLET + (wave - violet) * (RED - VIOLET) / (red - violet)
    seen = np.interp(wave, _STOPS, _SEEN, left=0.0, right=0.0)
    return np.stack(
        [np.interp(wave, _STOPS, channel) * seen for channel in (_RED, _GREEN, _BLUE)], axis=-1
    )


PURE_INK, WHITE_INK = 0.3, 0.04
"""Largest luminance of pure colours and of white light on a light page: contrasts of 3 : 1 and 12 :
1 with white.
"""
GAMMA = 2.2
_LUMINANCE = np.array(
    [0.2126, 0.7152, 0.0722]
)  # of linear red, green and blue (Recommendation ITU-R BT.709)
# red at 100 and above, then one colour per decade; below 10^-4 the last one fades out, until 10^-7
_DECADES = np.array([-7.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0])
_OF_DECADE = 0.8 * np.array(
    [
        [0.0, 0.0, 0.0],
        [0.3, 0.0, 0.3],
        [0.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 0.5, 0.0],
        [1.0, 0.0, 0.0],
    ]
)
_OPACITY = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])


def linear_ray_light(rgb: ArrayLike, power: ArrayLike) -> Floats:
    """The light (..., 3) of rays with colours (..., 3) and powers (...), on a linear scale that is
    proportional to power.
    """
    colour = np.asarray(rgb, dtype=float)
    brightest = colour.max(axis=-1, keepdims=True)
    hue = np.divide(colour, brightest, out=np.zeros_like(colour), where=brightest > 0)
    light: Floats = hue**GAMMA * brightest * np.asarray(power, dtype=float)[..., None]
    return light


def ray_intensity(rgb: ArrayLike, power: ArrayLike) -> Floats:
    """The intensities (...) of rays in the colour mode ``colorizedIntensity``: the largest channel
    of a ray's colour times its power.
    """
    intensity: Floats = np.asarray(rgb, dtype=float).max(axis=-1) * np.asarray(power, dtype=float)
    return intensity


def default_mode_light(rgb: ArrayLike, power: ArrayLike) -> Floats:
    """The light (..., 3) of rays in the colour mode ``default``: a ray's colour times its power.

    The format composites 1 - exp(-colour) by 'screen', 1 - (1 - a)(1 - b), and maps pixels back by
    -ln(1 - x), which amounts to a sum.
    """
    light: Floats = np.asarray(rgb, dtype=float) * np.asarray(power, dtype=float)[..., None]
    return light


def default_mode_rgba(light: ArrayLike) -> Floats:
    """Convert a sum of light (..., 3) to rgba (..., 4) in the colour mode ``default``: without
    gamma correction. Overexposed colours keep their hue.
    """
    sums = np.asarray(light, dtype=float)
    strongest = sums.max(axis=-1, keepdims=True)
    return np.concatenate([sums / np.maximum(strongest, 1.0), np.minimum(strongest, 1.0)], axis=-1)


def linear_rgba(light: ArrayLike) -> Floats:
    """Convert a sum of light (..., 3) to rgba (..., 4). Overexposed colours keep their hue at full
    brightness.
    """
    sums = np.asarray(light, dtype=float)
    return _gamma_corrected_rgba(sums / np.maximum(sums.max(axis=-1, keepdims=True), 1.0), sums)


def clipped_rgba(light: ArrayLike) -> Floats:
    """Convert a sum of light (..., 3) to rgba (..., 4). Each channel is clipped separately, so that
    overexposed colours turn white.
    """
    sums = np.asarray(light, dtype=float)
    return _gamma_corrected_rgba(sums, sums)


def reinhard_rgba(light: ArrayLike) -> Floats:
    """Convert a sum of light (..., 3) to rgba (..., 4). The luminance Y is mapped to Y / (1 + Y),
    which shows detail at any brightness (Reinhard et al., Photographic Tone Reproduction for
    Digital Images, 2002, eq. 3).
    """
    sums = np.asarray(light, dtype=float)
    return _gamma_corrected_rgba(sums / (1.0 + sums @ _LUMINANCE)[..., None], sums)


def intensity_rgba(intensity: ArrayLike) -> Floats:
    """Convert a sum of intensities (...) to rgba (..., 4). Each power of ten has a colour, from
    purple at 10⁻⁴ to red at 100; colours between are interpolated.
    """
    with np.errstate(divide="ignore"):
        decade = np.log10(np.asarray(intensity, dtype=float))
    channels = [np.interp(decade, _DECADES, stops) for stops in (*_OF_DECADE.T, _OPACITY)]
    return np.stack(channels, axis=-1)


@dataclass(frozen=True)
class Mixing:
    """A colour mode. ``added`` computes what rays with colours (..., 3) and powers (...) add to a
    sum of light; ``mapped`` converts the sum to rgba.

    ``decades`` are the powers of ten that a legend names, if colours are a scale of intensity.
    """

    added: Callable[[ArrayLike, ArrayLike], Floats]
    mapped: Callable[[ArrayLike], Floats]
    decades: tuple[int, ...] = ()

    def displayed_color(self, light: ArrayLike) -> Floats:
        """The displayed rgba colour of a sum of light. Negative light, from a source of negative
        brightness, only darkens the picture.
        """
        return self.mapped(np.maximum(light, 0.0))


MIXINGS = {
    "default": Mixing(default_mode_light, default_mode_rgba),
    "linear": Mixing(linear_ray_light, linear_rgba),
    "linearRGB": Mixing(linear_ray_light, clipped_rgba),
    "reinhard": Mixing(linear_ray_light, reinhard_rgba),
    "colorizedIntensity": Mixing(ray_intensity, intensity_rgba, (-4, -2, 0, 2)),
}
"""All colour modes of scenes."""


def _gamma_corrected_rgba(shown: Floats, sums: Floats) -> Floats:
    """Gamma-corrected rgba of the linear light ``shown``. The brightest channel of ``sums`` gives
    the opacity.
    """
    both = np.concatenate([shown, sums.max(axis=-1, keepdims=True)], axis=-1)
    rgba: Floats = np.minimum(both, 1.0) ** (1.0 / GAMMA)
    return rgba


def legible_on_white(rgb: Floats) -> Floats:
    """Colours of light (n, 3) as they are drawn on a light page: of the same hue, darkened for
    contrast, white light almost to black, pure colours as little as necessary.
    """
    luminance = rgb**GAMMA @ _LUMINANCE
    purity = 1 - rgb.min(axis=-1) / np.maximum(rgb.max(axis=-1), 1e-9)
    most = WHITE_INK + (PURE_INK - WHITE_INK) * purity
    darker: Floats = rgb * np.minimum(1.0, most / np.maximum(luminance, 1e-9))[:, None] ** (
        1 / GAMMA
    )
    return darker
