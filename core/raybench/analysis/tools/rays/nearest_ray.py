"""Which ray is nearest to a point?"""

from __future__ import annotations

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_queries import nearest_ray
from raybench.analysis.tools.tool import AnalysisTool
from raybench.trace.results.ray_set import RaySet


def find_nearest_ray(x: float, y: float) -> Answer:
    """
    Find the ray that comes nearest to a point. Rays that escape go on to infinity.

    Args:
        x: The point, scene units.
        y: The point, scene units, y down.

    Returns:
        Root rays, with one element ray; ray_path_xml gives its path.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a coordinate is not finite.
    """
    context = require_context()
    if not len(context.result):
        rays = RaySet(
            np.empty(0, np.int64), f"the ray nearest to ({x:g}, {y:g})", context.result.revision
        )
        return rays_answer(context, rays, "is nearest", "are nearest")
    row, distance = nearest_ray(context.result, x, y)
    rays = RaySet(np.array([row]), f"the ray nearest to ({x:g}, {y:g})", context.result.revision)
    where = (
        f"nearest to ({in_words(x)}, {in_words(y)}), at a distance of {in_words(distance)}"
        f" {context.unit}"
    )
    return rays_answer(context, rays, f"is {where}", f"are {where}")


TOOL = AnalysisTool(
    function=find_nearest_ray,
    asks="the ray nearest to ({x}, {y})",
    questions=("Which ray is nearest to ({x}, {y}) [closest]?",),
)
