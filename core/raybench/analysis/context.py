"""The active context: the scene and the trace that the analysis tools examine.

The process has one active context, which is visible from every thread and replaced atomically.
`override_context` replaces it for the duration of one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from raybench.analysis.answers.words import value_in_words
from raybench.analysis.scene.objects import object_as_traced
from raybench.errors import RaybenchError
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.scene import RELATIVE
from raybench.scene.document import (
    NO_ANNOTATIONS,
    Document,
    EdgeLabels,
    Groups,
    HasRevision,
    is_superseded,
    state_of_revision,
)
from raybench.scene.labels import LabelledEdge, find_edge_by_label, labelled_edges
from raybench.scene.names import glass_named
from raybench.scene.scene import Scene
from raybench.scene.treatments import NO_TREATMENTS, EdgeTreatments
from raybench.trace.columns import default_rows
from raybench.trace.results.lineage import Lineage
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

if TYPE_CHECKING:
    from raybench.lens.prescription import Prescription

NO_CONTEXT = (
    "No context set. Call set_context() or set_context_from_result() before using agentic tools."
)


class StaleTrace(RaybenchError):
    """A trace does not belong to the scene that was passed with it."""


@dataclass(frozen=True, eq=False)
class TracedScene:
    """A document and its trace.

    ``answers``: the ray sets returned by queries, newest last. ``edge_labels``: the user's edge
    labels by object key and edge index. ``unit``: the name of the length unit. ``disabled``: keys
    of disabled objects, which light passes unchanged. ``groups``: keys of the objects in each
    group. ``treatments``: coatings and finishes of edges. ``lenses``: prescriptions of the lens
    systems by name.
    """

    scene: Scene
    result: TraceResult
    segments: Any
    lineage: Lineage | None
    edge_labels: EdgeLabels = field(default_factory=lambda: NO_ANNOTATIONS)
    unit: str = "mm"
    answers: list[RaySet] = field(default_factory=list)
    disabled: frozenset[int] = frozenset()
    groups: Groups = field(default_factory=lambda: NO_ANNOTATIONS)
    treatments: EdgeTreatments = NO_TREATMENTS
    lenses: Mapping[str, Prescription] = field(default_factory=lambda: NO_ANNOTATIONS)
    state: HasRevision | None = None
    """The document that was traced, if known; held here because `is_stale` needs it to exist."""

    @classmethod
    def from_document(cls, document: Document, result: TraceResult) -> TracedScene:
        """The context of a document and its full trace."""
        scene = document.scene
        disabled = scene.keys_with_parts(document.disabled)
        lenses: Mapping[str, Prescription] = NO_ANNOTATIONS
        if document.parts:
            from raybench.lens.in_document import lens_systems  # scenes without lenses need no code

            lenses = lens_systems(document)
        return cls(
            scene,
            result,
            result.segments,
            result.lineage,
            document.edge_labels,
            document.unit,
            disabled=disabled,
            groups=document.groups,
            treatments=document.treatments,
            lenses=lenses,
            state=document,
        )

    @classmethod
    def from_untraced_document(cls, document: Document) -> TracedScene:
        """The context of a document without a trace."""
        columns: dict[str, Any] = default_rows(0)
        return cls.from_document(
            document,
            TraceResult(
                **columns,
                revision=document.revision,
                scene=document.scene,
                power_unit=document.power_unit,
            ),
        )

    @property
    def power_unit(self) -> str:
        """The unit of powers (`raybench.scene.POWER_UNITS`)."""
        return self.result.power_unit

    @property
    def is_stale(self) -> bool:
        """Whether the document was edited after it was traced."""
        return is_superseded(self.result.revision)

    def user_labels(self, obj: SceneObject) -> Mapping[int, str]:
        """The labels that the user gave to edges of an object, by edge index."""
        return self.edge_labels.get(obj.key, {})

    def find_glass_edge(self, glass_name: str, edge_label: str) -> tuple[GlassBody, LabelledEdge]:
        """The glass body with a name, and its edge with a label. Raises UnknownName or UnknownEdge;
        the message lists the existing names.
        """
        glass = glass_named(self.scene, glass_name)
        return glass, find_edge_by_label(
            object_as_traced(glass, self.scene), str(edge_label), self.user_labels(glass)
        )

    def edge_title(self, hit: int, edge: int) -> str:
        """The displayed label of an edge. ``hit`` is the index of the object and ``edge`` the index
        of its edge, as in the columns of the trace.
        """
        if (hit, edge) not in self._edge_titles:
            objects = self.scene.optical[hit : hit + 1] if hit >= 0 else ()
            labelled = (
                e
                for o in objects
                for e in labelled_edges(object_as_traced(o, self.scene), self.user_labels(o))
            )
            self._edge_titles[hit, edge] = next(
                (e.title for e in labelled if e.index == edge), str(edge)
            )
        return self._edge_titles[hit, edge]

    @cached_property
    def _edge_titles(self) -> dict[tuple[int, int], str]:
        return {}

    def record_answer(self, rays: RaySet) -> RaySet:
        """Append the rays that a query found to ``answers``, and return them."""
        self.answers.append(rays)
        return rays


_process: TracedScene | None = None
_bound: ContextVar[TracedScene | None] = ContextVar("bound_traced_scene", default=None)


def set_context(
    scene: Scene | Document, segments: Iterable[Any], lineage: Lineage | None = None
) -> None:
    """Make a scene and its segments the active context.

    If it raises, the previous context is kept. Raises StaleTrace if the segments belong to another
    scene or to the scene before an edit.

    Args:
        scene: The scene; names are looked up in it. Of a document also its unit, groups, edge
            labels and disabled objects are used.
        segments: ``result.segments``, or segments of external origin (see
            `TraceResult.from_segments`).
        lineage: ``result.lineage``, for `get_context`; tools read the parent of each segment. Path
            tools say so where there is neither.
    """
    global _process
    document = scene if isinstance(scene, Document) else None
    scene = scene.scene if isinstance(scene, Document) else scene
    if not isinstance(scene, Scene):
        raise TypeError(f"set_context needs a Scene or a Document, not {type(scene).__name__}.")
    if isinstance(segments, str | Mapping) or not isinstance(segments, Iterable):
        raise TypeError(
            "set_context needs the segments of a trace, such as result.segments, not"
            f" {type(segments).__name__}."
        )
    if lineage is not None and not isinstance(lineage, Lineage):
        raise TypeError(
            f"set_context takes result.lineage or None as lineage, not {type(lineage).__name__}."
            " Give the segments of another program the index of their 'parent' instead."
        )
    result = TraceResult.from_segments(segments)
    if result.scene is not None and result.scene is not scene and result.scene != scene:
        raise StaleTrace(
            "These segments are the trace of another scene, or of this one before an edit. Trace"
            " this scene and set that."
        )
    of_scene = TracedScene(
        scene, result, segments, lineage, state=state_of_revision(result.revision)
    )
    _process = (
        of_scene
        if document is None
        else replace(
            TracedScene.from_document(document, result), segments=segments, lineage=lineage
        )
    )


def set_context_from_result(scene: Scene | Document, result: TraceResult) -> None:
    """Make a scene and its trace the active context.

    Args:
        scene: The scene that was traced; a document, so that answers are in its unit and know its
            groups.
        result: The return value of `raybench.trace.trace` for it.
    """
    if not isinstance(result, TraceResult):
        raise TypeError(
            "set_context_from_result needs a TraceResult, as trace(scene) returns, not"
            f" {type(result).__name__}."
        )
    set_context(scene, result.segments, result.lineage)


def get_context() -> dict[str, Any]:
    """The active context as a dict with the keys scene, segments and lineage; empty if none is
    set.
    """
    context = _bound.get() or _process
    return (
        {}
        if context is None
        else {"scene": context.scene, "segments": context.segments, "lineage": context.lineage}
    )


def clear_context() -> None:
    """Clear the active context."""
    global _process
    _process = None


def publish_context(context: TracedScene | None) -> None:
    """Replace the active context of the whole process. None removes it."""
    global _process
    _process = context


def require_context() -> TracedScene:
    """The active context. Raises RuntimeError if none is set."""
    context = _bound.get() or _process
    if context is None:
        raise RuntimeError(NO_CONTEXT)
    return context


def power_in_words(value: float, error: float | None = None) -> str:
    """A power as text for a sentence, with its standard error if given. The unit is that of the
    active context; relative powers have no unit.
    """
    context = _bound.get() or _process
    unit = RELATIVE if context is None else context.power_unit
    number = value_in_words(float(value)) + ("" if error is None else f" ± {error:.2g}")
    return number + ("" if unit == RELATIVE else f" {unit}")


@contextmanager
def override_context(context: TracedScene) -> Iterator[TracedScene]:
    """A context manager that sets the active context for the current thread or task only."""
    token = _bound.set(context)
    try:
        yield context
    finally:
        _bound.reset(token)
