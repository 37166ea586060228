"""The language of path patterns, such as ``Laser > Prism:N > Prism:E (tir) > Screen``: what they say, read from text.

    pattern   step > step > ...          surfaces that light meets one after the other; -> and → stand for > too
    step      places (words)             words, if any, say what happens there: refract, reflect, tir, absorbed ...
    places    place | place ...          any of these
    place     name, name:edge            an object, or one of its edges; * and ? in them are wildcards
              ?                          any one surface
              *                          any number of surfaces, or none
              escape                     light that meets nothing any more
    words     word | word ...

A name or an edge that holds > | : ( ) or quotation marks stands in "quotation marks". A pattern that begins with a source begins where
the light does; one that begins with a surface may begin anywhere on a path.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from core.errors import RaybenchError, short_repr

if TYPE_CHECKING:
    from lark import Lark, Token

LONGEST = 50_000
"""The most characters of a pattern."""
MOST_STEPS = 100
SPECIAL = re.compile(r"""[>|:()"'→*?]|->|^\s|\s$|^$""")
"""What makes a name need quotation marks."""
ESCAPE = "escape"

_GRAMMAR = r"""
start: step (ARROW step)*
step: places [ "(" word ("|" word)* ")" ]
places: place ("|" place)*
place: name [":" name]
name: BARE | QUOTED
word: BARE
ARROW: "->" | ">" | "→"
BARE: /(?!->)[^\s>|:()"'→](?:(?!->)[^>|:()"→])*(?<!\s)/
QUOTED: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/s
%ignore /\s+/
"""
_EXPECTED = {
    "ARROW": "'>'", "BARE": "a name", "QUOTED": "", "VBAR": "'|'", "COLON": "':'", "LPAR": "'('", "RPAR": "')'", "$END": "the end",
}  # fmt: skip


class InvalidPattern(RaybenchError):
    """A path pattern that cannot be read, or names what is not there; the text points at the character."""


@dataclass(frozen=True)
class Name:
    """A name as it stands in a pattern: its text, whether its ``*`` and ``?`` are wildcards, and where it begins."""

    text: str
    wild: bool
    position: int

    def matches(self, title: str) -> bool:
        """Whether a title is this name, or fits it where it has wildcards."""
        return bool(_glob(self.text).fullmatch(title)) if self.wild else title == self.text


@dataclass(frozen=True)
class Place:
    """An object's name and, where given, its edge's."""

    name: Name
    edge: Name | None = None

    @property
    def is_gap(self) -> bool:
        """Whether this stands for any number of surfaces."""
        return self.name.wild and self.name.text == "*" and self.edge is None


@dataclass(frozen=True)
class Step:
    """One of these places, and one of these words there; no words mean anything may happen."""

    places: tuple[Place, ...]
    words: tuple[Name, ...] = ()

    @property
    def is_gap(self) -> bool:
        return any(p.is_gap for p in self.places)

    @property
    def position(self) -> int:
        return self.places[0].name.position


def read_pattern(text: str) -> tuple[Step, ...]:
    """The steps of a pattern. Raises InvalidPattern, pointing at the character."""
    from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    if not isinstance(text, str):
        raise InvalidPattern(f"pattern is {short_repr(text)}; write such as Laser > Prism:N (refract) > * > Screen")
    if len(text) > LONGEST:
        raise InvalidPattern(f"The path pattern has {len(text)} characters; at most {LONGEST} are read.")
    try:
        tree = _parser().parse(text)
    except UnexpectedToken as error:
        wanted = f"expected {' or '.join(sorted({_EXPECTED.get(name, name) for name in error.expected} - {''}))}"
        if error.token.type == "$END":
            raise fault(text, len(text), "the pattern ends too early", wanted) from None
        raise fault(text, error.token.start_pos or 0, f"unexpected '{error.token}'", wanted) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        if text[at] in "\"'":
            raise fault(text, at, f"{text[at]} is not closed", "close it, or put the whole name in the other quotation marks") from None
        raise fault(text, at, f"unexpected '{text[at]}'", "write such as Laser > Prism:N (refract) > * > Screen") from None
    except UnexpectedInput:
        raise fault(text, 0, "it cannot be read", "write such as Laser > Prism:N > Screen") from None
    steps = tuple(_step(node) for node in tree.children if not hasattr(node, "type"))
    if len(steps) > MOST_STEPS:
        raise fault(text, steps[MOST_STEPS].position, f"the pattern has {len(steps)} steps", f"at most {MOST_STEPS} are followed")
    return steps


def fault(text: str, position: int, what: str, remedy: str) -> InvalidPattern:
    """An error that points at a character of a pattern: counted from 1, and with what stands there."""
    around = text[max(0, position - 12) : position] + "▸" + text[position : position + 16]
    cut_before, cut_after = "…" * (position > 12), "…" * (position + 16 < len(text))
    shown = " ".join((cut_before + around + cut_after).split())
    return InvalidPattern(f"Path pattern, character {position + 1}: {what}; {remedy}. [{shown}]")


def quoted(name: str) -> str:
    """A name as a pattern has to have it."""
    if not SPECIAL.search(name) and name.lower() != ESCAPE:
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def _parser() -> Lark:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="basic", maybe_placeholders=False)


def _step(node: Any) -> Step:
    places, *words = node.children
    return Step(tuple(_place(p) for p in places.children), tuple(_name(w.children[0]) for w in words))


def _place(node: Any) -> Place:
    names = [_name(n.children[0]) for n in node.children]
    return Place(*names)


def _name(token: Token) -> Name:
    position = token.start_pos or 0
    if token.type == "QUOTED":
        return Name(re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL), False, position)
    return Name(str(token), "*" in token or "?" in token, position)


@cache
def _glob(text: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(text.replace("[", "[[]")))
