"""Rays as coloured lines: a trace sorted into buckets of one colour each, clipped to the canvas and
painted.

At rest the lines are laid over each other in floating point (`raybench.raster.lines`), into an
image that a worker thread can make. While something moves, and on paper, Qt paints them, with one
pen change per bucket and a rectangular clip, with which it draws one-pixel lines ten times faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPen

from raybench.raster.coloring import ColoredRays, Legend, line_opacity
from raybench.raster.lines import cover_lines, draw_lines, to_bytes
from raybench.scene.settings import Settings
from raybench.trace.compilation.loading import machine_code_loaded
from raybench.trace.results.images import MOST_POINTS, LineRole, Marks, Points, marks_of
from raybench.trace.results.images import Lines as TraceLines
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.rays.arrow_heads import arrow_heads, paint_arrow_heads
from raybench_workbench.canvas.rays.clipping import Lines, on_screen
from raybench_workbench.canvas.rays.dashes import MOST_DASHED, covered, dashed, dashes_of, phases
from raybench_workbench.canvas.rays.image_points import painted_points
from raybench_workbench.canvas.rays.images import (
    CLIPPED,
    draw_image,
    empty_image,
    image_bytes,
    pixel_lines,
)
from raybench_workbench.canvas.rays.light_colors import (
    LINE_COLORS,
    POINT_COLORS,
    Buckets,
    buckets_of,
    readable,
    role_rgb,
    wavelength_colors,
)
from raybench_workbench.canvas.rays.picture import (
    SMOOTH_COST,
    Colors,
    Picture,
    every_source_ray,
    numbers_in_source,
    sparse_of,
)
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.theme import Theme

DIMMED = 0.3
"""Factor on the opacity of rays while others are highlighted."""
JOINING = (QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)
"""Engines that make one path of the lines of a call, which covers where they cross no more than one
line does.
"""
CHUNK = 2000
"""Lines that Qt paints between two polls of the clock."""
POINT_SIZE = 6
"""The diameter of an image point, in pixels."""
POINT_DISTANCE = 9.0
"""The least distance of marks of one colour, in pixels: closer image points are painted over each
other.
"""


@dataclass(frozen=True, eq=False)
class RayPicture:
    """A trace prepared for painting. ``lines`` (n, 4) in scene units, sorted by colour; bucket i is
    ``starts[i]:starts[i + 1]``.

    ``source_ray`` (n,) is the number of the source ray of each line, by which `every` selects whole
    paths. ``points`` (k, 2) are image points, grouped in ``point_buckets``.
    """

    lines: Lines
    source_ray: NDArray[np.int32]
    starts: NDArray[np.int64]
    colors: Colors
    """(m, 4): red, green, blue and opacity from 0 to 1."""
    points: NDArray[np.float64]
    point_buckets: Buckets
    legend: Legend | None = None
    widths: NDArray[np.float64] | None = None
    """(m,): the width of the lines of each bucket, relative to that of a ray; None for 1."""
    dashes: NDArray[np.float64] | None = None
    """(m, 2): length in pixels of the dashes and gaps of the lines of each bucket, where Qt paints
    them; None if all are whole.
    """

    cost_factor: ClassVar[float] = 1.0
    smooth_factor: ClassVar[float] = SMOOTH_COST

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def steps(self) -> int:
        return int(np.ceil(np.diff(self.starts) / CHUNK).sum())

    @cached_property
    def sparse(self) -> RayPicture:
        return sparse_of(self)

    def every(self, k: int) -> RayPicture:
        """The picture of every ``k``-th source ray."""
        rows = every_source_ray(self.source_ray, k)
        return replace(
            self,
            lines=self.lines[rows],
            source_ray=self.source_ray[rows] // k,
            starts=np.searchsorted(rows, self.starts),
        )

    def line_colors(self, rows: NDArray[np.int64] | None = None) -> Colors:
        """The colour (n, 4) of each line, or of those in ``rows``."""
        if rows is None:
            return np.repeat(self.colors, np.diff(self.starts), axis=0)
        return self.colors[self._bucket(rows)]

    def _bucket(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The bucket of each line in ``rows``."""
        return np.searchsorted(self.starts, rows, side="right") - 1

    @cached_property
    def run_together(self) -> bool:
        """Whether so many lines are dashed that they are painted whole, with the mean of their
        light.
        """
        return (
            self.dashes is not None
            and int(np.diff(self.starts)[self.dashes[:, 1] > 0].sum()) > MOST_DASHED
        )

    def layer(self, viewport: Viewport) -> Iterator[QImage | None]:
        """Make an antialiased image of the picture without a background, in any thread: yields None
        at intervals, and the image last.
        """
        camera, ratio = viewport.camera, viewport.ratio
        image = empty_image(viewport.size, ratio)
        if machine_code_loaded():
            width, height = image.width(), image.height()
            shown = np.zeros((height * width, 4), np.float32)
            for lines, rows in pixel_lines(self.lines, camera, viewport.size, ratio):
                colors = self.line_colors(rows).astype(np.float32)
                dashes = None if self.dashes is None else self.dashes[self._bucket(rows)]
                if dashes is not None and self.run_together:
                    colors[:, 3:] *= covered(dashes)
                elif dashes is not None:
                    dashes = dashes * ratio
                    lines, of = dashed(
                        lines,
                        dashes,
                        phases(lines, camera.pixels(self.lines[rows, :2]) * ratio, dashes),
                    )
                    colors = colors[of]
                draw_lines(cover_lines, shown, (width, height), lines, colors)
                yield None
            to_bytes(image_bytes(image), shown)
        painter = QPainter(image)
        try:
            if not machine_code_loaded():
                yield from self._drawn(painter, viewport, 1.0, 0.0, smooth=True)
            yield from self._dotted(painter, viewport, 1.0)
        finally:
            painter.end()
        yield image

    def painted(
        self,
        painter: QPainter,
        viewport: Viewport,
        *,
        smooth: bool,
        opacity: float = 1.0,
        width: float = 0.0,
    ) -> Iterator[None]:
        """Paint the picture with an ``opacity``, yielding after every chunk so that the caller can
        poll the clock.

        Lines are ``width`` logical pixels wide. With 0 they are one device pixel wide, and
        antialiased in floating point if ``smooth``.
        """
        if smooth and not width:
            for image in self.layer(viewport):
                if image is not None:
                    draw_image(painter, image, viewport.ratio, opacity)
                yield
        else:
            yield from self._drawn(painter, viewport, opacity, width, smooth=smooth)
            yield from self._dotted(painter, viewport, opacity)

    def _drawn(
        self, painter: QPainter, viewport: Viewport, opacity: float, width: float, *, smooth: bool
    ) -> Iterator[None]:
        """Draw the lines with Qt, clipped in portions: colours may be many, with a few lines each.
        Dashes are drawn if ``smooth``.
        """
        camera, size = viewport.camera, viewport.size
        painter.setClipRect(QRect(0, 0, *size))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        widths = np.ones(len(self.colors)) if self.widths is None else self.widths
        dashes = np.tile([1.0, 0.0], (len(self.colors), 1)) if self.dashes is None else self.dashes
        opacities = np.full(len(self.colors), opacity)
        if not smooth or self.run_together:
            opacities, dashes = opacities * covered(dashes)[:, 0], np.zeros_like(dashes)
        joining = painter.paintEngine().type() in JOINING
        for first in range(0, len(self.lines), CLIPPED):
            lines, kept = on_screen(self.lines[first : first + CLIPPED], camera, size)
            starts = np.searchsorted(kept, self.starts - first)
            for i in np.flatnonzero(np.diff(starts)).tolist():
                pen = _pen(self.colors[i], float(opacities[i]), width * float(widths[i]))
                pen.setCosmetic(not width)
                broken = dashes[i, 1] > 0
                together = 1 if broken or (joining and pen.color().alpha() < 255) else CHUNK
                unit = pen.widthF() or 1.0
                if broken:
                    pen.setDashPattern((dashes[i] / unit).tolist())
                    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                painter.setPen(pen)
                for start in range(starts[i], starts[i + 1], CHUNK):
                    end = min(start + CHUNK, starts[i + 1])
                    for at in range(start, end, together):
                        some = lines[at : min(at + together, end)]
                        if broken:
                            begin = camera.pixels(self.lines[first + kept[at : at + 1], :2])
                            pen.setDashOffset(
                                float(phases(some, begin, dashes[i : i + 1])[0]) / unit
                            )
                            painter.setPen(pen)
                        _draw(painter, some)
                    yield

    def _dotted(self, painter: QPainter, viewport: Viewport, opacity: float) -> Iterator[None]:
        """Draw the image points."""
        starts, colors = self.point_buckets.starts, self.point_buckets.colors
        if not len(colors):
            return
        shade = np.repeat(
            np.unique(colors[:, :3], axis=0, return_inverse=True)[1].ravel(), np.diff(starts)
        )
        seen, at = painted_points(
            self.points, shade, viewport.camera, viewport.size, POINT_DISTANCE
        )
        for color, some in zip(
            colors, np.split(at, np.searchsorted(seen, starts[1:-1])), strict=True
        ):
            pen = _pen(color, opacity, POINT_SIZE)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            _dot(painter, some, pen, viewport)
            yield


