"""A model as a tool: its prompt is filled, its answer has the form that is asked for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.open_prism import open_prism

from raybench.agent.call.context import ToolContext
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.builtin import builtin_tool
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.protocol import BackendError
from raybench.agent.models.scripted import ScriptedBackend
from raybench.agent.tools.tool import InvalidTool, Tool
from raybench.agent.workers.llm_tool import LLMTool

RANK = LLMTool(
    "Rank {{name}} of {{ how-many }}.",
    "(name :string, how-many :int) -> {rank :int, why :string?}",
    "Rank it.",
    "some-model",
)


def call(
    tool: Tool, arguments: dict[str, Any], replies: Sequence[Any]
) -> tuple[ToolOutcome, ScriptedBackend]:
    backend = ScriptedBackend(replies)
    context = ToolContext(open_prism(), ToolRegistry((tool,)), backend=backend)
    return asyncio.run(context.run(tool, arguments)), backend


def test_a_prompt_is_a_tool_of_type_llm() -> None:
    tool = Tool.new("rank", RANK)
    assert (tool.name, tool.type, tool.signature, tool.description) == (
        "rank",
        "llm",
        RANK.signature,
        "Rank it.",
    )
    assert tool.input_schema["required"] == ["name", "how-many"]


def test_the_prompt_is_filled_and_the_answer_is_a_value() -> None:
    outcome, backend = call(
        Tool.new("rank", RANK), {"name": "Main Prism", "how-many": 3}, ['{"rank": 2}']
    )
    assert (outcome.ok, outcome.value) == (True, {"rank": 2})
    assert backend.requests[0][-1]["content"][-1]["text"] == "Rank Main Prism of 3."


def test_an_answer_of_another_form_is_asked_for_once_more() -> None:
    outcome, _ = call(
        Tool.new("rank", RANK), {"name": "x", "how-many": 3}, ["Second.", '{"rank": 2}']
    )
    assert outcome.value == {"rank": 2}
    outcome, _ = call(
        Tool.new("rank", RANK), {"name": "x", "how-many": 3}, ["Second.", '{"rank": "2"}']
    )
    assert not outcome.ok
    assert "rank: expected int, got string" in outcome.text


def test_wrong_arguments_ask_nobody() -> None:
    outcome, backend = call(Tool.new("rank", RANK), {"name": "x", "how-many": "3"}, [])
    assert "'how-many' must be an integer" in outcome.text
    assert backend.requests == []


def test_a_prompt_that_asks_for_more_than_the_signature_takes_is_refused() -> None:
    with pytest.raises(
        InvalidTool,
        match=(
            r"rank: its prompt holds {{size}}, which its signature \(name :string\) -> :int does"
            r" not take"
        ),
    ):
        Tool.new("rank", LLMTool("{{size}}", "(name :string) -> :int"))
    with pytest.raises(
        InvalidTool, match="rank: its signature has a parse error at line 1, column 1"
    ):
        Tool.new("rank", LLMTool("x", "oops"))


def query(replies: Sequence[Any] = (), **given: Any) -> ToolOutcome:
    return call(builtin_tool("llm-query", "builtin_llm_query"), given, replies)[0]


def test_a_question_to_a_model() -> None:
    assert query(["Blue."], prompt="Which colour?").value == "Blue."
    assert query(
        ['{"n": 3}'], prompt="How many of {{rays}}?", rays=[1, 2, 3], signature="{n :int}"
    ).value == {"n": 3}
    assert (
        query(
            ['{"n": 3}'], prompt="?", signature="{n :int}", response_template="It is {{n}}, {{m}}."
        ).value
        == "It is 3, {{m}}."
    )
    assert query(["5"], prompt="?", response_template="<{{answer}}>").value == "<5>"


@pytest.mark.parametrize(
    ("signature", "reply", "value", "asked"),
    [(":string?", "Blue.", "Blue.", False), (":int?", "null", None, True)],
)
def test_json_is_asked_for_where_it_is_read(
    signature: str, reply: str, value: Any, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems: list[str] = []
    stream_turn = ScriptedBackend.stream_turn

    def told(backend: ScriptedBackend, system: str, *rest: Any) -> Any:
        systems.append(system)
        return stream_turn(backend, system, *rest)

    monkeypatch.setattr(ScriptedBackend, "stream_turn", told)
    assert query([reply], prompt="?", signature=signature).value == value
    assert ["JSON only" in system for system in systems] == [asked]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "A prompt is missing"),
        ({"prompt": 5}, "A prompt is missing"),
        ({"prompt": "{{x}}"}, "The prompt holds {{x}}, which is not given"),
        ({"prompt": "x", "signature": ":strng"}, "there is no type :strng"),
        ({"prompt": "x", "signature": 5}, "signature must be a string"),
        ({"prompt": "x", "llm": 5}, "'llm' must be a text"),
    ],
)
def test_a_question_that_cannot_be_asked(given: dict[str, Any], message: str) -> None:
    outcome = query(**given)
    assert not outcome.ok
    assert message in outcome.text


def test_a_model_that_fails_is_the_tools_error() -> None:
    outcome = query([[BackendError("Nobody there. Ask again.")]], prompt="x")
    assert outcome.text == "llm-query: Nobody there. Ask again."


def test_its_messages_are_not_part_of_the_conversation() -> None:
    tool = builtin_tool("llm-query", "builtin_llm_query")
    events: list[Any] = []
    context = ToolContext(
        open_prism(),
        ToolRegistry((tool,)),
        backend=ScriptedBackend(["Blue."]),
        message_callback=events.append,
    )
    asyncio.run(context.run(tool, {"prompt": "x"}))
    assert [type(event).__name__ for event in events] == ["ToolStarted", "ToolFinished"]
    json.dumps(tool.definition)
