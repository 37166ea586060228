"""Prisms: deviation at any incidence, and dispersion (Hecht, sections 3.5.1 and 5.5.1)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.kinds.glasses import Glass
from raybench.kinds.sources import SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick

APEX = math.radians(52.0)
A, B = 1.52, 0.009
"""Cauchy's numbers; B in µm²."""


def deviation(n: float, incidence: float) -> float:
    """How far a prism turns light that meets its first face at an angle, all in rad (Hecht, eq.
    5.53).
    """
    s = math.sin(incidence)
    return (
        incidence + math.asin(math.sin(APEX) * math.sqrt(n * n - s * s) - s * math.cos(APEX)) - APEX
    )


def traced_deviation(incidence: float, wavelength: float) -> float:
    """The same, of a traced ray from the left through a prism whose apex is at the top."""
    half = 100.0 * math.sin(APEX / 2)
    base = 100.0 * math.cos(APEX / 2)
    prism = Glass(
        path=(Vertex(0, 0), Vertex(half, base), Vertex(-half, base)),
        ref_index=A,
        cauchy_b=B,
        partial_reflect=False,
    )
    # into the left face, a third of the way down; its outward normal points left and up
    at = Point(-half / 3, base / 3)
    slope = APEX / 2 - incidence
    ray = SingleRay(
        p1=Point(at.x - 50 * math.cos(slope), at.y - 50 * math.sin(slope)),
        p2=at,
        wavelength=wavelength,
    )
    result = trace(Scene.of([ray, prism], Settings(simulate_colors=True)))
    assert len(result) == 3
    first, last = (result.p2[i] - result.p1[i] for i in (0, 2))
    return math.atan2(last[1], last[0]) - math.atan2(first[1], first[0])


@pytest.mark.parametrize("wavelength", [404.66, 486.13, 587.56, 656.27])
@pytest.mark.parametrize("degrees", [35.0, 48.0, 62.0, 80.0])
def test_a_prism_turns_each_colour_by_its_deviation(degrees: float, wavelength: float) -> None:
    n = A + B / (wavelength * 1e-3) ** 2
    assert traced_deviation(math.radians(degrees), wavelength) == pytest.approx(
        deviation(n, math.radians(degrees)), abs=1e-12
    )


def test_the_angular_dispersion_is_that_of_the_glass_times_that_of_the_prism() -> None:
    """At least deviation dD/dλ = 2 sin(A/2) / cos((A + D)/2) · dn/dλ (Born & Wolf, section 4.7.2)."""
    wavelength, step = 550.0, 0.01
    n = A + B / (wavelength * 1e-3) ** 2
    incidence = math.asin(n * math.sin(APEX / 2))
    of_glass = -2 * B / (wavelength * 1e-3) ** 3 * 1e-3
    of_prism = 2 * math.sin(APEX / 2) / math.cos(incidence)
    measured = (
        traced_deviation(incidence, wavelength + step)
        - traced_deviation(incidence, wavelength - step)
    ) / (2 * step)
    assert measured == pytest.approx(of_prism * of_glass, rel=1e-6)


def test_deviation_is_least_where_light_passes_symmetrically() -> None:
    n = A + B / 0.55**2
    least = math.asin(n * math.sin(APEX / 2))
    angles = least + np.array([-1e-2, -1e-3, 0.0, 1e-3, 1e-2])
    turns = [traced_deviation(float(a), 550.0) for a in angles]
    assert int(np.argmin(turns)) == 2
    assert turns[2] == pytest.approx(2 * least - APEX, abs=1e-12)
