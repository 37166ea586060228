"""Objects of a scene as queries see them: by name, with the outline that was traced; and systems of
objects, which are taken as one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar, cast

from raybench.analysis.geometry.containment import box_around
from raybench.errors import elide_text, in_quotes, list_first, with_article
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.detectors import Detector
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of, in_colours
from raybench.kinds.sources import Source
from raybench.scene.document import NONE, Groups
from raybench.scene.names import UnknownName, nearest_titles, object_named
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
    if "box" not in traced.derived_values:
        traced.derived_values["box"] = box_around(edges_of(traced))
    return cast(Box, traced.derived_values["box"])


MOST_LISTED = 12
"""Maximum number of groups that an error lists."""


@dataclass(frozen=True)
class System:
    """Objects that are measured as one: light arrives at the system once, and leaves it where it
    does not go straight on to another member.

    ``members``: indices among the scene's optical objects of those that light meets; detectors,
    which change no light, are members only of a system without others. ``key``: that of the module
    instance, or the name of the group, which stay when the objects are edited, or the names of
    several objects.
    """

    title: str
    key: int | str
    members: tuple[int, ...]
    noun: ClassVar[str] = "group"


def systems_of(scene: Scene, groups: Groups = NONE) -> Iterator[System]:
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


def object_or_system_named(scene: Scene, groups: Groups, name: str) -> SceneObject | System:
    """The object or the system with a name, or a system of several objects named together. Raises
    UnknownName, which suggests the nearest names, if there is none.
    """
    named = [s for s in systems_of(scene, groups) if s.title == name] if str(name) in groups else []
    if len(named) == 1:
        return named[0]
    try:
        obj = object_named(scene, name)
    except UnknownName as error:
        if (joined := joined_objects(scene, groups, name)) is not None:
            return joined
        if not groups:
            raise
        near = nearest_titles(str(name), groups)
        meant = f" Did you mean the group {' or '.join(map(in_quotes, near))}?" if near else ""
        raise UnknownName(
            f"{error} Groups: {', '.join(list(groups)[:MOST_LISTED])}.{meant}"
        ) from None
    return next((s for s in systems_of(scene) if s.key == obj.key), obj)


def joined_objects(scene: Scene, groups: Groups, name: str) -> System | None:
    """Several objects or groups as one, such as ``Objective + Eyepiece``; None for another name."""
    titles = str(name).split(JOINED)
    if len(titles) < 2:
        return None
    keys: set[int] = set()
    for title in titles:
        try:
            keys |= groups[title] if title in groups else {object_named(scene, title).key}
        except UnknownName:
            return None
    return next((s for s in systems_of(scene, {name: frozenset(keys)}) if s.key == name), None)


JOINED = " + "
"""What stands between the names of several objects that are measured as one."""
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
            f" of: {list_names(titles)}"
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
            f" {list_names(titles)}"
        )
    return index, obj


def list_names(titles: Sequence[str], most: int = LISTED) -> str:
    """Names for an error message or an attribute: the first of them, and how many more there are."""
    return list_first([elide_text(t, 40) for t in titles], most) or "(none)"
