"""Workers: tools that give a task to a model, which has instructions, tools and limits of its
own.
"""

import asyncio
import base64
import dataclasses
import difflib
import fnmatch
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Gt, Lt

from raybench.agent.call.approval import READ_ONLY
from raybench.agent.call.context import ToolContext, ToolFailed
from raybench.agent.call.events import ToolFinished, ToolStarted, TurnEvent
from raybench.agent.models.protocol import Backend, Block, Message, RetryNotice
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import EFFECT_REMEDY, PROGRAM_TOOL, Effect, Tool, Visibility
from raybench.agent.turn.history import text_block
from raybench.agent.turn.loop import run_turn
from raybench.agent.turn.scene_text import scene_text
from raybench.errors import RaybenchError, name_in_sentence
from raybench.schema.signature import Signature, accepts_any_text, parse_signature, type_text
from raybench.schema.values import value_faults

IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
MOST_TEXT_CHARACTERS = 60_000
"""Maximum number of characters of an attached text."""
SELF = "self"
"""The name by which a worker lists itself among its tools, for recursive calls."""
ABOUT_SELF = "This agent itself, for a part of the task. It takes and returns what the agent does."
DEFAULT_SIGNATURE = "(input :string) -> :string"


@dataclass(frozen=True)
class AttachmentPolicy:
    """The limits of the files attached to a task: number, total bytes, and suffixes (any if
    empty).
    """

    max_count: Annotated[int, Ge(0)] = 4
    max_bytes: Annotated[int, Ge(0)] = 10_000_000
    suffixes: tuple[str, ...] = ()

    def check_paths(self, worker: str, paths: Iterable[Path]) -> None:
        """Raise RaybenchError if the attached files violate one of the limits."""
        paths = list(paths)
        if len(paths) > self.max_count:
            raise RaybenchError(
                f"{worker} takes at most {self.max_count} attachments, {len(paths)} were given."
            )
        suffixes = [f".{suffix.lower().lstrip('.')}" for suffix in self.suffixes]
        for path in paths:
            if suffixes and path.suffix.lower() not in suffixes:
                raise RaybenchError(
                    f"{worker} takes no {path.suffix or 'file without an ending'}: {path}. It takes"
                    f" {', '.join(suffixes)}."
                )
            if not path.is_file():
                raise RaybenchError(f"{path}: there is no such file to attach.")
        total = sum(path.stat().st_size for path in paths)
        if total > self.max_bytes:
            raise RaybenchError(
                f"{worker} takes at most {self.max_bytes} bytes of attachments, these are {total}."
            )


def attached_block(path: Path) -> Block:
    """A content block with the contents of a file, as an image or as text."""
    try:
        data = path.read_bytes()
        if media := IMAGES.get(path.suffix.lower()):
            return {
                "type": "image",
                "source": {
                    "type": "base64",
                    "media_type": media,
                    "data": base64.b64encode(data).decode(),
                },
            }
        text = data.decode("utf-8")
    except OSError as error:
        raise RaybenchError(f"{path}: this attachment cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise RaybenchError(
            f"{path}: this attachment is neither a picture nor text. Attach one of these."
        ) from None
    more = f"\n[cut: {len(text)} characters in all]" if len(text) > MOST_TEXT_CHARACTERS else ""
    return text_block(
        f"[Attached file {name_in_sentence(path.name)}]\n{text[:MOST_TEXT_CHARACTERS]}{more}"
    )


@dataclass(frozen=True)
class Worker:
    """A task for a model. ``tools``: names or patterns (``find_*``) of the tools that it may call.
    ``effects``: the effects that these tools may have. ``signature``: that of the worker as a tool,
    by default ``(input :string) -> :string``. An empty ``model`` stands for the conversation's
    model.
    """

    name: str
    description: str
    instructions: str
    model: str = ""
    tools: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ("read",)
    signature: Signature = field(default_factory=lambda: parse_signature(DEFAULT_SIGNATURE))
    attachments: AttachmentPolicy = field(default_factory=AttachmentPolicy)
    max_steps: Annotated[int, Ge(1), Lt(10**12)] = 12
    timeout_s: Annotated[float, Gt(0), Lt(1e12)] = 300.0
    limited: bool = False
    """Whether the time limit was stated."""
    cache: bool = False
    visibility: Visibility = "public"

    def allows_tool(self, tool: Tool) -> bool:
        """Whether the model of this worker may call a tool."""
        return (
            tool.name != self.name
            and tool.effect in self.effects
            and any(fnmatch.fnmatchcase(tool.name, p) for p in self.tools)
        )

    def as_tool(self, name: str) -> Tool:
        """A tool record for this worker, with the given name."""
        return dataclasses.replace(worker_tool(self), name=name)


