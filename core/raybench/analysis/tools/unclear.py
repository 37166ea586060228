"""A question to the user: what a question leaves open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unclear:
    """A question was understood, but is ambiguous or incomplete; ``problem`` is the sentence to ask
    the user.

    ``source``: whether it is about which source is meant.
    """

    problem: str
    source: bool = False
