"""Reflection and transmission of a stack of thin films by the method of the characteristic matrix
(Born & Wolf, 1.6; Macleod, Thin-Film Optical Filters, 2.3).

Complex indices are N = n - ik with k >= 0, for fields that vary in time as exp(iωt).
"""

from collections.abc import Sequence
from typing import Any

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
    """The fractions of power that a stack of films between two media reflects and transmits: R_s,
    R_p, T_s, T_p in the last axis (..., 4). The remaining power is absorbed. They are the squares
    of `film_stack_amplitudes`, which has the same arguments.
    """
    amplitudes = film_stack_amplitudes(n_in, n_out, films, wavelength, cos_i)
    return amplitudes.real**2 + amplitudes.imag**2


def film_stack_amplitudes(
    n_in: ArrayLike,
    n_out: ArrayLike,
    films: Sequence[tuple[ArrayLike, float]],
    wavelength: ArrayLike,
    cos_i: ArrayLike,
) -> Complexes:
    """The amplitudes r_s, r_p, t_s, t_p in the last axis (..., 4), whose squares are fractions of
    power. Their phases are those of the electric field along the films.

    Light is incident from ``n_in``, a real index, at the angle whose cosine is ``cos_i``, and
    leaves into ``n_out``, which may be complex. ``films`` are pairs of a complex index and a
    thickness, in the order in which light meets them; thicknesses and the vacuum ``wavelength``
    have one unit. All arguments except the thicknesses may be arrays, which are broadcast. T is 0
    on total reflection.
    """
    n0, cosine = np.asarray(n_in, float), np.asarray(cos_i, float)
    q0 = n0 * cosine
    transverse = n0 * n0 * (1.0 - cosine * cosine)
    per_length = 2 * np.pi / np.asarray(wavelength, float)
    b, c = np.ones((), complex), _admittances(n_out, _normal_component(n_out, transverse))
    out, damping = c, np.zeros(())
    for index, thickness in reversed(films):
        q = _normal_component(index, transverse)
        delta = per_length * thickness * q
        # exp(iδ) grows in absorbing films; both exponentials are divided by its size
        grown, decayed = np.exp(1j * delta.real), np.exp(-1j * delta.real + 2 * delta.imag)
        cos, i_sin = (grown + decayed) / 2, (grown - decayed) / 2
        eta = _admittances(index, q)
        b, c = cos * b + i_sin * c / eta, i_sin * eta * b + cos * c
        damping = damping - delta.imag
    # for p both terms are multiplied by n0 cos θ, so that grazing incidence is no exception
    incident, scale = _stack_s_and_p(q0, n0 * n0), _stack_s_and_p(np.ones_like(q0), q0)
    denominator = incident * b + scale * c
    reflected = (incident * b - scale * c) / denominator
    passed = np.sqrt(incident * scale * np.maximum(out.real, 0.0))
    transmitted = 2 * passed / denominator * np.exp(-damping)
    return np.concatenate(
        [np.moveaxis(part, 0, -1) for part in np.broadcast_arrays(reflected, transmitted)], axis=-1
    )


def film_stack_coherences(
    n_in: ArrayLike,
    n_out: ArrayLike,
    films: Sequence[tuple[ArrayLike, float]],
    wavelength: ArrayLike,
    cos_i: ArrayLike,
) -> Floats:
    """The complex numbers r_s r_p* and t_s t_p* of a stack of films, scaled so that their squares
    are R_s R_p and T_s T_p: real and imaginary parts of the first, then of the second, in the last
    axis (..., 4).

    The arguments are those of `film_stack_fractions`. The phases are those of fields that vary in
    time as exp(-iωt), with the directions of s and p of `raybench.optics.laws.reflected_phase`.
    """
    r_s, r_p, t_s, t_p = np.moveaxis(
        film_stack_amplitudes(n_in, n_out, films, wavelength, cos_i), -1, 0
    )
    # against the directions here, where the one of p is that of its component along the films
    reflected, transmitted = -np.conj(r_s) * r_p, np.conj(t_s) * t_p
    return np.stack((reflected.real, reflected.imag, transmitted.real, transmitted.imag), axis=-1)


def _stack_s_and_p(s: ArrayLike, p: ArrayLike) -> NDArray[Any]:
    """The values for s and for p, stacked along a new first axis."""
    return np.stack(np.broadcast_arrays(s, p))


def _admittances(index: ArrayLike, q: Complexes) -> Complexes:
    """The admittances (2, ...) of a medium for s and p. ``q`` is N cos θ in the medium."""
    return _stack_s_and_p(q, np.asarray(index, complex) ** 2 / q)


def _normal_component(index: ArrayLike, transverse: Floats) -> Complexes:
    """N cos θ in a medium, with the sign of a decaying wave: its imaginary part is negative."""
    q: Complexes = np.sqrt(np.asarray(index, complex) ** 2 - transverse)
    q = np.where((q.imag > 0) | ((q.imag == 0) & (q.real < 0)), -q, q)
    return np.where(np.abs(q) < SMALLEST_COSINE, SMALLEST_COSINE, q)
