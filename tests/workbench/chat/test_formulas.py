"""Formulas in answers, written plainly."""

from __future__ import annotations

import pytest

from raybench_workbench.chat.answer_text import MAX_CHARACTERS
from raybench_workbench.chat.formula_text import make_formulas_plain, plain_formula


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"n_1 \sin\theta_1 = n_2\sin\theta_2", "n₁ sin θ₁ = n₂ sin θ₂"),
        (
            r"\frac{1}{f} = (n-1)\left(\frac{1}{R_1} - \frac{1}{R_2}\right)",
            "1/f = (n−1)(1/R₁ − 1/R₂)",
        ),
        (r"\frac{a+b}{2}", "(a+b)/2"),
        (r"\sqrt{n^2 - \sin^2\theta}", "√(n² − sin² θ)"),
        (r"38.2^\circ", "38.2°"),
        (r"\lambda = 540\,\mathrm{nm}", "λ = 540 nm"),
        (r"n_{\text{glass}}", "n_glass"),
        (r"e^{-x^2}", "e^(−x²)"),
        (r"3 \times 10^{-3}", "3 × 10⁻³"),
        (r"\unknown{x}", r"\unknownx"),
        ("a } b", "a b"),
        ("{{{", ""),
        (r"\frac", "/"),
        ("x_", "x"),
    ],
)
def test_a_formula_is_written_with_letters_and_indices(latex: str, plain: str) -> None:
    assert plain_formula(latex) == plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("with $x^2$ and \\(y_1\\).", "with x² and y₁."),
        ("$$a = b$$", "\n\na = b\n\n"),
        ("use `$x_1$`, not $x_1$", "use `$x_1$`, not x₁"),
        ("```\n$x_1$\n```", "```\n$x_1$\n```"),
        ("costs $5 and $6 a piece", "costs $5 and $6 a piece"),
        ("$a*b*c$", "a\\*b\\*c"),
    ],
)
def test_only_formulas_of_a_text_are_changed(text: str, shown: str) -> None:
    assert make_formulas_plain(text) == shown


def test_deep_and_long_formulas_do_no_harm() -> None:
    assert plain_formula("{" * 5000 + "x" + "}" * 5000)
    assert make_formulas_plain("$" * (MAX_CHARACTERS + 1)) == "$" * (MAX_CHARACTERS + 1)
    make_formulas_plain("$$a " * 5000)


@pytest.mark.parametrize("token", ["^", "_", r"\frac", r"\sqrt", r"\vec", "{^"])
def test_arguments_within_arguments_overflow_nothing(token: str) -> None:
    assert plain_formula(token * 2000 + "x")
