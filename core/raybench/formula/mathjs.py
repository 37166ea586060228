"""Parsing of math.js' syntax, as in the variables, loops, conditions and templates of modules.

Implicit multiplication binds more tightly than * and /, so 1/a b is 1/(a·b), but a fraction of two
numbers binds even more tightly: 1/2 x is x/2. A name followed by a bracket is a call. ^ is the
power, % and mod are the remainder, indices start at 1. A line break ends a statement unless a
bracket is open or the expression continues.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial, reduce
from typing import TYPE_CHECKING, Any

from raybench.formula.functions import (
    FUNCTIONS,
    apply_function,
    logical_and,
    logical_or,
    logical_xor,
    not_equal,
)
from raybench.formula.reading import ParseError, locate_error, read_formula
from raybench.formula.tree import (
    Node,
    array_node,
    call_node,
    check_tree_size,
    element_node,
    number_node,
    operation_node,
    random_node,
    variable_node,
)
from raybench.system.grammars import make_parser

if TYPE_CHECKING:
    from lark import Lark, Token

_NUMBER = r"(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|(?>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))"
_NAME = r"(?!(?:and|or|xor|not|mod)(?!\w))[^\W\d]\w*"

# The fraction of two numbers is told from other divisions by what follows it, the name that a
# statement defines by the equals sign.
_RULES = r"""
expression: value
statements: _END* [statement (_END+ statement)* _END*]
statement: HEAD value | value
?value: either | either _QUESTION value _COLON value -> select
?either: exclusive | either _OR exclusive -> either
?exclusive: both | exclusive _XOR both -> exclusive
?both: relation | both _AND relation -> both
?relation: sum | sum (RELATION sum)+ -> chain
?sum: product | sum _PLUS product -> add | sum _MINUS product -> sub
?product: juxtaposed | product _TIMES juxtaposed -> mul | product _DIVIDE juxtaposed -> div
  | product _MOD juxtaposed -> mod
?juxtaposed: unary | juxtaposed (power | fraction) -> mul
?unary: power | fraction | signed
?signed: _MINUS unary -> neg | _PLUS unary -> same | _NOT unary -> negation
fraction: NUMBER _FRACTION NUMBER
?power: postfix | postfix _POW (power | signed) -> pow
?postfix: operand | postfix _BANG -> factorial | postfix _LSQUARE value _RSQUARE -> index
?operand: NUMBER -> number | NAME -> name | _LPAR value _RPAR -> same
  | FUNCTION _LPAR [value (_COMMA value)*] _RPAR -> call
  | OWN _LPAR [value (_COMMA value)*] _RPAR -> own_call
  | _LSQUARE [value (_COMMA value)*] _RSQUARE -> array

