"""The default centres for rotating, scaling and reflecting objects. Kinds can register their own with ``centre_of.register``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from core.errors import RaybenchError, in_quotes
from core.kinds.blockers import CircleBlocker
from core.kinds.decorations import Drawing, Handle, Protractor
from core.kinds.fields import fields_of
from core.kinds.glasses import CircleGlass
from core.kinds.grin import CircleGrinGlass
from core.kinds.object import InvalidObject, SceneObject
from core.kinds.sources import AngleSource, SingleRay
from core.scene.control_points import control_points
from core.shapes.point import Point


class NoCentre(RaybenchError):
    """An object has no points, so no centre."""


@singledispatch
def centre_of(obj: SceneObject) -> Point:
    """The default centre for rotating, scaling and reflecting an object: the mean of its corners, nodes or points; for circles and for
    sources with one starting point, that point. It moves with the object under every similarity. Raises NoCentre.
    """
    shape = [c for c in control_points(obj) if c.field != "origin" and c.index % _step(obj, c.field) == 0]
    return mean([c.at for c in shape or control_points(obj)], obj.title)


def _step(obj: SceneObject, field: str) -> int:
    """The index step from one corner or node to the next: the control points of curves are skipped."""
    return 3 if any(f.name == field and f.about.kind == "curve" for f in fields_of(type(obj))) else 1


@centre_of.register(CircleGlass)
@centre_of.register(CircleGrinGlass)
@centre_of.register(CircleBlocker)
@centre_of.register(Protractor)
@centre_of.register(SingleRay)
@centre_of.register(AngleSource)
@centre_of.register(Handle)
def _first_point(obj: Any) -> Point:
    return obj.p1  # type: ignore[no-any-return]


@centre_of.register
def _of_drawing(obj: Drawing) -> Point:
    return mean([p for line in obj.lines for p in line], obj.title)


def mean(points: list[Point], title: str = "this") -> Point:
    """The mean of the points. Raises NoCentre if there are none."""
    if not points:
        raise NoCentre(f"{in_quotes(title)} has no position. Leave it out.")
    return Point(sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points))


def centre_of_all(objects: Sequence[SceneObject]) -> Point:
    """The mean of the objects' centres (see `centre_of`). Raises InvalidObject if none has a centre."""
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
