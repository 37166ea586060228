"""The check of an answer: which of its numbers, names and ray sets are supported by the sources.

A source is a tool result, the scene or the question. A number is supported by a fact of a source if
no other fact fits the words around the number better: in its object, its quantity, or its row of a
study. Otherwise it is supported if it can be computed from such facts and from other numbers in the
answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from raybench.agent.answer_check.claims import CheckedPart, Claim, singular
from raybench.agent.answer_check.computed import Operand, computed_results, sign_of_change
from raybench.agent.answer_check.evidence import Evidence
from raybench.agent.answer_check.facts import (
    POSITION_QUANTITIES,
    RAY_ID,
    REMARK_KEYS,
    SCENE_PATH,
    VARIED_ARGUMENTS,
    Fact,
    NumberTable,
    word_stems,
)
from raybench.agent.answer_check.names import unknown_names
from raybench.agent.answer_check.number_contexts import (
    NumberContext,
    numbers_with_contexts,
    sentences,
)

MOST_COMPUTED = 30
"""Maximum numbers of an answer that are looked for among computed ones."""
MOST_SAID, MOST_KNOWN = 40, 60
"""Maximum numbers of the answer, and other facts, from which a number is computed."""
LONG_LIST_LENGTH = 40
"""Of a longer list, a row is quoted by what tells it from others, and nothing is computed."""
SENTENCES_BEFORE = 6
"""The number of sentences before its own whose numbers a number can be computed from."""
MOST_UNSOURCED_COUNT = 12
"""The largest count that prose may hold without a source."""
_MOST = re.compile(r"\b(?:largest|greatest|highest|longest|maximum|most|strongest|widest)\b")
_LEAST = re.compile(r"\b(?:smallest|shortest|lowest|minimum|least|weakest|narrowest)\b")
_MOST_KEY, _LEAST_KEY = (
    word_stems("most max maximum largest"),
    word_stems("least min minimum smallest"),
)
_AT = re.compile(r"\bat (?:least|most)\s*$")
_CHANGE_KEY = re.compile(r"relative|difference|spread|margin(?!al)|shift")
"""Quantities that are changes or differences."""
_CHANGE = re.compile(
    r"\b(?:by|more|less|fewer|[a-z]+er|differ\w*|chang\w*|los[est]\w*|gain\w*|cost\w*|apart|shift\w*"
    r"|spread|drop\w*|margin|beyond|range|reduc\w*|sav\w*)\b|[+(−]"
)
"""Words and signs beside a change."""
_OF_PLACES = re.compile(
    r"\b(?:[xy]|at|positions?|located|lies|stands|ends?|cent(?:re|er)|coordinates?)\b|[()|=]"
)
"""Words beside a coordinate."""
_WHOLE = re.compile(r"\d of (?:the |all )?$")
"""The words before a number of which a part is stated, as in ``11 of the 18``."""
_COMPARED = re.compile(
    r"\W*(?:[a-z]+ )?(?:more|less|fewer|(?!rather|other)[a-z]+er)\b[^.;]*\bthan\b"
)
"""The words after a number that call it a difference."""
_NO_DIFFERENCE = "no difference"


def check_answer(answer: str, evidence: Evidence) -> list[CheckedPart]:
    """Check each number, name and ray set of an answer against the evidence, in the order of the
    text.
    """
    names = [
        CheckedPart(name, start, start + len(name), None, reason)
        for name, start, reason in unknown_names(answer, evidence)
    ]
    return sorted([*names, *_NumberCheck(answer, evidence).checked()], key=lambda c: c.start)


class _NumberCheck:
    """The check of the numbers and ray sets of one answer."""

    def __init__(self, answer: str, evidence: Evidence) -> None:
        self._answer, self._evidence = answer, evidence
        self._facts = NumberTable(evidence.facts)
        self._placed = list(numbers_with_contexts(answer, evidence))
        self._said: list[Operand] = []
        """The supported numbers, exact and as they are written."""

    def checked(self) -> Iterator[CheckedPart]:
        found = [self._find_quoted_facts(claim, context) for claim, context in self._placed]
        for (claim, context), (facts, _) in zip(self._placed, found, strict=True):
            self._note_supported_number(claim, context, facts)
        for _ in range(2):  # a number may be computed from others, which may be computed too
            missing = [i for i, (_, reason) in enumerate(found) if reason]
            for i in missing[:MOST_COMPUTED]:
                found[i] = self._find_computed_facts(*self._placed[i], found[i][1])
                self._note_supported_number(*self._placed[i], found[i][0])
        self._refuse_repeated_facts(found)
        numbers: dict[int, list[tuple[int, Sequence[Fact]]]] = {}
        for (claim, context), (facts, _) in zip(self._placed, found, strict=True):
            numbers.setdefault(context.index, []).append((context.start + claim.end, facts))
        for index, sentence in enumerate(sentences(self._answer)):
            yield from self._check_rays(sentence, numbers.get(index, []))
            yield from self._check_objects(sentence, numbers.get(index, []))
        for (claim, context), (facts, reason) in zip(self._placed, found, strict=True):
            start = context.start + claim.start
            call = facts[0].call if facts else None
            yield CheckedPart(claim.text, start, start + len(claim.text), call, reason)

    def _refuse_repeated_facts(self, found: list[tuple[Sequence[Fact], str]]) -> None:
        """Refuse a number that a sentence states more often than there are facts of objects with
        this value.
        """
        times: Counter[tuple[int, str]] = Counter()
        objects: dict[tuple[int, str], set[object]] = {}
        for i, ((claim, context), (facts, _)) in enumerate(zip(self._placed, found, strict=True)):
            if claim.significant_digits > 1 and all(
                f.owners and f.dimension != "count" and f.quantity not in POSITION_QUANTITIES
                for f in facts
            ):
                stated = (context.index, claim.text)
                times[stated] += 1
                of = objects.setdefault(stated, set())
                of.update(
                    (f.owners.intersection(self._evidence.names), f.parameter_values) for f in facts
                )
                if 0 < len(of) < times[stated]:
                    found[i] = (), f"{claim.text} is stated twice, but is of one object"

    def _check_objects(
        self, sentence: re.Match[str], numbers: Sequence[tuple[int, Sequence[Fact]]]
    ) -> Iterator[CheckedPart]:
        """Check that the objects in a sentence are in the results from which its numbers come, if
        others of their kind are there.
        """
        facts = [fact for _, facts in numbers for fact in facts]
        calls = {id(fact.call) for fact in facts if fact.call}
        known = frozenset[str]().union(
            *(fact.owners for fact in facts), *(self._objects_by_call[call] for call in calls)
        )
        kinds = {self._evidence.names.get(name) for name in known}
        for one in self._evidence.pattern.finditer(sentence[0]) if calls else ():
            if one[0] not in known and self._evidence.names[one[0]] in kinds:
                start = sentence.start() + one.start()
                reason = f"{one[0]} is not in the result of these numbers"
                yield CheckedPart(one[0], start, start + len(one[0]), None, reason)

    def _check_rays(
        self, sentence: re.Match[str], numbers: Sequence[tuple[int, Sequence[Fact]]]
    ) -> Iterator[CheckedPart]:
        """Check that the ray ids and ray sets in a sentence exist, and that numbers before them do
        not belong to other rays.
        """
        evidence, begin = self._evidence, sentence.start()
        rows = {f.rays for _, facts in numbers for f in facts if f.listed > 1}
        ids = list(RAY_ID.finditer(sentence[0]))
        of_numbers = frozenset[str]().union(*rows)
        for one in ids:
            start = sentence.start() + one.start()
            reason = ""
            if one[0] not in self._rays and one[0] not in evidence.words:
                reason = f"no tool said {one[0]}"
            elif len(ids) == 1 and len(of_numbers) == 1 and one[0] in self._rays - of_numbers:
                reason = f"{one[0]} is not {', '.join(of_numbers)}, whose values these are"
            if reason:
                yield CheckedPart(one[0], start, start + len(one[0]), None, reason)
        for one in re.finditer(r"(?<![\w-])R\d+\b", sentence[0]):
            start, name = sentence.start() + one.start(), one[0]
            call = evidence.sets.get(name)
            before = [f.call for end, facts in numbers if begin <= end <= start for f in facts]
            others = {call.rays for call in before if call}
            begin = start
            if name in evidence.names:
                continue
            reason = ""
            if name not in evidence.sets:
                reason = f"{name} does not exist"
            elif call and others and name not in others and "" not in others:
                reason = f"{name} is not {' or '.join(sorted(others))}, whose numbers these are"
            yield CheckedPart(name, start, start + len(name), call, reason)

    def _note_supported_number(
        self, claim: Claim, context: NumberContext, facts: Sequence[Fact]
    ) -> None:
        """Note that a number states one of some facts, so that other numbers can be computed from
        it.
        """
        value = claim.values[0][0]
        for fact in {(f.dimension, f.quantity): f for f in reversed(facts)}.values():
            number = value * (claim.unit_size if claim.dimension else fact.unit_size)
            dimension = claim.dimension or fact.dimension
            written = replace(fact, number=number, written=value, dimension=dimension)
            self._said += [Operand(f, claim, context.index) for f in (fact, written)]

    # what a number quotes

    def _find_quoted_facts(
        self, claim: Claim, context: NumberContext
    ) -> tuple[Sequence[Fact], str]:
        """The facts that a number can state, or the reason why there are none. Both are empty for a
        number that needs no source.
        """
        equal = [
            f for f in self._facts.find_matches(claim) if self._can_be_meant(f, claim, context)
        ]
        equal.sort(
            key=lambda f: (*_nearness(f, context), f.call is not None, -len(f.owners)), reverse=True
        )
        objections = [self._objection(f, claim, context) for f in equal]
        refused = [(f, o) for f, o in zip(equal, objections, strict=True) if o]
        other = refused[0] if refused else None
        found = [
            f
            for f, objection in zip(equal, objections, strict=True)
            if not objection
            and not any(
                f.call is o.call and f.owners < o.owners and not f.differs(o) for o, _ in refused
            )
        ]
        if other:  # a fact of nothing that the sentence is about equals by chance
            found = [
                f
                for f in found
                if (f.owners if not context.named_so_far else f.owners & context.possible_owners)
                or f.quantity in VARIED_ARGUMENTS
                or (
                    word_stems(f.quantity) <= word_stems(context.before + context.after)
                    and not word_stems(other[0].quantity) <= context.words
                )
            ]
        if found or (not other and self._needs_no_source(claim, context)):
            return found, ""
        if claim.shared:
            return self._find_quoted_facts(claim.without_unit(), context)
        turned = (
            self._find_quoted_facts(replace(claim, signed=False), context)[0]
            if claim.signed
            else ()
        )
        if given := [f for f in turned if not (f.call or f.path.startswith(SCENE_PATH))]:
            return given, ""
        reason = other[1] if other else "has the wrong sign" if turned else ""
        return (), f"{claim.text} {reason}" if reason else f"no tool said {claim.text}"

    def _can_be_meant(self, fact: Fact, claim: Claim, context: NumberContext) -> bool:
        """Whether the text around a number allows a fact: coordinates must be called so, an integer
        without a unit must be a count, and for a row of a long list something of the row must be
        named.
        """
        if claim.ratio and isinstance(fact.written, int):
            return False
        bare = not claim.unit and not claim.noun and not claim.ratio
        if (
            fact.path.startswith(SCENE_PATH)
            and (bare or not fact.dimension)
            and fact.quantity not in POSITION_QUANTITIES
        ):
            is_own = not fact.owners or bool(fact.owners & context.possible_owners)
            return is_own and _is_mentioned(fact, context.text)
        if bare and fact.dimension == "count" and not context.after.startswith(" of them"):
            return word_stems(fact.quantity) <= word_stems(context.text) | word_stems("rays count")
        if fact.owners and fact.quantity in POSITION_QUANTITIES:
            return _OF_PLACES.search(f"{context.before} {context.after}") is not None
        return fact.listed <= LONG_LIST_LENGTH or self._is_identified(fact, context)

    def _objection(self, fact: Fact, claim: Claim, context: NumberContext) -> str:
        """Why a number with the value of a fact does not mean this fact, by the words around the
        number; empty if it may mean it.
        """
        is_change = _CHANGE_KEY.match(fact.quantity) is not None
        quantity = fact.quantity.replace("_", " ")
        if fact.quantity in REMARK_KEYS:
            return ""
        if fact.owners:
            for kind in self._interchangeable_names:
                of_sources = kind is self._evidence.sources
                meant = (
                    context.possible_owners
                    if of_sources or not context.named_in_clause & kind
                    else context.mentioned_near
                )
                others = fact.owners & kind - meant
                is_named = of_sources and not context.mentions_unnamed_objects
                own = (
                    context.named_so_far if is_named else context.named_in_clause
                ) & kind - fact.owners - fact.varied
                if others and own:
                    return _wrong_owner_reason(others, own)
            if fact.call and (rival := self._nearer_fact(fact, claim, context)):
                return _wrong_owner_reason(fact.owners, rival.owners)
        if not fact.call:
            return ""
        if other := self._other_quantity(fact, context):
            return f"is the {quantity}, not the {other.replace('_', ' ')}"
        if _COMPARED.match(context.after) and not (
            is_change or claim.ratio or fact.quantity in REMARK_KEYS
        ):
            return f"is the {quantity}, {_NO_DIFFERENCE}"
        if is_change and not claim.signed and not _CHANGE.search(context.before + context.after):
            return f"is the {quantity}"
        if is_change and sign_of_change(claim, context) * fact.number < 0:
            return "has the wrong sign"
        if self._is_of_other_row(fact, claim, context):
            row = ", ".join(f"{v:g}" for v in fact.parameter_values)
            return f"is at {row}" if row else "is before the change"
        if rival := self._fact_of_stated_row(fact, claim, context):
            return f"is not beside {rival.written:.6g}, whose row this is"
        return self._extreme_objection(fact, claim, context)

    def _fact_of_stated_row(self, fact: Fact, claim: Claim, context: NumberContext) -> Fact | None:
        """The fact with the same quantity in the list row to which several other numbers of the
        sentence belong. None if one of them belongs to the row of the given fact.
        """
        rows = Counter(
            row
            for other in {
                c.start: c for c in context.sentence_numbers if c.significant_digits > 1
            }.values()
            for row in {(id(f.call), f.row) for f in self._facts.find_matches(other) if f.row}
        )
        if not fact.row or (id(fact.call), fact.row) in rows:
            return None
        for rival in self._facts_by_column[fact.column_key]:
            if (
                rows[id(rival.call), rival.row] > 1
                and rival.differs(fact)
                and not any(c.can_state_fact(rival) for c in context.sentence_numbers)
            ):
                return rival
        return None

    @cached_property
    def _rays(self) -> frozenset[str]:
        """The ids of all rays in results."""
        return frozenset[str]().union(*(f.rays for f in self._evidence.facts))

    @cached_property
    def _objects_by_call(self) -> dict[int, set[str]]:
        """The objects that the arguments and the result of each call name, by its `id`."""
        owners = {id(call): set(named) for call, named in self._evidence.calls}
        for fact in self._evidence.facts:
            if fact.call:
                owners[id(fact.call)] |= fact.owners
        return owners

    @cached_property
    def _interchangeable_names(self) -> tuple[set[str], ...]:
        """Sets of names that can replace each other."""
        evidence = self._evidence
        return evidence.sources, evidence.names.keys() - evidence.sources, evidence.edges

    @cached_property
    def _facts_by_column(self) -> dict[tuple[str, str, str], list[Fact]]:
        columns: dict[tuple[str, str, str], list[Fact]] = {}
        for fact in self._evidence.facts:
            columns.setdefault(fact.column_key, []).append(fact)
        return columns

    @cached_property
    def _facts_by_quantity(self) -> dict[tuple[str, str], list[Fact]]:
        """The facts of all calls by quantity."""
        alike: dict[tuple[str, str], list[Fact]] = {}
        for fact in self._evidence.facts:
            alike.setdefault((fact.quantity, fact.dimension), []).append(fact)
        return alike

    @cached_property
    def _facts_by_call(self) -> dict[int, dict[str, list[Fact]]]:
        """The facts of each call, by the `id` of the call, and by quantity."""
        calls: dict[int, dict[str, list[Fact]]] = {}
        for fact in self._evidence.facts:
            calls.setdefault(id(fact.call), {}).setdefault(fact.quantity, []).append(fact)
        return calls

    def _nearer_fact(self, fact: Fact, claim: Claim, context: NumberContext) -> Fact | None:
        """A fact with a different value that the number more likely means, because its object is
        named nearer to the number. Searched among facts in the same column; if the sentence does
        not name the given fact's object, among facts of the same quantity from all calls.
        """
        rivals = self._facts_by_column[fact.column_key]
        if (
            context.mentions_unnamed_objects and not context.named_in_clause
        ):  # of what the clause does not name
            return None
        if not (fact.owners | fact.varied) & context.possible_owners:
            if _WHOLE.search(context.text[: claim.start]):
                return None
            rivals = [
                f
                for f in self._facts_by_quantity[fact.quantity, fact.dimension]
                if f.owners & context.mentioned_near
            ]
            return rivals[0] if rivals and all(f.differs(fact) for f in rivals) else None
        near, named, _ = _nearness(fact, context)
        for rival in rivals:
            own_near, own_named, _ = _nearness(rival, context)
            closer = own_near == near and (
                own_named > named or (own_named == named > 0 and rival.owners < fact.owners)
            )
            if (
                own_near > near or (closer and not context.mentions_unnamed_objects)
            ) and rival.differs(fact):
                return rival
        return None

    def _other_quantity(self, fact: Fact, context: NumberContext) -> str:
        """Another quantity of the same record or call that the words before the number name, if
        they do not name the quantity of the fact; for example the critical angle instead of the
        Brewster angle.
        """
        own, words = word_stems(fact.quantity), context.words
        tagged = own | word_stems(fact.path.rpartition("/")[2])
        for quantity, rivals in self._facts_by_call[id(fact.call)].items() if words else ():
            its = word_stems(quantity)
            of_record = its - own and its - own <= words
            of_call = (
                len(its & words) > 1 and not its <= tagged and (its <= words or not own & words)
            )
            if (own - its) & words or not (of_record or of_call):
                continue
            for rival in rivals:
                is_beside = _record_key(rival) == _record_key(fact)
                if (
                    (of_record if is_beside else of_call and rival.owners <= fact.owners)
                    and (
                        rival.dimension == fact.dimension
                        or (not fact.dimension and rival.dimension != "count")
                    )
                    and rival.differs(fact)
                ):
                    return quantity
        return ""

    @cached_property
    def _column_extremes(self) -> dict[tuple[str, str, str], tuple[float, ...]]:
        """The smallest and the largest number of each column; empty for columns of at most three
        numbers.
        """
        numbers = {
            column: {f.number for f in facts} for column, facts in self._facts_by_column.items()
        }
        return {c: (min(n), max(n)) if len(n) > 3 else () for c, n in numbers.items()}

    def _is_identified(self, fact: Fact, context: NumberContext) -> bool:
        """Whether the text identifies the row of a fact in a long list: by name, as the largest or
        smallest value, or because there are few different values.
        """
        few = self._column_extremes[fact.column_key]
        if not few or fact.number in few:
            return True
        if fact.parameter_values:
            return any(c.is_among(fact.parameter_values) for c in context.sentence_numbers)
        column = self._facts_by_column[fact.column_key]
        return any(
            sum(o in f.owners for f in column) <= 3 for o in fact.owners & context.possible_owners
        )

    def _is_of_other_row(self, fact: Fact, claim: Claim, context: NumberContext) -> bool:
        """Whether the sentence states the parameters of one row of a study, or a change, and the
        fact belongs to another row or to the unchanged scene.
        """
        rows = [
            f
            for f in self._facts_of_studies.get(_quantity_without_extreme(fact), ())
            if f.dimension == fact.dimension
            and f.owners & fact.owners >= fact.owners & context.possible_owners
        ]
        stated = [c for c in context.sentence_numbers if c.start < claim.start]
        meant = [f for f in rows if self._is_stated(f, context.clause_numbers)] or [
            f for f in rows if self._is_stated(f, stated)
        ]
        meant = [f for f in meant if not any(c.can_state_fact(f) for c in context.sentence_numbers)]
        return bool(meant) and all(f.differs(fact) for f in meant)

    @cached_property
    def _facts_of_studies(self) -> dict[str, list[Fact]]:
        """The facts from studies and changes, by measured quantity."""
        found: dict[str, list[Fact]] = {}
        for f in self._evidence.facts:
            if f.call and (f.parameter_values or f.state):
                found.setdefault(_quantity_without_extreme(f), []).append(f)
        return found

    def _is_stated(self, fact: Fact, claims: Sequence[Claim]) -> bool:
        """Whether numbers of a text are the parameters of the row of a fact, or the change that led
        to the fact.
        """
        at = fact.parameter_values
        if fact.call and fact.state == "after":
            changes = str(fact.call.arguments.get("changes", ""))
            at = tuple(map(float, re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", changes)))
        return any(c.is_among(at) for c in claims)

    def _extreme_objection(self, fact: Fact, claim: Claim, context: NumberContext) -> str:
        """Why a fact is not the largest or smallest value of its column, although the words say so;
        empty if it is.
        """
        most, least = _MOST.search(context.before), _LEAST.search(context.before)
        called = most or least
        if called is None or (most and least):
            return ""
        words = word_stems(fact.quantity)
        if words & (_MOST_KEY | _LEAST_KEY):
            wrong = not words & (_MOST_KEY if most else _LEAST_KEY)
        else:
            near = len(fact.owners & context.mentioned_near)
            row = [
                abs(f.number)
                for f in self._facts_by_column[fact.column_key]
                if f.call is fact.call
                and f.listed > 1
                and len(f.owners & context.mentioned_near) >= near
            ]
            best = (max if most else min)(row, default=abs(fact.number))
            wrong = (
                bool(
                    words & word_stems(context.before[called.end() :])
                    or (claim.significant_digits > 2 and _AT.search(context.before))
                )
                and abs(best - abs(fact.number)) > 0.001 * best
            )
        return f"is not the {called[0]}" if wrong else ""

    @cached_property
    def _counted_nouns(self) -> frozenset[str]:
        """The nouns for which tools returned a count."""
        facts = (f for f in self._evidence.facts if f.call and f.dimension == "count")
        return frozenset(singular(f.quantity) for f in facts)

    def _needs_no_source(self, claim: Claim, context: NumberContext) -> bool:
        """Whether a number is a small count in prose, such as ``two of the lenses``."""
        number = claim.values[0][0]
        if (
            claim.unit
            or claim.ratio
            or number != round(number)
            or abs(number) > MOST_UNSOURCED_COUNT
        ):
            return False
        if claim.noun:
            of_scene = self._evidence.nouns[claim.noun]
            return claim.noun != "ray" and (
                number <= of_scene or not (of_scene or claim.noun in self._counted_nouns)
            )
        if re.search(r"[\[\]{}<>]", f"{context.before[-2:]}{context.after[:2]}"):  # of a formula
            return True
        return re.match(r"\s+[a-z]+s\b", context.after) is not None

    # what a number is computed from

    def _find_computed_facts(
        self, claim: Claim, context: NumberContext, reason: str
    ) -> tuple[Sequence[Fact], str]:
        """The computed result that a number can state, or the reason why there is none. A number
        that equals a fact about something else is not computed.
        """
        if not (reason.startswith("no tool said") or reason.endswith(_NO_DIFFERENCE)):
            return (), reason
        said = [
            o
            for o in reversed(self._said)
            if 0 <= context.index - o.sentence <= SENTENCES_BEFORE and o.said is not claim
        ]
        said.sort(key=lambda o: o.sentence < context.index)
        operands = (*said[:MOST_SAID], *self._known_operands(claim, context))
        results = NumberTable(computed_results(claim, context, operands))
        hits = [result.fact for result in results.find_matches(claim)[:1]]
        if not hits and claim.shared:
            return self._find_computed_facts(claim.without_unit(), context, reason)
        return hits, "" if hits else reason

    def _known_operands(self, claim: Claim, context: NumberContext) -> Sequence[Operand]:
        """The facts from which a number can be computed. They have its dimension, if that is a
        length or an angle, and belong to objects that the sentence names, or to any object if it
        names none. Facts of stated rows come first, then facts of named objects; latest calls come
        first.
        """
        groups: tuple[dict[object, Fact], ...] = ({}, {}, {})
        for f in self._facts_latest_first:
            if claim.dimension in ("length", "angle") and f.dimension not in (claim.dimension, ""):
                continue
            is_own = bool(f.owners & context.possible_owners)
            is_free = not context.named_so_far and f.listed <= MOST_UNSOURCED_COUNT
            if f.owners & {"s", "p"} - context.possible_owners:
                continue
            if is_own or f.is_from_question or (f.call and (not f.owners or is_free)):
                is_stated = bool(f.parameter_values) and any(
                    c.is_among(f.parameter_values) for c in context.sentence_numbers
                )
                group = groups[0 if is_stated else 1 if is_own else 2]
                group.setdefault((f.number, f.dimension, f.quantity, f.owners), f)
        known = [f for group in groups for f in group.values()]
        return [Operand(f) for f in known[:MOST_KNOWN]]

    @cached_property
    def _facts_latest_first(self) -> list[Fact]:
        """The facts from which numbers are computed, the latest call first."""
        calls: dict[int, list[Fact]] = {}
        for f in self._evidence.facts:
            if (
                f.listed <= LONG_LIST_LENGTH or f.parameter_values
            ) and f.quantity not in REMARK_KEYS:
                calls.setdefault(id(f.call), []).append(f)
        return [f for call in reversed(calls.values()) for f in call]


def _nearness(fact: Fact, context: NumberContext) -> tuple[int, int, int]:
    """How well a fact fits the objects and rows that are named around a number; a smaller tuple is
    better.
    """
    owners = fact.owners
    return (
        len(owners & context.mentioned_near),
        len(owners & context.named_so_far),
        len(owners & context.possible_owners),
    )


def _record_key(fact: Fact) -> object:
    """A key that the facts of one record share. All measures of one call share a key."""
    return id(fact.call), fact.path, fact.owners, fact.parameter_values, fact.state, fact.row


def _is_mentioned(fact: Fact, text: str) -> bool:
    """Whether a text has a word with the same beginning as a word of the fact's quantity."""
    return (
        fact.quantity in VARIED_ARGUMENTS
        or not fact.quantity
        or bool(word_stems(fact.quantity) & word_stems(text))
    )


def _quantity_without_extreme(fact: Fact) -> str:
    """The quantity of a fact without the word for an extreme, such as least."""
    return re.sub(r"^(?:least|most)_", "", fact.quantity)


def _wrong_owner_reason(owners: frozenset[str], others: frozenset[str]) -> str:
    first, second = (
        " and ".join(sorted(some, key=lambda o: (RAY_ID.fullmatch(o) is not None, o))[:2])
        for some in (owners - others or owners, others - owners or others)
    )
    return f"is of {first}, not of {second}"
