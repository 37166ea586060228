"""Rays as coloured lines: a trace sorted into buckets of one colour each, clipped to the canvas and painted.

There is one pen change per bucket, and the painter has a rectangular clip: Qt draws one-pixel lines ten times faster with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.optics.colour import wavelength_to_rgb
from core.scene.settings import Settings
from core.trace.results.images import LineRole, Marks, PointRole, Points, marks_of
from core.trace.results.images import Lines as TraceLines
from core.trace.results.result import TraceResult
from workbench.canvas.camera import Camera
from workbench.theme import Theme

OCTAVES = 7
"""Opacity ranges from 1 to 2**-OCTAVES = 1/128; weaker rays are below the resolution of eight bits and not painted."""
ALPHA_STEPS = 21
"""Number of opacity steps over these octaves."""
DIMMED = 0.22
"""Factor on the opacity of rays while others are highlighted."""
BOLD_LIMIT = 400
"""Largest number of highlighted rays that are painted with wider lines, which are slow."""
SAMPLE = 4000
"""Number of lines from which the cost of a picture is estimated."""
CLIPPING = 2e-4
"""Time to clip a line, in milliseconds."""
SMOOTH_COST = 3.0
"""Painting time of antialiased lines, relative to plain ones."""
CHUNK = 2000
"""Lines painted between two polls of the clock."""
Lines = NDArray[np.float64]
"""(n, 4): x1, y1, x2, y2."""


LINE_COLORS = {LineRole.RAY: "ray", LineRole.EXTENSION: "extension", LineRole.FORWARD: "forward", LineRole.OBSERVED: "sight"}
POINT_COLORS = {PointRole.REAL: "ray", PointRole.VIRTUAL: "extension", PointRole.VIRTUAL_OBJECT: "forward"}
"""Theme colours, by role, of marks without a wavelength."""
POINT_SIZE = 4
"""The diameter of an image point, in pixels."""


class Picture(Protocol):
    """A trace prepared for painting, with alpha blending or additive intensity.

    ``cost_factor`` is the painting time of a line relative to that of a `RayPicture`, ``smooth_factor`` that of an antialiased picture
    relative to a quick one.
    """

    cost_factor: ClassVar[float]
    smooth_factor: ClassVar[float]

    @property
    def lines(self) -> Lines: ...
    def __len__(self) -> int: ...
    def every(self, k: int) -> Picture: ...
    def painted(
        self, painter: QPainter, lit: Lines, camera: Camera, size: tuple[int, int], theme: Theme, smooth: bool, width: float = 0.0
    ) -> Iterator[None]: ...


@dataclass(frozen=True, eq=False)
class Buckets:
    """Rows grouped by colour: ``rows`` are sorted by colour, and bucket i is ``rows[starts[i]:starts[i + 1]]``.

    ``colors`` (m, 4): red, green, blue and opacity from 0 to 1.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    colors: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RayPicture:
    """A trace prepared for painting. ``lines`` (n, 4) in scene units, sorted by colour; bucket i is ``starts[i]:starts[i + 1]``.

    ``source_ray`` (n,) is the source ray of each line, by which `every` selects whole paths. ``points`` (k, 2) are image points, grouped in
    ``point_buckets``.
    """

    lines: Lines
    source_ray: NDArray[np.int32]
    starts: NDArray[np.int64]
    colors: NDArray[np.float64]
    """(m, 4): red, green, blue and opacity from 0 to 1."""
    points: NDArray[np.float64]
    point_buckets: Buckets

    cost_factor: ClassVar[float] = 1.0
    smooth_factor: ClassVar[float] = SMOOTH_COST

    def __len__(self) -> int:
        return len(self.lines)

    def every(self, k: int) -> RayPicture:
        """The picture of every ``k``-th source ray."""
        rows = np.flatnonzero(self.source_ray % k == 0)
        return replace(self, lines=self.lines[rows], source_ray=self.source_ray[rows], starts=np.searchsorted(rows, self.starts))

    def painted(
        self, painter: QPainter, lit: Lines, camera: Camera, size: tuple[int, int], theme: Theme, smooth: bool, width: float = 0.0
    ) -> Iterator[None]:
        """Paint the picture, dimmed if ``lit`` lines are highlighted, yielding after every chunk so that the caller can poll the clock.

        Lines are ``width`` logical pixels wide; 0 means one device pixel, which Qt paints fast.
        """
        dimmed = DIMMED if len(lit) else 1.0
        for i, color in enumerate(self.colors):
            red, green, blue, alpha = (float(c) for c in color)
            pen = QPen(QColor.fromRgbF(red, green, blue, alpha * dimmed), width)
            pen.setCosmetic(not width)
            for start in range(self.starts[i], self.starts[i + 1], CHUNK):
                _draw(painter, self.lines[start : min(start + CHUNK, self.starts[i + 1])], pen, camera, size, smooth)
                yield
        starts = self.point_buckets.starts
        for i, color in enumerate(self.point_buckets.colors):
            red, green, blue, alpha = (float(c) for c in color)
            pen = QPen(QColor.fromRgbF(red, green, blue, alpha * dimmed), POINT_SIZE)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            for start in range(starts[i], starts[i + 1], CHUNK):
                _dot(painter, self.points[start : min(start + CHUNK, starts[i + 1])], pen, camera, size)
                yield


