"""Runs a tool: checks, approval, cache, trace, time limit, result. Every caller goes through `call_tool`."""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from core.agent.call.approval import READ_ONLY, Approvals, Request
from core.agent.call.bench import Bench
from core.agent.call.cache import ResultCache, cache_key, canonical
from core.agent.call.outcome import ToolOutcome, failure
from core.agent.call.picture import Picture
from core.agent.call.result_preview import ResultPreview
from core.agent.call.scope import CallScope, OutOfTime
from core.agent.call.thread import Ended, in_own_loop, in_thread
from core.agent.tools.exposure import may_call
from core.agent.tools.invoke import bound
from core.agent.tools.tool import Tool, code_name
from core.analysis.answers.answer import Answer
from core.analysis.answers.page import page_parameters
from core.analysis.answers.preview import A_PAGE, CHARACTERS, cut, preview, preview_of_value
from core.analysis.answers.words import capitalized, counted, rays_counted
from core.analysis.context import TracedScene, bound_context
from core.errors import RaybenchError, one_line, text_of
from core.scene.problems.idle import idle_objects
from core.schema.jsonable import json_arguments, json_text, jsonable
from core.schema.parameters import InvalidArguments, InvalidSignature
from core.schema.signature import SignatureError
from core.schema.values import InvalidValue, checked_result
from core.trace.codes import Completion

NOTES = 120
"""Characters of a preview that are kept for its notes besides the sentence: the name of a ray set, a trace that is partial."""
MORE = frozenset({"limit", "max_paths", "top_n", "max_groups"})
"""Parameters by which a caller asks for more elements of a list than a preview has by default."""
log = logging.getLogger(__name__)


class InvalidResult(RaybenchError):
    """A tool returned a value that does not fit its signature."""


MANY = 1_000_000
"""Number of segments from which on a timeout is attributed to the length of the trace."""


def _long_trace_remedy(traced: TracedScene) -> str:
    """The remedy after a timeout if the trace is long; otherwise empty."""
    count = len(traced.result)
    if count < MANY:
        return ""
    return (
        f" The trace has {counted(count)} segments: give the scene a largest depth, such as “set the largest depth to 100”, or fewer rays."
    )


