"""Parts: objects that were made from data, such as a focal length or a prescription. They are made
again when the data change.

A part exists as long as its objects equal the objects that the data make, apart from a common
motion. If a user edits one of them, the part is dissolved and the objects become independent; an
edited source or detector only leaves the part.
"""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import STYLE_KINDS, described_fields
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.presets import Preset
from raybench.scene.scene import Scene

NUMBER_TOLERANCE = 1e-9
"""By how much numbers of an object may differ from those that its part's data give, relatively."""
_ASSIGNED = frozenset({"assigned"})
_MATERIAL_FIELDS = frozenset({"ref_index", "cauchy_b"}) | _ASSIGNED


@dataclass(frozen=True)
class Part:
    """Data, and the objects that are made from them.

    Attributes:
        preset: The data.
        keys: The keys of the objects in the order in which they are made. None for an object that
            was deleted, or edited by hand.
        placement: The rigid motion from the origin, where objects are made, to their position.
    """

    preset: Preset
    keys: tuple[int | None, ...]
    placement: Similarity = Similarity()

    @cached_property
    def made_objects(self) -> tuple[SceneObject, ...]:
        """The objects made from the data, moved to the part's position, with default names."""
        return tuple(kind_row_of(o).transformed(o, self.placement) for o in self.preset.objects())

    @cached_property
    def present_objects(self) -> dict[int, SceneObject]:
        """The made objects that still belong to the part, by key."""
        return {k: o for k, o in zip(self.keys, self.made_objects, strict=True) if k is not None}

    def objects(self, scene: Scene) -> dict[int, SceneObject]:
        """The part's objects in the scene by key, made from the data, with the names, locks and
        colours that users have set.
        """
        return {
            key: with_values_from_part(obj, made)
            for key, made in self.present_objects.items()
            if (obj := scene.get(key)) is not None
        }

    def moved(self, by: Similarity) -> "Part | None":
        """The part after a motion; None if the motion is not rigid."""
        if by.scale != 1.0:
            return None
        p = self.placement
        return dataclasses.replace(
            self,
            placement=Similarity(
                by.a * p.a + by.b * p.c, by.a * p.b + by.b * p.d,
                by.c * p.a + by.d * p.c, by.c * p.b + by.d * p.d,
                by.a * p.dx + by.b * p.dy + by.dx, by.c * p.dx + by.d * p.dy + by.dy,
            ),
        )  # fmt: skip

    def with_new_keys(self, keys: Mapping[int, Iterable[int]]) -> "Part":
        """The part with other keys. An object that does not have exactly one new key leaves the
        part.
        """

        def new_key(key: int | None) -> int | None:
            new = (key,) if key is None else tuple(keys.get(key, (key,)))
            return new[0] if len(new) == 1 else None

        return dataclasses.replace(self, keys=tuple(map(new_key, self.keys)))

    def in_scene(self, scene: Scene) -> "Part | None":
        """The part, without its sources and detectors that were deleted or edited in the scene;
        None if another of its objects was deleted or edited.
        """
        keys: list[int | None] = []
        for key, made in zip(self.keys, self.made_objects, strict=True):
            obj = None if key is None else scene.get(key)
            if obj is not None and matches_made_object(obj, made):
                keys.append(key)
            elif isinstance(made, Detector) or kind_row_of(made).emits is not None:
                keys.append(None)
            else:
                return None
        if not any(keys):
            return None
        return self if tuple(keys) == self.keys else dataclasses.replace(self, keys=tuple(keys))


Parts = tuple[Part, ...]


def remaining_parts(parts: Parts, before: Scene, after: Scene) -> Parts:
    """The parts of the scene ``before`` that still exist in the scene ``after``."""
    if not parts or before.objects is after.objects:
        return parts
    kept = []
    for part in parts:
        if all(before.get(k) is after.get(k) for k in part.keys if k is not None):
            kept.append(part)
        elif (now := part.in_scene(after)) is not None:
            kept.append(now)
    return parts if kept == list(parts) else tuple(kept)


def _fields_to_compare(made: SceneObject, obj: SceneObject) -> list[str]:
    """The names of the fields of an object that the data of its part determine: all except name,
    lock and colours, which users set, and except the fitted index if both have the same material.
    """
    names = [f.name for f in described_fields(type(made)) if f.about.kind not in STYLE_KINDS]
    given = [*(n for n in names if n not in {"name", "locked"}), *_ASSIGNED & vars(made).keys()]
    one, other = (getattr(o, "material", None) for o in (made, obj))
    if one is not None and other is not None and one.material.name == other.material.name:
        return [n for n in given if n not in _MATERIAL_FIELDS]
    return given


def with_values_from_part(obj: SceneObject, made: SceneObject) -> SceneObject:
    """The object ``obj`` with the values of ``made`` in the fields that the data of its part
    determine; its other fields stay.
    """
    if type(made) is not type(obj):
        return dataclasses.replace(made, name=obj.name, key=obj.key, alias=obj.alias)
    values = {name: getattr(made, name) for name in _fields_to_compare(made, obj)}
    return dataclasses.replace(obj, **values)


def matches_made_object(obj: SceneObject, made: SceneObject) -> bool:
    """Whether an object has the values of ``made`` in the fields that the data of its part
    determine.
    """
    return type(made) is type(obj) and all(
        _are_equal_within_rounding(getattr(obj, name), getattr(made, name))
        for name in _fields_to_compare(made, obj)
    )


def _are_equal_within_rounding(a: Any, b: Any) -> bool:
    if isinstance(a, float | int) and isinstance(b, float | int) and not isinstance(a, bool):
        return math.isclose(a, b, rel_tol=NUMBER_TOLERANCE, abs_tol=NUMBER_TOLERANCE)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_are_equal_within_rounding(a[k], b[k]) for k in a)
    if isinstance(a, Sequence) and isinstance(b, Sequence) and not isinstance(a, str):
        return len(a) == len(b) and all(map(_are_equal_within_rounding, a, b))
    return bool(a == b)
