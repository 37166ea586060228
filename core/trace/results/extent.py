"""What is worth seeing of a traced scene at once: its objects, and the images that its light forms near them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from core.scene.hit_test import Box, scene_extent
from core.scene.scene import Scene
from core.trace.results.images import Points, image_points
from core.trace.results.result import TraceResult

REACH = 2.0
"""The distance from the objects' bounding box, in units of its longer side, up to which images are near."""
TAIL = 0.05
"""The share of the images' power left out at each end of both axes: faint ghosts do not count."""


def lit_extent(scene: Scene, result: TraceResult | None, *, hidden: Collection[int] = ()) -> Box | None:
    """The bounding box of the objects that are not hidden and of the nearby images that a trace's light forms, in scene units.

    None if there is neither. Without a trace, that of the objects.
    """
    box = scene_extent(scene, hidden=hidden)
    return box if result is None else with_images(box, image_points(result, scene.settings))


def with_images(box: Box | None, images: Points) -> Box | None:
    """A bounding box enlarged by the nearby ones of some image points; without a box, that of all these points."""
    if not len(images):
        return box
    near = np.ones(len(images), bool)
    if box is not None:
        low, high = np.array(box[:2]), np.array(box[2:])
        reach = REACH * (high - low).max()
        near = ((images.at >= low - reach) & (images.at <= high + reach)).all(axis=1)
    power, at = images.power[near], images.at[near]
    if not power.sum() > 0:
        return box
    (left, right), (top, bottom) = _ends(at[:, 0], power), _ends(at[:, 1], power)
    if box is None:
        return left, top, right, bottom
    return min(box[0], left), min(box[1], top), max(box[2], right), max(box[3], bottom)


def _ends(at: NDArray[np.float64], power: NDArray[np.float64]) -> tuple[float, float]:
    """The smallest and largest coordinates of points without the `TAIL` of their power at each end."""
    order = np.argsort(at)
    reached = np.cumsum(power[order])
    low, high = np.searchsorted(reached, np.array([TAIL, 1 - TAIL]) * reached[-1])
    return float(at[order[low]]), float(at[order[min(high, len(order) - 1)]])
