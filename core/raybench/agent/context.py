"""The names of `raybench.tools` that project folders imported from here before."""

from raybench.tools import ToolContext, ToolFailed, tool_context, tool_options

__all__ = ["ToolContext", "ToolFailed", "tool_context", "tool_options"]
