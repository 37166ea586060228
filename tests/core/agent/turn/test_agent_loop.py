"""A turn of the agent: its messages, its tool calls, and the history after success, failure and cancellation."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from core.agent.call.context import ToolContext
from core.agent.call.events import TextDelta, ToolFinished, ToolStarted, TurnEvent, TurnFinished
from core.agent.catalogue.registry import ToolRegistry
from core.agent.models.protocol import BackendError, Message
from core.agent.models.scripted import ScriptedBackend, call
from core.agent.turn.history import text_block
from core.agent.turn.loop import run_turn
from tests.prism_bench import TOOLS, prism_bench

INSIDE = "find_rays_inside_glass_xml"


def turn(
    replies: Sequence[Any], history: list[Message] | None = None, *, stop_after: float | None = None, pause: float = 0.0, **more: Any
) -> tuple[TurnFinished, list[TurnEvent], list[Message], ScriptedBackend]:
    events: list[TurnEvent] = []
    history = [] if history is None else history
    backend = ScriptedBackend(replies, pause)

    async def go() -> TurnFinished:
        context = ToolContext(prism_bench(), ToolRegistry(TOOLS), message_callback=events.append)
        running = run_turn(history, [text_block("question")], backend=backend, tools=TOOLS, context=context, **more)
        task = asyncio.create_task(running)
        if stop_after is not None:
            await asyncio.sleep(stop_after)
            task.cancel()
        return await task

    finished = asyncio.run(go())
    assert_valid(history)
    assert events[-1] is finished
    return finished, events, history, backend


def assert_valid(history: list[Message]) -> None:
    """Roles alternate, nothing is empty, and each call is answered in the very next message, results first."""
    json.dumps(history)
    for i, message in enumerate(history):
        assert message["role"] == ("user", "assistant")[i % 2]
        assert message["content"]
        assert all(b["text"].strip() for b in message["content"] if b["type"] == "text")
        calls = [b["id"] for b in message["content"] if b["type"] == "tool_use"]
        after = history[i + 1]["content"] if i + 1 < len(history) else []
        assert [b["tool_use_id"] for b in after if b["type"] == "tool_result"] == calls
        kinds = [b["type"] for b in after]
        assert "tool_result" not in kinds[len(calls) :]


def test_a_plain_answer() -> None:
    finished, events, history, _ = turn(["Light bends at the prism."])
    assert finished == TurnFinished("Light bends at the prism.")
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == "Light bends at the prism."
    assert [m["role"] for m in history] == ["user", "assistant"]


def test_a_call_and_the_answer_that_rests_on_it() -> None:
    finished, events, history, backend = turn([["Let me look.", call(INSIDE, glass_name="Main Prism")], "There are 2 (R1)."])
    assert finished.answer == f"There are 2 (R1).\n\nSources: {INSIDE}"
    assert finished.tools_used == (INSIDE,)
    started = next(e for e in events if isinstance(e, ToolStarted))
    assert started.sentence == "Rays inside Main Prism"
    outcome = next(e for e in events if isinstance(e, ToolFinished)).outcome
    assert outcome.rays is not None
    assert outcome.rays.name == "R1"
    (result,) = backend.heard[1][-1]["content"]
    assert result["tool_use_id"] == "call_1"
    assert result["content"].startswith("2 rays are inside Main Prism (R1).")
    assert "Sources" not in json.dumps(history)


def test_all_calls_of_a_reply_are_answered_in_one_message_in_order() -> None:
    calls = [call(INSIDE, "a", glass_name="Main Prism"), call("scale", "b", factor=2.0), call(INSIDE, "c", glass_name="No")]
    finished, _, history, _ = turn([calls, "Done."])
    results = history[2]["content"]
    assert [b["tool_use_id"] for b in results] == ["a", "b", "c"]
    assert [b.get("is_error", False) for b in results] == [False, False, True]
    assert finished.tools_used == (INSIDE, "scale")
    assert finished.answer.endswith(f"Sources: {INSIDE}, scale")


def test_a_tool_that_failed_is_used_but_is_no_source() -> None:
    finished, _, _, _ = turn([[call("scale", factor=2.0), call(INSIDE, "b", glass_name="No")], "Done."])
    assert finished.tools_used == ("scale", INSIDE)
    assert finished.answer == "Done.\n\nSources: scale"
    finished, _, _, _ = turn([[call(INSIDE, glass_name="No")], "There is no such glass."])
    assert finished.answer == "There is no such glass."


def test_an_unknown_tool_is_answered_with_what_there_is() -> None:
    finished, _, history, _ = turn([[call("nope")], "Sorry."])
    assert not finished.outcomes[0].ok
    assert history[2]["content"][0]["content"].startswith(f"Unknown tool 'nope'. Tools: {INSIDE}, scale")


@pytest.mark.parametrize("arguments", [[], "x", None])
def test_arguments_that_are_no_object_are_answered_too(arguments: Any) -> None:
    block = {"type": "tool_use", "id": "a", "name": "scale", "input": arguments}
    finished, _, _, _ = turn([[block], "Sorry."])
    assert "must be an object" in finished.outcomes[0].text


def test_the_last_step_is_announced_and_the_turn_ends_there() -> None:
    finished, _, history, backend = turn([[call("scale", f"c{i}", factor=1.0)] for i in range(3)], max_steps=3)
    assert "Answer now" not in json.dumps(backend.heard[1])
    assert backend.heard[2][-1]["content"][-1]["content"][1]["text"].startswith("That was the last tool call of this turn. Answer now")
    assert finished.error.startswith("Stopped after 3 steps without an answer.")
    assert len(finished.outcomes) == 2
    assert history[-1]["content"][0]["content"] == "not run: no steps are left in this turn"


def test_the_next_question_continues_a_message_that_waits_for_its_reply() -> None:
    _, _, history, _ = turn([[call("scale", factor=1.0)]], max_steps=1)
    turn(["Here."], history)
    assert [b["type"] for b in history[2]["content"]] == ["tool_result", "text"]


def test_stop_while_text_streams_keeps_the_text_so_far() -> None:
    finished, _, history, _ = turn(["one two three four five six seven eight nine ten"], stop_after=0.12, pause=0.03)
    assert finished.stopped
    text = history[-1]["content"][0]["text"]
    assert text.startswith("one two")
    assert not text.endswith("ten")
    assert finished.answer == text


def test_stop_before_a_word_leaves_the_question_for_the_next_turn() -> None:
    finished, _, history, _ = turn(["late"], stop_after=0.02, pause=0.5)
    assert finished.stopped
    assert [m["role"] for m in history] == ["user"]
    turn(["Here."], history)
    assert len(history[0]["content"]) == 2


def test_stop_after_a_whole_call_but_before_it_runs_answers_it_as_cancelled() -> None:
    finished, _, history, _ = turn([[call("scale", factor=1.0), "never comes whole"]], stop_after=0.15, pause=0.1)
    assert finished.stopped
    assert history[-1]["content"] == [
        {"type": "tool_result", "tool_use_id": "call_1", "content": "cancelled by the user", "is_error": True}
    ]


def test_stop_in_a_tool_keeps_the_results_before_it() -> None:
    calls = [call("scale", "a", factor=1.0), call("slow", "b", seconds=2.0), call("scale", "c", factor=1.0)]
    finished, events, history, _ = turn([calls, "never"], stop_after=0.2)
    assert finished.stopped
    assert [b["content"] for b in history[-1]["content"][1:]] == ["cancelled by the user", "cancelled by the user"]
    assert "x=1" in history[-1]["content"][0]["content"]
    assert sum(isinstance(e, ToolFinished) for e in events) == 1


def test_a_model_that_fails_ends_the_turn_with_its_remedy() -> None:
    finished, _, history, _ = turn([["Half an", BackendError("The host is gone. Ask again.")]])
    assert finished.error == "The host is gone. Ask again."
    assert finished.answer == "Half an"
    assert history[-1]["content"] == [{"type": "text", "text": "Half an"}]


def test_a_backend_that_raises_what_is_no_backend_error_ends_the_turn_too(caplog: pytest.LogCaptureFixture) -> None:
    finished, _, history, _ = turn([["Half a", ZeroDivisionError("division by zero")]])
    assert finished.error == "scripted failed: ZeroDivisionError: division by zero. Try again, or connect another model."
    assert history[-1]["content"] == [{"type": "text", "text": "Half a"}]
    assert "ZeroDivisionError" in caplog.text


def test_a_thought_without_words_is_not_kept() -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    _, _, history, _ = turn([[thought, BackendError("Gone. Ask again.")]])
    assert [m["role"] for m in history] == ["user"]
    _, _, history, _ = turn([[thought, "Yes."]])
    assert [b["type"] for b in history[-1]["content"]] == ["thinking", "text"]
