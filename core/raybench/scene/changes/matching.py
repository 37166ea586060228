"""Matching of documents that were read separately, to compare them: objects of the same name and
type get the same key.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document


def matched(document: Document, others: Iterable[SceneObject]) -> Document:
    """The document with the keys of other objects for its own of the same name and type, in order
    where several share both.

    Annotations go with their objects; all others keep their keys.
    """
    waiting: dict[tuple[str, str], deque[SceneObject]] = defaultdict(deque)
    for obj in others:
        waiting[obj.title, obj.type].append(obj)
    keys: dict[int, int] = {}
    objects = []
    for obj in document.scene.objects:
        candidates = waiting[obj.title, obj.type]
        objects.append(_with_key_of(obj, candidates.popleft(), keys) if candidates else obj)
    measurements = {
        name: dataclasses.replace(
            m, pins=tuple(dataclasses.replace(pin, key=_new(keys, pin.key)) for pin in m.pins)
        )
        for name, m in document.measurements.items()
    }
    return dataclasses.replace(
        document,
        scene=document.scene.with_objects(objects),
        edge_labels={keys.get(key, key): labels for key, labels in document.edge_labels.items()},
        disabled=frozenset(keys.get(key, key) for key in document.disabled),
        hidden=frozenset(keys.get(key, key) for key in document.hidden),
        groups={
            name: frozenset(keys.get(key, key) for key in held)
            for name, held in document.groups.items()
        },
        measurements=measurements,
    )


def _with_key_of(obj: SceneObject, other: SceneObject, keys: dict[int, int]) -> SceneObject:
    """The object, with its parts, under the keys of another one; ``keys`` gets the new key of each
    old one.
    """
    keys[obj.key] = other.key
    if isinstance(obj, ModuleObj) and isinstance(other, ModuleObj):
        keys |= {key: other.part_keys[address] for address, key in obj.part_keys.items()}
    return obj.identified_as(other)


def _new(keys: Mapping[int, int], key: int | None) -> int | None:
    return None if key is None else keys.get(key, key)
