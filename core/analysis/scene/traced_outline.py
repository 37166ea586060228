"""The outline of an object as traced: for some kinds it depends on whether the scene simulates colours."""

from __future__ import annotations

from typing import Any, TypeVar

from core.kinds.kinds import row_of
from core.kinds.object import SceneObject
from core.kinds.outline import Edge, edges_of
from core.scene.scene import Scene

Kind = TypeVar("Kind", bound=SceneObject)


def as_traced(obj: Kind, scene: Scene | None) -> Kind:
    """The object with the outline it has in a trace of ``scene``. Key and name are kept."""
    if scene is None or not scene.settings.simulate_colors:
        return obj
    traced: Any = row_of(obj).in_colours(obj)
    return traced  # type: ignore[no-any-return]


def edges_as_traced(obj: SceneObject, scene: Scene | None) -> tuple[Edge, ...]:
    """The edges of an object as in a trace of ``scene``."""
    return edges_of(obj, scene is not None and scene.settings.simulate_colors)
