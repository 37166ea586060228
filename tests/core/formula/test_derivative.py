"""Derivatives are exact."""

from __future__ import annotations

import math

import pytest
from formula_programs import run_program
from formula_trees import SMOOTH, moderate, trees
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from raybench.formula import (
    FormulaError,
    Node,
    compile_program,
    derivative,
    parse_latex,
    parse_mathjs,
)
from raybench.formula.tree import distinct_nodes, operation_node

XS = st.integers(-30, 30).map(lambda k: 0.1 * k + 0.0123456)
YS = st.integers(-30, 30).map(lambda k: 0.1 * k + 0.0345678)
"""Points at which no formula of simple numbers has a kink or a step."""


def at(tree: Node, **values: float) -> float:
    return run_program(compile_program([tree], list(values)), values)[0]


@given(trees(("x", "y"), SMOOTH, 8, moderate), XS, YS)
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_a_derivative_agrees_with_central_differences(tree: Node, x: float, y: float) -> None:
    def difference(h: float) -> float:
        return (at(tree, x=x + h, y=y) - at(tree, x=x - h, y=y)) / (2 * h)

    coarse, middle, fine = difference(2e-4), difference(1e-4), difference(5e-5)
    size = 1.0 + abs(fine)
    assume(
        math.isfinite(coarse)
        and math.isfinite(middle)
        and size < 1e6
        and abs(at(tree, x=x, y=y)) < 1e4
    )
    assume(
        abs(coarse - middle) < 1e-6 * size and abs(middle - fine) < 1e-6 * size
    )  # elsewhere differences tell nothing
    bend = at(tree, x=x + 5e-5, y=y) - 2 * at(tree, x=x, y=y) + at(tree, x=x - 5e-5, y=y)
    assume(abs(bend) < 5e-5 * 1e-2 * size)  # no kink here
    quotients = (
        operation_node("div", *node.args) for node in distinct_nodes(tree) if node.op == "mod"
    )
    assume(
        all(abs(at(quotient, x=x, y=y)) < 1e6 for quotient in quotients)
    )  # a remainder of a larger one is lost in rounding
    slope = at(derivative(tree, "x"), x=x, y=y)
    assume(slope == slope)  # at a kink of the formula a part of the slope may have no value
    assert slope == pytest.approx(fine, rel=2e-5, abs=2e-5)


@pytest.mark.parametrize(
    ("text", "slope"),
    [
        ("x^3", "3x^2"),
        ("x^2.5", "2.5*x^1.5"),
        ("x^-2", "-2*x^-3"),
        ("2^x", "2^x*log(2)"),
        ("x^x", "x*x^(x-1) + x^x*log(x)"),
        ("y", "0"),
        ("x", "1"),
        ("sin(y*x)", "cos(y*x)*y"),
        ("1/x", "-(1/x)/x"),
        ("abs(x)", "sign(x)"),
        ("floor(x)*x", "floor(x)"),
        ("round(x) + ceil(x) + fix(x) + sign(x) + (x < y)", "0"),
        ("y! * x", "y!"),
        ("mod(x, y)", "1"),
        ("x > 0 ? x^2 : y", "x > 0 ? 2x : 0"),
    ],
)
def test_the_rules_of_the_textbook(text: str, slope: str) -> None:
    found, expected = derivative(parse_mathjs(text), "x"), parse_mathjs(slope)
    for x, y in ((0.3, 2.2), (1.7, 3.1)):
        assert at(found, x=x, y=y) == pytest.approx(at(expected, x=x, y=y), rel=1e-13)


def test_powers_of_negative_numbers_have_derivatives() -> None:
    assert at(derivative(parse_latex("x^3"), "x"), x=-2.0) == 12.0
    assert at(derivative(parse_latex("x^{-1}"), "x"), x=-2.0) == -0.25
    assert at(derivative(parse_latex(r"\sqrt[3]{x}"), "x"), x=-8.0) == pytest.approx(1 / 12)
    assert at(derivative(parse_latex("x^2"), "x"), x=0.0) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "2/(1 + (sqrt(x^2+y^2)/50)^2)",
        "2/(1 + ((x^2+y^2)^(1/2)/50)^2)",
        "sqrt(2 - hypot(x, y)^2/2500)",
        "1.5/cosh(0.01*sqrt(x^2+y^2))",
        "cbrt(x^2+y^2)^2",
    ],
)
def test_distances_have_no_slope_at_the_centre(text: str) -> None:
    assert at(derivative(parse_mathjs(text), "x"), x=0.0, y=0.0) == 0.0


def test_roots_have_infinite_slopes_at_0() -> None:
    for text in ("sqrt(x)", "cbrt(x)", "x^0.25"):
        assert at(derivative(parse_mathjs(text), "x"), x=0.0) == math.inf


def test_the_maxwell_fish_eye_has_its_gradient() -> None:
    n = parse_latex(r"\frac{2}{1+\frac{x^2+y^2}{100^2}}")
    program = compile_program([n, derivative(n, "x"), derivative(n, "y")], ["x", "y"])
    x, y = 30.0, -70.0
    value = 2 / (1 + (x * x + y * y) / 1e4)
    assert run_program(program, {"x": x, "y": y}) == pytest.approx(
        (value, -(value**2) * x / 1e4, -(value**2) * y / 1e4), rel=1e-14
    )


def test_no_term_of_a_constant_part_remains() -> None:
    slope = derivative(parse_latex(r"1.1+0.1\cdot\cos\left(0.1\cdot y\right)+\frac{1}{y}"), "x")
    assert (slope.op, slope.value) == ("number", 0.0)


def test_second_derivatives_are_derivatives_of_first_ones() -> None:
    second = derivative(derivative(parse_latex(r"\sin\left(3x\right)"), "x"), "x")
    assert at(second, x=0.4) == pytest.approx(-9 * math.sin(1.2))


def test_derivatives_of_long_formulas_stay_small() -> None:
    tree = parse_latex("+".join([rf"\sin\left({i}x\right)\cdot x^{{3}}" for i in range(1, 600)]))
    slope = derivative(tree, "x")
    curvature = derivative(slope, "x")
    assert len(compile_program([tree, slope, curvature], ["x"]).code) < 20 * 600


def test_operations_without_a_derivative_are_refused() -> None:
    with pytest.raises(FormulaError, match="no derivative of a factorial"):
        derivative(parse_latex("x!"), "x")
    with pytest.raises(FormulaError, match="no derivative of f"):
        derivative(parse_mathjs("f(x)"), "x")
