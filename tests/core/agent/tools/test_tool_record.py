"""One record from many forms, and its description for models."""

from __future__ import annotations

import functools
import json
import time
from dataclasses import FrozenInstanceError, dataclass
from datetime import date, datetime
from typing import Any, Literal

import pytest
from typing_extensions import TypedDict

from raybench.agent.call.context import tool_options
from raybench.agent.catalogue.builtin import MOST_LINES, builtin_tool, grep_n, matching_text_lines
from raybench.agent.tools.tool import InvalidTool, Tool, tool_named
from raybench.errors import RaybenchError
from raybench.schema.parameters import InvalidArguments, InvalidSignature
from raybench.schema.signature import parse_signature

SEARCH = "(query :string, limit :int) -> [{id :int}]"


def find(name: str, count: int = 3) -> list[str]:
    """Find things.

    More about it.

    Args:
        name: What to find.
    """
    return [name] * count


def test_what_a_record_holds_by_default() -> None:
    tool = Tool("x")
    assert (tool.function, tool.signature, tool.description, tool.type, tool.cache) == (
        None,
        None,
        None,
        "native",
        False,
    )
    assert (tool.expose, tool.native_result, tool.visibility, tool.effect, tool.timeout_s) == (
        None,
        None,
        "public",
        "external",
        12.0,
    )
    with pytest.raises(FrozenInstanceError):
        tool.name = "y"  # type: ignore[misc]


@pytest.mark.parametrize("name", [None, 5, b"x"])
def test_a_name_is_a_string(name: Any) -> None:
    with pytest.raises(TypeError, match="name is a string"):
        Tool.new(name, find)


def test_every_form_can_state_an_effect() -> None:
    @tool_options(effect="read", timeout_s=60)
    def stated(name: str) -> str:
        return name

    for form in (
        stated,
        (stated, "skip"),
        (stated, SEARCH),
        (stated, {"cache": True}),
        (lambda: 1, {"effect": "read"}),
    ):
        assert Tool.new("x", form).effect == "read"
    assert Tool.new("x", (stated, SEARCH)).timeout_s == 60
    assert Tool.new("x", (stated, {"effect": "edit"})).effect == "edit"


def test_options_override_what_the_function_says() -> None:
    options = {
        "signature": SEARCH,
        "description": "D",
        "cache": True,
        "expose": "both",
        "native_result": {"preview": "rows"},
    }
    tool = Tool.new("x", (find, options))
    assert (tool.signature, tool.description, tool.cache, tool.expose) == (
        SEARCH,
        "D",
        True,
        "both",
    )
    assert tool.native_result == {"preview": "rows"}


def test_options_may_be_left_out() -> None:
    tool = Tool.new("x", (lambda: 1, {"description": "D"}))
    assert (tool.signature, tool.cache, tool.expose, tool.native_result, tool.visibility) == (
        None,
        False,
        None,
        None,
        "public",
    )
    assert Tool.new("x", (find, {"cache": True})).input_schema["required"] == ["name"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"visibility": "hidden"}, "'visibility' must be 'public' or 'private', got"),
        ({"effect": "write"}, "must be 'read', 'edit', 'destructive' or 'external', got"),
        ({"timeout_s": 0}, "'timeout_s' must be greater than 0"),
        ({"timeout_s": True}, "'timeout_s' must be a number"),
        ({"calls": "one"}, "'calls' "),
        ({"cache": "yes"}, "'cache' must be a boolean"),
        ({"signature": 5}, "'signature' must be a string"),
    ],
)
def test_an_invalid_option_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidTool, match=message):
        Tool.new("x", (find, options))


@dataclass(frozen=True)
class Form:
    """Something that makes a tool of itself."""

    type: Literal["llm", "subagent"]

    def as_tool(self, name: str) -> Tool:
        return Tool(name, None, SEARCH, "About.", self.type, cache=self.type == "subagent")


def test_built_in_tools() -> None:
    plain, numbered, model = (
        builtin_tool("x", kind) for kind in ("builtin_grep", "builtin_grep_n", "builtin_llm_query")
    )
    assert plain.signature == "(pattern :string, text :string) -> [:string]"
    assert (
        numbered.signature
        == "(pattern :string, text :string, context :int?) -> [{line :int, text :string, match"
        " :bool}]"
    )
    for tool in (plain, numbered):
        assert tool.type == "native"
        assert "not the name of a file" in (tool.description or "")
        assert "whatever their case" in (tool.description or "")
    assert (model.type, model.signature) == ("llm", None)
    assert all(
        word in (model.description or "")
        for word in ("prompt (required)", "signature", ":string", "llm", "response_template")
    )
    with pytest.raises(
        InvalidTool, match="There are: builtin_grep, builtin_grep_n, builtin_llm_query, self"
    ):
        builtin_tool("x", "builtin_sed")


def test_an_agent_may_list_itself_under_several_names() -> None:
    for name in ("again", "deeper"):
        tool = builtin_tool(name, "self")
        assert (tool.name, tool.type, tool.signature) == (name, "subagent", None)
        assert tool.description


@pytest.mark.parametrize(
    "format",
    [
        5,
        None,
        2.5,
        [],
        {},
        ("f", SEARCH),
        (find, 5),
        (find, (1,)),
        (find, None),
        (find, SEARCH, 1),
        (),
    ],
)
def test_another_value_names_the_forms(format: object) -> None:
    with pytest.raises(InvalidTool) as caught:
        Tool.new("odd", format)
    for words in (
        "odd: ",
        "a function",
        '"(query :string) -> :string"',
        '"signature"',
        '"skip"',
        "as_tool",
        "built-in",
    ):
        assert words in str(caught.value)


