"""Tools that find rays by where they are and what light they carry."""

from __future__ import annotations

from core.analysis.answers.rays_xml import rays_answer
from core.analysis.context import require_context
from core.analysis.rays.ray_facts import rays_by_polarization
from core.analysis.rays.ray_queries import rays_by_angle, rays_inside, rays_touching
from core.scene.names import glass_named


def find_rays_inside_glass_xml(glass_name: str) -> str:
    """
    Find rays whose midpoint is inside a named glass object.

    Args:
        glass_name: Name of the glass object in the scene.

    Returns:
        XML string describing the matching rays.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name doesn't match any object.
    """
    context = require_context()
    return rays_answer(context, rays_inside(context.result, glass_named(context.scene, glass_name)))


def find_rays_crossing_edge_xml(glass_name: str, edge_label: str) -> str:
    """
    Find rays that cross a specific edge of a named glass object, or start or end on it.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its index.

    Returns:
        XML string describing the matching rays.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name or edge_label doesn't match; the text lists what exists.
    """
    context = require_context()
    return rays_answer(context, rays_touching(context.result, *context.glass_edge(glass_name, edge_label)))


def find_rays_by_angle_to_edge_xml(
    glass_name: str,
    edge_label: str,
    min_angle: float = 0.0,
    max_angle: float = 90.0,
) -> str:
    """
    Find rays that touch a named glass edge at an angle within a range.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its index.
        min_angle: Minimum angle from the edge's normal in degrees, 0 is perpendicular to the edge.
        max_angle: Maximum angle from the edge's normal in degrees, 90 is along the edge.

    Returns:
        XML string describing the matching rays.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or the range is wrong; the text says what exists.
    """
    context = require_context()
    glass, edge = context.glass_edge(glass_name, edge_label)
    return rays_answer(context, rays_by_angle(context.result, glass, edge, min_angle, max_angle))


def find_rays_by_polarization_xml(
    min_dop: float = 0.0,
    max_dop: float = 1.0,
) -> str:
    """
    Filter rays by degree of polarization.

    Args:
        min_dop: Minimum degree of polarization (0-1).
        max_dop: Maximum degree of polarization (0-1).

    Returns:
        XML string describing the matching rays.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the range is wrong.
    """
    context = require_context()
    return rays_answer(context, rays_by_polarization(context.result, min_dop, max_dop))
