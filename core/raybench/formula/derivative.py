"""Exact symbolic derivatives of formulas. A derivative shares subtrees with its formula, so that a
program computes them only once.

At a kink of min and max the derivative is one-sided. At a kink of abs, and of a distance such as
sqrt(x^2 + y^2), it is 0. The derivative of step functions (floor, round, sign, comparisons) is 0.
"""

import math
from collections.abc import Callable
from functools import partial

from raybench.formula.reading import FormulaError
from raybench.formula.tree import ONE, ZERO, Node, distinct_nodes, number_node, operation_node

TWO = number_node(2.0)
MIN_PRODUCT = 1e-300
"""Constants whose product is smaller, or infinite, stay apart."""

SMALLEST_DOUBLE = number_node(5e-324)
"""The least positive double, added to the divisor of a root's derivative: where divisor and
dividend are 0 their quotient is then 0, and elsewhere it is as without.
"""


def derivative(root: Node, variable: str) -> Node:
    """The derivative of a formula with respect to a variable. Raises FormulaError for a factorial
    of the variable, and for nodes that occur only in modules.
    """
    slopes: dict[bytes, Node] = {}
    for node in distinct_nodes(root):
        slopes[node.key] = _node_derivative(node, variable, [slopes[a.key] for a in node.args])
    return slopes[root.key]


def _node_derivative(node: Node, variable: str, argument_derivatives: list[Node]) -> Node:
    if node.op == "variable":
        return ONE if node.name == variable else ZERO
    if node.op in ("call", "array", "index", "random"):
        raise FormulaError(
            f"There is no derivative of {node.name or node.op}: replace it by numbers or operations"
            " first."
        )
    if all(s == ZERO for s in argument_derivatives):
        return ZERO
    rule = DERIVATIVE_RULES.get(node.op)
    if rule is None:
        raise FormulaError(f"There is no derivative of a {node.op}: write the formula without it.")
    return rule(*node.args, *argument_derivatives)


add, sub, div, power, sqrt = (
    partial(operation_node, n) for n in ("add", "sub", "div", "pow", "sqrt")
)


def _split_constant_factor(node: Node) -> tuple[float, Node]:
    """Split a node into a constant factor and the remaining node. The constants of a product are
    multiplied together.
    """
    if node.op == "neg":
        factor, rest = _split_constant_factor(node.args[0])
        return -factor, rest
    if node.op == "number":
        return node.value, ONE
    if node.op == "mul" and node.args[0].op == "number":
        return node.args[0].value, node.args[1]
    return 1.0, node


def multiply_nodes(x: Node, y: Node) -> Node:
    """The product of two nodes, with their constant factors multiplied and put in front."""
    (a, x), (b, y) = _split_constant_factor(x), _split_constant_factor(y)
    factor, product = a * b, operation_node("mul", x, y)
    if not (math.isfinite(factor) and abs(factor) >= MIN_PRODUCT):
        return operation_node("mul", number_node(a), operation_node("mul", number_node(b), product))
    return operation_node("mul", number_node(factor), product)


def negate_node(x: Node) -> Node:
    factor, rest = _split_constant_factor(x)
    return operation_node("mul", number_node(-factor), rest)


def multiply_by_slope(x: Node, slope: Node) -> Node:
    """The product of ``x`` and ``slope``, simplified to 0 if ``slope`` is the constant 0."""
    return ZERO if slope == ZERO else multiply_nodes(x, slope)


def square_node(x: Node) -> Node:
    return power(x, TWO)


def _quotient_derivative(x: Node, y: Node, dx: Node, dy: Node) -> Node:
    if y.op == "number" and MIN_PRODUCT <= abs(y.value) <= 1.0 / MIN_PRODUCT:
        return multiply_nodes(number_node(1.0 / y.value), dx)
    if dy == ZERO:
        return div(dx, y)
    return div(sub(dx, multiply_by_slope(div(x, y), dy)), y)


def _quotient_with_nonzero_divisor(dividend: Node, divisor: Node) -> Node:
    return div(dividend, add(divisor, SMALLEST_DOUBLE))


