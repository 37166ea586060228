"""Changes that move, rotate, scale and mirror objects, the centres of these transformations, and
the change for a dragged control point.
"""

import contextlib
import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self, cast

from raybench.errors import in_quotes
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.decorations import Handle
from raybench.kinds.fields import LENGTH, described_field, described_fields, number
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import InvalidObject, SceneObject
from raybench.kinds.outline import object_edges
from raybench.phrase import Phrase
from raybench.scene.changes.change import (
    Change,
    TargetedChange,
    target_objects,
    with_changed_objects,
)
from raybench.scene.changes.quantity import format_with_unit
from raybench.scene.changes.setting import Set
from raybench.scene.changes.values import InvalidValue, violated_limits_text
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.document import EDGE_ANNOTATIONS, Document
from raybench.scene.handles import with_handle_groups
from raybench.scene.measurements import Pin, pin_at_point
from raybench.scene.scene import Scene
from raybench.shapes.point import Point


class NoCentre(InvalidObject):
    """An object has no points, and therefore no centre."""


def object_centre(obj: SceneObject) -> Point:
    """The default centre for rotating, scaling and reflecting an object: the field that its kind's
    row names as the centre, otherwise the mean of its corners, nodes or points. Raises NoCentre.
    """
    row = kind_row_of(obj)
    if row.centre:
        centre: Point = getattr(obj, row.centre)
        return centre
    if "centre" not in obj.derived_values:
        obj.derived_values["centre"] = _mean_of_points(obj)
    return cast(Point, obj.derived_values["centre"])


def _mean_of_points(obj: SceneObject) -> Point:
    every = control_points(obj)
    # of a curve, every third point is a node; those between shape it
    curves = {f.name for f in described_fields(type(obj)) if f.about.kind == "curve"}
    shape = [
        c for c in every if c.field != "origin" and (c.field not in curves or c.index % 3 == 0)
    ]
    return mean_point([c.at for c in shape or every] or kind_row_of(obj).drawn(obj), obj.title)


def mean_point(points: Sequence[Point], title: str = "this") -> Point:
    """The mean of the points. It does not depend on the order of the points, the type of the
    numbers or the version of Python. Raises NoCentre without points.
    """
    if not points:
        raise NoCentre(f"{in_quotes(title)} has no position. Leave it out.")
    return Point(
        math.fsum(p.x for p in points) / len(points), math.fsum(p.y for p in points) / len(points)
    )


def mean_centre_of_objects(objects: Sequence[SceneObject]) -> Point:
    """The mean of the objects' centres (see `object_centre`). Raises NoCentre if none has a centre."""
    centres = []
    for obj in objects:
        with contextlib.suppress(NoCentre):
            centres.append(object_centre(obj))
    return mean_point(centres, objects[0].title)


Place = Point | str | None
"""A point; an object's name, meaning its centre; or None, meaning the centre of the changed
objects.
"""
NO_MOTION = Similarity()
SCALE_FACTOR_RANGE = 1e-9, 1e9
"""The range of factors of a scaling."""
PARTS_TOLERANCE = 1e-9
"""Tolerance for the positions of an instance's parts, relative to their coordinates."""


def place_parameter(default: Any, label: str, **about: Any) -> Any:
    """A dataclass field of a change for a `Place`: a point, or the name of an object."""
    return described_field("place", default, label, unit=LENGTH, **about)


def _resolve_place(document: Document, given: Point | str) -> Point:
    return (
        mean_centre_of_objects(target_objects(document, (given,)))
        if isinstance(given, str)
        else given
    )


def _describe_place(document: Document, given: Point | str) -> str:
    return given if isinstance(given, str) else _point_text(*given, document.unit)


def _point_text(x: float, y: float, unit: str) -> str:
    return Phrase("({x:z.6g}, {y:z.6g}) {unit}", x=x, y=y, unit=unit)


class _PlacementChange(TargetedChange):
    """A change that transforms objects by a similarity. A handle among them transforms its whole
    group.
    """

    at: ClassVar[str]
    """The name of the parameter that is a `Place`."""

    def similarity(self, document: Document) -> Similarity:
        raise NotImplementedError

    def replace_names_by_keys(self, document: Document) -> Self:
        new, given = super().replace_names_by_keys(document), getattr(self, self.at)
        if not isinstance(given, str):
            return new
        return dataclasses.replace(new, **{self.at: _resolve_place(document, given)})  # type: ignore[arg-type]

    def apply(self, document: Document) -> Document:
        by, given = self.similarity(document), self.objects(document)
        if by == NO_MOTION:  # of all but a few parameters of a sensitivity
            return document
        moved = with_handle_groups(document.scene, given)
        objects = moved.objects
        new = {o.key: kind_row_of(o).transformed(o, by) for o in objects}
        parts = list(document.parts)
        for i, part in enumerate(parts):
            if part.present_objects.keys() <= new.keys() and (there := part.moved(by)) is not None:
                parts[i] = there
                new |= there.objects(document.scene)
        now = document
        if tuple(parts) != document.parts:
            now = dataclasses.replace(document, parts=tuple(parts))
        after = with_changed_objects(now, new)
        for key, points in moved.points.items():
            values: dict[str, Any] = {}
            for control in points:
                values |= control.values(by.point(control.at))
            after = Set((key,), values).apply(after)
        for obj in objects:
            if isinstance(obj, ModuleObj):
                _check_transformed_parts(obj, document.scene, after.scene, by)
        return (
            _with_pins_moved(
                _with_edge_annotations_moved(after, objects, by), document.scene, by, objects
            )
            if by.is_mirrored
            else after
        )


