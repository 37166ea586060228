"""Finishes: their distributions, what cannot be, JSON, and the catalogue."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raybench.scene.finishes import (
    SIDES,
    ABgProfile,
    Finish,
    GaussianProfile,
    InvalidFinish,
    LambertianProfile,
    finish_catalogue,
    finish_from_json,
    profile_table,
    unit_integral,
)

pytestmark = pytest.mark.quick

fractions = st.floats(0, 1)
profiles = st.one_of(
    st.just(LambertianProfile()),
    st.builds(GaussianProfile, st.floats(0.01, 80)),
    st.builds(ABgProfile, st.just(0.0), st.floats(1e-6, 1), st.floats(0, 4)),
)
finishes = st.builds(
    Finish,
    profile=profiles,
    total=st.none() | fractions,
    reflectance=st.none() | fractions,
    scatters=st.sampled_from(SIDES),
    rays=st.integers(1, 1000),
    towards=st.none() | st.integers(0, 99),
    name=st.text(max_size=20),
) | st.builds(Finish, profile=profiles, roughness=st.floats(0, 1000))


@given(finishes)
def test_json_is_read_and_written(finish):
    assert finish_from_json(json.loads(json.dumps(finish.to_json()))) == finish


@given(profiles, st.floats(-1, 1), st.floats(-1, 1))
def test_distributions_rise_and_are_alike_on_both_sides(profile, one, other):
    u, f = profile_table(profile).T
    assert (np.diff(u) > 0).all()
    assert (np.diff(f) >= 0).all()
    assert np.interp(1.0, u, f) == pytest.approx(0.5)
    total = np.sign(1 - one) * np.interp(abs(1 - one), u, f) + np.interp(abs(1 + one), u, f)
    assert total <= 1 + 1e-9  # no more is scattered than at normal incidence


def test_distributions_are_those_of_the_formulas():
    u, f = profile_table(GaussianProfile(8.0)).T
    sigma = math.sin(math.radians(8.0))
    exact = [math.erf(x / sigma / math.sqrt(2)) for x in u]
    np.testing.assert_allclose(
        f, 0.5 * np.array(exact) / math.erf(1 / sigma / math.sqrt(2)), atol=1e-9
    )
    u, f = profile_table(ABgProfile(0.0, 1e-6, 2.0)).T
    np.testing.assert_allclose(f, 0.5 * np.arctan(u * 1e3) / np.arctan(1e3), atol=1e-9)
    assert finish_from_json({"scatter": "abg", "A": 1e-4, "B": 1e-6, "g": 2}).scattered_fraction(
        550.0, 1.0, True
    ) == pytest.approx(0.2 * np.arctan(1e3), rel=1e-6)


def test_roughness_scatters_by_the_change_of_path():
    rough = finish_from_json({"scatter": "abg", "B": 1e-4, "g": 2, "roughness": 5})
    assert rough.scattered_fraction(500.0, 1.0, True) == pytest.approx(
        (4 * np.pi * 5 / 500) ** 2, rel=0.01
    )
    assert rough.scattered_fraction(500.0, 0.5, False) == pytest.approx(
        (np.pi * 5 / 500) ** 2, rel=0.01
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"reflectance": 1.2}, "reflectance is 1.2"),
        ({"total": -0.1}, "total is -0.1"),
        ({"total": 0.1, "roughness": 3}, "not both"),
        ({"scatter": "abg", "A": 1, "B": 0.001, "g": 2}, "scatters 97.*times the light"),
        ({"scatter": "abg", "A": 1, "B": 0, "g": 2}, "no ABg profile"),
        ({"scatter": "gaussian"}, "needs deviation"),
        ({"scatter": "gaussian", "deviation": 0}, "0.001 to 90"),
        ({"scatter": "cosine"}, "one of lambertian, gaussian"),
        ({"scatter": "table", "angles": [0, 60, 30], "values": [1, 1, 1]}, "ascending"),
        ({"scatter": "table", "angles": [0, 30], "values": [1, -1]}, "0 or more"),
        ({"scatter": "table", "angles": [0, 89], "values": [1, 9]}, "more than all"),
        ({"deviation": 3}, "no value of such a finish"),
        ({"reflectance": True}, "finite number"),
        ({"scatters": "sideways"}, "one of"),
        ({"rays": 0}, "from 1 to"),
        ("Nobody's black", "There is no finish"),
        (3, "A finish is"),
    ],
)
def test_what_cannot_be_is_refused(data, said):
    with pytest.raises(InvalidFinish, match=said):
        finish_from_json(data)


def test_the_catalogue_has_sources_and_is_found_by_any_spelling():
    assert len(finish_catalogue()) >= 12
    for name, (finish, source) in finish_catalogue().items():
        assert source
        assert finish.title == name
        assert finish_from_json(name.upper().replace(" ", "")) == finish


@pytest.mark.parametrize(("b", "g"), [(1e-12, 1.2), (1e-12, 1.0), (1e-9, 1.5), (1e-4, 2.0)])
def test_integral_of_a_profile_with_a_narrow_core(b: float, g: float) -> None:
    """Beside the same integral over the logarithm of u."""
    logs = np.linspace(-60.0, 0.0, 200_001)
    exact = np.trapezoid(np.exp(logs) / (b + np.exp(logs) ** g), logs)
    assert unit_integral(ABgProfile(0.0, b, g)) == pytest.approx(float(exact), rel=1e-6)
