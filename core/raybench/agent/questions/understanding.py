"""What a sentence asks for: the call of the example question that it is, or the nearest ones."""

import json
import math
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from raybench.agent.questions.example import Example, Match, Unclear, filled_question, with_clauses
from raybench.agent.questions.examples import all_examples
from raybench.agent.questions.limits import limit_of
from raybench.agent.questions.objects import ObjectSlot
from raybench.agent.questions.rewording import (
    change_and_measure,
    parts_of,
    possible_questions,
    split_comparison,
    unknown_glass,
    with_last_for_whole,
    without_verdict,
)
from raybench.agent.questions.sentence import Sentence, read_sentence
from raybench.agent.questions.starters import starter_questions as starters
from raybench.agent.questions.studies import study_examples, written_measures
from raybench.agent.questions.words import is_soft, related_words, words_of
from raybench.errors import RaybenchError
from raybench.kinds.fields import fields_of
from raybench.kinds.kinds import KINDS
from raybench.kinds.sources import Source
from raybench.scene.document import Document

NEAREST = 3
"""Number of questions that are offered for a sentence that is none of them."""
MOST_CHOICES = 9
"""Maximum number of choices that a clarification offers."""
MOST_READ = 100
"""Maximum number of sentences about a document that are kept as they were read."""
TRIED = 60
"""Maximum number of examples that are read in a sentence as a whole."""


@dataclass(frozen=True)
class Understood:
    """What a sentence asks for: a call of a ``tool``; or, without one, the ``text`` that says why
    not, and ``choices``, sentences of which each asks for a call. ``rest`` is the question that an
    answer to the ``text`` completes, with an ellipsis where the answer belongs. ``beyond``: the text
    is the answer, that the program cannot do it.
    """

    tool: str = ""
    arguments: dict[str, Any] | None = None
    text: str = ""
    choices: tuple[str, ...] = ()
    rest: str = ""
    beyond: bool = False


@dataclass(frozen=True)
class Catalogue:
    """All examples, the words that they have, and the weight of each, larger for rare ones."""

    examples: tuple[Example, ...]
    vocabulary: frozenset[str]
    weights: Mapping[str, float]

    def weight(self, word: str) -> float:
        return 0.25 if is_soft(word) else self.weights.get(word, 4.5)


@cache
def example_catalogue() -> Catalogue:
    """The catalogue of examples, made when it is first asked for."""
    examples = [*all_examples(), *study_examples(measures_in, changes_in)]
    intents: dict[str, set[str]] = {}
    for e in examples:
        for word in e.words:
            intents.setdefault(word, set()).add(e.intent)
    number = len({e.intent for e in examples})
    weights = {word: math.log(1 + number / len(of)) for word, of in intents.items()}
    labels = (f.about.label for kind in KINDS.values() for f in fields_of(kind))
    vocabulary = frozenset(weights).union(*map(words_of, labels))
    return Catalogue(tuple(examples), vocabulary, weights)


Ranked = list[tuple[float, Match]]
"""Examples read in a sentence with their scores, best first."""


@dataclass
class _Read:
    """The sentences that were read last, all about one document, with their examples: what is
    offered is read many times over.
    """

    document: Document | None = None
    held: Catalogue | None = None
    sentences: dict[str, tuple[Sentence, Ranked]] = field(default_factory=dict)


_read = threading.local()


def _read_and_ranked(text: str, document: Document) -> tuple[Sentence, Ranked]:
    """A sentence, and the examples that are most like it."""
    held = example_catalogue()
    read: _Read = getattr(_read, "last", _Read())
    if read.document is not document or read.held is not held or len(read.sentences) > MOST_READ:
        read = _read.last = _Read(document, held)
    if text not in read.sentences:
        sentence = read_sentence(text, document, held.vocabulary)
        read.sentences[text] = sentence, _ranked_examples(sentence, held)
    return read.sentences[text]


