"""Evaluates the measurements of a document, such as dimensions and angles, and the lines and arcs
to draw for them.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from raybench.analysis.answers.words import underscores_to_spaces
from raybench.analysis.geometry.edge_curve import nearest_parameters_on_shape
from raybench.analysis.geometry.straight import Rows, cross_products, unit_vectors
from raybench.analysis.measures.bound import bind_measures, measure_values
from raybench.analysis.measures.families.lens import focus
from raybench.analysis.measures.grammar import replace_arguments
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Undefined, Unit
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.paths.paths import path_step_codes
from raybench.analysis.rays.bundle import NoFocus
from raybench.analysis.rays.incidence import rays_hitting, row_incidences
from raybench.analysis.rays.ray_queries import nearest_ray, ray_weight_by_click_distance
from raybench.analysis.scene.objects import edges_as_traced
from raybench.errors import RaybenchError, elide_text
from raybench.phrase import Phrase
from raybench.scene.changes.placing import object_centre
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document
from raybench.scene.measurements import (
    IN_BRACES,
    KINDS,
    PINNED_KIND,
    Measurement,
    Pin,
    pin_at_point,
)
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, midpoint
from raybench.shapes.shape import Arc, Line
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import last_straight_pieces

NEAR = 0.02
"""Distance from a click at which the power of a ray counts half, as a part of the lit length of the
surface.
"""
WEAK = 1e-3
"""Weight, relative to the first, below which a ray is not offered."""
PARALLEL = 1e-6
"""Sine of the angle below which two rays have no point in common that could be drawn."""
NO_LIGHT, NO_OBJECT = Phrase("no light here"), Phrase("no object here")
NOT_TRACED = Phrase("not traced yet")
AXES: Mapping[str, tuple[float, float]] = {"horizontal": (1.0, 0.0), "vertical": (0.0, 1.0)}
"""The axes of the dimension lines that measure one component of a distance."""


@dataclass(frozen=True)
class DrawnMeasurement:
    """A measurement as the canvas draws it.

    ``text`` is the value, written beside the point ``at``. ``line``: the measured line. ``arc``:
    centre, start and end of an arc. ``normal``: a point and a direction. ``ray``: the end of the
    measured ray. ``value``: NaN if nothing can be measured. ``choices``: the number of light paths
    to choose from.

    ``place`` is the position of the text, if the user chose one. Then ``extensions`` are lines from
    the measured points to the line or arc, and a leader goes from the place to the ``tip``.
    ``axis`` is a point and a unit vector, relative to which `Measurement.offset` is stored.
    ``measured`` is the value of a pinned measure; its ``at`` is NaN if the measure names no object.
    """

    text: str
    at: Point
    value: float = math.nan
    line: tuple[Point, Point] | None = None
    legs: tuple[tuple[Point, Point], ...] = ()
    arc: tuple[Point, Point, Point] | None = None
    normal: tuple[Point, Point] | None = None
    ray: tuple[Point, Point] | None = None
    choices: int = 1
    place: Point | None = None
    extensions: tuple[tuple[Point, Point], ...] = ()
    tip: Point | None = None
    axis: tuple[Point, tuple[float, float]] | None = None
    measured: Measured | None = None

    @property
    def has_position(self) -> bool:
        """Whether the measurement is at a point of the scene."""
        return not math.isnan(self.at.x)

    def offset_for_place(self, place: Point) -> tuple[float, float] | None:
        """The `Measurement.offset` that puts the text at a place; None if the measurement has no
        axis.
        """
        if self.axis is None:
            return None
        (x, y), (dx, dy) = self.axis
        px, py = place.x - x, place.y - y
        return px * dx + py * dy, py * dx - px * dy


def evaluate_measurement(
    document: Document, result: TraceResult | None, measurement: Measurement
) -> DrawnMeasurement:
    """Evaluate a measurement for a document and its trace."""
    places = [pin.position_in_scene(document.scene) for pin in measurement.pins]
    drawn = READERS[measurement.kind](document, result, places, measurement)
    if not measurement.text or measurement.kind == PINNED_KIND:
        return drawn

    def value_of_braces(expression: str) -> str:
        if not expression.strip():
            return drawn.text
        if result is None:
            return NOT_TRACED
        try:
            (measured,) = measure_values(expression.strip(), document, result)
        except RaybenchError:
            return f"{{{expression}}}"  # it is no measure
        return _measured_text(measured, measurement.digits)

    pieces = {
        f"piece{i}": value_of_braces(text) if i % 2 else text
        for i, text in enumerate(IN_BRACES.split(measurement.text))
    }
    template = "".join(f"{{{name}}}" for name in pieces)
    return replace(drawn, text=Phrase(template, **pieces))


def _length_text(value: float, measurement: Measurement) -> Phrase:
    digits = measurement.digits
    if digits is None:
        return Phrase("{value:.5g}", value=value)
    return Phrase("{value:.{digits}f}", value=value, digits=digits)


def _angle_text(value: float, measurement: Measurement) -> Phrase:
    digits = 2 if measurement.digits is None else measurement.digits
    return Phrase("{value:.{digits}f}°", value=value, digits=digits)


def _point_at_offset(
    origin: Point, axis: tuple[float, float], offset: tuple[float, float] | None
) -> Point | None:
    """The point at an ``offset`` (along, across) from ``origin`` in the frame of an axis; None
    without an offset.
    """
    if offset is None:
        return None
    (dx, dy), (along, across) = axis, offset
    return Point(origin.x + along * dx - across * dy, origin.y + along * dy + across * dx)


def _unit_direction(a: Point, b: Point) -> tuple[float, float]:
    """The unit vector from one point to another; (1, 0) if they coincide."""
    length = math.dist(a, b)
    return ((b.x - a.x) / length, (b.y - a.y) / length) if length else (1.0, 0.0)


def _measure_distance(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    a, b = places
    value = math.dist(a, b)
    text = Phrase("{length} {unit}", length=_length_text(value, given), unit=document.unit)
    return DrawnMeasurement(
        text, midpoint(a, b), value, line=(a, b), axis=(midpoint(a, b), _unit_direction(a, b))
    )


def _measure_dimension(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """Measure the distance between two points, or its x or y component, with a dimension line
    beside them.
    """
    a, b = places
    middle, axis = midpoint(a, b), AXES.get(given.direction) or _unit_direction(a, b)
    place = _point_at_offset(middle, axis, given.offset) or middle

    def foot(point: Point) -> Point:
        """The foot of the perpendicular from a point to the dimension line through ``place``."""
        along = (point.x - place.x) * axis[0] + (point.y - place.y) * axis[1]
        return Point(place.x + along * axis[0], place.y + along * axis[1])

    value = abs((b.x - a.x) * axis[0] + (b.y - a.y) * axis[1])
    text = Phrase("{length} {unit}", length=_length_text(value, given), unit=document.unit)
    line = foot(a), foot(b)
    extensions = (a, line[0]), (b, line[1])
    return DrawnMeasurement(
        text, place, value, line=line, place=place, extensions=extensions, axis=(middle, axis)
    )


def _measure_angle(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    vertex, a, b = places
    legs = ((vertex, a), (vertex, b))
    if a == vertex or b == vertex:
        return DrawnMeasurement(Phrase("no angle"), vertex, legs=legs)
    value = _angle_between((a.x - vertex.x, a.y - vertex.y), (b.x - vertex.x, b.y - vertex.y))
    drawn = DrawnMeasurement(
        _angle_text(value, given), vertex, value, legs=legs, arc=(vertex, a, b)
    )
    axis = _unit_direction(vertex, a)
    return _add_placed_arc(drawn, _point_at_offset(vertex, axis, given.offset), axis, legs)


def _add_placed_arc(
    drawn: DrawnMeasurement,
    place: Point | None,
    axis: tuple[float, float],
    legs: Sequence[tuple[Point, Point]],
) -> DrawnMeasurement:
    """A copy of a drawn angle whose arc goes through the chosen ``place``, with extension lines
    from the legs to the arc; unchanged without a place.
    """
    assert drawn.arc is not None
    vertex, a, b = drawn.arc
    drawn = replace(drawn, axis=(vertex, axis))
    if place is None or place == vertex:
        return drawn
    radius = math.dist(vertex, place)
    ends = [
        Point(vertex.x + radius * dx, vertex.y + radius * dy)
        for dx, dy in (_unit_direction(vertex, a), _unit_direction(vertex, b))
    ]
    extensions = tuple((Line(*leg).nearest(end), end) for leg, end in zip(legs, ends, strict=True))
    return replace(drawn, arc=(vertex, ends[0], ends[1]), place=place, extensions=extensions)


def _measure_ray_angle(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """Measure the angle between two rays, each the nearest ray to one of two points."""
    if result is None or not len(result):
        return DrawnMeasurement(NOT_TRACED if result is None else NO_LIGHT, places[0])
    rows = np.array([nearest_ray(result, *place)[0] for place in places])
    starts, ends = last_straight_pieces(result, rows)
    first, second = ends - starts
    value = _angle_between(tuple(first), tuple(second))
    text = _angle_text(value, given)
    units, _ = unit_vectors(ends - starts)
    across = float(cross_products(units[0], units[1]))
    apart = starts[1] - starts[0]
    feet = [
        start + unit * ((np.array(place) - start) @ unit)
        for start, unit, place in zip(starts, units, places, strict=True)
    ]
    if abs(across) < PARALLEL:
        return DrawnMeasurement(text, places[1], value, legs=((Point(*feet[0]), Point(*feet[1])),))
    vertex = starts[0] + units[0] * (float(cross_products(apart, units[1])) / across)
    reach = max(math.dist(vertex, foot) for foot in feet)
    a, b = (Point(*(vertex + reach * unit).tolist()) for unit in units)
    at = Point(*vertex.tolist())
    legs = ((at, a), (at, b))
    drawn = DrawnMeasurement(text, at, value, legs=legs, arc=(at, a, b))
    axis = _unit_direction(at, a)
    return _add_placed_arc(drawn, _point_at_offset(at, axis, given.offset), axis, legs)


def _nearest_edge(document: Document, pin: Pin, place: Point) -> Line | Arc | None:
    """The straight or circular edge nearest to a place, among the edges of the object that a pin
    belongs to.
    """
    obj = document.scene.get(pin.key) if pin.key is not None else None
    parts = document.scene.parts_of(obj) if obj is not None else ()
    shapes = [edge.shape for part in parts for edge in edges_as_traced(part, document.scene)]
    if not shapes:
        return None
    nearest = min(
        shapes, key=lambda s: float(nearest_parameters_on_shape(s, np.array([place]))[1][0])
    )
    return nearest if isinstance(nearest, Line | Arc) else None


def _measure_edge_angle(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """Measure the angle between two straight edges, in the sector that contains the place of the
    text.
    """
    edges = [_nearest_edge(document, p, at) for p, at in zip(given.pins, places, strict=True)]
    first, second = edges
    if not (isinstance(first, Line) and isinstance(second, Line)):
        return DrawnMeasurement(Phrase("no straight edge here"), places[0])
    (ax, ay), (bx, by) = axes = (
        _unit_direction(first.a, first.b),
        _unit_direction(second.a, second.b),
    )
    across = ax * by - ay * bx
    if abs(across) < PARALLEL:
        return DrawnMeasurement(_angle_text(0.0, given), midpoint(*places), 0.0)

    def components(dx: float, dy: float) -> tuple[float, float]:
        """The components of a vector along the two edges."""
        return (dx * by - dy * bx) / across, (ax * dy - ay * dx) / across

    along, _ = components(second.a.x - first.a.x, second.a.y - first.a.y)
    vertex = Point(first.a.x + along * ax, first.a.y + along * ay)
    place = _point_at_offset(vertex, axes[0], given.offset) or midpoint(*places)
    signs = components(place.x - vertex.x, place.y - vertex.y)
    a, b = (
        Point(vertex.x + math.copysign(1.0, sign) * dx, vertex.y + math.copysign(1.0, sign) * dy)
        for sign, (dx, dy) in zip(signs, axes, strict=True)
    )
    value = _angle_between((a.x - vertex.x, a.y - vertex.y), (b.x - vertex.x, b.y - vertex.y))
    drawn = DrawnMeasurement(_angle_text(value, given), vertex, value, arc=(vertex, a, b))
    return _add_placed_arc(drawn, place, axes[0], [(first.a, first.b), (second.a, second.b)])


def _measure_radius(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """Measure the radius of a circular edge, with a leader from the text to the edge."""
    arc = _nearest_edge(document, given.pins[0], places[0])
    if not isinstance(arc, Arc):
        return DrawnMeasurement(Phrase("no arc here"), places[0])
    at = arc.nearest(places[0])
    axis = _unit_direction(arc.centre, at)
    place = _point_at_offset(at, axis, given.offset) or at
    length = _length_text(arc.radius, given)
    text = Phrase("R {length} {unit}", length=length, unit=document.unit)
    tip = arc.nearest(place)
    return DrawnMeasurement(text, place, arc.radius, place=place, tip=tip, axis=(at, axis))


def _make_callout(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """A text with a leader. The text contains the name of the object that it points at, or the
    coordinates of the point.
    """
    (at,), axis = places, (1.0, 0.0)
    key = given.pins[0].key
    obj = document.scene.get(key) if key is not None else None
    x, y = (_length_text(n, given) for n in at)
    text = (
        obj.title if obj is not None else Phrase("({x}, {y}) {unit}", x=x, y=y, unit=document.unit)
    )
    place = _point_at_offset(at, axis, given.offset) or at
    return DrawnMeasurement(text, place, place=place, tip=at, axis=(at, axis))


def _measurement_without_value(
    document: Document, result: TraceResult | None, place: Point, key: int | None
) -> DrawnMeasurement:
    """A measurement whose value cannot be measured, for example because its object was deleted. A
    ray near its place is still marked.
    """
    if key is None or document.scene.get(key) is None:
        return DrawnMeasurement(NO_OBJECT, place)
    return DrawnMeasurement(NO_LIGHT if result is not None else NOT_TRACED, place)


def _measure_incidence(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """Measure the angle of incidence of the ray nearest to a click on a surface; stronger rays are
    preferred. `Measurement.ray` selects a ray on another path.
    """
    key, ray = given.pins[0].key, given.ray
    (at,), nothing = places, _measurement_without_value(document, result, places[0], key)
    if result is None or key is None:
        return nothing
    scene = result.scene or document.scene
    own = {o.key for o in scene.parts_of(obj)} if (obj := scene.get(key)) is not None else set()
    rows = _selectable_rays(result, scene, own | {key}, at)
    if not len(rows):
        return nothing
    row = rows[[ray % len(rows)]]
    met = row_incidences(result, scene, row, document.scene.keys_with_parts(document.disabled))
    value = float(met.angle[0])
    if math.isnan(value):
        return nothing
    (start,), (end,) = last_straight_pieces(result, row)
    nx, ny = met.normal[0].tolist()
    reach = math.dist(start, end)
    hit, back = Point(*end.tolist()), Point(end[0] - reach * nx, end[1] - reach * ny)
    begin = Point(*start.tolist())
    return DrawnMeasurement(
        _angle_text(value, given),
        hit,
        value,
        arc=(hit, begin, back),
        normal=(hit, back),
        ray=(begin, hit),
        choices=len(rows),
    )


def _selectable_rays(result: TraceResult, scene: Scene, keys: set[int], point: Point) -> Rows:
    """The rays that a click can select, likely ones first: for each light path that meets the
    nearest edge of the objects, the ray nearest to the click.
    """
    lit = []
    for index, obj in enumerate(scene.optical):
        for edge in edges_as_traced(obj, scene) if obj.key in keys else ():
            rows = np.flatnonzero(rays_hitting(result, scene, index, edge.index))
            if len(rows):
                lit.append(
                    (float(nearest_parameters_on_shape(edge.shape, np.array([point]))[1][0]), rows)
                )
    if not lit:
        return np.zeros(0, np.int64)
    _, rows = min(lit, key=lambda each: each[0])
    away = np.hypot(*(result.p2[rows] - point).T)
    lit_length = float(np.ptp(result.p2[rows], axis=0).max())
    spread = NEAR * lit_length or scene.settings.length_scale
    weight = result.total_power[rows] * ray_weight_by_click_distance(away, spread)
    paths, group = np.unique(
        result.lineage.path_classes(path_step_codes(result))[rows], return_inverse=True
    )
    power = np.bincount(group, weight)
    nearest = np.lexsort((-weight, group))[np.searchsorted(np.sort(group), np.arange(len(paths)))]
    # of paths of about the same weight, such as two colours, always the first of the trace
    ranked = np.lexsort((rows[nearest], -np.round(np.log2(power / power.max()))))
    choices: Rows = rows[nearest][ranked][power[ranked] > WEAK * power.max()]
    return choices


def _measure_focus(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """Measure the distance from the last surface of an object to the best focus of its strongest
    bundle. The text names the source if bundles of several sources leave the object.
    """
    key, ray = given.pins[0].key, given.ray
    nothing = _measurement_without_value(document, result, places[0], key)
    if result is None or key is None:
        return nothing
    light = Light.from_document(
        replace(document, scene=result.scene) if result.scene is not None else document, result
    )
    index = light.index_by_key.get(key)
    if index is None:
        return nothing
    try:
        bundles = light.bundles(index)
        if not bundles:
            return nothing
        bundle = bundles[ray % len(bundles)]
        best, value = bundle.focus(), focus(ObjectBeam(light, index, bundle))
    except (Undefined, NoFocus):
        return replace(nothing, text=Phrase("no focus"))
    if math.isnan(value):
        return replace(nothing, text=Phrase("no focus"))
    vertex = Point(best.point.x - value * best.axis[0], best.point.y - value * best.axis[1])
    own, all_sources = (
        np.unique(result.source[bundle.rows]),
        {s for b in bundles for s in result.source[b.rows].tolist()},
    )
    text = Phrase("{length} {unit}", length=_length_text(value, given), unit=document.unit)
    if len(own) == 1 < len(all_sources):
        text = Phrase("{first}, {then}", first=text, then=result.object_names[own[0]])
    return DrawnMeasurement(
        text,
        midpoint(vertex, best.point),
        value,
        line=(vertex, best.point),
        choices=len(bundles),
    )


def _angle_between(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The angle between two vectors in degrees, from 0 to 180."""
    return abs(math.degrees(math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])))


