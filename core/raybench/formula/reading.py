"""Parsing of formulas with lark's grammars. Errors name the position in the text.

The contextual lexer knows which tokens may follow, brackets are checked while the text is read, and
errors state the position and the remedy. The parser has its own stack, so deep nesting cannot
overflow the stack of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError, elide_text

if TYPE_CHECKING:
    from lark import Lark, Token

QUOTED_LENGTH = 40
"""Maximum number of characters of a formula quoted on either side of an error."""


class FormulaError(RaybenchError):
    """A formula cannot be parsed or used.

    ``text`` is the formula, ``position`` the index of the character where the error is (None if it
    has no position).
    """

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.position = position


class ParseError(Exception):
    """A syntax error, raised where the text is not available; `locate_error` converts it to a
    FormulaError.
    """

    def __init__(self, what: str, position: int, remedy: str) -> None:
        super().__init__(what)
        self.what, self.position, self.remedy = what, position, remedy


def locate_error(error: ParseError, text: str) -> FormulaError:
    """The FormulaError for a ParseError, with its position and a remedy. Example: unexpected ')' at
    character 6 of '2+(3))': remove it.
    """
    place = (
        f" at character {error.position + 1} of '{excerpt_at(text, error.position)}'"
        if text
        else ""
    )
    return FormulaError(f"{elide_text(error.what)}{place}: {error.remedy}", text, error.position)


def excerpt_at(text: str, position: int) -> str:
    """The text near a position, in one line, with ellipses for omitted parts."""
    first, last = max(0, position - QUOTED_LENGTH), position + QUOTED_LENGTH
    return (
        ("…" if first else "")
        + " ".join(text[first:last].split())
        + ("…" if last < len(text) else "")
    )


MAX_LENGTH = 100_000
"""Maximum number of characters of a formula."""
MAX_DEPTH = 200
"""Maximum nesting depth of brackets."""
MAX_TOKENS = 30_000
"""Maximum number of tokens of a formula."""
OPENING_BRACKETS = {
    "_LPAR": ")",
    "_LSQUARE": "]",
    "_INDEX": "]",
    "_LBRACE": "}",
    "_OPEN": "}",
    "_LBAR": "|",
    "_LFLOOR": "\\rfloor",
    "_LCEIL": "\\rceil",
}
"""Terminals of opening brackets, and what closes each."""
CLOSING_BRACKETS = {
    "_RPAR": ")",
    "_RSQUARE": "]",
    "_RBRACE": "}",
    "_RBAR": "|",
    "_RFLOOR": "\\rfloor",
    "_RCEIL": "\\rceil",
}
OPERAND_ENDINGS = frozenset({*CLOSING_BRACKETS, "NUMBER", "DIGIT", "VARIABLE", "NAME", "_BANG"})
"""Terminals that an operand may end with."""

Adapt = Callable[["Token", "Token | None", Sequence["Token"]], "Token | None"]
"""What becomes of a token, given the token before it and the open brackets; None: it is left out.
"""


def read_formula(
    parser: Lark,
    start: str,
    text: str,
    adapt_token: Adapt,
    unreadable: Callable[[int], ParseError],
) -> Any:
    """Parse a text by the rule ``start`` of a grammar. ``unreadable`` makes the error for an
    invalid token at a position. Raises ParseError.
    """
    from lark import UnexpectedCharacters, UnexpectedToken
    from lark.exceptions import UnexpectedInput

    if len(text) > MAX_LENGTH:
        remedy = f"at most {MAX_LENGTH} are read: make it shorter"
        raise ParseError(f"the formula has {len(text)} characters", MAX_LENGTH, remedy)
    previous, still_open, count = None, list["Token"](), 0
    machine = parser.parse_interactive(text, start)
    tokens: Iterator[Token] = machine.lexer_thread.lex(machine.parser_state)  # type: ignore[no-untyped-call]
    while True:
        token: Token | None
        accepted = True
        try:
            token = next(tokens, None)
        except UnexpectedCharacters as error:
            raise unreadable(error.pos_in_stream or 0) from None
        except UnexpectedToken as error:
            token, accepted = error.token, False
            if token.type == "$END":
                token = None
        if token is None:
            break
        adapted = adapt_token(token, previous, still_open)
        if adapted is None:
            continue
        count += 1
        if count > MAX_TOKENS:
            remedy = f"at most {MAX_TOKENS} are read: make it shorter"
            raise ParseError(
                f"the formula has more signs than {MAX_TOKENS}", _token_position(token), remedy
            )
        _check_bracket(adapted, still_open)
        try:
            if not accepted:
                raise UnexpectedInput
            machine.feed_token(adapted)
        except UnexpectedInput:
            raise _unexpected_token(adapted, previous) from None
        previous = adapted
    if still_open:
        opened = still_open[-1]
        what = f"'{opened}' without its '{OPENING_BRACKETS[opened.type]}'"
        raise ParseError(what, _token_position(opened), "close it")
    try:
        return machine.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        if previous is None:
            at, remedy = max(0, len(text) - 1), "write an expression, such as 1.5"
            raise ParseError("the formula is empty", at, remedy) from None
        what = f"nothing follows '{previous}'"
        raise ParseError(what, _token_position(previous), "complete it") from None


def _token_position(token: Token) -> int:
    return token.start_pos or 0


def _check_bracket(token: Token, still_open: list[Token]) -> None:
    """Record an opening or closing bracket. Raises ParseError if a closing bracket does not match,
    or if brackets are nested too deeply.
    """
    if token.type in OPENING_BRACKETS:
        still_open.append(token)
        if len(still_open) > MAX_DEPTH:
            remedy = f"at most {MAX_DEPTH} are read: simplify the formula"
            raise ParseError("too many brackets inside each other", _token_position(token), remedy)
    elif token.type in CLOSING_BRACKETS:
        if not still_open:
            raise ParseError(f"unexpected '{token}'", _token_position(token), "remove it")
        opened = still_open.pop()
        closer = OPENING_BRACKETS[opened.type]
        if CLOSING_BRACKETS[token.type] != closer:
            remedy = f"'{opened}' is closed by '{closer}'"
            raise ParseError(f"unexpected '{token}'", _token_position(token), remedy)


def _unexpected_token(token: Token, previous: Token | None) -> ParseError:
    if token.type in CLOSING_BRACKETS:
        after = f" after '{previous}'" if previous else ""
        what = f"'{token}' comes too early{after}"
        return ParseError(what, _token_position(token), "an expression is missing before it")
    remedy = "a number, a variable or a bracket belongs before it"
    if previous is not None and previous.type in OPERAND_ENDINGS:
        remedy = f"remove it, or write an operator between it and '{elide_text(previous, 60)}'"
    return ParseError(f"unexpected '{token}'", _token_position(token), remedy)
