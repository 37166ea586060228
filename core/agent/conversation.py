"""A conversation about a document: what was said, who answers, and with which tools."""

from __future__ import annotations

from importlib.resources import files

from core.agent.approval import Ask, Profile
from core.agent.backends.offline import OfflineBackend
from core.agent.backends.protocol import Backend, Block, Message
from core.agent.bench import Bench
from core.agent.exposure import check_tools
from core.agent.history import text_block
from core.agent.loop import Emit, TurnFinished, run_turn
from core.agent.scene_text import scene_text
from core.agent.tool import Tool, agent_tools


def system_prompt() -> str:
    """What every model is told first. The same in every request, so that servers can keep it."""
    return files("resources").joinpath("prompts", "system.md").read_text(encoding="utf-8")


class Conversation:
    """Turns between a person and a backend; without one, the offline agent answers. ``history`` is plain JSON, valid at any time."""

    def __init__(self, bench: Bench, backend: Backend | None = None, tools: tuple[Tool, ...] | None = None) -> None:
        self.bench = bench
        self.offline = OfflineBackend(lambda: bench.document)
        self.backend: Backend = backend or self.offline
        self.tools = agent_tools() if tools is None else tools
        check_tools(self.tools)
        self.history: list[Message] = []
        self._told: int | None = None

    async def say(
        self, text: str, emit: Emit = lambda event: None, *, profile: Profile = "read-only", ask: Ask | None = None
    ) -> TurnFinished:
        """One turn. A slash command needs no model: it is a person's own call, and its own approval."""
        command = text.lstrip().startswith("/")
        backend = self.offline if command else self.backend
        return await run_turn(
            self.history,
            [*self._news(), text_block(text)],
            backend=backend,
            tools=self.tools,
            bench=self.bench,
            system=system_prompt(),
            emit=emit,
            profile="auto" if command else profile,
            ask=_yes if command else ask,
        )

    def _news(self) -> list[Block]:
        """The scene, if the model has not been told of it as it stands."""
        document = self.bench.document
        if document.revision == self._told:
            return []
        self._told = document.revision
        return [text_block(scene_text(document))]

    async def close(self) -> None:
        await self.backend.close()


async def _yes(tool: Tool, arguments: object) -> bool:
    return True