def _pen(color: NDArray[np.float64], opacity: float, width: float) -> QPen:
    red, green, blue, alpha = color.tolist()
    return QPen(QColor.fromRgbF(red, green, blue, alpha * opacity), width)


def ray_picture(
    result: TraceResult,
    settings: Settings,
    theme: Theme,
    rows: NDArray[np.int64] | None = None,
    colored: ColoredRays | None = None,
) -> RayPicture:
    """The picture of a trace in the scene's mode and the colours of a theme; the opacity is the
    power, at most 1.

    With ``rows``, only the marks of these rows. With ``colored``, the rays have these colours, and
    are opaque enough to be visible.
    """
    marks = shown_marks(result, settings, rows)
    strongest = float(result.total_power.max(initial=0.0))

    def bucketed(
        some: TraceLines | Points, colors: Mapping[Any, str], layer: NDArray[np.int64] | int = 0
    ) -> Buckets:
        if colored is not None:
            return buckets_of(
                readable(colored.rgb[some.row], theme),
                line_opacity(some.power, strongest),
                layer=layer,
            )
        if settings.simulate_colors:
            return buckets_of(
                readable(wavelength_colors(some.wavelength, settings), theme),
                some.power,
                layer=layer,
            )
        return buckets_of(role_rgb(colors, theme)[some.role], some.power, layer=layer)

    # where colours do not show roles, dashes do; rays lie over the others
    dashes = (
        dashes_of(marks.lines.role) if colored is not None or settings.simulate_colors else None
    )
    layer = len(LineRole) - 1 - marks.lines.role.astype(np.int64) if dashes is not None else 0
    line_buckets = bucketed(marks.lines, LINE_COLORS, layer)
    point_buckets = bucketed(
        replace(marks.points, power=np.sqrt(marks.points.power)), POINT_COLORS
    )  # a faint dot is easily overlooked
    return RayPicture(
        marks.lines.ends[line_buckets.rows],
        numbers_in_source(result, marks.lines.row[line_buckets.rows]),
        line_buckets.starts,
        line_buckets.colors,
        marks.points.at[point_buckets.rows],
        point_buckets,
        colored.legend if colored is not None else None,
        dashes=dashes[line_buckets.rows[line_buckets.starts[:-1]]] if dashes is not None else None,
    )


