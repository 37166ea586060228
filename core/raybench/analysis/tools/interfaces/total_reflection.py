"""Where is light totally reflected, and how far from the critical angle?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import OnDemand
from raybench.analysis.answers.record import ABSENT, Degrees, Record, Root, Share
from raybench.analysis.answers.words import in_words, rays_found
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import Floats, Rows, distinct_integers, summed
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.rays.incidence import (
    EdgeTraffic,
    causes_total_reflection,
    edge_traffic,
    parts_of,
    row_incidences,
)
from raybench.analysis.scene.describe import outside_words, part_fields
from raybench.analysis.scene.interfaces import Stretch, edge_stretches
from raybench.analysis.scene.objects import as_traced
from raybench.analysis.tools.interfaces.refraction import AtIncidence, Regime, at_incidence, regime
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.glasses import GlassBody
from raybench.optics.colour import GREEN
from raybench.optics.interface import (
    brewster_angle,
    check_angle,
    check_wavelength,
    critical_angle,
    incidence,
)
from raybench.scene.labels import LabelledEdge, edge_labelled, labelled_edges
from raybench.scene.names import glass_named
from raybench.trace.codes import Interaction
from raybench.trace.results.ray_set import RaySet

_Found = tuple[GlassBody, LabelledEdge, EdgeTraffic]
NO_ANGLE = -1.0
"""The value of an assumed angle that is not given."""


class RaysAtEdge(Record):
    count: int
    power: float
    totally_reflected: int
    totally_reflected_power: float
    transmitted_power: float
    least_angle: Degrees | None
    most_angle: Degrees | None
    critical_margin: Degrees | None
    below_critical: Degrees | None


class ReflectingPart(AtIncidence, tag="part"):
    """A part of an edge with the same media on both sides; with an assumed angle, where it is, and
    what happens at that angle.
    """

    length: float = ABSENT
    share: Share
    x1: float = ABSENT
    y1: float = ABSENT
    x2: float = ABSENT
    y2: float = ABSENT
    n_inside: float
    n_outside: float
    outside: str
    critical_angle_: Degrees | None = ABSENT
    brewster_angle_: Degrees = ABSENT
    regime: Regime = ABSENT


class ReflectingEdge(Record, tag="edge"):
    rays_from_inside: RaysAtEdge
    rays_from_outside: RaysAtEdge = ABSENT
    part: Sequence[ReflectingPart]
    object: str | None
    index: int
    label: str
    user_label: str | None


class TirAnalysis(Root, tag="tir_analysis"):
    edge: Sequence[ReflectingEdge]
    glass: str | None
    angle: Degrees | None
    wavelength: float
    totally_reflected: int
    totally_reflected_power: float
    count: int


def tir_analysis(
    glass_name: str = "", edge_label: str = "", angle: float = NO_ANGLE, wavelength: float = GREEN
) -> Answer:
    """Analyse total internal reflection: the traced rays that each edge reflects totally, and
    their margin to the critical angle.

    It is about the traced rays, from inside the glass and from a denser medium outside; a
    reflectance at an assumed angle is added only if that angle is given. The refractive indices on
    both sides are those of the scene, including other bodies that touch or overlap the glass.

    Args:
        glass_name: Name of a glass object in the scene; empty for all.
        edge_label: Label of one edge as seen on the canvas, or its index; empty for all edges. It
            needs a glass_name.
        angle: Assumed angle of incidence inside the glass in degrees from the normal, 0 to 90, to
            compute reflectances for; -1 for none.
        wavelength: Wavelength in nm for the indices of the parts; used only if the scene simulates
            colours.

    Returns:
        Root tir_analysis: for each edge, those with most totally reflected power first, the traced
        rays that meet it from inside, and from outside where that is denser: their number and
        power, how much is totally reflected and how much goes through, their smallest and largest
        angle of incidence, the margin by which the totally reflected exceed the critical angle
        (critical_margin), and by which the nearest of the others falls short of it
        (below_critical); and each part of the edge with the same media on both sides, with its
        critical angle, which is that from the denser side, and the Brewster angle from inside.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or a number is invalid; the message lists the existing names.
    """
    if angle != NO_ANGLE:
        check_angle(angle)
    check_wavelength(wavelength)
    context = require_context()
    if edge_label != "" and not glass_name:
        raise RaybenchError("edge_label needs a glass_name: name the glass that has the edge.")
    bodies: Sequence[GlassBody] = [
        o
        for o in context.scene.optical
        if isinstance(o, GlassBody) and o.key not in context.disabled
    ]
    if glass_name:
        bodies = [glass_named(context.scene, glass_name)]
    light = Light.of_context(context)
    found: list[_Found] = []
    for body in bodies:
        user, traced = context.user_labels(body), as_traced(body, context.scene)
        edges = (
            (edge_labelled(traced, str(edge_label), user),)
            if edge_label != ""
            else labelled_edges(traced, user)
        )
        met = light.rows_meeting(light.index_by_key[body.key])
        found += (
            (body, *pair)
            for pair in zip(edges, edge_traffic(light.result, body, edges, met), strict=True)
        )
    power = light.result.total_arriving_power
    found.sort(key=lambda f: (-float(power[f[2].reflected].sum()), not len(f[2].inside)))

    def listing(edges: Sequence[_Found]) -> list[ReflectingEdge]:
        chosen = {b.key: b for b, *_ in edges}
        of_body: dict[int, list[Stretch]] = {key: [] for key in chosen}
        for part in edge_stretches(
            context.scene,
            list(chosen.values()),
            disabled=context.disabled,
            labels=context.edge_labels,
            wavelength=wavelength,
        ):
            of_body[part.body.key].append(part)
        arriving = _Arriving.of(light, [rows for *_, t in edges for rows in (t.inside, t.outside)])
        return [
            ReflectingEdge(
                **_arriving_rays(arriving, t, own),
                part=[_edge_part(s, angle) for s in own],
                object=None if glass_name else b.title,
                index=edge.index,
                label=edge.short,
                user_label=edge.user or None,
            )
            for b, edge, t in edges
            for own in [parts_of(of_body[b.key], edge)]
        ]

    reflected = distinct_integers(*(t.reflected for *_, t in found))
    total = float(power[reflected].sum())
    where = _searched_place(bodies, found, edge_label)
    root = TirAnalysis(
        edge=OnDemand(listing, found),
        glass=bodies[0].title if glass_name else None,
        angle=None if angle == NO_ANGLE else angle,
        wavelength=wavelength,
        totally_reflected=len(reflected),
        totally_reflected_power=total,
        count=len(found),
        context=context,
    )
    rays = RaySet(reflected, f"rays totally reflected at {where[0]}", context.result.revision)
    met = (
        reflected
        if len(reflected)
        else distinct_integers(*(r for *_, t in found for r in (t.inside, t.outside)))
    )
    return Answer(
        root,
        _reflection_sentence(len(reflected), total, _Arriving.of(light, [met]), where[1]),
        rays,
    )


def _searched_place(
    bodies: Sequence[GlassBody], found: Sequence[Any], edge_label: str
) -> tuple[str, str]:
    """The searched place, for the question of a ray set and for a sentence."""
    if len(bodies) != 1:
        return "glass", "at glass"
    edge = f" at edge {found[0][1].reference}" if edge_label != "" else ""
    return f"{in_quotes(bodies[0].title)}{edge}", f"at {in_words(bodies[0].title)}{edge}"


@dataclass(frozen=True, eq=False)
class _Arriving:
    """The light that arrives at edges: for ``rows`` (k,), in order, angles of incidence, critical
    angles and transmitted powers.
    """

    light: Light
    rows: Rows
    angle: Floats
    critical: Floats
    transmitted: Floats

    @property
    def excess(self) -> Floats:
        """By how much the angles exceed the critical ones."""
        return self.angle - self.critical

    @classmethod
    def of(cls, light: Light, rows: Sequence[Rows]) -> Self:
        """All at once, for every edge that they arrive at."""
        every = distinct_integers(*rows)
        met, result = row_incidences(light.result, light.scene, every, light.disabled), light.result
        child = np.flatnonzero((result.interaction == Interaction.REFRACT) & (result.parent >= 0))
        through = summed(result.parent[child], result.total_power[child], len(result))[every]
        return cls(light, every, met.angle, met.critical, through)


def _arriving_rays(
    arriving: _Arriving, edge: EdgeTraffic, parts: Sequence[Stretch]
) -> dict[str, Any]:
    """The traced rays that meet an edge from inside, and those from outside if a part of that is
    denser, or may be.
    """
    found = {"rays_from_inside": _rays_at_edge(arriving, edge.inside)}
    if any(not abs(p.n_outside) <= abs(p.n_inside) for p in parts):
        found["rays_from_outside"] = _rays_at_edge(arriving, edge.outside)
    return found


def _rays_at_edge(arriving: _Arriving, rows: Rows) -> RaysAtEdge:
    light, here = arriving.light, np.searchsorted(arriving.rows, rows)
    result, power = light.result, light.result.total_arriving_power
    angle, critical, total = (
        arriving.angle[here],
        arriving.critical[here],
        causes_total_reflection(result, rows),
    )
    excess = arriving.excess[here]
    others = np.flatnonzero(~total & (critical < 90.0) & np.isfinite(excess))
    return RaysAtEdge(
        count=len(rows),
        power=float(power[rows].sum()),
        totally_reflected=int(total.sum()),
        totally_reflected_power=float(power[rows[total]].sum()),
        transmitted_power=float(arriving.transmitted[here].sum()),
        least_angle=_extreme_value(light, angle, np.nanmin),
        most_angle=_extreme_value(light, angle, np.nanmax),
        critical_margin=_extreme_value(light, excess[total], np.nanmin),
        below_critical=_extreme_value(light, -excess[others], np.nanmin),
    )


def _extreme_value(light: Light, values: Any, which: Any) -> float | None:
    return (
        light.without_noise(float(which(values)), Unit.ANGLE) if np.isfinite(values).any() else None
    )


def _edge_part(s: Stretch, angle: float) -> ReflectingPart:
    known = np.isfinite([s.n_inside, s.n_outside]).all() and s.n_inside and s.n_outside
    if angle == NO_ANGLE:
        thin, dense = sorted((s.n_inside, s.n_outside), key=abs)
        angles: dict[str, Any] = {
            "critical_angle_": critical_angle(dense, thin),
            "brewster_angle_": brewster_angle(s.n_inside, s.n_outside),
        }
        return ReflectingPart(
            share=s.fraction,
            n_inside=s.n_inside,
            n_outside=s.n_outside,
            outside=outside_words(s),
            **(angles if known else {}),
        )
    if not known:
        return ReflectingPart(**part_fields(s))
    light = incidence(s.n_inside, s.n_outside, angle)
    return ReflectingPart(**at_incidence(light), **part_fields(s), regime=regime(light))


def _reflection_sentence(count: int, power: float, arriving: _Arriving, where: str) -> str:
    """``arriving``: the totally reflected light; without any, all that meets the edges."""
    text = rays_found(count, f"is totally reflected {where}", f"are totally reflected {where}")
    if count:
        margin = _extreme_value(arriving.light, arriving.excess, np.nanmin)
        beyond = (
            f", at least {in_words(margin)}° beyond the critical angle"
            if margin is not None
            else ""
        )
        return f"{text} (power {in_words(power)}){beyond}"
    below = _extreme_value(arriving.light, -arriving.excess[arriving.critical < 90.0], np.nanmin)
    return (
        f"{text}; the nearest falls {in_words(below)}° short of the critical angle"
        if below is not None
        else text
    )


TOOL = AnalysisTool(
    function=tir_analysis,
    asks="total reflection at {glass_name|each glass}[ at edge {edge_label}]",
    questions=(
        "Is there total reflection in {glass_name} [where internal happen]?",
        "What is totally reflected at edge {edge_label} of {glass_name}?",
    ),
    fits=True,
    power=True,
)
