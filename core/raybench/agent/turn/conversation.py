"""Conversations about a document: with a person, and with another program that calls tools."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import Any

from raybench.agent.call.approval import ALL, Approvals, Ask, Profile
from raybench.agent.call.call import ResultCache
from raybench.agent.call.context import CostTracker, ToolContext, next_turn
from raybench.agent.call.events import Emit, TurnFinished
from raybench.agent.call.open_document import KnownObjects, OpenDocument
from raybench.agent.call.outcome import ToolOutcome, unknown_tool
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.offline import OfflineBackend
from raybench.agent.models.protocol import Backend, Block, Message, Usage
from raybench.agent.tools.exposure import exposed
from raybench.agent.tools.lookup import ToolLookup
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.history import text_block, without_pictures
from raybench.agent.turn.loop import MAX_STEPS, run_turn
from raybench.agent.turn.scene_text import ChangesByHand, scene_text
from raybench.agent.view_tools.state_tool import ViewDraft
from raybench.scene.document import Document


class ClientCalls:
    """The calls of another program about a document. They may run at the same time, except those
    whose order matters.

    The edits of a call are one undo step; ``undo_edits`` takes back those of earlier calls, too.
    ``granted`` are the names of the tools that are allowed without asking, for all calls. All of it
    belongs to one event loop.
    """

    def __init__(
        self,
        opened: OpenDocument,
        registry: Callable[[], ToolLookup],
        *,
        granted: Iterable[str] = (),
        backend: Callable[[], Backend | None] = lambda: None,
        model: str = "",
    ) -> None:
        self.opened = opened
        self._always = frozenset(granted)
        self.granted = set(granted)
        """The tools that are allowed without asking now: those, and tools that the person allowed
        since.
        """
        self._registry, self._backend, self._model = registry, backend, model
        self._kept: ResultCache = ResultCache()
        self._known = KnownObjects()
        self._keys: list[str] = []
        """The merge keys of the calls so far that may have edited."""
        self._by_hand = ChangesByHand("your last call")
        self._notes: list[str] = []
        self._in_order = asyncio.Lock()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that can be called; those that need a model only if there is one."""
        tools = exposed(self._registry().tools, "native")
        return (
            tools
            if self._backend() is not None
            else tuple(tool for tool in tools if not tool.is_model_task)
        )

    def ask_again(self) -> None:
        """Revoke permissions that the person gave for later calls."""
        self.granted &= self._always

    def add_note(self, text: str) -> None:
        """Report an action of the person to the program, with the next result."""
        self._notes.append(text)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        profile: Profile,
        ask: Ask | None = None,
        emit: Emit = lambda event: None,
        key: str | None = None,
    ) -> ToolOutcome:
        """Call a tool by name, with arguments as a model sends them; errors are outcomes that are
        not ok. Cancelling ends the call.

        ``key`` is the merge key of its edits. Changes of the view are applied when the call has
        ended, however it ends.
        """
        tool = tool_named(self.tools, name)
        if tool is None:
            return unknown_tool(name, arguments, self.tools)
        if tool.effect == "read" and not tool.in_order:
            return await self._call(tool, arguments, profile, ask, emit, key or next_turn())
        async with self._in_order:
            return await self._call(tool, arguments, profile, ask, emit, key or next_turn())

    async def _call(
        self,
        tool: Tool,
        arguments: Mapping[str, Any],
        profile: Profile,
        ask: Ask | None,
        emit: Emit,
        key: str,
    ) -> ToolOutcome:
        state = ViewDraft.of(self.opened.view)
        before, start = dataclasses.replace(state), self.opened.document
        context = ToolContext(
            self.opened,
            self._registry(),
            Approvals(profile, ask, self.granted),
            self._backend(),
            model=self._model,
            message_callback=emit,
            state=state,
            cache=self._kept,
            known=self._known,
            turn=key,
            earlier_turns=tuple(self._keys),
            edited=self._by_hand.edited,
        )
        news = self._news(start)
        try:
            outcome = await context.run(tool, arguments)
        finally:
            if state != before:
                await self.opened.show(state.onto)
            if self.opened.document is not start:
                self._keys.append(key)
        return (
            dataclasses.replace(outcome, notes="\n".join([*news, *filter(None, [outcome.notes])]))
            if news
            else outcome
        )

    def _news(self, document: Document) -> list[str]:
        """Notes on what the person did since the last call."""
        notes, self._notes = self._notes, []
        return [*notes, *self._by_hand.news(document)]


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
        opened: OpenDocument,
        backend: Backend | None = None,
        tools: tuple[Tool, ...] | None = None,
        registry: ToolRegistry | None = None,
        *,
        max_steps: int = MAX_STEPS,
        granted: Iterable[str] = (),
        values: bool = True,
    ) -> None:
        self.opened = opened
        self.offline = OfflineBackend(lambda: opened.document, values)
        self.backend: Backend = backend or self.offline
        self.registry = registry or ToolRegistry(_agent_tools() if tools is None else tools)
        self.max_steps = max_steps
        self.history: list[Message] = []
        self.kept: ResultCache = ResultCache()
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
        state = ViewDraft.of(self.opened.view)
        before = dataclasses.replace(state)
        start, key = self.opened.document, key or next_turn()
        self._known.update(start.scene.objects)
        context = ToolContext(
            self.opened,
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
            await self.opened.show(state.onto)
        finished = _with_tasks(finished, context.cost_tracker, model)
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
        (backend if name == backend.name else backend.for_model(name)).cost(usage)
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
