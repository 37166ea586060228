"""Finding objects by the names people and tools say. Names are matched exactly."""

from __future__ import annotations

from core.errors import RaybenchError
from core.scene.glasses import GlassBody
from core.scene.object import SceneObject
from core.scene.scene import Scene


class UnknownName(RaybenchError):
    """No object, or more than one, answers to a name."""


def object_named(scene: Scene, name: str) -> SceneObject:
    """The object that answers to ``name``: its own name or, without one, its alias.

    Raises UnknownName, listing what exists, if there is none or more than one.
    """
    found = [o for o in scene.objects if o.name == name and name] or [o for o in scene.objects if not o.name and o.alias == name]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(str(scene.index_of(o.key)) for o in found)
        raise UnknownName(f"Ambiguous: {len(found)} objects are named '{name}'. Rename one of them (objects {places} of the scene).")
    named = [o.name for o in scene.objects if o.name]
    unnamed = [o.alias for o in scene.objects if not o.name]
    text = f"No object named '{name}'. Named objects: {named if named else '(none)'}"
    raise UnknownName(text + (f" Unnamed objects answer to: {unnamed}" if unnamed else ""))


def glass_named(scene: Scene, name: str) -> GlassBody:
    """The glass that answers to ``name``; UnknownName if the object is none."""
    found = object_named(scene, name)
    if isinstance(found, GlassBody):
        return found
    glasses = [o.title for o in scene.objects if isinstance(o, GlassBody)]
    raise UnknownName(f"'{name}' is a {found.type}, not a glass. Glass objects: {glasses if glasses else '(none)'}")
