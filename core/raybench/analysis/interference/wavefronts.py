"""The wavefronts that arrive at a detector. A wavefront is made of neighbouring rays of one source
that met the same surfaces.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, cross_products, unit_vectors
from raybench.analysis.interference.jones import jones_amplitudes
from raybench.analysis.interference.surface_phases import phases_at_starts, surface_types
from raybench.analysis.rays.optical_path import optical_path_lengths
from raybench.analysis.scene.objects import edges_as_traced
from raybench.analysis.scene.surroundings import refractive_indices_by_colour
from raybench.kinds.detectors import Detector
from raybench.kinds.primitives import Surface
from raybench.kinds.sources import Beam
from raybench.optics.colour import GREEN
from raybench.scene.coatings import Coatings
from raybench.shapes.shape import Line
from raybench.trace.codes import Interaction
from raybench.trace.results.detectors import detector_crossings
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces
from raybench.trace.tolerances import CLEAR_OF_SURFACE

SAME_DIRECTION = 1e-12
"""Difference of unit directions up to which the rays of a source are parallel."""
MOST_NEIGHBOUR_STEP = 2.0
"""Rays of one path are not neighbours if the step between them is more than so many usual ones."""
CAUSTIC = 1e-5
"""The least width of the light of a ray, as a fraction of the detector's length."""
NARROWEST = 5e-5
"""A wave that is narrower, as a fraction of the detector's length, is in a focus there, in which
rays have no irradiance.
"""


@dataclass(frozen=True, eq=False)
class Wavefront:
    """A part of a wave at a detector, made of at least two rays.

    ``rows`` (k,): segments of the rays. ``x`` (k,): ascending distances from the detector's first
    end. ``path`` (k,): optical path in scene units. ``slope`` (k,): derivative of the path along
    the detector. ``phase`` (k, channels): phase changes at surfaces and foci, in radians.
    ``irradiance`` (k, channels). Channels are s and p, or for polarized light s and p of both modes
    of the source (`raybench.analysis.interference.jones`). ``ends``: where the wavefront begins and
    ends. ``wavelength``: in vacuum, in nm. Wavefronts with the same ``source`` and the same
    ``emitter``, a point of the source, are coherent.
    """

    rows: Rows
    x: Floats
    path: Floats
    slope: Floats
    phase: Floats
    irradiance: Floats
    ends: tuple[float, float]
    wavelength: float
    source: int
    emitter: int

    @cached_property
    def power(self) -> float:
        return float((self.irradiance.sum(axis=1) * _cell_widths(self.x)).sum())


@dataclass(frozen=True, eq=False)
class ArrivingWaves:
    """The light at a detector: the ``wavefronts``, and the rays ``lone`` (m,) that belong to no
    wavefront, at ``x`` (m,) with ``power`` (m,). Lone rays were scattered, are in a focus, come
    from a random source, or have no neighbour on their path.
    """

    wavefronts: tuple[Wavefront, ...]
    lone: Rows
    x: Floats
    power: Floats


