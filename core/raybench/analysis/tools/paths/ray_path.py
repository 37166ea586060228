"""Which path does one ray belong to?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.path_elements import SEGMENTS, Path, PathWriter, light_of
from raybench.analysis.answers.record import InteractionWord, RayId, Record, Root
from raybench.analysis.answers.words import in_words, rays_counted
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_facts import row_of
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import elided, one_line
from raybench.trace.results.result import TraceResult


class Relative(Record, tag="ray"):
    id: RayId
    interaction: InteractionWord
    power: float


class GoesOnAs(Record):
    ray: Sequence[Relative]
    rays_in_all: int
    ends: int


class Siblings(Record):
    ray: Sequence[Relative]


class RayPath(Root, tag="ray_path"):
    path: Path
    goes_on_as: GoesOnAs
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
    row = row_of(context.result, ray_id)
    result = light_of(context)
    write, lineage = PathWriter(context, result), result.lineage
    rays = write.ray_set(np.array([row]), f"the path of ray {result.segment_id(row)}")
    below = lineage.descendants(row)
    ended = below[lineage.child_count[below] == 0] if len(below) else np.array([row])
    path = write.path(row)
    root = RayPath(
        path=path,
        goes_on_as=GoesOnAs(
            ray=_rays(result, lineage.children(row).tolist()),
            rays_in_all=len(below),
            ends=len(ended),
        ),
        siblings=Siblings(ray=_rays(result, lineage.siblings(row).tolist())),
        id=result.segment_id(row),
        depth=int(lineage.generation[row]),
        total_reflections=int(lineage.tir_count[row]),
        context=context,
    )
    length = (
        "endless"
        if math.isinf(path.length)
        else f"length {in_words(float(path.length))} {context.unit}"
    )
    way = elided(one_line(path.surfaces), 200)
    name, power = result.segment_id(row), in_words(float(path.power))
    sentence = f"{name}, {way}: {rays_counted(len(rays))} from the source, {length}, power {power}"
    return Answer(root, sentence, rays, details=SEGMENTS)


def _rays(result: TraceResult, rows: list[int]) -> list[Relative]:
    segments = result.segments
    return [
        Relative(
            id=segments[r].id, interaction=segments[r].interaction, power=result.total_power[r]
        )
        for r in rows
    ]


TOOL = AnalysisTool(
    function=ray_path,
    asks="rays on the path of {ray_id}",
    questions=("Which path does ray {ray_id} take [follow history]?",),
)
