"""The context of each number in an answer: its sentence, its clause, and the objects named
there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from raybench.agent.answer_check.claims import Claim, number_claims, singular
from raybench.agent.answer_check.evidence import Evidence, last_noun
from raybench.agent.answer_check.facts import word_stems

_SENTENCE = re.compile(
    r"(?:\b(?:i\.e|e\.g|vs|ca|approx|resp)\.|[^\n.!?]|[.!?](?![\s*_)\"”]|$))+[.!?]?", re.MULTILINE
)
_CLAUSE = re.compile(
    r"[,;:](?=\s)|\||\s[–—]\s|\b(?:and|but|while|whereas|against|vs|than|und|aber|et)\b"
)
_NUMBERED_ROW = re.compile(
    r"\b([Ss]urface|[Oo]rder)s? ([-−]?\d+)(?:(?:,| and| or) ([-−]?\d+)\b(?!\.\d| ?[a-zµ°%]))?"
)
_COLOUR = re.compile(r"\b(?:red|green|blue|yellow|violet|orange|white|cyan|magenta)\b")
_ORDINAL = re.compile(r"\b(zeroth|first|second|third) (surface|order)")
_OF_OTHERS = re.compile(
    r"\b(?:its?|they|them|their|these|those|both|others?|each|every|same|rest|remaining|second"
    r"|former|latter|respectively|per)\b",
    re.IGNORECASE,
)
"""Words that stand for objects which the sentence does not name, or for each of some."""


@dataclass(frozen=True)
class NumberContext:
    """The context of a number in an answer: the text of its sentence, the sentence number
    ``index``, and the ``start`` of the sentence.

    ``before`` and ``after``: words around the number in its clause. ``words``: stems of the words
    since the previous number, without names. Sets of objects, edges, rays and rows:
    ``named_in_clause``, with full names in the clause; ``mentioned_near``, mentioned in the clause
    or, if there are none, before it; ``named_so_far``, mentioned in the sentence up to the number;
    ``possible_owners``, also mentioned later or by plurals and pronouns. ``clause_numbers``: other
    numbers of the clause. ``sentence_numbers``: other numbers of the sentence.
    """

    index: int
    start: int
    text: str
    before: str
    words: frozenset[str]
    after: str
    named_in_clause: frozenset[str]
    mentioned_near: frozenset[str]
    named_so_far: frozenset[str]
    possible_owners: frozenset[str]
    clause_numbers: tuple[Claim, ...]
    sentence_numbers: tuple[Claim, ...]

    @property
    def mentions_unnamed_objects(self) -> bool:
        """Whether the sentence mentions objects that it does not name."""
        return _OF_OTHERS.search(self.text) is not None


def sentences(answer: str) -> Iterator[re.Match[str]]:
    """The sentences of an answer, in order."""
    return _SENTENCE.finditer(answer)


def numbers_with_contexts(answer: str, evidence: Evidence) -> Iterator[tuple[Claim, NumberContext]]:
    """The numbers of an answer, each with its context."""
    owners = _OwnerFinder(evidence)
    topic, headings = frozenset[str](), list[str]()
    for index, m in enumerate(sentences(answer)):
        text = m[0]
        claims = number_claims(text, evidence.pattern)
        is_row = text.lstrip().startswith("|")
        if not is_row:
            headings = []
        headings = headings or text.split("|")
        all_named = owners.owners_named_in(text)
        others = all_named | owners.owners_of_plurals_in(text)
        mentions_unnamed_objects = _OF_OTHERS.search(text) is not None
        masked = evidence.pattern.sub(lambda n: "\0" * len(n[0]), text)
        begin, near = 0, frozenset[str]()
        for a, b in pairwise([0, *(c.end() for c in _CLAUSE.finditer(masked)), len(text)]):
            here = [c for c in claims if a <= c.start < b]
            if not here:
                continue  # the words belong to the next clause with a number
            column = text[:a].count("|")
            heading = headings[column] if is_row and column < len(headings) else ""
            until = text.find(";", b - 1) if here[-1] is claims[-1] else b
            named = owners.owners_named_in(text[:until] if until >= 0 else text)
            meant = others | (topic if mentions_unnamed_objects or not named else frozenset())
            compared = near if text[:begin].endswith("than") else frozenset[str]()
            own = owners.owners_named_in(text[begin:b])
            near = own | compared if own else named
            ordered = owners.owners_of_listed_numbers(text, claims)
            written, of_heading = (
                owners.owners_written_in(text[begin:b]),
                owners.owners_named_in(heading),
            )
            for last, c in zip((None, *here), here, strict=False):
                before = f"{heading} {text[begin : c.start]}"
                since = masked[last.end if last else begin : c.start]
                words = word_stems(since if last else f"{heading} {since}")
                yield (
                    c,
                    NumberContext(
                        index, m.start(), text, before,
                        words, text[c.end : b],
                        written, ordered.get(c.start, near) | of_heading, named,
                        meant,
                        tuple(o for o in here if o is not c),
                        tuple(o for o in claims if o is not c),
                    ),
                )  # fmt: skip
            begin = b
        topic = all_named or topic


class _OwnerFinder:
    """Finds the objects, edges, rays and polarizations that a text names; values in the text belong
    to these owners.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        edges = "|".join(sorted(map(re.escape, evidence.edges), key=len, reverse=True)) or "(?!)"
        self._labels = re.compile(
            r"\br\d+-\d+\b|(?<!['’])\b[sp]\b(?=[- ](?:light|pol|wave|rays)|:)"
            r"|(?<=\bof )[sp]\b|\bunpolarized\b"
            rf"|(?<![\d.] )(?<!\w)(?:{edges})(?![\w-])"
        )
        self._marked: dict[str, set[str]] = {}
        """The light sources of each colour and wavelength in nm."""
        for name in evidence.sources:
            for colour in _COLOUR.findall(name.lower()):
                self._marked.setdefault(colour, set()).add(name)
        for fact in evidence.facts:
            if fact.quantity == "wavelength":
                wavelength = f"{fact.written:g}"
                self._marked.setdefault(wavelength, set()).update(fact.owners & evidence.sources)
        self._last = {name: name.lower().split(" ")[-1] for name in evidence.names}

    def owners_written_in(self, text: str) -> frozenset[str]:
        """The owners whose full names occur in a text."""
        labels = self._labels.findall(text.replace("unpolarised", "unpolarized"))
        found = {*self._evidence.owners_named_in(text), *labels}
        for row, *numbers in _NUMBERED_ROW.findall(text):
            found.update(f"{row.lower()} {n.replace('−', '-')}" for n in numbers if n)
        for ordinal, row in _ORDINAL.findall(text):
            found.add(f"{row} {('zeroth', 'first', 'second', 'third').index(ordinal)}")
        sides = re.findall(
            r"\b([nesw])(?:orth|ast|outh|est)(?:ern)? (?:edge|face|side)s?\b", text.lower()
        )
        found.update(self._evidence.edges.intersection(map(str.upper, sides)))
        return frozenset(found)

    def owners_named_in(self, text: str) -> frozenset[str]:
        """The owners that a text names: by full name, by kind (``the prism``, if there is one), or
        a source by its colour or wavelength.
        """
        found = set(self.owners_written_in(text))
        for noun in re.findall(r"\b(?:[Tt]he|this|that) ([a-z]+)\b", text):
            meant = [name for name, word in self._last.items() if word.endswith(noun)]
            if len(meant) == 1 and noun not in ("object", "source", "image"):
                found.add(meant[0])
        marks = set(_COLOUR.findall(text))
        marks.update(re.findall(r"\b(\d+(?:\.\d+)?)\s?nm\b", text))
        for mark in marks & self._marked.keys():
            if len(self._marked[mark]) == 1:
                found |= self._marked[mark]
        return frozenset(found)

    def owners_of_listed_numbers(
        self, text: str, claims: Sequence[Claim]
    ) -> dict[int, frozenset[str]]:
        """The owner of each number, by the number's start, in a text that lists objects and then
        one number for each, such as ``A and B have 1 and 2 mm``; empty for other texts.
        """
        if len(claims) < 2 or len({c.dimension for c in claims}) > 1:
            return {}
        names = self._evidence.pattern.findall(text[: claims[0].start])
        among = self._evidence.pattern.search(text, claims[0].start, claims[-1].start)
        if len(set(names)) != len(names) or len(names) != len(claims) or among:
            return {}
        return {c.start: frozenset({name}) for name, c in zip(names, claims, strict=True)}

    def owners_of_plurals_in(self, text: str) -> frozenset[str]:
        """The objects that plural words such as ``cameras`` stand for."""
        nouns = {singular(w) for w in re.findall(r"[a-z]+", text) if w != singular(w)}
        return frozenset(n for n in self._evidence.names if last_noun(n) in nouns)
