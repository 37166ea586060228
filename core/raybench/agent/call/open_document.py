"""The open document, as tools read and change it; and the states of its objects that a model has
seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from raybench.agent.call.scope import run_in_thread
from raybench.analysis.context import TracedScene
from raybench.errors import RaybenchError, in_quotes, list_first_texts
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Change, Changes
from raybench.scene.changes.change import TargetedChange
from raybench.scene.changes.differences import object_differences
from raybench.scene.document import Document
from raybench.session import HistoryStep, Session
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import View

if TYPE_CHECKING:
    from raybench.lens.figure import PageLayout

T = TypeVar("T")
Paint = Callable[[Session, "TraceResult | PageLayout", int], bytes]
"""Paints a session's canvas with this trace, or a plot of a lens system, as a PNG of about this
width in pixels.
"""
MOST_REPORTED = 4
"""Maximum number of differences of an object that an error lists."""


class EditRefused(RaybenchError):
    """An edit was refused; the document is unchanged."""


class ChangedByHand(RaybenchError):
    """A person has changed an object since the model last saw it."""


class Editor(Protocol):
    """The interface for changing a document. A session implements it, and so does the document of a
    window.
    """

    def apply(self, changes: Changes, merge_key: str | None, gather: bool) -> Document: ...
    def undo(self) -> object: ...
    def redo(self) -> object: ...
    def set_view(self, view: View) -> None: ...


class OpenDocument:
    """An open document, as the agent reads and changes it.

    Without a window the document is traced on demand, with at most ``max_segments`` segments, and
    pictures need the function ``paint``. The window's subclass makes changes in the GUI thread
    (`run_on_owner_thread`), waits for the window's own trace (`context`), and paints in the
    window's colours (`paint_canvas`, `paint_lens`).
    """

    has_window = False
    """Whether there is a window in which a person sees the document."""

    def __init__(
        self,
        session: Session,
        max_segments: int = DEFAULT_LIMIT,
        paint: Paint | None = None,
    ) -> None:
        self._session = session
        self._max_segments, self._paint = max_segments, paint
        self._selected: frozenset[int] = frozenset()
        self._tracing = asyncio.Lock()
        """Held while a trace runs: calls that run at the same time wait for one trace."""

    @property
    def session(self) -> Session:
        return self._session

    @property
    def editor(self) -> Editor:
        """The editor by which changes of this document are made."""
        return self._session

    async def run_on_owner_thread(self, call: Callable[[], T]) -> T:
        """Call a function in the thread that owns the document, and return its result. Only this
        thread may change the document.
        """
        return call()

    @property
    def document(self) -> Document:
        """The current document. It is immutable, so any thread may read it."""
        return self.session.document

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def selection(self) -> tuple[int, ...]:
        """The keys of the objects that are selected in the document."""
        return tuple(sorted(self._selected))

    @property
    def ray_sets(self) -> Mapping[str, RaySet]:
        """The stored ray sets by name."""
        return dict(self.session.answers)

    def document_at(self, revision: int) -> Document | None:
        """The document at an earlier revision; None if the history does not have it."""
        return self.session.document_at(revision)

    def current_context(self) -> TracedScene:
        """The current document with its full trace, or without rays if it has not been traced."""
        return self.traced_context() or TracedScene.from_untraced_document(self.document)

    def traced_context(self) -> TracedScene | None:
        """The current document with its full trace; None if it has not been traced. An empty scene
        needs no trace.
        """
        document, result = self.document, self.session.fresh_result
        if result is None and not document.scene.objects:
            result = TraceResult.from_segments((), revision=document.revision)
        return None if result is None else TracedScene.from_document(document, result)

    async def context(self) -> TracedScene:
        """Wait for the trace of the current revision. Returns the document with this trace."""
        async with self._tracing:
            if (traced := self.traced_context()) is not None:
                return traced
            from raybench.trace.run.progress import StopEvent
            from raybench.trace.trace import trace

            document, memory, stop = self.document, self.session.memory, StopEvent()
            try:
                result = await run_in_thread(
                    lambda: trace(
                        document, max_segments=self._max_segments, stop=stop, memory=memory
                    )
                )
            finally:
                stop.set()
            self.session.result = result
            return TracedScene.from_document(document, result)

    async def store_rays(self, question: str, rays: RaySet) -> RaySet:
        """Store a ray set under a short name such as ``R1``; returns the named set."""
        return await self.run_on_owner_thread(lambda: self.session.store_rays(question, rays))

    async def change_view(self, change: Callable[[View], View]) -> None:
        """Replace the view by ``change(view)``."""
        await self.run_on_owner_thread(lambda: self.editor.set_view(change(self.view)))

    async def select(self, keys: frozenset[int]) -> None:
        """Select the objects with these keys, and deselect all others."""
        self._selected = keys

    async def apply(self, changes: Changes, merge_key: str) -> Document:
        """Make all of the changes or none. Changes with the same merge key are undone together. If
        ChangeRefused is raised, the document is unchanged.
        """

        def apply() -> Document:
            self.check_turn_may_edit(merge_key)
            return self.editor.apply(changes, merge_key, True)

        return await self.run_on_owner_thread(apply)

    def undoable_step(self, keys: Collection[str], redo: bool) -> HistoryStep:
        """The latest step of the history that can be undone or redone. Raises EditRefused if its
        merge key is not among ``keys``.
        """
        steps = self._history_steps(redo)
        if steps and steps[-1].merge_key in keys:
            return steps[-1]
        if redo:
            raise EditRefused(
                "Nothing was redone: this turn has undone no edit that can be redone."
            )
        if any(step.merge_key in keys for step in steps):
            raise EditRefused(
                f"Nothing was undone, for the person has edited since ({steps[-1].text}): make the"
                " opposite changes."
            )
        raise EditRefused("Nothing was undone, for this turn has made no changes.")

    def _history_steps(self, redo: bool) -> list[HistoryStep]:
        history = self.session.history
        return history.undone if redo else history.done

    async def undo_or_redo(self, step: HistoryStep, merge_key: str, redo: bool) -> str:
        """Undo or redo a step of the history, for the turn with this merge key. Returns a
        description of the step. Raises EditRefused if the step is not the latest any more.
        """

        def undo_or_redo() -> str:
            self.check_turn_may_edit(merge_key)
            if self._history_steps(redo)[-1:] != [step]:
                raise EditRefused(
                    f"Nothing was {'redone' if redo else 'undone'}, for the person has edited"
                    " meanwhile."
                )
            self.editor.redo() if redo else self.editor.undo()
            return step.text

        return await self.run_on_owner_thread(undo_or_redo)

    def check_turn_may_edit(self, merge_key: str) -> None:
        """Raise EditRefused if the turn with this merge key is no longer allowed to edit."""

    async def run_action(self, name: str, on: bool | None) -> str:
        """Run an action of the window by its id or title, or list the actions if ``name`` is empty.
        Returns a description of the result.

        An action that can be on or off is set to ``on``, or toggled if ``on`` is None. Raises
        RaybenchError without a window, if an agent may not run the action, or if it is disabled.
        """
        raise RaybenchError(
            "There is no window here whose actions could be run. The other tools work without one."
        )

    async def paint_canvas(self, width: int) -> bytes:
        """Paint the canvas with all rays as a PNG file of about ``width`` pixels. Raises
        RaybenchError if the program has no canvas.
        """
        return self._painter()(self.session, (await self.context()).result, width)

    async def paint_lens(self, drawing: PageLayout) -> bytes:
        """Paint a plot of a lens system as a PNG file. Raises RaybenchError if the program has no
        canvas.
        """
        return self._painter()(self.session, drawing, round(drawing.width))

    def _painter(self) -> Paint:
        if self._paint is None:
            raise RaybenchError(
                "No picture can be made: there is no window. Use tools that return text and"
                " numbers."
            )
        return self._paint


class KnownObjects:
    """The objects, by key, in the state that the model last saw. Comparing them keeps a model from
    overwriting a later change by a person.
    """

    remark: str = ""
    """What the model was last told of objects without effect."""

    def __init__(self) -> None:
        self._objects: dict[int, SceneObject] = {}

    def record_objects(self, objects: Iterable[SceneObject]) -> None:
        """Record the state of objects that the model sees now."""
        self._objects |= {o.key: o for o in objects}

    def check_unchanged(self, changes: Iterable[Change], document: Document) -> None:
        """Raise ChangedByHand if a change applies to an object that a person has changed since the
        model last saw it. The message lists the differences; since the model then knows them, the
        same changes pass the next time.
        """
        keys = {
            target
            for change in changes
            if isinstance(change, TargetedChange)
            for target in change.target_tuple
        }
        reports: list[str] = []
        for obj in document.scene.objects:
            old = self._objects.get(obj.key)
            if obj.key in keys and old is not None and old != obj:
                found = object_differences(old, obj, document.unit)
                shown = [f"{in_quotes(d.subject)} {d.label} {d.before} -> {d.after}" for d in found]
                reports.append(list_first_texts(shown, MOST_REPORTED))
                self.record_objects([obj])
        if reports:
            raise ChangedByHand(
                "Nothing was changed: the person has edited these objects since you last read"
                f" them: {'; '.join(reports)}. Read more with read_objects if needed, and repeat"
                " the changes if they still make sense."
            )
