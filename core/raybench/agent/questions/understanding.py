"""What a sentence asks for: the call of the example question that it is, or the nearest ones."""

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any

from raybench.agent.questions.compound import (
    OFF_AXIS,
    WITHOUT_QUESTION,
    changes_and_measures,
    sentence_parts,
    split_comparison,
    with_pair_joined,
    with_system_named,
    without_verdict,
)
from raybench.agent.questions.conditions import edits_for_condition, misreads_shift
from raybench.agent.questions.example import Match, fill_question, with_clauses
from raybench.agent.questions.examples import all_examples
from raybench.agent.questions.glass import find_unknown_glass
from raybench.agent.questions.goals import suggest_studies, words_for_measure
from raybench.agent.questions.limits import find_stated_limit
from raybench.agent.questions.ranking import Catalogue, Ranked, make_catalogue, rank_examples
from raybench.agent.questions.sentence import Sentence, read_sentence
from raybench.agent.questions.slots import SLOTS, ObjectSlot, edge_labels
from raybench.agent.questions.starters import starter_questions
from raybench.agent.questions.studies import study_examples
from raybench.agent.questions.words import canonical_words, is_soft
from raybench.errors import RaybenchError
from raybench.scene.document import Document

NEAREST = 3
"""Number of questions that are offered for a sentence that is none of them."""
OFFERED = 5
"""Maximum number of questions that are offered while one types."""
MOST_CHOICES = 9
"""Maximum number of choices that a clarification offers."""


MOST_READ = 100
"""Maximum number of sentences about a document that are kept as they were read."""


@dataclass(frozen=True)
class Understood:
    """The meaning of a sentence: a call of a ``tool``. Without a tool, ``text`` says why there is
    none, and each of ``choices`` is a sentence that asks for a call. ``rest`` is a question with an
    ellipsis, which an answer to the ``text`` replaces. ``beyond``: the ``text`` is the answer that
    the program cannot do it.
    """

    tool: str = ""
    arguments: dict[str, Any] | None = None
    text: str = ""
    choices: tuple[str, ...] = ()
    rest: str = ""
    beyond: bool = False


@cache
def example_catalogue() -> Catalogue:
    """The catalogue of examples, made when it is first asked for."""
    return make_catalogue((*all_examples(), *study_examples(read_measures_in, read_changes_in)))


@dataclass
class _Read:
    """The sentences about one document that were read last, with their examples; offered questions
    are read many times.
    """

    document: Document | None = None
    held: Catalogue | None = None
    sentences: dict[str, tuple[Sentence, Ranked]] = field(default_factory=dict)


_read = threading.local()


def read_and_rank(text: str, document: Document) -> tuple[Sentence, Ranked]:
    """A sentence, and the examples that are most like it."""
    held = example_catalogue()
    read: _Read = getattr(_read, "last", _Read())
    if read.document is not document or read.held is not held or len(read.sentences) > MOST_READ:
        read = _read.last = _Read(document, held)
    if text not in read.sentences:
        sentence = read_sentence(text, document, held.vocabulary)
        read.sentences[text] = sentence, rank_examples(sentence, held)
    return read.sentences[text]


def understand_sentence(text: str, document: Document) -> Understood:
    """Find the call that a sentence asks for; if there is none, offer similar questions."""
    sentence, ranked = read_and_rank(text, document)
    unnamed = text
    for piece in sentence.pieces_of_kinds("thing"):
        unnamed = unnamed.replace(piece.text, " ")
    if limit := find_stated_limit(unnamed):
        return Understood(text=limit, beyond=True)
    found = _understood_call(ranked, sentence)
    if found is not None and (found.tool in _WITH_PARTS or not _is_compound(text, document)):
        return found
    if (glass := find_unknown_glass(sentence)) is not None:
        return _offer_glasses(*glass, text, document)
    choices = (*_offer_questions(sentence, ranked), *starter_questions(document))
    return Understood(text="Did you mean", choices=tuple(dict.fromkeys(choices))[:NEAREST])


