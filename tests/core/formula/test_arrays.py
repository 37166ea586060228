"""Formulas of arrays: the values of each number, whatever is computed at once."""

from __future__ import annotations

import numpy as np
import pytest

from core.formula import derivative, parse_latex
from core.formula.arrays import CHUNK, evaluate_arrays
from core.formula.program import compile_program, run_program


@pytest.mark.parametrize("length", [1, CHUNK, 2 * CHUNK + 3])
def test_values_are_those_of_each_number(length: int) -> None:
    formula = parse_latex(r"x^2\sin(3x)+\operatorname{round}(4x)+\frac{2}{x^2+1}", ("x",))
    roots = (formula, derivative(formula, "x"), parse_latex("2", ("x",)), parse_latex("x", ("x",)))
    x = np.random.default_rng(length).uniform(-9.0, 9.0, length)
    program = compile_program(roots, ("x",))
    several = evaluate_arrays(roots, {"x": x})
    assert [column.shape for column in several] == [(length,)] * 4
    for i in {0, length // 2, length - 1}:
        assert [column[i] for column in several] == pytest.approx(run_program(program, {"x": x[i]}), rel=1e-12)
