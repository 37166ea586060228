"""The loop of one turn: replies of the model and the calls in them, until a reply makes no call."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Iterable
from contextlib import aclosing

from core.agent.call.call import ToolOutcome, unknown_tool
from core.agent.call.context import ToolContext
from core.agent.call.events import TextDelta, ToolFinished, ToolStarted, TurnEvent, TurnFinished
from core.agent.models.protocol import Backend, BackendError, Block, End, Finished, Message, ReadsOutcomes, Text, Usage
from core.agent.tools.exposure import exposed
from core.agent.tools.tool import Tool, tool_named
from core.agent.turn.history import WRAP_UP, add_reply, add_user, result_block
from core.agent.turn.sentence import question
from core.analysis.answers.words import capitalized
from core.schema.jsonable import json_arguments

log = logging.getLogger(__name__)
MAX_STEPS = 8
CANCELLED = "cancelled by the user"


async def run_turn(
    history: list[Message],
    blocks: list[Block],
    *,
    backend: Backend,
    tools: tuple[Tool, ...],
    context: ToolContext,
    system: str = "",
    max_steps: int = MAX_STEPS,
) -> TurnFinished:
    """Answer the new ``blocks``, and append all messages of the turn to ``history``.

    The ``context`` holds document, approvals and the receiver of events. Cancelling the task ends the turn at once: it still emits and
    returns a `TurnFinished`, and the history stays valid. An error of the backend ends the turn with ``error`` instead of raising.
    """
    turn = _Turn(history, backend, exposed(tools, "native"), context, system)
    add_user(history, blocks)
    stopped, error = False, ""
    try:
        error = await turn.run(max_steps)
    except asyncio.CancelledError:
        stopped = True
    except BackendError as failure:
        error = str(failure)
    except Exception as failure:
        log.exception("the backend %s raised", backend.name)
        error = f"{backend.name} failed: {type(failure).__name__}: {failure}".rstrip(": ") + ". Try again, or connect another model."
    finished = turn.finished(stopped, error)
    context.message_callback(finished)
    return finished


class _Turn:
    """The state of a turn."""

    def __init__(self, history: list[Message], backend: Backend, tools: tuple[Tool, ...], context: ToolContext, system: str) -> None:
        self.history, self.backend, self.tools, self.system = history, backend, tools, system
        self.emit = context.message_callback
        self.context = dataclasses.replace(context, message_callback=self._receive)
        self.outcomes: list[ToolOutcome] = []
        self.usage = Usage()
        self.text = ""
        """The text of the latest reply."""

    def _receive(self, event: TurnEvent) -> None:
        """Collect the outcomes of all calls, nested ones included, and pass the event on."""
        if isinstance(event, ToolFinished):
            self.outcomes.append(event.outcome)
        self.emit(event)

    async def run(self, max_steps: int) -> str:
        """Run replies and calls until the end; returns why it ended early, if it did."""
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
        """Stream one reply into the history, complete or partial; returns its calls."""
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
            # a reply that was cut at its limit may be incomplete: none of its calls are run or kept
            add_reply(self.history, blocks, partial, calls=whole or stopped)
            if stopped and calls:
                add_user(self.history, [result_block(call, CANCELLED, False) for call in calls])
        return calls, end

    async def _run_calls(self, calls: list[Block], last: bool) -> None:
        """Run a reply's calls one after the other; all results go into one message, even if the turn is stopped."""
        results = {call["id"]: result_block(call, CANCELLED, False) for call in calls}
        try:
            for call in calls:
                outcome = await self._run_call(call)
                note = WRAP_UP if last and call is calls[-1] else ""
                results[call["id"]] = result_block(call, outcome.model_text, outcome.ok, note)
                if isinstance(self.backend, ReadsOutcomes):
                    self.backend.read(outcome)
        finally:
            add_user(self.history, list(results.values()))

    async def _run_call(self, call: Block) -> ToolOutcome:
        name, arguments = call["name"], call["input"]
        tool = tool_named(self.tools, name)
        if tool is not None:
            return await self.context.run(tool, arguments, id=call["id"])
        shown = json_arguments(arguments)
        self._receive(ToolStarted(call["id"], name, shown, capitalized(question(name, shown))))
        outcome = unknown_tool(name, arguments, self.tools)
        self._receive(ToolFinished(call["id"], outcome))
        return outcome

    def finished(self, stopped: bool, error: str) -> TurnFinished:
        used = tuple(dict.fromkeys(outcome.tool for outcome in self.outcomes))
        answer = self.text.strip()
        if rests_on := sources(self.outcomes):
            answer = f"{answer}\n\nSources: {', '.join(rests_on)}".strip()
        return TurnFinished(answer, used, tuple(self.outcomes), self.usage, stopped, error)


def sources(outcomes: Iterable[ToolOutcome]) -> tuple[str, ...]:
    """The sources of an answer: the tools whose calls succeeded, each once."""
    return tuple(dict.fromkeys(outcome.tool for outcome in outcomes if outcome.ok))
