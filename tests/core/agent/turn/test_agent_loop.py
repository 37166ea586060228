"""A turn of the agent: its messages, its tool calls, and the history after success, failure and
cancellation.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from tests.core.agent.turn.valid_history import INSIDE, assert_valid
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.approval import ALLOW_ALL, READ_ONLY, ApprovalRules
from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.call.events import ToolFinished, ToolStarted, TurnEvent, TurnFinished
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.protocol import BackendError, Message, StreamEvent, TextDelta
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import text_block
from raybench.agent.turn.loop import run_turn

pytestmark = pytest.mark.quick


def post() -> str:
    """Post it."""
    return "posted"


POST = Tool.new("post", post)
"""An external tool."""


def turn(
    replies: Sequence[Any],
    history: list[Message] | None = None,
    *,
    stop_after: float | None = None,
    pause: float = 0.0,
    **more: Any,
) -> tuple[TurnFinished, list[TurnEvent], list[Message], ScriptedBackend]:
    events: list[TurnEvent] = []
    history = [] if history is None else history
    backend = ScriptedBackend(replies, pause)
    tools = more.pop("tools", TOOLS)
    approvals = more.pop("approvals", READ_ONLY)

    async def go() -> TurnFinished:
        context = ToolContext(
            open_prism(), ToolRegistry(tools), approvals, message_callback=events.append
        )
        running = run_turn(
            history, [text_block("question")], backend=backend, tools=tools, context=context, **more
        )
        task = asyncio.create_task(running)
        if stop_after is not None:
            await asyncio.sleep(stop_after)
            task.cancel()
        return await task

    finished = asyncio.run(go())
    assert_valid(history)
    assert events[-1] is finished
    return finished, events, history, backend


def test_a_plain_answer() -> None:
    finished, events, history, _ = turn(["Light bends at the prism."])
    assert finished == TurnFinished("Light bends at the prism.")
    assert (
        "".join(e.text for e in events if isinstance(e, TextDelta)) == "Light bends at the prism."
    )
    assert [m["role"] for m in history] == ["user", "assistant"]


def test_a_call_and_the_answer_that_rests_on_it() -> None:
    finished, events, history, backend = turn(
        [["Let me look.", call(INSIDE, glass_name="Main Prism")], "There are 2 (R1)."]
    )
    assert (finished.answer, finished.sources) == ("There are 2 (R1).", (INSIDE,))
    assert finished.tools_used == (INSIDE,)
    started = next(e for e in events if isinstance(e, ToolStarted))
    assert started.sentence == "Rays inside Main Prism"
    outcome = next(e for e in events if isinstance(e, ToolFinished)).outcome
    assert outcome.rays is not None
    assert outcome.rays.name == "R1"
    (result,) = backend.requests[1][-1]["content"]
    assert result["tool_use_id"] == "call_1"
    assert result["content"].startswith("2 rays are inside Main Prism (R1).")
    assert "Sources" not in json.dumps(history)


def test_all_calls_of_a_reply_are_answered_in_one_message_in_order() -> None:
    calls = [
        call(INSIDE, "a", glass_name="Main Prism"),
        call("scale", "b", factor=2.0),
        call(INSIDE, "c", glass_name="No"),
    ]
    finished, _, history, _ = turn([calls, "Done."])
    results = history[2]["content"]
    assert [b["tool_use_id"] for b in results] == ["a", "b", "c"]
    assert [b.get("is_error", False) for b in results] == [False, False, True]
    assert finished.tools_used == (INSIDE, "scale")
    assert finished.sources == (INSIDE, "scale")


def test_a_tool_that_failed_is_used_but_is_no_source() -> None:
    finished, _, _, _ = turn(
        [[call("scale", factor=2.0), call(INSIDE, "b", glass_name="No")], "Done."]
    )
    assert finished.tools_used == ("scale", INSIDE)
    assert finished.sources == ("scale",)
    finished, _, _, _ = turn([[call(INSIDE, glass_name="No")], "There is no such glass."])
    assert finished.answer == "There is no such glass."


def test_an_unknown_tool_is_answered_with_what_there_is() -> None:
    finished, _, history, _ = turn([[call("nope")], "Sorry."])
    assert not finished.outcomes[0].ok
    assert finished.outcomes[0].sentence == "Unknown tool 'nope'", (
        "the list is for the model, not for the card"
    )
    assert history[2]["content"][0]["content"].startswith(
        f"Unknown tool 'nope'. Tools: {INSIDE}, scale"
    )


@pytest.mark.parametrize("arguments", [[], "x", None])
def test_arguments_that_are_no_object_are_answered_too(arguments: Any) -> None:
    block = {"type": "tool_use", "id": "a", "name": "scale", "input": arguments}
    finished, _, _, _ = turn([[block], "Sorry."])
    assert "must be an object" in finished.outcomes[0].text


def test_the_last_step_is_announced_and_the_turn_ends_there() -> None:
    finished, _, history, backend = turn(
        [[call("scale", f"c{i}", factor=1.0)] for i in range(3)], max_steps=3
    )
    assert "Answer now" not in json.dumps(backend.requests[1])
    assert backend.requests[2][-1]["content"][-1]["content"][1]["text"].startswith(
        "That was the last tool call of this turn. Answer now"
    )
    assert finished.error.startswith("The model did not answer within 3 steps.")
    assert finished.answer == "Found so far:\n- Scale: factor 1, count 1, label x: x=1"
    assert len(finished.outcomes) == 2
    assert history[-1]["content"][0]["content"] == "not run: no steps are left in this turn"


def test_the_next_question_continues_a_message_that_waits_for_its_reply() -> None:
    _, _, history, _ = turn([[call("scale", factor=1.0)]], max_steps=1)
    turn(["Here."], history)
    assert [b["type"] for b in history[2]["content"]] == ["tool_result", "text"]


def test_stop_while_text_streams_keeps_the_text_so_far() -> None:
    finished, _, history, _ = turn(
        ["one two three four five six seven eight nine ten"], stop_after=0.12, pause=0.03
    )
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
    finished, _, history, _ = turn(
        [[call("scale", factor=1.0), "never comes whole"]], stop_after=0.15, pause=0.1
    )
    assert finished.stopped
    assert history[-1]["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "call_1",
            "content": "cancelled by the user",
            "is_error": True,
        }
    ]


def test_stop_in_a_tool_keeps_the_results_before_it() -> None:
    calls = [call("scale", "a", factor=1.0), call("slow", "b", seconds=2.0), call("post", "c")]
    finished, events, history, _ = turn([calls, "never"], stop_after=0.2, tools=(*TOOLS, POST))
    assert finished.stopped
    assert [b["content"] for b in history[-1]["content"][1:]] == [
        "cancelled by the user",
        "cancelled by the user",
    ]
    assert "x=1" in history[-1]["content"][0]["content"]
    assert [(e.outcome.tool, e.outcome.stopped) for e in events if isinstance(e, ToolFinished)] == [
        ("scale", False),
        ("slow", True),
    ]
    assert finished.tools_used == ("scale", "slow"), "it was running when the turn was stopped"


def test_a_model_knows_which_edits_a_call_had_made_when_it_was_stopped() -> None:
    @tool_context(effect="edit")
    async def rename(ctx: ToolContext) -> None:
        """Rename, then wait."""
        await ctx.apply({"set": "Main Prism", "name": "Wedge"})
        await asyncio.sleep(9)

    calls = [call("rename"), call("rename", "b")]
    finished, _, history, _ = turn(
        [calls], stop_after=0.3, tools=(Tool.new("rename", rename),), approvals=ALLOW_ALL
    )
    assert finished.stopped
    assert [b["content"] for b in history[-1]["content"]] == [
        "cancelled by the user. These edits were made before: Main Prism renamed to Wedge.",
        "cancelled by the user",
    ]


def test_a_model_that_fails_ends_the_turn_with_its_remedy() -> None:
    finished, _, history, _ = turn([["Half an", BackendError("The host is gone. Ask again.")]])
    assert finished.error == "The host is gone. Ask again."
    assert finished.answer == "Half an"
    assert history[-1]["content"] == [{"type": "text", "text": "Half an"}]


def test_a_backend_that_raises_what_is_no_backend_error_ends_the_turn_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    finished, _, history, _ = turn([["Half a", ZeroDivisionError("division by zero")]])
    assert (
        finished.error
        == "scripted failed: ZeroDivisionError: division by zero. Try again, or connect another"
        " model."
    )
    assert history[-1]["content"] == [{"type": "text", "text": "Half a"}]
    assert "ZeroDivisionError" in caplog.text


def test_a_thought_without_words_is_not_kept() -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    _, _, history, _ = turn([[thought, BackendError("Gone. Ask again.")]])
    assert [m["role"] for m in history] == ["user"]
    _, _, history, _ = turn([[thought, "Yes."]])
    assert [b["type"] for b in history[-1]["content"]] == ["thinking", "text"]


def test_reads_of_one_reply_run_at_the_same_time_and_are_answered_and_named_in_order() -> None:
    meeting = threading.Barrier(3, timeout=10)

    def meet() -> str:
        """Wait until all three are here."""
        meeting.wait()
        return "met"

    @tool_context
    async def late(ctx: ToolContext) -> Any:
        """Look, but last."""
        meeting.wait()
        time.sleep(0.2)
        return (await ctx.call_tool(INSIDE, "Main Prism"))["ray"]

    tools = (*TOOLS, *(Tool.new(f.__name__, (f, {"effect": "read"})) for f in (meet, late)))
    calls = [call("late", "a"), call("meet", "b"), call("meet", "c")]
    finished, _, history, _ = turn([calls, "Done."], tools=tools)
    assert [b["tool_use_id"] for b in history[2]["content"]] == ["a", "b", "c"]
    assert [o.tool for o in finished.outcomes] == [INSIDE, "late", "meet", "meet"]
    both = [
        call("long_answer", "a", rays=20000),
        call(INSIDE, "b", glass_name="Main Prism"),
        call(INSIDE, "c", glass_name="Main Prism"),
    ]
    for _ in range(3):
        finished, _, _, _ = turn([both, "Done."])
        assert [o.rays.name for o in finished.outcomes if o.rays is not None] == ["R1", "R2"]


def test_what_has_side_effects_runs_alone_and_in_its_place() -> None:
    order: list[str] = []

    def note(what: str, seconds: float = 0.0) -> str:
        """Note."""
        time.sleep(seconds)
        order.append(what)
        return what

    tools = (Tool.new("note", (note, {"effect": "read"})), Tool.new("push", note))
    calls = [
        call("note", "a", what="first", seconds=0.2),
        call("push", "b", what="pushed"),
        call("note", "c", what="last"),
    ]
    turn([calls, "Done."], tools=tools, approvals=ApprovalRules("auto", granted={"push"}))
    assert order == ["first", "pushed", "last"]


@pytest.mark.security
def test_a_reply_of_very_many_calls_does_not_run_them_all() -> None:
    finished, _, history, _ = turn(
        [[call("scale", f"c{i}", factor=1.0) for i in range(60)], "Done."]
    )
    assert len(finished.outcomes) == 40
    assert len(history[2]["content"]) == 60
    assert history[2]["content"][-1]["content"] == "not run: a reply may make at most 40 calls"


def test_tools_that_never_ran_are_not_told_as_used_and_private_ones_are_no_sources() -> None:
    @tool_context
    async def front(ctx: ToolContext) -> str:
        """Ask the back."""
        return str(await ctx.call_tool("back"))

    tools = (
        POST,
        Tool.new("front", (front, {"effect": "read", "calls": ("back",)})),
        Tool.new(
            "back",
            (
                lambda: "it",
                {"signature": "() -> :string", "effect": "read", "visibility": "private"},
            ),
        ),
    )
    finished, _, _, _ = turn(
        [[call("nope", "a"), call("post", "b"), call("front", "c")], "Done."], tools=tools
    )
    assert finished.tools_used == ("back", "front")
    assert finished.answer == "Done."


@pytest.mark.parametrize("kind", ["sleep", "spin", "plain"])
def test_a_function_that_blocks_holds_neither_the_turn_nor_its_stop(kind: str) -> None:
    async def sleep() -> None:
        """Block the loop."""
        time.sleep(9)

    async def spin() -> None:
        """Block the loop."""
        end = time.monotonic() + 9
        while time.monotonic() < end:
            pass

    def plain() -> None:
        """Block a thread."""
        time.sleep(9)

    function = {"sleep": sleep, "spin": spin, "plain": plain}[kind]
    limited = Tool.new("block", (function, {"effect": "read", "timeout_s": 0.2}))
    begun = time.monotonic()
    finished, _, _, _ = turn([[call("block")], "Done."], tools=(limited,))
    assert "timed out after 0.2 s" in finished.outcomes[0].text
    assert finished.answer == "Done."
    finished, _, _, _ = turn(
        [[call("block")], "Done."],
        tools=(Tool.new("block", (function, {"effect": "read"})),),
        stop_after=0.2,
    )
    assert finished.stopped
    assert time.monotonic() - begun < 8


@pytest.mark.security
def test_a_backend_that_ends_without_an_end_is_no_answer() -> None:
    class Cut(ScriptedBackend):
        async def stream_turn(
            self, system: str, messages: Any, tools: Any
        ) -> AsyncIterator[StreamEvent]:
            yield TextDelta("There are exactly 12 rays, of which")

    async def go() -> TurnFinished:
        context = ToolContext(open_prism(), ToolRegistry(TOOLS))
        return await run_turn([], [text_block("q")], backend=Cut([]), tools=TOOLS, context=context)

    finished = asyncio.run(go())
    assert finished.error == "scripted broke off before the end of its reply. Ask again."


def test_the_last_reply_of_a_turn_is_asked_for_without_tools_and_is_the_answer() -> None:
    offered: list[int] = []

    class Watched(ScriptedBackend):
        def stream_turn(self, system: str, messages: Any, tools: Any) -> AsyncIterator[StreamEvent]:
            offered.append(len(tools))
            return super().stream_turn(system, messages, tools)

    async def go() -> TurnFinished:
        context = ToolContext(open_prism(), ToolRegistry(TOOLS))
        backend = Watched([[call("scale", factor=1.0)], "It is 1."])
        return await run_turn(
            [], [text_block("q")], backend=backend, tools=TOOLS, context=context, max_steps=2
        )

    finished = asyncio.run(go())
    assert offered == [5, 0]
    assert (finished.answer, finished.error) == ("It is 1.", "")


def test_a_model_that_says_nothing_gives_no_answer() -> None:
    finished, _, _, _ = turn([[" "]])
    assert finished.error == "The model gave no answer. Ask again."
    finished, _, _, _ = turn([[call("scale", factor=1.0)], []])
    assert finished.answer == "Found so far:\n- Scale: factor 1, count 1, label x: x=1"
