"""Tool records of the state tools; the draft that they change is applied when the turn has ended."""

from __future__ import annotations

from core.agent.tools.tool import Tool
from core.agent.view_tools.state_record import state_record
from core.agent.view_tools.state_tool import ClearFilterTool, RangeFilterTool, RayPickTool, SourceFilterTool


def view_tools() -> tuple[Tool, ...]:
    """The tools that filter the rays on the canvas."""
    return (
        state_record(ClearFilterTool, lambda context: ClearFilterTool()),
        state_record(RayPickTool, lambda context: RayPickTool(context.result, context.bench.ray_sets)),
        state_record(RangeFilterTool, lambda context: RangeFilterTool(context.document.unit)),
        state_record(SourceFilterTool, lambda context: SourceFilterTool(context.scene)),
    )