def ray_picture(result: TraceResult, settings: Settings, theme: Theme, rows: NDArray[np.int64] | None = None) -> RayPicture:
    """The picture of a trace in the scene's mode and the colours of a theme; the opacity is the power, at most 1.

    With ``rows``, only the marks of these rows.
    """
    marks = shown_marks(result, settings, rows)
    lines, points = marks.lines, marks.points
    line_buckets = _buckets(lines.power, lines.wavelength, lines.role, LINE_COLORS, settings, theme)
    point_buckets = _buckets(points.power, points.wavelength, points.role, POINT_COLORS, settings, theme)
    return RayPicture(
        lines.ends[line_buckets.rows],
        result.source_ray[lines.row[line_buckets.rows]],
        line_buckets.starts,
        line_buckets.colors,
        points.at[point_buckets.rows],
        point_buckets,
    )


def shown_marks(result: TraceResult, settings: Settings, rows: NDArray[np.int64] | None = None) -> Marks:
    """The marks that the scene's mode draws for a trace or, with ``rows``, for these rows of it."""
    marks = marks_of(result, settings)
    return marks if rows is None else Marks(_of_rows(marks.points, rows), _of_rows(marks.lines, rows))


M = TypeVar("M", TraceLines, Points)


def _of_rows(marks: M, rows: NDArray[np.int64]) -> M:
    """The marks that belong to the given rows of the trace."""
    kept = np.isin(marks.row, rows)
    return replace(marks, **{f.name: getattr(marks, f.name)[kept] for f in fields(marks)})


def wavelength_colors(wavelength: NDArray[np.float64], settings: Settings) -> NDArray[np.float64]:
    """The colours (n, 3) of wavelengths in nm, mapped as the scene's settings say; green for NaN."""
    return wavelength_to_rgb(np.nan_to_num(wavelength, nan=540.0), red=settings.red_wavelength, violet=settings.violet_wavelength)


def _buckets(
    power: NDArray[np.float64],
    wavelength: NDArray[np.float64],
    role: NDArray[np.uint8],
    role_colors: Mapping[Any, str],
    settings: Settings,
    theme: Theme,
) -> Buckets:
    """Group marks by opacity and colour: that of their wavelength if the scene simulates colours, else that of their role."""
    with np.errstate(divide="ignore"):
        level = np.round(-np.log2(np.minimum(power, 1.0)) * (ALPHA_STEPS / OCTAVES)).astype(np.float64)
    seen = level <= ALPHA_STEPS
    key = np.where(seen, level, 0).astype(np.int64)
    if settings.simulate_colors:
        rgb = wavelength_colors(wavelength, settings)
        fine = np.round(readable(rgb, theme) * 31).astype(np.int64)
        key |= (fine[:, 0] << 20) | (fine[:, 1] << 14) | (fine[:, 2] << 8)
    else:
        key |= role.astype(np.int64) << 8
    rows = np.flatnonzero(seen)
    rows = rows[np.argsort(key[rows], kind="stable")]
    keys, starts = np.unique(key[rows], return_index=True)
    colors = np.empty((len(keys), 4))
    if settings.simulate_colors:
        colors[:, :3] = np.stack([(keys >> 20) & 63, (keys >> 14) & 63, (keys >> 8) & 63], axis=1) / 31
    else:
        shades = [theme.color(name) for name in role_colors.values()]
        colors[:, :3] = np.array([(c.redF(), c.greenF(), c.blueF()) for c in shades])[keys >> 8]
    colors[:, 3] = 2.0 ** (-(keys & 255) / (ALPHA_STEPS / OCTAVES))
    return Buckets(rows, np.append(starts, len(rows)), colors)


def readable(rgb: NDArray[np.float64], theme: Theme) -> NDArray[np.float64]:
    """Colours (n, 3): unchanged for a dark theme, darkened for a light one so that they have enough contrast."""
    if theme.dark:
        return rgb
    luminance = rgb @ np.array([0.2126, 0.7152, 0.0722])
    darker: NDArray[np.float64] = rgb * np.minimum(1.0, 0.32 / np.maximum(luminance, 1e-9))[:, None] ** (1 / 2.2)
    return darker


