"""Parsing of LaTeX formulas, as in the equation fields of mirrors, glasses and surfaces."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from raybench.formula.errors import ParseError, located
from raybench.formula.functions import FUNCTIONS, INVERSE, apply_function, root
from raybench.formula.latex_marks import marks_of
from raybench.formula.reading import Grammar, check_brackets, check_length
from raybench.formula.tree import Node, listed, number, operation, variable, within_limit

if TYPE_CHECKING:
    from lark import Token, Transformer

# A function without brackets applies to the longest product that follows: the parser resolves this
# ambiguity by preferring shift over reduce. Juxtaposition has the precedence of an explicit
# multiplication sign: 1/2x is x/2.
RULES = r"""
start: sum
?sum: term | sum PLUS term -> add | sum MINUS term -> sub
?term: product | MINUS term -> neg | PLUS term -> same
?product: factor | product TIMES signed -> mul | product DIVIDE signed -> div | product factor -> juxtaposed
?signed: factor | MINUS signed -> neg | PLUS signed -> same
?factor: power | application
?power: postfix | postfix POW exponent -> pow
?exponent: operand | operand POW exponent -> pow | MINUS exponent -> neg | PLUS exponent -> same
?postfix: operand | postfix BANG -> factorial
?operand: bracketed | simple | call
?simple: NUMBER -> number | VARIABLE -> variable | PI -> pi | EULER -> euler | INFINITY -> infinity
  | FRAC argument argument -> frac | SQRT argument -> sqrt | SQRT INDEX sum RSQUARE argument -> root
  | LBAR sum RBAR -> absolute | LFLOOR sum RFLOOR -> floor | LCEIL sum RCEIL -> ceil
?argument: bracketed | NUMBER -> number | VARIABLE -> variable | PI -> pi | EULER -> euler | INFINITY -> infinity
  | FRAC argument argument -> frac | SQRT argument -> sqrt
?bracketed: LPAR sum RPAR -> inside | LBRACE sum RBRACE -> inside
?call: FUNCTION list -> call | FUNCTION POW argument list -> powered_call | FUNCTION POW MINUS argument list -> inverse_call
  | LOG_OF_BASE argument list -> call_of_base
list: LPAR sum (COMMA sum)* RPAR | LBRACE sum (COMMA sum)* RBRACE
application: FUNCTION bare -> call | FUNCTION POW argument bare -> powered_call | FUNCTION POW MINUS argument bare -> inverse_call
  | LOG_OF_BASE argument bare -> call_of_base
