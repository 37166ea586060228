"""Inputs that are nearly right: texts and bytes with pieces taken out, doubled, repeated often, swapped, or put in from elsewhere."""

from __future__ import annotations

import random
from collections.abc import Sequence

ODD = (
    *"\x00\x1b\n\t \"'`\\/<>&;:,.=+-*^%$#@!?|~()[]{}_0129eπ∞\u202e\ufeff",
    *("1e309", "-1e-320", "9" * 400, "((((", "[[[[", "{{{{", "\\frac{", "<!DOCTYPE a [<!ENTITY b 'c'>]>"),
    *("NaN", "null", "../", "%s%n", "𝒳" * 9, "\r\n--"),
)
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
                piece += chr(chance.choice((chance.randrange(128), chance.randrange(0xD800), chance.randrange(0xE000, 0x110000))))
        text = (text[:start] + piece + text[end:])[:LONGEST]
    return text
