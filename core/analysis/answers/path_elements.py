"""Paths as elements of an answer: which surfaces they meet, as a pattern that finds them again, and segment by segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, pairwise

import numpy as np

from core.analysis.answers.answer import Element, element, listed
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import TracedScene
from core.analysis.geometry.straight import Floats, Rows, cross, unit_vectors
from core.analysis.paths.path_pattern import ESCAPE, quoted
from core.analysis.paths.path_search import ENDS
from core.analysis.paths.paths import PathGroups, by_power, group_paths, path_length, rows_on_paths
from core.analysis.rays.incidence import first_pieces, incidences
from core.analysis.rays.placed_rows import placed
from core.analysis.rays.ranges import InvalidRange
from core.analysis.rays.ray_facts import degree_of_polarization, word_of
from core.analysis.scene.refractive_index import index_by_colour
from core.analysis.scene.traced_outline import as_traced
from core.errors import short_repr
from core.scene.labels import UnknownEdge, edge_labelled, labelled_edges
from core.trace.codes import Interaction, Status
from core.trace.results.result import RaySet, TraceResult

NO_LINEAGE = "No lineage available. Pass lineage to set_context() or use set_context_from_result()."
MOST = 1000
"""The most paths that an answer lists."""
LONGEST = 60
"""The most segments of a path, or steps of its surfaces, that are listed; of a longer one the middle is left out."""


def light_of(context: TracedScene) -> TraceResult:
    """The light of a context, whose rows know what they met. RuntimeError where nothing says which came from which."""
    result = context.result
    if context.lineage is None and result.scene is None and len(result) and not (result.parent >= 0).any():
        raise RuntimeError(NO_LINEAGE)
    return placed(result, context.scene)


def check_count(name: str, value: int) -> None:
    """Raises InvalidRange unless a number of paths to list is a whole number from 1 to `MOST`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise InvalidRange(f"{name} is {short_repr(value)}; give a whole number from 1 to {MOST}.")


