"""Writes the path of a segment as a path pattern (`raybench.analysis.paths.path_pattern`)."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from raybench.analysis.paths.path_pattern import ESCAPE, quoted_name
from raybench.analysis.paths.path_search import END_WORDS, SPLIT_SIDES
from raybench.analysis.scene.objects import object_as_traced
from raybench.kinds.object import SceneObject
from raybench.scene.labels import UnknownEdge, find_edge_by_label, labelled_edges
from raybench.scene.scene import Scene
from raybench.trace.codes import NO_ORDER, Interaction, Status
from raybench.trace.results.branches import transmitted_mask
from raybench.trace.results.result import TraceResult

MOST_PATTERN_CHARACTERS = 400
"""Characters of the pattern of a path from which its middle is omitted."""
MOST_SOURCES = 3
"""Sources that the pattern of their common path names; ``*`` for more."""


@dataclass(frozen=True, eq=False)
class PathPatternWriter:
    """Writes the paths of one trace as path patterns. ``user_labels`` returns the user's edge
    labels of an object by edge index.
    """

    result: TraceResult
    scene: Scene
    user_labels: Callable[[SceneObject], Mapping[int, str]]

    def path_pattern(
        self, row: int, sources: Collection[int] = (), *, to_start: bool = False
    ) -> str:
        """The path from the source to the end of a segment as a path pattern: ``Laser → Prism:W
        (refract) → Prism:E (refract) → escape``.

        ``sources`` are the sources of the light on this path, by default the source of the segment.
        With ``to_start`` the path ends at the start of the segment.
        """
        result = self.result
        path = result.lineage.path(row)
        steps = [self._sources_text(sources or {int(result.source[path[0]])})]
        for here, following in pairwise(path):
            steps.append(f"{self._place_label(here)} ({self._interaction_word(following)})")
        if to_start:
            pass
        elif result.hit[row] >= 0:
            word = Status(result.status[row]).word
            steps.append(self._place_label(row) + (f" ({word})" if word in END_WORDS else ""))
        elif result.status[row] == Status.ESCAPED:
            steps.append(ESCAPE)
        return " → ".join(_shorten_steps(steps))

    def edge_label(self, hit: int, edge: int) -> str:
        """An unambiguous label of an edge; empty if the object has only one edge, or if the light
        stopped inside the object.
        """
        if hit < 0 or edge < 0:
            return ""
        if (hit, edge) not in self._edge_labels:
            self._edge_labels[hit, edge] = self._unambiguous_label(hit, edge)
        return self._edge_labels[hit, edge]

    @cached_property
    def _edge_labels(self) -> dict[tuple[int, int], str]:
        return {}

    def _unambiguous_label(self, hit: int, edge: int) -> str:
        obj = object_as_traced(self.scene.optical[hit], self.scene)
        labels = self.user_labels(obj)
        edges = labelled_edges(obj, labels)
        if len(edges) < 2:
            return ""
        title = next((e.title for e in edges if e.index == edge), str(edge))
        try:
            return title if find_edge_by_label(obj, title, labels).index == edge else str(edge)
        except UnknownEdge:
            return str(edge)

    def _sources_text(self, sources: Collection[int]) -> str:
        if len(sources) > MOST_SOURCES or min(sources) < 0:
            return "*"
        return " | ".join(quoted_name(self.result.object_names[i]) for i in sorted(sources))

    def _interaction_word(self, row: int) -> str:
        """The interaction with which a segment starts, as a word of path patterns."""
        way = Interaction(self.result.interaction[row])
        if way is Interaction.DIFFRACT and self.result.order[row] != NO_ORDER:
            return f"{way.word} {self.result.order[row]:+d}"
        if way is Interaction.SPLIT:
            beyond = bool(transmitted_mask(self.result, np.array([row]))[0])
            return next(word for word, side in SPLIT_SIDES.items() if side is beyond)
        return way.word

    def _place_label(self, row: int) -> str:
        hit = int(self.result.hit[row])
        name = quoted_name(self.result.object_names[hit]) if hit >= 0 else "?"
        edge = self.edge_label(hit, int(self.result.edge[row]))
        return f"{name}:{quoted_name(edge)}" if edge else name


def _shorten_steps(steps: list[str]) -> list[str]:
    """Replace the middle of a pattern by ``*`` if the pattern is longer than
    `MOST_PATTERN_CHARACTERS`. At least two steps at each end remain.
    """
    kept = (len(steps) + 1) // 2
    shorter = steps
    while kept > 2 and sum(map(len, shorter)) + 3 * len(shorter) > MOST_PATTERN_CHARACTERS:
        kept -= 1
        shorter = [*steps[:kept], "*", *steps[-kept:]]
    return shorter
