"""A picture of rays: what each kind of it can do, what painting it costs, and how it is thinned to
fit into a frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter

from raybench.raster.coloring import Legend
from raybench.raster.lines import add_lines, draw_lines
from raybench.trace.compilation.loading import machine_code_loaded
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.rays.clipping import Lines, on_screen
from raybench_workbench.canvas.viewport import Viewport

SAMPLE = 1000
"""Number of lines from which the cost of a picture, and where it has light, are estimated."""
CLIPPING = 2e-4
"""Time to clip a line, in milliseconds."""
SMOOTH_COST = 4.0
"""Painting time of antialiased lines, relative to plain ones."""
SPARSE = 100_000
"""Lines of a picture from which fewer are chosen while something moves."""
COUNTED = 100
"""Rays that a source has at least for them to be counted from its first."""
Colors = NDArray[np.float64]
"""(n, 4): red, green, blue and opacity from 0 to 1."""
P = TypeVar("P", bound="Picture")


class Picture(Protocol):
    """A trace prepared for painting, with alpha blending or additive intensity.

    ``steps`` estimates how often `painted` yields. ``cost_factor`` is the painting time of a line
    relative to that of a `RayPicture`, ``smooth_factor`` that of an antialiased picture relative to
    a quick one. ``sparse`` is the picture of so few source rays that it can be thinned further
    within a frame: what makes a picture in the background has it computed there.
    """

    cost_factor: ClassVar[float]
    smooth_factor: ClassVar[float]

    @property
    def lines(self) -> Lines: ...
    @property
    def legend(self) -> Legend | None: ...
    @property
    def steps(self) -> int: ...
    def __len__(self) -> int: ...
    @property
    def sparse(self) -> Self: ...
    def every(self, k: int) -> Self: ...
    def line_colors(self, rows: NDArray[np.int64] | None = None) -> Colors: ...
    def layer(self, viewport: Viewport) -> Iterator[QImage | None]: ...
    def painted(
        self,
        painter: QPainter,
        viewport: Viewport,
        *,
        smooth: bool,
        opacity: float = 1.0,
        width: float = 0.0,
    ) -> Iterator[None]: ...


def every_source_ray(source_ray: NDArray[np.int32], k: int) -> NDArray[np.int64]:
    """The indices of the lines of every ``k``-th source ray."""
    chosen = np.arange(int(source_ray.max(initial=-1)) + 1) % k == 0
    return np.flatnonzero(chosen[source_ray])


def numbers_in_source(result: TraceResult, rows: NDArray[np.int64]) -> NDArray[np.int32]:
    """The numbers of the source rays of some rows, (k,), counted anew in each source of many rays:
    so colours that come from one place are thinned alike, and white light stays white.
    """
    roots = np.flatnonzero(result.parent < 0)
    source, ray = result.source[roots] + 1, result.source_ray[roots]
    count = np.bincount(source, minlength=int(result.source.max(initial=0)) + 2)
    first = np.full(len(count), np.iinfo(np.int32).max, np.int32)
    np.minimum.at(first, source, ray)
    numbers: NDArray[np.int32] = (
        result.source_ray[rows]
        - np.where(count >= COUNTED, first, 0).astype(np.int32)[result.source[rows] + 1]
    )
    return numbers


def sparse_of(picture: P) -> P:
    """A picture with so many of its source rays that it has about `SPARSE` lines."""
    return picture if len(picture) <= SPARSE else picture.every(-(-len(picture) // SPARSE))


def cost(lines: Lines, smooth: bool) -> float:
    """Estimated time to paint lines given in pixels, in milliseconds."""
    length = float(np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]).sum())
    return (7e-6 * length + 4e-4 * len(lines)) * (SMOOTH_COST if smooth else 1)


def estimated_cost(picture: Picture, viewport: Viewport) -> float:
    """Estimated time to paint a picture without antialiasing, in milliseconds, from an even sample
    of its lines.
    """
    step = max(1, len(picture) // SAMPLE)
    sample = on_screen(picture.lines[::step], viewport.camera, viewport.size)[0]
    return step * cost(sample, smooth=False) * picture.cost_factor + CLIPPING * len(picture)


def thinned(picture: Picture, viewport: Viewport, budget: float) -> Picture:
    """The picture reduced to as many whole source rays as can be painted within a budget (ms);
    unchanged if all can.
    """
    if estimated_cost(picture, viewport) <= budget:
        return picture
    sparse = picture.sparse
    needed = estimated_cost(sparse, viewport)
    return sparse if needed <= budget else sparse.every(math.ceil(needed / budget))


def coverage(picture: Picture, viewport: Viewport, cell: int) -> NDArray[np.float32]:
    """How much of the canvas light covers: (rows, columns) of cells of ``cell`` pixels, 1 where one
    is full; from a sample of lines.
    """
    step = max(1, len(picture) // SAMPLE)
    lines, kept = on_screen(picture.lines[::step], viewport.camera, viewport.size)
    kept = kept * step
    rows, columns = math.ceil(viewport.size[1] / cell), math.ceil(viewport.size[0] / cell)
    sums = np.zeros((rows * columns, 1), np.float32)
    if not machine_code_loaded():
        return sums.reshape(rows, columns)
    opacity = np.ascontiguousarray(picture.line_colors(kept)[:, 3:] * (step / cell), np.float32)
    draw_lines(add_lines, sums, (columns, rows), lines / cell, opacity)
    return sums.reshape(rows, columns)