@dataclass(frozen=True, eq=False)
class PathWriter:
    """Writes paths of one context's light."""

    context: TracedScene
    result: TraceResult

    def surfaces(self, row: int) -> str:
        """The path to a segment's end as a path pattern: ``Laser → Prism:W (refract) → Prism:E (refract) → escape``."""
        result = self.result
        way = result.lineage.path(row)
        steps, half = [self._source(way[0])], LONGEST // 2
        for k, (here, following) in enumerate(zip(way, [*way[1:], None], strict=True)):
            if len(way) > LONGEST and half <= k < len(way) - half:
                steps += ["*"] * (k == half)
            elif following is not None:
                steps.append(f"{self._place(here)} ({word_of(Interaction(result.interaction[following]))})")
            elif result.hit[here] >= 0:
                word = word_of(Status(result.status[here]))
                steps.append(self._place(here) + (f" ({word})" if word in ENDS else ""))
            elif result.escaped[here]:
                steps.append(ESCAPE)
        return " → ".join(steps)

    def paths(self, ends: Rows) -> list[Element]:
        """The paths to some segments, the first with rank 1, each as an element with its segments."""
        ways = [self.result.lineage.path(row) for row in ends.tolist()]
        return [self._path(way, segments, rank=i + 1) for i, (way, segments) in enumerate(zip(ways, self._segments_of(ways), strict=True))]

    def path(self, row: int) -> Element:
        """The path to a segment, as an element with its segments."""
        way = self.result.lineage.path(row)
        return self._path(way, *self._segments_of([way]))

    def _segments_of(self, ways: Sequence[list[int]]) -> list[list[Element]]:
        """The segments of some paths, path by path; those in the middle of a long path are counted only."""
        half = LONGEST // 2
        steps = [list(pairwise([*way, -1])) for way in ways]  # each segment with the one that follows
        kept = [s if len(s) <= LONGEST else s[:half] + s[-half:] for s in steps]
        elements_of = iter(self._segments(*np.array(list(chain.from_iterable(kept)), np.int64).reshape(-1, 2).T))
        listing = [list(islice(elements_of, len(s))) for s in kept]
        for way, elements in zip(ways, listing, strict=True):
            if len(elements) < len(way):
                elements.insert(half, element("omitted", segments=len(way) - len(elements)))
        return listing

    def _path(self, way: list[int], segments: list[Element], **about: object) -> Element:
        result, row = self.result, way[-1]
        emitted = result.total_power[way[0]]
        return element(
            "path",
            listed("segment", segments),
            **about,
            end=result.segment_id(row),
            surfaces=self.surfaces(row),
            power=result.total_power[row],
            power_s=result.power[row, 0],
            power_p=result.power[row, 1],
            share_of_source_ray=result.total_power[row] / emitted if emitted > 0 else None,
            segments=len(way),
            length=self._length[row],
            status=word_of(Status(result.status[row])),
        )

    def groups(self, found: PathGroups, most: int) -> list[Element]:
        """The strongest groups of paths, without their segments. Their surfaces are a pattern that finds them."""
        result, emitted = self.result, self.result.ledger.emitted
        return [
            element(
                "group",
                rank=i + 1,
                surfaces=self.surfaces(int(found.ends[found.first[i]])),
                paths=int(found.first[i + 1] - found.first[i]),
                power=found.power[i],
                share_of_emitted=found.power[i] / emitted if emitted > 0 else None,
                strongest=result.segment_id(int(found.ends[found.first[i]])),
            )
            for i in range(min(most, len(found)))
        ]

    def _segments(self, rows: Rows, following: Rows) -> list[Element]:
        """Some segments, each with how it meets what it ends on and how the one that follows on its path, -1 for none, leaves there."""
        result, scene, disabled = self.result, self.context.scene, self.context.disabled
        met = incidences(result, scene, rows, disabled)
        p1, p2 = first_pieces(result, following)
        out = np.where(following < 0, np.nan, _angles(p2 - p1, met.normal))
        beside = result.p1[rows] + 1e-6 * unit_vectors(np.subtract(*first_pieces(result, rows)[::-1]))[0]
        media = np.where(result.points[rows, 1] > 0, np.nan, index_by_colour(scene, result.wavelength[rows], beside, disabled=disabled)[0])
        dop = degree_of_polarization(result.power[rows])
        segments = []
        for k, (row, after) in enumerate(zip(rows.tolist(), following.tolist(), strict=True)):
            hit = int(result.hit[row])
            (x1, y1), (x2, y2) = result.p1[row].tolist(), result.p2[row].tolist()
            nm = float(result.wavelength[row])
            segments.append(
                element(
                    "segment",
                    id=result.segment_id(row),
                    interaction=word_of(Interaction(result.interaction[row])),
                    x1=x1,
                    y1=y1,
                    x2=x2,
                    y2=y2,
                    length=result.length[row],
                    power_s=result.power[row, 0],
                    power_p=result.power[row, 1],
                    degree_of_polarization=dop[k],
                    wavelength=None if math.isnan(nm) else nm,
                    refractive_index=None if math.isnan(media[k]) else media[k],
                    object=result.object_names[hit] if hit >= 0 else None,
                    edge=self._edge(hit, int(result.edge[row])) or None if hit >= 0 else None,
                    incidence_angle=None if math.isnan(met.angle[k]) else met.angle[k],
                    outgoing_angle=None if after < 0 or math.isnan(out[k]) or math.isnan(met.angle[k]) else out[k],
                    status=word_of(Status(result.status[row])),
                )
            )
        return segments

    def ray_set(self, ends: Rows, question: str) -> RaySet:
        """The segments of some paths."""
        return RaySet(rows_on_paths(self.result, ends), question, self.result.revision)

    @cached_property
    def _length(self) -> Floats:
        return path_length(self.result)

    def _source(self, row: int) -> str:
        source = int(self.result.source[row])
        return quoted(self.result.object_names[source]) if source >= 0 else "*"

    def _place(self, row: int) -> str:
        hit = int(self.result.hit[row])
        edge = self._edge(hit, int(self.result.edge[row])) if hit >= 0 else ""
        return (quoted(self.result.object_names[hit]) if hit >= 0 else "?") + (f":{quoted(edge)}" if edge else "")

    def _edge(self, hit: int, edge: int) -> str:
        """A label that names an edge without doubt; empty for the only edge of an object."""
        if (hit, edge) not in self._edges:
            obj = as_traced(self.context.scene.optical[hit], self.context.scene)
            labels, title = self.context.user_labels(obj), self.context.edge_title(hit, edge)
            try:
                known = edge_labelled(obj, title, labels).index == edge
            except UnknownEdge:
                known = False
            alone = len(labelled_edges(obj, labels)) < 2
            self._edges[hit, edge] = "" if alone else title if known else str(edge)
        return self._edges[hit, edge]

    @cached_property
    def _edges(self) -> dict[tuple[int, int], str]:
        return {}


def found_paths(context: TracedScene, result: TraceResult, ends: Rows, most: int, root: str, **about: object) -> Element:
    """The root of an answer about the paths to some segments: all of them in groups, and the strongest one by one."""
    write, power, emitted = PathWriter(context, result), float(result.total_power[ends].sum()), result.ledger.emitted
    strongest, groups = by_power(result, ends)[:most], group_paths(result, ends)
    return element(
        root,
        element("groups", listed("group", write.groups(groups, most)), count=len(groups), shown=min(most, len(groups))),
        listed("path", write.paths(strongest)),
        **about,
        count=len(ends),
        shown=len(strongest),
        power=power,
        share_of_emitted=power / emitted if emitted > 0 else None,
        completion=result.completion.text,
        **provenance(context),
    )


def _angles(d: Floats, normal: Floats) -> Floats:
    found: Floats = np.degrees(np.arctan2(np.abs(cross(d, normal)), np.abs((d * normal).sum(axis=1))))
    return found
