"""The size of a query after its common table expressions (CTEs) are expanded: SQLite copies each at
every reference, recursively.

A dozen short CTEs can each double the size, and parsing cannot be interrupted: the expanded size is
therefore estimated beforehand.

A parser such as sqlglot would save some fifty lines here, but it takes 0.1 s to import and 0.2 s
for a long query, which cannot be interrupted, and fails on 90 nested parentheses, which SQLite
accepts. It would refuse nothing that SQLite's authorizer lets pass.
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


MOST_SIZE = 10_000
"""The largest size that is reported."""
MOST_TABLES = 50
"""With more common table expressions than this the size counts as the maximum."""


def expansion(sql: str) -> int:
    """The number of SELECTs in a query after its common table expressions are expanded, at most
    `MOST_SIZE`.

    Mutually recursive common table expressions count as `MOST_SIZE`.
    """
    tokens = _tokens(sql)
    bodies: dict[str, list[str]] = defaultdict(list)
    outside = list(tokens)
    candidates = (
        (_body_start(tokens, i + 1), _name_index(tokens, i))
        for i, token in enumerate(tokens)
        if token == "as"
    )
    definitions = [(start, name) for start, name in candidates if start and name >= 0]
    if len(definitions) > MOST_TABLES:
        return MOST_SIZE
    for start, name in definitions:
        end = _body_end(tokens, start)
        bodies[tokens[name]] += tokens[start:end]
        outside[name] = ""
        outside[start:end] = [""] * (end - start)
    sizes: dict[str, int] = {}

    def size(name: str, ancestors: frozenset[str]) -> int:
        if name not in sizes:
            inner = (
                MOST_SIZE if b in ancestors else size(b, ancestors | {name})
                for b in bodies[name]
                if b in bodies and b != name
            )
            sizes[name] = min(MOST_SIZE, 1 + sum(inner))
        return sizes[name]

    return min(MOST_SIZE, 1 + sum(size(t, frozenset({t})) for t in outside if t in bodies))


def without_comments(sql: str) -> str:
    """The query with a blank in the place of each comment."""
    return _TOKEN.sub(lambda token: " " if token[0].startswith(("--", "/*")) else token[0], sql)


def _tokens(sql: str) -> list[str]:
    """Words and symbols in lower case, quoted names without quotes; the qualifier before a ``.`` is
    replaced by an empty token.
    """
    out = []
    for match in _TOKEN.finditer(sql):
        if match["quoted"]:
            out.append(match["quoted"][1:-1].lower())
        elif not match["skip"]:
            out.append(match[0].lower())
    return ["" if i + 1 < len(out) and out[i + 1] == "." else t for i, t in enumerate(out)]


def _body_start(tokens: list[str], i: int) -> int:
    """The index after the parenthesis that opens a body at ``i``; 0 if none does."""
    while i < len(tokens) and tokens[i] in ("not", "materialized"):
        i += 1
    return i + 1 if i < len(tokens) and tokens[i] == "(" else 0


def _name_index(tokens: list[str], i: int) -> int:
    """The index of the name defined by the AS at ``i``: before it, or before the column list in
    front of it; negative if none.
    """
    i -= 1
    if i >= 0 and tokens[i] == ")":
        while i >= 0 and tokens[i] != "(":
            i -= 1
        i -= 1
    return i


def _body_end(tokens: list[str], start: int) -> int:
    """The index of the parenthesis that closes the body at ``start``."""
    depth = 1
    for i in range(start, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if depth == 0:
            return i
    return len(tokens)
