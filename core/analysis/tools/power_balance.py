"""Tools that take stock of a trace: where the power goes, what total reflection holds, and how many rays there are of each kind."""

from __future__ import annotations

import numpy as np

from core.analysis.answers.path_xml import PathWriter, check_count, light_of
from core.analysis.answers.xml_answer import document, element
from core.analysis.context import require_context
from core.analysis.geometry.straight import summed
from core.analysis.rays.energy import Cause, audit_energy
from core.analysis.rays.ray_facts import degree_of_polarization, word_of
from core.analysis.rays.tir_traps import tir_traps
from core.trace.codes import Flag, Interaction, Status
from core.trace.results.result import Ledger, RaySet, TraceResult

SHOWN = 50
"""The most branches and traps that an answer lists."""
_CAUSES = {
    Cause.BALANCED: "as much goes on as arrives",
    Cause.RESAMPLED: "one weak reflection is followed in place of several, and carries their power",
    Cause.TRUNCATED: "a part is too weak to be followed",
    Cause.ABSORBED: "the medium on the way takes power",
    Cause.ELEMENT: "a grating or a custom surface gives more or less than it gets",
    Cause.UNFINISHED: "tracing ended before all light went on",
    Cause.VIOLATION: "more goes on than arrives, unexplained",
}


def check_energy_conservation_xml() -> str:
    """
    Check that power is conserved: at every branch, where a ray is split, reflected or refracted, and in the whole trace.

    A branch where more power goes on than arrives is a violation unless something explains it, as that one weak reflection is followed
    in place of several. The ledger says where all power went: emitted + resampled + gained = escaped + absorbed + truncated + alive.

    Returns:
        XML string with the root energy_conservation: whether all is valid, the ledger, branches counted by what explains them with the
        power that they change, and the worst violations.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    result = light_of(context)
    audit = audit_energy(result)
    violations = audit.violations[np.argsort(-audit.excess_ratio[audit.violations], kind="stable")]
    context.note(RaySet(np.sort(audit.rows[violations]), "rays at which power is not conserved", result.revision))
    kinds = [
        element("cause", name=word_of(cause), count=int(count), power_change=audit.change(cause) + 0.0, meaning=_CAUSES[cause])
        for cause in Cause
        if (count := (audit.cause == cause).sum())
    ]
    worst = [
        element(
            "violation",
            parent=result.segment_id(int(audit.rows[i])),
            parent_energy=audit.arriving[i],
            child_energy_sum=audit.leaving[i],
            excess_ratio=audit.excess_ratio[i],
            child_types=" ".join(result.segments[c].interaction for c in result.lineage.children(int(audit.rows[i])).tolist()),
        )
        for i in violations[:SHOWN].tolist()
    ]
    return document(
        "energy_conservation",
        _ledger(result.ledger),
        element("branches", *kinds, count=len(audit.rows)),
        element("violations", *worst, count=len(violations), shown=len(worst)),
        context=context,
        is_valid=audit.is_valid,
        total_checks=len(audit.rows),
        max_excess_ratio=audit.max_excess_ratio,
        completion=result.completion.text,
    )


def detect_tir_traps_xml(min_tir_count: int = 2) -> str:
    """
    Find light caught by total internal reflection: rays that are totally reflected several times one after the other.

    Args:
        min_tir_count: The least number of total reflections in a row, 1 to 1000.

    Returns:
        XML string with the root tir_traps: the longest chains first, each with its first and last ray, the surfaces on the way, the power
        at both ends, and how much light leaves it other than by a further reflection. A partial reflection alone is no escape.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If min_tir_count is not a whole number from 1 to 1000.
    """
    check_count("min_tir_count", min_tir_count)
    context = require_context()
    result = light_of(context)
    traps, write = tir_traps(result, min_tir_count), PathWriter(context, result)
    chains = np.zeros(len(result), bool)
    chains[traps.last] = True
    caught = (result.interaction == Interaction.TIR) & (chains | result.lineage.above(chains))
    context.note(RaySet(np.flatnonzero(caught), f"rays in chains of {min_tir_count} or more total reflections", result.revision))
    told = [
        element(
            "trap",
            entry=result.segment_id(int(traps.entry[i])),
            last=result.segment_id(int(traps.last[i])),
            tir_count=int(traps.count[i]),
            max_tir_count_in_lineage=int(traps.total[i]),
            energy_at_entry=traps.power_in[i],
            energy_at_exit=traps.power_out[i],
            escaped=bool(traps.escaped[i]),
            escaped_energy=traps.leaked[i],
            exit_types=" ".join(result.segments[c].interaction for c in result.lineage.children(int(traps.last[i])).tolist())
            or word_of(Status(result.status[traps.last[i]])),
            surfaces=write.surfaces(int(traps.last[i])),
        )
        for i in range(min(SHOWN, len(traps)))
    ]
    held = ~traps.escaped
    return document(
        "tir_traps",
        *told,
        context=context,
        min_tir_count=min_tir_count,
        count=len(traps),
        shown=len(told),
        never_escaping=int(held.sum()),
        power_never_escaping=float(traps.power_out[held].sum()),
    )


def ray_statistics_xml() -> str:
    """
    Count the rays of the whole trace by kind, source, wavelength and object, and sum up their power, length and polarisation.

    Returns:
        XML string with the root ray_statistics. Power is that with which rays start, relative to the brightness of sources; the sum over
        all segments counts light once for every segment it passes, the ledger counts it once.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    result = light_of(context)
    context.note(RaySet(np.arange(len(result)), "all rays", result.revision))
    tree, power, flags = result.lineage.statistics(), result.total_power, result.flags
    length = result.length[np.isfinite(result.length)]
    tir_count = result.lineage.tir_count
    return document(
        "ray_statistics",
        element(
            "lineage",
            roots=tree.root_count,
            leaves=tree.leaf_count,
            max_depth=tree.max_depth,
            branching_factor_avg=tree.branching_factor_avg,
        ),
        element("power", total=float(power.sum()), mean=_mean(power), least=float(power.min(initial=np.inf)) if len(power) else None,
                most=float(power.max(initial=0.0)) if len(power) else None),
        element("length", total_finite=float(length.sum()), mean_finite=_mean(length), endless=int(len(result) - len(length))),
        element("polarization", mean_degree=_mean(degree_of_polarization(result.power))),
        element("total_reflection", rays=int((result.interaction == Interaction.TIR).sum()), rays_after_any=int((tir_count > 0).sum()),
                max_tir_count=int(tir_count.max(initial=0))),
        element("flags", gap=int(((flags & Flag.GAP) != 0).sum()), meeting_grazing=int(((flags & Flag.CAUSES_GRAZING) != 0).sum()),
                resampled=int(((flags & Flag.RESAMPLED) != 0).sum())),
        element("interactions", *_counted(result, result.interaction, [(int(i), word_of(i)) for i in Interaction], "interaction")),
        element("statuses", *_counted(result, result.status, [(int(s), word_of(s)) for s in Status], "status")),
        element("sources", *_sources(result)),
        element("wavelengths", *_wavelengths(result)),
        element("objects", *_counted(result, result.hit, list(enumerate(result.object_names)), "object")),
        _ledger(result.ledger),
        context=context,
        count=len(result),
        completion=result.completion.text,
    )  # fmt: skip


