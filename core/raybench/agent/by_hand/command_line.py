"""Commands that a person runs without a window: call a tool, ask a question, run the entry tool of
a project.
"""

import asyncio
import dataclasses
import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from raybench.agent.by_hand.slash import arguments_from_words, convert_word, split_words
from raybench.agent.call.approval import ALLOW_ALL, Ask, Profile
from raybench.agent.call.context import ToolContext, bind_input, new_turn_key
from raybench.agent.call.events import Emit, ToolFinished, ToolStarted, TurnEvent, TurnFinished
from raybench.agent.call.open_document import OpenDocument, Paint
from raybench.agent.call.outcome import ToolOutcome, outcomes_to_json
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.protocol import Backend, Usage
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import FoundTool, Tool
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.history import AttachedPicture
from raybench.agent.turn.loop import MAX_STEPS
from raybench.agent.view_tools.state_tool import ViewDraft
from raybench.errors import RaybenchError, elide_text
from raybench.schema.signature import SignatureError, type_without_null
from raybench.session import Session
from raybench.trace.limits import DEFAULT_LIMIT

DEFAULT_ENTRY_TOOL = "main"
"""The default entry tool."""


class UnknownTool(RaybenchError):
    """The command line names a tool that does not exist or cannot be called by a person. The
    message says how to call it, or suggests similar names.
    """


@cache
def shipped_registry() -> ToolRegistry:
    """The registry of the tools that ship with Raybench."""
    return ToolRegistry(agent_tools())


def tools_without_model(tools: ToolRegistry | None = None) -> tuple[Tool, ...]:
    """The native tools of a registry that need no model: all except workers and prompts. By default
    the shipped registry.
    """
    return tuple(
        tool
        for tool in exposed_tools((tools or shipped_registry()).tools, "native")
        if tool.type == "native"
    )


def list_signatures(tools: ToolRegistry | None = None) -> str:
    """The tools that run without a model as text, one line for each with signature and summary.
    Tools of a project come last.
    """
    tools = tools or shipped_registry()
    lines = [
        _tool_list_entry(tool)
        for tool in tools_without_model(tools)
        if tools.tools_by_name[tool.name].source_path is None
    ]
    if tools.folder is not None:
        own = [found for found in tools.tools_by_name.values() if found.source_path is not None]
        lines.append(f"\nOf the project {tools.folder}:")
        lines += [_tool_list_entry(found.tool, found) for found in own if found.tool is not None]
        assumed = [f.name for f in own if f.tool is not None and f.tool.assumed]
        if assumed:
            lines.append(
                f"\nNo effect is stated for {', '.join(assumed)}: each call by a model needs approval."
                ' Write @tool_options(effect="read") above what only reads.'
            )
        if tools.problems:
            lines += ["\nNot usable:", *(f"    {problem}" for problem in tools.problems)]
    return "\n".join(lines)


def _tool_list_entry(tool: Tool, found: FoundTool | None = None) -> str:
    """The text about one tool in the list: signature and summary; for a tool of a project also its
    file, effect and problems.
    """
    about = (
        []
        if found is None
        else [found.place, tool.effect, *(["asks a model"] if tool.is_model_task else [])]
    )
    about += ["private"] if tool.private else []
    try:
        signature = str(tool.parsed_signature or "")
    except SignatureError as error:
        signature, about = tool.signature or "", [*about, f"signature: {error}"]
    note = f"[{', '.join(about)}] " if about else ""
    return f"{tool.name}{signature.removesuffix(' -> :string')}\n    {note}{tool.summary}".rstrip()


def tool_without_model(name: str, tools: ToolRegistry | None = None) -> Tool:
    """Find a tool by name. Raises UnknownTool if there is none, or if only a model or a program can
    call it.
    """
    tools = tools or shipped_registry()
    by_name = {tool.name: tool for tool in tools_without_model(tools)}
    if name in by_name:
        return by_name[name]
    other = tools.tools_by_name.get(name)
    if other is not None and other.problem:
        raise UnknownTool(other.problem)
    if other is not None and other.tool is not None:
        if other.tool.private:
            why = "is private: only tools that list it among their calls can call it."
        elif other.tool.is_model_task:
            why = f"is a task for a model. Connect one and ask: raybench ask SCENE '/{name}'."
        else:
            code = f"{name.replace('-', '_')}(…)"
            why = f"is called from programs: raybench tool SCENE run_program '{code}'."
        raise UnknownTool(f"{name} {why}")
    near = difflib.get_close_matches(name, by_name, 3, 0.5)
    hint = f"Did you mean {', '.join(near)}?" if near else "raybench tool --list lists them."
    raise UnknownTool(f"There is no tool '{name}'. {hint}")


