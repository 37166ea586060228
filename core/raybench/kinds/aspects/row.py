"""The class `Row`, which holds everything specific to one kind of object except the fields of its
dataclass.
"""

import dataclasses
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from raybench.kinds.aspects.emission import Emission
from raybench.kinds.aspects.outlines import Edges
from raybench.kinds.aspects.pieces import EndsGeometry, Piece
from raybench.kinds.aspects.sample import Sample
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import transform_fields
from raybench.kinds.fields import Description
from raybench.kinds.object import Filtered, SceneObject
from raybench.shapes.point import Point, midpoint


@dataclass(frozen=True, slots=True)
class OpticalAxis:
    """An axis through ``at`` with a unit ``direction``, and the focal points on it."""

    at: Point
    direction: tuple[float, float]
    foci: tuple[Point, ...] = ()


def axis_across_line(a: Point, b: Point, *focal_lengths: float) -> OpticalAxis | None:
    """The axis through the middle of the line from ``a`` to ``b``, perpendicular to it, with a
    focal point at each focal length. None if the line has no length.
    """
    length = math.hypot(b.x - a.x, b.y - a.y)
    if length == 0:
        return None
    middle, (ux, uy) = midpoint(a, b), ((b.y - a.y) / length, (a.x - b.x) / length)
    return OpticalAxis(
        middle, (ux, uy), tuple(Point(middle.x + f * ux, middle.y + f * uy) for f in focal_lengths)
    )


def axis_across_own_line(obj: Any) -> OpticalAxis | None:
    """The axis of a source or an aperture between ``p1`` and ``p2``."""
    return axis_across_line(obj.p1, obj.p2)


def axis_along_ray(obj: Any) -> OpticalAxis | None:
    """The axis of a ray from ``p1`` through ``p2``."""
    length = math.hypot(obj.p2.x - obj.p1.x, obj.p2.y - obj.p1.y)
    return (
        OpticalAxis(obj.p1, ((obj.p2.x - obj.p1.x) / length, (obj.p2.y - obj.p1.y) / length))
        if length
        else None
    )


def axis_of_ideal_element(obj: Any) -> OpticalAxis | None:
    """The axis of an ideal lens or mirror, with the focal points on both sides."""
    return axis_across_line(obj.p1, obj.p2, obj.focal_length, -obj.focal_length)


def axis_through_vertex(
    p1: Point, p2: Point, vertex: Point, focal_length: float
) -> OpticalAxis | None:
    """The axis of a curved mirror with the ends ``p1`` and ``p2`` through its vertex. It points
    along light that enters the hollow side, where the focus is.
    """
    axis = axis_across_line(p1, p2)
    if axis is None:
        return None
    ux, uy = axis.direction
    side = math.copysign(1.0, (vertex.x - axis.at.x) * ux + (vertex.y - axis.at.y) * uy)
    ux, uy = side * ux, side * uy
    focus = Point(vertex.x - focal_length * ux, vertex.y - focal_length * uy)
    return OpticalAxis(vertex, (ux, uy), (focus,) if math.isfinite(focal_length) else ())


@dataclass(frozen=True)
class Substitute:
    """The objects that replace an object in a plain scene, of kinds that the web program has;
    possibly none. ``words`` say how the light then differs, as a predicate for the object's name
    with a full stop.
    """

    objects: tuple[SceneObject, ...]
    words: str


FAMILIES = ("Light", "Mirrors", "Glass", "Polarization", "Blockers", "Measure")
"""The menus for adding objects, in order."""


class IncompleteKind(Exception):
    """A kind of object is not completely defined. The message names the kind and what is missing.
    Raised when the table of kinds is imported.
    """


def fields_without_effect(obj: Any) -> Collection[str]:
    """The names of fields that have no effect at present: the wavelength band of an object that
    does not filter, and the step of a curve that is traced exactly.
    """
    whole = isinstance(obj, Filtered) and not obj.filter
    followed = getattr(obj, "curve_type", "polygonal") != "polygonal"
    return (
        *(("invert", "wavelength", "bandwidth") if whole else ()),
        *(("curve_step_size",) if followed else ()),
    )


@dataclass(frozen=True)
class Row:
    """A row of the table of kinds, which describes one kind of object: its edges, its action on
    light, its axis, its icon and more. The functions take an object of the kind as first argument.
    See `core/raybench/kinds/README.md`.

    Raises IncompleteKind if an entry without a default is missing.
    """

    kind: type[SceneObject]
    """The dataclass, whose class variables are the kind's label and whether it is optical."""
    _: dataclasses.KW_ONLY
    family: str
    """The menu for adding it, one of FAMILIES; empty for kinds that users cannot add. Menus keep
    the order of the rows.
    """
    edges: Callable[[Any], Edges]
    """Its outline. Raises a RaybenchError with the reason if it has none."""
    piece: Callable[[Any, Edges], Piece]
    """Its part of the kernels' tables, for an object without a fault and its edges. The caller adds
    flags of filters and coatings.
    """
    painter: str
    """The name of its painter in `raybench_workbench.canvas.object_painter`."""
    icon: Mapping[str, Any]
    """Fields of the object shown in its icon, in a square of 20 scene units."""
    sample: Sample | None = None
    """How users create one with the mouse; required if it has a family."""
    transformed: Callable[[Any, Similarity], Any] = transform_fields
    """The object after a similarity transformation. Raises InvalidObject, with its name and the
    remedy, if that is impossible.
    """
    centre: str = ""
    """The field with the centre for rotating, scaling and reflecting it; empty for the mean of its
    corners, nodes or points.
    """
    in_colours: Callable[[Any], Any] = lambda obj: obj
    """The object with the outline that it has where the scene simulates colours."""
    ends_geometry: EndsGeometry | None = None
    """For kinds with one primitive given by ``p1`` and ``p2``: computes the dependent columns for
    many objects at once.
    """
    fault: Callable[[Any, Edges], str] = lambda obj, edges: ""
    """Why it has no effect on light and the remedy, as a predicate for its name; may raise
    RaybenchError instead.
    """
    remarks: Callable[[Any, Edges], Iterator[str]] = lambda obj, edges: iter(())
    """Properties that are not physical, and their consequences, as predicates for its name."""
    emits: Emission | None = None
    """The rays of a source."""
    parameters: Callable[[Any], Mapping[str, Description]] = lambda obj: {}
    """The numbers in its field ``params`` that forms show, by their keys."""
    not_shown: Callable[[Any], Collection[str]] = fields_without_effect
    """The fields that forms omit, since they mean nothing for this object."""
    distance: Callable[[Any, Point], float] | None = None
    """The distance of a point from what is drawn in addition to its edges."""
    axis: Callable[[Any], OpticalAxis | None] = lambda obj: None
    """Its optical axis with its focal points; None if it has none."""
    in_plain_scene: Callable[[Any], Substitute | None] = lambda obj: None
    """What stands for it in a plain scene, if the web program has no such kind or lacks one of its
    fields; None if it is there as it is.
    """
    drawn: Callable[[Any], Sequence[Point]] = lambda obj: ()
    """Points that are drawn in addition to its edges and control points."""

    def __new__(cls, kind: type[SceneObject], **entries: Any) -> Self:
        missing = [
            f.name
            for f in dataclasses.fields(cls)[1:]
            if f.default is dataclasses.MISSING and f.name not in entries
        ]
        if missing:
            raise IncompleteKind(
                f"The row of {kind.__name__} ({kind.__module__}) has no {', '.join(missing)}. See"
                " core/raybench/kinds/README.md."
            )
        return super().__new__(cls)
