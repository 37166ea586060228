"""Properties of ray bundles: best focus, conjugate points, focal length and principal plane.

Rays are straight lines with points ``p`` (n, 2) in scene units, directions ``d`` (n, 2) of any
length, and ``weights`` (n,) such as their powers. The formulas are least squares and, for the
principal plane, Hecht, section 6.1.
"""

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Floats, cross_products
from raybench.errors import RaybenchError
from raybench.shapes.point import Point


class NoFocus(RaybenchError):
    """A bundle has no focus, no focal length or no image. The message says why."""


ACROSS = "Some rays run across or against the others and form no bundle. Choose those of one side."


@dataclass(frozen=True, slots=True)
class Focus:
    """The best focus: the point along a bundle where its weighted RMS width is smallest.

    ``axis``: mean unit direction of the bundle. ``rms``: RMS distance of the rays from ``point``
    perpendicular to ``axis``. ``width``: distance between the outermost rays there. ``real``:
    whether the focus lies after the starting points of the rays. ``spread``: RMS slope of the rays
    relative to the axis; at the distance x from the focus the RMS width is hypot(rms, spread x).
    """

    point: Point
    axis: tuple[float, float]
    rms: float
    width: float
    real: bool
    spread: float

    def width_at_focus(self, points: Floats, directions: Floats) -> float:
        """The distance, across the bundle, between the outermost of the given rays at the focus."""
        axis = np.array(self.axis)
        height, along, slope = _heights_positions_slopes(
            points - np.array(self.point), directions, axis
        )
        return float(np.ptp(height - slope * along))


@dataclass(frozen=True, slots=True)
class CardinalPoints:
    """The focal length of optics for a parallel bundle, positive if converging; the focal point and
    the principal point on the axis of the bundle; and the unit direction of that axis.
    """

    focal_length: float
    focal_point: Point
    principal_point: Point
    axis: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Conjugates:
    """The paraxial object point and image point of a bundle, where rays close to the middle ray
    meet before and after the optics. A point is None if the rays are parallel there.

    ``axis_in`` and ``axis_out``: unit directions of the middle ray. ``slope_ratio``: slope
    differences of neighbouring rays before the optics over those after; times the ratio of
    refractive indices it is the transverse magnification (Smith-Helmholtz invariant; Hecht, section
    6.2; Born & Wolf, section 4.4.5), with a change of sign for each reflection. None unless both
    points exist. ``height_ratio``: the same ratio of heights; times the ratio of refractive indices
    it is the angular magnification of parallel light. None if a point exists.
    """

    object_point: Point | None
    axis_in: tuple[float, float]
    image_point: Point | None
    axis_out: tuple[float, float]
    slope_ratio: float | None
    height_ratio: float | None = None


ROUNDING = 1e-12
"""Rounding error of a position relative to the largest coordinate."""
ALONG = 0.02
"""Sine of the angle within which light comes along an optical axis."""
PARALLEL = 1e-9
"""Neighbouring rays count as parallel if the slope changes by less than this from the middle of a
bundle to its edge.
"""


