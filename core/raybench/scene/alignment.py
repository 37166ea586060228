"""Aligning and distributing objects: the moves that do it. Objects of a group move together, as a
handle and what it holds do.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Literal

from raybench.errors import RaybenchError
from raybench.kinds.decorations import Handle
from raybench.scene.changes import Move
from raybench.scene.document import Document
from raybench.scene.handles import with_groups
from raybench.scene.hit_test import scene_extent
from raybench.shapes.curves import Box

Side = Literal["left", "centre", "right", "top", "middle", "bottom"]
SIDES: tuple[Side, ...] = ("left", "centre", "right", "top", "middle", "bottom")
"""What is aligned: left sides, centres from left to right, right sides; upper sides, centres from
top to bottom, lower sides.
"""
Axis = Literal["x", "y"]
Body = tuple[tuple[int, ...], Box]
"""Objects that move together, by their keys, and their bounding box."""


class TooFew(RaybenchError):
    """There are too few objects to be aligned or distributed."""


def align_moves(document: Document, keys: Collection[int], side: Side) -> tuple[Move, ...]:
    """The moves that bring a side of all objects to that of their common bounding box. Raises
    TooFew.
    """
    bodies = _movable_bodies(document, keys)
    if len(bodies) < 2:
        raise TooFew("There is one object, or one group, only. Select two or more to align them.")
    across, share = (
        SIDES.index(side) // 3,
        SIDES.index(side) % 3 / 2,
    )  # 0, 1/2 and 1 of the way from the lesser side to the greater
    low, high = min(box[across] for _, box in bodies), max(box[across + 2] for _, box in bodies)
    target = low + share * (high - low)
    return _body_moves(
        bodies,
        across,
        [target - box[across] - share * (box[across + 2] - box[across]) for _, box in bodies],
    )


def distribute_moves(document: Document, keys: Collection[int], axis: Axis) -> tuple[Move, ...]:
    """The moves that make the gaps between objects equal, while the outermost two stay. Raises
    TooFew.
    """
    across = ("x", "y").index(axis)
    bodies = sorted(
        _movable_bodies(document, keys), key=lambda body: body[1][across] + body[1][across + 2]
    )
    if len(bodies) < 3:
        raise TooFew(
            "There are fewer than three objects or groups. Select three or more to distribute them."
        )
    sizes = [box[across + 2] - box[across] for _, box in bodies]
    gap = (bodies[-1][1][across + 2] - bodies[0][1][across] - sum(sizes)) / (len(bodies) - 1)
    starts = [bodies[0][1][across] + sum(sizes[:i]) + i * gap for i in range(len(bodies))]
    return _body_moves(
        bodies,
        across,
        [
            0.0,
            *(to - box[across] for to, (_, box) in zip(starts[1:-1], bodies[1:-1], strict=True)),
            0.0,
        ],
    )


def _movable_bodies(document: Document, keys: Collection[int]) -> list[Body]:
    """The objects by what moves together, in the order of the scene; those without a position are
    left out.
    """
    chosen = frozenset(keys)
    joined = _joined_objects(document, chosen)
    seen, bodies = set[int](), list[Body]()
    for obj in document.scene.objects:
        if obj.key in chosen and obj.key not in seen:
            together, waiting = set[int](), {obj.key}
            while waiting:
                key = waiting.pop()
                together.add(key)
                waiting |= joined[key] - together
            seen |= together
            box = scene_extent(document.scene, together)
            if box is not None:
                bodies.append((tuple(sorted(together, key=document.scene.index_of)), box))
    return bodies


def _joined_objects(document: Document, keys: frozenset[int]) -> Mapping[int, set[int]]:
    """For each object others that it moves together with, such that following them leads to all of
    these.
    """
    scene = document.scene
    together = list(document.groups.values())
    for key in keys:
        if isinstance(handle := scene.get(key), Handle):
            moved = with_groups(scene, [handle])
            together.append(frozenset({*(o.key for o in moved.objects), *moved.points}))
    joined = defaultdict[int, set[int]](set)
    for first, *others in filter(None, (held & keys for held in together)):
        joined[first].update(others)
        for other in others:
            joined[other].add(first)
    return joined


def _body_moves(bodies: list[Body], across: int, shifts: list[float]) -> tuple[Move, ...]:
    return tuple(
        Move(keys, *((shift, 0.0) if across == 0 else (0.0, shift)))
        for (keys, _), shift in zip(bodies, shifts, strict=True)
        if shift
    )
