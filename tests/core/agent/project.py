"""Project folders for tests, and a context to call their tools from."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.approval import ALLOW_ALL, ApprovalRules
from raybench.agent.call.context import ToolContext
from raybench.agent.call.events import TurnEvent
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.scripted import ScriptedBackend
from raybench.agent.tools.tool import Tool

T = TypeVar("T")
ONLY_BELOW = """
class OnlyBelow(StateTool):
    name = "only_below"
    description = "Show only weak rays."

    def _run(self, power: float = 0.5) -> dict:
        return {"must": [{"key": "power", "range": {"lt": power}}]}

    def apply_to_state(self, state: ViewDraft, power: float = 0.5) -> str:
        merge_filter(state, self._run(power))
        return f"Below {power:g}."
"""
"""The text of a tool that filters rays, for a ``tools.py`` with the imports of state tools."""


def write(folder: Path, **texts: str) -> Path:
    """A folder with a ``tools.py`` and workers: ``write(folder, tools="…", main="…")`` writes
    tools.py and main.worker.
    """
    for name, text in texts.items():
        path = folder / ("tools.py" if name == "tools" else f"{name}.worker")
        path.write_text(textwrap.dedent(text).lstrip())
    return folder


def worker(instructions: str = "Do it.", **front: Any) -> str:
    """The text of a worker's file."""
    lines = "\n".join(f"{key}: {value}" for key, value in front.items())
    return f"---\n{lines}\n---\n{instructions}\n"


def registry(folder: Path | None = None, builtin: Sequence[Tool] = TOOLS) -> ToolRegistry:
    """A registry on a folder that is trusted."""
    return ToolRegistry(builtin, folder, lambda folder: True)


def context(
    folder: Path | None = None,
    replies: Sequence[Any] = (),
    *,
    approvals: ApprovalRules = ALLOW_ALL,
    builtin: Sequence[Tool] = TOOLS,
) -> tuple[ToolContext, list[TurnEvent]]:
    """A context on the prism document, whose model gives these replies, and the events that it
    tells.
    """
    events: list[TurnEvent] = []
    backend = ScriptedBackend(replies)
    made = ToolContext(
        open_prism(), registry(folder, builtin), approvals, backend, message_callback=events.append
    )
    return made, events


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)
