"""The base class of all errors that a user can correct, errors that several packages raise, and formatting of values in messages."""

from __future__ import annotations


class RaybenchError(ValueError):
    """An error that a user can correct. Its text is one line: what is wrong and the remedy."""


class SceneFileError(RaybenchError):
    """A file, link or text cannot be read or written as a scene; the message names it, the object and the remedy."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


def one_line(text: str) -> str:
    """The text with each line break replaced by a space."""
    return " ".join(text.splitlines())


def elided(text: str, most: int = 200) -> str:
    """The text in one line, shortened to about ``most`` characters: a longer text keeps its beginning and end around an ellipsis."""
    text = one_line(text)
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[-(most // 3) :]}"


def short_repr(value: object) -> str:
    """The `repr` of a value for an error message, shortened to about 80 characters."""
    return elided(repr(value), 80)