def lines_of(result: TraceResult, rows: NDArray[np.int64]) -> Lines:
    """Rows of a trace as lines (n, 4) in scene units; curved rays as their straight pieces."""
    start, end, of = result.straight_pieces
    pieces = rows if len(of) == len(result) else np.flatnonzero(np.isin(of, rows))
    return np.concatenate([start[pieces], end[pieces]], axis=1)


def on_screen(lines: Lines, camera: Camera, size: tuple[float, float]) -> tuple[Lines, NDArray[np.int64]]:
    """Lines clipped to the canvas by the Liang-Barsky algorithm, in pixels, and the indices of the visible lines."""
    p = (lines - np.array([camera.x, camera.y, camera.x, camera.y])) * camera.scale
    d = p[:, 2:] - p[:, :2]
    low, high = np.full(2, -4.0), np.asarray(size) + 4.0
    with np.errstate(divide="ignore", invalid="ignore"):
        at_low, at_high = (low - p[:, :2]) / d, (high - p[:, :2]) / d
    parallel = d == 0
    within = (p[:, :2] >= low) & (p[:, :2] <= high)
    enter = np.where(parallel, np.where(within, -np.inf, np.inf), np.minimum(at_low, at_high))
    leave = np.where(parallel, np.where(within, np.inf, -np.inf), np.maximum(at_low, at_high))
    u = np.maximum(0.0, np.maximum(enter[:, 0], enter[:, 1]))
    v = np.minimum(1.0, np.minimum(leave[:, 0], leave[:, 1]))
    kept = np.flatnonzero(u <= v)
    start, delta = p[kept, :2], d[kept]
    return np.concatenate([start + delta * u[kept, None], start + delta * v[kept, None]], axis=1), kept


def cost(lines: Lines, smooth: bool) -> float:
    """Estimated time to paint lines given in pixels, in milliseconds."""
    length = float(np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]).sum())
    return (7e-6 * length + 4e-4 * len(lines)) * (SMOOTH_COST if smooth else 1)


def estimated_cost(picture: Picture, camera: Camera, size: tuple[int, int]) -> float:
    """Estimated time to paint a picture without antialiasing, in milliseconds, from an even sample of its lines."""
    step = max(1, len(picture) // SAMPLE)
    sample = on_screen(picture.lines[::step], camera, size)[0]
    return step * cost(sample, smooth=False) * picture.cost_factor + CLIPPING * len(picture)


def thinned(picture: Picture, camera: Camera, size: tuple[int, int], budget: float) -> Picture:
    """The picture reduced to as many whole source rays as can be painted within a budget (ms); unchanged if all can."""
    needed = estimated_cost(picture, camera, size)
    return picture if needed <= budget else picture.every(int(np.ceil(needed / budget)))


def paint_rays(
    painter: QPainter,
    picture: Picture,
    lit: Lines,
    camera: Camera,
    size: tuple[int, int],
    theme: Theme,
    *,
    smooth: bool,
    width: float = 0.0,
) -> Iterator[None]:
    """Paint a picture and, over it, the highlighted lines ``lit``, yielding after every chunk so that the caller can poll the clock."""
    yield from picture.painted(painter, lit, camera, size, theme, smooth, width)
    bold = smooth and len(lit) <= BOLD_LIMIT
    pen = QPen(theme.color("accent", 0.85 if bold else 0.7), 1.25 if bold else 1.0)
    pen.setCosmetic(not bold and not width)
    for start in range(0, len(lit), CHUNK):
        _draw(painter, lit[start : start + CHUNK], pen, camera, size, smooth)
        yield


def _draw(painter: QPainter, lines: Lines, pen: QPen, camera: Camera, size: tuple[int, int], smooth: bool) -> None:
    lines = np.ascontiguousarray(on_screen(lines, camera, size)[0])
    painter.setClipRect(QRect(0, 0, *size))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    painter.setPen(pen)
    first: QLineF = shiboken6.wrapInstance(lines.ctypes.data, QLineF)  # type: ignore[assignment]
    painter.drawLines(first, len(lines))


def _dot(painter: QPainter, points: NDArray[np.float64], pen: QPen, camera: Camera, size: tuple[int, int]) -> None:
    p = (points - np.array([camera.x, camera.y])) * camera.scale
    p = np.ascontiguousarray(p[((p >= -POINT_SIZE) & (p <= np.asarray(size) + POINT_SIZE)).all(axis=1)])
    painter.setClipRect(QRect(0, 0, *size))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(pen)
    first: QPointF = shiboken6.wrapInstance(p.ctypes.data, QPointF)  # type: ignore[assignment]
    painter.drawPoints(first, len(p))
