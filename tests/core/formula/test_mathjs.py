"""Parsing of the syntax of modules, with the precedences of math.js."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raybench.formula import (
    FormulaError,
    Scope,
    evaluate_formula,
    parse_mathjs,
    parse_statements,
    split_range,
)

SCOPE = Scope(
    {
        "x": 3.0,
        "y": 5.0,
        "i": 2.0,
        "N": 8.0,
        "y_1": 10.0,
        "y_2": 50.0,
        "v": (4.0, 5.0, 6.0),
        "θ": 0.5,
        "min": 380.0,
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2pi", math.tau),
        ("y_1+(y_2-y_1)i/N", 20.0),
        ("(y_2-y_1)(i+1)/N", 15.0),
        ("(x)(y)", 15.0),
        ("2 x", 6.0),
        ("x 2", 6.0),
        ("1/2 x", 1.5),
        ("1/2x", 1.5),
        ("-1/2 x", -1.5),
        ("y/1/2 x", 5.0 / 1.5),
        ("1/x y", 1 / 15),
        ("30/x/y", 2.0),
        ("8 pi / 2 pi", 4.0),
        ("2^1/2 x", 2 / 6),
        ("2sin(x)cos(y)", 2 * math.sin(3) * math.cos(5)),
        ("sin (x)", math.sin(3)),
        ("-x^2", -9.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("-2^-2", -0.25),
        ("x!", 6.0),
        ("-x!", -6.0),
        ("2^x!", 64.0),
        ("7 % 4 + 7 mod 4", 6.0),
        ("-7 mod 4", 1.0),
        ("x mod 0", 3.0),
        ("1 < x <= 3", 1.0),
        ("x != 3 or y == 5 and not (i == 3)", 1.0),
        ("not i == 3", 0.0),
        ("mod(7, 4) + (7) mod (4) + and(x, or(0, i))", 7.0),
        ("x == 3 xor y == 5", 0.0),
        ("0.1+0.2 == 0.3", 1.0),
        ("0.1+0.2 > 0.3", 0.0),
        ("x > 2 ? y : 1/0", 5.0),
        ("x < 2 ? 1 : x < 4 ? 2 : 3", 2.0),
        ("v[2] + [7, 8][1]", 12.0),
        ("1e3 + .5 + 2e", 1000.5 + 2 * math.e),
        ("0x1F x + 0b101/0o12 x", 94.5),
        ("1/0x" + "f" * 300, 0.0),
        ("log(8, 2) + log10(1000) + log2(8)", 9.0),
        ("log(e^2)", 2.0),
        ("atan2(1, -1)", 0.75 * math.pi),
        ("cbrt(-27) + nthRoot(81, 4)", 0.0),
        ("hypot(3, 4) + max(1, 2, 3) - min(4, 5)", 4.0),
        ("pow(2, 3) + square(x) + cube(i)", 25.0),
        ("sec(x) - 1/cos(x) + coth(1)*tanh(1)", 1.0),
        ("fix(-2.7) + floor(-2.5) + ceil(-2.5) + sign(-3)", -8.0),
        ("round(2.5) + round(-2.5)", 0.0),
        ("round(-2.5)", -3.0),
        ("round(3.14159, 2)", 3.14),
        ("floor((0.7+0.1)*10)", 8.0),
        ("θ * 2 + min", 381.0),
        ("tau - 2pi + phi - (1+sqrt(5))/2", 0.0),
        ("(x\n + 1)", 4.0),
        ("x .* y ./ 5 + x # a comment", 6.0),
    ],
)
def test_an_expression_has_the_value_that_mathjs_gives(text: str, expected: float) -> None:
    assert evaluate_formula(text, SCOPE) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 3", "two numbers side by side, '2' and '3' at character 3"),
        ("a = 3", "unexpected '=' at character 3 of 'a = 3': write == to compare"),
        ("f(", "'(' without its ')' at character 2"),
        ("sin(1, 2)", "'sin' has 2 arguments instead of 1 at character 1"),
        ("1 +", "nothing follows '+'"),
        ("x $ 2", "unexpected '$' at character 3"),
        ("a ? b", "nothing follows 'b'"),
        ("(a]", "'(' is closed by ')'"),
        ("random(1, 2, 3)", "'random' has more than 2 arguments"),
        ("", "the formula is empty"),
    ],
)
def test_an_error_names_the_place(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_mathjs(text)
    assert message in str(caught.value)


def test_statements_stand_on_lines_or_between_semicolons() -> None:
    found = parse_statements("a = 2 +\n 3; f(x, y) = x*y\n# nothing\n\n g() = 4 ;b=f(a,\n2)")
    assert [(s.name, s.parameters) for s in found] == [
        ("a", None),
        ("f", ("x", "y")),
        ("g", ()),
        ("b", None),
    ]


def test_a_modules_function_wins_over_a_built_in_one() -> None:
    assert parse_statements("gamma(x) = 2x\ny = gamma(3)")[1].body.op == "call"
    assert parse_mathjs("gamma(4)").value == pytest.approx(6.0)


@pytest.mark.parametrize("text", ["f(x, x) = 1", "f(2) = 1", "f(x y) = 1"])
def test_a_definition_needs_different_names(text: str) -> None:
    with pytest.raises(FormulaError, match=r"write it as f\(x, y\)"):
        parse_statements(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("theta=0:2pi/N:2pi-0.0001", ("theta", ("0", "2pi/N", "2pi-0.0001"))),
        ("tMin=-pi:0.01:0: 0", ("tMin", ("-pi", "0.01", "0", "0"))),
        ("lambda=min:step:max", ("lambda", ("min", "step", "max"))),
        ("i=(a?1:2):b>0?1:2:[1:2][1]", ("i", ("(a?1:2)", "b>0?1:2", "[1:2][1]"))),
    ],
)
def test_a_range_is_split_at_its_own_colons(text: str, parts: tuple[str, tuple[str, ...]]) -> None:
    assert split_range(text) == parts


@pytest.mark.parametrize("text", ["i=1:2", "1:2:3", "i", "", "i=1::3", "i=1:2:3:4:5", "i=(1:2:3"])
def test_a_broken_range_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        split_range(text)


PIECES = st.sampled_from(
    re.split(
        " ",
        "x y_1 2 0.5 1e5 + - * / ^ % mod ! == <= and or not xor ? : ( ) [ ] , ; = sin max f random"
        " # ' pi i \n \t",
    )
)


@given(
    st.text(max_size=40)
    | st.lists(PIECES, max_size=14).map("".join)
    | st.lists(PIECES, max_size=14).map(" ".join)
)
@settings(max_examples=400, deadline=None)
@pytest.mark.security
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_mathjs, parse_statements, split_range):
        message = ""
        try:
            parse(text)
        except FormulaError as error:
            message = str(error)
        assert "\n" not in message
