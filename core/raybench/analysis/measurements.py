"""Evaluates the measurements in a document: their values, and the lines and angles with which they
are drawn.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from raybench.analysis.geometry.edge_curve import nearest_points_on
from raybench.analysis.geometry.straight import Rows, cross_products, unit_vectors
from raybench.analysis.measures.families.lens import focus
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Undefined
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.paths.paths import path_step_codes
from raybench.analysis.rays.bundle import NoFocus
from raybench.analysis.rays.incidence import rays_hitting, row_incidences
from raybench.analysis.rays.ray_queries import nearest_ray, ray_weight_by_click_distance
from raybench.analysis.scene.objects import edges_as_traced
from raybench.scene.document import Document
from raybench.scene.measurements import KINDS, Measurement
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, midpoint
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
NO_LIGHT, NO_OBJECT, NOT_TRACED = "no light here", "no object here", "not traced yet"


@dataclass(frozen=True)
class Drawn:
    """A measurement as the canvas draws it: ``text`` is its value, written beside the point ``at``;
    ``line`` is the measured line; ``arc`` goes from one point to another about a first one;
    ``normal`` is a point and a direction; ``ray`` is the end of the measured ray. ``value`` is NaN
    if nothing can be measured. ``choices`` is the number of light paths that can be chosen.
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


def evaluate_measurement(
    document: Document, result: TraceResult | None, measurement: Measurement
) -> Drawn:
    """Evaluate a measurement for a document and its trace."""
    places = [pin.position_in_scene(document.scene) for pin in measurement.pins]
    return READERS[measurement.kind](
        document, result, places, measurement.pins[0].key, measurement.ray
    )


def _measure_distance(
    document: Document,
    result: TraceResult | None,
    places: Sequence[Point],
    key: int | None,
    ray: int,
) -> Drawn:
    a, b = places
    value = math.dist(a, b)
    return Drawn(f"{value:.5g} {document.unit}", midpoint(a, b), value, line=(a, b))


def _measure_angle(
    document: Document,
    result: TraceResult | None,
    places: Sequence[Point],
    key: int | None,
    ray: int,
) -> Drawn:
    vertex, a, b = places
    legs = ((vertex, a), (vertex, b))
    if a == vertex or b == vertex:
        return Drawn("no angle", vertex, legs=legs)
    value = _angle_between((a.x - vertex.x, a.y - vertex.y), (b.x - vertex.x, b.y - vertex.y))
    return Drawn(f"{value:.2f}°", vertex, value, legs=legs, arc=(vertex, a, b))


def _measure_ray_angle(
    document: Document,
    result: TraceResult | None,
    places: Sequence[Point],
    key: int | None,
    ray: int,
) -> Drawn:
    """Measure the angle between the directions of the rays that are nearest to two points."""
    if result is None or not len(result):
        return Drawn(NOT_TRACED if result is None else NO_LIGHT, places[0])
    rows = np.array([nearest_ray(result, *place)[0] for place in places])
    starts, ends = last_straight_pieces(result, rows)
    first, second = ends - starts
    value = _angle_between(tuple(first), tuple(second))
    units, _ = unit_vectors(ends - starts)
    across = float(cross_products(units[0], units[1]))
    apart = starts[1] - starts[0]
    feet = [
        start + unit * ((np.array(place) - start) @ unit)
        for start, unit, place in zip(starts, units, places, strict=True)
    ]
    if abs(across) < PARALLEL:
        return Drawn(f"{value:.2f}°", places[1], value, legs=((Point(*feet[0]), Point(*feet[1])),))
    vertex = starts[0] + units[0] * (float(cross_products(apart, units[1])) / across)
    reach = max(math.dist(vertex, foot) for foot in feet)
    a, b = (Point(*(vertex + reach * unit).tolist()) for unit in units)
    at = Point(*vertex.tolist())
    return Drawn(f"{value:.2f}°", at, value, legs=((at, a), (at, b)), arc=(at, a, b))


def _unmeasured_reading(
    document: Document, result: TraceResult | None, place: Point, key: int | None
) -> Drawn:
    """A measurement without a value, for example because its object was deleted. Light may still
    pass its place.
    """
    if key is None or document.scene.get(key) is None:
        return Drawn(NO_OBJECT, place)
    return Drawn(NO_LIGHT if result is not None else NOT_TRACED, place)


def _measure_incidence(
    document: Document,
    result: TraceResult | None,
    places: Sequence[Point],
    key: int | None,
    ray: int,
) -> Drawn:
    """Measure the angle of incidence of the ray that is nearest to a click on a surface, where
    stronger rays are preferred. ``ray`` chooses a ray on another path.
    """
    (at,), nothing = places, _unmeasured_reading(document, result, places[0], key)
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
    return Drawn(
        f"{value:.2f}°",
        hit,
        value,
        arc=(hit, begin, back),
        normal=(hit, back),
        ray=(begin, hit),
        choices=len(rows),
    )


def _selectable_rays(result: TraceResult, scene: Scene, keys: set[int], point: Point) -> Rows:
    """The rays that a click may mean, likely ones first: for each light path that meets the nearest
    edge of the objects, the ray nearest to the click.
    """
    lit = []
    for index, obj in enumerate(scene.optical):
        for edge in edges_as_traced(obj, scene) if obj.key in keys else ():
            rows = np.flatnonzero(rays_hitting(result, scene, index, edge.index))
            if len(rows):
                lit.append((float(nearest_points_on(edge.shape, np.array([point]))[1][0]), rows))
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
    document: Document,
    result: TraceResult | None,
    places: Sequence[Point],
    key: int | None,
    ray: int,
) -> Drawn:
    """Measure the distance from the last surface of an object to the best focus of the strongest
    bundle that leaves it. The text names the source if bundles of several sources leave it.
    """
    nothing = _unmeasured_reading(document, result, places[0], key)
    if result is None or key is None:
        return nothing
    light = Light.of(
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
        return replace(nothing, text="no focus")
    if math.isnan(value):
        return replace(nothing, text="no focus")
    vertex = Point(best.point.x - value * best.axis[0], best.point.y - value * best.axis[1])
    own, all_sources = (
        np.unique(result.source[bundle.rows]),
        {s for b in bundles for s in result.source[b.rows].tolist()},
    )
    of = f", {result.object_names[own[0]]}" if len(own) == 1 < len(all_sources) else ""
    return Drawn(
        f"{value:.5g} {document.unit}{of}",
        midpoint(vertex, best.point),
        value,
        line=(vertex, best.point),
        choices=len(bundles),
    )


def _angle_between(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The angle between two vectors in degrees, from 0 to 180."""
    return abs(math.degrees(math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])))


READERS: Mapping[str, Callable[[Document, TraceResult | None, Sequence[Point], int | None, int], Drawn]] = {
    "distance": _measure_distance, "angle": _measure_angle, "rays": _measure_ray_angle, "incidence": _measure_incidence, "focus": _measure_focus,
}  # fmt: skip
"""The function that evaluates each kind, from a document, its trace, the points, the key of the
object that the first one belongs to, and which ray to take.
"""
if READERS.keys() != KINDS.keys():
    raise TypeError(
        "raybench.analysis.measurements.READERS and raybench.scene.measurements.KINDS differ in"
        f" {set(READERS) ^ set(KINDS)}."
    )
