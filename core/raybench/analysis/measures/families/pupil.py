"""Measures of the aperture stop, and of its images, the pupils, for the strongest bundle that
leaves an object (Hecht, section 5.3).

The stop is the edge or opening on the path that is filled most by the light. The entrance pupil is
its image by the elements before the stop, the exit pupil its image by the elements after the stop,
up to the object. The images are found by tracing narrow fans of rays from the middle of the stop
through these elements alone.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, cross_products
from raybench.analysis.measures.families.lens import LENS, PLANE_SENSES
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import SOURCE, BundleChoice, Family, Undefined, Unit
from raybench.analysis.measures.optical_axis import line_for_distance
from raybench.analysis.measures.paraxial import trace_objects_alone
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.rays.bundle import Conjugates
from raybench.analysis.rays.incidence import refractive_index_along_rows
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource
from raybench.optics.colour import GREEN
from raybench.scene.scene import Scene
from raybench.shapes.curves import point_at_parameter
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Shape
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces
from raybench.trace.tolerances import ON_SURFACE

FAN, RAYS = 0.02, 9
"""Full angle of a fan from the middle of the stop, degrees, and its rays: narrow enough that
aberration does not count.
"""
EQUAL_FILL = 1e-9
"""Relative difference of fills within which two elements limit light alike: an aperture is the stop
then, else the first.
"""
EDGE_POINTS = 65
"""Points of an edge by which its extent is measured."""
PUPILS: Family = Family(
    "Aperture stop and pupils", (LENS, SOURCE), ObjectBeam, BundleChoice.LEAVING
)


@dataclass(frozen=True)
class ElementOnPath:
    """An edge or opening that a bundle meets or passes. ``index``: index of its object.
    ``clear_width``: width across the light, None if unlimited. ``filled_share``: filled share of
    this width. ``before`` and ``after``: mean unit directions (2,) of the light.
    """

    index: int
    shape: Shape
    clear_width: float | None
    filled_share: float
    before: Floats
    after: Floats
    opening: bool
    level: int

    @classmethod
    def from_meeting_points(
        cls,
        index: int,
        shape: Shape,
        points: Floats,
        before: Floats,
        after: Floats,
        *,
        level: int,
        opening: bool = False,
    ) -> "ElementOnPath":
        """Make the element from the points (k, 2) at which rays meet a shape or pass an opening."""
        clear: float | None = None
        if not isinstance(shape, FullLine):
            outline = np.array(
                [point_at_parameter(shape, u) for u in np.linspace(0, 1, EDGE_POINTS).tolist()]
            )
            clear = float(np.ptp(cross_products(before[None], outline)))
        fill = float(np.ptp(cross_products(before[None], points))) / clear if clear else 0.0
        return cls(index, shape, clear, fill, before, after, opening, level)


@dataclass(frozen=True)
class Stop:
    """The aperture stop of a bundle: the limiting element, its clear width, and the indices of the
    objects that the light meets before and after it.
    """

    element: ElementOnPath
    width: float
    before: frozenset[int]
    after: frozenset[int]

    @property
    def index(self) -> int:
        """The index of the optical object to which the stop's edge or opening belongs."""
        return self.element.index

    @property
    def middle(self) -> Point:
        """The middle of the edge or opening that is the stop."""
        return point_at_parameter(self.element.shape, 0.5)


@dataclass(frozen=True)
class Pupil:
    """A pupil, which is an image of the aperture stop: its centre on the axis, and its width."""

    centre: Point
    width: float


@PUPILS.measure(
    Unit.LENGTH,
    "clear width of the aperture stop of {object} [for the light from {source}]",
    "How wide is the aperture stop of {object}?",
    rays=ObjectBeam.rows_inside_object,
)
def stop_width(beam: ObjectBeam) -> float:
    """Clear width of the aperture stop, the element before or at the object that limits its
    strongest bundle.
    """
    return cached_aperture_stop(beam).width


@PUPILS.measure(
    Unit.ONE,
    "share of the aperture stop of {object} that the light [from {source}] fills",
    "How full is the aperture stop of {object}?",
    rays=ObjectBeam.rows_inside_object,
)
def stop_fill(beam: ObjectBeam) -> float:
    """Share of the clear width of the aperture stop that the strongest bundle fills: between the
    rim rays of the source, or the edges of the stop where these cut the light, else between the
    outermost rays.
    """
    return _filled_share_of_stop(beam, cached_aperture_stop(beam).element)


