"""Which rays meet glass near its critical angle?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.incidence import rays_near_critical
from raybench.analysis.rays.placed_rows import placed
from raybench.analysis.tools.tool import AnalysisTool


def find_rays_near_critical_angle(within: float = 5.0) -> Answer:
    """Find rays that are refracted at glass, but nearly totally reflected: their angle of
    incidence is just below the critical angle.

    For light that enters the denser medium, where there is no critical angle, grazing incidence (90
    degrees) counts instead.

    Args:
        within: Largest distance from the critical angle, in degrees, 0 to 90.

    Returns:
        Root rays, with an element ray for each that matches.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If within is out of range.
    """
    context = require_context()
    rays = rays_near_critical(
        placed(context.result, context.scene), context.scene, within, context.disabled
    )
    where = f"glass within {in_words(within)}° of its critical angle"
    return rays_answer(context, rays, f"meets {where}", f"meet {where}")


TOOL = AnalysisTool(
    function=find_rays_near_critical_angle,
    asks="rays within {within}° of the critical angle",
    questions=(
        "Which rays are near the critical angle [close nearly almost]?",
        "Which rays are within {within} of the critical angle?",
    ),
)
