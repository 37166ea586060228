"""Ghosts: light that reaches a surface after an even number of unintended partial reflections at
glass.

One partial reflection sends light backwards, a second one forwards again, towards the detector,
where it forms a faint spurious image.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Mask, Rows
from raybench.analysis.paths.paths import PathGroups, group_paths
from raybench.kinds.glasses import GlassBody
from raybench.scene.scene import Scene
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.result import TraceResult


@dataclass(frozen=True, eq=False)
class Ghosts:
    """The light that arrives at an object, and the ghosts in it.

    ``arriving``: total arriving power. ``paths``: the paths of the ghosts, grouped by the surfaces
    they meet. ``extra`` (groups,): number of partial reflections of each group, even and at least
    2. ``stray``: power arriving after an odd number of partial reflections.
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
    def fraction(self) -> float:
        """Ghost power over arriving power; 0 if no light arrives."""
        return self.power / self.arriving if self.arriving > 0 else 0.0


def extra_reflections(result: TraceResult, scene: Scene) -> Rows:
    """The number of partial reflections at glass on each segment's path, (n,). Mirrors, splitters
    and total reflection do not count.
    """
    glass = np.array([isinstance(o, GlassBody) for o in scene.optical] + [False])
    at_glass: Mask = np.zeros(len(result), bool)
    child = np.flatnonzero(result.parent >= 0)
    at_glass[child] = glass[result.hit[result.parent[child]]]
    partial = at_glass & (result.interaction == Interaction.REFLECT)
    return result.lineage.along_path(partial.astype(np.int64))


def ghosts_at(result: TraceResult, scene: Scene, obj: int) -> Ghosts:
    """The ghosts that reach an optical object, given by its index, such as a detector or a screen.

    Light ended there by the depth limit does not count. Light that passes a detector twice counts
    twice.
    """
    rows = np.flatnonzero((result.hit == obj) & (result.status != Status.DEPTH))
    extra, power = extra_reflections(result, scene), result.total_arriving_power
    ghostly = rows[(extra[rows] >= 2) & (extra[rows] % 2 == 0)]
    paths = group_paths(result, ghostly)
    stray = float(power[rows[extra[rows] % 2 == 1]].sum())
    return Ghosts(float(power[rows].sum()), paths, extra[paths.ends[paths.first[:-1]]], stray)
