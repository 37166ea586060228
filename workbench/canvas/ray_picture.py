"""Rays as coloured lines: a trace sorted into buckets of one colour each, clipped to the canvas and painted.

One pen change a bucket, and a rectangular clip on the painter: Qt draws one-pixel lines ten times faster with it.
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
"""Opacity goes from 1 down to 1/128; what is weaker would only be noise in eight bits."""
ALPHA_STEPS = 21
"""Steps of opacity over these octaves."""
DIMMED = 0.22
"""What is left of a ray's opacity while others are lit."""
BOLD_LIMIT = 400
"""Lit rays are painted wider up to this many; wide lines are slow."""
SAMPLE = 4000
"""Lines by which the cost of a picture is judged."""
CLIPPING = 2e-4
"""Milliseconds to clip a line."""
SMOOTH_COST = 3.0
"""How much longer smooth lines take."""
CHUNK = 2000
"""Lines painted between two looks at the clock."""
Lines = NDArray[np.float64]
"""(n, 4): x1, y1, x2, y2."""


LINE_COLORS = {LineRole.RAY: "ray", LineRole.EXTENSION: "extension", LineRole.FORWARD: "forward", LineRole.OBSERVED: "sight"}
POINT_COLORS = {PointRole.REAL: "ray", PointRole.VIRTUAL: "extension", PointRole.VIRTUAL_OBJECT: "forward"}
"""Names of theme colours for what has no wavelength."""
POINT_SIZE = 4
"""The diameter of an image point, in pixels."""


class Picture(Protocol):
    """A trace made ready to paint: lines painted over each other, or light that adds up."""

    price_factor: ClassVar[float]
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
    """Things of one colour each: ``rows`` are sorted by colour, bucket i is ``starts[i]:starts[i + 1]`` of them.

    ``colors`` (m, 4): red, green, blue and opacity from 0 to 1.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    colors: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RayPicture:
    """A trace made ready to paint. ``lines`` (n, 4) in scene units, sorted by colour; bucket i is ``starts[i]:starts[i + 1]``.

    ``source_ray`` (n,) is what a thinned picture is chosen by, so that it keeps whole paths. ``points`` (k, 2) are images, in buckets of
    their own.
    """

    lines: Lines
    source_ray: NDArray[np.int32]
    starts: NDArray[np.int64]
    colors: NDArray[np.float64]
    """(m, 4): red, green, blue and opacity from 0 to 1."""
    points: NDArray[np.float64]
    point_buckets: Buckets

    price_factor: ClassVar[float] = 1.0
    smooth_factor: ClassVar[float] = SMOOTH_COST
    """How much longer the picture takes when it is smooth."""

    def __len__(self) -> int:
        return len(self.lines)

    def every(self, k: int) -> RayPicture:
        """The picture of every ``k``-th source ray."""
        rows = np.flatnonzero(self.source_ray % k == 0)
        return replace(self, lines=self.lines[rows], source_ray=self.source_ray[rows], starts=np.searchsorted(rows, self.starts))

    def painted(
        self, painter: QPainter, lit: Lines, camera: Camera, size: tuple[int, int], theme: Theme, smooth: bool, width: float = 0.0
    ) -> Iterator[None]:
        """Paint the picture, dimmed if others are ``lit``, yielding after every chunk so that the caller can poll the clock.

        Lines are ``width`` logical pixels wide; 0 is one pixel of the device, which Qt paints fast.
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


def ray_picture(result: TraceResult, settings: Settings, theme: Theme, shown: NDArray[np.int64] | None = None) -> RayPicture:
    """What the scene's mode shows of a trace, in the colours of a theme; the opacity is the power, at most 1.

    With ``shown`` only what belongs to these rows.
    """
    marks = shown_marks(result, settings, shown)
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


def shown_marks(result: TraceResult, settings: Settings, shown: NDArray[np.int64] | None = None) -> Marks:
    """What the scene's mode draws of a trace or, with ``shown``, of some of its rows."""
    marks = marks_of(result, settings)
    return marks if shown is None else Marks(_of_rows(marks.points, shown), _of_rows(marks.lines, shown))


M = TypeVar("M", TraceLines, Points)


def _of_rows(marks: M, rows: NDArray[np.int64]) -> M:
    """Those marks that belong to some rows of the trace."""
    kept = np.isin(marks.row, rows)
    return replace(marks, **{f.name: getattr(marks, f.name)[kept] for f in fields(marks)})


def wavelength_colors(wavelength: NDArray[np.float64], settings: Settings) -> NDArray[np.float64]:
    """The colours (n, 3) of wavelengths in nm, as the scene maps them; green where light has none."""
    return wavelength_to_rgb(np.nan_to_num(wavelength, nan=540.0), red=settings.red_wavelength, violet=settings.violet_wavelength)


def _buckets(
    power: NDArray[np.float64],
    wavelength: NDArray[np.float64],
    role: NDArray[np.uint8],
    role_colors: Mapping[Any, str],
    settings: Settings,
    theme: Theme,
) -> Buckets:
    """Sort things into buckets by opacity and colour: that of their wavelength where the scene has colours, else that of their role."""
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
    """Spectral colours as they are on a dark ground, darkened where they would vanish on a light one."""
    if theme.dark:
        return rgb
    luminance = rgb @ np.array([0.2126, 0.7152, 0.0722])
    darker: NDArray[np.float64] = rgb * np.minimum(1.0, 0.32 / np.maximum(luminance, 1e-9))[:, None] ** (1 / 2.2)
    return darker


def lines_of(result: TraceResult, rows: NDArray[np.int64]) -> Lines:
    """Some rows of a trace as lines in scene units; curved ones as their pieces."""
    start, end, of = result.straight_pieces
    pieces = rows if len(of) == len(result) else np.flatnonzero(np.isin(of, rows))
    return np.concatenate([start[pieces], end[pieces]], axis=1)


def on_screen(lines: Lines, camera: Camera, size: tuple[float, float]) -> tuple[Lines, NDArray[np.int64]]:
    """The parts of some lines that a canvas shows, in pixels, and which lines they are (Liang and Barsky's clipping)."""
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
    """About how many milliseconds it takes to paint some lines, given in pixels."""
    length = float(np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]).sum())
    return (7e-6 * length + 4e-4 * len(lines)) * (SMOOTH_COST if smooth else 1)


def price(picture: Picture, camera: Camera, size: tuple[int, int]) -> float:
    """About how many milliseconds it takes to paint a picture without smoothing, judged by an even sample of its lines."""
    step = max(1, len(picture) // SAMPLE)
    sample = on_screen(picture.lines[::step], camera, size)[0]
    return step * cost(sample, smooth=False) * picture.price_factor + CLIPPING * len(picture)


def thinned(picture: Picture, camera: Camera, size: tuple[int, int], budget: float) -> Picture:
    """As many whole source rays of a picture as can be painted within a budget (ms); the picture itself if all can."""
    asked = price(picture, camera, size)
    return picture if asked <= budget else picture.every(int(np.ceil(asked / budget)))


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
    """Paint a picture with ``lit`` lines over it, yielding after every chunk so that the caller can poll the clock."""
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
