"""Which calls need a person's word, and which are not made at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.agent.tools.tool import Tool

Profile = Literal["read-only", "ask", "auto"]
Ask = Callable[[Tool, Mapping[str, Any]], Awaitable[bool]]


async def refusal(tool: Tool, arguments: Mapping[str, Any], profile: Profile, ask: Ask | None = None) -> str:
    """Why a call may not be made, in words for the model; empty if it may. Reading never asks; ``ask`` asks a person."""
    if tool.effect == "read" or (profile == "auto" and tool.effect == "edit"):
        return ""
    if profile == "read-only":
        return f"{tool.name} was not run: it is no question ({tool.effect}), and this turn may only read."
    if ask is None:
        return f"{tool.name} was not run: it needs a person's approval ({tool.effect}), and nobody is there to give it."
    return "" if await ask(tool, arguments) else f"{tool.name} was not run: the user declined."


@dataclass(frozen=True)
class Approvals:
    """What a turn may do unasked, and who is asked about the rest."""

    profile: Profile = "read-only"
    ask: Ask | None = None

    async def refusal(self, tool: Tool, arguments: Mapping[str, Any]) -> str:
        """Why a call may not be made; empty if it may."""
        return await refusal(tool, arguments, self.profile, self.ask)


async def _yes(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    return True


ALL = Approvals("auto", _yes)
"""What a person does by hand, and what a tool's own code calls: approved by that."""
READ_ONLY = Approvals()
