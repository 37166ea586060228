"""The root of every error that Raybench raises for something a person can mend."""

from __future__ import annotations


class RaybenchError(ValueError):
    """An error whose text names what is wrong and what to do about it, in one line."""


def one_line(text: str) -> str:
    """A text in which the line breaks of names and formulas are blanks."""
    return " ".join(text.splitlines())


def elided(text: str, most: int = 200) -> str:
    """A text in one line of at most ``most`` characters: of a longer one the beginning and the end."""
    text = one_line(text)
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[-(most // 3) :]}"


def told(value: object) -> str:
    """A wrong value as an error shows it, however long it is."""
    return elided(repr(value), 80)
