"""The outcome of a call, for tests of what is made of it."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.open_prism import open_prism

from raybench.agent.call.call import Caller, call_tool
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.tools.tool import Tool


def outcome_of(tool: Tool, arguments: dict[str, Any]) -> ToolOutcome:
    """What a call about the prism gives."""
    return asyncio.run(call_tool(tool, arguments, Caller(open_prism())))
