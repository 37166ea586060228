"""Fresnel's equations, compared with textbook values and with each other."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from raybench.optics.interface import InvalidOptics, brewster_angle, critical_angle, incidence

pytestmark = pytest.mark.quick

INDEX = st.floats(1.0, 4.0)


def test_at_normal_incidence_both_polarisations_are_reflected_alike() -> None:
    light = incidence(1.0, 1.5, 0)
    assert light.r_s == pytest.approx(0.04)
    assert light.r_p == pytest.approx(0.04)
    assert light.refraction == 0


@settings(max_examples=60)
@given(INDEX, INDEX, st.floats(0, 89.9))
def test_reflectances_follow_fresnels_equations(n1: float, n2: float, angle: float) -> None:
    light = incidence(n1, n2, angle)
    i = math.radians(angle)
    sine = n1 * math.sin(i) / n2
    assume(abs(sine - 1) > 1e-6)
    assert light.is_total_reflection == (sine > 1)
    if sine > 1:
        assert (light.r_s, light.r_p, light.t_s, light.t_p) == (1, 1, 0, 0)
        return
    t = math.asin(sine)
    assert light.refraction == pytest.approx(math.degrees(t))
    r_s = (n1 * math.cos(i) - n2 * math.cos(t)) / (n1 * math.cos(i) + n2 * math.cos(t))
    r_p = (n2 * math.cos(i) - n1 * math.cos(t)) / (n2 * math.cos(i) + n1 * math.cos(t))
    assert light.r_s == pytest.approx(r_s**2, abs=1e-12)
    assert light.r_p == pytest.approx(r_p**2, abs=1e-12)
    t_s = 2 * n1 * math.cos(i) / (n1 * math.cos(i) + n2 * math.cos(t))
    assert light.t_s == pytest.approx(t_s**2 * n2 * math.cos(t) / (n1 * math.cos(i)), abs=1e-9)


@settings(max_examples=40)
@given(INDEX, INDEX)
def test_at_brewsters_angle_no_p_light_is_reflected_and_the_rays_are_square(
    n1: float, n2: float
) -> None:
    light = incidence(n1, n2, brewster_angle(n1, n2))
    assert light.r_p == pytest.approx(0, abs=1e-12)
    assert light.refraction is not None
    assert light.angle + light.refraction == pytest.approx(90)


def test_total_reflection_begins_at_the_critical_angle() -> None:
    critical = critical_angle(1.5, 1.0)
    assert critical == pytest.approx(41.8103148958)
    assert not incidence(1.5, 1.0, critical - 1e-6).is_total_reflection
    assert incidence(1.5, 1.0, critical + 1e-6).is_total_reflection
    assert critical_angle(1.0, 1.5) is None
    assert critical_angle(1.5, 1.5) is None


def test_fresnels_rhomb_shifts_the_phases_by_45_degrees() -> None:
    # Born & Wolf, section 1.5.4: n = 1.51, at 48°37' and at 54°37'
    for angle in (48 + 37 / 60, 54 + 37 / 60):
        assert incidence(1.51, 1.0, angle).phase_difference == pytest.approx(45, abs=0.05)
    at_grazing = incidence(1.51, 1.0, 90)
    assert (at_grazing.phase_s, at_grazing.phase_p) == pytest.approx((180, 180))


def test_grazing_light_is_reflected_unless_there_is_no_interface() -> None:
    assert (incidence(1, 1.5, 90).r_s, incidence(1, 1.5, 90).r_p) == (1, 1)
    for n2, angle in (
        (1.5, 90),
        (1.5 * (1 - 2e-16), 90 - 1e-8),
        (1.5, 90 - 1e-6),
        (-1.5, 90 - 1e-8),
    ):
        assert (incidence(1.5, n2, angle).r_s, incidence(1.5, n2, angle).r_p) == (0, 0)


def test_a_negative_index_refracts_to_the_same_side() -> None:
    light = incidence(1.0, -1.5, 30)
    assert light.refraction == pytest.approx(-math.degrees(math.asin(1 / 3)))
    assert light.r_s == incidence(1.0, 1.5, 30).r_s


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: incidence(1, 0, 10), "n2 is 0"),
        (lambda: incidence(math.nan, 1, 10), "n1 is nan"),
        (lambda: incidence(1, math.inf, 10), "n2 is inf"),
        (lambda: incidence(1, 1.5, 90.1), "angle is 90.1"),
        (lambda: incidence(1, 1.5, -1), "angle is -1"),
        (lambda: incidence(1, 1.5, math.nan), "angle is nan"),
        (lambda: incidence("1", 1.5, 3), "n1 is '1'"),  # type: ignore[arg-type]
        (lambda: incidence(True, 1.5, 3), "n1 is True"),
        (lambda: critical_angle(0, 1), "n1 is 0"),
        (lambda: brewster_angle(1, 0), "n2 is 0"),
    ],
)
def test_arguments_outside_the_domain_are_refused(call: object, words: str) -> None:
    with pytest.raises(InvalidOptics) as caught:
        call()  # type: ignore[operator]
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("n1", "n2"), [(1e50, 1e-300), (1e-300, 1e300), (1e200, 1.0), (-1e300, 1e-300)]
)
def test_indices_whose_ratio_no_number_holds_are_refused(n1: float, n2: float) -> None:
    for angle in (0.0, 45.0, 90.0):
        with pytest.raises(InvalidOptics, match="their ratio is none of two media"):
            incidence(n1, n2, angle)
