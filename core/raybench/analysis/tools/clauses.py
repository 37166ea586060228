"""The clauses of a question in natural language: objects, sources, edges, strengths, wavelengths,
angles. A tool takes the clauses that it understands; it answers only if the remaining words have no
meaning of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from raybench.analysis.phrase import PhrasePattern
from raybench.analysis.scene.systems import System
from raybench.analysis.tools.fillers import FILLERS
from raybench.analysis.tools.marks import DETERMINED, MARK, OBJECT, Marks
from raybench.analysis.tools.nouns import Every, noun_in, object_without_name
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import there_are
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.optics.colour import COLOURS
from raybench.scene.document import Document
from raybench.scene.labels import LabelledEdge, facing, labelled_edges

CLAUSE_WORDS = frozenset(
    re.findall(
        r"\w+",
        "above angle below between bottom cross degree east edge escape face hit inside least left"
        " less miss more most north not only over polarized power reach refracted reflected right"
        " side south strong than through top total under weak west within",
    )
)
"""Words of the clauses below that do not occur in phrases."""
NUMBER = r"(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?(?![\w.]*\d)"
DEGREES = r"(?: ?(?:°|deg(?:rees?)?))?"
"""The unit of an angle as a pattern; it may be left out."""
SIDES = {
    "top": "N",
    "upper": "N",
    "bottom": "S",
    "lower": "S",
    "left": "W",
    "right": "E",
    "north": "N",
    "south": "S",
    "west": "W",
    "east": "E",
}
_SECOND = re.compile(r"\band ((?:how|what|when|where|which|who|why) [^|]*\w)\s*$")
"""A second question at the end, of which nothing was understood, though all of its words are
fillers: and where is it.
"""
_AND = r" ?(?:and|to|–|-|\.\.\.?) ?"


@dataclass(frozen=True)
class Partly:
    """A part of a question was understood; ``rest`` are the words that were not."""

    rest: str


class Meant(dict[str, Any]):
    """The arguments of a call that a question asks for; ``spare`` is the number of its words that
    were not needed.
    """

    def __init__(self, arguments: Mapping[str, Any], spare: int = 0) -> None:
        super().__init__(arguments)
        self.spare = spare


@dataclass(frozen=True)
class Range:
    """Bounds of a quantity, included unless ``open_least`` or ``open_most``."""

    least: float
    most: float
    open_least: bool = False
    open_most: bool = False

    @property
    def closed(self) -> tuple[float, float]:
        """The least and the greatest number in the range."""
        least = math.nextafter(self.least, math.inf) if self.open_least else self.least
        return least, math.nextafter(self.most, -math.inf) if self.open_most else self.most


_COMING_FROM = (
    r"(?:(?:(?:(?:that )?(?:are |is )?(?:emitted|sent out)|coming|starting|(?:that"
    r" )?(?:comes?|starts?|stems?)) )?"
    r"(?:from|by|of|for|out of)|(?:that )?(?:start|begin)(?:s|n?ing)? at) {o}"
)


class Clauses:
    """The clauses of one reading of a question. Taking one removes it, so that the `remainder` was
    not understood.
    """

    def __init__(self, marks: Marks, remainder: str) -> None:
        self._marks = marks
        self.remainder = remainder

    @property
    def document(self) -> Document:
        return self._marks.document

    def copy(self) -> Clauses:
        """The same clauses, to be taken independently."""
        return Clauses(self._marks, self.remainder)

    # --- words

    def take(self, pattern: str) -> re.Match[str] | None:
        """Take the first match of a pattern of whole words: of a regular expression in which {o},
        {s} and {t} are objects.
        """
        return self._take_match(_compiled(pattern).search(f"{self.remainder} "))

    def find_phrase(
        self, phrase: PhrasePattern, before: str = "", after: str = ""
    ) -> re.Match[str] | None:
        """The first match of a phrase, between words that ``before`` and ``after`` match."""
        return phrase.search(f"{self.remainder} ", before, after)

    def take_phrase(
        self, phrase: PhrasePattern, before: str = "", after: str = ""
    ) -> re.Match[str] | None:
        """Take what `find_phrase` finds."""
        return self._take_match(self.find_phrase(phrase, before, after))

    def _take_match(self, match: re.Match[str] | None) -> re.Match[str] | None:
        """Take a match in the remainder that a space follows."""
        if match is not None:
            self.remainder = (
                f"{match.string[: match.start()]}| {match.string[match.end() :]}".strip()
            )
        return match

    def has(self, pattern: str) -> bool:
        """Whether a pattern matches the remainder."""
        return _compiled(pattern).search(self.remainder) is not None

    @property
    def rest(self) -> str:
        """The words that were not understood, as they were written, in lower case; dots stand for
        words between them.
        """
        pieces = [" ".join(_trimmed(piece.split())) for piece in self.remainder.split("|")]
        if not any(pieces) and (second := _SECOND.search(self.remainder)):
            pieces = [second[1]]
        return re.sub(
            MARK,
            lambda m: self._marks.named[m[0]][1],
            " … ".join(piece for piece in pieces if piece),
        )

    def unknown(self, vocabulary: Collection[str]) -> str:
        """The words of `rest` that do not occur in any question; ``vocabulary`` are the words of
        all questions.
        """
        known = re.compile(rf"{MARK}|…")
        words = (
            "…" if known.search(w) or w in vocabulary or w in FILLERS else w
            for w in self.remainder.replace("|", "…").split()
        )
        return re.sub(r"(?: ?… ?)+", " … ", " ".join(words)).strip(" …")

    def whole(self, arguments: Mapping[str, Any]) -> Meant | Partly:
        """The arguments if everything was understood."""
        return (
            Partly(self.rest)
            if self.rest
            else Meant(arguments, len(self.remainder.replace("|", " ").split()))
        )

    def ask(self, problem: str) -> Unclear | Partly:
        """A question to the user if everything else was understood."""
        return Partly(self.rest) if self.rest else Unclear(problem)

    # --- objects

    def object(self, pattern: str) -> SceneObject | Unclear | None:
        """Take a pattern with one object, {o}, or {s} and {t} in its other alternatives, and give
        this object.
        """
        match = self.take(pattern)
        return (
            None
            if match is None
            else self.single(next(mark for mark in match.groupdict().values() if mark))
        )

    def marked(self, mark: str) -> SceneObject | System | Unclear:
        """The object or the group of a mark."""
        named = self._marks.named[mark][0]
        assert not isinstance(named, str)
        if isinstance(named, Every):
            titles = [o.title for o in named.objects]
            return (
                named.objects[0]
                if len(titles) == 1
                else Unclear(f"Which {named.noun}? {there_are(titles)}")
            )
        return named

    def noun(self, mark: str) -> str:
        """The noun by which a mark refers to all of its objects, whether or not there are any;
        empty if it is none.
        """
        named, typed = self._marks.named[mark]
        return noun_in(typed.lower()) if isinstance(named, Every | Unclear) else ""

    def each(self, mark: str) -> Sequence[SceneObject | System] | Unclear:
        """The objects that a mark refers to: one, or all of a noun."""
        named = self._marks.named[mark][0]
        if isinstance(named, Every):
            return named.objects
        meant = self.marked(mark)
        return meant if isinstance(meant, Unclear) else [meant]

    def single(self, mark: str) -> SceneObject | Unclear:
        """The object of a mark, which must not be that of a group."""
        named = self.marked(mark)
        return (
            Unclear(f"{named.title} is a group. Which of its objects?")
            if isinstance(named, System)
            else named
        )

    def path(self, mark: str) -> str:
        """The path pattern of a mark."""
        return str(self._marks.named[mark][0])

    def only(self, noun: str) -> SceneObject | Unclear:
        """The object that a question which names none is about: of the kinds of a noun."""
        return object_without_name(noun, self.document)

    def source(self) -> SceneObject | Unclear | None:
        """The source that light comes from."""
        for match in _compiled(_COMING_FROM).finditer(self.remainder):
            found = self.marked(match["o"])
            if isinstance(found, Source) or (isinstance(found, Unclear) and found.source):
                self.remainder = " ".join(
                    f"{self.remainder[: match.start()]} {self.remainder[match.end() :]}".split()
                )
                return found
        return None

    def edge(self) -> tuple[SceneObject, LabelledEdge | None] | Unclear | None:
        """Take an edge and its object, the only glass if none is named. The edge is None if the
        question names none of them.
        """
        for match in _compiled(r"{o}").finditer(self.remainder):
            found = self.marked(match["o"])
            if (
                not isinstance(found, Unclear | Source | System)
                and (taken := self._edge_of(found, match["o"])) is not None
            ):
                return found, taken[0]
        if self.has(OBJECT) and not self.has(r"edge|side|face"):
            return None
        if self.has(r"(?:edges?|sides?|faces?) (?:of|on) {o}"):
            whose = self.object(r"(?:an?|which)? ?(?:edges?|sides?|faces?) (?:of|on) {o}")
            return whose if isinstance(whose, Unclear) else None if whose is None else (whose, None)
        if not self.has(r"edge|side|face"):
            return None
        glass = self.only("glass")
        if isinstance(glass, Unclear):
            self.take(r"(?:(?:an?|the) )?(?:\w+ )?(?:edge|side|face)(?: \w{1,4})?")
            return glass
        taken = self._edge_of(glass, "")
        if taken is None:
            self.take(r"(?:an?|the)? ?(?:edge|side|face)")
        return glass, None if taken is None else taken[0]

    def _edge_of(self, obj: SceneObject, mark: str) -> tuple[LabelledEdge] | None:
        edges = labelled_edges(obj, self.document.edge_labels.get(obj.key, {}))
        of = rf"(?: (?:of|on) {DETERMINED}{mark})" if mark else r"(?: of it)?"
        for edge in edges:
            names = [edge.short, str(edge.index), *([edge.user] if edge.user else [])]
            names += [
                side
                for side, short in (*SIDES.items(), *((p.lower(), p) for p in "NESW"))
                if _points_at(edges, short) == edge.index
            ]
            word = "|".join(
                re.escape(name.lower()) for name in (*names, edge.long.removesuffix(" Edge"))
            )
            shapes = (
                rf"(?:the )?(?:edge|side|face) (?:{word}){of}",
                rf"(?:the )?(?:{word}) (?:edge|side|face){of}",
                rf"(?:the )?(?:{re.escape(edge.long.lower())}){of}",
                *([rf"(?:the )?(?:{word}){of}"] if mark else []),
                *(
                    [rf"(?:the )?(?:{re.escape(edge.user.lower())}){of if mark else ''}"]
                    if edge.user
                    else []
                ),
            )
            if any(self.take(shape) for shape in shapes):
                return (edge,)
        return None

    # --- ranges

    def power(self) -> Range | None:
        """A range of the power of a ray, relative to the brightness of sources; two one-sided ones
        are taken together.
        """
        one = self._power()
        other = self._power() if one is not None else None
        if one is None or other is None:
            return one
        low, high = sorted((one, other), key=lambda r: math.isinf(r.most))[::-1]
        if low.least <= 0 or math.isfinite(low.most) or high.least > 0 or math.isinf(high.most):
            self.remainder += " and another power"  # two bounds on one side: not understood
        return Range(low.least, high.most, low.open_least, high.open_most)

    def _power(self) -> Range | None:
        # words of comparison exclude the bound
        if match := self.take(rf"(?:stronger|brighter|more intense) than ({NUMBER})(?! ?%)"):
            return Range(float(match[1]), math.inf, open_least=True)
        if match := self.take(rf"(?:weaker|dimmer|fainter|less intense) than ({NUMBER})(?! ?%)"):
            return Range(0.0, float(match[1]), open_most=True)
        quantity = (
            r"(?:(?:with|of|by|having|whose|in) )*(?:an? |the"
            r" )?(?:power|brightness|intensity|strength)s? (?:is |are |of )?"
        )
        return self._range(quantity, r"(?! ?[%°])", exclusive=True)

    def wavelength(self) -> Range | None:
        """A range of wavelengths in nm, also that of the name of a colour; a single one is a range
        of no width.
        """
        if match := self.take(rf"(?:in (?:the )?)?({'|'.join(COLOURS)})(?: light)?"):
            return Range(*COLOURS[match[1]])
        before = r"(?:(?:with|of|at|by|having|whose|in) )*(?:an? |the )?"
        unit = r"(?: ?(?:nm|nanomet(?:er|re)s?|(?P<micro>[uµμ]m|microns?|micromet(?:er|re)s?))\b)"
        quantity = rf"{before}(?:wavelengths? (?:is |are |of )?)"
        return self._range(
            rf"(?:{quantity}|{before})", unit, exclusive=True, single=True
        ) or self._range(quantity, unit + "?", exclusive=True, single=True)

    def angle(self) -> Range | None:
        """A range of angles in degrees from a normal, 0 to 90; ``about 45°`` allows a degree on
        both sides.
        """
        if self.take(r"graz(?:ing|es?)|at (?:a )?grazing incidence|shallow"):
            return Range(75.0, 90.0)
        before = r"(?:(?:with|of|at|by|in|having) )*(?:an? |the )?(?:incidence |incident )?"
        unit = r"(?: ?(?:°|deg(?:rees?)?\b))"
        quantity = (
            rf"{before}(?:angles?(?: of incidence)?(?: to (?:the |its )?normal)? (?:is |are |of )?)"
        )
        found = self._range(
            rf"(?:{quantity}|{before}|steeper than )", unit, single=True, most=90.0
        ) or self._range(quantity, unit + "?", single=True, most=90.0)
        if found is None or found.least != found.most:
            return found
        return Range(max(0.0, found.least - 1.0), min(90.0, found.most + 1.0))

    def polarization(self) -> Range | None:
        """A range of the degree of polarization, 0 to 1, also given in percent or by words such as
        ``unpolarized``.
        """
        for words, least, most in (
            (r"un-?polari[sz]ed|not polari[sz]ed", 0.0, 0.1),
            (r"(?:fully|completely|perfectly|totally) polari[sz]ed", 0.99, 1.0),
            (r"(?:weakly|slightly|little|hardly) polari[sz]ed", 0.0, 0.3),
        ):
            if self.take(words):
                return Range(least, most)
        percent = r"(?P<percent> ?(?:%|percent))?"
        quantity = (
            r"(?:(?:with|of|by|having) )*(?:an? |the )?(?:degrees? of"
            r" polari[sz]ation|polari[sz]ation|dop)(?: (?:is|are|of))? "
        )
        polarized = r"(?:partially )?polari[sz]ed"
        if found := self._range(
            rf"(?:{quantity}|{polarized} (?:by )?)", percent, single=True, most=1.0
        ):
            return found
        if self.take(polarized):
            return Range(0.5, 1.0)
        return Range(0.0, 1.0) if self.take(quantity.rstrip()) else None

    def range_of(self, quantity: str, unit: str = "", most: float = math.inf) -> Range | None:
        """A range of another quantity, given by its name and its unit as patterns; the name may be
        empty.
        """
        return self._range(
            rf"{quantity} (?:is |are |of )?" if quantity else "", unit, single=True, most=most
        )

    def _range(
        self,
        before: str,
        unit: str,
        exclusive: bool = False,
        single: bool = False,
        most: float = math.inf,
    ) -> Range | None:
        number = rf"(?P<n1>{NUMBER})"
        plain_unit = re.sub(r"\?P<\w+>", "?:", unit)
        shapes = (
            (
                "between",
                rf"{before}(?:between |from )?{number}{plain_unit}?{_AND}(?P<n2>{NUMBER}){unit}",
            ),
            (
                "above",
                (
                    rf"{before}(?:over|above|more than|(?:great|high|larg|long|strong)er than|>)"
                    rf" ?{number}{unit}"
                ),
            ),
            (
                "below",
                (
                    rf"{before}(?:under|below|less than|(?:small|low|short|weak)er than|<)"
                    rf" ?{number}{unit}"
                ),
            ),
            ("least", rf"{before}(?:at least|>=|≥|from) ?{number}{unit}"),
            ("most", rf"{before}(?:at most|up to|within|<=|≤) ?{number}{unit}"),
            (
                "least",
                rf"{before}{number}{unit} (?:or|and) (?:more|above|over|higher|greater|longer)",
            ),
            (
                "most",
                rf"{before}{number}{unit} (?:or|and) (?:less|below|under|lower|smaller|shorter)",
            ),
            *(
                [("single", rf"{before}(?:at |about |around |of |by |exactly |=)?{number}{unit}")]
                if single
                else []
            ),
        )
        for kind, shape in shapes:
            before_it, match = self.remainder, self.take(shape)
            if match is None:
                continue
            if match.groupdict().get("micro") and "nm" in match[0]:  # two units
                self.remainder = before_it
                return None
            scale = (
                100.0
                if match.groupdict().get("percent")
                else 1e-3
                if match.groupdict().get("micro")
                else 1.0
            )
            values = sorted(
                float(text) / scale for text in (match["n1"], match.groupdict().get("n2")) if text
            )
            low, high = values[0], values[-1]
            if kind == "above":
                return Range(low, most, open_least=exclusive)
            if kind == "below":
                return Range(0.0, high, open_most=exclusive)
            return Range(0.0 if kind == "most" else low, most if kind == "least" else high)
        return None


def _points_at(edges: Sequence[LabelledEdge], point: str) -> int | None:
    """The index of the edge that a compass point refers to: the one with this label, else the only
    one that faces there.
    """
    matching = [e for e in edges if e.short == point] or facing(edges, point)
    return matching[0].index if len(matching) == 1 else None


_PREPOSITIONS = ("at", "by", "for", "in", "into", "of", "on", "to", "with")


def _trimmed(words: list[str]) -> list[str]:
    """Words that were not understood, with fillers between them and a preposition before them, but
    without those around them.
    """
    meant = [i for i, word in enumerate(words) if word not in FILLERS]
    if not meant:
        return []
    first = meant[0] - 1 if meant[0] and words[meant[0] - 1] in _PREPOSITIONS else meant[0]
    return words[first : meant[-1] + 1]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of whole words with its slots {o}, {s} and {t} filled in."""
    for slot in "ost":
        pattern = pattern.replace(f"{{{slot}}}", rf"{DETERMINED}(?P<{slot}>{OBJECT})")
    return re.compile(rf"(?<![\w.])(?:{pattern})(?![\w°%])")
