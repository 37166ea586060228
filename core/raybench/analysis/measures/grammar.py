"""The parser of measures, such as ``power(Screen)``, and of computations with measures, such as
``power(Screen) / power(Lamp)``.

    measures   value ; value ; ...
    value      measure, number, - value, ( value ), or two values with + - * / between them
    measure    name ( argument , argument , ... )

An argument is a name. It must be quoted, in "quotation marks" or 'apostrophes', if it contains a
comma, a parenthesis or a quotation mark, begins or ends with a space, is empty, or is the word
``all``, which as the last argument asks for all light instead of that on the principal path. In
quotes a backslash escapes the next character.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from raybench.errors import RaybenchError, short_repr
from raybench.schema.json_values import parse_json_container
from raybench.system.grammars import make_parser

if TYPE_CHECKING:
    from lark import Lark

MOST_CHARACTERS = 100_000
"""Length limit of a text, characters."""
MOST_MEASURES = 1000
"""Maximum number of measures per call."""
MOST_OPERATORS = 200
"""Maximum number of operators per text."""
ALL = "all"
"""The word that asks for all light instead of that on the principal path."""
EXAMPLE = "write such as power(Screen), or power(Screen, Laser); rms(Screen)"

_GRAMMAR = r"""
start: [_sum (";" _sum)* ";"?]
_sum: _product | sum
sum: (_product | sum) SIGN _product
_product: _value | product
product: (_value | product) FACTOR _value
_value: measure | number | negative | "(" _sum ")"
number: NUMBER
negative: SIGN _value
measure: NAME "(" [argument ("," argument)*] ")"
argument: BARE | QUOTED
NUMBER: /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?/
SIGN: "+" | "-"
FACTOR: "*" | "/"
NAME: /[^\W\d]\w*/
BARE: /[^\s,()"'](?:[^,()"']*[^\s,()"'])?/
QUOTED: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/s
%ignore /\s+/
"""
_OPERATIONS = ("sum", "product", "negative")
_EXPECTED = {
    "NAME": "a measure's name", "BARE": "a name", "QUOTED": "", "COMMA": "','", "LPAR": "'('", "RPAR": "')'", "SEMICOLON": "';'",
    "$END": "the end", "NUMBER": "", "SIGN": "", "FACTOR": "an operator",
}  # fmt: skip
_PLAIN = re.compile(r"""[^\s,()"'](?:[^,()"']*[^\s,()"'])?""")
_QUOTED = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_WRITTEN = re.compile(
    rf"(?<!\w)(?P<name>[^\W\d]\w*)\s*\((?P<arguments>(?:{_QUOTED}|[^()\"'])*)\)", re.DOTALL
)
_ARGUMENT = re.compile(rf"{_QUOTED}|{_PLAIN.pattern}", re.DOTALL)


class InvalidMeasure(RaybenchError):
    """A measure has a syntax error, an unknown name or invalid arguments. The message shows the
    correct form.
    """


@dataclass(frozen=True)
class Expression:
    """A parsed measure: its name, its arguments without quotes, and whether the last argument was
    the word `ALL`, which asks for all light.
    """

    name: str
    arguments: tuple[str, ...] = ()
    all_light: bool = False

    def __str__(self) -> str:
        words = [*map(quote_argument, self.arguments), *([ALL] if self.all_light else [])]
        return f"{self.name}({', '.join(words)})"


@dataclass(frozen=True)
class Operation:
    """Two values with an operator between them: ``+``, ``-``, ``*`` or ``/``."""

    operator: str
    left: Value
    right: Value

    def __str__(self) -> str:
        if self.operator == "*" and self.left == -1.0:
            return f"-{_operand_text(self.right, '*', True)}"
        return (
            f"{_operand_text(self.left, self.operator, False)} {self.operator}"
            f" {_operand_text(self.right, self.operator, True)}"
        )


Value = Expression | Operation | float
"""A parsed value: a measure, what is computed from values, or a number."""


def _operand_text(value: Value, operator: str, right: bool) -> str:
    """An operand as text, in parentheses if the operation needs them."""
    if isinstance(value, float):
        return f"({value:.17g})" if value < 0 else f"{value:.12g}"
    loose = isinstance(value, Operation) and (
        (value.operator in "+-" and (operator in "*/" or right)) or (right and operator in "*/")
    )
    return f"({value})" if loose else str(value)


def quote_argument(argument: str) -> str:
    """An argument in quotes if the grammar of measures requires them; else unchanged."""
    if _PLAIN.fullmatch(argument) and argument != ALL:
        return argument
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'


def replace_arguments(text: str, new: Callable[[str, int, str], str]) -> str:
    """Replace the arguments of all measures in a text, even if the text is invalid. ``new`` is
    called with the name of the measure, the position of the argument from 0, and the argument
    without quotes; it returns the new argument. The word `ALL` is kept.
    """

    def rewrite_measure(found: re.Match[str]) -> str:
        numbers = itertools.count()

        def replace_token(token: re.Match[str]) -> str:
            if token[0] == ALL:
                return ALL
            argument = _unquote_argument(token[0])
            other = new(found["name"], next(numbers), argument)
            return token[0] if other == argument else quote_argument(other)

        start, end = (at - found.start() for at in found.span("arguments"))
        return found[0][:start] + _ARGUMENT.sub(replace_token, found["arguments"]) + found[0][end:]

    return _WRITTEN.sub(rewrite_measure, text)


def read_measures(text: str | Sequence[str]) -> tuple[Expression | Operation, ...]:
    """Parse measures, and computations with measures, from one or several texts. Raises
    InvalidMeasure with the position of the error, also if there are no measures.
    """
    text = join_measures(text) if isinstance(text, str) else text
    texts = [text] if isinstance(text, str) else text
    if not isinstance(texts, Sequence) or not all(isinstance(t, str) for t in texts):
        raise InvalidMeasure(f"A measure is a text, not {short_repr(text)}; {EXAMPLE}.")
    expressions = tuple(expression for t in texts for expression in _read_expression(t))
    if not expressions:
        raise InvalidMeasure(f"There is no measure to evaluate; {EXAMPLE}.")
    if len(expressions) > MOST_MEASURES:
        raise InvalidMeasure(
            f"There are {len(expressions)} measures; the limit is {MOST_MEASURES}."
        )
    return expressions


def _read_expression(text: str) -> list[Expression | Operation]:
    from lark import UnexpectedCharacters, UnexpectedToken

    if len(text) > MOST_CHARACTERS:
        raise InvalidMeasure(
            f"The measures have {len(text)} characters; the limit is {MOST_CHARACTERS}."
        )
    try:
        tree = _parser().parse(text)
    except UnexpectedToken as error:
        at = len(text) if error.token.type == "$END" else error.token.start_pos or 0
        wanted = " or ".join(
            sorted({_EXPECTED.get(name, name) for name in error.accepts or error.expected} - {""})
        )
        raise _syntax_error(text, at, f"expected {wanted}") from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        if text[at] in "\"'":
            raise _syntax_error(
                text, at, "the quotation mark is not closed, or an unquoted name contains it"
            ) from None
        wanted = " or ".join(
            sorted({_EXPECTED.get(name, name) for name in error.allowed or ()} - {""})
        )
        raise _syntax_error(
            text, at, f"unexpected '{text[at]}'" + f", expected {wanted}" * bool(wanted)
        ) from None
    if sum(node.data in _OPERATIONS for node in tree.iter_subtrees()) > MOST_OPERATORS:
        raise InvalidMeasure(f"The measures have more than {MOST_OPERATORS} operators. Take fewer.")
    values = [_node_value(node) for node in tree.children]
    for value in values:
        if isinstance(value, float):
            raise InvalidMeasure(f"{value:g} is a number, not a measure; {EXAMPLE}.")
    return [value for value in values if not isinstance(value, float)]


def _node_value(node: Any) -> Value:
    match node.data, node.children:
        case "measure", [name, *arguments]:
            tokens = [str(a.children[0]) for a in arguments]
            all_light = tokens[-1:] == [ALL]
            named = tokens[:-1] if all_light else tokens
            return Expression(str(name), tuple(map(_unquote_argument, named)), all_light)
        case "number", [number]:
            return float(number)
        case "negative", [sign, value]:
            return _negate_value(_node_value(value)) if sign == "-" else _node_value(value)
        case _, [left, operator, right]:
            return Operation(str(operator), _node_value(left), _node_value(right))
    raise AssertionError(node)


def _negate_value(value: Value) -> Value:
    return -value if isinstance(value, float) else Operation("*", -1.0, value)


def _syntax_error(text: str, at: int, what: str) -> InvalidMeasure:
    excerpt = (
        ("…" if at > 12 else "")
        + text[max(0, at - 12) : at]
        + "▸"
        + text[at : at + 16]
        + ("…" if at + 16 < len(text) else "")
    )
    return InvalidMeasure(
        f"Measure, character {at + 1}: {what}; {EXAMPLE}. [{' '.join(excerpt.split())}]"
    )


def _unquote_argument(argument: str) -> str:
    """An argument without its quotes."""
    return (
        re.sub(r"\\(.)", r"\1", argument[1:-1], flags=re.DOTALL)
        if argument[:1] in ("'", '"')
        else argument
    )


@cache
def _parser() -> Lark:
    return make_parser("measures", _GRAMMAR, lexer="contextual", maybe_placeholders=False)


def join_measures(measures: Any) -> Any:
    """Join a list of measures into one text with semicolons. The list may be written as JSON. Any
    other value is returned unchanged.
    """
    read = parse_json_container(measures)
    return (
        "; ".join(read)
        if isinstance(read, list) and all(isinstance(m, str) for m in read)
        else measures
    )


class _MeasureListValidator:
    """A pydantic validator that also accepts a list of measures and joins it into one text. The
    JSON schema remains that of a text.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(join_measures, handler(source))


MeasureList = Annotated[str, _MeasureListValidator()]
"""One measure, or several: separated by semicolons, or in a list."""
