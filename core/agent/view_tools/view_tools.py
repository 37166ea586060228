"""Tool records of the state tools; the draft that they change is applied when the turn has ended."""

from __future__ import annotations

from collections.abc import Callable

from core.agent.call.context import ToolContext
from core.agent.tools.tool import Tool
from core.agent.view_tools.state_record import state_record
from core.agent.view_tools.state_tool import ClearFilterTool, RangeFilterTool, RayPickTool, SourceFilterTool, StateTool, agent_signature


def view_tool(kind: type[StateTool], make: Callable[[ToolContext], StateTool]) -> Tool:
    """The tool record of a state tool; ``make`` builds the state tool for a call."""
    return state_record(kind.name, kind.description, agent_signature(kind), kind, make)


def view_tools() -> tuple[Tool, ...]:
    """The tools that filter the rays on the canvas."""
    return (
        view_tool(ClearFilterTool, lambda context: ClearFilterTool()),
        view_tool(RayPickTool, lambda context: RayPickTool(context.result, context.bench.ray_sets)),
        view_tool(RangeFilterTool, lambda context: RangeFilterTool(context.document.unit)),
        view_tool(SourceFilterTool, lambda context: SourceFilterTool(context.scene)),
    )
