"""Every example question is understood as its own, on any scene, and no two mean the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.core.agent.questions.scenes import document, intent

from raybench.agent.questions.example import Example, Match, fill_question
from raybench.agent.questions.ranking import make_catalogue, other_wordings
from raybench.agent.questions.starters import starter_questions
from raybench.agent.questions.understanding import example_catalogue, understand_sentence
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.tools.discovery import tools
from raybench.files.document_file import load_document
from raybench.files.examples import EXAMPLES
from raybench.files.examples import Example as Scene

SCENES = ("prism", "spectrometer", "telescope", "interferometer", "dichroic", "light-guide", "rainbow", "triplet")  # fmt: skip
LONG = bool(os.environ.get("RAYBENCH_LONG"))
BY_HAND = {"{sql}", "What is the {field:property} of {object:any}?"}
"""Examples that are not suggested, as what they ask for must be written."""


def own(example: Example) -> str:
    return example.intent if example.tool == "measure_xml" else example.tool


@pytest.mark.long
@pytest.mark.parametrize("name", SCENES)
def test_each_is_understood_as_its_own(name: str) -> None:
    """In full on every scene that it fits, else on the first."""
    scene, wrong = document(name), []
    before = [] if LONG else [document(other) for other in SCENES[: SCENES.index(name)]]
    asked: dict[str, str] = {}
    for example in example_catalogue().examples:
        text = fill_question(Match(example, scene))
        if text is None or not example.offered:
            continue
        if any(fill_question(Match(example, other)) is not None for other in before):
            continue
        found = understand_sentence(text, scene)
        if not found.tool or intent(found) != own(example):
            wrong.append((text, own(example), found))
        if asked.setdefault(text, own(example)) != own(example):
            wrong.append((text, own(example), asked[text]))
    assert not wrong


def test_each_fits_one_of_the_scenes() -> None:
    unfilled = {
        example.question.text
        for example in example_catalogue().examples
        if example.offered
        and all(fill_question(Match(example, document(name))) is None for name in SCENES)
    }
    assert unfilled == BY_HAND


def test_every_tool_and_measure_has_one() -> None:
    intents = {example.intent for example in example_catalogue().examples}
    assert intents >= set(MEASURES)
    assert {example.tool for example in example_catalogue().examples} >= set(tools())


def test_other_wordings_belong_to_examples() -> None:
    texts = {example.question.without_brackets for example in example_catalogue().examples}
    assert other_wordings().keys() <= texts


def test_a_new_tool_that_takes_the_question_of_another_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thief = next(e for e in example_catalogue().examples if e.tool == "losses_xml")
    copy = Example("thief_xml", thief.question, thief.slots, thief.call, intent="thief_xml")
    more = make_catalogue((*example_catalogue().examples, copy))
    monkeypatch.setattr("raybench.agent.questions.understanding.example_catalogue", lambda: more)
    found = understand_sentence("Where does the light go?", document("prism"))
    assert not found.tool, "the test above would fail"
    assert "Where does the light go?" not in found.choices


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.file)
def test_the_questions_of_the_example_scenes_are_answered(example: Scene) -> None:
    scene = load_document(Path(str(example.path)))
    asked = [q.command[2] for q in example.questions if q.command[0] == "ask"]
    for text in (*asked, *starter_questions(scene)):
        assert understand_sentence(text, scene).tool, text
