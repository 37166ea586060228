"""The extent of a traced scene, which the window shows at first: the objects, and the images that
light forms near them.
"""

from collections.abc import Collection
from dataclasses import fields

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.scene.hit_test import scene_extent
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.curves import Box
from raybench.trace.codes import Interaction
from raybench.trace.results.images import ImagePoints, PointRole, image_points
from raybench.trace.results.result import TraceResult

IMAGE_REACH = 2.0
"""The distance from the objects' bounding box, in units of its longer side, up to which images are
near.
"""
MAX_PAIRED_ROWS = 400
"""The largest number of rows of which every pair is examined."""
IGNORED_TAIL = 0.05
"""The share of the images' power that is ignored at each end of both axes, so that faint ghosts do
not count.
"""


def traced_scene_extent(
    scene: Scene, result: TraceResult | None, *, hidden: Collection[int] = ()
) -> Box | None:
    """The bounding box, in scene units, of the objects that are not ``hidden`` and of the images
    that light forms near them.

    None if there are no objects and images. Without a trace, the bounding box of the objects.
    """
    box = scene_extent(scene, hidden=hidden)
    return (
        box
        if result is None
        else box_with_images(box, visible_image_points(result, scene.settings))
    )


def visible_image_points(result: TraceResult, settings: Settings) -> ImagePoints:
    """The image points that are visible in the scene's view mode. In modes that show rays, also the
    points where rays of sources with a single ray cross behind an object; such crossings form no
    images, since only rays of one source are neighbours.
    """
    images = image_points(result, settings)
    if len(
        images
    ):  # rays that have met nothing cross at their source itself, with all of its power
        images = images.select(result.depth[images.row] > 0)
    if settings.mode not in ("rays", "extended"):
        return images
    row, at = _ray_crossings(result)
    crossed = ImagePoints(
        at,
        np.full(len(row), PointRole.REAL, np.uint8),
        result.drawn_power[row],
        result.wavelength[row],
        row,
    )
    return ImagePoints(
        *(
            np.concatenate([getattr(images, f.name), getattr(crossed, f.name)])
            for f in fields(ImagePoints)
        )
    )


def _ray_crossings(result: TraceResult) -> tuple[Integers, Floats]:
    """The crossings of rays of sources with a single ray, after they have left the same object:
    rows (n,) and points (n, 2).

    No crossings are returned if there are more than `MAX_PAIRED_ROWS` such rows.
    """
    first = np.flatnonzero(result.interaction == Interaction.SOURCE)
    source, rays = np.unique(result.source[first], return_counts=True)
    left = np.flatnonzero(np.isin(result.source, source[rays == 1]) & (result.parent >= 0))
    if not 2 <= len(left) <= MAX_PAIRED_ROWS:
        return np.zeros(0, np.int64), np.zeros((0, 2))
    leaves = result.hit[result.parent[left]]
    a, b = np.triu_indices(len(left), 1)
    together = (leaves[a] == leaves[b]) & (result.source_ray[left[a]] != result.source_ray[left[b]])
    a, b = left[a[together]], left[b[together]]
    along = result.p2[a] - result.p1[a]
    other = result.p2[b] - result.p1[b]
    apart = result.p1[b] - result.p1[a]
    with np.errstate(divide="ignore", invalid="ignore"):
        across = along[:, 0] * other[:, 1] - along[:, 1] * other[:, 0]
        s = (apart[:, 0] * other[:, 1] - apart[:, 1] * other[:, 0]) / across
        t = (apart[:, 0] * along[:, 1] - apart[:, 1] * along[:, 0]) / across
        crossed = (s > 0) & (s < 1) & (t > 0) & (t < 1)
    return a[crossed], result.p1[a[crossed]] + s[crossed, None] * along[crossed]


def box_with_images(box: Box | None, images: ImagePoints) -> Box | None:
    """The box enlarged to contain the image points near it. Without a box, the bounding box of all
    image points.
    """
    if not len(images):
        return box
    near = np.ones(len(images), bool)
    if box is not None:
        low, high = np.array(box[:2]), np.array(box[2:])
        reach = IMAGE_REACH * (high - low).max()
        near = ((images.at >= low - reach) & (images.at <= high + reach)).all(axis=1)
    power, at = images.power[near], images.at[near]
    if not power.sum() > 0:
        return box
    (left, right), (top, bottom) = _robust_extent(at[:, 0], power), _robust_extent(at[:, 1], power)
    if box is None:
        return left, top, right, bottom
    return min(box[0], left), min(box[1], top), max(box[2], right), max(box[3], bottom)


def _robust_extent(at: Floats, power: Floats) -> tuple[float, float]:
    """The smallest and the largest coordinate of points, after the fraction `IGNORED_TAIL` of their
    power is left out at each end.
    """
    order = np.argsort(at)
    reached = np.cumsum(power[order])
    low, high = np.searchsorted(reached, np.array([IGNORED_TAIL, 1 - IGNORED_TAIL]) * reached[-1])
    return float(at[order[low]]), float(at[order[min(high, len(order) - 1)]])
