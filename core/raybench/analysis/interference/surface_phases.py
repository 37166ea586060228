"""Phase changes at surfaces: reflection, total reflection, beam splitters and films.

A wave is exp(i(2π S / λ + φ) - iωt) with the optical path S. For s, φ is the phase of the electric
field, which is perpendicular to the plane; for p, the phase of the magnetic field. Both are scalars
that do not depend on the direction of a ray (Born & Wolf, section 1.5).
"""

from collections.abc import Collection
from math import pi

import numpy as np

from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.rays.incidence import Incidences, row_incidences
from raybench.analysis.scene.objects import edges_as_traced
from raybench.kinds.primitives import Surface
from raybench.optics.thin_films import Complexes, film_stack_amplitudes
from raybench.scene.coatings import SUBSTRATE_INDEX, Coatings, FilmStack, coating_wavelength
from raybench.scene.labels import labelled_edges
from raybench.trace.codes import Interaction
from raybench.trace.results.branches import transmitted_mask
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import last_straight_pieces
from raybench.trace.tables.object_rows import object_piece

TURNS_P = 80.0
"""The angle of incidence (degrees) from which on an ideal mirror or beam splitter shifts s and p
alike, as metals do beyond their principal angle of incidence.
"""
_REFLECTING = (Interaction.REFLECT, Interaction.TIR, Interaction.SPLIT)


def surface_types(result: TraceResult) -> Rows:
    """The `Surface` type (objects + 1,) of each object that light of a trace hits. The last entry
    stands for no object.
    """
    assert result.scene is not None
    optical, colours = result.scene.optical, result.scene.settings.simulate_colors
    out = np.full(len(optical) + 1, int(Surface.NONE))
    for i in np.unique(result.hit[result.hit >= 0]).tolist():
        out[i] = object_piece(optical[i], colours).surface
    return out


def phases_at_starts(
    result: TraceResult, rows: Rows, coatings: Coatings, disabled: Collection[int] = ()
) -> Floats:
    """The phase changes (k, 2) of s and p in radians at the surfaces where the segments ``rows``
    (k,) start.

    An ideal mirror shifts the phase by π. A beam splitter shifts reflected light by π/2 and
    transmitted light by 0, so that power is conserved where two beams meet. Bare glass follows
    Fresnel's equations, films follow their matrix. A coating that is known only by its powers
    counts as a bare surface.
    """
    scene, phases = result.scene, np.zeros((len(rows), 2))
    assert scene is not None
    parents = result.parent[rows].astype(np.int64)
    way, hit, edge = result.interaction[rows], result.hit[parents], result.edge[parents]
    surface = surface_types(result)[hit]
    films = _film_stacks(result, coatings)
    coated = np.zeros(len(rows), bool)
    for i, k in films:
        coated |= (hit == i) & (edge == k)
    turned = np.isin(way, _REFLECTING)
    turned[way == Interaction.SPLIT] &= ~transmitted_mask(result, rows[way == Interaction.SPLIT])
    passed = (way == Interaction.REFRACT) | (way == Interaction.SPLIT)
    here = np.flatnonzero(turned | (coated & passed))
    if not len(here):
        return phases
    met = row_incidences(result, scene, parents[here], disabled)
    bare = surface[here] == Surface.REFRACT
    cosines = np.abs(np.cos(np.radians(met.angle)))
    amplitudes = film_stack_amplitudes(met.n_before, met.n_after, (), 1.0, cosines)
    fresnel = _phases_of_amplitudes(amplitudes, turned[here])
    half = np.where(way[here] == Interaction.SPLIT, pi / 2, pi)
    ideal = np.stack([half, half + np.where(met.angle < TURNS_P, pi, 0.0)], axis=-1)
    phases[here] = np.where(bare[:, None], fresnel, ideal)
    for (i, k), stack in films.items():
        of = np.flatnonzero((hit[here] == i) & (edge[here] == k))
        if len(of):
            phases[here[of]] = _film_phases(result, i, k, stack, met, of, turned[here[of]])
    return phases


def _film_stacks(result: TraceResult, coatings: Coatings) -> dict[tuple[int, int], FilmStack]:
    """The film stacks by object index and edge index."""
    assert result.scene is not None
    return {
        (i, edge): coating
        for i, obj in enumerate(result.scene.optical)
        for edge, coating in coatings.get(obj.key, {}).items()
        if isinstance(coating, FilmStack)
    }


def _film_phases(
    result: TraceResult,
    index: int,
    edge: int,
    stack: FilmStack,
    incidences: Incidences,
    chosen: Rows,
    reflected: Mask,
) -> Floats:
    """The phase changes (k, 2) at an edge with films, for the incidences ``chosen`` (k,) among
    ``incidences``.
    """
    assert result.scene is not None
    obj, rows, out = (
        result.scene.optical[index],
        incidences.rows[chosen],
        np.zeros((len(chosen), 2)),
    )
    surface = object_piece(obj, False).surface
    mirror = surface == Surface.REFLECT
    p1, p2 = last_straight_pieces(result, rows)
    if surface == Surface.REFRACT:
        outward = contains_points(edges_as_traced(obj, result.scene), (p1 + p2) / 2)
    else:
        normal = next(e.normal for e in labelled_edges(obj) if e.index == edge)
        outward = ((p2 - p1) @ np.array(normal) > 0) & (not mirror)
    nm = result.wavelength[rows]
    for wave in np.unique(nm):
        same = (nm == wave) | (np.isnan(nm) & np.isnan(wave))
        vacuum = coating_wavelength(None if np.isnan(wave) else float(wave))
        for way_out in (False, True):
            which = np.flatnonzero(same & (outward == way_out))
            if len(which):
                at = chosen[which]
                amplitudes = film_stack_amplitudes(
                    incidences.n_before[at],
                    np.full(len(at), SUBSTRATE_INDEX) if mirror else incidences.n_after[at],
                    stack.films_in_light_order(vacuum, way_out),
                    vacuum,
                    np.abs(np.cos(np.radians(incidences.angle[at]))),
                )
                out[which] = _phases_of_amplitudes(amplitudes, reflected[which])
    return out


def _phases_of_amplitudes(amplitudes: Complexes, reflected: Mask) -> Floats:
    """The phases (k, 2) of s and p of amplitudes (k, 4) of the electric field along a surface, for
    fields that vary in time as exp(iωt). On reflection the sign of p is inverted, since the phase
    of p is that of the magnetic field.
    """
    chosen = np.where(reflected[:, None], amplitudes[:, :2], amplitudes[:, 2:])
    phases: Floats = -np.angle(chosen)
    phases[reflected, 1] += pi
    return phases
