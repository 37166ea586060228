"""The functions available in formulas, in both syntaxes, defined by operations of the syntax tree."""

import difflib
import math
from collections.abc import Callable
from functools import partial, reduce

from raybench.formula.operations import ARITY
from raybench.formula.tree import ONE, ZERO, Node, number, operation

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


def similar_function(name: str) -> str:
    """The remedy for an unknown function name: similar names, or the available functions."""
    near = difflib.get_close_matches(name.lower(), FUNCTIONS, n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return (
        "there are sqrt, exp, ln, sin, cos, tan, their inverses and hyperbolic ones, abs, sign,"
        " floor, ceil, round, min, max and others"
    )


def both(x: Node, y: Node) -> Node:
    """A node that is 1 if both arguments are true, else 0."""
    return operation("select", x, truth_value(y), ZERO)


def either(x: Node, y: Node) -> Node:
    """A node that is 1 if at least one argument is true, else 0."""
    return operation("select", x, ONE, truth_value(y))


def truth_value(x: Node) -> Node:
    """A node that is 1 if ``x`` is true, else 0."""
    if x.op in ("less", "less_equal", "equal", "not"):
        return x
    return operation("not", operation("not", x))


def exclusive(x: Node, y: Node) -> Node:
    """A node that is 1 if exactly one argument is true, else 0."""
    return operation("not", operation("equal", operation("not", x), operation("not", y)))


def unequal(x: Node, y: Node) -> Node:
    """A node that is 1 if ``x`` and ``y`` differ, else 0."""
    return operation("not", operation("equal", x, y))


def root(x: Node, degree: Node) -> Node:
    """The n-th root of ``x``, where n is ``degree``. For odd n, a negative number has a negative
    root.
    """
    if degree.op == "number" and degree.value == 2.0:
        return operation("sqrt", x)
    if degree.op == "number" and degree.value == 3.0:
        return operation("cbrt", x)
    size = operation("pow", operation("abs", x), operation("div", ONE, degree))
    if degree.op == "number" and degree.value % 2.0 == 1.0:
        return operation("mul", operation("sign", x), size)
    return operation("pow", x, operation("div", ONE, degree))


def _inverse_of_reciprocal(name: str) -> Build:
    """Build a function by applying the function ``name`` to 1/x: arcsec(x) is arccos(1/x)."""
    return lambda x: operation(name, operation("div", ONE, x))


def _reciprocal_function(name: str) -> Build:
    return lambda x: operation("div", ONE, operation(name, x))


def _fold_arguments(name: str) -> Build:
    return lambda *args: reduce(partial(operation, name), args)


def _logarithm(x: Node, base: Node | None = None) -> Node:
    if base is None:
        return operation("log", x)
    if base.op == "number" and base.value in (2.0, 10.0):
        return operation(f"log{base.value:.0f}", x)
    return operation("div", operation("log", x), operation("log", base))


def _round(x: Node, digits: Node | None = None) -> Node:
    if digits is None:
        return operation("round", x)
    scale = operation("pow", number(10.0), digits)
    return operation("div", operation("round", operation("mul", x, scale)), scale)


def _hypot(*args: Node) -> Node:
    return operation(
        "sqrt",
        reduce(partial(operation, "add"), (operation("pow", a, number(2.0)) for a in args)),
    )


def _flip_arguments(name: str) -> Build:
    return lambda x, y: operation(name, y, x)


FUNCTIONS: dict[str, tuple[int, int | None, Build]] = {
    **{name: (arity, arity, partial(operation, name)) for name, arity in ARITY.items()},
    "min": (1, None, _fold_arguments("min")),
    "max": (1, None, _fold_arguments("max")),
    "add": (2, None, _fold_arguments("add")),
    "multiply": (2, None, _fold_arguments("mul")),
    "subtract": (2, 2, partial(operation, "sub")),
    "divide": (2, 2, partial(operation, "div")),
    "unaryMinus": (1, 1, partial(operation, "neg")),
    "square": (1, 1, lambda x: operation("pow", x, number(2.0))),
    "cube": (1, 1, lambda x: operation("pow", x, number(3.0))),
    "log": (1, 2, _logarithm),
    "ln": (1, 1, partial(operation, "log")),
    "lg": (1, 1, partial(operation, "log10")),
    "log1p": (1, 1, lambda x: operation("log", operation("add", x, ONE))),
    "expm1": (1, 1, lambda x: operation("sub", operation("exp", x), ONE)),
    "round": (1, 2, _round),
    "fix": (1, 1, partial(operation, "trunc")),
    "sgn": (1, 1, partial(operation, "sign")),
    "hypot": (1, None, _hypot),
    "nthRoot": (1, 2, lambda x, degree=None: root(x, degree or number(2.0))),
    "gamma": (1, 1, lambda x: operation("factorial", operation("sub", x, ONE))),
    "if": (3, 3, partial(operation, "select")),
    "smaller": (2, 2, partial(operation, "less")),
    "smallerEq": (2, 2, partial(operation, "less_equal")),
    "larger": (2, 2, _flip_arguments("less")),
    "largerEq": (2, 2, _flip_arguments("less_equal")),
    "unequal": (2, 2, unequal),
    "and": (2, 2, both),
    "or": (2, 2, either),
    "xor": (2, 2, exclusive),
}
"""Functions by name: minimum and maximum number of arguments (None: unlimited), and the function
that builds the tree.
"""

for _name, _plain in (("sec", "cos"), ("csc", "sin"), ("cosec", "sin"), ("cot", "tan")):
    FUNCTIONS[_name] = (1, 1, _reciprocal_function(_plain))
    FUNCTIONS[f"{_name}h"] = (1, 1, _reciprocal_function(f"{_plain}h"))
    FUNCTIONS[f"a{_name}"] = (1, 1, _inverse_of_reciprocal(f"a{_plain}"))
    FUNCTIONS[f"a{_name}h"] = (1, 1, _inverse_of_reciprocal(f"a{_plain}h"))
for _name in ("sin", "cos", "tan", "sec", "csc", "cot"):
    FUNCTIONS[f"arc{_name}"] = FUNCTIONS[f"a{_name}"]
    for _prefix in ("ar", "arc"):
        FUNCTIONS[f"{_prefix}{_name}h"] = FUNCTIONS[f"a{_name}h"]

INVERSE = {name: f"a{name}" for name in FUNCTIONS if f"a{name}" in FUNCTIONS}
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
