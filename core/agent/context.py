"""What the code of a project folder imports: the context that a tool may ask for, and the decorators that say so."""

from core.agent.call.context import ToolContext, ToolFailed, tool_context, tool_options

__all__ = ["ToolContext", "ToolFailed", "tool_context", "tool_options"]
