"""How measures are written: ``power(Screen)``, ``rms(Screen); deviation(Prism, Laser)``, ``path_power("Lamp > * > Screen")``.

    measures   measure ; measure ; ...
    measure    name ( argument , argument , ... )

An argument is a name, written as it is. One that holds a comma, a round bracket or a quotation mark, begins or ends with a blank, or is
empty stands in "quotation marks" or 'apostrophes', in which a backslash stands before a quotation mark and a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from core.errors import RaybenchError, short_repr

if TYPE_CHECKING:
    from lark import Lark, Token

LONGEST = 100_000
"""The most characters that are read at a time."""
MOST = 1000
"""The most measures that are read at a time."""
EXAMPLE = "write such as power(Screen), or power(Screen, Laser); rms(Screen)"

_GRAMMAR = r"""
start: [measure (";" measure)* ";"?]
measure: NAME "(" [argument ("," argument)*] ")"
argument: BARE | QUOTED
NAME: /[^\W\d]\w*/
BARE: /[^\s,()"'](?:[^,()"']*[^\s,()"'])?/
QUOTED: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/s
%ignore /\s+/
"""
_EXPECTED = {
    "NAME": "a measure's name", "BARE": "a name", "QUOTED": "", "COMMA": "','", "LPAR": "'('", "RPAR": "')'", "SEMICOLON": "';'",
    "$END": "the end",
}  # fmt: skip
_PLAIN = re.compile(r"""[^\s,()"'](?:[^,()"']*[^\s,()"'])?""")


class InvalidMeasure(RaybenchError):
    """A measure that cannot be read, that is none, or whose arguments are not what it takes; the text says what to write."""


@dataclass(frozen=True)
class Expression:
    """A measure as it is written: its name and its arguments, without quotation marks."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(quoted, self.arguments))})"


def quoted(argument: str) -> str:
    """An argument as a measure has to have it."""
    if _PLAIN.fullmatch(argument):
        return argument
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_measures(text: str | Sequence[str]) -> tuple[Expression, ...]:
    """The measures that a text, or each of several, writes. Raises InvalidMeasure, pointing at the character, also where there is none."""
    texts = [text] if isinstance(text, str) else text
    if not isinstance(texts, Sequence) or not all(isinstance(t, str) for t in texts):
        raise InvalidMeasure(f"A measure is a text, not {short_repr(text)}; {EXAMPLE}.")
    found = tuple(expression for t in texts for expression in _read(t))
    if not found:
        raise InvalidMeasure(f"There is no measure to evaluate; {EXAMPLE}.")
    if len(found) > MOST:
        raise InvalidMeasure(f"There are {len(found)} measures; at most {MOST} are evaluated at a time.")
    return found


def _read(text: str) -> list[Expression]:
    from lark import UnexpectedCharacters, UnexpectedToken

    if len(text) > LONGEST:
        raise InvalidMeasure(f"The measures have {len(text)} characters; at most {LONGEST} are read.")
    try:
        tree = _parser().parse(text)
    except UnexpectedToken as error:
        at = len(text) if error.token.type == "$END" else error.token.start_pos or 0
        wanted = " or ".join(sorted({_EXPECTED.get(name, name) for name in error.expected} - {""}))
        raise _fault(text, at, f"expected {wanted}") from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        if text[at] in "\"'":
            raise _fault(text, at, "the quotation mark is not closed, or a name has it that does not stand in quotation marks") from None
        wanted = " or ".join(sorted({_EXPECTED.get(name, name) for name in error.allowed or ()} - {""}))
        raise _fault(text, at, f"unexpected '{text[at]}'" + f", expected {wanted}" * bool(wanted)) from None
    return [_expression(node) for node in tree.children]


def _expression(node: Any) -> Expression:
    name, *arguments = node.children
    return Expression(str(name), tuple(_argument(a.children[0]) for a in arguments))


def _fault(text: str, at: int, what: str) -> InvalidMeasure:
    around = ("…" if at > 12 else "") + text[max(0, at - 12) : at] + "▸" + text[at : at + 16] + ("…" if at + 16 < len(text) else "")
    return InvalidMeasure(f"Measure, character {at + 1}: {what}; {EXAMPLE}. [{' '.join(around.split())}]")


def _argument(token: Token) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL) if token.type == "QUOTED" else str(token)


@cache
def _parser() -> Lark:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="contextual", maybe_placeholders=False)
