"""Ghosts: light that reaches a surface after an even number of reflections that a lens designer did not intend.

A weak reflection at a glass surface sends light back; a second one sends it on again, towards the detector, as a faint false image.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.geometry.straight import Mask, Rows
from core.analysis.paths.paths import PathGroups, group_paths
from core.kinds.glasses import GlassBody
from core.scene.scene import Scene
from core.trace.codes import Interaction, Status
from core.trace.results.result import TraceResult


@dataclass(frozen=True, eq=False)
class Ghosts:
    """The light that arrives at an object, and which of it are ghosts.

    ``arriving``: the power of all light that arrives. ``paths``: the ghosts' paths, grouped by the surfaces they meet. ``extra``
    (groups,): how many partial reflections each group has; even, and 2 or more. ``stray``: the power that arrives after an odd number.
    """

    arriving: float
    paths: PathGroups
    extra: Rows
    stray: float

    @property
    def power(self) -> float:
        """The power of all ghosts."""
        return float(self.paths.power.sum())

    @property
    def share(self) -> float:
        """The ghosts' share of the power that arrives, 0 where none does."""
        return self.power / self.arriving if self.arriving > 0 else 0.0


def extra_reflections(result: TraceResult, scene: Scene) -> Rows:
    """How many partial reflections at glass each segment's path has, (n,). Mirrors, splitters and total reflection are intended."""
    glass = np.array([isinstance(o, GlassBody) for o in scene.optical] + [False])
    at_glass: Mask = np.zeros(len(result), bool)
    child = np.flatnonzero(result.parent >= 0)
    at_glass[child] = glass[result.hit[result.parent[child]]]
    partial = at_glass & (result.interaction == Interaction.REFLECT)
    return result.lineage.along_path(partial.astype(np.int64))


def ghosts_at(result: TraceResult, scene: Scene, obj: int) -> Ghosts:
    """The ghosts that reach an optical object, given by its index, such as a detector or a screen.

    Light that was cut there for the depth of its path does not arrive. What passes a detector twice arrives twice.
    """
    rows = np.flatnonzero((result.hit == obj) & (result.status != Status.DEPTH))
    extra, power = extra_reflections(result, scene), result.total_power
    ghostly = rows[(extra[rows] >= 2) & (extra[rows] % 2 == 0)]
    paths = group_paths(result, ghostly)
    stray = float(power[rows[extra[rows] % 2 == 1]].sum())
    return Ghosts(float(power[rows].sum()), paths, extra[paths.ends[paths.first[:-1]]], stray)
