"""The functions available in formulas, in both syntaxes, defined by operations of the syntax tree."""

import difflib
import math
from collections.abc import Callable
from functools import partial, reduce

from raybench.formula.operations import ARITY
from raybench.formula.tree import ONE, ZERO, Node, number_node, operation_node

Build = Callable[..., Node]


def apply_function(name: str, args: tuple[Node, ...]) -> Node:
    """Apply a function, whose name must be known. Raises ValueError with the remedy if the number
    of arguments is wrong.
    """
    least, most, build = FUNCTIONS[name]
    if least <= len(args) <= (most or len(args)):
        return build(*args)
    wanted = (
        f"{least}"
        if most == least
        else (f"{least} or more" if most is None else f"{least} to {most}")
    )
    raise ValueError(
        f"'{name}' has {len(args)} argument{'' if len(args) == 1 else 's'} instead of {wanted}"
    )


def similar_function_text(name: str) -> str:
    """The remedy for an unknown function name: similar names, or the available functions."""
    near = difflib.get_close_matches(name.lower(), FUNCTIONS, n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return (
        "there are sqrt, exp, ln, sin, cos, tan, their inverses and hyperbolic ones, abs, sign,"
        " floor, ceil, round, min, max and others"
    )


def logical_and(x: Node, y: Node) -> Node:
    """A node that is 1 if both arguments are true, else 0."""
    return operation_node("select", x, truth_value(y), ZERO)


def logical_or(x: Node, y: Node) -> Node:
    """A node that is 1 if at least one argument is true, else 0."""
    return operation_node("select", x, ONE, truth_value(y))


def truth_value(x: Node) -> Node:
    """A node that is 1 if ``x`` is true, else 0."""
    if x.op in ("less", "less_equal", "equal", "not"):
        return x
    return operation_node("not", operation_node("not", x))


def logical_xor(x: Node, y: Node) -> Node:
    """A node that is 1 if exactly one argument is true, else 0."""
    return operation_node(
        "not", operation_node("equal", operation_node("not", x), operation_node("not", y))
    )


def not_equal(x: Node, y: Node) -> Node:
    """A node that is 1 if ``x`` and ``y`` differ, else 0."""
    return operation_node("not", operation_node("equal", x, y))


def nth_root(x: Node, degree: Node) -> Node:
    """The n-th root of ``x``, where n is ``degree``. For odd n, a negative number has a negative
    root.
    """
    if degree.op == "number" and degree.value == 2.0:
        return operation_node("sqrt", x)
    if degree.op == "number" and degree.value == 3.0:
        return operation_node("cbrt", x)
    size = operation_node("pow", operation_node("abs", x), operation_node("div", ONE, degree))
    if degree.op == "number" and degree.value % 2.0 == 1.0:
        return operation_node("mul", operation_node("sign", x), size)
    return operation_node("pow", x, operation_node("div", ONE, degree))


def _function_of_reciprocal(name: str) -> Build:
    """Build a function by applying the function ``name`` to 1/x: arcsec(x) is arccos(1/x)."""
    return lambda x: operation_node(name, operation_node("div", ONE, x))


def _reciprocal_function(name: str) -> Build:
    return lambda x: operation_node("div", ONE, operation_node(name, x))


def _function_folding_arguments(name: str) -> Build:
    return lambda *args: reduce(partial(operation_node, name), args)


def _logarithm(x: Node, base: Node | None = None) -> Node:
    if base is None:
        return operation_node("log", x)
    if base.op == "number" and base.value in (2.0, 10.0):
        return operation_node(f"log{base.value:.0f}", x)
    return operation_node("div", operation_node("log", x), operation_node("log", base))


def _rounded_node(x: Node, digits: Node | None = None) -> Node:
    if digits is None:
        return operation_node("round", x)
    scale = operation_node("pow", number_node(10.0), digits)
    return operation_node("div", operation_node("round", operation_node("mul", x, scale)), scale)


def _hypot(*args: Node) -> Node:
    return operation_node(
        "sqrt",
        reduce(
            partial(operation_node, "add"),
            (operation_node("pow", a, number_node(2.0)) for a in args),
        ),
    )


def _function_with_swapped_arguments(name: str) -> Build:
    return lambda x, y: operation_node(name, y, x)


FUNCTIONS: dict[str, tuple[int, int | None, Build]] = {
    **{name: (arity, arity, partial(operation_node, name)) for name, arity in ARITY.items()},
    "min": (1, None, _function_folding_arguments("min")),
    "max": (1, None, _function_folding_arguments("max")),
    "add": (2, None, _function_folding_arguments("add")),
    "multiply": (2, None, _function_folding_arguments("mul")),
    "subtract": (2, 2, partial(operation_node, "sub")),
    "divide": (2, 2, partial(operation_node, "div")),
    "unaryMinus": (1, 1, partial(operation_node, "neg")),
    "square": (1, 1, lambda x: operation_node("pow", x, number_node(2.0))),
    "cube": (1, 1, lambda x: operation_node("pow", x, number_node(3.0))),
    "log": (1, 2, _logarithm),
    "ln": (1, 1, partial(operation_node, "log")),
    "lg": (1, 1, partial(operation_node, "log10")),
    "log1p": (1, 1, lambda x: operation_node("log", operation_node("add", x, ONE))),
    "expm1": (1, 1, lambda x: operation_node("sub", operation_node("exp", x), ONE)),
    "round": (1, 2, _rounded_node),
    "fix": (1, 1, partial(operation_node, "trunc")),
    "sgn": (1, 1, partial(operation_node, "sign")),
    "hypot": (1, None, _hypot),
    "nthRoot": (1, 2, lambda x, degree=None: nth_root(x, degree or number_node(2.0))),
    "gamma": (1, 1, lambda x: operation_node("factorial", operation_node("sub", x, ONE))),
    "if": (3, 3, partial(operation_node, "select")),
    "smaller": (2, 2, partial(operation_node, "less")),
    "smallerEq": (2, 2, partial(operation_node, "less_equal")),
    "larger": (2, 2, _function_with_swapped_arguments("less")),
    "largerEq": (2, 2, _function_with_swapped_arguments("less_equal")),
    "unequal": (2, 2, not_equal),
    "and": (2, 2, logical_and),
    "or": (2, 2, logical_or),
    "xor": (2, 2, logical_xor),
}
"""Functions by name: minimum and maximum number of arguments (None: unlimited), and the function
that builds the tree.
"""

for _name, _plain in (("sec", "cos"), ("csc", "sin"), ("cosec", "sin"), ("cot", "tan")):
    FUNCTIONS[_name] = (1, 1, _reciprocal_function(_plain))
    FUNCTIONS[f"{_name}h"] = (1, 1, _reciprocal_function(f"{_plain}h"))
    FUNCTIONS[f"a{_name}"] = (1, 1, _function_of_reciprocal(f"a{_plain}"))
    FUNCTIONS[f"a{_name}h"] = (1, 1, _function_of_reciprocal(f"a{_plain}h"))
for _name in ("sin", "cos", "tan", "sec", "csc", "cot"):
    FUNCTIONS[f"arc{_name}"] = FUNCTIONS[f"a{_name}"]
    for _prefix in ("ar", "arc"):
        FUNCTIONS[f"{_prefix}{_name}h"] = FUNCTIONS[f"a{_name}h"]

INVERSE_NAMES = {name: f"a{name}" for name in FUNCTIONS if f"a{name}" in FUNCTIONS}
"""The inverse functions denoted by ``\\sin^{-1}`` etc."""

CONSTANTS = {
    "pi": math.pi,
    "PI": math.pi,
    "e": math.e,
    "E": math.e,
    "tau": math.tau,
    "deg": math.pi / 180.0,
    "phi": (1.0 + math.sqrt(5.0)) / 2.0,
    "Infinity": math.inf,
    "NaN": math.nan,
    "true": 1.0,
    "false": 0.0,
    "LN2": math.log(2.0),
    "LN10": math.log(10.0),
    "LOG2E": math.log2(math.e),
    "LOG10E": math.log10(math.e),
    "SQRT2": math.sqrt(2.0),
    "SQRT1_2": math.sqrt(0.5),
}
"""Constants of math.js' syntax, unless a module redefines them."""
