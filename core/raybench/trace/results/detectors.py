"""Detector readings, from the rows of a trace."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Floats
from raybench.kinds.detectors import Detector
from raybench.scene.scene import Scene
from raybench.trace.codes import Status
from raybench.trace.results.result import DetectorReading


def detector_readings(
    scene: Scene, rows: Mapping[str, NDArray[Any]]
) -> tuple[DetectorReading, ...]:
    """The readings of all detectors, in the order of the optical objects, from the trace's columns.

    Power is positive if the detector's second end lies clockwise of the ray's direction as seen on
    screen: with the first end above the second, for rays to the right. A ray that ends at a
    detector because of the depth limit is not counted.
    """
    detectors = [(i, o) for i, o in enumerate(scene.optical) if isinstance(o, Detector)]
    if not detectors:
        return ()
    at = np.isin(rows["hit"], [i for i, _ in detectors])
    ending = np.flatnonzero(at & (rows["status"] != Status.DEPTH))
    hit, points = rows["hit"][ending], rows["points"][ending]
    starts, ends = rows["p1"][ending], rows["p2"][ending]
    power = rows["end_power"][ending].sum(axis=1)
    # light arrives along the last piece of a path
    curved = np.flatnonzero(points[:, 1])
    starts[curved] = rows["polyline"][points[curved].sum(axis=1) - 2]
    return tuple(
        _detector_reading(i, detector, starts[hit == i], ends[hit == i], power[hit == i])
        for i, detector in detectors
    )


def _detector_reading(
    index: int,
    detector: Detector,
    p1: Floats,
    p2: Floats,
    power: Floats,
) -> DetectorReading:
    tx, ty = detector.p2.x - detector.p1.x, detector.p2.y - detector.p1.y
    length = math.hypot(tx, ty)
    bins = detector.own_bins
    if length == 0:
        return DetectorReading(index, 0.0, 0.0, 0.0, None)
    d = p2 - p1
    norm = np.hypot(d[:, 0], d[:, 1]) * length
    norm[norm == 0] = (
        np.inf
    )  # far from the origin a segment may be shorter than the rounding of its ends, and has no side then
    sine = (d[:, 0] * ty - d[:, 1] * tx) / norm
    cosine = (d[:, 0] * tx + d[:, 1] * ty) / norm
    signed = np.sign(sine) * power
    values = None
    if bins:
        position = np.hypot(p2[:, 0] - detector.p1.x, p2[:, 1] - detector.p1.y) / detector.bin_size
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
