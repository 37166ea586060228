"""Reading the measurements of a document: their values, and the lines and angles by which they are
drawn.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from raybench.analysis.measures.families.lens import focus
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Undefined
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.rays.bundle import NoFocus
from raybench.analysis.rays.incidence import last_pieces, row_incidences
from raybench.scene.document import Document
from raybench.scene.measurements import KINDS, Measurement
from raybench.shapes.point import Point, midpoint
from raybench.trace.results.result import TraceResult

NO_LIGHT, NO_OBJECT = "no light here", "no object here"


@dataclass(frozen=True)
class Drawn:
    """A measurement as it is drawn: its value as a ``text``, beside the point ``at``; the measured
    ``line``; an ``arc`` from one point to another about the first; the ``normal`` of a surface, a
    point and a direction. ``value`` is NaN where nothing can be measured.
    """

    text: str
    at: Point
    value: float = math.nan
    line: tuple[Point, Point] | None = None
    legs: tuple[tuple[Point, Point], ...] = ()
    arc: tuple[Point, Point, Point] | None = None
    normal: tuple[Point, Point] | None = None


def read_measurement(
    document: Document, result: TraceResult | None, measurement: Measurement
) -> Drawn:
    """A measurement in a document and its trace."""
    places = [pin.place(document.scene) for pin in measurement.pins]
    return READERS[measurement.kind](document, result, places, measurement.pins[0].key)


def _measure_distance(
    document: Document, result: TraceResult | None, places: Sequence[Point], key: int | None
) -> Drawn:
    a, b = places
    value = math.dist(a, b)
    return Drawn(f"{value:.5g} {document.unit}", midpoint(a, b), value, line=(a, b))


def _measure_angle(
    document: Document, result: TraceResult | None, places: Sequence[Point], key: int | None
) -> Drawn:
    vertex, a, b = places
    legs = ((vertex, a), (vertex, b))
    if a == vertex or b == vertex:
        return Drawn("no angle", vertex, legs=legs)
    value = _angle_between((a.x - vertex.x, a.y - vertex.y), (b.x - vertex.x, b.y - vertex.y))
    return Drawn(f"{value:.2f}°", vertex, value, legs=legs, arc=(vertex, a, b))


def _undefined_reading(document: Document, at: Point, key: int | None) -> Drawn:
    """No value: the object may have been deleted where light still passes."""
    return Drawn(
        NO_LIGHT if key is not None and document.scene.get(key) is not None else NO_OBJECT, at
    )


def _measure_incidence(
    document: Document, result: TraceResult | None, places: Sequence[Point], key: int | None
) -> Drawn:
    """The angle of incidence of the ray that meets the surface nearest to the place, the strongest
    of several at that point.
    """
    (at,), nothing = places, _undefined_reading(document, places[0], key)
    if result is None or key is None:
        return nothing
    scene = result.scene or document.scene
    own = (
        {o.key for o in scene.parts_of(obj)} | {key}
        if (obj := scene.get(key)) is not None
        else {key}
    )
    rows = result.rows_ending_on(*(i for i, o in enumerate(scene.optical) if o.key in own))
    if not len(rows):
        return nothing
    away = np.hypot(*(result.p2[rows] - at).T)
    close = rows[away <= away.min() + 1e-6 * scene.settings.length_scale]
    row = close[[np.argmax(result.total_power[close])]]
    met = row_incidences(result, scene, row, document.scene.with_parts(document.disabled))
    value = float(met.angle[0])
    if math.isnan(value):
        return nothing
    (start,), (end,) = last_pieces(result, row)
    nx, ny = met.normal[0].tolist()
    reach = math.dist(start, end)
    hit, back = Point(*end.tolist()), Point(end[0] - reach * nx, end[1] - reach * ny)
    return Drawn(
        f"{value:.2f}°", hit, value, arc=(hit, Point(*start.tolist()), back), normal=(hit, back)
    )


def _measure_focus(
    document: Document, result: TraceResult | None, places: Sequence[Point], key: int | None
) -> Drawn:
    """The distance from an object's last surface to the best focus of the strongest bundle that
    leaves it, with the source of this bundle where others leave it too.
    """
    nothing = _undefined_reading(document, places[0], key)
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
        bundle = bundles[0]
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
    )


def _angle_between(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The angle between two vectors, 0 to 180 degrees."""
    return abs(math.degrees(math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])))


READERS: Mapping[str, Callable[[Document, TraceResult | None, Sequence[Point], int | None], Drawn]] = {
    "distance": _measure_distance, "angle": _measure_angle, "incidence": _measure_incidence, "focus": _measure_focus,
}  # fmt: skip
"""The function that evaluates each kind, from a document, its trace, the points and the key of the
object that the first one belongs to.
"""
if READERS.keys() != KINDS.keys():
    raise TypeError(
        "raybench.analysis.measurements.READERS and raybench.scene.measurements.KINDS differ in"
        f" {set(READERS) ^ set(KINDS)}."
    )
