"""The outline of an object as traced: for some kinds it depends on whether the scene simulates
colours.
"""

from __future__ import annotations

from typing import TypeVar, cast

from raybench.analysis.geometry.containment import box_around
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of, in_colours
from raybench.kinds.rows.outlines import Edge
from raybench.scene.scene import Scene
from raybench.shapes.curves import Box

Kind = TypeVar("Kind", bound=SceneObject)


def as_traced(obj: Kind, scene: Scene | None) -> Kind:
    """The object with the outline it has in a trace of ``scene``. Key and name are kept."""
    if scene is None or not scene.settings.simulate_colors:
        return obj
    return in_colours(obj)


def edges_as_traced(obj: SceneObject, scene: Scene | None) -> tuple[Edge, ...]:
    """The edges of an object as in a trace of ``scene``."""
    return edges_of(obj, scene is not None and scene.settings.simulate_colors)


def box_as_traced(obj: SceneObject, scene: Scene | None) -> Box:
    """The bounding box of an object as in a trace of ``scene``; empty, from infinity to minus
    infinity, without edges.
    """
    traced = as_traced(obj, scene)
    if "box" not in traced.derived:
        traced.derived["box"] = box_around(edges_of(traced))
    return cast(Box, traced.derived["box"])
