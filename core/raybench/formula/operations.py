"""The operations of formulas: their codes in programs and their numbers of arguments.

Truth values are numbers: 0 and NaN are false, others are true. Comparisons are those of math.js:
equality has a relative tolerance of 1e-12.
"""

from typing import Final

# The codes are module constants, since compiled kernels can only use those.
(
    ADD, SUB, MUL, DIV, NEG, POW, SQRT, EXP, LOG, SIN, COS, TAN, ASIN, ACOS, ATAN, ATAN2, SINH, COSH,
    TANH, ASINH, ACOSH, ATANH, CBRT, LOG2, LOG10, ABS, SIGN, FLOOR, CEIL, ROUND, TRUNC, MOD, MIN, MAX,
    LESS, LESS_EQUAL, EQUAL, NOT, SELECT, FACTORIAL, MUL_ADD,
) = range(41)  # fmt: skip
"""MUL_ADD is x y + z, rounded twice: only in programs, which compute a product and a sum as one
operation.
"""

ARITY: Final[dict[str, int]] = {
    "add": 2, "sub": 2, "mul": 2, "div": 2, "neg": 1, "pow": 2, "sqrt": 1, "exp": 1, "log": 1, "sin": 1, "cos": 1, "tan": 1,
    "asin": 1, "acos": 1, "atan": 1, "atan2": 2, "sinh": 1, "cosh": 1, "tanh": 1, "asinh": 1, "acosh": 1, "atanh": 1, "cbrt": 1,
    "log2": 1, "log10": 1, "abs": 1, "sign": 1, "floor": 1, "ceil": 1, "round": 1, "trunc": 1, "mod": 2, "min": 2, "max": 2,
    "less": 2, "less_equal": 2, "equal": 2, "not": 1, "select": 3, "factorial": 1,
}  # fmt: skip
"""The operations in the order of their codes, with their number of arguments. ``select(c, a, b)``
is a if c is true, else b.
"""

CODE: Final[dict[str, int]] = {name: code for code, name in enumerate(ARITY)}
COMMUTATIVE: Final = frozenset({"add", "mul", "equal"})
STEPS: Final = frozenset({"floor", "ceil", "round", "trunc"})
"""Operations in which math.js and JavaScript differ for arguments within 1e-12 of a step, or for
halves.
"""
FINITE: Final = frozenset(
    {
        "add",
        "sub",
        "mul",
        "neg",
        "sin",
        "cos",
        "atan",
        "atan2",
        "tanh",
        "asinh",
        "cbrt",
        "abs",
        "sign",
        "floor",
        "ceil",
        "round",
        "trunc",
    }
    | {"min", "max", "less", "less_equal", "equal", "not", "select"}
)
"""Operations whose result is finite for finite arguments, except for overflow."""
