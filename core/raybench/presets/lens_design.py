"""Radii of lenses: of a singlet from its focal length and shape, and of a cemented doublet that is
corrected for axial colour and spherical aberration.

Curvatures c = 1/R are positive where the centre lies behind the surface (Hecht, section 6.1).
Lengths are in any one unit.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Self

from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F
from raybench.materials.material import Material
from raybench.phrase import Phrase
from raybench.presets.preset import InvalidPreset, material_index_at

MAX_STEEPNESS = 0.97
"""Largest ratio of the half diameter to a radius."""
ZONE_HEIGHT = 0.9
"""Height, as a fraction of the half diameter, of the ray that meets the axis in the paraxial focus
of a doublet.
"""
BENDING_COUNT = 81
"""Number of shapes of a doublet that are tried."""


def singlet_curvatures(
    focal_length: float, thickness: float, index: float, shape: float
) -> tuple[float, float]:
    """The curvatures of both surfaces of a thick lens. ``shape`` is Coddington's shape factor (R2 +
    R1)/(R2 - R1): 0 is equiconvex, 1 flat at the back, -1 flat at the front.

    From 1/f = (n-1) (c1 - c2 + (n-1) d c1 c2 / n) with c1 = k (q+1), c2 = k (q-1). Raises
    InvalidPreset.
    """
    power = 1 / focal_length
    a, b = (index - 1) ** 2 * thickness * (shape * shape - 1) / index, 2 * (index - 1)
    square = b * b + 4 * a * power
    if (
        index == 1 or not 0 <= square < math.inf or math.isinf(2 * power)
    ):  # neither negative nor beyond floats
        raise InvalidPreset(
            Phrase(
                "No lens of this thickness has this focal length. Make it thinner, or the focal"
                " length longer."
            )
        )
    k = 2 * power / (b + math.copysign(math.sqrt(square), b))
    return k * (shape + 1), k * (shape - 1)


def lens_form_name(front_curvature: float, back_curvature: float) -> str:
    """The name of a lens whose surfaces have these curvatures, such as Biconcave lens."""
    if front_curvature * back_curvature > 0:
        return "Meniscus lens"
    sense = "convex" if front_curvature > back_curvature else "concave"
    return f"{'Bi' if front_curvature * back_curvature < 0 else 'Plano-'}{sense} lens"


def sagitta(curvature: float, height: float) -> float:
    """The distance along the axis from the vertex of a surface to its points at ``height``. Raises
    InvalidPreset if the surface does not reach this height.
    """
    if not abs(curvature * height) <= MAX_STEEPNESS:  # nor NaN
        raise InvalidPreset(
            Phrase(
                "A surface has the radius {radius}, too small for a diameter of {diameter}. Make the"
                " diameter at most {most}, or the focal length longer."
            ),
            radius=1 / abs(curvature),
            diameter=2 * height,
            most=2 * MAX_STEEPNESS / abs(curvature),
        )
    return curvature * height * height / (1 + math.sqrt(1 - (curvature * height) ** 2))


def check_lens_edge(
    front_curvature: float, back_curvature: float, thickness: float, height: float
) -> None:
    """Raise InvalidPreset if the two surfaces of a lens cross below ``height``, within the
    aperture.
    """
    bulge = sagitta(front_curvature, height) - sagitta(back_curvature, height)
    if thickness <= bulge or thickness <= 0:
        raise InvalidPreset(
            Phrase(
                "Its surfaces cross at the rim: they bulge by {bulge} together. Make the thickness"
                " more than {bulge}, or the diameter smaller."
            ),
            bulge=max(bulge, 0.0),
        )


def focal_distances(
    front_curvature: float, back_curvature: float, thickness: float, index: float
) -> tuple[float, float]:
    """The front and the back focal distance of a lens, measured from its vertices (Hecht, section
    6.1).
    """
    power = (index - 1) * (
        front_curvature
        - back_curvature
        + (index - 1) * thickness * front_curvature * back_curvature / index
    )
    return (1 + (index - 1) * thickness * back_curvature / index) / power, (
        1 - (index - 1) * thickness * front_curvature / index
    ) / power


@dataclass(frozen=True)
class Doublet:
    """A cemented doublet: its thicknesses, and for each wavelength (nm) the indices before, between
    and behind its three surfaces.
    """

    indices: Mapping[float, tuple[float, float, float, float]]
    thickness: tuple[float, float]

    @classmethod
    def from_materials(
        cls, materials: tuple[Material, Material], thickness: tuple[float, float]
    ) -> Self:
        """A doublet of two materials, with their indices at the lines F, d and C."""
        first, second = materials
        return cls(
            {
                line: (1.0, material_index_at(first, line), material_index_at(second, line), 1.0)
                for line in (LINE_F, LINE_D, LINE_C)
            },
            thickness,
        )

    def paraxial_focal_lengths(
        self, curvatures: Sequence[float], wavelength: float
    ) -> tuple[float, float]:
        """The focal length and the back focal distance at ``wavelength``, from a paraxial ray that
        enters at height 1.
        """
        n, y, u = self.indices[wavelength], 1.0, 0.0
        for i, c in enumerate(curvatures):
            u = (n[i] * u - y * (n[i + 1] - n[i]) * c) / n[i + 1]
            if i < 2:
                y += self.thickness[i] * u
        return -1 / u, -y / u

    def axis_crossing_distance(self, curvatures: Sequence[float], height: float) -> float:
        """The distance from the last vertex at which a ray that enters at ``height`` crosses the
        axis, at the d line.

        By Snell's law at each surface. Raises ValueError where the ray misses a surface or is
        totally reflected.
        """
        n, x, y, dx, dy = self.indices[LINE_D], -abs(height), height, 1.0, 0.0
        for i, c in enumerate(curvatures):
            # c (x² + y²) = 2 x for a sphere through the origin
            a, b = c * (dx * dx + dy * dy), c * (x * dx + y * dy) - dx
            k = c * (x * x + y * y) - 2 * x
            along = k / (-b + math.copysign(math.sqrt(b * b - a * k), -b))
            x, y = x + along * dx, y + along * dy
            nx, ny = 1 - c * x, -c * y  # towards the centre
            ratio, inwards = n[i] / n[i + 1], dx * nx + dy * ny
            bent = math.sqrt(1 - ratio * ratio * (1 - inwards * inwards)) - ratio * inwards
            dx, dy = ratio * dx + bent * nx, ratio * dy + bent * ny
            if i < 2:
                x -= self.thickness[i]
        return x - y * dx / dy

    def solve_curvatures(
        self, first: float, focal_length: float, start: Sequence[float]
    ) -> tuple[float, float, float] | None:
        """The three curvatures that give the focal length, and the same back focus for blue and red
        light, where the ``first`` curvature is given. None if there is no solution.

        By Newton's method, which starts with the second and third curvature in ``start``.
        """
        c2, c3 = start

        def curvature_residuals(c2: float, c3: float) -> tuple[float, float]:
            (f, _), (_, blue), (_, red) = (
                self.paraxial_focal_lengths((first, c2, c3), line)
                for line in (LINE_D, LINE_F, LINE_C)
            )
            return focal_length / f - 1, (blue - red) / focal_length

        for _ in range(30):
            try:
                e1, e2 = curvature_residuals(c2, c3)
                if max(abs(e1), abs(e2)) < 1e-13:
                    return first, c2, c3
                h = 1e-7 / abs(focal_length)
                (a, c), (b, d) = (
                    ((p - e1) / h, (q - e2) / h)
                    for p, q in (curvature_residuals(c2 + h, c3), curvature_residuals(c2, c3 + h))
                )
                det = a * d - b * c
                c2, c3 = c2 - (d * e1 - b * e2) / det, c3 - (a * e2 - c * e1) / det
            except (ZeroDivisionError, OverflowError):
                return None
        return (first, c2, c3) if max(abs(e1), abs(e2)) < 1e-9 else None


@lru_cache(64)
def achromat_curvatures(
    focal_length: float,
    diameter: float,
    thickness: tuple[float, float],
    crown: Material,
    flint: Material,
) -> tuple[float, float, float]:
    """The curvatures of the three surfaces of an achromatic cemented doublet, the crown glass in
    front.

    At the d line it has the focal length exactly; blue (F) and red (C) have the same back focus;
    the ray at the fraction `ZONE_HEIGHT` of the half diameter meets the axis at the paraxial focus
    or, if no shape achieves this, as near to it as possible. Raises InvalidPreset.
    """
    doublet, height = Doublet.from_materials((crown, flint), thickness), diameter / 2
    (_, blue1, blue2, _), (_, n1, n2, _), (_, red1, red2, _) = (
        doublet.indices[line] for line in (LINE_F, LINE_D, LINE_C)
    )
    v1, v2 = (n1 - 1) / (blue1 - red1), (n2 - 1) / (blue2 - red2)
    if abs(v1 - v2) < 5:
        raise InvalidPreset(
            Phrase(
                "{crown} and {flint} disperse alike (V = {v1:.1f} and {v2:.1f}). Take glasses that"
                " differ more.",
                crown=crown.name,
                flint=flint.name,
                v1=v1,
                v2=v2,
            )
        )
    bend1, bend2 = (
        v1 / (v1 - v2) / (n1 - 1) / focal_length,
        -v2 / (v1 - v2) / (n2 - 1) / focal_length,
    )
    found: list[tuple[float, tuple[float, float, float]]] = []
    for i in range(BENDING_COUNT):
        c1 = bend1 * (-0.5 + 2.0 * i / (BENDING_COUNT - 1))
        curvatures = doublet.solve_curvatures(c1, focal_length, (c1 - bend1, c1 - bend1 - bend2))
        if curvatures is None or max(map(abs, curvatures)) * height > MAX_STEEPNESS:
            continue
        try:
            fault = (
                doublet.axis_crossing_distance(curvatures, ZONE_HEIGHT * height)
                - doublet.paraxial_focal_lengths(curvatures, LINE_D)[1]
            )
        except (ValueError, ZeroDivisionError):
            continue
        found.append((fault, curvatures))
    if not found:
        raise InvalidPreset(
            Phrase(
                "No cemented doublet of this diameter has this focal length. Make the diameter"
                " smaller, or the focal length longer."
            )
        )
    changes = [(a, b) for a, b in pairwise(found) if (a[0] > 0) != (b[0] > 0)]
    if not changes:
        return min(found, key=lambda shape: abs(shape[0]))[1]
    low, high = min(changes, key=lambda pair: max(map(abs, pair[0][1])))
    for _ in range(60):
        curvatures = doublet.solve_curvatures(
            (low[1][0] + high[1][0]) / 2, focal_length, low[1][1:]
        )
        if curvatures is None:
            break
        middle = (
            doublet.axis_crossing_distance(curvatures, ZONE_HEIGHT * height)
            - doublet.paraxial_focal_lengths(curvatures, LINE_D)[1],
            curvatures,
        )
        low, high = (middle, high) if (middle[0] > 0) == (low[0] > 0) else (low, middle)
    return low[1]