def unusable_tools(worker: Worker, tools: Iterable[Tool]) -> list[str]:
    """A sentence for each tool that the worker lists by name but cannot use. A pattern such as
    ``find_*`` may match no tool.
    """
    by_name = {tool.name: tool for tool in tools}
    native = {tool.name for tool in exposed_tools(tuple(by_name.values()), "native")}
    problems = []
    for name in worker.tools:
        if name == SELF or any(sign in name for sign in "*?["):
            continue
        if name == worker.name:
            problems.append(f"it lists itself as {name}. Write {SELF}.")
        elif name not in by_name:
            near = difflib.get_close_matches(name, by_name, 3, 0.5)
            hint = f" Did you mean {', '.join(near)}?" if near else " Correct its tools."
            problems.append(f"it lists the tool {name}, which does not exist.{hint}")
        elif (effect := by_name[name].effect) not in worker.effects:
            allowed = ", ".join(worker.effects)
            problems.append(
                f"it lists the tool {name}, whose effect is {effect}, but allows {allowed}. Write"
                f" effects: {allowed}, {effect}" + f". {EFFECT_REMEDY}" * by_name[name].assumed
            )
        elif by_name[name].private:
            problems.append(
                f"it lists the tool {name}, which is private: only tools that name it among their"
                " calls can call it. Make it public."
            )
        elif name not in native and not any(
            fnmatch.fnmatchcase(PROGRAM_TOOL, p) for p in worker.tools
        ):
            problems.append(
                f"it lists the tool {name}, which only programs can call. List {PROGRAM_TOOL}, too."
            )
    return problems


def worker_tool(worker: Worker) -> Tool:
    """The tool record of a worker. Calling it needs no approval, since the calls that the worker
    makes are approved one by one.
    """

    async def call_worker(tool_context: ToolContext, **values: Any) -> Any:
        return await run_worker(worker, values, tool_context)

    call_worker.context_parameter = "tool_context"  # type: ignore[attr-defined]
    return Tool(
        worker.name,
        call_worker,
        str(worker.signature),
        worker.description,
        type="subagent",
        expose="both",
        effect="read",
        timeout_s=worker.timeout_s,
        limited=worker.limited,
        cache=worker.cache,
        visibility=worker.visibility,
        needs="trace?",  # its tools report a scene that cannot be traced
    )


async def run_worker(worker: Worker, values: Mapping[str, Any], context: ToolContext) -> Any:
    """Run a worker and convert its answer to the type in its signature. Raises ToolFailed if the
    answer does not match after one correction.
    """
    worker.attachments.check_paths(worker.name, context.attachments)
    return await _request_answer(worker, values, context, worker_backend(worker, context))


async def _request_answer(
    worker: Worker, values: Mapping[str, Any], context: ToolContext, backend: Backend
) -> Any:
    returns = worker.signature.returns
    form, system = type_text(returns), worker.instructions
    if not accepts_any_text(returns):
        system += (
            f"\n\nAnswer with JSON only, of the form {form}: no other words, no code fence. A ?"
            " marks what may be null or left out."
        )

    def record_outcome(event: TurnEvent) -> None:
        # the text of a worker's model is not part of the conversation's
        if isinstance(event, ToolStarted | ToolFinished | RetryNotice):
            context.message_callback(event)

    tools = context.registry.select_tools(worker.allows_tool)
    if SELF in worker.tools:
        tools += (dataclasses.replace(worker_tool(worker), name=SELF, description=ABOUT_SELF),)
    inner = dataclasses.replace(
        context,
        offered=tools,
        approvals=context.approvals if set(worker.effects) - {"read"} else READ_ONLY,
        message_callback=record_outcome,
    )
    match list(values.values()):
        case [str(only)] if len(worker.signature.parameters) == 1:
            task = only if only.strip() else "(no input)"
        case []:
            task = "Begin."
        case _:
            task = json.dumps(dict(values), ensure_ascii=False, default=str)
    prompt: list[Block] = [
        text_block(scene_text(context.document)),
        *map(attached_block, context.attachments),
        text_block(task),
    ]
    history: list[Message] = []
    for last in (False, True):
        turn = await run_turn(
            history,
            prompt,
            backend=backend.with_answer_form(returns),
            tools=tools,
            context=inner,
            system=system,
            max_steps=worker.max_steps,
            offer=_with_whole_descriptions,
        )
        context.cost_tracker.add_usage(backend.name, turn.usage)
        if turn.stopped:
            raise asyncio.CancelledError
        if turn.error:
            raise ToolFailed(f"{worker.name}: {turn.error}")
        said = [b["text"] for b in history[-1]["content"] if b["type"] == "text"]
        value, wrong = _parse_answer("\n\n".join(said).strip(), returns)
        if not wrong:
            return value
        if last:
            raise ToolFailed(f"{worker.name} did not answer as {form}: {wrong}.")
        prompt = [
            text_block(
                f"That answer is not of the form {form}: {wrong}. Give the whole answer again, as"
                " JSON only."
            )
        ]
    raise AssertionError


def _with_whole_descriptions(tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """All tools of a worker, with whole descriptions, since the instructions of a worker explain no
    tools.
    """
    return tuple(dataclasses.replace(tool, offered="always", brief="") for tool in tools)


def worker_backend(worker: Worker, context: ToolContext) -> Backend:
    """The backend of a worker: the model that the user chose for it, else the model that the worker
    names, else that of the conversation.
    """
    if context.backend is None:
        raise ToolFailed(
            f"{worker.name} is a task for a model, and none is connected. Connect one in the chat"
            " or, on the command line, set ANTHROPIC_API_KEY or give --server."
        )
    model = context.model or worker.model
    return context.backend.for_model(model) if model else context.backend


def _parse_answer(text: str, returns: Any) -> tuple[Any, str]:
    """Convert an answer to the type ``returns``. Returns the value, and a description of what is
    wrong with it. The answer is parsed as JSON unless the type is plain text.
    """
    if accepts_any_text(returns):
        return text, ""
    fenced = re.fullmatch(r"```\w*\s*\n(.*)\n\s*```", text, re.DOTALL)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError) as error:
        return None, f"it is not valid JSON ({error})"
    return value, "; ".join(value_faults(value, returns))
