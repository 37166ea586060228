"""Tools that count rays, and check that power is conserved."""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.path_elements import trace_with_hit_columns
from raybench.analysis.answers.record import RayId, Record, Root, Share, none_if_nan
from raybench.analysis.answers.words import (
    count_with_noun,
    ray_count_text,
    rays_found_sentence,
    value_in_words,
)
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import sum_by_group
from raybench.analysis.measures.bound import values_by_measure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.rays.energy import PowerChangeCause, audit_energy
from raybench.analysis.scene.objects import list_names
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.trace.codes import Flag, Interaction, Status, Word
from raybench.trace.results.result import TraceResult

LEDGER_TERMS = ("emitted", "resampled", "gained", "escaped", "absorbed", "truncated", "alive")
"""The measures that are terms of the ledger."""


class PowerLedger(Record, tag="ledger"):
    """The power balance of a trace, and the difference between its two sides."""

    emitted: float
    resampled: float
    gained: float
    escaped: float
    absorbed: float
    truncated: float
    alive: float
    imbalance: float


def power_ledger(light: Light) -> PowerLedger:
    """The power balance of a trace as a record."""
    imbalance = light.remove_rounding_noise(light.result.ledger.imbalance, Unit.POWER)
    return PowerLedger(**values_by_measure(light, LEDGER_TERMS), imbalance=imbalance)


FLAGS = (
    (
        Flag.CAUSES_GRAZING,
        "meets a surface within 5° of its critical angle, or of 90° where it has none",
    ),
    (Flag.RESAMPLED, "stands for several weak reflections and carries their power"),
    (Flag.GAP, "its neighbour in the bundle took another path, so that the two form no image"),
)
"""The flags counted, with their meanings."""


class LineageStatistics(Record):
    roots: int
    leaves: int
    max_depth: int
    branching_factor_avg: float


class LengthStatistics(Record):
    total_finite: float
    mean_finite: float | None
    endless: int


class MeanPolarization(Record):
    mean_degree: Share | None


class TotalReflections(Record):
    rays: int
    rays_after_any: int
    max_tir_count: int


class FlagCount(Record, tag="flag"):
    name: str
    count: int
    meaning: str


class Flags(Record):
    flag: Sequence[FlagCount]


class ValueCount(Record):
    name: str
    count: int


class Interactions(Record):
    interaction: Sequence[ValueCount]
    left: int | None = None


class Statuses(Record):
    status: Sequence[ValueCount]
    left: int | None = None


class SourceCount(Record, tag="source"):
    name: str
    rays: int
    emitted: float
    segments: int


class Sources(Record):
    source: Sequence[SourceCount]
    left: int | None = None


class WavelengthCount(Record, tag="wavelength"):
    nm: float | None
    count: int
    emitted: float


class Wavelengths(Record):
    wavelength: Sequence[WavelengthCount]
    left: int | None = None


class ObjectCount(Record, tag="object"):
    name: str
    count: int
    power: float


class Objects(Record):
    object: Sequence[ObjectCount]
    left: int | None = None
    unlit: str | None


class RayStatistics(Root, tag="ray_statistics"):
    ledger: PowerLedger
    lineage: LineageStatistics
    length: LengthStatistics
    polarization: MeanPolarization
    total_reflection: TotalReflections
    flags: Flags
    interactions: Interactions
    statuses: Statuses
    sources: Sources
    wavelengths: Wavelengths
    objects: Objects
    count: int
    completion: str


