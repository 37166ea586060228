"""Which rays are inside a glass?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_queries import rays_inside
from raybench.analysis.tools.tool import AnalysisTool
from raybench.scene.names import glass_named


def find_rays_inside_glass(glass_name: str) -> Answer:
    """
    Find rays whose midpoint is inside a named glass object.

    Args:
        glass_name: Name of the glass object in the scene.

    Returns:
        Root rays, with an element ray for each that matches.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name doesn't match any object.
    """
    context = require_context()
    rays = rays_inside(context.result, glass_named(context.scene, glass_name))
    glass = in_words(glass_name)
    return rays_answer(context, rays, f"is inside {glass}", f"are inside {glass}")


TOOL = AnalysisTool(
    function=find_rays_inside_glass,
    asks="rays inside {glass_name}",
    questions=("Which rays are inside {glass_name}?",),
    limit=1000,
)
