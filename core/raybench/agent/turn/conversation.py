"""Sequences of turns on a document: a conversation with a person, or calls by another program."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import Any

from raybench.agent.answer_check.claims import CheckedPart
from raybench.agent.answer_check.evidence import Evidence
from raybench.agent.call.approval import ALLOW_ALL, ApprovalRules, Ask, Profile
from raybench.agent.call.call import ResultCache
from raybench.agent.call.context import ToolContext, new_turn_key
from raybench.agent.call.events import Emit, TurnFinished
from raybench.agent.call.open_document import KnownObjects, OpenDocument
from raybench.agent.call.outcome import ToolOutcome, unknown_tool_outcome
from raybench.agent.call.scope import run_in_thread
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.offline import OfflineBackend
from raybench.agent.models.protocol import Backend, Block, Message, Usage
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.offer import intended_call, tools_for_model
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.history import (
    OLD_PICTURE_TEXT,
    AttachedPicture,
    picture_block,
    take_unanswered,
    text_block,
    without_pictures,
)
from raybench.agent.turn.loop import MAX_STEPS, run_turn
from raybench.agent.turn.project_notes import NOTES_REMOVED, read_project_notes
from raybench.agent.turn.scene_text import SCENE_BEGINS, ChangesByHand, scene_text
from raybench.agent.turn.transcript import Transcript
from raybench.agent.view_tools.state_tool import ViewDraft

MOST_RECALLED = 30
"""Exchanges of an earlier run whose results are read."""


def system_prompt(*, window: bool = False, small: bool = False) -> str:
    """The system prompt of the agent: a short one for a ``small`` model; otherwise, with a
    ``window``, a part about its tools. It is identical in all requests, so that servers can cache
    it.
    """
    parts = ["small"] if small else ["system", *(["window"] * window)]
    folder = files("raybench_resources").joinpath("prompts")
    return "".join(folder.joinpath(f"{part}.md").read_text(encoding="utf-8") for part in parts)


class TurnSequence:
    """A sequence of turns on one document. It keeps what later turns need: results, permissions,
    the objects that the model has seen, and the keys of edits that may be undone.

    ``granted``: names of tools that are allowed without a question. ``since``: text for the time
    since which changes by the person are reported.
    """

    def __init__(self, opened: OpenDocument, granted: Iterable[str], since: str) -> None:
        self.opened = opened
        self.granted = set(granted)
        self.kept = ResultCache()
        self._known = KnownObjects()
        self._keys: list[str] = []
        """The merge keys of the turns so far, whose edits a later one may undo."""
        self._by_hand = ChangesByHand(since)
        self._notes: list[str] = []

    def add_note(self, text: str) -> None:
        """Store a note about an action of the person. The model receives it with the next question
        or result.
        """
        self._notes.append(text)

    def _pop_notes(self) -> list[str]:
        """Remove and return the stored notes, and notes on changes by the person since the last
        turn.
        """
        notes, self._notes = self._notes, []
        return [*notes, *self._by_hand.unreported_changes(self.opened.document)]

    @asynccontextmanager
    async def _open_turn(
        self, key: str | None, registry: ToolRegistry, approvals: ApprovalRules, **others: Any
    ) -> AsyncIterator[ToolContext]:
        """A context manager that provides the tool context of a turn. At its end, even after an
        error, changes of the view are applied.
        """
        key = key or new_turn_key()
        context = ToolContext(
            self.opened,
            registry,
            approvals,
            state=ViewDraft.from_view(self.opened.view),
            cache=self.kept,
            known=self._known,
            turn=key,
            earlier_turns=tuple(self._keys),
            **others,
        )
        self._keys.append(key)
        async with context.apply_view_at_end():
            yield context


class Conversation(TurnSequence):
    """A conversation between a person and a backend, by default the offline agent. ``history`` is a
    list of JSON values that is valid at any time.

    ``granted``: tools that are allowed for the whole conversation. ``values``: whether answers
    without a model list the values of a result. ``small``: whether the model is small and is
    offered only a dozen tools.
    """

    def __init__(
        self,
        opened: OpenDocument,
        backend: Backend | None = None,
        tools: tuple[Tool, ...] | None = None,
        registry: ToolRegistry | None = None,
        *,
        max_steps: int = MAX_STEPS,
        granted: Iterable[str] = (),
        values: bool = True,
        small: bool = False,
    ) -> None:
        super().__init__(opened, granted, "your last answer")
        self.offline = OfflineBackend(lambda: opened.document, values)
        self.backend: Backend = backend or self.offline
        if registry is None and tools is None:
            # imports all of raybench.analysis and raybench.study
            from raybench.agent.catalogue.default_tools import agent_tools

            tools = agent_tools()
        self.registry = registry or ToolRegistry(tools or ())
        self.max_steps, self.small = max_steps, small
        self.history: list[Message] = []
        self.reads_notes = True
        """Whether the model is told the notes of the project."""
        self._described_revision: int | None = None
        self._told_notes = ""
        self._failed: TurnFinished | None = None
        """The last turn, if it ended with an error."""
        self._shown = 0
        """The number of messages whose pictures were replaced, since the model has seen them."""
        self._evidence = Evidence()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools in the registry; if there is no model, without the tools that need one."""
        tools = self.registry.tools
        if self.backend is self.offline:
            return tuple(tool for tool in tools if tool.type == "native")
        return tools

    def continue_from(self, transcript: Transcript) -> None:
        """Continue a conversation from an earlier run of the program: its questions and answers,
        with the results of its latest calls as evidence for new answers.
        """
        self.history = transcript.to_messages()
        self._evidence.add_scene(self.opened.document)
        for exchange in transcript.exchanges[-MOST_RECALLED:]:
            self._evidence.add_text(exchange.question)
            self._evidence.add_outcomes(exchange.turn.outcomes)

    async def say(
        self,
        text: str,
        emit: Emit = lambda event: None,
        *,
        pictures: Sequence[AttachedPicture] = (),
        profile: Profile = "read-only",
        ask: Ask | None = None,
        key: str | None = None,
    ) -> TurnFinished:
        """Run one turn that answers a text of the person, with attached ``pictures``. A slash
        command is run by the offline agent and needs no approval. ``key`` is the merge key of the
        turn's edits.
        """
        self._failed = None
        # a picture costs as much as a page of text in every later request
        begin = max(0, self._shown - 1)
        self.history[begin:] = without_pictures(self.history[begin:], OLD_PICTURE_TEXT)
        self._shown = len(self.history)
        command, document = text.lstrip().startswith("/"), self.opened.document
        blocks = [] if command else [*map(text_block, await self._new_project_notes())]
        if document.revision != self._described_revision:
            self._described_revision = document.revision
            blocks.append(text_block(scene_text(document)))
        if not command:
            blocks += [picture_block(p.data, p.media_type) for p in pictures]
        blocks.append(text_block(text))
        return await self._run_turn(blocks, emit, profile, ask, key, command)

    async def retry(
        self,
        emit: Emit = lambda event: None,
        *,
        profile: Profile = "read-only",
        ask: Ask | None = None,
        key: str | None = None,
    ) -> TurnFinished:
        """Continue the last turn, which ended with an error. Calls in the history are not repeated.
        The result counts both parts of the turn.
        """
        return await self._run_turn(take_unanswered(self.history), emit, profile, ask, key)

    async def _run_turn(
        self,
        blocks: list[Block],
        emit: Emit,
        profile: Profile,
        ask: Ask | None,
        key: str | None,
        command: bool = False,
    ) -> TurnFinished:
        model = self.backend
        self._known.record_objects(self.opened.document.scene.objects)
        notes = self._pop_notes()
        evidence, told = self._evidence, 0
        evidence.add_scene(self.opened.document)
        evidence.add_ray_sets(self.opened.ray_sets)  # also of other programs and of earlier runs
        for block in (*map(text_block, notes), *blocks):
            if block["type"] == "text" and not block["text"].startswith(SCENE_BEGINS):
                evidence.add_text(block["text"])

        async def check(answer: str, outcomes: Sequence[ToolOutcome]) -> list[CheckedPart]:
            from raybench.agent.answer_check.check import check_answer  # not at the start

            nonlocal told
            evidence.add_outcomes(outcomes[told:])
            told = len(outcomes)
            evidence.add_scene(self.opened.document)
            return await run_in_thread(lambda: check_answer(answer, evidence))

        async with self._open_turn(
            key,
            self.registry,
            ALLOW_ALL if command else ApprovalRules(profile, ask, self.granted),
            backend=None if model is self.offline else model,
            message_callback=lambda event: None if isinstance(event, TurnFinished) else emit(event),
            by_person=command,
            edited=(lambda before, after: None) if command else self._by_hand.note_edit,
        ) as context:
            finished = await run_turn(
                self.history,
                [*map(text_block, notes), *blocks],
                backend=self.offline if command else model,
                tools=self.tools,
                context=context,
                system=system_prompt(window=self.opened.has_window, small=self.small),
                max_steps=self.max_steps,
                offer=partial(tools_for_model, window=self.opened.has_window, small=self.small),
                earlier=self._failed,
                check=None if command or model is self.offline else check,
            )
        evidence.add_outcomes(finished.outcomes[told:])
        if tasks := context.cost_tracker.by_model:  # of workers and prompts, by their models
            costs = [
                (model if name == model.name else model.for_model(name)).cost(usage)
                for name, usage in tasks.items()
            ]
            if finished.usage != Usage():
                costs.append(finished.cost)
            known = [cost for cost in costs if cost is not None]
            finished = dataclasses.replace(
                finished,
                usage=finished.usage + context.cost_tracker.total,
                cost=sum(known) if len(known) == len(costs) else None,
            )
        if model is self.offline or command:
            finished = dataclasses.replace(finished, choices=self.offline.choices)
        self._failed = finished if finished.error else None
        if self.opened.has_window and not (finished.error or finished.stopped):
            # reads the examples of all tools, which a program without a window need not wait for
            from raybench.agent.questions.understanding import following_questions

            asked = next((b["text"] for b in reversed(blocks) if b["type"] == "text"), "")
            document = self.opened.document
            following = following_questions(asked, finished.outcomes, document)
            finished = dataclasses.replace(finished, following=following)
        emit(finished)
        return finished

    async def _new_project_notes(self) -> list[str]:
        """The notes of the project, if the model has not received them yet."""
        scene = self.opened.session.path
        folders = (scene.parent if scene is not None else None, self.registry.folder)
        notes = await run_in_thread(lambda: read_project_notes(folders))
        told = notes.model_text if notes is not None and self.reads_notes else ""
        if told == self._told_notes:
            return []
        self._told_notes = told
        return [told or NOTES_REMOVED]

    async def close(self) -> None:
        await self.backend.close()


