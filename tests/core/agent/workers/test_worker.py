"""Workers at work: a model with instructions, tools and limits of its own, called like any other
tool.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from tests.core.agent.call.edit_tool import EDIT
from tests.core.agent.project import context, registry, run, worker, write
from tests.messages_server import MessagesServer, say, use
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.approval import ALLOW_ALL, READ_ONLY
from raybench.agent.call.context import ToolContext, ToolFailed
from raybench.agent.call.events import ToolFinished, ToolStarted, TurnEvent, TurnFinished
from raybench.agent.catalogue.registry import AmbiguousTools
from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.protocol import BackendError, TextDelta, Usage
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.programs.program_tool import program_tool
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation

INSIDE = "find_rays_inside_glass_xml"


def requests(ctx: ToolContext) -> Any:
    assert isinstance(ctx.backend, ScriptedBackend)
    return ctx.backend.requests


def test_a_worker_has_its_own_tools_and_instructions(tmp_path: Path) -> None:
    write(tmp_path, counter=worker("Count the rays.", tools="find_*"))
    ctx, events = context(
        tmp_path, [["Looking.", call(INSIDE, glass_name="Main Prism")], "There are 2 (R1)."]
    )
    assert run(ctx.call_tool("counter", "How many?")) == "There are 2 (R1)."
    first = requests(ctx)[0][0]["content"]
    assert first[0]["text"].startswith("[The scene now")
    assert first[-1]["text"] == "How many?"
    assert [e.tool for e in events if isinstance(e, ToolStarted)] == ["counter", INSIDE]
    assert not any(isinstance(e, TextDelta) for e in events)


@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_blank_input_is_told_in_words(tmp_path: Path, blank: str) -> None:
    """The Messages API refuses blank texts."""
    ctx, _ = context(write(tmp_path, one=worker()), ["Done."])
    run(ctx.call_tool("one", {"input": blank}))
    assert requests(ctx)[0][0]["content"][-1]["text"] == "(no input)"


def test_a_worker_sees_only_tools_it_may_use(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        one=worker(tools="find_*, edit, one"),
        two=worker(tools="find_*, edit", effects="read, edit"),
    )
    found = registry(tmp_path, (*TOOLS, EDIT))
    one, two = (found.find_tool(name).handler for name in ("one", "two"))
    assert [t.name for t in found.tools if one.allows_tool(t)] == [INSIDE]  # type: ignore[union-attr]
    assert [t.name for t in found.tools if two.allows_tool(t)] == [INSIDE, "edit"]  # type: ignore[union-attr]


def test_other_tools_are_unknown_to_a_worker(tmp_path: Path) -> None:
    ctx, events = context(
        write(tmp_path, one=worker(tools="find_*")), [[call("scale", factor=1.0)], "No."]
    )
    run(ctx.call_tool("one", "x"))
    assert (
        next(e.outcome.text for e in events if isinstance(e, ToolFinished))
        == f"Unknown tool 'scale'. Tools: {INSIDE}"
    )


@pytest.mark.parametrize(
    ("effects", "approvals", "done"),
    [("read, edit", ALLOW_ALL, True), ("read, edit", READ_ONLY, False), ("read", ALLOW_ALL, False)],
)
def test_a_workers_edits_need_the_runs_approval(
    tmp_path: Path, effects: str, approvals: Any, done: bool
) -> None:
    write(tmp_path, one=worker(tools="edit", effects=effects))
    ctx, _ = context(tmp_path, [[call("edit")], "Done."], approvals=approvals, builtin=[EDIT])
    before = ctx.document
    run(ctx.call_tool("one", "x"))
    assert (ctx.document is not before) is done


def test_a_reading_worker_cannot_edit_indirectly(
    tmp_path: Path,
) -> None:
    sly = Tool.new("sly", (EDIT.function, {"effect": "read"}))
    write(tmp_path, one=worker(tools="sly"), two=worker(tools="sly", effects="read, edit"))
    for name, done in (("one", False), ("two", True)):
        ctx, _ = context(tmp_path, [[call("sly")], "Done."], builtin=[sly])
        before = ctx.document
        run(ctx.call_tool(name, "x"))
        assert (ctx.document is not before) is done


def test_a_worker_takes_text_or_attachments(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,2")
    write(tmp_path, one=worker())
    ctx, _ = context(tmp_path, ["a", "b", "c"])
    assert run(ctx.call_tool("one", "plain")) == "a"
    assert run(ctx.call_tool("one", {"input": "wrapped"})) == "b"
    assert (
        run(
            ctx.call_tool("one", {"input": "with a file", "attachments": [str(tmp_path / "a.csv")]})
        )
        == "c"
    )
    texts = [[b["text"] for b in messages[0]["content"]][1:] for messages in requests(ctx)]
    assert texts == [["plain"], ["wrapped"], ["[Attached file a.csv]\n1,2", "with a file"]]


def test_a_worker_follows_its_signature(tmp_path: Path) -> None:
    write(
        tmp_path,
        one=worker(signature="'(glass :string, limit :int?) -> {count :int, why :string?}'"),
    )
    ctx, _ = context(
        tmp_path, ['```json\n{"count": 2}\n```', "{}", '{"count": 3, "why": "x"}', "no", "no"]
    )
    assert run(ctx.call_tool("one", {"glass": "Main Prism"})) == {"count": 2}
    assert json.loads(requests(ctx)[0][0]["content"][-1]["text"]) == {"glass": "Main Prism"}
    assert run(ctx.call_tool("one", {"glass": "Main Prism", "limit": 3})) == {
        "count": 3,
        "why": "x",
    }
    assert "count: expected field, got nothing" in requests(ctx)[2][-1]["content"][-1]["text"]
    with pytest.raises(
        ToolFailed,
        match=r"one did not answer as \{count :int, why :string\?\}: it is not valid JSON",
    ):
        run(ctx.call_tool("one", {"glass": "Main Prism"}))
    with pytest.raises(ToolFailed, match="'limit' must be an integer"):
        run(ctx.call_tool("one", {"glass": "Main Prism", "limit": "3"}))


def test_a_deeply_nested_answer_is_asked_for_again(tmp_path: Path) -> None:
    ctx, _ = context(
        write(tmp_path, one=worker(signature="'() -> {count :int}'")),
        ["[" * 100_000, '{"count": 2}'],
    )
    assert run(ctx.call_tool("one", {})) == {"count": 2}


def test_a_model_that_fails_is_the_workers_error(tmp_path: Path) -> None:
    ctx, _ = context(
        write(tmp_path, one=worker()), [[BackendError("The host is gone. Ask again.")]]
    )
    with pytest.raises(ToolFailed, match=r"one: The host is gone. Ask again\."):
        run(ctx.call_tool("one", "x"))


def test_without_a_model_a_worker_says_so(tmp_path: Path) -> None:
    ctx, _ = context(write(tmp_path, one=worker()))
    with pytest.raises(ToolFailed, match="one is a task for a model, and none is connected"):
        run(dataclasses.replace(ctx, backend=None).call_tool("one", "x"))


class ManyModels(ScriptedBackend):
    """Tells which model it was asked for."""

    def for_model(self, name: str) -> ScriptedBackend:
        return ScriptedBackend([f"answered by {name}"])


def test_the_persons_model_precedes_the_workers(tmp_path: Path) -> None:
    write(tmp_path, one=worker(model="small"), two=worker())
    ctx, _ = context(tmp_path)
    ctx = dataclasses.replace(ctx, backend=ManyModels(["answered by the default"]))
    assert run(ctx.call_tool("one", "x")) == "answered by small"
    assert run(ctx.call_tool("two", "x")) == "answered by the default"
    assert run(dataclasses.replace(ctx, model="big").call_tool("one", "x")) == "answered by big"


def test_a_worker_closes_no_connection_of_the_conversation(tmp_path: Path) -> None:
    class Closing(ScriptedBackend):
        closed = False

        def for_model(self, name: str) -> ScriptedBackend:
            return shared

        async def close(self) -> None:
            self.closed = True

    shared = Closing(["one answer", "another"])
    ctx, _ = context(write(tmp_path, one=worker(model="small")))
    ctx = dataclasses.replace(ctx, backend=Closing([]))
    assert run(ctx.call_tool("one", "x")) == "one answer"
    assert run(ctx.call_tool("one", "x")) == "another"
    assert not shared.closed


def test_what_a_worker_costs_is_counted_by_model(tmp_path: Path) -> None:
    ctx, _ = context(write(tmp_path, one=worker()), ["a", "b"])
    run(ctx.call_tool("one", "x"))
    ctx.cost_tracker.add_usage("other", Usage(3, 4))
    ctx.cost_tracker.add_usage("other", Usage(1, 1))
    assert set(ctx.cost_tracker.by_model) == {"scripted", "other"}
    assert ctx.cost_tracker.total == Usage(4, 5)


@pytest.mark.parametrize(("model", "cost"), [("", 60.0), ("small", None)])
def test_a_turn_counts_the_tokens_of_workers(
    tmp_path: Path, model: str, cost: float | None
) -> None:
    class Dear(AnthropicBackend):
        def cost(self, usage: Usage) -> float | None:
            return None if self.model == "small" else usage.output_tokens

    async def turns(url: str) -> list[TurnFinished]:
        found = registry(write(tmp_path, judge=worker(**({"model": model} if model else {}))))
        talk = Conversation(open_prism(), Dear("some-model", url, "key"), registry=found)
        try:
            return [await talk.say("Judge it."), await talk.say("/judge x")]
        finally:
            await talk.close()

    with MessagesServer(
        [use("judge", input="x"), say("Guilty."), say("It is."), say("Guilty.")]
    ) as server:
        asked, typed = asyncio.run(turns(server.url))
    assert (asked.usage, asked.cost) == (Usage(300, 60), cost)
    assert (typed.usage, typed.cost) == (Usage(100, 20), cost and 20.0)


def test_attachments_are_checked_by_the_workers_policy(tmp_path: Path) -> None:
    write(
        tmp_path,
        few=worker(attachments="{max_count: 1, max_bytes: 5, suffixes: [csv]}"),
        none=worker(attachments="none"),
        any=worker(),
    )
    for name, text in (("a.csv", "1,2"), ("long.csv", "123456"), ("b.txt", "x")):
        (tmp_path / name).write_text(text)
    (tmp_path / "c.bin").write_bytes(b"\xff\xfe\x00")
    ctx, _ = context(tmp_path, ["ok"])

    def attach(name: str, *files: str) -> str:
        return str(
            run(ctx.call_tool(name, {"input": "x", "attachments": [tmp_path / f for f in files]}))
        )

    assert attach("few", "a.csv") == "ok"
    for name, files, message in (
        ("few", ["a.csv", "a.csv"], "at most 1 attachments, 2 were given"),
        ("few", ["long.csv"], "at most 5 bytes"),
        ("few", ["b.txt"], "takes no .txt: .*b.txt. It takes .csv"),
        ("few", ["d.csv"], "there is no such file"),
        ("none", ["a.csv"], "at most 0 attachments"),
        ("any", ["a.csv"] * 5, "at most 4 attachments"),
        ("any", ["c.bin"], "neither a picture nor text"),
    ):
        with pytest.raises(ToolFailed, match=message):
            attach(name, *files)


def test_attachments_of_code_are_not_handed_on(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        tools="""
        from raybench.agent.call.context import tool_context

        @tool_context
        async def main(ctx, hand_on: bool) -> str:
            given = {"attachments": list(ctx.attachments)} if hand_on else {}
            return await ctx.call_tool("one", {"input": "x", **given})
        """,
        one=worker(),
    )
    (tmp_path / "a.txt").write_text("private")
    ctx, _ = context(tmp_path, ["a", "b"])
    ctx = dataclasses.replace(ctx, attachments=(tmp_path / "a.txt",))
    run(ctx.call_tool("main", False))
    run(ctx.call_tool("main", True))
    assert "private" not in json.dumps(requests(ctx)[0])
    assert "private" in json.dumps(requests(ctx)[1])


def test_a_picture_is_attached_as_one(tmp_path: Path) -> None:
    (tmp_path / "p.PNG").write_bytes(b"\x89PNG")
    ctx, _ = context(write(tmp_path, one=worker()), ["seen"])
    run(ctx.call_tool("one", {"input": "x", "attachments": [tmp_path / "p.PNG"]}))
    assert requests(ctx)[0][0]["content"][1]["source"] == {
        "type": "base64",
        "media_type": "image/png",
        "data": "iVBORw==",
    }


def test_a_worker_cannot_replace_a_builtin_tool(tmp_path: Path) -> None:
    with pytest.raises(AmbiguousTools, match=r"scale \(built in\) and scale.worker both exist"):
        assert registry(write(tmp_path, scale=worker())).tools
    with pytest.raises(AmbiguousTools, match="stray_light_auditor"):
        assert registry(write(tmp_path, scale=worker(), stray_light_auditor=worker())).tools


def test_stopping_the_turn_stops_its_workers(tmp_path: Path) -> None:
    ctx, _ = context(
        write(tmp_path, one=worker(tools="slow")), [[call("slow", seconds=5.0)], "never"]
    )

    async def go() -> None:
        task = asyncio.create_task(ctx.call_tool("one", "x"))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(asyncio.wait_for(go(), 3))


def test_the_shipped_auditor_works(tmp_path: Path) -> None:
    backend = ScriptedBackend(
        [
            [call("stray_light_auditor", "a", concern="ghosts")],
            [call(INSIDE, "b", glass_name="Main Prism")],
            "Verdict: 2 rays are reflected inside Main Prism (R1).",
            "There is a ghost.",
        ]
    )
    events: list[TurnEvent] = []
    conversation = Conversation(open_prism(), backend, TOOLS)
    turn = asyncio.run(conversation.say("Audit it", events.append))
    assert turn.answer == "There is a ghost."
    assert turn.sources == (INSIDE, "stray_light_auditor")
    started = [e for e in events if isinstance(e, ToolStarted)]
    assert [(e.tool, e.within) for e in started] == [("stray_light_auditor", ""), (INSIDE, "a")]
    assert (
        backend.requests[3][-1]["content"][0]["content"]
        == "Verdict: 2 rays are reflected inside Main Prism (R1)."
    )
    assert isinstance(conversation.registry.find_tool("stray_light_auditor").tool, Tool)


def test_a_worker_calls_itself_to_the_limit(
    tmp_path: Path,
) -> None:
    write(tmp_path, split=worker(tools="self", signature='"(part :string) -> :string"'))
    again = [call("self", part="half")]
    ctx, events = context(tmp_path, [*[again] * 6, "Too deep.", "5", "4", "3", "2", "1"])
    assert run(ctx.call_tool("split", "whole")) == "1"
    outcomes = [event.outcome for event in events if isinstance(event, ToolFinished)]
    assert [(o.tool, o.ok, o.text) for o in outcomes[:2]] == [
        ("self", False, outcomes[0].text),
        ("self", True, "Too deep."),
    ]
    assert "deep" in outcomes[0].text


TOOLS_OF_OTHERS = """
from raybench.tools import tool_options

