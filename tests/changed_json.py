"""JSON values that are nearly right: with one part replaced by an odd one, taken out, doubled, or under another key."""

from __future__ import annotations

import random
from typing import Any

from tests.changed_text import ODD

ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**40, 1e308, float("inf"), float("nan"), "", "x" * 50_000, "\x1b[2J", "\ud800", "9" * 5_000,
    [], {}, [[]], [None], {"type": None}, {"text": {}}, {"type": "text"}, {"type": "tool_use"}, {"error": None}, *ODD,
)  # fmt: skip


def changed_value(value: Any, chance: random.Random) -> Any:
    """A JSON value with one part of it replaced, taken out, or under another key."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key, changed = chance.choice(list(value)), dict(value)
        old = changed.pop(key)
        if chance.random() < 0.8:
            changed[key if chance.random() < 0.9 else str(chance.choice(ODD))] = changed_value(old, chance)
        return changed
    if isinstance(value, list) and value and chance.random() < 0.7:
        k = chance.randrange(len(value))
        return [*value[:k], *([changed_value(value[k], chance)] * chance.choice((0, 1, 2))), *value[k + 1 :]]
    return chance.choice(ODD_VALUES)
