"""Runs a tool: checks, approval, cache, trace, time limit, result. Every caller goes through `call_tool`."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.agent.call.approval import Ask, Profile, refusal
from core.agent.call.bench import Bench
from core.agent.call.cache import ResultCache, cache_key, canonical
from core.agent.call.result_preview import ResultPreview
from core.agent.call.scope import CallScope, OutOfTime
from core.agent.call.thread import Ended, in_thread
from core.agent.tools.exposure import may_call
from core.agent.tools.invoke import bound
from core.agent.tools.tool import Tool
from core.agent.turn.sentence import question
from core.analysis.answers.answer import Answer
from core.analysis.answers.preview import cut, preview
from core.analysis.answers.text import content
from core.analysis.answers.words import capitalized, rays_counted
from core.analysis.answers.xml_answer import to_xml
from core.analysis.context import TracedScene, bound_context
from core.errors import RaybenchError, one_line
from core.schema.jsonable import json_arguments, json_text, jsonable
from core.schema.parameters import InvalidArguments, InvalidSignature
from core.schema.signature import SignatureError
from core.schema.values import checked_result
from core.trace.codes import Completion
from core.trace.results.result import RaySet

ROWS_READ = 1000
"""How many elements of each list `ToolOutcome.reading` shows."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ToolOutcome:
    """The outcome of a call.

    ``result`` is an `Answer`, JSON values, or the error message if the call is not ``ok``; ``rays`` its named ray set, if any;
    ``milliseconds`` the tool's own time, 0 if the result was ``cached``. ``sentence`` is for people: what was asked or, if the call is not
    ``ok``, the error. ``notes`` are sentences for the model (the finding, warnings), and ``preview`` is the part of the result that a model
    is shown.
    """

    tool: str
    arguments: Mapping[str, Any]
    result: Any
    ok: bool
    rays: RaySet | None
    milliseconds: float
    sentence: str
    notes: str
    preview: str
    cached: bool = False

    @property
    def answer(self) -> Answer | None:
        return self.result if isinstance(self.result, Answer) else None

    @cached_property
    def value(self) -> Any:
        """The whole result as JSON values; None after an error."""
        return None if not self.ok else jsonable(self.answer.values) if self.answer else self.result

    @cached_property
    def text(self) -> str:
        """The whole result as text, an answer in XML; or the error."""
        return to_xml(self.answer) if self.answer else json_text(self.result)

    @cached_property
    def reading(self) -> str:
        """The result for people; of an answer its sentence, values, and the first elements of its lists."""
        return f"{self.notes}\n\n{content(self.answer, ROWS_READ)}" if self.answer else self.text

    @property
    def model_text(self) -> str:
        """The text that is sent to a model: notes and preview."""
        return "\n".join(part for part in (self.notes, self.preview) if part)


def failure(tool: str, arguments: Mapping[str, Any], text: str, milliseconds: float = 0.0) -> ToolOutcome:
    """The outcome of a call that gave no answer."""
    sentence = text.splitlines()[0] if text else f"{tool} failed."
    return ToolOutcome(tool, arguments, text, False, None, milliseconds, sentence, "", cut(text))


def unknown_tool(name: str, arguments: Any, tools: tuple[Tool, ...]) -> ToolOutcome:
    """The outcome of calling a tool that does not exist, or that this caller may not call."""
    there = ", ".join(tool.name for tool in tools if not tool.private) or "(none)"
    return failure(name, json_arguments(arguments), f"Unknown tool '{name}'. Tools: {there}")


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
        return failure(tool.name, json_arguments(arguments), f"Unknown tool '{tool.name}'.{who}")
    try:
        checked = tool.parameters.check(arguments)
        call = bound(tool, checked.values, context)
        values = jsonable(checked.values)
    except (InvalidArguments, InvalidSignature, SignatureError) as error:
        message = f"{tool.name} cannot be called: its signature has a {error}." if isinstance(error, SignatureError) else str(error)
        refused = failure(tool.name, json_arguments(arguments), message)
        return replace(refused, sentence=message.partition(" Parameters: ")[0])  # the list of parameters is for the model
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
        answer = result if isinstance(result, Answer) else None
        value = None if answer else jsonable(result)
        shown = preview(answer) if answer else cut(json_text(value))
        if tool.parsed is not None and tool.extracted is None:
            checked_result(value, tool.parsed.returns)
    except OutOfTime:
        return failure(tool.name, values, f"{tool.name} failed: timed out after {tool.timeout_s:g} s.", milliseconds())
    except Exception as error:
        if not isinstance(error, RaybenchError):  # a fault of the tool, not of whoever called it
            log.exception("%s raised", tool.name)
        return failure(tool.name, values, _words(error), milliseconds())
    asked = question(tool.name, values)
    # a function that is no tool of ours, and calls one as a script does, leaves the rays in the context
    rays = answer.rays if answer else traced.answers[-1] if traced.answers else None
    if rays is not None:
        rays = await bench.remember(asked, rays)
    name = rays.name if rays is not None else ""
    if tool.native_result is not None:
        whole = jsonable(answer.values) if answer else value
        kept_preview, _ = ResultPreview.of(tool.native_result).shown(whole, cache_hint(tool, values), name)
        shown = cut(json_text(kept_preview))
    found = answer.full_sentence(name) if answer else "" if rays is None else f"{capitalized(asked)}: {rays_counted(len(rays))} ({name})."
    notes = _notes(found, traced, checked.dropped)
    outcome = ToolOutcome(tool.name, values, value if answer is None else answer, True, rays, took, capitalized(asked), notes, shown)
    if cache is not None and tool.cache:
        cache.put(cache_key(tool.name, values, traced.result.revision), outcome)
    return outcome


def _notes(found: str, traced: TracedScene, dropped: tuple[str, ...]) -> str:
    """What was found, and what else there is to know of a result."""
    partial = traced.result.completion != Completion.COMPLETE
    notes = [
        found,
        f"The trace is partial ({traced.result.completion.text}): there may be more rays than these." if partial else "",
        f"Ignored unknown arguments: {', '.join(dropped)}." if dropped else "",
    ]
    return "\n".join(note for note in notes if note)


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
