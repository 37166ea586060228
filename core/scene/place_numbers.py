"""The numbers by which whole objects are placed: their centre; of a line its length and angle, of an arc or a circle its radius."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.kinds.decorations import Handle
from core.kinds.fields import LENGTH
from core.kinds.kinds import row_of
from core.kinds.lenses import IdealLens, SphericalLens
from core.kinds.object import SceneObject
from core.kinds.sources import Source
from core.scene.changes.centre import centre_of_all
from core.scene.changes.change import Change
from core.scene.changes.placing import Move
from core.scene.changes.setting import Set
from core.scene.control_points import ControlPoint, control_points
from core.scene.point_numbers import COORDINATES, PointNumber, point_numbers
from core.shapes.point import Point

Objects = Sequence[SceneObject]
MOST = 200
"""Objects above which they have no numbers together, which a form would have to compute at each change."""


@dataclass(frozen=True)
class PlaceNumber:
    """A number of objects: ``get`` reads it, ``change`` gives it another value. ``unit`` as in `core.kinds.fields`."""

    label: str
    unit: str
    get: Callable[[Objects], float]
    change: Callable[[Objects, float], Change]
    low: float | None = None
    about: str = ""
    """What stays as it is, in a sentence."""


def _centre(objects: Objects) -> Point:
    return centre_of_all(_placed(objects))


def _placed(objects: Objects) -> list[SceneObject]:
    """Those that have points."""
    return [o for o in objects if control_points(o)]


def _keys(objects: Objects) -> list[int]:
    return [o.key for o in _placed(objects)]


CENTRE = (
    PlaceNumber("Centre x", LENGTH, lambda o: _centre(o).x, lambda o, x: Move(_keys(o), x - _centre(o).x, 0.0)),
    PlaceNumber("Centre y", LENGTH, lambda o: _centre(o).y, lambda o, y: Move(_keys(o), 0.0, y - _centre(o).y)),
)
"""Where the mean of the objects' centres is; another value moves all of them."""


def _of_last_point(obj: SceneObject) -> tuple[PlaceNumber, ...]:
    """What the last point of an object of two or three measures: a line's length and angle, an arc's or a circle's radius."""
    controls = control_points(obj)
    fields = [c.field for c in controls]
    if fields != ["p1", "p2"] and not (fields == ["p1", "p2", "p3"] and controls[-1].meaning == "bend"):
        return ()
    numbers = point_numbers(obj, controls[-1])[len(COORDINATES) :]
    first = 0
    if len(controls) == 3:
        about = "The ends stay."
    elif isinstance(obj, Source) and controls[0].meaning == "centre":
        first, about = 1, "Of its direction; its place stays."  # how far away the point is that it shines towards means nothing
    elif numbers[0].label == "Radius":
        numbers, about = numbers[:1], "The centre stays."
    else:
        about = "From the first end, which stays."
    return tuple(_of_point(numbers[i], i, about) for i in range(first, len(numbers)))


def _of_point(number: PointNumber, which: int, about: str) -> PlaceNumber:
    """A number of an object, read and changed at its last point."""

    def last(objects: Objects) -> tuple[PointNumber, ControlPoint]:
        control = control_points(objects[0])[-1]
        return point_numbers(objects[0], control)[len(COORDINATES) + which], control

    def get(objects: Objects) -> float:
        read, control = last(objects)
        return read.get(control.at)

    def change(objects: Objects, value: float) -> Change:
        read, control = last(objects)
        return Set((objects[0].key,), control.values(read.put(control.at, value)))

    return PlaceNumber(number.label, number.unit, get, change, number.low, about)


def place_numbers(objects: Objects) -> tuple[PlaceNumber, ...]:
    """The numbers that place objects as a whole; none for a single point, whose coordinates are its own properties, for what is not
    placed by points, and for more than `MOST`. The centre is left out where it is a property of the object."""
    if len(objects) > MOST:
        return ()
    placed = _placed(objects)
    if not placed or (len(objects) == 1 and (len(control_points(placed[0])) == 1 or isinstance(placed[0], Handle))):
        return ()
    if len(objects) > 1:
        return CENTRE
    own = _of_last_point(placed[0])
    if own and isinstance(placed[0], IdealLens | SphericalLens):
        own = (replace(own[0], label="Diameter"), *own[1:])
    return own if row_of(placed[0]).centre else (*CENTRE, *own)
