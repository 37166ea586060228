"""How large a query becomes when its common table expressions are put in: SQLite copies each wherever it is named, those in it too.

A dozen short lines can double a dozen times, and while SQLite reads a query nothing can stop it: so it is counted before.
"""

from __future__ import annotations

import re
from collections import defaultdict

_TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?(?:\*/|$)|'(?:[^']|'')*'?)"""
    r"""|(?P<quoted>"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)"""
    r"""|(?P<word>[^\W\d][\w$]*)|(?P<other>\d[\w.]*|.)""",
    re.DOTALL,
)


MOST_TABLES = 50
"""Common table expressions above which a query is not counted any more."""


def expansion(sql: str, most: int = 10_000) -> int:
    """How many selects a query has in its text when all that it names is put in, as far as ``most``.

    Common table expressions that name each other in a circle count as ``most``.
    """
    tokens = _tokens(sql)
    bodies: dict[str, list[str]] = defaultdict(list)
    outside = list(tokens)
    found = ((_opening(tokens, i + 1), _defined(tokens, i)) for i, token in enumerate(tokens) if token == "as")
    definitions = [(start, place) for start, place in found if start and place >= 0]
    if len(definitions) > MOST_TABLES:
        return most
    for start, place in definitions:
        end = _closing(tokens, start)
        bodies[tokens[place]] += tokens[start:end]
        outside[place] = ""
        outside[start:end] = [""] * (end - start)
    sizes: dict[str, int] = {}

    def size(name: str, above: frozenset[str]) -> int:
        if name not in sizes:
            inner = (most if b in above else size(b, above | {name}) for b in bodies[name] if b in bodies and b != name)
            sizes[name] = min(most, 1 + sum(inner))
        return sizes[name]

    return min(most, 1 + sum(size(t, frozenset({t})) for t in outside if t in bodies))


def _tokens(sql: str) -> list[str]:
    """Words and signs in lower case; names that are quoted as if they were not; ``.`` joined columns left out of the count."""
    out = []
    for match in _TOKEN.finditer(sql):
        if match["quoted"]:
            out.append(match["quoted"][1:-1].lower())
        elif not match["skip"]:
            out.append(match[0].lower())
    return ["" if i + 1 < len(out) and out[i + 1] == "." else t for i, t in enumerate(out)]


def _opening(tokens: list[str], i: int) -> int:
    """The place after the parenthesis that opens a body at ``i``, 0 if none does."""
    while i < len(tokens) and tokens[i] in ("not", "materialized"):
        i += 1
    return i + 1 if i < len(tokens) and tokens[i] == "(" else 0


def _defined(tokens: list[str], i: int) -> int:
    """The place of the name that the AS at ``i`` defines: before it, or before the list of columns in front of it; below 0 for none."""
    i -= 1
    if i >= 0 and tokens[i] == ")":
        while i >= 0 and tokens[i] != "(":
            i -= 1
        i -= 1
    return i


def _closing(tokens: list[str], start: int) -> int:
    depth = 1
    for i in range(start, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if depth == 0:
            return i
    return len(tokens)
