"""What a model sees of a result that is kept for programs."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Callable
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.open_prism import open_prism

from raybench.agent.call.call import ResultCache, cache_hint, call_tool
from raybench.agent.call.context import ToolContext
from raybench.agent.call.outcome import MOST_KEYS, ResultPreview, ToolOutcome, value_metadata
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.programs.program_tool import program_tool
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.analysis.context import require_context
from raybench.trace.results.ray_set import RaySet


def previewed(
    result: Any, preview: Any = "metadata", arguments: dict[str, Any] | None = None, **options: Any
) -> dict[str, Any]:
    tool = made(lambda args: result, {"preview": preview, **options})
    return json.loads(outcome_of(tool, arguments or {}).model_text)


def made(function: Callable[..., Any], native_result: dict[str, Any]) -> Tool:
    options = {"expose": "both", "cache": True, "native_result": native_result, "effect": "read"}
    return Tool.new("search-logs", (function, options))


def outcome_of(tool: Tool, arguments: dict[str, Any]) -> ToolOutcome:
    return asyncio.run(
        call_tool(tool, arguments, ToolContext(open_prism(), ToolRegistry(), cache=ResultCache()))
    )


def test_every_preview_names_the_kept_result() -> None:
    shown = previewed(
        [1, 2], arguments={"user-id": 3.0, "query": 'say "it\'s"\n', "all": True, "in": [1.0, None]}
    )
    assert shown["status"] == "ok"
    assert shown["full_result_cached"] is True
    call = """search_logs(all=True, in=[1, None], query='say "it\\'s"\\n', user_id=3)"""
    assert (
        shown["cache_hint"]
        == f"The full result is kept: {call} in a program returns it without running again."
    )


def test_what_is_kept_is_the_whole_result() -> None:
    outcome = outcome_of(made(lambda args: list(range(1000)), {}), {})
    assert outcome.value == list(range(1000))
    assert "999" not in outcome.model_text


def test_a_program_gets_the_kept_result() -> None:
    runs: list[object] = []
    tool = made(
        lambda args: runs.append(args) or list(range(1000)), {"preview": "rows", "limit": 2}
    )
    hint = cache_hint(tool, {"user-id": 3, "query": "it's"})
    code = hint.removeprefix("The full result is kept: ").partition(" in a program")[0]
    native = call("search_logs", "a", **{"user-id": 3, "query": "it's"})
    backend = ScriptedBackend([[native], [call("run_program", "b", code=f"len({code})")], "1000."])
    turn = asyncio.run(Conversation(open_prism(), backend, (tool, program_tool())).say("How many?"))
    first, inner, program = turn.outcomes
    assert json.loads(first.model_text)["rows"] == [0, 1]
    assert (inner.tool, inner.cached, program.text) == ("search-logs", True, "1000")
    assert len(runs) == 1


def test_a_preview_by_a_function_cannot_say_otherwise() -> None:
    shown = previewed(
        5,
        lambda result: {
            "status": "bad",
            "full_result_cached": False,
            "cache_hint": "",
            "mine": result,
        },
    )
    assert (shown["status"], shown["full_result_cached"], shown["mine"]) == ("ok", True, 5)
    assert shown["cache_hint"].startswith("The full result is kept")


def test_the_hint_is_code_that_runs() -> None:
    tool = Tool("t")
    hint = cache_hint(tool, {"a": {"b": 1.0, "c": ["'", None, True]}})
    code = hint.removeprefix("The full result is kept: ").partition(" in a program")[0]
    assert eval(code, {"t": lambda **given: given}) == {"a": {"b": 1, "c": ["'", None, True]}}


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (
            [{"b": 1, "a": "x"}, {"a": "y", "b": 2}],
            {
                "result_count": 2,
                "schema": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
                    },
                },
                "sample_keys": ["a", "b"],
            },
        ),
        (
            [{"a": 1}, {"b": 1}],
            {"result_count": 2, "schema": {"type": "array", "items": {"type": "object"}}},
        ),
        ([{"a": 1}, 5], {"result_count": 2, "schema": {"type": "array", "items": {"type": "any"}}}),
        ([1, 2], {"result_count": 2, "schema": {"type": "array", "items": {"type": "integer"}}}),
        ([1, 2.5], {"result_count": 2, "schema": {"type": "array", "items": {"type": "number"}}}),
        ([1, "x"], {"result_count": 2, "schema": {"type": "array", "items": {"type": "any"}}}),
        ([], {"result_count": 0, "schema": {"type": "array", "items": {}}}),
        (
            {"z": [], "a": None},
            {
                "schema": {
                    "type": "object",
                    "properties": {"a": {"type": "null"}, "z": {"type": "array"}},
                },
                "sample_keys": ["a", "z"],
            },
        ),
        ({}, {"schema": {"type": "object", "properties": {}}, "sample_keys": []}),
        ("text", {"schema": {"type": "string"}}),
        (2.5, {"schema": {"type": "number"}}),
        (None, {"schema": {"type": "null"}}),
    ],
)
def test_metadata(result: Any, shown: dict[str, Any]) -> None:
    assert value_metadata(result) == shown
    assert previewed(result).items() >= shown.items()


