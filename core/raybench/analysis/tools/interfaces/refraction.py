"""Tools for refraction and reflection: at an interface of two indices, at a body, and by total
reflection.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.record import (
    ABSENT,
    Angle,
    Degrees,
    Record,
    Root,
    Share,
    WrittenForm,
)
from raybench.analysis.answers.words import rays_found_sentence, value_in_words
from raybench.analysis.context import TracedScene, power_in_words, require_context
from raybench.analysis.geometry.straight import Floats, Rows, distinct_integers, sum_by_group
from raybench.analysis.measures.light import LIGHT_SPEED, Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.rays.incidence import (
    EdgeSegments,
    row_incidences,
    segments_at_each_edge,
    total_reflection_mask,
)
from raybench.analysis.scene.interfaces import EdgeInterval, edge_parts_by_media
from raybench.analysis.scene.objects import edges_as_traced, list_names, object_as_traced
from raybench.analysis.scene.surroundings import body_nesting
from raybench.analysis.tools.scene.description import edge_part_fields, outside_bodies_text
from raybench.analysis.tools.tool import AnalysisTool, ParameterCheck, Wavelength
from raybench.errors import RaybenchError
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.glasses import GlassBody, HomogeneousGlass
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F, abbe_number
from raybench.optics.colour import GREEN
from raybench.optics.interface import (
    Incidence,
    brewster_angle,
    check_angle,
    critical_angle,
    incidence,
)
from raybench.scene.coatings import Coating, coating_wavelength
from raybench.scene.labels import LabelledEdge, find_edge_by_label, labelled_edges
from raybench.scene.names import glass_named
from raybench.trace.codes import Interaction

Regime = Literal["refraction", "total_reflection"]


class PolarizationFractions(Record):
    s: Share
    p: Share
    unpolarized: Share


class PhaseShifts(Record):
    s: Degrees | None
    p: Degrees | None
    difference: Degrees | None


class IncidenceFields(Record):
    """Reflectance, transmittance and angles of light at an interface of two media."""

    reflectance: PolarizationFractions = ABSENT
    transmittance: PolarizationFractions = ABSENT
    refraction_angle: Angle = ABSENT
    critical_angle: Angle = ABSENT
    brewster_angle: Annotated[float, WrittenForm("degrees", missing="none")] = ABSENT
    phase_shift: Annotated[PhaseShifts | None, WrittenForm("PhaseShifts", missing="none")] = ABSENT


def incidence_fields(light: Incidence) -> dict[str, Any]:
    """The values of the fields of `IncidenceFields`."""
    return {
        "reflectance": PolarizationFractions(
            s=light.r_s, p=light.r_p, unpolarized=(light.r_s + light.r_p) / 2
        ),
        "transmittance": PolarizationFractions(
            s=light.t_s, p=light.t_p, unpolarized=(light.t_s + light.t_p) / 2
        ),
        "refraction_angle": light.refraction,
        "critical_angle": critical_angle(light.n1, light.n2),
        "brewster_angle": brewster_angle(light.n1, light.n2),
        "phase_shift": (
            PhaseShifts(s=light.phase_s, p=light.phase_p, difference=light.phase_difference)
            if light.is_total_reflection
            else None
        ),
    }


def reflection_regime(light: Incidence) -> Regime:
    """``total_reflection`` if the light is totally reflected, else ``refraction``."""
    return "total_reflection" if light.is_total_reflection else "refraction"


class Fresnel(Root, IncidenceFields, tag="fresnel"):
    n1: float
    n2: float
    angle: Degrees
    regime: Regime
    context: None = None


def fresnel(n1: float, n2: float, angle: float) -> Answer:
    """Compute how light is reflected and refracted at an interface between two refractive indices,
    by Fresnel's equations.

    Needs no scene. Reflectances and transmittances are fractions of power.

    Args:
        n1: Refractive index of the medium that the light comes from, such as 1.5.
        n2: Refractive index of the medium on the other side, such as 1.0 for air.
        angle: Angle of incidence in degrees from the interface's normal, 0 to 90.

    Returns:
        Root fresnel: reflectance, transmittance, angles of refraction, total reflection and
        Brewster, and the phase shifts of total reflection; "none" if there is no such angle or
        shift.

    Raises:
        ValueError: If an index is 0 or not a number, or the angle is not from 0 to 90.
    """
    light = incidence(n1, n2, angle)
    root = Fresnel(
        **incidence_fields(light),
        n1=n1,
        n2=n2,
        angle=angle,
        regime=reflection_regime(light),
    )
    reflected = (light.r_s + light.r_p) / 2
    how = (
        "total reflection"
        if light.is_total_reflection
        else f"refracted to {value_in_words(light.refraction)}°"
    )
    sentence = (
        f"{value_in_words(reflected * 100)} % of unpolarized light is reflected from n {value_in_words(n1)} to"
        f" n {value_in_words(n2)}"
    )
    return Answer(root, f"{sentence} at {value_in_words(angle)}°: {how}")


FRESNEL = AnalysisTool(
    function=fresnel,
    asks="reflection from n {n1} to n {n2} at {angle}°",
    questions=("How much power is reflected from n {n1} to n {n2} at {angle}?",),
    limit=0,
    needs_scene=False,
    needs_light=False,
)


MOST_NAMED_BODIES = 3
"""Maximum number of bodies around it that are named."""


class RefractiveIndex(Root, tag="refractive_index"):
    object: str
    wavelength: float | None
    n: float | None
    effective_n: float | None
    outside: str | None
    n_outside: float | None
    n_centre: float | None
    critical_angle: Degrees | None = ABSENT
    brewster_angle: Degrees = ABSENT
    brewster_angle_inside: Degrees = ABSENT
    abbe_number: float | None
    speed: float | None


def refractive_index(glass_name: str, wavelength: Wavelength = GREEN) -> Answer:
    """Tell the refractive index of a body at a wavelength, its effective index in other bodies,
    its critical angle, and its speed of light.

    Where bodies overlap, their indices are multiplied. The angles are those at an interface to air,
    or to the bodies that the body lies inside: the critical angle from inside, and the Brewster
    angle from outside and from inside; tir_analysis_xml reports them for each edge and the media
    that touch it. The Abbe number V_d is reported if the scene simulates colours.

    Args:
        glass_name: Name of a glass object in the scene.
        wavelength: Wavelength in nm; used only if the scene simulates colours.

    Returns:
        Root refractive_index: n, effective_n, outside (the bodies around it), n_outside,
        critical_angle, brewster_angle, brewster_angle_inside, abbe_number and speed (c over
        effective_n, m/s); an index that varies is left out, and n_centre given: that at the middle
        of its outline.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name doesn't match any object, or wavelength is invalid; the message
            lists the existing names.
    """
    context = require_context()
    body = glass_named(context.scene, glass_name)
    colours = context.scene.settings.simulate_colors
    n = body.uniform_index(wavelength if colours else None)
    found = next(iter(body_nesting(context.scene, context.disabled, wavelength, [body])), None)
    effective = n if found is None else found.effective_index
    angles: dict[str, Any] = {}
    if n:
        angles = {
            "critical_angle": critical_angle(n, 1.0),
            "brewster_angle": brewster_angle(1.0, n),
            "brewster_angle_inside": brewster_angle(n, 1.0),
        }
    # beside a body inside others light has the index of these: the ratio of the indices on both
    # sides is the body's own
    around = found.inside if found is not None else ()
    outside = list_names([o.title for o in around], MOST_NAMED_BODIES) if around else None
    indices = [
        index
        for line in (LINE_D, LINE_F, LINE_C)
        if colours and (index := body.uniform_index(line)) is not None
    ]
    middle = None if n is not None else _body_middle(context, body)
    n_centre = (
        float(body.index_at(np.array([middle]), wavelength if colours else None)[0])
        if middle
        else None
    )
    abbe = abbe_number(*indices) if len(indices) == 3 else math.inf
    dispersion = abbe if math.isfinite(abbe) else None
    speed = LIGHT_SPEED / abs(effective) if effective else None
    root = RefractiveIndex(
        object=body.title,
        wavelength=wavelength if colours else None,
        n=n,
        effective_n=effective,
        outside=outside,
        n_outside=effective / n if around and effective and n else None,
        n_centre=n_centre,
        **angles,
        abbe_number=dispersion,
        speed=speed,
    )
    at = (
        f" at {value_in_words(wavelength)} nm"
        if colours
        else " at every wavelength: the scene does not simulate colours"
    )
    if n is None:
        there = (
            f": {n_centre:.7g} at its middle, ({middle[0]:.6g}, {middle[1]:.6g})"
            if middle and n_centre is not None
            else ""
        )
        return Answer(
            root,
            f"The index of {value_in_words(body.title)} varies from place to place{there}",
            complete_sentence=True,
        )
    material = body.material if isinstance(body, HomogeneousGlass) else None
    of = "" if material is None else f"is made of {value_in_words(material.material.name)} and "
    words = [f"{value_in_words(body.title)} {of}has the refractive index {n:.7g}{at}"]
    if effective is not None and abs(effective - n) > 1e-12 * abs(n):
        words.append(f"with the bodies around it {effective:.7g}")
    if angles["critical_angle"] is not None:
        words.append(f"critical angle {angles['critical_angle']:.6g}° against {outside or 'air'}")
        if outside and effective and (to_air := critical_angle(effective, 1.0)) is not None:
            words[-1] += f", {to_air:.6g}° against air"
    if dispersion is not None:
        words.append(f"Abbe number {dispersion:.5g}")
    words.append(f"Brewster angle {angles['brewster_angle']:.6g}° from {outside or 'air'}")
    if speed is not None:
        words.append(f"light runs in it at {speed:.6g} m/s")
    return Answer(root, "; ".join(words), complete_sentence=True)


def _body_middle(context: TracedScene, body: GlassBody) -> tuple[float, float] | None:
    """The centre of a body's bounding box; None if the body has no outline."""
    edges = edges_as_traced(body, context.scene)
    box = edges_bounding_box(edges) if edges else None
    return None if box is None else ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


