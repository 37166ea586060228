"""Questions in natural language without a model: the objects they name, and what a tool made of the rest."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.analysis.tools.clauses import Clauses, Marks
from core.kinds.object import SceneObject
from core.scene.document import Document

MOST_UNSURE = 5
"""The most occurrences of names that may also be ordinary words; later ones are taken as names."""
_PRECEDED = re.compile(r"(?:\b(?:of|in|inside|within|from|at|on|the|glass|behind|hit|reach|meet|cross)|[\"“'])\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class PlainQuestion:
    """One reading of a question about a document: ``names`` are the places in ``text`` where objects are named.

    ``text`` is the question with whitespace normalised to single spaces. A name that is also an ordinary word, such as ``Inside`` or
    ``45``, gives a question several `readings`.
    """

    text: str
    document: Document
    names: tuple[tuple[int, int, SceneObject], ...] = ()

    @classmethod
    def of(cls, text: str, document: Document) -> PlainQuestion:
        """The first reading: everything that may be a name is one."""
        return next(cls.readings(text, document))

    @classmethod
    def readings(cls, text: str, document: Document) -> Iterator[PlainQuestion]:
        """The readings of a question, those with most names first; where names occur twice, those after a preposition first."""
        text = " ".join(text.split())
        found = _names_in(text, document)
        unsure = sorted(found, key=lambda n: (_PRECEDED.search(text[: n[0]]) is None, -n[0]))[-MOST_UNSURE:]
        for left_out in range(len(unsure) + 1):
            for dropped in itertools.combinations(reversed(unsure), left_out):
                yield cls(text, document, tuple(n for n in found if n not in dropped))

    @property
    def named(self) -> SceneObject | None:
        """The first object named."""
        return self.names[0][2] if self.names else None

    def clauses(self) -> Clauses:
        """The clauses of the question, none of them understood yet."""
        return Clauses(self._marks, self._marks.text)

    @cached_property
    def _marks(self) -> Marks:
        return Marks.of(self.text, self.document, self.names)


def _names_in(text: str, document: Document) -> list[tuple[int, int, SceneObject]]:
    """The names in a text with their places, whole words without regard to case, longer names first where they overlap."""
    scene = document.scene
    objects = sorted((o for outer in scene.objects for o in scene.with_parts_of(outer)), key=lambda o: -len(o.title))
    taken = [False] * len(text)
    found = []
    for o in objects:
        words = r"\s+".join(re.escape(word) for word in o.title.split())
        for match in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) if words else ():
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = [True] * len(match[0])
                found.append((match.start(), match.end(), o))
    return sorted(found, key=lambda n: n[0])
