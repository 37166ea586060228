"""Drawings of rays: which lines and points of a trace the canvas shows, in which light, how long it
takes to paint them, and how they are thinned out to save time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.paths.paths import add_ancestors_and_descendants as whole_paths_of
from raybench.optics.colour import MIXINGS
from raybench.raster.coloring import COLORINGS, ColoredRays, Legend, line_opacity, scene_legend
from raybench.raster.lines import add_lines, draw_lines
from raybench.scene.settings import Settings
from raybench.trace.compilation.loading import is_machine_code_loaded
from raybench.trace.results.images import (
    MOST_POINTS,
    ImageLines,
    ImageMarks,
    ImagePoints,
    LineRole,
    PointRole,
    image_marks_in_view_mode,
)
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import PickedRays, View
from raybench_workbench.canvas.rays.light_colors import (
    LINE_COLORS,
    POINT_COLORS,
    Colors,
    mark_colors_by_role,
    readable_colors,
    sort_marks_by_color,
    wavelength_colors,
)
from raybench_workbench.canvas.rays.pixel_lines import (
    MAX_DASHED_LINES,
    clip_lines_to_canvas,
    dash_lengths_by_role,
)
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.theme import Theme

SAMPLE_LINES = 1000
"""Number of lines from which the cost of a drawing, and where it has light, are estimated."""
MS_PER_CLIPPED_LINE = 2e-4
"""Time to clip a line, in milliseconds."""
MS_PER_COARSE_LINE, MS_PER_COARSE_PIXEL = 4e-4, 7e-6
"""Time for a line and for a pixel of its length in a coarse image, in milliseconds."""
MIN_THINNED_LINES = 100_000
"""Lines of a drawing from which fewer are chosen while something moves."""
Light = NDArray[np.float32]
MIN_COUNTED_RAYS = 100
"""Rays that a source has at least for them to be counted from its first."""
POINT_SIDES = {PointRole.REAL: 7, PointRole.VIRTUAL: 5, PointRole.VIRTUAL_OBJECT: 3}
"""Side of the square that an image point lights, in pixels, where its colour is that of its
wavelength.
"""
M = TypeVar("M", ImageLines, ImagePoints)


@dataclass(frozen=True, eq=False)
class RayDrawing:
    """The lines and points to draw for a trace: ``lines`` (n, 4) and image ``points`` (k, 2) in
    scene units.

    With a colour ``mode``, the light of crossing lines adds up: ``light`` (n, c) and
    ``point_light`` (k, c) are the amounts, with c = 3 for red, green and blue or c = 1 for an
    intensity. Without a mode, lines cover each other: light is then red, green, blue and opacity
    from 0 to 1, and marks of one colour are consecutive. ``source_ray`` (n,) is the number of the
    source ray of each line.
    """

    lines: NDArray[np.float64]
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
    def sparse_drawing(self) -> RayDrawing:
        """The drawing of only a few source rays, with about `MIN_THINNED_LINES` lines, so that it
        can quickly be thinned out further.
        """
        return (
            self
            if len(self) <= MIN_THINNED_LINES
            else self.thin_source_rays(-(-len(self) // MIN_THINNED_LINES))
        )

    def thin_source_rays(self, every: int) -> RayDrawing:
        """The drawing of every ``every``-th source ray. Light that adds up becomes ``every`` times
        brighter, but no line becomes brighter than the brightest line of the whole drawing.
        """
        chosen = np.arange(int(self.source_ray.max(initial=-1)) + 1) % every == 0
        rows = np.flatnonzero(chosen[self.source_ray])
        light = self.light[rows]
        if self.mode:
            room = self._brightest_light / max(float(light.max(initial=0.0)), 1e-30)
            light *= np.float32(min(float(every), max(1.0, room)))
        return replace(
            self,
            lines=self.lines[rows],
            source_ray=self.source_ray[rows] // every,
            light=light,
            widths=self.widths[rows] if self.widths is not None else None,
            dashes=self.dashes[rows] if self.dashes is not None else None,
        )

    @cached_property
    def _brightest_light(self) -> float:
        return max(1.0, float(self.light.max(initial=0.0)))

    @cached_property
    def dashes_run_together(self) -> bool:
        """Whether there are so many dashed lines that they are painted as solid lines, with the
        mean of their light.
        """
        if self.dashes is None:
            return False
        return int(np.count_nonzero(self.dashes[:, 1])) > MAX_DASHED_LINES

    def line_colors(self, rows: NDArray[np.int64] | slice = slice(None)) -> Colors:
        """The colours (n, 4) in which lines appear where no other line crosses them, for all lines
        or for ``rows``.
        """
        light = self.light[rows]
        if not self.mode:
            return light.astype(np.float64)
        rgba = MIXINGS[self.mode].displayed_color(light if light.shape[1] > 1 else light[:, 0])
        opacity = np.maximum(rgba[:, 3:], 1e-9)
        return np.concatenate([np.minimum(rgba[:, :3] / opacity, 1.0), rgba[:, 3:]], axis=1)


def estimate_paint_time(drawing: RayDrawing, viewport: Viewport, *, coarse: bool = True) -> float:
    """The estimated time in milliseconds to paint a drawing, measured on an even sample of its
    lines.
    """
    step = max(1, len(drawing) // SAMPLE_LINES)
    sample = clip_lines_to_canvas(drawing.lines[::step], viewport.camera, viewport.size)[0]
    length = float(np.hypot(sample[:, 2] - sample[:, 0], sample[:, 3] - sample[:, 1]).sum())
    cost = step * (MS_PER_COARSE_PIXEL * length + MS_PER_COARSE_LINE * len(sample))
    cost = cost * (4.0 if drawing.mode else 1.0) + MS_PER_CLIPPED_LINE * len(drawing)
    return cost if coarse else cost * (12.0 if drawing.mode else 4.0)


def thin_drawing(drawing: RayDrawing, viewport: Viewport, budget: float) -> RayDrawing:
    """The drawing reduced to as many whole source rays as can be painted within ``budget``
    milliseconds; unchanged if all rays can.
    """
    if estimate_paint_time(drawing, viewport) <= budget:
        return drawing
    sparse = drawing.sparse_drawing
    needed = estimate_paint_time(sparse, viewport)
    return sparse if needed <= budget else sparse.thin_source_rays(math.ceil(needed / budget))


def light_coverage(drawing: RayDrawing, viewport: Viewport, cell: int) -> Light:
    """The fraction of each canvas cell that light covers, estimated from a sample of lines. The
    array has a row and column for each cell of ``cell`` pixels; 1 is a full cell.
    """
    step = max(1, len(drawing) // SAMPLE_LINES)
    lines, kept = clip_lines_to_canvas(drawing.lines[::step], viewport.camera, viewport.size)
    rows, columns = math.ceil(viewport.size[1] / cell), math.ceil(viewport.size[0] / cell)
    sums = np.zeros((rows * columns, 1), np.float32)
    if is_machine_code_loaded():
        opacity = drawing.line_colors(kept * step)[:, 3:] * (step / cell)
        draw_lines(add_lines, sums, (columns, rows), lines / cell, opacity.astype(np.float32))
    return sums.reshape(rows, columns)


@dataclass(frozen=True, eq=False)
class ShownRays:
    """A trace together with the view, settings and theme that determine how its rays are drawn."""

    result: TraceResult
    view: View
    settings: Settings
    theme: Theme

    @cached_property
    def colored_rays(self) -> ColoredRays | None:
        """The rays in the colours that the view's coloring gives them; None if they have the
        colours of the scene's colour mode.
        """
        if not self.view.coloring:
            return None
        return COLORINGS[self.view.coloring].color(self.result, self.settings)

    @cached_property
    def filtered_rows(self) -> NDArray[np.int64] | None:
        """The rows of the rays that pass the view's filter, ascending; None if all rays pass."""
        return self.view.visible_rows(self.result)

    def drawing(self) -> RayDrawing:
        """The drawing of the visible rays. Their light adds up if the scene simulates colours or
        its colour mode shows brightness, unless the view has a coloring. Until the kernels are
        compiled, lines cover each other instead.
        """
        adds = self.settings.simulate_colors or self.settings.color_mode != "default"
        if self.colored_rays is None and adds and is_machine_code_loaded():
            return added_light_drawing(self.result, self.settings, self.theme, self.filtered_rows)
        return covering_lines_drawing(
            self.result, self.settings, self.theme, self.filtered_rows, self.colored_rays
        )

    def visible_highlighted_rows(
        self, rays: RaySet | PickedRays, *, whole_paths: bool = False
    ) -> NDArray[np.int64]:
        """The visible rows of highlighted rays or, with ``whole_paths``, of all rays that lead to
        them or come from them.
        """
        rows = whole_paths_of(self.result, rays.rows) if whole_paths else rays.rows
        if self.filtered_rows is None:
            return rows
        passes = np.zeros(len(self.result), bool)
        passes[self.filtered_rows] = True
        return rows[passes[rows]]

    def highlight_drawing(self, rows: NDArray[np.int64]) -> RayDrawing:
        """The drawing of the given rows, which are highlighted."""
        return highlighted_lines_drawing(self.result, rows, self.theme, self.colored_rays)


