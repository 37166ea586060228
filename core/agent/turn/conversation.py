"""A conversation about a document: history, backend and tools."""

from __future__ import annotations

import dataclasses
from importlib.resources import files

from core.agent.call.approval import ALL, Approvals, Ask, Profile
from core.agent.call.bench import Bench
from core.agent.call.context import ToolContext
from core.agent.call.events import Emit, TurnFinished
from core.agent.catalogue.default_tools import agent_tools
from core.agent.catalogue.registry import ToolRegistry
from core.agent.models.offline import OfflineBackend
from core.agent.models.protocol import Backend, Block, Message
from core.agent.tools.tool import Tool
from core.agent.turn.history import text_block
from core.agent.turn.loop import run_turn
from core.agent.turn.scene_text import scene_text
from core.agent.view_tools.state_tool import ViewDraft


def system_prompt() -> str:
    """The system prompt; the same in every request, so that servers can cache it."""
    return files("resources").joinpath("prompts", "system.md").read_text(encoding="utf-8")


class Conversation:
    """Turns between a person and a backend, by default the offline agent. ``history`` is JSON and valid at any time."""

    def __init__(
        self, bench: Bench, backend: Backend | None = None, tools: tuple[Tool, ...] | None = None, registry: ToolRegistry | None = None
    ) -> None:
        self.bench = bench
        self.offline = OfflineBackend(lambda: bench.document)
        self.backend: Backend = backend or self.offline
        self.registry = registry or ToolRegistry(agent_tools() if tools is None else tools)
        self.history: list[Message] = []
        self._described_revision: int | None = None

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools of the registry."""
        return self.registry.tools

    async def say(
        self, text: str, emit: Emit = lambda event: None, *, profile: Profile = "read-only", ask: Ask | None = None
    ) -> TurnFinished:
        """One turn. A slash command is run by the offline agent and needs no approval.

        Changes of the view by the turn's tools are applied at its end, however it ends.
        """
        command = text.lstrip().startswith("/")
        state = ViewDraft.of(self.bench.view)
        before = dataclasses.replace(state)
        context = ToolContext(
            self.bench,
            self.registry,
            ALL if command else Approvals(profile, ask),
            None if self.backend is self.offline else self.backend,
            message_callback=emit,
            state=state,
        )
        try:
            return await run_turn(
                self.history,
                [*self._news(), text_block(text)],
                backend=self.offline if command else self.backend,
                tools=self.tools,
                context=context,
                system=system_prompt(),
            )
        finally:
            if state != before:
                await self.bench.show(state.onto)

    def _news(self) -> list[Block]:
        """The description of the scene, if it changed since the last turn."""
        document = self.bench.document
        if document.revision == self._described_revision:
            return []
        self._described_revision = document.revision
        return [text_block(scene_text(document))]

    async def close(self) -> None:
        await self.backend.close()
