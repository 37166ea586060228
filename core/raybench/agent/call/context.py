"""The tool context: what a tool can read and do besides its arguments. Only functions marked with
`tool_context` receive it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import itertools
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, overload

from typing_extensions import is_typeddict

from raybench.agent.call.approval import (
    ALLOW_ALL,
    READ_ONLY,
    ApprovalRequest,
    ApprovalRules,
    ProposedEdit,
)
from raybench.agent.call.call import ResultCache, asks_approval_per_edit, call_tool
from raybench.agent.call.events import Emit, ToolFinished, ToolProgress, ToolStarted
from raybench.agent.call.open_document import EditRefused, KnownObjects, OpenDocument
from raybench.agent.call.outcome import ToolOutcome, failed_outcome
from raybench.agent.call.scope import CallScope
from raybench.agent.models.protocol import Backend, Usage
from raybench.agent.tools.tool import FoundTool, Tool
from raybench.agent.view_tools.state_tool import ViewDraft
from raybench.analysis.answers.page import paging_parameters
from raybench.analysis.answers.words import capitalize_first
from raybench.analysis.context import require_context
from raybench.errors import RaybenchError
from raybench.scene.changes import Changes, convert_to_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.schema.json_values import arguments_if_json_object
from raybench.schema.signature import is_optional, type_without_null
from raybench.trace.results.result import TraceResult

if TYPE_CHECKING:
    from raybench.agent.catalogue.registry import ToolRegistry

MOST_NESTED_CALLS = 5
"""Maximum depth of nested tool calls."""
_turns = itertools.count(1)
F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
P = ParamSpec("P")


class InvalidInput(RaybenchError):
    """An input does not match the parameters of a tool. The message shows the required form."""


def bind_input(
    found: FoundTool, input: Any
) -> tuple[Tool, dict[str, Any], tuple[Path, ...] | None]:
    """The tool to run for an input, its arguments by name, and the attachments if the input
    contains any.

    A tool without parameters takes no input. For a tool with a single parameter the input is the
    value, even if it is a dict; if the parameter cannot be a dict, a dict with the parameter's name
    is accepted too. Other tools need a dict.
    """
    if found.tool is None:
        return _tool_with_bound_input(found, input), {}, None
    if found.tool.parsed_signature is None:
        if input is not None and not isinstance(input, dict):
            raise InvalidInput(f"{found.name} takes a dict; it was given {input!r}.")
        return found.tool, dict(input or {}), None
    attachments: tuple[Path, ...] | None = None
    fields = found.tool.parsed_signature.parameters
    if found.kind == "worker":
        input, attachments = _split_worker_input(found.name, fields, input)
    return found.tool, _bind_arguments(found.name, fields, input), attachments


def _bind_arguments(name: str, fields: Mapping[str, Any], input: Any) -> dict[str, Any]:
    names = ", ".join(fields)
    nothing = input is None or input == {} or (input == "" and not fields)
    if nothing and all(map(is_optional, fields.values())):
        return {}
    if not fields:
        raise InvalidInput(f"{name} takes no input, but was given {input!r}.")
    if len(fields) == 1:
        takes_dict = all(map(_accepts_dict, fields.values()))
        if nothing and not (input == {} and takes_dict):
            raise InvalidInput(f"{name} needs its input, '{names}'.")
        if isinstance(input, dict) and input.keys() == {names} and not takes_dict:
            return dict(input)  # the parameter cannot be a dict: this is its value by name
        return {names: input}
    paging = paging_parameters(fields)
    own = [name for name in fields if name not in paging]
    if not isinstance(input, dict) and len(own) == 1 and not nothing:
        return {own[0]: input}
    if not isinstance(input, dict):
        raise InvalidInput(f"{name} takes a dict with {names}; it was given {input!r}.")
    if unknown := [str(key) for key in input if key not in fields]:
        raise InvalidInput(f"{name} takes no {', '.join(unknown)}; it takes {names}.")
    return dict(input)


def _accepts_dict(hint: Any) -> bool:
    hint = type_without_null(hint)
    return is_typeddict(hint) or hint in (Any, dict[str, Any])


def _split_worker_input(
    name: str, fields: Mapping[str, Any], input: Any
) -> tuple[Any, tuple[Path, ...] | None]:
    """Split the input of a worker from its attachments. Both can be given together as ``{"input":
    …, "attachments": […]}``.
    """
    attachments: tuple[Path, ...] | None = None
    if isinstance(input, dict) and "input" in input and input.keys() <= {"input", "attachments"}:
        given = input.get("attachments")
        if given is not None:
            if not isinstance(given, list | tuple) or not all(
                isinstance(path, str | Path) for path in given
            ):
                raise InvalidInput(f"{name}: attachments is a list of paths, not {given!r}.")
            attachments = tuple(map(Path, given))
        return input["input"], attachments
    if isinstance(input, dict) and len(fields) == 1 and input.keys() == fields.keys():
        return input[next(iter(fields))], attachments
    return input, attachments


def _tool_with_bound_input(found: FoundTool, input: Any) -> Tool:
    """A tool without parameters that calls a function with this input. It is used for functions
    that cannot take all arguments by name, and so cannot be called by a model.
    """
    function = found.handler
    if not found.callable:
        raise InvalidInput(found.problem)
    if not callable(function):
        raise InvalidInput(f"{found.name} cannot run here: it has no function.")
    hidden = getattr(function, "context_parameter", None)
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != hidden]
    alone = len(parameters) == 1 and parameters[0].kind is not inspect.Parameter.VAR_KEYWORD
    if not alone and not (isinstance(input, dict) and all(isinstance(key, str) for key in input)):
        raise InvalidInput(f"{found.name} takes a dict; it was given {input!r}.")
    args, given = ((input,), {}) if alone else ((), dict(input))

    def call(context: Any) -> Any:
        return function(*args, **given, **({} if hidden is None else {hidden: context}))

    call.context_parameter = "context"  # type: ignore[attr-defined]
    return Tool(found.name, call, "() -> :any", effect="external")


def new_turn_key() -> str:
    """A new merge key. Edits with the same merge key are undone together; each turn has its own."""
    return f"turn {next(_turns)}"


class CallsTooDeep(RaybenchError, RecursionError):
    """Tool calls are nested more than `MOST_NESTED_CALLS` levels deep."""


class ToolFailed(RaybenchError):
    """A tool that another tool called has failed. The message is the error of the called tool."""


class CallEnded(RaybenchError):
    """A call tried to continue after its time limit, or after the user stopped it."""


@overload
def tool_context(function: F) -> F: ...
@overload
def tool_context(*, param: str = "ctx", **options: Any) -> Callable[[F], F]: ...
def tool_context(function: Any = None, *, param: str = "ctx", **options: Any) -> Any:
    """Mark a function as one that takes a `ToolContext`, in its parameter ``ctx`` or ``param``;
    other options are as in `tool_options`.

    The parameter is not part of the schema, and callers cannot pass it.
    """

    def mark(function: F) -> F:
        function.context_parameter = param  # type: ignore[attr-defined]
        return tool_options(**options)(function) if options else function

    return mark if function is None else mark(function)


def tool_options(**options: Any) -> Callable[[F], F]:
    """Set a function's tool options, such as ``effect``, ``timeout_s`` and ``cache``; see
    `Tool.new`.
    """

    def set_options(function: F) -> F:
        function.tool_options = {**getattr(function, "tool_options", {}), **options}  # type: ignore[attr-defined]
        return function

    return set_options


class CostTracker:
    """Counts the tokens that a run has used so far, by model."""

    def __init__(self) -> None:
        self.by_model: dict[str, Usage] = {}

    def add_usage(self, model: str, usage: Usage) -> None:
        self.by_model[model] = self.by_model.get(model, Usage()) + usage

    @property
    def total(self) -> Usage:
        return sum(self.by_model.values(), Usage())


def run_in_agents_loop(
    method: Callable[Concatenate[ToolContext, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[ToolContext, P], Coroutine[Any, Any, T]]:
    """Decorate a method of a context so that it runs in the agent's event loop, even if a tool
    awaits it in another loop.
    """

    @functools.wraps(method)
    async def run_in_loop(self: ToolContext, /, *args: P.args, **kwargs: P.kwargs) -> T:
        work = method(self, *args, **kwargs)
        if self.loop is None or asyncio.get_running_loop() is self.loop:
            return await work
        return await asyncio.wrap_future(
            self.scope.register_future(asyncio.run_coroutine_threadsafe(work, self.loop))
        )

    return run_in_loop


@dataclass(frozen=True, eq=False)
class ToolContext:
    """What a tool can use besides its arguments: the document, and methods that change it, report
    progress or call other tools. A nested call has a context of its own.

    ``depth``: nesting depth of the call. ``state``: draft of the view in this turn; a call works on
    a copy, which is copied back only if the call succeeds in time. ``attachments``: paths of files
    that the user passed to the run; they are not put into prompts. ``message_callback``: receives
    every event of the run.
    """

    opened: OpenDocument
    registry: ToolRegistry
    approvals: ApprovalRules = READ_ONLY
    backend: Backend | None = None
    """The default model, for workers that name none."""
    model: str = ""
    """The model that the user chose for all workers; overrides theirs."""
    message_callback: Emit = lambda event: None
    state: ViewDraft = field(default_factory=ViewDraft)
    cost_tracker: CostTracker = field(default_factory=CostTracker)
    attachments: tuple[Path, ...] = ()
    depth: int = 0
    offered: tuple[Tool, ...] | None = None
    """The tools that the model of a worker may call; None stands for all of the registry."""
    tool: Tool | None = None
    """The tool that runs with this context; None at the top."""
    call_id: str = ""
    approved: bool = False
    """Whether this call was approved with all that it does."""
    scope: CallScope = field(default_factory=CallScope)
    cache: ResultCache = field(default_factory=ResultCache)
    turn: str = field(default_factory=new_turn_key)
    """The merge key of this turn's edits, which form one undo step."""
    earlier_turns: Collection[str] = ()
    """The merge keys of earlier turns whose edits may be undone in this one."""
    edited: Callable[[Document, Document], None] = lambda before, after: None
    """Receives the documents before and after each edit."""
    known: KnownObjects = field(default_factory=KnownObjects)
    """What the model or the person has been told of the scene."""
    by_person: bool = False
    """Whether calls are made by a person, who can stop them: they have no time limit unless the
    tool states one.
    """
    naming: asyncio.Event | None = None
    """Set when rays that are found may be named, so that concurrent calls name theirs in the order
    of the calls.
    """
    loop: asyncio.AbstractEventLoop | None = None
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @asynccontextmanager
    async def apply_view_at_end(self) -> AsyncIterator[None]:
        """A context manager that applies the view changes at the end of its block, even after an
        error.
        """
        before = dataclasses.replace(self.state)
        try:
            yield
        finally:
            if self.state != before:
                await self.opened.change_view(self.state.apply_to_view)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that the model of this turn, and its programs, may call."""
        return self.registry.tools if self.offered is None else self.offered

    @property
    def document(self) -> Document:
        """The current document."""
        return self.opened.document

    @property
    def scene(self) -> Scene:
        """The scene at the start of this call."""
        return require_context().scene

    @property
    def result(self) -> TraceResult:
        """The full trace of the `scene` of this call."""
        return require_context().result

    @property
    def selection(self) -> tuple[int, ...]:
        """The keys of the objects that are selected in the document."""
        return self.opened.selection

    @property
    def cancelled(self) -> bool:
        """Whether this call must stop: the user stopped it, or its time is up."""
        return self.scope.has_ended

    def progress(self, done: float | None, of: float = 1.0, words: str = "") -> None:
        """Report how much of the call's work is done. It may be called from any thread; the display
        is updated a few times a second.

        ``done`` is None if the total is unknown; then ``words`` describe what is done so far.
        """
        if self.loop is not None and of > 0 and self.scope.is_report_due() and not self.cancelled:
            event = ToolProgress(
                self.call_id, None if done is None else min(max(done / of, 0.0), 1.0), words
            )
            self.loop.call_soon_threadsafe(self.message_callback, event)

    @run_in_agents_loop
    async def call_tool(self, name: str, input: Any = None) -> Any:
        """Call another tool, in code or a worker, and return its result. Raises ToolFailed with its
        error, CallsTooDeep, or ToolNotFound.

        ``input`` is the tool's only argument, or a dict of its arguments by name. The caller's
        clock is paused meanwhile.
        """
        found = self.registry.find_tool(name)
        self._check_depth(found.name)
        try:
            tool, arguments, attachments = bind_input(found, input)
        except InvalidInput as error:
            raise ToolFailed(str(error)) from None
        unbound = dataclasses.replace(self, offered=None)  # the tools of a worker bind no code
        outcome = await unbound.run(tool, arguments, gated=False, attachments=attachments)
        if not outcome.ok:
            raise ToolFailed(outcome.text)
        return outcome.value

    call_worker = call_tool

    def call(self, name: str, input: Any = None) -> Any:
        """Call another tool and wait for its result, like `call_tool`, for functions that are not
        ``async``.
        """
        loop = self.loop
        assert loop is not None
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            raise RaybenchError(
                "ctx.call blocks, which an async function must not. Write: await ctx.call_tool(...)"
            )
        self._raise_if_ended(name)
        return self.scope.register_future(
            asyncio.run_coroutine_threadsafe(self.call_tool(name, input), loop)
        ).result()

    @run_in_agents_loop
    async def run(
        self,
        tool: Tool,
        arguments: Any,
        *,
        id: str = "",
        gated: bool = True,
        attachments: tuple[Path, ...] | None = None,
    ) -> ToolOutcome:
        """Run a tool, and report its start and end to ``message_callback``. A ``gated`` call needs
        approval; calls by models are gated.

        A worker gets only the ``attachments`` passed with the call. While the tool runs, the clock
        of this context's call is paused.
        """
        self._raise_if_ended(tool.name)
        id = id or f"{self.call_id or self.turn}.{next(self.numbers)}"
        shown = arguments_if_json_object(arguments)
        self.message_callback(
            ToolStarted(id, tool.name, shown, capitalize_first(tool.question(shown)), self.call_id)
        )

        def report_end(outcome: ToolOutcome) -> ToolOutcome:
            outcome = dataclasses.replace(outcome, within=bool(self.call_id))
            self.message_callback(ToolFinished(id, outcome))
            return outcome

        try:
            self._check_depth(tool.name)
        except CallsTooDeep as error:
            return report_end(failed_outcome(tool.name, shown, str(error)))
        if attachments is None:
            attachments = () if tool.type == "subagent" else self.attachments
        approved = self.approved
        if gated:  # by an approval of the call, unless its edits are approved one by one
            approved = tool.effect != "read" and not asks_approval_per_edit(tool)
        nested = dataclasses.replace(
            self,
            tool=tool,
            call_id=id,
            approved=approved,
            attachments=attachments,
            depth=self._nested_depth,
            scope=CallScope(self.scope),
            state=dataclasses.replace(self.state),
            loop=asyncio.get_running_loop(),
            by_person=False,
        )
        caller = self if gated else dataclasses.replace(self, approvals=ALLOW_ALL)
        before = dataclasses.replace(self.state)
        try:
            with self.scope.pause_clocks():
                outcome = await call_tool(tool, arguments, caller, nested)
        except asyncio.CancelledError:
            outcome = failed_outcome(
                tool.name,
                shown,
                f"{tool.name} was stopped.",
                nested.scope.seconds_without_pauses * 1e3,
                ran=nested.scope.running,
                stopped=True,
            )
            report_end(outcome.with_edits(await nested.scope.finish_pending_edits()))
            raise
        if outcome.ok:
            self.state.take_changes(nested.state, before)
        else:
            outcome = outcome.with_edits(await nested.scope.finish_pending_edits())
        return report_end(outcome)

    @run_in_agents_loop
    async def apply(
        self, changes: Changes | Mapping[str, Any] | Sequence[Mapping[str, Any]]
    ) -> Document:
        """Change the document. All edits of this turn are undone together. Raises EditRefused if
        this turn may not edit, and ChangeRefused if one of the changes cannot be made; then none is
        made.

        Nested calls have no more permission than the model's own. ``changes`` are of
        `raybench.scene.changes`, or their JSON: ``await ctx.apply([{"set": "Wedge", "refIndex":
        1.7}, {"rotate": "Prism", "by": 7}])``.
        """
        self._raise_if_ended("An edit")
        document = self.document
        wanted = convert_to_changes(changes, document)
        edit = ProposedEdit.from_changes(wanted, document)
        return await self._make_allowed_edit(edit, lambda: self.opened.apply(wanted, self.turn))

    async def _make_allowed_edit(
        self, edit: ProposedEdit, make: Callable[[], Coroutine[Any, Any, T]]
    ) -> T:
        """Ask for permission, make the edit, and return its result. Raises EditRefused if it is not
        allowed.
        """
        if not self.approved:
            asking = dataclasses.replace(self.tool or Tool("edit"), effect="edit", assumed=False)
            with self.scope.pause_clocks():
                reason = await self.approvals.call_refusal(ApprovalRequest(asking, {}, edit))
            if reason:
                raise EditRefused(reason)
        self._raise_if_ended(edit.description)

        async def make_and_record_edit() -> T:
            before = self.document
            result = await make()
            self.edited(before, self.document)
            return result

        return await self.scope.run_edit(make_and_record_edit(), edit.description)

    @run_in_agents_loop
    async def undo(self, redo: bool = False) -> str:
        """Undo or redo the edits of this turn or, if it made none, of an earlier turn of the
        conversation. Returns a description of them. Raises EditRefused if they are not the latest
        edits, or if this turn has no permission.
        """
        self._raise_if_ended("An edit")
        step = self.opened.undoable_step((self.turn, *self.earlier_turns), redo)
        there = step.after if redo else step.before
        edit = ProposedEdit(
            (), (self.document, there), f"{'Redo' if redo else 'Undo'}: {step.text}"
        )
        return await self._make_allowed_edit(
            edit, lambda: self.opened.undo_or_redo(step, self.turn, redo)
        )

    @run_in_agents_loop
    async def run_on_document(self, work: Callable[[OpenDocument], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine function on the open document, from any event loop, and return its
        result.
        """
        self._raise_if_ended("This")
        return await work(self.opened)

    @property
    def _nested_depth(self) -> int:
        return self.depth + (self.tool is not None)

    def _check_depth(self, target: str) -> None:
        if self._nested_depth > MOST_NESTED_CALLS:
            raise CallsTooDeep(
                f"{target} was not called: tool calls nest at most {MOST_NESTED_CALLS} deep, and"
                f" this one is at depth {self.depth}."
            )

    def _raise_if_ended(self, what: str) -> None:
        if self.cancelled:
            raise CallEnded(f"{what}: the call that requested this has ended.")
