"""What a traced bundle of rays does: where it is sharpest, and the focal length and principal plane of what it passed.

Rays are straight lines here: places ``p`` (n, 2) and directions ``d`` (n, 2) of any length, in scene units, with ``weights`` (n,) such
as their powers. Formulas: least squares; for the principal plane Hecht, section 6.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.analysis.geometry.straight import Floats, cross
from core.errors import RaybenchError
from core.shapes.point import Point


class NoFocus(RaybenchError):
    """A bundle has no focus, focal length or image; the text says why."""


ACROSS = "Some rays run across or against the others and form no bundle. Choose those of one side."


@dataclass(frozen=True, slots=True)
class Focus:
    """The place along a bundle where its weighted spread is least.

    ``rms`` is the root mean square distance of the rays from ``point`` across ``axis``, the bundle's mean unit direction; ``width`` the
    distance of its outermost rays there. ``real`` says whether the light comes there after the places the rays start from.
    """

    point: Point
    axis: tuple[float, float]
    rms: float
    width: float
    real: bool


@dataclass(frozen=True, slots=True)
class Cardinal:
    """The focal length of what turns a parallel bundle into another, positive where it converges, with the focal and the principal
    point on the bundle's axis and the axis' unit direction."""

    focal_length: float
    focal_point: Point
    principal_point: Point
    axis: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Conjugates:
    """Where neighbouring rays in the middle of a bundle meet before and behind what they pass, None where they are parallel.

    ``axis_in`` and ``axis_out`` are the unit directions of the middle ray. ``slope_ratio`` is how much the slopes of neighbouring rays
    differ before over how much behind: times the ratio of the media's indices it is the transverse magnification (the Smith-Helmholtz
    invariant; Hecht, section 6.2; Born & Wolf, section 4.4.5), with a further sign for every reflection. None unless both differ.
    """

    object_point: Point | None
    axis_in: tuple[float, float]
    image_point: Point | None
    axis_out: tuple[float, float]
    slope_ratio: float | None


PARALLEL = 1e-9
"""The change of slope from the middle of a bundle to its rim below which neighbouring rays are parallel."""


def conjugates(p_in: Floats, d_in: Floats, p_out: Floats, d_out: Floats) -> Conjugates:
    """Where the rays ``in`` come from and where the same rays ``out``, row by row, go to, close to the middle ray.

    ``p_in + d_in`` is where the rays come in. Heights and slopes are fitted by polynomials of the heights there, so that aberration does
    not move the answer. NoFocus where the rays form no bundle, or all come in at one point.
    """
    met = p_in + d_in
    p_in, d_in, w = _bundle(p_in, d_in, None)
    p_out, d_out, _ = _bundle(p_out, d_out, None)
    axis_in, axis_out = _axis(d_in, w), _axis(d_out, w)
    h = cross(axis_in[None], met)
    scale = float(np.ptp(h)) / 2
    if scale <= 1e-12 * float(np.abs(met).max()):
        raise NoFocus("All rays come in at one point. Use light that covers some width.")
    terms = np.polynomial.chebyshev.chebvander((h - (h.max() + h.min()) / 2) / scale, max(1, min(9, (len(h) - 1) // 3)))
    before, behind = _frame(p_in, d_in, axis_in), _frame(p_out, d_out, axis_out)
    columns = [column for height, along, slope in (before, behind) for column in (slope, height - slope * along)]
    fits = _at_middle(terms, np.stack(columns, axis=1))
    object_point, ray_in = _meeting(axis_in, *fits[:2])
    image_point, ray_out = _meeting(axis_out, *fits[2:])
    ratio = fits[0][1] / fits[2][1] if object_point is not None and image_point is not None else None
    return Conjugates(object_point, ray_in, image_point, ray_out, ratio)


def _meeting(axis: Floats, slope: tuple[float, float], height: tuple[float, float]) -> tuple[Point | None, tuple[float, float]]:
    """Where rays close to a middle one meet, None where they are parallel, and the middle ray's unit direction.

    ``slope`` and ``height``, over the axis where it passes the origin, are those of the middle ray and how they change beside it.
    """
    ray = axis + slope[0] * np.array([-axis[1], axis[0]])
    direction = _tuple(ray / np.hypot(*ray))
    if abs(slope[1]) <= PARALLEL:
        return None, direction
    x = -height[1] / slope[1]
    return _point(x, height[0] + slope[0] * x, axis), direction


def best_focus(p: Floats, d: Floats, weights: Floats | None = None) -> Focus:
    """Where a bundle is sharpest, before or behind the places its rays start from. NoFocus for parallel rays."""
    p, d, w = _bundle(p, d, weights)
    axis = _axis(d, w)
    height, along, slope = _frame(p, d, axis)
    at_start = height - slope * along
    mean_h, mean_m = float(w @ at_start), float(w @ slope)
    spread = float(w @ (slope - mean_m) ** 2)
    if spread <= 1e-18:
        raise NoFocus("The rays are parallel: they meet nowhere.")
    x = -float(w @ ((at_start - mean_h) * (slope - mean_m))) / spread
    here = at_start + slope * x
    centre = float(w @ here)
    rms = math.sqrt(max(0.0, float(w @ (here - centre) ** 2)))
    return Focus(_point(x, centre, axis), _tuple(axis), rms, float(np.ptp(here)), bool(x >= float(w @ along)))


def focal_length(p_in: Floats, d_in: Floats, p_out: Floats, d_out: Floats) -> Cardinal:
    """The paraxial focal length and principal plane of what turns the parallel rays ``in`` into the rays ``out``, row by row.

    The rays that leave are fitted by polynomials of the heights at which they come in, so that the aberration of a wide bundle does not
    move the answer, which holds in its middle. What turns light aside by more than 45 degrees, as a prism or an off-axis mirror does, is
    unfolded: its focal length belongs to the axis that the light leaves along. NoFocus if the rays that come in are not parallel, or all
    leave as parallel as they came.
    """
    p_in, d_in, w = _bundle(p_in, d_in, None)
    p_out, d_out, _ = _bundle(p_out, d_out, None)
    if len(p_in) != len(p_out):
        raise NoFocus(f"{len(p_in)} rays come in and {len(p_out)} leave. Give both ends of the same rays.")
    axis = _axis(d_in, w)
    h_in, _, slope_in = _frame(p_in, d_in, axis)
    if np.abs(slope_in).max() > 1e-6:
        raise NoFocus("The rays that come in are not parallel. Use a beam.")
    if np.ptp(h_in) <= 0:
        raise NoFocus("All rays come in on one line. Use a beam of some width.")
    mean = w @ d_out
    aside = bool(abs(mean @ axis) < math.sqrt(0.5) * np.hypot(*mean))
    axis = _axis(d_out, w) if aside else axis
    if (d_out @ axis * (mean @ axis) <= 0).any():
        raise NoFocus(ACROSS)
    height, along, slope = _frame(p_out, d_out, axis)
    # unfolded: the rays that come in on the one side leave on that side
    side = -1.0 if aside and (h_in - h_in.mean()) @ height < 0 else 1.0
    height, slope = side * height, side * slope
    middle = (h_in.max() + h_in.min()) / 2
    h = h_in - middle
    scale = np.abs(h).max()
    terms = np.polynomial.chebyshev.chebvander(h / scale, max(1, min(9, (len(h) - 1) // 3)))
    fit_slope, fit_height = _at_middle(terms, np.stack([slope, height - slope * along], axis=1))
    if abs(fit_slope[1]) < 1e-9:
        raise NoFocus("The rays leave as parallel as they came: the focal length is infinite.")
    # close to the axis: height(x) = a0 + a1 h + (b0 + b1 h) x; rays meet where a1 + b1 x = 0, and leave from where it is 1
    a0, a1, b0, b1 = fit_height[0], fit_height[1] / scale, fit_slope[0], fit_slope[1] / scale
    x_focus, x_principal = -a1 / b1, (1 - a1) / b1
    focal, principal = (_point(x, side * (a0 + b0 * x), axis) for x in (x_focus, x_principal))
    # behind a mirror light runs against the axis, and converges where heights grow along it
    onward = math.copysign(1.0, float((d_out @ axis).sum()))
    return Cardinal(float(-onward / b1), focal, principal, _tuple(axis))


def _at_middle(terms: Floats, values: Floats) -> list[tuple[float, float]]:
    """The value and the slope, in the middle of the bundle, of the polynomials that fit each column of values best."""
    q, r = np.linalg.qr(terms)  # a small triangle is fitted as well as all rays, and much quicker
    fits = map(np.polynomial.chebyshev.Chebyshev, np.linalg.lstsq(r, q.T @ values, rcond=None)[0].T)
    return [(float(fit(0.0)), float(fit.deriv()(0.0))) for fit in fits]


def magnification(objects: tuple[Point, Point], images: tuple[Point, Point], axis: tuple[float, float]) -> float:
    """The transverse magnification: how far apart two image points are across the axis, over the distance of their object points.

    Negative where the image is upside down. NoFocus where the object points are not apart across the axis.
    """
    nx, ny = -axis[1], axis[0]
    before, after = ((b.x - a.x) * nx + (b.y - a.y) * ny for a, b in (objects, images))
    if abs(before) <= 1e-12 * math.dist(*objects) or math.dist(*objects) == 0:
        raise NoFocus("The two object points are not apart across the axis. Use points beside each other.")
    return after / before


def _bundle(p: Floats, d: Floats, weights: Floats | None) -> tuple[Floats, Floats, Floats]:
    p, d = np.asarray(p, float).reshape(-1, 2), np.asarray(d, float).reshape(-1, 2)
    w = np.ones(len(p)) if weights is None else np.asarray(weights, float)
    if len(p) < 2 or len(d) != len(p) or len(w) != len(p):
        raise NoFocus(f"A bundle needs at least 2 rays with a place, a direction and a weight each; there are {len(p)}.")
    norm = np.hypot(d[:, 0], d[:, 1])
    if not (np.isfinite(p).all() and np.isfinite(d).all() and (norm > 0).all() and (w >= 0).all() and w.sum() > 0):
        raise NoFocus("A ray has no direction, a place that is no number, or a weight below 0, or all weights are 0.")
    return p, d / norm[:, None], w / w.sum()


def _axis(d: Floats, w: Floats) -> Floats:
    mean: Floats = w @ d
    norm = float(np.hypot(*mean))
    if norm < 1e-6:
        raise NoFocus("The rays run in all directions and have no common axis. Choose those of one side.")
    axis: Floats = mean / norm
    if (d @ axis <= 1e-9).any():
        raise NoFocus(ACROSS)
    return axis


def _frame(p: Floats, d: Floats, axis: Floats) -> tuple[Floats, Floats, Floats]:
    """Of each ray the height of its place over the axis through the origin, that place's distance along it, and its slope."""
    slope: Floats = cross(axis[None], d) / (d @ axis)
    return cross(axis[None], p), p @ axis, slope


def _point(x: float, height: float, axis: Floats) -> Point:
    return Point(float(axis[0] * x - axis[1] * height), float(axis[1] * x + axis[0] * height))


def _tuple(axis: Floats) -> tuple[float, float]:
    return float(axis[0]), float(axis[1])
