"""The light of a trace as measures read it: what arrives at objects and what leaves them, found once for all measures of a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from core.analysis.context import TracedScene
from core.analysis.geometry.containment import contains
from core.analysis.geometry.straight import Floats, Mask, Rows, lengths, unit_vectors
from core.analysis.measures.measure import Undefined, Unit
from core.analysis.rays.incidence import first_pieces, last_pieces
from core.analysis.rays.leaving_light import LeavingBundle, leaving_bundles
from core.analysis.rays.placed_rows import placed
from core.analysis.scene.traced_outline import edges_as_traced
from core.errors import in_quotes
from core.kinds.glasses import GlassBody
from core.kinds.outline import Edge
from core.kinds.sources import Source
from core.scene.document import Document
from core.scene.scene import Scene
from core.trace.codes import Interaction, Status
from core.trace.results.result import TraceResult

Found = TypeVar("Found")
ROUNDING = 1e-12
"""The share of what is emitted, or of the largest coordinate, below which a power or a length is noise of rounding."""
ANGULAR_ROUNDING = 1e-9
"""The angle, in degrees, below which one is noise of rounding."""
_NO_LABELS: Mapping[int, Mapping[int, str]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Light:
    """A scene and its trace. Objects are given by their indices among the scene's optical objects, and a source of None means all.

    ``unit`` is what a scene unit is called, ``edge_labels`` are people's labels of edges by object key, and ``disabled`` holds the keys
    of objects that light passes.
    """

    scene: Scene
    result: TraceResult
    unit: str = "mm"
    edge_labels: Mapping[int, Mapping[int, str]] = field(default_factory=lambda: _NO_LABELS)
    disabled: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "result", placed(self.result, self.scene))

    @cached_property
    def _found(self) -> dict[tuple[str, int], Any]:
        return {}

    def _once(self, what: tuple[str, int], find: Callable[[], Found]) -> Found:
        """What was found before, or is found now."""
        if what not in self._found:
            self._found[what] = find()
        found: Found = self._found[what]
        return found

    @classmethod
    def of(cls, document: Document, result: TraceResult) -> Light:
        """The light of a document, by its trace."""
        disabled = document.scene.with_parts(document.disabled)
        return cls(document.scene, result, document.unit, document.edge_labels, disabled)

    @classmethod
    def of_context(cls, context: TracedScene) -> Light:
        """The light that tools answer about."""
        return cls(context.scene, context.result, context.unit, context.edge_labels, context.disabled)

    @cached_property
    def index_by_key(self) -> Mapping[int, int]:
        """The indices of the optical objects by their keys."""
        return {o.key: i for i, o in enumerate(self.scene.optical)}

    def title(self, index: int) -> str:
        """What messages call an object."""
        return in_quotes(self.scene.optical[index].title)

    def without_noise(self, value: float, unit: Unit) -> float:
        """The value, or 0 where it is no more than noise of rounding.

        For differences: a sum of powers has no such noise, and may be as small as the weakest light that is followed.
        """
        match unit:
            case Unit.POWER:
                noise = ROUNDING * self.result.ledger.emitted
            case Unit.LENGTH:
                noise = ROUNDING * self._extent
            case Unit.ANGLE:
                noise = ANGULAR_ROUNDING
            case Unit.ONE:
                noise = 0.0
        return 0.0 if abs(value) <= noise else value

    @cached_property
    def _extent(self) -> float:
        return float(np.abs(self.result.p1).max(initial=0.0))

    def emitted(self, source: int | None = None) -> float:
        """The power that is emitted."""
        if source is None:
            return self.result.ledger.emitted
        return float(self.result.total_power[self._emitted(source)].sum())

    def _emitted(self, source: int) -> Rows:
        return np.flatnonzero((self.result.parent < 0) & (self.result.source == source))

    def arriving(self, index: int, source: int | None = None) -> Rows:
        """The segments that arrive at an object from outside; what the depth limit ends there does not count."""
        rows = self._once(("arriving", index), lambda: self._arriving(index))
        return rows if source is None else rows[self.result.source[rows] == source]

    def _arriving(self, index: int) -> Rows:
        rows = np.flatnonzero((self.result.hit == index) & (self.result.status != Status.DEPTH))
        if isinstance(self.scene.optical[index], GlassBody):
            p1, p2 = last_pieces(self.result, rows)
            rows = rows[~contains(self.edges(index), (p1 + p2) / 2, 0.0)]
        return rows

    def edges(self, index: int) -> tuple[Edge, ...]:
        """The edges of an object as they were traced."""
        return edges_as_traced(self.scene.optical[index], self.scene)

    def strongest(self, index: int, source: int | None = None, *, transmitted: bool = False) -> LeavingBundle:
        """The bundle with most power that leaves an object; of those that go through it, where ``transmitted``. Raises Undefined."""
        found = self._bundles(index, source)
        if transmitted:
            found = [b for b in found if self.goes_through(b, index)]
        best = max(found, key=lambda b: b.power, default=None)
        if best is None or not best.power > 0:
            whose = "" if source is None else f" of {self.title(source)}"
            raise Undefined(f"No light{whose} {'goes through' if transmitted else 'leaves'} {self.title(index)}.")
        return best

    def _bundles(self, index: int, source: int | None) -> list[LeavingBundle]:
        found = self._once(("bundles", index), lambda: self._leaving(index))
        if source is None:
            return found
        of_source = [(b, self.result.source[b.rows] == source) for b in found]
        return [replace(b, rows=b.rows[mask], arriving=b.arriving[mask]) for b, mask in of_source if mask.any()]

    def _leaving(self, index: int) -> list[LeavingBundle]:
        if isinstance(self.scene.optical[index], Source):
            rows = self._emitted(index)
            rows = rows[lengths(self.result.p2[rows] - self.result.p1[rows]) > 0]
            return [LeavingBundle(self.result, rows, rows)] if len(rows) else []
        return leaving_bundles(self.result, index, self.scene, least=1)

    def goes_through(self, bundle: LeavingBundle, index: int) -> bool:
        """Whether a bundle goes into a body or to the other side of a surface, instead of being reflected at once."""
        result, row, arrived = self.result, int(bundle.rows[0]), int(bundle.arriving[0])
        while result.parent[row] != arrived:
            if result.parent[row] < 0:  # it starts at the object: a source, or a row recorded without its past
                return False
            row = int(result.parent[row])
        how = Interaction(result.interaction[row])
        if how in (Interaction.REFLECT, Interaction.TIR, Interaction.SOURCE):
            return False
        if how in (Interaction.SPLIT, Interaction.DIFFRACT, Interaction.CUSTOM):
            shape = next(e.shape for e in self.edges(index) if e.index == result.edge[arrived])
            nx, ny = shape.b.y - shape.a.y, shape.a.x - shape.b.x
            before, after = (float(d[0] * nx + d[1] * ny) for d in (result.p2[r] - result.p1[r] for r in (arrived, row)))
            return before * after > 0
        return True

    def leaving_directions(self, bundle: LeavingBundle) -> Floats:
        """The unit directions of a bundle's rays where they leave the object, (k, 2)."""
        return unit_vectors(np.subtract(*first_pieces(self.result, bundle.rows)[::-1]))[0]

    def arriving_directions(self, bundle: LeavingBundle) -> Floats:
        """The unit directions of a bundle's rays where they arrived at the object, (k, 2)."""
        return unit_vectors(np.subtract(*last_pieces(self.result, bundle.arriving)[::-1]))[0]

    def weights(self, rows: Rows, what: str) -> Floats:
        """The powers of some segments, (k,), as weights of a mean; Undefined where they carry none, saying ``what`` is missing."""
        power: Floats = self.result.total_power[rows]
        if not power.sum() > 0:
            raise Undefined(f"No {what}.")
        return power

    def met(self, index: int | None, source: int | None) -> Mask:
        """Which segments end on an object, from either side, and are of a source."""
        mask = np.ones(len(self.result), bool) if index is None else self.result.hit == index
        return mask if source is None else mask & (self.result.source == source)
