"""The points and lines that the view modes draw: extensions of rays, image points, and the images
that the observer sees.

Image points belong to pairs of neighbouring rays, which are consecutive rows of a result: a pair
forms an image point if the rays (or their extensions) intersect close to the intersection of the
preceding pair.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Booleans, Bytes, Floats, Integers
from raybench.scene.settings import Observer, Settings
from raybench.trace.codes import Flag, Interaction
from raybench.trace.results.result import ESCAPE_LENGTH, TraceResult
from raybench.trace.tolerances import PARALLEL_AFAR

MAX_PAIR_DISTANCE = 5.0
"""The largest distance between the intersections of consecutive pairs that form an image, in scene
units times the length scale.
"""
AT_START = 1e-6
"""An image less than this ahead of its ray's start is virtual (a margin for rounding), in scene
units times the length scale.
"""
AT_OBSERVER = 1e-5
"""The squared distance from the observer's rim within which a ray that starts there forms no image,
in scene units squared times the square of the length scale.
"""

MOST_POINTS = 4_000_000
"""Points of curved rays of which each is drawn; of more, each second, third ... one, since a line
takes ten times the memory of a point.
"""


class LineRole(IntEnum):
    """What a line drawn for a ray is: the ray itself, or an extension or a line of sight."""

    RAY = 0
    EXTENSION = 1
    """The virtual extension of a ray: backwards from its start."""
    FORWARD = 2
    """The extension of a ray forwards from its end."""
    OBSERVED = 3
    """A line of sight of the observer."""


class PointRole(IntEnum):
    """Whether rays intersect in an image point, or only their extensions do."""

    REAL = 0
    VIRTUAL = 1
    VIRTUAL_OBJECT = 2
    """The point at which rays would intersect if they were not deflected before."""


Values = TypeVar("Values", "ImagePoints", "_RayPairs")


def _select_rows(values: Values, which: slice | Booleans | Integers) -> Values:
    return type(values)(*(getattr(values, f.name)[which] for f in fields(values)))


@dataclass(frozen=True, eq=False)
class ImagePoints:
    """Image points: their positions ``at`` (n, 2) in scene units, ``role`` (`PointRole`), power,
    and the wavelength to draw (nm, NaN without colours).

    ``row`` is the row of the result to which a point belongs.
    """

    at: Floats
    role: Bytes
    power: Floats
    wavelength: Floats
    row: Integers

    def __len__(self) -> int:
        return len(self.row)

    def select(self, which: Booleans) -> ImagePoints:
        """The image points that the mask ``which`` selects."""
        return _select_rows(self, which)


@dataclass(frozen=True, eq=False)
class ImageLines:
    """Lines to draw: ``ends`` (m, 4: x1, y1, x2, y2) in scene units; the other fields are as in
    `ImagePoints`, with a `LineRole`.

    An ``endless`` line is a half-line from x1, y1 through x2, y2, which is `ESCAPE_LENGTH` times
    the length scale away.
    """

    ends: Floats
    role: Bytes
    endless: Booleans
    power: Floats
    wavelength: Floats
    row: Integers

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True, eq=False)
class ImageMarks:
    """The points and lines that a view mode draws, in the order of the rows."""

    points: ImagePoints
    lines: ImageLines


_NONE, _ROLES = np.empty(0), np.empty(0, np.uint8)
_NO_POINTS = ImagePoints(np.empty((0, 2)), _ROLES, _NONE, _NONE, _NONE.astype(np.int64))
_NO_LINES = ImageLines(
    np.empty((0, 4)), _ROLES, _NONE.astype(bool), _NONE, _NONE, _NONE.astype(np.int64)
)


def image_marks_in_view_mode(result: TraceResult, settings: Settings) -> ImageMarks:
    """The points and lines to draw for a result in the view mode of its scene.

    In the mode ``rays`` these are the rays; in ``extended`` the rays, and the extensions of all
    rays except source rays; in ``images`` only the image points; in ``observer`` the image points
    and lines of sight that the scene's observer sees, or nothing without an observer.
    """
    match settings.mode:
        case "images":
            return _find_images(result, settings.length_scale)
        case "observer":
            return _observed_images(result, settings.length_scale, settings.observer)
        case mode:
            return _image_rays(result, settings.length_scale, extended=mode == "extended")


def image_points(result: TraceResult, settings: Settings) -> ImagePoints:
    """The image points that are visible in the view mode of a scene. In the mode ``rays`` these are
    real images, where rays cross.
    """
    if settings.mode == "observer":
        return _observed_images(result, settings.length_scale, settings.observer).points
    points = _find_images(result, settings.length_scale).points
    return points.select(points.role == PointRole.REAL) if settings.mode == "rays" else points


def _image_rays(result: TraceResult, scale: float, *, extended: bool) -> ImageMarks:
    few = len(result.polyline) <= MOST_POINTS
    start, end, rays = result.straight_pieces if few else result.pieces(most=MOST_POINTS)
    if not extended:
        return ImageMarks(
            _NO_POINTS,
            _image_lines(
                result,
                np.hstack([start, end]),
                np.zeros(len(rays), np.uint8),
                result.escaped[rays],
                rays,
            ),
        )
    later = np.flatnonzero(result.interaction != Interaction.SOURCE)
    onward = later[~result.escaped[later]]
    along = _ray_directions(result, later)
    row = np.concatenate([rays, later, onward])
    role = np.repeat(
        [LineRole.RAY, LineRole.EXTENSION, LineRole.FORWARD], [len(rays), len(later), len(onward)]
    )
    lines = np.vstack(
        [
            np.hstack([start, end]),
            _half_line_ends(result.p1[later], -along, scale),
            _half_line_ends(result.p2[onward], along[~result.escaped[later]], scale),
        ]
    )
    endless = np.concatenate([result.escaped[rays], np.ones(len(later) + len(onward), bool)])
    drawn = np.argsort(row, kind="stable")
    return ImageMarks(
        _NO_POINTS, _image_lines(result, lines[drawn], role[drawn], endless[drawn], row[drawn])
    )


def _find_images(result: TraceResult, scale: float) -> ImageMarks:
    pairs = _RayPairs.from_neighbours(result)
    last, begins = pairs.at[:-1], np.diff(pairs.sweep) > 0
    pairs = pairs.select(slice(1, None))
    pairs = pairs.select((_point_distance(pairs.at, last) < MAX_PAIR_DISTANCE * scale) & ~begins)
    return ImageMarks(_image_points_of_pairs(result, pairs, scale), _NO_LINES)


def _observed_images(result: TraceResult, scale: float, observer: Observer | None) -> ImageMarks:
    """For each ray that enters the observer's disc and has two preceding neighbours, the image
    point from which it seems to come or, if there is none, a line of sight.
    """
    if observer is None:
        return ImageMarks(_NO_POINTS, _NO_LINES)
    pairs = _RayPairs.from_neighbours(result)
    rim = _distances_to_circle(result.p1[pairs.row] - np.array(observer.c), pairs.along, observer.r)
    seen = (rim >= 0) & (rim <= pairs.length)
    # the preceding pair must belong to the preceding row
    seen[:1] = False
    seen[1:] &= np.diff(pairs.row) == 1
    which = np.flatnonzero(seen)
    last, rim, pairs = pairs.at[which - 1], rim[which], pairs.select(which)
    eye = result.p1[pairs.row] + rim[:, None] * pairs.along
    near = (
        (_point_distance(pairs.at, last) < MAX_PAIR_DISTANCE * scale)
        & (pairs.ahead <= rim)
        & (rim**2 > AT_OBSERVER * scale**2)
    )
    lines = np.where(
        near[:, None], np.hstack([eye, pairs.at]), _half_line_ends(eye, -pairs.along, scale)
    )
    role = np.full(len(lines), LineRole.OBSERVED)
    return ImageMarks(
        _image_points_of_pairs(result, pairs.select(near), scale),
        _image_lines(result, lines, role, ~near, pairs.row),
    )


@dataclass(frozen=True, eq=False)
class _RayPairs:
    """Pairs of a row and the preceding row: the intersection ``at`` of their lines (NaN if they are
    parallel), its distance ``ahead`` of the row's start, and the row's direction ``along`` and
    length. ``sweep`` is the number of the pass over the queue in which the row was traced.
    """

    row: Integers
    at: Floats
    ahead: Floats
    along: Floats
    length: Floats
    sweep: Integers

    @classmethod
    def from_neighbours(cls, result: TraceResult) -> _RayPairs:
        """All pairs of consecutive rows of a result that have no gap between them and belong to the
        same pass over the queue.
        """
        row = np.flatnonzero(result.flags & (Flag.GAP | Flag.FIRST) == 0)
        row = row[row > 0]
        along = _ray_directions(result, slice(None))
        u, v, apart = along[row], along[row - 1], result.p1[row - 1] - result.p1[row]
        with np.errstate(divide="ignore", invalid="ignore"):
            sine = _cross_product(u, v)
            ahead = _cross_product(apart, v) / np.where(np.abs(sine) > PARALLEL_AFAR, sine, np.nan)
            at = result.p1[row] + ahead[:, None] * u
        sweep = np.cumsum(result.flags & Flag.FIRST != 0)
        return cls(row, at, ahead, u, result.length[row], sweep[row])

    def select(self, which: slice | Booleans | Integers) -> _RayPairs:
        return _select_rows(self, which)


def _image_points_of_pairs(result: TraceResult, pairs: _RayPairs, scale: float) -> ImagePoints:
    """The image points at the intersections of pairs. With colours they get half the power of their
    ray, as in the reference program of the file format.
    """
    role = np.where(
        pairs.ahead < AT_START * scale,
        PointRole.VIRTUAL,
        np.where(pairs.ahead < pairs.length, PointRole.REAL, PointRole.VIRTUAL_OBJECT),
    )
    wavelength = result.wavelength[pairs.row]
    power = np.where(np.isnan(wavelength), 1.0, 0.5) * result.drawn_power[pairs.row]
    return ImagePoints(pairs.at, role.astype(np.uint8), power, wavelength, pairs.row)


def _image_lines(
    result: TraceResult,
    ends: Floats,
    role: NDArray[np.integer[Any]],
    endless: Booleans,
    row: Integers,
) -> ImageLines:
    return ImageLines(
        ends,
        role.astype(np.uint8, copy=False),
        endless,
        result.drawn_power[row],
        result.wavelength[row],
        row,
    )


def _ray_directions(result: TraceResult, rows: slice | Integers) -> Floats:
    d = result.p2[rows] - result.p1[rows]
    with np.errstate(invalid="ignore"):
        unit: Floats = d / np.hypot(d[:, 0], d[:, 1])[:, None]
    return unit


def _half_line_ends(start: Floats, along: Floats, scale: float) -> Floats:
    return np.hstack([start, start + ESCAPE_LENGTH * scale * along])


def _cross_product(a: Floats, b: Floats) -> Floats:
    z: Floats = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return z


def _point_distance(a: Floats, b: Floats) -> Floats:
    """The distances between the points ``a`` and ``b``; NaN for an intersection of parallel lines."""
    with np.errstate(invalid="ignore"):
        return np.hypot(a[:, 0] - b[:, 0], a[:, 1] - b[:, 1])


def _distances_to_circle(start: Floats, along: Floats, radius: float) -> Floats:
    """The distances at which lines first cross the circle around the origin; NaN for a line that
    misses it.
    """
    middle = (start * along).sum(axis=1)
    with np.errstate(invalid="ignore"):
        nearest: Floats = -middle - np.sqrt(radius**2 - _cross_product(start, along) ** 2)
    return nearest
