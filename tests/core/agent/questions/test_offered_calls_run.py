"""Whatever is offered runs: the call of each filled example has arguments that its tool accepts."""

from __future__ import annotations

import os

import pytest
from tests.core.agent.questions.scenes import document

from raybench.agent.questions.example import Match, fill_question
from raybench.agent.questions.understanding import (
    Understood,
    example_catalogue,
    understand_sentence,
)
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tools.discovery import tools
from raybench.errors import RaybenchError
from raybench.trace.trace import trace

LONG = bool(os.environ.get("RAYBENCH_LONG"))
CLAUSES = (" at edge NE", " from Lamp", " stronger than 0.01")
"""What a question about the prism may end in."""
pytestmark = pytest.mark.long


def filled_questions(name: str) -> list[str]:
    """The offered examples that fit a scene, in full or only those that do not fit the prism."""
    others = [] if LONG or name == "prism" else [document("prism")]
    fitting = {
        fill_question(Match(example, document(name)))
        for example in example_catalogue().examples
        if example.offered and all(fill_question(Match(example, scene)) is None for scene in others)
    }
    return sorted(text for text in fitting if text)


def problem_of(found: Understood) -> str:
    """What is wrong with a call in the bound context; empty if nothing is."""
    if found.tool not in tools():
        return ""
    try:
        tools()[found.tool].function(**(found.arguments or {}))
    except (RaybenchError, ValueError, TypeError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("name", ["prism", "spectrometer", "telescope"])
def test_the_call_of_each_filled_example_runs(name: str) -> None:
    scene = document(name)
    failed = {}
    with override_context(TracedScene.from_document(scene, trace(scene.scene, revision=1))):
        for i, text in enumerate(filled_questions(name)):
            several = name == "prism" and i % 4 == 0 and " > " not in text
            clauses = CLAUSES if LONG else CLAUSES[i // 4 % 3 :][:1]
            for clause in ("", *(clauses if several else ())):
                sentence = f"{text.rstrip('?.')}{clause}?"
                if problem := problem_of(understand_sentence(sentence, scene)):
                    failed[sentence] = problem
    assert not failed, "\n".join(map(str, failed.items()))
