"""Phrases: the wordings of a question, in a notation that sentences are matched with and example
sentences are written from.

    how (large|wide) is [the] spot      alternatives, and what may be left out; [s] within a word is
    an ending
    power <at> {object}                 a group of words that many phrases share (`GROUPS`), and a
    slot for what is named

Words are written in lower case, except for a first capital: such a phrase is itself suggested as a
question, instead of the first of its family. "the" is ignored in sentences, and so in phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

GROUPS: Mapping[str, str] = {
    "light": "(power|light|energy|radiation|sunlight)",
    "share": "(share|fraction|part|percentage|proportion|portion)",
    "at": "(at|on|in|for|of|reaching|received by)",
    "of": "(of|for|by|in|at)",
    "after": "(after|of|behind|by|for|from|at|leaving)",
    "in": "(in|inside|within|at|of|by)",
    "reaches": (
        "(reaches|reach|reaching|hit[s|ting]|arrive[s] at|arriving at|strike[s]|fall[s|ing]"
        " on|get[s] (to|into)|make[s] it to|end[s|ing] [up] (at|on|in)|go[es] (to|into)|land[s|ing]"
        " on|meet[s]|(come[s]|get[s]|go[es]) back to|return[s] to)"
    ),
    "number of": "(how many|number of|count)",
    "how much": "(how much [of [it]] [<light>])",
}
"""Groups of words by name, as they are written in angle brackets. The first alternative is the one
of example sentences.
"""
_ASKING = frozenset(
    (
        "how",
        "what",
        "where",
        "which",
        "who",
        "is",
        "are",
        "has",
        "does",
        "do",
        "in",
        "at",
        "through",
    )
)
_COMMANDS = frozenset(
    (
        "show",
        "list",
        "find",
        "rotate",
        "move",
        "set",
        "make",
        "hide",
        "select",
        "follow",
        "describe",
        "compare",
        "undo",
        "redo",
    )
)
"""Words that a question or a command begins with; a phrase that begins with another one names a
quantity.
"""
_TOKEN = re.compile(
    r"\{(?P<slot>\w+\??)\}|<(?P<group>[\w"
    r" ]+)>|(?P<mark>[\[\]()|])|(?P<space>\s+)|(?P<word>[^\s\[\]()|{}<>]+)"
)


class InvalidPhrase(TypeError):
    """A phrase is not written in the notation; a programming error."""


@dataclass(frozen=True)
class _Word:
    text: str


@dataclass(frozen=True)
class _Slot:
    name: str
    optional: bool


@dataclass(frozen=True)
class _Choice:
    alternatives: tuple[tuple[_Token, ...], ...]
    optional: bool


_Atom = _Word | _Slot | _Choice
_Token = tuple[_Atom, ...]
"""The text between two spaces: one atom, or a word with endings."""


@dataclass(frozen=True)
class PhrasePattern:
    """A regular expression, and texts of which at least one is in whatever it matches; without any,
    nothing is known of them.

    There are more than a thousand, of which a question has the words of a few: only these are
    compiled and searched for.
    """

    expression: str
    one_of: tuple[str, ...] = ()

    def may_match(self, text: str) -> bool:
        """Whether a text has what the pattern needs; quick."""
        return not self.one_of or any(part in text for part in self.one_of)

    def search(self, text: str, before: str = "", after: str = "") -> re.Match[str] | None:
        """The first match in a text in which each word is followed by a space; expressions
        ``before`` and ``after`` belong to it.
        """
        return (
            _compiled(f"{before}{self.expression}{after}").search(text)
            if self.may_match(text)
            else None
        )


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:{expression})")


@dataclass(frozen=True)
class Phrase:
    """One phrase. Raises InvalidPhrase if it cannot be read."""

    text: str

    def __post_init__(self) -> None:
        _ = self._tokens

    @cached_property
    def _tokens(self) -> tuple[_Token, ...]:
        first = (
            self.text if self.text[1:2].isupper() else self.text[:1].lower() + self.text[1:]
        )  # an abbreviation keeps its capitals
        return _read(first)

    @property
    def of_itself(self) -> bool:
        """Whether the phrase itself is suggested as a question."""
        return self.text[0].isupper()

    @cached_property
    def slots(self) -> frozenset[str]:
        """The names of the slots."""
        return frozenset(name.rstrip("?") for name in re.findall(r"\{(\w+\??)\}", self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that are written in the phrase."""
        return frozenset(
            word
            for example in self.examples()
            for word in re.findall(r"[a-z][a-z'-]*", re.sub(r"\{\w+\}", "", example))
        )

    def pattern(self, slot: Callable[[str], str]) -> PhrasePattern:
        """A pattern for the phrase, each word followed by a space; ``slot`` gives the expression of
        a slot without the space.
        """
        return PhrasePattern(_sequence_pattern(self._tokens, slot), _one_of(self._tokens))

    @property
    def example(self) -> str:
        """The phrase with the first of all alternatives and nothing that may be left out, slots in
        braces.
        """
        return next(self.examples())

    def filled(self, values: Mapping[str, str]) -> str:
        """The phrase with values in its slots: of alternatives the first, and what may be left out
        only if its slots have values.
        """
        return " ".join(_filled(self._tokens, values).split())

    def examples(self) -> Iterator[str]:
        """Wordings in which every alternative occurs at least once, slots in braces; the first is
        `example`.
        """
        for words in dict.fromkeys(_sequence_examples(self._tokens)):
            yield " ".join(words.split())

    @property
    def question(self) -> str:
        """The example as a question or a command, slots in braces: ``What is the focal length of
        {object}?``
        """
        first, asked = self.example.split()[0], self.example
        if first not in _ASKING | _COMMANDS:
            asked = f"what is the {asked}"
        return f"{asked[0].upper()}{asked[1:]}{'.' if first in _COMMANDS else '?'}"


