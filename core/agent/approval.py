"""Which calls need a person's word, and which are not made at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from core.agent.tool import Tool

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
