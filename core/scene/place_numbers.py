"""The numbers by which whole objects are placed: their centre and, of a line, its length and angle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.kinds.decorations import Handle
from core.kinds.fields import LENGTH
from core.kinds.lenses import IdealLens, SphericalLens
from core.kinds.object import SceneObject
from core.scene.changes.centre import centre_of_all
from core.scene.changes.change import Change
from core.scene.changes.placing import Move
from core.scene.changes.setting import Set
from core.scene.control_points import control_points
from core.scene.point_numbers import PointNumber, polar
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


def _of_line(number: PointNumber, which: int) -> PlaceNumber:
    """A number of a line, read and changed at its second end."""

    def polar_number(objects: Objects) -> tuple[PointNumber, Point]:
        first, second = _ends(objects[0])
        return polar(first)[which], second

    def get(objects: Objects) -> float:
        read, second = polar_number(objects)
        return read.get(second)

    def change(objects: Objects, value: float) -> Change:
        read, second = polar_number(objects)
        control = next(c for c in control_points(objects[0]) if c.field == "p2")
        return Set((objects[0].key,), control.values(read.put(second, value)))

    return PlaceNumber(number.label, number.unit, get, change, number.low)


LINE = tuple(_of_line(number, i) for i, number in enumerate(polar(Point(0.0, 0.0))))
"""Length and angle from the first end of a line, which stays."""


def _ends(obj: SceneObject) -> tuple[Point, Point]:
    ends = {c.field: c.at for c in control_points(obj)}
    return ends["p1"], ends["p2"]


def _is_line(obj: SceneObject) -> bool:
    """Whether an object is given by its two ends."""
    controls = control_points(obj)
    return [c.field for c in controls] == ["p1", "p2"] and all(c.meaning == "end" for c in controls)


def place_numbers(objects: Objects) -> tuple[PlaceNumber, ...]:
    """The numbers that place objects as a whole; none for a single point, whose coordinates are its own properties, for what is not
    placed by points, and for more than `MOST`."""
    if len(objects) > MOST:
        return ()
    placed = _placed(objects)
    if not placed or (len(objects) == 1 and (len(control_points(placed[0])) == 1 or isinstance(placed[0], Handle))):
        return ()
    if len(objects) > 1 or not _is_line(placed[0]):
        return CENTRE
    length, angle = LINE
    return (*CENTRE, replace(length, label="Diameter") if isinstance(placed[0], IdealLens | SphericalLens) else length, angle)
