"""The default centres for rotating, scaling and reflecting objects."""

from __future__ import annotations

import math
from collections.abc import Sequence

from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.fields import fields_of
from raybench.kinds.kinds import row_of
from raybench.kinds.object import InvalidObject, SceneObject
from raybench.scene.control_points import control_points
from raybench.shapes.point import Point


class NoCentre(RaybenchError):
    """An object has no points, so no centre."""


def centre_of(obj: SceneObject) -> Point:
    """The default centre for rotating, scaling and reflecting an object: the field that its kind's
    row names or, if it names none, the mean of its corners, nodes or points. It moves with the
    object under every similarity. Raises NoCentre.
    """
    row = row_of(obj)
    if row.centre:
        centre: Point = getattr(obj, row.centre)
        return centre
    every = control_points(obj)
    shape = [c for c in every if c.field != "origin" and c.index % _step(obj, c.field) == 0]
    return mean([c.at for c in shape or every] or row.drawn(obj), obj.title)


def _step(obj: SceneObject, field: str) -> int:
    """The index step from one corner or node to the next: the control points of curves are skipped."""
    return (
        3 if any(f.name == field and f.about.kind == "curve" for f in fields_of(type(obj))) else 1
    )


def mean(points: Sequence[Point], title: str = "this") -> Point:
    """The mean of the points, the same for any order of them, type of number and version of Python.
    Raises NoCentre if there are none.
    """
    if not points:
        raise NoCentre(f"{in_quotes(title)} has no position. Leave it out.")
    return Point(
        math.fsum(p.x for p in points) / len(points), math.fsum(p.y for p in points) / len(points)
    )


def centre_of_all(objects: Sequence[SceneObject]) -> Point:
    """The mean of the objects' centres (see `centre_of`). Raises InvalidObject if none has a
    centre.
    """
    centres = []
    for obj in objects:
        try:
            centres.append(centre_of(obj))
        except NoCentre:
            continue
    try:
        return mean(centres, objects[0].title)
    except NoCentre as error:
        raise InvalidObject(str(error)) from None