def lit_picture(
    result: TraceResult, rows: NDArray[np.int64], theme: Theme, colored: ColoredRays | None = None
) -> RayPicture:
    """The picture of highlighted rows of a trace: in the accent colour, or as ``colored``; the
    opacity shows their relative power.
    """
    start, end, row = result.pieces(rows, MOST_POINTS)
    power = result.total_power[row]
    accent = theme.color("accent")
    rgb = (
        readable(colored.rgb[row], theme)
        if colored is not None
        else np.full((len(row), 3), (accent.redF(), accent.greenF(), accent.blueF()))
    )
    buckets = buckets_of(rgb, line_opacity(power, float(power.max(initial=0.0))))
    lines = np.concatenate([start, end], axis=1)[buckets.rows]
    source_ray = result.source_ray[row[buckets.rows]]
    return RayPicture(
        lines,
        source_ray,
        buckets.starts,
        buckets.colors,
        np.zeros((0, 2)),
        buckets_of(np.zeros((0, 3)), np.zeros(0)),
    )


def shown_marks(
    result: TraceResult, settings: Settings, rows: NDArray[np.int64] | None = None
) -> Marks:
    """The marks that the scene's mode draws for a trace or, with ``rows``, for these rows of it."""
    marks = marks_of(result, settings)
    return (
        marks if rows is None else Marks(_of_rows(marks.points, rows), _of_rows(marks.lines, rows))
    )


M = TypeVar("M", TraceLines, Points)


def _of_rows(marks: M, rows: NDArray[np.int64]) -> M:
    """The marks that belong to the given rows of the trace."""
    kept = np.isin(marks.row, rows)
    return replace(marks, **{f.name: getattr(marks, f.name)[kept] for f in fields(marks)})


def paint_rays(
    painter: QPainter,
    picture: Picture,
    lit: RayPicture | None,
    viewport: Viewport,
    *,
    smooth: bool,
    arrows: bool = False,
    width: float = 0.0,
) -> Iterator[None]:
    """Paint a picture, dimmed under ``lit`` rays that are highlighted, yielding after every chunk
    so that the caller can poll the clock.
    """
    yield from picture.painted(
        painter, viewport, smooth=smooth, opacity=DIMMED if lit is not None else 1.0, width=width
    )
    if lit is not None:
        yield from lit.painted(painter, viewport, smooth=smooth, width=width)
    if arrows:
        paint_arrow_heads(painter, arrow_heads(lit if lit is not None else picture, viewport))
        yield


def _draw(painter: QPainter, lines: Lines) -> None:
    """Draw lines, given in pixels."""
    first: QLineF = shiboken6.wrapInstance(lines.ctypes.data, QLineF)  # type: ignore[assignment]
    painter.drawLines(first, len(lines))


def _dot(painter: QPainter, points: NDArray[np.float64], pen: QPen, viewport: Viewport) -> None:
    p = viewport.camera.pixels(points)
    painter.setClipRect(QRect(0, 0, *viewport.size))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(pen)
    first: QPointF = shiboken6.wrapInstance(p.ctypes.data, QPointF)  # type: ignore[assignment]
    painter.drawPoints(first, len(p))