def _ledger(ledger: Ledger) -> str:
    return element(
        "ledger",
        emitted=ledger.emitted,
        resampled=ledger.resampled,
        gained=ledger.gained,
        escaped=ledger.escaped,
        absorbed=ledger.absorbed,
        truncated=ledger.truncated,
        alive=ledger.alive,
        imbalance=ledger.imbalance,
    )


def _counted(result: TraceResult, column: np.ndarray, named: list[tuple[int, str]], tag: str) -> list[str]:
    """How many rays have each value of a column, and their power; values that none has are left out."""
    power = result.total_power
    out = []
    for code, name in named:
        mask = column == code
        if count := int(mask.sum()):
            out.append(element(tag, name=name, count=count, power=float(power[mask].sum())))
    return out


def _sources(result: TraceResult) -> list[str]:
    known = np.flatnonzero(result.source >= 0)
    size = len(result.object_names)
    segments = np.bincount(result.source[known], minlength=size)
    roots = known[result.parent[known] < 0]
    rays, emitted = np.bincount(result.source[roots], minlength=size), summed(result.source[roots], result.total_power[roots], size)
    named = enumerate(result.object_names)
    return [element("source", name=n, rays=int(rays[i]), emitted=emitted[i], segments=int(segments[i])) for i, n in named if segments[i]]


def _wavelengths(result: TraceResult) -> list[str]:
    nm, which, count = np.unique(result.wavelength, return_inverse=True, return_counts=True)
    power = summed(which, result.total_power, len(nm))
    return [element("wavelength", nm=None if np.isnan(w) else w, count=int(c), power=p) for w, c, p in zip(nm, count, power, strict=True)]


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None