class ClientCalls(TurnSequence):
    """The tool calls of another program on a document. Each call is a turn of its own. Calls run
    concurrently, except those whose order matters.

    The edits of a call are one undo step; ``undo_edits`` also undoes those of earlier calls. All
    methods must be called in one event loop.
    """

    def __init__(
        self,
        opened: OpenDocument,
        registry: Callable[[], ToolRegistry],
        *,
        granted: Iterable[str] = (),
        backend: Callable[[], Backend | None] = lambda: None,
        model: str = "",
    ) -> None:
        super().__init__(opened, granted, "your last call")
        self._always = frozenset(granted)
        self._registry, self._backend, self._model = registry, backend, model
        self._in_order = asyncio.Lock()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that the other program can call; if there is no model, without the tools that
        need one.
        """
        tools = exposed_tools(self._registry().tools, "native")
        if self._backend() is None:
            tools = tuple(tool for tool in tools if not tool.is_model_task)
        return tools_for_model(tools, window=self.opened.has_window)

    def revoke_permissions(self) -> None:
        """Withdraw the permissions that the person has given, so that the next call asks again."""
        self.granted &= self._always

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        profile: Profile,
        ask: Ask | None = None,
        emit: Emit = lambda event: None,
        key: str | None = None,
    ) -> ToolOutcome:
        """Call a tool by name, with arguments as a model would send them. A failure is returned as
        an outcome that is not ok. Cancelling ends the call. ``key`` is the merge key of its edits.
        """
        tools = self.tools
        name, arguments = intended_call(tools, name, arguments)
        tool = tool_named(tools, name)
        if tool is None:
            return unknown_tool_outcome(name, arguments, tools)

        async def run_in_turn(tool: Tool) -> ToolOutcome:
            async with self._open_turn(
                key,
                self._registry(),
                ApprovalRules(profile, ask, self.granted),
                backend=self._backend(),
                model=self._model,
                message_callback=emit,
                edited=self._by_hand.note_edit,
            ) as context:
                news = self._pop_notes()
                outcome = await context.run(tool, arguments)
            notes = "\n".join([*news, *filter(None, [outcome.notes])])
            return dataclasses.replace(outcome, notes=notes) if news else outcome

        if tool.effect == "read" and not tool.in_order:
            return await run_in_turn(tool)
        async with self._in_order:
            return await run_in_turn(tool)
