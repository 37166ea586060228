"""Lookup of objects by their exact names."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches

from raybench.errors import RaybenchError, elide_text, in_quotes, with_article
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document
from raybench.scene.scene import Scene

MAX_PARTS = 12
"""Maximum number of parts of one instance that an error message lists."""
MAX_LISTED = 60
"""Maximum number of names that an error message lists: what is like the name that is meant is said
after them.
"""


class UnknownName(RaybenchError):
    """A name matches no object, or more than one."""


def object_named(scene: Scene, name: str) -> SceneObject:
    """The object with this name or, for an object without a name, with this alias. A part of an
    instance is named ``Instance/Part``.

    Raises UnknownName, listing the existing names with the nearest one, if no object matches or
    several do.
    """
    everything = [o for outer in scene.objects for o in scene.with_parts_of(outer)]
    matches = [o for o in everything if o.name == name and name] or [
        o for o in everything if not o.name and o.alias == name
    ]
    if len(matches) == 1:
        return matches[0]
    if matches:
        indices = ", ".join(str(scene.index_of(scene.instance_key_of(o.key))) for o in matches)
        clash = f"Ambiguous: {len(matches)} objects are named {in_quotes(name)}."
        raise UnknownName(f"{clash} Rename one of them (objects {indices} of the scene).")
    named = _list_titles(scene, lambda o: bool(o.name))
    unnamed = _list_titles(scene, lambda o: not o.name)
    text = f"No object named {in_quotes(str(name))}. Named objects: {named if named else '(none)'}"
    text += f" Unnamed objects answer to: {unnamed}" if unnamed else ""
    near = nearest_titles(str(name), (o.title for o in everything))
    raise UnknownName(
        text + (f" Did you mean {' or '.join(map(in_quotes, near))}?" if near else "")
    )


def glass_named(scene: Scene, name: str) -> GlassBody:
    """The glass with this name. Raises UnknownName if there is no such object, or if it is not a
    glass.
    """
    obj = object_named(scene, name)
    if isinstance(obj, GlassBody):
        return obj
    glasses = _list_titles(scene, lambda o: isinstance(o, GlassBody))
    raise UnknownName(
        f"{in_quotes(name)} is {with_article(obj.noun)}, not a glass. Glass objects:"
        f" {glasses if glasses else '(none)'}"
    )


def new_name_conflicts(
    scene: Scene, after: Scene, groups: Collection[str]
) -> Iterator[tuple[SceneObject, str]]:
    """Yield each object whose new name is taken by another object, part or group, with the reason.
    Parts of instances are checked too. ``after`` is the scene after a change. Conflicts that
    existed before the change are allowed.
    """
    objects = after.objects
    same = len(objects) == len(scene.objects)
    other = (
        [o for was, o in zip(scene.objects, objects, strict=True) if o is not was]
        if same
        else objects
    )
    new = [o for o in other if o.name and ((old := scene.get(o.key)) is None or old.name != o.name)]
    if not new:
        return
    there = Counter(
        title for outer in objects for title in {o.title for o in after.with_parts_of(outer)}
    )
    for obj in new:
        for title in (o.title for o in after.with_parts_of(obj)):
            if title in groups:
                yield (
                    obj,
                    f"{in_quotes(title)} is the name of a group. Give the object another name.",
                )
            elif there[title] > 1:
                yield (
                    obj,
                    (
                        f"There is another object named {in_quotes(title)}. Give one of them"
                        " another name."
                    ),
                )


def object_names(scene: Scene) -> list[str]:
    """The names and aliases of the objects of a scene, each once."""
    return list(dict.fromkeys(o.title for o in scene.objects))


def nearest_titles(name: str, titles: Iterable[str], most: int = 2) -> list[str]:
    """At most ``most`` titles that are similar to a name, the most similar first. Case is ignored."""
    by_folded = {title.casefold(): title for title in titles}
    return [
        by_folded[folded] for folded in get_close_matches(name.casefold(), by_folded, most, 0.7)
    ]


def _list_titles(scene: Scene, predicate: Callable[[SceneObject], bool]) -> list[str]:
    """The titles of the objects for which ``predicate`` is true, at most `MAX_LISTED` of them. Each
    instance contributes at most `MAX_PARTS` parts.
    """
    out: list[str] = []
    for outer in scene.objects:
        titles = [elide_text(o.title) for o in scene.with_parts_of(outer) if predicate(o)]
        out += titles[:MAX_PARTS]
        if len(titles) > MAX_PARTS:
            out.append(f"{elide_text(outer.title)}/… ({len(titles) - MAX_PARTS} more)")
    return (
        out if len(out) <= MAX_LISTED else [*out[:MAX_LISTED], f"… ({len(out) - MAX_LISTED} more)"]
    )


def changed_names(before: Document, after: Document) -> dict[str, str]:
    """A mapping from old to new names of the objects, parts of instances and groups that a change
    has renamed. Ambiguous names are left out.
    """
    if before.groups == after.groups and _have_same_titles(
        before.scene.objects, after.scene.objects
    ):
        return {}
    old, now = _titles_by_key(before.scene), _titles_by_key(after.scene)
    times = Counter(old.values())
    new = {
        title: now[key]
        for key, title in old.items()
        if now.get(key, title) != title and times[title] == 1
    }
    gone = {held: name for name, held in before.groups.items() if name not in after.groups}
    return new | {
        gone[held]: name
        for name, held in after.groups.items()
        if name not in before.groups and held in gone
    }


def _have_same_titles(before: Sequence[SceneObject], after: Sequence[SceneObject]) -> bool:
    """Whether the same objects have the same titles before and after a change. Fast, since it is
    called at each step of a drag.
    """
    if len(before) != len(after):
        return False
    return all(
        o is was or (o.key, o.title) == (was.key, was.title)
        for was, o in zip(before, after, strict=True)
    )


def _titles_by_key(scene: Scene) -> dict[int, str]:
    """The titles of objects and of the parts of instances, by key."""
    return {o.key: o.title for outer in scene.objects for o in scene.with_parts_of(outer)}
