"""What code in project folders imports: the tool context, and the decorators for tools."""

from raybench.agent.call.context import ToolContext, ToolFailed, tool_context, tool_options

__all__ = ["ToolContext", "ToolFailed", "tool_context", "tool_options"]
