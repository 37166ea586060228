"""Formulas for several rays at once give in each lane what they give for one: with numpy, and as
vector instructions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiling_tests import run_where_kernels_are_compiled
from formula_programs import run_program

from raybench.formula import compile_program, derivative, pack_programs, parse_latex
from raybench.formula.program import Program
from raybench.trace.compilation.jit import COMPILING, LANES
from raybench.trace.kernels import curved_step
from raybench.trace.kernels.medium import load_program_constants, run_program_rows


def run(programs: Any, index: int, registers: Any) -> None:
    load_program_constants(programs, index, 0, registers)
    run_program_rows(programs, index, 0, registers)


if COMPILING:
    import numba

    run = numba.njit(run, error_model="numpy")


def outputs(
    program: Program, x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    registers = np.zeros((program.registers, LANES))
    registers[0], registers[1] = x, y
    run(pack_programs([program]), 0, registers)
    return registers[program.outputs]


FORMULAS = [
    r"x+2y-0.5x\cdot y+\frac{x}{y}-3\cdot x^5",
    r"\sin(x)+\cos(x)\cdot y-2\cos(3y+1)",
    r"\cos(1000x)+\sin(90000y)",
    r"e^{-\frac{(x-1)^2+y^2}{7}}-e^{90x}",
    r"\sqrt{x}-\sqrt{2-\frac{x^2+y^2}{100}}",
    r"\tan(x)+\arctan(y)+\ln(x)+\tanh(y)+x^{1.7}+\left|y\right|+\operatorname{floor}(x)",
    r"\frac{1}{x-y}+\frac{0}{x}",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_lanes_have_values_and_derivatives(formula: str) -> None:
    f = parse_latex(formula, ("x", "y"))
    program = compile_program([f, derivative(f, "x"), derivative(f, "y")], ("x", "y"))
    x = np.array([0.0, 1.0, -1.0, 0.3, -7.9, 8.1, 1e-9, 12.0])
    y = np.array([0.0, 1.0, 0.25, -2.0, 3.3, -8.7, 5.0, 700.0])
    expected = np.array(
        [run_program(program, {"x": a, "y": b}) for a, b in zip(x, y, strict=True)]
    ).T
    size = np.abs(expected[np.isfinite(expected)]).max()
    np.testing.assert_allclose(
        outputs(program, x, y), expected, rtol=4e-15, atol=1e-15 * min(size, 1e3)
    )


@pytest.mark.skipif(COMPILING, reason="this is the process")
def test_the_same_as_vector_instructions(tmp_path: Path) -> None:
    run_where_kernels_are_compiled(__file__, tmp_path)


def test_a_lane_does_not_depend_on_the_others() -> None:
    program = compile_program([parse_latex(r"\sin(x)\cdot e^y+\cos(x)", ("x", "y"))], ("x", "y"))
    alone = outputs(program, np.full(LANES, 0.7), np.full(LANES, -1.3))[0, 0]
    for lane in range(LANES):
        x, y = np.linspace(-40, 40, LANES), np.linspace(-9, 9, LANES)
        x[lane], y[lane] = 0.7, -1.3
        assert outputs(program, x, y)[0, lane] == alone


def test_the_error_of_a_step_has_its_order() -> None:
    # r'' = -r, of which the solution is a cosine
    def errors(step: float) -> tuple[float, float, float]:
        forces = np.zeros(curved_step.STAGES)
        forces[0] = -1.0
        for stage in range(1, curved_step.STAGES):
            place = 1.0 + step * step * curved_step.POSITION[stage] @ forces
            forces[stage] = -place
        end, middle = (
            1.0 + step**2 * weights @ forces
            for weights in (curved_step.POSITION[-1], curved_step.MIDDLE_POSITION)
        )
        return (
            abs(end - np.cos(step)),
            abs(middle - np.cos(step / 2)),
            abs(step * curved_step.MOMENTUM_ERROR @ forces),
        )

    coarse, fine = errors(4.0), errors(2.0)
    for order, one, other in zip((14, 6, curved_step.ORDER), coarse, fine, strict=True):
        assert one / other > 2.0**order
