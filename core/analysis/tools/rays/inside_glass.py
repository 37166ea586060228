"""Which rays are inside a glass?"""

from __future__ import annotations

from core.analysis.answers.answer import Answer
from core.analysis.answers.rays_xml import rays_answer
from core.analysis.answers.words import in_words
from core.analysis.context import require_context
from core.analysis.rays.ray_queries import rays_inside
from core.analysis.tools.clauses import Unclear
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.tool import AnalysisTool, Understanding
from core.kinds.glasses import GlassBody
from core.scene.names import glass_named


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


def _understood(question: PlainQuestion) -> Understanding:
    said = question.clauses()
    body = said.object(r"(?:inside|within|in)(?: of)? {o}")
    if body is None and said.take("inside|within"):
        body = said.only("glass")
    if body is None:
        return None
    if isinstance(body, Unclear):
        return said.ask(body.problem)
    if not isinstance(body, GlassBody):
        glasses = ", ".join(o.title for o in said.document.scene.objects if isinstance(o, GlassBody))
        there = f"Glasses here: {glasses}." if glasses else "There is no glass in this scene."
        return said.ask(f"{body.title} is no glass: no ray is inside it. {there}")
    return said.whole({"glass_name": body.title})


TOOL = AnalysisTool(function=find_rays_inside_glass, asks="rays inside {glass_name}", phrases=_understood, limit=1000)
