"""Rays as lines of a vector drawing, which Qt paints with one pen per colour.

On paper, later lines cover earlier ones. Light that adds up on the canvas is converted: each ray
becomes a line in the mean colour that the canvas shows across it, as wide as gives the same amount
of ink. Rays that run together, such as the colours of white light before a prism, all get the
colour of their sum, and together they cover as much as the canvas shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPen

from raybench.optics.colour import MIXINGS, Mixing
from raybench_workbench.canvas.rays.drawing import Light, RayDrawing
from raybench_workbench.canvas.rays.light_colors import color_on_background, sort_marks_by_color
from raybench_workbench.canvas.rays.pixel_lines import (
    LINES_PER_CLIP,
    Lines,
    clip_lines_to_canvas,
    dash_covered_fraction,
    dash_phases,
)
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.theme import Theme

JOINING_ENGINES = (QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)
"""Engines that make one path of the lines of a call, which covers where they cross no more than one
line does.
"""
LINES_PER_REPORT = 2000
"""Lines that Qt paints between two reports of progress."""
POINT_SIZE = 6
"""The diameter of an image point, in pixels."""
POINT_DISTANCE = 9.0
"""The least distance of marks of one colour, in pixels: closer image points are painted over each
other.
"""
NEIGHBOUR_CELLS = 2
"""Cells whose diagonal is the distance to keep: points closer than this are at most so many cells
apart in each direction.
"""
SAME_PLACE = 1e-7
"""The distance within which the ends of coinciding rays lie, relative to the largest coordinate."""
COMPARED_LINES = 500
"""Lines that are compared at a time with all those on which they lie."""
RANDOM_LAYERS = 8
"""Random parts of the rays, drawn one over the other, so that all of several colours close to each
other are visible.
"""
HASH_MULTIPLIER = 2654435769
"""Fibonacci hashing: the golden ratio of 2**32, which scatters consecutive numbers (Knuth, The Art
of Computer Programming, 6.4).
"""
LINE_PROFILE = np.array(
    [0.75 - d * d if d < 0.5 else 0.5 * (1.5 - d) ** 2 for d in np.arange(0.05, 1.5, 0.1)]
)
"""The part of its light that a ray has at distances across it on the canvas, 0.1 pixels apart, on
one side: see `raybench.raster.lines`.
"""
Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Progress = Callable[[float], object]


def draw_rays(
    painter: QPainter,
    drawing: RayDrawing,
    viewport: Viewport,
    *,
    opacity: float = 1.0,
    width: float = 0.0,
    progress: Progress = lambda done: None,
) -> None:
    """Draw the lines of rays, clipped to the canvas, so that later lines cover earlier ones.

    ``width`` is that of a ray in logical pixels; 0 for one device pixel. ``progress`` is called
    after every chunk with the part that is done; it may raise an error to cancel.
    """
    camera, size, count = viewport.camera, viewport.size, len(drawing)
    painter.setClipRect(QRect(0, 0, *size))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    widths = np.ones(count) if drawing.widths is None else drawing.widths
    whole = np.tile([1.0, 0.0], (count, 1))
    dashes = whole if drawing.dashes is None else drawing.dashes
    opacities = np.full(count, opacity)
    if drawing.dashes_run_together:
        opacities, dashes = opacities * dash_covered_fraction(dashes)[:, 0], whole
    pens = np.concatenate([drawing.light, opacities[:, None], widths[:, None], dashes], axis=1)
    new_pen = np.flatnonzero((pens[1:] != pens[:-1]).any(axis=1)) + 1
    joining = painter.paintEngine().type() in JOINING_ENGINES
    for first in range(0, count, LINES_PER_CLIP):
        lines, kept = clip_lines_to_canvas(
            drawing.lines[first : first + LINES_PER_CLIP], camera, size
        )
        starts = np.unique(
            np.concatenate([[0], np.searchsorted(kept + first, new_pen), [len(kept)]])
        )
        for begin, end in pairwise(starts.tolist()):
            row = first + kept[begin]
            pen = _line_pen(drawing.light[row], float(opacities[row]), width * float(widths[row]))
            pen.setCosmetic(not width)
            unit, broken = pen.widthF() or 1.0, dashes[row, 1] > 0
            together = 1 if broken or (joining and pen.color().alpha() < 255) else LINES_PER_REPORT
            if broken:
                pen.setDashPattern((dashes[row] / unit).tolist())
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            for at in range(begin, end, together):
                some = lines[at : min(at + together, end)]
                if broken:
                    start = camera.points_in_pixels(drawing.lines[first + kept[at : at + 1], :2])
                    phase = dash_phases(some, start, dashes[row : row + 1])
                    pen.setDashOffset(float(phase[0]) / unit)
                    painter.setPen(pen)
                line: QLineF = shiboken6.wrapInstance(some.ctypes.data, QLineF)  # type: ignore[assignment]
                painter.drawLines(line, len(some))
                if (at - begin) % LINES_PER_REPORT == 0:
                    progress(float(first + kept[at]) / count)
    progress(1.0)


def _line_pen(color: NDArray[np.float32], opacity: float, width: float) -> QPen:
    red, green, blue, alpha = color.tolist()
    return QPen(QColor.fromRgbF(red, green, blue, alpha * opacity), width)


def paint_points(
    painter: QPainter, drawing: RayDrawing, viewport: Viewport, *, opacity: float = 1.0
) -> None:
    """Paint the image points of a drawing as discs. Discs of one colour are at least
    `POINT_DISTANCE` apart.
    """
    if not len(drawing.points):
        return
    painter.setClipRect(QRect(0, 0, *viewport.size))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    colors = drawing.point_light
    shade = np.unique(colors[:, :3], axis=0, return_inverse=True)[1].ravel()
    seen, at = place_visible_points(
        drawing.points, shade, viewport.camera, viewport.size, POINT_DISTANCE
    )
    shown = colors[seen]
    new_pen = np.flatnonzero((shown[1:] != shown[:-1]).any(axis=1)) + 1
    for some in np.split(np.arange(len(seen)), new_pen):
        if len(some):
            pen = _line_pen(shown[some[0]], opacity, POINT_SIZE)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            p = viewport.camera.points_in_pixels(at[some])
            first: QPointF = shiboken6.wrapInstance(p.ctypes.data, QPointF)  # type: ignore[assignment]
            painter.drawPoints(first, len(p))


def place_visible_points(
    points: Floats, group: Indices, camera: Camera, size: tuple[int, int], distance: float
) -> tuple[Indices, Floats]:
    """The sorted indices (k,) of the points on a canvas that are painted, and their positions (k,
    2) in pixels. Points of one ``group`` (n,) that are nearer than ``distance`` pixels are merged.
    The positions stay fixed in the scene when the canvas is moved.
    """
    on = camera.points_in_pixels(points)
    seen = np.flatnonzero(((on >= -distance) & (on <= np.asarray(size) + distance)).all(axis=1))
    at = points[seen]
    for g in np.unique(group[seen]):
        some = np.flatnonzero(group[seen] == g)
        at[some] = points[
            seen[some[merge_near_points(points[seen[some]] * camera.scale, distance)]]
        ]
    return seen, at


def merge_near_points(points: Floats, distance: float) -> Indices:
    """The index (n,) of the point that replaces each point (n, 2). A point moves by less than twice
    ``distance``, and the remaining points are at least ``distance`` apart.
    """
    if not len(points):
        return np.zeros(0, np.int64)
    cells = np.floor(points * (math.sqrt(2) / distance)).astype(np.int64)
    turn = cells % (NEIGHBOUR_CELLS + 1)
    cells += NEIGHBOUR_CELLS - cells.min(axis=0)
    columns, rows = (cells.max(axis=0) + NEIGHBOUR_CELLS + 1).tolist()
    _, first, cell_of = np.unique(
        cells[:, 0] * rows + cells[:, 1], return_index=True, return_inverse=True
    )
    mark = np.full((columns, rows), -1)

    def nearest_marks(some: Indices) -> tuple[Indices, Floats]:
        """The nearest mark (k,) to each of some points, and its distance."""
        best, least = np.full(len(some), -1), np.full(len(some), np.inf)
        for dx, dy in product(range(-NEIGHBOUR_CELLS, NEIGHBOUR_CELLS + 1), repeat=2):
            there = mark[cells[some, 0] + dx, cells[some, 1] + dy]
            apart = points[there] - points[some]
            far = np.where(there >= 0, np.hypot(apart[:, 0], apart[:, 1]), np.inf)
            best, least = np.where(far < least, there, best), np.minimum(far, least)
        return best, least

    for turns in product(range(NEIGHBOUR_CELLS + 1), repeat=2):
        some = first[(turn[first] == turns).all(axis=1)]
        free = some[nearest_marks(some)[1] >= distance]
        mark[cells[free, 0], cells[free, 1]] = free
    return nearest_marks(first)[0][cell_of]


def convert_to_covering_lines(
    drawing: RayDrawing, theme: Theme, progress: Progress = lambda done: None
) -> RayDrawing:
    """Convert a drawing whose light adds up to a drawing of lines that cover each other.
    ``progress`` is called with the fraction that is done; it may raise an error to cancel.
    """
    mixing, ends = MIXINGS[drawing.mode], drawing.lines
    turned = (ends[:, 0] > ends[:, 2]) | ((ends[:, 0] == ends[:, 2]) & (ends[:, 1] > ends[:, 3]))
    ends = np.where(turned[:, None], ends[:, [2, 3, 0, 1]], ends)
    equal = _RowGroups.from_keys(
        np.round(ends / (SAME_PLACE * np.abs(ends[:, :2]).max(initial=1e-30)))
    )
    first, together = equal.order[equal.starts], np.diff(equal.starts, append=len(ends))
    group = np.empty(len(ends), np.int64)
    group[equal.order] = equal.group
    light = np.zeros((len(together), drawing.light.shape[1]), np.float32)
    np.add.at(light, group, drawing.light)
    below, whole = overlapping_lines_light(ends[first], light, progress)
    opacity, under = (
        _mixed_light_color(mixing, whole)[:, 3],
        _mixed_light_color(mixing, below)[:, 3],
    )
    # over a width of one pixel: the canvas spreads it over three
    across = np.asarray(
        0.2 * sum(_mixed_light_color(mixing, whole * np.float32(part)) for part in LINE_PROFILE)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.where(
            under < 1.0,
            1.0 - (1.0 - _mixed_light_color(mixing, below + light)[:, 3]) / (1.0 - under),
            1.0,
        )
    alone = 1.0 - (1.0 - np.clip(more, 0.0, 1.0)) ** (1.0 / together)
    rgb, width = color_on_background(across, theme), across[:, 3] / np.maximum(opacity, 1e-9)
    layer: Indices | int = 0
    if light.shape[1] > 1:
        layer = drawing.source_ray.astype(np.int64) * HASH_MULTIPLIER % 2**32 * RANDOM_LAYERS >> 32
    if drawing.dashes is not None:  # lines of the same dashes share a pen
        layer = (
            layer
            + RANDOM_LAYERS * np.unique(drawing.dashes, axis=0, return_inverse=True)[1].ravel()
        )
    rows, colors, widths = sort_marks_by_color(rgb[group], alone[group], width[group], layer)
    dots = _mixed_light_color(mixing, drawing.point_light)
    points, point_colors, _ = sort_marks_by_color(color_on_background(dots, theme), dots[:, 3])
    return replace(
        drawing,
        mode="",
        lines=drawing.lines[rows],
        source_ray=drawing.source_ray[rows],
        light=colors,
        points=drawing.points[points],
        point_light=point_colors,
        point_sides=None,
        widths=widths,
        dashes=drawing.dashes[rows] if drawing.dashes is not None else None,
    )


def _mixed_light_color(mixing: Mixing, light: Light) -> Floats:
    """The colours (n, 4) in which summed light (n, c) is shown."""
    return mixing.displayed_color(light if light.shape[1] > 1 else light[:, 0])


@dataclass(frozen=True, eq=False)
class _RowGroups:
    """Rows grouped by equal keys: ``order`` (n,) lists the rows group by group, ``starts`` says
    where each group begins, and ``group`` (n,) is the group number at each position of ``order``.
    """

    order: Indices
    starts: Indices
    group: Indices

    @classmethod
    def from_keys(cls, keys: Floats, order_values: Floats | None = None) -> _RowGroups:
        """The groups of rows with equal keys (n, k). Within a group, rows are in ascending order of
        ``order_values`` (n,).
        """
        order = np.lexsort((*(() if order_values is None else (order_values,)), *keys.T))
        new = np.ones(len(order), bool)
        new[1:] = (keys[order[1:]] != keys[order[:-1]]).any(axis=1)
        return cls(order, np.flatnonzero(new), np.cumsum(new) - 1)


def overlapping_lines_light(lines: Lines, light: Light, progress: Progress) -> tuple[Light, Light]:
    """The light in the middle of each line (n, 4) from all lines that overlap it: first (n, c) from
    the longer lines only, then (n, c) from all lines including itself.
    """
    below, whole = np.zeros_like(light), light.copy()
    along = lines[:, 2:] - lines[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    size = np.abs(lines[:, :2]).max(initial=1e-30)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = along / length[:, None]
    offset = lines[:, 0] * unit[:, 1] - lines[:, 1] * unit[:, 0]
    keys = np.stack(
        [
            np.round(unit[:, 0] / SAME_PLACE),
            np.round(unit[:, 1] / SAME_PLACE),
            np.round(offset / (10 * SAME_PLACE * size)),
        ],
        1,
    )
    lined, done = _RowGroups.from_keys(keys, -length), 0
    for rows in np.split(lined.order, lined.starts[1:]):
        done += len(rows)
        if len(rows) < 2:
            continue
        begin = lines[rows, :2] @ unit[rows[0]]
        end, added = begin + length[rows], light[rows].astype(np.float64)
        middle = ((begin + end) / 2)[:, None]
        for first in range(0, len(rows), COMPARED_LINES):
            some = slice(first, first + COMPARED_LINES)
            over = (begin < middle[some]) & (middle[some] < end)
            whole[rows[some]] = over @ added
            below[rows[some]] = np.tril(over, first - 1) @ added  # the longest line comes first
        progress(done / len(lines))
    return below, whole