def bundle_conjugates(
    p_in: Floats,
    d_in: Floats,
    p_out: Floats,
    d_out: Floats,
    optical_axis: tuple[Point, tuple[float, float]] | None = None,
) -> Conjugates:
    """The paraxial object point and image point of rays that are given before (``in``) and after
    (``out``) the optics, one ray in each row.

    ``p_in + d_in`` is where the rays enter the optics. Rays are compared with the ray in the middle
    of the entry or, if an ``optical_axis`` (a point and a unit direction) runs through the bundle
    in the direction of the light, with the ray on this axis. Heights and slopes are fitted by
    polynomials of the entry heights, so that aberration does not shift the result. Raises NoFocus
    if the rays form no bundle or all enter at one point.
    """
    bundle = _EnteringRays.from_rays(p_in, d_in, optical_axis)
    p_out, d_out, w = _check_bundle(p_out, d_out, None)
    axis_out = _mean_bundle_direction(d_out, w)
    columns = [
        column
        for height, along, slope in (
            bundle.frame,
            _heights_positions_slopes(p_out, d_out, axis_out),
        )
        for column in (slope, height - slope * along)
    ]
    u, place, values = bundle.u, bundle.place, np.stack(columns, axis=1)
    fits, coarser = (
        _fit_values_at(u, values, place),
        _fit_values_at(u, values, place, _polynomial_degree(len(u)) - 2),
    )
    # a slope that the highest terms of a fit to few rays decide is none
    unsure = [PARALLEL + abs(fit[1] - other[1]) for fit, other in zip(fits, coarser, strict=True)]
    object_point, ray_in = _paraxial_meeting_point(bundle.axis, fits[0], fits[1], unsure[0])
    image_point, ray_out = _paraxial_meeting_point(axis_out, fits[2], fits[3], unsure[2])
    turns = [
        slope[1] / (1.0 + slope[0] ** 2) for slope in (fits[0], fits[2])
    ]  # of the angles to the middle ray
    slopes = turns[0] / turns[1] if object_point is not None and image_point is not None else None
    afocal = (
        object_point is None
        and image_point is None
        and abs(fits[3][1]) > PARALLEL * abs(fits[1][1])
    )
    return Conjugates(
        object_point,
        ray_in,
        image_point,
        ray_out,
        slopes,
        fits[1][1] / fits[3][1] if afocal else None,
    )


def _paraxial_meeting_point(
    axis: Floats, slope: tuple[float, float], height: tuple[float, float], parallel: float
) -> tuple[Point | None, tuple[float, float]]:
    """The point where rays close to the middle ray meet, None if they are parallel, and the unit
    direction of the middle ray.

    ``slope`` and ``height`` are pairs: the value for the middle ray, and the derivative across the
    bundle. Heights are measured at the origin, from the axis through the origin. ``parallel`` is
    the largest slope derivative that counts as parallel.
    """
    ray = axis + slope[0] * np.array([-axis[1], axis[0]])
    direction = _axis_as_tuple(ray / np.hypot(*ray))
    if abs(slope[1]) <= parallel:
        return None, direction
    x = -height[1] / slope[1]
    return _axis_point(x, height[0] + slope[0] * x, axis), direction


def best_focus(
    points: Floats,
    directions: Floats,
    weights: Floats | None = None,
    groups: NDArray[np.signedinteger[Any]] | None = None,
) -> Focus:
    """The best focus of a bundle, real or virtual. Raises NoFocus for parallel rays.

    ``groups`` (n,) assigns each ray to one of several spots side by side. Then the widths of the
    spots count, but not the distances between them.
    """
    groups = (
        np.zeros(len(points), np.int64)
        if groups is None
        else np.unique(groups, return_inverse=True)[1]
    )
    points, directions, w = _check_bundle(points, directions, weights)
    axis = _mean_bundle_direction(directions, w)
    height, along, slope = _heights_positions_slopes(points, directions, axis)
    at_start = height - slope * along
    total = np.bincount(groups, w)
    total[total == 0] = 1.0

    def subtract_weighted_mean(values: Floats) -> Floats:
        """The values minus the mean of the spot that each belongs to."""
        off: Floats = values - (np.bincount(groups, w * values) / total)[groups]
        return off

    spread = float(w @ subtract_weighted_mean(slope) ** 2)
    if spread <= 1e-18:
        raise NoFocus("The rays are parallel: they have no focus.")
    x = -float(w @ (subtract_weighted_mean(at_start) * subtract_weighted_mean(slope))) / spread
    here = at_start + slope * x
    centre = float(w @ here)
    rms = math.sqrt(max(0.0, float(w @ subtract_weighted_mean(here) ** 2)))
    rounding = ROUNDING * float(np.abs(points).max())  # a focus on the surface is real
    real = bool(x >= float(w @ along) - rounding)
    return Focus(
        _axis_point(x, centre, axis),
        _axis_as_tuple(axis),
        rms,
        float(np.ptp(here)),
        real,
        math.sqrt(spread),
    )


