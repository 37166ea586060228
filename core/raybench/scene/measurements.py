"""Measurements that are saved with a document: their kinds, points and style. Dimension lines and
callouts are measurements with a chosen position of the text.
"""

import dataclasses
import math
import re
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

from raybench.errors import RaybenchError, elide_text, short_repr
from raybench.kinds.fields import as_number
from raybench.kinds.object import MAX_NUMBER, SceneObject, has_usable_numbers
from raybench.scene.control_points import control_points
from raybench.scene.free_names import free_name
from raybench.scene.scene import Scene
from raybench.shapes.point import Point


@dataclass(frozen=True)
class MeasurementKind:
    """A kind of measurement: its title and the title of its tool, a description of each click,
    whether it is picked on a surface or on rays, whether its value depends on the light, and its
    shortcut. ``placed`` describes a last click that positions the written value and is not a point
    of the measurement. A kind without clicks has no tool: its pins are on the objects that its text
    names.
    """

    id: str
    title: str
    clicks: tuple[str, ...]
    takes_surface: bool = False
    takes_rays: bool = False
    reads_light: bool = False
    key: str | None = None
    placed: str = ""


PINNED_KIND = "measure"
"""The kind of measurements that are pinned measures."""
KINDS: Mapping[str, MeasurementKind] = {
    row.id: row
    for row in (
        MeasurementKind("distance", "Distance", ("the first point", "the second point"), key="M"),
        MeasurementKind(
            "angle", "Angle", ("the vertex", "a point on one leg", "a point on the other leg")
        ),
        MeasurementKind(
            "rays",
            "Angle between rays",
            ("one ray", "another ray"),
            takes_rays=True,
            reads_light=True,
        ),
        MeasurementKind(
            "incidence",
            "Angle of incidence",
            ("a surface where light meets it",),
            takes_surface=True,
            reads_light=True,
        ),
        MeasurementKind(
            "focus",
            "Focal distance",
            ("the lens or mirror that focuses",),
            takes_surface=True,
            reads_light=True,
        ),
        MeasurementKind(
            "dimension",
            "Dimension line",
            ("the first point", "the second point"),
            key="Shift+M",
            placed="where its line goes",
        ),
        MeasurementKind(
            "edges",
            "Angle between edges",
            ("a straight edge", "another straight edge"),
            takes_surface=True,
            placed="where its arc goes",
        ),
        MeasurementKind(
            "radius",
            "Radius",
            ("an edge that is an arc",),
            takes_surface=True,
            placed="where its value goes",
        ),
        MeasurementKind(
            "callout",
            "Callout",
            ("what it is about",),
            placed="where its text goes",
        ),
        MeasurementKind(PINNED_KIND, "Pinned measure", (), reads_light=True),
    )
}
"""All kinds of measurements, in the order of the menu; `raybench.analysis.measurements` says how
each is read.
"""
DIRECTIONS = "aligned", "horizontal", "vertical"
"""What a dimension line measures: the distance of its points, or one component of it."""
MAX_MEASUREMENTS = 1000
"""Maximum number of measurements of a document."""
IN_BRACES = re.compile(r"\{([^{}]*)\}")
"""What a text of a measurement has in braces: nothing for its value, or a measure."""
MAX_DECIMALS, MAX_TEXT_LENGTH = 12, 500
"""Maximum number of decimals of a value and of characters of a text."""


class InvalidMeasurement(RaybenchError):
    """The description of a measurement is invalid."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A point of a measurement. If it was picked on an object, with the key ``key``, it moves with
    this object.

    ``along`` and ``across`` are its coordinates relative to the line from the object's control
    point with the index ``point`` to the next control point, in units of this line's length, or in
    scene units if the object has only one control point. ``at`` is the position where it was picked
    or, if the object was deleted, its last position.
    """

    at: Point
    key: int | None = None
    point: int = 0
    along: float = 0.0
    across: float = 0.0

    def position_in_scene(self, scene: Scene) -> Point:
        """The position of the pin in a scene; ``at`` if the position would be too far away."""
        obj = scene.get(self.key) if self.key is not None else None
        frame = _control_point_frame(obj, self.point) if obj is not None else None
        if frame is None:
            return self.at
        (x, y), (dx, dy) = frame
        place = Point(
            x + self.along * dx - self.across * dy, y + self.along * dy + self.across * dx
        )
        return place if all(map(has_usable_numbers, place)) else self.at


def pin_at_point(scene: Scene, at: Point, key: int | None) -> Pin:
    """A pin at the point ``at``. With a ``key`` it moves with this object, or with a control point
    of the object if there is one at ``at``.
    """
    obj = scene.get(key) if key is not None else None
    controls = control_points(obj) if obj is not None else ()
    near = 1e-9 * (1 + abs(at.x) + abs(at.y))
    own = next((i for i, c in enumerate(controls) if math.dist(c.at, at) <= near), 0)
    frame = _control_point_frame(obj, own) if obj is not None else None
    if frame is None:
        return Pin(at)
    (x, y), (dx, dy) = frame
    square = dx * dx + dy * dy
    px, py = at.x - x, at.y - y
    return Pin(at, key, own, (px * dx + py * dy) / square, (py * dx - px * dy) / square)


