"""Random formulas for property tests."""

from __future__ import annotations

import math
from collections.abc import Collection

from hypothesis import strategies as st

from raybench.formula import Node, number_node, variable_node
from raybench.formula.operations import ARITY
from raybench.formula.tree import operation_node

NAMES = ("x", "y", "theta_0", "lambda", "P_1", "x1", "angle_rad", "e", "n_max")
SMOOTH = (
    "add",
    "sub",
    "mul",
    "div",
    "neg",
    "exp",
    "log",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
)
SMOOTH += (
    "asinh",
    "acosh",
    "atanh",
    "sqrt",
    "cbrt",
    "log2",
    "log10",
    "abs",
    "min",
    "max",
    "mod",
    "select",
    "less",
    "pow",
)

numbers = st.one_of(
    st.integers(-12, 12).map(float),
    st.floats(-1e3, 1e3, allow_nan=False),
    st.sampled_from([math.pi, math.e, 0.5, 1e-300, 1e300, 5e-324, -0.0, math.inf, 1.0 / 3.0]),
).map(number_node)

moderate = st.integers(-12, 12).map(float).map(number_node) | st.floats(-20.0, 20.0).map(
    lambda v: number_node(round(v, 3))
)


def trees(
    names: Collection[str] = NAMES,
    operations: Collection[str] = tuple(ARITY),
    leaves: int = 12,
    constants: st.SearchStrategy[Node] = numbers,
) -> st.SearchStrategy[Node]:
    """Formulas of some operations in some variables."""

    def grown(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        return st.one_of(
            *(
                st.tuples(*[parts] * ARITY[o]).map(lambda args, o=o: operation_node(o, *args))
                for o in sorted(operations)
            )
        )

    return st.recursive(
        constants | st.sampled_from(sorted(names)).map(variable_node), grown, max_leaves=leaves
    )
