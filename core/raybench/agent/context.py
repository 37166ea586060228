"""Old import location of the names in `raybench.tools`, for existing project folders."""

from raybench.tools import ToolContext, ToolFailed, tool_context, tool_options

__all__ = ["ToolContext", "ToolFailed", "tool_context", "tool_options"]