?bare: run | application -> alone | call -> alone | call POW exponent -> powered_alone | MINUS bare -> negative_list
run: bare_power | more
?more: bare_power tail_power -> juxtaposed | more tail_power -> juxtaposed
?bare_power: bare_postfix | bare_postfix POW exponent -> pow
?bare_postfix: simple | bare_postfix BANG -> factorial
?tail_power: tail_postfix | tail_postfix POW exponent -> pow
?tail_postfix: bracketed | simple | tail_postfix BANG -> factorial
"""
KINDS = (
    "NUMBER VARIABLE PI EULER INFINITY FUNCTION LOG_OF_BASE FRAC SQRT INDEX RSQUARE PLUS MINUS"
    " TIMES DIVIDE POW BANG COMMA LPAR RPAR LBRACE RBRACE LBAR RBAR LFLOOR RFLOOR LCEIL RCEIL"
)


WORD = re.compile(r"[A-Za-z]+")


def parse_latex(text: str, variables: Collection[str] | None = None) -> Node:
    """The tree of a formula in LaTeX. Raises FormulaError.

    Variables are named without LaTeX (``x``, ``theta_0``, ``lambda``); where ``variables`` is
    given, others are errors that name them.
    """
    return _parse(text, None if variables is None else frozenset(variables))


@lru_cache(maxsize=1024)
def _parse(text: str, variables: frozenset[str] | None) -> Node:
    try:
        check_length(text)
        marks = marks_of(text)
        check_brackets(marks)
        for mark in marks:
            if variables is not None and mark.kind == "VARIABLE" and mark.text not in variables:
                word = WORD.match(text, mark.position)
                command = word is not None and (word[0] in FUNCTIONS or word[0] in variables)
                meant = (
                    f"write \\{word[0]}"
                    if word is not None and command
                    else f"this formula knows {listed(variables)}"
                )
                raise ParseError(f"unknown variable '{mark.text}'", mark.position, meant)
        tree: Node = GRAMMAR.read(marks, len(text))
    except ParseError as error:
        raise located(error, text) from None
    return within_limit(tree, text)


def _builder() -> type[Transformer[Any, Any]]:
    from lark import Transformer, v_args

    def applied(token: Token, args: tuple[Node, ...]) -> Node:
        try:
            return apply_function(str(token), args)
        except ValueError as wrong:
            raise ParseError(
                str(wrong), token.start_pos or 0, "separate arguments by commas"
            ) from None

    def binary(name: str) -> Any:
        return lambda self, x, sign, y: operation(name, x, y)

    @v_args(inline=True)
    class Builder(Transformer):  # type: ignore[type-arg]
        add, sub, mul, div, pow = (binary(n) for n in ("add", "sub", "mul", "div", "pow"))

        def start(self, tree: Node) -> Node:
            return tree

        def juxtaposed(self, x: Node, y: Node) -> Node:
            return operation("mul", x, y)

        def neg(self, _: Token, x: Node) -> Node:
            return operation("neg", x)

        def same(self, _: Token, x: Node) -> Node:
            return x

        def factorial(self, x: Node, _: Token) -> Node:
            return operation("factorial", x)

        def number(self, token: Token) -> Node:
            return number(float(token))

        def variable(self, token: Token) -> Node:
            return variable(str(token))

        def pi(self, _: Token) -> Node:
            return number(math.pi)

        def euler(self, _: Token) -> Node:
            return number(math.e)

        def infinity(self, _: Token) -> Node:
            return number(math.inf)

        def inside(self, _: Token, x: Node, __: Token) -> Node:
            return x

        def absolute(self, _: Token, x: Node, __: Token) -> Node:
            return operation("abs", x)

        def floor(self, _: Token, x: Node, __: Token) -> Node:
            return operation("floor", x)

        def ceil(self, _: Token, x: Node, __: Token) -> Node:
            return operation("ceil", x)

        def frac(self, _: Token, x: Node, y: Node) -> Node:
            return operation("div", x, y)

        def sqrt(self, _: Token, x: Node) -> Node:
            return operation("sqrt", x)

        def root(self, _: Token, __: Token, degree: Node, ___: Token, x: Node) -> Node:
            return root(x, degree)

        def list(self, *parts: Any) -> tuple[Node, ...]:
            return tuple(p for p in parts if isinstance(p, Node))

        def run(self, x: Node) -> tuple[Node, ...]:
            return (x,)

        def alone(self, x: Node) -> tuple[Node, ...]:
            return (x,)

        def powered_alone(self, x: Node, _: Token, exponent: Node) -> tuple[Node, ...]:
            return (operation("pow", x, exponent),)

        def negative_list(self, _: Token, args: tuple[Node, ...]) -> tuple[Node, ...]:
            return tuple(operation("neg", a) for a in args)

        def call(self, token: Token, args: tuple[Node, ...]) -> Node:
            return applied(token, args)

        def powered_call(
            self, token: Token, _: Token, exponent: Node, args: tuple[Node, ...]
        ) -> Node:
            if exponent.op == "number" and exponent.value == -1.0 and token in INVERSE:
                return applied(token.update(value=INVERSE[token]), args)
            return operation("pow", applied(token, args), exponent)

        def inverse_call(
            self, token: Token, sign: Token, exponent: Node, args: tuple[Node, ...]
        ) -> Node:
            return self.powered_call(token, sign, operation("neg", exponent), args)

        def call_of_base(self, token: Token, base: Node, args: tuple[Node, ...]) -> Node:
            if len(args) != 1:
                raise ParseError(
                    "a logarithm takes 1 argument",
                    token.start_pos or 0,
                    "write \\log_{2}\\left(x\\right)",
                )
            return apply_function("log", (args[0], base))

    return Builder


GRAMMAR = Grammar("latex", RULES, KINDS, _builder)