def _read(text: str) -> tuple[_Token, ...]:
    position, pieces = 0, []
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise InvalidPhrase(f"The phrase {text!r} has an unexpected {text[position]!r}.")
        pieces.append(match)
        position = match.end()
    tokens, rest = _sequence(pieces, text)
    if rest or not tokens:
        raise InvalidPhrase(
            f"The phrase {text!r} is empty, or closes a bracket that it did not open."
        )
    return tokens


def _sequence(
    pieces: list[re.Match[str]], text: str
) -> tuple[tuple[_Token, ...], list[re.Match[str]]]:
    """The tokens up to the end of an alternative, and the pieces after them."""
    tokens: list[_Token] = []
    token: list[_Atom] = []
    while pieces and pieces[0][0] not in ("|", ")", "]"):
        piece, pieces = pieces[0], pieces[1:]
        if piece["space"]:
            tokens += [tuple(token)] if token else []
            token = []
        elif piece["mark"]:
            alternatives, pieces = _alternatives(pieces, {"(": ")", "[": "]"}[piece[0]], text)
            token.append(_Choice(alternatives, piece[0] == "["))
        elif piece["group"]:
            if piece["group"] not in GROUPS:
                raise InvalidPhrase(f"The phrase {text!r} has an unknown group <{piece['group']}>.")
            (token_of_group,) = _read(GROUPS[piece["group"]])
            token += token_of_group
        else:
            slot = piece["slot"]
            token.append(
                _Slot(slot.rstrip("?"), slot.endswith("?")) if slot else _Word(piece["word"])
            )
    tokens += [tuple(token)] if token else []
    return tuple(tokens), pieces


def _alternatives(
    pieces: list[re.Match[str]], end: str, text: str
) -> tuple[tuple[tuple[_Token, ...], ...], list[re.Match[str]]]:
    found = []
    while True:
        tokens, pieces = _sequence(pieces, text)
        found.append(tokens)
        if not pieces or pieces[0][0] not in ("|", end):
            raise InvalidPhrase(f"The phrase {text!r} does not close a bracket.")
        closed, pieces = pieces[0][0] == end, pieces[1:]
        if closed:
            return tuple(found), pieces