def _power_derivative(x: Node, y: Node, dx: Node, dy: Node) -> Node:
    if y.op == "number" and 0.0 < y.value < 1.0:
        return _quotient_with_nonzero_divisor(
            multiply_nodes(y, dx), power(x, number_node(1.0 - y.value))
        )
    of_base = ZERO if dx == ZERO else multiply_nodes(multiply_nodes(y, power(x, sub(y, ONE))), dx)
    of_exponent = (
        ZERO
        if dy == ZERO
        else multiply_nodes(multiply_nodes(power(x, y), operation_node("log", x)), dy)
    )
    return add(of_base, of_exponent)


DERIVATIVE_RULES: dict[str, Callable[..., Node]] = {
    "add": lambda x, y, dx, dy: add(dx, dy),
    "sub": lambda x, y, dx, dy: sub(dx, dy),
    "mul": lambda x, y, dx, dy: add(multiply_by_slope(y, dx), multiply_by_slope(x, dy)),
    "div": _quotient_derivative,
    "neg": lambda x, dx: negate_node(dx),
    "pow": _power_derivative,
    "sqrt": lambda x, dx: _quotient_with_nonzero_divisor(dx, multiply_nodes(TWO, sqrt(x))),
    "cbrt": lambda x, dx: _quotient_with_nonzero_divisor(
        dx, multiply_nodes(number_node(3.0), square_node(operation_node("cbrt", x)))
    ),
    "exp": lambda x, dx: multiply_nodes(operation_node("exp", x), dx),
    "log": lambda x, dx: div(dx, x),
    "log2": lambda x, dx: div(dx, multiply_nodes(number_node(math.log(2.0)), x)),
    "log10": lambda x, dx: div(dx, multiply_nodes(number_node(math.log(10.0)), x)),
    "sin": lambda x, dx: multiply_nodes(operation_node("cos", x), dx),
    "cos": lambda x, dx: negate_node(multiply_nodes(operation_node("sin", x), dx)),
    "tan": lambda x, dx: multiply_nodes(add(ONE, square_node(operation_node("tan", x))), dx),
    "asin": lambda x, dx: div(dx, sqrt(sub(ONE, square_node(x)))),
    "acos": lambda x, dx: negate_node(div(dx, sqrt(sub(ONE, square_node(x))))),
    "atan": lambda x, dx: div(dx, add(ONE, square_node(x))),
    "atan2": lambda y, x, dy, dx: div(
        sub(multiply_by_slope(x, dy), multiply_by_slope(y, dx)), add(square_node(x), square_node(y))
    ),
    "sinh": lambda x, dx: multiply_nodes(operation_node("cosh", x), dx),
    "cosh": lambda x, dx: multiply_nodes(operation_node("sinh", x), dx),
    "tanh": lambda x, dx: multiply_nodes(sub(ONE, square_node(operation_node("tanh", x))), dx),
    "asinh": lambda x, dx: div(dx, sqrt(add(square_node(x), ONE))),
    "acosh": lambda x, dx: div(dx, multiply_nodes(sqrt(sub(x, ONE)), sqrt(add(x, ONE)))),
    "atanh": lambda x, dx: div(dx, sub(ONE, square_node(x))),
    "abs": lambda x, dx: multiply_nodes(operation_node("sign", x), dx),
    "min": lambda x, y, dx, dy: operation_node("select", operation_node("less", x, y), dx, dy),
    "max": lambda x, y, dx, dy: operation_node("select", operation_node("less", y, x), dx, dy),
    "mod": lambda x, y, dx, dy: sub(dx, multiply_by_slope(operation_node("floor", div(x, y)), dy)),
    "select": lambda c, x, y, dc, dx, dy: operation_node("select", c, dx, dy),
    **dict.fromkeys(
        ("floor", "ceil", "round", "trunc", "sign", "less", "less_equal", "equal", "not"),
        lambda *_: ZERO,
    ),
}
"""For each operation, its derivative as a function of its arguments and their derivatives."""
