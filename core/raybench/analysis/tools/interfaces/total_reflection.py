"""Where is light totally reflected, and how far from the critical angle?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

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
    row_incidences,
)
from raybench.analysis.scene.interfaces import Stretch, edge_stretches
from raybench.analysis.scene.objects import as_traced
from raybench.analysis.tools.interfaces.refraction import AtIncidence, Regime, at_incidence, regime
from raybench.analysis.tools.scene.description import outside_words, part_fields
from raybench.analysis.tools.tool import AnalysisTool, Checked, Wavelength
from raybench.errors import RaybenchError
from raybench.kinds.glasses import GlassBody
from raybench.optics.colour import GREEN
from raybench.optics.interface import (
    brewster_angle,
    check_angle,
    critical_angle,
    incidence,
)
from raybench.scene.labels import LabelledEdge, edge_labelled, labelled_edges
from raybench.scene.names import glass_named
from raybench.trace.codes import Interaction

_Found = tuple[GlassBody, LabelledEdge, EdgeTraffic]
NO_ANGLE = -1.0
"""The value of an assumed angle that is not given."""


def _check_assumed_angle(_: str, value: float) -> None:
    if value != NO_ANGLE:
        check_angle(value)


AssumedAngle = Annotated[float, Checked(_check_assumed_angle)]


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
    glass_name: str = "",
    edge_label: str = "",
    angle: AssumedAngle = NO_ANGLE,
    wavelength: Wavelength = GREEN,
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
    context = require_context()
    if edge_label != "" and not glass_name:
        raise RaybenchError("edge_label needs a glass_name: name the glass that has the edge.")
    light = Light.of_context(context)
    bodies: Sequence[GlassBody] = [
        o
        for o in context.scene.optical
        if isinstance(o, GlassBody) and o.key not in context.disabled
    ]
    if glass_name:
        bodies = [glass_named(context.scene, glass_name)]
    found: list[_Found] = []
    for body in bodies:
        user, traced = context.user_labels(body), as_traced(body, context.scene)
        edges: Sequence[LabelledEdge] = labelled_edges(traced, user)
        if edge_label != "":
            edges = [edge_labelled(traced, str(edge_label), user)]
        met = light.rows_meeting(light.index_by_key[body.key])
        traffic = edge_traffic(light.result, body, edges, met)
        found += [(body, edge, of) for edge, of in zip(edges, traffic, strict=True)]
    power = light.result.total_arriving_power
    found.sort(key=lambda f: (-float(power[f[2].reflected].sum()), not len(f[2].inside)))

    def listing(some: Sequence[_Found]) -> list[ReflectingEdge]:
        parts: dict[tuple[int, int], list[Stretch]] = {}
        for part in edge_stretches(
            context.scene,
            {body.key: body for body, *_ in some}.values(),
            disabled=context.disabled,
            labels=context.edge_labels,
            wavelength=wavelength,
        ):
            parts.setdefault((part.body.key, part.edge.index), []).append(part)
        arriving = _Arriving.of(light, [rows for *_, t in some for rows in (t.inside, t.outside)])
        return [
            ReflectingEdge(
                **_rays_on_sides(arriving, traffic, own),
                part=[_edge_part(part, angle) for part in own],
                object=None if glass_name else body.title,
                index=edge.index,
                label=edge.short,
                user_label=edge.user or None,
            )
            for body, edge, traffic in some
            for own in [parts.get((body.key, edge.index), [])]
        ]

    reflected = distinct_integers(*(t.reflected for *_, t in found))
    total = float(power[reflected].sum())
    root = TirAnalysis(
        edge=OnDemand(listing, found),
        glass=bodies[0].title if glass_name else None,
        angle=None if angle == NO_ANGLE else angle,
        wavelength=wavelength,
        totally_reflected=len(reflected),
        totally_reflected_power=total,
        count=len(found),
    )
    where = f"at {in_words(bodies[0].title)}" if len(bodies) == 1 else "at glass"
    if edge_label != "":
        where += f" at edge {found[0][1].reference}"
    rays = light.result.ray_set(reflected)
    sentence = rays_found(
        len(rays), f"is totally reflected {where}", f"are totally reflected {where}"
    )
    if len(rays):
        sentence += f" (power {in_words(total)})"
        margin = _extreme_value(light, _Arriving.of(light, [reflected]).excess, np.nanmin)
        if margin is not None:
            sentence += f", at least {in_words(margin)}° beyond the critical angle"
        return Answer(root, sentence, rays)
    arriving = _Arriving.of(light, [rows for *_, t in found for rows in (t.inside, t.outside)])
    below = _extreme_value(light, -arriving.excess[arriving.critical < 90.0], np.nanmin)
    if below is not None:
        sentence += f"; the nearest falls {in_words(below)}° short of the critical angle"
    return Answer(root, sentence, rays)


@dataclass(frozen=True, eq=False)
class _Arriving:
    """The light that arrives at edges: for ``rows`` (k,), in order, angles of incidence, critical
    angles, by how much the former exceed these, and transmitted powers.
    """

    light: Light
    rows: Rows
    angle: Floats
    critical: Floats
    excess: Floats
    transmitted: Floats

    @classmethod
    def of(cls, light: Light, rows: Sequence[Rows]) -> Self:
        """All at once, for every edge that they arrive at."""
        every, result = distinct_integers(*rows), light.result
        met = row_incidences(result, light.scene, every, light.disabled)
        child = np.flatnonzero((result.interaction == Interaction.REFRACT) & (result.parent >= 0))
        through = summed(result.parent[child], result.total_power[child], len(result))[every]
        return cls(light, every, met.angle, met.critical, met.angle - met.critical, through)


def _rays_on_sides(
    arriving: _Arriving, edge: EdgeTraffic, parts: Sequence[Stretch]
) -> dict[str, RaysAtEdge]:
    """The traced rays that meet an edge from inside, and those from outside if a part of that is
    denser, or may be.
    """
    found = {"rays_from_inside": _rays_at_edge(arriving, edge.inside)}
    if any(not abs(p.n_outside) <= abs(p.n_inside) for p in parts):
        found["rays_from_outside"] = _rays_at_edge(arriving, edge.outside)
    return found


def _rays_at_edge(arriving: _Arriving, rows: Rows) -> RaysAtEdge:
    light, here = arriving.light, np.searchsorted(arriving.rows, rows)
    power = light.result.total_arriving_power[rows]
    angle, excess = arriving.angle[here], arriving.excess[here]
    total = causes_total_reflection(light.result, rows)
    others = ~total & (arriving.critical[here] < 90.0) & np.isfinite(excess)
    return RaysAtEdge(
        count=len(rows),
        power=float(power.sum()),
        totally_reflected=int(total.sum()),
        totally_reflected_power=float(power[total].sum()),
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
