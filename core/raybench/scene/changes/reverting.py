"""Reverts a list of changes, object by object. Values that other changes have set since are left
unchanged.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from raybench.errors import elide_text
from raybench.kinds.object import SceneObject
from raybench.scene.changes.setting import unknown_scene_entries, with_unknown_entries
from raybench.scene.document import EDGE_ANNOTATIONS, Document
from raybench.scene.free_names import free_name
from raybench.scene.handles import retarget_handles
from raybench.scene.parameters.following import with_links_applied, with_links_renamed
from raybench.scene.parameters.link import InvalidLink, order_links
from raybench.scene.parts import Part
from raybench.scene.settings import Settings

K = TypeVar("K")
_ABSENT = object()


def revert_differences(
    now: Document, before: Document, after: Document
) -> tuple[Document, tuple[str, ...]]:
    """Revert in the document ``now`` the differences between ``before`` and ``after``. Also return
    the names of the objects and other values that are not reverted, because other changes have
    changed them since.

    Values that still equal ``after`` are restored to ``before``: objects with their keys and
    positions in the order, annotations, settings, groups, modules, studies, background, sheet,
    unit, name and kept entries. A restored object gets a new name if another object has taken its
    name since.
    """
    left: dict[str, None] = {}
    states = now, before, after

    def revert_value(values: Iterable[Any], title: str) -> Any:
        current, old, new = values
        if old == new or current == old:
            return current
        if current != new:
            left[title] = None
            return current
        return old

    def revert_items(items: Sequence[Mapping[K, Any]], title: Callable[[K], str]) -> dict[K, Any]:
        """Apply `revert_value` to each item of three mappings, which hold the items now, before and
        after the changes.
        """
        names = dict.fromkeys(n for mapping in items for n in mapping)
        values = {n: revert_value((m.get(n, _ABSENT) for m in items), title(n)) for n in names}
        return {n: value for n, value in values.items() if value is not _ABSENT}

    def object_title(key: int) -> str:
        objects = (d.scene.get(key) for d in (now, after, before))
        return elide_text(next((o.title for o in objects if o is not None), "an object"), 60)

    by_key = [_objects_by_key(d) for d in states]
    objects = revert_items(by_key, object_title)
    common = set.intersection(*map(set, by_key))
    orders = ([key for key in held if key in common] for held in by_key)
    order = iter(revert_value(orders, "the order of the objects"))
    keys = [next(order) if key in common else key for key in by_key[0]]
    for key in objects.keys() - set(keys):
        keys.insert(_insertion_index(keys, key, list(by_key[1])), key)
    in_order = _with_handle_indices(
        _with_free_names([objects[k] for k in keys if k in objects], now)
    )
    same = [(o.key, o) for o in in_order] == [(o.key, o) for o in now.scene.objects]
    names = [field.name for field in dataclasses.fields(Settings)]
    settings = revert_items(
        [{name: getattr(d.scene.settings, name) for name in names} for d in states],
        lambda _: "Settings",
    )
    scene = dataclasses.replace(
        now.scene if same else now.scene.with_objects(in_order),
        settings=dataclasses.replace(now.scene.settings, **settings),
        modules=revert_items([d.scene.modules for d in states], "Module {}".format),
        name=revert_value((d.scene.name for d in states), "the scene's name"),
    )
    kept_before = [unknown_scene_entries(d.scene) for d in states]
    kept = revert_items(kept_before, str)
    if kept != kept_before[0]:
        scene = with_unknown_entries(scene, kept)
    document = now
    if not same or scene != now.scene or kept != kept_before[0]:
        document = now.with_scene(scene)
    there, marked = {o.key for o in in_order}, {}
    for mark in ("disabled", "hidden"):
        flags = revert_items([dict.fromkeys(getattr(d, mark), True) for d in states], object_title)
        marked[mark] = there.intersection(flags)
    parts: dict[int, Part] = {}
    for part in (*now.parts, *before.parts):
        if (held := part.in_scene(document.scene)) is not None:
            parts.setdefault(next(iter(held.present_objects)), held)
    links = revert_items(
        [{link.parameter.identity: link for link in d.links} for d in states],
        lambda where: "a link",
    )
    reverted = document.with_annotations(
        disabled=frozenset(marked["disabled"]),
        hidden=frozenset(marked["hidden"]),
        **{
            name: revert_items([getattr(d, name) for d in states], object_title)
            for name in EDGE_ANNOTATIONS
        },
        groups=revert_items([d.groups for d in states], "Group {}".format),
        measurements=revert_items([d.measurements for d in states], str),
        views=revert_items([d.views for d in states], str),
        sliders=revert_items([d.sliders for d in states], "Slider {}".format),
        studies=revert_items([d.studies for d in states], "Study {}".format),
        background=revert_value((d.background for d in states), "the background"),
        sheet=revert_value((d.sheet for d in states), "the sheet"),
        parts=tuple(parts.values()),
    )
    for several in (links.values(), now.links):
        of_objects = [link for link in several if link.refers_only_to_objects_of(reverted.scene)]
        try:
            linked = reverted.with_annotations(links=order_links(of_objects, ()))
            return with_links_applied(with_links_renamed(now, linked)), tuple(left)
        except InvalidLink:  # with what others have linked or changed since
            left["the links"] = None
    return reverted.with_annotations(links=()), tuple(left)


def _objects_by_key(document: Document) -> Mapping[int, SceneObject]:
    """The objects by key. Their handles refer to objects by keys instead of indices, since indices
    depend on the order of the objects.
    """
    objects = document.scene.objects
    return {o.key: o for o in retarget_handles(objects, {i: o.key for i, o in enumerate(objects)})}


def _with_handle_indices(objects: list[SceneObject]) -> tuple[SceneObject, ...]:
    """Objects whose handles refer to objects by indices again, instead of by the keys that
    `_objects_by_key` has put there.
    """
    return retarget_handles(objects, {o.key: i for i, o in enumerate(objects)})


def _with_free_names(objects: list[SceneObject], now: Document) -> list[SceneObject]:
    """The objects with unique names. An object is renamed if another object has taken its earlier
    name.
    """
    taken = Counter(o.title for o in objects)

    for i, o in enumerate(objects):
        current = now.scene.get(o.key)
        if taken[o.title] > 1 and (current is None or current.title != o.title):
            name = free_name(o.name, taken) if o.name else ""
            objects[i] = dataclasses.replace(o, name=name, alias=o.alias if name else "")
            taken.update({o.title: -1, objects[i].title: 1})
    return objects


def _insertion_index(keys: list[int], key: int, order: list[int]) -> int:
    """The index at which to insert ``key`` into ``keys``: after the keys that precede it in
    ``order``.
    """
    before = order[: order.index(key)] if key in order else []
    return next((keys.index(k) + 1 for k in reversed(before) if k in keys), 0)
