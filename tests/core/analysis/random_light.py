"""Random scenes and their light, for tests that ask the same question twice: of the arrays, and of
each ray in plain Python.
"""

from __future__ import annotations

import math

import numpy as np
import shapely

from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, GlassBody
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, Shape
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


def random_scene(rng: np.random.Generator) -> Scene:
    """Two or three bodies with straight and round sides, apart from each other, a few flat things,
    and two sources.
    """
    objects: list[SceneObject] = []
    for i in range(int(rng.integers(2, 4))):
        cx, cy = 40.0 * i + rng.uniform(-4, 4), rng.uniform(-6, 6)
        objects.append(_body(rng, cx, cy, f"Glass {chr(65 + i)}"))
    flats = (
        (Mirror, "Mirror"),
        (BeamSplitter, "Splitter"),
        (Detector, "Screen"),
        (Blocker, "Dump"),
        (IdealLens, "Lens"),
    )
    for kind, name in flats:
        if rng.random() < 0.7:
            (x, y), angle = rng.uniform((-30, 25), (110, 45)), rng.uniform(0, math.pi)
            y = y if rng.random() < 0.5 else -y
            dx, dy = 9 * math.cos(angle), 9 * math.sin(angle)
            objects.append(kind(p1=Point(x - dx, y - dy), p2=Point(x + dx, y + dy), name=name))
    objects.append(PointSource(x=rng.uniform(-40, -30), y=rng.uniform(-15, 15), name="Lamp"))
    objects.append(
        SingleRay(
            p1=Point(-35, rng.uniform(-20, 20)), p2=Point(0, rng.uniform(-3, 3)), name="Laser"
        )
    )
    mode = "default" if rng.random() < 0.5 else "linear"
    return Scene.of(objects, Settings(ray_mode_density=0.06, color_mode=mode, max_ray_depth=12))


def random_light(rng: np.random.Generator) -> tuple[Scene, TraceResult]:
    scene = random_scene(rng)
    return scene, trace(scene, threads=1, max_segments=600)


def _body(rng: np.random.Generator, cx: float, cy: float, name: str) -> GlassBody:
    index = float(rng.uniform(1.3, 1.9))
    if rng.random() < 0.25:
        return CircleGlass(
            p1=Point(cx, cy),
            p2=Point(cx + float(rng.uniform(5, 14)), cy),
            ref_index=index,
            name=name,
        )
    n = int(rng.integers(3, 7))
    angles = (np.arange(n) + rng.uniform(-0.3, 0.3, n)) * 2 * math.pi / n
    corners = [
        (cx + math.cos(a) * r, cy + math.sin(a) * r)
        for a, r in zip(angles, rng.uniform(8, 15, n), strict=True)
    ]
    path: list[Vertex] = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        path.append(Vertex(ax, ay))
        if rng.random() < 0.4:
            bulge = rng.uniform(-0.12, 0.2)
            path.append(
                Vertex((ax + bx) / 2 + bulge * (by - ay), (ay + by) / 2 - bulge * (bx - ax), True)
            )
    return Glass(path=tuple(path), ref_index=index, name=name)


def sampled(shape: Shape) -> list[Point]:
    """A side as a fine polyline."""
    return [shape.at(i / 1500) for i in range(1501)] if isinstance(shape, Arc) else shape.points()


def polygon_of(body: SceneObject) -> shapely.Polygon:
    """A body's outline with its arcs finely sampled."""
    return shapely.Polygon([p for e in object_edges(body) for p in sampled(e.shape)[:-1]])