@PUPILS.measure(
    Unit.LENGTH,
    "width of the entrance pupil of {object} [for the light from {source}]",
    "How wide is the entrance pupil of {object}?",
    "What is the size of the entrance pupil of {object} [diameter width]?",
    rays=ObjectBeam.arriving_rows,
)
def entrance_pupil(beam: ObjectBeam) -> float:
    """Width of the entrance pupil, the image of the aperture stop by the elements before it."""
    return _find_pupil(beam, entrance=True).width


@PUPILS.measure(
    Unit.LENGTH,
    "width of the exit pupil of {object} [for the light from {source}]",
    "How wide is the exit pupil of {object}?",
    "What is the size of the exit pupil of {object} [diameter width]?",
)
def exit_pupil(beam: ObjectBeam) -> float:
    """Width of the exit pupil, the image of the aperture stop by the elements after it, up to the
    object.
    """
    return _find_pupil(beam, entrance=False).width


@PUPILS.measure(
    Unit.LENGTH,
    "distance from the first surface of {object} to the entrance pupil [for the light from"
    " {source}]",
    "How far from {object} is the entrance pupil?",
    rays=ObjectBeam.arriving_rows,
    senses=PLANE_SENSES,
)
def entrance_pupil_distance(beam: ObjectBeam) -> float:
    """Distance along the light from the object's first surface to the entrance pupil, negative if
    the pupil lies before the surface.
    """
    at = _find_pupil(beam, entrance=True).centre
    return _distance_from_surface(beam, beam.arriving_rows(), at, beam.arriving_directions)


@PUPILS.measure(
    Unit.LENGTH,
    "distance from the last surface of {object} to the exit pupil [for the light from {source}]",
    "How far from {object} is the exit pupil?",
    senses=PLANE_SENSES,
)
def exit_pupil_distance(beam: ObjectBeam) -> float:
    """Distance along the light from the object's last surface to the exit pupil, negative if the
    pupil lies before the surface.
    """
    at = _find_pupil(beam, entrance=False).centre
    return _distance_from_surface(beam, beam.rows, at, beam.directions)


def _distance_from_surface(beam: ObjectBeam, rows: Rows, at: Point, directions: Floats) -> float:
    """The distance of the centre ``at`` of a pupil from the surface on which the segments ``rows``
    start or end. It is measured along the optical axis or, without an axis, along the light.
    """
    x, y = _mean_direction(directions).tolist()
    return beam.distance_from_surface(rows, *line_for_distance(beam.optical_axis, at, (x, y)))


def cached_aperture_stop(beam: ObjectBeam) -> Stop:
    """The aperture stop of a bundle. Raises Undefined if no element limits the bundle."""
    key = ("stop", *beam.rows[:1].tolist(), len(beam.rows))
    return beam.light.cached_value(key, lambda: _find_stop(beam))


def _find_stop(beam: ObjectBeam) -> Stop:
    met = list(_elements_on_path(beam))
    if len(beam.rows) < 2:
        raise Undefined("The light is a single ray. Use a source with more rays.")
    best: ElementOnPath | None = None
    for element in met:
        if element.clear_width is None or not element.clear_width > 0:
            continue
        if (
            best is None
            or element.filled_share > best.filled_share * (1 + EQUAL_FILL)
            or (
                element.opening > best.opening
                and element.filled_share >= best.filled_share * (1 - EQUAL_FILL)
            )
        ):
            best = element
    if best is None or best.clear_width is None:
        raise Undefined("Nothing limits the light.")
    here = next(i for i, element in enumerate(met) if element is best)
    before, after = (
        frozenset(e.index for e in some if not e.opening) for some in (met[:here], met[here + 1 :])
    )
    return Stop(best, best.clear_width, before, after)


