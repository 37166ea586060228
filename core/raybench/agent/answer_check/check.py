"""The check of an answer: which of its numbers, names and ray sets the sources hold, and which
nothing supports.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.agent.answer_check.claims import (
    COUNTED,
    UNITS,
    Checked,
    Claim,
    number_claims,
    singular,
)
from raybench.agent.answer_check.evidence import REMARKS, Evidence, Value
from raybench.agent.answer_check.names import unknown_names

Mask = NDArray[np.bool_]
MOST_COMBINED = 400
"""Maximum numbers of an answer that are looked for among differences, sums and ratios of values;
later ones must be values themselves.
"""
MOST_OPERANDS = 40
"""Maximum values of one kind of which differences, sums and ratios are tried for one number."""
LONGEST_ROWS = 24
"""Values of longer lists are quoted but not combined: of many values some combination fits any
number.
"""
FEW = 8
"""Values of one name among which a difference or sum is looked for."""
ROUNDED = 0.0005
"""Relative error of a combination of two values that were rounded before."""
MOST_ADDED = 8
"""Maximum numbers of an answer that are added."""
SMALL = 12
"""The largest count that prose may hold without a source."""
_TOTAL = re.compile(r"emitted|total|arriving|in_all|^objects$|^sources$|count\(")
"""Names of values that others are parts of."""
_SENTENCE = re.compile(
    r"(?:\b(?:i\.e|e\.g|vs|ca|approx|resp)\.|[^\n.!?]|[.!?](?![\s*_)\"”]|$))+[.!?]?", re.MULTILINE
)
_OTHERS = re.compile(
    r"\b(?:others?|another|rest|both|former|latter|elsewhere|everything|neighbours?|remaining"
    r"|respectively|each|every|its?|them|they|these|those)\b",
    re.IGNORECASE,
)
"""Words that may stand for objects which the sentence does not name."""
_DIFFERENCE = re.compile(
    r"more|less|higher|lower|larger|smaller|greater|longer|shorter|wider|narrower|farther|further"
    r"|nearer|closer|differ|drop|rise|rose|fall|fell|gain|lost|lose|grow|grew|shr[iau]nk|increas"
    r"|decreas|reduc|chang|\bby\s(?:\w+\s)?\d|fewer|apart|between|shift|remain|\brest\b|other|spread|margin"
    r"|beyond|short|\s[-−]\s|left|does not|do not|miss|without|improve|worse|better|span|exce|separat"
    r"|mov|ahead|behind|\bwide\b|\blong\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"together|\bsum|total|in all|altogether|combined|overall|adds? up|plus|\+|mean|average"
    r"|middle|midway|account",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?:more|fewer|less|higher|lower|larger|smaller|longer|shorter|farther|wider|apart|stronger"
    r"|weaker)\b",
    re.IGNORECASE,
)
_COORDINATE = re.compile(r"^[xy]\d?$")
_DISTANCE = re.compile(
    r"distance|apart|between|from|away|span|long|before|behind|front|across", re.IGNORECASE
)
_PLACE = re.compile(
    r"\b(?:at|x|y|points?|ends?|corners?|cent(?:re|er)|positions?|located|lies|place|from|to|vertex"
    r"|coordinates?|spans?)\b|\(",
    re.IGNORECASE,
)
"""Words of a sentence that is about places."""
_QUANTITY = re.compile(
    r"_(?:angle|length|distance|index)$|^(?:rms|width|magnification|wavelength)$"
)
"""Names of values that words before a number tell apart."""
_MULTIPLE = re.compile(r"magnif|ratio|relative|factor")
_RATIO = re.compile(r"ratio|factor|times|share|fraction|relative|per\b|efficien", re.IGNORECASE)
_FROM_TO = re.compile(r"\bfrom ([\d.]*\d)[^;]*?\bto ([\d.]*\d)")
"""A change from one number to another: its percentage is of the first."""
_PART_OF = re.compile(
    r"\d of (?:the |all )?\d[^;]*\b(?:so|i\.e\.,?|that is|thus)\s+(?:about |roughly |just )?$"
)
"""The words before a share that is that of two numbers, such as ``6 of the 18, so``."""
_SIGNED_CHANGE = re.compile(
    r"\b(?:(?P<down>falls?|fell|drops?|dropped|decreases?d?|shrinks?|shrank)"
    r"|(?:rises?|rose|grows?|grew|increases?d?|gains?))\s+by\s+(?:about |roughly |just )?$"
)
"""The words before a change that say its sign."""
_EXTREME = re.compile(
    r"\b(?:(?P<most>largest|greatest|highest|longest|maximum)"
    r"|smallest|shortest|lowest|minimum)\b(?P<of>[^\d;,:.]*)$",
    re.IGNORECASE,
)
"""The words before a number that call it the largest or smallest ``of`` some."""
_CHANGE = frozenset({"relative", "difference"})
"""Names of values that are changes, with their sign."""
_MOST_KEY = re.compile(r"(?:^|_)(?:most|max|maximum|largest|greatest|highest)(?:_|$)")
_LEAST_KEY = re.compile(r"(?:^|_)(?:least|min|minimum|smallest|lowest)(?:_|$)")
_WHOLE = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:of|as much) (?:the |all |its )?"
    r"(?:emitted|total|whole|entire|light|power|lamp|source)",
    re.IGNORECASE,
)


def check_answer(answer: str, evidence: Evidence) -> list[Checked]:
    """Check each number, name and ray set of an answer against the evidence, in their order."""
    check = _Check(answer, evidence)
    return sorted([*check.ray_sets(), *check.names(), *check.numbers()], key=lambda c: c.start)


class _Sentence(NamedTuple):
    """A sentence at ``start``: the ``names`` of objects in it, and the objects that it is
    ``about``, which are those that its plurals stand for if it names none. ``hints`` are names in other
    letters, such as those of colours, which may be meant.
    """

    start: int
    text: str
    names: frozenset[str]
    about: frozenset[str]
    hints: frozenset[str]


class _Table:
    """Values as columns, to compare all of them with a number at once."""

    def __init__(self, values: Sequence[Value], unit: str) -> None:
        self.values, self.unit = values, unit
        self.number = np.array([v.number for v in values], float)
        self.written = np.array([v.written for v in values], float)
        self.dimension = np.array([v.dimension for v in values], str)

    def equal_values(self, claim: Claim) -> list[Value]:
        """The values that a claim can be."""
        found = _equal(claim, self.number, self.written, self.dimension, self.unit)
        return [self.values[i] for i in np.flatnonzero(found).tolist()]


def _equal(
    claim: Claim,
    number: NDArray[np.float64],
    written: NDArray[np.float64],
    dimension: NDArray[np.str_],
    unit: str,
    slack: float = 0.0,
) -> Mask:
    """Which values a claim can be, rounded to the digits that are written. A number without a unit
    is compared with values as written, any other with those of its dimension; ``unit`` is that of
    lengths whose dimension is unknown.
    """
    size = UNITS[claim.unit][1] if claim.unit in UNITS else 1.0
    unknown = dimension == ""
    if claim.dimension:
        fits = dimension == claim.dimension
        if claim.unit in (unit, "°", "deg", "degrees", "%", "part"):
            fits |= unknown
    elif claim.unit:
        fits = (dimension == "number") | unknown
    elif claim.ratio:
        fits = (dimension == "share") | (dimension == "count") | unknown
    elif claim.noun:
        fits = ((dimension == "count") | unknown) & (written == np.round(written))
    else:
        fits = np.ones(len(number), bool)

    def near(have: NDArray[np.float64], value: float, half: float) -> Mask:
        if not claim.signed:
            have, value = np.abs(have), abs(value)
        close: Mask = np.abs(have - value) <= half * 1.0001 + slack * abs(value)
        if claim.bound and value:
            close |= (have / value >= 0.8) & (have / value <= 1.25)
        return close

    found = np.zeros(len(number), bool)
    for value, half in claim.values:
        as_written = near(written, value, half)
        in_unit = near(number, value * size, half * size)
        if not claim.dimension:
            found |= fits & as_written
            continue
        found |= fits & ~unknown & in_unit
        if claim.dimension == "share":  # of an unknown value: a fraction, or a percentage
            as_written = in_unit | (as_written & (written != np.round(written)))
        found |= fits & unknown & as_written
    return found


def _first_distinct(values: Iterable[Value]) -> list[Value]:
    """The first of some values, equal ones once, at most `MOST_OPERANDS`."""
    distinct: dict[tuple[object, ...], Value] = {}
    for v in values:
        distinct.setdefault((v.number, v.dimension, v.key, v.names), v)
        if len(distinct) == MOST_OPERANDS:
            break
    return list(distinct.values())


class _Ways(NamedTuple):
    """The ways in which a number can be computed from others."""

    ratio: bool
    difference: bool
    total: bool
    product: bool
    reciprocal: bool


def _ways(claim: Claim, text: str) -> _Ways:
    """The ways in which a claim of a sentence can be computed, by its unit and the words."""
    return _Ways(
        ratio=claim.dimension == "share" or claim.ratio or _RATIO.search(text) is not None,
        difference=not claim.ratio
        and (
            _DIFFERENCE.search(text) is not None
            or (claim.dimension == "length" and _DISTANCE.search(text) is not None)
        ),
        total=not claim.ratio
        and (
            _SUM.search(text) is not None
            or re.search(r"\d of (?:the |all )?$", text[: claim.start]) is not None
        ),
        product=claim.dimension == "watt",
        reciprocal=claim.dimension == "vergence",
    )


class _Check:
    def __init__(self, answer: str, evidence: Evidence) -> None:
        self.answer, self.evidence = answer, evidence
        self.pattern = evidence.pattern
        self.table = _Table(list(evidence.values), evidence.unit)
        self.stated: list[Value] = []
        """The supported numbers of the answer, exact and as they are written there."""
        self.stated_in: dict[int, list[Value]] = {}
        """Those of each sentence, by its start."""
        self._told_operands: dict[tuple[object, ...], list[Value]] = {}
        """The results of `_find_told_operands`, by its arguments."""
        self.sentences: list[_Sentence] = []
        for m in _SENTENCE.finditer(answer):
            names = self._names_in(m[0])
            words = set(re.findall(r"[a-z]+", m[0]))
            hints = frozenset(n for n in evidence.names if n.lower() in words)
            about = names or self._named_by_plural(words)
            self.sentences.append(_Sentence(m.start(), m[0], names, about, hints))

    def _names_in(self, text: str) -> frozenset[str]:
        """The objects that a text names, also as ``the prism`` if there is one."""
        found = set(self.evidence.named_in(text))
        for noun in re.findall(r"\b(?:the|this|that) ([a-z]+)\b", text.lower()):
            meant = [n for n in self.evidence.names if n.lower().split(" ")[-1] == noun]
            if len(meant) == 1 and noun not in ("object", "source", "image"):
                found.add(meant[0])
        return frozenset(found)

    def _named_by_plural(self, words: set[str]) -> frozenset[str]:
        """The objects that words such as ``cameras`` stand for."""
        nouns = {singular(word) for word in words if word != singular(word)}
        return frozenset(n for n in self.evidence.names if self.evidence.noun_of(n) in nouns)

    def numbers(self) -> Iterator[Checked]:
        claims = [(c, s) for s in self.sentences for c in number_claims(s.text, self.pattern)]
        found: dict[int, Checked] = {}
        for i, (claim, sentence) in enumerate(claims):
            value, reason = self._find_source(claim, sentence)
            if reason and claim.shared:
                value, reason = self._find_source(claim.without_unit(), sentence)
            found[i] = self._checked(claim, sentence, value, reason)
        missing = [
            i for i, (c, s) in enumerate(claims) if found[i].reason and any(_ways(c, s.text))
        ][:MOST_COMBINED]
        for _ in range(2):  # a number may be computed from others, which may be computed too
            for i in missing:
                claim, sentence = claims[i]
                value = self._combine(claim, sentence)
                if value is None and claim.shared:
                    value = self._combine(claim.without_unit(), sentence)
                if value is not None:
                    found[i] = self._checked(claim, sentence, value, "")
            missing = [i for i in missing if found[i].reason]
        self._mark_exchanged(claims, found)
        self._mark_extremes(claims, found)
        yield from found.values()

    def _checked(
        self, claim: Claim, sentence: _Sentence, value: Value | None, reason: str
    ) -> Checked:
        """A claim as checked. The ``value`` that it is can support later ones."""
        if value is not None:
            size = UNITS[claim.unit][1] if claim.unit in UNITS else 1.0
            kinds = {claim.dimension or ("count" if claim.noun else value.dimension)}
            if not claim.dimension and not claim.noun:  # of one that is a power and a count
                equal = self.table.equal_values(claim)
                kinds |= {
                    v.dimension
                    for v in equal
                    if v.told and (v.names & sentence.names or not v.names)
                }
            written = [
                value._replace(number=n * size, written=n, key="", dimension=kind)
                for n, _ in claim.values
                for kind in sorted(kinds)
            ]
            stated = [*([value] if value.key else []), *written]
            self.stated += stated
            self.stated_in.setdefault(sentence.start, []).extend(stated)
        start = sentence.start + claim.start
        return Checked(claim.text, start, start + len(claim.text), value and value.told, reason)

    def _find_source(self, claim: Claim, sentence: _Sentence) -> tuple[Value | None, str]:
        """The value that a claim is, or the reason why there is none; neither for a number that
        needs no source.
        """
        values = self.table.equal_values(claim)
        own = self._values_of(values, claim, sentence)
        if own:
            return max(own, key=lambda v: (bool(v.names & sentence.names), v.told is not None)), ""
        if self._needs_no_source(claim, sentence):
            return None, ""
        others = sorted({n for v in values if v.told for n in v.names - sentence.about})
        if others and sentence.about:
            about = " and ".join(sorted(sentence.about)[:2])
            return None, f"{claim.text} is of {' and '.join(others[:2])}, not of {about}"
        return None, f"no tool said {claim.text}"

    def _values_of(self, values: list[Value], claim: Claim, sentence: _Sentence) -> list[Value]:
        """The values that can be meant in a sentence: those of the objects that it is about, and
        those of no object, unless the same number is what a tool told of another object.
        """
        if not _PLACE.search(sentence.text):
            values = [v for v in values if not _COORDINATE.search(v.key)]
        if change := _SIGNED_CHANGE.search(sentence.text[: claim.start]):
            sign = -1 if change["down"] else 1
            values = [
                v
                for v in values
                if not (v.key in _CHANGE or (v.told and not v.key)) or v.number * sign >= 0
            ]
        told = [v for v in values if v.told and v.key]
        if told:  # a sentence about a result repeats its values, of several objects together
            values = [v for v in values if v.key or not v.told]
        if claim.noun:
            values = self._counts_of(claim.noun, values)
        if claim.ratio:
            values = [v for v in values if not isinstance(v.written, int)]  # counts
        tied = [v for v in values if self._is_about(v, sentence.about | sentence.hints)]
        tied = self._of_quantity(tied, claim, sentence)
        if not _OTHERS.search(sentence.text):
            tied = [v for v in tied if not self._has_nearer(v, sentence)]
        free = [v for v in values if not v.names]
        other = [v for v in values if v.names and not v.names & sentence.about]
        if not sentence.about:
            return values
        if claim.ratio and len(sentence.names) > 1:
            return [v for v in tied if _MULTIPLE.search(v.key)]
        if tied:
            return tied
        if self._compares(claim, sentence):
            return [v for v in free if "difference" in v.key]
        if not sentence.names and _OTHERS.search(sentence.text):
            return values
        rivals = [v for v in other if v.told and self._has_own(v, sentence)]
        if sentence.names:
            free += [v for v in other if self._is_of_other_role(v, sentence)]
        else:
            free += [v for v in other if v not in rivals]
        certain = [v for v in free if _TOTAL.search(v.key) or v.of_question or not rivals]
        return certain

    def _counts_of(self, noun: str, values: Sequence[Value]) -> list[Value]:
        """The values that can count a noun: where something counts it, nothing else."""
        others = COUNTED - {noun}
        if noun == "ray":
            values = [v for v in values if v.told or v.of_question]
        known = noun != "ray" and any(v.key == noun for v in self.evidence.values)
        return [
            v
            for v in values
            if v.key == noun
            or v.of_question
            or (not known and not (v.dimension == "count" and singular(v.key) in others))
        ]

    def _of_quantity(self, values: list[Value], claim: Claim, sentence: _Sentence) -> list[Value]:
        """The values without those that a tool told as another quantity than the words before a
        number name, such as the Brewster angle for the critical angle.
        """
        words = (
            re.split(r"[\d;,()]|\band\b", sentence.text[: claim.start])[-1]
            .lower()
            .replace(" ", "_")
        )
        keys = {v.key for v in values}
        meant = {
            key
            for key, owners in self._owners.items()
            if _QUANTITY.search(key) and key in words and owners & sentence.about
        }
        return values if not meant or keys & (meant | {"value", "before", "after"}) else []

    def _is_about(self, value: Value, objects: frozenset[str]) -> bool:
        """Whether a value belongs to one of some objects. Light of a source at an object is the
        object's.
        """
        lit = self.evidence.names
        elements = {n for n in value.names if not lit[n]}
        if elements and any(not lit[n] for n in objects):
            return bool(elements & objects)
        return bool(value.names & objects)

    @staticmethod
    def _compares(claim: Claim, sentence: _Sentence) -> bool:
        """Whether a number says how much more one of two objects has than the other."""
        near = re.split(r"[,;:(]", sentence.text[claim.end : claim.end + 25])[0]
        near = sentence.text[max(0, claim.start - 12) : claim.end] + near
        return len(sentence.names) == 2 and (claim.ratio or _COMPARED.search(near) is not None)

    def _has_own(self, value: Value, sentence: _Sentence) -> bool:
        """Whether the objects of a sentence have a value of their own in place of this one."""
        return bool(self._owners.get(value.key, frozenset()) & sentence.about) and not (
            self._is_of_other_role(value, sentence)
        )

    def _has_nearer(self, value: Value, sentence: _Sentence) -> bool:
        """Whether what a call told of the same quantity is of more of the objects of a sentence, and
        this of another object.
        """
        shared = len(value.names & sentence.about)
        return bool(value.told and value.key and value.names - sentence.about) and any(
            len(names & sentence.about) > shared
            for names in self._told_names.get((value.key, id(value.told)), ())
        )

    @cached_property
    def _told_names(self) -> dict[tuple[str, int], set[frozenset[str]]]:
        """The objects that each call told a value of, by its name."""
        told: dict[tuple[str, int], set[frozenset[str]]] = {}
        for v in self.evidence.values:
            if v.told:
                told.setdefault((v.key, id(v.told)), set()).add(v.names)
        return told

    @cached_property
    def _owners(self) -> dict[str, set[str]]:
        """The objects of which tools told a value, by its key."""
        owners: dict[str, set[str]] = {}
        for v in self.evidence.values:
            if v.told:
                owners.setdefault(v.key, set()).update(v.names)
        return owners

    def _is_of_other_role(self, value: Value, sentence: _Sentence) -> bool:
        """Whether a value is of light sources alone and the sentence about none, or the reverse."""
        lit = self.evidence.names
        return not {lit[n] for n in value.names} & {lit[n] for n in sentence.about}

    def _combine(self, claim: Claim, sentence: _Sentence) -> Value | None:
        """The value of which a claim is a percentage or multiple, or to which it differs, or with
        which it is a sum.
        """
        ratio, difference, total, product, reciprocal = _ways(claim, sentence.text)
        of_other = False
        if sentence.names and sum(c.isdigit() for c in claim.text.lstrip("0.,")) > 2:
            equal = self.table.equal_values(claim)
            of_other = any(v.told and v.key and v.names for v in equal)
        operands, here, stated = self._operands(claim, sentence)
        if of_other:  # the value of another object, unless it follows from the sentence alone
            operands, stated = operands[:here], here
        if not operands:
            return None
        table = _Table(operands, self.table.unit)
        kinds, a, b = table.dimension, table.number[:, None], table.number[None, :]
        near, part = self._pairs(claim, sentence, table, here, stated)
        made: list[tuple[NDArray[np.float64], Mask, str, float]] = []
        with np.errstate(all="ignore"):
            if ratio:
                if claim.dimension == "share":
                    complement = np.zeros_like(part)
                    complement[:, 0] = kinds == "share"
                    if not difference:
                        complement[here:] = False
                    made.append((1 - a + 0 * b, complement, "share", 0))
                if claim.ratio or not self._compares(claim, sentence):
                    made.append((np.abs(a / b), part, "share", ROUNDED))
                if difference:
                    changed = part.copy()
                    for first, last in _FROM_TO.findall(sentence.text):  # a change is of the first
                        one, other = (
                            np.round(table.written, len(n.partition(".")[2])) == float(n)
                            for n in (first, last)
                        )
                        changed &= ~(one[:, None] & other[None, :])
                    if change := _SIGNED_CHANGE.search(sentence.text[: claim.start]):
                        changed &= (a < b) if change["down"] else (a > b)
                        owners = np.array([" ".join(sorted(v.names)) for v in operands], str)
                        changed &= owners[:, None] == owners[None, :]
                    made.append((np.abs(1 - a / b), changed, "share", ROUNDED))
            if difference:
                made.append((np.abs(a - b), near, "", ROUNDED))
            if total:
                numbers = {v.number for v in operands[:here] if v.dimension == claim.dimension}
                if claim.dimension and len(numbers) > 1:  # the sum of what stands beside it
                    near = near.copy()
                    near[stated:], near[:, stated:] = False, False
                made += [(a + b, near, "", ROUNDED), ((a + b) / 2, near, "", ROUNDED)]
            if product:
                watts = (kinds == "watt")[:, None] & (kinds == "share")[None, :]
                made.append((a * b, watts, "watt", ROUNDED))
            if reciprocal:
                made.append((1 / a + 0 * b, (kinds == "length")[:, None], "vergence", ROUNDED))
            size = UNITS[claim.unit][1] if claim.unit in UNITS else 1.0
            for number, which, dimension, slack in made:
                i, j = np.nonzero(which & np.isfinite(number))
                of_kind = np.full(len(i), dimension) if dimension else kinds[i]
                values = number[i, j]
                hits = _equal(claim, values, values / size, of_kind, self.table.unit, slack)
                if hits.any():
                    first = int(np.argmax(hits))
                    one, other = operands[int(i[first])], operands[int(j[first])]
                    names = one.names | other.names
                    return one._replace(names=names, told=one.told or other.told, key="")
        return self._sum_of_rows(claim, operands) if total and not of_other else None

    def _pairs(
        self, claim: Claim, sentence: _Sentence, table: _Table, here: int, stated: int
    ) -> tuple[Mask, Mask]:
        """The pairs of operands whose difference or sum a claim can be, and those whose ratio:
        of one dimension and, to rule out chance, of one name, stated in the answer, or of different
        objects of the sentence. The first ``here`` are stated in the sentence, the first ``stated``
        in the answer.
        """
        operands, kinds = table.values, table.dimension
        keys = np.array([v.key for v in operands], str)
        said, said_here = np.arange(len(operands)) < stated, np.arange(len(operands)) < here
        said_one, said_both = said[:, None] | said[None, :], said[:, None] & said[None, :]
        wild = np.array([v.of_question and not v.dimension for v in operands], bool)
        wild_one = wild[:, None] | wild[None, :]
        alike = (kinds[:, None] == kinds[None, :]) | wild_one
        alike &= ~np.eye(len(operands), dtype=bool)
        words = set(re.findall(r"\w+", sentence.text))
        named = np.isin(keys, list(words)) & claim.ratio  # such as s and p
        both_named = named[:, None] & named[None, :]
        alike &= (
            (keys[:, None] == keys[None, :])
            | said_one
            | wild_one
            | np.isin(kinds, ("power", "number"))[:, None]
            | both_named
        )
        objects = sorted((sentence.names or sentence.about) | sentence.hints)
        if len(objects) > 1:
            of = np.array([[name in v.names for name in objects] for v in operands], bool)
            more = (of[:, None, :] & ~of[None, :, :]).any(2)
            apart = more & more.T
            if self._compares(claim, sentence):
                alike &= apart | said_here[:, None] & said_here[None, :]
        else:
            apart = said_both
        known = claim.dimension and (said & (kinds == claim.dimension)).any() and len(objects) < 2
        counts = Counter(keys.tolist())
        few = np.array([counts[key] <= FEW for key in keys.tolist()], bool)
        rare = few[:, None] & few[None, :]  # their difference is no chance
        near = alike & (said_both | wild_one | (said_one if known else apart | rare))
        whole = np.array([bool(_TOTAL.search(v.key)) or self._is_source(v) for v in operands], bool)
        if _WHOLE.match(sentence.text, claim.end) is not None and whole.any():
            part = alike & whole[None, :]
        else:
            part = alike & (said_one | whole[None, :] | (apart if len(objects) > 1 else True))
        beside = {v.number for v in operands[:here] if not v.key}
        amounts = said_here & (kinds != "share")
        if amounts.any() and not claim.ratio and not _OTHERS.search(sentence.text):
            part &= amounts[:, None] | amounts[None, :]  # of the number beside it
        elif claim.ratio and len(beside) > 1:
            column = (keys[:, None] == keys[None, :]) & ~np.isin(keys, ("", "value"))[:, None]
            ends = self._ends(operands)
            part &= (
                (said_here[:, None] & said_here[None, :])
                | (column & (said_here[:, None] | said_here[None, :]))
                | (column & ends[:, None] & ends[None, :])
            )
        elif _PART_OF.search(sentence.text[: claim.start]):
            part &= said_here[:, None] & said_here[None, :]
        place = np.array([bool(_COORDINATE.search(v.key)) for v in operands], bool)
        part &= ~place[:, None] & ~place[None, :]
        part &= ((kinds != "share")[:, None] | said_both | both_named) & (keys != "difference")[
            :, None
        ]
        part &= (kinds != "")[:, None]
        return near, part

    @staticmethod
    def _ends(values: Sequence[Value]) -> NDArray[np.bool_]:
        """Which values are the smallest or largest of the rows that a call told under one name."""
        rows: dict[tuple[str, int], list[float]] = {}
        for v in values:
            if v.told and v.listed > 1:
                rows.setdefault((v.key, id(v.told)), []).append(v.number)
        ends = (rows.get((v.key, id(v.told)), []) for v in values)
        return np.array(
            [
                bool(row) and v.number in (min(row), max(row))
                for v, row in zip(values, ends, strict=True)
            ],
            bool,
        )

    def _operands(self, claim: Claim, sentence: _Sentence) -> tuple[list[Value], int, int]:
        """The values that a number of a sentence may be computed from, and how many of them are
        stated in the sentence and in the answer. Those come first, then those of its objects, and
        those of no object, the latest first.
        """
        here = _first_distinct(self.stated_in.get(sentence.start, ()))
        said = [*here, *_first_distinct(self.stated)]
        computed = ("", "share", "watt", "vergence")
        measured = claim.dimension if claim.dimension not in computed else ""
        far = _DISTANCE.search(sentence.text) is not None
        key = (sentence.about, sentence.hints, measured, far)
        if key not in self._told_operands:
            self._told_operands[key] = self._find_told_operands(*key)
        return [*said, *self._told_operands[key]], len(here), len(said)

    def _find_told_operands(
        self, about: frozenset[str], hints: frozenset[str], measured: str, far: bool
    ) -> list[Value]:
        """The operands that the sources hold for a sentence about some objects: of the ``measured``
        dimension if there is one, and coordinates only if it is about distances, ``far``.
        """
        groups: tuple[list[Value], ...] = ([], [], [])
        for v in self._usable:
            near = self._is_about(v, about | hints)
            if v.told is None and not (near or v.of_question):
                continue
            if (measured and v.dimension not in ("", measured)) or (
                not far and _COORDINATE.search(v.key)
            ):
                continue
            if near:
                groups[0].append(v)
            elif _TOTAL.search(v.key) or v.of_question:
                groups[1].append(v)
            elif v.told and (not about or (not v.names and v.listed == 1)):
                groups[2].append(v)
        return [v for group in groups for v in _first_distinct(group)]

    @cached_property
    def _usable(self) -> list[Value]:
        """The values that can be combined, the latest first."""
        return [
            v
            for v in reversed(self.evidence.values)
            if v.listed <= LONGEST_ROWS and v.key not in REMARKS and (v.key or v.of_question)
        ]

    def _sum_of_rows(self, claim: Claim, operands: Sequence[Value]) -> Value | None:
        """The first of three or more values, told under one name by one call or stated one after
        the other, whose sum is a claim.
        """
        rows: dict[tuple[str, int], list[Value]] = {}
        for v in operands:
            if v.dimension != "length" or v.key == "length":  # widths and places are not added
                rows.setdefault((v.key, id(v.told)), []).append(v)
        written: dict[str, list[Value]] = {}
        for v in self.stated:
            if not v.key:
                written.setdefault(v.dimension, []).append(v)
        runs = (
            run[-MOST_OPERANDS:][i : i + n]
            for run in written.values()
            for n in range(3, MOST_ADDED + 1)
            for i in range(min(len(run), MOST_OPERANDS) - n + 1)
        )
        made = [
            row[0]._replace(number=sum(v.number for v in row), written=sum(v.written for v in row))
            for row in (*rows.values(), *runs)
            if len(row) > 2
        ]
        return next(iter(_Table(made, self.table.unit).equal_values(claim)), None)

    def _is_source(self, value: Value) -> bool:
        return len(value.names) == 1 and all(self.evidence.names[n] for n in value.names)

    def _needs_no_source(self, claim: Claim, sentence: _Sentence) -> bool:
        """Whether a number is a small count in prose, such as ``two of the lenses``."""
        number = claim.values[0][0]
        if claim.unit or claim.ratio or number != round(number) or abs(number) > SMALL:
            return False
        if not claim.noun:
            around = sentence.text[max(0, claim.start - 2) : claim.end + 2]
            if re.search(r"[\[\]{}<>]", around):  # of a formula, a list, a citation
                return True
            of_rays = re.search(r"\brays\b", sentence.text) is not None
            return not of_rays and re.match(r"\s+[a-z]", sentence.text[claim.end :]) is not None
        if claim.noun == "ray":
            return False
        of_scene = self.evidence.nouns[claim.noun]
        counted = (
            v.number for v in self.evidence.values if v.key == claim.noun and v.dimension == "count"
        )
        most = max([of_scene, *counted])
        return not most or ((claim.determined or of_scene > 0) and number <= most)

    def _mark_exchanged(
        self, claims: Sequence[tuple[Claim, _Sentence]], found: dict[int, Checked]
    ) -> None:
        """Mark numbers that stand in the order of other objects: of ``A 1, B 2`` for 2 and 1."""
        for sentence in self.sentences:
            if len(sentence.names) < 2:
                continue
            order = [m[0] for m in self.pattern.finditer(sentence.text)]
            owner: dict[int, str] = {}
            for i, (claim, of) in enumerate(claims):
                if of is sentence and not found[i].reason and found[i].told is not None:
                    values = self.table.equal_values(claim)
                    owners = {n for v in values if v.told and v.key for n in v.names} & set(order)
                    if len(owners) == 1:
                        owner[i] = owners.pop()
            named = [n for n in order if n in owner.values()]
            if len(named) == len(owner) == len(set(named)) > 1:
                for (i, name), other in zip(owner.items(), named, strict=True):
                    if name != other:
                        reason = f"{found[i].text} is of {name}, not of {other}"
                        found[i] = Checked(
                            found[i].text, found[i].start, found[i].end, None, reason
                        )

    def _mark_extremes(
        self, claims: Sequence[tuple[Claim, _Sentence]], found: dict[int, Checked]
    ) -> None:
        """Mark the smallest value that is called the largest, and the reverse; of lengths also any
        other that is called the longest or shortest.
        """
        for i, (claim, sentence) in enumerate(claims):
            called = _EXTREME.search(sentence.text[: claim.start])
            if called is None or found[i].told is None:
                continue
            values = self._values_of(self.table.equal_values(claim), claim, sentence)
            told = [v for v in values if v.told and v.key not in ("", "before", "after")]
            if told and all(self._is_no_extreme(v, called) for v in told):
                word = called[0].split()[0].lower()
                reason = f"{found[i].text} is not the {word}"
                found[i] = Checked(found[i].text, found[i].start, found[i].end, None, reason)

    def _is_no_extreme(self, value: Value, called: re.Match[str]) -> bool:
        most = called["most"] is not None
        if (_LEAST_KEY if most else _MOST_KEY).search(value.key):
            return True
        if value.listed < 2 or value.key == "value":
            return False
        length = called[0].lower().startswith(("longest", "shortest"))
        words = re.findall(r"[a-z]{3,}", called["of"].lower())
        if not (value.key == "length" if length else any(w in value.key for w in words)):
            return False
        row = [v.number for v in self._usable if v.key == value.key and v.told is value.told]
        best, worst = (max(row), min(row)) if most else (min(row), max(row))
        return best != worst and (value.number != best if length else value.number == worst)

    def ray_sets(self) -> Iterator[Checked]:
        for m in re.finditer(r"(?<![\w-])R\d+\b", self.answer):
            if m[0] not in self.evidence.names:
                told = self.evidence.sets.get(m[0])
                reason = "" if m[0] in self.evidence.sets else f"{m[0]} does not exist"
                yield Checked(m[0], m.start(), m.end(), told, reason)

    def names(self) -> Iterator[Checked]:
        for name, start in unknown_names(self.answer, self.evidence):
            yield Checked(name, start, start + len(name), None, f"there is no {name}")
