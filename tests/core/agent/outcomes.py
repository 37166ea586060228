"""The outcome of a call, for tests of what is made of it."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.open_prism import open_prism

from raybench.agent.call.call import call_tool
from raybench.agent.call.context import ToolContext
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.tool import Tool


def outcome_of(tool: Tool, arguments: dict[str, Any]) -> ToolOutcome:
    """What a call about the prism gives."""
    return asyncio.run(call_tool(tool, arguments, ToolContext(open_prism(), ToolRegistry())))
