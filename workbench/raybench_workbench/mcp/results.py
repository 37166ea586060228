"""Tools and the results of their calls as values of the protocol."""

from __future__ import annotations

import base64

from mcp_types import CallToolResult, ContentBlock, ImageContent, TextContent, Tool, ToolAnnotations

from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.tools import tool as tools


def listed_tool(tool: tools.Tool) -> Tool:
    """A tool as clients see it; the annotations state the effects of a call."""
    about = tool.definition
    hints = ToolAnnotations(
        read_only_hint=tool.effect == "read",
        destructive_hint=tool.effect == "destructive",
        open_world_hint=tool.effect == "external",
    )
    return Tool(
        name=about["name"],
        description=about.get("description"),
        input_schema=about["input_schema"],
        annotations=hints,
    )


def call_result(outcome: ToolOutcome) -> CallToolResult:
    """The outcome of a call: the text that a model reads, a picture if there is one, and the values
    unless it is an error.
    """
    content: list[ContentBlock] = [TextContent(text=outcome.model_text)]
    if outcome.picture is not None:
        content.append(
            ImageContent(data=base64.b64encode(outcome.picture.png).decode(), mime_type="image/png")
        )
    return CallToolResult(
        content=content,
        structured_content=outcome.structured if outcome.ok else None,
        is_error=not outcome.ok,
    )


def error_result(text: str) -> CallToolResult:
    """An error, as text for the client's model."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)
