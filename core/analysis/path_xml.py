"""Paths in XML: which surfaces they meet, as a pattern that finds them again, and segment by segment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.context import TracedScene
from core.analysis.incidence import first_pieces, incidences
from core.analysis.path_pattern import ESCAPE, quoted
from core.analysis.path_search import ENDS
from core.analysis.paths import PathGroups, path_length, rows_on_paths
from core.analysis.placed_rows import placed
from core.analysis.ranges import InvalidRange
from core.analysis.ray_facts import degree_of_polarization, word_of
from core.analysis.refractive_index import GREEN, Media
from core.analysis.straight import Floats, Rows, cross, lengths
from core.analysis.xml_answer import element
from core.errors import told
from core.scene.labels import UnknownEdge, edge_labelled, labelled_edges
from core.trace.codes import Interaction, Status
from core.trace.result import RaySet, TraceResult

NO_LINEAGE = "No lineage available. Pass lineage to set_context() or use set_context_from_result()."
MOST = 1000
LONGEST = 60
"""The most segments of a path, or steps of its surfaces, that are told; of a longer one the middle is left out."""
"""The most paths that an answer lists."""


def light_of(context: TracedScene) -> TraceResult:
    """The light of a context, whose rows know what they met. RuntimeError where nothing says which came from which."""
    result = context.result
    if context.lineage is None and result.scene is None and len(result) and not (result.parent >= 0).any():
        raise RuntimeError(NO_LINEAGE)
    return placed(result, context.scene)


def check_count(name: str, value: int) -> None:
    """Raises InvalidRange unless a number of paths to list is a whole number from 1 to `MOST`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise InvalidRange(f"{name} is {told(value)}; give a whole number from 1 to {MOST}.")


@dataclass(frozen=True, eq=False)
class PathWriter:
    """Writes paths of one context's light."""

    context: TracedScene
    result: TraceResult

    def surfaces(self, row: int) -> str:
        """The way to a segment's end as a path pattern: ``Laser → Prism:W (refract) → Prism:E (refract) → escape``."""
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

    def path(self, row: int, **about: object) -> str:
        """A path to a segment, as an element with its segments."""
        result, half = self.result, LONGEST // 2
        way = np.array(result.lineage.path(row))
        emitted = result.total_power[way[0]]
        if len(way) <= LONGEST:
            told = self.segments(way)
        else:  # the segment after the first half tells how light goes on there
            omitted = element("omitted", segments=len(way) - 2 * half)
            told = [*self.segments(way[: half + 1])[:-1], omitted, *self.segments(way[-half:])]
        return element(
            "path",
            *told,
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

    def groups(self, found: PathGroups, most: int) -> list[str]:
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

    def segments(self, way: Rows) -> list[str]:
        """Segments that follow each other, each with how it meets what it ends on."""
        result = self.result
        met = incidences(result, self.context.scene, way, self.context.disabled)
        following = np.append(way[1:], -1)
        p1, p2 = first_pieces(result, way[1:])
        out = np.append(_angles(p2 - p1, met.normal[:-1]), np.nan)
        dop, media = degree_of_polarization(result.power[way]), self._indices(way)
        told = []
        for k, (row, after) in enumerate(zip(way.tolist(), following.tolist(), strict=True)):
            hit = int(result.hit[row])
            (x1, y1), (x2, y2) = result.p1[row].tolist(), result.p2[row].tolist()
            nm = float(result.wavelength[row])
            told.append(
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
        return told

    def note(self, ends: Rows, question: str) -> None:
        """Remember the segments of some paths as what a query found."""
        self.context.note(RaySet(rows_on_paths(self.result, ends), question, self.result.revision))

    def _indices(self, way: Rows) -> Floats:
        nm = float(self.result.wavelength[way[0]])
        media = Media.of(self.context.scene, self.context.disabled, GREEN if math.isnan(nm) else nm)
        points = self.result.p1[way] + 1e-6 * _directions(self.result, way)
        straight: Floats = np.where(self.result.points[way, 1] > 0, np.nan, media.index_at(points))
        return straight

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
            obj = self.context.scene.optical[hit]
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


def _directions(result: TraceResult, rows: Rows) -> Floats:
    p1, p2 = first_pieces(result, rows)
    length = lengths(p2 - p1)
    found: Floats = (p2 - p1) / np.where(length > 0, length, 1.0)[:, None]
    return found


def _angles(d: Floats, normal: Floats) -> Floats:
    found: Floats = np.degrees(np.arctan2(np.abs(cross(d, normal)), np.abs((d * normal).sum(axis=1))))
    return found