def understand_sentence(text: str, document: Document) -> Understood:
    """The call that a sentence asks for, if it is one of the example questions."""
    try:
        if (measures := written_measures(text, document)) is not None:
            return Understood("measure_xml", measures)
    except Unclear as problem:
        return Understood(text=str(problem))
    sentence, ranked = _read_and_ranked(text, document)
    unnamed = text
    for piece in sentence.pieces:
        unnamed = unnamed.replace(piece.text, " ") if piece.thing is not None else unnamed
    if limit := limit_of(unnamed):
        return Understood(text=limit, beyond=True)
    found = _example_call(ranked, sentence)
    if found is not None and (found.tool in _WITH_PARTS or not _is_compound(text, document)):
        return found
    if (glass := unknown_glass(sentence)) is not None:
        return _near_glasses(*glass, text, document)
    near = tuple(_offered(sentence, ranked))
    more = (q for q in starters(document) if q not in near)
    return Understood(text="Did you mean", choices=(*near, *more)[:NEAREST])


def _near_glasses(name: str, near: list[str], text: str, document: Document) -> Understood:
    """What to say of a glass that is not in the catalogue; offers the sentence with near ones."""
    offered: list[str] = []
    for glass in near:
        replaced, ranked = _read_and_ranked(text.replace(name, glass), document)
        nearest = _offered(replaced, ranked)
        if is_example(replaced.text, document):
            nearest = [*_nearest_questions(ranked, replaced), replaced.text]
        offered += [q for q in nearest if glass in q][:1]
    said = f"; near: {', '.join(near)}." if near else "."
    return Understood(
        text=f"{name} is not among the glasses{said}", choices=tuple(dict.fromkeys(offered))
    )


def _offered(sentence: Sentence, ranked: list[tuple[float, Match]]) -> list[str]:
    """The questions to offer for a sentence that is none of them, best first."""
    document = sentence.document

    def nearest(text: str, tool: str = "", limit: int = 1) -> tuple[str, ...]:
        part, ranked = _read_and_ranked(text, document)
        found = [
            (score, match)
            for score, match in ranked
            if tool in ("", match.example.tool) and (not tool or match.example.reads is None)
        ]
        return _nearest_questions(found, part, limit)

    def offers(text: str, limit: int = 1) -> list[str]:
        if is_example(text, document):
            called = understand_sentence(text, document)
            same = [
                q
                for q in nearest(text, limit=NEAREST)
                if understand_sentence(q, document) == called
            ]
            first = same[0] if same else f"{text[0].upper()}{text[1:]}"
            return [first, *(q for q in nearest(text, limit=limit) if q != first)][:limit]
        part, _ = _read_and_ranked(text, document)
        found = [q for q in possible_questions(part) if is_example(q, document)]
        return [*found, *nearest(text, limit=limit)][:limit]

    def what_ifs(change: str, measure: str) -> list[str]:
        if changes_in(change, document) is None:
            change = next(iter(nearest(change, "change_scene")), "")
        if not change:
            return []
        part, _ = _read_and_ranked(without_verdict(measure), document)
        asked = [q for q in possible_questions(part) if measures_in(q, document) is not None]
        asked += nearest(without_verdict(measure), "measure_xml", 2)
        did = f"{change[0].lower()}{change[1:]}".rstrip(".")
        did = f"I {did}" if _is_edit(did, document) else did
        made = [f"What if {did}: {q[0].lower()}{q[1:]}" for q in asked]
        return [q for q in made if is_example(q, document)][:2]

    whole = with_last_for_whole(sentence.text, document)
    text = whole or sentence.text
    parts = parts_of(text)
    found: list[str] = []
    if len(parts) > 1 and _is_edit(parts[0], document):
        found = what_ifs(parts[0], " and ".join(parts[1:]))
    elif (asked := change_and_measure(text)) is not None:
        found = what_ifs(*asked)
    if len(parts) > 1:
        each = [
            nearest(part, "change_scene") if _is_edit(part, document) else offers(part)
            for part in parts
        ]
        found += [q for offered in each for q in offered]
    found += [q for q in possible_questions(sentence) if is_example(q, document)]
    if (pair := split_comparison(sentence)) is not None:
        without, first, second = pair
        one = next((q for q in nearest(without, limit=NEAREST) if first in q), "")
        found += [q for q in (one, one.replace(first, second)) if q and is_example(q, document)]
    if whole:
        found += offers(whole, NEAREST)
    if len(parts) == 1:
        found += _nearest_questions(ranked, sentence)
    return list(dict.fromkeys(found))[:NEAREST]


