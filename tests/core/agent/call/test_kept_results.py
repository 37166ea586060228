"""Results that are kept, and for how long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.open_prism import open_prism, prism_session

from raybench.agent.call.call import ResultCache, cache_key, call_tool
from raybench.agent.call.context import ToolContext
from raybench.agent.call.events import ToolFinished, TurnFinished
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import text_block
from raybench.agent.turn.loop import run_turn
from raybench.agent.turn.transcript import Exchange, transcript_markdown
from raybench.analysis.context import require_context
from raybench.scene.changes import Delete
from raybench.trace.results.result import TraceResult


class Counter:
    """A tool that counts how often it runs."""

    def __init__(self, **options: Any) -> None:
        self.runs = 0
        self.tool = Tool.new("count", (self.count, {"effect": "read", "cache": True} | options))

    def count(self, key: str = "a", size: float = 1.0) -> str:
        """Count."""
        self.runs += 1
        if key == "bad":
            raise ValueError("no such key")
        return f"{key} {self.runs}"

    def outcomes(self, *calls: Any, cache: ResultCache | None = None) -> list[ToolOutcome]:
        cache, opened = cache or ResultCache(), open_prism()

        async def go() -> list[ToolOutcome]:
            return [
                await call_tool(
                    self.tool, arguments, ToolContext(opened, ToolRegistry(), cache=cache)
                )
                for arguments in calls
            ]

        return asyncio.run(go())


def test_a_result_is_kept_for_one_run() -> None:
    counter = Counter()
    assert [
        o.text for o in counter.outcomes({"key": "a"}, {"key": "a"}, {"key": "b"}, {"key": "a"})
    ] == ["a 1", "a 1", "b 2", "a 1"]
    assert [o.text for o in counter.outcomes({"key": "a"})] == ["a 3"]


def test_of_concurrent_calls_the_last_is_kept() -> None:
    counter = Counter()
    cache: ResultCache = ResultCache()
    opened = open_prism()

    async def go() -> None:
        await asyncio.gather(
            *(
                call_tool(counter.tool, {}, ToolContext(opened, ToolRegistry(), cache=cache))
                for _ in range(2)
            )
        )

    asyncio.run(go())
    assert counter.runs == 2
    assert counter.outcomes({}, cache=cache)[0].ok


def test_no_result_about_an_older_scene_is_served() -> None:
    session = prism_session()
    opened, cache = OpenDocument(session), ResultCache()
    tool = Tool.new(
        "revision",
        (
            lambda: require_context().result.revision,
            {"signature": "() -> :int", "effect": "read", "cache": True},
        ),
    )

    async def ask() -> ToolOutcome:
        return await call_tool(tool, {}, ToolContext(opened, ToolRegistry(), cache=cache))

    first = asyncio.run(ask())
    assert asyncio.run(ask()).cached
    session.apply(Delete(session.document.scene.objects[0].key))
    session.result = TraceResult.from_segments((), revision=session.document.revision)
    second = asyncio.run(ask())
    assert (second.cached, second.value) == (False, session.document.revision)
    session.undo()
    session.result = TraceResult.from_segments((), revision=session.document.revision)
    again = asyncio.run(ask())
    assert (again.cached, again.value) == (True, first.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"user-id": 1}, {"user_id": 1}),
        ({"a": {"b-c": 1}}, {"a": {"b_c": 1}}),
        ({"x": 1.0}, {"x": 1}),
        ({"x": [0.0, -0.0]}, {"x": [0, 0]}),
        ({"x": (1, 2)}, {"x": [1, 2]}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({1: "x"}, {"1": "x"}),
        (5, 5),
    ],
)
def test_calls_that_mean_the_same_share_a_key(one: Any, other: Any) -> None:
    assert cache_key("t", one, 1) == cache_key("t", other, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"x": [1, 2]}, {"x": [2, 1]}),
        ({"x": 1.5}, {"x": 1}),
        ({"x": True}, {"x": 1}),
        ({"x": "1"}, {"x": 1}),
        ({"x": None}, {}),
        ({"x": {}}, {"x": []}),
        ({"x": [["a", 1]]}, {"x": {"a": 1}}),
        ({"non_map": 5}, 5),
        ({"a-b": 1, "a_b": 2}, {"a_b": 2}),
    ],
)
def test_calls_that_differ_do_not(one: Any, other: Any) -> None:
    assert cache_key("t", one, 1) != cache_key("t", other, 1)


def test_tool_and_revision_are_part_of_the_key() -> None:
    assert len({cache_key("t", {}, 1), cache_key("u", {}, 1), cache_key("t", {}, 2)}) == 3


def test_a_default_gives_the_same_call() -> None:
    counter = Counter()
    counter.outcomes({}, {"key": "a"}, {"size": 1}, {"size": 1.0, "key": "a"})
    assert counter.runs == 1


def test_a_kept_result_takes_no_time() -> None:
    first, second = Counter().outcomes({}, {})
    assert (first.cached, second.cached) == (False, True)
    assert first.milliseconds > 0
    assert second.milliseconds == 0
    assert (second.text, second.model_text, second.ok) == (first.text, first.model_text, True)
    assert [o["cached"] for o in (first.to_json(), second.to_json())] == [False, True]
    turn = TurnFinished("", outcomes=(second,))
    assert "(kept from before)" in transcript_markdown([Exchange("q", turn)])


def test_failures_are_recorded_but_not_kept() -> None:
    counter = Counter()
    outcomes = counter.outcomes({"key": "bad"}, {"key": "bad"})
    assert [o.ok for o in outcomes] == [False, False]
    assert outcomes[0].text == "no such key"
    assert counter.runs == 2


def test_results_are_kept_without_programs_too() -> None:
    counter = Counter()
    events: list[Any] = []
    backend = ScriptedBackend(
        [[call("count", "a"), call("count", "b", key="a")], [call("count", "c")], "Done."]
    )
    context = ToolContext(
        open_prism(), ToolRegistry((counter.tool,)), message_callback=events.append
    )
    asyncio.run(
        run_turn([], [text_block("q")], backend=backend, tools=(counter.tool,), context=context)
    )
    assert [e.outcome.cached for e in events if isinstance(e, ToolFinished)] == [False, True, True]
    assert counter.runs == 1


def test_without_cache_every_call_runs() -> None:
    counter = Counter(cache=False, expose="both")
    assert [o.model_text for o in counter.outcomes({}, {})] == ["a 1", "a 2"]


def test_results_of_the_last_three_revisions_are_kept() -> None:
    cache: ResultCache[str] = ResultCache()
    for revision in (1, 2, 3):
        cache.put(f"a{revision}", "kept", revision)
    assert cache.get("a1") == "kept"  # used last
    cache.put("b4", "new", 4)
    assert [cache.get(key) for key in ("a1", "a2", "a3", "b4")] == ["kept", None, "kept", "new"]


def test_the_results_used_last_are_kept() -> None:
    cache: ResultCache[str] = ResultCache(2)
    for key in "abc":
        cache.put(key, key)
    assert [cache.get(key) for key in "abc"] == [None, "b", "c"]
