"""Inlining leaves only numbers and free names in a module's formula."""

from __future__ import annotations

import math

import pytest

from raybench.formula import FormulaError, Scope, execute, inline, parse_latex, to_latex


def test_names_in_scope_become_numbers_and_others_stay() -> None:
    tree = inline("x_1 + (x_2 - x_1) * t", Scope({"x_1": 10.0, "x_2": 30.0}))
    assert to_latex(tree) == r"10+20\cdot t"


def test_functions_are_inlined_with_the_functions_they_call() -> None:
    scope = execute(
        "cauchy(l) = A + B/(l*0.001)^2\nsnell(n_0, n_1, t) = asin(n_0/n_1*sin(t))\nf(t) = snell(1,"
        " cauchy(lambda), t)",
        Scope({"A": 1.5, "B": 0.0}),
    )
    tree = inline("f(theta_0)", scope)
    same = parse_latex(
        r"\arcsin\left(\frac{1}{1.5+\frac{0}{\left(\lambda\cdot0.001\right)^2}}\cdot\sin\left(\theta_0\right)\right)"
    )
    assert tree == same


def test_an_argument_hides_a_name_of_the_scope() -> None:
    scope = execute("f(a) = a + b", Scope({"a": 1.0, "b": 2.0}))
    assert to_latex(inline("f(t) + a", scope)) == "t+2+1"


def test_constants_become_numbers_unless_the_scope_has_them() -> None:
    assert inline("pi + x", Scope()) == parse_latex(r"\pi+x")
    assert inline("e*x", Scope({"e": 3.0})) == parse_latex("3x")


def test_a_recursive_function_needs_numbers() -> None:
    scope = execute("fact(n) = n <= 1 ? 1 : n*fact(n-1)", Scope())
    assert to_latex(inline("fact(4)*x", scope)) == r"24\cdot x"
    with pytest.raises(FormulaError, match="its recursion does not end"):
        inline("fact(x)", scope)


def test_growth_without_bound_is_refused() -> None:
    doubling = execute(
        "f0(x) = x\n" + "\n".join(f"f{i}(x) = f{i - 1}(x) + f{i - 1}(x)" for i in range(1, 40)),
        Scope(),
    )
    vanishing = execute(
        "f0(x) = x\n" + "\n".join(f"f{i}(x) = 0*f{i - 1}(x) + 0*f{i - 1}(x)" for i in range(1, 40)),
        Scope(),
    )
    for scope in (doubling, vanishing):
        with pytest.raises(FormulaError):
            inline("f39(t)", scope)


def test_arrays_give_their_elements_and_random_numbers_are_drawn() -> None:
    scope = Scope({"v": (1.0, math.pi)}, random=lambda: 0.25)
    assert inline("v[2]*t + random()", scope) == parse_latex(r"\pi t+0.25")


@pytest.mark.security
def test_an_array_within_arrays_is_inlined_whatever_their_depth_and_however_often_it_occurs() -> (
    None
):
    deep: tuple[object, ...] = (1.0, 2.0)
    for _ in range(3_000):
        deep = (deep,)
    assert inline("a", Scope({"a": deep})).size == 3_003
    often: tuple[object, ...] = (1.0, 2.0)
    for _ in range(5):
        often = (often, often)
    assert inline("a", Scope({"a": often})).size == 2**7 - 1
    for _ in range(60):
        often = (often, often)
    with pytest.raises(FormulaError, match="make it shorter"):
        inline("a", Scope({"a": often}))


def test_a_formula_that_grows_too_large_is_refused() -> None:
    scope = execute(f"f(x) = {'+'.join(['x'] * 200)}", Scope())
    with pytest.raises(FormulaError, match="more than 10000"):
        inline("f(f(y))", scope)
