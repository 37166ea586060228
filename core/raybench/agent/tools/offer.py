"""Which tools a model is offered, and how it calls the others: by their names, which some APIs
refuse, or by ``call_tool``.
"""

import contextlib
import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from raybench.agent.tools.tool import Tool, tool_named

CALL_TOOL = Tool(
    "call_tool",
    signature="(name :string, arguments :map) -> :any",
    description=(
        "Call a tool that is not in your list, with its arguments by name. A wrong call returns"
        " its definition, and search_help finds the one that you need. There are: {names}."
    ),
    effect="edit",
)
"""The tool with which a model calls any other one. It is never run: see `meant_call`."""


def tools_for_model(
    tools: Sequence[Tool], *, window: bool = False, small: bool = False
) -> tuple[Tool, ...]:
    """All tools as a model may call them. Those that it is not offered are marked as on demand, and
    ``call_tool`` names them. It is added last, in an order that stays the same for a server's cache.

    ``window``: whether there is a window. ``small``: whether it is a small model, which is offered
    only the most needed tools, each by the first paragraph of its brief text.
    """
    levels = {"always"} if small else {"always", "usually", *(["window"] * window)}
    offered = [
        dataclasses.replace(tool, offered="on demand")
        if tool.offered not in levels
        else dataclasses.replace(tool, brief=tool.brief.partition("\n\n")[0])
        if small and tool.brief
        else tool
        for tool in tools
    ]
    others = [
        t.name for t in tools if t.offered not in levels and (window or t.offered != "window")
    ]
    if not others or tool_named(tuple(tools), CALL_TOOL.name) is not None:
        return tuple(offered)
    about = (CALL_TOOL.description or "").format(names=", ".join(others))
    return (*offered, dataclasses.replace(CALL_TOOL, description=about))


def listed_tools(tools: Sequence[Tool]) -> list[Tool]:
    """The tools whose definitions a model is sent."""
    return [tool for tool in tools if tool.offered != "on demand"]


def meant_call(tools: tuple[Tool, ...], name: str, arguments: Any) -> tuple[str, Any]:
    """The name and the arguments of the call that a model means: those inside a ``call_tool``."""
    called = tool_named(tools, name)
    if (
        called is None
        or called.function is not None
        or called.name != CALL_TOOL.name
        or not isinstance(arguments, Mapping)
        or not isinstance(arguments.get("name"), str)
    ):
        return name, arguments
    inner = arguments.get("arguments", {k: v for k, v in arguments.items() if k != "name"})
    if isinstance(inner, str):  # some models write an object within an object as text
        with contextlib.suppress(ValueError):  # the check of the arguments reports it
            inner = json.loads(inner)
    return arguments["name"], inner
