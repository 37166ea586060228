"""The scene value: objects in order, settings, and what the file held besides."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from core.kinds.object import SceneObject
from core.scene.modules.expansion import Expansion, expansions
from core.scene.modules.module import Module, ModuleObj
from core.scene.settings import Settings

_NONE: Mapping[str, Module] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Scene:
    """An immutable scene. Build and change it with `Scene.of` and `with_objects`, which give unnamed objects their alias.

    ``modules`` are the definitions that instances (`ModuleObj`) are made from, by name. What an instance stands for are its parts.
    """

    objects: tuple[SceneObject, ...] = ()
    settings: Settings = Settings()
    name: str = ""
    modules: Mapping[str, Module] = field(default_factory=lambda: _NONE)
    read: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls, objects: Iterable[SceneObject], settings: Settings | None = None, *, name: str = "", modules: Mapping[str, Module] = _NONE
    ) -> Self:
        return cls(objects=with_aliases(objects), settings=settings or Settings(), name=name, modules=modules)

    def with_objects(self, objects: Iterable[SceneObject]) -> Self:
        return dataclasses.replace(self, objects=with_aliases(objects))

    def with_settings(self, **changes: Any) -> Self:
        return dataclasses.replace(self, settings=dataclasses.replace(self.settings, **changes))

    def with_modules(self, modules: Mapping[str, Module]) -> Self:
        """The scene with more definitions; one of the same name is replaced."""
        return dataclasses.replace(self, modules=MappingProxyType({**self.modules, **modules})) if modules else self

    def get(self, key: int) -> SceneObject | None:
        """The object with this key, or None if it is not in the scene."""
        return self._by_key.get(key)

    @cached_property
    def _by_key(self) -> Mapping[int, SceneObject]:
        return {o.key: o for o in self.objects}

    def index_of(self, key: int) -> int:
        """The place of an object in the scene's order; KeyError if it is not there."""
        for i, o in enumerate(self.objects):
            if o.key == key:
                return i
        raise KeyError(key)

    @cached_property
    def expansions(self) -> Mapping[int, Expansion]:
        """What each instance of a module stands for, by its key."""
        return expansions(self.objects, self.modules, self.settings.random_seed)

    def parts_of(self, obj: SceneObject) -> tuple[SceneObject, ...]:
        """The objects that one of the scene's stands for: the parts of an instance, else itself."""
        return self.expansions[obj.key].parts if isinstance(obj, ModuleObj) else (obj,)

    def with_parts_of(self, obj: SceneObject) -> tuple[SceneObject, ...]:
        """One of the scene's objects and, after an instance, its parts."""
        return (obj, *self.parts_of(obj)) if isinstance(obj, ModuleObj) else (obj,)

    @cached_property
    def expanded(self) -> tuple[SceneObject, ...]:
        """All objects in order, with the parts of instances in their place."""
        if not self.expansions:
            return self.objects
        return tuple(part for o in self.objects for part in self.parts_of(o))

    @cached_property
    def optical(self) -> tuple[SceneObject, ...]:
        """The objects that take a place in a trace: a row's ``hit`` is an index into these. Parts of instances are among them."""
        return tuple(o for o in self.expanded if o.optical)

    def with_parts(self, keys: Collection[int]) -> frozenset[int]:
        """The keys, and those of the parts of the instances among them."""
        inner = (p.key for k, e in self.expansions.items() if k in keys for p in e.parts)
        return frozenset(keys).union(inner)

    def owner_of(self, key: int) -> int:
        """The key of the instance that an object is a part of; its own key otherwise."""
        return self._owners.get(key, key)

    @cached_property
    def _owners(self) -> Mapping[int, int]:
        return {p.key: k for k, e in self.expansions.items() for p in e.parts}


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
            n = count.get(o.stem, 0) + 1
            while (alias := f"{o.stem} {n}") in taken:
                n += 1
            count[o.stem] = n
            taken.add(alias)
            o = dataclasses.replace(o, alias=alias)
        out.append(o)
    return tuple(out)
