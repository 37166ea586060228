"""The refractive index at any point of a scene; where bodies overlap, their indices are multiplied."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from raybench.analysis.geometry.containment import within
from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.scene.traced_outline import box_as_traced, edges_as_traced
from raybench.kinds.glasses import GlassBody
from raybench.kinds.outline import Edge
from raybench.optics.colour import GREEN
from raybench.scene.scene import Scene
from raybench.shapes.curves import Box


@dataclass(frozen=True, eq=False)
class Media:
    """The enabled glass bodies of a scene with their outlines and bounding boxes, for point
    queries.

    ``boxes`` (bodies, 4): left, top, right, bottom.
    """

    bodies: tuple[GlassBody, ...]
    outlines: tuple[tuple[Edge, ...], ...]
    boxes: Floats
    wavelength: float
    simulate_colors: bool

    @classmethod
    def of(cls, scene: Scene, disabled: Collection[int] = (), wavelength: float = GREEN) -> Media:
        bodies = tuple(
            o for o in scene.expanded if isinstance(o, GlassBody) and o.key not in disabled
        )
        outlines = tuple(edges_as_traced(o, scene) for o in bodies)
        boxes = np.array([box_as_traced(o, scene) for o in bodies]).reshape(-1, 4)
        return cls(bodies, outlines, boxes, wavelength, scene.settings.simulate_colors)

    def meets(self, box: Box, margin: float) -> Mask:
        """Mask of the bodies whose bounding boxes come within ``margin`` of a box."""
        low, high = np.array(box[:2]) - margin, np.array(box[2:]) + margin
        mask: Mask = np.all((self.boxes[:, :2] <= high) & (low <= self.boxes[:, 2:]), axis=1)
        return mask

    def inside(self, points: Floats) -> Mask:
        """Mask (bodies, n): which bodies contain which points (n, 2)."""
        out = np.zeros((len(self.bodies), len(points)), bool)
        for k, rows in self.rows_inside(points):
            out[k, rows] = True
        return out

    def rows_inside(self, points: Floats) -> Iterator[tuple[int, Rows]]:
        """The bodies that contain some of the points (n, 2), in order, each with the indices of
        these points.
        """
        by_x, y = np.argsort(points[:, 0], kind="stable"), points[:, 1]
        first = np.searchsorted(points[by_x, 0], self.boxes[:, 0], side="right")
        last = np.searchsorted(points[by_x, 0], self.boxes[:, 2], side="left")
        for k in np.flatnonzero(first < last).tolist():
            in_x_range = by_x[first[k] : last[k]]
            near = in_x_range[
                (y[in_x_range] > self.boxes[k, 1]) & (y[in_x_range] < self.boxes[k, 3])
            ]
            near = near[within(self.outlines[k], points[near], 0.0)] if len(near) else near
            if len(near):
                yield k, near

    def index_at(self, points: Floats, contained: Mask | None = None) -> Floats:
        """The refractive index at points (n, 2), (n,); 1 where there is no body. ``contained``:
        `inside` of the points, if known.
        """
        index = np.ones(len(points))
        known = (
            None
            if contained is None
            else (
                (int(k), np.flatnonzero(contained[k]))
                for k in np.flatnonzero(contained.any(axis=1))
            )
        )
        with np.errstate(over="ignore"):  # infinite within thousands of bodies
            for k, rows in self.rows_inside(points) if known is None else known:
                index[rows] *= self.bodies[k].index_at(
                    points[rows], self.wavelength if self.simulate_colors else None
                )
        return index

    def chosen(self, which: Mask) -> Media:
        """The bodies selected by a mask."""
        indices = np.flatnonzero(which).tolist()
        return replace(
            self,
            bodies=tuple(self.bodies[k] for k in indices),
            outlines=tuple(self.outlines[k] for k in indices),
            boxes=self.boxes[indices],
        )


def index_by_colour(
    scene: Scene, wavelengths: Floats, *points: Floats, disabled: Collection[int] = ()
) -> list[Floats]:
    """The refractive indices (n,) at each array of ``points`` (n, 2), for light of ``wavelengths``
    (n,) in nm, NaN for `GREEN`.
    """
    media, indices = Media.of(scene, disabled), [np.ones(len(wavelengths)) for _ in points]
    colours, which = np.unique(
        np.where(np.isnan(wavelengths), GREEN, wavelengths), return_inverse=True
    )
    for k, nm in enumerate(colours.tolist()):
        same, of_colour = np.flatnonzero(which == k), replace(media, wavelength=nm)
        for index, at in zip(indices, points, strict=True):
            index[same] = of_colour.index_at(at[same])
    return indices
