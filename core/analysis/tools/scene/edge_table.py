"""Where are the edges of the glasses and mirrors, and what lies on both sides?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.analysis.answers.answer import Answer
from core.analysis.answers.words import in_words
from core.analysis.context import require_context
from core.analysis.scene.describe import describe_edges as edges_answer
from core.analysis.tools.tool import NO_PHRASES, AnalysisTool


def describe_edges(object_name: str = "", wavelength: float = 540.0, tolerance: float = 0.0) -> Answer:
    """
    Describe the edges of a glass or mirror, or of all: labels, form, ends, length, outward normal, and the media on both sides.

    Args:
        object_name: Name of a glass or a mirror in the scene; empty for all of them.
        wavelength: Wavelength in nm that refractive indices are given for; it matters only where the scene simulates colours.
        tolerance: How far apart, in scene units, surfaces may lie and still count as touching; 0 for as near as a trace takes for one.

    Returns:
        Root edges: an object element for each, in it an edge element for each edge, and in that a part element for
        each part with the same media on both sides.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match; the text lists what exists.
    """
    return edges_answer(require_context(), object_name, wavelength, tolerance)


def _asks(arguments: Mapping[str, Any]) -> str:
    return f"edges of {in_words(arguments.get('object_name') or 'all glasses and mirrors')}"


TOOL = AnalysisTool(function=describe_edges, asks=_asks, phrases=NO_PHRASES)