async def call_tool(
    tool: Tool,
    arguments: Any,
    bench: Bench,
    *,
    approvals: Approvals = READ_ONLY,
    cache: ResultCache[ToolOutcome] | None = None,
    caller: Tool | None = None,
    context: object = None,
    scope: CallScope | None = None,
    by_person: bool = False,
    naming: asyncio.Event | None = None,
) -> ToolOutcome:
    """Check the arguments, wait for the trace of the current scene, run the tool on it, and name the rays it found.

    A tool's own errors come back as an outcome that is not ok. Cancelling raises CancelledError.

    Args:
        approvals: The permissions of the turn. An edit by a tool that takes a context needs approval when it is made, not here, since only
            then it is known what it would change.
        cache: The results of this conversation, for tools with ``cache``.
        caller: The calling tool, if any: private tools can be called only by tools that declare them.
        context: The context for a function that takes one.
        scope: The call's clock, if it is part of another call; both are paused while waiting for a person or a trace.
        by_person: Whether a person, who can stop it, runs the tool: it then has no time limit unless it states one.
        naming: Set when the rays may be named, so that concurrent calls name theirs in the order of the calls.
    """
    scope = scope or CallScope()
    if not may_call(caller, tool):
        who = "" if caller is None else f" It is private, and {caller.name} does not name it among its calls."
        return failure(tool.name, json_arguments(arguments), f"Unknown tool '{tool.name}'.{who}")
    try:
        checked = tool.parameters.check(arguments)
        call = bound(tool, checked.values, context)
        unasked = page_parameters(checked.values) - set(arguments)
        values = {name: value for name, value in jsonable(checked.values).items() if name not in unasked}
    except (InvalidArguments, InvalidSignature, SignatureError) as error:
        message = f"{tool.name} cannot be called: its signature has a {error}." if isinstance(error, SignatureError) else str(error)
        refused = failure(tool.name, json_arguments(arguments), message)
        return replace(refused, sentence=message.partition(" Parameters: ")[0])  # the list of parameters is for the model
    cached = cache.get(cache_key(tool.name, values, bench.document.revision)) if cache is not None and tool.cache else None
    if cached is not None:
        return replace(cached, milliseconds=0.0, cached=True)
    with scope.waiting():
        reason = approvals.profile_refusal(tool) or "" if asks_about_edits(tool) else await approvals.refusal(Request(tool, values))
    if reason:
        return failure(tool.name, values, reason)
    untraced = ""
    try:
        with scope.waiting():
            traced = await bench.context()
    except Exception as error:
        untraced = _error_line(error)
        if tool.needs == "trace":
            return failure(tool.name, values, f"{tool.name}: the scene could not be traced. {untraced}")
        traced = TracedScene.untraced(bench.document)
    start = scope.own_seconds
    took: list[float] = []

    def milliseconds() -> float:
        return took[0] if took else (scope.own_seconds - start) * 1e3

    def finished(result: Any) -> _Result:
        took.append(milliseconds())
        return _Result.of(result, tool, size)

    async def run() -> _Result:
        scope.running = True
        with bound_context(traced):
            try:
                if not inspect.iscoroutinefunction(tool.function):
                    return await in_thread(lambda: finished(call()))
                if tool.type == "native":  # it may block, hence a loop of its own
                    return await in_own_loop(lambda: _then(call, finished))
                return finished(await call())
            except SystemExit as error:  # would end the event loop
                raise Ended(error) from None

    idle = idle_objects(traced.scene, traced.disabled)
    about_trace = _about_trace(tool, traced, untraced)
    size = (CHARACTERS if MORE & set(arguments) else A_PAGE) - len(idle) - len(about_trace)
    seconds = math.inf if by_person and not tool.limited else tool.timeout_s
    try:
        result = await scope.within(seconds + start, run())
    except OutOfTime:
        return failure(
            tool.name, values, f"{tool.name} failed: timed out after {seconds:g} s.{_long_trace_remedy(traced)}", milliseconds(), ran=True
        )
    except Exception as error:
        if not isinstance(error, RaybenchError):  # a fault of the tool, not of its caller
            log.exception("%s raised", tool.name)
        return failure(tool.name, values, _error_line(error), milliseconds(), ran=True)
    outcome = await _outcome(tool, values, result, took[0], traced, (idle, about_trace), checked.dropped, bench, naming)
    if cache is not None and tool.cache:
        revision = traced.result.revision
        cache.put(cache_key(tool.name, values, revision), outcome, revision)
    return outcome


async def _outcome(
    tool: Tool,
    values: Mapping[str, Any],
    result: _Result,
    milliseconds: float,
    traced: TracedScene,
    about_scene: tuple[str, str],
    dropped: tuple[str, ...],
    bench: Bench,
    naming: asyncio.Event | None,
) -> ToolOutcome:
    """The outcome of a call that returned a result: names its rays and makes notes and preview."""
    asked = tool.question(values)
    answer, shown = result.answer, result.preview
    # a project's function that calls a shipped tool as a script does leaves the rays in the context
    rays = answer.rays if answer else traced.answers[-1] if traced.answers else None
    if rays is not None:
        if naming is not None:
            await naming.wait()
        rays = await bench.remember(asked, rays)
    name = rays.name if rays is not None else ""
    if tool.native_result is not None:
        whole = jsonable(answer.values) if answer else result.value
        kept_preview, _ = ResultPreview.of(tool.native_result).render(whole, cache_hint(tool, values), name)
        shown = cut(json_text(kept_preview))
    finding = answer.full_sentence(name) if answer else "" if rays is None else f"{capitalized(asked)}: {rays_counted(len(rays))} ({name})."
    return ToolOutcome(
        tool.name,
        values,
        answer if answer is not None else result.value,
        True,
        rays,
        milliseconds,
        capitalized(asked),
        _notes(finding, *about_scene, dropped, result.warning),
        shown,
        private=tool.private,
        picture=result.picture,
        complete_sentence=answer is None or rays is not None or answer.complete_sentence,
    )


