"""Reflection and transmission of a stack of thin films by the method of the characteristic matrix
(Born & Wolf, 1.6; Macleod, Thin-Film Optical Filters, 2.3).

Complex indices are N = n - ik with k >= 0, for fields that vary in time as exp(iωt).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from raybench.arrays import Floats

Complexes = NDArray[np.complex128]
SMALLEST_COSINE = 1e-9
"""Replaces a smaller n cos θ in a film, where its admittances have no value."""


def film_stack_fractions(
    n_in: ArrayLike,
    n_out: ArrayLike,
    films: Sequence[tuple[ArrayLike, float]],
    wavelength: ArrayLike,
    cos_i: ArrayLike,
) -> Floats:
    """The fractions of power that a stack of films between two media reflects and transmits:
    R_s, R_p, T_s, T_p in the last axis (..., 4). What remains is absorbed.

    Light is incident from ``n_in``, a real index, at the angle whose cosine is ``cos_i``, and leaves
    into ``n_out``, which may be complex. ``films`` are pairs of a complex index and a thickness, in
    the order in which light meets them; thicknesses and the vacuum ``wavelength`` have one unit.
    All but the thicknesses may be arrays, which are broadcast. T is 0 on total reflection.
    """
    n0, cosine = np.asarray(n_in, float), np.asarray(cos_i, float)
    q0 = n0 * cosine
    transverse = n0 * n0 * (1.0 - cosine * cosine)
    inside = [_normal_component(index, transverse) for index, _ in films]
    q_out = _normal_component(n_out, transverse)
    per_length = 2 * np.pi / np.asarray(wavelength, float)
    fractions = []
    for polarization in "sp":

        def admittance(index: ArrayLike, q: Complexes, of: str = polarization) -> Complexes:
            return q if of == "s" else np.asarray(index, complex) ** 2 / q

        out = admittance(n_out, q_out)
        b, c = np.ones_like(out), out
        damping: Floats = np.zeros(np.shape(out))
        for (index, thickness), q in zip(reversed(films), reversed(inside), strict=True):
            delta = per_length * thickness * q
            # exp(iδ) grows in absorbing films; both exponentials are divided by its size
            grown, decayed = np.exp(1j * delta.real), np.exp(-1j * delta.real + 2 * delta.imag)
            cos, i_sin = (grown + decayed) / 2, (grown - decayed) / 2
            eta = admittance(index, q)
            b, c = cos * b + i_sin * c / eta, i_sin * eta * b + cos * c
            damping = damping - delta.imag
        # with p both terms are multiplied by n0 cos θ, so that grazing incidence is no exception
        incident, scale = (q0, 1.0) if polarization == "s" else (n0 * n0, q0)
        denominator = incident * b + scale * c
        fractions.append(np.abs((incident * b - scale * c) / denominator) ** 2)
        share = 4 * incident * scale * out.real / np.abs(denominator) ** 2
        fractions.append(share * np.exp(-2 * damping))
    r_s, t_s, r_p, t_p = np.broadcast_arrays(*fractions)
    return np.stack([r_s, r_p, t_s, t_p], axis=-1)


def _normal_component(index: ArrayLike, transverse: Floats) -> Complexes:
    """N cos θ in a medium, with the sign of a wave that decays: its imaginary part is negative."""
    q: Complexes = np.sqrt(np.asarray(index, complex) ** 2 - transverse)
    q = np.where((q.imag > 0) | ((q.imag == 0) & (q.real < 0)), -q, q)
    return np.where(np.abs(q) < SMALLEST_COSINE, SMALLEST_COSINE, q)
