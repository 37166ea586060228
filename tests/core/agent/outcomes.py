"""The outcome of a call, for tests of what is made of it."""

from __future__ import annotations

import asyncio
from typing import Any

from core.agent.call.call import call_tool
from core.agent.call.caller import Caller
from core.agent.call.outcome import ToolOutcome
from core.agent.tools.tool import Tool
from tests.prism_bench import prism_bench


def outcome_of(tool: Tool, arguments: dict[str, Any]) -> ToolOutcome:
    """What a call about the prism gives."""
    return asyncio.run(call_tool(tool, arguments, Caller(prism_bench())))
