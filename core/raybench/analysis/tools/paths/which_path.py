"""Tools that find paths of light: by surfaces, through an edge, by power, or of one ray."""

import math
from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.path_elements import (
    SEGMENTS,
    FoundPaths,
    Path,
    PathGroupList,
    PathWriter,
    count_equally_strong,
    path_fields,
    path_in_words,
    paths_sentence,
    trace_with_hit_columns,
)
from raybench.analysis.answers.record import ABSENT, InteractionWord, RayId, Record, Root
from raybench.analysis.answers.words import (
    OF_EMITTED,
    count_with_noun,
    percent_in_brackets,
    ray_count_text,
    rays_found_sentence,
    value_in_words,
)
from raybench.analysis.context import power_in_words, require_context
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.paths.path_search import find_paths as search
from raybench.analysis.paths.path_search import hint_for_passed_steps
from raybench.analysis.paths.paths import group_paths, path_ends
from raybench.analysis.rays.ranges import check_range_bounds
from raybench.analysis.rays.ray_facts import row_of_ray
from raybench.analysis.rays.ray_queries import rays_crossing
from raybench.analysis.tools.tool import AnalysisTool, Count, CountOrNone
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult


class Paths(FoundPaths, tag="paths"):
    pattern: str
    hint: str | None


def find_paths(pattern: str, max_paths: CountOrNone = 3, max_groups: Count = 10) -> Answer:
    """
    Find light by the sequence of surfaces it meets, given as a path pattern.

    Steps are joined by ">" or "→": `Laser > Prism:N > Prism:E (tir) > Screen`. A step is an object,
    or object:edge; * and ? in names are wildcards; as a step, ? is any one surface and * any number
    of them, also none; escape is light that leaves the scene; a | b is either. Words in parentheses
    select what happens at a step: reflect, refract, tir, lens, split (split transmitted, split
    reflected), diffract (diffract -1 for that order), detect, custom, absorbed, truncated; and
    through: light passes the step, by the opening of an aperture (Laser > Iris (through) > Screen),
    past what does not act on it, or into a body and out again by any way inside it. Mirror:N is the
    side that faces N. Names with special characters must be in double quotation marks.

    Args:
        pattern: The path pattern, such as "Laser > * > Main Prism:N (tir) > * > Screen", where * is
            any number of surfaces, ? any one,
            and escape the end of light that leaves the scene.
        max_paths: How many groups to list the strongest path of, segment by segment; 0 for none, at
            most 1000.
        max_groups: How many groups of paths to list, 1 to 1000.

    Returns:
        Root paths: number and power of the rays that reach the pattern's end; the groups of their
        complete paths from the source by the surfaces they meet, each with its total reflections,
        and lengths of its strongest path in all and inside each body; then the strongest path of
        each group, segment by segment. If nothing is found, a hint where light passes a step
        without being acted on.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the pattern is invalid or a name is unknown; the message gives the position
            and lists the existing names.
    """
    context = require_context()
    result = trace_with_hit_columns(context)
    matches = search(result, context.scene, pattern, context.user_labels)
    hint = (
        None
        if len(matches)
        else hint_for_passed_steps(result, context.scene, pattern, context.user_labels)
    )
    found = path_fields(context, result, matches.ends)
    root = Paths(pattern=pattern, hint=hint, **found)
    words, rays = value_in_words(pattern), matches.ray_set
    return Answer(
        root,
        paths_sentence(context, result, matches.ends, rays, f"follows {words}", f"follow {words}"),
        rays,
        details=SEGMENTS,
    )


PATTERN = AnalysisTool(
    function=find_paths,
    asks="rays following {pattern}",
    questions=("Which rays follow {pattern} [path go take]?",),
    limits={"path": "max_paths", "group": "max_groups"},
    power=True,
    offered="usually",
    brief=(
        "Find light by the surfaces that it meets: Laser > * > Prism:E (tir) > Screen. A step "
        "is an object or object:edge; ? is any one surface, * any number, escape the end of "
        "light that leaves, a | b either; names may hold wildcards; quote those with special "
        "characters. Words in parentheses: reflect, refract, tir, lens, split, diffract -1, "
        "detect, absorbed, truncated, through (passes it). The pattern * ranks all paths by "
        "power. max_groups of paths are listed, and max_paths segment by segment."
    ),
)


