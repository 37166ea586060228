"""Tools for language models and scripts: strings and numbers in, XML out, about the active scene and its light.

Register a scene once with `set_context_from_result`, then call any tool. Every answer's revision says which trace it is about.
"""

from __future__ import annotations

from core.analysis.answers.rays_xml import rays_to_xml
from core.analysis.context import clear_context, get_context, set_context, set_context_from_result
from core.analysis.tools.detectors import detector_xml
from core.analysis.tools.focus import focus_xml
from core.analysis.tools.fresnel import fresnel_xml, tir_analysis_xml
from core.analysis.tools.light_paths import (
    find_bright_paths_through_edge_xml,
    find_ghosts_xml,
    find_paths_xml,
    rank_paths_by_energy_xml,
    ray_path_xml,
)
from core.analysis.tools.power_balance import check_energy_conservation_xml, detect_tir_traps_xml, ray_statistics_xml
from core.analysis.tools.ray_search import (
    find_rays_by_angle_to_edge_xml,
    find_rays_by_polarization_xml,
    find_rays_crossing_edge_xml,
    find_rays_inside_glass_xml,
)
from core.analysis.tools.scene_description import describe_edges_xml, describe_scene_xml
from core.analysis.tools.sql import query_rays_xml
from core.kinds.object import SceneObject
from core.scene.names import object_named
from core.scene.scene import Scene

__all__ = [
    "check_energy_conservation_xml",
    "clear_context",
    "describe_edges_xml",
    "describe_scene_xml",
    "detect_tir_traps_xml",
    "detector_xml",
    "find_bright_paths_through_edge_xml",
    "find_ghosts_xml",
    "find_paths_xml",
    "find_rays_by_angle_to_edge_xml",
    "find_rays_by_polarization_xml",
    "find_rays_crossing_edge_xml",
    "find_rays_inside_glass_xml",
    "focus_xml",
    "fresnel_xml",
    "get_context",
    "get_object_by_name",
    "query_rays_xml",
    "rank_paths_by_energy_xml",
    "ray_path_xml",
    "ray_statistics_xml",
    "rays_to_xml",
    "set_context",
    "set_context_from_result",
    "tir_analysis_xml",
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
