"""A drawing of rays: the marks of a trace with their light, what painting them costs, and how they
are thinned to fit into a frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from raybench.optics.colour import MIXINGS
from raybench.raster.coloring import Legend
from raybench.raster.lines import add_lines, draw_lines
from raybench.trace.compilation.loading import machine_code_loaded
from raybench_workbench.canvas.rays.light_colors import Colors
from raybench_workbench.canvas.rays.pixel_lines import MOST_DASHED, Lines, on_screen
from raybench_workbench.canvas.viewport import Viewport

SAMPLE = 1000
"""Number of lines from which the cost of a drawing, and where it has light, are estimated."""
CLIPPING = 2e-4
"""Time to clip a line, in milliseconds."""
COARSE_LINE, COARSE_PIXEL = 4e-4, 7e-6
"""Time for a line and for a pixel of its length in a coarse image, in milliseconds."""
SPARSE = 100_000
"""Lines of a drawing from which fewer are chosen while something moves."""
Light = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class RayDrawing:
    """Marks of a trace: ``lines`` (n, 4) and image ``points`` (k, 2) in scene units.

    With a colour ``mode``, their light adds up: ``light`` (n, c) and ``point_light`` (k, c) are the
    values that they add, c = 3 for red, green and blue or c = 1 for an intensity. Without one, they
    cover each other: their light is red, green, blue and opacity from 0 to 1, and marks of one
    colour are consecutive. ``source_ray`` (n,) is the number of the source ray of each line.
    """

    lines: Lines
    source_ray: NDArray[np.int32]
    light: Light
    points: NDArray[np.float64]
    point_light: Light
    mode: str = ""
    legend: Legend | None = None
    point_sides: NDArray[np.int64] | None = None
    """(k,): the side in pixels of the square that a point lights, an odd number; None for discs."""
    widths: NDArray[np.float64] | None = None
    """(n,): the width of each line in a vector drawing, relative to that of a ray; None for 1."""
    dashes: NDArray[np.float64] | None = None
    """(n, 2): length in pixels of the dashes of each line and of its gaps; None if all are whole.
    """

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def sparse(self) -> RayDrawing:
        """The drawing of so few source rays, with about `SPARSE` lines, that it can be thinned
        further within a frame.
        """
        return self if len(self) <= SPARSE else self.every(-(-len(self) // SPARSE))

    def every(self, k: int) -> RayDrawing:
        """The drawing of every ``k``-th source ray. Light that adds up is ``k`` times brighter, but
        no line brighter than the brightest of all.
        """
        chosen = np.arange(int(self.source_ray.max(initial=-1)) + 1) % k == 0
        rows = np.flatnonzero(chosen[self.source_ray])
        light = self.light[rows]
        if self.mode:
            room = self._brightest / max(float(light.max(initial=0.0)), 1e-30)
            light *= np.float32(min(float(k), max(1.0, room)))
        return replace(
            self,
            lines=self.lines[rows],
            source_ray=self.source_ray[rows] // k,
            light=light,
            widths=self.widths[rows] if self.widths is not None else None,
            dashes=self.dashes[rows] if self.dashes is not None else None,
        )

    @cached_property
    def _brightest(self) -> float:
        return max(1.0, float(self.light.max(initial=0.0)))

    @cached_property
    def dashes_run_together(self) -> bool:
        """Whether so many lines are dashed that they are painted whole, with the mean of their
        light.
        """
        if self.dashes is None:
            return False
        return int(np.count_nonzero(self.dashes[:, 1])) > MOST_DASHED

    def line_colors(self, rows: NDArray[np.int64] | slice = slice(None)) -> Colors:
        """The colour (n, 4) in which each line, or each of those in ``rows``, is shown where it is
        alone.
        """
        light = self.light[rows]
        if not self.mode:
            return light.astype(np.float64)
        rgba = MIXINGS[self.mode].shown(light if light.shape[1] > 1 else light[:, 0])
        opacity = np.maximum(rgba[:, 3:], 1e-9)
        return np.concatenate([np.minimum(rgba[:, :3] / opacity, 1.0), rgba[:, 3:]], axis=1)


def estimated_cost(drawing: RayDrawing, viewport: Viewport, *, coarse: bool = True) -> float:
    """Estimated time to make an image of a drawing, in milliseconds, from an even sample of its
    lines.
    """
    step = max(1, len(drawing) // SAMPLE)
    sample = on_screen(drawing.lines[::step], viewport.camera, viewport.size)[0]
    length = float(np.hypot(sample[:, 2] - sample[:, 0], sample[:, 3] - sample[:, 1]).sum())
    cost = step * (COARSE_PIXEL * length + COARSE_LINE * len(sample))
    cost = cost * (4.0 if drawing.mode else 1.0) + CLIPPING * len(drawing)
    return cost if coarse else cost * (12.0 if drawing.mode else 4.0)


def thinned(drawing: RayDrawing, viewport: Viewport, budget: float) -> RayDrawing:
    """The drawing reduced to as many whole source rays as can be painted within a budget (ms);
    unchanged if all can.
    """
    if estimated_cost(drawing, viewport) <= budget:
        return drawing
    sparse = drawing.sparse
    needed = estimated_cost(sparse, viewport)
    return sparse if needed <= budget else sparse.every(math.ceil(needed / budget))


def coverage(drawing: RayDrawing, viewport: Viewport, cell: int) -> Light:
    """How much of the canvas light covers: (rows, columns) of cells of ``cell`` pixels, 1 where one
    is full; from a sample of lines.
    """
    step = max(1, len(drawing) // SAMPLE)
    lines, kept = on_screen(drawing.lines[::step], viewport.camera, viewport.size)
    rows, columns = math.ceil(viewport.size[1] / cell), math.ceil(viewport.size[0] / cell)
    sums = np.zeros((rows * columns, 1), np.float32)
    if machine_code_loaded():
        opacity = drawing.line_colors(kept * step)[:, 3:] * (step / cell)
        draw_lines(add_lines, sums, (columns, rows), lines / cell, opacity.astype(np.float32))
    return sums.reshape(rows, columns)
