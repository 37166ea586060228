"""The bodies on both sides of edges: which contain the points just outside and just inside, and
where along the edge that changes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from raybench.analysis.geometry.containment import contains
from raybench.analysis.geometry.edge_curve import left_normals, length_between, places
from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.scene.edges import EdgeFacts
from raybench.analysis.scene.refractive_index import Media
from raybench.shapes.curves import left_normal

BETWEEN = (64, *[7] * 14)
"""Samples between two parameters in each iteration, which goes on between two of them: to less than
1e-14 of the first interval.
"""
CORNER = 50.0
"""Distance within which a change counts as at a known cut, in multiples of the offset `Sides.step`
of the sampled points.
"""


class Sides:
    """The points just outside and just inside along some edges of bodies. ``step``: their offset
    from each edge, scene units.
    """

    def __init__(self, edges: Sequence[EdgeFacts], tolerance: float) -> None:
        self.shapes = [e.shape for e in edges]
        self.step = np.array([max(4 * tolerance, 1e-7 * min(e.length, 1e3)) for e in edges])
        self.length = np.array([e.length for e in edges])
        left = np.array([left_normal(e.shape, 0.5) for e in edges])
        self.sign = np.copysign(1.0, (left * np.array([e.normal for e in edges])).sum(axis=1))

    def beside(self, which: Rows, us: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """For edge indices ``which`` (n,), ascending, and parameters (n,): points on the edges,
        outward normals there, and the points just outside and just inside, (n, 2) each.
        """
        runs = np.split(us, np.searchsorted(which, np.arange(1, len(self.shapes))))
        at = np.concatenate([places(shape, u) for shape, u in zip(self.shapes, runs, strict=True)])
        normal = np.concatenate(
            [
                sign * left_normals(shape, u)
                for shape, sign, u in zip(self.shapes, self.sign, runs, strict=True)
            ]
        )
        step = self.step[which][:, None] * normal
        return at, normal, at + step, at - step

    def containing(self, media: Media, which: Rows, us: Floats) -> Rows:
        """Which bodies contain the points just outside and just inside, as keys: ``2 * bodies *
        point + body``, ascending.

        A body counts as one of ``bodies`` where it contains the point outside, and as that plus
        their number where it contains the inner.
        """
        _, _, outside, inside = self.beside(which, us)
        bodies, n = len(media.bodies), len(us)
        keys = [
            2 * bodies * (rows % n) + body + bodies * (rows // n)
            for body, rows in media.rows_inside(np.concatenate([outside, inside]))
        ]
        return np.sort(np.concatenate([np.empty(0, np.int64), *keys]))


def with_changes(
    sides: Sides, cuts: Sequence[list[float]], samples: Sequence[Floats], media: Media
) -> list[list[float]]:
    """The cuts of edges, with the additional parameters between ``samples`` where the surroundings
    change.
    """
    which, us = (
        np.repeat(np.arange(len(samples)), [len(u) for u in samples]),
        np.concatenate(samples),
    )
    keys, wide = sides.containing(media, which, us), max(1, 2 * len(media.bodies))
    # keys that one sample has and the next one lacks, or the reverse; both are attributed to the
    # earlier sample
    ends, begins = keys[~np.isin(keys + wide, keys)], keys[~np.isin(keys - wide, keys)] - wide
    change = np.concatenate([ends, begins])
    before, sample = np.repeat([True, False], [len(ends), len(begins)]), change // wide
    between = (sample >= 0) & (sample < len(us) - 1)
    between[between] = which[sample[between]] == which[sample[between] + 1]
    change, before, sample = change[between], before[between], sample[between]
    where, number = np.unique(sample, return_inverse=True)
    if len(where):
        known = _at_cuts(
            sides,
            cuts,
            which[where],
            us[where],
            us[where + 1],
            _of_samples(keys, where, wide),
            wide,
            media,
        )
        left = ~known[number]
        change, before, where = change[left], before[left], where[~known]
        number = np.searchsorted(where, sample[left])
    out = [sorted(set(known_cuts)) for known_cuts in cuts]
    at = _changes(
        sides,
        which[where],
        us[where],
        us[where + 1],
        _Crossed(number, change % wide, before),
        media,
    )
    for edge, u in sorted(zip(which[where[number]].tolist(), at, strict=True)):
        # the points outside and inside cross an outline not quite at the same parameter, and at a
        # corner slightly before the cut
        place = bisect_left(out[edge], u)
        nearest = out[edge][max(0, place - 1) : place + 1]
        if (
            min(length_between(sides.shapes[edge], *sorted((u, c))) for c in nearest)
            > CORNER * sides.step[edge]
        ):
            out[edge].insert(place, u)
    return out


class _Crossed(NamedTuple):
    """Outlines between two neighbouring samples: for each the number of the ``change``, the
    ``body`` as of `Sides.containing`, and whether it contains the point ``before``; (k,) each.
    """

    change: Rows
    body: Rows
    before: Mask


def _of_samples(keys: Rows, where: Rows, wide: int) -> Rows:
    """The keys of the samples ``where`` and of those after them, with 2i and 2i + 1 as the numbers
    of these samples, ascending.
    """
    sample = keys // wide
    parts = []
    for after in (0, 1):
        number = np.minimum(np.searchsorted(where + after, sample), len(where) - 1)
        there = where[number] + after == sample
        parts.append((2 * number[there] + after) * wide + keys[there] % wide)
    return np.sort(np.concatenate(parts))


def _at_cuts(
    sides: Sides,
    cuts: Sequence[list[float]],
    which: Rows,
    low: Floats,
    high: Floats,
    sampled: Rows,
    wide: int,
    media: Media,
) -> Mask:
    """Mask (n,) of the changes, each between two parameters, that occur at a known cut, such as the
    end of a neighbour.

    ``sampled``: the keys of the two samples of each change.
    """
    cut = np.array(
        [
            next((c for c in cuts[k] if u0 < c < u1), np.nan)
            for k, u0, u1 in zip(which.tolist(), low, high, strict=True)
        ]
    )
    there, around = (
        np.where(np.isnan(cut), low, cut),
        0.9 * CORNER * (sides.step / sides.length)[which],
    )
    us = np.clip(there[:, None] + around[:, None] * (-1.0, 1.0), low[:, None], high[:, None])
    beside = sides.containing(media, np.repeat(which, 2), us.ravel())
    at_cut: Mask = ~np.isnan(cut)
    at_cut[np.setxor1d(sampled, beside, assume_unique=True) // wide // 2] = False
    return at_cut


def _changes(
    sides: Sides, which: Rows, low: Floats, high: Floats, crossed: _Crossed, media: Media
) -> list[float]:
    """The parameters where the outlines are crossed, each between the ``low`` and ``high`` of its
    change: every iteration evaluates samples between, and goes on with the first interval at whose
    end the body is no longer as before.
    """
    if not len(crossed.change):
        return []
    order = np.argsort(crossed.change, kind="stable")
    change, body, before = (column[order] for column in crossed)
    which, low, high = which[change], low[change], high[change]
    bodies, pair = len(media.bodies), np.arange(len(change))
    by_body = [(k, np.flatnonzero(body % bodies == k)) for k in np.unique(body % bodies).tolist()]
    for between in BETWEEN:
        us = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, between + 2)
        _, _, *beside = sides.beside(np.repeat(which, between), us[:, 1:-1].ravel())
        points = np.stack(beside).reshape(2, len(change), between, 2)[body // bodies, pair]
        same = np.empty((len(change), between), bool)
        for k, pairs in by_body:
            there = points[pairs].reshape(-1, 2)
            same[pairs] = (
                contains(media.outlines[k], there, 0.0).reshape(-1, between) == before[pairs, None]
            )
        k = np.where(same.all(axis=1), between, np.argmin(same, axis=1))
        low, high = us[pair, k], us[pair, k + 1]
    found = np.empty(len(change))
    found[order] = high
    return [float(u) for u in found]
