"""Colours of light: of a wavelength, and of the sum of rays in each colour mode of a scene.

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
    """The colours of some vacuum wavelengths (nm) as the scene format has them: linear ramps
    between the spectral colours, (..., 3) from 0 to 1.

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


def ray_light(rgb: ArrayLike, power: ArrayLike) -> Floats:
    """The linear light, (..., 3), of rays with colours (..., 3) and powers (...), proportional to
    power.
    """
    colour = np.asarray(rgb, dtype=float)
    brightest = colour.max(axis=-1, keepdims=True)
    hue = np.divide(colour, brightest, out=np.zeros_like(colour), where=brightest > 0)
    light: Floats = hue**GAMMA * brightest * np.asarray(power, dtype=float)[..., None]
    return light


def ray_intensity(rgb: ArrayLike, power: ArrayLike) -> Floats:
    """The contribution of rays in the mode ``colorizedIntensity``, (...): the largest channel of
    their colours times their power.
    """
    intensity: Floats = np.asarray(rgb, dtype=float).max(axis=-1) * np.asarray(power, dtype=float)
    return intensity


def screen_light(rgb: ArrayLike, power: ArrayLike) -> Floats:
    """The contribution of rays in the mode ``default``, (..., 3): their colours times their power.

    The format composites 1 - exp(-colour) by 'screen', 1 - (1 - a)(1 - b), and maps pixels back by
    -ln(1 - x), which amounts to a sum.
    """
    light: Floats = np.asarray(rgb, dtype=float) * np.asarray(power, dtype=float)[..., None]
    return light


def screen_rgba(light: ArrayLike) -> Floats:
    """A sum of light (..., 3) as rgba (..., 4), for the mode ``default``: without gamma correction;
    overexposed colours keep their hue.
    """
    sums = np.asarray(light, dtype=float)
    strongest = sums.max(axis=-1, keepdims=True)
    return np.concatenate([sums / np.maximum(strongest, 1.0), np.minimum(strongest, 1.0)], axis=-1)


def linear_rgba(light: ArrayLike) -> Floats:
    """A sum of light (..., 3) as rgba (..., 4); overexposed colours keep their hue at full
    brightness.
    """
    sums = np.asarray(light, dtype=float)
    return _gamma_corrected_rgba(sums / np.maximum(sums.max(axis=-1, keepdims=True), 1.0), sums)


def clipped_rgba(light: ArrayLike) -> Floats:
    """A sum of light (..., 3) as rgba (..., 4); every channel is clipped separately, so that
    overexposed colours turn white.
    """
    sums = np.asarray(light, dtype=float)
    return _gamma_corrected_rgba(sums, sums)


def reinhard_rgba(light: ArrayLike) -> Floats:
    """A sum of light (..., 3) as rgba (..., 4), its luminance Y tone mapped to Y / (1 + Y), to show
    detail at any brightness (Reinhard et al., Photographic Tone Reproduction for Digital Images,
    2002, eq. 3).
    """
    sums = np.asarray(light, dtype=float)
    return _gamma_corrected_rgba(sums / (1.0 + sums @ _LUMINANCE)[..., None], sums)


def intensity_rgba(intensity: ArrayLike) -> Floats:
    """A sum of intensities (...) as rgba (..., 4): a colour for each power of ten, from purple at
    10⁻⁴ to red at 100, linear between.
    """
    with np.errstate(divide="ignore"):
        decade = np.log10(np.asarray(intensity, dtype=float))
    channels = [np.interp(decade, _DECADES, stops) for stops in (*_OF_DECADE.T, _OPACITY)]
    return np.stack(channels, axis=-1)


@dataclass(frozen=True)
class Mixing:
    """A colour mode: ``added`` is the contribution of rays with colours (..., 3) and powers (...),
    ``mapped`` the rgba of a sum of light.

    ``decades`` are the powers of ten that a legend names, if colours are a scale of intensity.
    """

    added: Callable[[ArrayLike, ArrayLike], Floats]
    mapped: Callable[[ArrayLike], Floats]
    decades: tuple[int, ...] = ()

    def displayed_color(self, light: ArrayLike) -> Floats:
        """The displayed colour of a sum, as rgba. Negative light, of a source of negative
        brightness, only darkens what is there.
        """
        return self.mapped(np.maximum(light, 0.0))


MIXINGS = {
    "default": Mixing(screen_light, screen_rgba),
    "linear": Mixing(ray_light, linear_rgba),
    "linearRGB": Mixing(ray_light, clipped_rgba),
    "reinhard": Mixing(ray_light, reinhard_rgba),
    "colorizedIntensity": Mixing(ray_intensity, intensity_rgba, (-4, -2, 0, 2)),
}
"""All colour modes of scenes."""


def _gamma_corrected_rgba(shown: Floats, sums: Floats) -> Floats:
    """Linear light as gamma-corrected rgba, with the opacity of the sum's brightest channel."""
    both = np.concatenate([shown, sums.max(axis=-1, keepdims=True)], axis=-1)
    rgba: Floats = np.minimum(both, 1.0) ** (1.0 / GAMMA)
    return rgba
