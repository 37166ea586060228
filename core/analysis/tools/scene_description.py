"""Tools that tell what is in the scene and where its edges lie."""

from __future__ import annotations

from core.analysis.context import require_context
from core.analysis.scene.describe import describe_edges, describe_scene


def describe_scene_xml(wavelength: float = 540.0, tolerance: float = 0.0) -> str:
    """
    Describe the scene: its settings, every object with its properties, size and refractive index, and which bodies touch.

    Start here: the names in the answer are those that the other tools take.

    Args:
        wavelength: Wavelength in nm that refractive indices are told for; it matters only where the scene simulates colours.
        tolerance: How far apart, in scene units, surfaces may lie and still count as touching; 0 for as near as a trace takes for one.

    Returns:
        XML string with the root scene.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the wavelength or the tolerance is none.
    """
    return describe_scene(require_context(), "xml", wavelength, tolerance)


def describe_edges_xml(object_name: str = "", wavelength: float = 540.0, tolerance: float = 0.0) -> str:
    """
    Describe the edges of a glass or mirror, or of all: labels, form, ends, length, outward normal, and the media on both sides.

    Args:
        object_name: Name of a glass or a mirror in the scene; empty for all of them.
        wavelength: Wavelength in nm that refractive indices are told for; it matters only where the scene simulates colours.
        tolerance: How far apart, in scene units, surfaces may lie and still count as touching; 0 for as near as a trace takes for one.

    Returns:
        XML string with the root edges: an object element for each, in it an edge element for each edge, and in that a part element for
        each part with the same media on both sides.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match; the text lists what exists.
    """
    return describe_edges(require_context(), object_name, "xml", wavelength, tolerance)
