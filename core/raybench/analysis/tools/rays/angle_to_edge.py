"""Which rays meet an edge of a glass at an angle within a range?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_queries import rays_by_angle
from raybench.analysis.tools.clauses import DEGREES
from raybench.analysis.tools.phrases import Phrases, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.tool import AnalysisTool
from raybench.analysis.tools.unclear import Unclear
from raybench.kinds.glasses import GlassBody
from raybench.scene.labels import labelled_edges


def find_rays_by_angle_to_edge(
    glass_name: str,
    edge_label: str,
    min_angle: float = 0.0,
    max_angle: float = 90.0,
) -> Answer:
    """
    Find rays that touch a named glass edge at an angle within a range.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its
            index.
        min_angle: Minimum angle from the edge's normal in degrees, 0 is perpendicular to the edge.
        max_angle: Maximum angle from the edge's normal in degrees, 90 is along the edge.

    Returns:
        Root rays, with an element ray for each that matches.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or the range is invalid; the message lists the existing
            names.
    """
    context = require_context()
    glass, edge = context.glass_edge(glass_name, edge_label)
    rays = rays_by_angle(context.result, glass, edge, min_angle, max_angle)
    where = (
        f"edge {in_words(edge_label)} of {in_words(glass_name)} at {in_words(min_angle)}° to"
        f" {in_words(max_angle)}° from its normal"
    )
    return rays_answer(context, rays, f"meets {where}", f"meet {where}")


def _understood(question: PlainQuestion) -> Understanding:
    clauses = question.clauses()
    angle = clauses.angle()
    if angle is None and not clauses.take("angles?(?: of incidence)?"):
        return None
    found = clauses.edge()
    if found is None or (not isinstance(found, Unclear) and not isinstance(found[0], GlassBody)):
        return None
    clauses.take(
        r"cross(?:es|ing)?|hit(?:s|ting)?|meet(?:s|ing)?|touch(?:es|ing)?|reach(?:es)?|to|strikes?"
    )
    if isinstance(found, Unclear):
        return clauses.ask(found.problem)
    body, edge = found
    if edge is None:
        labels = (
            e.title for e in labelled_edges(body, clauses.document.edge_labels.get(body.key, {}))
        )
        return clauses.ask(f"Which edge of {body.title}? It has: {', '.join(labels)}.")
    angle = angle or clauses.range_of("", DEGREES, 90.0)
    least, most = (angle.least, angle.most) if angle is not None else (0.0, 90.0)
    return clauses.whole(
        {"glass_name": body.title, "edge_label": edge.title, "min_angle": least, "max_angle": most}
    )


PHRASES = Phrases(
    "which rays meet edge {edge} of {glass_name} at more than {angle}", understood=_understood
)
TOOL = AnalysisTool(
    function=find_rays_by_angle_to_edge,
    asks="rays at {min_angle}° to {max_angle}° to edge {edge_label} of {glass_name}",
    phrases=PHRASES,
    limit=1000,
)
