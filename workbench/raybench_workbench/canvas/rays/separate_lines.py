"""Added light as lines of a drawing, on which lines cover each other instead of adding up.

Each ray is a line in the mean colour that is shown across it, and so wide that its ink is that of
the canvas. Where rays run together, such as the colours of white light before a prism, or light
that a mirror sends back, all of them have the colour of their sum and together cover as densely as
the sum is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.optics.colour_mixing import MIXINGS, Mixing
from raybench_workbench.canvas.rays.brightness import BrightnessPicture, Light, shown_color
from raybench_workbench.canvas.rays.clipping import Lines
from raybench_workbench.canvas.rays.light_colors import buckets_of
from raybench_workbench.canvas.rays.ray_picture import RayPicture
from raybench_workbench.theme import Theme

SAME_PLACE = 1e-7
"""The distance within which the ends of coinciding rays lie, relative to the largest coordinate."""
LAYERS = 8
"""Random parts of the rays, drawn one over the other, so that all of several colours close to each
other are visible.
"""
SCATTERING = 2654435769
"""Fibonacci hashing: the golden ratio of 2**32, which scatters consecutive numbers (Knuth, The Art
of Computer Programming, 6.4).
"""
PROFILE = np.array(
    [0.75 - d * d if d < 0.5 else 0.5 * (1.5 - d) ** 2 for d in np.arange(0.05, 1.5, 0.1)]
)
"""The part of its light that a ray has at distances across it on the canvas, 0.1 pixels apart, on
one side: see `raybench.raster.lines`.
"""
Floats = NDArray[np.float64]
Progress = Callable[[float], object]


def separate_lines(
    picture: BrightnessPicture, theme: Theme, progress: Progress = lambda done: None
) -> RayPicture:
    """The light of a picture as separate lines. ``progress`` is called with the part that is done;
    it may raise an error to cancel.
    """
    mixing = MIXINGS[picture.mode]
    ends = _ordered(picture.lines)
    equal = _Groups.of_keys(np.round(ends / (SAME_PLACE * np.abs(ends[:, :2]).max(initial=1e-30))))
    first, together = equal.order[equal.starts], np.diff(equal.starts, append=len(ends))
    group = np.empty(len(ends), np.int64)
    group[equal.order] = equal.of
    light = np.zeros((len(together), picture.light.shape[1]), np.float32)
    np.add.at(light, group, picture.light)
    below, whole = _running_together(ends[first], light, progress)
    opacity, under, across = (
        _shown(mixing, whole)[:, 3],
        _shown(mixing, below)[:, 3],
        _across(mixing, whole),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.where(
            under < 1.0, 1.0 - (1.0 - _shown(mixing, below + light)[:, 3]) / (1.0 - under), 1.0
        )
    alone = 1.0 - (1.0 - np.clip(more, 0.0, 1.0)) ** (1.0 / together)
    rgb, width = shown_color(across, theme), across[:, 3] / np.maximum(opacity, 1e-9)
    layer = (
        picture.source_ray.astype(np.int64) * SCATTERING % 2**32 * LAYERS >> 32
        if light.shape[1] > 1
        else 0
    )
    if picture.dashes is not None:  # a bucket's lines have the same dashes
        layer = layer + LAYERS * np.unique(picture.dashes, axis=0, return_inverse=True)[1].ravel()
    lines = buckets_of(rgb[group], alone[group], width[group], layer)
    dots = _shown(mixing, picture.point_light)
    points = buckets_of(shown_color(dots, theme), dots[:, 3])
    return RayPicture(
        picture.lines[lines.rows], picture.source_ray[lines.rows], lines.starts, lines.colors,
        picture.points[points.rows], points, picture.legend, lines.widths,
        picture.dashes[lines.rows[lines.starts[:-1]]] if picture.dashes is not None else None,
    )  # fmt: skip


def _shown(mixing: Mixing, light: Light) -> Floats:
    """The colour (n, 4) in which light (n, c) is shown."""
    return mixing.shown(light if light.shape[1] > 1 else light[:, 0])


def _across(mixing: Mixing, light: Light) -> Floats:
    """The colours (n, 4) of light in all across a ray, over a width of one pixel: the canvas
    spreads it over three pixels.
    """
    return np.asarray(0.2 * sum(_shown(mixing, light * np.float32(part)) for part in PROFILE))


def _ordered(lines: Lines) -> Lines:
    """Lines (n, 4) from left to right, and upright ones from top to bottom."""
    turned = (lines[:, 0] > lines[:, 2]) | (
        (lines[:, 0] == lines[:, 2]) & (lines[:, 1] > lines[:, 3])
    )
    return np.where(turned[:, None], lines[:, [2, 3, 0, 1]], lines)


@dataclass(frozen=True, eq=False)
class _Groups:
    """Rows grouped by equal keys: ``order`` (n,) holds the rows group by group, which begin at
    ``starts``; ``of`` (n,) is the number of the group at each place of the order.
    """

    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    of: NDArray[np.int64]

    @classmethod
    def of_keys(cls, keys: Floats, within: Floats | None = None) -> _Groups:
        """Groups of equal rows of keys (n, k), each in ascending order of ``within`` (n,)."""
        order = np.lexsort((*(() if within is None else (within,)), *keys.T))
        new = np.ones(len(order), bool)
        new[1:] = (keys[order[1:]] != keys[order[:-1]]).any(axis=1)
        return cls(order, np.flatnonzero(new), np.cumsum(new) - 1)


def _running_together(lines: Lines, light: Light, progress: Progress) -> tuple[Light, Light]:
    """What other lines add to the middle of each of some lines (n, 4) on which they lie: (n, c) the
    longer ones, and all with itself.
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
    lined = _Groups.of_keys(keys, -length)
    count = np.diff(lined.starts, append=len(lines))[lined.of]
    some = count > 1
    rows, group = lined.order[some], lined.of[some]
    if not len(rows):
        return below, whole
    place = (
        np.arange(len(lines))[some] - lined.starts[group]
    )  # in its group, the longest line first
    begin = (lines[rows, :2] * unit[lined.order[lined.starts[group]]]).sum(axis=1)
    end = begin + length[rows]
    sweep = _Sweep.along(group, begin, end, light[rows].astype(np.float64))
    whole[rows] = sweep.sums(np.arange(len(rows)) - place, np.ones(len(rows), bool))
    longer, half, most = np.zeros_like(sweep.light), 1, int(count.max())
    while (
        half < most
    ):  # each line adds up the halves of blocks before its own, of 1, 2, 4 ... lines: all before it
        second = place // half % 2 == 1
        sums = sweep.sums(np.arange(len(rows)) - place + place // (2 * half) * (2 * half), ~second)
        longer[second] += sums[second]
        half *= 2
        progress(math.log2(half) / math.log2(2 * most))
    below[rows] = np.maximum(longer, 0.0)
    return below, whole


@dataclass(frozen=True, eq=False)
class _Sweep:
    """The ends and the middles of lines (n,) in the order in which they are met along their common
    lines.

    ``line`` (3 n,) is the line that each belongs to, ``sign`` (3 n,) 1 where it begins, -1 where it
    ends, 0 at its middle.
    """

    line: NDArray[np.int64]
    sign: NDArray[np.int64]
    light: Floats

    @classmethod
    def along(cls, group: NDArray[np.int64], begin: Floats, end: Floats, light: Floats) -> _Sweep:
        sign = np.repeat(
            [-1, 0, 1], len(group)
        )  # at one place, lines end before a middle, and begin behind it
        order = np.lexsort(
            (sign, np.concatenate([end, (begin + end) / 2, begin]), np.tile(group, 3))
        )
        return cls(order % len(group), sign[order], light)

    def sums(self, block: NDArray[np.int64], counts: NDArray[np.bool_]) -> Floats:
        """The light (n, c) of those lines that ``counts`` (n,) names, of the same ``block`` (n,),
        over the middle of each line.
        """
        order = np.argsort(block[self.line], kind="stable")
        line, sign = self.line[order], self.sign[order]
        over = np.cumsum(np.where(counts[line], sign, 0)[:, None] * self.light[line], axis=0)
        middle, found = sign == 0, np.empty_like(self.light)
        found[line[middle]] = over[middle]
        return found
