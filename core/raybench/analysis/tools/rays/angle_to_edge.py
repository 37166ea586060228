"""Which rays meet an edge of a glass at an angle within a range?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_queries import rays_by_angle
from raybench.analysis.tools.tool import AnalysisTool


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


TOOL = AnalysisTool(
    function=find_rays_by_angle_to_edge,
    asks="rays at {min_angle}° to {max_angle}° to edge {edge_label} of {glass_name}",
    questions=(
        "Which rays meet edge {edge_label} of {glass_name} at more than {min_angle} [angle cross reach]?",
        "At what angle do rays meet edge {edge_label} of {glass_name}?",
    ),
    limit=1000,
)
