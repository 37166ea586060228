"""Programs compute their formulas, compiled or not, and never raise."""

from __future__ import annotations

import math
from itertools import product

import numba
import numpy as np
import pytest
from formula_programs import run_program
from formula_trees import SMOOTH, trees
from hypothesis import given, settings
from hypothesis import strategies as st

from raybench.formula import (
    FormulaError,
    Node,
    Scope,
    compile_program,
    derivative,
    evaluate_formula,
    pack_programs,
    parse_latex,
    parse_mathjs,
)
from raybench.formula.interpreter import Interpreter, make_interpreter, plain
from raybench.formula.operations import ARITY, CODE, STEPS
from raybench.formula.tree import operation_node, variable_node

NASTY = (
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    1.5,
    2.0,
    -2.5,
    2.5,
    3.0,
    1e-300,
    -1e300,
    1e300,
    709.5,
    800.0,
    -800.0,
    171.0,
    5e-324,
    1e17,
    -7.0,
)
NASTY += (math.inf, -math.inf, math.nan)
EVERYTHING = [operation_node(o, *[variable_node(n) for n in "xyz"[:k]]) for o, k in ARITY.items()]


@pytest.fixture(scope="module")
def compiled() -> Interpreter:
    return make_interpreter(numba.njit(nogil=True, error_model="numpy"))


def operate(op: str, *args: float) -> float:
    padded = (*args, 0.0, 0.0)[:3]
    return plain.operate(CODE[op], *padded)


@given(trees(("x", "y"), set(ARITY) - STEPS - {"pow"}), st.floats(-4, 4), st.floats(-4, 4))
@settings(max_examples=400, deadline=None)
def test_programs_and_the_evaluator_agree_exactly(tree: Node, x: float, y: float) -> None:
    program = compile_program([tree], ["x", "y"])
    assert run_program(program, {"x": x, "y": y})[0] == pytest.approx(
        evaluate_formula(tree, Scope({"x": x, "y": y})), rel=0, abs=0, nan_ok=True
    )


@given(st.floats(-9, 9), st.integers(-40, 40))
def test_whole_powers_are_powers(x: float, n: int) -> None:
    program = compile_program(
        [operation_node("pow", variable_node("x"), parse_mathjs(str(n)))], ["x"]
    )
    assert run_program(program, {"x": x})[0] == pytest.approx(
        operate("pow", x, float(n)), rel=1e-14
    )


@given(st.sampled_from(sorted(ARITY)), st.floats(), st.floats(), st.floats())
@settings(max_examples=300)
def test_no_operation_raises(op: str, x: float, y: float, z: float) -> None:
    assert isinstance(operate(op, x, y, z) + 0.0, float)


def test_compiled_and_uncompiled_interpreters_agree_on_edge_cases(compiled: Interpreter) -> None:
    for op in ARITY:
        for values in (
            product(NASTY, repeat=ARITY[op]) if ARITY[op] < 3 else product(NASTY, (1.0,), (2.0,))
        ):
            args = (*values, 0.0, 0.0)[:3]
            slow, fast = plain.operate(CODE[op], *args), compiled.operate(CODE[op], *args)
            assert fast == pytest.approx(slow, rel=1e-13, abs=0, nan_ok=True), (op, values)


def test_packed_programs_run_alone_and_compiled(compiled: Interpreter) -> None:
    fish_eye, wave = (
        parse_latex(r"\frac{2}{1+\frac{x^2+y^2}{100^2}}"),
        parse_latex(r"1.5+0.1\cdot\cos\left(0.1\cdot t\right)"),
    )
    programs = [
        compile_program(
            [fish_eye, derivative(fish_eye, "x"), derivative(fish_eye, "y")], ["x", "y", "lambda"]
        ),
        compile_program([wave], ["t"]),
        compile_program([variable_node("b"), parse_mathjs("7"), variable_node("a")], ["a", "b"]),
        compile_program(EVERYTHING, ["x", "y", "z"]),
    ]
    packed = pack_programs(programs)
    inputs = [
        {"x": 20.0, "y": -35.0, "lambda": 540.0},
        {"t": 9.0},
        {"a": 1.0, "b": 2.0},
        {"x": 0.3, "y": 0.8, "z": -2.0},
    ]
    assert packed.largest == max(p.registers for p in programs)
    for index, (program, values) in enumerate(zip(programs, inputs, strict=True)):
        expected = run_program(program, values)
        for machine in (plain, compiled):
            registers, out = np.full(packed.largest, np.nan), np.zeros(len(program.outputs))
            machine.run_packed(
                packed, index, np.array([values[n] for n in program.variables]), registers, out
            )
            assert tuple(out) == pytest.approx(expected, rel=1e-14, nan_ok=True)


