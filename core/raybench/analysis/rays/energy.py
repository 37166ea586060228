"""Checks that power is conserved, at every branch of the ray tree and in total."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.straight import Floats, Mask, Rows, sum_by_group
from raybench.analysis.rays.incidence import row_incidences
from raybench.analysis.scene.objects import edges_as_traced
from raybench.kinds.fields import METRES
from raybench.kinds.glasses import GlassBody
from raybench.kinds.grin import GradedGlass
from raybench.kinds.object import SceneObject
from raybench.kinds.polarizing_elements import Polarizer, polarizer_matrix
from raybench.scene.labels import labelled_edges
from raybench.scene.materials import current_material
from raybench.scene.scene import Scene
from raybench.trace.codes import Flag, Interaction, Status, Word
from raybench.trace.results.result import Ledger, TraceResult
from raybench.trace.results.straight_pieces import last_straight_pieces

NO_POWER = 1e-12
"""Segments below this power are not checked."""
TOLERANCE = 1e-6
"""Tolerance of the outgoing power, relative to the arriving power."""


class PowerChangeCause(Word):
    """The reason why the power that leaves a branch differs from the power that arrives."""

    BALANCED = 0
    RESAMPLED = 1
    """More leaves: one weak reflection is traced in place of several and carries their power
    (resampling).
    """
    TRUNCATED = 2
    """Less leaves: a part was too weak to be traced."""
    ABSORBED = 3
    """Less leaves: the medium along the path, or the coating or paint at its end, absorbs power."""
    ELEMENT = 4
    """A grating or a custom surface emits more or less than it receives."""
    UNFINISHED = 5
    """Less leaves: tracing ended before all of it was traced."""
    VIOLATION = 6
    """More leaves than arrives, for no known cause."""


@dataclass(frozen=True, eq=False)
class EnergyAudit:
    """The power balance of every branch. A branch is a segment with children.

    ``rows`` (k,): the segments. ``arriving`` (k,): power of each segment. ``leaving`` (k,): total
    power of its children. ``cause`` (k,): a `PowerChangeCause` each. ``ledger``: the balance of the
    whole trace.
    """

    rows: Rows
    arriving: Floats
    leaving: Floats
    cause: NDArray[np.uint8]
    ledger: Ledger

    @cached_property
    def excess_ratio(self) -> Floats:
        """The ratio of leaving to arriving power for each branch, (k,)."""
        ratio: Floats = self.leaving / self.arriving
        return ratio

    @cached_property
    def violations(self) -> Rows:
        """Indices into ``rows`` of the branches where more power leaves than arrives without a
        known cause.
        """
        return np.flatnonzero(self.cause == PowerChangeCause.VIOLATION)

    @property
    def is_valid(self) -> bool:
        """Whether there are no violations and the balance of the whole trace is closed."""
        return not len(self.violations) and abs(self.ledger.imbalance) <= TOLERANCE * max(
            self.ledger.emitted, NO_POWER
        )

    @property
    def max_excess_ratio(self) -> float:
        """The largest ratio of leaving to arriving power; 1 if no branch gains power."""
        ratio = self.excess_ratio
        return float(ratio[ratio > 1 + TOLERANCE].max(initial=1.0))

    def change_by_cause(self, cause: PowerChangeCause) -> float:
        """The total power gained by branches for this cause; negative if they lose power."""
        which = np.flatnonzero(self.cause == cause)
        return float((self.leaving[which] - self.arriving[which]).sum())


def audit_energy(result: TraceResult) -> EnergyAudit:
    """Check the power balance of every branch of a trace."""
    power, parent = result.total_power, result.parent
    child = np.flatnonzero(parent >= 0)
    leaving = sum_by_group(parent[child], power[child], len(result))
    rows = np.flatnonzero((result.lineage.child_count > 0) & (power >= NO_POWER))
    arriving, outgoing = power[rows], leaving[rows]
    more, less = outgoing > arriving * (1 + TOLERANCE), outgoing < arriving * (1 - TOLERANCE)
    cause = np.where(less, PowerChangeCause.TRUNCATED, PowerChangeCause.BALANCED).astype(np.uint8)
    cause[less & _absorbed_mask(result)[rows]] = PowerChangeCause.ABSORBED
    cause[less & (result.status[rows] == Status.ALIVE)] = PowerChangeCause.UNFINISHED
    cause[more] = np.where(
        _is_resampling_excess(result, rows[more], arriving[more], outgoing[more]),
        PowerChangeCause.RESAMPLED,
        PowerChangeCause.VIOLATION,
    )
    cause[(more | less) & may_change_power(result)[rows]] = PowerChangeCause.ELEMENT
    return EnergyAudit(rows, arriving, outgoing, cause, result.ledger)


def branch_power_changes(result: TraceResult) -> tuple[Rows, Floats]:
    """The segments with children (k,), and for each the power of its children minus the power that
    arrives and is not absorbed by a coating or paint (k,).
    """
    child = np.flatnonzero(result.parent >= 0)
    leaving = sum_by_group(result.parent[child], result.total_power[child], len(result))
    rows = np.flatnonzero(result.lineage.child_count > 0)
    change = leaving[rows] - result.total_arriving_power[rows]
    return rows, change + power_absorbed_by_edges(result, rows)


def may_change_power(result: TraceResult) -> Mask:
    """Mask (n,) of the segments that end at a grating or a custom surface, which may change their
    power.
    """
    made = result.interaction
    changing = np.flatnonzero((made == Interaction.DIFFRACT) | (made == Interaction.CUSTOM))
    parent = result.parent[changing]
    mask: Mask = np.zeros(len(result), bool)
    mask[parent[parent >= 0]] = True
    return mask


def _is_resampling_excess(
    result: TraceResult, rows: Rows, arriving: Floats, leaving: Floats
) -> NDArray[np.bool_]:
    """Mask of the branches with excess power from a resampled reflection: the excess is an integer
    multiple of the power of the reflection.
    """
    raised = np.flatnonzero((result.parent >= 0) & ((result.flags & Flag.RESAMPLED) != 0))
    carried = sum_by_group(result.parent[raised], result.total_power[raised], len(result))[rows]
    weak = carried - (leaving - arriving)
    with np.errstate(divide="ignore", invalid="ignore"):
        multiple = carried / weak
    known = (carried > 0) & (weak > 0)
    # the weak power is a difference of larger powers and has their rounding errors
    tolerance = multiple * (1e-6 + 1e-13 * arriving / np.where(known, weak, 1.0))
    whole = known & (np.abs(multiple - np.round(multiple)) <= tolerance) & (np.round(multiple) >= 2)
    # absorption hides the weak power, and scattered rays stand for no whole number of others
    unchecked = _absorbed_mask(result)[rows] | _mask_of_ends(result, result.finished.edges)[rows]
    explained: NDArray[np.bool_] = whole | ((carried > 0) & unchecked)
    return explained


def _mask_of_ends(result: TraceResult, edges: Iterable[tuple[int, int]]) -> Mask:
    """Mask (n,) of the segments that end at one of the ``edges``, which are pairs of an object
    index and an edge index.
    """
    mask: Mask = np.zeros(len(result), bool)
    for index, edge in edges:
        mask |= (result.hit == index) & (result.edge == edge)
    return mask


def _absorbed_mask(result: TraceResult) -> Mask:
    """Mask (n,) of the segments that lose power to a medium, or to a coating or paint at their
    end.
    """
    edges = (*result.coated.edges, *result.finished.paint_reflectances())
    mask: Mask = result.total_power != result.total_arriving_power
    if polarizers := [index for index, _ in _polarizers(result)]:
        mask |= np.isin(result.hit, polarizers)
    return mask | _mask_of_ends(result, edges)


def _polarizers(result: TraceResult) -> list[tuple[int, Polarizer]]:
    optical = result.scene.optical if result.scene is not None else ()
    found = ((i, o) for i, o in enumerate(optical) if isinstance(o, Polarizer))
    return [(i, o) for i, o in found if o.key not in result.disabled]


def power_absorbed_by_edges(result: TraceResult, rows: Rows) -> Floats:
    """The power (k,) that coatings, paints and polarizers absorb at the ends of the segments
    ``rows`` (k,).
    """
    lost, scene = np.zeros(len(rows)), result.scene
    polarizers, paints = _polarizers(result), result.finished.paint_reflectances()
    if not (polarizers or paints or result.coated.edges):
        return lost
    met = np.isin(result.status[rows], (Status.CONTINUED, Status.TRUNCATED))
    for index, polarizer in polarizers:
        here = np.flatnonzero(met & (result.hit[rows] == index))
        lost[here] = _power_absorbed_by_polarizer(result, polarizer, rows[here])
    for (index, edge), reflectance in paints.items():
        here = met & (result.hit[rows] == index) & (result.edge[rows] == edge)
        lost[here] = result.total_arriving_power[rows[here]] * (1.0 - reflectance)
        met &= ~here
    if not result.coated.edges or scene is None:
        return lost
    for coated, (index, edge) in enumerate(result.coated.edges):
        here = np.flatnonzero(met & (result.hit[rows] == index) & (result.edge[rows] == edge))
        if not len(here):
            continue
        met_rows = rows[here]
        cosines = np.cos(np.radians(row_incidences(result, scene, met_rows, result.disabled).angle))
        colours, obj = result.wavelength[met_rows], scene.optical[index]
        outline = edges_as_traced(obj, scene)
        inside = contains_points(outline, result.middle[met_rows])
        if not isinstance(obj, GlassBody):  # it has two sides, but no inside
            normal = next(e for e in labelled_edges(obj) if e.index == edge).normal
            inside = (result.p2 - result.p1)[met_rows] @ np.array(normal) > 0
        for outward in (False, True):
            for nm in np.unique(colours):
                same = np.isnan(colours) if np.isnan(nm) else colours == nm
                some = np.flatnonzero(same & (inside == outward))
                found = result.coated.fractions(coated, float(nm), cosines[some], outward)
                if found is not None:
                    share = 1.0 - found[:, :2] - found[:, 2:]
                    lost[here[some]] = (result.end_power[met_rows[some]] * share).sum(axis=1)
    return lost


def _power_absorbed_by_polarizer(result: TraceResult, polarizer: Polarizer, rows: Rows) -> Floats:
    """The power (k,) that a polarizer absorbs of each of the segments ``rows`` that end on it."""
    (ax, ay), (bx, by) = polarizer.p1, polarizer.p2
    p1, p2 = last_straight_pieces(result, rows)
    along = (p2 - p1) @ np.array([by - ay, ax - bx]) > 0
    (s, p), (second, third) = result.end_power[rows].T, result.end_stokes[rows].T
    light = np.stack([s + p, s - p, second, third])
    passed = [polarizer_matrix(polarizer, to)[0] @ light for to in (True, False)]
    lost: Floats = s + p - np.where(along, *passed)
    return lost


def power_absorbed_by_object(
    result: TraceResult, scene: Scene, index: int, disabled: Collection[int], unit: str
) -> tuple[Rows, Floats]:
    """The segments (k,) that lose power to the medium or the edges of an object, and the power (k,)
    that each loses.

    Where media overlap, each absorbs in proportion to its absorption coefficient in the middle of
    the segment. ``disabled``: keys of objects that light passes unchanged. ``unit``: length unit of
    the scene.
    """
    own, met = scene.optical[index], np.flatnonzero(result.hit == index)
    coats = power_absorbed_by_edges(result, met)
    met, coats = met[coats > 0], coats[coats > 0]
    if not _may_absorb(own) or own.key in disabled:
        return met, coats
    rows = np.flatnonzero(result.total_power != result.total_arriving_power)
    if not len(rows):
        return met, coats
    middle, colours = result.middle[rows], result.wavelength[rows]
    inside = contains_points(edges_as_traced(own, scene), middle)
    rows, middle, colours = rows[inside], middle[inside], colours[inside]
    part = np.ones(len(rows))
    others = [o for o in scene.optical if _may_absorb(o) and o is not own and o.key not in disabled]
    around = [(o, contains_points(edges_as_traced(o, scene), middle)) for o in others]
    if any(within.any() for _, within in around):
        coefficient = _absorption_coefficient(own, middle, colours, unit)
        whole = coefficient + sum(
            np.where(within, _absorption_coefficient(o, middle, colours, unit), 0.0)
            for o, within in around
        )
        shared: Mask = np.logical_or.reduce([within for _, within in around]) & (whole != 0)
        part[shared] = coefficient[shared] / whole[shared]
    lost = (result.total_power - result.total_arriving_power)[rows] * part
    return np.concatenate([rows, met]), np.concatenate([lost, coats])


def _may_absorb(obj: SceneObject) -> bool:
    return isinstance(obj, GradedGlass) or (
        (own := current_material(obj)) is not None and own.absorbs
    )


def _absorption_coefficient(
    body: SceneObject, points: Floats, colours: Floats, unit: str
) -> Floats:
    """The absorption coefficient of a body at points (n, 2) for wavelengths ``colours`` (n,) in nm;
    NaN stands for light without a wavelength.
    """
    out = np.zeros(len(points))
    for nm in np.unique(colours).tolist():
        same, wavelength = (np.isnan(colours), None) if np.isnan(nm) else (colours == nm, nm)
        if isinstance(body, GradedGlass):
            out[same] = body.absorption_at(points[same], wavelength)
        elif (own := current_material(body)) is not None:
            out[same] = own.absorption(wavelength) * float(METRES[unit] / METRES["mm"])
    return out
