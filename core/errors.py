"""The base class of every error that a user can correct, and the ones that several packages raise."""

from __future__ import annotations

import re

from core.hidden_characters import escaped

_ORDINARY = re.compile(r"[\w][\w ./+#-]{0,59}")


class RaybenchError(ValueError):
    """An error whose text names what is wrong and what to do about it, in one line."""


class SceneFileError(RaybenchError):
    """A file, a link or a text cannot be read or written as a scene; the text names it, the object and the remedy."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


def one_line(text: str) -> str:
    """A text in which the line breaks of names and formulas are blanks, and other hidden characters are shown as escapes."""
    return escaped(" ".join(text.expandtabs(1).splitlines()))


def elided(text: str, most: int = 200) -> str:
    """A text in one line of at most ``most`` characters: of a longer one the beginning and the end."""
    return _cut(one_line(_cut(text, 2 * most)), most)


def in_quotes(text: str, most: int = 200) -> str:
    """A name or another text of a scene, as messages and a model read it: in one line, quoted as in Python, and cut as in `elided`."""
    return escaped(repr(_cut(text, most)))


def named(text: str) -> str:
    """A name within a sentence: as it is where it is an ordinary one, such as Main Prism, otherwise `in_quotes`."""
    return text if _ORDINARY.fullmatch(text) else in_quotes(text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[-(most // 3) :]}"


def told(value: object) -> str:
    """A wrong value as an error shows it, however long it is."""
    try:
        return elided(repr(value), 80)
    except (ValueError, RecursionError):  # a number of thousands of digits, what is nested too deep
        return f"a {type(value).__name__}"