_SLOT = re.compile(r"\{(\d{1,3})\}")
"""What the text of a pinned measure has in place of the name of an object."""
NOWHERE = Point(math.nan, math.nan)
DELETED = Phrase("an object that it names was deleted")


def pinned_measurements(
    expressions: str, document: Document, result: TraceResult | None
) -> dict[str, Measurement]:
    """Measurements that pin measures, such as ``power(Screen); rms(Screen)``, to their objects, by
    the text of each measure. The values in the trace become reference values. Raises InvalidMeasure
    or UnknownName, among others.
    """
    keys = {obj.title: obj.key for obj in reversed(document.scene.objects)}
    titles = sorted(map(re.escape, keys), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)(?:{'|'.join(titles) or '(?!)'})(?!\w)")
    pinned = {}
    for bound in bind_measures(expressions, document):
        held: list[int] = []

        def slot_of_name(found: re.Match[str], held: list[int] = held) -> str:
            key = keys[found[0]]
            if key not in held:
                held.append(key)
            return f"{{{held.index(key)}}}"

        def with_slots(measure: str, place: int, argument: str) -> str:
            return named.sub(slot_of_name, argument)

        text = replace_arguments(bound.expression, with_slots)
        objects = [obj for key in held if (obj := document.scene.get(key)) is not None]
        pinned[bound.expression] = Measurement(
            PINNED_KIND,
            tuple(pin_at_point(document.scene, object_centre(o), o.key) for o in objects),
            text=text,
            reference=None
            if result is None
            else bound.evaluate(Light.from_document(document, result)).value_or_none,
        )
    return pinned


