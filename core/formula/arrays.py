"""Vectorised evaluation of formulas with numpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.formula.errors import FormulaError
from core.formula.interpreter import plain
from core.formula.operations import ARITY, CODE
from core.formula.tree import Node, nodes_of

Floats = NDArray[np.float64]

_ARRAY: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "sqrt": np.sqrt, "exp": np.exp,
    "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "abs": np.abs, "sign": np.sign, "pow": np.power,
}  # fmt: skip
"""Operations for which numpy has a function with the interpreter's semantics; the interpreter evaluates others element by element."""
_EXACT = frozenset({"add", "sub", "mul", "div", "neg", "abs", "sqrt"})
"""Those of them with bit-identical results, since IEEE arithmetic defines them exactly."""


def evaluate_arrays(roots: Sequence[Node], values: Mapping[str, Floats]) -> tuple[Floats, ...]:
    """The values of trees for arrays of their variables, all of the same length. NaN outside a function's domain, infinite for x/0.

    Raises FormulaError for an unknown variable, listing the known ones.
    """
    results: dict[bytes, Floats] = {}
    length = len(next(iter(values.values()))) if values else 1
    with np.errstate(all="ignore"):
        for node in nodes_of(*roots):
            if node.op == "number":
                results[node.key] = np.full(length, node.value)
            elif node.op == "variable":
                if node.name not in values:
                    raise FormulaError(f"unknown variable '{node.name}'; known are {', '.join(sorted(values)) or '(none)'}", node.name)
                results[node.key] = values[node.name]
            elif node.op not in ARITY:
                raise FormulaError(f"'{node.name or node.op}' has no value here", node.name)
            else:
                results[node.key] = _applied(node.op, [results[a.key] for a in node.args])
    return tuple(results[root.key] for root in roots)


def operate_columns(op: str, args: Sequence[float | Floats], operate: Callable[..., float]) -> Floats:
    """Apply ``operate(op, x, y ...)`` element by element to columns, with bit-identical results."""
    if op in _EXACT:
        with np.errstate(all="ignore"):
            result: Floats = _ARRAY[op](*args)
        return result
    rows = zip(*(a.tolist() if isinstance(a, np.ndarray) else repeat(a) for a in args), strict=False)
    return np.array([operate(op, *row) for row in rows])


def _applied(op: str, args: list[Floats]) -> Floats:
    function = _ARRAY.get(op)
    if function is not None:
        result: Floats = function(*args)
        return result
    rows = zip(*(a.tolist() for a in args), *([0.0] * len(args[0]) for _ in range(3 - len(args))), strict=True)
    return np.array([plain.operate(CODE[op], *row) for row in rows])
