"""Tools for language models and scripts: strings and numbers in, XML out, about the active scene and its light.

Register a scene once with `set_context_from_result`, then call any tool. Every answer's revision says which trace it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.analysis.context import (
    ToolContext,
    clear_context,
    get_context,
    require_context,
    set_context,
    set_context_from_result,
)
from core.analysis.ray_queries import rays_by_angle, rays_by_polarization, rays_inside, rays_touching
from core.analysis.rays_xml import rays_to_xml
from core.scene.glasses import GlassBody
from core.scene.labels import LabelledEdge, edge_labelled, labelled_edges
from core.scene.names import glass_named, object_named
from core.scene.object import SceneObject
from core.scene.scene import Scene
from core.trace.result import RaySet, Segments

__all__ = [
    "clear_context",
    "find_rays_by_angle_to_edge_xml",
    "find_rays_by_polarization_xml",
    "find_rays_crossing_edge_xml",
    "find_rays_inside_glass_xml",
    "get_context",
    "get_object_by_name",
    "rays_to_xml",
    "set_context",
    "set_context_from_result",
]


def get_object_by_name(scene: Scene, name: str) -> SceneObject:
    """
    Find an object of a scene by its exact name.

    Args:
        scene: The scene to look in.
        name: The object's name; an object without one answers to the name it is shown under, such as "Glass 2".

    Returns:
        The object.

    Raises:
        ValueError: If no object, or more than one, answers to the name; the text lists those that exist.
    """
    return object_named(scene, name)


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
    return _answer(context, rays_inside(context.result, glass_named(context.scene, glass_name)))


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
    return _answer(context, rays_touching(context.result, *_glass_edge(context, glass_name, edge_label)))


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
    glass, edge = _glass_edge(context, glass_name, edge_label)
    return _answer(context, rays_by_angle(context.result, glass, edge, min_angle, max_angle))


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
    return _answer(context, rays_by_polarization(context.result, min_dop, max_dop))


def _glass_edge(context: ToolContext, glass_name: str, edge_label: str) -> tuple[GlassBody, LabelledEdge]:
    glass = glass_named(context.scene, glass_name)
    return glass, edge_labelled(glass, str(edge_label), _user_labels(context, glass))


def _user_labels(context: ToolContext, obj: SceneObject) -> Mapping[int, str]:
    return context.edge_labels.get(obj.key, {})


def _answer(context: ToolContext, rays: RaySet) -> str:
    context.note(rays)
    optical = context.scene.optical

    def edge_name(hit: int, edge: int) -> str:
        labelled: Any = labelled_edges(optical[hit], _user_labels(context, optical[hit])) if hit < len(optical) else ()
        return next((e.title for e in labelled if e.index == edge), str(edge))

    return rays_to_xml(Segments(context.result, rays.rows), unit=context.unit, edge_name=edge_name)