def run_typed_call(
    session: Session,
    tool: Tool,
    words: Iterable[tuple[str, bool]],
    named: Mapping[str, Any] | None = None,
    tools: ToolRegistry | None = None,
    turn: str = "",
    max_segments: int = DEFAULT_LIMIT,
) -> ToolOutcome:
    """Call a tool on the scene of a session. Arguments are words that a person typed (see
    `raybench.agent.by_hand.slash.arguments_from_words`) or values by name.

    ``turn`` is the merge key of the tool's edits, by default a new key. After an edit the scene is
    traced with at most ``max_segments`` segments. Changes of the view are applied to the session.
    There are no approvals and no time limit. Raises RaybenchError with the tool's error, or if
    arguments are invalid.
    """
    arguments = arguments_from_words(tool, words)
    for name, value in (named or {}).items():
        if name in arguments:
            raise RaybenchError(f"'{name}' is given twice. Usage: {tool.usage}")
        if name not in tool.parameters.names:
            raise RaybenchError(f"{tool.name} has no parameter '{name}'. {tool.parameters.usage}")
        arguments[name] = value
    state = ViewDraft.from_view(session.view)
    context = ToolContext(
        OpenDocument(session, max_segments),
        tools or shipped_registry(),
        ALLOW_ALL,
        state=state,
        by_person=True,
        turn=turn or new_turn_key(),
    )
    outcome = asyncio.run(context.run(dataclasses.replace(tool, limited=False), arguments))
    session.view = state.apply_to_view(session.view)
    if not outcome.ok:
        raise RaybenchError(outcome.text)
    return outcome


def parse_json_arguments(text: str) -> dict[str, Any]:
    """Parse a JSON object of arguments by name. Raises RaybenchError if the text is not a JSON
    object.
    """
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


@dataclass(frozen=True)
class Reply:
    """The reply to a question. ``error``: why there is no answer, or why a command failed.
    ``problem``: why the offline agent did not understand the question.
    """

    question: str
    turn: TurnFinished
    problem: str = ""

    @property
    def text(self) -> str:
        return self.turn.answer

    @property
    def tools_used(self) -> tuple[str, ...]:
        return self.turn.tools_used

    @property
    def error(self) -> str:
        last = self.turn.outcomes[-1:] if self.question.lstrip().startswith("/") else ()
        failed = "".join(outcome.text for outcome in last if not outcome.ok)
        return self.turn.error or self.problem or failed

    def to_json(self) -> dict[str, Any]:
        """The reply as JSON values: answer, sources, unsupported parts, tools used, calls, ray
        sets, usage.
        """
        return {
            "question": self.question,
            "answer": self.text,
            "sources": list(self.turn.sources),
            "supported": [
                {"text": c.text, "start": c.start, **c.call._asdict()}
                for c in self.turn.checked
                if c.call is not None
            ],
            "unsupported": [
                {"text": c.text, "start": c.start, "reason": c.reason}
                for c in self.turn.checked
                if c.reason
            ],
            "returned": self.turn.returned or None,
            **outcomes_to_json(self.turn.outcomes),
            "usage": asdict(self.turn.usage),
            "cost": self.turn.cost,
            "did_you_mean": list(self.turn.choices),
            "error": self.error or None,
        }


