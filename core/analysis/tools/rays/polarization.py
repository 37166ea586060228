"""Which rays are polarized, and how much?"""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.answers.answer import Answer
from core.analysis.answers.rays_xml import rays_answer
from core.analysis.answers.words import in_words
from core.analysis.context import require_context
from core.analysis.rays.ray_facts import rays_by_polarization
from core.analysis.tools.plain_question import PlainQuestion, Unclear
from core.analysis.tools.tool import AnalysisTool


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


def _understood(question: PlainQuestion) -> Mapping[str, object] | Unclear | None:
    if not question.about_polarization:
        return None
    least, most = question.range(0.0, 1.0) or _named_degree(question)
    return {"min_dop": least, "max_dop": most}


def _named_degree(question: PlainQuestion) -> tuple[float, float]:
    """The range of the degree of polarization for words such as ``unpolarized``."""
    if question.has(r"un-?polari|not polari|no polari"):
        return 0.0, 0.1
    if question.has(r"(fully|completely|perfectly|totally)\s+polari"):
        return 0.99, 1.0
    if question.has(r"(weakly|slightly|little|hardly)\s+polari"):
        return 0.0, 0.3
    return (0.5, 1.0) if question.has(r"polari[sz]ed") else (0.0, 1.0)


TOOL = AnalysisTool(function=find_rays_by_polarization, asks="rays polarized by {min_dop} to {max_dop}", phrases=_understood)
