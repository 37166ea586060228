"""The loop of one turn: requests a reply and runs its tool calls, until a reply contains no
call.
"""

import asyncio
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from raybench.agent.answer_check.claims import CheckedPart, unsupported_parts
from raybench.agent.call.context import ToolContext
from raybench.agent.call.events import (
    AnswerSentBack,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    TurnFinished,
)
from raybench.agent.call.outcome import ToolOutcome, unknown_tool_outcome
from raybench.agent.models.protocol import (
    Backend,
    BackendError,
    Block,
    FinishedBlock,
    Message,
    ReplyEnd,
    RetryNotice,
    TextDelta,
    Usage,
)
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.offer import intended_call
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.history import (
    WRAP_UP,
    add_reply,
    add_user_blocks,
    remove_unanswered_searches,
    result_block,
    result_with_note,
    text_block,
)
from raybench.analysis.answers.preview import truncate_text
from raybench.analysis.answers.words import capitalize_first
from raybench.errors import as_sentence, elide_text
from raybench.schema.json_values import arguments_if_json_object, json_text

log = logging.getLogger(__name__)
MAX_STEPS = 8
"""Default number of replies in a turn; the last makes no calls."""
MOST_CALLS = 40
"""Maximum calls of one reply that are run."""
MOST_CONCURRENT_CALLS = 8
"""Maximum number of concurrent calls."""
CANCELLED = "cancelled by the user"
BROKEN_OFF = "not run: the reply was not received to its end"
NO_STEPS = "not run: no steps are left in this turn"
CORRECTION_REQUEST = (
    "[Your answer was compared with what the tools returned: {reason}. Correct it, or call a tool,"
    " and give the whole answer again.]"
)
MOST_REASONS = 8
"""Maximum parts of an answer that the model is told to correct."""
Check = Callable[[str, Sequence[ToolOutcome]], Awaitable[Sequence[CheckedPart]]]
"""Checks an answer against the outcomes of a turn's calls."""
NO_END = ReplyEnd("")
"""The end of a reply that is not received yet."""


async def run_turn(
    history: list[Message],
    blocks: list[Block],
    *,
    backend: Backend,
    tools: tuple[Tool, ...],
    context: ToolContext,
    system: str = "",
    max_steps: int = MAX_STEPS,
    offer: Callable[[tuple[Tool, ...]], tuple[Tool, ...]] = lambda tools: tools,
    earlier: TurnFinished | None = None,
    check: Check | None = None,
) -> TurnFinished:
    """Run one turn that answers ``blocks``. All messages of the turn are appended to ``history``.

    ``context`` holds the document, the approval rules and the receiver of events. ``offer`` selects
    how tools are offered to the model. ``earlier`` is a failed first part of the turn, whose calls
    and tokens are added. Cancelling the task ends the turn at once; it still emits and returns a
    `TurnFinished`, and the history stays valid. An error of the backend ends the turn with
    ``error`` instead of an exception.

    ``check`` checks an answer against the outcomes of the calls so far. An answer with unsupported
    parts is sent back to the model once; if the model gives no other answer, the first one is kept.
    If the check itself fails, the answer is kept unchecked.
    """
    allowed = tuple(
        tool for tool in backend.provided_tools if tool.name in context.approvals.granted
    )
    turn = _Turn(
        history,
        backend,
        (*offer(exposed_tools(tools, "native")), *allowed),
        context,
        system,
        earlier,
        check,
    )
    add_user_blocks(history, blocks)
    stopped, error = False, ""
    try:
        error = await turn.run_replies(max_steps)
    except asyncio.CancelledError:
        stopped = True
    except BackendError as failure:
        error = str(failure)
    except Exception as failure:
        log.exception("the backend %s raised", backend.name)
        said = as_sentence(
            f"{backend.name} failed: {type(failure).__name__}: {failure}".rstrip(": ")
        )
        error = f"{said} Try again, or connect another model."
    if turn.returned_answer and (error or stopped):
        error = turn.restore_returned_answer() if not stopped else error
    remove_unanswered_searches(history)
    finished = turn.finished_event(stopped, error)
    context.message_callback(finished)
    return finished


