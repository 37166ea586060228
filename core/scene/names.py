"""Finding objects by the names people and tools say. Names are matched exactly."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import RaybenchError, elided, in_quotes
from core.kinds.glasses import GlassBody
from core.kinds.object import SceneObject
from core.scene.scene import Scene

MOST_PARTS = 12
"""Parts of one instance that an error lists."""


class UnknownName(RaybenchError):
    """No object, or more than one, answers to a name."""


def object_named(scene: Scene, name: str) -> SceneObject:
    """The object that answers to ``name``: its own name or, without one, its alias. Parts of an instance answer to ``Instance/Part``.

    Raises UnknownName, listing what exists, if there is none or more than one.
    """
    everything = [o for outer in scene.objects for o in scene.with_parts_of(outer)]
    found = [o for o in everything if o.name == name and name] or [o for o in everything if not o.name and o.alias == name]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(str(scene.index_of(scene.owner_of(o.key))) for o in found)
        clash = f"Ambiguous: {len(found)} objects are named {in_quotes(name)}."
        raise UnknownName(f"{clash} Rename one of them (objects {places} of the scene).")
    named = _listed(scene, lambda o: bool(o.name))
    unnamed = _listed(scene, lambda o: not o.name)
    text = f"No object named {in_quotes(str(name))}. Named objects: {named if named else '(none)'}"
    raise UnknownName(text + (f" Unnamed objects answer to: {unnamed}" if unnamed else ""))


def glass_named(scene: Scene, name: str) -> GlassBody:
    """The glass that answers to ``name``; UnknownName if the object is none."""
    found = object_named(scene, name)
    if isinstance(found, GlassBody):
        return found
    glasses = _listed(scene, lambda o: isinstance(o, GlassBody))
    raise UnknownName(f"{in_quotes(name)} is a {found.type}, not a glass. Glass objects: {glasses if glasses else '(none)'}")


def _listed(scene: Scene, wanted: Callable[[SceneObject], bool]) -> list[str]:
    """What some objects answer to; of the parts of an instance only the first."""
    out: list[str] = []
    for outer in scene.objects:
        titles = [elided(o.title) for o in scene.with_parts_of(outer) if wanted(o)]
        out += titles[:MOST_PARTS]
        if len(titles) > MOST_PARTS:
            out.append(f"{elided(outer.title)}/… ({len(titles) - MOST_PARTS} more)")
    return out
