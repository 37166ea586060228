"""Tools that follow light from its sources: which ways it takes, how much goes each way, and where one ray comes from."""

from __future__ import annotations

import re

import numpy as np

from core.analysis.answers.path_xml import PathWriter, check_count, light_of
from core.analysis.answers.xml_answer import document, element
from core.analysis.context import TracedScene, require_context
from core.analysis.paths.path_search import find_paths
from core.analysis.paths.paths import by_power, group_paths, path_ends
from core.analysis.rays.ghosts import ghosts_at
from core.analysis.rays.ranges import check_range
from core.analysis.rays.ray_queries import rays_through
from core.errors import RaybenchError, in_quotes
from core.scene.names import object_named
from core.trace.results.result import TraceResult

_ID = re.compile(r"r(\d+)-(\d+)")


class UnknownRay(RaybenchError):
    """An id that names no ray of the active trace."""


def rank_paths_by_energy_xml(top_n: int = 10) -> str:
    """
    Rank the paths that light takes by the power it ends with, and group them by the surfaces they meet.

    A path leads from a source to where light ends: a ray that nothing comes from any more. Powers are relative to the sources'
    brightness. A group's surfaces are a path pattern, which find_paths_xml takes.

    Args:
        top_n: How many groups and how many single paths to list, 1 to 1000.

    Returns:
        XML string with the root ranked_paths: the strongest groups, then the strongest single paths, each segment by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If top_n is not a whole number from 1 to 1000.
    """
    check_count("top_n", top_n)
    context = require_context()
    result = light_of(context)
    write, ends = PathWriter(context, result), path_ends(result)
    groups = group_paths(result, ends)
    write.note(ends[:top_n], f"the {min(top_n, len(ends))} strongest paths")
    told = write.paths(ends[:top_n])
    return document(
        "ranked_paths",
        element("groups", *write.groups(groups, top_n), count=len(groups), shown=min(top_n, len(groups))),
        element("paths", *told, count=len(ends), shown=len(told)),
        context=context,
        emitted=result.ledger.emitted,
        completion=result.completion.text,
    )


def find_paths_xml(pattern: str, max_paths: int = 10) -> str:
    """
    Find light by the surfaces it meets one after the other, given as a path pattern.

    Steps are joined by ">" or "→": `Laser > Prism:N > Prism:E (tir) > Screen`. A step is an object, or object:edge; * and ? in names are
    wildcards; a step of its own, ? is any one surface and * any number of them; escape is light that meets nothing any more; a | b is
    either. Words in brackets say what happens at a step: reflect, refract, tir, lens, split, diffract, detect, custom, absorbed,
    truncated. Names with special characters stand in double quotation marks.

    Args:
        pattern: The path pattern, such as "Laser > * > Main Prism:N (tir) > * > Screen", where * is any number of surfaces, ? any one,
            and escape the end of light that meets nothing.
        max_paths: How many groups and how many single paths to list, 1 to 1000.

    Returns:
        XML string with the root paths: how many rays come to the pattern's end and with what power, the groups of whole paths from the
        source to there, then the strongest single ones, each segment by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the pattern cannot be read or names what is not there; the text points at the character and lists what exists.
    """
    check_count("max_paths", max_paths)
    context = require_context()
    result = light_of(context)
    found = find_paths(result, context.scene, pattern, context.user_labels)
    context.note(found.ray_set)
    return _found(context, result, found.ends, max_paths, "paths", pattern=pattern)


def find_bright_paths_through_edge_xml(glass_name: str, edge_label: str, min_energy: float = 0.0, max_paths: int = 10) -> str:
    """
    Find the strongest paths of light that goes through an edge of a named glass, into it or out of it.

    Light that is only reflected at the edge does not go through it. A path ends where light ends; its energy is the power it ends with.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its index.
        min_energy: The least power, relative to the brightness of sources, that a path ends with.
        max_paths: How many groups and how many single paths to list, 1 to 1000.

    Returns:
        XML string with the root bright_paths: how many paths there are and with what power, their groups by surfaces, then the strongest
        single paths, each segment by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name or edge_label doesn't match, or a number is out of range; the text says what exists.
    """
    check_count("max_paths", max_paths)
    check_range(min_energy, np.inf, ("min_energy", "infinity"), "power, relative to the brightness of sources")
    context = require_context()
    glass, edge = context.glass_edge(glass_name, edge_label)
    result = light_of(context)
    through = np.zeros(len(result), bool)
    through[rays_through(result, glass, edge).rows] = True
    beyond = through | result.lineage.below(through)
    ends = path_ends(result)
    ends = ends[beyond[ends] & (result.total_power[ends] >= min_energy)]
    PathWriter(context, result).note(
        ends, f"paths through edge {edge.reference} of {in_quotes(glass.title)} with a power of {min_energy:g} or more"
    )
    return _found(context, result, ends, max_paths, "bright_paths", glass=glass.title, edge=edge.title, min_energy=min_energy)


