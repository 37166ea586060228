"""The root of every error that Raybench raises for something a person can mend."""

from __future__ import annotations


class RaybenchError(ValueError):
    """An error whose text names what is wrong and what to do about it, in one line."""


def one_line(text: str) -> str:
    """A text in which the line breaks of names and formulas are blanks."""
    return " ".join(text.splitlines())
