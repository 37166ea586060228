"""Stacks of thin films, against closed forms (Born & Wolf, 1.6; Macleod, 2 to 5)."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.optics.interface import brewster_angle, critical_angle, incidence
from raybench.optics.thin_films import film_stack_fractions

pytestmark = pytest.mark.quick
TMM = [0.489252592824, 0.227472042552, 0.290022466081, 0.604823915840]


def fractions(n_in, n_out, films, wavelength=550.0, angle=0.0):
    return film_stack_fractions(n_in, n_out, films, wavelength, np.cos(np.radians(angle)))


def test_a_bare_interface_is_fresnel_s():
    for n_in, n_out in ((1.0, 1.52), (1.52, 1.0), (1.33, 1.9)):
        for angle in (0.0, 30.0, 60.0, 89.9):
            light = incidence(n_in, n_out, angle)
            expected = [light.r_s, light.r_p, light.t_s, light.t_p]
            assert fractions(n_in, n_out, [], angle=angle) == pytest.approx(expected, abs=1e-12)


def test_a_quarter_wave_has_the_admittance_of_its_square():
    glass, film = 1.52, 1.38
    r_s, r_p, t_s, _ = fractions(1.0, glass, [(film, 550 / 4 / film)])
    assert r_s == pytest.approx(((glass - film**2) / (glass + film**2)) ** 2, rel=1e-12)
    assert (r_p, t_s) == (pytest.approx(r_s), pytest.approx(1 - r_s))


def test_a_half_wave_is_absent():
    bare = fractions(1.0, 1.52, [])
    assert fractions(1.0, 1.52, [(2.3, 550 / 2 / 2.3)]) == pytest.approx(bare)
    assert abs(fractions(1.0, 1.52, [(2.3, 550 / 4 / 2.3)])[0] - bare[0]) > 0.1


def test_a_v_coat_of_two_quarter_waves_reflects_nothing():
    """Two quarter waves reflect nothing where n1² / n2² is the ratio of the media."""
    low, glass = 1.38, 1.52
    high = low * glass**0.5
    r_s, r_p, _, _ = fractions(1.0, glass, [(low, 550 / 4 / low), (high, 550 / 4 / high)])
    assert max(r_s, r_p) < 1e-12


def test_a_bragg_mirror_has_its_closed_reflectance_and_band():
    high, low, glass, pairs = 2.3, 1.46, 1.52, 7
    stack = [(high, 633 / 4 / high), (low, 633 / 4 / low)] * pairs
    admittance = (high / low) ** (2 * pairs) * glass
    expected = ((1 - admittance) / (1 + admittance)) ** 2
    assert fractions(1.0, glass, stack, 633.0)[0] == pytest.approx(expected, rel=1e-9)
    half_width = 2 / np.pi * np.arcsin((high - low) / (high + low))
    many, inside = stack * 10, 633 / (1 + 0.95 * half_width)
    assert fractions(1.0, glass, many, inside)[0] > 1 - 1e-6
    assert fractions(1.0, glass, many, 633 / (1 + 1.2 * half_width))[0] < 0.9


def test_energy_is_balanced_and_transmission_reciprocal():
    rng = np.random.default_rng(3)
    for _ in range(50):
        films = [
            (complex(rng.uniform(1.2, 2.6), -rng.choice([0.0, 2.0])), rng.uniform(5, 300))
            for _ in range(rng.integers(1, 7))
        ]
        angle = rng.uniform(0, 89)
        there = fractions(1.0, 1.7, films, angle=angle)
        inside = np.degrees(np.arcsin(np.sin(np.radians(angle)) / 1.7))
        back = fractions(1.7, 1.0, films[::-1], angle=inside)
        assert there[2:] == pytest.approx(back[2:], abs=1e-9)
        sums = there[:2] + there[2:]
        if all(n.imag == 0 for n, _ in films):
            assert sums == pytest.approx(1.0, abs=1e-9)
            assert there == pytest.approx(back, abs=1e-9)
        else:
            assert (sums <= 1 + 1e-9).all()


def test_at_brewster_s_angle_bare_glass_reflects_no_p():
    assert fractions(1.0, 1.52, [], angle=brewster_angle(1.0, 1.52))[1] < 1e-25


def test_total_reflection_is_frustrated_by_a_thin_gap():
    """Transmission through a gap of air between two prisms (Born & Wolf, 1.6.4)."""
    n, gap, angle, wavelength = 1.5, 100.0, 60.0, 550.0
    assert angle > critical_angle(n, 1.0)
    sine, cosine = n * np.sin(np.radians(angle)), n * np.cos(np.radians(angle))
    decay = np.sqrt(sine**2 - 1)
    grown = np.sinh(2 * np.pi / wavelength * decay * gap) ** 2
    expected = 1 / (1 + ((cosine**2 + decay**2) / (2 * cosine * decay)) ** 2 * grown)
    r_s, r_p, t_s, t_p = fractions(n, n, [(1.0, gap)], wavelength, angle)
    assert t_s == pytest.approx(expected, rel=1e-9)
    assert (r_s + t_s, r_p + t_p) == (pytest.approx(1), pytest.approx(1))
    assert fractions(n, n, [(1.0, 5_000.0)], wavelength, angle)[0] == pytest.approx(1)


def test_a_thick_metal_has_the_reflectance_of_its_surface():
    n = 0.06 - 3.6j
    expected = abs((1 - n) / (1 + n)) ** 2
    r_s, _, t_s, _ = fractions(1.0, 1.52, [(n, 1e6)])
    assert r_s == pytest.approx(expected)
    assert t_s == 0


def test_published_values_of_another_program():
    """Values that the package tmm, 0.2.0, gives for the same stack."""
    stack = [(2.1 - 0.03j, 80.0), (0.2 - 3.4j, 15.0), (1.38, 120.0)]
    found = fractions(1.33, 1.7, stack, 600.0, 50.0)
    assert found == pytest.approx(TMM, abs=1e-9)
    assert np.stack([fractions(1.33, 1.7, stack, 600.0, a) for a in (10.0, 50.0)]) == pytest.approx(
        film_stack_fractions(1.33, 1.7, stack, 600.0, np.cos(np.radians([10.0, 50.0])))
    )
