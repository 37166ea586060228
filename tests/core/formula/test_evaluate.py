"""Evaluation of formulas in a scope: variables, functions, random numbers, and limits."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np
import pytest

from raybench.formula import (
    FormulaError,
    Scope,
    StepAllowance,
    evaluate_columns,
    evaluate_formula,
    execute_statements,
    inline_names_and_calls,
    parse_latex,
    to_latex,
)


def test_statements_build_on_each_other() -> None:
    scope = execute_statements(
        "dx = x_2 - x_1\nc = sqrt(dx^2)/2; half(t) = t/2\nd = half(c) + half(2)",
        Scope({"x_1": 1.0, "x_2": 9.0}),
    )
    assert scope.values == {"x_1": 1.0, "x_2": 9.0, "dx": 8.0, "c": 4.0, "d": 3.0}


def test_arguments_hide_names_of_the_scope_and_functions_see_the_rest() -> None:
    scope = execute_statements("a = 10\nf(x) = a*x\ng(a) = f(a) + a", Scope({"x": 100.0}))
    assert evaluate_formula("g(2)", scope) == 22.0


def test_names_may_be_those_of_constants_and_functions() -> None:
    scope = execute_statements("e = 2; lambda = 5; min = 1; sin(x) = 7x", Scope())
    assert evaluate_formula("e + lambda + min + sin(2)", scope) == 22.0


def test_a_function_may_call_itself_under_a_condition() -> None:
    scope = execute_statements("fact(n) = n <= 1 ? 1 : n*fact(n-1)", Scope())
    assert evaluate_formula("fact(10)", scope) == 3628800.0


@pytest.mark.parametrize(
    "text", ["f(x) = f(x)", "f(x) = f(x-1) + f(x-2)", "f(x) = g(x); g(x) = f(x)"]
)
def test_infinite_recursion_is_refused(text: str) -> None:
    with pytest.raises(
        FormulaError,
        match=r"'[fg]' is called within itself more than 500 times: give it a condition that ends",
    ):
        evaluate_formula("f(1)", execute_statements(text, Scope()))


def test_calls_that_double_are_refused_in_time() -> None:
    scope = execute_statements(
        "\n".join(f"f{i}(x) = f{i - 1}(x) + f{i - 1}(x)" for i in range(1, 40)),
        execute_statements("f0(x) = x", Scope()),
    )
    with pytest.raises(FormulaError, match="takes more than"):
        evaluate_formula("f39(1)", scope)


def test_random_numbers_are_all_different() -> None:
    numbers = iter([0.1, 0.2, 0.3, 0.4, 0.5])
    scope = execute_statements("f() = random()", Scope(random=lambda: next(numbers)))
    assert evaluate_formula("random() - random()", scope) == pytest.approx(-0.1)
    assert evaluate_formula("f() + random(10)", scope) == pytest.approx(4.3)
    assert evaluate_formula("random(10, 20)", scope) == 15.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/0", math.inf),
        ("-1/0", -math.inf),
        ("0/0", math.nan),
        ("sqrt(-1)", math.nan),
        ("log(0)", -math.inf),
        ("(-8)^(1/3)", math.nan),
    ],
)
def test_undefined_operations_give_nan_instead_of_errors(text: str, expected: float) -> None:
    assert evaluate_formula(text) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q + 1", "Unknown variable 'q': there are a, v"),
        ("phase(2)", "Unknown function 'phase'"),
        ("sine(2)", "did you mean sin"),
        ("a(2)", r"'a' is a number, not a function: write a\*"),
        ("f(1)", "'f' has 1 argument.* instead of 2: x, y"),
        ("f", "'f' is a function: write its arguments in brackets"),
        ("sin", "'sin' is a function"),
        ("v + 1", "'add' needs numbers, not an array"),
        ("v", "A number is needed, not an array"),
        ("v[3]", "There is no element 3: the array has 2, counted from 1"),
        ("v[0]", "There is no element 0"),
        ("a[1]", "Only arrays can be indexed"),
        ("random()", "Random numbers are not available here"),
    ],
)
def test_an_error_names_what_there_is(text: str, message: str) -> None:
    scope = execute_statements("f(x, y) = x + y", Scope({"a": 1.0, "v": (1.0, 2.0)}))
    with pytest.raises(FormulaError, match=message):
        evaluate_formula(text, scope)


def test_a_sum_may_be_longer_than_pythons_stack() -> None:
    assert evaluate_formula("+".join(["x"] * 4000), Scope({"x": 2.0})) == 8000.0


@pytest.mark.parametrize(
    "formula",
    [
        "i", "i + 1", "3 - i*k", "i/k", "1/i", "-i", "sqrt(i)", "abs(i)^k", "sin(i) + cos(k)", "floor(i)", "round(i)", "mod(i, k)", "i < k",
        "max(i, k, 1)", "i!", "hypot(i, k)", "f(i) + f(2)", "a[2]*i", "0*i", "2", "c ? i : k", "[k, i][2]",
    ],
)  # fmt: skip
def test_columns_give_bit_by_bit_what_their_numbers_give_and_take_as_many_steps(
    formula: str,
) -> None:
    columns = {
        "i": np.array([-2.5, -0.0, 0.0, 0.3, 1.0, math.inf, math.nan, 170.2]),
        "k": np.array([2.0, -3.0, 0.0, 0.5, 1.0, 9.0, 7.5, 7]),
    }
    scope = execute_statements("f(t) = t*i + t; a = [1, 2.5]; c = 1", Scope())
    scope, once = (
        dataclasses.replace(scope, allowance=StepAllowance(1000)),
        dataclasses.replace(scope, allowance=StepAllowance(1000)),
    )
    together = np.broadcast_to(evaluate_columns(formula, once.with_columns(columns, 8)), 8)
    one_by_one = [
        evaluate_formula(formula, scope.with_more_values({"i": i, "k": k}))
        for i, k in zip(*(c.tolist() for c in columns.values()), strict=True)
    ]
    assert [float(v).hex() for v in together] == [float(v).hex() for v in one_by_one]
    assert once.allowance == scope.allowance


@pytest.mark.parametrize(
    "formula",
    [
        "i > 1 ? k : 3",
        "i > 1 and k < 2",
        "i > 0 ? (k < 1 ? i : 2k) : 7",
        "i ? k : -k",
        "not i or k",
    ],
)
def test_a_condition_with_a_column_chooses_element_by_element(formula: str) -> None:
    columns = {
        "i": np.array([-2.5, 0.0, 1.5, 4.0, math.nan]),
        "k": np.array([2.0, -3.0, 0.0, 9.0, 5.0]),
    }
    together = evaluate_columns(formula, Scope().with_columns(columns, 5))
    assert isinstance(together, np.ndarray)
    rows = zip(*(c.tolist() for c in columns.values()), strict=True)
    assert together.tolist() == [
        evaluate_formula(formula, Scope({"i": i, "k": k})) for i, k in rows
    ]


@pytest.mark.parametrize(
    "formula",
    ["i > 1 ? a : 2", "i > 1 ? nothing : 2", "i > 1 ? g(2) : 3", "a[i]", "random()", "g(i)"],
)
def test_formulas_that_cannot_be_vectorised_are_refused_for_columns(formula: str) -> None:
    scope = execute_statements(
        "a = [1, 2.5]; g(n) = if(n < 2, 1, g(n - 1))", Scope(random=lambda: 0.5)
    )
    with pytest.raises(FormulaError):
        evaluate_columns(formula, scope.with_columns({"i": np.array([1.0, 2.0])}, 2))
    with pytest.raises(FormulaError, match="One number"):
        evaluate_formula("i", scope.with_columns({"i": np.array([1.0, 2.0])}, 2))


def test_an_element_of_a_long_array_is_found_at_once() -> None:
    scope = Scope({"a": tuple(map(float, range(100_000)))})
    begun = time.process_time()
    assert [evaluate_formula(f"a[{i}]", scope) for i in range(99_001, 100_001)] == list(
        range(99_000, 100_000)
    )
    assert time.process_time() - begun < 2
    for wrong in ("0", "1.5", "100001", "1e300", "0/0", "1/0"):
        with pytest.raises(FormulaError, match="There is no element"):
            evaluate_formula(f"a[{wrong}]", scope)


def test_names_in_scope_become_numbers_and_others_stay() -> None:
    tree = inline_names_and_calls("x_1 + (x_2 - x_1) * t", Scope({"x_1": 10.0, "x_2": 30.0}))
    assert to_latex(tree) == r"10+20\cdot t"


def test_functions_are_inlined_with_the_functions_they_call() -> None:
    scope = execute_statements(
        "cauchy(l) = A + B/(l*0.001)^2\nsnell(n_0, n_1, t) = asin(n_0/n_1*sin(t))\nf(t) = snell(1,"
        " cauchy(lambda), t)",
        Scope({"A": 1.5, "B": 0.0}),
    )
    tree = inline_names_and_calls("f(theta_0)", scope)
    same = parse_latex(
        r"\arcsin\left(\frac{1}{1.5+\frac{0}{\left(\lambda\cdot0.001\right)^2}}\cdot\sin\left(\theta_0\right)\right)"
    )
    assert tree == same


def test_an_argument_hides_a_name_of_the_scope() -> None:
    scope = execute_statements("f(a) = a + b", Scope({"a": 1.0, "b": 2.0}))
    assert to_latex(inline_names_and_calls("f(t) + a", scope)) == "t+2+1"


def test_constants_become_numbers_unless_the_scope_has_them() -> None:
    assert inline_names_and_calls("pi + x", Scope()) == parse_latex(r"\pi+x")
    assert inline_names_and_calls("e*x", Scope({"e": 3.0})) == parse_latex("3x")


def test_a_recursive_function_needs_numbers() -> None:
    scope = execute_statements("fact(n) = n <= 1 ? 1 : n*fact(n-1)", Scope())
    assert to_latex(inline_names_and_calls("fact(4)*x", scope)) == r"24\cdot x"
    with pytest.raises(FormulaError, match="its recursion does not end"):
        inline_names_and_calls("fact(x)", scope)


def test_growth_without_bound_is_refused() -> None:
    doubling = execute_statements(
        "f0(x) = x\n" + "\n".join(f"f{i}(x) = f{i - 1}(x) + f{i - 1}(x)" for i in range(1, 40)),
        Scope(),
    )
    vanishing = execute_statements(
        "f0(x) = x\n" + "\n".join(f"f{i}(x) = 0*f{i - 1}(x) + 0*f{i - 1}(x)" for i in range(1, 40)),
        Scope(),
    )
    for scope in (doubling, vanishing):
        with pytest.raises(FormulaError):
            inline_names_and_calls("f39(t)", scope)


def test_arrays_give_their_elements_and_random_numbers_are_drawn() -> None:
    scope = Scope({"v": (1.0, math.pi)}, random=lambda: 0.25)
    assert inline_names_and_calls("v[2]*t + random()", scope) == parse_latex(r"\pi t+0.25")


@pytest.mark.security
def test_an_array_within_arrays_is_inlined_whatever_their_depth_and_however_often_it_occurs() -> (
    None
):
    deep: tuple[object, ...] = (1.0, 2.0)
    for _ in range(3_000):
        deep = (deep,)
    assert inline_names_and_calls("a", Scope({"a": deep})).size == 3_003
    often: tuple[object, ...] = (1.0, 2.0)
    for _ in range(5):
        often = (often, often)
    assert inline_names_and_calls("a", Scope({"a": often})).size == 2**7 - 1
    for _ in range(60):
        often = (often, often)
    with pytest.raises(FormulaError, match="make it shorter"):
        inline_names_and_calls("a", Scope({"a": often}))


def test_a_formula_that_grows_too_large_is_refused() -> None:
    scope = execute_statements(f"f(x) = {'+'.join(['x'] * 200)}", Scope())
    with pytest.raises(FormulaError, match="more than 10000"):
        inline_names_and_calls("f(f(y))", scope)
