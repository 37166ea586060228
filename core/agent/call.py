"""The one way a tool is run, whoever calls it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.agent.approval import Ask, Profile, refusal
from core.agent.bench import Bench
from core.agent.parameters import InvalidArguments
from core.agent.preview import preview
from core.agent.sentence import capitalized, finding, question
from core.agent.thread import in_thread
from core.agent.tool import Tool
from core.analysis.context import ToolContext, bound_context
from core.trace.codes import Completion
from core.trace.result import RaySet

TIME_LIMIT = 12.0
"""Seconds a tool may take of its own; waiting for a trace or a person does not count."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ToolOutcome:
    """What came of a call.

    ``text`` is the whole answer or the error, ``told`` what a model reads of it; ``rays`` the named set it found, if any;
    ``milliseconds`` the tool's own time. ``sentence`` tells a person what was asked or, if it is not ``ok``, what went wrong.
    """

    tool: str
    arguments: Mapping[str, Any]
    text: str
    ok: bool
    rays: RaySet | None
    milliseconds: float
    sentence: str
    told: str


def failure(tool: str, arguments: Mapping[str, Any], text: str, milliseconds: float = 0.0) -> ToolOutcome:
    """The outcome of a call that gave no answer."""
    return ToolOutcome(tool, arguments, text, False, None, milliseconds, text.splitlines()[0] if text else f"{tool} failed.", preview(text))


def unknown_tool(name: str, arguments: Any, tools: tuple[Tool, ...]) -> ToolOutcome:
    """The outcome of calling a tool that does not exist."""
    there = ", ".join(tool.name for tool in tools) or "(none)"
    return failure(name, arguments if isinstance(arguments, Mapping) else {}, f"Unknown tool '{name}'. Tools: {there}")


async def call_tool(
    tool: Tool,
    arguments: Any,
    bench: Bench,
    *,
    profile: Profile = "read-only",
    ask: Ask | None = None,
    time_limit: float = TIME_LIMIT,
) -> ToolOutcome:
    """Check the arguments, wait for the trace of the scene as it stands, run the tool on it, and name the rays it found.

    A tool's own errors come back as an outcome that is not ok. Cancelling raises CancelledError.
    """
    try:
        checked = tool.parameters.check(arguments)
    except InvalidArguments as error:
        return failure(tool.name, arguments if isinstance(arguments, Mapping) else {}, str(error))
    values, function = checked.values, tool.function
    if function is None:
        return failure(tool.name, values, f"{tool.name} has nothing here that could run it.")
    if reason := await refusal(tool, values, profile, ask):
        return failure(tool.name, values, reason)
    try:
        context = await bench.context()
    except Exception as error:
        return failure(tool.name, values, f"{tool.name}: the scene could not be traced. {_words(error)}")

    def run() -> tuple[str, float]:
        begun = time.perf_counter()
        with bound_context(context):
            return str(function(**values)), _since(begun)

    start = time.perf_counter()
    try:
        text, milliseconds = await asyncio.wait_for(in_thread(run), time_limit)
    except TimeoutError:
        return failure(tool.name, values, f"{tool.name} failed: timed out after {time_limit:g} s.", _since(start))
    except Exception as error:
        if not isinstance(error, ValueError | RuntimeError):
            log.exception("%s raised", tool.name)
        return failure(tool.name, values, _words(error), _since(start))
    rays = context.answers[-1] if context.answers else None
    if rays is not None:
        rays = await bench.remember(question(tool.name, values), rays)
    return _answered(tool, values, text, rays, milliseconds, context, checked.dropped)


def _answered(
    tool: Tool,
    values: Mapping[str, Any],
    text: str,
    rays: RaySet | None,
    milliseconds: float,
    context: ToolContext,
    dropped: tuple[str, ...],
) -> ToolOutcome:
    notes = [finding(tool.name, values, len(rays), rays.name)] if rays is not None else []
    if context.result.completion != Completion.COMPLETE:
        notes.append(f"The trace is partial ({context.result.completion.text}): there may be more rays than these.")
    if dropped:
        notes.append(f"Ignored unknown arguments: {', '.join(dropped)}.")
    told = "\n".join([*notes, preview(text)])
    return ToolOutcome(tool.name, values, text, True, rays, milliseconds, capitalized(question(tool.name, values)), told)


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1e3


def _words(error: Exception) -> str:
    """An error in a line, for a person and a model. A KeyError's text alone is only the key."""
    text = str(error).strip()
    return text if text and not isinstance(error, KeyError) else f"{type(error).__name__}: {text}".rstrip(": ")
