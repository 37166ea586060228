"""Vectorised evaluation of formulas with numpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
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

CHUNK = 4096
"""How many values are computed at once: their results, which are dropped when they are no longer needed, stay in the processor's cache."""


def evaluate_arrays(roots: Sequence[Node], values: Mapping[str, Floats]) -> tuple[Floats, ...]:
    """The values of trees for arrays of their variables, all of the same length. NaN outside a function's domain, infinite for x/0.

    Raises FormulaError for an unknown variable, listing the known ones.
    """
    length = len(next(iter(values.values()))) if values else 1
    steps, kept = _steps(tuple(roots)), [root.key for root in roots]
    found = np.empty((len(roots), length))
    for start in range(0, length, CHUNK):
        part = {name: array[start : start + CHUNK] for name, array in values.items()}
        results: dict[bytes, float | Floats] = {}
        with np.errstate(all="ignore"):
            for node, done in steps:
                results[node.key] = _value(node, results, part, min(CHUNK, length - start))
                for key in done:
                    del results[key]
        for row, key in zip(found, kept, strict=True):
            row[start : start + CHUNK] = results[key]
    return tuple(found)


@lru_cache(maxsize=32)
def _steps(roots: tuple[Node, ...]) -> list[tuple[Node, list[bytes]]]:
    """The nodes of trees, arguments first, each with the results that are not needed after it."""
    nodes = list(nodes_of(*roots))
    last = {argument.key: i for i, node in enumerate(nodes) for argument in node.args}
    kept = {root.key for root in roots}
    done: list[list[bytes]] = [[] for _ in nodes]
    for key, i in last.items():
        if key not in kept:
            done[i].append(key)
    return list(zip(nodes, done, strict=True))


def _value(node: Node, results: Mapping[bytes, float | Floats], values: Mapping[str, Floats], length: int) -> float | Floats:
    if node.op == "number":
        return node.value
    if node.op == "variable":
        if node.name not in values:
            raise FormulaError(f"unknown variable '{node.name}'; known are {', '.join(sorted(values)) or '(none)'}", node.name)
        return values[node.name]
    if node.op not in ARITY:
        raise FormulaError(f"'{node.name or node.op}' has no value here", node.name)
    return _applied(node.op, [results[a.key] for a in node.args], length)


def operate_columns(op: str, args: Sequence[float | Floats], operate: Callable[..., float]) -> Floats:
    """Apply ``operate(op, x, y ...)`` element by element to columns, with bit-identical results."""
    if op in _EXACT:
        with np.errstate(all="ignore"):
            result: Floats = _ARRAY[op](*args)
        return result
    rows = zip(*(a.tolist() if isinstance(a, np.ndarray) else repeat(a) for a in args), strict=False)
    return np.array([operate(op, *row) for row in rows])


def _applied(op: str, args: list[float | Floats], length: int) -> float | Floats:
    function = _ARRAY.get(op)
    if function is not None:
        result: float | Floats = function(*args)
        return result
    columns = (np.broadcast_to(a, length).tolist() for a in args)
    rows = zip(*columns, *([0.0] * length for _ in range(3 - len(args))), strict=True)
    return np.array([plain.operate(CODE[op], *row) for row in rows])
