"""Rows that end on other objects and that detectors on these objects count."""

import math
from collections.abc import Collection

import numpy as np

from raybench.arrays import Booleans, Floats, Integers
from raybench.kinds.detectors import Detector
from raybench.kinds.object import objects_of_kind
from raybench.scene.scene import Scene
from raybench.trace.codes import Flag
from raybench.trace.results.detectors import NONE_COUNTED, Rows, last_straight_pieces_of_rows
from raybench.trace.tables.compiled import end_margin
from raybench.trace.tolerances import END_MARGIN, NEXT_SURFACE, PARALLEL


def rows_counted_by_detectors(scene: Scene, rows: Rows, disabled: Collection[int] = ()) -> Integers:
    """The rows that end on other objects but are counted by detectors, in the form of
    `TraceResult.counted`, computed from the columns of a trace. Objects with keys in ``disabled``
    have no effect on light.
    """
    detectors = [
        (i, o) for i, o in objects_of_kind(scene.optical, Detector) if o.key not in disabled
    ]
    counted = np.flatnonzero(rows["flags"] & np.uint16(Flag.COUNTED)) if detectors else NONE_COUNTED
    if not len(counted):
        return NONE_COUNTED
    start, end = last_straight_pieces_of_rows(rows, counted)
    settings = scene.settings
    merging = settings.tolerances.interaction_merging * settings.length_scale
    margin = end_margin(settings)
    pairs = [NONE_COUNTED]
    for i, detector in detectors:
        on = _meets_detector(detector, start, end, merging, margin)
        here = counted[on & (rows["hit"][counted] != i)]
        pairs.append(np.stack([here, np.full(len(here), i)], axis=1))
    joined = np.concatenate(pairs)
    ordered: Integers = joined[np.argsort(joined[:, 0], kind="stable")]
    return ordered


def _meets_detector(
    detector: Detector, start: Floats, end: Floats, merging: float, margin: float
) -> Booleans:
    """A mask (k,) of the segments whose end lies on a detector, within the merging distance."""
    length = math.dist(detector.p1, detector.p2)
    if length == 0:
        return np.zeros(len(start), bool)
    tx, ty = (detector.p2.x - detector.p1.x) / length, (detector.p2.y - detector.p1.y) / length
    d = end - start
    way = np.hypot(d[:, 0], d[:, 1])
    ax, ay = detector.p1.x - end[:, 0], detector.p1.y - end[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        dx, dy = d.T / way
        det = dx * ty - dy * tx
        ahead, along = (ax * ty - ay * tx) / det, (ax * dy - ay * dx) / det
        # more than the kernels' distances by what rounding needs
        near: Booleans = np.abs(ahead) < merging * (1 + END_MARGIN)
        near &= way + ahead > NEXT_SURFACE * merging
        near &= (along >= -margin * (1 + END_MARGIN)) & (
            along <= length + margin * (1 + END_MARGIN)
        )
    near &= det > PARALLEL if not detector.two_sided else np.abs(det) > PARALLEL
    return near