def is_example(text: str, document: Document) -> bool:
    """Whether a sentence is one of the examples."""
    try:
        sentence, ranked = read_and_rank(text, document)
        found = _understood_call(ranked, sentence)
    except RaybenchError:
        return False
    return found is not None and bool(found.tool)


def questions_that_fit(typed: str, document: Document) -> tuple[str, ...]:
    """The questions about a scene that fit the text typed so far, best first; an incomplete last
    word stands for every word that begins with it.
    """
    held = example_catalogue()
    sentence = read_sentence(typed, document, held.vocabulary)
    ranked = rank_examples(sentence, held, begun=not typed.endswith(" "))
    best = ranked[0][0] if ranked else 0.0
    likely = [(score, match) for score, match in ranked if best > 0.5 and score >= 0.4 * best]
    return _fill_questions(likely, OFFERED, lambda match, text: True)


def complete_sentence(answer: str, asked: Understood, document: Document) -> str:
    """The sentence that results from an answer to ``asked``: the choice with its number or name, or
    the question with the missing value; else the answer itself.
    """
    bare = answer.strip().strip(".!?")
    if re.fullmatch(r"[1-9]", bare) and int(bare) <= len(asked.choices):
        return asked.choices[int(bare) - 1]
    same = [c for c in asked.choices if c.lower().strip(" .?!") == bare.lower()]
    holding = [c for c in asked.choices if len(bare) > 1 and bare.lower() in c.lower()]
    if same or len(holding) == 1:
        return (same or holding)[0]
    if is_example(answer, document):
        return answer
    for words in (bare, re.sub(r"^(?:by|to|the|of|from|at) ", "", bare)) if asked.rest else ():
        if is_example(full := asked.rest.replace("…", words), document):
            return full
    return answer


# --- sentences that are an example


_ASKS = re.compile(
    r"(?:is|are|was|were|does|did|has|have|had|will|should|must|may|might|why|when)\b",
    re.IGNORECASE,
)
"""How a sentence begins that asks for no edit."""
_YES_OR_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|can|could|will|would)\b", re.IGNORECASE
)
_ASKS_ANYTHING = re.compile(
    rf"(?:(?:at|by|in|to|for|from|on) )?(?:how|what|which|where|who)\b|{_ASKS.pattern}",
    re.IGNORECASE,
)
_ASKS_PLACE = re.compile(
    r"(?:where|at what|in what|what is the (?:position|direction))\b", re.IGNORECASE
)


def _understood_call(ranked: Ranked, sentence: Sentence) -> Understood | None:
    """The call of the example that a sentence matches, or the question for its missing value. None
    if the sentence matches no example, or several.
    """
    calls: list[tuple[tuple[int, int, int], str, dict[str, Any]]] = []
    problems: list[str] = []
    said = {p.word for p in sentence.pieces if p.word and is_soft(p.word)}
    for _, match in ranked:
        example = match.example
        if example.edits and (_ASKS.match(sentence.text) or misreads_shift(match)):
            continue
        if (
            "where" in said
            and "where" not in example.words
            and not example.edits
            and example.reads is None
        ):
            continue
        if _YES_OR_NO.match(sentence.text) and _ASKS_PLACE.match(example.question.text):
            continue
        try:
            if example.reads is not None:
                if (arguments := example.reads(sentence)) is not None:
                    calls.append(((example.rank, 0, 0), example.tool, arguments))
            elif match.is_complete and _has_words_of_example(match, said):
                off = (
                    len(example.optional_words - said)
                    + len(said - example.words)
                    + len(match.clauses)
                )
                order = (example.rank + len(match.defaulted), off, -len(example.required))
                calls.append((order, example.tool, example.arguments(match)))
            elif match.is_explained and match.problem:
                problems.append(match.problem)
        except RaybenchError as problem:
            if example.rank < 0:  # the sentence can be no other example
                return Understood(text=str(problem))
            problems.append(str(problem))
    if calls:
        best = min(order for order, _, _ in calls)
        equal = [(tool, arguments) for order, tool, arguments in calls if order == best]
        different = {json.dumps(call, sort_keys=True, default=str) for call in equal}
        return Understood(*equal[0]) if len(different) == 1 else None
    for _, match in ranked:
        asks = match.example.reads is None and match.is_explained and not match.problem
        asked = _clarifying_question(match) if asks and match.example.required else None
        if asked is not None:
            return asked
    return Understood(text=problems[0]) if problems else None


