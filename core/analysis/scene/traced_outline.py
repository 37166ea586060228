"""The outline of an object as traced: for a lens defined by focal distances it depends on whether the scene simulates colours."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from core.kinds.lenses import SphericalLens
from core.kinds.object import SceneObject
from core.kinds.outline import Edge, edges_of
from core.scene.scene import Scene

Kind = TypeVar("Kind", bound=SceneObject)


def as_traced(obj: Kind, scene: Scene | None) -> Kind:
    """The object with the outline it has in a trace of ``scene``; only lenses defined by focal distances differ from ``obj``.

    The radii of such a lens follow from its index, which depends on whether the scene simulates colours. Key and name are kept.
    """
    if scene is not None and isinstance(obj, SphericalLens) and obj.path is None and scene.settings.simulate_colors:
        return replace(obj, path=obj.outline(simulate_colors=True), params=None)
    return obj


def edges_as_traced(obj: SceneObject, scene: Scene | None) -> tuple[Edge, ...]:
    """The edges of an object as in a trace of ``scene``."""
    return edges_of(obj, scene is not None and scene.settings.simulate_colors)
