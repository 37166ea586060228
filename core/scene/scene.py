"""The scene value: objects in order, settings, and what the file held besides."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from core.scene.object import SceneObject
from core.scene.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Scene:
    """An immutable scene. Build and change it with `Scene.of` and `with_objects`, which give unnamed objects their alias."""

    objects: tuple[SceneObject, ...] = ()
    settings: Settings = Settings()
    name: str = ""
    read: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, objects: Iterable[SceneObject], settings: Settings | None = None, *, name: str = "") -> Self:
        return cls(objects=with_aliases(objects), settings=settings or Settings(), name=name)

    def with_objects(self, objects: Iterable[SceneObject]) -> Self:
        return dataclasses.replace(self, objects=with_aliases(objects))

    def with_settings(self, **changes: Any) -> Self:
        return dataclasses.replace(self, settings=dataclasses.replace(self.settings, **changes))

    def get(self, key: int) -> SceneObject | None:
        """The object with this key, or None if it is not in the scene."""
        return next((o for o in self.objects if o.key == key), None)

    def index_of(self, key: int) -> int:
        """The place of an object in the scene's order; KeyError if it is not there."""
        for i, o in enumerate(self.objects):
            if o.key == key:
                return i
        raise KeyError(key)

    @property
    def optical(self) -> tuple[SceneObject, ...]:
        """The objects that take a place in a trace: a row's ``hit`` is an index into these."""
        return tuple(o for o in self.objects if o.optical)


def with_aliases(objects: Iterable[SceneObject]) -> tuple[SceneObject, ...]:
    """The objects, each unnamed one with an alias such as ``Glass 2``: given once, not renumbered when others go."""
    objects = tuple(objects)
    if all(o.name or o.alias for o in objects):
        return objects
    taken = {o.name for o in objects} | {o.alias for o in objects}
    count: dict[str, int] = {}
    out: list[SceneObject] = []
    for o in objects:
        if not o.name and not o.alias:
            n = count.get(o.label, 0) + 1
            while (alias := f"{o.label} {n}") in taken:
                n += 1
            count[o.label] = n
            taken.add(alias)
            o = dataclasses.replace(o, alias=alias)
        out.append(o)
    return tuple(out)
