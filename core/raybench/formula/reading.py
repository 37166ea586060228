"""The parser: brackets are checked first, then a LALR grammar builds the tree from the tokens
(`Mark`) one by one.

A grammar is built when it is first needed. The parser has its own stack, so deep nesting cannot
overflow Python's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from raybench.errors import elided
from raybench.formula.errors import ParseError
from raybench.formula.parse_tables import lalr_parser

if TYPE_CHECKING:
    from lark import Lark, Transformer

MAX_LENGTH = 100_000
"""Maximum number of characters of a formula."""
MAX_DEPTH = 200
"""Maximum nesting depth of brackets."""
MAX_MARKS = 30_000
"""Maximum number of tokens of a formula."""


class Mark(NamedTuple):
    """A token: its kind in the grammar, its text, and where it starts."""

    kind: str
    text: str
    position: int


class Grammar:
    """A LALR grammar over kinds of tokens; ``builder`` returns the class whose methods build nodes
    (lark is imported there), ``name`` is that of the file with its tables.
    """

    def __init__(
        self, name: str, rules: str, kinds: str, builder: Callable[[], type[Transformer[Any, Any]]]
    ) -> None:
        self._name, self._rules = name, f"{rules}\n%declare {kinds}\n"
        self._builder = builder
        self.parser = cache(self._parser)

    def _parser(self) -> Lark:
        return lalr_parser(self._name, self._rules, self._builder()())

    def read(self, marks: Sequence[Mark], length: int) -> Any:
        """Parse the tokens of a text of ``length`` characters to a tree. Raises ParseError."""
        from lark import Token, UnexpectedInput

        machine = self.parser().parse_interactive("")
        previous: Mark | None = None
        for mark in marks:
            try:
                machine.feed_token(Token(mark.kind, mark.text, start_pos=mark.position))
            except UnexpectedInput:
                raise _unexpected(mark, previous) from None
            previous = mark
        try:
            return machine.feed_eof()  # type: ignore[no-untyped-call]
        except UnexpectedInput:
            what = f"nothing follows '{previous.text}'" if previous else "the formula is empty"
            remedy = "complete it" if previous else "write an expression, such as 1.5"
            raise ParseError(
                what, max(0, length - 1) if previous is None else previous.position, remedy
            ) from None


def _unexpected(mark: Mark, previous: Mark | None) -> ParseError:
    if mark.text in CLOSING or mark.kind in CLOSING:
        before = f" after '{previous.text}'" if previous else ""
        return ParseError(
            f"'{mark.text}' comes too early{before}",
            mark.position,
            "an expression is missing before it",
        )
    if previous is None or previous.kind not in ENDINGS:
        return ParseError(
            f"unexpected '{mark.text}'",
            mark.position,
            "a number, a variable or a bracket belongs before it",
        )
    return ParseError(
        f"unexpected '{mark.text}'",
        mark.position,
        f"remove it, or write an operator between it and '{elided(previous.text, 60)}'",
    )


CLOSING = {
    "RPAR": "LPAR",
    "RSQUARE": "LSQUARE",
    "RBRACE": "LBRACE",
    "RBAR": "LBAR",
    "RFLOOR": "LFLOOR",
    "RCEIL": "LCEIL",
}
"""Kinds of closing brackets, and the kind of the opening bracket of each."""
OPENING = frozenset(CLOSING.values()) | {"INDEX"}
ENDINGS = frozenset({*CLOSING, "NUMBER", "VARIABLE", "NAME", "BANG"})
"""Kinds of tokens that an operand may end with."""
CLOSERS = {
    "LPAR": ")",
    "LSQUARE": "]",
    "INDEX": "]",
    "LBRACE": "}",
    "LBAR": "|",
    "LFLOOR": "\\rfloor",
    "LCEIL": "\\rceil",
}


def check_length(text: str) -> None:
    """Raise ParseError for a text of more than `MAX_LENGTH` characters."""
    if len(text) > MAX_LENGTH:
        raise ParseError(
            f"the formula has {len(text)} characters",
            MAX_LENGTH,
            f"at most {MAX_LENGTH} are read: make it shorter",
        )


def check_brackets(marks: Sequence[Mark]) -> None:
    """Raise ParseError for unmatched or too deeply nested brackets, and for too many tokens."""
    if len(marks) > MAX_MARKS:
        raise ParseError(
            f"the formula has {len(marks)} signs",
            marks[MAX_MARKS].position,
            f"at most {MAX_MARKS} are read: make it shorter",
        )
    still_open: list[Mark] = []
    for mark in marks:
        if mark.kind in OPENING:
            still_open.append(mark)
            if len(still_open) > MAX_DEPTH:
                raise ParseError(
                    "too many brackets inside each other",
                    mark.position,
                    f"at most {MAX_DEPTH} are read: simplify the formula",
                )
        elif mark.kind in CLOSING:
            if not still_open:
                raise ParseError(f"unexpected '{mark.text}'", mark.position, "remove it")
            opened = still_open.pop()
            if CLOSING[mark.kind] != ("LSQUARE" if opened.kind == "INDEX" else opened.kind):
                closer = CLOSERS[opened.kind]
                raise ParseError(
                    f"unexpected '{mark.text}'",
                    mark.position,
                    f"'{opened.text}' is closed by '{closer}'",
                )
    if still_open:
        opened = still_open[-1]
        raise ParseError(
            f"'{opened.text}' without its '{CLOSERS[opened.kind]}'", opened.position, "close it"
        )