def covering_lines_drawing(
    result: TraceResult,
    settings: Settings,
    theme: Theme,
    rows: NDArray[np.int64] | None = None,
    colored: ColoredRays | None = None,
) -> RayDrawing:
    """A drawing of the rays as lines that cover each other, in the colours of the scene's mode and
    of a theme. The opacity of a line is its power, at most 1.

    With ``rows``, only the marks of these rows. With ``colored``, the rays have these colours, and
    are opaque enough to be visible.
    """
    marks = marks_to_draw(result, settings, rows)
    strongest = float(result.drawn_power.max(initial=0.0))

    def marks_in_paint_order(
        some: ImageLines | ImagePoints,
        colors: Mapping[Any, str],
        layer: NDArray[np.int64] | int = 0,
    ) -> tuple[NDArray[np.int64], Light]:
        opacity = some.power
        if colored is not None:
            rgb = readable_colors(colored.rgb[some.row], theme)
            opacity = line_opacity(some.power, strongest)
        elif settings.simulate_colors:
            rgb = readable_colors(wavelength_colors(some.wavelength, settings), theme)
        else:
            rgb = mark_colors_by_role(colors, theme)[some.role]
        return sort_marks_by_color(rgb, opacity, layer=layer)[:2]

    # where colours do not show roles, dashes do; rays lie over the others
    told_by_color = colored is None and not settings.simulate_colors
    dashes = None if told_by_color else dash_lengths_by_role(marks.lines.role)
    layer = len(LineRole) - 1 - marks.lines.role.astype(np.int64) if dashes is not None else 0
    lines, light = marks_in_paint_order(marks.lines, LINE_COLORS, layer)
    # a faint dot is easily overlooked
    bolder = replace(marks.points, power=np.sqrt(marks.points.power))
    points, point_light = marks_in_paint_order(bolder, POINT_COLORS)
    return RayDrawing(
        marks.lines.ends[lines],
        source_ray_numbers(result, marks.lines.row[lines]),
        light,
        marks.points.at[points],
        point_light,
        legend=colored.legend if colored is not None else None,
        dashes=dashes[lines] if dashes is not None else None,
    )


