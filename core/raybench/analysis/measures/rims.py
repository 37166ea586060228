"""Traces rim rays: the outermost rays of each source. Rays of the scene start half a step inside
the rims, so the full width of a beam and the full angle of a fan lie between the rim rays.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, SingleRay, Source
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import TraceResult
from raybench.trace.run.emission import initial_rays
from raybench.trace.tolerances import ON_SURFACE
from raybench.trace.trace import trace

INSET = 1e-12
"""How far inside its end a beam's rim is, relative to its width, so that it meets what ends there.
"""
CLEAR_OF_CORNER = 2 * ON_SURFACE
"""How far inside, in scene units times the length scale, a second rim is, since the first one ends
at the corner of a body that is exactly as wide.
"""
SAME_WAY = 1e-12
"""Square of the difference of two directions that are one."""
MOST_SEGMENTS = 100_000
"""Segments of the rims at most."""


@dataclass(frozen=True, eq=False)
class RimRays:
    """The trace of the rim rays of all sources. ``sources`` maps each source in this trace to the
    index of the source in the scene, -1 for other objects.
    """

    result: TraceResult
    sources: Rows

    @classmethod
    def trace_from_sources(
        cls, scene: Scene, result: TraceResult, disabled: Collection[int], unit: str
    ) -> Self | None:
        """Trace the rim rays of a scene's sources, with the random numbers of its trace ``result``;
        None if no source has rim rays.
        """
        rims, sources = list[SceneObject](), list[int]()
        emitted = initial_rays(scene, disabled, draw=result.draw)
        for index, obj in enumerate(scene.optical):
            if isinstance(obj, AngleSource | Beam) and obj.key not in disabled:
                directions = emitted.direction[emitted.source == index]
                displacement = CLEAR_OF_CORNER * scene.settings.length_scale
                own = list(_rim_rays(obj, directions, displacement)) if len(directions) else []
                rims += own
                sources += [index] * len(own)
        if not rims:
            return None
        # a ray without a direction takes the place of each source, so that indices stay
        dark = [
            SingleRay(p1=Point(0, 0), p2=Point(0, 0)) if isinstance(o, Source) else o
            for o in scene.optical
        ]
        lit = Scene.of([*dark, *rims], scene.settings)
        traced = trace(
            lit,
            disabled=disabled,
            unit=unit,
            revision=result.revision,
            max_segments=MOST_SEGMENTS,
            threads=1,
        )
        return cls(traced, np.array([-1] * len(dark) + sources))

    def rim_rows_on_same_paths(self, result: TraceResult, rows: Rows, *, ends: bool) -> Rows:
        """The segments of rim rays that have the same source and path as one of the scene's
        segments ``rows``. Paths are compared up to the ends of the segments or, if ``ends`` is
        false, up to their starts.
        """
        own = np.flatnonzero(np.isin(self.sources, np.unique(result.source[rows])))
        candidates = np.flatnonzero(np.isin(self.result.source, own))
        keys = path_keys(self.result, candidates, ends=ends)
        same = np.isin(keys, path_keys(result, rows, ends=ends))
        if not ends:  # behind a detector a path goes on as the one before it
            same &= np.isin(
                _object_indices_at_starts(self.result, candidates),
                _object_indices_at_starts(result, rows),
            )
        return candidates[same]


def _object_indices_at_starts(result: TraceResult, rows: Rows) -> Rows:
    """The index of the object at which each segment starts; -1 for a source."""
    above = result.parent[rows].astype(np.int64)
    return np.where(above < 0, -1, result.hit[above])


def _rim_rays(
    source: AngleSource | Beam, directions: Floats, displacement: float
) -> Iterator[SingleRay]:
    """The rim rays of a source that emits in ``directions`` (n, 2). A fan has one at each edge. A
    beam has two at each end of its line, the second displaced by ``displacement``; a diverging beam
    has them at both edges of its cones.
    """
    if isinstance(source, AngleSource) and 0 < source.emis_angle < 360:
        x, y = directions[0].tolist()  # at one edge
        for turn in (0.0, math.radians(source.emis_angle)):
            c, s = math.cos(turn), math.sin(turn)
            yield _make_rim_ray(source, source.p1, (c * x - s * y, s * x + c * y))
    elif isinstance(source, Beam):
        dx, dy = source.p2.x - source.p1.x, source.p2.y - source.p1.y
        length = math.hypot(dx, dy)
        parallel = float(((directions - directions[0]) ** 2).sum(axis=1).max()) <= SAME_WAY
        half = 0.0 if parallel else math.radians(source.emis_angle) / 2
        axis = math.atan2(-dx, dy)
        displacement = min(displacement / length, 0.5)
        for along in (INSET, displacement, 1 - displacement, 1 - INSET):
            at = Point(source.p1.x + along * dx, source.p1.y + along * dy)
            for turn in (half, -half) if half else (0.0,):
                way = (math.cos(axis + turn), math.sin(axis + turn))
                yield _make_rim_ray(source, at, way if half else (dy / length, -dx / length))


def _make_rim_ray(source: AngleSource | Beam, at: Point, way: tuple[float, float]) -> SingleRay:
    return SingleRay(
        p1=at, p2=Point(at.x + way[0], at.y + way[1]), brightness=1.0, wavelength=source.wavelength
    )
