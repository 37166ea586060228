"""The open document as the agent's thread accesses it: everything is read and changed in the GUI
thread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future, InvalidStateError
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from raybench.agent.call.bench import EditRefused, check_latest, own_step, present
from raybench.agent.call.thread import in_thread
from raybench.analysis.context import TracedScene
from raybench.errors import RaybenchError
from raybench.history import Step
from raybench.scene.changes import Changes
from raybench.scene.document import Document
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import View
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.figure import canvas_picture
from raybench_workbench.selection import Selection
from raybench_workbench.threads.background import in_gui_thread

if TYPE_CHECKING:
    from raybench_workbench.agent.actions import AgentActions

T = TypeVar("T")


class DocumentBench(QObject):
    """The open document as the agent's thread accesses it; everything except immutable values is
    read and changed in the GUI thread.
    """

    def __init__(
        self,
        document: WorkDocument,
        parent: QObject | None = None,
        selection: Selection | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._selection = selection
        self._waiting: list[Future[TracedScene]] = []
        self._failure: tuple[int, str] | None = None
        """A revision that could not be traced, and the error."""
        self.open_turns: frozenset[str] = frozenset()
        """The merge keys of the turns that may edit. Stop removes that of a turn, so that none of
        its pending edits is applied.
        """
        self.actions: AgentActions | None = None
        """The actions of the window that may be run; None without a window."""
        self._post = in_gui_thread(self, lambda call: call())
        document.fullResultReady.connect(self._deliver)
        document.traceFailed.connect(self._fail)

    @property
    def document(self) -> Document:
        """The current document: an immutable value, safe to read from any thread."""
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
        def apply() -> Document:
            self._check_open(merge_key)
            return self._document.apply(changes, merge_key, gather=True)

        return await self._run_in_gui_thread(apply)

    def own_step(self, keys: Collection[str], redo: bool) -> Step:
        return own_step(self._document.session, keys, redo)

    async def travel(self, step: Step, merge_key: str, redo: bool) -> str:
        def travel() -> str:
            self._check_open(merge_key)
            check_latest(self._document.session, step, redo)
            self._document.redo() if redo else self._document.undo()
            return step.text

        return await self._run_in_gui_thread(travel)

    def _check_open(self, merge_key: str) -> None:
        if merge_key not in self.open_turns:
            raise EditRefused("Nothing was changed: the turn was stopped.")

    def document_at(self, revision: int) -> Document | None:
        return self._document.session.document_at(revision)

    async def select(self, keys: frozenset[int]) -> None:
        if self._selection is not None:
            await self._run_in_gui_thread(
                lambda: self._selection.set(keys) if self._selection is not None else None
            )

    async def run_action(self, name: str, on: bool | None) -> str:
        if (actions := self.actions) is None:
            raise RaybenchError(
                "There is no window here whose actions could be run. The other tools work without"
                " one."
            )
        return await self._run_in_gui_thread(lambda: actions.run(name, on))

    async def picture(self, width: int) -> bytes:
        traced = await self.context()
        document, view, colors = await self._run_in_gui_thread(
            lambda: (self._document.document, self._document.session.view, theme.current())
        )
        return await in_thread(lambda: canvas_picture(document, traced.result, view, colors, width))

    async def show(self, change: Callable[[View], View]) -> None:
        await self._run_in_gui_thread(
            lambda: self._document.set_view(change(self._document.session.view))
        )

    async def _run_in_gui_thread(self, call: Callable[[], T]) -> T:
        """Run a call in the GUI thread; returns its result or raises its exception.

        A call that has begun is awaited even if the task is cancelled meanwhile; one that is still
        in the queue is not run.
        """
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return  # cancelled while it was queued
            try:
                future.set_result(call())
            except Exception as error:
                future.set_exception(error)

        self._post(run)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if future.cancel():
                raise
            return await asyncio.wrap_future(future)

    async def context(self) -> TracedScene:
        future: Future[TracedScene] = Future()
        self._post(lambda: self._wait(future))
        return await asyncio.wrap_future(future)

    def present(self) -> TracedScene:
        return present(self._document.session)

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        return await self._run_in_gui_thread(
            lambda: self._document.session.remember(question, rays)
        )

    def _wait(self, future: Future[TracedScene]) -> None:
        self._waiting.append(future)
        self._deliver()
        if self._failure is not None and self._failure[0] == self.document.revision:
            self._fail(self._failure[1])

    def _deliver(self, _result: object = None) -> None:
        """Resolve all waiting futures with the trace of the current revision, if it is available."""
        document, result = self.document, self._document.session.fresh_result
        if result is None and not document.scene.objects:
            result = TraceResult.from_segments(
                (), revision=document.revision
            )  # an empty scene is not traced
        if result is None:
            return
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
                future.set_result(TracedScene.of(document, result))

    def _fail(self, reason: str) -> None:
        """Fail all waiting futures with ``reason``, unless the current revision has been traced."""
        if self._document.session.fresh_result is not None:
            return
        self._failure = (self.document.revision, reason)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
                future.set_exception(RaybenchError(reason))
