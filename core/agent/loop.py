"""One turn of the agent: a model's replies and the tools they call, until it has answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from core.agent.approval import Ask, Profile
from core.agent.backends.protocol import Backend, BackendError, Block, End, Finished, Message, Text, Usage
from core.agent.bench import Bench
from core.agent.cache import ResultCache
from core.agent.call import ToolOutcome, call_tool, unknown_tool
from core.agent.exposure import exposed
from core.agent.history import add_reply, add_user, result_block, text_block
from core.agent.sentence import capitalized, question
from core.agent.tool import Tool, tool_named

MAX_STEPS = 8
WRAP_UP = "That was the last tool call of this turn. Answer now from what you have; say what is still open."
CANCELLED = "cancelled by the user"


@dataclass(frozen=True)
class TextDelta:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True)
class ToolStarted:
    """A call is about to run. ``sentence`` says in words what it asks."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    sentence: str


@dataclass(frozen=True)
class ToolFinished:
    """A call is over; ``id`` is that of its `ToolStarted`."""

    id: str
    outcome: ToolOutcome


@dataclass(frozen=True)
class TurnFinished:
    """The turn is over. ``answer`` ends with the tools it rests on; ``stopped`` by the person; ``error`` is a line with a remedy."""

    answer: str
    tools_used: tuple[str, ...] = ()
    outcomes: tuple[ToolOutcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stopped: bool = False
    error: str = ""


TurnEvent = TextDelta | ToolStarted | ToolFinished | TurnFinished
Emit = Callable[[TurnEvent], None]


async def run_turn(
    history: list[Message],
    blocks: list[Block],
    *,
    backend: Backend,
    tools: tuple[Tool, ...],
    bench: Bench,
    system: str = "",
    emit: Emit = lambda event: None,
    profile: Profile = "read-only",
    ask: Ask | None = None,
    max_steps: int = MAX_STEPS,
) -> TurnFinished:
    """Answer ``blocks``, what the person says now, and extend ``history`` by all that is said.

    Cancelling the task ends the turn at once: it still emits a `TurnFinished`, and returns it; the history stays valid. A model that
    fails ends the turn with an error instead of raising.
    """
    turn = _Turn(history, backend, tools, bench, system, emit, profile, ask)
    add_user(history, blocks)
    stopped, error = False, ""
    try:
        error = await turn.run(max_steps)
    except asyncio.CancelledError:
        stopped = True
    except BackendError as failure:
        error = str(failure)
    finished = turn.finished(stopped, error)
    emit(finished)
    return finished


class _Turn:
    """What a turn has gathered so far."""

    def __init__(
        self,
        history: list[Message],
        backend: Backend,
        tools: tuple[Tool, ...],
        bench: Bench,
        system: str,
        emit: Emit,
        profile: Profile,
        ask: Ask | None,
    ) -> None:
        self.history, self.backend, self.bench, self.system = history, backend, bench, system
        self.tools = exposed(tools, "native")
        self.emit, self.profile, self.ask = emit, profile, ask
        self.cache: ResultCache[ToolOutcome] = ResultCache()
        self.outcomes: list[ToolOutcome] = []
        self.usage = Usage()
        self.text = ""
        """The text of the latest reply."""

    async def run(self, max_steps: int) -> str:
        """Replies and calls to the end; returns why it ended early, if it did."""
        for step in range(1, max_steps + 1):
            calls, end = await self._reply()
            if end.reason == "max_tokens":
                return "The reply was cut off at its length limit. Ask for less at a time, or say “go on”."
            if end.reason == "refusal":
                return f"The model declined to answer. {end.detail or 'Put the question differently.'}"
            if end.reason == "model_context_window_exceeded":
                return "The conversation is too long for the model. Start a new one."
            if not calls:
                return ""
            if step == max_steps:
                add_user(self.history, [result_block(call, "not run: no steps are left in this turn", False) for call in calls])
                return f"Stopped after {max_steps} steps without an answer. Ask a narrower question, or say “go on”."
            await self._run_calls(calls, last=step == max_steps - 1)
        return ""

    async def _reply(self) -> tuple[list[Block], End]:
        """One reply into the history, whole or as far as it came; the calls it makes."""
        blocks: list[Block] = []
        partial, end, whole = "", End("end_turn"), False
        self.text = ""
        try:
            async with aclosing(self.backend.stream_turn(self.system, self.history, self.tools)) as stream:  # type: ignore[type-var]
                async for event in stream:
                    if isinstance(event, Text):
                        partial += event.text
                        self.text += event.text
                        self.emit(TextDelta(event.text))
                    elif isinstance(event, Finished):
                        blocks.append(event.block)
                        partial = "" if event.block["type"] == "text" else partial
                    else:
                        end = event
                        self.usage += event.usage
            whole = end.reason not in ("max_tokens", "refusal", "model_context_window_exceeded")
        finally:
            calls = [b for b in blocks if b["type"] == "tool_use"]
            stopped = not whole and end.reason == "end_turn"
            # a reply that was cut at its limit may hold half a thought: none of its calls are run or kept
            add_reply(self.history, blocks, partial, calls=whole or stopped)
            if stopped and calls:
                add_user(self.history, [result_block(call, CANCELLED, False) for call in calls])
        return calls, end

    async def _run_calls(self, calls: list[Block], last: bool) -> None:
        """Run a reply's calls one after the other, and answer all of them in one message, whatever happens."""
        results = {call["id"]: result_block(call, CANCELLED, False) for call in calls}
        try:
            for call in calls:
                outcome = await self._run_call(call)
                results[call["id"]] = result_block(call, outcome.told, outcome.ok)
        finally:
            add_user(self.history, list(results.values()))
        if last:
            add_user(self.history, [text_block(WRAP_UP)])

    async def _run_call(self, call: Block) -> ToolOutcome:
        name, arguments = call["name"], call["input"]
        shown = arguments if isinstance(arguments, Mapping) else {}
        self.emit(ToolStarted(call["id"], name, shown, capitalized(question(name, shown))))
        tool = tool_named(self.tools, name)
        if tool is None:
            outcome = unknown_tool(name, arguments, self.tools)
        else:
            outcome = await call_tool(tool, arguments, self.bench, profile=self.profile, ask=self.ask, cache=self.cache)
        self.outcomes.append(outcome)
        self.emit(ToolFinished(call["id"], outcome))
        return outcome

    def finished(self, stopped: bool, error: str) -> TurnFinished:
        used = tuple(dict.fromkeys(outcome.tool for outcome in self.outcomes))
        answer = self.text.strip()
        if used:
            answer = f"{answer}\n\nSources: {', '.join(used)}".strip()
        return TurnFinished(answer, used, tuple(self.outcomes), self.usage, stopped, error)
