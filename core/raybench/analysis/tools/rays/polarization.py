"""Which rays are polarized, and how much?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_facts import rays_by_polarization
from raybench.analysis.tools.phrases import Phrases, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion
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


def _understood(question: PlainQuestion) -> Understanding:
    clauses = question.clauses()
    degree = clauses.polarization()
    return (
        None if degree is None else clauses.whole({"min_dop": degree.least, "max_dop": degree.most})
    )


PHRASES = Phrases("which rays are unpolarized", "which rays are polarized", understood=_understood)
TOOL = AnalysisTool(
    function=find_rays_by_polarization,
    asks="rays polarized by {min_dop} to {max_dop}",
    phrases=PHRASES,
    limit=1000,
)