REFRACTIVE_INDEX = AnalysisTool(
    function=refractive_index,
    asks="refractive index of {glass_name|}",
    questions=(
        "What is the refractive index of {glass_name}?",
        "What glass is {glass_name} made of [material type]?",
        "What is the material of {glass_name} [glass]?",
        "What is the critical angle of {glass_name} [total internal reflection]?",
        "What is the Brewster angle of {glass_name}?",
        "What is the Abbe number of {glass_name}?",
    ),
    limit=0,
    needs_light=False,
)


_SearchResult = tuple[GlassBody, LabelledEdge, EdgeSegments]
NO_ANGLE = -1.0
"""The value of an assumed angle that is not given."""


def _check_assumed_angle(_: str, value: float) -> None:
    if value != NO_ANGLE:
        check_angle(value)


AssumedAngle = Annotated[float, ParameterCheck(_check_assumed_angle)]


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


class ReflectingPart(IncidenceFields, tag="part"):
    """A part of an edge with the same media on each side. With an assumed angle of incidence it
    also has the position of the part and the reflectance at that angle.
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
        Reflectance and transmittance at an assumed angle are those of the edge's coating, if it
        has one.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or a number is invalid; the message lists the existing names.
    """
    context = require_context()
    if edge_label != "" and not glass_name:
        raise RaybenchError("edge_label needs a glass_name: name the glass that has the edge.")
    light = Light.from_context(context)
    bodies: Sequence[GlassBody] = [
        o
        for o in context.scene.optical
        if isinstance(o, GlassBody) and o.key not in context.disabled
    ]
    if glass_name:
        bodies = [glass_named(context.scene, glass_name)]
    found: list[_SearchResult] = []
    for body in bodies:
        user, traced = context.user_labels(body), object_as_traced(body, context.scene)
        edges: Sequence[LabelledEdge] = labelled_edges(traced, user)
        if edge_label != "":
            edges = [find_edge_by_label(traced, str(edge_label), user)]
        met = light.rows_meeting_object(light.index_by_key[body.key])
        traffic = segments_at_each_edge(light.result, body, edges, met)
        found += [(body, edge, of) for edge, of in zip(edges, traffic, strict=True)]
    power = light.result.total_arriving_power
    found.sort(
        key=lambda f: (
            -float(power[f[2].reflected].sum()),
            not len(f[2].inside),
            not len(f[2].outside),
        )
    )

    def list_edges(edges_shown: Sequence[_SearchResult]) -> list[ReflectingEdge]:
        parts: dict[tuple[int, int], list[EdgeInterval]] = {}
        for part in edge_parts_by_media(
            context.scene,
            {body.key: body for body, *_ in edges_shown}.values(),
            disabled=context.disabled,
            labels=context.edge_labels,
            wavelength=wavelength,
        ):
            parts.setdefault((part.body.key, part.edge.index), []).append(part)
        arriving = _IncidentLight.from_rows(
            light, [rows for *_, t in edges_shown for rows in (t.inside, t.outside)]
        )
        return [
            ReflectingEdge(
                **_rays_on_sides(arriving, traffic, own),
                part=[
                    _reflecting_part_record(
                        part,
                        angle,
                        context.treatments.coatings.get(body.key, {}).get(edge.index),
                        wavelength if context.scene.settings.simulate_colors else None,
                    )
                    for part in own
                ],
                object=None if glass_name else body.title,
                index=edge.index,
                label=edge.short,
                user_label=edge.user_label or None,
            ).link_to_rays(distinct_integers(traffic.inside, traffic.outside))
            for body, edge, traffic in edges_shown
            for own in [parts.get((body.key, edge.index), [])]
        ]

    reflected = distinct_integers(*(t.reflected for *_, t in found))
    total = float(power[reflected].sum())
    root = TirAnalysis(
        edge=LazySequence(list_edges, found),
        glass=bodies[0].title if glass_name else None,
        angle=None if angle == NO_ANGLE else angle,
        wavelength=wavelength,
        totally_reflected=len(reflected),
        totally_reflected_power=total,
        count=len(found),
    )
    where = f"at {value_in_words(bodies[0].title)}" if len(bodies) == 1 else "at glass"
    if edge_label != "":
        where += f" at edge {found[0][1].reference}"
    rays = light.result.ray_set(reflected)
    sentence = rays_found_sentence(
        len(rays), f"is totally reflected {where}", f"are totally reflected {where}"
    )
    if len(rays):
        sentence += f" (power {power_in_words(total)})"
        margin = _finite_extreme(
            light, _IncidentLight.from_rows(light, [reflected]).excess, np.nanmin
        )
        if margin is not None:
            sentence += f", at least {value_in_words(margin)}° beyond the critical angle"
        return Answer(root, sentence, rays)
    arriving = _IncidentLight.from_rows(
        light, [rows for *_, t in found for rows in (t.inside, t.outside)]
    )
    below = _finite_extreme(light, -arriving.excess[arriving.critical < 90.0], np.nanmin)
    if below is not None:
        sentence += f"; the nearest falls {value_in_words(below)}° short of the critical angle"
    return Answer(root, sentence, rays)


