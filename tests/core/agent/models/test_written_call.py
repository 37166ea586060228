"""A call that a model wrote as JSON, checked strictly and in a fixed
order.
"""

from __future__ import annotations

from typing import Any

import pytest

from raybench.agent.models.text_protocol import call_fault, parse_call
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.loop import MAX_STEPS
from raybench.analysis.answers.preview import PREVIEW_CHARACTERS


def generate(
    prompt: str, width: int = 1024, guidance_scale: float = 3.5, tiled: bool = False
) -> str:
    """Make a picture."""
    return prompt


TOOLS = (
    Tool.new("generate", generate),
    Tool.new("stats", lambda: "ok"),
    Tool.new("collect", (print, "(fields {a :int}, items [:string], note :string?) -> :any")),
    Tool.new("hidden", (generate, {"visibility": "private"})),
    Tool.new("bad", (generate, "(oops")),
)


def read(**args: Any) -> str:
    return call_fault({"tool": "generate", "args": {"prompt": "x"} | args}, TOOLS)


def test_an_argument_has_type_and_default() -> None:
    schema = TOOLS[0].input_schema
    assert schema["required"] == ["prompt"]
    assert schema["properties"]["width"] == {"type": "integer", "default": 1024}
    assert TOOLS[0].timeout_s == 12.0
    assert MAX_STEPS >= 5
    assert PREVIEW_CHARACTERS >= 900


@pytest.mark.parametrize("payload", [None, [], "x", 5])
def test_a_payload_that_is_no_object(payload: Any) -> None:
    assert call_fault(payload, TOOLS) == "Payload must be an object"


@pytest.mark.parametrize(
    "payload", [{}, {"tool": "stats"}, {"args": {}}, {"tool": "stats", "args": {}, "why": "x"}]
)
def test_exactly_two_keys(payload: Any) -> None:
    assert call_fault(payload, TOOLS) == "Payload must have exactly 'tool' and 'args' keys"


@pytest.mark.parametrize("name", [None, 5, ["stats"]])
def test_the_tool_is_named_by_a_string(name: Any) -> None:
    assert call_fault({"tool": name, "args": {}}, TOOLS) == "'tool' must be a string"


@pytest.mark.parametrize("name", ["foo", "", "hidden"])
def test_an_unknown_tool_is_named(name: str) -> None:
    assert call_fault({"tool": name, "args": {}}, TOOLS) == f"Unknown tool '{name}'"


@pytest.mark.parametrize("args", [None, [], "x"])
def test_arguments_are_an_object(args: Any) -> None:
    assert call_fault({"tool": "generate", "args": args}, TOOLS) == "'args' must be an object"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"width": "5"}, "width must be int"),
        ({"prompt": 123}, "prompt must be string"),
        ({"tiled": 1}, "tiled must be bool"),
        ({"width": 20.5}, "width must be int"),
        ({"guidance_scale": "4"}, "guidance_scale must be float"),
        ({"tiled": 1, "width": "5"}, "width must be int"),
    ],
)
def test_the_first_wrong_argument_is_named(args: dict[str, Any], error: str) -> None:
    assert read(**args) == error


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"width": True}, "width must be int"),
        ({"tiled": 0}, "tiled must be bool"),
        ({"guidance_scale": True}, "guidance_scale must be float"),
        ({"guidance_scale": float("nan")}, "guidance_scale must be float"),
    ],
)
def test_a_truth_value_is_no_number(args: dict[str, Any], error: str) -> None:
    assert read(**args) == error


def test_a_whole_number_is_a_float() -> None:
    assert read(guidance_scale=4) == ""


@pytest.mark.parametrize("name", ["prompt", "width", "guidance_scale", "tiled"])
def test_null_is_no_value(name: str) -> None:
    assert read(**{name: None}).startswith(f"{name} must be")


def test_what_is_missing_is_reported_or_filled_in() -> None:
    assert (
        call_fault({"tool": "generate", "args": {"width": 5}}, TOOLS)
        == "Missing required arg 'prompt'"
    )
    given = {"prompt": "x"}
    checked = TOOLS[0].parameters.check(given)
    assert checked.values == {"prompt": "x", "width": 1024, "guidance_scale": 3.5, "tiled": False}
    assert given == {"prompt": "x"}


def test_unknown_arguments_are_dropped_and_named() -> None:
    assert read(style="oil") == ""
    assert TOOLS[0].parameters.check({"prompt": "x", "style": "oil"}).dropped == ("style",)


def test_ranges_are_the_tools_own_to_check() -> None:
    assert read(width=-3, prompt="") == ""


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"fields": [], "items": []}, "fields must be object"),
        ({"fields": {"a": 1}, "items": {}}, "items must be array"),
        ({"fields": {"a": "1"}, "items": []}, "fields.a must be int"),
        ({"fields": {"a": 1}, "items": ["x", 5]}, "items.1 must be string"),
        ({"fields": {}, "items": []}, "Missing required arg 'fields.a'"),
    ],
)
def test_objects_and_arrays_are_types_too(args: dict[str, Any], error: str) -> None:
    assert call_fault({"tool": "collect", "args": args}, TOOLS) == error


@pytest.mark.parametrize(
    ("reply", "key"),
    [
        ('{"tool": "generate", "tool": "stats", "args": {}}', "tool"),
        ('{"tool": "generate", "args": {"prompt": "x", "width": 1, "width": 2}}', "width"),
    ],
)
def test_a_key_that_occurs_twice_is_a_fault(reply: str, key: str) -> None:
    call = parse_call(reply)
    assert call is not None
    assert call.fault == f"Payload must be JSON (the key '{key}' occurs twice)"


def test_a_tool_with_a_bad_signature_is_refused() -> None:
    assert "parse error at line 1, column 6" in call_fault({"tool": "bad", "args": {}}, TOOLS)
