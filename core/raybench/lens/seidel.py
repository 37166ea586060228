"""Seidel sums and chromatic sums, surface by surface (Welford, Aberrations of Optical Systems,
chapters 8 and 10), from a paraxial marginal and chief ray.
"""

from dataclasses import dataclass, fields

import numpy as np

from raybench.arrays import Floats
from raybench.lens.paraxial import marginal_and_chief_rays, signed_indices
from raybench.lens.prescription import Prescription


@dataclass(frozen=True)
class SeidelSums:
    """The contribution of each surface, (surfaces,) each, in the unit of length of the
    prescription.

    Attributes:
        spherical: S_I, spherical aberration.
        coma: S_II.
        astigmatism: S_III.
        petzval: S_IV, field curvature.
        distortion: S_V.
        axial_colour: C_L, between the shortest and the longest wavelength.
        lateral_colour: C_T, between the same wavelengths.
    """

    spherical: Floats
    coma: Floats
    astigmatism: Floats
    petzval: Floats
    distortion: Floats
    axial_colour: Floats
    lateral_colour: Floats


SEIDEL_SUMS = tuple(field.name for field in fields(SeidelSums))
"""The names of the sums."""


def seidel_sums(system: Prescription) -> SeidelSums:
    """The Seidel sums at the primary wavelength for the full aperture and the largest field, and
    the chromatic sums between the shortest and the longest wavelength. They hold for a lens with
    rotational symmetry whose section is the system.
    """
    marginal, chief = marginal_and_chief_rays(system)
    n = np.array(signed_indices(system, system.primary_wavelength))
    waves = [w.value for w in system.wavelengths]
    spread = np.array(signed_indices(system, min(waves))) - np.array(
        signed_indices(system, max(waves))
    )
    c = np.array([s.vertex_curvature for s in system.surfaces])
    y, u, yb, ub = marginal.y, marginal.u, chief.y, chief.u
    before, behind = n[:-1], n[1:]
    a, ab = before * (u[:-1] + y * c), before * (ub[:-1] + yb * c)
    bent = u[1:] / behind - u[:-1] / before
    invariant = before * (ub[:-1] * y - u[:-1] * yb)
    inverse, inverse_square = 1 / behind - 1 / before, 1 / behind**2 - 1 / before**2
    s1, s2, s3 = -(a**2) * y * bent, -a * ab * y * bent, -(ab**2) * y * bent
    s4 = -(invariant**2) * c * inverse
    # the form that holds where the marginal ray meets a surface at right angles
    s5 = -(ab**3) * y * inverse_square + yb * ab * (2 * y * ab - yb * a) * c * inverse
    # of the fourth order of the sag beyond the sphere of the vertex curvature
    fourth = np.array(
        [
            8 * (s.aspheric[1] if len(s.aspheric) > 1 else 0.0)
            + (1 + s.conic) * s.curvature**3
            - s.vertex_curvature**3
            for s in system.surfaces
        ]
    )
    g = fourth * (behind - before)
    dispersion = spread[1:] / behind - spread[:-1] / before
    return SeidelSums(
        spherical=s1 + g * y**4,
        coma=s2 + g * y**3 * yb,
        astigmatism=s3 + g * y**2 * yb**2,
        petzval=s4,
        distortion=s5 + g * y * yb**3,
        axial_colour=a * y * dispersion,
        lateral_colour=ab * y * dispersion,
    )
