"""Lens tables: cells as people and spreadsheets write them, rows, and what the checks find."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from raybench.lens.bodies import lens_objects
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
from raybench.lens.design import Configuration, LensDesign, Pickup, Solve, SolveKind, Variable
from raybench.lens.glass import AIR, ModelGlass
from raybench.lens.operands import Operand
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Field, Prescription, Surface
from raybench.lens.rows import (
    InvalidRows,
    cell_marks,
    row_surface,
    with_cell,
    with_inserted_surface,
    with_mirror,
    with_moved_surfaces,
    with_pasted_rows,
    with_reversed_surfaces,
    with_scaled_lengths,
    without_surfaces,
)

TRIPLET = LensDesign(
    Prescription(
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
    made = row_surface(with_cell(TRIPLET, 1, column, text).system, 1)
    assert getattr(made, field) == value


def test_a_wrong_cell_is_refused_with_a_remedy():
    with pytest.raises(InvalidCell, match=r"has no glass 'N-BK8'.*N-BK7") as refused:
        with_cell(TRIPLET, 1, GLASS, "N-BK8")
    assert "N-BK7" in refused.value.near
    with pytest.raises(InvalidCell, match=r"write 1.5 with a decimal point"):
        with_cell(TRIPLET, 1, RADIUS, "1,5")


def test_the_object_and_the_image_are_rows():
    made = with_cell(with_cell(TRIPLET, 0, THICKNESS, "10 cm"), 7, RADIUS, "-60").system
    assert (made.object_distance, made.image_radius) == (100.0, -60.0)


def test_rows_are_moved_without_losing_the_stop():
    longer = with_inserted_surface(TRIPLET, 1)
    assert (longer.system.stop, longer.system.surfaces[1].glass) == (4, "N-SK16")
    lengths = {first_order(each.system).focal_length for each in (longer, TRIPLET)}
    assert max(lengths) == pytest.approx(min(lengths))
    assert lens_objects(longer.system)  # nothing crosses
    airy = with_inserted_surface(TRIPLET, 2)
    assert airy.system.surfaces[2] == Surface()
    assert without_surfaces(airy, 2, 2) == TRIPLET
    assert with_inserted_surface(TRIPLET, 6).system.surfaces[6] == Surface()
    assert without_surfaces(TRIPLET, 3, 3).system.stop == 3
    moved = with_moved_surfaces(TRIPLET, 2, 3, -2)
    assert moved.system.stop == 1
    assert moved.system.surfaces[:2] == TRIPLET.system.surfaces[2:4]
    assert with_moved_surfaces(moved, 0, 1, 2) == TRIPLET


LINKED = LensDesign(
    TRIPLET.system,
    (Pickup("r6", "r1", -1.0),),
    (Solve("t6", SolveKind.FOCUS), Solve("t1", SolveKind.EDGE, 1.0)),
    (Configuration((("t4", 4.0),)), Configuration((("t4", 5.0),))),
    (Operand("edge thickness", at=5), Operand("focal length")),
    (Variable("c3"), Variable("t4_2", 3.0, 6.0)),
)


def test_links_go_with_their_surfaces():
    longer = with_inserted_surface(LINKED, 1)
    assert longer.pickups == (Pickup("r7", "r1", -1.0),)
    assert [s.parameter for s in longer.solves] == ["t7", "t1"]
    assert [v.parameter for v in longer.variables] == ["c4", "t5_2"]
    assert longer.operands[0].at == 6
    back = without_surfaces(longer, 1, 1)
    for links in ("pickups", "solves", "configurations", "operands", "variables"):
        assert getattr(back, links) == getattr(LINKED, links)
    shorter = without_surfaces(LINKED, 0, 2)
    assert (shorter.pickups, shorter.variables) == ((), (Variable("t1_2", 3.0, 6.0),))
    assert shorter.solves == (Solve("t3", SolveKind.FOCUS),)


def test_a_typed_value_ends_the_link_of_its_cell():
    assert cell_marks(LINKED)["t6"].sign == "S"
    assert cell_marks(LINKED)["t4"].text == "It differs by configuration: 4, 5."
    assert cell_marks(LINKED)["r6"].text == "It follows by a pickup: -r1."
    made = with_cell(LINKED, 6, CURVATURE, "-0.05")
    assert (made.pickups, made.system.surfaces[5].radius) == ((), -20.0)
    assert with_cell(LINKED, 3, RADIUS, "-22").variables == LINKED.variables
    same_index = replace(LINKED, pickups=(Pickup("n3", "n1"),))
    assert with_cell(same_index, 3, GLASS, "N-SF5").pickups == ()


def test_a_lens_scales_with_its_links():
    twice = with_scaled_lengths(LINKED, 2.0)
    assert first_order(twice.system).focal_length == pytest.approx(
        2 * first_order(LINKED.system).focal_length
    )
    assert (twice.solves[1].value, twice.variables[1].high) == (2.0, 12.0)
    assert twice.configurations[1].values == (("t4", 10.0),)
    assert twice.system.surfaces[0].radius == pytest.approx(2 * 22.01359)


def test_a_folding_mirror_leaves_the_focal_length():
    behind = with_cell(with_inserted_surface(TRIPLET, 2), 2, THICKNESS, "3")
    folded = with_mirror(behind, 2)
    assert folded.system.surfaces[3].thickness == -behind.system.surfaces[3].thickness
    lengths = [first_order(each.system).focal_length for each in (behind, folded)]
    assert lengths[1] == pytest.approx(lengths[0])
    assert check_lens(folded.system).findings == ()
    assert with_mirror(folded, 2) == behind


def test_links_and_bounds_turn_with_the_light():
    linked = LensDesign(
        TRIPLET.system,
        pickups=(Pickup("r6", "r1", -1.0), Pickup("t5", "t1", 1.0, 0.5)),
        solves=(Solve("t6", SolveKind.FOCUS, 0.1),),
        configurations=(Configuration((("t4", 4.0),)), Configuration((("t4", 5.0),))),
        variables=(Variable("c5", -0.05, 0.1), Variable("t4_2", 1.0, 9.0)),
    )
    folded = with_mirror(linked, 2)
    sizes = [[abs(s.radius) for s in d.system.surfaces] for d in (linked, folded)]
    assert sizes[0] == sizes[1]
    assert folded.variables == (Variable("c5", -0.1, 0.05), Variable("t4_2", -9.0, -1.0))
    assert [dict(c.values)["t4"] for c in folded.configurations] == [-4.0, -5.0]
    assert folded.system.surfaces[4].thickness == -linked.system.surfaces[4].thickness
    assert folded.solves[0].value == -0.1
    assert with_mirror(folded, 2) == linked


def test_a_reversed_range_has_no_links():
    made = with_reversed_surfaces(LINKED, 0, 1)
    assert (made.pickups, [s.parameter for s in made.solves]) == ((), ["t6"])
    assert made.system.surfaces[0].radius == 435.76044


def test_a_patent_s_table_is_pasted():
    made = with_pasted_rows(LINKED, 1, LATE)
    assert made.system.surfaces[0] == Surface(22.01359, 3.25896, ModelGlass(1.62041, 60.3))
    assert (made.system.stop, made.system.image_radius, len(made.system.surfaces)) == (1, -50.0, 2)
    assert made.solves == (Solve("t2", SolveKind.FOCUS),)
    added = with_pasted_rows(TRIPLET, 6, "-18.4, 2, N-BK7, 8\n30, 40\n").system
    named = with_pasted_rows(TRIPLET, 1, "R\tGlass\tnd\tvd\n22\tF2\t1.62\t36.4\n").system
    assert named.surfaces[0].glass == "F2"
    thicker = with_pasted_rows(TRIPLET, 1, "4\n7\n", THICKNESS).system.surfaces
    assert [s.thickness for s in thicker[:3]] == [4.0, 7.0, 0.99997]
    assert added.surfaces[5:] == (Surface(-18.4, 2.0, "N-BK7", 8.0), Surface(30.0, 40.0))


def test_a_copied_table_is_pasted_as_it_was():
    columns = (RADIUS, THICKNESS, GLASS, SEMI_DIAMETER, CONIC)
    old = TRIPLET.system
    lens = replace(old, surfaces=tuple(replace(s, conic=0.1) for s in old.surfaces))
    lines = ["\t".join(column.title for column in columns)]
    lines += ["\t".join(column.text(s, DIGITS) for column in columns) for s in lens.surfaces]
    assert with_pasted_rows(TRIPLET, 1, "\n".join(lines)).system == lens


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
    assert check_lens(TRIPLET.system).findings == ()
    found = check_lens(with_cell(TRIPLET, row, column, text).system).findings
    assert any(
        (f.surface, f.quantity) == (surface, quantity) and sentence in f.text for f in found
    ), found


def test_a_glass_without_data_at_a_wavelength_is_found():
    red = TRIPLET.system.wavelengths[0]
    far = replace(TRIPLET.system, wavelengths=(red, replace(red, value=9e3)))
    found = check_lens(far).findings
    assert {f.quantity for f in found} == {"glass"}
    assert [f.surface for f in found] == [0, 2, 4]