def waves_at_detector(
    result: TraceResult,
    index: int,
    detector: Detector,
    coatings: Coatings,
    disabled: Collection[int] = (),
) -> ArrivingWaves:
    """The wavefronts that arrive at a detector. ``index`` is its index among the optical
    objects.
    """
    scene, light = result.scene, detector_crossings(vars(result), index, detector)
    length = math.dist(detector.p1, detector.p2)
    if scene is None or length == 0:
        return ArrivingWaves((), light.rows[:0], np.empty(0), np.empty(0))
    arrives = ~light.sent_back
    rows, end = light.rows[arrives], light.end[arrives]
    along = np.array([detector.p2.x - detector.p1.x, detector.p2.y - detector.p1.y]) / length
    x = (light.at[arrives] - np.array(detector.p1)) @ along
    towards = unit_vectors(end - light.start[arrives])[0]
    before = end - CLEAR_OF_SURFACE * scene.settings.length_scale * towards
    wavelength = result.wavelength[rows]
    (n,) = refractive_indices_by_colour(scene, wavelength, before, disabled=disabled)
    nm = np.where(np.isnan(wavelength), GREEN, wavelength)
    slope = n * (towards @ along)
    path, off_axis, surface_phases = _paths_and_phases(result, rows, coatings, disabled)
    if result.is_polarized or (result.interaction == Interaction.POLARIZE).any():
        amplitudes = jones_amplitudes(result, rows, surface_phases)
        powers, phase = np.abs(amplitudes) ** 2, np.angle(amplitudes)
    else:
        sums = [result.lineage.sum_along_path(column)[rows] for column in surface_phases.T]
        powers, phase = result.end_power[rows], np.stack(sums, axis=-1)
    emitter, place = _emitters_and_order(result, rows)
    scatters = (result.interaction == Interaction.SCATTER).astype(np.int64)
    random = [i for i, o in enumerate(scene.optical) if isinstance(o, Beam) and o.random]
    apart = (result.lineage.sum_along_path(scatters)[rows] > 0) | np.isin(
        result.source[rows], random
    )
    made, lone = [], np.ones(len(rows), bool)
    for sheet in _wavefront_groups(result, rows, x, nm, emitter, place):
        if apart[sheet[0]] or np.ptp(x[sheet]) < NARROWEST * length:
            continue
        lone[sheet] = False
        at = sheet if x[sheet[-1]] > x[sheet[0]] else sheet[::-1]
        foci = _focus_count(result, *(int(rows[i]) for i in sheet[len(sheet) // 2 - 1 :][:2]))
        made.append(
            Wavefront(
                rows[at],
                x[at],
                _wavefront_path(x[at], path[at], slope[at], off_axis[at]),
                slope[at],
                np.unwrap(phase[at], axis=0) - foci * np.pi / 2,
                _irradiance_at_rays(x[at], powers[at], CAUSTIC * length),
                _wavefront_ends(x[at], length),
                float(nm[at[0]]),
                int(result.source[rows[at[0]]]),
                int(emitter[at[0]]),
            )
        )
    power = result.end_power[rows[lone]].sum(axis=1)
    return ArrivingWaves(tuple(made), rows[lone], x[lone], power)


def _cell_widths(x: Floats) -> Floats:
    """The widths (k,) of the parts of the detector around rays at ascending positions ``x`` (k,),
    which end halfway between neighbouring rays.
    """
    step = np.diff(x)
    widths: Floats = (np.append(step[:1], step) + np.append(step, step[-1:])) / 2
    return widths


def _irradiance_at_rays(x: Floats, powers: Floats, narrowest: float) -> Floats:
    """The irradiance (k, channels) at the rays: ``powers`` (k, channels) over the `_cell_widths`.
    In a caustic the width is at least ``narrowest``; the total power is kept.
    """
    widths = _cell_widths(x)
    irradiance: Floats = powers / np.maximum(widths, narrowest)[:, None]
    kept = float((irradiance.sum(axis=1) * widths).sum())
    return irradiance * (powers.sum() / kept) if kept > 0 else irradiance


def _wavefront_ends(x: Floats, length: float) -> tuple[float, float]:
    """Where a wavefront with rays at ascending positions ``x`` (k,) begins and ends: half a step
    beyond its outer rays, or at the end of the detector if the next ray would miss the detector.
    """
    first, last = float(x[0]), float(x[-1])
    step, last_step = float(x[1]) - first, last - float(x[-2])
    return (
        first - step / 2 if first > step else 0.0,
        last + last_step / 2 if last + last_step < length else length,
    )


def _paths_and_phases(
    result: TraceResult, rows: Rows, coatings: Coatings, disabled: Collection[int]
) -> tuple[Floats, Floats, Floats]:
    """For k segments: their optical paths (k,), and the distances (k,) at which their rays passed
    the centres of ideal elements, NaN without such an element. For all n segments: the phase
    changes (n, 2) of s and p at their starts, 0 off the paths.

    A grating adds its order times λ/d per length along the grating. The path through an ideal lens
    is 0 at its centre; elsewhere it follows from the directions of neighbouring rays.
    """
    lineage, scene = result.lineage, result.scene
    assert scene is not None
    on_path = np.zeros(len(result), bool)
    on_path[rows] = True
    on_path |= lineage.ancestors_mask(on_path)
    steps = np.flatnonzero(on_path & (result.parent >= 0))
    added, off_axis, surface_phase = (
        np.zeros(len(result)),
        np.zeros(len(result)),
        np.zeros((len(result), 2)),
    )
    surface_phase[steps] = phases_at_starts(result, steps, coatings, disabled)
    hit = result.hit[result.parent[steps]]
    surface = surface_types(result)[hit]
    for i in np.unique(hit[np.isin(surface, (Surface.DIFFRACT, Surface.LENS, Surface.CUSTOM))]):
        at = steps[hit == i]
        shape = edges_as_traced(scene.optical[i], scene)[0].shape
        a, b = np.array(shape.a), np.array(shape.b)
        tangent = (b - a) / (math.dist(a, b) or 1.0)
        p1, p2 = last_straight_pieces(result, result.parent[at].astype(np.int64))
        q1, q2 = first_straight_pieces(result, at)
        turn = (unit_vectors(q2 - q1)[0] - unit_vectors(p2 - p1)[0]) @ tangent
        height = (result.p1[at] - (a + b) / 2) @ tangent
        if surface[hit == i][0] == Surface.DIFFRACT and isinstance(shape, Line):
            added[at] = height * turn
        else:
            added[at], off_axis[at] = height * turn / 2, np.abs(height) + np.finfo(float).tiny
    total = optical_path_lengths(result)[rows]
    if added.any() or off_axis.any():
        total = total + lineage.sum_along_path(added)[rows]
        off_axis = lineage.sum_along_path(off_axis)
    return total, np.where(off_axis[rows] > 0, off_axis[rows], np.nan), surface_phase


def _wavefront_path(x: Floats, path: Floats, slope: Floats, off_axis: Floats) -> Floats:
    """The optical path (k,) along a wavefront: the path of each ray or, behind ideal elements, the
    path of the ray nearest to their centres, continued by the ``slope``.
    """
    if np.isnan(off_axis).all():
        return path
    from scipy.interpolate import CubicSpline

    nearest = int(np.nanargmin(off_axis))
    integral = CubicSpline(x, slope).antiderivative()(x)
    out: Floats = path[nearest] + integral - integral[nearest]
    return out


def _emitters_and_order(result: TraceResult, rows: Rows) -> tuple[Rows, Rows]:
    """The emitter (k,) of each segment, and the rank (k,) of its ray among the rays of this
    emitter: by position for parallel rays, by angle for rays from a point. Each point of a source
    that emits into several directions is an emitter.
    """
    roots, sources = result.lineage.root, result.source
    emitter, place = np.zeros(len(result), np.int64), np.zeros(len(result), np.int64)
    source_rows = np.flatnonzero(result.parent < 0)
    for source in np.unique(sources[rows]).tolist():
        of = source_rows[sources[source_rows] == source]
        p1, p2 = first_straight_pieces(result, of)
        direction = unit_vectors(p2 - p1)[0]
        if np.ptp(direction, axis=0).max() < SAME_DIRECTION:
            point, order = np.zeros(len(of), np.int64), cross_products(direction[0], p1)
        else:
            point = np.unique(p1, axis=0, return_inverse=True)[1].ravel()
            order = np.arctan2(cross_products(direction[0], direction), direction @ direction[0])
        ranked = np.lexsort((order, point))
        emitter[of[ranked]], place[of[ranked]] = point[ranked], np.arange(len(of))
    return emitter[roots[rows]], place[roots[rows]]


def _wavefront_groups(
    result: TraceResult, rows: Rows, x: Floats, wavelength: Floats, emitter: Rows, place: Rows
) -> Iterator[Rows]:
    """Groups of two or more of the segments ``rows`` (k,), as indices: neighbouring rays of one
    emitter on one path, in order, whose ``x`` ascend or descend.
    """
    columns = (path_keys(result, rows, ends=False), result.source[rows], wavelength, emitter)
    order = np.lexsort((place, *columns))
    begins = np.zeros(len(rows), bool)
    for column in columns:
        begins[1:] |= np.diff(column[order]) != 0
    for group in np.split(order, np.flatnonzero(begins)):
        if len(group) < 2:
            continue
        step, way = np.diff(place[group]), np.sign(np.diff(x[group]))
        cut = (step > MOST_NEIGHBOUR_STEP * np.median(step)) | (way == 0)
        cut[1:] |= (way[1:] != way[:-1]) & ~cut[:-1]
        yield from (part for part in np.split(group, np.flatnonzero(cut) + 1) if len(part) > 1)


def _focus_count(result: TraceResult, one: int, other: int) -> int:
    """How often two neighbouring rays of one path crossed before they reached the ends of the
    segments ``one`` and ``other``. Each crossing advances the wave by a quarter of a period (Gouy
    phase of a line focus; Born & Wolf, section 8.8.4).
    """
    count = 0
    while one >= 0 and other >= 0:
        ends = result.p2[other] - result.p2[one]
        while result.interaction[one] == Interaction.DETECT:
            one = int(result.parent[one])
        while result.interaction[other] == Interaction.DETECT:
            other = int(result.parent[other])
        direction = result.p2[one] - result.p1[one]
        starts = result.p1[other] - result.p1[one]
        count += bool(cross_products(direction, starts) * cross_products(direction, ends) < 0)
        one, other = int(result.parent[one]), int(result.parent[other])
    return count
