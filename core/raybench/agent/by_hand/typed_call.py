"""Calls typed by a person on the command line, without a window or a model."""

from __future__ import annotations

import asyncio
import dataclasses
import difflib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from raybench.agent.by_hand.slash import arguments_of
from raybench.agent.call.approval import ALL
from raybench.agent.call.context import ToolContext, next_turn
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.exposure import exposed
from raybench.agent.tools.lookup import FoundTool
from raybench.agent.tools.tool import Tool
from raybench.agent.view_tools.state_tool import ViewDraft
from raybench.errors import RaybenchError
from raybench.schema.signature import SignatureError
from raybench.session import Session
from raybench.trace.limits import DEFAULT_LIMIT


class UnknownTool(RaybenchError):
    """No such tool on the command line; the message says how to call it, or suggests similar names."""


@cache
def registry() -> ToolRegistry:
    """The registry of the shipped tools."""
    return ToolRegistry(agent_tools())


def tools_without_model(tools: ToolRegistry | None = None) -> tuple[Tool, ...]:
    """The tools that need no model: all native tools except workers and prompts. Those that ship,
    or of another registry.
    """
    return tuple(
        tool for tool in exposed((tools or registry()).tools, "native") if tool.type == "native"
    )


def signatures(tools: ToolRegistry | None = None) -> str:
    """The tools that need no model, each with its compact signature and summary; then all of the
    project, if there is one.
    """
    tools = tools or registry()
    lines = [
        _listed(tool)
        for tool in tools_without_model(tools)
        if tools.found[tool.name].source_path is None
    ]
    if tools.folder is not None:
        own = [found for found in tools.found.values() if found.source_path is not None]
        lines.append(f"\nOf the project {tools.folder}:")
        lines += [_listed(found.tool, found) for found in own if found.tool is not None]
        if tools.problems:
            lines += ["\nNot usable:", *(f"    {problem}" for problem in tools.problems)]
    return "\n".join(lines)


def _listed(tool: Tool, found: FoundTool | None = None) -> str:
    """A tool with its signature and summary; for one of a project also its place, effect and
    problems.
    """
    about = (
        []
        if found is None
        else [found.place, tool.effect, *(["asks a model"] if tool.is_model_task else [])]
    )
    about += ["private"] if tool.private else []
    try:
        signature = str(tool.parsed or "")
    except SignatureError as error:
        signature, about = tool.signature or "", [*about, f"signature: {error}"]
    note = f"[{', '.join(about)}] " if about else ""
    return f"{tool.name}{signature.removesuffix(' -> :string')}\n    {note}{tool.summary}".rstrip()


def tool_without_model(name: str, tools: ToolRegistry | None = None) -> Tool:
    """The tool of this name; UnknownTool if there is none, or only a model or a program can call
    it.
    """
    tools = tools or registry()
    by_name = {tool.name: tool for tool in tools_without_model(tools)}
    if name in by_name:
        return by_name[name]
    other = tools.found.get(name)
    if other is not None and other.problem:
        raise UnknownTool(other.problem)
    if other is not None and other.tool is not None and other.tool.private:
        raise UnknownTool(
            f"{name} is private: only tools that list it among their calls can call it."
        )
    if other is not None and other.tool is not None and other.tool.is_model_task:
        raise UnknownTool(
            f"{name} is a task for a model. Connect one and ask: raybench ask SCENE '/{name}'."
        )
    if other is not None:
        raise UnknownTool(
            f"{name} is called from programs: raybench tool SCENE run_program"
            f" '{name.replace('-', '_')}(…)'."
        )
    near = difflib.get_close_matches(name, by_name, 3, 0.5)
    hint = f"Did you mean {', '.join(near)}?" if near else "raybench tool --list lists them."
    raise UnknownTool(f"There is no tool '{name}'. {hint}")


def typed_call(
    session: Session,
    tool: Tool,
    words: Iterable[tuple[str, bool]],
    named: Mapping[str, Any] | None = None,
    tools: ToolRegistry | None = None,
    turn: str = "",
    max_segments: int = DEFAULT_LIMIT,
) -> ToolOutcome:
    """Call a tool about a session's scene, with arguments as they were typed (see
    `raybench.agent.by_hand.slash.arguments_of`) or by name.

    ``turn`` is the merge key of its edits, by default one of its own; after an edit the scene is
    traced with at most ``max_segments`` segments. Changes of the view are applied to the session.
    There are no approvals and no time limit. Raises RaybenchError with the tool's error, or if the
    arguments are invalid.
    """
    arguments = arguments_of(tool, words)
    for name, value in (named or {}).items():
        if name in arguments:
            raise RaybenchError(f"'{name}' is given twice. Usage: {tool.usage}")
        if name not in tool.parameters.names:
            raise RaybenchError(f"{tool.name} has no parameter '{name}'. {tool.parameters.usage}")
        arguments[name] = value
    state = ViewDraft.of(session.view)
    context = ToolContext(
        OpenDocument(session, max_segments),
        tools or registry(),
        ALL,
        state=state,
        by_person=True,
        turn=turn or next_turn(),
    )
    outcome = asyncio.run(context.run(dataclasses.replace(tool, limited=False), arguments))
    session.view = state.onto(session.view)
    if not outcome.ok:
        raise RaybenchError(outcome.text)
    return outcome


def named_arguments(text: str) -> dict[str, Any]:
    """Arguments by name from the text of a JSON object; RaybenchError if it is not one."""
    try:
        named = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RaybenchError(
            f"The arguments are not JSON: {error}. Write them as '{{\"name\": value}}'."
        ) from None
    if not isinstance(named, dict):
        raise RaybenchError(
            f'The arguments are a {type(named).__name__}, not an object. Write them as \'{{"name":'
            " value}'."
        )
    return named
