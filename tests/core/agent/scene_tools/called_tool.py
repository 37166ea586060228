"""A call of one of the agent's tools on a session."""

from __future__ import annotations

import asyncio
from typing import Any

from raybench.agent.call.approval import ALLOW_ALL, ApprovalRules
from raybench.agent.call.context import ToolContext
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.session import Session


def call(
    session: Session, tool_name: str, /, approvals: ApprovalRules = ALLOW_ALL, **arguments: Any
) -> ToolOutcome:
    context = ToolContext(OpenDocument(session), ToolRegistry(agent_tools()), approvals)
    tool = context.registry.find_tool(tool_name).tool
    assert tool is not None
    return asyncio.run(context.run(tool, arguments))
