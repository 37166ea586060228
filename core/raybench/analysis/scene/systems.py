"""Systems: several objects taken as one, such as the lenses of a telescope: a group by its name, or
an instance of a module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from raybench.errors import in_quotes
from raybench.kinds.detectors import Detector
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.scene.document import NONE, Groups
from raybench.scene.names import UnknownName, nearest, object_named
from raybench.scene.scene import Scene

MOST_LISTED = 12
"""Maximum number of groups that an error lists."""


@dataclass(frozen=True)
class System:
    """Objects that are measured as one: light arrives at it once, and leaves it where it goes
    straight on to no other of its members.

    ``members``: indices among the scene's optical objects of those that light meets; detectors,
    which change no light, are members only of a system without others. ``key``: that of the module
    instance, or the name of the group, which stay when the objects are edited.
    """

    title: str
    key: int | str
    members: tuple[int, ...]
    noun: ClassVar[str] = "group"


def systems(scene: Scene, groups: Groups = NONE) -> Iterator[System]:
    """The instances of modules and the groups of a scene that have objects which light meets."""
    held: list[tuple[str, int | str, frozenset[int]]] = [
        (o.title, o.key, frozenset({o.key})) for o in scene.objects if isinstance(o, ModuleObj)
    ]
    held += [
        (name, name, keys)
        for name, keys in groups.items()
        if all(o.title != name for o in scene.objects)
    ]
    for title, key, keys in held:
        every = scene.with_parts(keys)
        met = [
            (i, o)
            for i, o in enumerate(scene.optical)
            if o.key in every and not isinstance(o, Source) and edges_of(o)
        ]
        members = [i for i, o in met if not isinstance(o, Detector)] or [i for i, _ in met]
        if members:
            yield System(title, key, tuple(members))


def thing_named(scene: Scene, groups: Groups, name: str) -> SceneObject | System:
    """The object or the system with a name. Raises UnknownName, which suggests the nearest names,
    if there is none.
    """
    named = [s for s in systems(scene, groups) if s.title == name] if str(name) in groups else []
    if len(named) == 1:
        return named[0]
    try:
        obj = object_named(scene, name)
    except UnknownName as error:
        if not groups:
            raise
        near = nearest(str(name), groups)
        meant = f" Did you mean the group {' or '.join(map(in_quotes, near))}?" if near else ""
        raise UnknownName(
            f"{error} Groups: {', '.join(list(groups)[:MOST_LISTED])}.{meant}"
        ) from None
    return next((s for s in systems(scene) if s.key == obj.key), obj)
