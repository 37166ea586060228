"""The laws of optics, as functions that kernels can compile. They cover reflection and
refraction (Hecht, 4.4 and 4.6; Born & Wolf, 1.5), dispersion, gratings (Hecht, 10.2.8; Born & Wolf,
8.6.1) and the ideal thin lens (Hecht, 5.2.3).
"""

import math
from typing import Any

SAME_INDEX = 1e-15
"""The largest difference from 1 of a ratio of equal indices: n times 1/n is not always 1."""
GRAZING_SQUARE = 1e-9
"""The square of a cosine of refraction below which its rounding error counts."""


def choose(condition: Any, x: Any, y: Any) -> Any:
    """The number x where a condition holds, else y."""
    return x if condition else y


def reflectances(ratio: Any, cos_i: Any, select: Any = choose, root: Any = math.sqrt) -> Any:
    """The reflectances for s and p polarisation, as fractions of the power, and the cosine of the
    angle of refraction.

    ``ratio`` is the index on the incident side over that on the other side; ``cos_i`` (positive)
    belongs to the angle of incidence. On total reflection the reflectances are 1 and the cosine is
    -1. A negative ratio has the reflectances of its absolute value. Between equal indices nothing
    is reflected, at grazing incidence neither.

    With ``select`` and ``root`` for rows of numbers, the arguments may be such rows. So in the
    functions below.
    """
    ratio = abs(ratio)
    square = 1.0 - ratio * ratio * (1.0 - cos_i * cos_i)
    same = abs(ratio - 1.0) < SAME_INDEX
    square = select(square >= GRAZING_SQUARE, square, select(same, -1.0, square))
    partial = square >= 0.0  # not if NaN, for an infinite ratio
    cos_t = root(select(partial, square, 1.0))
    r_s = (ratio * cos_i - cos_t) / (ratio * cos_i + cos_t)
    r_p = (ratio * cos_t - cos_i) / (ratio * cos_t + cos_i)
    otherwise = select(same, 0.0, 1.0)
    return (
        select(partial, r_s * r_s, otherwise),
        select(partial, r_p * r_p, otherwise),
        select(partial, cos_t, select(same, cos_i, -1.0)),
    )


def reflected_phase(ratio: float, cos_i: float) -> tuple[float, float]:
    """The complex number r_s r_p* over its magnitude, for the arguments of `reflectances`: 1 or -1
    where light is partially reflected, exp(i(φ_s - φ_p)) where it is totally reflected.

    For fields that vary in time as exp(-iωt). The directions of p before and behind the surface
    are that of s turned by 90 degrees about the ray, so that r_s = -r_p at normal incidence (Born &
    Wolf, 1.5.2 and 1.5.4).
    """
    ratio = abs(ratio)
    square = 1.0 - ratio * ratio * (1.0 - cos_i * cos_i)
    if not square < 0.0:
        cos_t = math.sqrt(square)
        same_sign = (ratio * cos_i - cos_t) * (cos_i - ratio * cos_t) >= 0.0
        return (1.0 if same_sign else -1.0), 0.0
    decay = math.sqrt(-square)
    a = ratio * (cos_i * cos_i + decay * decay)
    b = decay * cos_i * (ratio * ratio - 1.0)
    norm = a * a + b * b
    if not 0.0 < norm < math.inf:
        return 1.0, 0.0
    return (a * a - b * b) / norm, 2.0 * a * b / norm


def reflect(dx: Any, dy: Any, nx: Any, ny: Any) -> tuple[Any, Any]:
    """The direction (dx, dy) reflected at a surface with unit normal (nx, ny), on either side."""
    along = 2.0 * (dx * nx + dy * ny)
    return dx - along * nx, dy - along * ny


def refract(
    dx: Any, dy: Any, nx: Any, ny: Any, ratio: Any, cos_i: Any, cos_t: Any, select: Any = choose
) -> tuple[Any, Any]:
    """The unit direction (dx, dy) refracted by Snell's law; the unit normal points against the ray.

    A negative ratio, of a medium with negative index, refracts to the same side of the normal
    (Veselago).
    """
    along = abs(ratio) * cos_i
    along = select(ratio < 0.0, -along, along) - cos_t
    return ratio * dx + along * nx, ratio * dy + along * ny


def is_grazing(ratio: Any, cos_i: Any, select: Any = choose, root: Any = math.sqrt) -> Any:
    """Whether the angle of incidence is within 5 degrees of the critical angle, or of 90 degrees if
    there is none.
    """
    cos_5, sin_5 = 0.9961946980917455, 0.08715574274765817
    sin_c = 1.0 / select(abs(ratio) > 1.0, abs(ratio), 1.0)
    return cos_i <= root(1.0 - sin_c * sin_c) * cos_5 + sin_c * sin_5


def cauchy_index(a: float, b: float, wavelength: float) -> float:
    """The refractive index n = a + b / λ² by Cauchy's formula, with ``b`` in µm² and the vacuum
    wavelength in nm.
    """
    return a + b / (wavelength * wavelength * 1e-6)


def lowest_order(sin_i: float, spacing: float, wavelength: float) -> int:
    """The lowest propagating order m, with |sin i - m λ / g| <= 1; all lengths in the same unit."""
    return -math.floor(spacing / wavelength * (1.0 - sin_i))


def highest_order(sin_i: float, spacing: float, wavelength: float) -> int:
    """The highest propagating order m, with |sin i - m λ / g| <= 1."""
    return -math.ceil(spacing / wavelength * (-1.0 - sin_i))


def slit_intensity(order: int, slit_ratio: float) -> float:
    """The fraction of the power in a diffraction order: (w/g)² sinc²(π m w/g). ``slit_ratio`` is
    w/g, the width of the slits divided by their spacing.
    """
    phase = math.pi * order * slit_ratio
    sinc = 1.0 if phase == 0.0 else math.sin(phase) / phase
    return slit_ratio * slit_ratio * sinc * sinc


def refract_at_thin_lens(
    dx: float, dy: float, tx: float, ty: float, height: float, focal_length: float
) -> tuple[float, float]:
    """The unit direction of a ray behind a thin lens.

    (dx, dy) is the ray's unit direction, (tx, ty) the unit vector along the lens, ``height`` the
    distance of the point of incidence from the lens's centre along it. In the lens's frame the
    slope decreases by height / focal length, which gives perfect imaging.
    """
    nx, ny = ty, -tx
    along = dx * nx + dy * ny
    if along < 0.0:
        nx, ny, along = -nx, -ny, -along
    slope = (dx * tx + dy * ty) / along - height / focal_length
    if abs(slope) > 1e100:  # parallel to the lens, for extremely short focal lengths
        return math.copysign(tx, slope * tx), math.copysign(ty, slope * ty)
    norm = math.sqrt(1.0 + slope * slope)
    return (nx + slope * tx) / norm, (ny + slope * ty) / norm
