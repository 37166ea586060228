"""The view state of a document: the visible area, and the highlighted and filtered rays. It is
immutable, and undo does not affect it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.rays.ray_filter import NO_FILTER, RayFilter
from raybench.scene.document import Document
from raybench.shapes.curves import Box
from raybench.trace.codes import Completion
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

CAMERA_STEP_SECONDS = 1.0
"""Seconds between two motions of the camera from which on each is a step of its own."""
MOST_VIEWS = 100
ZOOM_MARGIN = 0.2
"""Free space around what is zoomed to, as a fraction of its size."""


@dataclass(frozen=True, eq=False)
class PickedRays:
    """The rays that the user has selected: their ``rows`` (k,) in the trace, in the order of
    selection. Two sets are equal if they have the same rows.
    """

    rows: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def from_rows(cls, *rows: int) -> PickedRays:
        """Picked rays with the given row numbers."""
        return cls(np.array(rows, np.int64))

    @cached_property
    def highest_row(self) -> int:
        """The largest row number; -1 if no ray is picked."""
        return int(self.rows.max(initial=-1))

    def with_row(self, row: int) -> PickedRays:
        """The picked rays with one more ray, which is the last selected."""
        return PickedRays(np.append(self.rows[self.rows != row], row))

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PickedRays) and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash(self.rows.tobytes())


NO_RAYS = PickedRays()


@dataclass(frozen=True)
class View:
    """The view state. ``camera`` is the visible rectangle (x, y, width, height) in scene units;
    None shows the whole scene.

    A ray is visible if it passes ``ray_filter`` and, if ``specific_rays`` is set, belongs to this
    set. ``specific_rays`` refer to the rows of one trace, and are ignored while another trace is
    displayed. ``coloring`` names the quantity shown by the rays' colours
    (`raybench.raster.coloring`); empty for the scene's colour mode. ``whole_paths`` says whether
    ancestors and descendants of ``picked`` rays are highlighted too.
    """

    camera: tuple[float, float, float, float] | None = None
    highlight: RaySet | None = None
    picked: PickedRays = NO_RAYS
    whole_paths: bool = False
    ray_filter: RayFilter = NO_FILTER
    specific_rays: RaySet | None = None
    coloring: str = ""

    @property
    def has_ray_filter(self) -> bool:
        """Whether the view has a filter that may hide rays."""
        return bool(self.ray_filter) or self.specific_rays is not None

    def visible_rows(self, result: TraceResult) -> NDArray[np.int64] | None:
        """The rows (n,) of a trace that are visible, in ascending order. None if all rows are
        visible.
        """
        specific = self.specific_rays
        if specific is not None and (
            specific.revision != result.revision or result.completion == Completion.REDUCED
        ):
            specific = None
        if not self.ray_filter and specific is None:
            return None
        mask = self.ray_filter.mask(result)
        if specific is not None:
            chosen = np.zeros(len(result), bool)
            chosen[specific.rows] = True
            mask &= chosen
        return np.flatnonzero(mask)

    def description(self, document: Document) -> str:
        """The ray filters in words, such as ``power ≥ 0.1, from Laser, only R1``. Empty without
        filters.
        """
        parts = (
            [words] if (words := self.ray_filter.description(document.scene, document.unit)) else []
        )
        if self.specific_rays is not None:
            only = f"only {self.specific_rays.name or self.specific_rays.question}"
            stale = self.specific_rays.revision != document.revision
            parts.append(f"{only} (of an earlier trace: hides nothing)" if stale else only)
        return ", ".join(parts)

    def without_ray_filter(self) -> Self:
        """The view without ray filters."""
        return dataclasses.replace(self, ray_filter=NO_FILTER, specific_rays=None)


@dataclass
class ViewHistory:
    """The views before and after the present one, for going back and forward. Picked rays are not
    stored, since they belong to one trace.
    """

    earlier: list[View] = field(default_factory=list)
    later: list[View] = field(default_factory=list)
    _moved: float = -math.inf
    """When the camera was last moved, in seconds; infinitely long ago if something else has changed
    since.
    """

    def record_view_change(self, before: View, after: View, now: float) -> None:
        """Record that the view ``before`` was replaced by ``after`` at the time ``now`` (s). If the
        camera was moved less than `CAMERA_STEP_SECONDS` ago, this continues the same movement.
        """
        before, after = _without_picked_rays(before), _without_picked_rays(after)
        if before == after:
            return
        moves = dataclasses.replace(before, camera=after.camera) == after
        if not (moves and now - self._moved < CAMERA_STEP_SECONDS):
            self.earlier = [*self.earlier, before][-MOST_VIEWS:]
        self.later.clear()
        self._moved = now if moves else -math.inf

    def go_back(self, now: View) -> View:
        """Go back in the history. Returns the previous view, or the present one if there is none."""
        return self._go_to_view(self.earlier, self.later, now)

    def go_forward(self, now: View) -> View:
        """Go forward in the history. Returns the view that `go_back` left, or the present view if
        there is none.
        """
        return self._go_to_view(self.later, self.earlier, now)

    def _go_to_view(self, from_views: list[View], to_views: list[View], present: View) -> View:
        if not from_views:
            return present
        to_views.append(_without_picked_rays(present))
        self._moved = -math.inf
        return dataclasses.replace(
            from_views.pop(), picked=present.picked, whole_paths=present.whole_paths
        )


def _without_picked_rays(view: View) -> View:
    return dataclasses.replace(view, picked=NO_RAYS, whole_paths=False)


def camera_for_boxes(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    """The visible rectangle that shows all boxes (left, top, right, bottom), with some space around
    them.
    """
    ends = np.array(boxes)
    (left, top), (right, bottom) = (
        ends[:, :2].min(axis=0).tolist(),
        ends[:, 2:].max(axis=0).tolist(),
    )
    margin = ZOOM_MARGIN * max(right - left, bottom - top, 1e-9)
    return left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin


def extent_of_rays(result: TraceResult, rays: RaySet) -> Box:
    """The bounding box (left, top, right, bottom) of the ends of some rays. There must be at least
    one ray.
    """
    ends = np.concatenate([result.p1[rays.rows], result.p2[rays.rows]])
    (left, top), (right, bottom) = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
    return left, top, right, bottom
