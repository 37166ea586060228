"""Dispersion formulas, the shipped catalogue against the makers' own numbers, and Cauchy fits."""

from __future__ import annotations

import contextlib
import json
import math
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raybench.materials.catalogue import (
    UnknownMaterial,
    material_named,
    nearest_materials,
    search_materials,
    shipped_materials,
)
from raybench.materials.dispersion import (
    FORMULAS,
    LINE_C,
    LINE_D,
    LINE_F,
    Dispersion,
    InvalidDispersion,
    OutsideRange,
    abbe_number,
    fit_cauchy_formula,
)
from raybench.materials.material import Material

STATED = [
    (row["name"], row["stated_nd"], row.get("stated_vd"))
    for row in json.loads(
        files("raybench_resources")
        .joinpath("materials", "catalogue.json")
        .read_text(encoding="utf-8")
    )
    if "stated_nd" in row
]


def test_the_catalogue_has_many_glasses_with_the_maker_s_numbers() -> None:
    assert len(STATED) >= 20


@pytest.mark.parametrize(("name", "nd", "vd"), STATED)
def test_index_and_abbe_number_are_those_that_the_maker_states(
    name: str, nd: float, vd: float | None
) -> None:
    material = material_named(name)
    assert material.n_d == pytest.approx(nd, abs=6e-6), "stated to five decimals"
    if vd is not None:
        assert material.v_d == pytest.approx(vd, abs=6e-3), "stated to two decimals"


def test_formulas_give_published_indices() -> None:
    assert material_named("Fused silica").index(587.5618) == pytest.approx(
        1.458464, abs=1e-6
    )  # Malitson 1965, table I
    assert material_named("Water").index(589.3) == pytest.approx(
        1.33334, abs=2e-5
    )  # Daimon & Masumura 2007
    assert material_named("Air").index(589.3) - 1 == pytest.approx(
        2.7716e-4, abs=1e-7
    )  # Ciddor 1996
    assert material_named("Sapphire (o)").index(589.3) == pytest.approx(1.76808, abs=1e-5)
    assert material_named("Calcite (e)").index(589.3) < material_named("Calcite (o)").index(589.3)


@pytest.mark.parametrize(
    ("formula", "coefficients", "micrometres", "n"),
    [
        ("sellmeier", (0, 1.0, 0.1), 0.5, np.sqrt(1 + 0.25 / (0.25 - 0.01))),
        ("sellmeier-squared", (0, 1.0, 0.01), 0.5, np.sqrt(1 + 0.25 / (0.25 - 0.01))),
        ("polynomial", (2.25, 0.01, -2), 0.5, np.sqrt(2.25 + 0.04)),
        ("rational", (2.0, 0.5, 2, 0.2, 2), 0.5, np.sqrt(2 + 0.5 * 0.25 / (0.25 - 0.04))),
        ("cauchy", (1.5, 0.004, -2), 0.5, 1.516),
        ("conrady", (1.5, 0.01, 0.001), 0.5, 1.5 + 0.02 + 0.001 / 0.5**3.5),
        ("gas", (0, 0.06, 238.0), 0.5, 1 + 0.06 / (238 - 4)),
        (
            "herzberger",
            (1.5, 0.01, 0.001, -0.01),
            0.5,
            1.5 + 0.01 / 0.222 + 0.001 / 0.222**2 - 0.0025,
        ),
        ("lorentz-lorenz", (0.3, 0.0, 0.01), 0.5, np.sqrt(1.6 / 0.7)),
        ("resonance", (2.0, 0.01, 0.05, 0.1, 1.5, 0.2), 0.5, np.sqrt(2 + 0.01 / 0.2 - 0.1 / 1.2)),
        ("tabulated", (0.4, 1.5, 0.6, 1.6), 0.5, 1.55),
    ],
)
def test_each_formula_is_the_textbook_s(
    formula: str, coefficients: tuple[float, ...], micrometres: float, n: float
) -> None:
    assert Dispersion(formula, coefficients).index(1000 * micrometres) == pytest.approx(
        n, rel=1e-12
    )


def test_every_formula_has_a_case_above() -> None:
    marks = test_each_formula_is_the_textbook_s.pytestmark  # type: ignore[attr-defined]
    assert {case[0] for case in marks[0].args[1]} == set(FORMULAS)


def test_wavelengths_outside_the_range_of_a_material_are_refused() -> None:
    with pytest.raises(OutsideRange, match=r"N-BK7: 100 nm is outside 300 to 2500 nm"):
        material_named("N-BK7").index([500.0, 100.0])
    assert material_named("Germanium").n_d is None
    assert material_named("Germanium").v_d is None


@pytest.mark.parametrize(
    ("formula", "coefficients"),
    [
        ("no such", (1.0,)),
        ("cauchy", ()),
        ("cauchy", (float("nan"),)),
        ("tabulated", (0.5, 1.5, 0.4, 1.6)),
    ],
)
def test_a_formula_that_cannot_be_used_is_refused(
    formula: str, coefficients: tuple[float, ...]
) -> None:
    with pytest.raises(InvalidDispersion):
        Dispersion(formula, coefficients)


