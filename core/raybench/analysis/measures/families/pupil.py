"""Measures of the aperture stop and of its images, the pupils, for the strongest bundle that leaves
an object (Hecht, section 5.3).

The stop is, among all that the light meets or passes on its way from the source, what it fills
most: the element that limits it. The entrance pupil is the stop's image by the elements before it,
the exit pupil that by the elements after it, up to the object. They are found by tracing narrow
fans from the middle of the stop through these elements alone.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, cross_products
from raybench.analysis.measures.families.lens import arriving_rays, from_surface, through_rays
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Takes, Undefined, Unit
from raybench.analysis.measures.paraxial import Axis, lit_alone, on_axis, own_axis
from raybench.analysis.rays.bundle import Conjugates
from raybench.analysis.rays.incidence import first_pieces, index_along, last_pieces
from raybench.analysis.rays.leaving_light import LeavingBundle
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource
from raybench.optics.colour import GREEN
from raybench.scene.scene import Scene
from raybench.shapes.curves import place
from raybench.shapes.point import Point
from raybench.shapes.shape import FullLine, Line, Shape
from raybench.trace.tolerances import ON_SURFACE

OBJECT = Parameter("object", Role.SYSTEM, noun="lens")
SOURCE = Parameter("source", Role.SOURCE, optional=True)
FAN, RAYS = 0.02, 9
"""Full angle of a fan from the middle of the stop, degrees, and its rays: narrow enough that
aberration does not count.
"""
SAME = 1e-9
"""Relative difference of fills within which two elements limit light alike: an aperture is the stop
then, else the first.
"""
PLACES = 65
"""Points of an edge by which its extent is measured."""


@dataclass(frozen=True)
class Stop:
    """The element that limits a bundle: the optical object ``index``, the middle and the clear
    width of its edge or opening across the light, and the share of that width which the light
    fills. ``backward`` and ``forward``: unit directions against and along the light. ``before`` and
    ``after``: the indices of the objects that the light meets before and after it.
    """

    index: int
    middle: Point
    width: float
    fill: float
    backward: tuple[float, float]
    forward: tuple[float, float]
    before: frozenset[int]
    after: frozenset[int]


@dataclass(frozen=True)
class Pupil:
    """An image of the stop: its middle on the axis, and its width."""

    at: Point
    width: float


def stop_width(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Clear width of the aperture stop: of the element before or at the object that limits its
    strongest bundle.
    """
    return stop_of(light, bundle).width


