"""Who sees a tool, and who may call it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from tests.open_prism import open_prism

from raybench.agent.call.call import call_tool
from raybench.agent.call.context import ToolContext, ToolFailed
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.tools.exposure import (
    InvalidExposure,
    check_exposure,
    check_tools,
    exposed_tools,
    may_call,
)
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.analysis.tool_registry import get_agentic_tools


def tool(name: str = "look", **options: Any) -> Tool:
    return Tool.new(name, (lambda: name, {"effect": "read"} | options))


def test_the_seeds_name_for_programs_is_understood() -> None:
    assert exposed_tools((tool(expose="ptc_lisp"),), "program")
    assert not exposed_tools((tool(expose="ptc_lisp"),), "native")


TOOLS = (
    tool("z", expose="both"),
    tool("a"),
    tool("p", expose="program"),
    tool("hidden", visibility="private"),
    tool("m", expose="native"),
)


def test_a_layer_keeps_the_order() -> None:
    assert [t.name for t in exposed_tools(TOOLS, "native")] == ["z", "a", "m"]
    assert [t.name for t in exposed_tools(TOOLS, "program")] == ["z", "p"]


@pytest.mark.parametrize("expose", ["Native", "", 5, True, ("native",)])
def test_an_unknown_exposure_is_refused(expose: Any) -> None:
    made = tool(expose=expose)
    with pytest.raises(
        InvalidExposure, match=r"look: expose .* is not one of native, program, both"
    ):
        Conversation(open_prism(), tools=(made,))
    with pytest.raises(InvalidExposure):
        ToolRegistry((made,))


def test_ready_made_records_are_checked_too() -> None:
    with pytest.raises(InvalidExposure):
        check_tools((Tool("x", expose="odd"),))


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidExposure, match="look and look are one name in code"):
        check_tools((tool(), tool()))
    with pytest.raises(InvalidExposure, match="a-b and a_b are one name in code"):
        check_tools((tool("a-b"), tool("a_b")))
    with pytest.raises(InvalidExposure, match="'two words' cannot be a tool's name"):
        check_tools((tool("two words"),))


@pytest.mark.parametrize(
    "options", [{}, {"cache": True}, {"expose": "both"}, {"expose": "native", "cache": True}]
)
def test_a_preview_needs_both_layers_and_cache(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidExposure) as caught:
        check_exposure(tool(native_result={}, **options))
    assert "native_result needs expose 'both' and cache true" in str(caught.value)
    assert f"expose {options.get('expose')!r} and cache {options.get('cache', False)!r}" in str(
        caught.value
    )


@pytest.mark.parametrize(
    "native_result",
    [
        {},
        {"preview": "metadata"},
        {"preview": "rows", "limit": 1},
        {"preview": len},
        {"preview": lambda result: {}},
    ],
)
def test_previews_that_can_be(native_result: dict[str, Any]) -> None:
    check_exposure(tool(expose="both", cache=True, native_result=native_result))


@pytest.mark.parametrize(
    ("native_result", "message"),
    [
        ({"preview": "all"}, "preview is 'metadata', 'rows' or a function"),
        ({"preview": 5}, "preview is"),
        ({"preview": None}, "preview is"),
        ({"preview": lambda: {}}, "preview is"),
        ({"limit": 0}, "limit is a whole number above 0, not 0"),
        ({"limit": -1}, "limit is"),
        ({"limit": 2.5}, "limit is"),
        ({"limit": True}, "limit is"),
        ({"rows": 5}, "accepts preview and limit, not rows"),
        ("rows", "is a mapping"),
    ],
)
def test_previews_that_cannot(native_result: Any, message: str) -> None:
    with pytest.raises(InvalidExposure, match=message):
        check_exposure(tool(expose="both", cache=True, native_result=native_result))


@pytest.mark.security
def test_a_private_tool_is_hidden_from_models() -> None:
    shown: list[str] = []

    class Watching(ScriptedBackend):
        def stream_turn(self, system: str, messages: Any, tools: Any) -> Any:
            shown.extend(t.name for t in tools)
            return super().stream_turn(system, messages, tools)

    conversation = Conversation(
        open_prism(), Watching([[call("hidden"), call("p")], "Sorry."]), TOOLS
    )
    turn = asyncio.run(conversation.say("Use the hidden tool."))
    assert {"z", "a", "m"} <= set(shown)
    assert not {"hidden", "p"} & set(shown)
    assert [o.text.partition(".")[0] for o in turn.outcomes] == [
        "Unknown tool 'hidden'",
        "Unknown tool 'p'",
    ]
    assert not any("hidden" in o.text.partition("Tools: ")[2] for o in turn.outcomes)
    assert "hidden" not in turn.outcomes[1].text


def test_a_person_cannot_type_a_private_tool() -> None:
    conversation = Conversation(open_prism(), tools=TOOLS)
    assert asyncio.run(conversation.say("/hidden")).error.startswith("There is no command /hidden.")


@pytest.mark.security
def test_a_private_tool_needs_a_declared_caller() -> None:
    hidden = tool("hidden", visibility="private")
    friend, stranger = tool("friend", calls=("hidden",)), tool("stranger", calls=("other",))
    assert [may_call(caller, hidden) for caller in (friend, stranger, None)] == [True, False, False]
    assert may_call(None, friend)
    for caller, ok in ((friend, True), (stranger, False), (None, False)):
        outcome = asyncio.run(
            call_tool(hidden, {}, ToolContext(open_prism(), ToolRegistry(), tool=caller))
        )
        assert outcome.ok is ok
        assert ok or outcome.text.startswith("Unknown tool 'hidden'.")
        assert ("stranger does not name it" in outcome.text) is (caller is stranger)


def test_a_projects_private_function_needs_its_caller(
    tmp_path: Path,
) -> None:
    (tmp_path / "tools.py").write_text(PROJECT)
    context = ToolContext(open_prism(), ToolRegistry(folder=tmp_path, trust=lambda folder: True))
    assert asyncio.run(context.call_tool("friend")) == "secret"
    for name in ("stranger", "hidden"):
        with pytest.raises(ToolFailed, match="Unknown tool 'hidden'"):
            asyncio.run(context.call_tool(name))


PROJECT = """
from raybench.agent.call.context import tool_context, tool_options

@tool_options(visibility="private", effect="read")
def hidden():
    return "secret"

@tool_options(calls=("hidden",), effect="read")
@tool_context
async def friend(ctx):
    return await ctx.call_tool("hidden")

@tool_options(effect="read")
@tool_context
async def stranger(ctx):
    return await ctx.call_tool("hidden")
"""


def test_programs_can_ask_about_rays() -> None:
    tools = {tool.name: tool for tool in agent_tools()}
    assert {tools[entry["name"]].expose for entry in get_agentic_tools()} == {"both"}
    check_tools(tools.values())


@pytest.mark.parametrize("option", ["expose='odd'", "native_result={}", "effect='odd'"])
def test_a_projects_tools_are_checked_when_found(option: str, tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        f"from raybench.agent.call.context import tool_options\n\n@tool_options({option})\ndef"
        " look(name: str) -> str:\n    return name\n"
    )
    found = ToolRegistry(folder=tmp_path, trust=lambda folder: True)
    assert found.find_tool("look").tool is None
    assert re.search(r"tools.py: look: '?(expose|native_result|effect)", found.problems[0])
