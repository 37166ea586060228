"""What a model gets to read of a long answer."""

from __future__ import annotations

PREVIEW_CHARACTERS = 6_000
"""About 1500 tokens: a dozen rays in full."""

_RAY_END = "</ray>"


def preview(text: str, cap: int = PREVIEW_CHARACTERS) -> str:
    """The text itself if it is short, else its beginning, ending after a whole ray where it lists rays, and a line on what is missing."""
    if len(text) <= cap:
        return text
    end = text.rfind(_RAY_END, 0, cap)
    if end < 0:
        return f"{text[:cap]}\n[cut: {len(text)} characters in all. Narrow the question to read more.]"
    end += len(_RAY_END)
    shown, total = text.count(_RAY_END, 0, end), text.count(_RAY_END)
    return f"{text[:end]}\n[the first {shown} of {total} rays. Narrow the question, by angle for example, to read others.]"
