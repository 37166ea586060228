"""Finds what a sentence asks for: the tool call of the example question that it matches, or else
the most similar questions.
"""

import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any

from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.questions.captions import captioned_things
from raybench.agent.questions.compound import (
    COMPARING,
    WHOLE,
    add_missing_name,
    edits_described,
    is_compound,
    name_whole_system,
    phrase_as_edit,
    says_something,
    sentence_parts,
    split_change_and_question,
    without_comparison_words,
)
from raybench.agent.questions.example import EACH, Match, fill_question, insert_clauses
from raybench.agent.questions.examples import all_examples
from raybench.agent.questions.limits import find_stated_limit
from raybench.agent.questions.objects import (
    LIKELY,
    PLACES,
    SYSTEMS,
    TOLD_NEAREST,
    Thing,
    objects_for_noun,
    objects_on_path,
    systems_in_rows,
    whole_system,
    words_of_name,
)
from raybench.agent.questions.ranking import Catalogue, Ranked, make_catalogue, rank_examples
from raybench.agent.questions.sentence import MOST_SOURCES, OF_LIGHT, Piece, Sentence, read_sentence
from raybench.agent.questions.slots import SLOTS, ObjectSlot, edge_labels
from raybench.agent.questions.starters import starter_questions
from raybench.agent.questions.studies import default_measures, study_examples, suggest_studies
from raybench.agent.questions.words import canonical_words, has_little_meaning
from raybench.analysis.measures.grammar import read_measures
from raybench.analysis.scene.objects import NAME_SEPARATOR, System
from raybench.errors import RaybenchError
from raybench.kinds.sources import Source
from raybench.lens.in_document import lens_systems
from raybench.scene.document import Document
from raybench.scene.names import object_names

NEAREST = 3
"""Number of questions that are offered for a sentence that is none of them."""
OFFERED = 5
"""Maximum number of questions that are offered while one types."""
MOST_NAMED = 2
"""Number of objects of an answer that following questions are about."""
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
    """The catalogue of all example questions, made on first use."""
    studies = study_examples(_read_part, _find_measures, _read_what_if)
    return make_catalogue((*all_examples(), *studies))


@dataclass
class _Read:
    """A cache of the last sentences read about one document, with their ranked examples; suggested
    questions are read many times.
    """

    document: Document | None = None
    held: Catalogue | None = None
    sentences: dict[str, tuple[Sentence, Ranked]] = field(default_factory=dict)


_read = threading.local()


def read_and_rank_examples(text: str, document: Document) -> tuple[Sentence, Ranked]:
    """Read a sentence, and rank the examples by their similarity to it."""
    held = example_catalogue()
    read: _Read = getattr(_read, "last", _Read())
    if read.document is not document or read.held is not held or len(read.sentences) > MOST_READ:
        read = _read.last = _Read(document, held)
    if text not in read.sentences:
        sentence = read_sentence(text, document, held.vocabulary, held.own_words)
        read.sentences[text] = sentence, rank_examples(sentence, held)
    return read.sentences[text]


def understand_sentence(text: str, document: Document) -> Understood:
    """Find the tool call that a sentence asks for. If there is none, suggest similar questions."""
    sentence, ranked = read_and_rank_examples(text, document)
    unnamed = text
    for piece in sentence.pieces_of_kinds("thing"):
        unnamed = unnamed.replace(piece.text, " ")
    if limit := find_stated_limit(unnamed, has_lens=bool(lens_systems(document))):
        return Understood(text=limit, beyond=True)
    found = _understood_call(ranked, sentence)
    things = sentence.pieces_of_kinds("thing")
    systems = [p.value.title for p in things if isinstance(p.value, System)]
    if found is not None and (
        any(title.partition(NAME_SEPARATOR)[0].lower() not in text.lower() for title in systems)
        or any(p.typed in LIKELY.difference(words_of_name(p.value.title)) for p in things)
        or (found.tool == "change_scene" and any(p.typed == TOLD_NEAREST for p in things))
        or (not found.tool and WHOLE & {p.typed for p in sentence.pieces})
    ):
        found = None  # what is only described runs nothing; which of its parts is no question
    if found is not None and (found.tool in _WITH_PARTS or not is_compound(sentence)):
        if found.tool or found.choices or found.rest:
            return found
        return replace(found, choices=tuple(_offer_questions(sentence)))
    choices = (*_offer_questions(sentence), *starter_questions(document))
    return Understood(text="Did you mean", choices=tuple(dict.fromkeys(choices))[:NEAREST])


