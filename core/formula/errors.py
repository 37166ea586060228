"""What is wrong with a formula, and where."""

from __future__ import annotations

from core.errors import RaybenchError

AROUND = 40
"""How many characters of a long formula are quoted on either side of the place."""


class FormulaError(RaybenchError):
    """A formula that cannot be read, or cannot be used.

    ``text`` is the formula, ``position`` the index of the character where the trouble is (None where there is no such place).
    """

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.position = position

    @property
    def pointer(self) -> str:
        """The formula and, on a line below, a ^ under the place; the formula alone where there is no place."""
        if self.position is None:
            return self.text
        shown = "".join(" " if c.isspace() else c for c in self.text)
        return f"{shown}\n{' ' * self.position}^"


class Misread(Exception):
    """Raised while reading, where the text is not at hand; becomes a FormulaError by `located`."""

    def __init__(self, what: str, position: int, remedy: str) -> None:
        super().__init__(what)
        self.what, self.position, self.remedy = what, position, remedy


def located(trouble: Misread, text: str) -> FormulaError:
    """The error with its place, such as: unexpected ')' at character 6 of '2+(3))': remove it."""
    place = f" at character {trouble.position + 1} of '{quoted(text, trouble.position)}'" if text else ""
    return FormulaError(f"{trouble.what}{place}: {trouble.remedy}", text, trouble.position)


def quoted(text: str, position: int) -> str:
    """The text in one line, what lies far from the position left out."""
    first, last = max(0, position - AROUND), position + AROUND
    return ("…" if first else "") + " ".join(text[first:last].split()) + ("…" if last < len(text) else "")