def asks_about_edits(tool: Tool) -> bool:
    """Whether a tool makes its edits through its context, which asks for approval of each."""
    return tool.effect == "edit" and getattr(tool.function, "context_parameter", None) is not None


async def _then(call: Callable[[], Awaitable[Any]], finished: Callable[[Any], _Result]) -> _Result:
    return finished(await call())


MOST_RESULT = 256_000_000
"""Bytes of the values that a function may return, as `fits` counts them."""


@dataclass(frozen=True, eq=False)
class _Result:
    """The return value of a function, converted in the thread in which it ran, since a large result takes time."""

    answer: Answer | None
    value: Any
    preview: str
    picture: Picture | None
    warning: str = ""

    @classmethod
    def of(cls, result: Any, tool: Tool, size: int) -> Self:
        """``size``: the most characters of a preview. InvalidResult if a result does not fit the tool's signature, which it has to fit."""
        answer = result if isinstance(result, Answer) else None
        picture = result if isinstance(result, Picture) else None
        value = None if answer else jsonable(picture.about if picture else result, most=MOST_RESULT)
        warning = ""
        if tool.parsed is not None and answer is None and picture is None:
            mismatch = f"{tool.name} returned a value that does not fit its signature {tool.signature}: "
            try:  # a type hint does not require a number to be finite
                faults = checked_result(value, tool.parsed.returns, tool.check, finite=tool.extracted is None)
            except InvalidValue as error:
                raise InvalidResult(f"{mismatch}{error}.") from None
            warning = f"{mismatch}{'; '.join(faults)}." if faults else ""
        shown = preview(answer, size - len(answer.full_sentence()) - NOTES) if answer else preview_of_value(value, size)
        return cls(answer, value, shown, picture, warning)


def _notes(finding: str, idle: str, about_trace: str, dropped: tuple[str, ...], warning: str) -> str:
    """The finding and further remarks on a result, one a line."""
    notes = [
        finding,
        idle,
        about_trace,
        f"Ignored unknown arguments: {', '.join(dropped)}." if dropped else "",
        warning,
    ]
    return "\n".join(note for note in notes if note)


def _about_trace(tool: Tool, traced: TracedScene, untraced: str) -> str:
    """A remark if the trace is incomplete, has no light or failed with the error ``untraced``, for tools about the scene."""
    if tool.needs == "nothing":
        return ""
    if untraced:  # an edit may have corrected it
        return f"The scene could not be traced. {untraced}" if tool.effect == "read" else ""
    if traced.result.completion != Completion.COMPLETE:
        return f"The trace is partial ({traced.result.completion.text}): there may be more rays than these."
    return "" if len(traced.result) else " ".join(["There is no light in this scene.", *(w.text for w in traced.result.warnings)])


def cache_hint(tool: Tool, values: Mapping[str, Any]) -> str:
    """How a program gets the whole stored result of a call."""
    given = ", ".join(f"{code_name(name)}={_literal(values[name])}" for name in sorted(values))
    return f"The full result is kept: {code_name(tool.name)}({given}) in a program returns it without running again."


def _literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_literal(item)}" for key, item in sorted(value.items())) + "}"
    return f"[{', '.join(map(_literal, value))}]" if isinstance(value, list | tuple) else repr(canonical(value))


def _error_line(error: Exception) -> str:
    """An error in one line, for a person and a model. A KeyError's text alone is only the key."""
    text = one_line(text_of(error).strip())
    return text if text and not isinstance(error, KeyError) else f"{type(error).__name__}: {text}".rstrip(": ")
