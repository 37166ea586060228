"""Answer elements that describe ray paths: their surfaces, as a path pattern, and their
segments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

import numpy as np

from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.record import (
    ABSENT,
    Degrees,
    InteractionWord,
    Positive,
    RayId,
    Record,
    Root,
    Share,
    StatusWord,
    none_if_nan,
    ratio,
)
from raybench.analysis.answers.words import (
    OF_EMITTED,
    count_with_noun,
    percent_in_brackets,
    rays_found_sentence,
)
from raybench.analysis.context import TracedScene, power_in_words
from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.straight import Floats, Rows, angles_to_normals
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.paths.path_text import PathPatternWriter
from raybench.analysis.paths.paths import (
    PathGroups,
    group_paths,
    path_lengths_from_source,
    rows_on_paths,
)
from raybench.analysis.rays.hit_columns import fill_hit_columns
from raybench.analysis.rays.incidence import refractive_index_along_rows, row_incidences
from raybench.analysis.scene.objects import edges_as_traced
from raybench.errors import elide_text, one_line
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.glasses import GlassBody
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces

NO_LINEAGE = "No lineage available. Pass lineage to set_context() or use set_context_from_result()."
MOST_LISTED_SEGMENTS = 60
"""Maximum number of segments, or of surfaces, listed for a path; the middle of a longer one is
omitted.
"""
EQUAL_POWER = 1e-9
"""Relative difference of two powers that are called equally strong."""


class Segment(Record, tag="segment"):
    id: RayId
    interaction: InteractionWord
    x1: float
    y1: float
    x2: float
    y2: float
    length: float
    power_s: float
    power_p: float
    degree_of_polarization: Share
    wavelength: float | None
    refractive_index: float | None
    object: str | None
    edge: str | None
    incidence_angle: Degrees | None
    outgoing_angle: Degrees | None
    status: StatusWord


class OmittedSegments(Record, tag="omitted"):
    """The number of segments that are left out in the middle of a long path."""

    segments: Positive


class Path(Record, tag="path"):
    segment: Sequence[Segment | OmittedSegments]
    rank: Positive = ABSENT
    end: RayId
    surfaces: str
    power: float
    power_s: float
    power_p: float
    share_of_source_ray: float | None
    segments: Positive
    length: float
    status: StatusWord


class LengthInBody(Record, tag="inside"):
    """The length of a path inside one body."""

    object: str
    length: float


class PathGroupRecord(Record, tag="group"):
    """Paths that meet the same surfaces in the same order. The total length, and the length inside
    each body, are those of the strongest path.
    """

    inside: Sequence[LengthInBody]
    rank: Positive
    surfaces: str
    paths: Positive
    power: float
    share_of_emitted: float | None
    total_reflections: int
    length: float | None
    strongest: RayId


class PathGroupList(Record):
    group: Sequence[PathGroupRecord]
    count: int
    shown: int


class FoundPaths(Root):
    """The groups of the paths found, and the strongest path of each group."""

    groups: PathGroupList
    path: Sequence[Path]
    count: int
    shown: int
    power: float
    share_of_emitted: float | None
    completion: str


def trace_with_hit_columns(context: TracedScene) -> TraceResult:
    """The trace of a context, with missing columns filled in by `fill_hit_columns`. Raises
    RuntimeError if the trace does not record the parents of its segments.
    """
    result = context.result
    if (
        context.lineage is None
        and result.scene is None
        and len(result)
        and not (result.parent >= 0).any()
    ):
        raise RuntimeError(NO_LINEAGE)
    return fill_hit_columns(result, context.scene, context.disabled)


@dataclass(frozen=True, eq=False)
class PathWriter:
    """Makes answer elements that describe paths in one trace. ``result`` is the trace from
    `trace_with_hit_columns`.
    """

    context: TracedScene
    result: TraceResult

    def path_pattern(self, row: int, *, of_any_source: bool = False) -> str:
        """The path from the source to the end of a segment as a path pattern: ``Laser → Prism:W
        (refract) → Prism:E (refract) → escape``. With ``of_any_source`` the pattern begins with
        ``*`` instead of a source.
        """
        return self._path_text.path_pattern(row, (-1,) if of_any_source else ())

    @cached_property
    def _path_text(self) -> PathPatternWriter:
        return PathPatternWriter(self.result, self.context.scene, self.context.user_labels)

    def ranked_paths(self, ends: Rows) -> Sequence[Path]:
        """An element with all segments for each path that ends with one of the segments ``ends``.
        Ranks count from 1. In a long path, the middle segments are replaced by their number.
        """
        return LazySequence(self._path_records, list(enumerate(ends.tolist(), 1)))

    def _path_records(self, ranked: Sequence[tuple[int, int]]) -> list[Path]:
        result, half = self.result, MOST_LISTED_SEGMENTS // 2
        paths = [result.lineage.path(row) for _, row in ranked]
        # each segment with the next one, -1 for none; those of all paths are read together
        steps = [list(pairwise([*path, -1])) for path in paths]
        kept = [s if len(s) <= MOST_LISTED_SEGMENTS else s[:half] + s[-half:] for s in steps]
        every = iter(self._segment_records([step for some in kept for step in some]))
        out = []
        for (rank, _), path, some in zip(ranked, paths, kept, strict=True):
            row, segments = path[-1], list[Segment | OmittedSegments](islice(every, len(some)))
            if len(some) < len(path):
                segments.insert(half, OmittedSegments(segments=len(path) - len(some)))
            power = result.total_power
            out.append(
                Path(
                    segment=segments,
                    rank=rank,
                    end=result.segment_id(row),
                    surfaces=self.path_pattern(row),
                    power=power[row],
                    power_s=result.power[row, 0],
                    power_p=result.power[row, 1],
                    share_of_source_ray=ratio(power[row], power[path[0]]),
                    segments=len(path),
                    length=self._path_lengths[row],
                    status=Status(result.status[row]).word,
                ).link_to_rays(np.array(path))
            )
        return out

    def groups(self, groups: PathGroups) -> PathGroupList:
        """An element for each group of paths, the strongest group first. Its surfaces are written
        as a path pattern that matches all paths of the group.
        """
        result, emitted = self.result, self.result.ledger.emitted

        def make_group(index: int, inside: Sequence[LengthInBody]) -> PathGroupRecord:
            end = int(groups.strongest_ends[index])
            surfaces = self.path_pattern(end)
            return PathGroupRecord(
                inside=inside,
                rank=index + 1,
                surfaces=surfaces,
                paths=len(groups.ends_in_group(index)),
                power=groups.power[index],
                share_of_emitted=ratio(groups.power[index], emitted),
                total_reflections=int(result.lineage.tir_count[end]),
                length=None if result.status[end] == Status.ESCAPED else self._path_lengths[end],
                strongest=result.segment_id(end),
            ).link_to_rays(
                lambda: rows_on_paths(result, groups.ends_in_group(index)),
                str(Expression("path_power", (surfaces,))),
            )

        def make_groups(indices: Sequence[int]) -> list[PathGroupRecord]:
            ends = groups.strongest_ends[indices].tolist()
            lengths = self._lengths_in_bodies([result.lineage.path(end) for end in ends])
            return list(map(make_group, indices, lengths))

        return PathGroupList(
            group=LazySequence(make_groups, range(len(groups))),
            count=len(groups),
            shown=len(groups),
        )

    def _lengths_in_bodies(self, paths: Sequence[list[int]]) -> list[list[LengthInBody]]:
        """For each path, the bodies that it crosses, in the order of the scene, and its length
        inside each.
        """
        result, rows = self.result, np.concatenate([np.array(path) for path in paths])
        which = np.repeat(np.arange(len(paths)), [len(path) for path in paths])
        finite = np.flatnonzero(result.status[rows] != Status.ESCAPED)
        rows, which = rows[finite], which[finite]
        points, out = (
            self._segment_midpoints.take(rows, axis=0),
            [list[LengthInBody]() for _ in paths],
        )
        for outline, name in self._traced_bodies:
            inside = np.flatnonzero(contains_points(outline, points))
            for path in dict.fromkeys(which[inside].tolist()):
                length = float(result.length[rows[inside[which[inside] == path]]].sum())
                out[path].append(LengthInBody(object=name, length=length))
        return out

    @cached_property
    def _segment_midpoints(self) -> Floats:
        return self.result.middle

    @cached_property
    def _traced_bodies(self) -> list[tuple[Sequence[Edge], str]]:
        scene = self.context.scene
        bodies = [o for o in scene.optical if isinstance(o, GlassBody)]
        return [(edges_as_traced(o, scene), o.title) for o in bodies]

    def _segment_records(self, steps: Sequence[tuple[int, int]]) -> list[Segment]:
        """An element for each segment, with the angle of incidence at its end and the angle at
        which the next segment leaves. ``steps`` are pairs of a segment and the next segment, -1 if
        there is none.
        """
        result, scene, disabled = self.result, self.context.scene, self.context.disabled
        rows, following = np.array(steps, np.int64).reshape(-1, 2).T
        incidence = row_incidences(result, scene, rows, disabled)
        p1, p2 = first_straight_pieces(result, following)
        outgoing = angles_to_normals(p2 - p1, incidence.normal)
        outgoing[(following < 0) | np.isnan(incidence.angle)] = np.nan
        media = refractive_index_along_rows(result, scene, rows, disabled)
        polarized = result.degree_of_polarization[rows]
        segments = []
        for k, row in enumerate(rows.tolist()):
            hit = int(result.hit[row])
            segments.append(
                Segment(
                    id=result.segment_id(row),
                    interaction=Interaction(result.interaction[row]).word,
                    x1=result.p1[row, 0],
                    y1=result.p1[row, 1],
                    x2=result.p2[row, 0],
                    y2=result.p2[row, 1],
                    length=result.length[row],
                    power_s=result.power[row, 0],
                    power_p=result.power[row, 1],
                    degree_of_polarization=polarized[k],
                    wavelength=none_if_nan(result.wavelength[row]),
                    refractive_index=none_if_nan(media[k]),
                    object=result.object_names[hit] if hit >= 0 else None,
                    edge=self._path_text.edge_label(hit, int(result.edge[row])) or None,
                    incidence_angle=none_if_nan(incidence.angle[k]),
                    outgoing_angle=none_if_nan(outgoing[k]),
                    status=Status(result.status[row]).word,
                )
            )
        return segments

    def ray_set(self, ends: Rows) -> RaySet:
        """The ray set of all segments on the paths that end with the segments ``ends``."""
        return self.result.ray_set(rows_on_paths(self.result, ends))

    @cached_property
    def _path_lengths(self) -> Floats:
        return path_lengths_from_source(self.result)


def path_fields(context: TracedScene, result: TraceResult, ends: Rows) -> dict[str, Any]:
    """The fields of `FoundPaths` for all paths that end with the segments ``ends``: groups of
    paths, and the strongest path of each group.
    """
    writer = PathWriter(context, result)
    power, emitted = float(result.total_arriving_power[ends].sum()), result.ledger.emitted
    groups = group_paths(result, ends)
    return {
        "groups": writer.groups(groups),
        "path": writer.ranked_paths(groups.strongest_ends),
        "count": len(ends),
        "shown": len(groups),
        "power": power,
        "share_of_emitted": ratio(power, emitted),
        "completion": result.completion.text,
    }


def path_in_words(writer: PathWriter, end: int) -> str:
    """The path to the segment ``end`` as a path pattern in one line, cut to 200 characters."""
    return elide_text(one_line(writer.path_pattern(end)), 200)


def paths_sentence(
    context: TracedScene, result: TraceResult, ends: Rows, rays: RaySet, singular: str, plural: str
) -> str:
    """A sentence about the paths that end with the segments ``ends``: number, power, and the
    surfaces of the strongest path. ``singular`` and ``plural`` are verb phrases, as for
    `rays_found_sentence`.
    """
    if not len(ends):
        return f"No ray {singular}"
    arriving, emitted = result.total_arriving_power[ends], result.ledger.emitted
    power = float(arriving.sum())
    share = percent_in_brackets(power, emitted, OF_EMITTED)
    what = (
        f"1 path {singular}" if len(ends) == 1 else f"{count_with_noun(len(ends), 'path')} {plural}"
    )
    alike = count_equally_strong(arriving)
    which = "the strongest is "
    if alike > 1:
        those = "all" if alike == len(ends) else f"the {alike} strongest"
        which = f"{those} are equally strong, one is "
    on, which = ("on it", "") if len(ends) == 1 else ("on them", which)
    way = path_in_words(PathWriter(context, result), int(ends[np.argmax(arriving)]))
    found = rays_found_sentence(len(rays), f"is {on}", f"are {on}")
    return f"{what}, with power {power_in_words(power)}{share}: {which}{way}; {found}"


def count_equally_strong(power: Floats) -> int:
    """How many of the powers equal the largest power, up to rounding errors."""
    return int(np.count_nonzero(power >= power.max() * (1 - EQUAL_POWER)))


SEGMENTS = frozenset({"segment"})
"""The lists that previews of paths omit first."""