def _elements_on_path(beam: ObjectBeam) -> Iterator[ElementOnPath]:
    """The edges and openings on the path of a bundle, in order, without detectors."""
    light, result, levels = beam.light, beam.light.result, _rows_by_surface(beam)
    rims = _rim_segment_ends(beam, len(levels))
    passages = [
        (i, Line(aperture.p3, aperture.p4), crossing)
        for i, aperture in enumerate(light.scene.optical)
        if isinstance(aperture, Aperture) and aperture.key not in light.disabled
        for crossing in _surface_levels_at_opening(light, levels, i, aperture)
    ]
    for level, (rows, following) in enumerate(pairwise(levels)):
        onward = _mean_direction(light.directions(rows))
        passed: list[tuple[float, ElementOnPath]] = []
        start, _ = first_straight_pieces(result, rows)
        for i, opening, (here, points) in passages:
            if here == level:
                off = float(((points - start) @ onward).mean())
                points = np.concatenate([points, _crossings_with_line(*rims[level], opening)])
                element = ElementOnPath.from_meeting_points(
                    i, opening, points, onward, onward, level=level, opening=True
                )
                passed.append((off, element))
        yield from (element for _, element in sorted(passed, key=lambda pair: pair[0]))
        hit = int(result.hit[rows[0]])
        if hit >= 0 and not isinstance(light.scene.optical[hit], Detector):
            edge = next(e for e in light.edges(hit) if e.index == result.edge[rows[0]])
            after = _mean_direction(np.subtract(*first_straight_pieces(result, following)[::-1]))
            points = np.concatenate([last_straight_pieces(result, rows)[1], rims[level][1]])
            yield ElementOnPath.from_meeting_points(
                hit, edge.shape, points, onward, after, level=level
            )


def _filled_share_of_stop(beam: ObjectBeam, stop: ElementOnPath) -> float:
    """The share of the stop that the light fills. Where neighbouring rays miss the stop at one
    side, the stop is filled up to its edge on this side.
    """
    light, result, shape = beam.light, beam.light.result, stop.shape
    if not isinstance(shape, Line | Arc) or (isinstance(shape, Arc) and shape.is_full_circle):
        return stop.filled_share
    levels = _rows_by_surface(beam)
    rows, rims = levels[stop.level], _rim_segment_ends(beam, len(levels))[stop.level]
    near = np.flatnonzero(
        (result.depth == result.depth[rows[0]]) & np.isin(result.source, result.source[rows])
    )
    own = path_keys(result, rows[:1], ends=False)
    near = near[path_keys(result, near, ends=False) == own]
    past, rim_trace = [first_straight_pieces(result, near[~np.isin(near, rows)])], light.rim_rays
    if rim_trace is not None:
        beside = rim_trace.rim_rows_on_same_paths(result, rows, ends=False)
        past.append(first_straight_pieces(rim_trace.result, beside))
    chord, along = Line(shape.a, shape.b), np.subtract(shape.b, shape.a)

    def positions_across(start: Floats, end: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):  # along the line they do not cross it
            points = _crossings_with_line(start, end, chord)
            ahead = ((points - start) * (end - start)).sum(axis=1) > 0
        found: Floats = (points[ahead] - np.array(shape.a)) @ along / (along @ along)
        return found[np.isfinite(found)]

    through = np.concatenate(
        [positions_across(*first_straight_pieces(result, rows)), positions_across(*rims)]
    )
    lost = np.concatenate([positions_across(*pieces) for pieces in past])
    low, high = float(through.min()), float(through.max())
    below, above = lost[lost < low], lost[lost > high]
    ends = [
        0.0 if len(below) and below.max() < 0 else low,
        1.0 if len(above) and above.min() > 1 else high,
    ]
    return ends[1] - ends[0] if ends != [low, high] else stop.filled_share


def _rim_segment_ends(beam: ObjectBeam, count: int) -> list[tuple[Floats, Floats]]:
    """The start and end points (rims, 2) of the rim rays of the source on the path of a bundle, for
    each of the ``count`` levels of the bundle, see `_rows_by_surface`.
    """
    rows, ends = beam.rim_rows, list[tuple[Floats, Floats]]()
    rims = beam.light.rim_rays
    if rims is None:
        return [(np.empty((0, 2)), np.empty((0, 2)))] * count
    for _ in range(count):
        ends.insert(
            0,
            (
                first_straight_pieces(rims.result, rows)[0],
                last_straight_pieces(rims.result, rows)[1],
            ),
        )
        rows = rims.result.parent[rows].astype(np.int64)
        rows = rows[rows >= 0]
    return ends


def _surface_levels_at_opening(
    light: Light, levels: Sequence[Rows], index: int, aperture: Aperture
) -> Iterator[tuple[int, Floats]]:
    """The levels, see `_rows_by_surface`, at which a bundle passes the opening of an aperture, each
    with the points (k, 2) where its rays pass.

    An opening that is partly inside a glass is passed before and behind the surface of the glass;
    then the ray next to the middle decides.
    """
    opening = Line(aperture.p3, aperture.p4)
    segments = np.array(levels[:-1], np.int64).reshape(-1, len(levels[-1]))
    passes = np.isin(segments, light.passing_rows(index))
    for level in np.flatnonzero(passes.all(axis=1)).tolist():
        yield (
            level,
            _crossings_with_line(*first_straight_pieces(light.result, segments[level]), opening),
        )
    if passes.any(axis=0).all() and not passes.all(axis=1).any():
        of_ray = passes.argmax(axis=0)
        rows = segments[of_ray, np.arange(len(of_ray))]
        points = _crossings_with_line(*first_straight_pieces(light.result, rows), opening)
        middle = np.hypot(*(points - np.array(point_at_parameter(opening, 0.5))).T).argmin()
        yield int(of_ray[middle]), points