def added_light_drawing(
    result: TraceResult, settings: Settings, theme: Theme, rows: NDArray[np.int64] | None = None
) -> RayDrawing:
    """A drawing of the rays, or of the given ``rows``, in which the light of crossing lines adds up
    in the scene's colour mode.
    """
    marks, mixing = marks_to_draw(result, settings, rows), MIXINGS[settings.color_mode]

    def light_of_marks(some: ImageLines | ImagePoints, colors: Mapping[Any, str]) -> Light:
        if settings.simulate_colors:
            rgb = wavelength_colors(some.wavelength, settings)
        elif mixing.decades:
            # the colour shows the power: the theme's colours would distort the scale
            rgb = np.ones((len(some.role), 3))
        else:
            rgb = mark_colors_by_role(colors, theme)[some.role]
        light = mixing.added(rgb, some.power).astype(np.float32)
        return light if light.ndim == 2 else light[:, None]

    largest = max(POINT_SIDES.values())
    sides = [POINT_SIDES[r] if settings.simulate_colors else largest for r in PointRole]
    return RayDrawing(
        marks.lines.ends,
        source_ray_numbers(result, marks.lines.row),
        light_of_marks(marks.lines, LINE_COLORS),
        marks.points.at,
        light_of_marks(marks.points, POINT_COLORS),
        settings.color_mode,
        scene_legend(settings),
        np.array(sides)[marks.points.role],
        dashes=dash_lengths_by_role(marks.lines.role) if settings.simulate_colors else None,
    )


