"""Vectorised evaluation of formulas with numpy."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any

import numpy as np

from raybench.arrays import Floats
from raybench.formula.interpreter import SAME, plain
from raybench.formula.operations import ARITY, CODE
from raybench.formula.reading import FormulaError
from raybench.formula.tree import Node, distinct_nodes


def _equal_arrays(x: Any, y: Any) -> Any:
    larger = np.maximum(np.abs(x), np.abs(y))
    return (x == y) | ((np.abs(np.subtract(x, y)) <= larger * SAME) & (larger != np.inf))


def _power_arrays(x: Any, y: Any) -> Any:
    return np.where(
        np.equal(np.abs(x), 1.0) & ~np.isfinite(y), np.nan, np.power(x, y)
    )  # JavaScript's rule


def _round_array(x: Any) -> Any:
    low = np.floor(x)
    return np.where(np.subtract(x, low) >= 0.5, low + 1.0, low)


_NUMPY_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "sqrt": np.sqrt, "exp": np.exp,
    "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "cbrt": np.cbrt, "log2": np.log2, "log10": np.log10, "abs": np.abs, "sign": np.sign, "pow": _power_arrays, "floor": np.floor, "round": _round_array,
    "ceil": lambda x: -np.floor(np.negative(x)),
    "trunc": lambda x: np.where(np.greater(x, 0.0), np.floor(x), -np.floor(np.negative(x))),
    "mod": lambda x, y: np.where(np.equal(y, 0.0), x, x - y * np.floor(np.divide(x, y))),
    "min": lambda x, y: np.where(np.less(x, y) | np.isnan(x), x, y), "max": lambda x, y: np.where(np.greater(x, y) | np.isnan(x), x, y),
    "less": lambda x, y: np.where(np.less(x, y) & ~_equal_arrays(x, y), 1.0, 0.0),
    "less_equal": lambda x, y: np.where(np.less(x, y) | _equal_arrays(x, y), 1.0, 0.0), "equal": lambda x, y: np.where(_equal_arrays(x, y), 1.0, 0.0),
    "not": lambda x: np.where(np.equal(x, x) & np.not_equal(x, 0.0), 0.0, 1.0),
    "select": lambda x, y, z: np.where(np.equal(x, x) & np.not_equal(x, 0.0), y, z),
}  # fmt: skip
"""Operations that numpy computes as the interpreter does; the interpreter evaluates others element
by element.
"""
_EXACT_OPERATIONS = frozenset({"add", "sub", "mul", "div", "neg", "abs", "sqrt"})
"""Those of them with bit-identical results, since IEEE arithmetic defines them exactly."""

CHUNK_SIZE = 4096
"""How many values are computed at once: their results, which are dropped when they are no longer
needed, stay in the processor's cache.
"""


def evaluate_arrays(roots: Sequence[Node], values: Mapping[str, Floats]) -> tuple[Floats, ...]:
    """The values of syntax trees whose variables are arrays of equal length. A value is NaN outside
    a function's domain, and infinite for x/0.

    Raises FormulaError for an unknown variable, listing the known ones.
    """
    length = len(next(iter(values.values()))) if values else 1
    steps, kept = _evaluation_steps(tuple(roots)), [root.key for root in roots]
    found = np.empty((len(roots), length))
    for start in range(0, length, CHUNK_SIZE):
        part = {name: array[start : start + CHUNK_SIZE] for name, array in values.items()}
        results: dict[bytes, float | Floats] = {}
        with np.errstate(all="ignore"):
            for node, done in steps:
                results[node.key] = _node_value(
                    node, results, part, min(CHUNK_SIZE, length - start)
                )
                for key in done:
                    del results[key]
        for row, key in zip(found, kept, strict=True):
            row[start : start + CHUNK_SIZE] = results[key]
    return tuple(found)


@lru_cache(maxsize=32)
def _evaluation_steps(roots: tuple[Node, ...]) -> list[tuple[Node, list[bytes]]]:
    """The nodes of the trees in order of evaluation, arguments first. With each node come the keys
    of the results that are no longer needed after it.
    """
    nodes = list(distinct_nodes(*roots))
    last = {argument.key: i for i, node in enumerate(nodes) for argument in node.args}
    kept = {root.key for root in roots}
    done: list[list[bytes]] = [[] for _ in nodes]
    for key, i in last.items():
        if key not in kept:
            done[i].append(key)
    return list(zip(nodes, done, strict=True))


def _node_value(
    node: Node, results: Mapping[bytes, float | Floats], values: Mapping[str, Floats], length: int
) -> float | Floats:
    if node.op == "number":
        return node.value
    if node.op == "variable":
        if node.name not in values:
            raise FormulaError(
                f"unknown variable '{node.name}'; known are"
                f" {', '.join(sorted(values)) or '(none)'}",
                node.name,
            )
        return values[node.name]
    if node.op not in ARITY:
        raise FormulaError(f"'{node.name or node.op}' has no value here", node.name)
    return _apply_operation(node.op, [results[a.key] for a in node.args], length)


def apply_to_columns(
    op: str, args: Sequence[float | Floats], operate: Callable[..., float]
) -> Floats:
    """Apply ``operate(op, x, y ...)`` element by element to columns, with bit-identical results."""
    if op in _EXACT_OPERATIONS:
        with np.errstate(all="ignore"):
            result: Floats = _NUMPY_FUNCTIONS[op](*args)
        return result
    rows = zip(
        *(a.tolist() if isinstance(a, np.ndarray) else repeat(a) for a in args), strict=False
    )
    return np.array([operate(op, *row) for row in rows])


def _apply_operation(op: str, args: list[float | Floats], length: int) -> float | Floats:
    function = _NUMPY_FUNCTIONS.get(op)
    if function is not None:
        result: float | Floats = function(*args)
        return result
    if not any(isinstance(a, np.ndarray) and a.ndim for a in args):
        return plain.operate(CODE[op], *(float(a) for a in args), *([0.0] * (3 - len(args))))
    columns = (np.broadcast_to(a, length).tolist() for a in args)
    rows = zip(*columns, *([0.0] * length for _ in range(3 - len(args))), strict=True)
    return np.array([plain.operate(CODE[op], *row) for row in rows])
