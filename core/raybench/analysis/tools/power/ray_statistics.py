"""How many rays are there of each kind, and how is power distributed?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer, Element, element, listed
from raybench.analysis.answers.fitted_page import MOST, fitted
from raybench.analysis.answers.ledger_element import ledger_element
from raybench.analysis.answers.path_elements import light_of
from raybench.analysis.answers.words import in_words, number_of, rays_counted
from raybench.analysis.answers.xml_answer import provenance
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import summed
from raybench.analysis.measures.families.power import absorbed, escaped
from raybench.analysis.measures.light import Light
from raybench.analysis.scene.optical import names_listed
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.optics.polarization import degree_of_polarization
from raybench.trace.codes import Flag, Interaction, Status
from raybench.trace.results.result import TraceResult

FLAGS = (
    (
        Flag.CAUSES_GRAZING,
        "meets a surface within 5° of its critical angle, or of 90° where it has none",
    ),
    (Flag.RESAMPLED, "stands for several weak reflections and carries their power"),
    (Flag.GAP, "its neighbour in the bundle took another path, so that the two form no image"),
)
"""The flags counted, with their meanings."""


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
    result = light_of(context)
    light = Light.of_context(context)
    rays = result.ray_set(np.arange(len(result)), "all rays")
    tree = result.lineage.statistics()
    length = result.length[np.isfinite(result.length)]
    tir_count = result.lineage.tir_count

    def root(most: int) -> Element:
        return element(
            "ray_statistics",
            ledger_element(light),
            element(
                "lineage", roots=tree.root_count, leaves=tree.leaf_count, max_depth=tree.max_depth,
                branching_factor_avg=tree.branching_factor_avg,
            ),
            element("length", total_finite=float(length.sum()), mean_finite=_mean(length), endless=int(len(result) - len(length))),
            element("polarization", mean_degree=_mean(degree_of_polarization(result.power))),
            element("total_reflection", rays=int((result.interaction == Interaction.TIR).sum()),
                    rays_after_any=int((tir_count > 0).sum()), max_tir_count=int(tir_count.max(initial=0))),
            element("flags", listed("flag", [_flag(result, *row) for row in FLAGS])),
            _capped("interactions", _counted(result.interaction, [(int(i), i.word) for i in Interaction], "interaction"), 99),
            _capped("statuses", _counted(result.status, [(int(s), s.word) for s in Status], "status"), 99),
            _capped("sources", _sources(result), most),
            _capped("wavelengths", _wavelengths(result), most),
            _objects(light, most),
            count=len(result),
            completion=result.completion.text,
            **provenance(context),
        )  # fmt: skip

    ledger = result.ledger
    sentence = (
        f"{rays_counted(len(result))} from {number_of(tree.root_count, 'source ray')}: power"
        f" {in_words(ledger.emitted)} emitted"
    )
    sentence += f", {in_words(escaped(light))} escaped, {in_words(absorbed(light))} absorbed"
    return Answer(fitted(root, MOST), sentence, rays)


def _capped(tag: str, items: Sequence[Element], most: int) -> Element:
    """A heading with at most ``most`` of its elements, and the number of the remaining ones."""
    return element(
        tag,
        listed(items[0].tag if items else "none", items[:most]),
        left=max(0, len(items) - most) or None,
    )


def _flag(result: TraceResult, flag: Flag, meaning: str) -> Element:
    return element(
        "flag",
        name=flag.name.lower() if flag.name else "",
        count=int(((result.flags & flag) != 0).sum()),
        meaning=meaning,
    )


def _objects(light: Light, most: int) -> Element:
    """The rays and the power that arrive at each object, and the names of those that no light
    reaches.
    """
    met = [
        (i, o.title)
        for i, o in enumerate(light.scene.optical)
        if not isinstance(o, Source) and edges_of(o)
    ]
    arriving = {i: light.arriving(i) for i, _ in met}
    illuminated = [
        element("object", name=name, count=len(arriving[i]), power=float(light.result.total_arriving_power[arriving[i]].sum()))
        for i, name in met if len(arriving[i])
    ]  # fmt: skip
    unlit = [name for i, name in met if not len(arriving[i])]
    left = max(0, len(illuminated) - most) or None
    return element(
        "objects",
        listed("object", illuminated[:most]),
        left=left,
        unlit=names_listed(unlit) if unlit else None,
    )


def _counted(column: np.ndarray, named: list[tuple[int, str]], tag: str) -> list[Element]:
    """The number of the rays for each value of a column; values without rays are omitted."""
    numbers = [(name, int((column == code).sum())) for code, name in named]
    return [element(tag, name=name, count=count) for name, count in numbers if count]


def _sources(result: TraceResult) -> list[Element]:
    known = np.flatnonzero(result.source >= 0)
    size = len(result.object_names)
    segments = np.bincount(result.source[known], minlength=size)
    roots = known[result.parent[known] < 0]
    rays, emitted = (
        np.bincount(result.source[roots], minlength=size),
        summed(result.source[roots], result.total_power[roots], size),
    )
    named = enumerate(result.object_names)
    return [
        element("source", name=n, rays=int(rays[i]), emitted=emitted[i], segments=int(segments[i]))
        for i, n in named
        if segments[i]
    ]


def _wavelengths(result: TraceResult) -> list[Element]:
    nm, which, count = np.unique(result.wavelength, return_inverse=True, return_counts=True)
    emitted = summed(which, np.where(result.parent < 0, result.total_power, 0.0), len(nm))
    rows = zip(nm, count, emitted, strict=True)
    return [
        element("wavelength", nm=None if np.isnan(w) else w, count=int(c), emitted=p)
        for w, c, p in rows
    ]


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None


TOOL = AnalysisTool(
    function=ray_statistics,
    asks="statistics of all rays",
    questions=(
        "How many rays are there [traced total scene]?",
        "What are the ray statistics?",
    ),
    power=True,
)
