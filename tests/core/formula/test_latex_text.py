"""LaTeX written from a tree parses to the same tree."""

from __future__ import annotations

import pytest
from formula_trees import trees
from hypothesis import given, settings

from raybench.formula import FormulaError, Node, parse_latex, parse_mathjs, to_latex


@given(trees())
@settings(max_examples=500, deadline=None)
def test_latex_of_a_tree_parses_to_an_equal_tree(tree: Node) -> None:
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


def test_nodes_that_only_modules_have_cannot_be_written_as_latex() -> None:
    with pytest.raises(FormulaError, match="contains f: replace it"):
        to_latex(parse_mathjs("f(x)+1"))
