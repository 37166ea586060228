"""Runs a tool: checks, approval, cache, trace, time limit, result. Every caller goes through
`call_tool`.
"""

from __future__ import annotations

import inspect
import logging
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from raybench.agent.call.approval import Request
from raybench.agent.call.cache import cache_key
from raybench.agent.call.caller import Caller
from raybench.agent.call.outcome import ToolOutcome, failure
from raybench.agent.call.result import Call, Result, outcome_of
from raybench.agent.call.scope import CallScope, OutOfTime
from raybench.agent.call.thread import Ended, in_own_loop, in_thread
from raybench.agent.tools.exposure import may_call
from raybench.agent.tools.invoke import bound
from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.page import page_parameters
from raybench.analysis.answers.words import counted
from raybench.analysis.context import TracedScene, bound_context
from raybench.errors import RaybenchError, one_line, text_of
from raybench.schema.jsonable import json_arguments, jsonable
from raybench.schema.parameters import InvalidArguments, InvalidSignature
from raybench.schema.signature import SignatureError

MANY = 1_000_000
"""Number of segments from which on a timeout is attributed to the length of the trace."""
log = logging.getLogger(__name__)


async def call_tool(
    tool: Tool,
    arguments: Any,
    caller: Caller,
    *,
    context: object = None,
    scope: CallScope | None = None,
) -> ToolOutcome:
    """Check the arguments, wait for the trace of the current scene if the tool does, run the tool
    on it, and name the rays it found.

    A tool's own errors come back as an outcome that is not ok. Cancelling raises CancelledError.

    Args:
        context: The context for a function that takes one.
        scope: The call's clock, if it is part of another call; both are paused while waiting for a
            person or a trace.
    """
    scope = scope or CallScope()
    opened, approvals = caller.opened, caller.approvals
    cache = caller.cache if tool.cache else None
    if not may_call(caller.tool, tool):
        who = (
            ""
            if caller.tool is None
            else f" It is private, and {caller.tool.name} does not name it among its calls."
        )
        return failure(tool.name, json_arguments(arguments), f"Unknown tool '{tool.name}'.{who}")
    try:
        checked = tool.parameters.check(arguments)
        function = bound(tool, checked.values, context)
        unasked = page_parameters(checked.values) - set(arguments)
        values = {
            name: value for name, value in jsonable(checked.values).items() if name not in unasked
        }
    except (InvalidArguments, InvalidSignature, SignatureError) as error:
        message = (
            f"{tool.name} cannot be called: its signature has a {error}."
            if isinstance(error, SignatureError)
            else str(error)
        )
        refused = failure(tool.name, json_arguments(arguments), message)
        return replace(
            refused, sentence=message.partition(" Parameters: ")[0]
        )  # the list of parameters is for the model
    cached = (
        cache.get(cache_key(tool.name, values, opened.document.revision))
        if cache is not None
        else None
    )
    if cached is not None:
        return replace(cached, milliseconds=0.0, cached=True)
    with scope.waiting():
        reason = (
            approvals.profile_refusal(tool) or ""
            if asks_about_edits(tool)
            else await approvals.refusal(Request(tool, values))
        )
    if reason:
        return failure(tool.name, values, reason)
    untraced = ""
    try:
        with scope.waiting():
            traced = await opened.context() if tool.waits else opened.present()
    except Exception as error:
        untraced = _error_line(error)
        if tool.needs == "trace":
            return failure(
                tool.name, values, f"{tool.name}: the scene could not be traced. {untraced}"
            )
        traced = TracedScene.untraced(opened.document)
    call = Call(tool, values, frozenset(arguments), checked.dropped, traced, untraced, caller.known)
    start = scope.own_seconds
    seconds = math.inf if caller.by_person and not tool.limited else tool.timeout_s
    try:
        result = await scope.within(seconds + start, _run(call, function, scope))
    except Exception as error:
        milliseconds = (scope.own_seconds - start) * 1e3
        message = _error_line(error)
        if isinstance(error, OutOfTime):
            message = (
                f"{tool.name} failed: timed out after {seconds:g} s.{_long_trace_remedy(traced)}"
            )
        elif not isinstance(error, RaybenchError):  # a fault of the tool, not of its caller
            log.exception("%s raised", tool.name)
        return failure(tool.name, values, message, milliseconds, ran=True)
    outcome = await outcome_of(call, result, caller)
    if cache is not None:
        revision = traced.result.revision
        cache.put(cache_key(tool.name, values, revision), outcome, revision)
    return outcome


async def _run(call: Call, function: Callable[[], Any], scope: CallScope) -> Result:
    """Call a tool's function, where it can block nobody, and convert what it returns."""
    start = scope.own_seconds

    def finished(returned: Any) -> Result:
        return Result.of(returned, call, (scope.own_seconds - start) * 1e3)

    async def awaited() -> Result:
        return finished(await function())

    scope.running = True
    with bound_context(call.traced):
        try:
            if not inspect.iscoroutinefunction(call.tool.function):
                return await in_thread(lambda: finished(function()))
            if call.tool.type == "native":  # it may block, hence a loop of its own
                return await in_own_loop(awaited)
            return await awaited()
        except SystemExit as error:  # would end the event loop
            raise Ended(error) from None


def asks_about_edits(tool: Tool) -> bool:
    """Whether a tool makes its edits through its context, which asks for approval of each."""
    return tool.effect == "edit" and getattr(tool.function, "context_parameter", None) is not None


def _long_trace_remedy(traced: TracedScene) -> str:
    """The remedy after a timeout if the trace is long; otherwise empty."""
    count = len(traced.result)
    if count < MANY:
        return ""
    return (
        f" The trace has {counted(count)} segments: give the scene a largest depth, such as “set"
        " the largest depth to 100”, or fewer rays."
    )


def _error_line(error: Exception) -> str:
    """An error in one line, for a person and a model. A KeyError's text alone is only the key."""
    text = one_line(text_of(error).strip())
    return (
        text
        if text and not isinstance(error, KeyError)
        else f"{type(error).__name__}: {text}".rstrip(": ")
    )