class _Turn:
    """The state of one turn: its backend, tools and messages, and the outcomes of its calls so
    far.
    """

    def __init__(
        self,
        history: list[Message],
        backend: Backend,
        tools: tuple[Tool, ...],
        context: ToolContext,
        system: str,
        earlier: TurnFinished | None,
        check: Check | None,
    ) -> None:
        self.check = check
        self.checked: tuple[CheckedPart, ...] = ()
        """The parts of the latest answer, checked."""
        self.returned_answer, self.returned = "", ""
        """The answer that was sent back to the model, and the reason."""
        self.history, self.backend, self.tools, self.system = history, backend, tools, system
        self.emit = context.message_callback
        self.context = dataclasses.replace(context, message_callback=self._receive_event)
        self._roots: dict[str, str] = {}
        """The id of the model's call that each call belongs to, by the call's id."""
        self._started: dict[str, ToolStarted] = {}
        """The calls that were started, by id."""
        self._outcomes: dict[str, list[ToolOutcome]] = {"": [*earlier.outcomes] if earlier else []}
        """The outcomes that belong to each call of the model; those of an earlier part of the turn
        are under an empty id.
        """
        self.usage = earlier.usage if earlier else Usage()
        self.text = ""
        """The text of the latest reply, with what was said before the pauses in it."""
        self._before_pause = ""

    def _receive_event(self, event: TurnEvent) -> None:
        """Record the outcome of a call, nested calls included, and pass the event on."""
        if isinstance(event, ToolStarted):
            self._started[event.id] = event
            root = self._roots[event.id] = self._roots.get(event.within, event.id)
            self._outcomes.setdefault(root, [])
        elif isinstance(event, ToolFinished):
            self._outcomes[self._roots[event.id]].append(event.outcome)
        self.emit(event)

    @property
    def outcomes(self) -> list[ToolOutcome]:
        """The outcomes in the order of the calls. Outcomes of nested calls come before that of the
        calling call.
        """
        return [outcome for outcomes in self._outcomes.values() for outcome in outcomes]

    async def run_replies(self, max_steps: int) -> str:
        """Request replies and run their tool calls until the turn ends. Returns why it ended early,
        else an empty text.
        """
        most = max_steps
        if self.backend.most_steps is not None:  # steps with calls; the answer is not one
            most = min(most, self.backend.most_steps)
            max_steps = min(max_steps, most + 1)
        for step in range(1, max_steps + 1):
            last = step == max_steps
            calls, end = await self._stream_reply(last)
            if end.reason == "max_tokens":
                return (
                    "The reply was cut off at its length limit. Ask for less at a time, or say “go"
                    " on”."
                )
            if end.reason == "refusal":
                return (
                    f"The model declined to answer. {end.detail or 'Put the question differently.'}"
                )
            if end.reason == "model_context_window_exceeded":
                return "The conversation is too long for the model. Start a new one."
            if (
                not calls and end.reason == "pause_turn"
            ):  # the server goes on with its own tools when asked again
                self._before_pause = self.text
                continue
            if not calls and self.text.strip():
                await self._check_answer()
                wrong = unsupported_parts(self.checked)
                if last or self.returned or not wrong:
                    return ""
                self._send_answer_back(wrong)
                continue
            if not calls:
                self.text = self._findings_so_far()
                return end.detail or "The model gave no answer. Ask again."
            if last:
                add_user_blocks(
                    self.history, [result_block(call, NO_STEPS, False) for call in calls]
                )
                break
            await self._run_calls(calls, last=step == max_steps - 1)
        self.text = self.text.strip() or self._findings_so_far()
        return (
            f"The model did not answer within {most} steps. Ask a narrower question, or say"
            " “go on”."
        )

    async def _check_answer(self) -> None:
        self.checked = ()
        if self.check is not None:
            try:
                self.checked = tuple(await self.check(self.text.strip(), self.outcomes))
            except Exception:  # says nothing about the answer
                log.exception("the answer could not be checked")

    def _send_answer_back(self, wrong: Sequence[CheckedPart]) -> None:
        """Send the answer back to the model, with the reasons why parts of it are unsupported."""
        self.returned = "; ".join(c.reason for c in wrong[:MOST_REASONS])
        self.returned_answer = self.text
        add_user_blocks(self.history, [text_block(CORRECTION_REQUEST.format(reason=self.returned))])
        self.emit(AnswerSentBack(self.returned))

    def restore_returned_answer(self) -> str:
        """Restore the answer that was sent back, since the model gave no other. Returns an empty
        text: no error.
        """
        self.text = self.returned_answer
        if self.history[-1]["role"] == "user" and "tool_result" not in [
            block["type"] for block in self.history[-1]["content"]
        ]:
            self.history.pop()
        return ""

    def _findings_so_far(self) -> str:
        """The findings of the calls so far. They are the answer if the model gives none."""
        found = dict.fromkeys(
            o.notes or f"{o.sentence}: {elide_text(o.preview, 200)}" for o in self.outcomes if o.ok
        )
        return (
            "\n".join(["Found so far:", *(f"- {' '.join(text.split())}" for text in found)])
            if found
            else ""
        )

    async def _stream_reply(self, last: bool) -> tuple[list[Block], ReplyEnd]:
        """Stream one reply into the history, complete or partial. Returns its tool calls and its
        end. Raises BackendError if the reply has no end.
        """
        blocks: list[Block] = []
        said, partial, end, whole, why = list[str](), "", NO_END, False, CANCELLED
        self.text = ""
        try:
            ask = self.backend.stream_last_reply if last else self.backend.stream_turn
            async with aclosing(ask(self.system, self.history, self.tools)) as stream:
                async for event in stream:
                    if isinstance(event, TextDelta):
                        partial += event.text
                        said.append(event.text)
                        self.emit(event)
                    elif isinstance(event, FinishedBlock):
                        blocks.append(event.block)
                        self._report_server_call(event.block)
                        partial = "" if event.block["type"] == "text" else partial
                    elif isinstance(event, RetryNotice):
                        self.emit(event)
                    else:
                        end = event
                        self.usage += event.usage
            if end is NO_END:
                raise BackendError(
                    f"{self.backend.name} broke off before the end of its reply. Ask again."
                )
            whole = end.reason not in ("max_tokens", "refusal", "model_context_window_exceeded")
        except BackendError:
            why = BROKEN_OFF
            raise
        finally:
            self.text, self._before_pause = self._before_pause + "".join(said), ""
            calls = [b for b in blocks if b["type"] == "tool_use"]
            stopped = end is NO_END
            # a reply that was cut at its limit may be incomplete: none of its calls are run or kept
            if end.reason != "refusal":  # the question stays unanswered, so that it can be retried
                add_reply(self.history, blocks, partial, calls=whole or stopped)
            if stopped and calls:
                add_user_blocks(self.history, [result_block(call, why, False) for call in calls])
        return calls, end

    def _report_server_call(self, block: Block) -> None:
        """Report a tool call that the server made and ran itself, with its result."""
        if block["type"] == "server_tool_use":
            self._receive_event(
                ToolStarted(
                    block["id"],
                    block["name"],
                    block["input"],
                    self._describe_call(block["name"], block["input"]),
                )
            )
        elif (
            block["type"].endswith("_tool_result")
            and (started := self._started.get(block["tool_use_id"])) is not None
        ):
            content = block["content"]
            ok = isinstance(content, list)
            found = (
                [{"title": c.get("title", ""), "url": c.get("url", "")} for c in content]
                if ok
                else str(content)
            )
            outcome = ToolOutcome(
                started.tool,
                started.arguments,
                found,
                ok,
                sentence=started.sentence,
                preview=truncate_text(json_text(found)),
            )
            self._receive_event(ToolFinished(started.id, outcome))

    def _describe_call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """A description of a tool call for people. The tool need not exist."""
        return capitalize_first((tool_named(self.tools, name) or Tool(name)).question(arguments))

    async def _run_calls(self, calls: list[Block], last: bool) -> None:
        """Run the tool calls of a reply, read-only ones concurrently. All results form one message,
        even if the turn is stopped.
        """
        calls = [self._intended_call(call) for call in calls]
        results = {call["id"]: result_block(call, CANCELLED, False) for call in calls}
        for call in calls[MOST_CALLS:]:
            results[call["id"]] = result_block(
                call, f"not run: a reply may make at most {MOST_CALLS} calls", False
            )
        try:
            for together in self._concurrent_groups(calls[:MOST_CALLS]):
                await self._run_concurrently(together, results)
            if last:
                results[calls[-1]["id"]] = result_with_note(results[calls[-1]["id"]], WRAP_UP)
        finally:
            for call in calls:
                for outcome in self._outcomes.get(call["id"], ())[-1:]:
                    if outcome.stopped and outcome.edits:
                        results[call["id"]] = result_block(
                            call, f"{CANCELLED}. {outcome.edits}", False
                        )
            add_user_blocks(self.history, list(results.values()))

    def _intended_call(self, call: Block) -> Block:
        """The call inside a call of ``call_tool``; other calls are unchanged."""
        name, arguments = intended_call(self.tools, call["name"], call["input"])
        return {**call, "name": name, "input": arguments}

    def _concurrent_groups(self, calls: list[Block]) -> list[list[Block]]:
        """Split the calls into groups, in order. The calls of a group may run concurrently."""
        groups: list[list[Block]] = []
        alone = True
        for call in calls:
            tool = tool_named(self.tools, call["name"])
            before, alone = alone, tool is not None and (tool.effect != "read" or tool.in_order)
            # of two equal calls the second gets what the first has kept
            again = (
                tool is not None
                and tool.cache
                and any(c["name"] == call["name"] for group in groups[-1:] for c in group)
            )
            if alone or before or again or len(groups[-1]) >= MOST_CONCURRENT_CALLS:
                groups.append([])
            groups[-1].append(call)
        return groups

    async def _run_concurrently(self, calls: list[Block], results: dict[str, Block]) -> None:
        done = [asyncio.Event() for _ in calls]
        outcomes: dict[int, ToolOutcome] = {}

        async def run_call(i: int) -> None:
            try:
                outcomes[i] = outcome = await self._run_call(calls[i], done[i - 1] if i else None)
                text = self.backend.outcome_text(outcome)
                results[calls[i]["id"]] = result_block(
                    calls[i], text, outcome.ok, picture=outcome.picture
                )
            finally:
                done[i].set()

        await asyncio.gather(*map(run_call, range(len(calls))))
        for _, outcome in sorted(outcomes.items()):
            self.backend.receive_outcome(outcome)

    async def _run_call(self, call: Block, before: asyncio.Event | None) -> ToolOutcome:
        name, arguments = call["name"], call["input"]
        tool = tool_named(self.tools, name)
        if tool is not None:
            return await dataclasses.replace(self.context, naming=before).run(
                tool, arguments, id=call["id"]
            )
        shown = arguments_if_json_object(arguments)
        self._receive_event(ToolStarted(call["id"], name, shown, self._describe_call(name, shown)))
        outcome = unknown_tool_outcome(name, arguments, self.tools)
        self._receive_event(ToolFinished(call["id"], outcome))
        return outcome

    def finished_event(self, stopped: bool, error: str) -> TurnFinished:
        return TurnFinished(
            self.text.strip(),
            tuple(self.outcomes),
            self.usage,
            stopped,
            error,
            self.backend.cost(self.usage),
            self.context.turn,
            checked=() if stopped or error else self.checked,
            returned=self.returned,
        )