def _sequence_pattern(tokens: tuple[_Token, ...], slot: Callable[[str], str]) -> str:
    return "".join(_token_pattern(token, slot) for token in tokens)


def _token_pattern(token: _Token, slot: Callable[[str], str]) -> str:
    if len(token) > 1:  # a word with endings
        return "".join(_ending_pattern(atom) for atom in token) + " "
    (atom,) = token
    match atom:
        case _Word("the"):
            return ""
        case _Word(text):
            return f"{re.escape(text)} "
        case _Slot(name, optional):
            return f"(?:{slot(name)} ){'?' * optional}"
        case _Choice(alternatives, optional):
            longest_first = sorted(
                (_sequence_pattern(a, slot) for a in alternatives), key=len, reverse=True
            )
            return f"(?:{'|'.join(longest_first)}){'?' * optional}"


def _ending_pattern(atom: _Atom) -> str:
    match atom:
        case _Word(text):
            return re.escape(text)
        case _Choice(alternatives, optional):
            endings = [
                "".join(_ending_pattern(a) for token in tokens for a in token)
                for tokens in alternatives
            ]
            return f"(?:{'|'.join(endings)}){'?' * optional}"
        case _Slot():
            raise InvalidPhrase(f"The slot {atom.name!r} is within a word.")


def _one_of(tokens: Iterable[_Token]) -> tuple[str, ...]:
    """Texts of which one is in every wording, the longest that are known; none if a wording may
    have no words of its own.
    """
    return max(
        (_atom_one_of(atom) for token in tokens for atom in token), key=_shortest, default=()
    )


def _atom_one_of(atom: _Atom) -> tuple[str, ...]:
    match atom:
        case _Word(text) if text != "the":
            return (text,)
        case _Choice(alternatives, False):
            each = [_one_of(tokens) for tokens in alternatives]
            return tuple(text for texts in each for text in texts) if all(each) else ()
        case _:
            return ()


def _shortest(texts: tuple[str, ...]) -> int:
    return min(map(len, texts), default=0)


def _filled(tokens: tuple[_Token, ...], values: Mapping[str, str]) -> str:
    return " ".join("".join(_filled_atom(atom, values) for atom in token) for token in tokens)


def _filled_atom(atom: _Atom, values: Mapping[str, str]) -> str:
    match atom:
        case _Word(text):
            return text
        case _Slot(name, optional):
            return values.get(name, "") if optional else values[name]
        case _Choice(alternatives, optional):
            slots = {a.name for token in alternatives[0] for a in token if isinstance(a, _Slot)}
            return (
                _filled(alternatives[0], values)
                if not optional or (slots and slots <= values.keys())
                else ""
            )


def _sequence_examples(tokens: tuple[_Token, ...]) -> Iterator[str]:
    """The first example of all tokens together, then each other one of a token among the first of
    the rest.
    """
    each = [list(_token_examples(token)) for token in tokens]
    first = [examples[0] for examples in each]
    yield " ".join(first)
    for i, examples in enumerate(each):
        for other in examples[1:]:
            yield " ".join([*first[:i], other, *first[i + 1 :]])


def _token_examples(token: _Token) -> Iterator[str]:
    each = [list(_atom_examples(atom)) for atom in token]
    first = [examples[0] for examples in each]
    yield "".join(first)
    for i, examples in enumerate(each):
        for other in examples[1:]:
            yield "".join([*first[:i], other, *first[i + 1 :]])


def _atom_examples(atom: _Atom) -> Iterator[str]:
    match atom:
        case _Word(text):
            yield text
        case _Slot(name, optional):
            yield f"{{{name}}}"
            if optional:
                yield ""
        case _Choice(alternatives, optional):
            if optional:
                yield ""
            for tokens in alternatives:
                yield from _sequence_examples(tokens)
