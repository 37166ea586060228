"""Reflection and refraction at an interface, as elements of an answer."""

from __future__ import annotations

from raybench.analysis.answers.answer import Element, Leaf, element
from raybench.optics.interface import Incidence, brewster_angle, critical_angle


def at_incidence(light: Incidence) -> tuple[Element | Leaf, ...]:
    """Reflectance, transmittance and angles of light at an interface, as elements."""
    critical = critical_angle(light.n1, light.n2)
    phases = {"s": light.phase_s, "p": light.phase_p, "difference": light.phase_difference}
    return (
        element("reflectance", s=light.r_s, p=light.r_p, unpolarized=(light.r_s + light.r_p) / 2),
        element("transmittance", s=light.t_s, p=light.t_p, unpolarized=(light.t_s + light.t_p) / 2),
        Leaf("refraction_angle", light.refraction, missing="none"),
        Leaf("critical_angle", critical, missing="none"),
        Leaf("brewster_angle", brewster_angle(light.n1, light.n2)),
        (
            element("phase_shift", **phases)
            if light.total
            else Leaf("phase_shift", None, missing="none")
        ),
    )


def regime(light: Incidence) -> str:
    """``total_reflection`` or ``refraction``."""
    return "total_reflection" if light.total else "refraction"