def rays_in_main_direction(directions: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Mask (n,) of the rays that run within 90 degrees of the mean direction, so that for example
    rays reflected back from behind a detector are excluded. All rays if the mean direction is zero.
    """
    norm = np.hypot(directions[:, 0], directions[:, 1])
    unit = directions / np.where(norm > 0, norm, 1.0)[:, None]
    mean = weights @ unit
    return (
        unit @ mean > 0
        if np.hypot(*mean) > 1e-6 * weights.sum()
        else np.ones(len(directions), bool)
    )


def distance_along_beam(focus: Focus, start: Point, end: Point) -> float:
    """The distance along the beam from the line through the points ``start`` and ``end`` to a
    focus, negative if the focus is before the line. Raises NoFocus.
    """
    off, along = np.array(focus.point) - np.array(start), np.array(end) - np.array(start)
    turn = float(cross_products(along, np.array(focus.axis)))
    if abs(turn) <= 1e-9 * float(np.hypot(*along)):
        raise NoFocus("The light runs along the line.")
    return float(cross_products(along, off)) / turn


def fit_cardinal_points(
    p_in: Floats,
    d_in: Floats,
    p_out: Floats,
    d_out: Floats,
    optical_axis: tuple[Point, tuple[float, float]] | None = None,
) -> CardinalPoints:
    """The paraxial focal length and principal plane of optics that turn the parallel rays ``in``
    into the rays ``out``, one ray in each row.

    The outgoing rays are fitted by polynomials of the incoming heights and evaluated in the middle
    of the bundle or, as in `bundle_conjugates`, on an ``optical_axis``; so aberration does not
    shift the result. Optics that deviate light by more than 45 degrees, such as a prism or an
    off-axis mirror, are unfolded: the focal length then refers to the axis of the outgoing light.
    Raises NoFocus if the incoming rays are not parallel, or if the outgoing rays are.
    """
    bundle = _EnteringRays.from_rays(p_in, d_in, optical_axis)
    p_out, d_out, w = _check_bundle(p_out, d_out, None)
    if np.abs(bundle.frame[2]).max() > 1e-6:
        raise NoFocus("The arriving rays are not parallel: they do not meet in the focal point.")
    axis, h, scale = bundle.axis, bundle.u, bundle.scale
    mean = w @ d_out
    aside = bool(abs(mean @ axis) < math.sqrt(0.5) * np.hypot(*mean))
    axis = _mean_bundle_direction(d_out, w) if aside else axis
    if (d_out @ axis * (mean @ axis) <= 0).any():
        raise NoFocus(ACROSS)
    height, along, slope = _heights_positions_slopes(p_out, d_out, axis)
    # unfolded: rays that enter on one side leave on the same side
    side = -1.0 if aside and h @ (height - height.mean()) < 0 else 1.0
    height, slope = side * height, side * slope
    columns = np.stack([slope, height - slope * along], axis=1)
    fit_slope, fit_height = _fit_values_at(h, columns, bundle.place)
    if abs(fit_slope[1]) < 1e-9:
        raise NoFocus(
            "The rays are as parallel on leaving as on entering: the focal length is infinite."
        )
    # paraxially height(x) = a0 + a1 h + (b0 + b1 h) x: focus where a1 + b1 x = 0, principal plane
    # where a1 + b1 x = 1
    a0, a1, b0, b1 = fit_height[0], fit_height[1] / scale, fit_slope[0], fit_slope[1] / scale
    x_focus, x_principal = -a1 / b1, (1 - a1) / b1
    focal, principal = (_axis_point(x, side * (a0 + b0 * x), axis) for x in (x_focus, x_principal))
    # after a mirror light runs against the axis, and converges if heights grow along the axis
    onward = math.copysign(1.0, float((d_out @ axis).sum()))
    return CardinalPoints(float(-onward / b1), focal, principal, _axis_as_tuple(axis))


def _polynomial_degree(rays: int, most: int = 9) -> int:
    """The degree of the polynomials that are fitted to a bundle of ``rays`` rays. With four rays or
    more it includes the cubic terms of spherical aberration.
    """
    return max(1, min(most, rays - 1, rays // 2 + 1))


@dataclass(frozen=True, eq=False)
class _EnteringRays:
    """Rays where they enter some optics. ``axis``: mean direction. ``frame``: see
    `_heights_positions_slopes`. ``u`` (n,): positions across the bundle, from -1 to 1. ``scale``:
    half the width of the bundle. ``place``: the position, on the scale of ``u``, for which the
    optics are computed.
    """

    axis: Floats
    frame: tuple[Floats, Floats, Floats]
    u: Floats
    scale: float
    place: float

    @classmethod
    def from_rays(
        cls, p: Floats, d: Floats, optical_axis: tuple[Point, tuple[float, float]] | None
    ) -> Self:
        """Rays that enter the optics at ``p + d``. The optics are computed on the optical axis or,
        if the axis misses the bundle or has another direction, in the middle of the bundle.
        """
        entry = np.asarray(p, float) + d
        p, d, w = _check_bundle(p, d, None)
        axis = _mean_bundle_direction(d, w)
        h = cross_products(axis[None], entry)
        middle, scale = float(h.max() + h.min()) / 2, float(np.ptp(h)) / 2
        if scale <= 1e-12 * float(np.abs(entry).max()):
            raise NoFocus("All rays enter at one point. Use light that covers some width.")
        u, frame, place = (h - middle) / scale, _heights_positions_slopes(p, d, axis), 0.0
        if optical_axis is not None:
            at, along = np.array(optical_axis[0]), np.array(optical_axis[1])
            foot = at + ((entry.mean(axis=0) - at) @ along) * along
            there = (float(cross_products(axis, foot)) - middle) / scale
            if abs(there) <= 1 + ROUNDING:
                ((slope, _),) = _fit_values_at(u, frame[2][:, None], there)
                ray = axis + slope * np.array([-axis[1], axis[0]])
                off = abs(float(cross_products(ray, along)))
                place = there if off <= ALONG * float(np.hypot(*ray)) else 0.0
        return cls(axis, frame, u, scale, place)


MOST_FIT_DEVIATION = 1e-6
"""Largest deviation of the rays of a bundle from the polynomial that is fitted to them, relative to
how much they differ.
"""


def _fit_values_at(
    u: Floats, values: Floats, at: float = 0.0, most: int = 9
) -> list[tuple[float, float]]:
    """For each column of ``values``, the value and the derivative of its least-squares polynomial
    at the position ``at``.

    ``u`` (n,) are the positions of the rays across the bundle, from -1 to 1. ``most`` is the
    highest degree. If no polynomial fits all rays, as near grazing exit, rays far from ``at`` are
    left out until one fits.
    """
    fits, followed = _fit_polynomials(u, values, most)
    reach = 2.0
    while not followed:
        reach /= 2
        near = np.abs(u - at) <= reach
        if near.sum() < 2 * (_polynomial_degree(len(u), most) + 1):
            break
        inner, followed = _fit_polynomials((u[near] - at) / reach, values[near], most)
        if followed:
            return [(float(fit(0.0)), float(fit.deriv()(0.0)) / reach) for fit in inner]
    return [(float(fit(at)), float(fit.deriv()(at))) for fit in fits]


def _fit_polynomials(
    u: Floats, values: Floats, most: int
) -> tuple[list[np.polynomial.chebyshev.Chebyshev], bool]:
    """Fit a polynomial to each column of ``values`` at positions from -1 to 1. Also returns whether
    the polynomials reproduce the values.
    """
    terms = np.polynomial.chebyshev.chebvander(u, _polynomial_degree(len(u), most))
    rounding = np.finfo(float).eps * len(u)  # of all rows, not only of those of the triangle
    coefficients = np.linalg.lstsq(*_triangular_system(terms, values), rcond=rounding)[0]
    rows = np.ascontiguousarray(values.T)  # long rows, which numpy reduces fast
    off = np.abs(coefficients.T @ terms.T - rows).max(axis=1)
    allowed = MOST_FIT_DEVIATION * np.ptp(rows, axis=1) + 1e-9 * np.abs(rows).max()
    return [np.polynomial.chebyshev.Chebyshev(c) for c in coefficients.T], bool(
        (off <= allowed).all()
    )


MANY_ROWS = 1000
"""Rows from which on `numpy.linalg.qr` is slow."""
WELL_CONDITIONED = 1e8
"""Largest condition number of a Gram matrix from which a basis is computed."""


def _triangular_system(
    columns: NDArray[np.floating[Any]], values: Floats
) -> tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]:
    """The triangular factor R of columns Q R (n, m), and Q^T times ``values`` (n, k): they have the
    same least-squares solution as all rows, and are much faster to solve.

    Of many rows the factor is found from the Gram matrix, twice for accuracy: `numpy.linalg.qr`
    takes several times as long, and a hundred times as long where others use the processors, for it
    shares the work among threads.
    """
    gram = columns.T @ columns
    if len(columns) < MANY_ROWS or not np.linalg.cond(gram) < WELL_CONDITIONED:
        q, r = np.linalg.qr(columns)
        return r, q.T @ values
    first = np.linalg.cholesky(gram)
    nearly = columns @ np.linalg.inv(first).T
    second = np.linalg.cholesky(nearly.T @ nearly)
    return second.T @ first.T, np.linalg.solve(second, nearly.T @ values)


def _check_bundle(
    points: Floats, directions: Floats, weights: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """Check the rays of a bundle. Returns points, unit directions and weights with the sum 1.
    Raises NoFocus if the rays form no bundle.
    """
    points, directions = (
        np.asarray(points, float).reshape(-1, 2),
        np.asarray(directions, float).reshape(-1, 2),
    )
    w = np.ones(len(points)) if weights is None else np.asarray(weights, float)
    if len(points) < 2 or len(directions) != len(points) or len(w) != len(points):
        raise NoFocus(
            "A bundle needs at least 2 rays with a point, a direction and a weight each; there are"
            f" {len(points)}."
        )
    norm = np.hypot(directions[:, 0], directions[:, 1])
    if not (
        np.isfinite(points).all()
        and np.isfinite(directions).all()
        and (norm > 0).all()
        and (w >= 0).all()
        and w.sum() > 0
    ):
        raise NoFocus(
            "A ray has no direction, a point that is not finite, or a negative weight, or all"
            " weights are 0."
        )
    return points, directions / norm[:, None], w / w.sum()


def _mean_bundle_direction(directions: Floats, weights: Floats) -> Floats:
    """The mean unit direction of a bundle. Raises NoFocus if a ray deviates from the mean by 90
    degrees or more.
    """
    mean: Floats = weights @ directions
    norm = float(np.hypot(*mean))
    if norm < 1e-6:
        raise NoFocus(
            "The rays run in all directions and have no common axis. Choose those of one side."
        )
    axis: Floats = mean / norm
    if (directions @ axis <= 1e-9).any():
        raise NoFocus(ACROSS)
    return axis


def _heights_positions_slopes(
    points: Floats, directions: Floats, axis: Floats
) -> tuple[Floats, Floats, Floats]:
    """For each ray: the height of its point above the axis through the origin, the position of the
    point along the axis, and the slope of the ray.
    """
    slope: Floats = cross_products(axis[None], directions) / (directions @ axis)
    return cross_products(axis[None], points), points @ axis, slope


def _axis_point(x: float, height: float, axis: Floats) -> Point:
    """The point at the distance ``x`` along the axis through the origin, and ``height`` above
    it.
    """
    return Point(float(axis[0] * x - axis[1] * height), float(axis[1] * x + axis[0] * height))


def _axis_as_tuple(axis: Floats) -> tuple[float, float]:
    return float(axis[0]), float(axis[1])
