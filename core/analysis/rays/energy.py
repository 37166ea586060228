"""Whether power is conserved: at every branch of the light's family tree, and in total."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.geometry.straight import Floats, Rows, summed
from core.trace.codes import Flag, Interaction, Status, Word
from core.trace.results.result import Ledger, TraceResult

NO_POWER = 1e-12
"""Segments with less power are not checked."""
TOLERANCE = 1e-6
"""How far, as a share of what arrives, what goes on may differ from it."""


class Cause(Word):
    """Why the power that goes on from a branch is that which arrives, or is not."""

    BALANCED = 0
    RESAMPLED = 1
    """More goes on: one weak reflection is followed in place of several, and carries their power."""
    TRUNCATED = 2
    """Less goes on: a part is too weak to be followed."""
    ABSORBED = 3
    """Less goes on: the medium on the way takes power."""
    ELEMENT = 4
    """A grating or a custom surface gives more or less than it gets."""
    UNFINISHED = 5
    """Less goes on: tracing ended before the rest did."""
    VIOLATION = 6
    """More goes on than arrives, and nothing explains it."""


@dataclass(frozen=True, eq=False)
class EnergyAudit:
    """The balance of every branch: a segment from which others come.

    ``rows`` (k,): the branching segments that were checked. ``arriving``, ``leaving`` (k,): the power the segment starts with, and that
    of all segments that come from it. ``cause`` (k,): a `Cause` each. ``ledger``: the balance of the whole trace.
    """

    rows: Rows
    arriving: Floats
    leaving: Floats
    cause: NDArray[np.uint8]
    ledger: Ledger

    @property
    def excess_ratio(self) -> Floats:
        """What goes on over what arrives, (k,)."""
        ratio: Floats = self.leaving / self.arriving
        return ratio

    @property
    def violations(self) -> Rows:
        """The places among the checked branches where more power goes on than arrives, unexplained."""
        return np.flatnonzero(self.cause == Cause.VIOLATION)

    @property
    def is_valid(self) -> bool:
        """Whether no branch makes power from nothing, and the ledger of the whole is balanced."""
        return not len(self.violations) and abs(self.ledger.imbalance) <= TOLERANCE * max(self.ledger.emitted, NO_POWER)

    @property
    def max_excess_ratio(self) -> float:
        """The largest ratio of what goes on to what arrives among branches that gain power, whatever explains it; 1 without any."""
        ratio = self.excess_ratio
        return float(ratio[ratio > 1 + TOLERANCE].max(initial=1.0))

    def change(self, cause: Cause) -> float:
        """The power that branches gain, or lose where negative, for one cause."""
        which = self.cause == cause
        return float((self.leaving - self.arriving)[which].sum())


def audit_energy(result: TraceResult) -> EnergyAudit:
    """Check every branch of a result, and take the ledger of the whole."""
    power, parent = result.total_power, result.parent
    child = np.flatnonzero(parent >= 0)
    leaving = summed(parent[child], power[child], len(result))
    rows = np.flatnonzero((result.lineage.child_count > 0) & (power >= NO_POWER))
    arriving, gone_on = power[rows], leaving[rows]
    more, less = gone_on > arriving * (1 + TOLERANCE), gone_on < arriving * (1 - TOLERANCE)
    cause = np.where(less, Cause.TRUNCATED, Cause.BALANCED).astype(np.uint8)
    cause[less & (result.points[rows, 1] > 0)] = Cause.ABSORBED
    cause[less & (result.status[rows] == Status.ALIVE)] = Cause.UNFINISHED
    cause[more] = np.where(_resampling_explains(result, rows[more], arriving[more], gone_on[more]), Cause.RESAMPLED, Cause.VIOLATION)
    inventive = np.zeros(len(result), bool)
    inventive[parent[child[np.isin(result.interaction[child], (Interaction.DIFFRACT, Interaction.CUSTOM))]]] = True
    cause[(more | less) & inventive[rows]] = Cause.ELEMENT
    return EnergyAudit(rows, arriving, gone_on, cause, result.ledger)


def _resampling_explains(result: TraceResult, rows: Rows, arriving: Floats, leaving: Floats) -> NDArray[np.bool_]:
    """Whether more power goes on only because a weak reflection stands for a whole number of its kind."""
    raised = np.flatnonzero((result.parent >= 0) & ((result.flags & Flag.RESAMPLED) != 0))
    of = summed(result.parent[raised], result.total_power[raised], len(result))[rows]
    weak = of - (leaving - arriving)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = of / weak
    known = (of > 0) & (weak > 0)
    # the weak power is a difference of larger ones: it has their rounding
    room = times * (1e-6 + 1e-13 * arriving / np.where(known, weak, 1.0))
    whole = known & (np.abs(times - np.round(times)) <= room) & (np.round(times) >= 2)
    # what a medium took on the way hides the weak power itself
    explained: NDArray[np.bool_] = whole | ((of > 0) & (result.points[rows, 1] > 0))
    return explained
