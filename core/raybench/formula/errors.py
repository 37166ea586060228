"""Errors in formulas, with their position in the text."""

from __future__ import annotations

from raybench.errors import RaybenchError, elided

CONTEXT = 40
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

    @property
    def pointer(self) -> str:
        """The formula and, on a second line, a ^ below the error; only the formula if the error has
        no position.
        """
        if self.position is None:
            return self.text
        line = "".join(" " if c.isspace() else c for c in self.text)
        return f"{line}\n{' ' * self.position}^"


class ParseError(Exception):
    """A syntax error, raised where the text is not available; `located` converts it to a
    FormulaError.
    """

    def __init__(self, what: str, position: int, remedy: str) -> None:
        super().__init__(what)
        self.what, self.position, self.remedy = what, position, remedy


def located(error: ParseError, text: str) -> FormulaError:
    """The FormulaError with position and remedy, such as: unexpected ')' at character 6 of
    '2+(3))': remove it.
    """
    place = (
        f" at character {error.position + 1} of '{quoted(text, error.position)}'" if text else ""
    )
    return FormulaError(f"{elided(error.what)}{place}: {error.remedy}", text, error.position)


def quoted(text: str, position: int) -> str:
    """The part of the text near the position, in one line, with ellipses for omitted parts."""
    first, last = max(0, position - CONTEXT), position + CONTEXT
    return (
        ("…" if first else "")
        + " ".join(text[first:last].split())
        + ("…" if last < len(text) else "")
    )
