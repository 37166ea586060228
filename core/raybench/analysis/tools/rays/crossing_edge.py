"""Which rays cross an edge of a glass?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_queries import rays_crossing
from raybench.analysis.tools.tool import AnalysisTool

_WORDS = {
    "any": ("crosses", "cross"), "entering": ("enters through", "enter through"), "leaving": ("leaves through", "leave through"),
    "arriving": ("ends on", "end on"), "reflected": ("is reflected at", "are reflected at"),
}  # fmt: skip


def find_rays_crossing_edge(glass_name: str, edge_label: str, direction: str = "any") -> Answer:
    """
    Find rays that cross a specific edge of a named glass object, or start or end on it.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its
            index.
        direction: "any"; "entering" or "leaving" the glass there; "arriving", that end on the edge;
            "reflected", that start on it on the
            side that their light came from.

    Returns:
        Root rays, with an element ray for each that matches.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name or edge_label doesn't match, or direction is none of these; the
            message lists those that exist.
    """
    context = require_context()
    rays = rays_crossing(context.result, *context.glass_edge(glass_name, edge_label), direction)
    edge = f"edge {in_words(edge_label)} of {in_words(glass_name)}"
    one, many = _WORDS[direction]
    return rays_answer(context, rays, f"{one} {edge}", f"{many} {edge}")


TOOL = AnalysisTool(
    function=find_rays_crossing_edge,
    asks="rays crossing edge {edge_label} of {glass_name}",
    questions=("Which rays cross edge {edge_label} of {glass_name} [meet reach hit through]?",),
    limit=1000,
)
