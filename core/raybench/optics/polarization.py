"""Polarisation of light whose s and p components are incoherent."""

import numpy as np

from raybench.arrays import Floats

EPS_POWER = 1e-10
"""Minimum power for which polarisation is defined."""


def degree_of_polarization(power: Floats) -> Floats:
    """The degree of polarisation |p - s| / (p + s) for powers (n, 2) of s and p; 0 without power
    (Born & Wolf, section 10.9.2, for incoherent s and p).
    """
    total = power[:, 0] + power[:, 1]
    some = total > EPS_POWER
    return np.where(some, np.abs(power[:, 1] - power[:, 0]) / np.where(some, total, 1.0), 0.0)


def polarization_ratio(power: Floats) -> Floats:
    """The ratio p / s for powers (n, 2) of s and p; infinite without s power."""
    some = power[:, 0] > EPS_POWER
    return np.where(some, power[:, 1] / np.where(some, power[:, 0], 1.0), np.inf)