def _has_words_of_example(match: Match, said: set[str]) -> bool:
    """Whether a sentence contains a word of the example, or a value beside a word of little
    meaning.
    """
    example = match.example
    has_value = match.given.keys() - set(match.defaulted)
    return bool(
        example.required
        or example.optional_words <= said
        or (has_value and example.optional_words & said)
    )


def _clarifying_question(match: Match) -> Understood | None:
    """A question for the one value that an example lacks, or for the choice between several
    objects.
    """
    if len(match.open) + len(match.choices) != 1:
        return None
    name = next(iter([*match.open, *match.choices]))
    slot, titles = match.example.slots[name], match.choices.get(name, [])
    if isinstance(slot, ObjectSlot) and not titles:
        return Understood(text=f"There is no {slot.noun} in this scene.") if slot.noun else None
    if not slot.asked or (slot.value and not match.example.edits):
        return None
    nouns = match.sentence.pieces_of_kinds("noun") if match.sentence is not None else []
    asked = f"Which {nouns[0].value}" if titles and len(nouns) == 1 else slot.asked
    if slot.asked == "Which edge" and match.sentence is not None:
        about = match.sentence.things.get(next(iter(match.values.values()), ""))
        titles = edge_labels(about, match.document)
        asked = f"Which edge of {about.title}" if about is not None and titles else asked
    filled = [
        fill_question(Match(match.example, match.document, None, {**match.values, name: title}, clauses=match.clauses))
        for title in titles[:MOST_CHOICES]
    ]  # fmt: skip
    rest = match.example.question.text_with_values({**match.values, name: "…"})
    choices = tuple(text for text in filled if text)
    return Understood(text=f"{asked}?", choices=choices, rest=with_clauses(match, rest))


# --- sentences that are none


def _fill_questions(
    ranked: Ranked, limit: int, accepts: Callable[[Match, str], bool]
) -> tuple[str, ...]:
    """The first accepted questions, one for each tool or measure, with the names in the scene."""
    out: dict[str, str] = {}
    for _, match in ranked:
        if match.example.intent in out.values() or not match.example.offered:
            continue
        text = fill_question(match)
        if text is not None and text not in out and accepts(match, text):
            out[text] = match.example.intent
            if len(out) == limit:
                break
    return tuple(out)


def _nearest_questions(
    text: str, document: Document, limit: int = 1, tool: str = ""
) -> tuple[str, ...]:
    """The questions nearest to a text, for one tool or any; each can be understood."""
    sentence, ranked = read_and_rank(text, document)
    said = {p.word for p in sentence.pieces if p.word and not is_soft(p.word)}

    def accepts_question(match: Match, question: str) -> bool:
        fits = match.example.relates_to_words(said) and not _would_invent_edit(match, sentence)
        return fits and is_example(question, document)

    fitting = [
        s for s in ranked if not tool or (s[1].example.tool == tool and not s[1].example.reads)
    ]
    return _fill_questions(fitting, limit, accepts_question)


_USES = re.compile(r"(?:use|try|take|open|close|mount|fit)\b", re.IGNORECASE)
_DIRECTIONS = frozenset(canonical_words("horizontally vertically clockwise"))
"""Words of edits that an offered one may add."""


def _would_invent_edit(match: Match, sentence: Sentence) -> bool:
    """Whether an offered edit would be wrong: the sentence asks for no edit, or gives another
    value.
    """
    example, slots = match.example, match.example.slots
    if example.tool not in ("change_scene", "what_if"):
        return False
    if example.tool == "change_scene" and _ASKS_ANYTHING.match(sentence.text):
        return True
    if "field" in slots and "field" not in match.given:
        return any(p.word and p.kind != "thing" for p in match.left)
    objects = [n for n, slot in slots.items() if isinstance(slot, ObjectSlot) or n == "objects"]
    if (
        objects
        and not match.given.keys() & set(objects)
        and (match.left or sentence.pieces_of_kinds("thing"))
    ):
        return True
    if example.tool == "what_if":
        return False
    numbers, unused = (
        sentence.pieces_of_kinds("number"),
        any(p.kind == "number" for p in match.left),
    )
    invented = any(slots[n].value for n in match.open)
    return (
        misreads_shift(match)
        or bool(match.missing - _DIRECTIONS)
        or bool(numbers and (unused or invented))
    )


