"""What lies beside the edges of bodies: which bodies hold the places just outside and just inside, and where that changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis.geometry.edge_curve import left_normal, left_normals, length_between, places
from core.analysis.geometry.straight import Floats, Mask, Rows
from core.analysis.scene.edges import EdgeFacts
from core.analysis.scene.refractive_index import Media

CORNER = 50.0
"""How near to a known cut a change counts as at it, in distances beside an edge at which its surroundings are looked up."""


class Sides:
    """The places just outside and just inside along some edges of bodies."""

    def __init__(self, edges: Sequence[EdgeFacts], tolerance: float) -> None:
        self.shapes = [e.shape for e in edges]
        self.step = np.array([max(4 * tolerance, 1e-7 * min(e.length, 1e3)) for e in edges])
        self.length = np.array([e.length for e in edges])
        left = np.array([left_normal(e.shape, 0.5) for e in edges])
        self.sign = np.copysign(1.0, (left * np.array([e.normal for e in edges])).sum(axis=1))

    def beside(self, which: Rows, us: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Places on edges, whose numbers ``which`` (n,) ascend, at parameters (n,); the outward normals there, the places just outside
        and those just inside, (n, 2) each."""
        runs = np.split(us, np.searchsorted(which, np.arange(1, len(self.shapes))))
        at = np.concatenate([places(shape, u) for shape, u in zip(self.shapes, runs, strict=True)])
        normal = np.concatenate([sign * left_normals(shape, u) for shape, sign, u in zip(self.shapes, self.sign, runs, strict=True)])
        step = self.step[which][:, None] * normal
        return at, normal, at + step, at - step

    def held(self, media: Media, which: Rows, us: Floats) -> Mask:
        """Which bodies hold the places just outside (first half of the rows) and just inside, (2 bodies, n)."""
        _, _, outside, inside = self.beside(which, us)
        held = media.inside(np.concatenate([outside, inside]))
        return np.concatenate([held[:, : len(us)], held[:, len(us) :]])


def with_changes(sides: Sides, cuts: Sequence[list[float]], samples: Sequence[Floats], media: Media) -> list[list[float]]:
    """The cuts of edges and where, between ``samples``, their surroundings change besides."""
    which, us = np.repeat(np.arange(len(samples)), [len(u) for u in samples]), np.concatenate(samples)
    seen = sides.held(media, which, us)
    where = np.flatnonzero((seen[:, 1:] != seen[:, :-1]).any(axis=0) & (which[1:] == which[:-1]))
    if len(where):
        where = where[~_at_cuts(sides, cuts, which[where], us[where], us[where + 1], seen[:, where], seen[:, where + 1], media)]
    out = [list(known) for known in cuts]
    for edge, u in zip(which[where].tolist(), _changes(sides, which[where], us[where], us[where + 1], media), strict=True):
        # at a corner the places beside the edge change a little before the edge does
        if min(length_between(sides.shapes[edge], *sorted((u, c))) for c in cuts[edge]) > CORNER * sides.step[edge]:
            out[edge].append(u)
    return [sorted(set(known)) for known in out]


def _at_cuts(
    sides: Sides, cuts: Sequence[list[float]], which: Rows, low: Floats, high: Floats, before: Mask, after: Mask, media: Media
) -> Mask:
    """Which changes between two parameters each happen at a cut that is known, as those where a neighbour ends do; (n,)."""
    cut = np.array([next((c for c in cuts[k] if u0 < c < u1), np.nan) for k, u0, u1 in zip(which.tolist(), low, high, strict=True)])
    there, around = np.where(np.isnan(cut), low, cut), 0.9 * CORNER * (sides.step / sides.length)[which]
    us = np.clip(there[:, None] + around[:, None] * (-1.0, 1.0), low[:, None], high[:, None])
    held = sides.held(media, np.repeat(which, 2), us.ravel())
    found: Mask = ~np.isnan(cut) & ((held[:, 0::2] == before) & (held[:, 1::2] == after)).all(axis=0)
    return found


def _changes(sides: Sides, which: Rows, low: Floats, high: Floats, media: Media) -> list[float]:
    """Where the surroundings of edges change between two parameters each: every round looks at 32 places between."""
    if not len(low):
        return []
    before, after = sides.held(media, which, low), sides.held(media, which, high)
    concerned = before != after
    used = concerned.reshape(2, len(media.bodies), -1).any(axis=(0, 2))
    few, kept = media.chosen(used), np.concatenate([used, used])
    before, concerned = before[kept], concerned[kept]
    shares = np.linspace(0, 1, 34)
    for _ in range(10):
        us = low[:, None] + (high - low)[:, None] * shares
        held = sides.held(few, np.repeat(which, 32), us[:, 1:-1].ravel()).reshape(len(before), -1, 32)
        same = ((held == before[..., None]) | ~concerned[..., None]).all(axis=0)
        k = np.where(same.all(axis=1), 32, np.argmin(same, axis=1))
        row = np.arange(len(us))
        low, high = us[row, k], us[row, k + 1]
    return [float(u) for u in high]
