"""Which rays are polarized, and how much?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.question import Question
from raybench.analysis.rays.ray_facts import rays_by_polarization
from raybench.analysis.tools.tool import AnalysisTool


def find_rays_by_polarization(
    min_dop: float = 0.0,
    max_dop: float = 1.0,
) -> Answer:
    """
    Filter rays by degree of polarization.

    Args:
        min_dop: Minimum degree of polarization (0-1).
        max_dop: Maximum degree of polarization (0-1).

    Returns:
        Root rays, with an element ray for each that matches.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the range is invalid.
    """
    context = require_context()
    rays = rays_by_polarization(context.result, min_dop, max_dop)
    degree = f"a degree of polarization of {in_words(min_dop)} to {in_words(max_dop)}"
    return rays_answer(context, rays, f"has {degree}", f"have {degree}")


TOOL = AnalysisTool(
    function=find_rays_by_polarization,
    asks="rays polarized by {min_dop} to {max_dop}",
    questions=(
        Question("Which rays are polarized?", {"min_dop": 0.5}),
        Question("Which rays are unpolarized?", {"max_dop": 0.1}),
    ),
    limit=1000,
)
