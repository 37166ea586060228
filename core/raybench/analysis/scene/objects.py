"""The objects of a scene for queries: found by name, with the outline that was traced; and systems,
which are several objects treated as one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar, cast

from raybench.analysis.geometry.containment import bounding_box_of_edges
from raybench.errors import elide_text, in_quotes, list_first_texts, with_article
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.detectors import Detector
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges, with_colour_outline
from raybench.kinds.sources import Source
from raybench.scene.document import NO_ANNOTATIONS, Groups
from raybench.scene.names import UnknownName, nearest_titles, object_named
from raybench.scene.scene import Scene
from raybench.shapes.curves import Box

Kind = TypeVar("Kind", bound=SceneObject)


def object_as_traced(obj: Kind, scene: Scene | None) -> Kind:
    """A copy of an object with the outline that the tracer uses for it in ``scene``. Key and name
    are kept.
    """
    if scene is None or not scene.settings.simulate_colors:
        return obj
    return with_colour_outline(obj)


def edges_as_traced(obj: SceneObject, scene: Scene | None) -> tuple[Edge, ...]:
    """The edges that the tracer uses for an object in ``scene``."""
    return object_edges(obj, scene is not None and scene.settings.simulate_colors)


def box_as_traced(obj: SceneObject, scene: Scene | None) -> Box:
    """The bounding box of the edges that the tracer uses for an object in ``scene``. Without edges
    it is the empty box, from infinity to minus infinity.
    """
    traced = object_as_traced(obj, scene)
    if "box" not in traced.derived_values:
        traced.derived_values["box"] = bounding_box_of_edges(object_edges(traced))
    return cast(Box, traced.derived_values["box"])


MOST_LISTED = 12
"""Maximum number of groups that an error lists."""


@dataclass(frozen=True)
class System:
    """Several objects that are measured as one. Light arrives at the system once, and leaves it
    when it does not run directly to another member.

    ``members``: optical-object indices of the members; detectors are members only if the system has
    no other. ``key``: the key of a module instance, the name of a group, or the names of several
    objects. Keys stay valid when the objects are edited.
    """

    title: str
    key: int | str
    members: tuple[int, ...]
    noun: ClassVar[str] = "group"


def systems_in_scene(scene: Scene, groups: Groups = NO_ANNOTATIONS) -> Iterator[System]:
    """The module instances and groups of a scene that contain objects which light can meet."""
    held: list[tuple[str, int | str, frozenset[int]]] = [
        (o.title, o.key, frozenset({o.key})) for o in scene.objects if isinstance(o, ModuleObj)
    ]
    held += [
        (name, name, keys)
        for name, keys in groups.items()
        if all(o.title != name for o in scene.objects)
    ]
    for title, key, keys in held:
        every = scene.keys_with_parts(keys)
        met = [
            (i, o)
            for i, o in enumerate(scene.optical)
            if o.key in every and not isinstance(o, Source) and object_edges(o)
        ]
        members = [i for i, o in met if not isinstance(o, Detector)] or [i for i, _ in met]
        if members:
            yield System(title, key, tuple(members))


def object_or_system_named(scene: Scene, groups: Groups, name: str) -> SceneObject | System:
    """The object or system with a name; a name may join several objects. Raises UnknownName, which
    suggests similar names.
    """
    named = (
        [s for s in systems_in_scene(scene, groups) if s.title == name]
        if str(name) in groups
        else []
    )
    if len(named) == 1:
        return named[0]
    try:
        obj = object_named(scene, name)
    except UnknownName as error:
        if (joined := system_of_joined_objects(scene, groups, name)) is not None:
            return joined
        if not groups:
            raise
        near = nearest_titles(str(name), groups)
        meant = f" Did you mean the group {' or '.join(map(in_quotes, near))}?" if near else ""
        raise UnknownName(
            f"{error} Groups: {', '.join(list(groups)[:MOST_LISTED])}.{meant}"
        ) from None
    return next((s for s in systems_in_scene(scene) if s.key == obj.key), obj)


def system_of_joined_objects(scene: Scene, groups: Groups, joined_name: str) -> System | None:
    """The system of several objects or groups that are joined in a name, such as ``Objective +
    Eyepiece``; None for other names.
    """
    titles = str(joined_name).split(NAME_SEPARATOR)
    if len(titles) < 2:
        return None
    keys: set[int] = set()
    for title in titles:
        try:
            keys |= groups[title] if title in groups else {object_named(scene, title).key}
        except UnknownName:
            return None
    return next(
        (
            s
            for s in systems_in_scene(scene, {joined_name: frozenset(keys)})
            if s.key == joined_name
        ),
        None,
    )


NAME_SEPARATOR = " + "
"""What stands between the names of several objects that are measured as one."""
MOST_LISTED_NAMES = 12
"""Maximum number of names in an error message."""


def optical_object_named(scene: Scene, name: str) -> tuple[int, SceneObject]:
    """The object with a name, and its index among the optical objects. Raises UnknownName, which
    lists the existing names, if there is none or if light cannot meet it.
    """
    obj = object_named(scene, name)
    index = next((i for i, o in enumerate(scene.optical) if o is obj), -1)
    if index < 0 or isinstance(obj, Source) or not object_edges(obj):
        titles = [o.title for o in scene.optical if not isinstance(o, Source) and object_edges(o)]
        raise UnknownName(
            f"{in_quotes(name)} is {with_article(obj.noun)}, which light does not meet. Name one"
            f" of: {list_names(titles)}"
        )
    return index, obj


def source_named(scene: Scene, name: str) -> tuple[int, SceneObject]:
    """The source with a name, and its index among the optical objects. Raises UnknownName, which
    lists all sources.
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


def list_names(titles: Sequence[str], most: int = MOST_LISTED_NAMES) -> str:
    """A list of names as text: the first ``most`` names, and the number of the others."""
    return list_first_texts([elide_text(t, 40) for t in titles], most) or "(none)"
