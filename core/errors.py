"""The base class of every error that a user can correct, and the ones that several packages raise."""

from __future__ import annotations


class RaybenchError(ValueError):
    """An error whose text names what is wrong and what to do about it, in one line."""


class SceneFileError(RaybenchError):
    """A file, a link or a text cannot be read or written as a scene; the text names it, the object and the remedy."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


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
