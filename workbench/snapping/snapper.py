"""Snapping of the pointer on the canvas, with a tolerance in pixels; Alt suspends it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QTimer

from core.errors import elided
from core.kinds.kinds import row_of
from core.kinds.object import SceneObject
from core.shapes.curves import Box
from core.shapes.point import Point
from core.snapping.alignment import Alignment, Floats, Guide, aligned
from core.snapping.directions import Direction, Turned, directions_of, met_turn
from core.snapping.snap import Snap, met, near
from core.snapping.table import ALIGNMENT, DIRECTIONS, FOR_MOVES, GRID, SNAPS, UNUSUAL
from core.snapping.targets import FOCUS, Index
from workbench.canvas.modes.drags import Modifiers, axis_aligned, constrained, snapped

if TYPE_CHECKING:
    from workbench.canvas.view import CanvasView

REACH = 9.0
"""Largest distance in pixels from the pointer to what is met, unless another was chosen."""
SLICE = 400
"""Objects taken into the index at a time, so that a large scene does not hold the window."""
EXACT = 1e-3
"""Fraction of the tolerance within which a box is in line."""
MOST_TURN = 0.05
"""The largest turn in radians by which something meets a direction."""
MOST_POINTS = 12
"""Points of moved objects that are tried."""


class Snapper:
    """What the pointer meets. ``shown`` is the last place met, painted until `clear`; ``off`` are the kinds that
    the user switched off, ``reach`` the largest distance in pixels to what is met."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._index = Index()
        self._result = view.document.result
        self.shown: Snap | None = None
        self.guides: tuple[Guide, ...] = ()
        """The lines to what moved objects are aligned with."""
        self.off, self.reach = UNUSUAL, REACH
        self._warming = QTimer(view)
        self._warming.setInterval(0)
        self._warming.timeout.connect(self._warm)

    @property
    def on(self) -> frozenset[str]:
        """The kinds of places that are met now."""
        grid = {GRID} if self._view.document.scene.settings.snap_to_grid else set()
        return (frozenset(SNAPS) - self.off - {GRID}) | grid

    def clear(self) -> None:
        """Remove the guide."""
        if self.shown is not None or self.guides:
            self.shown, self.guides = None, ()
            self._view.update()

    @property
    def words(self) -> str:
        """What was met, in a few words; empty for nothing and for the grid."""
        if self.shown is None or self.shown.kind.id == GRID:
            return ""
        obj = self._view.document.scene.get(self._view.document.scene.owner_of(self.shown.met.key)) if self.shown.met.key else None
        kind, word = self.shown.kind, self.shown.met.word or self.shown.kind.word
        return f"{word} {kind.of} {elided(obj.title, 30)}" if obj is not None else word

    def snap(
        self, at: QPointF, modifiers: Modifiers, *, origin: Point | None = None, without: Collection[int] = (),
        along: Sequence[float] = (),
    ) -> Point:  # fmt: skip
        """The point for the pointer at ``at``, in pixels.

        Args:
            origin: The point from which something is drawn; with Shift the result lies at 0°, 45° or 90° from it, or at an angle of
                ``along``, in radians.
            without: Keys of the objects that are moved, which are not met.
        """
        return self.snap_point(self._view.camera.to_scene(at), modifiers, origin=origin, without=without, along=along)

    def snap_point(
        self, point: Point, modifiers: Modifiers, *, origin: Point | None = None, without: Collection[int] = (),
        along: Sequence[float] = (),
    ) -> Point:  # fmt: skip
        """As `snap`, for a point in scene units, which is rounded to what pixels resolve."""
        rounded = self._view.camera.rounded
        point = Point(rounded(point.x), rounded(point.y))
        straight = origin is not None and bool(modifiers & Modifiers.ShiftModifier)
        if straight and origin is not None:
            point = constrained(origin, point, along)
        found = None if modifiers & Modifiers.AltModifier else self._met(point, origin, without)
        self.shown, self.guides = found, ()
        self._view.update()
        if found is None:
            return point
        return constrained(origin, found.at, along) if straight and origin is not None and found.kind.id != GRID else found.at

    def snap_shift(
        self, points: Sequence[Point], dx: float, dy: float, modifiers: Modifiers, without: Collection[int], box: Box | None = None
    ) -> tuple[float, float]:
        """The shift of moved objects by which one of their ``points`` meets something, or else their bounding ``box`` is aligned with
        others; on the grid a multiple of its step.

        With Shift they move only horizontally or vertically.
        """
        rounded = self._view.camera.rounded
        dx, dy = axis_aligned(rounded(dx), rounded(dy), modifiers)
        self.shown, self.guides = None, ()
        if modifiers & Modifiers.AltModifier:
            return dx, dy
        best: tuple[int, float, Snap, Point] | None = None
        for p in points[:MOST_POINTS]:
            moved = Point(p.x + dx, p.y + dy)
            found = self._met(moved, None, without, FOR_MOVES)
            if found is not None and (best is None or (found.kind.rank, math.dist(found.at, moved)) < best[:2]):
                best = found.kind.rank, math.dist(found.at, moved), found, p
        if best is not None:
            _, _, self.shown, p = best
            to = self.shown.at
            return axis_aligned(to.x - p.x, to.y - p.y, modifiers) if modifiers & Modifiers.ShiftModifier else (to.x - p.x, to.y - p.y)
        settings = self._view.document.scene.settings
        step = settings.grid_size if settings.snap_to_grid else 0.0
        others = self._boxes(without) if box is not None and ALIGNMENT in self.on else np.empty((0, 4))
        reach = SNAPS[ALIGNMENT].reach * self.reach / self._view.camera.scale
        across, down = self._aligned(box, dx, dy, others, reach, modifiers)
        x, y = (d + found.shift if found is not None else snapped(d, step) if step else d for d, found in ((dx, across), (dy, down)))
        there = self._aligned(box, x, y, others, reach * EXACT, modifiers)
        self.guides = tuple(g for found in there if found is not None for g in found.guides)
        return x, y

    def _aligned(
        self, box: Box | None, dx: float, dy: float, others: Floats, reach: float, modifiers: Modifiers
    ) -> tuple[Alignment | None, Alignment | None]:
        """What a shifted box meets horizontally and vertically; with Shift only along the line of its movement."""
        if box is None or not len(others):
            return None, None
        across, down = aligned((box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy), others, reach)
        if modifiers & Modifiers.ShiftModifier:
            return (across, None) if dx else (None, down)
        return across, down

    def _boxes(self, without: Collection[int]) -> Floats:
        """The bounding boxes of the objects in sight."""
        self._take_in()
        view = self._view
        x, y, width, height = view.camera.rectangle(view.size_pair)
        return self._index.boxes_within((x, y, x + width, y + height), {*without, *view.document.session.base.hidden})

    def directions(self, keys: Collection[int]) -> tuple[list[Direction], list[Direction]]:
        """The directions of the objects with these keys, and those that they meet when they are turned."""
        base = self._view.document.session.base
        own: list[SceneObject] = []
        others: list[SceneObject] = []
        for obj in base.scene.objects:
            if obj.key not in base.hidden:
                (own if obj.key in keys else others).append(obj)
        return directions_of(own), directions_of(others)

    def snap_turn(
        self, angle: float, among: tuple[list[Direction], list[Direction]], radius: float, modifiers: Modifiers
    ) -> Turned | None:  # fmt: skip
        """What a turn by ``angle`` degrees meets among `directions`, if the pointer is ``radius`` pixels from the centre."""
        if modifiers & (Modifiers.AltModifier | Modifiers.ShiftModifier) or DIRECTIONS not in self.on or radius <= 0:
            return None
        return met_turn(angle, *among, math.degrees(min(SNAPS[DIRECTIONS].reach * self.reach / radius, MOST_TURN)))

    def _met(self, at: Point, begun: Point | None, without: Collection[int], among: Collection[str] = SNAPS) -> Snap | None:
        session, document = self._view.document.session, self._view.document
        scene = session.base.scene  # without the drag: what is drawn is no target, and the index stays
        self._take_in()
        if document.gesture is None or self._result is None:
            self._result = session.fresh_result  # rays of the scene as it was before the drag
        reach = self.reach / self._view.camera.scale
        hidden = session.base.hidden
        what = near(self._index, scene, self._result, at, reach, begun=begun, without={*without, *hidden})
        points = [p for p in what.points if p[1] != FOCUS or not self._is_element(p[2])]
        what = dataclasses.replace(what, points=points)
        return met(what, self.on.intersection(among))

    def _is_element(self, key: int) -> bool:
        """Whether an object is one of several lenses in a group, such as an achromat: it has no focus of its own then."""
        base = self._view.document.session.base
        others = {k for keys in base.groups.values() if key in keys for k in keys} - {key}
        axes = (row_of(o).axis(o) for k in others if (o := base.scene.get(k)) is not None)
        return any(axis is not None and axis.foci for axis in axes)

    def _take_in(self) -> None:
        scene = self._view.document.session.base.scene
        self._index.show(scene.objects, {k: e.parts for k, e in scene.expansions.items()}, SLICE)
        if not self._index.complete:
            self._warming.start()

    def _warm(self) -> None:
        """Take in some more objects while the window is idle."""
        self._take_in()
        if self._index.complete:
            self._warming.stop()
