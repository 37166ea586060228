"""Parsing of math.js' syntax, as in the variables, loops, conditions and templates of modules.

Juxtaposition binds more tightly than * and /, so 1/a b is 1/(a·b), but a fraction of two numbers
binds even more tightly: 1/2 x is x/2. A name followed by a bracket is a call. ^ is the power, % and
mod are the remainder, indices start at 1.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

from raybench.formula.errors import ParseError, located
from raybench.formula.functions import FUNCTIONS, apply_function, both, either, exclusive, unequal
from raybench.formula.mathjs_marks import marks_of, split_at
from raybench.formula.reading import Grammar, Mark, check_brackets
from raybench.formula.tree import (
    Node,
    array,
    call,
    index,
    number,
    operation,
    random,
    variable,
    within_limit,
)

if TYPE_CHECKING:
    from lark import Token, Transformer

RULES = r"""
start: value
?value: either | either QUESTION value COLON value -> conditional
?either: exclusive | either OR exclusive -> either
?exclusive: both | exclusive XOR both -> exclusive
?both: relation | both AND relation -> both
?relation: sum | sum (RELATION sum)+ -> chain
?sum: product | sum PLUS product -> add | sum MINUS product -> sub
?product: juxtaposed | product TIMES juxtaposed -> mul | product DIVIDE juxtaposed -> div | product MOD juxtaposed -> mod
?juxtaposed: unary | juxtaposed (power | fraction) -> juxtaposed
?unary: power | fraction | MINUS unary -> neg | PLUS unary -> same | NOT unary -> negation
fraction: NUMBER FRACTION NUMBER
?power: postfix | postfix POW unary -> pow
?postfix: operand | postfix BANG -> factorial | postfix LSQUARE value RSQUARE -> index
?operand: NUMBER -> number | NAME -> name | LPAR value RPAR -> inside | FUNCTION LPAR (value (COMMA value)*)? RPAR -> call
  | OWN LPAR (value (COMMA value)*)? RPAR -> own_call | LSQUARE (value (COMMA value)*)? RSQUARE -> array
"""
KINDS = (
    "NUMBER NAME FUNCTION OWN PLUS MINUS TIMES DIVIDE FRACTION MOD POW BANG RELATION QUESTION COLON"
    " AND OR XOR NOT COMMA LPAR RPAR LSQUARE RSQUARE EQUALS END"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """``name = body`` or ``name(parameters) = body``; ``parameters`` is None for a value, ``name``
    is empty for a bare expression.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: Node


def parse_mathjs(text: str, functions: Collection[str] = ()) -> Node:
    """Parse one expression. ``functions`` are the module's own, which take precedence over built-in
    ones. Raises FormulaError.
    """
    return _expression(text, frozenset(functions))


def parse_statements(text: str, functions: Collection[str] = ()) -> tuple[Statement, ...]:
    """Parse statements, one per line or separated by semicolons. Raises FormulaError."""
    try:
        own = set(functions)
        statements = []
        for marks in split_at(marks_of(text), "END"):
            if marks:
                statements.append(_statement(marks, own, text))
        return tuple(statements)
    except ParseError as error:
        raise located(error, text) from None


def split_range(text: str) -> tuple[str, tuple[str, ...]]:
    """Split ``i=a:step:b`` into its name and its three expressions, or four if a default follows.
    Raises FormulaError.
    """
    try:
        marks = marks_of(text)
        check_brackets(marks)
        if len(marks) < 2 or marks[0].kind != "NAME" or marks[1].kind != "EQUALS":
            raise ParseError("no name and '='", 0, "write a range as name=start:step:end")
        pieces = list(split_at(marks[2:], "COLON"))
        if not 3 <= len(pieces) <= 4 or not all(pieces):
            raise ParseError(
                f"{len(pieces)} values",
                marks[1].position,
                "write a range as name=start:step:end, and :default for a parameter",
            )
    except ParseError as error:
        raise located(error, text) from None
    return marks[0].text, tuple(
        text[p[0].position : p[-1].position + len(p[-1].text)] for p in pieces
    )


@lru_cache(maxsize=4096)
def _expression(text: str, functions: frozenset[str]) -> Node:
    try:
        marks = [m for m in marks_of(text) if m.text != "\n"]
        return _tree(marks, functions, text)
    except ParseError as error:
        raise located(error, text) from None


def _statement(marks: list[Mark], own: set[str], text: str) -> Statement:
    kinds = [m.kind for m in marks]
    if kinds[:2] == ["NAME", "EQUALS"]:
        return Statement(marks[0].text, None, _tree(marks[2:], own, text))
    if "EQUALS" in kinds and kinds[0] == "FUNCTION":
        head = marks[: kinds.index("EQUALS")]
        names = [m.text for m in head[2:-1:2]]
        commas = all(m.kind == "COMMA" for m in head[3:-1:2])
        if (
            head[-1].kind == "RPAR"
            and commas
            and all(m.kind == "NAME" for m in head[2:-1:2])
            and len(set(names)) == len(names)
        ):
            own.add(marks[0].text)
            return Statement(marks[0].text, tuple(names), _tree(marks[len(head) + 1 :], own, text))
        raise ParseError(
            "the definition of a function",
            marks[0].position,
            "write it as f(x, y) = …, with different names in brackets",
        )
    return Statement("", None, _tree(marks, own, text))


