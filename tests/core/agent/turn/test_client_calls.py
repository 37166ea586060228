"""Calls of another program: a turn each, with undo over all of them, in order where it matters, and
told what a hand does meanwhile.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.open_prism import open_prism

from raybench.agent.call.approval import ApprovalRequest, Decision
from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import ClientCalls
from raybench.scene.changes import Set
from raybench.scene.names import object_named

SET = [{"set": "Main Prism", "refIndex": 1.7}]


def calls_of(*tools: Tool, **options: Any) -> ClientCalls:
    registry = ToolRegistry((*agent_tools(), *tools))
    return ClientCalls(open_prism(), lambda: registry, **options)


def run(work: Callable[[ClientCalls], Any], *tools: Tool, **options: Any) -> Any:
    async def main() -> Any:
        return await work(calls_of(*tools, **options))

    return asyncio.run(main())


def index(calls: ClientCalls) -> float:
    return object_named(calls.opened.document.scene, "Main Prism").ref_index  # type: ignore[attr-defined, no-any-return]


def steps(calls: ClientCalls) -> int:
    return len(calls.opened.session.history.done)  # type: ignore[attr-defined]


async def change(
    calls: ClientCalls, value: float, profile: Any = "auto", **more: Any
) -> ToolOutcome:
    return await calls.call(
        "change_scene",
        {"changes": [{"set": "Main Prism", "refIndex": value}]},
        profile=profile,
        **more,
    )


def test_each_call_that_edits_is_a_step_and_undo_goes_back_call_by_call() -> None:
    async def work(calls: ClientCalls) -> None:
        await change(calls, 1.6)
        await change(calls, 1.7)
        assert steps(calls) == 2
        for wanted in (1.6, 1.5):
            undone = await calls.call("undo_edits", {}, profile="auto")
            assert undone.ok, undone.text
            assert index(calls) == wanted
        again = await calls.call("redo_edits", {}, profile="auto")
        assert again.ok, again.text
        assert index(calls) == 1.6
        refused = await calls.call("undo_edits", {}, profile="auto")
        assert refused.ok  # what was redone is its own, too
        assert not (await calls.call("undo_edits", {}, profile="auto")).ok

    run(work)


def test_what_a_hand_did_is_not_undone_and_is_told_with_the_next_result() -> None:
    async def work(calls: ClientCalls) -> None:
        await change(calls, 1.6)
        session = calls.opened.session  # type: ignore[attr-defined]
        session.apply(Set("Main Prism", {"refIndex": 1.9}))
        refused = await calls.call("undo_edits", {}, profile="auto")
        assert not refused.ok
        assert "the person has edited since" in refused.text
        assert "[Changed since your last call, not by you: " in refused.model_text
        assert "1.6 -> 1.9" in refused.model_text
        assert (
            "Changed since" not in (await calls.call("system_stats", {}, profile="auto")).model_text
        )

    run(work)


def test_an_object_changed_by_hand_since_it_was_read_is_an_error_once() -> None:
    async def work(calls: ClientCalls) -> None:
        await calls.call("read_objects", {"names": ["Main Prism"]}, profile="auto")
        calls.opened.session.apply(Set("Main Prism", {"refIndex": 1.9}))  # type: ignore[attr-defined]
        refused = await change(calls, 1.7)
        assert not refused.ok
        assert "Nothing was changed: the person has edited" in refused.text
        assert (await change(calls, 1.7)).ok

    run(work)


def test_the_edit_of_a_running_call_is_not_told_as_a_hands_and_what_a_hand_does_meanwhile_is_told() -> (
    None
):
    edited, free = asyncio.Event(), asyncio.Event()

    @tool_context
    async def edits_and_waits(ctx: ToolContext) -> str:
        """Edit, and wait then."""
        await ctx.apply([{"set": "Main Prism", "refIndex": 1.6}])
        edited.set()
        await free.wait()
        return "done"

    async def work(calls: ClientCalls) -> None:
        running = asyncio.ensure_future(calls.call("edits_and_waits", {}, profile="auto"))
        await edited.wait()
        assert (
            "Changed since" not in (await calls.call("system_stats", {}, profile="auto")).model_text
        )
        calls.opened.session.apply(Set("Main Prism", {"refIndex": 1.9}))  # type: ignore[attr-defined]
        free.set()
        await running
        text = (await calls.call("system_stats", {}, profile="auto")).model_text
        assert text.startswith(
            "[Changed since your last call, not by you: Main Prism: refractive index 1.6 -> 1.9."
        )
        assert (
            "Changed since" not in (await calls.call("system_stats", {}, profile="auto")).model_text
        )

    tool = Tool(
        "edits_and_waits",
        edits_and_waits,
        effect="edit",
        type="subagent",
        signature="() -> :string",
    )
    run(work, tool, backend=lambda: object())


@pytest.mark.parametrize(
    ("profile", "answer", "done"),
    [
        ("read-only", True, False),
        ("ask", True, True),
        ("ask", False, False),
        ("ask", None, False),
        ("auto", None, True),
    ],
)
def test_the_profile_decides(profile: Any, answer: bool | None, done: bool) -> None:
    async def ask(request: ApprovalRequest) -> Decision:
        return Decision(bool(answer), reason="it stays")

    async def work(calls: ClientCalls) -> None:
        outcome = await change(calls, 1.7, profile, ask=None if answer is None else ask)
        assert outcome.ok is done
        assert index(calls) == (1.7 if done else 1.5)
        if answer is False:
            assert "it stays" in outcome.text

    run(work)


def test_allowing_always_holds_for_later_calls() -> None:
    asked: list[str] = []

    async def ask(request: ApprovalRequest) -> Decision:
        asked.append(request.tool.name)
        return Decision(True, always=True)

    async def work(calls: ClientCalls) -> None:
        await change(calls, 1.6, "ask", ask=ask)
        await change(calls, 1.7, "ask", ask=ask)
        assert (asked, index(calls)) == (["change_scene"], 1.7)

    run(work)


def test_edits_wait_for_each_other_and_reads_do_not() -> None:
    going, free = asyncio.Event(), asyncio.Event()

    @tool_context
    async def slow_edit(ctx: ToolContext) -> str:
        """Edit slowly."""
        going.set()
        await free.wait()
        await ctx.apply([{"set": "Main Prism", "refIndex": 1.6}])
        return "slow"

    async def work(calls: ClientCalls) -> None:
        slow = asyncio.ensure_future(calls.call("slow_edit", {}, profile="auto"))
        await asyncio.sleep(0.05)
        later = asyncio.ensure_future(change(calls, 1.7))
        assert (await calls.call("read_objects", {"names": ["Laser"]}, profile="auto")).ok
        await asyncio.sleep(0.1)
        assert (slow.done(), later.done()) == (False, False)
        free.set()
        await asyncio.gather(slow, later)
        assert index(calls) == 1.7

    # its function blocks nothing: it runs in the loop of the calls
    run(
        work,
        Tool("slow_edit", slow_edit, effect="edit", type="subagent", signature="() -> :string"),
        backend=lambda: object(),
    )


def test_the_view_is_changed_when_a_call_has_ended_and_filters_add_up() -> None:
    async def work(calls: ClientCalls) -> None:
        await calls.call(
            "range_filter", {"quantity": "power", "at_least": 0.1}, profile="read-only"
        )
        assert calls.opened.view.has_ray_filter
        await calls.call("range_filter", {"quantity": "power", "at_most": 0.9}, profile="read-only")
        assert len(calls.opened.view.ray_filter.must) == 2
        await calls.call("clear_filter", {}, profile="read-only")
        assert not calls.opened.view.has_ray_filter

    run(work)


def test_cancelling_ends_a_call_and_edits_nothing() -> None:
    free = threading.Event()

    @tool_context
    async def waits(ctx: ToolContext) -> str:
        """Wait, and edit then."""
        while not free.is_set():
            await asyncio.sleep(0.01)
        await ctx.apply([{"set": "Main Prism", "refIndex": 1.7}])
        return "edited"

    async def work(calls: ClientCalls) -> None:
        call = asyncio.ensure_future(calls.call("waits", {}, profile="auto"))
        await asyncio.sleep(0.1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        free.set()
        await asyncio.sleep(0.1)
        assert (index(calls), steps(calls)) == (1.5, 0)

    run(work, Tool.new("waits", (waits, {"effect": "edit"})))


def test_an_unknown_tool_names_those_there_are_and_tasks_for_a_model_need_one() -> None:
    async def work(calls: ClientCalls) -> None:
        outcome = await calls.call("find_rays", {}, profile="auto")
        assert not outcome.ok
        assert "Unknown tool 'find_rays'. Tools: " in outcome.text
        assert not any(tool.type == "subagent" for tool in calls.tools)
        with_model = calls_of(backend=lambda: object())
        assert any(tool.type == "subagent" for tool in with_model.tools)

    run(work)
