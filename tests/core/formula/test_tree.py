"""Trees apply only exact simplifications."""

from __future__ import annotations

import math

import pytest
from formula_trees import trees
from hypothesis import given, settings

from raybench.formula import Node, evaluate_formula, number_node, parse_mathjs, variable_node
from raybench.formula.operations import ARITY
from raybench.formula.tree import distinct_nodes, node_with_arguments, operation_node, rebuild_tree


@pytest.mark.parametrize(
    ("text", "simpler"),
    [
        ("x + 0", "x"),
        ("0 + x", "x"),
        ("x - 0", "x"),
        ("0 - x", "-x"),
        ("x * 1", "x"),
        ("1 x", "x"),
        ("-1 * x", "-x"),
        ("x / 1", "x"),
        ("x ^ 1", "x"),
        ("(1/x) ^ 0", "1"),
        ("1 ^ x", "1"),
        ("--x", "x"),
        ("x + (-y)", "x - y"),
        ("x - (-2)", "x + 2"),
        ("0 * sin(x + y)", "0"),
        ("2 + 3 * 4", "14"),
        ("sqrt(16) - 2^3", "-4"),
    ],
)
def test_trees_are_simplified(text: str, simpler: str) -> None:
    assert parse_mathjs(text) == parse_mathjs(simpler)


@pytest.mark.parametrize(
    "text",
    [
        "0 * (1/x)",
        "0 * log(x)",
        "0 * exp(1/x)",
        "1 ^ (1/x)",
        "1/0",
        "0/0",
        "x - x",
        "0 / x",
        "sqrt(-1)",
        "round(2.5)",
    ],
)
def test_possibly_undefined_terms_are_not_simplified(text: str) -> None:
    assert parse_mathjs(text).op != "number"


def test_infinity_is_a_number_and_nan_is_not() -> None:
    assert number_node(math.inf).value == math.inf
    assert number_node(math.nan) == parse_mathjs("0/0")
    assert math.isnan(evaluate_formula(number_node(math.nan)))


@given(trees())
@settings(max_examples=200, deadline=None)
def test_a_rebuilt_tree_is_equal(tree: Node) -> None:
    again = rebuild_tree(tree, node_with_arguments)
    assert again == tree
    assert hash(again) == hash(tree)
    assert sum(1 for _ in distinct_nodes(tree)) <= tree.size


def test_shared_parts_are_visited_once() -> None:
    tree = variable_node("x")
    for _ in range(200):
        tree = operation_node("mul", tree, tree)
    assert sum(1 for _ in distinct_nodes(tree)) == 201
    assert tree.size > 2**200


def test_every_operation_knows_its_arguments() -> None:
    for op, count in ARITY.items():
        assert operation_node(op, *[variable_node(f"x_{i}") for i in range(count)]).op == op