def _tree(marks: list[Mark], functions: Collection[str], text: str) -> Node:
    check_brackets(marks)
    for mark in marks:
        if mark.kind == "EQUALS":
            raise ParseError(
                "unexpected '='",
                mark.position,
                "write == to compare; a definition starts with its name",
            )
    known = [
        m._replace(kind="OWN") if m.kind == "FUNCTION" and m.text in functions else m for m in marks
    ]
    length = marks[-1].position + len(marks[-1].text) if marks else len(text)
    tree: Node = GRAMMAR.read(known, length)
    return within_limit(tree, text)


def _builder() -> type[Transformer[Any, Any]]:
    from lark import Transformer, v_args

    def nodes(parts: tuple[Any, ...]) -> tuple[Node, ...]:
        return tuple(p for p in parts if isinstance(p, Node))

    def binary(name: str) -> Any:
        return lambda self, x, sign, y: operation(name, x, y)

    def joined(make: Any) -> Any:
        return lambda self, x, sign, y: make(x, y)

    @v_args(inline=True)
    class Builder(Transformer):  # type: ignore[type-arg]
        add, sub, mul, div, mod, pow = (
            binary(n) for n in ("add", "sub", "mul", "div", "mod", "pow")
        )
        both, either, exclusive = (joined(f) for f in (both, either, exclusive))

        def start(self, tree: Node) -> Node:
            return tree

        def conditional(self, condition: Node, _: Token, x: Node, __: Token, y: Node) -> Node:
            return operation("select", condition, x, y)

        def chain(self, *parts: Any) -> Node:
            steps = zip(parts[:-2:2], parts[1:-1:2], parts[2::2], strict=True)
            return reduce(both, (_compared(x, str(sign), y) for x, sign, y in steps))

        def juxtaposed(self, x: Node, y: Node) -> Node:
            return operation("mul", x, y)

        def fraction(self, x: Token, _: Token, y: Token) -> Node:
            return operation("div", _number(x), _number(y))

        def neg(self, _: Token, x: Node) -> Node:
            return operation("neg", x)

        def same(self, _: Token, x: Node) -> Node:
            return x

        def negation(self, _: Token, x: Node) -> Node:
            return operation("not", x)

        def factorial(self, x: Node, _: Token) -> Node:
            return operation("factorial", x)

        def index(self, values: Node, _: Token, place: Node, __: Token) -> Node:
            return index(values, place)

        def number(self, token: Token) -> Node:
            return _number(token)

        def name(self, token: Token) -> Node:
            return variable(str(token))

        def inside(self, _: Token, x: Node, __: Token) -> Node:
            return x

        def array(self, *parts: Any) -> Node:
            return array(nodes(parts))

        def own_call(self, token: Token, *parts: Any) -> Node:
            return call(str(token), nodes(parts), token.start_pos or 0)

        def call(self, token: Token, *parts: Any) -> Node:
            args, place = nodes(parts), token.start_pos or 0
            if token == "random":
                return _random(args, place)
            if token not in FUNCTIONS:  # the module may define it later
                return call(str(token), args, place)
            try:
                return apply_function(str(token), args)
            except ValueError as wrong:
                raise ParseError(str(wrong), place, "separate arguments by commas") from None

    return Builder


def _number(token: Token) -> Node:
    """A decimal number, or an integer with the prefix 0x, 0o or 0b of its base."""
    if token[1:2] not in ("x", "o", "b"):
        return number(float(token))
    whole = int(token, 0)
    return number(float(whole) if whole.bit_length() < sys.float_info.max_exp else math.inf)


def _compared(x: Node, sign: str, y: Node) -> Node:
    if sign == "!=":
        return unequal(x, y)
    if sign == "==":
        return operation("equal", x, y)
    if sign in (">", ">="):
        x, y = y, x
    return operation("less" if sign in ("<", ">") else "less_equal", x, y)


def _random(args: tuple[Node, ...], place: int) -> Node:
    if len(args) > 2:
        raise ParseError(
            "'random' has more than 2 arguments",
            place,
            "write random(), random(largest) or random(least, largest)",
        )
    least = args[0] if len(args) == 2 else number(0.0)
    width = operation("sub", args[-1], least) if args else number(1.0)
    return operation("add", least, operation("mul", random(place), width))


GRAMMAR = Grammar("mathjs", RULES, KINDS, _builder)