def highlighted_lines_drawing(
    result: TraceResult, rows: NDArray[np.int64], theme: Theme, colored: ColoredRays | None = None
) -> RayDrawing:
    """A drawing of highlighted rows as lines in the accent colour, or in the colours ``colored``.
    The opacity of a line shows its relative power.
    """
    start, end, row = result.pieces(rows, MOST_POINTS)
    power = result.drawn_power[row]
    if colored is not None:
        rgb = readable_colors(colored.rgb[row], theme)
    else:
        accent = theme.color("accent")
        rgb = np.full((len(row), 3), (accent.redF(), accent.greenF(), accent.blueF()))
    lines, light, _ = sort_marks_by_color(rgb, line_opacity(power, float(power.max(initial=0.0))))
    return RayDrawing(
        np.concatenate([start, end], axis=1)[lines],
        result.source_ray[row[lines]],
        light,
        np.zeros((0, 2)),
        np.zeros((0, 4), np.float32),
    )


def marks_to_draw(
    result: TraceResult, settings: Settings, rows: NDArray[np.int64] | None = None
) -> ImageMarks:
    """The lines and points that the scene's mode draws for a trace, or for the given ``rows`` of
    it.
    """
    marks = image_marks_in_view_mode(result, settings)
    if rows is None:
        return marks
    return ImageMarks(
        _select_marks_of_rows(marks.points, rows), _select_marks_of_rows(marks.lines, rows)
    )


def _select_marks_of_rows(marks: M, rows: NDArray[np.int64]) -> M:
    """Those lines or points that belong to the given rows of the trace."""
    kept = np.isin(marks.row, rows)
    return replace(marks, **{f.name: getattr(marks, f.name)[kept] for f in fields(marks)})


def source_ray_numbers(result: TraceResult, rows: NDArray[np.int64]) -> NDArray[np.int32]:
    """The number of the source ray (k,) that each row comes from, counted from 0 within each source
    of many rays. Rays of different colours from one place are thinned out alike, so that white
    light stays white.
    """
    roots = np.flatnonzero(result.parent < 0)
    source, ray = result.source[roots] + 1, result.source_ray[roots]
    count = np.bincount(source, minlength=int(result.source.max(initial=0)) + 2)
    first = np.full(len(count), np.iinfo(np.int32).max, np.int32)
    np.minimum.at(first, source, ray)
    numbers: NDArray[np.int32] = (
        result.source_ray[rows]
        - np.where(count >= MIN_COUNTED_RAYS, first, 0).astype(np.int32)[result.source[rows] + 1]
    )
    return numbers
