"""Snapping of the pointer and of moved objects to targets in the scene."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QTimer

from raybench.errors import elide_text
from raybench.kinds.kinds import kind_row_of
from raybench.scene.snapping.alignment import Alignment, Floats, GuideLine, find_alignments
from raybench.scene.snapping.snap import (
    Direction,
    Snap,
    SnappedAngle,
    edge_and_axis_directions,
    nearest_snap,
    snap_rotation,
    snap_targets_near,
)
from raybench.scene.snapping.targets import (
    ALIGNMENT,
    DIRECTIONS,
    FOCUS,
    GRID,
    MOVE_SNAPS,
    OFF_BY_DEFAULT,
    SNAPS,
    TargetIndex,
)
from raybench.shapes.curves import Box
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.drags import (
    Modifiers,
    align_to_axis,
    nearest_point_on_directions,
    snap_value,
)
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

SNAP_REACH = 9.0
"""Default tolerance: the largest distance in pixels from the pointer to a snap target."""
OBJECTS_PER_SLICE = 400
"""Number of objects added to the index at a time, so that a large scene does not block the window.
"""
EXACT_FRACTION = 1e-3
"""Fraction of the tolerance within which a box counts as aligned."""
MAX_TURN = 0.05
"""The largest rotation in radians by which an object snaps to a direction."""
MAX_POINTS = 12
"""Number of points of moved objects that are tried."""


class Snapper:
    """Finds the targets that the pointer or moved objects snap to. ``current`` is the last snap,
    shown until `clear_guide` is called; ``off`` are the kinds of targets that are switched off;
    ``reach`` is the tolerance in pixels.
    """

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._index = TargetIndex()
        self._result = view.document.result
        self.current: Snap | None = None
        self.guides: tuple[GuideLine, ...] = ()
        """The alignment lines of moved objects."""
        self.off, self.reach = OFF_BY_DEFAULT, SNAP_REACH
        self.off_before = OFF_BY_DEFAULT
        """The kinds that were off before all were switched off."""
        self._indexing = QTimer(view)
        self._indexing.setInterval(0)
        self._indexing.timeout.connect(self._index_more_objects)

    @property
    def enabled_kinds(self) -> frozenset[str]:
        """The kinds of targets that are switched on."""
        grid = {GRID} if self._view.document.scene.settings.snap_to_grid else set()
        return (frozenset(SNAPS) - self.off - {GRID}) | grid

    def clear_guide(self) -> None:
        """Remove the guide line of the last snap."""
        if self.current is not None or self.guides:
            self.current, self.guides = None, ()
            self._view.update()

    @property
    def snap_title(self) -> str:
        """The name of the current snap; empty for none and for the grid."""
        snap, scene = self.current, self._view.document.scene
        if snap is None or snap.kind.id == GRID:
            return ""
        obj = scene.get(scene.instance_key_of(snap.met.key)) if snap.met.key else None
        word = tr(snap.met.word or snap.kind.word)
        if obj is None:
            return word
        title = f"{{word}} {snap.kind.of} {{name}}"
        return tr(title, word=word, name=elide_text(obj.title, 30))

    def snap_pointer(
        self,
        at: QPointF,
        modifiers: Modifiers,
        *,
        origin: Point | None = None,
        without: Collection[int] = (),
    ) -> Point:
        """The scene point that the pointer at ``at``, in pixels, snaps to, see `snap_point`."""
        return self.snap_point(
            self._view.camera.to_scene(at), modifiers, origin=origin, without=without
        )

    def snap_point(
        self,
        point: Point,
        modifiers: Modifiers,
        *,
        origin: Point | None = None,
        without: Collection[int] = (),
        along: Sequence[float] = (),
    ) -> Point:
        """The point that ``point``, in scene units, snaps to. Without a target it is rounded to the
        decimals that a pixel can resolve.

        Args:
            origin: The point from which something is drawn; with Shift the result lies at 0°, 45°
                or 90° from it, or at an angle of ``along``, in radians.
            without: Keys of objects to ignore, such as those being moved.
        """
        rounded = self._view.camera.round_to_pixel
        point = Point(rounded(point.x), rounded(point.y))
        origin_of_line = origin if modifiers & Modifiers.ShiftModifier else None
        if origin_of_line is not None:
            point = nearest_point_on_directions(origin_of_line, point, along)
        snaps = not modifiers & Modifiers.AltModifier
        found = self._snap_nearest(point, origin, without) if snaps else None
        self.current, self.guides = found, ()
        self._view.update()
        if found is None:
            return point
        if origin_of_line is None or found.kind.id == GRID:
            return found.at
        return nearest_point_on_directions(origin_of_line, found.at, along)

    def snap_shift(
        self,
        points: Sequence[Point],
        dx: float,
        dy: float,
        modifiers: Modifiers,
        without: Collection[int],
        box: Box | None = None,
    ) -> tuple[float, float]:
        """The shift of moved objects after snapping. One of their ``points`` snaps to a target, or
        else their ``box`` is aligned with other boxes, or else the shift is a multiple of the grid
        step. With Shift they move only horizontally or vertically.
        """
        rounded = self._view.camera.round_to_pixel
        dx, dy = align_to_axis(rounded(dx), rounded(dy), modifiers)
        self.current, self.guides = None, ()
        if modifiers & Modifiers.AltModifier:
            return dx, dy
        shifts: list[tuple[int, float, Point, Snap]] = []
        for p in points[:MAX_POINTS]:
            moved = Point(p.x + dx, p.y + dy)
            found = self._snap_nearest(moved, None, without, MOVE_SNAPS)
            if found is not None:
                by = Point(found.at.x - p.x, found.at.y - p.y)
                shifts.append((found.kind.rank, math.dist(found.at, moved), by, found))
        if shifts:
            *_, by, self.current = min(shifts, key=lambda each: each[:2])
            return align_to_axis(by.x, by.y, modifiers)
        settings = self._view.document.scene.settings
        step = settings.grid_size if settings.snap_to_grid else 0.0
        aligns = box is not None and ALIGNMENT in self.enabled_kinds
        others = self._visible_boxes(without) if aligns else np.empty((0, 4))
        reach = SNAPS[ALIGNMENT].reach * self.reach / self._view.camera.scale
        across, down = self._align_box(box, dx, dy, others, reach, modifiers)
        x, y = (
            d + found.shift if found is not None else snap_value(d, step) if step else d
            for d, found in ((dx, across), (dy, down))
        )
        exact = self._align_box(box, x, y, others, reach * EXACT_FRACTION, modifiers)
        self.guides = tuple(g for found in exact if found is not None for g in found.guides)
        return x, y

    def _align_box(
        self,
        box: Box | None,
        dx: float,
        dy: float,
        others: Floats,
        reach: float,
        modifiers: Modifiers,
    ) -> tuple[Alignment | None, Alignment | None]:
        """The horizontal and the vertical alignment of a moved box with other boxes. With Shift,
        only the alignment along the direction of movement.
        """
        if box is None or not len(others):
            return None, None
        across, down = find_alignments(
            (box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy), others, reach
        )
        if modifiers & Modifiers.ShiftModifier:
            return (across, None) if dx else (None, down)
        return across, down

    def _visible_boxes(self, without: Collection[int]) -> Floats:
        """The bounding boxes of the visible objects."""
        self._fill_index()
        view = self._view
        x, y, width, height = view.camera.visible_rectangle(view.size_in_pixels)
        return self._index.boxes_within(
            (x, y, x + width, y + height), {*without, *view.document.session.base.hidden}
        )

    def snap_directions(self, keys: Collection[int]) -> tuple[list[Direction], list[Direction]]:
        """The directions of the objects with these keys, and the directions of all other objects,
        to which they snap when they are rotated.
        """
        base = self._view.document.session.base
        seen = [o for o in base.scene.objects if o.key not in base.hidden]
        own = [o for o in seen if o.key in keys]
        return edge_and_axis_directions(own), edge_and_axis_directions(
            [o for o in seen if o.key not in keys]
        )

    def snap_turn(
        self,
        angle: float,
        directions: tuple[list[Direction], list[Direction]],
        radius: float,
        modifiers: Modifiers,
    ) -> SnappedAngle | None:
        """The snapped rotation for an angle in degrees. ``directions`` is the result of
        `snap_directions`; the pointer is ``radius`` pixels from the centre.
        """
        free = modifiers & (Modifiers.AltModifier | Modifiers.ShiftModifier)
        if free or DIRECTIONS not in self.enabled_kinds or radius <= 0:
            return None
        turn = min(SNAPS[DIRECTIONS].reach * self.reach / radius, MAX_TURN)
        return snap_rotation(angle, *directions, math.degrees(turn))

    def _snap_nearest(
        self,
        at: Point,
        begun: Point | None,
        without: Collection[int],
        kinds: Collection[str] = SNAPS,
    ) -> Snap | None:
        session = self._view.document.session
        # without the drag: the object being drawn is not a target, and the index stays valid
        base = session.base
        self._fill_index()
        if self._view.document.gesture is None or self._result is None:
            self._result = session.fresh_result  # rays of the scene as it was before the drag
        reach, left_out = self.reach / self._view.camera.scale, {*without, *base.hidden}
        what = snap_targets_near(
            self._index, base.scene, self._result, at, reach, begun=begun, without=left_out
        )
        points = [p for p in what.points if p[1] != FOCUS or not self._is_lens_of_group(p[2])]
        what = dataclasses.replace(what, points=points)
        return nearest_snap(what, self.enabled_kinds.intersection(kinds))

    def _is_lens_of_group(self, key: int) -> bool:
        """Whether an object is one of several lenses in a group, such as an achromat. Its own focus
        is then no snap target.
        """
        base = self._view.document.session.base
        others = {k for keys in base.groups.values() if key in keys for k in keys} - {key}
        axes = (kind_row_of(o).axis(o) for k in others if (o := base.scene.get(k)) is not None)
        return any(axis is not None and axis.foci for axis in axes)

    def _fill_index(self) -> None:
        scene = self._view.document.session.base.scene
        self._index.add_objects(
            scene.objects, {k: e.parts for k, e in scene.expansions.items()}, OBJECTS_PER_SLICE
        )
        if not self._index.is_complete:
            self._indexing.start()

    def _index_more_objects(self) -> None:
        """Add the next objects to the snap index while the window is idle."""
        self._fill_index()
        if self._index.is_complete:
            self._indexing.stop()