def is_example(text: str, document: Document) -> bool:
    """Whether a sentence matches one of the example questions."""
    try:
        sentence, ranked = read_and_rank_examples(text, document)
        found = _understood_call(ranked, sentence)
    except RaybenchError:
        return False
    return found is not None and bool(found.tool)


def questions_completing_text(typed: str, document: Document) -> tuple[str, ...]:
    """Questions about a scene that complete the typed text, best first. The last word may be
    incomplete: it stands for all words that begin with it.
    """
    held = example_catalogue()
    sentence = read_sentence(typed, document, held.vocabulary, held.own_words)
    ranked = rank_examples(sentence, held, begun=not typed.endswith(" "))
    best = ranked[0][0] if ranked else 0.0
    likely = [(score, match) for score, match in ranked if best > 0.5 and score >= 0.4 * best]
    return _filled_questions(likely, OFFERED, lambda match, text: True)


def following_questions(
    asked: str, outcomes: Sequence[ToolOutcome], document: Document
) -> tuple[str, ...]:
    """Questions that may follow on an answer, best first: those most like the question ``asked``
    about objects that the answer is about, which its calls have not answered.
    """
    answered = [o for o in outcomes if o.ok]
    if not answered:
        return ()
    objects, named = object_names(document.scene), list[str]()
    for told in ([asked, *(o.arguments for o in answered)], [o.display_values for o in answered]):
        text = json.dumps(told, default=str)
        named = named or sorted((name for name in objects if name in text), key=text.index)
    words = " ".join([asked, *named[:MOST_NAMED]])
    held = example_catalogue()
    sentence = read_sentence(words, document, held.vocabulary, held.own_words)
    calls = [(o.tool, *re.findall(r"\w+(?=\()", str(o.arguments))) for o in answered]

    def accepts(match: Match, question: str) -> bool:
        example = match.example
        needed = {example.tool, example.intent} if example.tool == "measure_xml" else {example.tool}
        if example.edits or question == asked or any(needed <= {*call} for call in calls):
            return False
        about = not named or any(name in question for name in named)
        return about and is_example(question, document)

    return _filled_questions(rank_examples(sentence, held), NEAREST, accepts)


