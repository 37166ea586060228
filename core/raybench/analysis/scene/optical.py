"""Optical objects by name: those that light meets, and sources."""

from __future__ import annotations

from collections.abc import Sequence

from raybench.errors import elided, first_of, in_quotes, with_article
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.scene.names import UnknownName, object_named
from raybench.scene.scene import Scene

LISTED = 12
"""Maximum number of names in an error message."""


def met_named(scene: Scene, name: str) -> tuple[int, SceneObject]:
    """The object with a name that light can meet, and its index among the optical objects.

    Raises UnknownName, which lists the existing names, if there is none or if light does not meet
    it.
    """
    obj = object_named(scene, name)
    index = next((i for i, o in enumerate(scene.optical) if o is obj), -1)
    if index < 0 or isinstance(obj, Source) or not edges_of(obj):
        titles = [o.title for o in scene.optical if not isinstance(o, Source) and edges_of(o)]
        raise UnknownName(
            f"{in_quotes(name)} is {with_article(obj.noun)}, which light does not meet. Name one"
            f" of: {names_listed(titles)}"
        )
    return index, obj


def source_named(scene: Scene, name: str) -> tuple[int, SceneObject]:
    """The source with a name, and its index among the optical objects. Raises UnknownName, which
    lists the sources.
    """
    obj = object_named(scene, name)
    index = next((i for i, o in enumerate(scene.optical) if o is obj and isinstance(o, Source)), -1)
    if index < 0:
        titles = [o.title for o in scene.optical if isinstance(o, Source)]
        raise UnknownName(
            f"{in_quotes(name)} is {with_article(obj.noun)}, not a source. Sources:"
            f" {names_listed(titles)}"
        )
    return index, obj


def names_listed(titles: Sequence[str], most: int = LISTED) -> str:
    """Names for an error message or an attribute: the first of them, and how many more there are."""
    return first_of([elided(t, 40) for t in titles], most) or "(none)"