@tool_options(effect="read")
def listed() -> int:
    return 1

@tool_options(effect="read")
def unlisted() -> int:
    return 2

@tool_options(effect="read", expose="program")
def counted() -> int:
    '''Count in programs.'''
    return 3

@tool_options(effect="read", visibility="private")
def secret() -> int:
    return 4

def outside() -> int:
    return 5
"""


@pytest.mark.security
def test_a_program_of_a_worker_calls_only_what_the_worker_may(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=TOOLS_OF_OTHERS,
        coder=worker(tools="run_program, listed, counted, outside, self"),
    )
    names = ("listed", "counted", "unlisted", "outside", "secret", INSIDE)
    programs = [call("run_program", code=f"{name}()") for name in names]
    ctx, events = context(tmp_path, [programs, "Done."], builtin=(*TOOLS, program_tool()))
    assert run(ctx.call_tool("coder", "Go.")) == "Done."
    ended = [e.outcome for e in events if isinstance(e, ToolFinished)]
    assert {(o.tool, o.text) for o in ended if o.ok} == {
        ("listed", "1"),
        ("counted", "3"),
        ("run_program", "1"),
        ("run_program", "3"),
        ("coder", "Done."),
    }
    refused = [o.text for o in ended if not o.ok]
    assert len(refused) == 4
    assert all("is not defined. " in text for text in refused)
    assert "Tools: counted, listed, self." in str(refused)
    coder = ctx.registry.find_tool("coder").handler
    offered = ctx.registry.select_tools(coder.allows_tool)  # type: ignore[union-attr]
    described = {tool.name: tool.description or "" for tool in offered}
    assert described["run_program"].endswith("- counted() -> :int: Count in programs.")


def test_tools_that_a_worker_lists_and_cannot_use_are_problems(tmp_path: Path) -> None:
    tools = "secret, counted, outside, unlistd, listed, one, find_*"
    write(tmp_path, tools=TOOLS_OF_OTHERS, one=worker(tools=tools))
    assert [text.partition("one.worker: it lists ")[2] for text in registry(tmp_path).problems] == [
        "the tool secret, which is private: only tools that name it among their calls can call it."
        " Make it public.",
        "the tool counted, which only programs can call. List run_program, too.",
        "the tool outside, whose effect is external, but allows read. Write effects: read, external."
        ' Its effect is not stated: if it only reads, write @tool_options(effect="read").',
        "the tool unlistd, which does not exist. Did you mean unlisted, listed, counted?",
        "itself as one. Write self.",
    ]
