"""Counts as the window writes them."""

from __future__ import annotations


def counted(n: int) -> str:
    """A whole number with thin spaces between groups of three digits."""
    return f"{n:,}".replace(",", "\u2009")
