"""The check of an answer: which of its numbers, names and ray sets the sources hold, and which
nothing supports.

A number is supported by a fact of what is named beside it, or by what can be computed from such
facts and from the numbers beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property

from raybench.agent.answer_check.claims import COUNTED, Checked, Claim, singular
from raybench.agent.answer_check.computed import Operand, computed_results, sign_of_change
from raybench.agent.answer_check.evidence import Evidence
from raybench.agent.answer_check.facts import (
    PLACES,
    RAY,
    REMARKS,
    VARIED,
    Fact,
    Table,
    quantity_words,
)
from raybench.agent.answer_check.names import unknown_names
from raybench.agent.answer_check.places import Place, numbers_with_places, sentences

MOST_COMPUTED = 30
"""Maximum numbers of an answer that are looked for among computed ones."""
MOST_SAID, MOST_KNOWN = 40, 60
"""Maximum numbers of the answer, and other facts, from which a number is computed."""
MANY = 40
"""Of a longer list, a row is quoted by what tells it from others, and nothing is computed."""
FEW = 5
"""Rays that are combined without being named."""
BEFORE = 6
"""The number of sentences before its own whose numbers a number can be computed from."""
SMALL = 12
"""The largest count that prose may hold without a source."""
_MOST = re.compile(r"\b(?:largest|greatest|highest|longest|maximum|most|strongest|widest)\b")
_LEAST = re.compile(r"\b(?:smallest|shortest|lowest|minimum|least|weakest|narrowest)\b")
_MOST_KEY = frozenset({"most", "max", "maximum", "largest"})
_LEAST_KEY = frozenset({"least", "min", "minimum", "smallest"})
_CHANGE_KEY = re.compile(r"relative|difference|spread|margin|shift")
"""Quantities that are changes or differences."""
_CONTRAST = re.compile(
    r"\b(?:instead of|opposed to|rather than|compared (?:to|with)|against|versus|vs|than)\W+$"
)
_OF_PLACES = re.compile(
    r"\b(?:[xy]|at|positions?|located|lies|stands|from|to|ends?|cent(?:re|er)|coordinates?)\b"
    r"|[()|=]"
)
"""Words beside a coordinate."""
_WHOLE = re.compile(r"\d of (?:the )?$")
"""The words before a number of which a part is stated, as in ``11 of the 18``."""
_SIZE = frozenset({"diameter", "width", "height", "radius", "length", "thickness", "size"})
_ACROSS = frozenset({"diameter", "width"})
_COORDINATE = re.compile(r"\b[xy]\s*[=≈]\s*$")
_VERB_OF_MOST = re.compile(
    r"\b(?:contribute|give|send|receive|get|carrie|deliver|collect|absorb|lose|reflect|emit)s"
    r" (?:the )?(?:most|least)$"
)
_COMPARED = re.compile(
    r"\W*(?:[a-z]+ )?(?:more|less|fewer|(?!rather|other)[a-z]+er)\b[^.;]*\bthan\b"
)
"""The words after a number that call it a difference."""


def check_answer(answer: str, evidence: Evidence) -> list[Checked]:
    """Check each number, name and ray set of an answer against the evidence, in their order."""
    checked = [
        *_check_ray_sets(answer, evidence),
        *_check_names(answer, evidence),
        *_NumberCheck(answer, evidence).checked(),
    ]
    return sorted(checked, key=lambda c: c.start)


def _check_ray_sets(answer: str, evidence: Evidence) -> Iterator[Checked]:
    for m in re.finditer(r"(?<![\w-])R\d+\b", answer):
        if m[0] not in evidence.names:
            reason = "" if m[0] in evidence.sets else f"{m[0]} does not exist"
            yield Checked(m[0], m.start(), m.end(), evidence.sets.get(m[0]), reason)


def _check_names(answer: str, evidence: Evidence) -> Iterator[Checked]:
    for name, start in unknown_names(answer, evidence):
        yield Checked(name, start, start + len(name), None, f"there is no {name}")


class _NumberCheck:
    """The check of the numbers of one answer."""

    def __init__(self, answer: str, evidence: Evidence) -> None:
        self._answer, self._evidence = answer, evidence
        self._facts = Table(evidence.facts)
        self._placed = list(numbers_with_places(answer, evidence))
        self._values_of = cache(self._find_values)
        self._said: list[Operand] = []
        """The supported numbers, exact and as they are written."""

    def checked(self) -> Iterator[Checked]:
        found = [self._find(claim, place) for claim, place in self._placed]
        for (claim, place), (facts, _) in zip(self._placed, found, strict=True):
            self._say(claim, place, facts)
        for _ in range(2):  # a number may be computed from others, which may be computed too
            missing = [i for i, (_, reason) in enumerate(found) if reason]
            for i in missing[:MOST_COMPUTED]:
                found[i] = self._compute(*self._placed[i], found[i][1])
                self._say(*self._placed[i], found[i][0])
        yield from self._check_ray_ids([facts for facts, _ in found])
        for (claim, place), (facts, reason) in zip(self._placed, found, strict=True):
            start = place.start + claim.start
            told = facts[0].told if facts else None
            yield Checked(claim.text, start, start + len(claim.text), told, reason)

    def _check_ray_ids(self, found: Sequence[Sequence[Fact]]) -> Iterator[Checked]:
        """Check the ids of rays of the answer: a source has them, and the numbers of the sentence
        are not those of other rays alone.
        """
        rows: dict[int, set[frozenset[str]]] = {}
        for (_, place), facts in zip(self._placed, found, strict=True):
            rows.setdefault(place.index, set()).update(f.rays for f in facts[:1] if f.listed > 1)
        of_rows = frozenset[str]().union(*(f.rays for f in self._evidence.facts))
        for index, m in enumerate(sentences(self._answer)):
            ids = list(RAY.finditer(m[0]))
            of_numbers = frozenset[str]().union(*rows.get(index, ()))
            for one in ids:
                start = m.start() + one.start()
                reason = ""
                if one[0] not in of_rows and one[0] not in self._evidence.words:
                    reason = f"no tool said {one[0]}"
                elif len(ids) == 1 and len(of_numbers) == 1 and one[0] in of_rows - of_numbers:
                    reason = f"{one[0]} is not {', '.join(of_numbers)}, whose values these are"
                if reason:
                    yield Checked(one[0], start, start + len(one[0]), None, reason)

    def _say(self, claim: Claim, place: Place, facts: Sequence[Fact]) -> None:
        """Note that a number is one of some facts, for those that are computed from it."""
        value = claim.values[0][0]
        for fact in {(f.dimension, f.quantity): f for f in reversed(facts)}.values():
            number = value * (claim.size if claim.dimension else fact.unit)
            dimension = claim.dimension or fact.dimension
            written = replace(fact, number=number, written=value, dimension=dimension)
            self._said += [Operand(f, claim, place.index) for f in (fact, written)]

    # what a number quotes

    def _find(self, claim: Claim, place: Place) -> tuple[Sequence[Fact], str]:
        """The facts that a claim can be, or the reason why there are none; neither for a number
        that needs no source.
        """
        equal = [f for f in self._facts.equal(claim) if self._can_be_meant(f, claim, place)]
        found, reason, of_others = list[Fact](), "", list[Fact]()
        for fact in sorted(equal, key=lambda f: len(f.owners), reverse=True):
            if (
                of_others
                and not fact.owners & place.meant
                and self._is_chance(fact, claim, place, of_others)
            ):
                continue
            objection = self._objection(fact, claim, place)
            if not objection:
                found.append(fact)
            elif fact.told and fact.quantity not in PLACES:
                of_others.append(fact)
                reason = reason or objection
        others = {f.owners for f in equal if self._is_of_others(f, claim, place)}
        found = [f for f in found if f.owners not in others]
        found.sort(
            key=lambda f: (*_nearness(f, place), f.told is not None, -len(f.owners)), reverse=True
        )
        if found or self._needs_no_source(claim, place):
            return found, ""
        if claim.shared:
            return self._find(claim.without_unit(), place)
        if claim.signed:
            turned = self._find(replace(claim, signed=False), place)[0]
            if given := [f for f in turned if not f.told]:
                return given, ""
            if turned and not reason:
                return (), f"{claim.text} has the wrong sign"
        return (), f"{claim.text} {reason}" if reason else f"no tool said {claim.text}"

    @staticmethod
    def _is_chance(fact: Fact, claim: Claim, place: Place, of_others: Sequence[Fact]) -> bool:
        """Whether a fact of nothing that the sentence is about, such as a total, equals by chance a
        number which is another object's, or in another row: the sentence does not mention it, or
        names the quantity of the other.
        """
        words = place.last_words
        named = (quantity_words(f.quantity) for f in of_others)
        return not _is_mentioned(fact, claim, place) or any(q and q <= words for q in named)

    def _can_be_meant(self, fact: Fact, claim: Claim, place: Place) -> bool:
        """Whether a text can mean a fact by such a number: a coordinate is called so, a whole number
        without a unit is a count, and of a row of a long list something is named.
        """
        if claim.ratio and isinstance(fact.written, int):
            return False
        if claim.noun == "ray" and singular(fact.quantity) in COUNTED - {"ray"}:
            return False
        if claim.dimension == "share" and fact.dimension == "power":
            return bool(fact.owners & place.near) and not sign_of_change(claim, place)
        if quantity_words(fact.quantity) & _SIZE and _COORDINATE.search(place.before):
            return False
        is_bare = (
            claim.is_whole
            and not claim.unit
            and claim.values[0][0]
            and fact.dimension in ("length", "angle")
        )
        if fact.owners and (fact.quantity in PLACES or is_bare):
            return _OF_PLACES.search(f"{place.before} {place.after}") is not None
        return fact.listed <= MANY or self._is_told_apart(fact, place)

    def _objection(self, fact: Fact, claim: Claim, place: Place) -> str:
        """Why a fact cannot be what a number of its value is in its place; empty if it can."""
        is_change = _CHANGE_KEY.match(fact.quantity) is not None
        quantity = fact.quantity.replace("_", " ")
        if self._is_of_others(fact, claim, place):
            return _wrong_owner(fact.owners, place.named)
        if other := self._other_quantity(fact, place):
            return f"is the {quantity}, not the {other.replace('_', ' ')}"
        if not fact.told:
            return ""
        if _COMPARED.match(place.after) and not (
            is_change or claim.ratio or fact.quantity in REMARKS
        ):
            return f"is the {quantity}, no difference"
        if is_change and sign_of_change(claim, place) * fact.number < 0:
            return "has the wrong sign"
        if not _is_contrast(claim, place) and (rival := self._nearer_fact(fact, place)):
            return _wrong_owner(fact.owners, rival.owners)
        if self._is_of_other_row(fact, claim, place):
            row = ", ".join(f"{v:g}" for v in fact.at)
            return f"is at {row}" if row else "is before the change"
        return self._no_extreme(fact, place)

    def _is_of_others(self, fact: Fact, claim: Claim, place: Place) -> bool:
        """Whether a fact is of none of the objects that the sentence is about, and that which is
        named nearest to the number has another value of the same quantity.
        """
        if not fact.owners or (fact.owners | fact.varied) & place.meant:
            return False
        if _WHOLE.search(place.text[: claim.start]) or _is_contrast(claim, place):
            return False
        rivals = self._values_of(place.near, fact.quantity, fact.dimension)
        return bool(rivals) and all(f.differs(fact) for f in rivals)

    def _find_values(self, near: frozenset[str], quantity: str, dimension: str) -> list[Fact]:
        """The different values of a quantity that are of the most of some objects."""
        facts = self._evidence.facts
        alike = [f for f in facts if f.quantity == quantity and f.dimension == dimension]
        most = max((len(f.owners & near) for f in alike), default=0)
        of_most = (f for f in alike if most and len(f.owners & near) == most)
        return list({f.number: f for f in of_most}.values())

    @cached_property
    def _counted(self) -> frozenset[str]:
        """The nouns of which tools told a count."""
        facts = (f for f in self._evidence.facts if f.told and f.dimension == "count")
        return frozenset(singular(f.quantity) for f in facts)

    @cached_property
    def _columns(self) -> dict[tuple[str, str, str], list[Fact]]:
        columns: dict[tuple[str, str, str], list[Fact]] = {}
        for fact in self._evidence.facts:
            columns.setdefault(fact.column, []).append(fact)
        return columns

    @cached_property
    def _strong(self) -> dict[tuple[str, str, str], float]:
        """The magnitude of the last of the few largest values of each column."""
        return {
            column: sorted({abs(f.number) for f in facts}, reverse=True)[:FEW][-1]
            for column, facts in self._columns.items()
        }

    def _is_told_apart(self, fact: Fact, place: Place) -> bool:
        """Whether a row of a long list is named, or is the largest, the smallest or one of few
        different ones.
        """
        column = [f for f in self._columns[fact.column] if f.told is fact.told]
        numbers = {f.number for f in column}
        if len(numbers) <= 3 or fact.number in (min(numbers), max(numbers)):
            return True
        if fact.at:
            return any(c.is_any_of(fact.at) for c in place.stated)
        return any(sum(o in f.owners for f in column) <= 3 for o in fact.owners & place.meant)

    def _other_quantity(self, fact: Fact, place: Place) -> str:
        """The quantity that the words before a number name, if it is not the fact's: the critical
        angle in place of the Brewster angle.
        """
        words = place.last_words
        own = quantity_words(fact.quantity)
        is_named = own <= words
        if own & _ACROSS and own - _ACROSS and own - _ACROSS <= words:  # the size of what is named
            return ""
        for told, quantity, owners in self._quantities.get(fact.dimension, ()):
            named = quantity_words(quantity)
            if (
                len(named) > (len(own) if is_named else 1)
                and named <= words
                and not named <= own
                and (told == id(fact.told) or (named & own and not is_named))
                and (owners == fact.owners or not owners or owners & place.meant)
            ):
                return quantity
        return ""

    @cached_property
    def _quantities(self) -> dict[str, set[tuple[int, str, frozenset[str]]]]:
        """The quantities of the facts, by dimension, with the calls that told them and owners."""
        found: dict[str, set[tuple[int, str, frozenset[str]]]] = {}
        for f in self._evidence.facts:
            found.setdefault(f.dimension, set()).add((id(f.told), f.quantity, f.owners))
        return found

    def _nearer_fact(self, fact: Fact, place: Place) -> Fact | None:
        """Another value of the column of a fact that is of what is named nearer to a number."""
        near, named, _ = _nearness(fact, place)
        for rival in self._columns[fact.column]:
            own_near, own_named, _ = _nearness(rival, place)
            closer = own_near == near and (
                own_named > named or (own_named == named > 0 and rival.owners < fact.owners)
            )
            if (own_near > near or (closer and not place.is_of_others)) and rival.differs(fact):
                return rival if fact.owners else None
        return None

    def _is_of_other_row(self, fact: Fact, claim: Claim, place: Place) -> bool:
        """Whether the sentence states the parameters of a row of a study, or a change, and a fact
        is of another row, or of the scene as it is.
        """
        rows = [
            f
            for f in self._studied.get(_measure(fact), ())
            if f.dimension == fact.dimension and f.owners & fact.owners >= fact.owners & place.meant
        ]
        stated = [c for c in place.stated if c.start < claim.start]
        meant = [f for f in rows if self._is_stated(f, place.beside)] or [
            f for f in rows if self._is_stated(f, stated)
        ]
        differences = self._studied.get(f"difference_{fact.quantity}", ())
        return (
            bool(meant)
            and all(f.differs(fact) for f in meant)
            and not any(c.is_value(f) for f in (*meant, *differences) for c in place.stated)
        )

    @cached_property
    def _studied(self) -> dict[str, list[Fact]]:
        """The facts of studies and of changes, by what they measure."""
        found: dict[str, list[Fact]] = {}
        for f in self._evidence.facts:
            if f.told and (f.at or f.state or f.quantity.startswith("difference_")):
                found.setdefault(_measure(f), []).append(f)
        return found

    def _is_stated(self, fact: Fact, claims: Sequence[Claim]) -> bool:
        """Whether numbers of a text refer to the row of a fact, or to the change before it."""
        at = fact.at
        if fact.told and fact.state == "after":
            changes = str(fact.told.arguments.get("changes", ""))
            at = tuple(map(float, re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", changes)))
        return any(c.is_any_of(at) for c in claims)

    def _no_extreme(self, fact: Fact, place: Place) -> str:
        """Why a fact is not the largest or smallest of its column, which the words say it is."""
        most, least = _MOST.search(place.before), _LEAST.search(place.before)
        called = most or least
        if called is None or (most and least):
            return ""
        words = quantity_words(fact.quantity)
        if words & (_MOST_KEY | _LEAST_KEY):
            wrong = not words & (_MOST_KEY if most else _LEAST_KEY)
        else:
            between = set(re.findall(r"[a-z]+", place.before[called.end() :].lower()))
            of_power = fact.dimension == "power" and _VERB_OF_MOST.search(
                place.before[: called.end()]
            )
            of_length = called[0] in ("longest", "shortest") and fact.quantity == "length"
            row = [
                abs(f.number)
                for f in self._columns[fact.column]
                if f.told is fact.told and f.listed > 1
            ]
            best = (max if most else min)(row, default=abs(fact.number))
            wrong = (
                bool(words & between or of_length or of_power)
                and abs(best - abs(fact.number)) > 0.001 * best
            )
        return f"is not the {called[0]}" if wrong else ""

    def _needs_no_source(self, claim: Claim, place: Place) -> bool:
        """Whether a number is a small count in prose, such as ``two of the lenses``."""
        number = claim.values[0][0]
        if claim.unit or claim.ratio or number != round(number) or abs(number) > SMALL:
            return False
        if claim.noun:
            of_scene = self._evidence.nouns[claim.noun]
            return claim.noun != "ray" and (
                number <= of_scene or not (of_scene or claim.noun in self._counted)
            )
        if re.search(r"[\[\]{}<>]", f"{place.before[-2:]}{place.after[:2]}"):  # of a formula
            return True
        return "rays" not in place.text and re.match(r"\s+[a-z]", place.after) is not None

    # what a number is computed from

    def _compute(self, claim: Claim, place: Place, reason: str) -> tuple[Sequence[Fact], str]:
        """The result that a claim is, or the reason why there is none. A value of another object
        can be computed from its own sentence alone.
        """
        by_chance = f"{claim.text} is of" in reason and not claim.is_precise
        of_other = not reason.startswith("no tool said") and not by_chance
        said = [
            o
            for o in reversed(self._said)
            if 0 <= place.index - o.sentence <= BEFORE * (not of_other) and o.said is not claim
        ]
        said.sort(key=lambda o: o.sentence < place.index)
        known = [] if of_other else self._known(place)
        results = Table(computed_results(claim, place, (*said[:MOST_SAID], *known)))
        hits = [result.fact for result in results.equal(claim)[:1]]
        if not hits and claim.shared:
            return self._compute(claim.without_unit(), place, reason)
        return hits, "" if hits else reason

    def _known(self, place: Place) -> Sequence[Operand]:
        """The facts that a number can be computed from: of what its sentence is about, else of no
        owner or, if it names none, of any; those of rows that it states first, then the latest.
        """
        groups: tuple[dict[object, Fact], ...] = ({}, {}, {})
        for f in self._latest_first:
            if f.listed > FEW and any(RAY.fullmatch(o) for o in f.owners - place.meant):
                continue
            is_own = bool(f.owners & place.meant)
            is_free = not place.named and (
                f.listed <= SMALL or abs(f.number) >= self._strong[f.column]
            )
            if is_own or f.is_asked or (f.told and (not f.owners or is_free)):
                is_stated = bool(f.at) and any(c.is_any_of(f.at) for c in place.stated)
                group = groups[0 if is_stated else 1 if is_own else 2]
                group.setdefault((f.number, f.dimension, f.quantity, f.owners), f)
        known = [f for group in groups for f in group.values()]
        return [Operand(f) for f in known[:MOST_KNOWN]]

    @cached_property
    def _latest_first(self) -> list[Fact]:
        """The facts that numbers are computed from, those of the latest call first, each call in
        its order.
        """
        calls: dict[int, list[Fact]] = {}
        for f in self._evidence.facts:
            if (f.listed <= MANY or f.at) and f.quantity not in REMARKS:
                calls.setdefault(id(f.told), []).append(f)
        return [f for call in reversed(calls.values()) for f in call]


def _nearness(fact: Fact, place: Place) -> tuple[int, int, int]:
    """How well a fact belongs to what is named around a number."""
    owners = fact.owners
    return len(owners & place.near), len(owners & place.named), len(owners & place.meant)


def _is_contrast(claim: Claim, place: Place) -> bool:
    """Whether a number is the other of two that are compared, which is often not named."""
    return _CONTRAST.search(place.text[: claim.start]) is not None


def _is_mentioned(fact: Fact, claim: Claim, place: Place) -> bool:
    """Whether a word of the name of a fact's quantity begins like a word of the sentence."""
    text = place.text.lower()
    if fact.quantity in VARIED:
        return claim.dimension in (fact.dimension, "length", "angle")
    return not fact.quantity or any(w[:5] in text for w in quantity_words(fact.quantity))


def _measure(fact: Fact) -> str:
    """The quantity of a fact without the word for its extreme in a study."""
    return re.sub(r"^(?:least|most)_", "", fact.quantity)


def _wrong_owner(owners: frozenset[str], others: frozenset[str]) -> str:
    first, second = (
        " and ".join(sorted(some, key=lambda o: (RAY.fullmatch(o) is not None, o))[:2])
        for some in (owners - others or owners, others - owners or others)
    )
    return f"is of {first}, not of {second}"