@dataclass(frozen=True, eq=False)
class _IncidentLight:
    """The light that arrives at edges. For the segments ``rows`` (k,): the angle of incidence, the
    critical angle, the difference of both, and the transmitted power.
    """

    light: Light
    rows: Rows
    angle: Floats
    critical: Floats
    excess: Floats
    transmitted: Floats

    @classmethod
    def from_rows(cls, light: Light, rows: Sequence[Rows]) -> Self:
        """The light of the segments that arrive at all of the edges, computed together."""
        every, result = distinct_integers(*rows), light.result
        met = row_incidences(result, light.scene, every, light.disabled)
        child = np.flatnonzero((result.interaction == Interaction.REFRACT) & (result.parent >= 0))
        through = sum_by_group(result.parent[child], result.total_power[child], len(result))[every]
        return cls(
            light, every, met.angle, met.critical_angles, met.angle - met.critical_angles, through
        )


def _rays_on_sides(
    arriving: _IncidentLight, edge: EdgeSegments, parts: Sequence[EdgeInterval]
) -> dict[str, RaysAtEdge]:
    """The records of the rays that meet an edge from inside and, if the medium outside may be
    denser, from outside.
    """
    found = {"rays_from_inside": _rays_at_edge_record(arriving, edge.inside)}
    if any(not abs(p.n_outside) <= abs(p.n_inside) for p in parts):
        found["rays_from_outside"] = _rays_at_edge_record(arriving, edge.outside)
    return found