NUMBER: /NUM/
NAME: /IDENTIFIER/
FUNCTION.1: /(?!not(?!\w))[^\W\d]\w*(?=[^\S\n]*\()/
HEAD.4: /IDENTIFIER\s*(?:\((?:\s*IDENTIFIER\s*(?:,\s*IDENTIFIER\s*)*)?\s*\)\s*)?=(?!=)/
_PLUS: "+"
_MINUS: "-"
_TIMES: /\*\*?|\.\*/
_FRACTION.2: /\.?\/(?=SKIP*NUMSKIP*(?:IDENTIFIER|\())/
_DIVIDE: /\.?\//
_MOD.2: /%|mod(?!\w)/
_POW.2: /\.?\^|\*\*/
_BANG: /!(?!=)/
RELATION: /[=!<>]=|[<>]/
_QUESTION: "?"
_COLON: ":"
_COMMA: ","
_AND.2: /and(?!\w)/
_OR.2: /or(?!\w)/
_XOR.2: /xor(?!\w)/
_NOT.2: /not(?!\w)/
_LPAR: "("
_RPAR: ")"
_LSQUARE: "["
_RSQUARE: "]"
_END.1: /[;\n]/
SPACE: /[^\S\n]+|#[^\n]*/
LINE: /\n/
%declare OWN
%ignore SPACE
%ignore LINE
"""
for _word, _pattern in (("NUM/", f"{_NUMBER}/"), ("NUMSKIP", f"{_NUMBER}SKIP"),
                        ("SKIP", r"(?:\s|(?>#[^\n]*))"), ("IDENTIFIER", _NAME)):  # fmt: skip
    _RULES = _RULES.replace(_word, _pattern)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement ``name = body`` or ``name(parameters) = body``. ``parameters`` is None for a
    value; ``name`` is empty for a bare expression.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: Node


def parse_mathjs(text: str, functions: Collection[str] = ()) -> Node:
    """Parse one expression. ``functions`` are the names of the module's own functions, which take
    precedence over built-in functions. Raises FormulaError.
    """
    return _parse_expression(text, frozenset(functions))


@lru_cache(maxsize=4096)
def _parse_expression(text: str, functions: frozenset[str]) -> Node:
    tree: Node = _parse_rule("expression", text, set(functions))
    return check_tree_size(tree, text)


def parse_statements(text: str, functions: Collection[str] = ()) -> tuple[Statement, ...]:
    """Parse statements, one per line or separated by semicolons. Raises FormulaError."""
    statements: tuple[Statement, ...] = _parse_rule("statements", text, set(functions))
    for statement in statements:
        check_tree_size(statement.body, text)
    return statements


def split_range(text: str) -> tuple[str, tuple[str, ...]]:
    """Split the text ``i=a:step:b`` into its name and its three expressions; a fourth expression is
    a default value. Errors within an expression are reported when that expression is parsed. Raises
    FormulaError.
    """
    head = re.match(rf"\s*({_NAME})\s*=(?!=)", text)
    if head is None:
        remedy = "write a range as name=start:step:end"
        raise locate_error(ParseError("no name and '='", 0, remedy), text)
    pieces, depth, conditions = [""], 0, 0
    for part in re.finditer(r"#[^\n]*|.", text[head.end() :], re.DOTALL):
        sign = part[0]
        if sign == ":" and not depth and not conditions:
            pieces.append("")
            continue
        if not depth and sign in ("?", ":"):
            conditions += 1 if sign == "?" else -1
        depth += (sign in ("(", "[")) - (sign in (")", "]"))
        pieces[-1] += "" if sign.startswith("#") else sign
    expressions = tuple(piece.strip() for piece in pieces)
    if not 3 <= len(expressions) <= 4 or not all(expressions):
        remedy = "write a range as name=start:step:end, and :default for a parameter"
        raise locate_error(ParseError(f"{len(pieces)} values", head.end() - 1, remedy), text)
    return head[1], expressions


def _parse_rule(start: str, text: str, own_functions: set[str]) -> Any:
    """Parse a text by the grammar rule ``start``. ``own_functions`` are the names of the module's
    functions; functions that the text defines are added to them.
    """

    def adapt_token(
        token: Token, previous: Token | None, still_open: Sequence[Token]
    ) -> Token | None:
        if token == "\n" and (still_open or start == "expression"):
            return None
        if token.type == "NUMBER" and previous is not None and previous.type == "NUMBER":
            what = f"two numbers side by side, '{previous}' and '{token}'"
            raise ParseError(what, token.start_pos or 0, "write * between them")
        if token.type == "HEAD" and "(" in token:
            name, *parameters = re.findall(r"\w+", token)
            if len(set(parameters)) < len(parameters):
                raise _wrong_definition_error(token.start_pos or 0)
            own_functions.add(name)
        if token.type == "FUNCTION" and token in own_functions:
            return token.update(type="OWN")
        return token

    def unreadable_error(at: int) -> ParseError:
        if text[at] != "=":
            return ParseError(f"unexpected '{text[at]}'", at, "remove it")
        line = max(text.rfind("\n", 0, at), text.rfind(";", 0, at)) + 1
        head = re.compile(r"\s*([^\W\d]\w*)\s*\(").match(text, line, at)
        if head is not None and start == "statements":
            return _wrong_definition_error(head.start(1))
        remedy = "write == to compare; a definition starts with its name"
        return ParseError("unexpected '='", at, remedy)

    try:
        return read_formula(_parser(), start, text, adapt_token, unreadable_error)
    except ParseError as error:
        raise locate_error(error, text) from None


def _wrong_definition_error(at: int) -> ParseError:
    remedy = "write it as f(x, y) = …, with different names in brackets"
    return ParseError("the definition of a function", at, remedy)


@cache
def _parser() -> Lark:
    from lark import Transformer, v_args

    @v_args(inline=True)
    class Builder(Transformer):  # type: ignore[type-arg]
        add, sub, mul, div, mod, pow, neg, select, factorial, negation = (
            partial(operation_node, op)
            for op in (
                "add",
                "sub",
                "mul",
                "div",
                "mod",
                "pow",
                "neg",
                "select",
                "factorial",
                "not",
            )
        )
        both, either, exclusive, index = map(
            staticmethod, (logical_and, logical_or, logical_xor, element_node)
        )

        def expression(self, tree: Node) -> Node:
            return tree

        def statements(self, *statements: Statement) -> tuple[Statement, ...]:
            return statements

        def statement(self, *parts: Any) -> Statement:
            if len(parts) == 1:
                return Statement("", None, parts[0])
            name, *parameters = re.findall(r"\w+", parts[0])
            return Statement(name, tuple(parameters) if "(" in parts[0] else None, parts[1])

        def same(self, x: Node) -> Node:
            return x

        def chain(self, *parts: Any) -> Node:
            steps = zip(parts[:-2:2], parts[1:-1:2], parts[2::2], strict=True)
            return reduce(logical_and, (_comparison_tree(x, str(sign), y) for x, sign, y in steps))

        def fraction(self, x: Token, y: Token) -> Node:
            return operation_node("div", _read_number(x), _read_number(y))

        def number(self, token: Token) -> Node:
            return _read_number(token)

        def name(self, token: Token) -> Node:
            return variable_node(str(token))

        def array(self, *args: Node) -> Node:
            return array_node(args)

        def own_call(self, token: Token, *args: Node) -> Node:
            return call_node(str(token), args, token.start_pos or 0)

        def call(self, token: Token, *args: Node) -> Node:
            place = token.start_pos or 0
            if token == "random":
                return _random_node(args, place)
            if token not in FUNCTIONS:  # the module may define it later
                return call_node(str(token), args, place)
            try:
                return apply_function(str(token), args)
            except ValueError as wrong:
                raise ParseError(str(wrong), place, "separate arguments by commas") from None

    return make_parser(
        "mathjs",
        _RULES,
        lexer="contextual",
        start=["expression", "statements"],
        maybe_placeholders=False,
        transformer=Builder(),
    )


def _read_number(token: Token) -> Node:
    """A number node from a decimal number, or from an integer with the prefix 0x, 0o or 0b."""
    if token[1:2] not in ("x", "o", "b"):
        return number_node(float(token))
    whole = int(token, 0)
    return number_node(float(whole) if whole.bit_length() < sys.float_info.max_exp else math.inf)


def _comparison_tree(x: Node, sign: str, y: Node) -> Node:
    if sign == "!=":
        return not_equal(x, y)
    if sign == "==":
        return operation_node("equal", x, y)
    if sign in (">", ">="):
        x, y = y, x
    return operation_node("less" if sign in ("<", ">") else "less_equal", x, y)


def _random_node(args: tuple[Node, ...], position: int) -> Node:
    if len(args) > 2:
        raise ParseError(
            "'random' has more than 2 arguments",
            position,
            "write random(), random(largest) or random(least, largest)",
        )
    least = args[0] if len(args) == 2 else number_node(0.0)
    width = operation_node("sub", args[-1], least) if args else number_node(1.0)
    return operation_node("add", least, operation_node("mul", random_node(position), width))
