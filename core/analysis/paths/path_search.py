"""Finding the light that follows a path pattern, step by step on all rows at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np

from core.analysis.geometry.straight import Mask, Rows
from core.analysis.paths.path_pattern import ESCAPE, InvalidPattern, Name, Place, Step, fault, read_pattern
from core.analysis.scene.traced_outline import as_traced, edges_as_traced
from core.errors import elided, in_quotes
from core.kinds.object import SceneObject
from core.kinds.sources import Source
from core.scene.labels import LabelledEdge, UnknownEdge, edge_labelled, labelled_edges
from core.scene.scene import Scene
from core.trace.codes import Interaction, Status
from core.trace.results.result import RaySet, TraceResult

WAYS = {i.name.lower(): i for i in Interaction if i is not Interaction.SOURCE}
"""What can happen at a surface so that light goes on."""
ENDS = {s.name.lower(): s for s in Status if s not in (Status.CONTINUED, Status.ESCAPED)}
"""What can happen at a surface so that light does not go on."""
MOST_NAMES = 40
"""Names that an error lists."""
UserLabels = Callable[[SceneObject], Mapping[int, str]]


@dataclass(frozen=True, eq=False)
class PathMatches:
    """Where light follows a pattern. ``ends`` (k,): the segments with which it has come to the pattern's end, in order; where the last
    step has words such as ``refract`` those that leave it so. ``rows``: all segments on the matched ways, ``ends`` included."""

    ends: Rows
    rows: Rows
    pattern: str
    revision: int

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def ray_set(self) -> RaySet:
        """All segments on the matched ways."""
        return RaySet(self.rows, f"rays following {self.pattern}", self.revision)


def find_paths(result: TraceResult, scene: Scene, pattern: str, user_labels: UserLabels = lambda _: {}) -> PathMatches:
    """The light of a result of this scene that follows a pattern, see `core.analysis.paths.path_pattern`. Raises InvalidPattern."""
    search = _Search(result, scene, pattern, user_labels)
    reached = search.forward(read_pattern(pattern))
    return PathMatches(np.flatnonzero(reached[-1].stopped | reached[-1].left), search.way_to(reached), pattern, result.revision)


@dataclass(frozen=True, eq=False)
class _Reached:
    """How far a step of a pattern is followed. ``go_on``: the segments that leave its surface as its words say, or its source.

    ``stopped``: those that a pattern ending here ends with by arriving; ``left``: those it ends with by leaving. ``gap``: whether any
    number of surfaces may lie before this one.
    """

    go_on: Mask
    stopped: Mask
    left: Mask
    gap: bool


@dataclass(frozen=True, eq=False)
class _Search:
    result: TraceResult
    scene: Scene
    pattern: str
    user_labels: UserLabels

    def forward(self, steps: Sequence[Step]) -> list[_Reached]:
        """What each step but the gaps is reached by. What goes on from a step may arrive at the next one."""
        lineage, none = self.result.lineage, np.zeros(len(self.result), bool)
        before, gap, out = ~none, False, list[_Reached]()
        for i, step in enumerate(steps):
            if step.is_gap:
                if step.words or len(step.places) > 1:
                    raise self._fault(step.position, "'*' stands for any number of surfaces", "give it neither words nor alternatives")
                before = self.result.parent < 0 if i == 0 else before
                gap = True
                continue
            surfaces, sources = self._surfaces(step, first=i == 0)
            arrive = surfaces & (before | lineage.below(before) if gap else before)
            go_on, stopped = self._beyond(step, arrive)
            out.append(_Reached(go_on | sources, stopped | sources, go_on if step.words else none, gap))
            before, gap = go_on | sources, False
        if gap:
            ends = (lineage.child_count == 0) & (before | lineage.below(before))
            out.append(_Reached(none, ends, none, True))
        return out

    def way_to(self, reached: Sequence[_Reached]) -> Rows:
        """All segments on the ways that end with the last step, found from there back."""
        lineage, parent = self.result.lineage, self.result.parent
        leaving, arrived = reached[-1].left, reached[-1].stopped.copy()
        way = leaving | arrived
        for i in range(len(reached) - 1, -1, -1):
            came = parent[leaving]
            arrived[came[came >= 0]] = True
            way |= arrived
            leaving, arrived = arrived, np.zeros(len(way), bool)
            if reached[i].gap:
                to_here = leaving | lineage.above(leaving)
                leaving = to_here & (reached[i - 1].go_on if i else parent < 0)
                way |= to_here & (leaving | lineage.below(leaving))
        return np.flatnonzero(way)

    def _beyond(self, step: Step, arrive: Mask) -> tuple[Mask, Mask]:
        """The segments that go on from a step as its words say, and those that end with it."""
        parent, words = self.result.parent, [w.text.lower().replace("-", "_") for w in step.words]
        child = np.flatnonzero(parent >= 0)
        go_on = np.zeros(len(self.result), bool)
        go_on[child] = arrive[parent[child]]
        if not words:
            return go_on, arrive
        unknown = next((n for n, w in zip(step.words, words, strict=True) if w not in WAYS and w not in ENDS), None)
        if unknown is not None:
            raise self._fault(
                unknown.position, f"nothing that happens is called {in_quotes(unknown.text)}", f"known words: {[*WAYS, *ENDS]}"
            )
        go_on &= np.isin(self.result.interaction, [WAYS[w] for w in words if w in WAYS])
        return go_on, arrive & np.isin(self.result.status, [ENDS[w] for w in words if w in ENDS])

    def _surfaces(self, step: Step, first: bool) -> tuple[Mask, Mask]:
        """The segments that end on one of a step's places, and those straight from one of its sources."""
        surfaces, sources = np.zeros(len(self.result), bool), np.zeros(len(self.result), bool)
        for place in step.places:
            anything = place.name.wild and place.name.text == "?"
            found = [i for i, o in enumerate(self.scene.optical) if not isinstance(o, Source)] if anything else self._objects(place.name)
            if not found and place.edge is None and place.name.text.lower() == ESCAPE:
                surfaces |= self.result.escaped
                continue
            if not found and not anything:
                raise self._fault(place.name.position, f"nothing is named {in_quotes(place.name.text)}", self._known(place.name.text))
            emitting = [i for i in found if isinstance(self.scene.optical[i], Source)]
            if len(emitting) == len(found) and not first:
                raise self._fault(place.name.position, f"{in_quotes(place.name.text)} is a source", "a source can only come first")
            if first:
                sources |= (self.result.parent < 0) & np.isin(self.result.source, emitting)
            surfaces |= self._on_edges(place, [i for i in found if i not in set(emitting)])
        return surfaces, sources

    def _objects(self, name: Name) -> list[int]:
        """The optical objects with a name; that of an instance stands for all its parts."""
        return [i for i, title in enumerate(self._titles) if name.matches(title) or self._owner_is(name, title)]

    def _known(self, text: str) -> str:
        """What light can meet or come from, the names most like a text first."""
        known = [*dict.fromkeys(o.title for o in self.scene.optical if isinstance(o, Source) or edges_as_traced(o, self.scene))]
        alike = get_close_matches(text, known, n=3)
        shown = [*alike, *(n for n in known if n not in alike)][:MOST_NAMES]
        return f"known names: {[elided(n) for n in shown]}" + (f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else "")

    def _owner_is(self, name: Name, title: str) -> bool:
        return not name.wild and title.startswith(name.text + "/") and name.text in self._instances

    @cached_property
    def _titles(self) -> list[str]:
        return [o.title for o in self.scene.optical]

    @cached_property
    def _instances(self) -> set[str]:
        return {o.title for o in self.scene.objects if self.scene.parts_of(o) != (o,)}

    def _on_edges(self, place: Place, objects: Sequence[int]) -> Mask:
        if place.edge is None:
            return np.isin(self.result.hit, objects)
        mask, listed = np.zeros(len(self.result), bool), list[str]()
        for i in objects:
            edges = self._edges(self.scene.optical[i], place.edge, alone=len(objects) == 1)
            mask |= (self.result.hit == i) & np.isin(self.result.edge, [e.index for e in edges])
            listed += [e.title for e in edges]
        if not listed:
            there = [elided(e.title) for i in objects for e in self._labelled(self.scene.optical[i])]
            raise self._fault(place.edge.position, f"no edge is called {in_quotes(place.edge.text)}", f"known edges: {there[:MOST_NAMES]}")
        return mask

    def _edges(self, obj: SceneObject, name: Name, alone: bool) -> list[LabelledEdge]:
        if name.wild:
            return [e for e in self._labelled(obj) if any(name.matches(t) for t in (e.short, e.long, e.user, str(e.index)) if t)]
        try:
            return [edge_labelled(as_traced(obj, self.scene), name.text, self.user_labels(obj))]
        except UnknownEdge as error:
            if alone:
                raise self._fault(name.position, str(error).rstrip("."), "correct the edge") from None
            return []

    def _labelled(self, obj: SceneObject) -> tuple[LabelledEdge, ...]:
        return labelled_edges(as_traced(obj, self.scene), self.user_labels(obj))

    def _fault(self, position: int, what: str, remedy: str) -> InvalidPattern:
        return fault(self.pattern, position, what, remedy)
