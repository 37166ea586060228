"""Access of the agent's thread to the document of a window. The document is read and changed in the
GUI thread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from raybench.agent.call.open_document import EditRefused, OpenDocument
from raybench.agent.call.scope import run_in_thread
from raybench.analysis.context import TracedScene
from raybench.errors import RaybenchError
from raybench.session import Session
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.threads import gui_thread_function

if TYPE_CHECKING:
    from raybench.lens.figure import PageLayout
    from raybench_workbench.agent.actions import AgentActions

T = TypeVar("T")


class WindowDocument(OpenDocument):
    """The document of a window, as the agent sees it. Everything except immutable values is read
    and changed in the GUI thread, as long as ``owner`` exists.
    """

    has_window = True

    def __init__(self, owner: QObject, document: WorkDocument, selection: Selection) -> None:
        super().__init__(document.session)
        self._work_document, self._selection = document, selection
        self._waiting: list[Future[TracedScene]] = []
        self._failure: tuple[int, str] | None = None
        """A revision that could not be traced, and the error."""
        self.open_turns: frozenset[str] = frozenset()
        """The merge keys of the turns that may edit. Stop removes that of a turn, so that none of
        its pending edits is applied.
        """
        self.actions: AgentActions | None = None
        """The actions of the window that may be run."""
        self._post = gui_thread_function(owner, lambda call: call())
        document.fullResultReady.connect(self._deliver_result)
        document.traceFailed.connect(self._fail_waiting_futures)

    @property
    def session(self) -> Session:
        return self._work_document.session

    @property
    def editor(self) -> WorkDocument:
        return self._work_document

    @property
    def selection(self) -> tuple[int, ...]:
        return tuple(sorted(self._selection.keys))

    async def select(self, keys: frozenset[int]) -> None:
        await self.run_on_owner_thread(lambda: self._selection.set(keys))

    async def run_on_owner_thread(self, call: Callable[[], T]) -> T:
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

    def check_turn_may_edit(self, merge_key: str) -> None:
        if merge_key not in self.open_turns:
            raise EditRefused("Nothing was changed: the turn was stopped.")

    async def run_action(self, name: str, on: bool | None) -> str:
        if (actions := self.actions) is None:
            return await super().run_action(name, on)
        return await self.run_on_owner_thread(lambda: actions.run(name, on))

    async def paint_canvas(self, width: int) -> bytes:
        from raybench_workbench.figure import canvas_picture

        traced = await self.context()
        document, view, colors = await self.run_on_owner_thread(
            lambda: (self.document, self.view, theme.current_theme())
        )
        return await run_in_thread(
            lambda: canvas_picture(document, traced.result, view, colors, width)
        )

    async def paint_lens(self, drawing: PageLayout) -> bytes:
        from raybench_workbench.plots.figure_view import lens_picture

        colors = await self.run_on_owner_thread(theme.current_theme)
        return await run_in_thread(lambda: lens_picture(drawing, colors))

    async def context(self) -> TracedScene:
        future: Future[TracedScene] = Future()

        def wait() -> None:
            self._waiting.append(future)
            self._deliver_result()
            if self._failure is not None and self._failure[0] == self.document.revision:
                self._fail_waiting_futures(self._failure[1])

        self._post(wait)
        return await asyncio.wrap_future(future)

    def _deliver_result(self, _result: object = None) -> None:
        """Give all waiting futures the trace of the current revision, if it is available."""
        if (traced := self.traced_context()) is None:
            return
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
                future.set_result(traced)

    def _fail_waiting_futures(self, reason: str) -> None:
        """Make all waiting futures fail with ``reason``, unless the current revision was traced."""
        if self.session.fresh_result is not None:
            return
        self._failure = (self.document.revision, reason)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
                future.set_exception(RaybenchError(reason))