def _rows_by_surface(beam: ObjectBeam) -> list[Rows]:
    """The segments of a bundle by level, in the order of the light: level 0 holds the segments from
    the source, level i the segments after the i-th surface.
    """
    parent, levels = beam.light.result.parent, [beam.rows.astype(np.int64)]
    while (parent[levels[0]] >= 0).all():
        levels.insert(0, parent[levels[0]].astype(np.int64))
    return levels


def _crossings_with_line(start: Floats, end: Floats, line: Line) -> Floats:
    """The points (k, 2) where rays cross the line on which an opening lies."""
    d, along, rel = end - start, np.subtract(line.b, line.a)[None], np.array(line.a) - start
    points: Floats = start + (cross_products(rel, along) / cross_products(d, along))[:, None] * d
    return points


def _mean_direction(d: Floats) -> Floats:
    mean = (d / np.hypot(d[:, 0], d[:, 1])[:, None]).mean(axis=0)
    unit: Floats = mean / np.hypot(*mean)
    return unit


def _find_pupil(beam: ObjectBeam, *, entrance: bool) -> Pupil:
    """The entrance or the exit pupil. Raises Undefined if the image of the stop is at infinity."""
    light, stop = beam.light, cached_aperture_stop(beam)
    members = stop.before if entrance else stop.after
    if not members:
        return Pupil(stop.middle, stop.width)
    if entrance:
        toward, last = -stop.element.before, -light.directions(_rows_by_surface(beam)[0])
    else:
        toward, last = stop.element.after, light.directions(beam.rows)
    conjugates, indices = light.cached_value(
        ("pupil", entrance, *beam.rows[:1].tolist(), len(beam.rows)),
        lambda: _image_of_stop(
            light.scene,
            [light.scene.optical[i] for i in sorted(members)],
            stop,
            stop.index in members,
            toward,
            _mean_direction(last),
            float(light.result.wavelength[beam.rows[0]]),
        ),
    )
    if conjugates.image_point is None or conjugates.slope_ratio is None:
        which = "entrance" if entrance else "exit"
        raise Undefined(f"The {which} pupil is at infinity: the light is telecentric there.")
    return Pupil(
        conjugates.image_point, abs(indices[0] / indices[1] * conjugates.slope_ratio) * stop.width
    )


def _image_of_stop(
    scene: Scene,
    objects: Sequence[SceneObject],
    stop: Stop,
    touches: bool,
    toward: Floats,
    last: Floats,
    wavelength: float,
) -> tuple[Conjugates, tuple[float, float]]:
    """The image of the middle of the stop by some objects, and the refractive indices at the stop
    and at the image. ``toward`` is the direction in which light leaves the stop, ``last`` the
    direction in which it leaves the objects. ``touches`` says that the stop is an edge of one of
    the objects.
    """
    off = 3 * ON_SURFACE * scene.settings.length_scale if touches else 0.0
    x, y = toward.tolist()
    start = Point(stop.middle.x + off * x, stop.middle.y + off * y)
    fan = AngleSource(
        p1=start,
        p2=Point(start.x + x, start.y + y),
        brightness=1.0,
        emis_angle=FAN,
        name="Fan",
        wavelength=GREEN if math.isnan(wavelength) else wavelength,
    )
    alone, result, leaving = trace_objects_alone(
        scene, objects, fan, density=RAYS * 360 / (500 * FAN)
    )
    bundles = [b for b in leaving if len(b.rows) > 2]
    if not bundles:
        raise Undefined(
            "No light from the middle of the aperture stop goes through the other elements."
        )
    best = max(
        bundles, key=lambda b: float(_mean_direction(result.p2[b.rows] - result.p1[b.rows]) @ last)
    )
    n_in, n_out = (
        float(refractive_index_along_rows(result, alone, rows[:1])[0])
        for rows in (np.flatnonzero(result.parent < 0), best.rows)
    )
    return best.conjugates(), (n_in, n_out)