def test_no_programs_at_all_can_be_packed() -> None:
    packed = pack_programs([])
    assert packed.code.shape == (0, 4)
    assert packed.largest == 0


def test_products_with_sums_round_as_apart() -> None:
    f = parse_latex(r"0.1x+0.2y-0.3\cdot x\cdot y-x\cdot y-\left(0.7\cdot x\right)-\frac{y}{3}")
    program = compile_program([f], ["x", "y"])
    for x, y in ((0.1, 0.7), (1e9, -3.3), (-2.7, 1e-9)):
        assert run_program(program, {"x": x, "y": y}) == (
            0.1 * x + 0.2 * y - 0.3 * x * y - x * y - 0.7 * x - y / 3,
        )


def test_common_parts_are_computed_once() -> None:
    f = parse_latex(r"\sin\left(x+y\right)\cdot\cos\left(y+x\right)+\sin\left(x+y\right)")
    assert (
        len(compile_program([f, f], ["x", "y"]).code) == 4
    )  # the sum, its sine and cosine, their product with the other sine


def test_constants_are_folded_where_trees_leave_them() -> None:
    assert run_program(
        compile_program([parse_latex(r"\operatorname{round}\left(2.5\right)")], []), {}
    ) == (3.0,)
    assert len(compile_program([parse_latex("1/0")], []).code) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x+q", "Unknown variable 'q': there are x"),
        ("f(x)", "contains f"),
        ("random()", "contains random"),
    ],
)
def test_errors_of_compilation_name_the_operation(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        compile_program([parse_mathjs(text)], ["x"])


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (2.5, 3.0),
        (-2.5, -2.0),
        (-2.6, -3.0),
        (0.49999999999999994, 0.0),
        (4503599627370497.0, 4503599627370497.0),
        (-0.2, 0.0),
    ],
)
def test_rounding_is_that_of_javascript(x: float, expected: float) -> None:
    assert operate("round", x) == expected


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (0.0, 0.0, 1.0),
        (math.nan, 0.0, 1.0),
        (1.0, math.inf, math.nan),
        (-1.0, -math.inf, math.nan),
        (1.0, math.nan, math.nan),
        (-8.0, 1 / 3, math.nan),
        (-2.0, 3.0, -8.0),
        (-2.0, -3.0, -0.125),
        (0.0, -1.0, math.inf),
        (-0.0, -1.0, -math.inf),
        (-0.0, -2.0, math.inf),
        (0.5, math.inf, 0.0),
        (2.0, math.inf, math.inf),
        (0.5, -math.inf, math.inf),
        (-math.inf, 3.0, -math.inf),
        (-math.inf, 0.5, math.inf),
        (10.0, 400.0, math.inf),
        (-10.0, 401.0, -math.inf),
        (10.0, -400.0, 0.0),
        (2.0, 1023.5, 2.0**1023.5),
    ],
)
def test_powers_are_those_of_javascript(x: float, y: float, expected: float) -> None:
    assert operate("pow", x, y) == pytest.approx(expected, rel=1e-13, nan_ok=True)


@pytest.mark.parametrize(
    ("op", "args", "expected"),
    [
        ("div", (1.0, 0.0), math.inf),
        ("div", (1.0, -0.0), -math.inf),
        ("div", (0.0, 0.0), math.nan),
        ("mod", (-7.0, 4.0), 1.0),
        ("mod", (7.0, -4.0), -1.0),
        ("mod", (7.0, 0.0), 7.0),
        ("log", (0.0,), -math.inf),
        ("log10", (1000.0,), 3.0),
        ("exp", (1000.0,), math.inf),
        ("cosh", (710.0,), math.cosh(710.0)),
        ("cbrt", (-27.0,), -3.0),
        ("sin", (math.inf,), math.nan),
        ("asin", (1.1,), math.nan),
        ("min", (math.nan, 1.0), math.nan),
        ("max", (1.0, math.nan), math.nan),
        ("select", (math.nan, 1.0, 2.0), 2.0),
        ("less", (1.0, 1.0 + 1e-14), 0.0),
        ("less_equal", (1.0 + 1e-14, 1.0), 1.0),
        ("factorial", (5.0,), 120.0),
        ("factorial", (-1.0,), math.nan),
        ("factorial", (200.0,), math.inf),
        ("sign", (-0.1,), -1.0),
        ("trunc", (-2.7,), -2.0),
    ],
)
def test_values_at_the_limits_of_domains(op: str, args: tuple[float, ...], expected: float) -> None:
    assert operate(op, *args) == pytest.approx(expected, rel=1e-13, nan_ok=True)


def test_smooth_operations_are_a_part_of_all() -> None:
    assert set(SMOOTH) <= set(ARITY)
