"""Parsing of LaTeX formulas, and errors with their positions."""

from __future__ import annotations

import math
import re
import time

import pytest
from formula_programs import run_program
from formula_trees import trees
from hypothesis import example, given, settings
from hypothesis import strategies as st

from raybench.formula import (
    FormulaError,
    Node,
    compile_program,
    parse_latex,
    parse_mathjs,
    to_latex,
)

VALUES = {
    "x": 0.3,
    "y": 0.7,
    "z": -1.25,
    "p": 1.0,
    "theta_0": 0.2,
    "P_0": 5.0,
    "P_1": 2.0,
    "lambda": 540.0,
    "n_0": 1.0,
    "n_1": 1.5,
    "x_12": 9.0,
}
x, y, z = VALUES["x"], VALUES["y"], VALUES["z"]


def value(text: str) -> float:
    return run_program(compile_program([parse_latex(text, VALUES)], list(VALUES)), VALUES)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"-\frac{\left(x+1\right)^2}{5.5}", -((x + 1) ** 2) / 5.5),
        (
            r"0.0015\cdot\left(\sin\left(100x\right)-\sin\left(631x\right)\right)",
            0.0015 * (math.sin(100 * x) - math.sin(631 * x)),
        ),
        (r"1.1+0.1\cdot\cos\left(0.1\cdot y\right)", 1.1 + 0.1 * math.cos(0.1 * y)),
        (r"\left(1+x\right)\left(1-y\right)", (1 + x) * (1 - y)),
        (r"\left(0.7+0.3p\right)\cdot P_0", 5.0),
        (r"\left(\lambda-458\right)\cdot-0.5", -41.0),
        (
            r"\arcsin\left(\frac{n_0}{n_1}\cdot\sin\left(\theta_0\right)\right)",
            math.asin(math.sin(0.2) / 1.5),
        ),
        (r"1+e^{-\frac{x^2+y^2}{50^2}}", 1 + math.exp(-(x * x + y * y) / 2500)),
        (r"\operatorname{abs}\left(0.001z\right)", 0.00125),
        (" P_{0}", 5.0),
        (r"-x^2", -(x**2)),
        (r"-x^{2}y", -(x**2) * y),
        (r"+x--y", x + y),
        (r"2\pi", math.tau),
        (r"xy", x * y),
        (r"x\left(y+1\right)", x * (y + 1)),
        (r"x_{12}y", 9 * y),
        (r"1/2x", x / 2),
        (r"x\times y\div2", x * y / 2),
        (r"x*y/2", x * y / 2),
        (r"\frac12x", x / 2),
        (r"\frac{1}23", 1.5),
        (r"x^23", 3 * x**2),
        (r"x^{23}", x**23),
        (r"x^{2^3}", x**8),
        (r"2^{3^2}", 512.0),
        (r"x^-2", x**-2),
        (r"x^\frac12y", math.sqrt(x) * y),
        (r"x^.5", math.sqrt(x)),
        (r"\sqrt2x", math.sqrt(2) * x),
        (r"\sqrt{x+y}", math.sqrt(x + y)),
        (r"\sqrt[3]{z}", -(1.25 ** (1 / 3))),
        (r"\sqrt[5]{z}", -(1.25**0.2)),
        (r"\sqrt[4]{x}", x**0.25),
        (r"\sin 2x", math.sin(2 * x)),
        (r"\sin2x+1", math.sin(2 * x) + 1),
        (r"\sin x\cos y", math.sin(x) * math.cos(y)),
        (r"\sin\cos x", math.sin(math.cos(x))),
        (r"\sin x\cdot y", math.sin(x) * y),
        (r"\sin\left(x\right)y", math.sin(x) * y),
        (r"\sin\left(x\right)^2", math.sin(x) ** 2),
        (r"\sin x^2", math.sin(x**2)),
        (r"\sin^2x", math.sin(x) ** 2),
        (r"\sin^{2}\left(x\right)+\cos^2 x", 1.0),
        (r"\sin^{-1}x", math.asin(x)),
        (r"\sin^{-1}\left(x\right)", math.asin(x)),
        (r"\tanh^{-1}x", math.atanh(x)),
        (r"\exp-x", math.exp(-x)),
        (r"\asin x+\arctan y+\operatorname{arcsin}\left(x\right)", 2 * math.asin(x) + math.atan(y)),
        (r"\arsinh x+\operatorname{arccosh}\left(3\right)", math.asinh(x) + math.acosh(3)),
        (r"\sec x+\csc x+\cot x", 1 / math.cos(x) + 1 / math.sin(x) + 1 / math.tan(x)),
        (r"\sinh x+\cosh x-\tanh x", math.sinh(x) + math.cosh(x) - math.tanh(x)),
        (r"\ln x", math.log(x)),
        (r"\log x", math.log(x)),
        (r"\log_28", 3.0),
        (r"\log_{10}\left(1000\right)y", 3 * y),
        (r"\left|z\right|+|z|", 2.5),
        (r"|x|z||y||", x * z * y),
        (r"||z|-2|", 0.75),
        (r"\left[x+\left\{y\right\}\right]\cdot{2}", 2 * (x + y)),
        (r"\lfloor z\rfloor+\left\lceil z\right\rceil", -3.0),
        (r"\max\left(x,y,z\right)-\min\left(x,y,z\right)", y - z),
        (r"\operatorname{sign}\left(z\right)+\operatorname{trunc}\left(z\right)", -2.0),
        (r"\operatorname{round}\left(2.5\right)+\operatorname{round}\left(-2.5\right)", 1.0),
        (r"\mathrm{sign}\left( z\right)", -1.0),
        (r"\mathrm{e}^{-x}\text{e}^{x}x\mathrm{e}", math.e * x),
        (r"3!x", 6 * x),
        (r"x\ y\,z\:2\;{}", x * y * z * 2),
        (r"cos(2x)+2pi", math.cos(2 * x) + math.tau),
        (r"sqrt(x) \left(y\right)", math.sqrt(x) * y),
        (r"1.5e-3", 1.5 * math.e - 3),
        (r"2e", 2 * math.e),
    ],
)
def test_latex_formulas_have_their_usual_meaning(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2+(3))", "unexpected ')' at character 6 of '2+(3))': remove it"),
        ("2+(3", "'(' without its ')' at character 3 of '2+(3': close it"),
        (r"\left|x\right)", r"'\left|' is closed by '|'"),
        ("2+", "nothing follows '+' at character 2 of '2+': complete it"),
        (
            "*3",
            (
                "unexpected '*' at character 1 of '*3': a number, a variable or a bracket belongs"
                " before it"
            ),
        ),
        ("", "the formula is empty: write an expression, such as 1.5"),
        (r"\frac{1}{}", "'}' comes too early after '{' at character 10"),
        (r"\foo x", r"unknown command '\foo' at character 1 of '\foo x'"),
        (r"\sine x", "did you mean sin"),
        (
            "x+q",
            (
                "unknown variable 'q' at character 3 of 'x+q': this formula knows P_0, P_1,"
                " lambda, n_0"
            ),
        ),
        ("sin x", r"unknown variable 's' at character 1 of 'sin x': write \sin"),
        ("2lambda", r"unknown variable 'l' at character 2 of '2lambda': write \lambda"),
        (r"\sin\left(x,y\right)", r"'sin' has 2 arguments instead of 1 at character 1"),
        (r"\sin^{-1}\left(x,y\right)", r"'asin' has 2 arguments instead of 1 at character 1"),
        ("1.2.3", "a second decimal point after '1.2' at character 4"),
        ("x_", "unexpected '_' at character 2"),
        ("x;y", "unexpected ';' at character 2 of 'x;y': remove it"),
        (r"\left", r"nothing follows '\left'"),
        (r"\left.x\right|", r"'\left.' is not a bracket"),
        (r"\operatorname x", r"'\operatorname' has no name"),
        ("x\ny)", "unexpected ')' at character 4 of 'x y)': remove it"),
    ],
)
def test_errors_give_character_position_and_remedy(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_latex(text, VALUES)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_brackets_of_two_kinds_match() -> None:
    assert parse_latex("[x)") == parse_latex("x")


def test_an_error_states_its_position() -> None:
    with pytest.raises(FormulaError) as caught:
        parse_latex("2+(3))")
    assert caught.value.position == 5


@pytest.mark.security
def test_long_formulas_are_read_and_endless_ones_refused() -> None:
    assert parse_latex("+".join(["x"] * 4000)).size == 7999
    for text in (
        "+".join(["x"] * 6000),
        "x" * 200_000,
        "(" * 201 + "x" + ")" * 201,
        "{" * 100_000,
        "-" * 50_000 + "x",
    ):
        with pytest.raises(FormulaError, match=r"make it shorter|simplify the formula"):
            parse_latex(text)


def test_unbroken_letters_are_read_in_linear_time() -> None:
    begun = time.process_time()
    for text in ("a" * 30_000, "sinx" * 7_500, "pi" * 15_000):
        with pytest.raises(FormulaError, match="make it shorter"):
            parse_latex(text)
    assert time.process_time() - begun < 10
    assert parse_latex("arcsin (x)") == parse_latex(r"\arcsin(x)")


def test_errors_about_long_words_are_short() -> None:
    with pytest.raises(FormulaError, match=r"unknown command '\\sqrteee") as refused:
        parse_latex(r"\sqrt" + "e" * 20_000)
    assert len(str(refused.value)) < 500


@pytest.mark.security
def test_deep_formulas_overflow_nothing() -> None:
    deep = r"\sin " * 4000 + "x"
    assert parse_latex(deep).size == 4001
    assert parse_latex("(" * 200 + "x" + ")" * 200) == parse_latex("x")
    nested = r"\frac{1}{1+" * 190 + "x" + "}" * 190
    assert parse_latex(to_latex(parse_latex(nested))) == parse_latex(nested)


PIECES = st.sampled_from(
    re.split(
        r"\s+",
        r"x y 2 0.5 1e5 + - \cdot * / ^ _ { } ( ) [ ] | \left( \right) \left| \right| \frac \sqrt"
        r" \sqrt[ \sin \sin^{-1} \log_ \max , ! \pi "
        r"e \, {} \operatorname{abs} \left \right . : \ & P_{0} \lfloor \rfloor sin pi ' \\ é ² √",
    )
)


@given(
    st.text(max_size=40)
    | st.lists(PIECES, max_size=14).map("".join)
    | st.lists(PIECES, max_size=14).map(" ".join)
)
@settings(max_examples=200, deadline=None)
@example("x^.")
@example("\\")
@example("_{")
@example("|")
@pytest.mark.security
def test_any_text_is_read_or_refused(text: str) -> None:
    outcome: Node | FormulaError
    try:
        outcome = parse_latex(text)
    except FormulaError as error:
        outcome = error
    if isinstance(outcome, Node):
        assert parse_latex(to_latex(outcome)) == outcome
    else:
        assert "\n" not in str(outcome)
        assert outcome.position is None or 0 <= outcome.position <= len(text)


@given(trees())
@settings(max_examples=200, deadline=None)
def test_written_trees_are_read_as_equal(tree: Node) -> None:
    assert parse_latex(to_latex(tree)) == tree


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1-abs(x/3)", r"1-\left|\frac{x}{3}\right|"),
        ("-(a*b)^2", r"-\left(a\cdot b\right)^{2}"),
        ("(x^a)^b", r"\left(x^{a}\right)^{b}"),
        ("(a!)^b + (-2)^c", r"a!^{b}+\left(-2\right)^{c}"),
        ("a-(b-c)", r"a-\left(b-c\right)"),
        ("pi-theta_0", r"\operatorname{pi}-\theta_{0}"),
        ("asin(n_0)*2", r"\arcsin\left(n_{0}\right)\cdot 2"),
        ("1e-7*x", r"0.0000001\cdot x"),
        ("1 < x", r"\operatorname{less}\left(1,x\right)"),
    ],
)
def test_the_text_is_what_an_equation_field_shows(text: str, written: str) -> None:
    assert to_latex(parse_mathjs(text)) == written
    assert parse_latex(written) == parse_mathjs(text)


def test_nodes_of_modules_have_no_latex() -> None:
    with pytest.raises(FormulaError, match="contains f: replace it"):
        to_latex(parse_mathjs("f(x)+1"))
