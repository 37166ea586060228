"""Expressions of the bank, such as ``degrees(asin(1 / index('Water')))``: Python arithmetic and
comparisons with a given set of functions.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from raybench.errors import RaybenchError

Functions = Mapping[str, Callable[..., Any]]
MATHS: Functions = {
    **{name: getattr(math, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "atan")},
    **{name: getattr(math, name) for name in ("degrees", "radians", "floor")},
    "abs": abs,
}
OPERATORS: Mapping[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
    ast.USub: operator.neg,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}


class InvalidExpression(RaybenchError):
    """An expression cannot be parsed or evaluated."""


def evaluate_expression(text: str, functions: Functions) -> Any:
    """The value of an expression with the functions of `MATHS` and the given ``functions``. Raises
    InvalidExpression if it contains anything else or has no value; errors of the functions are not
    caught.
    """
    known = {**MATHS, **functions}

    def value(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=int() | float() | str() as constant):
                return constant
            case ast.Name(id="pi"):
                return math.pi
            case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return OPERATORS[type(op)](value(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return OPERATORS[type(op)](value(left), value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
                return OPERATORS[type(op)](value(left), value(right))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in known:
                return known[name](*map(value, args))
        raise InvalidExpression(f"'{text}' holds {ast.unparse(node)}, which is not understood.")

    try:
        return value(ast.parse(text, mode="eval").body)
    except RaybenchError:
        raise
    except (
        SyntaxError,
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise InvalidExpression(f"'{text}' has no value: {error}.") from None
