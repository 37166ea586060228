"""Coatings: their values, what cannot be, JSON, and the catalogue."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.scene.coatings import (
    FilmStack,
    InvalidCoating,
    coating_catalogue,
    coating_from_json,
)

pytestmark = pytest.mark.quick
FORMS = [
    {"reflectance": 0.3, "absorbed": 0.1},
    {"name": "Mine", "films": [{"material": "MgF2 (o)", "quarterWaves": 1.0, "at": 550.0}]},
    {"films": [{"index": 2.1, "extinction": 0.01, "thickness": 60.0}, {"index": 1.46, "thickness": 90.0}]},
    {"table": {"angles": [0.0, 60.0, 90.0], "Rs": [0.1, 0.3, 1.0], "Rp": [0.1, 0.0, 1.0],
               "Ts": [0.9, 0.6, 0.0], "Tp": [0.9, 0.9, 0.0]}},
    {"table": {"angles": [0.0, 90.0], "wavelengths": [500.0, 600.0], "Rs": [[0.1, 1.0], [0.2, 1.0]],
               "Rp": [[0.1, 1.0], [0.2, 1.0]], "Ts": [[0.5, 0.0], [0.4, 0.0]], "Tp": [[0.5, 0.0], [0.4, 0.0]]}},
]  # fmt: skip


def values(coating, wavelength=550.0, angle=0.0, n_in=1.52, outward=False):
    return coating.fractions(wavelength, 1.0, n_in, np.array([np.cos(np.radians(angle))]), outward)[
        0
    ]


@pytest.mark.parametrize("data", FORMS)
def test_json_is_read_and_written(data):
    coating = coating_from_json(data)
    assert coating.to_json() == data
    assert coating_from_json(coating.to_json()) == coating
    assert hash(coating) == hash(coating_from_json(data))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"reflectance": 1.2}, "reflectance is 1.2"),
        ({"reflectance": 0.9, "absorbed": 0.2}, "more than all"),
        ({"index": 1.4, "thickness": -3}, "thickness is -3"),
        ({"index": 0, "thickness": 3}, "index above 0"),
        ({"material": "Glass of nobody", "thickness": 3}, "no material"),
        ({"index": 1.4, "thickness": 1e6}, "draw a thicker layer"),
        ({"index": 1.4, "quarterWaves": 1}, "give at"),
        ({"films": []}, "0 films"),
        ({"table": {"angles": [0, 45], "Rs": [0.5, 0.6], "Ts": [0.6, 0.1]}}, r"1.1 at 0°"),
        ({"table": {"angles": [0, 45], "Rs": [0.5]}}, "a number for each"),
        ({"table": {"angles": [45, 0], "Rs": [0.5, 0.5]}}, "ascending"),
        ({"colour": "blue"}, "make no coating"),
        ("Gold leaf", "There are: "),
        (7, "A coating is"),
    ],
)
def test_what_cannot_be_is_refused(data, said):
    with pytest.raises(InvalidCoating, match=said):
        coating_from_json(data)


def test_a_wavelength_without_data_is_refused():
    for data in (
        {"table": {"angles": [0], "wavelengths": [500, 600], "Rs": [[0.1], [0.2]]}},
        {"material": "Ta2O5 (film)", "thickness": 100},
    ):
        with pytest.raises(InvalidCoating, match="nm"):
            values(coating_from_json(data), 5_000.0)


def test_a_table_is_linear_and_seen_from_the_body_at_the_refracted_angle():
    table = coating_from_json({"table": {"angles": [0, 60, 90], "Rs": [0.1, 0.3, 1.0]}})
    assert values(table, angle=30)[0] == pytest.approx(0.2)
    inside = np.degrees(np.arcsin(np.sin(np.radians(30)) / 1.52))
    assert values(table, angle=inside, outward=True)[0] == pytest.approx(0.2)
    assert values(table, angle=60, outward=True).tolist() == [1, 1, 0, 0], "total reflection"


def test_an_ideal_coating_reflects_totally_what_it_does_not_absorb():
    ideal = coating_from_json({"reflectance": 0.0, "absorbed": 0.1})
    assert values(ideal).tolist() == pytest.approx([0, 0, 0.9, 0.9])
    assert values(ideal, angle=60, outward=True).tolist() == pytest.approx([0.9, 0.9, 0, 0])


def test_another_thickness_of_a_film():
    stack = coating_catalogue()["MgF2 quarter wave 550"][0]
    assert isinstance(stack, FilmStack)
    other = stack.with_thickness(120.0)
    assert (other.films[0].nm, other.name) == (120.0, "")
    assert stack.films[0].nm == pytest.approx(550 / 4 / 1.3786, abs=0.05)


VISIBLE = np.arange(420.0, 681.0, 10.0)
STATED = {
    # name: wavelengths, angle, least and largest reflectance, unpolarized
    "Ideal antireflection": (VISIBLE, 0, 0.0, 0.0),
    "MgF2 quarter wave 550": ([550.0], 0, 0.012, 0.014),
    "V-coat 532": ([532.0], 0, 0.0, 1e-5),
    "V-coat 633": ([633.0], 0, 0.0, 1e-5),
    "V-coat 1064": ([1064.0], 0, 0.0, 1e-5),
    "Antireflection 3 layers": (np.arange(450.0, 651.0, 10.0), 0, 0.0, 0.01),
    "Antireflection 4 layers 400-700": (VISIBLE, 0, 0.0, 0.006),
    "Antireflection 6 layers 400-700": (np.arange(400.0, 701.0, 10.0), 0, 0.0, 0.0031),
    "Antireflection 4 layers 650-1050": (np.arange(650.0, 1051.0, 10.0), 0, 0.0, 0.006),
    "Silver": (VISIBLE, 0, 0.97, 0.995),
    "Protected silver": (VISIBLE, 0, 0.94, 0.995),
    "Aluminium": (VISIBLE, 0, 0.90, 0.93),
    "Protected aluminium": (VISIBLE, 0, 0.85, 0.92),
    "Enhanced aluminium": (np.arange(490.0, 661.0, 10.0), 0, 0.955, 0.985),
    "Gold": (np.arange(700.0, 1001.0, 50.0), 0, 0.96, 0.99),
    "High reflector 532": ([532.0], 0, 0.999, 1.0),
    "High reflector 633": ([633.0], 0, 0.999, 1.0),
    "High reflector 1064": ([1064.0], 0, 0.999, 1.0),
    "Plate splitter 50:50 at 45°": (np.arange(430.0, 681.0, 10.0), 45, 0.44, 0.51),
    "Plate splitter 70:30 at 45°": (np.arange(430.0, 681.0, 10.0), 45, 0.64, 0.71),
    "Ideal splitter 50:50": (VISIBLE, 45, 0.5, 0.5),
    "Long-pass 550": (np.arange(455.0, 531.0, 5.0), 0, 0.98, 1.0),
    "Cold mirror": (np.arange(420.0, 691.0, 5.0), 0, 0.92, 1.0),
    "Hot mirror": (np.arange(830.0, 1151.0, 10.0), 0, 0.95, 1.0),
    "ITO 150 nm": ([550.0], 0, 0.04, 0.05),
    "Chromium neutral density 1": ([550.0], 0, 0.5, 0.54),
}


@pytest.mark.parametrize("name", [n for n in coating_catalogue() if n != "Polarizing cube 633"])
def test_coatings_of_the_catalogue_reflect_as_stated(name):
    waves, angle, low, high = STATED[name]
    coating, source = coating_catalogue()[name]
    found = np.array([values(coating, w, angle)[:2].mean() for w in waves])
    assert low - 1e-9 <= found.min()
    assert found.max() <= high + 1e-9
    assert source
    assert coating_from_json(name) is coating


def test_filters_of_the_catalogue_transmit_the_other_band():
    passed = {"Long-pass 550": 650.0, "Cold mirror": 850.0, "Hot mirror": 600.0}
    for name, wave in passed.items():
        assert values(coating_catalogue()[name][0], wave)[2] > 0.94, name
    density = values(coating_catalogue()["Chromium neutral density 1"][0])[2]
    assert -np.log10(density) == pytest.approx(1.0, abs=0.03)


def test_the_polarizing_cube_separates_s_and_p_in_its_glass():
    cube = coating_catalogue()["Polarizing cube 633"][0]
    r_s, r_p, t_s, t_p = cube.fractions(633.0, 1.7, 1.7, np.array([np.sqrt(0.5)]), False)[0]
    assert (r_s, t_p) == (pytest.approx(1, abs=1e-3), pytest.approx(1, abs=0.05))
    assert max(t_s, r_p) < 0.05
