"""Any question without a model is understood or refused in words: questions grown from the phrases,
with parts changed.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Sequence

import pytest
from tests.core.agent.models.asked_scene import DOCUMENT

from raybench.agent.models.keywords import rows, understand
from raybench.analysis.phrase import Phrase
from raybench.analysis.tools.measure_rows import phrases as measure_phrases
from raybench.analysis.tools.nouns import NOUNS

COUNT = 6_000 if os.environ.get("RAYBENCH_LONG") else 60
SEED = int(os.environ.get("RAYBENCH_SEED", "0"))
PARTS = 20
MOST_SECONDS = 5.0
"""Longest time a question may take, of the process; usual are 0.02 s."""
PLACES = (
    "through",
    "by",
    "at",
    "on",
    "via",
    "out of",
    "of",
    "in",
    "from",
    "after",
    "between",
    "to",
)
EDGES = (
    "edge",
    "side",
    "face",
    "end",
    "its end",
    "its left face",
    "side face",
    "edge N",
    "left face",
    "edge edge",
    "face on",
    "N side",
)
NUMBERS = (
    "0",
    "1",
    "-7",
    "5 mm",
    "7°",
    "1e400",
    "550 nm",
    "half",
    "50 %",
    "2 to 3",
    "between 1 and 2",
    "order 1",
    "first order",
    "+-",
    "²",
)


def _expanded(text: str, rng: random.Random) -> str:
    """A phrase in its notation with alternatives chosen, and what may be left out left out or not;
    slots stay.
    """
    while brackets := re.search(r"\[([^][()]*)\]|\(([^][()]*)\)", text):
        chosen = rng.choice((brackets[1] if brackets[1] is not None else brackets[2]).split("|"))
        if brackets[1] is not None and rng.random() < 0.5:
            chosen = ""
        text = text[: brackets.start()] + chosen + text[brackets.end() :]
    return text


def _question(phrases: Sequence[Phrase], rng: random.Random) -> str:
    names = [o.title for o in DOCUMENT.scene.objects]

    def slot(_: re.Match[str]) -> str:
        thing = rng.choice(
            (
                rng.choice(names),
                f"the {rng.choice(tuple(NOUNS))}",
                rng.choice(NUMBERS),
                f"Laser A > {rng.choice(names)}",
            )
        )
        if rng.random() < 0.3:
            thing = f"{thing} {rng.choice(PLACES)} {rng.choice(EDGES)}"
        return f"{rng.choice(EDGES)} of {thing}" if rng.random() < 0.2 else thing

    words = re.sub(r"\{\w+\??\}|<[\w ]+>", slot, _expanded(rng.choice(phrases).text, rng)).split()
    for _ in range(rng.choice((0, 0, 1, 2))):
        place = rng.randrange(len(words) + 1)
        other = re.sub(
            r"\{\w+\??\}|<[\w ]+>", slot, _expanded(rng.choice(phrases).text, rng)
        ).split()
        chosen = rng.randrange(4)
        if chosen == 0:
            words[place:place] = other
        elif chosen == 1:
            words[place : place + 2] = []
        elif chosen == 2:
            words[place:place] = [
                rng.choice(
                    (
                        *PLACES,
                        *EDGES,
                        *NUMBERS,
                        *names,
                        "and",
                        "its",
                        "it's",
                        "'s",
                        "what if",
                        "both",
                        "all",
                    )
                )
            ]
        else:
            rng.shuffle(words)
    return " ".join(words)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_any_question_is_understood_or_refused_in_words(part: int) -> None:
    phrases = [*(p for _, row in rows() for p in row.phrases), *(p for _, p in measure_phrases())]
    rng = random.Random(f"{SEED} {part}")
    understood = 0
    for _ in range(COUNT // PARTS):
        question = _question(phrases, rng)
        before = time.process_time()
        found = understand(question, DOCUMENT)
        assert time.process_time() - before < MOST_SECONDS, question
        assert bool(found.tool) != bool(found.problem), question
        assert len(found.problem) < 2_000, question
        assert "\n" not in found.problem, question
        understood += bool(found.tool)
    assert understood or COUNT < PARTS * 100, (
        "no question is understood: the generator grows nothing"
    )
