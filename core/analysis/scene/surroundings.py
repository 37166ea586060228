"""The bodies on both sides of edges: which contain the points just outside and just inside, and where along the edge that changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis.geometry.edge_curve import left_normals, length_between, places
from core.analysis.geometry.straight import Floats, Mask, Rows
from core.analysis.scene.edges import EdgeFacts
from core.analysis.scene.refractive_index import Media
from core.shapes.curves import left_normal

CORNER = 50.0
"""Distance within which a change counts as at a known cut, in multiples of the offset `Sides.step` of the sampled points."""


class Sides:
    """The points just outside and just inside along some edges of bodies. ``step``: their offset from each edge, scene units."""

    def __init__(self, edges: Sequence[EdgeFacts], tolerance: float) -> None:
        self.shapes = [e.shape for e in edges]
        self.step = np.array([max(4 * tolerance, 1e-7 * min(e.length, 1e3)) for e in edges])
        self.length = np.array([e.length for e in edges])
        left = np.array([left_normal(e.shape, 0.5) for e in edges])
        self.sign = np.copysign(1.0, (left * np.array([e.normal for e in edges])).sum(axis=1))

    def beside(self, which: Rows, us: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """For edge indices ``which`` (n,), ascending, and parameters (n,): points on the edges, outward normals there, and the points just
        outside and just inside, (n, 2) each."""
        runs = np.split(us, np.searchsorted(which, np.arange(1, len(self.shapes))))
        at = np.concatenate([places(shape, u) for shape, u in zip(self.shapes, runs, strict=True)])
        normal = np.concatenate([sign * left_normals(shape, u) for shape, sign, u in zip(self.shapes, self.sign, runs, strict=True)])
        step = self.step[which][:, None] * normal
        return at, normal, at + step, at - step

    def containing(self, media: Media, which: Rows, us: Floats) -> Mask:
        """Mask (2 bodies, n): which bodies contain the points just outside (first half of the rows) and just inside (second half)."""
        _, _, outside, inside = self.beside(which, us)
        contained = media.inside(np.concatenate([outside, inside]))
        return np.concatenate([contained[:, : len(us)], contained[:, len(us) :]])


def with_changes(sides: Sides, cuts: Sequence[list[float]], samples: Sequence[Floats], media: Media) -> list[list[float]]:
    """The cuts of edges, with the additional parameters between ``samples`` where the surroundings change."""
    which, us = np.repeat(np.arange(len(samples)), [len(u) for u in samples]), np.concatenate(samples)
    sampled = sides.containing(media, which, us)
    where = np.flatnonzero((sampled[:, 1:] != sampled[:, :-1]).any(axis=0) & (which[1:] == which[:-1]))
    if len(where):
        where = where[~_at_cuts(sides, cuts, which[where], us[where], us[where + 1], sampled[:, where], sampled[:, where + 1], media)]
    out = [list(known) for known in cuts]
    for edge, u in zip(which[where].tolist(), _changes(sides, which[where], us[where], us[where + 1], media), strict=True):
        # at a corner the surroundings of the offset points change slightly before the cut
        if min(length_between(sides.shapes[edge], *sorted((u, c))) for c in cuts[edge]) > CORNER * sides.step[edge]:
            out[edge].append(u)
    return [sorted(set(known)) for known in out]


def _at_cuts(
    sides: Sides, cuts: Sequence[list[float]], which: Rows, low: Floats, high: Floats, before: Mask, after: Mask, media: Media
) -> Mask:
    """Mask (n,) of the changes, each between two parameters, that occur at a known cut, such as the end of a neighbour."""
    cut = np.array([next((c for c in cuts[k] if u0 < c < u1), np.nan) for k, u0, u1 in zip(which.tolist(), low, high, strict=True)])
    there, around = np.where(np.isnan(cut), low, cut), 0.9 * CORNER * (sides.step / sides.length)[which]
    us = np.clip(there[:, None] + around[:, None] * (-1.0, 1.0), low[:, None], high[:, None])
    sampled = sides.containing(media, np.repeat(which, 2), us.ravel())
    at_cut: Mask = ~np.isnan(cut) & ((sampled[:, 0::2] == before) & (sampled[:, 1::2] == after)).all(axis=0)
    return at_cut


def _changes(sides: Sides, which: Rows, low: Floats, high: Floats, media: Media) -> list[float]:
    """The parameters where the surroundings change, each between ``low`` and ``high``: every iteration evaluates 32 samples between."""
    if not len(low):
        return []
    before, after = sides.containing(media, which, low), sides.containing(media, which, high)
    differs = before != after
    used = differs.reshape(2, len(media.bodies), -1).any(axis=(0, 2))
    few, kept = media.chosen(used), np.concatenate([used, used])
    before, differs = before[kept], differs[kept]
    fractions = np.linspace(0, 1, 34)
    for _ in range(10):
        us = low[:, None] + (high - low)[:, None] * fractions
        sampled = sides.containing(few, np.repeat(which, 32), us[:, 1:-1].ravel()).reshape(len(before), -1, 32)
        same = ((sampled == before[..., None]) | ~differs[..., None]).all(axis=0)
        k = np.where(same.all(axis=1), 32, np.argmin(same, axis=1))
        row = np.arange(len(us))
        low, high = us[row, k], us[row, k + 1]
    return [float(u) for u in high]
