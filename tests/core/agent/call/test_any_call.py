"""Whatever is sent to whatever tool: an outcome, and a function that never sees a value of another
type than it says.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.core.schema.any_types import SIGNATURES
from tests.open_prism import prism_session

from raybench.agent.call.call import call_tool
from raybench.agent.call.context import ToolContext
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome, unknown_tool_outcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.tool import Tool
from raybench.schema.signature import (
    Signature,
    is_optional,
    parse_signature,
    record_fields,
    type_text,
    type_without_null,
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["a-b", "2026-01-31T12:00:00Z"]),
    lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(max_size=4), x, max_size=4),
    max_leaves=8,
)
_session = prism_session()
assert _session.result is not None
BENCH = OpenDocument(_session)


def call(tool: Tool, arguments: Any) -> ToolOutcome:
    return asyncio.run(call_tool(tool, arguments, ToolContext(BENCH, ToolRegistry())))


def all_fit(value: Any, fields: Mapping[str, Any]) -> bool:
    """Whether a value is an object of these fields."""
    return (
        isinstance(value, dict)
        and value.keys() <= fields.keys()
        and all(
            fits(value[name], hint) if name in value else is_optional(hint)
            for name, hint in fields.items()
        )
    )


def fits(value: Any, hint: Any) -> bool:
    """An opinion of its own on what is of a type."""
    if is_optional(hint):
        return value is None or fits(value, type_without_null(hint))
    match type_text(hint):
        case text if text.startswith("["):
            return isinstance(value, list) and all(fits(v, get_args(hint)[0]) for v in value)
        case text if text.startswith("{"):
            return all_fit(value, record_fields(hint))
        case ":any":
            return True
        case ":map":
            return isinstance(value, Mapping)
        case ":datetime":
            return isinstance(value, datetime) and value.tzinfo is not None
        case ":float":
            return isinstance(value, float) and math.isfinite(value)
        case name:
            kind = {":string": str, ":keyword": str, ":int": int, ":bool": bool}[name]
            return isinstance(value, kind) and (name == ":bool" or not isinstance(value, bool))


def near(hint: Any) -> st.SearchStrategy[Any]:
    """Values of JSON that often are of a type, and often are so but for one place."""
    if is_optional(hint):
        return st.none() | near(type_without_null(hint))
    match type_text(hint):
        case text if text.startswith("["):
            return st.lists(near(get_args(hint)[0]), max_size=2) | JSON
        case text if text.startswith("{"):
            fields = {name: near(field) for name, field in record_fields(hint).items()}
            return st.fixed_dictionaries(fields) | JSON
        case name:
            right: st.SearchStrategy[Any] = {
                "string": st.text(max_size=5),
                "keyword": st.just("a-b"),
                "int": st.integers(),
                "float": st.floats() | st.integers(),
                "bool": st.booleans(),
                "map": st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
                "any": JSON,
                "datetime": st.just("2026-01-31T12:00:00+02:00"),
            }[name[1:]]
            return st.one_of(right, right, right, JSON)


@given(st.data(), SIGNATURES)
@settings(max_examples=60, deadline=None)
@pytest.mark.security
def test_a_function_sees_only_what_its_signature_says(
    data: st.DataObject, signature: Signature
) -> None:
    seen: list[dict[str, Any]] = []
    tool = Tool.new(
        "t",
        (
            lambda args, /: seen.append(args),
            {"signature": str(Signature(signature.parameters)), "effect": "read"},
        ),
    )
    fields = {name: near(hint) for name, hint in signature.parameters.items()}
    arguments = data.draw(
        st.fixed_dictionaries(fields) | st.fixed_dictionaries({}, optional=fields) | JSON
    )
    outcome = call(tool, arguments)
    assert outcome.ok == bool(seen)
    assert outcome.text
    for args in seen:
        assert all_fit(args, signature.parameters)
    hidden = any(name.startswith("_") for name in signature.parameters)
    assert not (hidden and seen)


def draw(
    name: str,
    size: float,
    count: int = 1,
    mode: Literal["a", "b"] = "a",
    points: list[float] | None = None,
    at: tuple[float, float] = (0, 0),
) -> str:
    """Draw."""
    assert type(name) is str
    assert type(size) is float
    assert type(count) is int
    assert mode in ("a", "b")
    assert points is None or all(type(p) is float for p in points)
    assert [type(a) for a in at] in ([float, float], [int, int])
    return "drawn"


DRAW = Tool.new("draw", (draw, {"effect": "read"}))


OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "count": st.integers() | JSON,
    "mode": st.just("b") | JSON,
    "points": st.lists(st.floats()) | JSON,
    "at": st.lists(st.floats()) | JSON,
    "more": JSON,
}


@given(
    JSON
    | st.fixed_dictionaries(
        {"name": st.text(max_size=5) | JSON, "size": st.floats() | JSON}, optional=OPTIONAL
    )
)
@settings(max_examples=80, deadline=None)
@example({"name": "\ud800", "size": 1})
@example({"name": "x", "size": 10**400})
@example({"name": "x", "size": 1, "at": [1, 2]})
@example({"name": "x", "size": 1, "at": [1, 2, 3]})
@example({"name": "x", "size": 1, "mode": "a", "points": [1, True]})
def test_type_hints_are_kept_to(arguments: Any) -> None:
    outcome = call(DRAW, arguments)
    assert outcome.text == "drawn" or not outcome.ok
    assert "Assertion" not in outcome.text


REGISTRY = ToolRegistry(agent_tools())
SHIPPED = [
    tool for tool in agent_tools() if tool.name != "run_program"
]  # which has tests of its own: it starts a process


@given(st.sampled_from(SHIPPED), st.data())
@settings(max_examples=100, deadline=None)
@pytest.mark.security
def test_shipped_tools_answer_or_explain(tool: Tool, data: st.DataObject) -> None:
    parameters = tool.parsed_signature.parameters if tool.parsed_signature is not None else {}
    fields = {
        name: st.sampled_from(["Main Prism", "S", "N"]) | near(hint)
        for name, hint in parameters.items()
    }
    context = ToolContext(OpenDocument(_session), REGISTRY)
    outcome = asyncio.run(context.run(tool, data.draw(st.fixed_dictionaries({}, optional=fields))))
    assert outcome.text.strip() or outcome.value == ""
    assert not outcome.text.startswith(("TypeError", "AttributeError", "IndexError", "KeyError"))


@pytest.mark.parametrize("depth", [50, 99, 101, 400, 900, 50_000])
@pytest.mark.parametrize("kind", ["list", "object"])
@pytest.mark.security
def test_arguments_of_any_depth_are_taken_or_refused(depth: int, kind: str) -> None:
    deep: Any = "x"
    for _ in range(depth):
        deep = [deep] if kind == "list" else {"a": deep}
    taken = Tool.new(
        "t", (lambda a: a, {"signature": "(a :any) -> :any", "effect": "read", "cache": True})
    )
    private = Tool.new("t", (lambda a: a, {"visibility": "private"}))
    context = ToolContext(OpenDocument(_session), REGISTRY)
    for tool in (taken, private, DRAW, *SHIPPED):
        outcome = asyncio.run(
            context.run(tool, dict.fromkeys(("a", "name", *tool.parameters.names), deep))
        )
        assert outcome.text
        assert json.dumps(dict(outcome.arguments)) is not None
        assert outcome.ok == (depth < 100) or tool is not taken
    assert unknown_tool_outcome("t", {"a": deep}, ()).text == "Unknown tool 't'. Tools: (none)"


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    outcome = asyncio.run(
        ToolContext(OpenDocument(_session), REGISTRY).run(DRAW, {"name": "x", "size": 10**5000})
    )
    assert (outcome.ok, dict(outcome.arguments)) == (False, {})


@given(st.text() | st.sampled_from(["(", "(a :int", "(_x :int) -> :any", "(a :int) -> :any"]), JSON)
@settings(max_examples=100, deadline=None)
def test_no_signature_runs_a_function_unchecked(text: str, arguments: Any) -> None:
    seen: list[Any] = []
    outcome = call(
        Tool.new("t", (lambda args, /: seen.append(args), {"signature": text, "effect": "read"})),
        arguments,
    )
    assert outcome.ok == bool(seen)
    if seen:
        assert all_fit(seen[0], parse_signature(text).parameters)


@given(JSON)
@settings(max_examples=100, deadline=None)
def test_without_validation_a_function_gets_an_object(arguments: Any) -> None:
    for function in (lambda args, /: args, lambda: 1, lambda a, b=2: (a, b), lambda **named: named):
        outcome = call(Tool.new("t", (function, {"effect": "read"})), arguments)
        assert (
            outcome.ok
            or "must be an object" in outcome.text
            or "no JSON" in outcome.text
            or "argument" in outcome.text
        )
