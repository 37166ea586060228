"""The change that dragging a control point, or typing its coordinates, makes."""

from __future__ import annotations

import math

from raybench.kinds.decorations import Handle
from raybench.kinds.object import SceneObject
from raybench.scene.changes.change import Change
from raybench.scene.changes.placing import Move, Rotate, Scale
from raybench.scene.changes.setting import Set
from raybench.scene.control_points import ControlPoint
from raybench.shapes.point import Point


def drag_of(obj: SceneObject, control: ControlPoint, to: Point) -> Change:
    """The change that brings a control point to ``to``: it sets the point, but the grip of a handle
    transforms the handle's group.

    How it does is the handle's ``transformation``: ``rotation`` and ``scaling`` are about its
    pivot, ``xTranslation`` and ``yTranslation`` keep one coordinate, anything else moves.
    """
    if not isinstance(obj, Handle) or control.field != "p1":
        return Set((obj.key,), control.values(to))
    (ax, ay), (bx, by) = ((p.x - obj.p2.x, p.y - obj.p2.y) for p in (control.at, to))
    ends_apart = math.hypot(ax, ay) > 0 and math.hypot(bx, by) > 0
    match obj.transformation:
        case "rotation" if ends_apart:
            turned = math.degrees(math.atan2(ay * bx - ax * by, ax * bx + ay * by))  # y is down
            return Rotate((obj.key,), turned, obj.p2)
        case "scaling" if ends_apart:
            return Scale((obj.key,), math.hypot(bx, by) / math.hypot(ax, ay), obj.p2)
        case "rotation" | "scaling":
            return Move((obj.key,))
        case "xTranslation":
            return Move((obj.key,), bx - ax)
        case "yTranslation":
            return Move((obj.key,), 0.0, by - ay)
    return Move((obj.key,), bx - ax, by - ay)