class BrightPaths(FoundPaths, tag="bright_paths"):
    glass: str
    edge: str
    min_energy: float


def find_bright_paths_through_edge(
    glass_name: str,
    edge_label: str,
    min_energy: float = 0.0,
    max_paths: CountOrNone = 3,
    max_groups: Count = 10,
) -> Answer:
    """Find the strongest paths of light that goes through an edge of a named glass, into it or out
    of it.

    Light that is only reflected at the edge does not count. A path ends where light ends; its
    energy is the power at its end.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its
            index.
        min_energy: Minimum power at the end of a path, relative to the brightness of sources.
        max_paths: How many groups to list the strongest path of, segment by segment; 0 for none, at
            most 1000.
        max_groups: How many groups of paths to list, 1 to 1000.

    Returns:
        Root bright_paths: number and power of the paths, their groups by the surfaces they meet,
        each with its total reflections and lengths inside each body, then the strongest path of
        each group, segment by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name or edge_label doesn't match, or a number is out of range; the
            message lists the existing names.
    """
    check_range_bounds(
        min_energy,
        np.inf,
        ("min_energy", "infinity"),
        "power, relative to the brightness of sources",
    )
    context = require_context()
    glass, edge = context.find_glass_edge(glass_name, edge_label)
    result = trace_with_hit_columns(context)
    through = rays_crossing(result, glass, edge, "entering")
    through |= rays_crossing(result, glass, edge, "leaving")
    after_edge = through | result.lineage.descendants_mask(through)
    ends = path_ends(result)
    ends = ends[after_edge[ends] & (result.total_arriving_power[ends] >= min_energy)]
    rays = PathWriter(context, result).ray_set(ends)
    found = path_fields(context, result, ends)
    root = BrightPaths(glass=glass.title, edge=edge.title, min_energy=min_energy, **found)
    where, least = (
        f"through edge {value_in_words(edge_label)} of {value_in_words(glass_name)}",
        f"with {value_in_words(min_energy)} or more",
    )
    sentence = paths_sentence(
        context, result, ends, rays, f"goes {where} and ends {least}", f"go {where} and end {least}"
    )
    return Answer(root, sentence, rays, details=SEGMENTS)


THROUGH_EDGE = AnalysisTool(
    function=find_bright_paths_through_edge,
    asks=(
        "rays on paths through edge {edge_label} of {glass_name} that end with {min_energy} or more"
    ),
    questions=("Which are the brightest paths through edge {edge_label} of {glass_name}?",),
    limits={"path": "max_paths", "group": "max_groups"},
    power=True,
)


class StrongestPaths(Record):
    path: Sequence[Path]
    count: int
    shown: int


class RankedPaths(Root, tag="ranked_paths"):
    groups: PathGroupList
    paths: StrongestPaths
    emitted: float
    completion: str


def rank_paths_by_energy(top_n: Count = 10, max_paths: CountOrNone = 3) -> Answer:
    """
    Rank the paths of light by the power at their end, and group them by the surfaces they meet.

    A path leads from a source to a ray without successors. Powers are relative to the brightness of
    sources. The surfaces of a group are a path pattern for find_paths_xml.

    Args:
        top_n: How many groups to list, 1 to 1000.
        max_paths: How many groups to list the strongest path of, segment by segment; 0 for none, at
            most 1000.

    Returns:
        Root ranked_paths: the strongest groups, each with its total reflections, and lengths of its
        strongest path in all and inside each body; then the strongest path of each group, segment
        by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If top_n or max_paths is out of range.
    """
    context = require_context()
    result = trace_with_hit_columns(context)
    write, ends = PathWriter(context, result), path_ends(result)
    groups = group_paths(result, ends)
    rays = write.ray_set(ends[:top_n])
    paths = write.ranked_paths(groups.strongest_ends)
    root = RankedPaths(
        groups=write.groups(groups),
        paths=StrongestPaths(path=paths, count=len(groups), shown=len(paths)),
        emitted=result.ledger.emitted,
        completion=result.completion.text,
    )
    on = f"on the {top_n} strongest paths"
    words = rays_found_sentence(len(rays), f"is {on}", f"are {on}")
    if len(groups):
        power = float(groups.power[0])
        share = percent_in_brackets(power, result.ledger.emitted, OF_EMITTED)
        way, alike = (
            path_in_words(write, int(groups.strongest_ends[0])),
            count_equally_strong(groups.power),
        )
        if len(groups) > 1:
            which = "the strongest" if alike == 1 else f"each of the {alike} strongest"
            one = "one of them " if alike > 1 else ""
            way = f"{which} of {count_with_noun(len(groups), 'way')}, {one}{way}"
        words = f"Power {power_in_words(power)}{share} takes {way}; {words}"
    return Answer(root, words, rays, details=SEGMENTS)


