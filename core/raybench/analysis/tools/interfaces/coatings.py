"""The tool that reports what the edges of objects, with their coatings, reflect, transmit and
absorb.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.record import ABSENT, Record, Root, Share
from raybench.analysis.answers.words import count_with_noun
from raybench.analysis.context import power_in_words, require_context
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.rays.energy import power_absorbed_by_edges
from raybench.analysis.scene.objects import object_as_traced, optical_object_named
from raybench.analysis.tools.interfaces.refraction import PolarizationFractions
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError
from raybench.kinds.object import SceneObject
from raybench.optics.interface import check_angle
from raybench.scene.changes import TREATMENT_CHANGES
from raybench.scene.labels import LabelledEdge, find_edge_by_label, labelled_edges
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult

STRAIGHT = 1e-6
"""Light that a beam splitter turns less (degrees) is what it lets through."""


class FractionsAtWavelength(Record, tag="at"):
    wavelength: float | None
    reflectance: PolarizationFractions
    transmittance: PolarizationFractions
    absorptance: Share


class LitEdge(Record, tag="edge"):
    at: Sequence[FractionsAtWavelength] = ABSENT
    object: str
    index: int
    label: str
    user_label: str | None
    coating: str | None
    finish: str = ABSENT
    rays: int
    arriving_power: float
    reflected_power: float
    transmitted_power: float
    scattered_power: float = ABSENT
    absorbed_power: float


class EdgeLight(Root, tag="edge_light"):
    edge: Sequence[LitEdge]
    angle: float
    arriving_power: float
    reflected_power: float
    transmitted_power: float
    scattered_power: float = ABSENT
    absorbed_power: float
    coated: int
    count: int


def edge_light(object_name: str = "", edge_label: str = "", angle: float = 0.0) -> Answer:
    """What edges reflect, transmit, scatter and absorb of the traced light, with their coatings and
    finishes.

    Args:
        object_name: Name of an object; empty for the coated and finished edges of all.
        edge_label: Label of one edge as seen on the canvas, or its index; empty for all edges. It
            needs an object_name.
        angle: Angle of incidence from outside, degrees, for which the fractions of a coating are
            stated.

    Returns:
        Root edge_light: for each edge its coating and finish, the traced light that meets it: what
        arrives, is reflected (also totally), goes through, is scattered by its finish, and is
        absorbed by its coating or paint; and for a coating
        its reflectance, transmittance and absorptance at each wavelength of the sources.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or the angle is invalid; the message lists the existing
            names.
    """
    context = require_context()
    check_angle(angle)
    if edge_label != "" and not object_name:
        raise RaybenchError("edge_label needs an object_name: name the object that has the edge.")
    result, optical = context.result, context.scene.optical
    chosen: list[tuple[int, SceneObject, LabelledEdge]] = []
    if object_name:
        index, obj = optical_object_named(context.scene, object_name)
        traced, user = object_as_traced(obj, context.scene), context.user_labels(obj)
        edges: Sequence[LabelledEdge] = labelled_edges(traced, user)
        if not any(treat.can_treat(obj) for treat in TREATMENT_CHANGES):
            raise RaybenchError(
                f"{obj.reference} has no edges that reflect: name glass, a mirror, a beam splitter or a blocker."
            )
        if edge_label != "":
            edges = (find_edge_by_label(traced, str(edge_label), user),)
        chosen = [(index, obj, edge) for edge in edges]
    else:
        for index, obj in enumerate(optical):
            if any(obj.key in own for own in context.treatments):
                for edge in labelled_edges(obj, context.user_labels(obj)):
                    if context.treatments.at_edge(obj.key, edge.index):
                        chosen.append((index, obj, edge))
    sums = [_edge_powers(result, index, edge.index) for index, _, edge in chosen]
    order = sorted(range(len(chosen)), key=lambda k: -sums[k][0][1] - sums[k][0][3])
    numbers = {edge: k for k, edge in enumerate(result.coated.edges)}

    def record(k: int) -> LitEdge:
        index, obj, edge = chosen[k]
        (arriving, reflected, through, scattered, absorbed), rows, _ = sums[k]
        treated = context.treatments.at_edge(obj.key, edge.index)
        coating, finish = treated.get("coating"), treated.get("finish")
        by_finish: dict[str, Any] = (
            {} if finish is None else {"finish": finish.title, "scattered_power": scattered}
        )
        number = numbers.get((index, edge.index))
        at: dict[str, Any] = (
            {} if number is None else {"at": _coating_fractions(result, number, angle)}
        )
        return LitEdge(
            **at,
            **by_finish,
            object=obj.title,
            index=edge.index,
            label=edge.short,
            user_label=edge.user_label or None,
            coating=coating.title if coating is not None else None,
            rays=len(rows),
            arriving_power=arriving,
            reflected_power=reflected,
            transmitted_power=through,
            absorbed_power=absorbed,
        ).link_to_rays(rows)

    total = np.sum([s[0] for s in sums], axis=0) if sums else np.zeros(5)
    treated = [context.treatments.at_edge(o.key, e.index) for _, o, e in chosen]
    coated, finished = (sum(noun in own for own in treated) for noun in ("coating", "finish"))
    root = EdgeLight(
        edge=LazySequence.map_each(record, order),
        angle=angle,
        arriving_power=float(total[0]),
        reflected_power=float(total[1]),
        transmitted_power=float(total[2]),
        **({"scattered_power": float(total[3])} if finished else {}),
        absorbed_power=float(total[4]),
        coated=coated,
        count=len(chosen),
    )
    reflected_rows = np.concatenate([np.empty(0, np.intp), *(s[2] for s in sums)])
    rays = result.ray_set(np.unique(reflected_rows))
    if not chosen:
        return Answer(root, "No edge has a coating or a finish", rays)
    _, obj, edge = chosen[order[0]]
    if len(chosen) == 1:
        titles = " and ".join(each.title for each in treated[0].values())
        what = f"with {titles}" if titles else "without a coating"
        where = f"Edge {edge.reference} of {obj.title}, {what}, reflects"
    elif object_name:
        where = f"The edges of {obj.title} ({coated} of {len(chosen)} coated) reflect"
    else:
        sorts = " or ".join(
            noun for noun, some in (("coatings", coated), ("finishes", finished)) if some
        )
        where = f"{count_with_noun(len(chosen), 'edge')} with {sorts} reflect"
        where += "s" if len(chosen) == 1 else ""
    sentence = f"{where} power {power_in_words(float(total[1]))}"
    if total[0] > 0:
        sentence += (
            f" of {power_in_words(float(total[0]))} that arrives"
            f" ({100 * total[1] / total[0]:.4g} %)"
        )
    s = "s" * (len(chosen) == 1)
    if total[3] > 0:
        sentence += f", scatter{s} {power_in_words(float(total[3]))}"
    if total[4] > 0:
        sentence += f" and absorb{s} {power_in_words(float(total[4]))}"
    if len(chosen) > 1 and total[1] > 0:
        sentence += f"; most of it at edge {edge.reference} of {obj.title}"
    return Answer(root, sentence, rays)


def _edge_powers(
    result: TraceResult, index: int, edge: int
) -> tuple[tuple[float, float, float, float, float], Rows, Rows]:
    """The power that arrives at an edge, is reflected, is transmitted, is scattered, and is
    absorbed by its coating or paint; the segments that arrive (k,), and those that are reflected
    (m,).
    """
    rows = np.flatnonzero((result.hit == index) & (result.edge == edge))
    child = np.flatnonzero(np.isin(result.parent, rows)) if len(rows) else rows
    how = result.interaction[child]
    turned = np.abs(
        (result.direction[child] - result.direction[result.parent[child]] + 180) % 360 - 180
    )
    back = np.isin(how, (Interaction.REFLECT, Interaction.TIR))
    back |= (how == Interaction.SPLIT) & (turned > STRAIGHT)
    scattered = how == Interaction.SCATTER
    power = result.total_power[child]
    sums = (
        float(result.total_arriving_power[rows].sum()),
        float(power[back].sum()),
        float(power[~back & ~scattered].sum()),
        float(power[scattered].sum()),
        float(power_absorbed_by_edges(result, rows).sum()),
    )
    return sums, rows, child[back]


def _coating_fractions(
    result: TraceResult, number: int, angle: float
) -> list[FractionsAtWavelength]:
    """The reflectance, transmittance and absorptance of a coated edge for light from outside, at
    each wavelength of the sources.
    """
    cosine = np.cos(np.radians([angle]))
    waves = [float(w) for w in result.coated.wavelengths] or [np.nan]
    records = []
    for wave in waves:
        found = result.coated.fractions(number, wave, cosine, False)
        if found is None:
            continue
        r_s, r_p, t_s, t_p = found[0].tolist()
        r, t = (r_s + r_p) / 2, (t_s + t_p) / 2
        records.append(
            FractionsAtWavelength(
                wavelength=None if np.isnan(wave) else wave,
                reflectance=PolarizationFractions(s=r_s, p=r_p, unpolarized=r),
                transmittance=PolarizationFractions(s=t_s, p=t_p, unpolarized=t),
                absorptance=max(1.0 - r - t, 0.0),
            )
        )
    return records


EDGE_LIGHT = AnalysisTool(
    function=edge_light,
    asks="light at {object_name|all coated edges}[, edge {edge_label}]",
    questions=(
        "What reflects at edge {edge_label} of {object_name:glass} [light reflected]?",
        "Which edges are coated [coatings faces surfaces have]?",
        "Which edges scatter light [finish finishes paint rough scattered]?",
        "Which coating does {object_name:glass} have [edges]?",
    ),
    fits=True,
    power=True,
)
