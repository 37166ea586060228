"""Escaping of hidden characters: control characters, line breaks, text direction marks and
invisible characters.

In a name they could add lines to a message, send escape sequences to a terminal, or pass hidden
text to a model.
"""

from __future__ import annotations

import json
import re

HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters, including ESC and line breaks
    # formatting, text direction, line separators
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff"  # surrogates
    # tags and supplementary variation selectors, which can encode hidden text
    "\U000e0000-\U000e0fff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped(text: str) -> str:
    """The text with hidden characters replaced by escape sequences as in Python strings: ``\\n``,
    ``\\x1b``, ``\\u202e``.
    """
    return HIDDEN.sub(lambda m: _escape(m[0]), text)


def escaped_lines(text: str) -> str:
    """As `escaped`, but line breaks and tabs are kept."""
    return HIDDEN.sub(
        lambda m: m[0] if m[0] in "\n\t" else _escape(m[0]), text.replace("\r\n", "\n")
    )


def escaped_json(text: str) -> str:
    """The JSON text with hidden characters, which can only occur in strings, replaced by JSON
    escapes; line breaks are kept.
    """
    return HIDDEN.sub(lambda m: m[0] if m[0] == "\n" else json.dumps(m[0])[1:-1], text)


def _escape(character: str) -> str:
    code = ord(character)
    return _SHORT.get(character) or (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )
