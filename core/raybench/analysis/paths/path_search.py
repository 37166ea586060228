"""Finds the rays that match a path pattern. The steps are matched in order, each for all segments
at once.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from raybench.analysis.geometry.straight import Floats, Mask, Rows, distinct_integers
from raybench.analysis.paths.path_pattern import (
    ESCAPE,
    InvalidPattern,
    Name,
    Place,
    Step,
    pattern_error,
    quoted_name,
    read_pattern,
)
from raybench.analysis.paths.paths import (
    LightThroughBody,
    arrives_on_side,
    segments_passing_unaffected,
    starts_on_far_side,
    track_through_body,
)
from raybench.analysis.rays.incidence import rows_ending_on_edges
from raybench.analysis.scene.objects import edges_as_traced, object_as_traced
from raybench.errors import elide_text, in_quotes
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.labels import LabelledEdge, UnknownEdge, find_edge_by_label, labelled_edges
from raybench.scene.names import nearest_titles
from raybench.scene.scene import Scene
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

INTERACTION_WORDS = {i.name.lower(): i for i in Interaction if i is not Interaction.SOURCE}
"""Words for interactions after which light continues."""
END_WORDS = {s.name.lower(): s for s in Status if s not in (Status.CONTINUED, Status.ESCAPED)}
"""Words for ways in which light ends at a surface."""
SPLIT_SIDES = {"split reflected": False, "split transmitted": True}
"""Words for the two parts of light at a beam splitter: whether it goes on beyond."""
THROUGH_WORD = "through"
"""The word for passing: beyond a surface, in and out of a whole body, or past what does not act on
the light.
"""
_ORDER = re.compile(r"diffract ?([+-]?\d{1,9})")
MOST_NAMES = 40
"""Maximum number of names listed in an error message."""
UserLabels = Callable[[SceneObject], Mapping[int, str]]


@dataclass(frozen=True, eq=False)
class PathMatches:
    """The segments that match a path pattern. ``ends`` (k,): ascending, the segments that arrive at
    the surface of the last step or, if that step has a word such as ``refract``, that leave the
    surface. ``rows``: all segments on the matching paths.
    """

    ends: Rows
    rows: Rows
    pattern: str
    revision: int

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def ray_set(self) -> RaySet:
        """The ray set of all segments on the matching paths."""
        return RaySet(self.rows, f"rays following {self.pattern}", self.revision)


def find_paths(
    result: TraceResult, scene: Scene, pattern: str, user_labels: UserLabels = lambda _: {}
) -> PathMatches:
    """The rays in a trace that match a path pattern, see `raybench.analysis.paths.path_pattern`.
    Raises InvalidPattern.
    """
    search = _PatternSearch(result, scene, pattern, user_labels)
    reached = search.match_steps(read_pattern(pattern))
    return PathMatches(
        np.flatnonzero(reached[-1].stopped | reached[-1].left),
        search.rows_on_paths_to(reached),
        pattern,
        result.revision,
    )


def hint_for_passed_steps(
    result: TraceResult, scene: Scene, pattern: str, user_labels: UserLabels
) -> str | None:
    """A hint for a pattern without matches: how to write it if light passes the object of a step
    unchanged, or meets other surfaces between two steps. None if neither is the case.
    """
    search, steps = _PatternSearch(result, scene, pattern, user_labels), read_pattern(pattern)
    surfaces = [i for i, step in enumerate(steps) if not step.is_any_number]
    for i, reached in zip(surfaces, search.match_steps(steps), strict=False):
        step = steps[i]
        through = replace(step, words=(Name(THROUGH_WORD, False, step.position),))
        with suppress(InvalidPattern):
            if (
                not step.words
                and search.match_steps([*steps[:i], through, *steps[i + 1 :]])[-1].has_matches
            ):
                name = step.places[0].name.text
                return f"Light passes {in_quotes(name)} here. Write: {quoted_name(name)} ({THROUGH_WORD})"
        if not reached.has_matches:  # then no light comes as far as a later step
            break
    with suppress(InvalidPattern):
        if search.match_steps(_insert_any_number_steps(steps))[-1].has_matches:
            return (
                "Light meets other surfaces between these, such as the far side of a body. Write *"
                " between the steps: A > * > B"
            )
    return None


def _insert_any_number_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps with a step ``*``, for any number of surfaces, between each two."""
    out = [*steps[:1]]
    for before, step in pairwise(steps):
        if not (before.is_any_number or step.is_any_number):
            out.append(Step((Place(Name("*", True, step.position)),)))
        out.append(step)
    return out


