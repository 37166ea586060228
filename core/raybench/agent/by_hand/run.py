"""Runs a tool of a project, code or worker, as the entry point."""

from __future__ import annotations

import dataclasses
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from raybench.agent.by_hand.slash import arguments_of, typed, words_of
from raybench.agent.call.context import ToolContext
from raybench.agent.call.events import ToolFinished, ToolStarted, TurnEvent
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.call.outcome_json import calls_json, ray_sets_json
from raybench.agent.call.tool_input import bound_input
from raybench.agent.models.protocol import Usage
from raybench.agent.tools.lookup import FoundTool
from raybench.errors import RaybenchError, elided
from raybench.schema.signature import ANY, Optional

ENTRY = "main"
"""The default entry tool."""


@dataclass(frozen=True)
class RunResult:
    """The result of a run: the tool's ``output``, the calls made during the run, and their token
    usage; or its ``error``.
    """

    tool: str
    output: Any
    calls: tuple[ToolOutcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    error: str = ""

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "tool": self.tool,
            "output": self.output,
            "tools_used": list(dict.fromkeys(call.tool for call in self.calls if call.ran)),
            "tool_calls": calls_json(self.calls),
            "ray_sets": ray_sets_json(self.calls),
            "usage": asdict(self.usage),
            "error": self.error or None,
        }


def typed_input(found: FoundTool, text: str) -> Any:
    """An input that a person typed as text, converted to the types of the tool's parameters as a
    slash command's words are.

    The whole text is the value of a single parameter, unchanged if that accepts any type; several
    parameters take its words.
    """
    parsed = found.tool.parsed if found.tool is not None and found.kind != "worker" else None
    if found.tool is None or parsed is None or not parsed.parameters:
        return text
    if len(parsed.parameters) > 1:
        try:
            return arguments_of(found.tool, words_of(text))
        except ValueError:
            raise RaybenchError(f"A quotation mark is not closed in: {elided(text)}") from None
    (only,) = parsed.parameters
    return text if only.type in (ANY, Optional(ANY)) else typed(text, only.type)


async def run_tool(
    context: ToolContext, name: str = ENTRY, input: Any = None, attachments: tuple[Path, ...] = ()
) -> RunResult:
    """Run a tool of the context's registry as the entry point. Changes of the view are applied when
    it has ended.

    The tool itself needs no approval, for a person starts it, and has no time limit unless it
    states one; calls by its models and its edits need approval. Raises RaybenchError if there is no
    such tool, or the input or an attachment is invalid; errors during the run are in the result.
    """
    found = context.registry.find_tool(name)
    for path in attachments:
        if not path.is_file():
            raise RaybenchError(f"{path}: there is no such file to attach.")
    tool, arguments, named = bound_input(found, {} if input is None else input)
    top: list[str] = []
    calls: list[ToolOutcome] = []

    def receive(event: TurnEvent) -> None:
        if isinstance(event, ToolStarted) and not top:
            top.append(event.id)
        if isinstance(event, ToolFinished) and event.id not in top:
            calls.append(event.outcome)
        context.message_callback(event)

    recorded = dataclasses.replace(context, message_callback=receive, by_person=True)
    before = dataclasses.replace(context.state)
    try:
        outcome = await recorded.run(
            tool, arguments, gated=False, attachments=attachments if named is None else named
        )
    finally:
        if context.state != before:
            await context.opened.show(context.state.onto)
    return RunResult(
        name,
        outcome.value if outcome.ok else None,
        tuple(calls),
        context.cost_tracker.total,
        "" if outcome.ok else outcome.text,
    )
