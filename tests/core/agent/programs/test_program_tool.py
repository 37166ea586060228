"""Programs over the tools of the document, and what state tools make of the view, in a conversation."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from tests.core.agent.call.edit_tool import EDIT
from tests.core.agent.project import context, run
from tests.open_prism import FIND_INSIDE, TOOLS, open_prism, scale

from raybench.agent.call.approval import (
    ALLOW_ALL,
    READ_ONLY,
    ApprovalRequest,
    ApprovalRules,
    Decision,
)
from raybench.agent.call.events import ToolFinished, ToolStarted, TurnEvent, TurnFinished
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.catalogue.builtin import builtin_tool
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.programs.program_tool import program_tool, with_program_tools_described
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.conversation import Conversation
from raybench.agent.view_tools.ray_filter_tools import ray_filter_tools

BOTH = (FIND_INSIDE, Tool.new("scale", (scale, {"effect": "read", "expose": "both"})))
PROGRAMS = (*BOTH, program_tool())
EDIT_IN_PROGRAMS = Tool.new("edit", (EDIT.function, {"effect": "edit", "expose": "program"}))


def program(
    code: str, *, approvals: ApprovalRules = READ_ONLY, builtin: tuple[Tool, ...] = PROGRAMS
) -> tuple[Any, list[TurnEvent], Any]:
    ctx, events = context(builtin=builtin, approvals=approvals)
    return run(ctx.run(program_tool(), {"code": code})), events, ctx


def test_a_program_composes_tools_and_every_inner_call_is_reported() -> None:
    outcome, events, _ = program(
        "a = scale(2.0, count=3)\nb = find_rays_inside_glass_xml('Main"
        " Prism')\nprint(a)\nlen(b['ray'])"
    )
    assert outcome.ok
    assert outcome.text == "x=6\n2"
    started = [e for e in events if isinstance(e, ToolStarted)]
    assert [e.tool for e in started] == ["run_program", "scale", "find_rays_inside_glass_xml"]
    assert [e.within for e in started] == ["", started[0].id, started[0].id]
    inner = [e.outcome for e in events if isinstance(e, ToolFinished)][1]
    assert inner.rays is not None
    assert inner.rays.name == "R1"


def test_an_error_of_a_tool_is_one_of_the_program() -> None:
    outcome, _, _ = program(
        "try:\n  find_rays_inside_glass_xml('Nope')\nexcept ValueError as e:\n  print(e)"
    )
    assert outcome.text.startswith("No object named 'Nope'. Named objects: ['Main Prism', 'Laser']")
    outcome, _, _ = program("x = 1\nscale('2')")
    assert not outcome.ok
    assert outcome.text.startswith(
        "The program failed. Line 2: ValueError: scale: 'factor' must be a number"
    )
    outcome, _, _ = program("scale(1.0, 2, 'x', 4)")
    assert (
        "TypeError: scale() takes 3 arguments, 4 were given. Parameters: factor: number"
        in outcome.text
    )
    outcome, _, _ = program("scale(1.0, factor=2)")
    assert "TypeError: scale() got 'factor' twice" in outcome.text


def test_a_tool_without_a_signature_takes_values_by_place_as_its_function_does() -> None:
    asked = dataclasses.replace(builtin_tool("llm-query", "builtin_llm_query"), expose="program")
    ctx, _ = context(None, ["Blue."], builtin=(*PROGRAMS, asked))
    outcome = run(ctx.run(program_tool(), {"code": "llm_query('Which colour?')"}))
    assert outcome.text == "Blue."


def test_only_exposed_tools_can_be_called_and_no_program_runs_another() -> None:
    builtin = (*PROGRAMS, Tool.new("hidden", (scale, {"effect": "read", "expose": "native"})))
    for code in ("hidden(1.0)", "run_program('1')", "slow(1.0)"):
        outcome, _, _ = program(code, builtin=builtin)
        assert "NameError" in outcome.text


@pytest.mark.parametrize(
    ("approvals", "done"),
    [
        (READ_ONLY, False),
        (ALLOW_ALL, True),
        (ApprovalRules("auto"), True),
        (ApprovalRules("ask"), False),
    ],
)
def test_inner_edits_obey_approvals(approvals: ApprovalRules, done: bool) -> None:
    outcome, _, ctx = program("edit()", approvals=approvals, builtin=(*PROGRAMS, EDIT_IN_PROGRAMS))
    assert outcome.ok is done
    assert (ctx.document.scene.objects[0].name == "rename") is done


def test_waiting_for_approval_is_not_the_programs_time() -> None:
    async def slowly(request: ApprovalRequest) -> Decision:
        await asyncio.sleep(2.5)
        return Decision(True)

    outcome, _, _ = program(
        "edit()", approvals=ApprovalRules("ask", slowly), builtin=(*PROGRAMS, EDIT_IN_PROGRAMS)
    )
    assert outcome.ok
    assert outcome.milliseconds < 2000


def test_tools_for_programs_alone_are_reported_in_the_description() -> None:
    only = Tool.new("deep_scan", (scale, {"effect": "read", "expose": "program"}))
    made = {t.name: t for t in with_program_tools_described((*PROGRAMS, only))}
    assert (made["run_program"].description or "").endswith(
        "Only programs can call these:\n- deep_scan(factor :float, count :int?, label :string?) ->"
        " :string: Multiply."
    )
    assert with_program_tools_described(PROGRAMS) == PROGRAMS


def say(replies: list[Any], *texts: str) -> tuple[OpenDocument, list[TurnFinished]]:
    opened = open_prism()
    conversation = Conversation(
        opened, ScriptedBackend(replies), (*TOOLS, *ray_filter_tools(), program_tool())
    )

    async def go() -> list[TurnFinished]:
        return [await conversation.say(text) for text in texts]

    return opened, asyncio.run(go())


def test_a_turns_filters_add_up_and_are_shown_when_it_is_over() -> None:
    calls = [
        call("range_filter", "a", quantity="power", at_least=0.04),
        call("source_filter", "b", objects=["Laser"]),
        call("pick_rays", "c", rays=["R9"]),
    ]
    opened, (turn,) = say([calls, "Done."], "Show the strong ones")
    texts = [o.text for o in turn.outcomes]
    assert texts[0] == "Applied range filter: power ≥ 0.04. 4 of 5 rays are shown."
    assert texts[1].startswith("Applied source filter: at Laser.")
    assert texts[2].startswith("There are no rays 'R9'.")
    view = opened.session.view
    assert view.description(opened.document) == "power ≥ 0.04, at Laser"
    assert len(view.ray_filter.must) == len(view.ray_filter.should) == 1


def test_filters_last_over_turns_until_they_are_cleared_and_slash_commands_set_them_too() -> None:
    opened, turns = say(
        [], "/range_filter power at_least=0.04", "/range_filter depth at_most=1", "/clear_filter"
    )
    assert [t.outcomes[0].text for t in turns] == [
        "Applied range filter: power ≥ 0.04. 4 of 5 rays are shown.",
        "Applied range filter: depth ≤ 1. 3 of 5 rays are shown.",
        "All rays are shown again. 5 rays are shown.",
    ]
    assert not opened.session.view.has_ray_filter


def test_rays_of_an_answer_are_picked_by_its_name() -> None:
    opened, turns = say(
        [
            [
                call("find_rays_inside_glass_xml", "a", glass_name="Main Prism"),
                call("pick_rays", "b", rays=["R1"]),
            ],
            "Those.",
        ],
        "Only inside",
    )
    assert turns[0].outcomes[1].text == "Picked 2 rays: R1. 2 of 5 rays are shown."
    result = opened.session.result
    assert result is not None
    shown = opened.session.view.visible_rows(result)
    assert shown is not None
    assert shown.tolist() == [2, 4]
    assert opened.session.view.description(opened.document) == "only R1"


def test_a_program_sets_filters_too() -> None:
    opened, _ = say(
        [
            [
                call(
                    "run_program",
                    code="for q in ['power', 'depth']:\n  range_filter(q, at_least=0)",
                )
            ],
            "Done.",
        ],
        "Filter",
    )
    assert opened.session.view.description(opened.document) == "power ≥ 0, depth ≥ 0"


def test_what_was_set_before_the_model_failed_is_shown() -> None:
    from raybench.agent.models.protocol import BackendError

    opened, (turn,) = say(
        [
            [call("range_filter", quantity="power", at_least=0.04)],
            [BackendError("Gone. Ask again.")],
        ],
        "Show",
    )
    assert turn.error == "Gone. Ask again."
    assert opened.session.view.has_ray_filter


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        (
            "range_filter",
            {"quantity": "power", "at_least": 0.1, "below": 2},
            "show rays of power ≥ 0.1 and < 2",
        ),
        ("range_filter", {"quantity": 3, "exclude": True}, "hide rays of 3"),
        (
            "source_filter",
            {"sources": ["Laser", "Lamp"], "objects": ["Prism"]},
            "show rays from Laser, Lamp or at Prism",
        ),
        ("pick_rays", {"rays": ["R1", "r2-3"]}, "show only R1, r2-3"),
        ("pick_rays", {}, "show only rays"),
        ("clear_filter", {}, "show all rays"),
        ("run_program", {"code": "a\nb"}, "program of 2 lines"),
        ("judge", {"concern": "ghosts\nor not"}, "judge: ghosts or not"),
        ("other", {"a": 1, "b": None, "c": False}, "other: a 1"),
    ],
)
def test_a_call_is_described_in_words(tool: str, arguments: dict[str, Any], message: str) -> None:
    assert (tool_named(agent_tools(), tool) or Tool(tool)).question(arguments) == message
