"""Inputs that are nearly right: texts and bytes with pieces taken out, doubled, repeated often,
swapped, or put in from elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

ODD = (
    *"\x00\x1b\n\t \"'`\\/<>&;:,.=+-*^%$#@!?|~()[]{}_0129eπ∞\u202e\ufeff",
    *(
        "1e309",
        "-1e-320",
        "9" * 400,
        "((((",
        "[[[[",
        "{{{{",
        "\\frac{",
        "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    ),
    *("NaN", "null", "../", "%s%n", "𝒳" * 9, "\r\n--"),
)
ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**40, 1e308, float("inf"), float("nan"), "", "x" * 50_000, "\x1b[2J", "\ud800", "9" * 5_000,
    [], {}, [[]], [None], {"type": None}, {"text": {}}, {"type": "text"}, {"type": "tool_use"}, {"error": None}, *ODD,
)  # fmt: skip
LONGEST = 20_000
"""Characters of a changed text, at most."""


def changed(text: str, others: Sequence[str], chance: random.Random) -> str:
    """The text after one to six changes."""
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 5, 20, 200)))
        piece = text[start:end]
        match chance.randrange(7):
            case 0:
                piece = ""
            case 1:
                piece *= 2
            case 2:
                piece = (piece or chance.choice(ODD)) * chance.choice((3, 30, 300, 3000))
            case 3:
                piece = piece[::-1]
            case 4:
                piece = chance.choice(ODD)
            case 5:
                other = chance.choice(others)
                begin = chance.randrange(len(other) + 1)
                piece = other[begin : begin + chance.choice((1, 3, 10, 100))]
            case 6:
                piece += chr(
                    chance.choice(
                        (
                            chance.randrange(128),
                            chance.randrange(0xD800),
                            chance.randrange(0xE000, 0x110000),
                        )
                    )
                )
        text = (text[:start] + piece + text[end:])[:LONGEST]
    return text


def changed_value(value: Any, chance: random.Random) -> Any:
    """A JSON value with one part of it replaced, taken out, or under another key."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key, changed = chance.choice(list(value)), dict(value)
        old = changed.pop(key)
        if chance.random() < 0.8:
            changed[key if chance.random() < 0.9 else str(chance.choice(ODD))] = changed_value(
                old, chance
            )
        return changed
    if isinstance(value, list) and value and chance.random() < 0.7:
        k = chance.randrange(len(value))
        return [
            *value[:k],
            *([changed_value(value[k], chance)] * chance.choice((0, 1, 2))),
            *value[k + 1 :],
        ]
    return chance.choice(ODD_VALUES)