def _with_edge_annotations_moved(
    document: Document, before: Sequence[SceneObject], by: Similarity
) -> Document:
    """The document with labels, coatings and finishes assigned to the transformed edges, which a
    reflection may number differently.
    """
    moved = {name: dict(getattr(document, name)) for name in EDGE_ANNOTATIONS}
    for obj in before:
        new = document.scene.get(obj.key)
        for annotations in moved.values():
            if (own := annotations.get(obj.key)) and new is not None:
                at = {e.index: by.point(e.shape.midpoint) for e in object_edges(obj)}
                edges = object_edges(new)
                annotations[obj.key] = {
                    min(edges, key=lambda e: math.dist(e.shape.midpoint, at[i])).index: each
                    for i, each in own.items()
                    if i in at and edges
                }
    return document.with_annotations(**moved)


def _with_pins_moved(
    document: Document, before: Scene, by: Similarity, objects: Sequence[SceneObject]
) -> Document:
    """The document with the points of measurements moved along with their objects. A reflection
    swaps the sides of an object.
    """
    keys = {o.key for o in objects}

    def move_pin(pin: Pin) -> Pin:
        return (
            pin_at_point(document.scene, by.point(pin.position_in_scene(before)), pin.key)
            if pin.key in keys
            else pin
        )

    measurements = {
        name: dataclasses.replace(
            m.mirrored() if all(pin.key in keys for pin in m.pins) else m,
            pins=tuple(map(move_pin, m.pins)),
        )
        for name, m in document.measurements.items()
    }
    return document.with_annotations(measurements=measurements)


def _check_transformed_parts(
    instance: ModuleObj, before: Scene, after: Scene, by: Similarity
) -> None:
    """Raise InvalidObject if the parts of a transformed instance differ from its parts before,
    transformed.
    """
    if not instance.points:
        raise instance.invalid_error(
            "its position",
            "is fixed by its module, since it has no points. Change its parameters, or leave"
            " it out",
        )
    new = after.get(instance.key)
    if by.is_shift or new is None:
        return
    expected = _control_point_positions(
        kind_row_of(p).transformed(p, by) for p in before.parts_of(instance)
    )
    actual = _control_point_positions(after.parts_of(new))
    size = max((abs(c) for p in expected for c in p), default=0.0) + 1.0
    same = len(expected) == len(actual) and all(
        math.dist(p, q) <= PARTS_TOLERANCE * size for p, q in zip(expected, actual, strict=True)
    )
    if not same:
        raise instance.invalid_error(
            "its parts",
            "do not turn with its points as the module defines them. Change its points or"
            " parameters",
        )


def _control_point_positions(parts: Iterable[SceneObject]) -> list[Point]:
    return [c.at for part in parts if part.optical for c in control_points(part)]


class Move(_PlacementChange):
    """Move objects by (dx, dy): x to the right and y down. If ``to`` is given, the centre of the
    objects is first moved to this place.
    """

    verb = "move"
    at = "to"
    needs = "dx", "dy", "to"
    example: ClassVar[Mapping[str, Any]] = {"dx": 5, "dy": 0}

    dx: float = number(0.0, "dx", unit=LENGTH, help="To the right.")
    dy: float = number(0.0, "dy", unit=LENGTH, help="Downwards.")
    to: Place = place_parameter(
        None,
        "To",
        help=(
            "A point or an object's name, where their centre goes; without it they move from where"
            " they are."
        ),
    )

    def similarity(self, document: Document) -> Similarity:
        if self.to is None:
            return Similarity.shift(self.dx, self.dy)
        at, to = mean_centre_of_objects(self.objects(document)), _resolve_place(document, self.to)
        return Similarity.shift(to.x - at.x + self.dx, to.y - at.y + self.dy)

    def describe(self, before: Document, after: Document) -> str:
        objects, by = self.describe_targets(before), _point_text(self.dx, self.dy, before.unit)
        if self.to is None:
            return Phrase("{objects} moved by {by}", objects=objects, by=by)
        to = _describe_place(before, self.to)
        done = Phrase("{objects} moved to {to}", objects=objects, to=to)
        return Phrase("{done} and by {by}", done=done, by=by) if self.dx or self.dy else done

    def merge_consecutive(self, after: Change) -> Change | None:
        if isinstance(after, Move) and after.target_tuple == self.target_tuple:
            return (
                after
                if after.to is not None
                else dataclasses.replace(self, dx=self.dx + after.dx, dy=self.dy + after.dy)
            )
        return None


