"""The examples that come with the program: their page, what they show, and the answers to their
questions.
"""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from raybench.agent.questions.understanding import understand_sentence
from raybench.agent.scene_tools import rank_remedies as remedies
from raybench.analysis.tool_registry import get_agentic_tools
from raybench.files.document_file import load_document
from raybench.files.examples import EXAMPLES, EXAMPLES_FOLDER, Example, Question, question_command
from raybench.kinds.kinds import ROWS
from raybench.scene.creation import FAMILIES
from raybench.scene.problems import find_scene_problems
from raybench_workbench.cli import main

RED = 1.324 + 0.0031 / 0.65**2
_INCIDENCE = math.acos(math.sqrt((RED**2 - 1) / 3))
CLOSED = {
    "At what angle does red light reach Eye?": (
        math.degrees(4 * math.asin(math.sin(_INCIDENCE) / RED) - 2 * _INCIDENCE),
        1e-7,
    ),
    "share(Port A)": (0.5, 1e-12),
    "How far apart are the fringes at Port A?": (540e-6 / math.sin(math.radians(0.01)), 1e-5),
    "coherent_power(Port A) + coherent_power(Port B)": (2, 1e-4),
    "Where does the green light reach Sensor?": (40, 1e-9),
    "width(Field)": (0, 1e-9),
    "share(Exit)": (1, 1e-12),
    "focus_x(Luneburg)": (100, 1e-7),
    "share(Pipe)": (1, 1e-12),
    "share(Ear)": (1, 1e-12),
    "width(Sensor, all)": (120, 1e-9),
    "Which rays are inside Rod?": (6, 0),
    "By how much does Prism deviate the light?": (-47.0958, 1e-4),
    "In which direction does light leave Lower?": (0, 1e-9),
}
"""Numbers that answer questions, each with the difference that there may be: where light is not
paraxial, or none but rounding.
"""
SIX_DIGITS = 5.1e-6
"""How far a sentence may be from a number that it tells, as a fraction of it."""
PRINTED = {
    "Which beams leave Entrance?": "2 beams leave Entrance, the strongest with power 1 towards 0°",
    "Which source lights Sensor?": "3.2 from Blue, 3.2 from Green, 3.2 from Red",
    "How much light goes through the opening of Stop?": (
        f"{100 * 16 / 17:.2f} % of the light at Stop goes through it"
    ),
    "Where is the focus of Primary?": (
        "Best focus 300 mm after the last surface of Primary, at (50, 0) mm: RMS radius 0 mm"
    ),
    "Which ghosts reach Sensor?": (
        "in 37 ways; 2 192 rays are on their paths; the strongest has power 0.0281535"
    ),
    "How strong are the ghosts on Sensor?": "(0.06656 % of the power that arrives there), in 6 ways",
    "Which surfaces scatter light to Detector?": (
        "from 6 surfaces; most of it was scattered first at End top:Face"
    ),
    "Which paths lead from Sun to Detector?": (
        "the strongest is Sun → Hood top (scatter) → Objective (lens) → Detector (absorbed)"
    ),
    "Which paint helps most against scattered light at Detector?": (
        "least with Black flocked paper on all"
    ),
    "Which baffle helps most against scattered light at Detector?": "most with Baffle 2 disabled",
    "Sun.angle=-5..25:16": "-5 0.75 -3 6.32",
    "What reflects at Front:W?": (
        "Edge W of Front, with MgF2 quarter wave 550, reflects power 0.128935 of 16.5568"
    ),
    "edge_light_xml": 'coated="4"',
    "What are the aberrations of Objective?": (
        "focal length 50.0017 mm, f/4.5, 6 surfaces of N-SK16 N-F2 N-SK16; RMS spot 0.01027"
    ),
    "Which ghosts reach Objective Image?": (
        "in 114 ways; 1 216 rays are on their paths; the strongest has power 0.019683"
    ),
    "read_lens_xml": "<link>t6 = focus</link>",
    "Where is the image of Ant?": (
        "virtual image of Ant 135.956 mm before its last surface, upright, magnification 2.26998"
    ),
    "Where is the image of Coin?": "virtual image of Coin 74.998",
    "How much light does the diagonal block?": "Diagonal takes 6 of 18 from Primary (33.3 %)",
    "What share of the red light reaches Red screen?": "arrives at Red screen is 1 (100 %)",
    "Where is the focus of Flint?": (
        "146.285 mm after the last surface of Flint (of Red; of Blue it is 145.66"
    ),
    "Which bodies are inside which?": "No body is inside another",
    "How large is the spot of Lens?": "RMS 0.0247",
    "Where is the exit pupil of Eyepiece?": (
        "exit pupil 22.2222 mm wide, 63.8889 mm behind the last surface"
    ),
    "What is the Brewster angle of Window?": (
        f"Brewster angle {math.degrees(math.atan(1.5)):.4f}° from air"
    ),
    "Where does light leak?": "most of it between Lens and Guide (power 7.5)",
    "Has the power at Exit converged?": "with twice the rays 6.75 relative power (+3.7 %)",
    "find_paths_xml": 'count="1"',
    "detector_xml": 'name="Port A" power="1" share="0.5"',
    "query_rays_xml": "<cell>51</cell>",
    "find_ghosts_xml": 'ghost_share="0.0111',
    "check_energy_conservation_xml": 'is_valid="true"',
    "detect_tir_traps_xml": 'never_escaping="0"',
    "tir_analysis_xml": f'critical_angle="{math.degrees(math.asin(1 / 1.49)):.7f}"',
    "find_rays_near_critical_angle_xml": 'count="0"',
    "find_rays_through_region_xml": 'count="25"',
    "find_rays_xml": 'count="17"',
    "fresnel_xml": 'unpolarized="0.0204',
    "find_rays_by_polarization_xml": 'count="0"',
    "find_rays_crossing_edge_xml": 'count="34"',
    "Where does the light go?": (
        "Of the emitted power 6, 3 (50 %) is absorbed by Blue screen; 3 (50 %) is absorbed by Red"
        " screen."
    ),
    "What share of the light of Laser reaches Returned?": "arrives at Returned is 1 (100 %)",
    "What is the extinction ratio at Analyzer?": "extinction ratio of the light that arrives at Analyzer is 1.000",
    "Analyzer.axis=-90..90:7": " -90 1.5 -60 1.5001",
    "Sun.angle=0..4:5": "2 1 3 0.04347",
    "Trough.angle±1.5": "98 % (196 of 200",
    "Prism.angle=-40..10": f"-> {30 - math.degrees(math.asin(0.75)):.7f} deg",
    "Flint.params.r2=-2000..-90": "focus(Flint, Red) = 150 146.285277 -> 150 mm",
    "Lens.params.r1=52..140": "58.935",
    "Eyepiece.x=-40..60": "Eyepiece.x 0 -> 20 mm",
    "Window.angle=20..70": f"-> {math.degrees(math.atan(1.5)):.7f} deg",
    "Lens.x=-30..120:7": " -30 14 * -5 7.5 20 5 45 5.5 70 9.5 95 13.5 ",
    "Upper.angle±0.1": "by linear propagation: 0.1632993",
}
"""What the commands with these words print."""
QUESTIONS = [
    pytest.param(example, question, id=f"{example.file}: {' '.join(question.command[2:4])}")
    for example in EXAMPLES
    for question in example.questions
]


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and the last of some remedies are so far apart that two draws tell them."""
    rank = remedies.rank
    monkeypatch.setattr(remedies, "rank", lambda *given, **how: rank(*given, **how | {"draws": 2}))


@pytest.mark.parametrize(("example", "question"), QUESTIONS)
def test_every_question_is_answered(
    example: Example, question: Question, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(question_command(example, question))[1:]
    if "r1-0" in words:  # an id of the first trace of a process
        done = subprocess.run(
            [sys.executable, "-m", "raybench_workbench", *words],
            capture_output=True,
            text=True,
            check=True,
        )
        assert 'id="r1-0"' in done.stdout
        return
    assert main(words) == 0
    out = " ".join(capsys.readouterr().out.split())
    if words[2] in CLOSED:
        exact, difference = CLOSED[words[2]]
        told = float(re.search(r"(?:^| is )(-?\d*\.?\d+)", out)[1])  # type: ignore[index]
        assert told == pytest.approx(exact, abs=max(difference, SIX_DIGITS * abs(exact)))
        assert main([*words, "--json"]) == 0
        values = json.loads(capsys.readouterr().out)["tool_calls"][0]["values"]
        if "measure" in values:
            assert values["measure"][0]["value"] == pytest.approx(exact, abs=difference)
    else:
        assert words[0] != "ask" or words[2] in PRINTED
        for word in set(words) & set(PRINTED):
            assert PRINTED[word] in out


def test_every_scene_is_in_the_table_and_free_of_problems() -> None:
    there = {
        path.name
        for path in EXAMPLES_FOLDER.iterdir()
        if path.name.endswith((".json", ".raybench"))
    }
    there |= {f"studies/{path.name}" for path in EXAMPLES_FOLDER.joinpath("studies").iterdir()}
    assert {example.file for example in EXAMPLES} == there
    for example in EXAMPLES:
        assert not find_scene_problems(load_document(Path(str(example.path))).scene), example.file


def test_examples_show_every_family_every_tool_and_every_study_and_ask_in_words() -> None:
    shown = {
        type(o).__name__
        for example in EXAMPLES
        for o in load_document(Path(str(example.path))).scene.objects
    }
    for family, kinds in FAMILIES.items():
        assert len(shown & set(kinds)) >= 3, family
    assert shown <= {row.kind.__name__ for row in ROWS}
    commands = [question.command for example in EXAMPLES for question in example.questions]
    assert {"sweep", "optimise", "tolerance"} <= {command[0] for command in commands}
    shown_tools = {command[2] for command in commands if command[0] == "tool"}
    for example in EXAMPLES:
        document = load_document(Path(str(example.path)))
        asked = [
            question.command[2] for question in example.questions if question.command[0] == "ask"
        ]
        assert asked, example.file
        shown_tools |= {understand_sentence(sentence, document).tool for sentence in asked}
    assert shown_tools >= {tool["name"] for tool in get_agentic_tools()}
