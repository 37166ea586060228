"""The open document, as tools read and change it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from raybench.agent.call.thread import in_thread
from raybench.analysis.context import TracedScene
from raybench.errors import RaybenchError
from raybench.history import Step
from raybench.scene.changes import Changes
from raybench.scene.document import Document
from raybench.session import Session
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import View


class Bench(Protocol):
    """An open document, as the agent reads and changes it."""

    @property
    def document(self) -> Document:
        """The current document."""
        ...

    async def context(self) -> TracedScene:
        """The scene and the full trace of its current revision; waits until that is traced."""
        ...

    def present(self) -> TracedScene:
        """The current document, with its full trace if there is one by now, else without rays."""
        ...

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        """Store a ray set under a short name such as ``R1``; returns the named set."""
        ...

    @property
    def view(self) -> View:
        """The current view."""
        ...

    @property
    def selection(self) -> tuple[int, ...]:
        """The keys of the selected objects."""
        ...

    @property
    def ray_sets(self) -> Mapping[str, RaySet]:
        """The named ray sets so far."""
        ...

    async def apply(self, changes: Changes, merge_key: str) -> Document:
        """Make some changes, all or none, as one step with all that have this merge key;
        ChangeRefused leaves the document as it was.
        """
        ...

    def own_step(self, keys: Collection[str], redo: bool) -> Step:
        """The latest step of the history, which is to be undone, or redone. EditRefused if its
        merge key is not among ``keys``.
        """
        ...

    async def travel(self, step: Step, merge_key: str, redo: bool) -> str:
        """Undo the latest step of the history, or redo it, in the turn with this merge key; returns
        it in words.

        EditRefused if it is not the latest any more.
        """
        ...

    def document_at(self, revision: int) -> Document | None:
        """The document of an earlier revision; None if it is not kept."""
        ...

    async def show(self, change: Callable[[View], View]) -> None:
        """Replace the view by a function of it."""
        ...

    async def select(self, keys: frozenset[int]) -> None:
        """Select objects by their keys, and no others."""
        ...

    async def run_action(self, name: str, on: bool | None) -> str:
        """Run an action of the window by its id or title, or list them if ``name`` is empty;
        returns what was done, in words.

        One that can be switched on and off is set to ``on``, or turned over without it.
        RaybenchError without a window, if the action is none that an agent may run, or if it cannot
        be used now.
        """
        ...

    async def picture(self, width: int) -> bytes:
        """The canvas as it looks now, traced in full, as a PNG of about this width in pixels.
        RaybenchError if there is no way to paint.
        """
        ...


class EditRefused(RaybenchError):
    """An edit was refused; the document is unchanged."""


def present(session: Session) -> TracedScene:
    """See `Bench.present`."""
    document, result = session.document, session.result
    if result is None or result.revision != document.revision:
        return TracedScene.untraced(document)
    return TracedScene.of(document, result)


def own_step(session: Session, keys: Collection[str], redo: bool) -> Step:
    """See `Bench.own_step`."""
    steps = session.history.undone if redo else session.history.done
    if steps and steps[-1].merge_key in keys:
        return steps[-1]
    if redo:
        raise EditRefused("Nothing was redone: this turn has undone no edit that can be redone.")
    by_hand = any(step.merge_key in keys for step in steps)
    why = (
        f"the person has edited since ({steps[-1].text}): make the opposite changes"
        if by_hand
        else "this turn has made no changes"
    )
    raise EditRefused(f"Nothing was undone, for {why}.")


def check_latest(session: Session, step: Step, redo: bool) -> None:
    """EditRefused if this is not the step of the history that would be undone, or redone."""
    steps = session.history.undone if redo else session.history.done
    if not steps or steps[-1] is not step:
        raise EditRefused(
            f"Nothing was {'redone' if redo else 'undone'}, for the person has edited meanwhile."
        )


Paint = Callable[[Session, TraceResult, int], bytes]
"""Paints a session's canvas, with this trace and of about this width in pixels, as a PNG."""


class SessionBench:
    """A session without a window; traces on demand, at most ``max_segments`` segments. Without
    ``paint`` there are no pictures.
    """

    def __init__(
        self, session: Session, max_segments: int = DEFAULT_LIMIT, paint: Paint | None = None
    ) -> None:
        self.session = session
        self.max_segments = max_segments
        self._paint = paint
        self._selection: frozenset[int] = frozenset()
        self._tracing = asyncio.Lock()
        """Held while a trace runs: calls that run at the same time wait for one trace."""

    @property
    def document(self) -> Document:
        return self.session.document

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def selection(self) -> tuple[int, ...]:
        return tuple(sorted(self._selection))

    @property
    def ray_sets(self) -> Mapping[str, RaySet]:
        return self.session.answers

    async def select(self, keys: frozenset[int]) -> None:
        self._selection = keys

    def own_step(self, keys: Collection[str], redo: bool) -> Step:
        return own_step(self.session, keys, redo)

    async def travel(self, step: Step, merge_key: str, redo: bool) -> str:
        check_latest(self.session, step, redo)
        self.session.redo() if redo else self.session.undo()
        return step.text

    def document_at(self, revision: int) -> Document | None:
        return self.session.document_at(revision)

    async def picture(self, width: int) -> bytes:
        if self._paint is None:
            raise RaybenchError(
                "No picture can be made: there is no window. Use tools that return text and"
                " numbers."
            )
        traced = await self.context()
        return self._paint(self.session, traced.result, width)

    async def run_action(self, name: str, on: bool | None) -> str:
        raise RaybenchError(
            "There is no window here whose actions could be run. The other tools work without one."
        )

    async def apply(self, changes: Changes, merge_key: str) -> Document:
        return self.session.apply(changes, merge_key, gather=True)

    async def show(self, change: Callable[[View], View]) -> None:
        self.session.view = change(self.session.view)

    def present(self) -> TracedScene:
        return present(self.session)

    async def context(self) -> TracedScene:
        async with self._tracing:
            return await self._traced()

    async def _traced(self) -> TracedScene:
        document = self.session.document
        result = self.session.fresh_result
        if result is None and not document.scene.objects:
            result = TraceResult.from_segments(
                (), revision=document.revision
            )  # an empty scene needs no kernels
        if result is None:
            from raybench.trace.run.stopping import StopEvent
            from raybench.trace.trace import trace

            stop = StopEvent()

            def run() -> TraceResult:
                return trace(
                    document, max_segments=self.max_segments, stop=stop, memory=self.session.memory
                )

            try:
                result = await in_thread(run)
            finally:
                stop.set()
            self.session.result = result
        return TracedScene.of(document, result)

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        return self.session.remember(question, rays)
