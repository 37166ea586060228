"""Changes that align and distribute objects. Objects that belong together, such as those of a group
or of a handle, move together.
"""

from collections.abc import Collection, Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError
from raybench.kinds.decorations import Handle
from raybench.scene.changes import Move
from raybench.scene.document import Document
from raybench.scene.handles import with_handle_groups
from raybench.scene.hit_test import scene_extent

Side = Literal["left", "centre", "right", "top", "middle", "bottom"]
SIDES: tuple[Side, ...] = ("left", "centre", "right", "top", "middle", "bottom")
"""What is aligned: left sides, centres from left to right, right sides; upper sides, centres from
top to bottom, lower sides.
"""
Axis = Literal["x", "y"]


class TooFewObjects(RaybenchError):
    """There are too few objects to be aligned or distributed."""


def moves_to_align_objects(
    document: Document, keys: Collection[int], side: Side
) -> tuple[Move, ...]:
    """The moves that align one side of all objects with that side of their common bounding box.
    Raises TooFewObjects.
    """
    bodies, boxes = _groups_moving_together(document, keys)
    if len(bodies) < 2:
        raise TooFewObjects(
            "There is one object, or one group, only. Select two or more to align them."
        )
    across, part = divmod(SIDES.index(side), 3)
    share = part / 2  # of the way from the lesser side to the greater
    low, high = boxes[:, across], boxes[:, across + 2]
    target = low.min() + share * (high.max() - low.min())
    return _group_moves(bodies, across, target - low - share * (high - low))


def moves_to_distribute_objects(
    document: Document, keys: Collection[int], axis: Axis
) -> tuple[Move, ...]:
    """The moves that make the gaps between objects equal. The two outermost objects stay. Raises
    TooFewObjects.
    """
    bodies, boxes = _groups_moving_together(document, keys)
    if len(bodies) < 3:
        raise TooFewObjects(
            "There are fewer than three objects or groups. Select three or more to distribute them."
        )
    across = ("x", "y").index(axis)
    order = np.argsort(boxes[:, across] + boxes[:, across + 2], kind="stable")
    low, high = boxes[order, across], boxes[order, across + 2]
    sizes = high - low
    gap = (high[-1] - low[0] - sizes.sum()) / (len(bodies) - 1)
    shifts = low[0] + np.cumsum(sizes + gap) - (sizes + gap) - low
    shifts[[0, -1]] = 0.0
    return _group_moves([bodies[i] for i in order], across, shifts)


def _groups_moving_together(
    document: Document, keys: Collection[int]
) -> tuple[list[list[int]], NDArray[np.float64]]:
    """The indices of the objects in groups that move together, in the order of the scene, and the
    bounding box of each group (n, 4). Objects without a position are left out.
    """
    scene = document.scene
    together = [frozenset({o.key}) for o in scene.objects if o.key in keys]
    together += document.groups.values()
    for key in keys:
        if isinstance(handle := scene.get(key), Handle):
            moved = with_handle_groups(scene, [handle])
            together.append(frozenset({*(o.key for o in moved.objects), *moved.points}))
    joined = list[frozenset[int]]()
    for held in together:
        touching = [body for body in joined if body & held]
        joined = [body for body in joined if not body & held]
        joined.append(held.intersection(keys).union(*touching))
    bodies = sorted(sorted(map(scene.index_of, body)) for body in joined if body)
    in_order = [[scene.objects[i].key for i in body] for body in bodies]
    boxes = [(body, box) for body in in_order if (box := scene_extent(scene, body)) is not None]
    return [body for body, _ in boxes], np.array([box for _, box in boxes]).reshape(-1, 4)


def _group_moves(
    groups: Iterable[list[int]], axis_index: int, shifts: NDArray[np.float64]
) -> tuple[Move, ...]:
    return tuple(
        Move(keys, *((shift, 0.0) if axis_index == 0 else (0.0, shift)))
        for keys, shift in zip(groups, shifts.tolist(), strict=True)
        if shift
    )
