"""Workers: the same loop as the conversation's, with instructions, tools and limits of its own, as a tool that anybody can call."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.agent.call.approval import READ_ONLY
from core.agent.call.context import ToolContext, ToolFailed
from core.agent.models.protocol import Backend, Block, Message
from core.agent.tools.signature import Type, type_text
from core.agent.tools.tool import Tool
from core.agent.tools.values import faults
from core.agent.turn.events import ToolFinished, ToolStarted, TurnEvent
from core.agent.turn.history import text_block
from core.agent.turn.scene_text import scene_text
from core.agent.workers.worker_file import Worker
from core.errors import RaybenchError, named

IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}
SELF = "self"
"""What a worker lists among its tools to call itself, for a part of its task."""
MOST_TEXT = 60_000
"""Characters of an attached text that a model reads."""


def worker_tool(worker: Worker) -> Tool:
    """A worker as a tool. Its calls are approved one by one, so calling it needs no approval."""

    async def call(tool_context: ToolContext, **values: Any) -> Any:
        return await run_worker(worker, values, tool_context)

    call.context_parameter = "tool_context"  # type: ignore[attr-defined]
    return Tool(
        worker.name,
        call,
        str(worker.signature),
        worker.description,
        type="subagent",
        expose="both",
        effect="read",
        timeout_s=worker.timeout_s,
    )


async def run_worker(worker: Worker, values: Mapping[str, Any], context: ToolContext) -> Any:
    """What a worker answers, as its signature says; ToolFailed if its model gives no such answer."""
    from core.agent.turn.loop import run_turn

    worker.attachments.check(worker.name, context.attachments)
    backend = worker_backend(worker, context)
    inner = dataclasses.replace(
        context,
        approvals=context.approvals if set(worker.effects) - {"read"} else READ_ONLY,
        message_callback=_calls_only(context),
    )
    tools = tuple(tool for tool in context.registry.tools if worker.allows(tool))
    if SELF in worker.tools:
        tools += (dataclasses.replace(worker_tool(worker), name=SELF, description=Tool.new(SELF, SELF).description),)
    asked: list[Block] = [text_block(scene_text(context.document)), *map(_attached, context.attachments), text_block(_task(worker, values))]
    history: list[Message] = []
    returns = worker.signature.returns
    system = worker.instructions + _form(returns)
    for last in (False, True):
        turn = await run_turn(history, asked, backend=backend, tools=tools, context=inner, system=system, max_steps=worker.max_steps)
        context.cost_tracker.add(backend.name, turn.usage)
        if turn.stopped:
            raise asyncio.CancelledError
        if turn.error:
            raise ToolFailed(f"{worker.name}: {turn.error}")
        value, wrong = _read(_said(history), returns)
        if not wrong:
            return value
        if last:
            raise ToolFailed(f"{worker.name} did not answer as {type_text(returns)}: {wrong}.")
        asked = [text_block(f"That answer is not of the form {type_text(returns)}: {wrong}. Give the whole answer again, as JSON only.")]
    raise AssertionError


def worker_backend(worker: Worker, context: ToolContext) -> Backend:
    """Who answers for a worker: the model that a person chose, else the one that it names, else the conversation's."""
    if context.backend is None:
        raise ToolFailed(
            f"{worker.name} is a task for a model, and none is connected. Connect one in the chat or, on the command line, "
            "set ANTHROPIC_API_KEY or give --base-url."
        )
    model = context.model or worker.model
    return context.backend.for_model(model) if model else context.backend


def _calls_only(context: ToolContext) -> Any:
    """Passes on the calls that a worker makes. What its model says is the worker's answer, not the conversation's."""

    def hear(event: TurnEvent) -> None:
        if isinstance(event, ToolStarted | ToolFinished):
            context.message_callback(event)

    return hear


def _task(worker: Worker, values: Mapping[str, Any]) -> str:
    """What is asked: a single text as it is, anything else as JSON by name."""
    given = list(values.values())
    if len(given) == 1 and len(worker.signature.parameters) == 1 and isinstance(given[0], str):
        return given[0] or "(no input)"
    return json.dumps(dict(values), ensure_ascii=False, default=str) if values else "Begin."


def _form(returns: Type) -> str:
    form = type_text(returns)
    if form in (":string", ":any"):
        return ""
    return f"\n\nAnswer with JSON only, of the form {form}: no other words, no code fence. A ? marks what may be null or left out."


def _said(history: Sequence[Message]) -> str:
    """The text of the last reply."""
    return "\n\n".join(b["text"] for b in history[-1]["content"] if b["type"] == "text").strip() if history else ""


def _read(text: str, returns: Type) -> tuple[Any, str]:
    """An answer as a value of its type, and what is wrong with it."""
    if type_text(returns) in (":string", ":any", ":string?"):
        return text, ""
    fenced = re.fullmatch(r"```\w*\s*\n(.*)\n\s*```", text, re.DOTALL)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except ValueError as error:
        return None, f"it is no JSON ({error})"
    return value, "; ".join(map(str, faults(value, returns)))


def _attached(path: Path) -> Block:
    """A file for the model to read: a picture as one, anything else as text."""
    try:
        data = path.read_bytes()
        if media := IMAGES.get(path.suffix.lower()):
            return {"type": "image", "source": {"type": "base64", "media_type": media, "data": base64.b64encode(data).decode()}}
        text = data.decode("utf-8")
    except OSError as error:
        raise RaybenchError(f"{path}: this attachment cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise RaybenchError(f"{path}: this attachment is neither a picture nor text. Attach one of these.") from None
    more = f"\n[cut: {len(text)} characters in all]" if len(text) > MOST_TEXT else ""
    return text_block(f"[Attached file {named(path.name)}]\n{text[:MOST_TEXT]}{more}")
