"""The agent without a model: slash commands, plain questions, and what it says when it understands
neither.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

import pytest
from tests.open_prism import TOOLS, open_prism, prism_session

from raybench.agent.by_hand.command_line import Reply, ask_question
from raybench.agent.by_hand.slash import InvalidCommand, parse_command
from raybench.agent.call.context import ToolContext
from raybench.agent.call.events import TurnFinished
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.offline import OfflineBackend
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.history import text_block
from raybench.agent.turn.loop import run_turn
from raybench.agent.turn.transcript import Exchange, transcript_markdown
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex

INSIDE, CROSSING = "find_rays_inside_glass_xml", "find_rays_crossing_edge_xml"
ANGLE, POLARIZATION = "find_rays_by_angle_to_edge_xml", "find_rays_by_polarization_xml"
LIT = SingleRay(p1=Point(-200, 0), p2=Point(0, 0))
TRIANGLE = (Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20))


def document(*names: str, mirror: bool = True) -> Document:
    glasses = [Glass(name=name, path=TRIANGLE) for name in names]
    mirrors = [Mirror(name="M1", p1=Point(0, 0), p2=Point(1, 0))] if mirror else []
    return Document(scene=Scene.of([*glasses, *mirrors]))


def asked(text: str) -> Reply:
    return ask_question(prism_session(), text)


def test_a_slash_command_is_answered_in_a_sentence_with_its_source() -> None:
    session = prism_session()
    answer = ask_question(session, f'/{INSIDE} "Main Prism"')
    assert answer.text == "2 rays are inside Main Prism (R1)."
    assert answer.tools_used == (INSIDE,)
    assert session.answers["R1"].rows.tolist() == [2, 4]


def test_a_plain_question_is_answered_alike() -> None:
    assert asked("Which rays are inside the prism?").text.startswith(
        "2 rays are inside Main Prism (R1)."
    )


def test_a_text_without_end_is_no_question_and_answered_at_once() -> None:
    begun = time.process_time()
    reply = ask_question(prism_session(), "Which rays are inside the prism? " * 3_000)
    assert (
        reply.error
        == "This is too long without a model: over 1000 characters. Ask in one sentence."
    )
    assert time.process_time() - begun < 5


def test_an_answer_without_rays_is_a_sentence_and_its_values() -> None:
    text = asked("/describe_scene_xml").text
    assert text.startswith("2 objects: Main Prism, Laser.\n\n```\nscene: objects 2,")
    assert re.search(r"\n  Main Prism +Glass +1.5 ", text)
    assert "<" not in text


def test_rows_of_a_query_are_shown_also_where_they_are_rays() -> None:
    text = asked('/query_rays_xml "select id, depth from rays order by row limit 2"').text
    assert text.startswith("2 rows (R1).\n\n```\nquery: count 2,")
    assert re.search(r"\n  id +depth\n", text)


def test_a_question_for_paths_is_answered_with_the_way_of_the_strongest() -> None:
    text = asked("which paths lead from Laser to the prism?").text
    assert re.search(
        r"with power [\d.]+ \([\d.]+ % of the emitted\): (the strongest is )?Laser → Main Prism",
        text,
    ), text


@pytest.mark.parametrize(
    ("typed", "arguments"),
    [
        ("power(A); share(A)", {"measures": "power(A); share(A)"}),
        (
            'power("A, B", Main Prism) ; share(A);rms(B) cm',
            {"measures": 'power("A, B", Main Prism) ; share(A);rms(B)', "unit": "cm"},
        ),
        ('"power(A); share(A)" cm', {"measures": "power(A); share(A)", "unit": "cm"}),
        (
            "measures=power(A); share(A) order='largest first'",
            {"measures": "power(A); share(A)", "order": "largest first"},
        ),
    ],
)
def test_measures_in_a_command_need_no_quotation_marks(
    typed: str, arguments: dict[str, str]
) -> None:
    assert parse_command(f"/measure_xml {typed}", agent_tools())[1] == arguments


def test_of_several_equally_strong_paths_none_is_called_the_strongest() -> None:
    def said(text: str, *brightness: float) -> str:
        rays = [
            SingleRay(name=f"Ray {i}", p1=Point(0, i), p2=Point(9, i), brightness=b)
            for i, b in enumerate(brightness, 1)
        ]
        screen = Detector(name="Screen", p1=Point(50, -9), p2=Point(50, 99))
        return ask_question(Session(Document(scene=Scene.of([*rays, screen]))), text).text

    paths, ranked = '/find_paths_xml "* > Screen"', "which are the strongest paths?"
    assert re.search(
        r"^2 paths .*: all are equally strong, one is Ray 1 → Screen;", said(paths, 1, 1)
    )
    assert re.search(
        r"^3 paths .*: the 2 strongest are equally strong, one is Ray 2 → Screen;",
        said(paths, 0.5, 1, 1),
    )
    assert re.search(r"^2 paths .*: the strongest is Ray 2 → Screen;", said(paths, 0.5, 1))
    assert "takes Ray 1 → Screen (detect) → escape;" in said(ranked, 1)
    assert "takes the strongest of 2 ways, Ray 2 → Screen (detect) → escape;" in said(
        ranked, 0.5, 1
    )
    assert "takes each of the 2 strongest of 3 ways, one of them Ray 2 → Screen" in said(
        ranked, 0.5, 1, 1
    )


def test_a_record_is_a_list_of_its_fields() -> None:
    assert asked("/system_stats").text.startswith("- revision: ")
    assert "\n- segments: 5\n" in asked("/system_stats").text


def test_a_wrong_name_is_answered_with_what_exists() -> None:
    answer = asked(f"/{INSIDE} Nonexistent")
    assert answer.text.startswith(
        "No object named 'Nonexistent'. Named objects: ['Main Prism', 'Laser']"
    )
    assert not answer.turn.outcomes[0].ok
    assert answer.error == answer.turn.outcomes[0].text


def test_a_missing_argument_is_named() -> None:
    assert "'edge_label' is missing." in asked(f'/{CROSSING} "Main Prism"').text


def test_a_scene_that_was_not_traced_is_traced_first() -> None:
    session = prism_session()
    session.result = None
    answer = ask_question(session, f'/{INSIDE} "Main Prism"')
    assert answer.turn.outcomes[0].ok
    assert session.fresh_result is not None
    rays = answer.turn.outcomes[0].rays
    assert rays is not None
    assert rays.revision == session.document.revision


def test_a_partial_trace_is_reported_with_the_answer() -> None:
    session = prism_session()
    session.result = None
    assert (
        "The trace is partial (segment limit)"
        in ask_question(session, f'/{INSIDE} "Main Prism"', max_segments=2).text
    )


def test_the_answer_comes_even_on_the_last_step() -> None:
    opened, history = open_prism(), []
    backend = OfflineBackend(lambda: opened.document)
    question = [text_block(f'/{INSIDE} "Main Prism"')]
    context = ToolContext(opened, ToolRegistry(TOOLS))
    turn = asyncio.run(
        run_turn(history, question, backend=backend, tools=TOOLS, context=context, max_steps=2)
    )
    assert turn.answer.startswith("2 rays are inside Main Prism (R1).")


def test_help_lists_every_tool_with_its_parameters() -> None:
    text = asked("/help").text
    assert all(f"/{tool.name}" in text for tool in exposed_tools(agent_tools(), "native"))
    assert "[min_angle=0.0]" in text


def test_what_is_no_question_is_answered_with_three_that_are() -> None:
    session = prism_session()
    reply = ask_question(session, "Please write me a poem.")
    assert not reply.turn.outcomes
    numbered = [f"{i}. {question}" for i, question in enumerate(reply.turn.choices, 1)]
    assert reply.text == reply.error == "\n".join(["Did you mean", *numbered])
    assert reply.to_json()["did_you_mean"] == list(reply.turn.choices)
    assert len(numbered) == 3
    for question in reply.turn.choices:
        assert ask_question(session, question).turn.outcomes[0].ok


def test_a_number_chooses_one_of_them_in_the_next_message() -> None:
    conversation = Conversation(open_prism())

    async def said() -> list[TurnFinished]:
        return [await conversation.say(text) for text in ("Write a poem.", "2", "2")]

    offered, chosen, again = asyncio.run(said())
    assert not chosen.choices
    assert chosen.outcomes[0].ok
    assert again.choices, "a number alone means nothing afterwards"
    assert offered.choices


def test_what_is_beyond_the_program_is_an_answer() -> None:
    reply = ask_question(prism_session(), "show the speckle on the screen")
    assert reply.text.startswith("It is not possible to compute diffraction")
    assert not reply.error


def test_the_answer_as_json_holds_calls_and_ray_sets() -> None:
    value = asked(f'/{INSIDE} "Main Prism"').to_json()
    assert value["tool_calls"][0]["arguments"] == {"glass_name": "Main Prism"}
    assert value["ray_sets"][0]["name"] == "R1"
    assert value["ray_sets"][0]["rows"] == [2, 4]
    assert value["error"] is None


def test_rays_that_miss_an_object_are_the_ends_of_paths() -> None:
    assert (
        "3 rays are at the end of a path that has not met Main Prism (R1)."
        in asked("Which rays miss Main Prism?").text
    )


def test_the_transcript_contains_question_call_and_answer() -> None:
    answer = asked(f'/{INSIDE} "Main Prism"')
    text = transcript_markdown([Exchange(answer.question, answer.turn)], "Prism")
    assert text.startswith(
        f'# Prism\n\n> /{INSIDE} "Main Prism"\n\n- ✓ Rays inside Main Prism: 2 rays, R1 ('
    )
    assert f'`{INSIDE}(glass_name="Main Prism")`' in text


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        (f'/{INSIDE} "Main Prism"', INSIDE, {"glass_name": "Main Prism"}),
        (f"/{INSIDE} glass_name='Main Prism'", INSIDE, {"glass_name": "Main Prism"}),
        (f'/{INSIDE} "Newton\'s prism"', INSIDE, {"glass_name": "Newton's prism"}),
        (f'/{INSIDE} "glass_name=odd"', INSIDE, {"glass_name": "glass_name=odd"}),
        ("/scale 2", "scale", {"factor": 2.0}),
        ("/scale label=7 count=3 2.5", "scale", {"factor": 2.5, "count": 3, "label": "7"}),
        ("/scale many", "scale", {"factor": "many"}),
    ],
)
def test_arguments_stand_in_order_or_by_name(
    text: str, name: str, arguments: dict[str, Any]
) -> None:
    tool, given = parse_command(text, TOOLS)
    assert (tool.name, given) == (name, arguments)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('/pick ["Laser", "Lamp 2"] 3', {"sources": ["Laser", "Lamp 2"], "least": 3.0}),
        ('/pick sources=["Laser, [a]"] least=3', {"sources": ["Laser, [a]"], "least": 3.0}),
        ("/pick '[\"Laser\"]'", {"sources": ["Laser"]}),
        ("/pick [Laser", {"sources": "[Laser"}),
        ("/pick Laser", {"sources": ["Laser"]}),
        ('/pick "Laser, Lamp 2" 3', {"sources": ["Laser", "Lamp 2"], "least": 3.0}),
        ("/pick null", {"sources": None}),
    ],
)
def test_a_list_in_json_or_with_commas_is_one_argument(
    text: str, arguments: dict[str, Any]
) -> None:
    pick = Tool.new(
        "pick",
        (lambda sources, least=0.0: sources, "(sources [:string], least :float?) -> [:string]"),
    )
    assert parse_command(text, [pick])[1] == arguments


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "/find_rays_inside_glas P",
            f"There is no command /find_rays_inside_glas. Did you mean /{INSIDE}",
        ),
        ("/xyzzy", "There is no command /xyzzy. Type /help"),
        (f'/{INSIDE} "Main Prism', "A quotation mark is not closed"),
        (
            f"/{INSIDE} Main Prism",
            (
                f"One argument too many: 'Prism'. Quote names with spaces. Usage: /{INSIDE}"
                " <glass_name>"
            ),
        ),
        ("/scale factor=1 factor=2", "'factor' is given twice"),
    ],
)
def test_a_command_that_cannot_be_read_says_how_it_is_written(text: str, complaint: str) -> None:
    with pytest.raises(InvalidCommand) as caught:
        parse_command(text, TOOLS)
    assert str(caught.value).startswith(complaint)


def test_a_command_whose_signature_cannot_be_read_says_where() -> None:
    with pytest.raises(
        InvalidCommand,
        match=r"/bad cannot be called: its signature has a parse error at line 1, column 2",
    ):
        parse_command("/bad 1", (Tool.new("bad", (print, "((")),))