def pinned_measure_text(document: Document, measurement: Measurement) -> str | None:
    """The pinned measure as text, with the current names of its objects; None if an object was
    deleted.
    """
    objects = [document.scene.get(pin.key) for pin in measurement.pins if pin.key is not None]
    titles = [obj.title for obj in objects if obj is not None]
    if len(titles) < len(measurement.pins):
        return None

    def with_names(measure: str, place: int, argument: str) -> str:
        return _SLOT.sub(
            lambda slot: titles[int(slot[1])] if int(slot[1]) < len(titles) else slot[0], argument
        )

    return replace_arguments(measurement.text, with_names)


def _evaluate_pinned_measure(
    document: Document, result: TraceResult | None, places: Sequence[Point], given: Measurement
) -> DrawnMeasurement:
    """Evaluate a pinned measure, and place its value beside the first object that it names. During
    a drag the value is that of the last traced scene.
    """
    if result is not None and result.scene is not None:
        document = replace(document, scene=result.scene)
    expression = pinned_measure_text(document, given)
    try:
        if expression is None or result is None:
            reason = DELETED if expression is None else NOT_TRACED
            measured = Measured(math.nan, "", expression or given.text, reason)
        else:
            (measured,) = measure_values(expression, document, result)
    except RaybenchError as error:
        measured = Measured(math.nan, "", expression or given.text, str(error))
    single = re.fullmatch(r"(\w+)\([^()]*\)", measured.expression)
    name = underscores_to_spaces(single[1]) if single else elide_text(measured.expression, 40)
    at = places[0] if places else NOWHERE
    text = Phrase("{name} {number}", name=name, number=pinned_value_text(measured, given.digits))
    return DrawnMeasurement(text, at, measured.value, measured=measured)


