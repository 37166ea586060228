"""The imports for code in project folders: the tool context, and the decorators of tools."""

from raybench.agent.call.context import ToolContext, ToolFailed, tool_context, tool_options

__all__ = ["ToolContext", "ToolFailed", "tool_context", "tool_options"]
