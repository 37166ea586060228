"""The base class of all errors that users can correct, errors that several packages raise, and
functions that format the text of messages: they shorten values and escape hidden characters.

In a name, control characters, line breaks, text direction marks and invisible characters could add
lines to a message, send escape sequences to a terminal, or pass hidden text to a model.
"""

import json
import re
from collections.abc import Collection, Sequence
from typing import ClassVar

from raybench.phrase import Phrase, join_with_commas

HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters, including ESC and line breaks
    # formatting, text direction, line separators
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff"  # surrogates
    # tags and supplementary variation selectors, which can encode hidden text
    "\U000e0000-\U000e0fff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escape_hidden(text: str) -> str:
    """The text with hidden characters replaced by escape sequences as in Python strings: ``\\n``,
    ``\\x1b``, ``\\u202e``.
    """
    return HIDDEN.sub(lambda m: _escape_character(m[0]), text)


def escape_hidden_in_lines(text: str) -> str:
    """Like `escape_hidden`, but line breaks and tabs are kept."""
    return HIDDEN.sub(
        lambda m: m[0] if m[0] in "\n\t" else _escape_character(m[0]), text.replace("\r\n", "\n")
    )


def escaped_json(text: str) -> str:
    """A JSON text whose hidden characters, which can only be inside strings, are written as JSON
    escapes. Line breaks are kept.
    """
    return HIDDEN.sub(lambda m: m[0] if m[0] == "\n" else json.dumps(m[0])[1:-1], text)


def _escape_character(character: str) -> str:
    code = ord(character)
    return _SHORT.get(character) or (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )


_ORDINARY = re.compile(r"[\w][\w ./+#-]{0,59}")


OUT_OF_MEMORY = (
    "Not enough memory. Close other programs, or ask for less, such as fewer rays or a smaller"
    " picture."
)


class RaybenchError(ValueError):
    """An error that a user can correct. Its text is one line: what is wrong and the remedy."""

    def __str__(self) -> str:
        """The text of the error. A `Phrase` is returned as it is, so that a window can translate
        it.
        """
        text = self.args[0] if self.args else ""
        return text if isinstance(text, Phrase) else super().__str__()


class SceneFileError(RaybenchError):
    """A file, link or text cannot be read or written as a scene; the message names the source, the
    object and the remedy.
    """

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


class ForeignError(RaybenchError):
    """An error in a file or code that others have written, such as a file of tools. The message is
    cut to one line of limited length, without hidden characters.
    """

    LONGEST: ClassVar[int] = 600
    """Maximum length of the text, about."""

    def __init__(self, text: str) -> None:
        super().__init__(elide_text(text, self.LONGEST))


def one_line(text: str) -> str:
    """The text as one line: line breaks become spaces, and other hidden characters are escaped. A
    text that is one line already is returned unchanged.
    """
    line = escape_hidden(" ".join(text.expandtabs(1).splitlines()))
    return text if line == text else line


def elide_text(text: str, limit: int = 200) -> str:
    """The text as one line of about ``limit`` characters. The middle of a longer text is replaced
    by an ellipsis.
    """
    return _cut_middle(one_line(_cut_middle(text, 2 * limit)), limit)


def with_article(noun: str) -> str:
    """A noun with the indefinite article that its first letter requires, such as “an AngleSource”."""
    return f"{'an' if noun[:1].upper() in 'AEIO' else 'a'} {noun}" if noun else noun


def in_quotes(text: str, limit: int = 200) -> str:
    """A name or other text for a message: in one line, in quotes as Python writes them, and
    shortened as by `elide_text`.
    """
    return escape_hidden(repr(_cut_middle(text, limit)))


def name_in_sentence(text: str) -> str:
    """A name as it appears in a sentence: an ordinary name, such as Main Prism, without quotes, any
    other as `in_quotes` writes it.
    """
    return text if _ORDINARY.fullmatch(text) else in_quotes(text)


def _cut_middle(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit * 2 // 3]}…{text[-(limit // 3) :]}"


def as_sentence(text: str) -> str:
    """The text with a full stop added, unless it is empty or already ends like a sentence."""
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def list_choices(words: Collection[str], last: str = "or") -> str:
    """A list of the allowed words, such as ``left, center or right``."""
    *others, end = words or ("(none)",)
    return f"{', '.join(others)} {last} {end}" if others else end


def list_first_texts(texts: Sequence[str], most: int = 4) -> str:
    """The first ``most`` texts, separated by commas, followed by the number of omitted texts."""
    first = join_with_commas(texts[:most])
    more = len(texts) - most
    return Phrase("{texts} and {count} more", texts=first, count=more) if more > 0 else first


def list_possible_names(names: Sequence[str]) -> str:
    """A sentence that lists the existing names, for an error message."""
    return f"There are: {list_first_texts([elide_text(name, 40) for name in names], 12)}."


def error_message(error: BaseException) -> str:
    """The message of an exception that foreign code has raised; empty if converting the exception
    to text fails.
    """
    try:
        return str(error)
    except Exception:
        return ""


def error_type_and_message(error: BaseException) -> str:
    """The type of an exception that foreign code has raised, followed by its message if it has
    one.
    """
    return f"{type(error).__name__}: {error_message(error)}".rstrip(": ")


def short_repr(value: object) -> str:
    """The `repr` of a value for an error message, shortened to about 80 characters."""
    try:
        return elide_text(repr(value), 80)
    except (
        ValueError,
        RecursionError,
    ):  # an integer with thousands of digits, or too deeply nested
        return f"a {type(value).__name__}"