def ask_question(
    session: Session,
    text: str,
    backend: Backend | None = None,
    *,
    profile: Profile = "read-only",
    approve: Ask | None = None,
    granted: Iterable[str] = (),
    emit: Emit = lambda event: None,
    max_segments: int = DEFAULT_LIMIT,
    max_steps: int = MAX_STEPS,
    paint: Paint | None = None,
    registry: ToolRegistry | None = None,
    small: bool = False,
    pictures: Sequence[AttachedPicture] = (),
) -> Reply:
    """Answer one question about the scene of a session. The scene is traced first if necessary.
    Without a ``backend`` the offline agent answers.

    ``approve`` is asked about calls with side effects if the ``profile`` requires it; tools in
    ``granted`` are always allowed. ``emit`` receives the events of the turn. ``max_steps`` is the
    largest number of model replies. ``paint`` makes pictures of the canvas. ``registry`` holds the
    tools, by default the shipped ones. ``pictures`` are attached to the question. With ``small``
    the model is offered only a dozen tools.
    """

    async def run_question() -> Reply:
        opened = OpenDocument(session, max_segments, paint)
        conversation = Conversation(
            opened,
            backend,
            registry=registry,
            max_steps=max_steps,
            granted=granted,
            small=small,
        )
        try:
            finished = await conversation.say(
                text, emit, pictures=pictures, profile=profile, ask=approve
            )
            return Reply(text, finished, conversation.offline.problem)
        finally:
            await conversation.close()

    reply = asyncio.run(run_question())
    # only Ctrl-C stops a turn here; asyncio.run does not raise it again if the task ends normally
    if reply.turn.stopped:
        raise KeyboardInterrupt
    return reply


@dataclass(frozen=True)
class RunResult:
    """The result of running a tool: its ``output`` or its ``error``, the calls that it made, and
    their token usage.
    """

    tool: str
    output: Any
    calls: tuple[ToolOutcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    error: str = ""

    def to_json(self) -> dict[str, Any]:
        """The result of the run as JSON values."""
        return {
            "tool": self.tool,
            "output": self.output,
            **outcomes_to_json(self.calls),
            "usage": asdict(self.usage),
            "error": self.error or None,
        }


def convert_typed_input(found: FoundTool, text: str) -> Any:
    """Convert an input that a person typed to the types of the tool's parameters, by the rules of
    slash commands.

    For a single parameter the whole text is the value, unchanged if the parameter accepts any type.
    Several parameters take one word each.
    """
    parsed = (
        found.tool.parsed_signature if found.tool is not None and found.kind != "worker" else None
    )
    if found.tool is None or parsed is None or not parsed.parameters:
        return text
    if len(parsed.parameters) > 1:
        try:
            return arguments_from_words(found.tool, split_words(text))
        except ValueError:
            raise RaybenchError(f"A quotation mark is not closed in: {elide_text(text)}") from None
    (only,) = parsed.parameters.values()
    return text if type_without_null(only) is Any else convert_word(text, only)


async def run_tool(
    context: ToolContext,
    name: str = DEFAULT_ENTRY_TOOL,
    input: Any = None,
    attachments: tuple[Path, ...] = (),
) -> RunResult:
    """Run a tool of the context's registry. Changes that it makes to the view are applied at its
    end.

    The tool itself needs no approval, since a person starts it, and has no time limit unless it
    states one. Its edits, and calls by its models, need approval. Raises RaybenchError if there is
    no such tool, or if the input or an attachment is invalid; other errors are in the result.
    """
    found = context.registry.find_tool(name)
    for path in attachments:
        if not path.is_file():
            raise RaybenchError(f"{path}: there is no such file to attach.")
    tool, arguments, named = bind_input(found, {} if input is None else input)
    top: list[str] = []
    calls: list[ToolOutcome] = []

    def collect_outcome(event: TurnEvent) -> None:
        if isinstance(event, ToolStarted) and not top:
            top.append(event.id)
        if isinstance(event, ToolFinished) and event.id not in top:
            calls.append(event.outcome)
        context.message_callback(event)

    recorded = dataclasses.replace(context, message_callback=collect_outcome, by_person=True)
    async with context.apply_view_at_end():
        outcome = await recorded.run(
            tool, arguments, gated=False, attachments=attachments if named is None else named
        )
    return RunResult(
        name,
        outcome.value if outcome.ok else None,
        tuple(calls),
        context.cost_tracker.total,
        "" if outcome.ok else outcome.text,
    )
