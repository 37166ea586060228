"""Contacts: the points where segments meet a curve, in arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    angles_to_normals,
    distance_to_each,
    unit_vectors,
)

START, THROUGH, END = range(3)
Met = tuple[int, Mask, Floats]
"""START, THROUGH or END; the mask (n,) of the segments that meet the curve there; the distances
from their starts (n,).
"""


class Contacts(NamedTuple):
    """Points where segments meet a curve, one row each; a segment that meets it twice has two rows.

    ``segment`` (k,): index of the segment, ascending. ``place`` (k,): START or END if it is that
    end of the segment, else THROUGH. ``along`` (k,): distance from the segment's start. ``normal``
    (k, 2): the curve's unit normal there, of either sign.
    """

    segment: Rows
    place: NDArray[np.int8]
    along: Floats
    normal: Floats

    def chosen(self, mask: Mask) -> Contacts:
        """The contacts selected by a mask (k,)."""
        return Contacts(self.segment[mask], self.place[mask], self.along[mask], self.normal[mask])

    def points(self, p1: Floats, p2: Floats) -> Floats:
        """The points of the contacts, (k, 2)."""
        unit, _ = unit_vectors(p2[self.segment] - p1[self.segment])
        points: Floats = p1[self.segment] + self.along[:, None] * unit
        return points

    def angles(self, p1: Floats, p2: Floats) -> Floats:
        """The angles (k,) between the segments and the curve's normal, degrees, 0 to 90; NaN for
        segments of zero length.
        """
        d = p2[self.segment] - p1[self.segment]
        return np.where((d != 0).any(axis=1), angles_to_normals(d, self.normal), np.nan)


def joined(parts: list[Contacts]) -> Contacts:
    """The contacts of several curves concatenated, ordered by segment."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Contacts(np.empty(0, np.int64), np.empty(0, np.int8), np.empty(0), np.empty((0, 2)))
    segment, place, along, normal = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(segment, kind="stable")
    return Contacts(segment[order], place[order], along[order], normal[order])


def gathered(met: list[Met]) -> tuple[Rows, NDArray[np.int8], Floats, Rows]:
    """Segments, places, distances and the index of the item in ``met``, (k,) each, ordered by
    segment and then by item.
    """
    which = np.concatenate([np.flatnonzero(mask) for _, mask, _ in met])
    item = np.repeat(np.arange(len(met)), [int(np.count_nonzero(mask)) for _, mask, _ in met])
    along = np.concatenate([distance[mask] for _, mask, distance in met])
    order = np.argsort(which, kind="stable")
    item = item[order]
    return which[order], np.array([place for place, _, _ in met], np.int8)[item], along[order], item


def past_ends(
    p1: Floats, p2: Floats, ends: tuple[Floats, Floats], has_contact: Mask, tolerance: float
) -> list[Met]:
    """Contacts of segments that pass within ``tolerance`` of a curve's ``ends``, (2,) or (n, 2)
    each.

    Only segments that meet the curve nowhere else are considered: those not in ``has_contact``
    (n,).
    """
    rest = np.flatnonzero(~has_contact)
    p1, p2 = p1[rest], p2[rest]
    unit, _ = unit_vectors(p2 - p1)
    out: list[Met] = []
    for end in ends:
        corner = end if end.ndim == 1 else end[rest]
        near = np.flatnonzero(distance_to_each(corner, p1, p2) <= tolerance)
        mask, along = np.zeros(len(has_contact), bool), np.zeros(len(has_contact))
        mask[rest[near]] = True
        along[rest] = ((corner - p1) * unit).sum(axis=1)
        out.append((THROUGH, mask, along))
    return out
