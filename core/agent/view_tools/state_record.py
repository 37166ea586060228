"""The tool record of a state tool: it works on the turn's draft of the view, which is applied when the turn has ended."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.agent.tools.tool import Tool
from core.analysis.answers.words import counted, rays_counted
from core.view import View

if TYPE_CHECKING:
    from core.agent.call.context import ToolContext
    from core.agent.view_tools.state_tool import StateTool


def state_record(
    name: str, description: str, signature: inspect.Signature, made_of: type, make: Callable[[ToolContext], StateTool]
) -> Tool:
    """The record of a state tool of the class ``made_of``; ``make`` builds the one that a call uses."""

    def call(*args: Any, tool_context: ToolContext, **values: Any) -> str:
        sentence = make(tool_context).as_agent_callable(tool_context.state)(*args, **values)
        result = tool_context.result
        rows = tool_context.state.onto(View()).visible_rows(result)
        total = rays_counted(len(result))
        return f"{sentence} {total} are shown." if rows is None else f"{sentence} {counted(len(rows))} of {total} are shown."

    hidden = inspect.Parameter("tool_context", inspect.Parameter.KEYWORD_ONLY)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = description
    call.__signature__ = signature.replace(parameters=[*signature.parameters.values(), hidden])  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()} | {"return": str}
    call.context_parameter = hidden.name  # type: ignore[attr-defined]
    call.made_of = made_of  # type: ignore[attr-defined]
    return Tool.new(name, (call, {"effect": "read", "expose": "both", "in_order": True}))
