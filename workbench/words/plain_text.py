"""Texts of others, such as names in a scene, where Qt would take them for HTML or for a keyboard shortcut."""

from __future__ import annotations

import html
import re

_LONG_WORD = re.compile(r"\S{25,}")
_PIECE = 16
"""Characters of a piece of a long word."""
ZERO_WIDTH_SPACE = "\u200b"


def tool_tip(text: str) -> str:
    """A tool tip, or a question, that shows a text as it stands: Qt takes one with tags for HTML, and reads the pictures that it names."""
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>" if "<" in text else text


def label_text(text: str) -> str:
    """The text of a menu entry or a button that shows a text as it stands: ``&`` would underline the next letter, as a shortcut."""
    return text.replace("&", "&&")


def breakable(text: str) -> str:
    """A text whose long words, such as a number of fifty digits, may go on in the next line: a label breaks no word."""
    return _LONG_WORD.sub(lambda m: ZERO_WIDTH_SPACE.join(m[0][i : i + _PIECE] for i in range(0, len(m[0]), _PIECE)), text)
