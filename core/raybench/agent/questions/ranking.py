"""Ranks the example questions by their similarity to a sentence."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from raybench.agent.questions.example import Example, Match
from raybench.agent.questions.sentence import Sentence
from raybench.agent.questions.slots import ObjectSlot
from raybench.agent.questions.words import (
    WORD,
    canonical_words,
    has_little_meaning,
    related_words,
    split_words,
)
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import KINDS
from raybench.kinds.sources import Source

_COUNTED = split_words("how what howmuch power width distance large strong count times")
"""First words of questions for a quantity, as phrases are replaced."""
TRIED = 60
"""Maximum number of examples that are read in a sentence as a whole."""


@dataclass(frozen=True)
class Catalogue:
    """All example questions, their words, and a weight for each word, which is larger for rarer
    words.
    """

    examples: tuple[Example, ...]
    vocabulary: frozenset[str]
    weights: Mapping[str, float]

    def weight(self, word: str) -> float:
        if word in ("ray", "howmuch"):  # whether it asks for rays or for a quantity
            return 1.0
        return 0.25 if has_little_meaning(word) else self.weights.get(word, 4.5)


def make_catalogue(examples: tuple[Example, ...]) -> Catalogue:
    """Make the catalogue of the given example questions."""
    intents: dict[str, set[str]] = {}
    for example in examples:
        for word in example.words:
            intents.setdefault(word, set()).add(example.intent)
    number = len({e.intent for e in examples})
    weights = {word: math.log(1 + number / len(having)) for word, having in intents.items()}
    labels = (f.about.label for kind in KINDS.values() for f in described_fields(kind))
    typed = (WORD.findall(e.question.text.lower()) for e in examples)
    return Catalogue(
        examples, frozenset(weights).union(*map(canonical_words, labels), *typed), weights
    )


Ranked = list[tuple[float, Match]]
"""Examples read in a sentence with their scores, best first."""


def rank_examples(sentence: Sentence, held: Catalogue, begun: bool = False) -> Ranked:
    """Rank the examples by their similarity to a sentence: shared words, above all rare ones,
    related words, and slots for its names and numbers. ``begun`` says that the last word may be
    incomplete.
    """
    said = {p.word: 0.5 if p.kind == "thing" else 1.0 for p in sentence.pieces if p.word}
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
        if len(last) > 1 and any(w.startswith(last) for w in example.words):
            score += 2.0
        score -= min(2.5, 0.3 * sum(held.weight(w) for w in example.required if w not in said))
        score -= 0.05 * len(example.optional_words - set(said))
        scored.append((score, example))
    scored.sort(key=lambda s: -s[0])
    whole = [s for s in scored[TRIED:] if s[1].reads or s[1].required <= set(said)]
    lit = any(isinstance(o, Source) for o in sentence.document.scene.optical)
    numbers = sentence.pieces_of_kinds("number")
    named = sentence.pieces_of_kinds("thing", "noun")
    counted = next((p.typed for p in sentence.pieces), "") in _COUNTED
    out = []
    for score, example in [*scored[:TRIED], *whole]:
        match = example.match(sentence)
        lost = [p for p in match.left if p.kind == "thing"]
        lost += [p for p in match.left if p.kind == "noun" and p.word not in example.words]
        lost += [p for p in match.left if p.kind in ("order", "edge")]
        unused = [p for p in match.left if p.kind == "number"]
        score += len(named) - 2.2 * len(lost) + 0.8 * len(numbers) - 1.6 * len(unused)
        slots = {n: s for n, s in example.slots.items() if isinstance(s, ObjectSlot)}
        invented = example.needed_slots & slots.keys() - (match.given.keys() - match.defaulted)
        score -= 0.8 * len(invented) * bool(named)
        nouns = {slot.noun for slot in slots.values()}
        score += sum(p.value in nouns for p in named if p.kind == "noun")
        score -= 1.5 * bool(counted and example.question.text.startswith("Which rays"))
        score -= 0.1 * example.rank + 5.0 * (example.lit and not lit)
        out.append((score, match))
    return sorted(out, key=lambda s: -s[0])
