"""Texts of others, such as names in a scene, where Qt would take them for HTML or for a keyboard shortcut."""

from __future__ import annotations

import html


def tool_tip(text: str) -> str:
    """A tool tip that shows a text as it stands: Qt takes one with tags for HTML, and reads the pictures that it names."""
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>" if "<" in text else text


def label_text(text: str) -> str:
    """The text of a menu entry or a button that shows a text as it stands: ``&`` would underline the next letter, as a shortcut."""
    return text.replace("&", "&&")
