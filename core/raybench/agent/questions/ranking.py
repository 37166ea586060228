"""Ranks the example questions by their similarity to a sentence: by the words that it shares with
an example and with its other wordings, of which rare words count most (tf-idf), and by whether the
example has slots for the names and numbers of the sentence.
"""

import math
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from raybench.agent.questions.example import Example, Match
from raybench.agent.questions.sentence import OF_LIGHT, Sentence
from raybench.agent.questions.slots import ObjectSlot
from raybench.agent.questions.words import WORD, canonical_words, has_little_meaning
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import KINDS
from raybench.kinds.sources import Source

TRIED = 60
"""Maximum number of examples that are read in a sentence as a whole."""
SHARED = 0.35
"""Part that the words count which a sentence shares with any wording of an example."""
LITTLE = 0.25
"""Weight of a word of little meaning."""
SHORT = 5.0
"""What keeps a wording of few words from being like every sentence with one of them."""
WHOLE = 0.15
"""What is added where a sentence has all words of an example."""
SCALE = 6.0
"""Score of a wording that is the sentence."""


@dataclass(frozen=True)
class Wording:
    """The words of one way to ask for what the example of number ``example`` asks for."""

    example: int
    words: Mapping[str, float]
    length: float


@dataclass(frozen=True)
class Catalogue:
    """All example questions, their words, and a weight for each word, which is larger for rarer
    words. ``vocabulary`` are all words, ``own_words`` those of the examples themselves and of the
    fields of objects. ``wordings`` are listed by each of their words.
    """

    examples: tuple[Example, ...]
    vocabulary: frozenset[str]
    own_words: frozenset[str]
    weights: Mapping[str, float]
    wordings: Mapping[str, tuple[Wording, ...]]

    def weight(self, word: str) -> float:
        return LITTLE if has_little_meaning(word) else self.weights.get(word, 1.0)