_WITH_PARTS = frozenset((
    "sweep", "what_if", "optimise", "tolerance", "compare", "convergence_xml", "find_glass",
    "query_rays_xml", "search_help",
))  # fmt: skip
"""Tools whose sentences hold other questions, or whatever was typed."""


def _is_compound(text: str, document: Document) -> bool:
    """Whether several parts of a sentence ask for something."""
    asking = 0
    for part in parts_of(text):
        sentence, _ = _read_and_ranked(part, document)
        asking += any(p.word or p.thing or p.number for p in sentence.pieces)
    return asking > 1


def _is_edit(text: str, document: Document) -> bool:
    """Whether a part of a sentence asks for an edit, though perhaps not completely."""
    part, _ = _read_and_ranked(text, document)
    verbs = {
        w for e in example_catalogue().examples if e.tool == "change_scene" for w in e.required
    }
    first = next((p.word for p in part.pieces if p.word), "")
    return first in verbs


def measures_in(text: str, document: Document) -> dict[str, Any] | None:
    """The measures that a text within another sentence asks for; None if it does not."""
    return written_measures(text, document) or _call_in(text, document, "measure_xml")


def changes_in(text: str, document: Document) -> dict[str, Any] | None:
    """The changes that a text within another sentence asks for; None if it does not."""
    return _call_in(text, document, "change_scene")


def _call_in(text: str, document: Document, tool: str) -> dict[str, Any] | None:
    sentence, ranked = _read_and_ranked(text, document)
    ranked = [
        (score, m) for score, m in ranked if m.example.tool == tool and m.example.reads is None
    ]
    found = _example_call(ranked, sentence)
    return found.arguments if found is not None and found.tool == tool else None


def questions_that_fit(typed: str, document: Document) -> tuple[str, ...]:
    """The questions about a scene that fit what is typed so far, best first; a last word that is
    not complete stands for any that begins so.
    """
    held = example_catalogue()
    sentence = read_sentence(typed, document, held.vocabulary)
    ranked = _ranked_examples(sentence, held, begun=not typed.endswith(" "))
    return _nearest_questions(ranked, sentence, 5, typed=typed)


def _ranked_examples(
    sentence: Sentence, held: Catalogue, begun: bool = False
) -> list[tuple[float, Match]]:
    """The examples with their scores, best first, that are most like a sentence."""
    said = {p.word: 0.5 if p.thing else 1.0 for p in sentence.pieces if p.word}
    last = sentence.pieces[-1].typed if begun and sentence.pieces else ""
    weights = {word: part * held.weight(word) for word, part in said.items()}
    scored = []
    for example in held.examples:
        score = 0.0
        for word, weight in weights.items():
            if word in example.words:
                score += weight
            elif related_words(word) & example.words:
                score += min(0.55 * weight, 2.5)
            elif word in example.about:
                score += 0.3 * weight
        if last and len(last) > 1 and any(w.startswith(last) for w in example.words):
            score += 2.0
        score -= min(2.5, 0.3 * sum(held.weight(w) for w in example.required if w not in said))
        score -= 0.05 * len(example.soft - set(said))
        scored.append((score, example))
    scored.sort(key=lambda s: -s[0])
    full = {id(e) for s, e in scored if e.required <= set(said) or e.reads is not None}
    tried = [*scored[:TRIED], *(s for s in scored[TRIED:] if id(s[1]) in full)]
    lit = any(isinstance(o, Source) for o in sentence.document.scene.optical)
    out = []
    for score, example in tried:
        if example.lit and not lit:
            score -= 5.0
        match = example.match(sentence)
        things = [p for p in sentence.pieces if p.thing is not None or p.noun]
        lost = [
            p for p in match.left if p.thing is not None or (p.noun and p.word not in example.words)
        ]
        score += 1.0 * (len(things) - len(lost)) - 1.2 * len(lost)
        numbers = [p for p in sentence.pieces if p.number]
        kept = [p for p in match.left if p.number]
        score += 0.8 * (len(numbers) - len(kept)) - 0.8 * len(kept)
        score -= 0.1 * example.rank
        out.append((score, match))
    return sorted(out, key=lambda s: -s[0])


