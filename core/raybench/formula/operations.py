"""The operations of formulas: their codes in programs and their numbers of arguments.

Truth values are numbers: 0 and NaN are false, others are true. Comparisons are those of math.js:
equality has a relative tolerance of 1e-12.
"""

from typing import Final

# The codes are module constants, since compiled kernels can only use those.
ADD: Final = 0
SUB: Final = 1
MUL: Final = 2
DIV: Final = 3
NEG: Final = 4
POW: Final = 5
SQRT: Final = 6
EXP: Final = 7
LOG: Final = 8
SIN: Final = 9
COS: Final = 10
TAN: Final = 11
ASIN: Final = 12
ACOS: Final = 13
ATAN: Final = 14
ATAN2: Final = 15
SINH: Final = 16
COSH: Final = 17
TANH: Final = 18
ASINH: Final = 19
ACOSH: Final = 20
ATANH: Final = 21
CBRT: Final = 22
LOG2: Final = 23
LOG10: Final = 24
ABS: Final = 25
SIGN: Final = 26
FLOOR: Final = 27
CEIL: Final = 28
ROUND: Final = 29
TRUNC: Final = 30
MOD: Final = 31
MIN: Final = 32
MAX: Final = 33
LESS: Final = 34
LESS_EQUAL: Final = 35
EQUAL: Final = 36
NOT: Final = 37
SELECT: Final = 38
FACTORIAL: Final = 39
MUL_ADD: Final = 40
"""x y + z, rounded twice: only in programs, which compute a product and a sum as one operation."""

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
