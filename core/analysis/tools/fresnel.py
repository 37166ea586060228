"""Tools about reflection and refraction at interfaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.analysis.answers.xml_answer import document, element, leaf
from core.analysis.context import require_context
from core.analysis.rays.total_reflection import parts_of, traffic
from core.analysis.scene.describe import part_attributes
from core.analysis.scene.interfaces import Stretch, stretches
from core.analysis.scene.traced_outline import as_traced
from core.errors import in_quotes
from core.optics.interface import Incidence, brewster_angle, check_angle, check_wavelength, critical_angle, incidence
from core.scene.labels import edge_labelled, labelled_edges
from core.scene.names import glass_named
from core.trace.results.result import RaySet


def fresnel_xml(n1: float, n2: float, angle: float) -> str:
    """
    Compute how light is reflected and refracted at an interface between two refractive indices, by Fresnel's equations.

    It needs no scene. Reflectances and transmittances are shares of power.

    Args:
        n1: Refractive index of the medium that the light comes from, such as 1.5.
        n2: Refractive index of the medium on the other side, such as 1.0 for air.
        angle: Angle of incidence in degrees from the interface's normal, 0 to 90.

    Returns:
        XML string with the root fresnel: reflectance, transmittance, angles of refraction, total reflection and Brewster, and the phase
        shifts of total reflection; "none" where there is no such angle or shift.

    Raises:
        ValueError: If an index is 0 or no number, or the angle is not from 0 to 90.
    """
    light = incidence(n1, n2, angle)
    return document("fresnel", *_incidence(light), n1=n1, n2=n2, angle=angle, regime=_regime(light))


def tir_analysis_xml(glass_name: str, edge_label: str = "", angle: float = 45.0, wavelength: float = 540.0) -> str:
    """
    Analyse total internal reflection at the edges of a glass: critical and Brewster angles, and the traced rays it happens to.

    The refractive indices on both sides are the scene's own, other bodies that touch or overlap the glass included.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of one edge as seen on the canvas, such as "N" or "North Edge", or its index; empty for all edges.
        angle: Angle of incidence inside the glass in degrees from the normal, 0 to 90, for which reflectances are told.
        wavelength: Wavelength in nm that refractive indices are taken at; it matters only where the scene simulates colours.

    Returns:
        XML string with the root tir_analysis: for each edge the traced rays that meet it from inside, and each part of it with the same
        media on both sides.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or the angle is wrong; the text says what exists.
    """
    check_angle("angle", angle)
    check_wavelength("wavelength", wavelength)
    context = require_context()
    glass = glass_named(context.scene, glass_name)
    user, traced = context.user_labels(glass), as_traced(glass, context.scene)
    edges = (edge_labelled(traced, str(edge_label), user),) if edge_label != "" else labelled_edges(traced, user)
    found = stretches(context.scene, [glass], disabled=context.disabled, labels=context.edge_labels, wavelength=wavelength)
    told, reflected = [], [np.empty(0, np.int64)]
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
        parts = (_part(s, angle) for s in parts_of(found, edge))
        told.append(element("edge", rays, *parts, index=edge.index, label=edge.short, user_label=edge.user or None))
    where = f"edge {edges[0].reference} of {in_quotes(glass.title)}" if edge_label != "" else f"{in_quotes(glass.title)}"
    context.note(RaySet(np.unique(np.concatenate(reflected)), f"rays totally reflected inside at {where}", context.result.revision))
    return document("tir_analysis", *told, context=context, glass=glass.title, angle=angle, wavelength=wavelength)


def _part(s: Stretch, angle: float) -> str:
    about: dict[str, Any] = dict(part_attributes(s))
    if not (np.isfinite([s.n_inside, s.n_outside]).all() and s.n_inside and s.n_outside):
        return element("part", **about)
    light = incidence(s.n_inside, s.n_outside, angle)
    return element("part", *_incidence(light), **about, regime=_regime(light))


def _incidence(light: Incidence) -> tuple[str, ...]:
    critical = critical_angle(light.n1, light.n2)
    phases = {"s": light.phase_s, "p": light.phase_p, "difference": light.phase_difference}
    return (
        element("reflectance", s=light.r_s, p=light.r_p, unpolarized=(light.r_s + light.r_p) / 2),
        element("transmittance", s=light.t_s, p=light.t_p, unpolarized=(light.t_s + light.t_p) / 2),
        leaf("refraction_angle", "none" if light.refraction is None else light.refraction),
        leaf("critical_angle", "none" if critical is None else critical),
        leaf("brewster_angle", brewster_angle(light.n1, light.n2)),
        element("phase_shift", **phases) if light.total else leaf("phase_shift", "none"),
    )


def _regime(light: Incidence) -> str:
    return "total_reflection" if light.total else "refraction"
