"""The phrases that ask for measures, as patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from raybench.analysis.measures.measure import Parameter, Role
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.phrase import Phrase, PhrasePattern
from raybench.analysis.tools.measure_arguments import slot
from raybench.analysis.tools.measures_together import TOGETHER

_TAIL = re.compile(r"\s(?:<[\w ]+>|\([^()]*\)|\w+)\s\{\w+\}$")
"""The preposition and the object at the end of a phrase: what is before it names a quantity."""


@dataclass(frozen=True)
class MeasureRow:
    """A phrase for measures, as a pattern; ``head`` is that of its quantity alone, None if it has
    none. ``general``: of any object. ``alone``: the quantity is understood without an object.
    """

    measures: tuple[str, ...]
    pattern: PhrasePattern
    head: PhrasePattern | None
    general: bool
    alone: bool

    def parameters(self, measure: str) -> Iterator[Parameter]:
        """The parameters of one of its measures; those without a noun have the noun of the others,
        which are of the same objects.
        """
        nouns = {
            p.name: p.noun for name in self.measures for p in MEASURES[name].parameters if p.noun
        }
        yield from (
            replace(p, noun=p.noun or nouns.get(p.name, "")) for p in MEASURES[measure].parameters
        )


@cache
def rows() -> tuple[MeasureRow, ...]:
    """All phrases for measures."""
    return tuple(_row(names, phrase) for names, phrase in phrases())


@cache
def phrases() -> tuple[tuple[tuple[str, ...], Phrase], ...]:
    """The measures and the phrases that mean them."""
    alone = (((m.name,), p) for m in MEASURES.values() for p in m.phrases)
    return (*alone, *((names, Phrase(text)) for names, texts in TOGETHER.items() for text in texts))


def _row(names: tuple[str, ...], phrase: Phrase) -> MeasureRow:
    parameters = {p.name: p for name in names for p in MEASURES[name].parameters}
    head = _TAIL.sub("", phrase.text)
    asks = head.split()[0] in ("how", "what", "where", "which", "in", "at")
    return MeasureRow(
        names,
        phrase.pattern(lambda name: slot(parameters[name])),
        Phrase(head).pattern(str) if head != phrase.text and "{" not in head and not asks else None,
        any(p.role in (Role.SURFACE, Role.SYSTEM, Role.OBJECT) for p in parameters.values()),
        phrase == next(p for of, p in phrases() if of == names)
        and bool(re.search(r"(?:<(?:at|of|after|in)>|\bof\b[^{>]*) \{", phrase.text))
        and any(p.noun for name in names for p in MEASURES[name].parameters),
    )
