"""A tool that edits the document."""

from __future__ import annotations

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.tools.tool import Tool


@tool_context
async def edit(ctx: ToolContext, text: str = "rename") -> str:
    """Change the document."""
    await ctx.apply({"set": ctx.document.scene.objects[0].title, "name": text})
    return "edited"


EDIT = Tool.new("edit", (edit, {"effect": "edit"}))
