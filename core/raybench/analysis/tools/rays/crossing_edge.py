"""Which rays cross an edge of a glass?"""

from __future__ import annotations

import re

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.rays.ray_queries import rays_crossing
from raybench.analysis.tools.phrases import Phrases, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.tool import AnalysisTool
from raybench.analysis.tools.unclear import Unclear
from raybench.kinds.glasses import GlassBody
from raybench.scene.labels import labelled_edges

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


def _understood(question: PlainQuestion) -> Understanding:
    clauses = question.clauses()
    met = clauses.take(
        r"(?:cross(?:es|ing)?|(?:pass(?:es)?"
        r" )?through|hit(?:s|ting)?|meet(?:s|ing)?|touch(?:es|ing)?|reach(?:es)?|strikes?)"
    )
    found = clauses.edge()
    if found is None and met is not None and met[0].endswith("through"):
        body = clauses.object("{o}")
        found = (
            (body, None)
            if isinstance(body, GlassBody)
            else body
            if isinstance(body, Unclear)
            else None
        )
    if found is None:
        return None
    if isinstance(found, Unclear):
        return clauses.ask(found.problem)
    body, edge = found
    if not isinstance(body, GlassBody) or (met is None and edge is None):
        return None
    if edge is None:
        labels = (
            e.title for e in labelled_edges(body, clauses.document.edge_labels.get(body.key, {}))
        )
        return clauses.ask(f"Which edge of {body.title}? It has: {', '.join(labels)}.")
    arriving = (
        {"direction": "arriving"}
        if met is not None and re.match("hit|meet|reach|strike", met[0])
        else {}
    )
    return clauses.whole({"glass_name": body.title, "edge_label": edge.title} | arriving)


PHRASES = Phrases("which rays cross edge {edge} of {glass_name}", understood=_understood)
TOOL = AnalysisTool(
    function=find_rays_crossing_edge,
    asks="rays crossing edge {edge_label} of {glass_name}",
    phrases=PHRASES,
    limit=1000,
)