@dataclass(frozen=True, eq=False)
class _ReachedSegments:
    """The segments that match a pattern up to one of its steps, as masks (n,).

    ``go_on``: segments that start at the surface or source of the step, or pass it. ``stopped``:
    segments that arrive at the surface, and ``left``: segments that leave it; they are the matches
    if the pattern ends here. ``gap``: whether the step before is ``*``. ``at`` (n,): for a segment
    that passes, the distance from its start to the step; 0 for others. Segments in ``go_on`` are of
    three types: ``follows`` start where a segment arrived, ``passed`` pass the step, and the others
    leave one of the ``bodies``.
    """

    go_on: Mask
    stopped: Mask
    left: Mask
    gap: bool
    at: Floats
    follows: Mask
    passed: Mask
    bodies: tuple[LightThroughBody, ...] = ()

    @property
    def has_matches(self) -> bool:
        return bool(self.stopped.any() or self.left.any())


@dataclass(frozen=True, eq=False)
class _PatternSearch:
    result: TraceResult
    scene: Scene
    pattern: str
    user_labels: UserLabels

    def match_steps(self, steps: Sequence[Step]) -> list[_ReachedSegments]:
        """The segments that match the pattern up to each step, without steps ``*``. Segments that
        leave a step are candidates for the next step.
        """
        lineage, none = self.result.lineage, np.zeros(len(self.result), bool)
        before, at, gap, out = ~none, np.zeros(len(none)), False, list[_ReachedSegments]()
        for i, step in enumerate(steps):
            if step.is_any_number:
                if step.words or len(step.places) > 1:
                    raise self._pattern_error(
                        step.position,
                        "'*' matches any number of surfaces",
                        "give it neither words nor alternatives",
                    )
                before = self.result.parent < 0 if i == 0 else before
                gap = True
                continue
            if (found := self._segments_by_places.get((step.places, i == 0))) is None:
                found = self._segments_by_places[step.places, i == 0] = self._segments_at_surfaces(
                    step, first=i == 0
                )
            surfaces, sources = found
            if gap:
                later = lineage.descendants_mask(before)
                before, at = before | later, np.where(later, 0.0, at)
            here = self._segments_leaving_step(step, surfaces & before, before, at, gap)
            out.append(
                replace(
                    here,
                    go_on=here.go_on | sources,
                    stopped=here.stopped | sources,
                    at=np.where(sources, 0.0, here.at),
                )
            )
            before, at, gap = out[-1].go_on, out[-1].at, False
        if gap:
            ends = before | lineage.descendants_mask(before) | (out[-1].stopped if out else none)
            out.append(
                _ReachedSegments(
                    none, ends & (lineage.child_count == 0), none, True, at, none, none
                )
            )
        return out

    def rows_on_paths_to(self, reached: Sequence[_ReachedSegments]) -> Rows:
        """All segments on the paths that match up to the last step, found by following the steps
        back.
        """
        lineage, parent = self.result.lineage, self.result.parent
        leaving, arrived = reached[-1].left, reached[-1].stopped.copy()
        on_path = leaving | arrived
        for i in range(len(reached) - 1, -1, -1):
            step, ended = reached[i], np.zeros(len(on_path), bool)
            parents = parent[leaving & step.follows]
            arrived[parents[parents >= 0]] = True
            arrived |= leaving & step.passed
            for body in step.bodies:
                self._mark_back_through_body(body, leaving, arrived, on_path)
            on_path |= arrived
            leaving = arrived
            if step.gap:
                if i == len(reached) - 1 and i > 0:
                    ended = leaving & reached[i - 1].stopped
                to_here = leaving | lineage.ancestors_mask(leaving)
                leaving = to_here & (reached[i - 1].go_on if i else parent < 0)
                on_path |= to_here & (leaving | lineage.descendants_mask(leaving))
            arrived = ended
        return np.flatnonzero(on_path)

    def _mark_back_through_body(
        self, body: LightThroughBody, leaving: Mask, arrived: Mask, on_path: Mask
    ) -> None:
        """For the segments ``leaving`` a body that are in ``on_path``: add the segments inside the
        body that lead to them to ``on_path``, and the segments with which the light arrived to
        ``arrived``.
        """
        front: Rows = np.flatnonzero(leaving & body.left)
        while len(front):
            inside = distinct_integers(self.result.parent[front])
            inside = inside[(inside >= 0) & body.within[inside]]
            on_path[inside] = True
            arrived[self.result.parent[inside[body.entry[inside]]]] = True
            front = inside[~body.entry[inside]]

    def _segments_leaving_step(
        self, step: Step, arrive: Mask, before: Mask, at: Floats, gap: bool
    ) -> _ReachedSegments:
        """The segments that leave the place of a step by one of its interactions, and the segments
        that end there.
        """
        parent, words = self.result.parent, [w.text.lower() for w in step.words]
        none, child = np.zeros(len(parent), bool), np.flatnonzero(parent >= 0)
        child = child[arrive[parent[child]]].astype(np.int64)
        follows, passed, bodies, passed_at = (
            none.copy(),
            none,
            list[LightThroughBody](),
            np.zeros(len(parent)),
        )
        if not words:
            follows[child] = True
            return _ReachedSegments(follows, arrive, none, gap, passed_at, follows, none)
        ends = none.copy()
        for name, word in zip(step.words, words, strict=True):
            if word == THROUGH_WORD:
                follows[child] |= starts_on_far_side(self.result, self.scene, child)
                passed, passed_at = self._crossing_segments(step, before, at)
                bodies = [
                    track_through_body(self.result, self.scene, o, hits, arrive)
                    for o, hits in self._bodies_named_without_edge(step)
                ]
                for body in bodies:  # light that goes into a whole body has not passed it yet
                    follows &= ~(body.entry | body.left)
                continue
            chosen = self._interaction_mask(word, child)
            if chosen is not None:
                follows[child] |= chosen
            elif (status := END_WORDS.get(word.replace("-", "_").replace(" ", "_"))) is not None:
                ends |= arrive & (self.result.status == status)
            else:
                known = [*INTERACTION_WORDS, "diffract -1", *SPLIT_SIDES, THROUGH_WORD, *END_WORDS]
                raise self._pattern_error(
                    name.position,
                    f"nothing that happens is called {in_quotes(name.text)}",
                    f"known words: {known}",
                )
        go_on = np.logical_or.reduce([follows, passed, *(b.left for b in bodies)])
        return _ReachedSegments(go_on, ends, go_on, gap, passed_at, follows, passed, tuple(bodies))

    def _interaction_mask(self, word: str, child: Rows) -> Mask | None:
        """Mask (k,) of the segments ``child`` that start with the interaction ``word``; None if the
        word is no interaction.
        """
        made_by = self.result.interaction[child]
        if (order := _ORDER.fullmatch(word)) is not None:
            of_order: Mask = (made_by == Interaction.DIFFRACT) & (
                self.result.order[child] == int(order[1])
            )
            return of_order
        if word in SPLIT_SIDES:
            part: Mask = (made_by == Interaction.SPLIT) & (
                starts_on_far_side(self.result, self.scene, child) == SPLIT_SIDES[word]
            )
            return part
        way = INTERACTION_WORDS.get(word.replace("-", "_"))
        return None if way is None else np.equal(made_by, way)

    def _crossing_segments(self, step: Step, before: Mask, at: Floats) -> tuple[Mask, Floats]:
        """The segments that cross a place of the step unchanged, and the distances of the crossings
        from their starts.
        """
        best = np.full(len(before), np.inf)
        for place in step.places:
            for i in self._object_indices_named(place.name):
                obj, edges = (
                    self.scene.optical[i],
                    edges_as_traced(self.scene.optical[i], self.scene),
                )
                if place.edge is not None:
                    chosen = {
                        e.index for e in self._edges_matching_name(obj, place.edge, alone=False)
                    }
                    edges = tuple(e for e in edges if e.index in chosen)
                rows, along = segments_passing_unaffected(
                    self.result, obj, edges, whole=place.edge is None
                )
                ahead = before[rows] & (along > at[rows])
                np.minimum.at(best, rows[ahead], along[ahead])
        passed = np.isfinite(best)
        return passed, np.where(passed, best, 0.0)

    def _bodies_named_without_edge(self, step: Step) -> Iterator[tuple[SceneObject, Mask]]:
        """The bodies that a step names without an edge, each with a mask of the segments that end
        on the body.
        """
        for place in step.places:
            for i in self._object_indices_named(place.name) if place.edge is None else ():
                if isinstance(self.scene.optical[i], GlassBody):
                    yield self.scene.optical[i], self._segments_on_edges(place, [i])

    def _segments_at_surfaces(self, step: Step, first: bool) -> tuple[Mask, Mask]:
        """Masks of the segments that end on a place of the step, and of the segments that a source
        of the step emits.
        """
        surfaces, sources = np.zeros(len(self.result), bool), np.zeros(len(self.result), bool)
        for place in step.places:
            anything = place.name.wild and place.name.text == "?"
            found = (
                [i for i, o in enumerate(self.scene.optical) if not isinstance(o, Source)]
                if anything
                else self._object_indices_named(place.name)
            )
            if not found and place.edge is None and place.name.text.lower() == ESCAPE:
                surfaces |= self.result.escaped
                continue
            if not found and not anything:
                raise self._pattern_error(
                    place.name.position,
                    f"nothing is named {in_quotes(place.name.text)}",
                    self._list_known_names(place.name.text),
                )
            emitting = [i for i in found if isinstance(self.scene.optical[i], Source)]
            if len(emitting) == len(found) and not first:
                raise self._pattern_error(
                    place.name.position,
                    f"{in_quotes(place.name.text)} is a source",
                    "a source can only come first",
                )
            if first:
                sources |= (self.result.parent < 0) & np.isin(self.result.source, emitting)
            surfaces |= self._segments_on_edges(place, [i for i in found if i not in set(emitting)])
        return surfaces, sources

    def _object_indices_named(self, name: Name) -> list[int]:
        """The indices of the optical objects that match a name. The name of a module instance
        matches all its parts.
        """
        return [
            i
            for i, title in enumerate(self._object_titles)
            if name.matches(title) or self._matches_owner(name, title, self._instance_names)
        ]

    def _list_known_names(self, text: str) -> str:
        """The names of the objects as text for an error message, the most similar to ``text``
        first.
        """
        known = [
            *dict.fromkeys(
                o.title
                for o in self.scene.optical
                if isinstance(o, Source) or edges_as_traced(o, self.scene)
            )
        ]
        alike = nearest_titles(text, known, 3)
        listed = [*alike, *(n for n in known if n not in alike)][:MOST_NAMES]
        return f"known names: {[elide_text(n) for n in listed]}" + (
            f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else ""
        )

    @staticmethod
    def _matches_owner(name: Name, title: str, instances: Collection[str]) -> bool:
        return not name.wild and title.startswith(name.text + "/") and name.text in instances

    @cached_property
    def _segments_by_places(self) -> dict[tuple[tuple[Place, ...], bool], tuple[Mask, Mask]]:
        """The cache of `_segments_at_surfaces`, by the places of the step and whether the step is
        the first.
        """
        return {}

    @cached_property
    def _object_titles(self) -> list[str]:
        return [o.title for o in self.scene.optical]

    @cached_property
    def _instance_names(self) -> set[str]:
        return {o.title for o in self.scene.objects if self.scene.parts_of(o) != (o,)}

    def _segments_on_edges(self, place: Place, objects: Sequence[int]) -> Mask:
        """The segments that end on objects, or on the named edge of these, even if the trace
        records a touching object as hit.
        """
        mask, listed = np.isin(self.result.hit, objects) & (place.edge is None), list[str]()
        if place.name.wild and place.name.text == "?" and place.edge is None:
            return mask
        met = np.flatnonzero(self.result.hit >= 0)
        for i in objects:
            outline = edges_as_traced(self.scene.optical[i], self.scene)
            if place.edge is None:
                other = met[self.result.hit[met] != i]
                mask[other[rows_ending_on_edges(self.result, outline, other)]] = True
                continue
            for edge in self._edges_matching_name(
                self.scene.optical[i], place.edge, alone=len(objects) == 1
            ):
                own = (self.result.hit[met] == i) & (self.result.edge[met] == edge.index)
                other = np.flatnonzero(self.result.hit[met] != i)
                own[other] = rows_ending_on_edges(
                    self.result, [e for e in outline if e.index == edge.index], met[other]
                )
                rows = met[own]
                mask[rows[arrives_on_side(self.result, edge, rows)] if edge.side else rows] = True
                listed.append(edge.title)
        if place.edge is not None and not listed:
            labels = [
                elide_text(e.title)
                for i in objects
                for e in self._labelled_edges(self.scene.optical[i])
            ]
            raise self._pattern_error(
                place.edge.position,
                f"no edge is called {in_quotes(place.edge.text)}",
                f"known edges: {labels[:MOST_NAMES]}",
            )
        return mask

    def _edges_matching_name(self, obj: SceneObject, name: Name, alone: bool) -> list[LabelledEdge]:
        if name.wild:
            labels = (
                (e, (e.short, e.long, e.user_label, str(e.index)))
                for e in self._labelled_edges(obj)
            )
            return [
                e
                for e, names in labels
                if any(name.casefolded.matches(t.casefold()) for t in names if t)
            ]
        try:
            return [
                find_edge_by_label(
                    object_as_traced(obj, self.scene), name.text, self.user_labels(obj)
                )
            ]
        except UnknownEdge as error:
            if alone:
                raise self._pattern_error(
                    name.position, str(error).rstrip("."), "correct the edge"
                ) from None
            return []

    def _labelled_edges(self, obj: SceneObject) -> tuple[LabelledEdge, ...]:
        return labelled_edges(object_as_traced(obj, self.scene), self.user_labels(obj))

    def _pattern_error(self, position: int, what: str, remedy: str) -> InvalidPattern:
        return pattern_error(self.pattern, position, what, remedy)
