"""The active scene and its light, which the tools answer about.

One process-wide context is swapped as a whole and seen from every thread; `bound_context` overrides it for the length of one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from core.analysis.scene.traced_outline import as_traced
from core.errors import RaybenchError
from core.kinds.glasses import GlassBody
from core.kinds.object import SceneObject
from core.revision import Revised, is_superseded, state_of
from core.scene.document import Document
from core.scene.labels import LabelledEdge, edge_labelled, labelled_edges
from core.scene.names import glass_named
from core.scene.scene import Scene
from core.trace.results.lineage import Lineage
from core.trace.results.result import RaySet, TraceResult

NO_CONTEXT = "No context set. Call set_context() or set_context_from_result() before using agentic tools."
_NO_LABELS: Mapping[int, Mapping[int, str]] = MappingProxyType({})


class StaleTrace(RaybenchError):
    """A trace is of another scene than the one it was given with."""


@dataclass(frozen=True, eq=False)
class TracedScene:
    """A scene with its trace.

    ``answers`` collects the ray sets that queries find, newest last; ``edge_labels`` are people's labels of edges by object key;
    ``unit`` is what a scene unit is called; ``disabled`` holds the keys of objects that light passes.
    """

    scene: Scene
    result: TraceResult
    segments: Any
    lineage: Lineage | None
    edge_labels: Mapping[int, Mapping[int, str]] = field(default_factory=lambda: _NO_LABELS)
    unit: str = "mm"
    answers: list[RaySet] = field(default_factory=list)
    disabled: frozenset[int] = frozenset()
    state: Revised | None = None
    """The document that was traced, if known; held here because `stale` needs it to exist."""

    @classmethod
    def of(cls, document: Document, result: TraceResult) -> TracedScene:
        """The context of a document with the full trace of its revision."""
        scene = document.scene
        disabled = scene.with_parts(document.disabled)
        return cls(scene, result, result.segments, result.lineage, document.edge_labels, document.unit, disabled=disabled, state=document)

    @property
    def stale(self) -> bool:
        """Whether the document was edited after this trace."""
        return is_superseded(self.result.revision)

    def user_labels(self, obj: SceneObject) -> Mapping[int, str]:
        """A person's labels of an object's edges, by index."""
        return self.edge_labels.get(obj.key, {})

    def glass_edge(self, glass_name: str, edge_label: str) -> tuple[GlassBody, LabelledEdge]:
        """A glass and one of its edges by their names; UnknownName or UnknownEdge, listing what exists."""
        glass = glass_named(self.scene, glass_name)
        return glass, edge_labelled(as_traced(glass, self.scene), str(edge_label), self.user_labels(glass))

    def edge_title(self, hit: int, edge: int) -> str:
        """What an edge of an optical object is called; both as in the columns ``hit`` and ``edge``."""
        if (hit, edge) not in self._titles:
            found = self.scene.optical[hit : hit + 1] if hit >= 0 else ()
            labelled = (e for o in found for e in labelled_edges(as_traced(o, self.scene), self.user_labels(o)))
            self._titles[hit, edge] = next((e.title for e in labelled if e.index == edge), str(edge))
        return self._titles[hit, edge]

    @cached_property
    def _titles(self) -> dict[tuple[int, int], str]:
        return {}

    def note(self, rays: RaySet) -> RaySet:
        """Remember what a query found."""
        self.answers.append(rays)
        return rays


_process: TracedScene | None = None
_bound: ContextVar[TracedScene | None] = ContextVar("bound_traced_scene", default=None)


def set_context(scene: Scene, segments: Iterable[Any], lineage: Lineage | None = None) -> None:
    """Make a scene and its segments the ones that tools answer about.

    Replaces everything or, if it raises, nothing. Raises StaleTrace where the segments are a trace of the scene before an edit.

    Args:
        scene: The scene, in which names are looked up.
        segments: ``result.segments``, or rows recorded elsewhere (see `TraceResult.from_segments`).
        lineage: Which segment came from which, for lineage tools; ``result.lineage``.
    """
    global _process
    if not isinstance(scene, Scene):
        raise TypeError(f"set_context needs a Scene, not {type(scene).__name__}.")
    if isinstance(segments, str | Mapping) or not isinstance(segments, Iterable):
        raise TypeError(f"set_context needs the segments of a trace, such as result.segments, not {type(segments).__name__}.")
    result = TraceResult.from_segments(segments)
    if result.scene is not None and result.scene is not scene and result.scene != scene:
        raise StaleTrace("These segments are the trace of another scene, or of this one before an edit. Trace this scene and set that.")
    _process = TracedScene(scene, result, segments, lineage, state=state_of(result.revision))


def set_context_from_result(scene: Scene, result: TraceResult) -> None:
    """Make a scene and its trace the ones that tools answer about.

    Args:
        scene: The scene that was traced.
        result: What `core.trace.trace` returned for it.
    """
    if not isinstance(result, TraceResult):
        raise TypeError(f"set_context_from_result needs a TraceResult, as trace(scene) returns, not {type(result).__name__}.")
    set_context(scene, result.segments, result.lineage)


def get_context() -> dict[str, Any]:
    """The active context as a dict with the keys scene, segments and lineage; empty where none is set."""
    context = _bound.get() or _process
    return {} if context is None else {"scene": context.scene, "segments": context.segments, "lineage": context.lineage}


def clear_context() -> None:
    """Forget the active context."""
    global _process
    _process = None


def publish_context(context: TracedScene | None) -> None:
    """Swap the process-wide context for one that was built elsewhere."""
    global _process
    _process = context


def require_context() -> TracedScene:
    """The active context; RuntimeError if there is none."""
    context = _bound.get() or _process
    if context is None:
        raise RuntimeError(NO_CONTEXT)
    return context


@contextmanager
def bound_context(context: TracedScene) -> Iterator[TracedScene]:
    """Override the active context within a ``with`` block, in this thread or task only."""
    token = _bound.set(context)
    try:
        yield context
    finally:
        _bound.reset(token)
