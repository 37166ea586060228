"""Reverting a list of changes, object by object, except where something was changed since."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from raybench.errors import elided
from raybench.kinds.object import SceneObject
from raybench.scene.changes.setting import kept_entries, with_kept
from raybench.scene.document import Document
from raybench.scene.free_names import free_name
from raybench.scene.handles import retarget_handles

K = TypeVar("K")
_ABSENT = object()


def revert_differences(
    now: Document, before: Document, after: Document
) -> tuple[Document, tuple[str, ...]]:
    """``now`` without the differences between ``before`` and ``after``, and the names of the parts
    that others changed since.

    What still equals ``after`` is restored to ``before``: objects with their keys and positions in
    the order, annotations, settings, groups, modules, studies, background, unit, name and kept
    entries. An object whose name another one has taken since gets a free one.
    """
    left: dict[str, None] = {}

    def back(current: Any, old: Any, new: Any, title: str) -> Any:
        if old == new or current == old:
            return current
        if current != new:
            left[title] = None
            return current
        return old

    def back_items(
        current: Mapping[K, Any],
        old: Mapping[K, Any],
        new: Mapping[K, Any],
        title: Callable[[K], str],
    ) -> dict[K, Any]:
        names = dict.fromkeys([*current, *old, *new])
        values = {
            n: back(current.get(n, _ABSENT), old.get(n, _ABSENT), new.get(n, _ABSENT), title(n))
            for n in names
        }
        return {n: value for n, value in values.items() if value is not _ABSENT}

    def title(key: int) -> str:
        obj = now.scene.get(key) or after.scene.get(key) or before.scene.get(key)
        return elided(obj.title, 60) if obj is not None else "an object"

    objects = back_items(_by_key(now), _by_key(before), _by_key(after), title)
    common = _by_key(now).keys() & _by_key(before).keys() & _by_key(after).keys()
    current, old_order, new_order = (
        [o.key for o in d.scene.objects if o.key in common] for d in (now, before, after)
    )
    order = iter(back(current, old_order, new_order, "the order of the objects"))
    keys = [next(order) if o.key in common else o.key for o in now.scene.objects]
    for key in objects.keys() - set(keys):
        keys.insert(_insertion_index(keys, key, [o.key for o in before.scene.objects]), key)
    in_order = _with_indices(_with_free_names([objects[k] for k in keys if k in objects], now))
    ours, old, new = now.scene.settings, before.scene.settings, after.scene.settings
    names = [f.name for f in dataclasses.fields(ours)]
    settings = {
        n: back(getattr(ours, n), getattr(old, n), getattr(new, n), "Settings") for n in names
    }
    same = [(o.key, o) for o in in_order] == [(o.key, o) for o in now.scene.objects]
    scene = dataclasses.replace(
        now.scene if same else now.scene.with_objects(in_order),
        settings=dataclasses.replace(now.scene.settings, **settings),
        modules=back_items(
            now.scene.modules,
            before.scene.modules,
            after.scene.modules,
            lambda name: f"Module {name}",
        ),
        name=back(now.scene.name, before.scene.name, after.scene.name, "the scene's name"),
    )
    kept = back_items(
        kept_entries(now.scene), kept_entries(before.scene), kept_entries(after.scene), str
    )
    if other_kept := kept != kept_entries(now.scene):
        scene = with_kept(scene, kept)
    keys_in_order = [o.key for o in in_order]

    def flagged(
        current: frozenset[int], old: frozenset[int], new: frozenset[int]
    ) -> frozenset[int]:
        return frozenset(
            k for k in keys_in_order if back(k in current, k in old, k in new, title(k))
        )

    annotations = {
        "disabled": flagged(now.disabled, before.disabled, after.disabled),
        "hidden": flagged(now.hidden, before.hidden, after.hidden),
        "edge_labels": back_items(now.edge_labels, before.edge_labels, after.edge_labels, title),
        "groups": back_items(now.groups, before.groups, after.groups, lambda name: f"Group {name}"),
        "measurements": back_items(now.measurements, before.measurements, after.measurements, str),
        "views": back_items(now.views, before.views, after.views, str),
        "studies": back_items(
            now.studies, before.studies, after.studies, lambda name: f"Study {name}"
        ),
        "background": back(now.background, before.background, after.background, "the background"),
        "unit": back(now.unit, before.unit, after.unit, "the unit"),
    }
    document = now if same and scene == now.scene and not other_kept else now.with_scene(scene)
    return document.annotated_with(**annotations), tuple(left)


def _by_key(document: Document) -> Mapping[int, SceneObject]:
    """The objects by key; handles hold keys in place of indices, which are others in another order."""
    objects = document.scene.objects
    return {o.key: o for o in retarget_handles(objects, {i: o.key for i, o in enumerate(objects)})}


def _with_indices(objects: list[SceneObject]) -> tuple[SceneObject, ...]:
    """Objects whose handles hold keys, with the indices of these objects in place of the keys."""
    return retarget_handles(objects, {o.key: i for i, o in enumerate(objects)})


def _with_free_names(objects: list[SceneObject], now: Document) -> list[SceneObject]:
    """Objects, with free names for those that would get back a name which another object has."""
    taken = Counter(o.title for o in objects)

    def free(o: SceneObject) -> SceneObject:
        if taken[o.title] == 1 or (
            (current := now.scene.get(o.key)) is not None and current.title == o.title
        ):
            return o
        new = (
            dataclasses.replace(o, name=free_name(o.name, taken))
            if o.name
            else dataclasses.replace(o, alias="")
        )
        taken.update({o.title: -1, new.title: 1})
        return new

    return list(map(free, objects))


def _insertion_index(keys: list[int], key: int, order: list[int]) -> int:
    """The index at which a key is inserted among others: after those that preceded it."""
    for neighbour in reversed(order[: order.index(key)] if key in order else []):
        if neighbour in keys:
            return keys.index(neighbour) + 1
    return 0
