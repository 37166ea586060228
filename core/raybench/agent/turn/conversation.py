"""A conversation about a document: history, backend and tools."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from importlib.resources import files

from raybench.agent.call.approval import ALL, Approvals, Ask, Profile
from raybench.agent.call.bench import Bench
from raybench.agent.call.cache import ResultCache
from raybench.agent.call.context import CostTracker, ToolContext, next_turn
from raybench.agent.call.events import Emit, TurnFinished
from raybench.agent.call.known_objects import KnownObjects
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.offline import OfflineBackend
from raybench.agent.models.protocol import Backend, Block, Message, Priced, Usage
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.changes_by_hand import ChangesByHand
from raybench.agent.turn.history import text_block, without_pictures
from raybench.agent.turn.loop import MAX_STEPS, run_turn
from raybench.agent.turn.scene_text import scene_text
from raybench.agent.view_tools.state_tool import ViewDraft
from raybench.scene.document import Document


def system_prompt() -> str:
    """The system prompt; the same in every request, so that servers can cache it."""
    return files("raybench_resources").joinpath("prompts", "system.md").read_text(encoding="utf-8")


def _agent_tools() -> tuple[Tool, ...]:
    from raybench.agent.catalogue.default_tools import (
        agent_tools,  # imports all of raybench.analysis and raybench.study
    )

    return agent_tools()


class Conversation:
    """Turns between a person and a backend, by default the offline agent. ``history`` is JSON and
    valid at any time.

    ``kept`` is the cache of results, ``granted`` the names of the tools that the person allowed for
    the whole conversation; ``values``: whether answers without a model list the values of a result.
    """

    def __init__(
        self,
        bench: Bench,
        backend: Backend | None = None,
        tools: tuple[Tool, ...] | None = None,
        registry: ToolRegistry | None = None,
        *,
        max_steps: int = MAX_STEPS,
        granted: Iterable[str] = (),
        values: bool = True,
    ) -> None:
        self.bench = bench
        self.offline = OfflineBackend(lambda: bench.document, values)
        self.backend: Backend = backend or self.offline
        self.registry = registry or ToolRegistry(_agent_tools() if tools is None else tools)
        self.max_steps = max_steps
        self.history: list[Message] = []
        self.kept: ResultCache[ToolOutcome] = ResultCache()
        self.granted = set(granted)
        self._described_revision: int | None = None
        self._by_hand = ChangesByHand("your last answer")
        self._notes: list[str] = []
        self._known = KnownObjects()
        self._keys: list[str] = []
        """The merge keys of its turns, whose edits a later one may undo."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools of the registry; without a model those that need none."""
        tools = self.registry.tools
        return (
            tools
            if self.backend is not self.offline
            else tuple(tool for tool in tools if tool.type == "native")
        )

    def add_note(self, text: str) -> None:
        """Report an action of the person to the model, with the next question."""
        self._notes.append(text)

    async def say(
        self,
        text: str,
        emit: Emit = lambda event: None,
        *,
        profile: Profile = "read-only",
        ask: Ask | None = None,
        key: str | None = None,
    ) -> TurnFinished:
        """One turn. A slash command is run by the offline agent and needs no approval.

        Changes of the view by the turn's tools are applied at its end, however it ends. ``key`` is
        the merge key of its edits.
        """
        command = text.lstrip().startswith("/")
        model = self.backend
        state = ViewDraft.of(self.bench.view)
        before = dataclasses.replace(state)
        start, key = self.bench.document, key or next_turn()
        self._known.update(start.scene.objects)
        context = ToolContext(
            self.bench,
            self.registry,
            ALL if command else Approvals(profile, ask, self.granted),
            None if model is self.offline else model,
            message_callback=lambda event: None if isinstance(event, TurnFinished) else emit(event),
            state=state,
            cache=self.kept,
            known=self._known,
            by_person=command,
            turn=key,
            earlier_turns=tuple(self._keys),
            edited=(lambda before, after: None) if command else self._by_hand.edited,
        )
        self._keys.append(key)
        without_pictures(self.history)
        finished = await run_turn(
            self.history,
            [*self._news(start), text_block(text)],
            backend=self.offline if command else model,
            tools=self.tools,
            context=context,
            system=system_prompt(),
            max_steps=self.max_steps,
        )
        if state != before:
            await self.bench.show(state.onto)
        finished = _with_tasks(finished, context.cost_tracker, model)
        if model is self.offline or command:
            finished = dataclasses.replace(finished, choices=self.offline.choices)
        emit(finished)
        return finished

    def _news(self, document: Document) -> list[Block]:
        """Notes on what the person did, and the description of the scene if it changed since the
        last one.
        """
        notes, self._notes = self._notes, []
        notes += self._by_hand.news(document)
        if document.revision != self._described_revision:
            self._described_revision = document.revision
            notes.append(scene_text(document))
        return [text_block(part) for part in notes]

    async def close(self) -> None:
        await self.backend.close()


def _with_tasks(finished: TurnFinished, tasks: CostTracker, backend: Backend) -> TurnFinished:
    """The end of a turn with the tokens of the workers and prompts that ran in it, whose models are
    those of ``backend`` by name.
    """
    if not tasks.by_model:
        return finished
    costs = [
        _cost(backend if name == backend.name else backend.for_model(name), usage)
        for name, usage in tasks.by_model.items()
    ]
    if finished.usage != Usage():
        costs.append(finished.cost)
    known = [cost for cost in costs if cost is not None]
    return dataclasses.replace(
        finished,
        usage=finished.usage + tasks.total,
        cost=sum(known) if len(known) == len(costs) else None,
    )


def _cost(backend: Backend, usage: Usage) -> float | None:
    return backend.cost(usage) if isinstance(backend, Priced) else None