def _offer_glasses(name: str, near: list[str], text: str, document: Document) -> Understood:
    """The answer to a sentence with an unknown glass: the sentence is offered with similar glasses."""
    offered: list[str] = []
    for glass in near:
        replaced = text.replace(name, glass)
        own = [replaced] if is_example(replaced, document) else []
        questions = (*_nearest_questions(replaced, document, NEAREST), *own)
        offered += [q for q in questions if glass in q][:1]
    said = f"; near: {', '.join(near)}." if near else "."
    choices = tuple(dict.fromkeys(offered))
    return Understood(text=f"{name} is not among the glasses{said}", choices=choices)


def _offer_questions(sentence: Sentence, ranked: Ranked) -> list[str]:
    """The questions to offer for a sentence that is no example, best first: what-if questions,
    where a part is a change; studies, where something is to be varied; questions for its parts and
    for the whole. Questions that drop names of the sentence come last.
    """
    document = sentence.document
    text = with_system_named(sentence.text, document)
    found: list[str] = []
    for change, measure in changes_and_measures(text):
        found = found or _offer_what_ifs(change, measure, document)
    whole = read_and_rank(text, document)[0]
    if (
        not found
        and (_is_edit(text, document) or _USES.match(text))
        and (edit := _edit_for_condition(text, [], document))
    ):
        found.append(edit)
    studies = suggest_studies(whole, lambda asked: _nearest_measures(asked, document))
    found += islice((q for q in studies if not found and is_example(q, document)), 2)
    if (joined := with_pair_joined(text, document)) != text:
        found += _nearest_questions(joined, document)
    parts = split_comparison(sentence) or sentence_parts(text)
    limit = 1 if len(parts) > 1 else 2 * NEAREST
    found += [q for part in parts for q in _offer_part(part, document, limit)]
    unlike = {q: _share_dropped(q, whole) + i / NEAREST for i, q in enumerate(dict.fromkeys(found))}
    return sorted(unlike, key=lambda q: unlike[q])[:NEAREST]


def _share_dropped(question: str, sentence: Sentence) -> float:
    """The share of the numbers and names of a sentence that a question lacks; names that the
    question adds count too, if the sentence has names.
    """
    offered = read_and_rank(question, sentence.document)[0]
    said = {
        w
        for p in offered.pieces_of_kinds("number")
        for w in (p.value.text.lstrip("-"), p.value.high)
    }
    said |= {(p.kind, p.value) for p in offered.pieces_of_kinds("order", "edge")}
    dropped = sum(p.value.text.lstrip("-") not in said for p in sentence.pieces_of_kinds("number"))
    dropped += sum((p.kind, p.value) not in said for p in sentence.pieces_of_kinds("order", "edge"))
    named = {p.value.title for p in sentence.pieces_of_kinds("thing")}
    added = any(
        p.value.title not in sentence.text for p in offered.pieces_of_kinds("thing") if named
    )
    return dropped + 0.5 * sum(t not in question for t in named) + 0.4 * added


def _nearest_measures(text: str, document: Document) -> tuple[str, ...]:
    """The measures that are nearest to a text, in words."""
    asked = _nearest_questions(text, document, 2, "measure_xml")
    found = (read_measures_in(q, document) for q in asked)
    return tuple(words_for_measure(f["measures"]) for f in found if f is not None)


