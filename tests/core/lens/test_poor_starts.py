"""Searches from plane plates, against the merit of published lenses with the same glasses."""

import math
from dataclasses import replace

import pytest
from tests.core.lens.lenses import TRIPLET

from raybench.lens.design import LensDesign, Pickup, Solve, SolveKind, Variable
from raybench.lens.merit import improve, merit_value, search_widely
from raybench.lens.operands import Operand
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    Prescription,
    Surface,
)

RAYS = (Operand("ray heights"),)
# the cemented achromat AC254-100-A of Thorlabs, of 100 mm
ACHROMAT = Prescription(
    (Surface(62.8, 4.0, "N-BK7"), Surface(-45.7, 2.5, "N-SF5"), Surface(-128.2, 97.1)),
    aperture=Aperture(ApertureKind.PUPIL, 20.0),
    fields=(Field(0.0), Field(1.0)),
)
# two of them back to back, as in the maker's matched pairs
PAIR = Prescription(
    (
        Surface(128.2, 2.5, "N-SF5"),
        Surface(45.7, 4.0, "N-BK7"),
        Surface(-62.8, 2.0),
        Surface(62.8, 4.0, "N-BK7"),
        Surface(-45.7, 2.5, "N-SF5"),
        Surface(-128.2, 97.1),
    ),
    stop=2,
    aperture=Aperture(ApertureKind.OBJECT_NA, 0.08),
    object_distance=97.1,
    field_kind=FieldKind.OBJECT_HEIGHT,
    fields=(Field(0.0), Field(3.0), Field(5.0)),
)
CASES = {
    "doublet": (
        LensDesign(ACHROMAT, operands=RAYS, variables=(Variable("t3"),)),
        LensDesign(
            ACHROMAT,
            solves=(Solve("c3", SolveKind.FOCAL_LENGTH, first_order(ACHROMAT).focal_length),),
            operands=RAYS,
            variables=(
                *(Variable(f"c{i}", -0.05, 0.05) for i in (1, 2)),
                Variable("t3", 90.0, 110.0),
            ),
        ),
    ),
    "triplet": (
        LensDesign(TRIPLET, operands=RAYS, variables=(Variable("t6"),)),
        LensDesign(
            TRIPLET,
            solves=(Solve("c6", SolveKind.FOCAL_LENGTH, first_order(TRIPLET).focal_length),),
            operands=(*RAYS, Operand("edge thickness", least=0.5)),
            variables=(
                *(Variable(f"c{i}", -0.08, 0.08) for i in range(1, 6)),
                *(Variable(f"t{i}", 0.5, 8.0) for i in (2, 4)),
                Variable("t6", 35.0, 55.0),
            ),
        ),
    ),
    "relay": (
        LensDesign(
            PAIR,
            pickups=(Pickup("t6", "objectDistance"),),
            operands=RAYS,
            variables=(Variable("objectDistance"),),
        ),
        LensDesign(
            PAIR,
            pickups=(
                *(Pickup(f"c{7 - i}", f"c{i}", -1.0) for i in (1, 2, 3)),
                Pickup("t6", "objectDistance"),
            ),
            operands=(*RAYS, Operand("magnification", -1.0)),
            variables=(
                *(Variable(f"c{i}", -0.05, 0.05) for i in (1, 2, 3)),
                Variable("objectDistance", 90.0, 104.0),
            ),
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_plane_plates_become_as_good_as_the_published_lens(name: str) -> None:
    published, design = CASES[name]
    wanted = 1.05 * improve(published).merit  # at its best focus
    plates = replace(
        design.system,
        surfaces=tuple(replace(s, radius=math.inf) for s in design.system.surfaces),
    )
    seen = [math.inf]
    found = search_widely(
        replace(design, system=plates),
        stop=lambda: seen[-1] <= wanted,
        progress=lambda f: seen.append(merit_value(replace(f.design, operands=RAYS))),
    )
    assert merit_value(replace(found.design, operands=RAYS)) <= wanted
    assert found.first_merit > 10 * wanted
    assert found.evaluations < 2000


def test_wide_search_leaves_a_local_minimum_and_repeats_itself() -> None:
    _, design = CASES["relay"]
    design = replace(design, system=PAIR)
    nearby = improve(design)
    found, again = (search_widely(design, rounds=2, seed=3) for _ in range(2))
    assert found.merit <= nearby.merit
    assert found == again
    assert found.evaluations > nearby.evaluations + 24
