"""Tool records of the state tools; the draft that they change is applied when the turn has ended."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from core.agent.call.context import ToolContext
from core.agent.tools.tool import Tool
from core.agent.view_tools.state_tool import ClearFilterTool, RangeFilterTool, RayPickTool, SourceFilterTool, StateTool, agent_signature
from core.analysis.answers.words import counted, rays_counted
from core.view import View


def view_tool(kind: type[StateTool], make: Callable[[ToolContext], StateTool]) -> Tool:
    """The tool record of a state tool, which works on the turn's draft of the view; ``make`` builds the state tool for a call."""

    def call(*args: Any, tool_context: ToolContext, **values: Any) -> str:
        sentence = make(tool_context).as_agent_callable(tool_context.state)(*args, **values)
        result = tool_context.result
        rows = tool_context.state.onto(View()).visible_rows(result)
        total = rays_counted(len(result))
        return f"{sentence} {total} are shown." if rows is None else f"{sentence} {counted(len(rows))} of {total} are shown."

    signature = agent_signature(kind)
    hidden = inspect.Parameter("tool_context", inspect.Parameter.KEYWORD_ONLY)
    call.__name__ = call.__qualname__ = kind.name
    call.__doc__ = kind.description
    call.__signature__ = signature.replace(parameters=[*signature.parameters.values(), hidden])  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()} | {"return": str}
    call.context_parameter = hidden.name  # type: ignore[attr-defined]
    return Tool.new(kind.name, (call, {"effect": "read", "expose": "both", "in_order": True}))


def view_tools() -> tuple[Tool, ...]:
    """The tools that filter the rays on the canvas."""
    return (
        view_tool(ClearFilterTool, lambda context: ClearFilterTool()),
        view_tool(RayPickTool, lambda context: RayPickTool(context.result, context.bench.ray_sets)),
        view_tool(RangeFilterTool, lambda context: RangeFilterTool(context.document.unit)),
        view_tool(SourceFilterTool, lambda context: SourceFilterTool(context.scene)),
    )
