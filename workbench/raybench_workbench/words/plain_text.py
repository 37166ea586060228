"""Plain text, such as names in a scene, where Qt would interpret it as HTML or as a keyboard
shortcut.
"""

from __future__ import annotations

import html
import re

_LONG_WORD = re.compile(r"\S{25,}")
_PIECE = 16
"""Characters of a piece of a long word."""
ZERO_WIDTH_SPACE = "\u200b"


def tool_tip(text: str) -> str:
    """The text of a tool tip or message box that shows ``text`` literally: Qt renders a text with
    tags as HTML and loads its pictures.
    """
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>" if "<" in text else text


def label_text(text: str) -> str:
    """The text of a menu entry or button that shows ``text`` literally: Qt takes ``&`` as the mark
    of a shortcut.
    """
    return text.replace("&", "&&")


def breakable(text: str) -> str:
    """A text whose long words, such as a number of fifty digits, can be wrapped: a label does not
    break words.
    """
    return _LONG_WORD.sub(
        lambda m: ZERO_WIDTH_SPACE.join(m[0][i : i + _PIECE] for i in range(0, len(m[0]), _PIECE)),
        text,
    )
