"""A usual merit and its variables: a poor triplet becomes good by them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.core.lens.lenses import RELAY, TRIPLET

from raybench.lens.clearance import clear_semi_diameters, edge_thicknesses
from raybench.lens.configurations import with_added_configuration, with_configured_parameter
from raybench.lens.design import LensDesign, Solve, SolveKind
from raybench.lens.merit import improve, merit_value, operand_states
from raybench.lens.operands import OPERANDS, Operand, trace_lenses
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Prescription, Surface
from raybench.lens.usual_merit import (
    free_parameters,
    usual_limit,
    usual_operand,
    usual_operands,
    with_usual_variables,
)


def test_usual_merit_makes_a_poor_triplet_good_and_possible_to_make() -> None:
    poor = TRIPLET
    for i, change in enumerate((1.1, 0.7, 1.05, 0.95, 1.2, 1.1)):
        poor = poor.with_surface(i, radius=poor.surfaces[i].radius * change)
    design = replace(LensDesign(poor), operands=usual_operands(LensDesign(TRIPLET)))
    for kind in ("c", "t"):
        design = with_usual_variables(design, kind)
    found = improve(design)
    system = found.design.system
    assert found.merit < 0.1 * found.first_merit
    assert found.merit < 1.2 * merit_value(replace(design, system=TRIPLET))
    assert first_order(system).focal_length == pytest.approx(50, abs=0.5)
    assert min(edge_thicknesses(system, clear_semi_diameters(system))) > 0


def test_a_near_object_has_its_magnification_held() -> None:
    quantities = [o.quantity for o in usual_operands(LensDesign(RELAY), "path differences")]
    assert quantities[:2] == ["path differences", "magnification"]


@pytest.mark.parametrize("system", [TRIPLET, RELAY])
def test_every_quantity_can_be_chosen(system: Prescription) -> None:
    design, (lens,) = LensDesign(system), trace_lenses([system])
    for quantity in OPERANDS:
        assert np.isfinite(usual_operand(design, quantity).residuals(lens)).all()
        limit = usual_limit(design, quantity)
        assert limit.least <= limit.most
        assert limit.residuals(lens) == pytest.approx(0, abs=1e-9)


def test_what_a_link_or_a_configuration_holds_is_not_free() -> None:
    design = LensDesign(TRIPLET, solves=(Solve("t6", SolveKind.FOCUS),))
    assert free_parameters(design, "t") == [f"t{i}" for i in range(1, 6)]
    zoom = with_configured_parameter(with_added_configuration(design), "t2")
    assert free_parameters(zoom, "t") == ["t1", "t3", "t4", "t5", "t2_1", "t2_2"]
    assert free_parameters(zoom, "glass") == ["glass1", "glass3", "glass5"]
    varied = with_usual_variables(zoom, "t")
    assert all(v.low <= v.high and math.isfinite(v.high) for v in varied.variables)


def test_limits_are_about_what_the_lens_has() -> None:
    design = LensDesign(TRIPLET)
    focal, spot = usual_limit(design, "focal length"), usual_limit(design, "rms spot")
    length = first_order(TRIPLET).focal_length
    assert focal.least < length < focal.most < 1.02 * length
    (lens,) = trace_lenses([TRIPLET])
    assert 1.4 < spot.most / spot.values(lens).max() < 1.6
    assert spot.least == -math.inf


def test_shares_add_up_and_a_wrong_operand_says_why() -> None:
    design = LensDesign(
        TRIPLET,
        operands=(
            Operand("focal length", 51.0),
            Operand("rms spot", at=3),
            Operand("rms spot", at=9),
            Operand("rms spot", configuration=2),
        ),
    )
    focal, spot, wrong, other = operand_states(design)
    assert focal.values == pytest.approx([50.0], abs=0.1)
    assert focal.share + spot.share == pytest.approx(1)
    assert "no number 9" in wrong.reason
    assert "no configuration 2" in other.reason


def test_a_lens_of_one_surface_has_no_edge() -> None:
    mirror = Prescription((Surface(-100.0, -50.0, is_mirror=True),))
    (state,) = operand_states(LensDesign(mirror, operands=(Operand("edge thickness", least=1),)))
    assert "one surface has no edge thickness" in state.reason