def pinned_value_text(measured: Measured, digits: int | None = None) -> Phrase:
    """A value with its unit. Relative powers have no unit."""
    relative = measured.unit == Unit.POWER.value
    return _measured_text(replace(measured, unit="") if relative else measured, digits)


def _measured_text(measured: Measured, digits: int | None) -> Phrase:
    """A value with its unit, with ``digits`` decimals or, if None, six significant digits."""
    unit = unit_suffix(measured.unit)
    if not measured.defined:
        return Phrase("undefined")
    if digits is None:
        return Phrase("{value:.6g}{unit}", value=float(measured.digits), unit=unit)
    return Phrase("{value:.{digits}f}{unit}", value=measured.value, digits=digits, unit=unit)


READERS: Mapping[
    str, Callable[[Document, TraceResult | None, Sequence[Point], Measurement], DrawnMeasurement]
] = {
    "distance": _measure_distance,
    "angle": _measure_angle,
    "rays": _measure_ray_angle,
    "incidence": _measure_incidence,
    "focus": _measure_focus,
    "dimension": _measure_dimension,
    "edges": _measure_edge_angle,
    "radius": _measure_radius,
    "callout": _make_callout,
    "measure": _evaluate_pinned_measure,
}
"""The function that evaluates each kind, from a document, its trace, the points and the
measurement.
"""
if READERS.keys() != KINDS.keys():
    raise TypeError(
        "raybench.analysis.measurements.READERS and raybench.scene.measurements.KINDS differ in"
        f" {set(READERS) ^ set(KINDS)}."
    )