RANKED = AnalysisTool(
    function=rank_paths_by_energy,
    asks="rays on the {top_n} strongest paths",
    questions=(
        "Which are the strongest paths [light take]?",
        "Which are the {top_n} strongest paths?",
        "Which path does the light take [way route]?",
        "Which objects does the light meet in order [reach one way through sequence ray pass]?",
    ),
    limits={"path": "max_paths", "group": "top_n"},
    power=True,
)


class RelatedRay(Record, tag="ray"):
    id: RayId
    interaction: InteractionWord
    power: float


class Continuations(Record):
    ray: Sequence[RelatedRay]
    rays_in_all: int
    ends: int


class Siblings(Record):
    ray: Sequence[RelatedRay]


class RayPath(Root, tag="ray_path"):
    path: Path
    goes_on_as: Continuations
    siblings: Siblings
    id: RayId
    depth: int
    total_reflections: int


def ray_path(ray_id: str) -> Answer:
    """Follow one ray: the path from its source, the rays that follow from it, and the properties
    of every segment on the path.

    Args:
        ray_id: The ray's id from another answer, such as "r41-12".

    Returns:
        Root ray_path: the segments from the source to this ray, each with its ends, length, power,
        refractive index of the medium if uniform, and the angles from the normal in degrees at
        which it meets a surface and at which light leaves it; then the rays that follow from it,
        and its siblings, which have the same parent ray.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If there is no such ray in the active trace; the message says how to get valid
            ids.
    """
    context = require_context()
    row = row_of_ray(context.result, ray_id)
    result = trace_with_hit_columns(context)
    write, lineage = PathWriter(context, result), result.lineage
    rays = write.ray_set(np.array([row]))
    below = lineage.descendants(row)
    ended = below[lineage.child_count[below] == 0] if len(below) else np.array([row])
    path = write.ranked_paths(np.array([row]))[0].with_fields(rank=ABSENT)
    root = RayPath(
        path=path,
        goes_on_as=Continuations(
            ray=_relative_rays(result, lineage.children(row)),
            rays_in_all=len(below),
            ends=len(ended),
        ),
        siblings=Siblings(ray=_relative_rays(result, lineage.siblings(row))),
        id=result.segment_id(row),
        depth=int(lineage.generation[row]),
        total_reflections=int(lineage.tir_count[row]),
    )
    length = (
        "endless"
        if math.isinf(path.length)
        else f"length {value_in_words(float(path.length))} {context.unit}"
    )
    way, power = path_in_words(write, row), power_in_words(float(path.power))
    sentence = (
        f"{path.end}, {way}: {ray_count_text(len(rays))} from the source, {length}, power {power}"
    )
    return Answer(root, sentence, rays, details=SEGMENTS)


def _relative_rays(result: TraceResult, rows: Rows) -> list[RelatedRay]:
    return [
        RelatedRay(
            id=result.segment_id(row),
            interaction=Interaction(result.interaction[row]).word,
            power=result.total_power[row],
        )
        for row in rows.tolist()
    ]


OF_A_RAY = AnalysisTool(
    function=ray_path,
    asks="rays on the path of {ray_id}",
    questions=("Which path does ray {ray_id} take [follow history]?",),
)
