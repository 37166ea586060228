"""Creation of objects: the kinds and presets that a user can add, and the changes that add them
from a drag or from clicked points.
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from raybench.kinds.aspects.row import FAMILIES as NAMES
from raybench.kinds.fields import label_in_sentence
from raybench.kinds.kinds import KINDS, ROWS, SAMPLES
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.presets import FAMILIES as PRESET_NAMES
from raybench.presets import PRESETS
from raybench.scene.changes import Add, AddPreset
from raybench.shapes.point import Point

FAMILIES: dict[str, tuple[str, ...]] = {
    name: tuple(r.kind.__name__ for r in ROWS if r.family == name) for name in NAMES
}
"""Names of the kinds that a user can add, by menu. Module instances, handles and drawings are not
among them.
"""
PRESET_FAMILIES: dict[str, tuple[str, ...]] = {
    name: tuple(p for p, preset in PRESETS.items() if preset.family == name)
    for name in PRESET_NAMES
}
"""Names of the presets, by menu."""
ALL_FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(FAMILIES | PRESET_FAMILIES)
"""All that the library and the Insert menu offer: names of kinds and of presets, by menu."""
_CENTRED_KINDS = frozenset(row.kind.__name__ for row in ROWS if row.centre == "p1")
_NONE: Mapping[str, Any] = MappingProxyType({})
_MODULE_PREFIX = f"{ModuleObj.__name__} "


def creatable_title(creatable_id: str) -> str:
    """The displayed name of a kind, a preset or a module."""
    module = module_name_of(creatable_id)
    return (
        module
        if module is not None
        else PRESETS[creatable_id].label
        if is_preset(creatable_id)
        else KINDS[creatable_id].label
    )


def creatable_noun(creatable_id: str) -> str:
    """The displayed name of a kind, a preset or a module within a sentence, such as ``circle GRIN
    glass`` or ``Dove prism``.
    """
    return (
        creatable_title(creatable_id)
        if module_name_of(creatable_id) is not None
        else label_in_sentence(creatable_title(creatable_id))
    )


def is_preset(creatable_id: str) -> bool:
    """Whether a name is that of a preset rather than of a kind."""
    return creatable_id in PRESETS


def module_creatable_id(name: str) -> str:
    """The identifier of a module for creation, where kinds and presets are identified as well."""
    return _MODULE_PREFIX + name


def module_name_of(creatable_id: str) -> str | None:
    """The name of the module with this identifier; None for a kind or a preset."""
    return (
        creatable_id.removeprefix(_MODULE_PREFIX)
        if creatable_id.startswith(_MODULE_PREFIX)
        else None
    )


def is_drawn_as_path(kind: str) -> bool:
    """Whether objects of a kind are created by clicking a sequence of points."""
    return kind in SAMPLES and SAMPLES[kind].by == "points"


def is_placed_by_click(kind: str) -> bool:
    """Whether a single click creates the object: if its kind has no size, or if it is a preset.
    Dragging can also rotate a preset.
    """
    return is_preset(kind) or (kind in SAMPLES and SAMPLES[kind].by == "click")


def is_created_from_centre(kind: str) -> bool:
    """Whether a mouse drag that creates an object of this kind starts at its centre."""
    return kind in _CENTRED_KINDS


def min_point_count(kind: str) -> int:
    """The minimum number of points of a path or curve."""
    return SAMPLES[kind].least


def object_from_drag(kind: str, start: Point, end: Point) -> SceneObject:
    """A new object of a kind. The points where a mouse drag starts and ends determine its position,
    size and direction.
    """
    made = SAMPLES[kind].fields
    return KINDS[kind](**(made(end) if is_placed_by_click(kind) else made(start, end)))


def object_from_points(kind: str, points: Sequence[Point]) -> SceneObject:
    """A new object whose outline or curve goes through the given points."""
    return KINDS[kind](**SAMPLES[kind].fields(points))


def creation_change(
    creatable_id: str, points: Sequence[Point], values: Mapping[str, Any] = _NONE
) -> Add | AddPreset:
    """The change that adds an object of a kind, an instance of a module, or the objects of a
    preset.

    Args:
        points: The corners of an outline, the points of a module instance, or otherwise the points
            where a drag started and ended. A preset is placed at the first point and rotated
            towards the last.
    """
    if (module := module_name_of(creatable_id)) is not None:
        return Add((ModuleObj(module=module, points=tuple(points)),))
    start, end = points[0], points[-1]
    if is_preset(creatable_id):
        angle = math.degrees(math.atan2(start.y - end.y, end.x - start.x)) if start != end else 0.0
        return AddPreset(
            creatable_id, dict(values), start, round(angle, 9) + 0.0
        )  # a form may change them later
    return Add(
        (
            object_from_points(creatable_id, points)
            if is_drawn_as_path(creatable_id)
            else object_from_drag(creatable_id, start, end),
        )
    )


def with_same_keys(new: Add | AddPreset, first: Add | AddPreset) -> Add | AddPreset:
    """The change ``new`` with the keys of the objects that the change ``first`` adds."""
    if isinstance(new, AddPreset) and isinstance(first, AddPreset):
        return dataclasses.replace(new, keys=first.keys)
    assert isinstance(new, Add)
    assert isinstance(first, Add)
    return Add(
        tuple(
            dataclasses.replace(o, key=old.key)
            for o, old in zip(new.objects, first.objects, strict=True)
        )
    )


def added_object_keys(change: Add | AddPreset) -> frozenset[int]:
    """The keys of the objects that a change adds."""
    return frozenset(
        change.keys.values() if isinstance(change, AddPreset) else (o.key for o in change.objects)
    )


def default_object_size(height: float) -> float:
    """The size of an object that is created by a click: a round number (1, 2 or 5 times a power of
    10) near ``height``.
    """
    power = 10.0 ** math.floor(math.log10(height))
    return min(
        (m * power for m in (1.0, 2.0, 5.0, 10.0)), key=lambda size: abs(math.log(size / height))
    )


def points_in_row(centre: Point, count: int, size: float, *, begin: bool = False) -> list[Point]:
    """``count`` points in a horizontal row at the distance ``size`` from each other. ``centre`` is
    the middle of the row or, with ``begin``, its first point.
    """
    first = centre.x - (0.0 if begin else size * (count - 1) / 2)
    return [Point(first + i * size, centre.y) for i in range(count)]


def default_creation_points(
    creatable_id: str, centre: Point, size: float, *, begin: bool = False
) -> list[Point]:
    """The default points of an upright object of the given size. ``centre`` is its middle or, with
    ``begin``, its first point.
    """
    if is_placed_by_click(creatable_id):
        return [centre, centre]
    down = 0.0 if begin else -size / 2
    top, foot = Point(centre.x, centre.y + down), Point(centre.x, centre.y + down + size)
    if not is_drawn_as_path(creatable_id):
        return (
            [centre, Point(centre.x + size / 2, centre.y)]
            if is_created_from_centre(creatable_id)
            else [top, foot]
        )
    return [top, Point(centre.x + size / 2, top.y + size), Point(centre.x - size / 2, top.y + size)]
