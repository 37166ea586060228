"""How many rays are there of each kind, and how is power distributed?"""

from __future__ import annotations

import numpy as np

from core.analysis.answers.answer import Answer, Listed, element, listed
from core.analysis.answers.ledger_element import ledger_element
from core.analysis.answers.path_elements import light_of
from core.analysis.answers.words import in_words, number_of, rays_counted
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import require_context
from core.analysis.geometry.straight import summed
from core.analysis.measures.light import Light
from core.analysis.rays.ray_facts import degree_of_polarization, word_of
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.tool import AnalysisTool, Understanding
from core.trace.codes import Flag, Interaction, Status
from core.trace.results.result import RaySet, TraceResult


def ray_statistics() -> Answer:
    """
    Count the rays of the whole trace by kind, source, wavelength and object, and sum up their power, length and polarisation.

    Returns:
        Root ray_statistics. The power of a ray is that at its start, relative to the brightness of sources; the sum
        over all segments counts light once per segment, the ledger counts it once.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    result = light_of(context)
    rays = RaySet(np.arange(len(result)), "all rays", result.revision)
    tree, power, flags = result.lineage.statistics(), result.total_power, result.flags
    length = result.length[np.isfinite(result.length)]
    tir_count = result.lineage.tir_count
    root = element(
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
        element("interactions", _counted(result, result.interaction, [(int(i), word_of(i)) for i in Interaction], "interaction")),
        element("statuses", _counted(result, result.status, [(int(s), word_of(s)) for s in Status], "status")),
        element("sources", _sources(result)),
        element("wavelengths", _wavelengths(result)),
        element("objects", _counted(result, result.hit, list(enumerate(result.object_names)), "object")),
        ledger_element(Light.of_context(context)),
        count=len(result),
        completion=result.completion.text,
        **provenance(context),
    )  # fmt: skip
    ledger = result.ledger
    sentence = f"{rays_counted(len(result))} from {number_of(tree.root_count, 'source ray')}: power {in_words(ledger.emitted)} emitted"
    return Answer(root, f"{sentence}, {in_words(ledger.escaped)} escaped, {in_words(ledger.absorbed)} absorbed", rays)


def _counted(result: TraceResult, column: np.ndarray, named: list[tuple[int, str]], tag: str) -> Listed:
    """The number and total power of the rays for each value of a column; values without rays are omitted."""
    power = result.total_power
    out = []
    for code, name in named:
        mask = column == code
        if count := int(mask.sum()):
            out.append(element(tag, name=name, count=count, power=float(power[mask].sum())))
    return listed(tag, out)


def _sources(result: TraceResult) -> Listed:
    known = np.flatnonzero(result.source >= 0)
    size = len(result.object_names)
    segments = np.bincount(result.source[known], minlength=size)
    roots = known[result.parent[known] < 0]
    rays, emitted = np.bincount(result.source[roots], minlength=size), summed(result.source[roots], result.total_power[roots], size)
    named = enumerate(result.object_names)
    return listed(
        "source",
        [element("source", name=n, rays=int(rays[i]), emitted=emitted[i], segments=int(segments[i])) for i, n in named if segments[i]],
    )


def _wavelengths(result: TraceResult) -> Listed:
    nm, which, count = np.unique(result.wavelength, return_inverse=True, return_counts=True)
    power = summed(which, result.total_power, len(nm))
    rows = zip(nm, count, power, strict=True)
    return listed("wavelength", [element("wavelength", nm=None if np.isnan(w) else w, count=int(c), power=p) for w, c, p in rows])


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None


def _understood(question: PlainQuestion) -> Understanding:
    said = question.clauses()
    return (
        said.whole({})
        if said.take(r"(?:how many|number of) rays (?:are there|are traced|exist|are in scene|in all)|(?:ray )?statistics(?: of all rays)?")
        else None
    )


TOOL = AnalysisTool(function=ray_statistics, asks="statistics of all rays", phrases=_understood)
