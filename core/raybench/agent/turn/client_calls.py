"""Calls that another program makes, each a turn of its own."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from raybench.agent.call.approval import Approvals, Ask, Profile
from raybench.agent.call.cache import ResultCache
from raybench.agent.call.context import ToolContext, next_turn
from raybench.agent.call.events import Emit
from raybench.agent.call.open_document import KnownObjects, OpenDocument
from raybench.agent.call.outcome import ToolOutcome, unknown_tool
from raybench.agent.models.protocol import Backend
from raybench.agent.tools.exposure import exposed
from raybench.agent.tools.lookup import ToolLookup
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.changes_by_hand import ChangesByHand
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
        self._kept: ResultCache[ToolOutcome] = ResultCache()
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
