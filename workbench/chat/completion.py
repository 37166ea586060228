"""What could stand at the cursor: commands after a slash, names of objects anywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST = 8


@dataclass(frozen=True)
class Completion:
    """``texts`` that may replace what stands from ``start`` to the cursor."""

    start: int
    texts: tuple[str, ...]


def completions(before: str, commands: Sequence[str], names: Sequence[str]) -> Completion:
    """What could stand at the end of ``before``, the text up to the cursor.

    A slash at the very beginning asks for a command, anywhere in it; after a command and in plain text an object's name is completed
    from its first two letters on (from none inside an open quotation mark); after a command names are quoted.
    """
    if before.startswith("/") and " " not in before:
        typed = before[1:].lower()
        fits = [c for c in commands if typed in c.lower()]
        fits.sort(key=lambda c: (not c.lower().startswith(typed), c))
        texts = tuple(f"/{c}" for c in fits[:MOST])
        return Completion(0, texts if texts != (before,) else ())
    command = before.startswith("/")
    quoted = re.search(r'"([^"]*)$', before) if command and before.count('"') % 2 else None
    if quoted:
        return Completion(quoted.start(), _fitting(quoted[1], names, command, least=0))
    for word in re.finditer(r"(?<![\w\"])\w", before):
        typed = before[word.start() :]
        if texts := _fitting(typed, names, command, least=2):
            return Completion(word.start(), texts)
    if command and re.search(r"\s$", before):
        return Completion(len(before), _fitting("", names, command, least=0))
    return Completion(len(before), ())


def _fitting(typed: str, names: Sequence[str], quote: bool, least: int) -> tuple[str, ...]:
    if len(typed) < least:
        return ()
    fits = [n for n in names if n.lower().startswith(typed.lower()) and n != typed]
    return tuple(_quoted(n) if quote else n for n in fits[:MOST])


def _quoted(name: str) -> str:
    mark = "'" if '"' in name else '"'
    return f"{mark}{name}{mark}" if re.search(r"\W", name) else name
