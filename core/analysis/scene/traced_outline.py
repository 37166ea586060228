"""The outline that an object has in a trace of its scene: that of a lens given by its focal distances depends on the scene's colours."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from core.kinds.lenses import SphericalLens
from core.kinds.object import SceneObject
from core.kinds.outline import Edge, edges_of
from core.scene.scene import Scene

Kind = TypeVar("Kind", bound=SceneObject)


def as_traced(obj: Kind, scene: Scene | None) -> Kind:
    """The object with the outline that a trace of its scene gives it: a lens given by its focal distances has its radii from the index
    that it has in that scene, with colours or without. Key and names stay."""
    if scene is not None and isinstance(obj, SphericalLens) and obj.path is None and scene.settings.simulate_colors:
        return replace(obj, path=obj.outline(simulate_colors=True), params=None)
    return obj


def edges_as_traced(obj: SceneObject, scene: Scene | None) -> tuple[Edge, ...]:
    """The edges of an object as a trace of its scene takes them."""
    return edges_of(obj, scene is not None and scene.settings.simulate_colors)
