"""Lens tables: cells as people and spreadsheets write them, rows, and what the checks find."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from raybench.lens.checks import check_lens
from raybench.lens.columns import (
    ASPHERIC,
    CONIC,
    CURVATURE,
    DIGITS,
    GLASS,
    RADIUS,
    SEMI_DIAMETER,
    THICKNESS,
    InvalidCell,
)
from raybench.lens.glass import AIR, ModelGlass
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Field, Prescription, Surface
from raybench.lens.rows import (
    InvalidRows,
    row_surface,
    with_cell,
    with_inserted,
    with_moved,
    with_pasted_rows,
    without_surfaces,
)

TRIPLET = Prescription(
    (
        Surface(22.01359, 3.25896, "N-SK16"),
        Surface(-435.76044, 6.00755),
        Surface(-22.21328, 0.99997, "N-F2"),
        Surface(20.29192, 4.75041),
        Surface(79.68360, 2.95208, "N-SK16"),
        Surface(-18.39533, 42.20778),
    ),
    stop=3,
    fields=(Field(0), Field(14), Field(20)),
)
LATE = """Surf\tRadius\tThickness\tnd\tvd
OBJ\tInfinity\tInfinity\t\t
1\t22,01359\t3,25896\t1,62041\t60,3
2 stop\t-435,76044\t6,00755\t\t
IMA\t-50\t\t\t
"""


@pytest.mark.parametrize(
    ("column", "text", "field", "value"),
    [
        (RADIUS, "∞", "radius", math.inf),
        (RADIUS, "", "radius", math.inf),
        (RADIUS, "1 in", "radius", 25.4),
        (CURVATURE, "0.02", "radius", 50.0),
        (THICKNESS, "2*4 mm", "thickness", 8.0),
        (GLASS, "nbk7", "glass", "N-BK7"),
        (GLASS, "1,62/60,3", "glass", ModelGlass(1.62, 60.3)),
        (GLASS, "517642", "glass", ModelGlass(1.517, 64.2)),
        (GLASS, "", "glass", AIR),
        (GLASS, "Mirror", "is_mirror", True),
        (SEMI_DIAMETER, "auto", "semi_diameter", None),
        (CONIC, "-1", "conic", -1.0),
        (ASPHERIC[1], "1e-5", "aspheric", (0.0, 1e-5)),
    ],
)
def test_cells_are_read_as_people_write_them(column, text, field, value):
    made = row_surface(with_cell(TRIPLET, 1, column, text), 1)
    assert getattr(made, field) == value


def test_a_wrong_cell_is_refused_with_a_remedy():
    with pytest.raises(InvalidCell, match=r"has no glass 'N-BK8'.*N-BK7") as refused:
        with_cell(TRIPLET, 1, GLASS, "N-BK8")
    assert "N-BK7" in refused.value.near
    with pytest.raises(InvalidCell, match=r"write 1.5 with a decimal point"):
        with_cell(TRIPLET, 1, RADIUS, "1,5")


def test_the_object_and_the_image_are_rows():
    made = with_cell(with_cell(TRIPLET, 0, THICKNESS, "10 cm"), 7, RADIUS, "-60")
    assert (made.object_distance, made.image_radius) == (100.0, -60.0)


def test_rows_are_moved_without_losing_the_stop():
    longer, places = with_inserted(TRIPLET, 1)
    assert (longer.stop, places[1], longer.surfaces[1].glass) == (4, None, "N-SK16")
    assert first_order(longer).focal_length == pytest.approx(first_order(TRIPLET).focal_length)
    assert without_surfaces(longer, 1, 1)[0] == TRIPLET
    assert without_surfaces(TRIPLET, 3, 3)[0].stop == 3
    moved, places = with_moved(TRIPLET, 2, 3, -2)
    assert (moved.stop, places) == (1, [2, 3, 0, 1, 4, 5])
    assert with_moved(moved, 0, 1, 2)[0] == TRIPLET


def test_a_patent_s_table_is_pasted():
    made, places = with_pasted_rows(TRIPLET, 1, LATE)
    assert made.surfaces[0] == Surface(22.01359, 3.25896, ModelGlass(1.62041, 60.3))
    assert (made.stop, made.image_radius, len(made.surfaces)) == (1, -50.0, 6)
    made, places = with_pasted_rows(TRIPLET, 6, "-18.4, 2, N-BK7, 8\n30, 40\n")
    assert made.surfaces[5:] == (
        Surface(-18.4, 2.0, "N-BK7", 8.0),
        Surface(30.0, 40.0),
    )
    assert places[-2:] == [5, None]


def test_a_copied_table_is_pasted_as_it_was():
    columns = (RADIUS, THICKNESS, GLASS, SEMI_DIAMETER, CONIC)
    lens = replace(TRIPLET, surfaces=tuple(replace(s, conic=0.1) for s in TRIPLET.surfaces))
    lines = ["\t".join(column.title for column in columns)]
    lines += ["\t".join(column.text(s, DIGITS) for column in columns) for s in lens.surfaces]
    assert with_pasted_rows(TRIPLET, 1, "\n".join(lines))[0] == lens


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("22\t3\tN-BK8", "Line 1: .*N-BK8.*Nothing is pasted"),
        ("Radius\tColour\n22\tred", "No column of a lens is called 'Colour'"),
        ("1\t22\t3\tN-BK7\t8", "with a line of headings"),
        (" \n", "has no rows"),
    ],
)
def test_a_wrong_table_is_refused_whole(text, reason):
    with pytest.raises(InvalidRows, match=reason):
        with_pasted_rows(TRIPLET, 1, text)


@pytest.mark.parametrize(
    ("column", "row", "text", "surface", "quantity", "sentence"),
    [
        (THICKNESS, 1, "1", 0, "thickness", "Surfaces 1 and 2 cross at the rim"),
        (THICKNESS, 4, "-3", 3, "thickness", "Surfaces 4 and 5 cross on the axis"),
        (SEMI_DIAMETER, 4, "25", 3, "radius", "does not reach the height 25"),
        (RADIUS, 6, "-6", 5, "", "ray of the field 0° is totally reflected at surface 6"),
    ],
)
def test_checks_say_what_is_wrong_in_which_row(column, row, text, surface, quantity, sentence):
    assert check_lens(TRIPLET).findings == ()
    found = check_lens(with_cell(TRIPLET, row, column, text)).findings
    assert any(
        (f.surface, f.quantity) == (surface, quantity) and sentence in f.text for f in found
    ), found


def test_a_glass_without_data_at_a_wavelength_is_found():
    far = replace(
        TRIPLET, wavelengths=(*TRIPLET.wavelengths, replace(TRIPLET.wavelengths[0], value=9e3))
    )
    found = check_lens(far).findings
    assert {f.quantity for f in found} == {"glass"}
    assert [f.surface for f in found] == [0, 2, 4]