def test_grep() -> None:
    text = "One\ntwo\nTHREE\n"
    assert matching_text_lines("", text) == ["One", "two", "THREE"]
    assert (
        matching_text_lines(r"one\|three", text)
        == matching_text_lines("one|three", text)
        == ["One", "THREE"]
    )
    many = matching_text_lines("x", "x\n" * (MOST_LINES + 5))
    assert len(many) == MOST_LINES + 1
    assert many[-1] == "[5 more lines match]"
    with pytest.raises(ValueError, match="cannot be read"):
        matching_text_lines("(", text)


def test_grep_with_lines_around() -> None:
    text = "\n".join(["a", "-", "b", "-", "-", "b", "-", "-", "a"])
    assert [(hit["line"], hit["match"]) for hit in grep_n("b", text)] == [(3, True), (6, True)]
    lines = [(hit["line"], hit["match"]) for hit in grep_n("b", text, context=1)]
    assert lines == [(2, False), (3, True), (4, False), (5, False), (6, True), (7, False)]
    assert grep_n("a", text, context=100)[0] == {"line": 1, "text": "a", "match": True}
    assert "more lines" in grep_n("x", "x\n" * 200)[-1]["text"]
    with pytest.raises(RaybenchError, match="context is -1"):
        grep_n("a", text, context=-1)


def test_overlapping_matches_list_each_line_once() -> None:
    begun = time.perf_counter()
    assert (
        grep_n("", "x\n" * 20_000, context=20_000)[-1]["text"]
        == f"[{20_000 - MOST_LINES} more lines]"
    )
    assert time.perf_counter() - begun < 3.0


class Point(TypedDict):
    x: float
    label: str | None


@dataclass
class Chain:
    next: Chain | None = None


class Deep(TypedDict):
    a: Deep1


class Deep1(TypedDict):
    b: int


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (str, ":string"),
        (int, ":int"),
        (float, ":float"),
        (bool, ":bool"),
        (Literal["a", "b"], ":keyword"),
        (dict, ":map"),
        (dict[str, int], ":map"),
        (Point, "{x :float, label :string?}"),
        (list[int], "[:int]"),
        (list, "[:any]"),
        (Any, ":any"),
        (date, ":string"),
        (datetime, ":datetime"),
        (int | None, ":int?"),
        (None | int, ":int?"),
        (list[int] | None, "[:int]?"),
        (int | str, ":any"),
        (tuple[int, str], ":any"),
        (Chain, "{next {next {next :any?}?}?}"),
    ],
)
def test_type_hints_become_types(hint: Any, text: str) -> None:
    def take(x):  # type: ignore[no-untyped-def]
        """Take it."""

    take.__annotations__ = {"x": hint, "return": hint}
    tool = Tool.new("take", take)
    assert tool.signature == f"(x {text}) -> {text}"
    assert parse_signature(tool.signature)


def test_without_hints_any_value_is_accepted() -> None:
    def take(x, y=1):  # type: ignore[no-untyped-def]
        return x

    tool = Tool.new("take", take)
    assert (tool.signature, tool.description) == ("(x :any, y :any?) -> :any", None)


def test_a_result_that_json_cannot_describe_is_any() -> None:
    def make() -> object:
        return object()

    assert Tool.new("make", make).signature == "() -> :any"


def test_methods_and_partial_functions_are_functions() -> None:
    class Bench:
        def look(self, at: str) -> str:
            return at

    assert Tool.new("look", Bench().look).signature == "(at :string) -> :string"
    assert Tool.new("two", functools.partial(find, count=2)).input_schema["required"] == ["name"]


def test_an_uncallable_function_is_no_tool() -> None:
    def open_ended(*names: str) -> str:
        return "".join(names)

    with pytest.raises(InvalidSignature, match="'names' cannot be given by name"):
        Tool.new("x", open_ended)


def test_the_description_for_a_model() -> None:
    assert Tool.new("grep-n", (find, "(user-id :int) -> :any")).definition == {
        "name": "grep_n",
        "input_schema": {
            "type": "object",
            "properties": {"user-id": {"type": "integer"}},
            "required": ["user-id"],
            "additionalProperties": False,
        },
    }
    assert Tool.new("x", find).definition["description"].startswith("Find things.")
    json.dumps(Tool.new("x", find).definition)


def test_the_sanitised_name_finds_the_tool() -> None:
    tools = (Tool.new("grep-n", find), Tool.new("other", find))
    assert tool_named(tools, "grep_n") is tool_named(tools, "grep-n") is tools[0]
    assert tool_named(tools, "gre") is None


def test_unwritable_fields_are_a_map() -> None:
    odd = TypedDict("odd", {"per cent": float})

    def weigh(x):  # type: ignore[no-untyped-def]
        return x

    weigh.__annotations__ = {"x": odd, "return": odd}
    tool = Tool.new("weigh", weigh)
    assert tool.signature == "(x :map) -> :map"
    assert tool.parsed_signature is not None
    assert tool.parameters.check({"x": {"per cent": 1.0}}).values == {"x": {"per cent": 1.0}}
    with pytest.raises(InvalidArguments):
        tool.parameters.check({"x": {"per cent": "a lot"}})


def test_a_parameter_that_models_cannot_name_is_refused() -> None:
    def weigh(größe: int) -> int:
        return größe

    with pytest.raises(InvalidSignature, match="models take no name such as 'größe'"):
        Tool.new("weigh", weigh)


def test_a_description_is_a_text() -> None:
    with pytest.raises(InvalidTool, match="'description' must be a string, got 5"):
        Tool.new("n", (find, {"description": 5}))
