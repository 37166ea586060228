"""The parser of path patterns, such as ``Laser > Prism:N > Prism:E (tir) > Screen``.

    pattern   step > step > ...          consecutive surfaces; -> and → are synonyms of >
    step      places (words)             optional words select the interaction or end: refract,
    reflect, tir, absorbed ...
    places    place | place ...          alternatives
    place     name, name:edge            an object, or one of its edges; * and ? in them are
    wildcards
              ?                          any single surface
              *                          any number of surfaces, including none
              escape                     light that escapes from the scene
    words     word | word ...            alternatives

Names of objects are matched exactly. Names and edges that contain > | : ( ) or quotation marks must
be quoted. A pattern that begins with a source matches from the start of a path; one that begins
with a surface may match anywhere on a path.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError, elide_text, short_repr
from raybench.system.grammars import make_parser

if TYPE_CHECKING:
    from lark import Lark, Token

MOST_CHARACTERS = 50_000
"""Length limit of a pattern, characters."""
MOST_STEPS = 100
NEEDS_QUOTES = re.compile(r"""[>|:()"'→*?]|->|^\s|\s$|^$""")
"""Matches names that must be quoted in a pattern."""
ESCAPE = "escape"
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", re.DOTALL)

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
    """A path pattern has a syntax error or an unknown name. The message states the position."""


@dataclass(frozen=True)
class Name:
    """A name in a pattern: its text, whether it contains the wildcards ``*`` and ``?`` outside of
    quotes, and its position in the pattern. The position is ignored when names are compared.
    """

    text: str
    wild: bool
    position: int = field(compare=False)

    def matches(self, title: str) -> bool:
        """Whether a title equals this name or matches its wildcards."""
        return bool(_compile_glob(self.text).fullmatch(title)) if self.wild else title == self.text

    @property
    def casefolded(self) -> Name:
        """The name in folded case, to match titles without regard to case."""
        return replace(self, text=self.text.casefold())


@dataclass(frozen=True)
class Place:
    """One alternative of a step: the name of an object and, optionally, the name of its edge."""

    name: Name
    edge: Name | None = None

    @property
    def is_any_number(self) -> bool:
        """Whether this is ``*``, which stands for any number of surfaces."""
        return self.name.wild and self.name.text == "*" and self.edge is None


@dataclass(frozen=True)
class Step:
    """A step of a pattern: alternative places, and alternative words for the interaction or the end
    of light there. Without words, any interaction matches.
    """

    places: tuple[Place, ...]
    words: tuple[Name, ...] = ()

    @property
    def is_any_number(self) -> bool:
        return any(p.is_any_number for p in self.places)

    @property
    def position(self) -> int:
        return self.places[0].name.position


def read_pattern(text: str) -> tuple[Step, ...]:
    """Parse a path pattern into its steps. Raises InvalidPattern with the character position."""
    from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    if not isinstance(text, str):
        raise InvalidPattern(
            f"pattern is {short_repr(text)}; write such as Laser > Prism:N (refract) > * > Screen"
        )
    if len(text) > MOST_CHARACTERS:
        raise InvalidPattern(
            f"The path pattern has {len(text)} characters; the limit is {MOST_CHARACTERS}."
        )
    try:
        tree = _parser().parse(text)
    except UnexpectedToken as error:
        wanted = (
            "expected"
            f" {' or '.join(sorted({_EXPECTED.get(name, name) for name in error.expected} - {''}))}"
        )
        if error.token.type == "$END":
            raise pattern_error(text, len(text), "the pattern ends too early", wanted) from None
        raise pattern_error(
            text, error.token.start_pos or 0, f"unexpected '{elide_text(error.token, 60)}'", wanted
        ) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        if text[at] in "\"'":
            raise pattern_error(
                text,
                at,
                f"{text[at]} is not closed",
                "close it, or put the whole name in the other quotation marks",
            ) from None
        raise pattern_error(
            text,
            at,
            f"unexpected '{text[at]}'",
            "write such as Laser > Prism:N (refract) > * > Screen",
        ) from None
    except UnexpectedInput:
        raise pattern_error(
            text, 0, "it cannot be read", "write such as Laser > Prism:N > Screen"
        ) from None
    steps = tuple(_read_step(node) for node in tree.children if not hasattr(node, "type"))
    if len(steps) > MOST_STEPS:
        raise pattern_error(
            text,
            steps[MOST_STEPS].position,
            f"the pattern has {len(steps)} steps",
            f"the limit is {MOST_STEPS}",
        )
    return steps


def replace_pattern_names(
    text: str, new: Callable[[str], str], new_edge: Callable[[str, str], str]
) -> str:
    """Replace the names without wildcards in a pattern. ``new`` maps the name of an object to a new
    name; ``new_edge`` maps the name of an object and the label of its edge to a new label. Raises
    InvalidPattern.
    """
    for place in reversed(
        [place for step in read_pattern(text) for place in step.places if not place.name.wild]
    ):
        name, edge = place.name, place.edge
        if edge is not None and not edge.wild:
            text = _replace_name(text, edge, new_edge(name.text, edge.text))
        if text[name.position] in "\"'" or name.text.lower() != ESCAPE:
            text = _replace_name(text, name, new(name.text))
    return text


def _replace_name(text: str, name: Name, other: str) -> str:
    """A copy of the pattern in which one name is replaced."""
    token = _QUOTED.match(text, name.position)
    end = token.end() if token else name.position + len(name.text)
    return text if other == name.text else text[: name.position] + quoted_name(other) + text[end:]


def pattern_error(text: str, position: int, what: str, remedy: str) -> InvalidPattern:
    """Make an InvalidPattern whose message shows the position, counted from 1, and the text around
    it.
    """
    excerpt = text[max(0, position - 12) : position] + "▸" + text[position : position + 16]
    cut_before, cut_after = "…" * (position > 12), "…" * (position + 16 < len(text))
    line = " ".join((cut_before + excerpt + cut_after).split())
    return InvalidPattern(f"Path pattern, character {position + 1}: {what}; {remedy}. [{line}]")


def quoted_name(name: str) -> str:
    """A name in quotes if the syntax of patterns requires them; else unchanged."""
    if not NEEDS_QUOTES.search(name) and name.lower() != ESCAPE:
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def _parser() -> Lark:
    return make_parser("paths", _GRAMMAR, lexer="basic", maybe_placeholders=False)


def _read_step(node: Any) -> Step:
    places, *words = node.children
    return Step(
        tuple(_read_place(p) for p in places.children),
        tuple(_read_name(w.children[0]) for w in words),
    )


def _read_place(node: Any) -> Place:
    names = [_read_name(n.children[0]) for n in node.children]
    return Place(*names)


def _read_name(token: Token) -> Name:
    position = token.start_pos or 0
    if token.type == "QUOTED":
        return Name(re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL), False, position)
    return Name(str(token), "*" in token or "?" in token, position)


@cache
def _compile_glob(text: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(text.replace("[", "[[]")))
