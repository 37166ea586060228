"""The amplitudes of polarized light along rays, by Jones vectors (Hecht, section 8.13.2).

A vector holds the amplitudes of s and p, with the directions of `raybench.optics.polarization`. The
light of a source is the sum of two mutually incoherent modes: polarized light and light of the
opposite polarization or, for an unpolarized source, s and p.
"""

from math import cos, pi, radians, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.kinds.object import SceneObject
from raybench.kinds.polarizing_elements import Polarizer, Rotator, WavePlate
from raybench.kinds.sources import source_polarization
from raybench.optics.thin_films import Complexes
from raybench.scene.labels import labelled_edges
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import last_straight_pieces

SMALL = 1e-9
"""A smaller amplitude of a mode of power 1 is a rounding error."""


def jones_amplitudes(result: TraceResult, rows: Rows, phases: Floats) -> Complexes:
    """The amplitudes (k, 4) at the ends of the segments ``rows`` (k,): s and p of the first mode of
    the source, then s and p of the second mode. Their squares are powers.

    ``phases`` (n, 2) are the phase changes of s and p at the start of each segment. Magnitudes
    follow from the powers of the trace, except at elements that mix s and p.
    """
    scene, parents = result.scene, result.parent
    assert scene is not None
    on_path = np.zeros(len(result), bool)
    on_path[rows] = True
    on_path |= result.lineage.ancestors_mask(on_path)
    used = np.flatnonzero(on_path)
    modes = np.zeros((len(result), 2, 2), np.complex128)
    generation = result.lineage.generation[used]
    for g in range(int(generation.max(initial=-1)) + 1):
        at = used[generation == g]
        if g == 0:
            for source in np.unique(result.source[at]):
                own = at[result.source[at] == source]
                total = result.power[own].sum(axis=1)
                vectors = source_modes(scene.optical[source])
                modes[own] = np.sqrt(total)[:, None, None] * vectors
            continue
        before = parents[at].astype(np.int64)
        gain = _amplitude_factors(result.power[before], result.power[at]) * np.exp(1j * phases[at])
        modes[at] = modes[before] * gain[:, None, :]
        mixed = result.interaction[at] == Interaction.POLARIZE
        for i in np.unique(result.hit[before[mixed]]):
            own = at[mixed & (result.hit[before] == i)]
            _apply_polarizing_element(result, scene.optical[i], own, modes)
    ends = modes[rows] * _amplitude_factors(result.power[rows], result.end_power[rows])[:, None, :]
    return np.asarray(ends, np.complex128).reshape(-1, 4)


def source_modes(source: SceneObject) -> Complexes:
    """The two modes (2, 2) of a source of power 1, each as amplitudes of s and p; the stronger mode
    first.
    """
    first, second, third = source_polarization(source)
    if not (first or second or third):
        return np.eye(2, dtype=np.complex128) / sqrt(2)
    coherence = second + 1j * third  # 2 E_s E_p*
    matrix = np.array([[1 + first, coherence], [np.conj(coherence), 1 - first]]) / 2
    powers, vectors = np.linalg.eigh(matrix)
    modes = (np.sqrt(np.maximum(powers, 0.0)) * vectors).T[::-1]
    # the phase is that of the first component, so that sources of one polarization are in phase
    lead = modes[np.arange(2), np.argmax(np.abs(modes) > SMALL, axis=1)]
    return np.asarray(modes * np.exp(-1j * np.angle(lead))[:, None], np.complex128)


def _amplitude_factors(before: Floats, after: Floats) -> Floats:
    """The factors (k, 2) between the amplitudes of two powers; 0 where the power before is 0."""
    some = before > 0
    ratio = np.maximum(after, 0.0) / np.where(some, before, 1.0)
    return np.where(some, np.sqrt(ratio), 0.0)


def _apply_polarizing_element(
    result: TraceResult, obj: SceneObject, rows: Rows, modes: Complexes
) -> None:
    """Update the ``modes`` (n, 2, 2) of the segments ``rows``, which start at an element that mixes
    s and p.
    """
    before = result.parent[rows].astype(np.int64)
    p1, p2 = last_straight_pieces(result, before)
    along = (p2 - p1) @ np.array(labelled_edges(obj)[0].normal) > 0
    arriving = (
        modes[before]
        * _amplitude_factors(result.power[before], result.end_power[before])[:, None, :]
    )
    nm = result.wavelength[before]
    for forward in (True, False):
        for wave in np.unique(nm):
            same = (along == forward) & ((nm == wave) | (np.isnan(nm) & np.isnan(wave)))
            matrix = jones_matrix(obj, None if np.isnan(wave) else float(wave), forward)
            modes[rows[same]] = arriving[same] @ matrix.T


def jones_matrix(obj: SceneObject, wavelength: float | None, along: bool) -> Complexes:
    """The Jones matrix (2, 2) of a polarizing element for light along its normal or, if ``along``
    is false, against it. ``wavelength`` is in nm, or None.
    """
    if isinstance(obj, Rotator):
        turned_back = obj.faraday and not along
        turn = _rotation_matrix(-obj.rotation if turned_back else obj.rotation)
        return turn.astype(np.complex128)
    if isinstance(obj, Polarizer):
        axis = obj.axis
        values = np.array([sqrt(obj.transmittance), sqrt(obj.leakage)], np.complex128)
    else:
        assert isinstance(obj, WavePlate)
        axis = obj.fast_axis
        changes = wavelength is not None and not obj.achromatic
        waves = obj.retardance * (obj.wavelength / wavelength if changes and wavelength else 1.0)
        values = np.array([1.0, np.exp(2j * pi * waves)])
    turn = _rotation_matrix(axis if along else -axis)
    return np.asarray(turn @ np.diag(values) @ turn.T, np.complex128)


def _rotation_matrix(degrees: float) -> NDArray[np.float64]:
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return np.array([[c, -s], [s, c]])