def test_the_error_names_the_wavelength_without_an_index() -> None:
    with pytest.raises(InvalidDispersion, match="no refractive index at 2000 nm"):
        Dispersion("polynomial", (2.0, -1.0, 2.0), 100, 3000).index([500.0, 2000.0])


def test_names_are_found_without_case_and_unknown_ones_give_the_nearest() -> None:
    assert material_named("n-bk7").name == "N-BK7"
    with pytest.raises(UnknownMaterial, match="N-BK7"):
        material_named("NBK77")
    assert [m.name for m in search_materials("n-sf1")][:3] == ["N-SF1", "N-SF10", "N-SF11"]
    assert [m.name for m in search_materials("n-sf")][:5] == [
        "N-SF1",
        "N-SF2",
        "N-SF5",
        "N-SF6",
        "N-SF10",
    ], "in natural order"
    assert {m.family for m in search_materials(family="liquid")} == {"liquid"}


def test_the_nearest_glass_on_the_map_is_the_glass_itself() -> None:
    for glass in search_materials(family="glass"):
        assert glass.n_d is not None
        assert glass.v_d is not None
        first, *_ = nearest_materials(glass.n_d, glass.v_d)
        assert (first.n_d, first.v_d) == pytest.approx((glass.n_d, glass.v_d), abs=1e-9)


def test_absorption_follows_from_the_extinction() -> None:
    gold = material_named("Gold")
    at, k = gold.extinction[10]
    assert gold.absorption(at) == pytest.approx(4 * np.pi * k / (at * 1e-6))
    assert material_named("Air").absorption([500.0, 600.0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", ["N-BK7", "N-SF11", "Water", "Sapphire (o)"])
def test_the_cauchy_fit_minimises_the_maximum_error(name: str) -> None:
    waves = np.linspace(420, 680, 27)
    material = material_named(name)
    fit = fit_cauchy_formula(material.dispersion, waves.tolist())
    x, n = (waves / 1000) ** -2, material.index(waves)

    def largest(a: float, b: float) -> float:
        return float(np.abs(a + b * x - n).max())

    assert fit.error == pytest.approx(largest(fit.a, fit.b))
    around = [(fit.a + da, fit.b + db) for da in (-1e-5, 0, 1e-5) for db in (-1e-6, 0, 1e-6)]
    assert all(largest(*other) >= fit.error - 1e-15 for other in around)
    assert fit.error < 2e-3


def test_fits_of_one_and_two_wavelengths_are_exact() -> None:
    glass = material_named("N-BK7")
    assert fit_cauchy_formula(glass.dispersion, [540.0]).a == pytest.approx(
        float(glass.index(540.0))
    )
    fit = fit_cauchy_formula(glass.dispersion, [486.0, 656.0])
    assert fit.error < 1e-14


@given(st.lists(st.floats(310, 2400), min_size=3, max_size=12, unique=True))
def test_a_fit_of_any_wavelengths_is_no_worse_than_least_squares(waves: list[float]) -> None:
    glass = material_named("N-SF6")
    chosen = [w for w in waves if glass.dispersion.low <= w <= glass.dispersion.high]
    if len(chosen) < 3 or np.ptp(np.round(chosen, 3)) < 1:
        return
    fit = fit_cauchy_formula(glass.dispersion, chosen)
    x, n = (np.array(chosen) / 1000) ** -2, glass.index(chosen)
    b, a = np.polyfit(x, n, 1)
    assert fit.error <= np.abs(a + b * x - n).max() + 1e-9


def test_every_shipped_material_can_be_used_over_its_range_and_names_its_source() -> None:
    for material in shipped_materials().values():
        waves = np.linspace(material.dispersion.low, material.dispersion.high, 50)
        assert (material.index(waves) > 0).all(), material.name
        assert len(material.source) > 10
        assert material.family in ("glass", "crystal", "liquid", "gas", "plastic", "metal", "other")
        if material.n_d is not None and material.family == "glass":
            assert abbe_number(
                *material.dispersion.index([LINE_D, LINE_F, LINE_C]).tolist()
            ) == pytest.approx(material.v_d)


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_of_too_few_coefficients_is_refused_when_it_is_made(formula: str) -> None:
    for count in range(8):
        try:
            made = Dispersion(formula, tuple(0.1 + 0.01 * i for i in range(count)))
        except InvalidDispersion:
            continue
        with contextlib.suppress(InvalidDispersion):  # there is no index for these numbers
            made.index([300.0, 587.6])


@pytest.mark.parametrize(
    "extinction",
    [
        ((900.0, 1e-6), (300.0, 1e-2)),
        ((500.0, 0.1), (500.0, 0.2)),
        ((500.0, math.nan),),
        ((math.inf, 0.1),),
    ],
)
def test_an_extinction_that_is_no_table_is_refused(
    extinction: tuple[tuple[float, float], ...],
) -> None:
    with pytest.raises(InvalidDispersion, match="extinction of 'Dark glass' is no table"):
        Material("Dark glass", "glass", "measured", Dispersion("cauchy", (1.5,)), extinction)
