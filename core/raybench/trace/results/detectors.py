"""Readings of detectors, computed from the rows of a trace.

A detector lets light pass unchanged. If a detector lies on the surface of another object, light
that ends on this object is counted just before the object acts on it, and once more, with the
opposite sign, if the object sends it back. Such light has no row that ends on the detector.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Booleans, Floats, Integers
from raybench.kinds.detectors import Detector
from raybench.scene.scene import Scene
from raybench.trace.codes import Status

Rows = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class DetectorReading:
    """The signed reading of a detector. Light that comes from one of its sides counts as negative.

    ``index``: index of the detector among the optical objects. ``power``: signed power crossing the
    detector. ``normal``, ``shear``: radiation force along its normal and its line, in units of
    power divided by the speed of light. ``bins``: the signed power in each bin of its irradiance
    map; None without a map. The power received from both sides is the measure ``power``
    (`raybench.analysis.measures.families.detector`).
    """

    index: int
    power: float
    normal: float
    shear: float
    bins: tuple[float, ...] | None = None


NONE_COUNTED: Integers = np.zeros((0, 2), np.int64)
"""`TraceResult.counted` where no detector lies on another object."""


def last_straight_pieces_of_rows(rows: Rows, chosen: Integers) -> tuple[Floats, Floats]:
    """The start and the end (k, 2) of the last straight piece of each given row. Light arrives
    along this piece.
    """
    starts, points = rows["p1"][chosen], rows["points"][chosen]
    curved = np.flatnonzero(points[:, 1])
    starts[curved] = rows["polyline"][points[curved].sum(axis=1) - 2]
    return starts, rows["p2"][chosen]


class Crossings(NamedTuple):
    """Light that crosses a detector, in the order of the rows: ``rows`` (k,); the straight piece
    from ``start`` to ``end`` (k, 2); the crossing point ``at`` (k, 2); the power (k,); and a mask
    (k,) of light that an object under the detector sends back, whose row starts there.
    """

    rows: Integers
    start: Floats
    end: Floats
    at: Floats
    power: Floats
    sent_back: Booleans


def detector_crossings(rows: Rows, index: int, detector: Detector) -> Crossings:
    """The light that crosses the detector with the given index. ``rows`` are a trace's columns with
    `TraceResult.counted`. A ray that ends on the detector because of the depth limit is not
    counted.
    """
    counted = rows.get("counted", NONE_COUNTED)
    on_objects = counted[counted[:, 1] == index, 0]
    arriving = np.flatnonzero(rows["hit"] == index)
    if len(on_objects):
        arriving = np.sort(np.concatenate([arriving, on_objects]))
    arriving = arriving[rows["status"][arriving] != Status.DEPTH]
    start, end = last_straight_pieces_of_rows(rows, arriving)
    s, p = rows["end_power"][arriving].T
    power = s + p  # faster than a sum
    crossings = Crossings(arriving, start, end, end, power, np.zeros(len(arriving), bool))
    if not len(on_objects) or not detector.two_sided:
        return crossings
    back = np.flatnonzero(np.isin(rows["parent"], on_objects))
    parent = np.searchsorted(arriving, rows["parent"][back])
    start, end, points = rows["p1"][back], rows["p2"][back], rows["points"][back]
    curved = np.flatnonzero(points[:, 1] > 1)
    end[curved] = rows["polyline"][points[curved, 0] + 1]
    across = np.array([detector.p2.y - detector.p1.y, detector.p1.x - detector.p2.x])
    before = (crossings.end - crossings.start)[parent] @ across
    turned = (before * ((end - start) @ across)) < 0
    back, start, end = back[turned], start[turned], end[turned]
    returning = Crossings(
        back, start, end, start, rows["power"][back].sum(axis=1), np.ones(len(back), bool)
    )
    order = np.argsort(np.concatenate([arriving, back]), kind="stable")
    return Crossings(
        *(np.concatenate(both)[order] for both in zip(crossings, returning, strict=True))
    )


def detector_readings(scene: Scene, rows: Rows) -> tuple[DetectorReading, ...]:
    """The readings of all detectors, in the order of the optical objects. ``rows`` are a trace's
    columns with `TraceResult.counted`.

    Power is positive if the detector's second end lies clockwise of the ray's direction as seen on
    screen: with the first end above the second, for rays to the right.
    """
    return tuple(
        detector_reading(rows, i, detector)
        for i, detector in enumerate(scene.optical)
        if isinstance(detector, Detector)
    )


def detector_reading(rows: Rows, index: int, detector: Detector) -> DetectorReading:
    """The reading of the detector with the given index. ``rows`` are as for `detector_readings`."""
    light = detector_crossings(rows, index, detector)
    tx, ty = detector.p2.x - detector.p1.x, detector.p2.y - detector.p1.y
    length = math.hypot(tx, ty)
    bins = detector.map_bin_count
    if length == 0:
        return DetectorReading(index, 0.0, 0.0, 0.0, None)
    d = light.end - light.start
    norm = np.hypot(d[:, 0], d[:, 1]) * length
    norm[norm == 0] = (
        np.inf
    )  # far from the origin a segment may be shorter than the rounding of its ends, and has no side then
    sine = (d[:, 0] * ty - d[:, 1] * tx) / norm
    cosine = (d[:, 0] * tx + d[:, 1] * ty) / norm
    signed = np.sign(sine) * light.power
    values = None
    if bins:
        position = np.hypot(*(light.at - np.array(detector.p1)).T) / detector.bin_size
        counted = np.bincount(
            np.clip(np.floor(position).astype(np.int64), 0, bins - 1),
            weights=signed,
            minlength=bins,
        )
        values = tuple(float(v) for v in counted)
    return DetectorReading(
        index,
        float(signed.sum()),
        float((signed * sine).sum()),
        float(-(signed * cosine).sum()),
        values,
    )
