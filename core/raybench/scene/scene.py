"""The immutable scene: its objects in order, settings, module definitions, and the JSON from which
it was read.
"""

import dataclasses
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from raybench.errors import RaybenchError
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.free_names import free_names
from raybench.scene.modules.expansion import Expansion, expand_instances
from raybench.scene.modules.module import Module
from raybench.scene.settings import Settings

_NONE: Mapping[str, Module] = MappingProxyType({})
BISECTIONS = 30
"""Steps in which a density is found that gives a number of rays."""


class InvalidDensity(RaybenchError):
    """A factor for the number of rays is not above 0."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """An immutable scene. Create it with `Scene.of` and change it with `with_objects`; both give
    aliases to objects without a name.

    ``modules`` are the definitions of modules by name. An instance (`ModuleObj`) is expanded to its
    parts, which light interacts with.
    """

    objects: tuple[SceneObject, ...] = ()
    settings: Settings = Settings()
    name: str = ""
    modules: Mapping[str, Module] = field(default_factory=lambda: _NONE)
    read: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        objects: Iterable[SceneObject],
        settings: Settings | None = None,
        *,
        name: str = "",
        modules: Mapping[str, Module] = _NONE,
    ) -> Self:
        return cls(
            objects=with_aliases(objects),
            settings=settings or Settings(),
            name=name,
            modules=modules,
        )

    def with_objects(self, objects: Iterable[SceneObject], taken: Iterable[str] = ()) -> Self:
        """The scene with other objects. New aliases avoid the names in ``taken``."""
        return dataclasses.replace(self, objects=with_aliases(objects, taken))

    def with_replaced_objects(self, new: Mapping[int, SceneObject]) -> Self:
        """The scene with some objects replaced by new ones, which have the same keys."""
        objects = list(self.objects)
        for key, obj in new.items():
            if (place := self._indices_by_key.get(key)) is not None:
                objects[place] = obj
        named = all(o.name or o.alias for o in new.values())
        after = dataclasses.replace(
            self, objects=tuple(objects) if named else with_aliases(objects)
        )
        after.__dict__["_indices_by_key"] = (
            self._indices_by_key
        )  # not searched for again, as a list of many changes makes a scene for each
        return after

    def with_settings(self, **changes: Any) -> Self:
        return dataclasses.replace(self, settings=dataclasses.replace(self.settings, **changes))

    def with_more_rays(self, times: float) -> Self:
        """The scene with about ``times`` as many rays, for measuring. Raises InvalidDensity.

        With more rays, each ray is weaker, and the default colour mode would stop it earlier. So
        rays are followed down to the cutoff of the linear mode, unless that mode would emit more
        power because the default mode limits the power of a ray.
        """
        scene = self.with_scaled_ray_density(times)
        if scene.settings.color_mode != "default":
            return scene
        fractions = [
            emits(o, self.settings, i, lambda: None).fraction
            for i, o in enumerate(self.optical)
            if (emits := kind_row_of(o).emits) is not None
        ]
        if any(fraction is not None and fraction < 1 for fraction in fractions):
            return scene
        return scene.with_settings(color_mode="linear")

    def with_scaled_ray_density(self, factor: float) -> Self:
        """The scene with about ``factor`` times as many rays, in both kinds of view modes. If the
        points of a beam emit cones of rays, a density affects the number of points as well as the
        number of rays from each point. Raises InvalidDensity for a factor that is not above 0.
        """
        if not (math.isfinite(factor) and factor > 0):
            raise InvalidDensity(
                f"{factor:g} times as many rays are no rays. Give a number above 0, such as 4."
            )
        now, wanted = self.settings, factor * self._count_rays(1.0)
        sources = sum(kind_row_of(o).emits is not None for o in self.optical)
        low, high = min(1.0, factor), max(1.0, factor)
        scale = factor
        if abs(self._count_rays(factor) - wanted) > sources:  # each source may round
            counts = {x: self._count_rays(x) for x in (low, high)}
            for _ in range(BISECTIONS):
                middle = math.sqrt(low * high)
                counts[middle] = self._count_rays(middle)
                low, high = (middle, high) if counts[middle] < wanted else (low, middle)
            scale = min(counts, key=lambda x: abs(counts[x] - wanted))
        return self.with_settings(
            ray_mode_density=scale * now.ray_mode_density,
            image_mode_density=scale * now.image_mode_density,
        )

    def _count_rays(self, scale: float) -> int:
        """The number of rays that the sources would emit if the ray density were multiplied by
        ``scale``.
        """
        now = self.settings
        settings = dataclasses.replace(
            now,
            ray_mode_density=scale * now.ray_mode_density,
            image_mode_density=scale * now.image_mode_density,
        )
        emitting = ((kind_row_of(o).emits, i, o) for i, o in enumerate(self.optical))
        return sum(
            emits(o, settings, i, lambda: None).count
            for emits, i, o in emitting
            if emits is not None
        )

    def with_modules(self, modules: Mapping[str, Module]) -> Self:
        """The scene with added module definitions. They replace existing definitions of the same
        name.
        """
        return (
            dataclasses.replace(self, modules=MappingProxyType({**self.modules, **modules}))
            if modules
            else self
        )

    def get(self, key: int) -> SceneObject | None:
        """The object with this key, or None if it is not in the scene."""
        place = self._indices_by_key.get(key)
        return None if place is None else self.objects[place]

    def index_of(self, key: int) -> int:
        """The index of the object with this key in the scene. Raises KeyError if there is none."""
        return self._indices_by_key[key]

    @cached_property
    def _indices_by_key(self) -> Mapping[int, int]:
        return {o.key: i for i, o in enumerate(self.objects)}

    @cached_property
    def expansions(self) -> Mapping[int, Expansion]:
        """The expansion of each module instance, by the instance's key."""
        return expand_instances(self.objects, self.modules, self.settings.random_seed)

    def parts_of(self, obj: SceneObject) -> tuple[SceneObject, ...]:
        """The parts of a module instance; for any other object, the object itself."""
        return self.expansions[obj.key].parts if isinstance(obj, ModuleObj) else (obj,)

    def with_parts_of(self, obj: SceneObject) -> tuple[SceneObject, ...]:
        """An object followed, if it is a module instance, by its parts."""
        return (obj, *self.parts_of(obj)) if isinstance(obj, ModuleObj) else (obj,)

    @cached_property
    def expanded_objects(self) -> tuple[SceneObject, ...]:
        """All objects in order, with instances replaced by their parts."""
        if not self.expansions:
            return self.objects
        return tuple(part for o in self.objects for part in self.parts_of(o))

    @cached_property
    def optical(self) -> tuple[SceneObject, ...]:
        """All optical objects in order, including the parts of instances. The column ``hit`` of a
        trace is an index into this tuple.
        """
        objects = self.expanded_objects
        kinds: set[type[SceneObject]] = set(map(type, objects))
        if all(kind.optical for kind in kinds):
            return objects
        return tuple(o for o in objects if o.optical)

    def keys_with_parts(self, keys: Collection[int]) -> frozenset[int]:
        """The given keys, and the keys of all parts of the instances among them."""
        if not keys:
            return frozenset()
        inner = (p.key for k, e in self.expansions.items() if k in keys for p in e.parts)
        return frozenset(keys).union(inner)

    def instance_key_of(self, key: int) -> int:
        """The key of the instance to which a part belongs. For any other object, its own key."""
        return self._instance_keys_by_part.get(key, key)

    @cached_property
    def _instance_keys_by_part(self) -> Mapping[int, int]:
        return {p.key: k for k, e in self.expansions.items() for p in e.parts}


def with_aliases(
    objects: Iterable[SceneObject], names: Iterable[str] = ()
) -> tuple[SceneObject, ...]:
    """The objects, with an alias such as ``Glass 2`` for each object without a name. Aliases are
    not in ``names``. An object keeps its alias when other objects are removed.
    """
    objects = tuple(objects)
    if all(o.name or o.alias for o in objects):
        return objects
    taken = {o.name for o in objects} | {o.alias for o in objects} | set(names)
    numbered: dict[str, Iterator[str]] = {}
    out: list[SceneObject] = []
    for o in objects:
        if not o.name and not o.alias:
            o = dataclasses.replace(
                o, alias=next(numbered.setdefault(o.stem, free_names(o.stem, taken)))
            )
        out.append(o)
    return tuple(out)
