"""The one way a tool is run, whoever calls it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.agent.call.approval import Ask, Profile, refusal
from core.agent.call.cache import ResultCache, cache_key, canonical
from core.agent.call.preview import ResultPreview, cut
from core.agent.call.scope import CallScope, OutOfTime
from core.agent.call.thread import Ended, in_thread
from core.agent.tools.exposure import may_call
from core.agent.tools.invoke import bound
from core.agent.tools.jsonable import json_text, jsonable, tellable
from core.agent.tools.parameters import InvalidArguments, InvalidSignature
from core.agent.tools.signature import SignatureError
from core.agent.tools.tool import Tool
from core.agent.tools.values import checked_result
from core.agent.turn.bench import Bench
from core.agent.turn.sentence import capitalized, finding, question
from core.analysis.context import TracedScene, bound_context
from core.errors import one_line
from core.trace.codes import Completion
from core.trace.results.result import RaySet

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ToolOutcome:
    """What came of a call.

    ``text`` is the whole answer or the error, ``value`` the same as JSON values, ``told`` what a model reads of it; ``rays`` the named
    set it found, if any; ``milliseconds`` the tool's own time, none for a result that was ``cached``. ``sentence`` tells a person what
    was asked or, if it is not ``ok``, what went wrong.
    """

    tool: str
    arguments: Mapping[str, Any]
    text: str
    ok: bool
    rays: RaySet | None
    milliseconds: float
    sentence: str
    told: str
    value: Any = None
    cached: bool = False


def failure(tool: str, arguments: Mapping[str, Any], text: str, milliseconds: float = 0.0) -> ToolOutcome:
    """The outcome of a call that gave no answer."""
    return ToolOutcome(tool, arguments, text, False, None, milliseconds, text.splitlines()[0] if text else f"{tool} failed.", cut(text))


def unknown_tool(name: str, arguments: Any, tools: tuple[Tool, ...]) -> ToolOutcome:
    """The outcome of calling a tool that does not exist, or not for who calls."""
    there = ", ".join(tool.name for tool in tools if not tool.private) or "(none)"
    return failure(name, tellable(arguments), f"Unknown tool '{name}'. Tools: {there}")


async def call_tool(
    tool: Tool,
    arguments: Any,
    bench: Bench,
    *,
    profile: Profile = "read-only",
    ask: Ask | None = None,
    cache: ResultCache[ToolOutcome] | None = None,
    caller: Tool | None = None,
    context: object = None,
    scope: CallScope | None = None,
) -> ToolOutcome:
    """Check the arguments, wait for the trace of the scene as it stands, run the tool on it, and name the rays it found.

    A tool's own errors come back as an outcome that is not ok. Cancelling raises CancelledError.

    Args:
        profile: What may be done without asking, and ``ask`` is who is asked.
        cache: The results of this run, for tools that keep them.
        caller: The tool that calls, if it is one: private tools are called by those only that declare them.
        context: What a function gets that wants a context.
        scope: The call's clock, where it is part of another call: neither runs while a person or a trace is waited for.
    """
    scope = scope or CallScope()
    if not may_call(caller, tool):
        who = "" if caller is None else f" It is private, and {caller.name} does not name it among its calls."
        return failure(tool.name, tellable(arguments), f"Unknown tool '{tool.name}'.{who}")
    try:
        checked = tool.parameters.check(arguments)
        call = bound(tool, checked.values, context)
        values = jsonable(checked.values)
    except (InvalidArguments, InvalidSignature, SignatureError) as error:
        told = f"{tool.name} cannot be called: its signature has a {error}." if isinstance(error, SignatureError) else str(error)
        refused = failure(tool.name, tellable(arguments), told)
        return replace(refused, sentence=told.partition(" Parameters: ")[0])  # the list of parameters is for the model
    kept = cache.get(cache_key(tool.name, values, bench.document.revision)) if cache is not None and tool.cache else None
    if kept is not None:
        return replace(kept, milliseconds=0.0, cached=True)
    with scope.waiting():
        reason = await refusal(tool, values, profile, ask)
    if reason:
        return failure(tool.name, values, reason)
    try:
        with scope.waiting():
            traced = await bench.context()
    except Exception as error:
        return failure(tool.name, values, f"{tool.name}: the scene could not be traced. {_words(error)}")

    async def run() -> Any:
        with bound_context(traced):
            try:
                return await call() if inspect.iscoroutinefunction(tool.function) else await in_thread(call)
            except SystemExit as error:  # which would end the event loop
                raise Ended(error) from None

    start = scope.own_seconds

    def milliseconds() -> float:
        return (scope.own_seconds - start) * 1e3

    try:
        result = await scope.within(tool.timeout_s + start, run())
        took = milliseconds()
        value = jsonable(result)
        text = json_text(value)
        if tool.parsed is not None and tool.extracted is None:
            checked_result(value, tool.parsed.returns)
    except OutOfTime:
        return failure(tool.name, values, f"{tool.name} failed: timed out after {tool.timeout_s:g} s.", milliseconds())
    except Exception as error:
        if not isinstance(error, ValueError | RuntimeError):
            log.exception("%s raised", tool.name)
        return failure(tool.name, values, _words(error), milliseconds())
    rays = traced.answers[-1] if traced.answers else None
    if rays is not None:
        rays = await bench.remember(question(tool.name, values), rays)
    told = _told(tool, values, value, rays, traced, checked.dropped)
    sentence = capitalized(question(tool.name, values))
    outcome = ToolOutcome(tool.name, values, text, True, rays, took, sentence, told, value)
    if cache is not None and tool.cache:
        cache.put(cache_key(tool.name, values, traced.result.revision), outcome)
    return outcome


def _told(tool: Tool, values: Mapping[str, Any], value: Any, rays: RaySet | None, traced: TracedScene, dropped: tuple[str, ...]) -> str:
    """What a model reads of a result: what was found in a sentence, what it should know, and the result or its preview."""
    notes = [finding(tool.name, values, len(rays), rays.name)] if rays is not None else []
    if traced.result.completion != Completion.COMPLETE:
        notes.append(f"The trace is partial ({traced.result.completion.text}): there may be more rays than these.")
    if dropped:
        notes.append(f"Ignored unknown arguments: {', '.join(dropped)}.")
    if tool.native_result is None:
        return "\n".join([*notes, cut(json_text(value))])
    shown, _ = ResultPreview.of(tool.native_result).shown(value, cache_hint(tool, values), rays.name if rays is not None else "")
    return "\n".join([*notes, cut(json_text(shown))])


def cache_hint(tool: Tool, values: Mapping[str, Any]) -> str:
    """How a program reaches the whole result that is kept of a call."""
    given = ", ".join(f"{name.replace('-', '_')}={_literal(values[name])}" for name in sorted(values))
    return f"The full result is kept: {tool.name.replace('-', '_')}({given}) in a program returns it without running again."


def _literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_literal(item)}" for key, item in sorted(value.items())) + "}"
    return f"[{', '.join(map(_literal, value))}]" if isinstance(value, list | tuple) else repr(canonical(value))


def _words(error: Exception) -> str:
    """An error in a line, for a person and a model. A KeyError's text alone is only the key."""
    text = one_line(str(error).strip())
    return text if text and not isinstance(error, KeyError) else f"{type(error).__name__}: {text}".rstrip(": ")
