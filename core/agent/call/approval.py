"""Approval of calls: which run at once, which ask a person, which are refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.agent.tools.tool import Tool

Profile = Literal["read-only", "ask", "auto"]
Ask = Callable[[Tool, Mapping[str, Any]], Awaitable[bool]]


async def refusal(tool: Tool, arguments: Mapping[str, Any], profile: Profile, ask: Ask | None = None) -> str:
    """Why a call is refused, as text for the model; empty if it is allowed, as reading always is. ``ask`` asks a person."""
    if tool.effect == "read" or (profile == "auto" and tool.effect == "edit"):
        return ""
    if profile == "read-only":
        return f"{tool.name} was not run: it has side effects ({tool.effect}); this turn is read-only."
    if ask is None:
        return f"{tool.name} was not run: it needs approval ({tool.effect}), and this run has no way to ask for it."
    return "" if await ask(tool, arguments) else f"{tool.name} was not run: the user declined."


@dataclass(frozen=True)
class Approvals:
    """The approval profile of a turn, and the function that asks a person."""

    profile: Profile = "read-only"
    ask: Ask | None = None

    async def refusal(self, tool: Tool, arguments: Mapping[str, Any]) -> str:
        """Why a call is refused; empty if it is allowed."""
        return await refusal(tool, arguments, self.profile, self.ask)


async def _yes(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    return True


ALL = Approvals("auto", _yes)
"""Everything is allowed: for calls that a person makes and for calls that a tool's code makes."""
READ_ONLY = Approvals()