def ray_statistics() -> Answer:
    """Count the rays of the whole trace by kind, source, wavelength and object, and report where
    the power went.

    Powers are measures: the ledger counts light once; an object's power and rays are those that
    arrive from outside, so light that crosses a body counts once for it.

    Returns:
        Root ray_statistics: the ledger, the numbers of rays by interaction, status, source,
        wavelength and object (those that no light reaches are named in unlit), and the numbers of
        rays with a flag, each with its meaning.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    result = trace_with_hit_columns(context)
    light = Light.from_context(context)
    tree = result.lineage.statistics()
    length = result.length[np.isfinite(result.length)]
    tir_count = result.lineage.tir_count

    ledger = power_ledger(light)
    lit, unlit = _object_counts(light)
    root = RayStatistics(
        ledger=ledger,
        lineage=LineageStatistics(
            roots=tree.root_count,
            leaves=tree.leaf_count,
            max_depth=tree.max_depth,
            branching_factor_avg=tree.branching_factor_avg,
        ),
        length=LengthStatistics(
            total_finite=float(length.sum()),
            mean_finite=_mean_value(length),
            endless=int(len(result) - len(length)),
        ),
        polarization=MeanPolarization(mean_degree=_mean_value(result.degree_of_polarization)),
        total_reflection=TotalReflections(
            rays=int((result.interaction == Interaction.TIR).sum()),
            rays_after_any=int((tir_count > 0).sum()),
            max_tir_count=int(tir_count.max(initial=0)),
        ),
        flags=Flags(flag=[_count_flagged(result, *row) for row in FLAGS]),
        interactions=Interactions(interaction=_count_values(result.interaction, Interaction)),
        statuses=Statuses(status=_count_values(result.status, Status)),
        sources=Sources(source=_source_counts(result)),
        wavelengths=Wavelengths(wavelength=_wavelength_counts(result)),
        objects=Objects(object=lit, unlit=list_names(unlit) if unlit else None),
        count=len(result),
        completion=result.completion.text,
    )
    sentence = (
        f"{ray_count_text(len(result))} from {count_with_noun(tree.root_count, 'source ray')}: power"
        f" {value_in_words(ledger.emitted)} emitted, {value_in_words(ledger.escaped)} escaped,"
        f" {value_in_words(ledger.absorbed)} absorbed"
    )
    return Answer(root, sentence, result.ray_set(np.arange(len(result))))


def _count_flagged(result: TraceResult, flag: Flag, meaning: str) -> FlagCount:
    return FlagCount(
        name=flag.name.lower() if flag.name else "",
        count=int(((result.flags & flag) != 0).sum()),
        meaning=meaning,
    )


def _object_counts(light: Light) -> tuple[list[ObjectCount], list[str]]:
    """The number and the power of the rays that arrive at each object, and the names of the objects
    that no light reaches.
    """
    lit, unlit = [], []
    for i, obj in enumerate(light.scene.optical):
        if isinstance(obj, Source) or not object_edges(obj):
            continue
        rows = light.arriving_rows(i)
        power = float(light.result.total_arriving_power[rows].sum())
        if len(rows):
            lit.append(ObjectCount(name=obj.title, count=len(rows), power=power))
        else:
            unlit.append(obj.title)
    return lit, unlit


def _count_values(column: np.ndarray, words: type[Word]) -> list[ValueCount]:
    """The number of rays for each value that occurs in a column."""
    return [
        ValueCount(name=code.word, count=count)
        for code in words
        if (count := int((column == code).sum()))
    ]


def _source_counts(result: TraceResult) -> list[SourceCount]:
    none_if_nan = np.flatnonzero(result.source >= 0)
    roots = none_if_nan[result.parent[none_if_nan] < 0]
    size = len(result.object_names)
    counts = zip(
        result.object_names,
        np.bincount(result.source[none_if_nan], minlength=size).tolist(),
        np.bincount(result.source[roots], minlength=size).tolist(),
        sum_by_group(result.source[roots], result.total_power[roots], size).tolist(),
        strict=True,
    )
    return [
        SourceCount(name=name, rays=rays, emitted=emitted, segments=segments)
        for name, segments, rays, emitted in counts
        if segments
    ]


def _wavelength_counts(result: TraceResult) -> list[WavelengthCount]:
    colours, which, count = np.unique(result.wavelength, return_inverse=True, return_counts=True)
    emitted = sum_by_group(
        which, np.where(result.parent < 0, result.total_power, 0.0), len(colours)
    )
    return [
        WavelengthCount(nm=none_if_nan(nm), count=int(rays), emitted=power)
        for nm, rays, power in zip(colours, count, emitted, strict=True)
    ]


def _mean_value(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None


STATISTICS = AnalysisTool(
    function=ray_statistics,
    asks="statistics of all rays",
    questions=(
        "How many rays are there [traced total scene]?",
        "What are the ray statistics?",
    ),
    fits=True,
    power=True,
)


_CAUSES = {
    PowerChangeCause.BALANCED: "the outgoing power equals the arriving power",
    PowerChangeCause.RESAMPLED: (
        "one weak reflection is traced in place of several, and carries their power"
    ),
    PowerChangeCause.TRUNCATED: "a part is too weak to be traced",
    PowerChangeCause.ABSORBED: "the medium absorbs power",
    PowerChangeCause.ELEMENT: "a grating or a custom surface emits more or less than it receives",
    PowerChangeCause.UNFINISHED: "tracing ended before all light was traced",
    PowerChangeCause.VIOLATION: "more power leaves than arrives, unexplained",
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
    result = trace_with_hit_columns(context)
    audit = audit_energy(result)
    violations = audit.violations[np.argsort(-audit.excess_ratio[audit.violations], kind="stable")]
    rays = result.ray_set(audit.rows[violations])
    counts = np.bincount(audit.cause, minlength=len(PowerChangeCause)).tolist()
    kinds = [
        BranchCause(
            name=cause.word,
            count=counts[cause],
            power_change=audit.change_by_cause(cause) + 0.0,
            meaning=_CAUSES[cause],
        )
        for cause in PowerChangeCause
        if counts[cause]
    ]

    def violation_record(index: int) -> Violation:
        return Violation(
            parent=result.segment_id(int(audit.rows[index])),
            parent_energy=audit.arriving[index],
            child_energy_sum=audit.leaving[index],
            excess_ratio=audit.excess_ratio[index],
            child_types=" ".join(
                result.segments[c].interaction
                for c in result.lineage.children(int(audit.rows[index])).tolist()
            ),
        )

    worst = LazySequence.map_each(violation_record, violations.tolist())
    root = EnergyConservation(
        ledger=power_ledger(Light.from_context(context)),
        branches=Branches(cause=kinds, count=len(audit.rows)),
        violations=Violations(violation=worst, count=len(violations), shown=len(worst)),
        is_valid=audit.is_valid,
        total_checks=len(audit.rows),
        max_excess_ratio=audit.max_excess_ratio,
        completion=result.completion.text,
    )
    return Answer(
        root,
        rays_found_sentence(
            len(rays), "passes on more power than arrives", "pass on more power than arrives"
        ),
        rays,
    )


CONSERVATION = AnalysisTool(
    function=check_energy_conservation,
    asks="rays at which power is not conserved",
    questions=("Is power conserved [energy balance]?",),
    power=True,
)
