"""Where does a glass reflect totally, and which rays?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.analysis.answers.answer import Answer, Element, element, listed
from core.analysis.answers.incidence import at_incidence, regime
from core.analysis.answers.words import in_words, rays_found
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import require_context
from core.analysis.rays.total_reflection import parts_of, traffic
from core.analysis.scene.describe import part_attributes
from core.analysis.scene.interfaces import Stretch, stretches
from core.analysis.scene.traced_outline import as_traced
from core.analysis.tools.clauses import Unclear
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.tool import AnalysisTool, Understanding
from core.errors import in_quotes
from core.kinds.glasses import GlassBody
from core.optics.interface import check_angle, check_wavelength, incidence
from core.scene.labels import LabelledEdge, edge_labelled, labelled_edges
from core.scene.names import glass_named
from core.trace.results.result import RaySet


def tir_analysis(glass_name: str, edge_label: str = "", angle: float = 45.0, wavelength: float = 540.0) -> Answer:
    """
    Analyse total internal reflection at the edges of a glass: critical and Brewster angles, and the traced rays affected.

    The refractive indices on both sides are those of the scene, including other bodies that touch or overlap the glass.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of one edge as seen on the canvas, such as "N" or "North Edge", or its index; empty for all edges.
        angle: Angle of incidence inside the glass in degrees from the normal, 0 to 90, for which reflectances are given.
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates colours.

    Returns:
        Root tir_analysis: for each edge the traced rays that meet it from inside, and each part of it with the same
        media on both sides.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or the angle is invalid; the message lists the existing names.
    """
    check_angle("angle", angle)
    check_wavelength("wavelength", wavelength)
    context = require_context()
    glass = glass_named(context.scene, glass_name)
    user, traced = context.user_labels(glass), as_traced(glass, context.scene)
    edges = (edge_labelled(traced, str(edge_label), user),) if edge_label != "" else labelled_edges(traced, user)
    parts_of_edges = stretches(context.scene, [glass], disabled=context.disabled, labels=context.edge_labels, wavelength=wavelength)
    described, reflected = [], [np.empty(0, np.int64)]
    power = context.result.total_power
    for edge, light in zip(edges, traffic(context.result, glass, edges), strict=True):
        reflected.append(light.reflected)
        rays = element(
            "rays_from_inside",
            count=len(light.arriving),
            power=float(power[light.arriving].sum()),
            totally_reflected=len(light.reflected),
            totally_reflected_power=float(power[light.reflected].sum()),
        )
        parts = listed("part", [_part(s, angle) for s in parts_of(parts_of_edges, edge)])
        described.append(element("edge", rays, parts, index=edge.index, label=edge.short, user_label=edge.user or None))
    where = f"edge {edges[0].reference} of {in_quotes(glass.title)}" if edge_label != "" else in_quotes(glass.title)
    rays_reflected = RaySet(np.unique(np.concatenate(reflected)), f"rays totally reflected inside at {where}", context.result.revision)
    about = {"glass": glass.title, "angle": angle, "wavelength": wavelength}
    root = element("tir_analysis", listed("edge", described), **about, **provenance(context))
    count, place = len(rays_reflected), f"inside {in_words(glass.title)}{f' at edge {edges[0].reference}' if edge_label != '' else ''}"
    return Answer(root, rays_found(count, f"is totally reflected {place}", f"are totally reflected {place}"), rays_reflected)


def _part(s: Stretch, angle: float) -> Element:
    about: dict[str, Any] = dict(part_attributes(s))
    if not (np.isfinite([s.n_inside, s.n_outside]).all() and s.n_inside and s.n_outside):
        return element("part", **about)
    light = incidence(s.n_inside, s.n_outside, angle)
    return element("part", *at_incidence(light), **about, regime=regime(light))


def _asks(arguments: Mapping[str, Any]) -> str:
    where = f" at edge {in_words(arguments['edge_label'])}" if arguments.get("edge_label") else ""
    return f"total reflection inside {in_words(arguments.get('glass_name', 'a glass'))}{where}"


def _understood(question: PlainQuestion) -> Understanding:
    said = question.clauses()
    words = r"total (?:internal )?reflections?|totally (?:internally )?reflected|critical angles?|tir"
    if said.has("(?:how many|number of) total reflections?") or not said.take(words):
        return None
    said.take("where|inside|within|in(?= )")
    edge: LabelledEdge | None = None
    body = said.edge() if said.has("edge|side|face") else said.object("{o}") or said.only("glass")
    if isinstance(body, tuple):
        body, edge = body
    if body is None or isinstance(body, Unclear):
        return None if body is None else said.ask(body.problem)
    if not isinstance(body, GlassBody):
        return said.ask(f"{body.title} is no glass: only inside a glass is light totally reflected.")
    return said.whole({"glass_name": body.title} | ({"edge_label": edge.title} if edge is not None else {}))


TOOL = AnalysisTool(function=tir_analysis, asks=_asks, phrases=_understood)
