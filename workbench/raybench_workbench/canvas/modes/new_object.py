"""What the create mode draws: how an object of a kind, a preset or a module is drawn, and the
change that adds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from raybench.scene.changes import Add, AddPreset
from raybench.scene.creation import (
    added,
    default_points,
    is_centred,
    is_click,
    is_path,
    is_preset,
    least_points,
    module_of,
    noun_of,
    row_of_points,
)
from raybench.scene.scene import Scene
from raybench.shapes.point import Point


@dataclass(frozen=True)
class NewObject:
    """A kind of object that is to be drawn. ``count`` is the number of points of a module's
    instance; None for other objects.
    """

    kind: str
    count: int | None = None

    @classmethod
    def of(cls, kind: str, scene: Scene) -> Self:
        """An object of a kind, a preset, or a module of the scene."""
        module = scene.modules.get(module_of(kind) or "")
        return cls(kind, module.point_count if module is not None else None)

    @property
    def noun(self) -> str:
        return noun_of(self.kind)

    @property
    def is_preset(self) -> bool:
        return is_preset(self.kind)

    @property
    def by_points(self) -> bool:
        """Whether the points are clicked one after the other."""
        return is_path(self.kind) or (self.count or 0) > 1

    @property
    def by_click(self) -> bool:
        """Whether a single click is enough."""
        return is_click(self.kind) or self.count in (0, 1)

    @property
    def least(self) -> int:
        """The minimum number of points, if they are clicked."""
        return least_points(self.kind) if self.count is None else self.count

    def hint(self, points: int, started: bool) -> str:
        """The instruction at the foot of the canvas, for a number of points, that at the pointer
        included, or once a drag has started.
        """
        new = f"New {self.noun}"
        if self.by_points:
            if not points:
                return f"{new}: click its points, or type where they are. Esc leaves the tool."
            if self.count is not None:
                return (
                    f"{new}: click its point {points} of {self.count}. Esc takes the last point"
                    " back."
                )
            more = (
                "click the first point or press Enter to finish"
                if points > self.least
                else "click its points"
            )
            return f"{new}: {more}. Esc takes the last point back."
        if self.is_preset:
            return (
                f"{new}: click or type its place, or drag to turn it. Its data are on the left. Esc"
                " leaves the tool."
            )
        if self.by_click:
            return f"{new}: click or type its place. Esc leaves the tool."
        if started:
            return (
                f"{new}: click its other end, or type a length and an angle. Shift: 45°, Ctrl:"
                " symmetric, Esc: back."
            )
        return (
            f"{new}: drag it out, click its ends, or type where the first is. Esc leaves the tool."
        )

    def ends(self, start: Point, point: Point, symmetric: bool) -> list[Point]:
        """The first and the last point of a drag; ``symmetric``: the drag starts at the middle, for
        objects that do not anyway.
        """
        if symmetric and not is_centred(self.kind) and not self.is_preset:
            return [Point(2 * start.x - point.x, 2 * start.y - point.y), point]
        return [start, point]

    def default_points(self, at: Point, size: float, *, begin: bool = False) -> list[Point]:
        """The points of an object of a default size, see `raybench.scene.creation.default_points`."""
        if self.count is None:
            return default_points(self.kind, at, size, begin=begin)
        return row_of_points(at, self.count, size, begin=begin)

    def change(
        self, points: Sequence[Point], values: Mapping[str, Any], size: float
    ) -> Add | AddPreset:
        """The change that adds it: a preset made of ``values``; an instance with its missing points
        ``size`` apart.
        """
        if self.count is not None and points:  # none are the default points of a module without any
            points = [*points, *row_of_points(points[-1], self.count, size, begin=True)[1:]][
                : self.count
            ]
        return added(self.kind, points, values)
