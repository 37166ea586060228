"""The names that the ``tools.py`` of a project imports: decorators, the context of a call, records,
state tools and prompts.
"""

from raybench.agent.call.context import ToolContext, ToolFailed, tool_context, tool_options
from raybench.agent.tools.tool import InvalidTool, Tool
from raybench.agent.view_tools.state_tool import StateTool, ViewDraft, merge_filter
from raybench.agent.workers.llm_tool import LLMTool

__all__ = [
    "InvalidTool",
    "LLMTool",
    "StateTool",
    "Tool",
    "ToolContext",
    "ToolFailed",
    "ViewDraft",
    "merge_filter",
    "tool_context",
    "tool_options",
]
