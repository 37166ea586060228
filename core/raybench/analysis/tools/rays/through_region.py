"""Which rays pass a region of the scene?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_queries import rays_through_region
from raybench.analysis.tools.tool import AnalysisTool


def find_rays_through_region(x: float, y: float, width: float, height: float) -> Answer:
    """
    Find rays that pass an upright rectangle, its border included.

    Args:
        x: Left side of the rectangle, scene units.
        y: Its upper side, scene units, y down.
        width: Its width, scene units; 0 for a vertical line.
        height: Its height, scene units; 0 for a horizontal line.

    Returns:
        Root rays, with an element ray for each that matches.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a number is not finite or a size is negative.
    """
    context = require_context()
    rays = rays_through_region(context.result, x, y, width, height)
    where = (
        f"the region from ({in_words(x)}, {in_words(y)}), {in_words(width)} wide and"
        f" {in_words(height)} high"
    )
    return rays_answer(context, rays, f"passes {where}", f"pass {where}")


TOOL = AnalysisTool(
    function=find_rays_through_region,
    asks="rays through the region at ({x}, {y}), {width} × {height}",
    questions=(
        "Which rays pass the region at ({x}, {y}) of width {width} and height {height} [rectangle box area]?",
    ),
)