def test_the_first_five_items_speak_for_a_list() -> None:
    same = [{"a": 1}] * 5
    assert "sample_keys" in value_metadata([*same, {"b": 1}])
    assert "sample_keys" not in value_metadata([*same[:4], {"b": 1}])


def test_many_keys_are_truncated_in_the_schema() -> None:
    many = {f"k{i:02}": i for i in reversed(range(MOST_KEYS + 1))}
    for result, where in (
        (many, lambda shown: shown["schema"]),
        ([many], lambda shown: shown["schema"]["items"]),
    ):
        shown = value_metadata(result)
        assert where(shown)["truncated"] is True
        assert (
            shown["sample_keys"]
            == list(where(shown)["properties"])
            == [f"k{i:02}" for i in range(MOST_KEYS)]
        )
        assert "truncated" not in shown
    assert "truncated" not in value_metadata({f"k{i}": i for i in range(MOST_KEYS)})["schema"]


def test_rows_are_the_first_ones_as_they_are() -> None:
    when = datetime(2026, 1, 31, 12, tzinfo=UTC)
    shown = previewed(
        [{"on": date(2026, 1, 31), "at": when, "n": np.float64(i)} for i in range(30)], "rows"
    )
    assert len(shown["rows"]) == 20
    assert shown["rows"][1] == {"on": "2026-01-31", "at": "2026-01-31T12:00:00Z", "n": 1.0}
    assert shown["result_count"] == 30
    assert [len(previewed([1, 2, 3], "rows", limit=limit)["rows"]) for limit in (2, 9)] == [2, 3]


def test_what_is_no_list_has_no_rows() -> None:
    shown = previewed({"a": 1}, "rows")
    assert "rows" not in shown
    assert shown["sample_keys"] == ["a"]


def test_a_preview_by_a_function_is_merged() -> None:
    shown = previewed([3, 4], lambda result: {"sum": sum(result), "when": date(2026, 1, 31)})
    assert (shown["sum"], shown["when"]) == (7, "2026-01-31")
    assert "schema" not in shown