class _FixedPointChange(_PlacementChange):
    """A change that transforms objects about a fixed point."""

    at = "about"

    def _centre(self, document: Document) -> Point:
        about: Place = self.about  # type: ignore[attr-defined]
        return (
            mean_centre_of_objects(self.objects(document))
            if about is None
            else _resolve_place(document, about)
        )

    def _with_centre(self, done: str, document: Document) -> str:
        """The text ``done`` followed by the fixed point of the transformation."""
        about: Place = self.about  # type: ignore[attr-defined]
        if about is None:
            return done
        return Phrase("{done} about {place}", done=done, place=_describe_place(document, about))


class Rotate(_FixedPointChange):
    """Rotate objects by an angle in degrees, counter-clockwise on screen."""

    verb = "rotate"
    needs = ("by",)
    example: ClassVar[Mapping[str, Any]] = {"by": 7}

    by: float = number(0.0, "Angle", unit="deg", help="Counter-clockwise as seen.")
    about: Place = place_parameter(
        None, "About", help="A point or an object's name; without it the centre of the objects."
    )

    def similarity(self, document: Document) -> Similarity:
        return Similarity.rotation(self.by, self._centre(document))

    def describe(self, before: Document, after: Document) -> str:
        objects, angle = self.describe_targets(before), format_with_unit(abs(self.by), "deg", "")
        done = (
            Phrase("{objects} turned by {angle} clockwise", objects=objects, angle=angle)
            if self.by < 0
            else Phrase(
                "{objects} turned by {angle} counter-clockwise", objects=objects, angle=angle
            )
        )
        return self._with_centre(done, before)

    def merge_consecutive(self, after: Change) -> Change | None:
        if isinstance(after, Rotate) and (after.target_tuple, after.about) == (
            self.target_tuple,
            self.about,
        ):
            return dataclasses.replace(self, by=self.by + after.by)
        return None


class Scale(_FixedPointChange):
    """Scale objects by a factor; their lengths, such as radii and focal lengths, are scaled too."""

    verb = "scale"
    needs = ("by",)
    example: ClassVar[Mapping[str, Any]] = {"by": 2}

    by: float = number(
        1.0,
        "Factor",
        low=SCALE_FACTOR_RANGE[0],
        high=SCALE_FACTOR_RANGE[1],
        help="2 doubles the size.",
    )
    about: Place = place_parameter(
        None, "About", help="A point or an object's name; without it the centre of the objects."
    )

    def similarity(self, document: Document) -> Similarity:
        if limits := violated_limits_text(self.by, *SCALE_FACTOR_RANGE):
            raise InvalidValue(f"The factor must be {limits}; {self.by:g} is not.")
        return Similarity.scaling(self.by, self._centre(document))

    def describe(self, before: Document, after: Document) -> str:
        objects = self.describe_targets(before)
        done = Phrase("{objects} scaled by {factor:.6g}", objects=objects, factor=self.by)
        return self._with_centre(done, before)


class Mirror(_FixedPointChange):
    """Reflect objects in a line. Their effect on light is mirrored too."""

    verb = "mirror"

    axis: float = number(
        90.0,
        "Axis",
        unit="deg",
        help=(
            "The line's direction: 90 is a vertical line (left and right are swapped), 0 a"
            " horizontal one."
        ),
    )
    about: Place = place_parameter(
        None,
        "About",
        help="A point on the line or an object's name; without it the centre of the objects.",
    )

    def similarity(self, document: Document) -> Similarity:
        return Similarity.reflection(self.axis, self._centre(document))

    def describe(self, before: Document, after: Document) -> str:
        lines = {90.0: Phrase("a vertical line"), 0.0: Phrase("a horizontal line")}
        at_angle = Phrase("a line at {angle}", angle=format_with_unit(self.axis, "deg", ""))
        objects, line = self.describe_targets(before), lines.get(self.axis % 180, at_angle)
        done = Phrase("{objects} mirrored at {line}", objects=objects, line=line)
        return self._with_centre(done, before)


def control_drag_change(obj: SceneObject, control: ControlPoint, to: Point) -> Change:
    """The change that moves a control point to ``to``. It sets the field of the point; for the
    position of a handle it transforms the group of the handle.

    The transformation is the handle's field ``transformation``: ``rotation`` and ``scaling`` are
    about the handle's pivot, ``xTranslation`` and ``yTranslation`` move along one axis; with any
    other value the group is moved.
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