def find_ghosts_xml(object_name: str, max_paths: int = 10) -> str:
    """
    Find ghosts: light that reaches a detector or screen after an even number of partial reflections at glass surfaces.

    Mirrors, beam splitters and total reflection are intended and do not count; a partial reflection at glass is not.

    Args:
        object_name: Name of the detector, screen or any other object that the light arrives at.
        max_paths: How many groups of ghosts to list, 1 to 1000.

    Returns:
        XML string with the root ghosts: the power that arrives in all, that of ghosts and their share, and the groups of ghosts by the
        surfaces they meet, each with its share of the arriving power and its number of partial reflections.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match an object that light can meet; the text says what exists.
    """
    check_count("max_paths", max_paths)
    context = require_context()
    obj = object_named(context.scene, object_name)
    index = next((i for i, o in enumerate(context.scene.optical) if o is obj), None)
    if index is None:
        raise RaybenchError(f"{in_quotes(object_name)} ({obj.type}) is nothing that light meets. Name a detector, a screen or a glass.")
    result = light_of(context)
    found, write = ghosts_at(result, context.scene, index), PathWriter(context, result)
    write.note(found.paths.ends, f"ghosts arriving at {in_quotes(obj.title)}")
    told = [
        element(
            "ghost",
            rank=i + 1,
            surfaces=write.surfaces(int(found.paths.ends[found.paths.first[i]])),
            partial_reflections=int(found.extra[i]),
            paths=len(found.paths.group(i)),
            power=found.paths.power[i],
            share_of_arriving=found.paths.power[i] / found.arriving if found.arriving > 0 else None,
            strongest=result.segment_id(int(found.paths.ends[found.paths.first[i]])),
        )
        for i in range(min(max_paths, len(found.paths)))
    ]
    return document(
        "ghosts",
        *told,
        context=context,
        object=obj.title,
        arriving_power=found.arriving,
        ghost_power=found.power,
        ghost_share=found.share,
        odd_reflections_power=found.stray,
        groups=len(found.paths),
        shown=len(told),
    )


def ray_path_xml(ray_id: str) -> str:
    """
    Follow one ray: the path from its source to it, what becomes of it, and the facts of every segment on the way.

    Args:
        ray_id: The ray's id as in other answers, such as "r41-12".

    Returns:
        XML string with the root ray_path: the segments from the source to this ray, each with its ends, length, power, the refractive
        index it runs in where that is one, and the angles from the normal in degrees at which it meets a surface and light goes on; then
        the rays that come from it, and those that come from the same ray as it does.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If there is no such ray in the active trace; the text says how to ask again.
    """
    context = require_context()
    row = _row(context, ray_id)
    result = light_of(context)
    write, lineage = PathWriter(context, result), result.lineage
    write.note(np.array([row]), f"the path of ray {result.segment_id(row)}")
    below = lineage.descendants(row)
    ended = below[lineage.child_count[below] == 0] if len(below) else np.array([row])
    return document(
        "ray_path",
        write.path(row),
        element("goes_on_as", *_rays(result, lineage.children(row).tolist()), rays_in_all=len(below), ends=len(ended)),
        element("siblings", *_rays(result, lineage.siblings(row).tolist())),
        context=context,
        id=result.segment_id(row),
        depth=int(lineage.generation[row]),
        total_reflections=int(lineage.tir_count[row]),
    )


def _found(context: TracedScene, result: TraceResult, ends: np.ndarray, most: int, root: str, **about: object) -> str:
    """An answer about the paths to some segments: all of them in groups, and the strongest one by one."""
    write, power, emitted = PathWriter(context, result), float(result.total_power[ends].sum()), result.ledger.emitted
    strongest, groups = by_power(result, ends)[:most], group_paths(result, ends)
    return document(
        root,
        element("groups", *write.groups(groups, most), count=len(groups), shown=min(most, len(groups))),
        *write.paths(strongest),
        context=context,
        **about,
        count=len(ends),
        shown=len(strongest),
        power=power,
        share_of_emitted=power / emitted if emitted > 0 else None,
        completion=result.completion.text,
    )


def _rays(result: TraceResult, rows: list[int]) -> list[str]:
    kinds = result.segments
    return [element("ray", id=kinds[r].id, interaction=kinds[r].interaction, power=result.total_power[r]) for r in rows]


def _row(context: TracedScene, ray_id: str) -> int:
    """The row of an id; UnknownRay for one of another trace, or of none."""
    found = _ID.fullmatch(str(ray_id).strip().lower())
    result = context.result
    if found is None:
        example = result.segment_id(0) if len(result) else "r1-0"
        raise UnknownRay(f"{in_quotes(str(ray_id), 60)} is no ray's id. Give one as answers show it, such as {example}.")
    revision, row = int(found[1]), int(found[2])
    if revision != result.revision:
        raise UnknownRay(
            f"{found[0]} was ray {row} of revision {revision}; the active trace is of revision {result.revision}, where that number may be "
            "another ray. Ask your question again, and use the ids of the new answer."
        )
    if row >= len(result):
        last = f"They run from {result.segment_id(0)} to {result.segment_id(len(result) - 1)}." if len(result) else "It has no rays."
        raise UnknownRay(f"There is no ray {found[0]} in this trace. {last}")
    return row