def _offer_part(part: str, document: Document, limit: int = 1) -> list[str]:
    """The questions to offer for a part of a sentence: the part itself if it is an example, then
    the nearest questions.
    """
    if _is_edit(part, document):
        edits = _nearest_questions(part, document, 1, "change_scene")
        return list(dict.fromkeys((*edits, *_nearest_questions(part, document, limit))))[:limit]
    nearest = _nearest_questions(part, document, limit)
    if is_example(part, document):
        called = understand_sentence(part, document)
        same = (q for q in nearest if understand_sentence(q, document) == called)
        own = next(same, f"{part[0].upper()}{part[1:]}")
        nearest = (own, *(q for q in nearest if q != own))
    return list(nearest[:limit])


def _offer_what_ifs(change: str, measure: str, document: Document) -> list[str]:
    """Questions for the effect of a change on a measure."""
    named = read_and_rank(measure, document)[0].pieces_of_kinds("thing")
    if read_changes_in(change, document) is None:
        change = _edit_for_condition(change, [p.value.title for p in named], document)
    if not change:
        return []
    did = f"{change[0].lower()}{change[1:]}".rstrip(".")
    did = f"I {did}" if _is_edit(did, document) else did
    if WITHOUT_QUESTION.fullmatch(measure):
        return [q for q in (f"What if {did}?",) if is_example(q, document)]
    measure = without_verdict(measure)
    about = read_and_rank(measure, document)[0].pieces_of_kinds("thing", "noun")
    changed = read_and_rank(change, document)[0].pieces_of_kinds("thing") if not about else []
    asked = [
        q
        for p in changed
        for q in _nearest_questions(f"{measure} {p.value.title}", document, 1, "measure_xml")
    ]
    asked += _nearest_questions(measure, document, 2, "measure_xml")
    made = [f"What if {did}: {q[0].lower()}{q[1:]}" for q in dict.fromkeys(asked)]
    return [q for q in made if is_example(q, document)]


def _edit_for_condition(text: str, others: list[str], document: Document) -> str:
    """The edit that a condition such as *the star is 0.3 deg off axis* describes; if it names no
    object, of ``others``. Empty if there is none.
    """
    numbers = read_and_rank(text, document)[0].pieces_of_kinds("number")
    of_sources = OFF_AXIS.search(text) or any(p.value.unit == "nm" for p in numbers)
    sources = SLOTS["source"].candidate_titles(document) if of_sources else []
    for about in ("", *(f" {title}" for title in (*sources, *others))):
        sentence, _ = read_and_rank(f"{text}{about}", document)
        for edit in edits_for_condition(sentence, example_catalogue().examples):
            if read_changes_in(edit, document) is not None:
                return edit
    return ""


_WITH_PARTS = frozenset((
    "sweep", "what_if", "optimise", "tolerance", "compare", "convergence_xml", "find_glass",
    "query_rays_xml", "search_help",
))  # fmt: skip
"""Tools whose sentences hold other questions, or whatever was typed."""


def _is_compound(text: str, document: Document) -> bool:
    """Whether several parts of a sentence ask for something."""
    pieces = (read_and_rank(part, document)[0].pieces for part in sentence_parts(text))
    return sum(any(p.word or p.kind != "word" for p in part) for part in pieces) > 1


def _is_edit(text: str, document: Document) -> bool:
    """Whether a part of a sentence asks for an edit, even if a value is missing."""
    sentence, _ = read_and_rank(text, document)
    edits = (e for e in example_catalogue().examples if e.tool == "change_scene")
    first = next((p.word for p in sentence.pieces if p.word), "")
    return first in {word for example in edits for word in example.required}


def read_measures_in(text: str, document: Document) -> dict[str, Any] | None:
    """Read the measures that a part of a sentence asks for; None if it asks for none."""
    return _read_arguments_in(text, document, "measure_xml")


def read_changes_in(text: str, document: Document) -> dict[str, Any] | None:
    """Read the changes that a part of a sentence asks for; None if it asks for none."""
    return _read_arguments_in(text, document, "change_scene")


def _read_arguments_in(text: str, document: Document, tool: str) -> dict[str, Any] | None:
    sentence, ranked = read_and_rank(text, document)
    own = [s for s in ranked if s[1].example.tool == tool]
    found = _understood_call(own, sentence)
    return found.arguments if found is not None and found.tool == tool else None
