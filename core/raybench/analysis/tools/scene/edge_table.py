"""Where are the edges of the glasses and mirrors, and what lies on both sides?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.context import require_context
from raybench.analysis.scene.describe import describe_edges as edges_answer
from raybench.analysis.tools.tool import AnalysisTool
from raybench.optics.colour import GREEN


def describe_edges(
    object_name: str = "", wavelength: float = GREEN, tolerance: float = 0.0
) -> Answer:
    """Describe the edges of a glass, mirror or group, or of all: labels, shape, ends, length,
    outward normal, and the media on both sides.

    Args:
        object_name: Name of a glass, a mirror or a group in the scene; empty for all glasses and
            mirrors.
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates
            colours.
        tolerance: Maximum distance, in scene units, of surfaces that count as touching; 0 for the
            tolerance of the tracer.

    Returns:
        Root edges: an object element for each, in it an edge element for each edge, and in that a
        part element for each part with the same media on both sides. For one object limit and
        offset count its edges; of several, each lists its first ones, and edges_left counts the
        others.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match; the message lists the existing names.
    """
    return edges_answer(require_context(), object_name, wavelength, tolerance)


TOOL = AnalysisTool(
    function=describe_edges,
    asks="edges of {object_name|all glasses and mirrors}",
    questions=(
        "What are the edges of {object_name:edged}?",
        "Which edges does {object_name:edged} have [surfaces labels]?",
        "What are the radii of curvature of {object_name:edged} [radius]?",
    ),
    fits=True,
    needs_light=False,
)