def stop_fill(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Share of the clear width of the aperture stop that the strongest bundle fills between its
    outermost rays.
    """
    return stop_of(light, bundle).fill


def entrance_pupil(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Width of the entrance pupil: of the image of the aperture stop by the elements before it."""
    return _find_pupil(light, bundle, entrance=True).width


def exit_pupil(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Width of the exit pupil: of the image of the aperture stop by the elements after it, up to
    the object.
    """
    return _find_pupil(light, bundle, entrance=False).width


def entrance_pupil_distance(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance along the light from the object's first surface to the entrance pupil, negative if
    it lies before that.
    """
    at, axis = _on_axis(
        light,
        index,
        _find_pupil(light, bundle, entrance=True).at,
        light.arriving_directions(bundle),
    )
    return from_surface(light, index, bundle.arriving, at, axis)


def exit_pupil_distance(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance along the light from the object's last surface to the exit pupil, negative if it
    lies before that.
    """
    at, axis = _on_axis(
        light,
        index,
        _find_pupil(light, bundle, entrance=False).at,
        light.leaving_directions(bundle),
    )
    return from_surface(light, index, bundle.rows, at, axis)


def stop_of(light: Light, bundle: LeavingBundle) -> Stop:
    """The aperture stop of a bundle. Raises Undefined if nothing limits it."""

    def found() -> Stop:
        met = list(_bundle_elements(light, bundle))
        best: _Element | None = None
        for element in met:
            if element.clear is None or not element.clear > 0:
                continue
            better = best is None or element.fill > best.fill * (1 + SAME)
            tie = (
                best is not None
                and element.fill >= best.fill * (1 - SAME)
                and element.opening
                and not best.opening
            )
            best = element if better or tie else best
        if best is None or best.clear is None or len(bundle.rows) < 2:
            raise Undefined(
                "The light is a single ray. Use a source with more rays."
                if len(bundle.rows) < 2
                else "Nothing limits the light."
            )
        here = next(i for i, element in enumerate(met) if element is best)
        shape, (fx, fy), (bx, by) = best.shape, best.after, best.before
        before, after = (
            frozenset(e.index for e in some if not e.opening)
            for some in (met[:here], met[here + 1 :])
        )
        return Stop(
            best.index,
            place(shape, 0.5),
            best.clear,
            best.fill,
            (-bx, -by),
            (fx, fy),
            before,
            after,
        )

    return light.cached(("stop", *bundle.rows[:1].tolist(), len(bundle.rows)), found)


@dataclass(frozen=True)
class _Element:
    """What a bundle meets or passes: its edge or opening, the clear width of that, None if it is
    endless, the share that is filled, and the mean directions of the light before and after it.
    """

    index: int
    shape: Shape
    clear: float | None
    fill: float
    before: tuple[float, float]
    after: tuple[float, float]
    opening: bool


def _bundle_elements(light: Light, bundle: LeavingBundle) -> Iterator[_Element]:
    """The surfaces and openings that a bundle meets and passes, in order, but detectors, which
    limit nothing.
    """
    result, levels = light.result, [bundle.rows.astype(np.int64)]
    while (result.parent[levels[0]] >= 0).all():
        levels.insert(0, result.parent[levels[0]].astype(np.int64))
    openings = [
        i
        for i, o in enumerate(light.scene.optical)
        if isinstance(o, Aperture) and o.key not in light.disabled
    ]
    for k, rows in enumerate(levels):
        onward = _mean_direction(light.directions(rows))
        if k == len(levels) - 1:
            return
        passed: list[tuple[float, _Element]] = []
        start, end = first_pieces(result, rows)
        for i in openings:
            if np.isin(rows, light.passing(i)).all():
                aperture = light.scene.optical[i]
                shape = Line(aperture.p3, aperture.p4)  # type: ignore[attr-defined]
                points = _line_crossings(start, end, shape)
                passed.append(
                    (
                        float(((points - start) @ onward).mean()),
                        _pupil_element(i, shape, points, onward, onward, True),
                    )
                )
        yield from (element for _, element in sorted(passed, key=lambda pair: pair[0]))
        hit = int(result.hit[rows[0]])
        if hit >= 0 and not isinstance(light.scene.optical[hit], Detector):
            edge = next(e for e in light.edges(hit) if e.index == result.edge[rows[0]])
            after = _mean_direction(np.subtract(*first_pieces(result, levels[k + 1])[::-1]))
            yield _pupil_element(
                hit, edge.shape, last_pieces(result, rows)[1], onward, after, False
            )


def _pupil_element(
    index: int, shape: Shape, points: Floats, before: Floats, after: Floats, opening: bool
) -> _Element:
    clear: float | None = None
    if not isinstance(shape, FullLine):
        outline = np.array([place(shape, u) for u in np.linspace(0, 1, PLACES).tolist()])
        clear = float(np.ptp(cross_products(before[None], outline)))
    fill = float(np.ptp(cross_products(before[None], points))) / clear if clear else 0.0
    return _Element(
        index,
        shape,
        clear,
        fill,
        (float(before[0]), float(before[1])),
        (float(after[0]), float(after[1])),
        opening,
    )


def _line_crossings(start: Floats, end: Floats, line: Line) -> Floats:
    """Where rays cross the line through the ends of an opening, (k, 2)."""
    d, along, rel = end - start, np.subtract(line.b, line.a)[None], np.array(line.a) - start
    points: Floats = start + (cross_products(rel, along) / cross_products(d, along))[:, None] * d
    return points


def _mean_direction(d: Floats) -> Floats:
    mean = (d / np.hypot(d[:, 0], d[:, 1])[:, None]).mean(axis=0)
    unit: Floats = mean / np.hypot(*mean)
    return unit


def _find_pupil(light: Light, bundle: LeavingBundle, *, entrance: bool) -> Pupil:
    """The stop's image by the elements before it, or by those after it. Raises Undefined if it is
    at infinity.
    """
    stop = stop_of(light, bundle)
    members = stop.before if entrance else stop.after
    if not members:
        return Pupil(stop.middle, stop.width)
    wavelength = float(light.result.wavelength[bundle.rows[0]])
    toward = stop.backward if entrance else stop.forward
    last = (
        light.directions(bundle.rows)
        if not entrance
        else -light.directions(_first_segments(light, bundle.rows))
    )
    objects = [light.scene.optical[i] for i in sorted(members)]
    found = light.cached(
        ("pupil", entrance, *bundle.rows[:1].tolist(), len(bundle.rows)),
        lambda: _stop_image(
            light.scene,
            objects,
            stop,
            stop.index in members,
            toward,
            _mean_direction(last),
            wavelength,
        ),
    )
    conjugates, indices = found
    if conjugates.image_point is None or conjugates.slope_ratio is None:
        which = "entrance" if entrance else "exit"
        raise Undefined(f"The {which} pupil is at infinity: the light is telecentric there.")
    return Pupil(
        conjugates.image_point, abs(indices[0] / indices[1] * conjugates.slope_ratio) * stop.width
    )


def _first_segments(light: Light, rows: Rows) -> Rows:
    """The segments with which the paths to some segments begin."""
    rows = rows.astype(np.int64)
    while (light.result.parent[rows] >= 0).all():
        rows = light.result.parent[rows].astype(np.int64)
    return rows


def _stop_image(
    scene: Scene,
    objects: Sequence[SceneObject],
    stop: Stop,
    touches: bool,
    toward: tuple[float, float],
    last: Floats,
    wavelength: float,
) -> tuple[Conjugates, tuple[float, float]]:
    """The image of the middle of the stop by some objects, for light that leaves it in one
    direction and them in another; with the refractive indices at its start and its end.
    ``touches``: the stop is an edge of one of the objects.
    """
    scale = scene.settings.length_scale
    off = 3 * ON_SURFACE * scale if touches else 0.0
    start = Point(stop.middle.x + off * toward[0], stop.middle.y + off * toward[1])
    fan = AngleSource(
        p1=start, p2=Point(start.x + toward[0], start.y + toward[1]), brightness=1.0, emis_angle=FAN, name="Fan",
        wavelength=GREEN if math.isnan(wavelength) else wavelength,
    )  # fmt: skip
    alone, result, leaving = lit_alone(scene, objects, fan, density=RAYS * 360 / (500 * FAN))
    bundles = [b for b in leaving if len(b.rows) > 2]
    if not bundles:
        raise Undefined(
            "No light from the middle of the aperture stop goes through the other elements."
        )
    best = max(
        bundles, key=lambda b: float(_mean_direction(result.p2[b.rows] - result.p1[b.rows]) @ last)
    )
    n_in, n_out = (
        float(index_along(result, alone, rows[:1])[0])
        for rows in (np.flatnonzero(result.parent < 0), best.rows)
    )
    return best.conjugates(), (n_in, n_out)


def _on_axis(light: Light, index: int, at: Point, directions: Floats) -> Axis:
    """A pupil's middle on the object's optical axis, if it has one, and the direction along which
    distances count.
    """
    x, y = _mean_direction(directions).tolist()
    return on_axis(own_axis(light, index), at, (x, y))


MEASURES = (
    Measure(
        stop_width,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="clear width of the aperture stop of {object} [for the light from {source}]",
        rays=through_rays,
        questions=("How wide is the aperture stop of {object}?",),
    ),
    Measure(
        stop_fill,
        Unit.ONE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="share of the aperture stop of {object} that the light [from {source}] fills",
        rays=through_rays,
        questions=("How full is the aperture stop of {object}?",),
    ),
    Measure(
        entrance_pupil,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="width of the entrance pupil of {object} [for the light from {source}]",
        rays=arriving_rays,
        questions=(
            "How wide is the entrance pupil of {object}?",
            "What is the size of the entrance pupil of {object} [diameter width]?",
        ),
    ),
    Measure(
        exit_pupil,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="width of the exit pupil of {object} [for the light from {source}]",
        questions=(
            "How wide is the exit pupil of {object}?",
            "What is the size of the exit pupil of {object} [diameter width]?",
        ),
    ),
    Measure(
        entrance_pupil_distance,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the first surface of {object} to the entrance pupil [for the light from"
            " {source}]"
        ),
        rays=arriving_rays,
        senses=("behind that surface", "before that surface"),
        questions=("How far from {object} is the entrance pupil?",),
    ),
    Measure(
        exit_pupil_distance,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the last surface of {object} to the exit pupil [for the light from"
            " {source}]"
        ),
        senses=("behind that surface", "before that surface"),
        questions=("How far from {object} is the exit pupil?",),
    ),
)