@pytest.mark.parametrize(
    ("preview", "reason"),
    [
        (lambda result: result["no"], "list indices"),
        (lambda result: 5, "it returned int"),
        (lambda result: {"a": object()}, "has no form in JSON"),
        (lambda result: {"a": float("nan")}, "not JSON compliant"),
    ],
)
def test_a_preview_that_fails_is_replaced_and_logged(
    preview: Any, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    shown = ResultPreview(preview).render_preview([1], "hint")
    assert shown["schema"] == {"type": "array", "items": {"type": "integer"}}
    assert reason in caplog.text


def test_false_is_a_boolean() -> None:
    assert value_metadata([False, True])["schema"]["items"] == {"type": "boolean"}
    assert value_metadata({"a": False})["schema"]["properties"]["a"] == {"type": "boolean"}
    assert value_metadata(False) == {"schema": {"type": "boolean"}}


def test_errors_name_what_was_given_and_taken() -> None:
    def look(name: str, count: int = 1) -> str:
        return name

    outcome = asyncio.run(
        call_tool(
            Tool.new("look", (look, {"effect": "read"})),
            {"name": 5},
            ToolContext(open_prism(), ToolRegistry()),
        )
    )
    assert (
        outcome.model_text
        == "look: 'name' must be a string, got 5. Parameters: name: string, count: integer = 1."
    )


@pytest.mark.parametrize(
    "result", [{1, 2}, np.arange(3), {"x": {2: (1, 2)}}, "\ud800", 1 + 2j, iter([1])]
)
def test_any_result_becomes_text(result: Any) -> None:
    outcome = asyncio.run(
        call_tool(
            Tool.new("x", (lambda: result, {"effect": "read"})),
            {},
            ToolContext(open_prism(), ToolRegistry()),
        )
    )
    assert outcome.ok
    assert outcome.text
    json.dumps(outcome.value)


def cyclic() -> list[Any]:
    loop: list[Any] = []
    loop.append(loop)
    return loop


async def yields() -> AsyncIterator[int]:
    yield 1


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (object, "an object has no form in JSON. Return numbers, texts, lists, dicts or"),
        (lambda: [Tool], "the class Tool has no form in JSON. Return numbers"),
        (lambda: {"rows": range(3)}, "a range has no form in JSON. Return numbers"),
        (cyclic, "Circular reference detected"),
        (lambda: b"\xff", "can't decode byte 0xff"),
        (yields, "an async_generator has no form in JSON. Collect what it yields in a list"),
    ],
)
def test_what_has_no_form_in_json_is_no_result(make: Callable[[], Any], why: str) -> None:
    outcome = asyncio.run(
        call_tool(
            Tool.new("x", (make, {"effect": "read", "signature": "() -> :any"})),
            {},
            ToolContext(open_prism(), ToolRegistry()),
        )
    )
    assert not outcome.ok
    assert outcome.text.startswith("x returned what is no result: ")
    assert why in outcome.text


async def waits(a: int) -> int:
    await asyncio.sleep(0)
    return a


class Waits:
    async def __call__(self, a: int) -> int:
        return await waits(a)


def wrapped(*args: Any, **named: Any) -> Any:
    return waits(*args, **named)


async def twice(a: int) -> Any:
    return waits(a)


@pytest.mark.parametrize(
    "function",
    [
        lambda a: waits(a),
        functools.partial(waits),
        functools.wraps(waits)(wrapped),
        Waits(),
        twice,
        functools.cache(lambda a: waits(a)),
    ],
    ids=["a lambda", "a partial", "a decorator", "an object", "twice", "a cache"],
)
def test_what_can_be_awaited_is_awaited(function: Callable[..., Any]) -> None:
    tool = Tool.new("x", (function, {"effect": "read", "signature": "(a :int) -> :int"}))
    context = ToolContext(open_prism(), ToolRegistry())
    assert asyncio.run(call_tool(tool, {"a": 7}, context)).value == 7


def test_a_preview_names_the_ray_set() -> None:
    def find() -> list[int]:
        context = require_context()
        context.record_answer(RaySet(np.array([1, 3]), "", context.result.revision))
        return [1, 3]

    outcome = outcome_of(made(find, {"preview": "rows"}), {})
    finding, _, preview = outcome.model_text.partition("\n")
    assert "2 rays (R1)" in finding
    assert json.loads(preview)["ray_set"] == "R1"


def test_a_result_must_fit_its_signature() -> None:
    def tool(result: Any) -> Tool:
        return Tool.new("x", (lambda: result, {"signature": "() -> [{id :int}]", "effect": "read"}))

    assert asyncio.run(
        call_tool(tool([{"id": 1}]), {}, ToolContext(open_prism(), ToolRegistry()))
    ).ok
    outcome = asyncio.run(
        call_tool(tool([{"id": "1"}]), {}, ToolContext(open_prism(), ToolRegistry()))
    )
    assert not outcome.ok
    assert "0.id: expected int, got string" in outcome.text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(max_size=4), x, max_size=4),
        max_leaves=10,
    ),
    st.sampled_from(["metadata", "rows"]),
)
@settings(max_examples=100, deadline=None)
def test_any_result_has_a_preview(result: Any, preview: Any) -> None:
    shown = ResultPreview(preview).render_preview(result, "hint", "R1")
    assert (
        shown.items()
        >= {
            "status": "ok",
            "full_result_cached": True,
            "cache_hint": "hint",
            "ray_set": "R1",
        }.items()
    )
    json.dumps(shown)