@cache
def other_wordings() -> dict[str, str]:
    """Phrases of other words for the examples, by their text without brackets."""
    text = files("raybench_resources").joinpath("wordings.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def make_catalogue(examples: tuple[Example, ...]) -> Catalogue:
    """Make the catalogue of the given example questions."""
    texts = [
        [example.words, *(frozenset(canonical_words(w)) for w in _phrases_for(example))]
        for example in examples
    ]
    intents: dict[str, set[str]] = defaultdict(set)
    for example, ways in zip(examples, texts, strict=True):
        for word in frozenset().union(*ways):
            intents[word].add(example.intent)
    number = len({e.intent for e in examples})
    weights = {word: math.log(1 + number / len(having)) for word, having in intents.items()}
    labels = (f.about.label for kind in KINDS.values() for f in described_fields(kind))
    typed = (WORD.findall(e.question.text.lower()) for e in examples)
    spelled = (WORD.findall(text.lower()) for text in other_wordings().values())
    own = frozenset().union(*(e.words for e in examples), *map(canonical_words, labels))
    vocabulary = own.union(weights, *typed, *spelled)
    held = Catalogue(examples, vocabulary, own, weights, {})
    by_word: dict[str, list[Wording]] = defaultdict(list)
    for i, (example, ways) in enumerate(zip(examples, texts, strict=True)):
        for way, words in enumerate(ways):
            weighed = {
                w: held.weight(w) * (0.6 if way == 0 and w not in example.spoken else 1)
                for w in words
            }
            length = math.sqrt(sum(weighed[w] ** 2 for w in words if way or w in example.spoken))
            for word in words:
                by_word[word].append(Wording(i, weighed, length))
    return Catalogue(
        examples, vocabulary, own, weights, {w: tuple(found) for w, found in by_word.items()}
    )


def _phrases_for(example: Example) -> list[str]:
    return [
        w
        for w in other_wordings().get(example.question.without_brackets, "").split(";")
        if w.strip()
    ]


Ranked = list[tuple[float, Match]]
"""Examples read in a sentence with their scores, best first."""


def rank_examples(
    sentence: Sentence, held: Catalogue, begun: bool = False, tool: str = ""
) -> Ranked:
    """Rank the examples, or those of one tool, by their similarity to a sentence. ``begun`` says
    that the last word may be incomplete.
    """
    said = {p.word: 0.5 if p.kind in ("thing", "noun") else 1.0 for p in sentence.pieces if p.word}
    last = sentence.pieces[-1].typed if begun and sentence.pieces else ""
    similar = _similarities(said, last, held)
    of_tool = (i for i in similar if not tool or held.examples[i].tool == tool)
    scored = sorted(((i, similar[i]) for i in of_tool), key=lambda s: -s[1])
    whole = [
        s
        for s in scored[TRIED:]
        if held.examples[s[0]].reads or held.examples[s[0]].required <= said.keys()
    ]
    lit = any(isinstance(o, Source) for o in sentence.document.scene.optical)
    out = []
    for i, score in [*scored[:TRIED], *whole]:
        match = held.examples[i].match(sentence)
        match.likeness = score
        fit = SCALE * score + _fit_of_slots(match, sentence)
        out.append((fit - 5.0 * (held.examples[i].lit and not lit), match))
    return sorted(out, key=lambda s: -s[0])


def _similarities(said: Mapping[str, float], last: str, held: Catalogue) -> dict[int, float]:
    """The similarity of a sentence to each example: that of its most similar wording, and a part
    for the words that its other wordings share with the sentence.
    """
    weights = {word: part * held.weight(word) for word, part in said.items()}
    length = math.sqrt(sum(w * w for w in weights.values())) or 1.0
    shared: dict[int, float] = defaultdict(float)
    wordings: dict[int, Wording] = {}
    every: dict[int, set[str]] = defaultdict(set)
    for word, weight in weights.items():
        for wording in held.wordings.get(word, ()):
            shared[id(wording.words)] += weight * wording.words[word]
            wordings[id(wording.words)] = wording
            every[wording.example].add(word)
    best: dict[int, float] = dict.fromkeys(range(len(held.examples)), 0.0)
    for key, wording in wordings.items():
        cosine = shared[key] / length / math.sqrt(wording.length**2 + SHORT)
        best[wording.example] = max(best[wording.example], cosine)
    return {
        i: score
        + WHOLE * bool(held.examples[i].required and held.examples[i].required <= said.keys())
        + SHARED * math.sqrt(sum(weights[w] ** 2 for w in every[i])) / length
        + 0.3 * (len(last) > 1 and any(w.startswith(last) for w in held.examples[i].words))
        for i, score in best.items()
    }


def _fit_of_slots(match: Match, sentence: Sentence) -> float:
    """How well the slots of an example suit the names and numbers of a sentence."""
    example = match.example
    numbers, said = sentence.pieces_of_kinds("number"), {p.typed for p in sentence.pieces}
    named = sentence.pieces_of_kinds("thing", "noun")
    lost = [p for p in match.left if p.kind == "thing"]
    lost += [p for p in match.left if p.kind == "noun" and p.word not in example.words]
    lost += [p for p in match.left if p.kind in ("order", "edge", "each")]
    unused = [p for p in match.left if p.kind == "number"]
    slots = {n: s for n, s in example.slots.items() if isinstance(s, ObjectSlot)}
    invented = example.needed_slots & slots.keys() - (match.given.keys() - match.defaulted)
    nouns = {slot.noun for slot in slots.values()}
    score = len(named) - 2.2 * len(lost) + 0.8 * len(numbers) - 1.6 * len(unused)
    score += sum(p.value in nouns for p in named if p.kind == "noun")
    if said & OF_LIGHT and example.tool == "measure_xml" and not example.lit:
        score -= 1.5
    guessed = 0.8 * len(invented) if named else 0.5 * len(match.choices)
    return score - guessed - 0.1 * example.rank
