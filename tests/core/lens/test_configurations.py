"""Configurations as a table: variables and operands go with them."""

from dataclasses import replace

from tests.core.lens.lenses import TRIPLET

from raybench.lens.configurations import (
    configured_parameters,
    configured_value,
    shown_configuration,
    with_added_configuration,
    with_configured_parameter,
    with_configured_value,
    with_shown_configuration,
    without_configuration,
    without_configured_parameter,
)
from raybench.lens.design import LensDesign, Variable
from raybench.lens.operands import Operand

T6 = TRIPLET.surfaces[5].thickness


def two_distances() -> LensDesign:
    design = LensDesign(TRIPLET, variables=(Variable("t6", 40.0, 50.0), Variable("c1")))
    return with_configured_parameter(with_added_configuration(design), "t6")


def test_a_parameter_that_varies_varies_in_each_configuration() -> None:
    design = two_distances()
    assert len(design.configurations) == 2
    assert [v.parameter for v in design.variables] == ["t6_1", "t6_2", "c1"]
    assert configured_value(design, "t6", 1) == T6
    plain = without_configured_parameter(design, "t6")
    assert configured_parameters(plain) == []
    assert [v.parameter for v in plain.variables] == ["c1"]


def test_the_shown_configuration_stays_on_the_bench_when_it_is_edited() -> None:
    design = with_configured_value(two_distances(), "t6", 1, 45.0)
    assert design.system.surfaces[5].thickness == T6
    assert shown_configuration(design) == 0
    far = with_shown_configuration(design, 1)
    assert shown_configuration(far) == 1
    assert with_configured_value(far, "t6", 1, 46.0).system.surfaces[5].thickness == 46.0


def test_variables_and_operands_of_a_deleted_configuration_go() -> None:
    design = replace(
        two_distances(),
        operands=(Operand("rms spot"), *(Operand("back focus", configuration=k) for k in (1, 2))),
    )
    left = without_configuration(design, 0)
    assert [v.parameter for v in left.variables] == ["t6_1", "c1"]
    assert [o.configuration for o in left.operands] == [None, 1]
    assert without_configuration(left, 0).configurations == ()