_ASKS = re.compile(
    r"(?:is|are|was|were|does|did|has|have|had|will|should|must|may|might|why|when)\b",
    re.IGNORECASE,
)
"""How a sentence begins that asks for no edit."""


def _example_call(ranked: list[tuple[float, Match]], sentence: Sentence) -> Understood | None:
    """The call of the example that a sentence is; or what must be said to complete it; None if it
    is none of them, or several.
    """
    calls: list[tuple[tuple[int, int, int], str, dict[str, Any]]] = []
    unclear: list[str] = []
    said = {p.word for p in sentence.pieces if p.word and is_soft(p.word)}
    for _, match in ranked:
        example = match.example
        if example.edits and (_ASKS.match(sentence.text) or _misreads_shift(match, sentence)):
            continue
        try:
            if example.reads is not None:
                arguments = example.reads(sentence)
                if arguments is not None:
                    calls.append(((example.rank, 0, 0), example.tool, arguments))
            elif match.complete and (
                example.required or example.soft <= said or (match.said and example.soft & said)
            ):
                arguments = example.arguments(match, sentence.document)
                off = len(example.soft - said) + len(said - example.words) + len(match.clauses)
                calls.append(
                    (
                        (example.rank + len(match.defaulted), off, -len(example.required)),
                        example.tool,
                        arguments,
                    )
                )
            elif match.explained and match.problem:
                unclear.append(match.problem)
        except RaybenchError as problem:
            unclear.append(str(problem))
    if calls:
        best = min(order for order, _, _ in calls)
        first = {
            json.dumps([tool, arguments], sort_keys=True, default=str): (tool, arguments)
            for order, tool, arguments in calls
            if order == best
        }
        if len(first) == 1:
            ((tool, arguments),) = first.values()
            return Understood(tool, arguments)
        return None
    for _, match in ranked:
        needed = match.example.required
        if needed and match.explained and not match.problem and match.example.reads is None:
            if match.choices and not match.open:
                return _ask_which_object(match, sentence)
            if (
                len(match.open) == 1
                and not match.choices
                and (asked := _ask_missing_value(match, sentence)) is not None
            ):
                return asked
    return Understood(text=unclear[0], choices=()) if unclear else None


def _ask_which_object(match: Match, sentence: Sentence) -> Understood | None:
    """A question which of several objects is meant."""
    name, titles = next(iter(match.choices.items()))
    slot = match.example.slots[name]
    noun = getattr(slot, "noun", "") or "object"
    choices = []
    for title in titles[:MOST_CHOICES]:
        chosen = Match(match.example, {**match.values, name: title}, clauses=match.clauses)
        if text := filled_question(chosen, sentence.document):
            choices.append(text)
    return Understood(
        text=f"Which {noun}?", choices=tuple(choices), rest=_question_with_ellipsis(match, name)
    )


_ASKED = {"angle": "By what angle, such as 5°", "length": "How far, such as 10 mm", "coordinate": "Where, such as 100", "edge": "Which edge",
          "wavelength": "What wavelength, such as 546 nm", "factor": "By what factor, such as 2", "plain": "How much, such as 0.1",
          "value": "To what value", "material": "Of which glass, such as N-BK7", "way": "Which way: left, right, up or down",
          "name": "Named how", "title": "Named how", "count": "How many"}  # fmt: skip


def _ask_missing_value(match: Match, sentence: Sentence) -> Understood | None:
    """A question for the one value that an example lacks."""
    name = match.open[0]
    kind = match.example.slots[name]
    if not isinstance(kind, str) or kind not in _ASKED:
        if not isinstance(kind, str) and kind.noun:
            return Understood(text=f"There is no {kind.noun} in this scene.")
        return None
    asked = _ASKED[kind]
    if (
        kind == "edge"
        and (thing := sentence.things.get(next(iter(match.values.values()), ""))) is not None
    ):
        from raybench.kinds.object import SceneObject
        from raybench.scene.labels import labelled_edges

        if isinstance(thing, SceneObject):
            labels = [
                e.title
                for e in labelled_edges(thing, sentence.document.edge_labels.get(thing.key, {}))
            ]
            asked = f"Which edge of {thing.title}"
            choices = [
                filled_question(
                    Match(match.example, {**match.values, name: label}), sentence.document
                )
                for label in labels
            ]
            return Understood(
                text=f"{asked}?",
                choices=tuple(c for c in choices if c),
                rest=_question_with_ellipsis(match, name),
            )
    return Understood(text=f"{asked}?", rest=_question_with_ellipsis(match, name))


