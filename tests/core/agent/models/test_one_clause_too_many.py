"""Questions without a model: what is understood, and that a question is not answered if a part of
it was not understood.
"""

from __future__ import annotations

import os
import random

import pytest
from tests.core.agent.models.asked_scene import DOCUMENT, LASER

from raybench.agent.by_hand.command_line import ask
from raybench.agent.models.keywords import Understood, understand
from raybench.session import Session

UNDERSTOOD = {
    "Which rays hit the screen?": ("find_rays_xml", {"hits": "Screen"}),
    "what reaches the detector": ("find_rays_xml", {"hits": "Screen"}),
    "Which rays from Laser A reach Screen?": (
        "find_rays_xml",
        {"hits": "Screen", "source": "Laser A"},
    ),
    "Which rays miss the screen?": ("find_rays_xml", {"misses": "Screen"}),
    "which rays never hit M1": ("find_rays_xml", {"misses": "M1"}),
    "rays inside wedge stronger than 0.5": (
        "find_rays_xml",
        {"inside": "Wedge", "min_power": 0.5000000000000001},
    ),
    "rays in Wedge with a power of at least 0.5": (
        "find_rays_xml",
        {"inside": "Wedge", "min_power": 0.5},
    ),
    "Which rays have a power between 0.1 and 0.2?": (
        "find_rays_xml",
        {"min_power": 0.1, "max_power": 0.2},
    ),
    "Which rays inside Main Prism are between 500 and 600 nm?": (
        "find_rays_xml",
        {"inside": "Main Prism", "min_wavelength": 500.0, "max_wavelength": 600.0},
    ),
    "rays at 0.55 µm from lamp": (
        "find_rays_xml",
        {"source": "Lamp", "min_wavelength": 550.0, "max_wavelength": 550.0},
    ),
    "rays hitting edge 0 of the mirror": ("find_rays_xml", {"hits": "M1", "edge": "Face"}),
    "Which rays cross edge W of Wedge from Lamp?": (
        "find_rays_xml",
        {"crosses": "Wedge", "edge": "NW", "source": "Lamp"},
    ),
    "where does light leak?": ("leaks_xml", {}),
    "Which rays escape from the scene?": ("find_rays_xml", {"status": "escaped"}),
    "how much power reaches Screen from Laser A?": (
        "measure_xml",
        {"measures": "power(Screen, Laser A); share(Screen, Laser A)"},
    ),
    "the Screen's power": ("measure_xml", {"measures": "power(Screen)"}),
    "What share of the light reaches the screen?": ("measure_xml", {"measures": "share(Screen)"}),
    "What fraction of Laser A reaches Screen?": (
        "measure_xml",
        {"measures": "share(Screen, Laser A)"},
    ),
    "what is the focal length of the lens?": (
        "measure_xml",
        {"measures": "nominal_focal_length(Lens); focal_length(Lens)"},
    ),
    "What's the spot size on Screen": ("spot_xml", {"object_name": "Screen"}),
    "How wide is the spot behind Lens?": ("spot_xml", {"object_name": "Lens"}),
    "What is the deviation of the light from Laser A by Main Prism?": (
        "measure_xml",
        {"measures": "deviation(Main Prism, Laser A)"},
    ),
    "how many total reflections are there in Wedge?": (
        "measure_xml",
        {"measures": "total_reflections(Wedge)"},
    ),
    "Where is the power lost?": ("losses_xml", {}),
    "How much light escapes?": ("measure_xml", {"measures": "escaped()"}),
    "Where is the focus of the lens?": ("focus_xml", {"object_name": "Lens"}),
    "Where does Lens focus the light?": ("focus_xml", {"object_name": "Lens"}),
    "Is there total reflection in Wedge?": ("tir_analysis_xml", {"glass_name": "Wedge"}),
    "Which rays are totally reflected at edge W of Wedge?": (
        "tir_analysis_xml",
        {"glass_name": "Wedge", "edge_label": "NW"},
    ),
    "how many are totally reflected": ("find_rays_xml", {"interaction": "tir"}),
    "Are there ghosts on the screen?": ("find_ghosts_xml", {"object_name": "Screen"}),
    "What are the edges of M1?": ("describe_edges_xml", {"object_name": "M1"}),
    "Which edges does the grating have?": ("describe_edges_xml", {"object_name": "Grating"}),
    "what does Screen read?": ("detector_xml", {"detector_name": "Screen"}),
    "What is in the scene?": ("describe_scene_xml", {}),
    "5 brightest paths": ("rank_paths_by_energy_xml", {"top_n": 5}),
    "brightest paths through edge W of Wedge": (
        "find_bright_paths_through_edge_xml",
        {"glass_name": "Wedge", "edge_label": "NW"},
    ),
    "Is power conserved?": ("check_energy_conservation_xml", {}),
}
NEVER = (
    "after Wedge", "before M1", "but not from Lamp", "except at Screen", "or Screen", "twice", "and shiny", "in mW",
    "by more than 20 %", "if Lens moves by 3", "and what is the focal length of Lens", "and how much power reaches M1",
    "for the first time", "but weaker", "at 30 degrees to M1", "only once", "for each source", "over time",
    "and rotate M1 by 7 degrees", "near M1", "behind the mirror", "between Lens and M1", "more often than not", "with 3 reflections",
    "in dB", "per unit length", "in the worst case", "as a function of angle", "versus wavelength", "minus that of M1", "relative to M1",
    "for p polarization", "in front of Lens", "unless Lens is gone", "if Lens is moved by 3", "if it is warm", "squared", "since yesterday",
    "at half the wavelength", "for the second pass", "from behind", "divided by 2", "without dispersion", "if Wedge is bigger",
    "to within 1 %", "except p-polarized", "at the left end only", "nearly",
)  # fmt: skip
"""Clauses that nothing in the product can take into account together with a question."""
SOMETIMES = {
    "stronger than 0.625": "0.625",
    "weaker than 0.0625": "0.0624",
    "from Laser A": "Laser A",
    "at 550 nm": "550",
    "between 400 and 444 nm": "444",
    "inside Main Prism": "Main Prism",
    "polarized by more than 87.5 %": "0.875",
    "that miss Grating": "Grating",
    "that reach M1": "M1",
    "at edge 0 of Grating": "Grating",
    "at an angle of 77 degrees": "77",
    "without Lens": "'disable': 'Lens'",
    "if Lens is moved 3 mm to the right": "'dx': 3.0",
    "if Wedge is made of N-SF11": "N-SF11",
}
"""Clauses with what must stand in the arguments of a call that takes them into account."""
EXTRA = {**dict.fromkeys(NEVER, ""), **SOMETIMES}
COUNT = 1000 if os.environ.get("RAYBENCH_LONG") else 200


