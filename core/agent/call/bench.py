"""The document at work, as tools read and change it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Protocol

from core.agent.call.thread import in_thread
from core.analysis.context import TracedScene
from core.scene.changes import Changes
from core.scene.document import Document
from core.session import Session
from core.trace.results.result import RaySet, TraceResult
from core.view import View


class Bench(Protocol):
    """A document at work, as the agent sees and changes it."""

    @property
    def document(self) -> Document:
        """The current document."""
        ...

    async def context(self) -> TracedScene:
        """The scene and the full trace of its current revision; waits until that is traced."""
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
        """Make some changes, all or none; ChangeRefused leaves the document as it was."""
        ...

    async def show(self, change: Callable[[View], View]) -> None:
        """Replace the view by a function of it."""
        ...


class SessionBench:
    """A session without a window; traces on demand, at most ``max_segments`` segments."""

    def __init__(self, session: Session, max_segments: int = 10_000_000) -> None:
        self.session = session
        self.max_segments = max_segments

    @property
    def document(self) -> Document:
        return self.session.document

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def selection(self) -> tuple[int, ...]:
        return ()

    @property
    def ray_sets(self) -> Mapping[str, RaySet]:
        return self.session.answers

    async def apply(self, changes: Changes, merge_key: str) -> Document:
        return self.session.apply(changes, merge_key)

    async def show(self, change: Callable[[View], View]) -> None:
        self.session.view = change(self.session.view)

    async def context(self) -> TracedScene:
        document = self.session.document
        result = self.session.fresh_result
        if result is None and not document.scene.objects:
            result = TraceResult.from_segments((), revision=document.revision)  # an empty scene needs no kernels
        if result is None:
            from core.trace.trace import trace

            stop = threading.Event()

            def run() -> TraceResult:
                return trace(
                    document.scene,
                    max_segments=self.max_segments,
                    disabled=document.disabled,
                    revision=document.revision,
                    stop=stop.is_set,
                    memory=self.session.memory,
                )

            try:
                result = await in_thread(run)
            finally:
                stop.set()
            self.session.result = result
        return TracedScene.of(document, result)

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        return self.session.remember(question, rays)
