"""Where does one ray come from, and what becomes of it?"""

from __future__ import annotations

import re

import numpy as np

from core.analysis.answers.answer import Answer, Listed, element, listed
from core.analysis.answers.path_elements import PathWriter, light_of
from core.analysis.answers.words import in_words, rays_found
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import TracedScene, require_context
from core.analysis.tools.tool import NO_PHRASES, AnalysisTool
from core.errors import RaybenchError, elided
from core.trace.results.result import TraceResult

_ID = re.compile(r"r(\d+)-(\d+)")


class UnknownRay(RaybenchError):
    """An id that names no ray of the active trace."""


def ray_path(ray_id: str) -> Answer:
    """
    Follow one ray: the path from its source to it, what becomes of it, and the facts of every segment on the way.

    Args:
        ray_id: The ray's id as in other answers, such as "r41-12".

    Returns:
        Root ray_path: the segments from the source to this ray, each with its ends, length, power, the refractive
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
    rays = write.ray_set(np.array([row]), f"the path of ray {result.segment_id(row)}")
    below = lineage.descendants(row)
    ended = below[lineage.child_count[below] == 0] if len(below) else np.array([row])
    root = element(
        "ray_path",
        write.path(row),
        element("goes_on_as", _rays(result, lineage.children(row).tolist()), rays_in_all=len(below), ends=len(ended)),
        element("siblings", _rays(result, lineage.siblings(row).tolist())),
        id=result.segment_id(row),
        depth=int(lineage.generation[row]),
        total_reflections=int(lineage.tir_count[row]),
        **provenance(context),
    )
    path = f"on the path of {in_words(ray_id)}"
    return Answer(root, rays_found(len(rays), f"is {path}", f"are {path}"), rays)


def _rays(result: TraceResult, rows: list[int]) -> Listed:
    kinds = result.segments
    return listed("ray", [element("ray", id=kinds[r].id, interaction=kinds[r].interaction, power=result.total_power[r]) for r in rows])


def _row(context: TracedScene, ray_id: str) -> int:
    """The row of an id; UnknownRay for one of another trace, or of none."""
    found = _ID.fullmatch(str(ray_id).strip().lower())
    result = context.result
    if found is None:
        example = result.segment_id(0) if len(result) else "r1-0"
        raise UnknownRay(f"'{elided(str(ray_id), 60)}' is no ray's id. Give one as answers show it, such as {example}.")
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


TOOL = AnalysisTool(function=ray_path, asks="rays on the path of {ray_id}", phrases=NO_PHRASES)
