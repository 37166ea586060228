"""What the agent may see of the document at work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Protocol

from core.agent.call.thread import in_thread
from core.analysis.context import TracedScene
from core.scene.document import Document
from core.session import Edit, Session
from core.trace.results.result import RaySet, TraceResult
from core.view import View


class Bench(Protocol):
    """A scene and its trace, as the agent asks about them."""

    @property
    def document(self) -> Document:
        """The document as it stands."""
        ...

    async def context(self) -> TracedScene:
        """The scene and the full trace of its current revision; waits for it."""
        ...

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        """Give an answer's rays a short name, such as ``R1``."""
        ...


class LiveBench(Bench, Protocol):
    """A document at work, as the agent sees and changes it."""

    @property
    def view(self) -> View:
        """What is shown of it."""
        ...

    @property
    def selection(self) -> tuple[int, ...]:
        """The keys of the objects that a person has selected."""
        ...

    @property
    def ray_sets(self) -> Mapping[str, RaySet]:
        """The named answers so far."""
        ...

    async def apply(self, edit: Edit, text: str, merge_key: str) -> Document:
        """Change the document; what the edit raises leaves it as it was and is raised here."""
        ...

    async def show(self, change: Callable[[View], View]) -> None:
        """Change what is shown."""
        ...


class ContextBench:
    """A scene and its trace that are there already, such as a script's."""

    def __init__(self, context: TracedScene) -> None:
        self._context = context
        self.document = Document(scene=context.scene)

    async def context(self) -> TracedScene:
        return self._context

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        return rays


class SessionBench:
    """A session without a window: traces when it is asked. ``max_segments`` bounds the trace."""

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

    async def apply(self, edit: Edit, text: str, merge_key: str) -> Document:
        return self.session.apply(edit, text, merge_key)

    async def show(self, change: Callable[[View], View]) -> None:
        self.session.view = change(self.session.view)

    async def context(self) -> TracedScene:
        document = self.session.document
        result = self.session.fresh_result
        if result is None and not document.scene.objects:
            result = TraceResult.from_segments((), revision=document.revision)  # nothing shines: there is nothing to trace
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
                )

            try:
                result = await in_thread(run)
            finally:
                stop.set()
            self.session.result = result
        return TracedScene.of(document, result)

    async def remember(self, question: str, rays: RaySet) -> RaySet:
        return self.session.remember(question, rays)
