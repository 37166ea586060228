"""The numbers by which whole objects are placed: their centre; of a line its length and its angle,
of an arc or a circle its radius.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from raybench.kinds.decorations import Handle
from raybench.kinds.fields import LENGTH
from raybench.kinds.kinds import row_of
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.changes.centre import centre_of_all
from raybench.scene.changes.placing import Move
from raybench.scene.changes.setting import Set
from raybench.scene.changes.transaction import Changes, listed
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.point_numbers import (
    COORDINATES,
    PointNumber,
    at_polar,
    places_at,
    point_numbers,
    polar,
)
from raybench.shapes.point import Point

Objects = Sequence[SceneObject]
MOST_EACH = 100
"""Maximum number of objects whose numbers are compared."""
SAME = 9
"""Decimals to which the numbers of several objects are compared."""
SHORTEST = 1e-9
"""Smallest length that a line is given: at 0 its angle would be lost."""
MOST = 200
"""Maximum number of objects with common numbers, which a form has to compute at each change."""


@dataclass(frozen=True)
class PlaceNumber:
    """A number of objects: ``get`` reads it, NaN where each has another, ``change`` gives it
    another value. ``unit`` as in `raybench.kinds.fields`.
    """

    label: str
    unit: str
    get: Callable[[Objects], float]
    change: Callable[[Objects, float], Changes]
    low: float | None = None
    about: str = ""
    """A sentence on what stays unchanged."""
    motion: str = ""
    """The motion by which a study changes it (`raybench.study.terms.parameter`); empty for none."""


def _centre(objects: Objects) -> Point:
    return centre_of_all(_placed(objects))


def _placed(objects: Objects) -> list[SceneObject]:
    """The objects that have points."""
    return [o for o in objects if control_points(o)]


def _keys(objects: Objects) -> list[int]:
    return [o.key for o in _placed(objects)]


CENTRE = (
    PlaceNumber(
        "Centre x",
        LENGTH,
        lambda o: _centre(o).x,
        lambda o, x: Move(_keys(o), x - _centre(o).x, 0.0),
        motion="x",
    ),
    PlaceNumber(
        "Centre y",
        LENGTH,
        lambda o: _centre(o).y,
        lambda o, y: Move(_keys(o), 0.0, y - _centre(o).y),
        motion="y",
    ),
)
"""Where the mean of the objects' centres is; another value moves all of them."""


def _of_last_point(obj: SceneObject) -> tuple[PlaceNumber, ...]:
    """What the last point of an object of two or three measures: a line's length and angle, an
    arc's or a circle's radius.
    """
    controls = control_points(obj)
    fields = [c.field for c in controls]
    if fields != ["p1", "p2"] and not (
        fields == ["p1", "p2", "p3"] and controls[-1].meaning == "bend"
    ):
        return ()
    numbers = point_numbers(obj, controls[-1])[len(COORDINATES) :]
    if not numbers:  # of a handle the points measure nothing
        return ()
    first = 0
    if len(controls) == 3:
        about = "The ends stay."
    elif isinstance(obj, Source) and controls[0].meaning == "centre":
        first, about = (
            1,
            "Of its direction; its place stays.",
        )  # how far away the point is that it shines towards means nothing
    elif numbers[0].label == "Radius":
        numbers, about = numbers[:1], "The centre stays."
    elif controls[0].noun != controls[1].noun:
        about = f"From the {controls[0].noun}, which stays."
    else:  # two ends alike, as of a mirror
        return _of_line(0, "The centre and the angle stay."), _of_line(
            1, "About the centre, which stays."
        )
    return tuple(_of_point(numbers[i], i, about) for i in range(first, len(numbers)))


def _of_point(number: PointNumber, which: int, about: str) -> PlaceNumber:
    """A number of an object, read and changed at its last point."""

    def last(objects: Objects) -> tuple[PointNumber, ControlPoint]:
        control = control_points(objects[0])[-1]
        return point_numbers(objects[0], control)[len(COORDINATES) + which], control

    def get(objects: Objects) -> float:
        read, control = last(objects)
        return read.get(control.at)

    def change(objects: Objects, value: float) -> Changes:
        read, control = last(objects)
        return Set((objects[0].key,), control.values(read.put(control.at, value)))

    return PlaceNumber(number.label, number.unit, get, change, number.low, about)


def _of_line(which: int, about: str) -> PlaceNumber:
    """The length or the angle of an object with two ends, which stays where its centre is."""

    def measured(objects: Objects) -> tuple[Point, tuple[float, float]]:
        a, b = (c.at for c in control_points(objects[0]))
        length, angle = (number.get(b) for number in polar(a))
        digits = places_at(a, length) - 1  # what was rounded in both ends
        return Point(round((a.x + b.x) / 2, digits), round((a.y + b.y) / 2, digits)), (
            round(length, digits),
            angle,
        )

    def change(objects: Objects, value: float) -> Changes:
        centre, (length, angle) = measured(objects)
        length, angle = (value, angle) if which == 0 else (length, value)
        first, last = (at_polar(centre, length / 2, angle + turn) for turn in (180.0, 0.0))
        a, b = control_points(objects[0])
        return Set((objects[0].key,), {**a.values(first), **b.values(last)})

    label, unit = (("Length", LENGTH), ("Angle", "deg"))[which]
    return PlaceNumber(
        label,
        unit,
        lambda objects: measured(objects)[1][which],
        change,
        SHORTEST if which == 0 else None,
        about,
    )


def place_numbers(objects: Objects) -> tuple[PlaceNumber, ...]:
    """The numbers that place objects as a whole; none for a single point, whose coordinates are its
    own properties, for what is not placed by points, and for more than `MOST`. The centre is left
    out where it is a property of the object.
    """
    if len(objects) > MOST:
        return ()
    placed = _placed(objects)
    if not placed or (
        len(objects) == 1 and (len(control_points(placed[0])) == 1 or isinstance(placed[0], Handle))
    ):
        return ()
    if len(objects) > 1:
        return (*CENTRE, *(_of_each(placed) if len(placed) <= MOST_EACH else ()))
    own = _of_one(placed[0])
    return own if row_of(placed[0]).centre else (*CENTRE, *own)


def _of_one(obj: SceneObject) -> tuple[PlaceNumber, ...]:
    """The numbers of one object besides its centre."""
    own = _of_last_point(obj)
    if own and isinstance(obj, IdealLens | SphericalLens):
        own = (replace(own[0], label="Diameter"), *own[1:])
    return own


def _of_each(objects: Objects) -> tuple[PlaceNumber, ...]:
    """The numbers that each of several objects has, such as the angles of mirrors: another value is
    given to all of them.
    """
    numbers = [_of_one(o) for o in objects]
    labels = [n.label for n in numbers[0]]
    if any([n.label for n in own] != labels for own in numbers[1:]):
        return ()

    def common(of: Objects, i: int) -> float:
        values = {round(_of_one(o)[i].get([o]), SAME) for o in _placed(of)}
        return values.pop() if len(values) == 1 else math.nan

    def each(of: Objects, i: int, value: float) -> Changes:
        return [change for o in _placed(of) for change in listed(_of_one(o)[i].change([o], value))]

    lows = [
        max((low for own in numbers if (low := own[i].low) is not None), default=None)
        for i in range(len(labels))
    ]
    return tuple(
        PlaceNumber(
            n.label,
            n.unit,
            partial(common, i=i),
            lambda of, value, i=i: each(of, i, value),  # type: ignore[misc]
            lows[i],
            f"Of each. {n.about}",
        )
        for i, n in enumerate(numbers[0])
    )
