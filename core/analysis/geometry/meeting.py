"""What is known of the places where segments meet a curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.analysis.geometry.straight import Floats, Mask, Rows, cross, distance_to_each, unit_vectors

START, THROUGH, END = range(3)
Met = tuple[int, Mask, Floats]
"""A place on segments (START, THROUGH or END), which segments meet the curve with it, and how far from their starts."""


class Contacts(NamedTuple):
    """Places where segments meet a curve; a segment that meets it twice is there twice.

    ``segment`` (k,): which segment, ascending. ``place`` (k,): whether that is the segment's START, its END, or on the way THROUGH.
    ``along`` (k,): the distance from its start. ``normal`` (k, 2): the curve's unit normal there, to either side.
    """

    segment: Rows
    place: NDArray[np.int8]
    along: Floats
    normal: Floats

    def chosen(self, mask: Mask) -> Contacts:
        """Some of the contacts."""
        return Contacts(self.segment[mask], self.place[mask], self.along[mask], self.normal[mask])

    def points(self, p1: Floats, p2: Floats) -> Floats:
        """Where the contacts are, (k, 2)."""
        unit, _ = unit_vectors(p2[self.segment] - p1[self.segment])
        found: Floats = p1[self.segment] + self.along[:, None] * unit
        return found

    def angles(self, p1: Floats, p2: Floats) -> Floats:
        """The angles in degrees, 0 to 90, between the segments and the curve's normal, (k,); NaN for segments without length."""
        d = p2[self.segment] - p1[self.segment]
        angles = np.degrees(np.arctan2(np.abs(cross(d, self.normal)), np.abs((d * self.normal).sum(axis=1))))
        return np.where((d != 0).any(axis=1), angles, np.nan)


def joined(parts: list[Contacts]) -> Contacts:
    """Several curves' contacts as one, ordered by segment."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Contacts(np.empty(0, np.int64), np.empty(0, np.int8), np.empty(0), np.empty((0, 2)))
    segment, place, along, normal = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(segment, kind="stable")
    return Contacts(segment[order], place[order], along[order], normal[order])


def gathered(met: list[Met]) -> tuple[Rows, NDArray[np.int8], Floats, Rows]:
    """Segments, places, distances and which item of ``met`` each is from, ordered by segment and, on each, by item."""
    which = np.concatenate([np.flatnonzero(mask) for _, mask, _ in met])
    item = np.repeat(np.arange(len(met)), [int(np.count_nonzero(mask)) for _, mask, _ in met])
    along = np.concatenate([distance[mask] for _, mask, distance in met])
    order = np.argsort(which, kind="stable")
    item = item[order]
    return which[order], np.array([place for place, _, _ in met], np.int8)[item], along[order], item


def past_ends(p1: Floats, p2: Floats, ends: tuple[Floats, Floats], found: Mask, tolerance: float) -> list[Met]:
    """A curve's own ``ends``, (2,) or (n, 2) each, where segments pass them that were ``found`` to meet it nowhere else."""
    rest = np.flatnonzero(~found)
    p1, p2 = p1[rest], p2[rest]
    unit, _ = unit_vectors(p2 - p1)
    out: list[Met] = []
    for end in ends:
        corner = end if end.ndim == 1 else end[rest]
        near = np.flatnonzero(distance_to_each(corner, p1, p2) <= tolerance)
        mask, along = np.zeros(len(found), bool), np.zeros(len(found))
        mask[rest[near]] = True
        along[rest] = ((corner - p1) * unit).sum(axis=1)
        out.append((THROUGH, mask, along))
    return out
