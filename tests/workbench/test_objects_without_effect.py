"""An object that cannot be read, or does nothing to light, is named with the first answer: a zero
may come of it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from raybench.agent.by_hand.command_line import ask_question
from raybench.session import Session
from raybench_workbench.cli import main

BROKEN = {"type": "Beam", "p1": {"x": 0}, "p2": {"x": 0, "y": 9}, "name": "Bad beam"}
POINT = {"type": "Blocker", "p1": {"x": 5, "y": 5}, "p2": {"x": 5, "y": 5}, "name": "Dot"}
GOOD = {"type": "Detector", "p1": {"x": 9, "y": -9}, "p2": {"x": 9, "y": 9}, "name": "Screen"}


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({"version": 5, "objs": [BROKEN, POINT, GOOD]}))
    return path


def test_a_broken_source_is_named_with_the_answer_of_any_tool(scene: Path) -> None:
    answer = ask_question(Session.open(scene), "power at Screen").text
    assert (
        "'Bad beam' (Beam, object 1 of the file) is kept but has no effect: 'p1' must be a point"
        " with x and y" in answer
    )
    assert "'Dot' (blocker) has no effect: it lies in one point" in answer
    assert "Screen' (" not in answer


def test_the_description_of_the_scene_says_which_objects_have_no_effect(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tool", str(scene), "describe_scene_xml", "--preview"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("3 objects: Bad beam, Dot, Screen; without effect: Bad beam, Dot.\n")
    assert out.count("no_effect=") == 2


def test_the_command_line_says_it_beside_the_answer(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tool", str(scene), "measure", "power(Screen)"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "0 relative power = power(Screen)\n"
    assert "'Bad beam' (Beam, object 1 of the file) is kept but has no effect" in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["sweep", "{}", "Screen.x=0,1", "--measure", "power(Screen)"],
        ["optimise", "{}", "--vary", "Screen.x=0..1", "--goal", "most power(Screen)"],
        ["tolerance", "{}", "--vary", "Screen.x±1", "--measure", "power(Screen)", "--samples", "2"],
        ["compare", "{}", "{}", "--measure", "power(Screen)"],
        ["export", "{}", "{}.csv"],
    ],
)
def test_studies_comparisons_and_exports_say_it_too(
    arguments: list[str], scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([text.replace("{}", str(scene)) for text in arguments]) == 0
    assert (
        f"{scene}: 'Bad beam' (Beam, object 1 of the file) is kept but has no effect: "
        in capsys.readouterr().err
    )


def test_an_object_that_was_disabled_on_purpose_is_not_named(scene: Path) -> None:
    session = Session.open(scene)
    keys = frozenset(o.key for o in session.document.scene.objects if o.name in ("Bad beam", "Dot"))
    session = Session(replace(session.document, disabled=keys))
    assert "no effect" not in ask_question(session, "power at Screen").text