def complete_sentence(answer: str, asked: Understood, document: Document) -> str:
    """The sentence that follows from a person's ``answer`` to ``asked``: the choice with this
    number or name, or the question completed by the missing value; else the answer itself.
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
_LIGHT = frozenset(canonical_words("beam light ray"))
_ASKS_PLACE = re.compile(
    r"(?:where|at what|in what|what is the (?:position|direction))\b", re.IGNORECASE
)


def _understood_call(ranked: Ranked, sentence: Sentence) -> Understood | None:
    """The tool call of the one example that a sentence matches, or the question for its missing
    value. None if it matches no example, or several.
    """
    calls: list[tuple[tuple[int, int, int], str, dict[str, Any]]] = []
    problems: list[str] = []
    said = {p.word for p in sentence.pieces if p.word and has_little_meaning(p.word)}
    asks_what = sentence.text[:5].lower() == "what "
    for _, match in ranked:
        example = match.example
        if example.edits and _ASKS.match(sentence.text):
            continue
        place = ("where" in said) != ("where" in example.words) and ("where" in said or asks_what)
        if place and not example.edits and example.reads is None:
            continue
        of_light = _LIGHT & said - example.words
        of_light |= {p.typed for p in sentence.pieces if p.spare and p.typed in OF_LIGHT}
        if of_light and not (example.lit or example.edits or example.reads):
            continue  # the beam at an object is not the object
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
            elif match.is_fully_explained and match.problem:
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
        asks = match.example.reads is None and match.is_fully_explained and not match.problem
        asked = _clarifying_question(match) if asks and match.example.required else None
        if asked is not None:
            return asked
    return Understood(text=problems[0]) if problems else None


def _has_words_of_example(match: Match, said: set[str]) -> bool:
    """Whether a sentence contains a word of the example or, beside a word of little meaning, a
    value.
    """
    example = match.example
    has_value = match.given.keys() - set(match.defaulted)
    return bool(
        example.required
        or example.optional_words <= said
        or (has_value and example.optional_words & said)
    )


def _clarifying_question(match: Match) -> Understood | None:
    """The question for the one value that a sentence lacks, or for the choice between several
    objects.
    """
    if len(match.open) + len(match.choices) != 1:
        return None
    name = next(iter([*match.open, *match.choices]))
    slot, titles = match.example.slots[name], match.choices.get(name, [])
    if isinstance(slot, ObjectSlot) and not titles:
        return Understood(text=f"There is no {slot.noun} in this scene.") if slot.noun else None
    if isinstance(slot, ObjectSlot) and slot.noun == "lens":
        whole = whole_system(match.document)
        titles = [whole.title, *titles] if whole is not None and slot.fits(whole) else titles
    if not slot.asked or (slot.value and not match.example.edits):
        return None
    if match.unknown:
        near = f"; near: {', '.join(titles)}." if titles else "."
        asked = f"{match.unknown} is not among the glasses{near}"
    nouns = match.sentence.pieces_of_kinds("noun") if match.sentence is not None else []
    if not match.unknown:
        asked = f"{f'Which {nouns[0].value}' if titles and len(nouns) == 1 else slot.asked}?"
    if slot.asked == "Which edge" and match.sentence is not None:
        about = match.sentence.things.get(next(iter(match.values.values()), ""))
        titles = edge_labels(about, match.document)
        asked = f"Which edge of {about.title}?" if about is not None and titles else asked
    filled = [
        fill_question(Match(match.example, match.document, None, {**match.values, name: title}, clauses=match.clauses))
        for title in titles[:MOST_CHOICES]
    ]  # fmt: skip
    rest = match.example.question.text_with_values({**match.values, name: "…"})
    choices = tuple(text for text in filled if text)
    return Understood(text=asked, choices=choices, rest=insert_clauses(match, rest))


# --- sentences that are none


def _filled_questions(
    ranked: Ranked, limit: int, accepts: Callable[[Match, str], bool]
) -> tuple[str, ...]:
    """The best questions that ``accepts`` accepts, one for each tool or measure, with names of the
    scene in their slots.
    """
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


def _nearest_questions(sentence: Sentence, limit: int = 1, tool: str = "") -> tuple[str, ...]:
    """The example questions most similar to a sentence, for one tool or for all. Each of them can
    be understood.
    """

    def accepts(match: Match, question: str) -> bool:
        fits = match.likeness > 0 and (match.example.tool != "change_scene" or _is_edit(sentence))
        return fits and is_example(question, sentence.document)

    ranked = rank_examples(sentence, example_catalogue(), tool=tool)
    fitting = [s for s in ranked if not (tool and s[1].example.reads)]
    found = _filled_questions(fitting, limit, accepts)
    plain = sentence.of_pieces(p for p in sentence.pieces if p.kind != "unit")
    if found or len(plain.pieces) == len(sentence.pieces):
        return found
    return _nearest_questions(plain, limit, tool)  # no value in this unit


def _is_edit(part: Sentence) -> bool:
    """Whether a part of a sentence asks for an edit, even if a value is missing."""
    if _ASKS.match(part.text):
        return False
    first = next((p for p in part.pieces if p.word or p.typed in _USES), Piece("", ""))
    return first.typed in _USES or first.word in _verbs()


@cache
def _verbs() -> frozenset[str]:
    edits = (e.question.text for e in example_catalogue().examples if e.tool == "change_scene")
    return frozenset(canonical_words(text)[0] for text in edits)


_USES = frozenset(("use", "try", "take", "open", "close", "mount", "fit", "limit"))


def _offer_questions(sentence: Sentence) -> list[str]:
    """The questions to suggest for a sentence that matches no example, best first: what-if
    questions, studies, then questions for its parts and for the whole. Questions that omit names of
    the sentence come last.
    """
    document, whole = sentence.document, name_whole_system(sentence)
    several = is_compound(whole)
    found: list[str] = _what_if_questions(whole) if several else []
    parts = [add_missing_name(part, whole) for _, part in sentence_parts(whole)]
    parts = _parts_with_one_object(whole) if len(parts) == 1 else parts
    of_each = _question_about_each_source(sentence)
    if not found and (several or (len(parts) == 1 and of_each is None)):
        studies = suggest_studies(whole, _nearest_measures)
        found += islice((text for text in studies if is_example(text, document)), 2)
    if not found and not several:
        found += _find_edits(whole)[:1] if _is_edit(whole) else _what_if_questions(whole)
    found += _nearest_questions(of_each, 2, "measure_xml") if of_each is not None else ()
    for part in parts:
        found += _nearest_questions(part, 1 if len(parts) > 1 else 2 * NEAREST)
    if len(parts) > 1:
        found += _nearest_questions(whole, NEAREST)
    unlike = {
        q: _share_of_names_dropped(q, whole) + i / NEAREST
        for i, q in enumerate(dict.fromkeys(found))
    }
    return sorted(unlike, key=lambda q: unlike[q])[:NEAREST]


_COMPARED = frozenset(canonical_words("more most less least better best same two three"))
_LARGEST = frozenset(canonical_words("largest smallest larger smaller bigger"))
_OF_SOURCES = frozenset(canonical_words("beam colour wavelength"))


def _with_piece(sentence: Sentence, i: int, piece: Piece) -> Sentence:
    """A sentence with another piece, without words that compare."""
    pieces = (*sentence.pieces[:i], piece, *sentence.pieces[i + 1 :])
    large = (replace(p, word="larg") if p.word in _LARGEST else p for p in pieces)
    left = (p for p in large if p.kind != "word" or p.typed not in SYSTEMS | PLACES)
    return sentence.of_pieces(p for p in left if p.word not in _COMPARED)


def _question_about_each_source(sentence: Sentence) -> Sentence | None:
    """A sentence that compares sources or their colours, or two of what it does not name, as one
    about each source; None for other sentences.
    """
    pieces, lamps = sentence.pieces, objects_for_noun("source", sentence.document)
    compares = COMPARING & {p.typed for p in pieces} and 1 < len(lamps) <= MOST_SOURCES
    for i, piece in enumerate(pieces if compares else ()):
        two = len(lamps) == 2 and i and pieces[i - 1].typed == "two" and piece.kind == "word"
        named = piece.kind == "noun" and lamps == objects_for_noun(piece.value, sentence.document)
        if two or named or (piece.kind == "word" and piece.word in _OF_SOURCES):
            each = Piece("each", EACH, [o.title for o in lamps])
            return _with_piece(sentence, i, each)
    return None


def _parts_with_one_object(sentence: Sentence) -> list[Sentence]:
    """A sentence about *which of the lenses* as one about each; one about *A and B* as one about A
    and one about B, if its best question leaves one of them out; else the sentence alone.
    """
    document, pieces = sentence.document, sentence.pieces
    for i, piece in enumerate(pieces if COMPARING & {p.typed for p in pieces} else ()):
        found: Sequence[Thing] = ()
        asked = piece.text.endswith("s") or pieces[max(i - 1, 0)].typed == "which"
        if piece.kind == "noun" and pieces[max(i - 1, 0)].typed in ("its", "their"):
            found = captioned_things(piece.text, document)
        elif asked and piece.typed in SYSTEMS and not {"its", "their"} & {p.typed for p in pieces}:
            found = systems_in_rows(document)
        elif asked and piece.kind == "noun":
            found = objects_for_noun(piece.value, document)
            acting = [o for o in document.scene.objects if SLOTS["acting"].fits(o)]
            if pieces[max(i - 1, 0)].typed == "two" and len(found) != 2 == len(acting):
                found = acting
        if 1 < len(found) <= NEAREST:
            return [_with_piece(sentence, i, Piece("thing", o.title, o)) for o in found]
    of_things = [i for i, p in enumerate(pieces) if p.kind == "thing"]
    if len(of_things) == 2 and {"and", "or"} & {p.typed for p in pieces[slice(*of_things)]}:
        first, second = (sentence.of_pieces((*pieces[:i], *pieces[i + 1 :])) for i in of_things)
        titles = [pieces[i].value.title for i in of_things]
        compared = "compare" in {p.typed for p in pieces}
        if compared or not all(t in q for q in _nearest_questions(sentence) for t in titles):
            return [second, first]
    named = [p.value for p in sentence.pieces_of_kinds("thing")]
    there = any(objects_for_noun(p.value, document) for p in sentence.pieces_of_kinds("noun"))
    if "focus" in {p.word for p in pieces} and all(isinstance(o, Source) for o in named):
        lenses = [o.title for o in objects_for_noun("lens", document)]
        lenses = objects_on_path(lenses, document, named[0].title if named else "")[::-1]
        if 1 < len(lenses) <= NEAREST and not there:
            left, things = [p for p in pieces if p.kind != "noun"], sentence.things
            return [sentence.of_pieces((*left, Piece("thing", t, things[t]))) for t in lenses]
    return [sentence]


def _share_of_names_dropped(question: str, sentence: Sentence) -> float:
    """The share of the numbers and names in a sentence that a question omits. If the sentence has
    names, names that the question adds count too.
    """
    offered = read_and_rank_examples(question, sentence.document)[0]
    numbers = [p.value for p in offered.pieces_of_kinds("number")]
    said = {w for n in numbers for w in (n.text.lstrip("-"), n.high)}
    said |= {(p.kind, p.value) for p in offered.pieces_of_kinds("order", "edge")}
    dropped = sum(p.value.text.lstrip("-") not in said for p in sentence.pieces_of_kinds("number"))
    dropped += sum((p.kind, p.value) not in said for p in sentence.pieces_of_kinds("order", "edge"))
    named = {p.value.title for p in sentence.pieces_of_kinds("thing")}
    added = any(
        p.value.title not in sentence.text for p in offered.pieces_of_kinds("thing") if named
    )
    return dropped + 0.5 * sum(t not in question for t in named) + 0.4 * added


def _nearest_measures(part: Sentence) -> list[str]:
    """The measures most similar to a part of a sentence, in the notation of measures."""
    asked = _nearest_questions(part, 2, "measure_xml")
    return [m for q in asked for m in _find_measures(read_and_rank_examples(q, part.document)[0])]


def _find_edits(part: Sentence) -> list[str]:
    """The edits that a part of a sentence describes, even without a verb; of the sources or the
    lens if it names no object.
    """
    document, about = part.document, list[str]()
    if not part.pieces_of_kinds("thing", "noun"):
        about = (
            SLOTS["source"].candidate_titles(document)
            + SLOTS["lens"].candidate_titles(document)[:1]
        )
    for more in ([], *([Piece("thing", t, part.things[t])] for t in about)):
        full = part.of_pieces((*part.pieces, *more))
        edits = edits_described(full, rank_examples(full, example_catalogue(), tool="change_scene"))
        if found := [e for e in edits if is_example(e, document)]:
            return found
    return []


def _what_if_questions(sentence: Sentence) -> list[str]:
    """Questions for the effect on a measure of the first change that a sentence supposes."""
    document = sentence.document
    for change, measure in split_change_and_question(sentence):
        for edit in _find_edits(change)[:1]:
            did = f"What if I {edit[0].lower()}{edit[1:].rstrip('.')}"
            measure = without_comparison_words(measure)
            if not says_something(measure.pieces):
                return [f"{did}?"]
            if not says_something(p for p in measure.pieces if p.kind == "word"):
                more = (Piece("word", w, None, w, w) for w in canonical_words("power reaches"))
                measure = measure.of_pieces((*measure.pieces, *more))
            named = add_missing_name(measure, read_and_rank_examples(edit, document)[0])
            asked = _nearest_questions(named, 2, "measure_xml")
            if named is not measure and not isinstance(named.pieces[-1].value, Source):
                asked = (*asked[:1], *_nearest_questions(measure, 1, "measure_xml"))
            made = (f"{did}: {q[0].lower()}{q[1:]}" for q in dict.fromkeys(asked))
            if found := [q for q in made if is_example(q, document)]:
                return found
    return []


_WITH_PARTS = frozenset((
    "sweep", "what_if", "optimise", "tolerance", "compare", "find_glass", "query_rays_xml", "search_help"
))  # fmt: skip
"""Tools whose sentences hold other questions, or whatever was typed."""


def _read_part(text: str, document: Document) -> Sentence:
    return read_and_rank_examples(text, document)[0]


def _find_measures(part: Sentence) -> list[str]:
    """The measures that a part of a sentence asks for, in the notation of measures."""
    asked = _read_arguments_in(part, "measure_xml")
    return [str(m) for m in read_measures(asked["measures"])] if asked is not None else []


def _read_arguments_in(part: Sentence, tool: str) -> dict[str, Any] | None:
    found = _understood_call(rank_examples(part, example_catalogue(), tool=tool), part)
    return found.arguments if found is not None and found.tool == tool else None


def _read_what_if(sentence: Sentence) -> dict[str, Any] | None:
    """The arguments of a what-if call for a sentence that supposes one change, and may ask for a
    measure.
    """
    parts = sentence_parts(sentence)
    supposed = [phrase_as_edit(joint, part) for joint, part in parts if joint]
    asked = [part for joint, part in parts if not joint]
    if len(supposed) != 1 or len(asked) > 1:
        return None
    changes = _read_arguments_in(supposed[0], "change_scene")
    if changes is None:
        return None
    if not asked:
        return changes | {"measures": default_measures(sentence.document, changes["changes"])}
    measures = _find_measures(without_comparison_words(asked[0]))
    return changes | {"measures": "; ".join(measures)} if measures else None
