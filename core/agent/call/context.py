"""What a tool may know and do besides its arguments: given only to functions that ask for it, and never by a model."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from core.agent.call.approval import ALL, READ_ONLY, Approvals
from core.agent.call.cache import ResultCache
from core.agent.call.call import ToolOutcome, call_tool, failure
from core.agent.call.scope import CallScope
from core.agent.models.protocol import Backend, Usage
from core.agent.tools.jsonable import tellable
from core.agent.tools.tool import Tool
from core.agent.turn.events import Emit, ToolFinished, ToolStarted
from core.agent.turn.sentence import capitalized, question
from core.agent.view_tools.state_tool import ViewDraft
from core.analysis.context import require_context
from core.errors import RaybenchError
from core.scene.document import Document
from core.scene.scene import Scene
from core.session import Edit
from core.trace.results.result import TraceResult

if TYPE_CHECKING:
    from core.agent.catalogue.registry import ToolRegistry
    from core.agent.turn.bench import LiveBench

DEEPEST = 5
"""How many hops from tool to tool there may be."""
_turns = itertools.count(1)
F = TypeVar("F", bound=Callable[..., Any])


class TooDeep(RaybenchError, RecursionError):
    """A tool called a tool called a tool … more often than is allowed."""


class ToolFailed(RaybenchError):
    """A tool that was called by another gave no answer; the text is its error."""


class EditRefused(RaybenchError):
    """The document was not changed: this turn, or the person who was asked, does not allow it."""


class CallOver(RaybenchError):
    """A call went on after its end: after its time was up, or after Stop."""


@overload
def tool_context(function: F) -> F: ...
@overload
def tool_context(*, param: str = "ctx") -> Callable[[F], F]: ...
def tool_context(function: Any = None, *, param: str = "ctx") -> Any:
    """Mark a function as one that wants a `ToolContext`, in its parameter ``ctx`` or another one.

    The parameter is in no schema, and nobody but the program can fill it.
    """

    def mark(function: F) -> F:
        function.context_parameter = param  # type: ignore[attr-defined]
        return function

    return mark if function is None else mark(function)


def tool_options(**options: Any) -> Callable[[F], F]:
    """Say of a function in ``tools.py`` what kind of tool it is: ``effect``, ``timeout_s``, ``cache`` … as in `Tool.new`."""

    def mark(function: F) -> F:
        function.tool_options = options  # type: ignore[attr-defined]
        return function

    return mark


class CostTracker:
    """The tokens that a run has cost so far, by model."""

    def __init__(self) -> None:
        self.by_model: dict[str, Usage] = {}

    def add(self, model: str, usage: Usage) -> None:
        self.by_model[model] = self.by_model.get(model, Usage()) + usage

    @property
    def total(self) -> Usage:
        return sum(self.by_model.values(), Usage())


@dataclass(frozen=True, eq=False)
class ToolContext:
    """The same at the top and in every call below: what is at work, what was allowed, and the way to call other tools.

    ``depth`` counts the hops from tool to tool. ``state`` is the view as this turn's tools make it. ``attachments`` are files that a
    person gave along; nobody puts them into a prompt. ``message_callback`` hears every event of the run.
    """

    bench: LiveBench
    registry: ToolRegistry
    approvals: Approvals = READ_ONLY
    backend: Backend | None = None
    """The model that answers where a worker names none."""
    model: str = ""
    """The model that a person chose for every worker."""
    message_callback: Emit = lambda event: None
    state: ViewDraft = field(default_factory=ViewDraft)
    cost_tracker: CostTracker = field(default_factory=CostTracker)
    attachments: tuple[Path, ...] = ()
    depth: int = 0
    tool: Tool | None = None
    """The tool that this context was given to; none at the top."""
    call_id: str = ""
    approved: bool = False
    """Whether that call was one that may change things, and was allowed."""
    scope: CallScope = field(default_factory=CallScope)
    cache: ResultCache[ToolOutcome] = field(default_factory=ResultCache)
    turn: str = field(default_factory=lambda: f"turn {next(_turns)}")
    """What the edits of this turn share: they are one step to undo."""
    loop: asyncio.AbstractEventLoop | None = None
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def document(self) -> Document:
        """The document as it stands."""
        return self.bench.document

    @property
    def scene(self) -> Scene:
        """The scene as it was when this call began."""
        return require_context().scene

    @property
    def result(self) -> TraceResult:
        """The full trace of `scene`."""
        return require_context().result

    @property
    def selection(self) -> tuple[int, ...]:
        """The keys of the objects that the person has selected."""
        return self.bench.selection

    @property
    def cancelled(self) -> bool:
        """Whether this call is to end: a person stopped it, or its time is up."""
        return self.scope.over

    async def call_tool(self, name: str, input: Any = None) -> Any:
        """What another tool answers, whether code or a worker; ToolFailed with its error, TooDeep, or ToolNotFound.

        ``input`` is the one thing that the tool takes, or a dict of its parameters.
        """
        from core.agent.call.tool_input import InvalidInput, bound_input

        found = self.registry.find_tool(name)
        self._check_depth(found.name)
        try:
            tool, arguments, attachments = bound_input(found, input)
        except InvalidInput as error:
            raise ToolFailed(str(error)) from None
        outcome = await self.run(tool, arguments, gated=False, attachments=attachments)
        if not outcome.ok:
            raise ToolFailed(outcome.text)
        return outcome.value

    call_worker = call_tool

    def call(self, name: str, input: Any = None) -> Any:
        """`call_tool` for functions that are not ``async``: waits for the answer."""
        loop = self.loop
        assert loop is not None
        try:
            running: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is loop:
            raise RaybenchError("ctx.call waits, which an async function must not. Write: await ctx.call_tool(...)")
        self._check_alive(name)
        return self.scope.started(asyncio.run_coroutine_threadsafe(self.call_tool(name, input), loop)).result()

    async def run(
        self, tool: Tool, arguments: Any, *, id: str = "", gated: bool = True, attachments: tuple[Path, ...] | None = None
    ) -> ToolOutcome:
        """Run a tool for whoever holds this context, and tell of it. Only what a model asks for is ``gated`` by approvals.

        A worker gets the ``attachments`` that are given with the call, and no others.
        """
        self._check_alive(tool.name)
        id = id or f"{self.call_id or self.turn}.{next(self.numbers)}"
        shown = tellable(arguments)
        self.message_callback(ToolStarted(id, tool.name, shown, capitalized(question(tool.name, shown)), self.call_id))
        try:
            self._check_depth(tool.name)
        except TooDeep as error:
            outcome = failure(tool.name, shown, str(error))
        else:
            below = dataclasses.replace(
                self,
                tool=tool,
                call_id=id,
                approved=tool.effect != "read" if gated else self.approved,
                attachments=attachments if attachments is not None else () if tool.type == "subagent" else self.attachments,
                depth=self._depth_below,
                scope=CallScope(self.scope),
                loop=asyncio.get_running_loop(),
            )
            allowed = self.approvals if gated else ALL
            outcome = await call_tool(
                tool,
                arguments,
                self.bench,
                profile=allowed.profile,
                ask=allowed.ask,
                cache=self.cache,
                caller=self.tool,
                context=below,
                scope=below.scope,
            )
        self.message_callback(ToolFinished(id, outcome))
        return outcome

    async def apply(self, edit: Edit, text: str) -> Document:
        """Change the document, as one step to undo with the other edits of this turn; EditRefused if this turn may not.

        Whoever calls: a tool that calls a tool gets no further than the model could. ``text`` names the step.
        """
        self._check_alive(text)
        asked = Tool(text, effect="edit")
        with self.scope.waiting():
            reason = "" if self.approved else await self.approvals.refusal(asked, {})
        if reason:
            raise EditRefused(reason)
        self._check_alive(text)
        return await self.bench.apply(edit, text, self.turn)

    @property
    def _depth_below(self) -> int:
        return self.depth + (self.tool is not None)

    def _check_depth(self, target: str) -> None:
        if self._depth_below > DEEPEST:
            raise TooDeep(f"{target} was not called: tools may call tools {DEEPEST} deep, and this is at depth {self.depth}.")

    def _check_alive(self, what: str) -> None:
        if self.cancelled:
            raise CallOver(f"{what}: the call that asked for this has ended.")
