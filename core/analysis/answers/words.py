"""Values and counts in sentences."""

from __future__ import annotations

from typing import Any

from core.errors import one_line

LONGEST = 60
"""Characters of one value in a sentence; a longer one is elided."""


def in_words(value: Any) -> str:
    """A value as it stands in a sentence: on one line, short, several with commas."""
    if isinstance(value, list | tuple):
        return in_words(", ".join(map(in_words, value)))
    text = f"{value:g}" if isinstance(value, float) else one_line(" ".join(str(value)[:400].split()))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def counted(count: int) -> str:
    return f"{count:,}".replace(",", " ")


def rays_counted(count: int) -> str:
    return "1 ray" if count == 1 else f"{counted(count)} rays"


def number_of(count: int, one: str, several: str = "") -> str:
    """A count with its noun; the plural is the noun with an s unless it is given."""
    return f"1 {one}" if count == 1 else f"{counted(count)} {several or one + 's'}"


def rays_found(count: int, one: str, several: str) -> str:
    """How many rays do something, such as ``25 rays are inside Main Prism``; the verb for one ray, and for several."""
    if count == 0:
        return f"No ray {one}"
    return f"{rays_counted(count)} {one if count == 1 else several}"


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