@pytest.mark.parametrize("question", UNDERSTOOD)
def test_a_question_is_understood(question: str) -> None:
    found = understand(question, DOCUMENT)
    assert found is not None
    assert (found.tool, found.arguments) == UNDERSTOOD[question], found.problem


@pytest.mark.long
def test_no_question_with_one_clause_too_many_is_answered_as_if_it_were_understood() -> None:
    rng = random.Random(12)
    answered = 0
    for _ in range(COUNT):
        question, (extra, told) = rng.choice(list(UNDERSTOOD)), rng.choice(list(EXTRA.items()))
        core = question.rstrip("?")
        text = rng.choice(
            ["{0} {1}", "{0}, {1}", "{0} and {1}", "{1} {0}", "{1}: {0}", "{0}; {1}?"]
        ).format(core, extra)
        if told and told.lower() in core.lower():
            continue
        found = understand(text, DOCUMENT)
        if found is not None and found.tool and found.tool != "search_help":
            assert told or (
                "between Lens and M1" in text and "between(Lens, M1)" in str(found.arguments)
            ), (text, found)
            by_wavelength = (
                told == "Laser A" and found.arguments.get("wavelength") == LASER.wavelength
            )
            assert told in str(found.arguments) or by_wavelength, (text, found)
            assert found.tool != "change_scene", text
            answered += 1
    assert answered > COUNT / 50  # extra clauses that can be taken into account are


def test_of_two_questions_in_one_none_is_answered_alone() -> None:
    rng = random.Random(3)
    for _ in range(COUNT // 2):
        one, other = rng.sample(list(UNDERSTOOD), 2)
        found = understand(f"{one.rstrip('?')} and {other}", DOCUMENT)
        if found is not None and UNDERSTOOD[one] != UNDERSTOOD[other]:
            assert (found.tool, found.arguments) not in (UNDERSTOOD[one], UNDERSTOOD[other]), (
                one,
                other,
            )


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Which rays are inside Wedge and shiny?", "shiny"),
        ("Which rays hit Wedge or Screen?", "or Screen"),
        ("rays not inside Wedge", "not"),
        ("How much power reaches Screen in mW?", "in mW"),
        ("what's the Power on the SCREEN, in Watt please?", "in Watt"),
        ("rays in Wedge that are NOT from Laser A", "NOT"),
    ],
)
def test_what_was_not_understood_is_named(question: str, rest: str) -> None:
    assert understand(question, DOCUMENT) == Understood(
        problem=f"I do not understand “{rest}” without a model, so I do not answer the rest alone."
    )


def test_what_was_not_understood_is_told_in_one_line_with_what_could_be_asked_and_is_an_error_of_ask() -> (
    None
):
    for question in (
        "rotate Wedge by 7 furlongs",
        "Which rays are inside Wedge and shiny?",
        "Which rays are inside the glass?",
    ):
        answer = ask(Session(DOCUMENT), question)
        assert answer.text == answer.error
        assert "\n" not in answer.error
        assert answer.error.endswith("?") or "One could ask: " in answer.error
        assert not answer.turn.outcomes
    assert ask(Session(DOCUMENT), "How many rays are inside Wedge?").error == ""
