"""Between the window and the agent, which lives in a thread of its own: signals one way, posted calls the other, nobody waits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot

from core.agent.call.events import TurnFinished
from core.agent.catalogue.registry import ToolRegistry
from core.agent.catalogue.shipped import agent_tools
from core.agent.models.protocol import Backend, BackendError
from core.agent.tools.tool import Tool
from core.agent.turn.conversation import Conversation
from core.agent.turn.history import text_block
from core.analysis.context import TracedScene
from core.errors import RaybenchError
from core.scene.changes import Changes
from core.scene.document import Document
from core.trace.results.result import RaySet, TraceResult
from core.view import View
from workbench.document import WorkDocument
from workbench.selection import Selection

log = logging.getLogger(__name__)
T = TypeVar("T")


class DocumentBench(QObject):
    """The document at work, as the agent's thread may see it: every look at it is taken on the GUI thread."""

    _asked = Signal(object)

    def __init__(self, document: WorkDocument, parent: QObject | None = None, selection: Selection | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._selection = selection
        self._waiting: list[Future[TracedScene]] = []
        self._failure: tuple[int, str] | None = None
        """A revision that could not be traced, and why."""
        self._asked.connect(self._run, Qt.ConnectionType.QueuedConnection)
        document.fullResultReady.connect(self._serve)
        document.failed.connect(self._refuse)

    @property
    def document(self) -> Document:
        """The document as it stands: one value, safe to read from anywhere."""
        return self._document.document

    @property
    def view(self) -> View:
        return self._document.session.view

    @property
    def selection(self) -> tuple[int, ...]:
        return tuple(sorted(self._selection.keys)) if self._selection is not None else ()

    @property
    def ray_sets(self) -> Mapping[str, RaySet]:
        return dict(self._document.session.answers)

    async def apply(self, changes: Changes, merge_key: str) -> Document:
        return await self._on_the_gui(lambda: self._document.apply(changes, merge_key))

    async def show(self, change: Callable[[View], View]) -> None:
        await self._on_the_gui(lambda: self._document.set_view(change(self._document.session.view)))

    async def _on_the_gui(self, call: Callable[[], T]) -> T:
        """What a call returns or raises that only the GUI thread may make."""
        future: Future[T] = Future()

        def run() -> None:
            try:
                _settle(future, call())
            except Exception as error:
                if not future.cancelled():
                    future.set_exception(error)

        self._asked.emit(run)
        return await asyncio.wrap_future(future)

    async def context(self) -> TracedScene:
        future: Future[TracedScene] = Future()
        self._asked.emit(lambda: self._wait(future))
        return await asyncio.wrap_future(future)

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        return await self._on_the_gui(lambda: self._document.session.remember(question, rays))

    @Slot(object)
    def _run(self, call: Callable[[], None]) -> None:
        call()

    def _wait(self, future: Future[TracedScene]) -> None:
        self._waiting.append(future)
        self._serve()
        if self._failure is not None and self._failure[0] == self.document.revision:
            self._refuse(self._failure[1])

    def _serve(self, _result: object = None) -> None:
        """Hand the trace of the current revision to all who wait for it, if it is there."""
        document, result = self.document, self._document.session.fresh_result
        if result is None and not document.scene.objects:
            result = TraceResult.from_segments((), revision=document.revision)  # nothing shines: there is nothing to wait for
        if result is None:
            return
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            _settle(future, TracedScene.of(document, result))

    def _refuse(self, why: str) -> None:
        """Without a trace of the current revision, an error is why there is none."""
        if self._document.session.fresh_result is not None:
            return
        self._failure = (self.document.revision, why)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.cancelled():
                future.set_exception(RaybenchError(why))


def _settle(future: Future[Any], value: object) -> None:
    try:
        future.set_result(value)
    except InvalidStateError:
        log.debug("nobody waits for this any more")


class Agent(QObject):
    """The agent's thread, seen from the window: one conversation, one turn at a time.

    Events carry the number of their turn, so that late ones of a conversation that was left can be told apart.
    """

    happened = Signal(int, object)
    """A turn's number, and a `TurnEvent` of it; the last one is a `TurnFinished`."""
    toolsReady = Signal(object)
    """The tools that can be called: a tuple of `Tool`."""
    checked = Signal(object, str)
    """A backend that was tried, and what is wrong with it; nothing if it answers."""
    projectOpened = Signal(object, str)
    """A project's folder that was opened, and what of it could not be used; nothing if all could."""
    died = Signal(str)
    """The thread has ended by an error, which this line tells. The next thing that is asked of the agent begins another."""

    def __init__(
        self, bench: DocumentBench, backend: Backend | None = None, tools: tuple[Tool, ...] | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.backend = backend
        """The model that answers; None while offline."""
        self._bench = bench
        self._given_tools = tools
        self._closed = False
        self._turn = 0
        self._task: asyncio.Task[None] | None = None
        self._conversation: Conversation | None = None
        self._registry: ToolRegistry | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to live; whoever wants to hear `toolsReady` connects before."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._live, args=(self._loop,), name="agent", daemon=True)
        self._thread.start()

    def _post(self, call: Callable[..., object], *arguments: object) -> None:
        """Have something done in the agent's thread; in a new one, if the last has died."""
        if self._closed:
            return
        if self._loop is None or self._loop.is_closed():
            self.start()
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # it was just closing
            self.start()
            self._loop.call_soon_threadsafe(call, *arguments)

    def say(self, text: str) -> int:
        """Start a turn; its number."""
        self._turn += 1
        self._post(self._begin, self._turn, text)
        return self._turn

    def stop(self) -> None:
        """End the turn that is going on, stream and tools, at once."""
        self._post(self._cancel)

    def start_over(self) -> None:
        """Leave the conversation and begin another; late events of the old one still carry its numbers."""
        self._turn += 1
        self._post(self._renew)

    def use(self, backend: Backend | None) -> None:
        """Let another model answer from now on; None for the offline agent."""
        self.backend = backend
        self._post(self._switch, backend)

    def check(self, backend: Backend) -> None:
        """Ask a model for a word; `checked` tells how it went."""
        self._post(lambda: self._keep(asyncio.get_running_loop().create_task(self._check(backend))))

    def open_project(self, folder: Path, trusted: str) -> None:
        """Have the tools of a project's folder too. `projectOpened` tells how it went.

        Its code runs only if its digest is still the one that was ``trusted``.
        """
        self._post(self._open_project, folder, trusted)

    def close(self) -> None:
        """End the thread; nothing is emitted afterwards."""
        if not self._closed:
            self._closed = True
            if self._loop is not None and self._thread is not None:
                with contextlib.suppress(RuntimeError):  # it has died
                    self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(2.0)

    # --- in the agent's thread

    def _live(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        self._checks: set[asyncio.Task[None]] = set()
        try:
            self._conversation = Conversation(self._bench, self.backend, self._given_tools, registry=self._registry)
            self._tell(self.toolsReady, self._conversation.tools)
            loop.run_forever()
        except BaseException as error:
            log.exception("the agent's thread died")
            self._tell(self.died, f"The agent has stopped ({type(error).__name__}: {error}). Ask again to start it anew.")
        finally:
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            loop.close()

    def _begin(self, turn: int, text: str) -> None:
        self._cancel()
        task = asyncio.get_running_loop().create_task(self._say(turn, text))
        task.add_done_callback(lambda done: self._ended(turn, done))
        self._task = task

    def _ended(self, turn: int, task: asyncio.Task[None]) -> None:
        """A task that is cancelled before its first step never gets to say so itself."""
        if task.cancelled():
            self._tell(self.happened, turn, TurnFinished("", stopped=True))

    async def _say(self, turn: int, text: str) -> None:
        assert self._conversation
        try:
            await self._conversation.say(text, lambda event: self._tell(self.happened, turn, event))
        except Exception as error:
            log.exception("the agent failed")
            finished = TurnFinished("", error=f"The agent failed ({type(error).__name__}: {error}). Ask again.")
            self._tell(self.happened, turn, finished)

    async def _check(self, backend: Backend) -> None:
        wrong = ""
        try:
            message = {"role": "user", "content": [text_block("Answer with the word yes.")]}
            async for _ in backend.stream_turn("", [message], ()):
                pass
        except BackendError as error:
            wrong = str(error)
        except Exception as error:
            log.exception("the check failed")
            wrong = f"The check failed ({type(error).__name__}: {error})."
        if wrong:
            await backend.close()
        self._tell(self.checked, backend, wrong)

    def _cancel(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()

    def _renew(self) -> None:
        self._cancel()
        assert self._conversation
        self._conversation = Conversation(self._bench, self._conversation.backend, registry=self._conversation.registry)

    def _switch(self, backend: Backend | None) -> None:
        assert self._conversation
        old = self._conversation.backend
        self._conversation.backend = backend or self._conversation.offline
        self._keep(asyncio.get_running_loop().create_task(old.close()))

    def _open_project(self, folder: Path, trusted: str) -> None:
        assert self._conversation
        tools = agent_tools() if self._given_tools is None else self._given_tools
        registry = ToolRegistry(tools, folder, lambda code: code.digest == trusted)
        try:
            tools = registry.tools
        except RaybenchError as error:
            self._tell(self.projectOpened, folder, str(error))
            return
        self._registry = self._conversation.registry = registry
        self._tell(self.toolsReady, tools)
        self._tell(self.projectOpened, folder, "\n".join(registry.problems))

    def _keep(self, task: asyncio.Task[None]) -> None:
        """A task without a holder may be collected while it runs."""
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    def _tell(self, signal: SignalInstance, *what: object) -> None:
        if not self._closed:
            signal.emit(*what)
