"""Measures in questions as they are written, and what is computed from them: ``power(Screen) /
power(Lamp)``.
"""

from __future__ import annotations

import re

from raybench.analysis.measures.bound import bind
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.tools.clauses import Clauses
from raybench.analysis.tools.marks import OBJECT, PATH
from raybench.analysis.tools.phrases import Understanding
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import RaybenchError

_MEASURE = rf"(?:{'|'.join(MEASURES)}) ?\([^()]*\)"
WRITTEN = rf"{_MEASURE}(?: ?(?:[-+*/;]|and)? ?{_MEASURE})*"
"""Measures, or what is computed from them, as they are written: power(Screen) / power(Lamp)."""


def written_measures(said: Clauses, text: str) -> Understanding:
    """Measures as they are written, in which names are marks."""
    pieces = [
        _one(said, *m.groups()) if m[1] else m[0]
        for m in re.finditer(r"(\w+) ?\(([^()]*)\)| ?(?:[-+*/;]|and)? ?", text)
    ]
    if unclear := next((piece for piece in pieces if isinstance(piece, Unclear)), None):
        return said.ask(unclear.problem)
    measures = "".join("; " if piece in (" ", " and ") else str(piece) for piece in pieces)
    try:
        found = bind(measures, said.document)
    except RaybenchError as error:
        return said.ask(str(error))
    return said.whole({"measures": "; ".join(value.expression for value in found)})


def _one(said: Clauses, name: str, arguments: str) -> str | Unclear:
    """A measure with the names for which its marks stand."""
    titles: list[str] = []
    for argument in re.findall(r"[^ ,]+", arguments):
        if re.fullmatch(PATH, argument):
            titles.append(said.path(argument))
            continue
        for mark in re.findall(OBJECT, argument):
            meant = said.marked(mark)
            if isinstance(meant, Unclear):
                return meant
            argument = argument.replace(mark, meant.title)
        titles.append(argument)
    return str(Expression(name, tuple(titles)))
