"""The agent as a window controls it. Calls are posted to the agent's thread, and signals come back;
neither thread waits for the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, SignalInstance

from raybench.agent.call.approval import ApprovalRequest, Decision, Profile
from raybench.agent.call.events import TurnFinished, without_traces
from raybench.agent.call.scope import run_in_thread
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.protocol import Backend, BackendError, RetryNotice
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.history import AttachedPicture, text_block
from raybench.agent.turn.loop import MAX_STEPS
from raybench.agent.turn.transcript import Transcript
from raybench.errors import RaybenchError
from raybench.system.process import return_freed_memory
from raybench_workbench.agent.window_document import WindowDocument
from raybench_workbench.threads import LoopThread

if TYPE_CHECKING:
    from raybench_workbench.agent.actions import AgentActions

log = logging.getLogger(__name__)
CATALOGUE_DELAY = 1.0
"""Seconds after which the catalogue of example questions is made, unless it is needed before."""
RunTurn = Callable[..., Coroutine[Any, Any, TurnFinished]]
"""A method of `Conversation` that runs a turn."""


def _make_example_catalogue() -> None:
    from raybench.agent.questions.understanding import example_catalogue

    example_catalogue()  # so that what is typed finds it made


@dataclass(frozen=True, eq=False)
class Question:
    """A request of the agent that the user has to approve or decline in the window."""

    request: ApprovalRequest
    _decision: Future[Decision]

    def answer(self, decision: Decision) -> None:
        """Answer with a decision. This has no effect if the turn was stopped in the meantime."""
        with contextlib.suppress(InvalidStateError):
            self._decision.set_result(decision)


class Agent(QObject):
    """The agent of a window: one conversation, with one turn at a time, in its own thread.

    Events carry the number of their turn, so that late events of an earlier conversation can be
    recognized.
    """

    happened = Signal(int, object)
    """A turn's number and one of its `TurnEvent`s; the last is a `TurnFinished`."""
    toolsReady = Signal(object)
    """The tools that can be called: a tuple of `Tool`."""
    checked = Signal(object, str)
    """A backend that was tested, and the error; empty if it answers."""
    projectOpened = Signal(object, str)
    """A project's folder that was opened, and the problems of its tools, or an empty text."""
    asked = Signal(int, object)
    """A turn's number and a `Question`, for which the turn waits."""
    died = Signal(str)
    """The thread ended with an error, given as text. The next call starts a new thread."""

    def __init__(
        self,
        opened: WindowDocument,
        backend: Backend | None = None,
        tools: tuple[Tool, ...] | None = None,
    ) -> None:
        super().__init__()
        self.backend = backend
        """The model that answers; None while offline."""
        self.profile: Profile = "ask"
        """What the agent may do without asking, from the next turn on."""
        self.reads_notes = True
        """Whether the model is told the notes of the project, from the next turn on."""
        self.max_steps = MAX_STEPS
        """The largest number of replies of the model in a turn, from the next turn on."""
        self.small = False
        """Whether the model is offered only a dozen tools, from the next turn on."""
        self.last_edit_key = ""
        """The merge key of the edits of the last turn."""
        self._granted: frozenset[str] = frozenset()
        """The names of the tools that are allowed in every conversation."""
        self._opened = opened
        self._given_tools = tools
        self._turn = 0
        self._task: asyncio.Task[None] | None = None
        self._conversation: Conversation | None = None
        self._conversations: dict[str, Conversation] = {}
        """The conversations of this session of the program, by the ids of their transcripts."""
        self._registry: ToolRegistry | None = None
        self._thread = LoopThread("agent", self._open_conversation, self._report_thread_death)

    def start(self) -> None:
        """Start the thread, unless it was started or closed before. Connect the signal `toolsReady`
        first.
        """
        self._thread.start()

    def offer_actions(self, actions: AgentActions) -> None:
        """Let the agent run the given actions of the window."""
        self._opened.actions = actions

    def run_coroutine(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a coroutine in the agent's thread, at the same time as turns."""
        self._thread.run_coroutine(work)

    @property
    def registry(self) -> ToolRegistry | None:
        """The tools of the conversation. None until the thread has started."""
        return self._conversation.registry if self._conversation is not None else None

    def start_turn(self, text: str, pictures: Sequence[AttachedPicture] = ()) -> int:
        """Start a turn with the user's text and the pictures attached to it. Returns the number of
        the turn.
        """
        say = partial(Conversation.say, text=text, pictures=pictures)
        return self._post_turn(say, f"window {id(self)}, turn {self._turn + 1}")

    def retry_turn(self, key: str) -> int:
        """Continue the conversation's last turn, which ended with an error. ``key`` is the merge
        key of its edits. Returns the number of the new turn.
        """
        return self._post_turn(Conversation.retry, key)

    def _post_turn(self, run: RunTurn, key: str) -> int:
        self._turn += 1
        self.last_edit_key = key
        self._opened.open_turns = frozenset({key})
        turn, profile = self._turn, self.profile
        max_steps, reads_notes, small = self.max_steps, self.reads_notes, self.small

        def begin() -> None:
            self._current_conversation.max_steps = max_steps
            self._current_conversation.reads_notes = reads_notes
            self._current_conversation.small = small
            self._begin_turn(turn, run, key, profile)

        self._thread.post(begin)
        return turn

    def set_max_steps(self, steps: int) -> None:
        """Set the largest number of model replies in a turn. It applies from the next turn on."""
        self.max_steps = steps

    def allow_tool(self, tool: str, on: bool) -> None:
        """Allow a tool, by name, in this and in later conversations; with ``on`` false, ask about
        it again.
        """

        def grant() -> None:
            granted = self._current_conversation.granted
            granted.add(tool) if on else granted.discard(tool)

        self._granted = self._granted | {tool} if on else self._granted - {tool}
        self._thread.post(grant)

    def add_note(self, text: str) -> None:
        """Add a note about the user's actions, which the model gets with the next question."""
        self._thread.post(lambda: self._current_conversation.add_note(text))

    def stop(self) -> None:
        """Cancel the current turn immediately, with its stream and its tools. It makes no edits any
        more.
        """
        self._opened.open_turns = frozenset()
        self._thread.post(self._cancel_turn)

    def continue_conversation(self, transcript: Transcript) -> None:
        """Switch to another conversation, or start one. A conversation of this run of the program
        continues with the model's own history, any other with the recorded one. Late events of the
        previous conversation have older turn numbers.
        """

        def switch() -> None:
            self._cancel_turn()
            old = self._current_conversation
            new = self._conversations.get(transcript.id)
            if new is None:
                new = Conversation(
                    self._opened, None, registry=old.registry, granted=self._granted, values=False
                )
                new.continue_from(transcript)
            new.registry = old.registry
            new.granted |= self._granted
            new.backend = new.offline if old.backend is old.offline else old.backend
            self._conversations[transcript.id] = self._conversation = new

        self._turn += 1
        self._opened.open_turns = frozenset()
        self._thread.post(switch, wake=False)

    def forget_other_conversations(self) -> None:
        """Forget all conversations except the current one, after another document was opened."""

        def forget_other_conversations() -> None:
            kept = self._conversation
            self._conversations = {id: c for id, c in self._conversations.items() if c is kept}

        self._thread.post(forget_other_conversations, wake=False)

    def switch_model(self, backend: Backend | None) -> None:
        """Switch to another model; None selects the offline agent. The previous model is closed
        when the turn that it answers has ended.
        """

        async def close(turn: asyncio.Task[None] | None, old: Backend) -> None:
            if turn is not None:
                await asyncio.wait([turn])
            await old.close()

        def switch() -> None:
            conversation = self._current_conversation
            old, conversation.backend = conversation.backend, backend or conversation.offline
            self._emit_signal(self.toolsReady, conversation.tools)
            self._thread.create_task(close(self._task, old))

        self.backend = backend
        self._thread.post(switch)

    def test_model(self, backend: Backend) -> None:
        """Test a model with a short request. The signal `checked` reports the result."""
        self.run_coroutine(lambda: self._run_model_test(backend))

    def open_project(self, folder: Path, trusted: str) -> None:
        """Add the tools of a project folder. The signal `projectOpened` reports the result.

        Its code runs only if its digest is still the one that was ``trusted``.
        """
        self.run_coroutine(lambda: self._open_project(folder, trusted))

    def close(self) -> None:
        """Stop the thread. No signals are emitted afterwards."""
        self._thread.close()

    # --- in the agent's thread

    @property
    def _current_conversation(self) -> Conversation:
        assert self._conversation is not None
        return self._conversation

    def _open_conversation(self) -> None:
        """Open the first conversation, or a new one after the thread has died."""
        self._conversation = Conversation(
            self._opened,
            self.backend,
            self._given_tools,
            registry=self._registry,
            granted=self._granted,
            values=False,
        )
        self._emit_signal(self.toolsReady, self._conversation.tools)
        asyncio.get_event_loop().call_later(CATALOGUE_DELAY, _make_example_catalogue)

    def _report_thread_death(self, error: BaseException) -> None:
        self._emit_signal(
            self.died,
            f"The agent has stopped ({type(error).__name__}: {error}). Ask again to restart it.",
        )

    def _begin_turn(self, turn: int, run: RunTurn, key: str, profile: Profile) -> None:
        self._cancel_turn()

        def report_end(task: asyncio.Task[None]) -> None:
            if task.cancelled():  # before its first step: it cannot report that itself
                self._emit_signal(self.happened, turn, TurnFinished("", stopped=True))

        self._task = self._thread.create_task(self._run_turn(turn, run, key, profile))
        self._task.add_done_callback(report_end)

    async def _run_turn(self, turn: int, run: RunTurn, key: str, profile: Profile) -> None:
        conversation = self._current_conversation

        async def ask(request: ApprovalRequest) -> Decision:
            future: Future[Decision] = Future()
            self._emit_signal(self.asked, turn, Question(request, future))
            return await asyncio.wrap_future(future)

        try:
            await run(
                conversation,
                emit=lambda event: self._emit_signal(self.happened, turn, without_traces(event)),
                profile=profile,
                ask=ask,
                key=key,
            )
        except Exception as error:
            log.exception("the agent failed")
            finished = TurnFinished(
                "", error=f"The agent failed ({type(error).__name__}: {error}). Ask again."
            )
            self._emit_signal(self.happened, turn, finished)
        return_freed_memory()

    async def _run_model_test(self, backend: Backend) -> None:
        problem = ""
        try:
            message = {"role": "user", "content": [text_block("Answer with the word yes.")]}
            async with aclosing(backend.stream_turn("", [message], ())) as events:
                async for event in events:
                    if isinstance(event, RetryNotice):
                        problem = (
                            f"The server cannot answer now ({event.reason}). Test again in"
                            f" {max(1, round(event.seconds))} s."
                        )
                        break
        except BackendError as error:
            problem = str(error)
        except Exception as error:
            log.exception("the check failed")
            problem = f"The check failed ({type(error).__name__}: {error})."
        if problem:
            await backend.close()
        self._emit_signal(self.checked, backend, problem)

    def _cancel_turn(self) -> None:
        if (
            self._task is not None and not self._task.done() and not self._task.cancelling()
        ):  # a second one cuts its reports
            self._task.cancel()

    async def _open_project(self, folder: Path, trusted: str) -> None:
        from raybench.agent.catalogue.default_tools import agent_tools

        tools = agent_tools() if self._given_tools is None else self._given_tools
        registry = ToolRegistry(tools, folder, lambda code: code.digest == trusted)
        try:
            tools, problems = await run_in_thread(
                lambda: (registry.tools, registry.problems)
            )  # runs its code, which may take long
        except RaybenchError as error:
            self._emit_signal(self.projectOpened, folder, str(error))
            return
        self._registry = self._current_conversation.registry = registry
        self._emit_signal(self.toolsReady, self._current_conversation.tools)
        head = (
            [f"The tools of the project {folder.name} are available, except:"] if problems else []
        )
        self._emit_signal(self.projectOpened, folder, "\n".join([*head, *problems]))

    def _emit_signal(self, signal: SignalInstance, *arguments: object) -> None:
        if not self._thread.closed:
            signal.emit(*arguments)