def _question_with_ellipsis(match: Match, name: str) -> str:
    """The question with an ellipsis in the place of a slot."""
    filled = match.example.question.filled({**match.values, name: "…"})
    return with_clauses(filled, match.clauses)


def _nearest_questions(
    ranked: list[tuple[float, Match]], sentence: Sentence, limit: int = NEAREST, typed: str = ""
) -> tuple[str, ...]:
    """The nearest questions, of each tool or measure one, filled with the names of the scene; each
    is understood.
    """
    out: dict[str, str] = {}
    best = ranked[0][0] if ranked else 0.0
    if typed and best <= 0.5:
        return ()
    for score, match in ranked:
        intent = match.example.intent
        if (
            match.example.tool in ("change_scene", "what_if")
            and not typed
            and _invents(match, sentence)
        ):
            continue
        if intent in out.values() or not match.example.offered or (typed and score < 0.4 * best):
            continue
        text = filled_question(match, sentence.document)
        if text is None or text in out or not (typed or is_example(text, sentence.document)):
            continue
        out[text] = intent
        if len(out) == limit:
            break
    return tuple(out)


def _misreads_shift(match: Match, sentence: Sentence) -> bool:
    """Whether an edit takes the number of a shift, such as *by 5 mm*, for a place."""
    slots = match.example.slots
    placed = match.example.edits and any(
        slots[n] == "coordinate" for n in slots.keys() & match.given
    )
    said = any(p.number and p.number.axis for p in sentence.pieces)
    return placed and not said and not re.search(r"\b(?:to|at)\b", sentence.text)


_VALUES = frozenset(_ASKED) - {"way", "name", "title", "edge"}
"""Slots for values that a sentence gives as numbers."""


def _invents(match: Match, sentence: Sentence) -> bool:
    """Whether an edit would be offered for a sentence that asks for none, or with another value
    than the sentence gives.
    """
    slots = match.example.slots
    values = [n for n, kind in slots.items() if kind in _VALUES]
    if any(kind == "field" and n not in match.given for n, kind in slots.items()):
        return any(p.word and not p.thing for p in match.left)
    numbers = any(p.number for p in sentence.pieces)
    left = any(p.number for p in match.left)
    named = {p.thing.title for p in sentence.pieces if p.thing is not None}
    objects = [n for n, kind in slots.items() if isinstance(kind, ObjectSlot) or kind == "objects"]
    if named and objects and not any(n in match.given for n in objects):
        return True
    if match.example.tool == "what_if":
        return False
    if _misreads_shift(match, sentence):
        return True
    return bool(match.missing) or (
        numbers and (left or any(n not in match.given for n in values if n in match.open))
    )


def is_example(text: str, document: Document) -> bool:
    """Whether a sentence is one of the examples."""
    try:
        if written_measures(text, document) is not None:
            return True
        sentence, ranked = _read_and_ranked(text, document)
        found = _example_call(ranked, sentence)
    except RaybenchError:
        return False
    return found is not None and bool(found.tool)


def complete_sentence(answer: str, asked: Understood, document: Document) -> str:
    """The sentence that an answer to ``asked`` completes: a choice by its number or its name, or
    what was missing; otherwise the answer itself.
    """
    bare = answer.strip().strip(".!?")
    if re.fullmatch(r"[1-9]", bare) and int(bare) <= len(asked.choices):
        return asked.choices[int(bare) - 1]
    same = [c for c in asked.choices if c.lower().strip(" .?!") == bare.lower()]
    if same:
        return same[0]
    holding = [c for c in asked.choices if len(bare) > 1 and bare.lower() in c.lower()]
    if len(holding) == 1:
        return holding[0]
    if understand_sentence(answer, document).tool:
        return answer
    if asked.rest:
        full = asked.rest.replace("…", bare)
        if is_example(full, document):
            return full
        words = re.sub(r"^(?:by|to|the|of|from|at) ", "", bare)
        if (full := asked.rest.replace("…", words)) and is_example(full, document):
            return full
    return answer
