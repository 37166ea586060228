"""Random scenes of many kinds of objects, for comparison of two ways to trace them."""

from __future__ import annotations

import numpy as np

from raybench.kinds.blockers import Aperture, CircleBlocker
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, IdealMirror, Mirror, ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import PointSource
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex


def random_object(rng: np.random.Generator) -> SceneObject:
    """One object of any kind, about 10 units in size, somewhere in a field of 200."""
    x, y = rng.uniform(0, 200, 2)
    a, b, c, d = (Point(x + dx, y + dy) for dx, dy in rng.uniform(-6, 6, (4, 2)))
    middle = Point((a.x + b.x) / 2 + (b.y - a.y) / 4, (a.y + b.y) / 2 - (b.x - a.x) / 4)
    arc = tuple(
        Vertex(p.x, p.y, i == 1) for i, p in enumerate((a, middle, b, Point(a.x - 3, b.y - 3)))
    )
    kinds: list[SceneObject] = [
        Mirror(p1=a, p2=b), ArcMirror(p1=a, p2=b, p3=middle), ParabolicMirror(p1=a, p2=b, p3=middle),
        IdealMirror(p1=a, p2=b, focal_length=20), BeamSplitter(p1=a, p2=b), IdealLens(p1=a, p2=b, focal_length=-15),
        Glass(path=tuple(Vertex(*p) for p in (a, b, c))), Glass(path=arc), CircleGlass(p1=a, p2=b), CircleBlocker(p1=a, p2=b),
        Aperture(p1=a, p3=b, p4=c, p2=d), DiffractionGrating(p1=a, p2=b), ConcaveDiffractionGrating(p1=a, p2=b, p3=middle),
        SphericalLens(p1=a, p2=b, params={"d": 3, "r1": 20, "r2": -20}),
    ]  # fmt: skip
    return kinds[int(rng.integers(len(kinds)))]


def random_scene(seed: int, count: int) -> Scene:
    rng = np.random.default_rng(seed)
    floor = PlaneGlass(p1=Point(0, 230), p2=Point(200, 240))
    objects = [
        PointSource(x=100, y=100, brightness=3),
        floor,
        *(random_object(rng) for _ in range(count)),
    ]
    return Scene.of(objects, Settings(ray_mode_density=3, max_ray_depth=12))
