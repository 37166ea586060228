"""The groups of handles: which objects move with a handle, and the indices by which a handle refers
to them.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from raybench.kinds.decorations import GroupedPoint, Handle
from raybench.kinds.object import SceneObject
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.scene import Scene
from raybench.shapes.point import Point

SAME_POINT = 1e-6
"""Tolerance for a point that a handle holds, relative to its coordinates."""


@dataclass(frozen=True)
class MovedObjects:
    """The objects that a move affects: in order, those that move as a whole, and, by object key,
    the control points of other objects that move.
    """

    objects: tuple[SceneObject, ...]
    points: Mapping[int, tuple[ControlPoint, ...]]


def with_handle_groups(scene: Scene, objects: Iterable[SceneObject]) -> MovedObjects:
    """The given objects and everything that their handles move, each once. An object moves as a
    whole if all of its points belong to a handle's group.
    """
    whole = {o.key: o for o in objects}
    waiting, points = list(whole.values()), dict[int, dict[str, ControlPoint]]()
    while waiting:
        obj = waiting.pop()
        if not isinstance(obj, Handle):
            continue
        joined = [scene.objects[i] for i in obj.grouped_object_indices if i < len(scene.objects)]
        for held, control in zip(
            obj.grouped_points, grouped_control_points(scene, obj), strict=True
        ):
            if control is not None:
                target = scene.objects[held.target]
                of_target = points.setdefault(target.key, {})
                of_target[control.path] = control
                joined += [target] if len(of_target) == len(control_points(target)) else []
        new = {o.key: o for o in joined if o.key not in whole}
        whole |= new
        waiting += new.values()
    return MovedObjects(
        tuple(whole.values()),
        {key: tuple(held.values()) for key, held in points.items() if key not in whole},
    )


def grouped_control_points(scene: Scene, handle: Handle) -> list[ControlPoint | None]:
    """The control point for each of a handle's `grouped_points`; None for a point that no longer
    exists.
    """
    return [_find_grouped_control(scene, held) for held in handle.grouped_points]


def _find_grouped_control(scene: Scene, held: GroupedPoint) -> ControlPoint | None:
    """The control point at the position that the handle stores or, if there is none because the
    object was changed, the control point with the name that the handle stores.
    """
    controls = (
        control_points(scene.objects[held.target]) if held.target < len(scene.objects) else ()
    )
    near = SAME_POINT * (1.0 + max(abs(held.at.x), abs(held.at.y)))
    ranked = sorted(
        controls, key=lambda c: (math.dist(c.at, held.at) > near, not _has_grouped_name(c, held))
    )
    return (
        ranked[0]
        if ranked
        and (math.dist(ranked[0].at, held.at) <= near or _has_grouped_name(ranked[0], held))
        else None
    )


def _has_grouped_name(control: ControlPoint, held: GroupedPoint) -> bool:
    if isinstance(held.corner, int):
        return control.field in ("path", "points") and control.index == held.corner
    return control.field == f"p{held.part}"


def with_handle_indices_updated(
    before: Sequence[SceneObject], after: Sequence[SceneObject]
) -> tuple[SceneObject, ...]:
    """The objects ``after`` a change, with new indices in their handles, so that these refer to the
    same objects as in ``before``. Deleted objects leave the groups of handles.
    """
    if not any(isinstance(o, Handle) for o in after):
        return tuple(after)
    index = {o.key: i for i, o in enumerate(after)}
    indices = {i: index[o.key] for i, o in enumerate(before) if o.key in index}
    return retarget_handles(after, indices)


def retarget_handles(
    objects: Iterable[SceneObject], indices: Mapping[int, int]
) -> tuple[SceneObject, ...]:
    """The objects with new indices in their handles. ``indices`` maps old to new indices (see
    `Handle.with_new_indices`).
    """
    return tuple(o.with_new_indices(indices) if isinstance(o, Handle) else o for o in objects)


def retarget_copies(
    originals: Sequence[SceneObject],
    copies: Sequence[SceneObject],
    copied: Mapping[int, int],
    kept: Mapping[int, int],
) -> list[SceneObject]:
    """The copies with new indices in their handles. ``copied`` maps the index of an object to that
    of its copy. ``kept`` maps the indices of objects to which a copied handle still refers. All
    other objects leave the groups of copied handles.
    """
    out: list[SceneObject] = []
    for original, copy in zip(originals, copies, strict=True):
        if isinstance(original, Handle) and isinstance(copy, Handle):
            moved = zip(original.grouped_points, copy.grouped_points, strict=True)
            at: list[Point] = [new.at if old.target in copied else old.at for old, new in moved]
            copy = copy.with_grouped_points_at(at).with_new_indices({**kept, **copied})
        out.append(copy)
    return out
