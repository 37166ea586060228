"""Is power conserved?"""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.path_elements import light_of
from raybench.analysis.answers.record import RayId, Record, Root
from raybench.analysis.answers.words import rays_found
from raybench.analysis.context import require_context
from raybench.analysis.measures.families.power import (
    absorbed,
    alive,
    emitted,
    escaped,
    gained,
    resampled,
    truncated,
)
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.rays.energy import Cause, audit_energy
from raybench.analysis.tools.tool import AnalysisTool


class PowerLedger(Record, tag="ledger"):
    """The power balance of a trace, and the imbalance of its terms."""

    emitted: float
    resampled: float
    gained: float
    escaped: float
    absorbed: float
    truncated: float
    alive: float
    imbalance: float


def ledger_of(light: Light) -> PowerLedger:
    """The terms of a trace: the measures of these names."""
    terms = (emitted, resampled, gained, escaped, absorbed, truncated, alive)
    return PowerLedger(
        **{term.__name__: term(light) for term in terms},
        imbalance=light.without_noise(light.result.ledger.imbalance, Unit.POWER),
    )


SHOWN = 50
"""Maximum number of violations listed in an answer."""
_CAUSES = {
    Cause.BALANCED: "the outgoing power equals the arriving power",
    Cause.RESAMPLED: "one weak reflection is traced in place of several, and carries their power",
    Cause.TRUNCATED: "a part is too weak to be traced",
    Cause.ABSORBED: "the medium absorbs power",
    Cause.ELEMENT: "a grating or a custom surface emits more or less than it receives",
    Cause.UNFINISHED: "tracing ended before all light was traced",
    Cause.VIOLATION: "more power leaves than arrives, unexplained",
}


class BranchCause(Record, tag="cause"):
    name: str
    count: int
    power_change: float
    meaning: str


class Branches(Record):
    cause: Sequence[BranchCause]
    count: int


class Violation(Record, tag="violation"):
    parent: RayId
    parent_energy: float
    child_energy_sum: float
    excess_ratio: float
    child_types: str


class Violations(Record):
    violation: Sequence[Violation]
    count: int
    shown: int


class EnergyConservation(Root, tag="energy_conservation"):
    ledger: PowerLedger
    branches: Branches
    violations: Violations
    is_valid: bool
    total_checks: int
    max_excess_ratio: float
    completion: str


def check_energy_conservation() -> Answer:
    """Check that power is conserved: at every branch, where a ray is split, reflected or
    refracted, and in the whole trace.

    A branch where more power leaves than arrives is a violation unless there is a known cause, such
    as one weak reflection traced in place of several. The ledger is the balance of the whole trace:
    emitted + resampled + gained = escaped + absorbed + truncated + alive.

    Returns:
        Root energy_conservation: whether power is conserved, the ledger, the number of branches and
        their change of power by cause, and the worst violations.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    result = light_of(context)
    audit = audit_energy(result)
    violations = audit.violations[np.argsort(-audit.excess_ratio[audit.violations], kind="stable")]
    rays = result.ray_set(audit.rows[violations])
    kinds = [
        BranchCause(
            name=cause.word,
            count=int(count),
            power_change=audit.change(cause) + 0.0,
            meaning=_CAUSES[cause],
        )
        for cause in Cause
        if (count := (audit.cause == cause).sum())
    ]
    worst = [
        Violation(
            parent=result.segment_id(int(audit.rows[i])),
            parent_energy=audit.arriving[i],
            child_energy_sum=audit.leaving[i],
            excess_ratio=audit.excess_ratio[i],
            child_types=" ".join(
                result.segments[c].interaction
                for c in result.lineage.children(int(audit.rows[i])).tolist()
            ),
        )
        for i in violations[:SHOWN].tolist()
    ]
    root = EnergyConservation(
        ledger=ledger_of(Light.of_context(context)),
        branches=Branches(cause=kinds, count=len(audit.rows)),
        violations=Violations(violation=worst, count=len(violations), shown=len(worst)),
        is_valid=audit.is_valid,
        total_checks=len(audit.rows),
        max_excess_ratio=audit.max_excess_ratio,
        completion=result.completion.text,
    )
    return Answer(
        root,
        rays_found(
            len(rays), "passes on more power than arrives", "pass on more power than arrives"
        ),
        rays,
    )


TOOL = AnalysisTool(
    function=check_energy_conservation,
    asks="rays at which power is not conserved",
    questions=("Is power conserved [energy balance]?",),
    power=True,
)