def _control_point_frame(obj: SceneObject, point: int) -> tuple[Point, tuple[float, float]] | None:
    """The control point of an object with the index ``point``, and the vector to the next control
    point at a usable distance. None if the object has no such control point.
    """
    points = [c.at for c in control_points(obj)]
    if point >= len(points):
        return None
    origin = points[point]
    vectors = ((p.x - origin.x, p.y - origin.y) for p in (*points[point + 1 :], *points[:point]))
    return origin, next(
        ((dx, dy) for dx, dy in vectors if 0 < dx * dx + dy * dy < math.inf), (1.0, 0.0)
    )


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement: its kind, a key of `KINDS`, and its pins. If there are several rays or bundles
    to measure, ``ray`` selects one: 0 is the strongest, and after the last one the count begins
    again. Raises InvalidMeasurement.

    ``offset`` is the position of the written value, in scene units along and across the axis of the
    measurement (`raybench.analysis.measurements.DrawnMeasurement`); None for an automatic position.
    ``direction`` is one of `DIRECTIONS`. ``text`` is written instead of the value: ``{}`` stands
    for the value and ``{power(Screen)}`` for a measure. ``digits`` is the number of decimals. For a
    pinned measure, ``text`` is the measure, with ``{0}`` for the object of the first pin and so on,
    and ``reference`` is its value when it was pinned.
    """

    kind: str
    pins: tuple[Pin, ...]
    ray: int = 0
    offset: tuple[float, float] | None = None
    direction: str = "aligned"
    text: str = ""
    digits: int | None = None
    reference: float | None = None

    def __post_init__(self) -> None:
        if self.direction not in DIRECTIONS:
            raise InvalidMeasurement(
                f"The direction of a measurement is {', '.join(DIRECTIONS)}, not"
                f" {short_repr(elide_text(str(self.direction), 40))}."
            )
        if not isinstance(self.text, str) or len(self.text) > MAX_TEXT_LENGTH:
            raise InvalidMeasurement(
                f"The text of a measurement has at most {MAX_TEXT_LENGTH} characters."
            )
        if self.digits is not None and not (
            type(self.digits) is int and 0 <= self.digits <= MAX_DECIMALS
        ):
            raise InvalidMeasurement(
                f"The digits of a measurement are a number from 0 to {MAX_DECIMALS}, not"
                f" {short_repr(self.digits)}."
            )
        if self.offset is not None and not all(map(has_usable_numbers, self.offset)):
            raise InvalidMeasurement(
                f"The offset of a measurement is two numbers of at most {MAX_NUMBER:g}."
            )
        if self.kind not in KINDS:
            raise InvalidMeasurement(
                f"A measurement is of the kind {', '.join(KINDS)}, not"
                f" {short_repr(elide_text(self.kind, 40))}."
            )
        clicks = KINDS[self.kind].clicks
        if not clicks and not self.text:
            raise InvalidMeasurement("A pinned measure has a text, such as power(Screen).")
        if clicks and len(self.pins) != len(clicks):
            raise InvalidMeasurement(
                f"The measurement '{self.kind}' has {len(clicks)} points, not {len(self.pins)}."
            )

    @classmethod
    def from_json(cls, data: Any, key_of: Callable[[Any], int]) -> Self:
        """Decode a measurement from JSON. ``key_of`` returns the key of an object for its name in
        the JSON. Raises InvalidMeasurement, and the errors of ``key_of``.
        """
        if (
            not isinstance(data, Mapping)
            or not isinstance(data.get("kind"), str)
            or not isinstance(data.get("pins"), Sequence)
        ):
            raise InvalidMeasurement(
                "A measurement has 'kind' and 'pins', a list of points with x and y."
            )
        ray = data.get("ray", 0)
        if isinstance(ray, bool) or not isinstance(ray, int) or abs(ray) > MAX_MEASUREMENTS:
            raise InvalidMeasurement(
                f"'ray' of a measurement is a number from 0, not {short_repr(ray)}."
            )
        return cls(
            data["kind"],
            tuple(_read_pin(pin, key_of) for pin in data["pins"]),
            ray,
            _read_offset(data.get("offset")),
            data.get("direction", "aligned"),
            data.get("text", ""),
            data.get("digits"),
            as_number(data.get("reference")),
        )

    def to_json(self, address: Callable[[int], Any]) -> dict[str, Any]:
        """Encode the measurement as JSON. ``address`` returns the JSON name of an object for its
        key, or None if the object no longer exists.
        """
        data = {"kind": self.kind, "pins": [_pin_json(pin, address) for pin in self.pins]}
        how = {f.name: (f.default, getattr(self, f.name)) for f in dataclasses.fields(self)[2:]}
        return data | {
            name: list(value) if isinstance(value, tuple) else value
            for name, (default, value) in how.items()
            if value != default
        }

    @property
    def reads_light(self) -> bool:
        """Whether the text of the measurement depends on the light."""
        return KINDS[self.kind].reads_light or any(map(str.strip, IN_BRACES.findall(self.text)))

    def with_measures(self, new: Callable[[str], str]) -> Self:
        """The measurement with the measures in its text replaced: ``new`` returns the new text of
        each measure in braces. Unchanged if the text would become too long.
        """
        text = IN_BRACES.sub(lambda braces: f"{{{new(braces[1])}}}", self.text)
        is_fixed = self.kind == PINNED_KIND or text == self.text or len(text) > MAX_TEXT_LENGTH
        return self if is_fixed else dataclasses.replace(self, text=text)

    def mirrored(self) -> Self:
        """The measurement of mirrored objects. A reflection swaps the sides of an axis."""
        if self.offset is None or self.kind == "callout" or self.direction != "aligned":
            return self
        along, across = self.offset
        return dataclasses.replace(self, offset=(along, -across))

    def with_next_ray(self, step: int = 1) -> Self:
        """The same measurement of the next ray, or of the ray ``step`` places further."""
        return dataclasses.replace(self, ray=self.ray + step)


def update_measurements(
    measurements: Mapping[str, Measurement], before: Scene, after: Scene
) -> Mapping[str, Measurement]:
    """The measurements, by name, after a change of the scene from ``before`` to ``after``. A point
    keeps its position if its object no longer exists, or now has another number of control points.
    """

    def update_pin(pin: Pin) -> Pin:
        old, new = (
            scene.get(pin.key) if pin.key is not None else None for scene in (before, after)
        )
        if old is None or new is old:
            return pin
        if new is None:
            return dataclasses.replace(pin, at=pin.position_in_scene(before))
        return (
            pin
            if len(control_points(old)) == len(control_points(new))
            else pin_at_point(after, pin.position_in_scene(before), pin.key)
        )

    return {
        name: dataclasses.replace(m, pins=tuple(map(update_pin, m.pins)))
        for name, m in measurements.items()
    }


def measurements_attached_to(
    measurements: Mapping[str, Measurement], keys: Container[int]
) -> dict[str, Measurement]:
    """The measurements whose points are all attached to objects with these keys."""
    return {
        name: m
        for name, m in measurements.items()
        if m.pins and all(pin.key is not None and pin.key in keys for pin in m.pins)
    }


def copy_measurements(
    measurements: Mapping[str, Measurement], copies: Mapping[int, int], taken: Collection[str]
) -> dict[str, Measurement]:
    """Copies of the measurements of some objects, attached to the copies of these objects.
    ``copies`` maps the keys of objects to the keys of their copies. The new names are not in
    ``taken``. The number of copies is limited by what a document can hold.
    """
    names, copied = set(taken), dict[str, Measurement]()
    for name, m in islice(
        measurements_attached_to(measurements, copies).items(),
        max(0, MAX_MEASUREMENTS - len(names)),
    ):
        free = free_name(name, names)
        names.add(free)
        copied[free] = dataclasses.replace(
            m,
            pins=tuple(
                (pin if pin.key is None else dataclasses.replace(pin, key=copies[pin.key]))
                for pin in m.pins
            ),
        )
    return copied


def _read_offset(data: Any) -> tuple[float, float] | None:
    if data is None:
        return None
    numbers = [as_number(each) for each in data] if isinstance(data, Sequence) else []
    match numbers:
        case [float() | int() as along, float() | int() as across]:
            return float(along), float(across)
    raise InvalidMeasurement(
        "The offset of a measurement is two numbers: along and across what is measured."
    )


def _read_pin(data: Any, key_of: Callable[[Any], int]) -> Pin:
    if not isinstance(data, Mapping):
        raise InvalidMeasurement("A point of a measurement has x and y.")
    numbers = [as_number(data.get(name, 0.0)) for name in ("x", "y", "along", "across")]
    x, y, along, across = (n if n is not None else math.nan for n in numbers)
    if any(map(math.isnan, (x, y, along, across))):
        raise InvalidMeasurement("A point of a measurement has finite numbers x and y.")
    if not (has_usable_numbers(x) and has_usable_numbers(y)):
        raise InvalidMeasurement(f"A point of a measurement has x and y of at most {MAX_NUMBER:g}.")
    point = data.get("point", 0)
    if isinstance(point, bool) or not isinstance(point, int) or point < 0:
        raise InvalidMeasurement(
            f"'point' of a measurement is the number of a control point, not {short_repr(point)}."
        )
    named = data.get("object")
    return (
        Pin(Point(x, y), key_of(named), point, along, across)
        if named is not None
        else Pin(Point(x, y))
    )


def _pin_json(pin: Pin, address: Callable[[int], Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"x": pin.at.x, "y": pin.at.y}
    named = address(pin.key) if pin.key is not None else None
    return (
        out
        if named is None
        else out | {"object": named, "point": pin.point, "along": pin.along, "across": pin.across}
    )
