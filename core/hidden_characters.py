"""Characters that show nothing but change how a text is read: line breaks, escape sequences, marks of direction, invisible ones.

In a name they would break a message into lines of its own choosing, command a terminal, or say to a model what no person sees.
"""

from __future__ import annotations

import json
import re

HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls, ESC and line breaks among them
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # format, direction, separators of lines
    "\ud800-\udfff"  # halves of characters
    "\U000e0000-\U000e0fff]"  # tags and the further variation selectors, in which whole texts can be hidden
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped(text: str) -> str:
    """The text with hidden characters as in a Python string: ``\\n``, ``\\x1b``, ``\\u202e``."""
    return HIDDEN.sub(lambda m: _escape(m[0]), text)


def escaped_lines(text: str) -> str:
    """As `escaped`, for a text of several lines: their ends and tabs are kept."""
    return HIDDEN.sub(lambda m: m[0] if m[0] in "\n\t" else _escape(m[0]), text.replace("\r\n", "\n"))


def escaped_json(text: str) -> str:
    """The text of a JSON document with hidden characters as JSON's escapes. They stand in its strings, but for the ends of lines."""
    return HIDDEN.sub(lambda m: m[0] if m[0] == "\n" else json.dumps(m[0])[1:-1], text)


def _escape(character: str) -> str:
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
