"""Formulas of arrays: the values of each number, whatever is computed at once."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from formula_programs import run_program

from raybench.formula import derivative, parse_latex
from raybench.formula.arrays import CHUNK_SIZE, evaluate_arrays
from raybench.formula.interpreter import plain
from raybench.formula.operations import ARITY, CODE
from raybench.formula.program import compile_program
from raybench.formula.tree import number_node, operation_node, variable_node


@pytest.mark.parametrize("length", [1, CHUNK_SIZE, 2 * CHUNK_SIZE + 3])
def test_values_are_those_of_each_number(length: int) -> None:
    formula = parse_latex(r"x^2\sin(3x)+\operatorname{round}(4x)+\frac{2}{x^2+1}", ("x",))
    roots = (formula, derivative(formula, "x"), parse_latex("2", ("x",)), parse_latex("x", ("x",)))
    x = np.random.default_rng(length).uniform(-9.0, 9.0, length)
    program = compile_program(roots, ("x",))
    several = evaluate_arrays(roots, {"x": x})
    assert [column.shape for column in several] == [(length,)] * 4
    for i in {0, length // 2, length - 1}:
        assert [column[i] for column in several] == pytest.approx(
            run_program(program, {"x": x[i]}), rel=1e-12
        )


SPECIAL = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    1e-13,
    1 + 1e-13,
    1e15 + 0.5,
    1e308,
    -1e308,
    5e-324,
    np.inf,
    -np.inf,
    np.nan,
    3.0,
    -7.3,
)
"""Numbers at which functions jump, overflow, or are not defined."""


@pytest.mark.parametrize("op", ARITY)
def test_operations_on_arrays_agree_with_the_interpreter(op: str) -> None:
    rows = list(product(SPECIAL, repeat=ARITY[op]))
    columns = dict(zip("xyz", np.array(rows).T, strict=False))
    (found,) = evaluate_arrays(
        [operation_node(op, *(variable_node(name) for name in columns))], columns
    )
    wanted = [plain.operate(CODE[op], *row, *[0.0] * (3 - len(row))) for row in rows]
    np.testing.assert_allclose(found, wanted, rtol=1e-14, atol=0)
    for row in rows[:: len(rows) // 17]:  # constants are evaluated once
        (found,) = evaluate_arrays([operation_node(op, *map(number_node, row))], {"x": np.zeros(3)})
        np.testing.assert_allclose(
            found, [plain.operate(CODE[op], *row, *[0.0] * (3 - len(row)))] * 3, rtol=1e-14, atol=0
        )