def _rays_at_edge_record(arriving: _IncidentLight, rows: Rows) -> RaysAtEdge:
    light, here = arriving.light, np.searchsorted(arriving.rows, rows)
    power = light.result.total_arriving_power[rows]
    angle, excess = arriving.angle[here], arriving.excess[here]
    total = total_reflection_mask(light.result, rows)
    others = ~total & (arriving.critical[here] < 90.0) & np.isfinite(excess)
    return RaysAtEdge(
        count=len(rows),
        power=float(power.sum()),
        totally_reflected=int(total.sum()),
        totally_reflected_power=float(power[total].sum()),
        transmitted_power=float(arriving.transmitted[here].sum()),
        least_angle=_finite_extreme(light, angle, np.nanmin),
        most_angle=_finite_extreme(light, angle, np.nanmax),
        critical_margin=_finite_extreme(light, excess[total], np.nanmin),
        below_critical=_finite_extreme(light, -excess[others], np.nanmin),
    )


def _finite_extreme(light: Light, values: Any, which: Any) -> float | None:
    return (
        light.remove_rounding_noise(float(which(values)), Unit.ANGLE)
        if np.isfinite(values).any()
        else None
    )


def _reflecting_part_record(
    stretch: EdgeInterval, angle: float, coating: Coating | None, wavelength: float | None
) -> ReflectingPart:
    known = (
        np.isfinite([stretch.n_inside, stretch.n_outside]).all()
        and stretch.n_inside
        and stretch.n_outside
    )
    if angle == NO_ANGLE:
        thin, dense = sorted((stretch.n_inside, stretch.n_outside), key=abs)
        angles: dict[str, Any] = {
            "critical_angle_": critical_angle(dense, thin),
            "brewster_angle_": brewster_angle(stretch.n_inside, stretch.n_outside),
        }
        return ReflectingPart(
            share=stretch.fraction,
            n_inside=stretch.n_inside,
            n_outside=stretch.n_outside,
            outside=outside_bodies_text(stretch),
            **(angles if known else {}),
        )
    if not known:
        return ReflectingPart(**edge_part_fields(stretch))
    light = incidence(stretch.n_inside, stretch.n_outside, angle)
    fields = incidence_fields(light)
    if coating is not None:
        cosine = np.cos(np.radians([angle]))
        r_s, r_p, t_s, t_p = coating.fractions(
            coating_wavelength(wavelength),
            abs(stretch.n_outside),
            abs(stretch.n_inside),
            cosine,
            outward=True,
        )[0].tolist()
        fields["reflectance"] = PolarizationFractions(s=r_s, p=r_p, unpolarized=(r_s + r_p) / 2)
        fields["transmittance"] = PolarizationFractions(s=t_s, p=t_p, unpolarized=(t_s + t_p) / 2)
        fields["phase_shift"] = None
    return ReflectingPart(**fields, **edge_part_fields(stretch), regime=reflection_regime(light))


TOTAL_REFLECTION = AnalysisTool(
    function=tir_analysis,
    asks="total reflection at {glass_name|each glass}[ at edge {edge_label}]",
    questions=(
        "Is there total reflection in {glass_name} [where internal happen]?",
        "What is totally reflected at edge {edge_label} of {glass_name}?",
    ),
    fits=True,
    power=True,
    offered="usually",
    brief=(
        "Analyse total reflection at each edge: rays, margin to the critical angle; with an "
        "angle of incidence inside the glass also reflectances at it."
    ),
)
