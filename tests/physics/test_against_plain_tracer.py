"""Random scenes of many kinds at once, row by row against a second, plain tracer."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from core.kinds.blockers import Blocker
from core.kinds.detectors import Detector
from core.kinds.glasses import CircleGlass, Glass, PlaneGlass
from core.kinds.gratings import DiffractionGrating
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import ArcMirror, BeamSplitter, Mirror
from core.kinds.object import SceneObject
from core.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.shapes.point import Point, Vertex
from core.trace.trace import trace
from tests.physics.plain_tracer import plain_trace

MOST = 600
DEEP = 6
"""Interactions after which rounding may have grown too much to compare."""
WAVES = (450.0, 532.8, 589.3, 632.8)


def somewhere(random: Random) -> Point:
    return Point(random.uniform(-200, 200), random.uniform(-150, 150))


def ends(random: Random) -> dict[str, Point]:
    a, angle, length = somewhere(random), random.uniform(0, 2 * math.pi), random.uniform(40, 120)
    return {"p1": a, "p2": Point(a.x + length * math.cos(angle), a.y + length * math.sin(angle))}


def bowed(random: Random) -> dict[str, Point]:
    both, bow = ends(random), random.choice([-1, 1]) * random.uniform(0.1, 0.8)
    a, b = both["p1"], both["p2"]
    return both | {"p3": Point((a.x + b.x) / 2 - bow * (b.y - a.y), (a.y + b.y) / 2 + bow * (b.x - a.x))}


def band(random: Random) -> dict[str, object]:
    return {"filter": random.random() < 0.5, "invert": random.random() < 0.3, "wavelength": random.choice(WAVES), "bandwidth": 60}


def glass(random: Random) -> dict[str, object]:
    index = random.choice([0.8, 1.2, 1.5, 2.4, -1.3])
    return {"ref_index": index, "cauchy_b": random.choice([0.0, 0.02]), "partial_reflect": random.random() < 0.8}


def outline(random: Random) -> tuple[Vertex, ...]:
    """A polygon, some that cross themselves."""
    middle = somewhere(random)
    return tuple(Vertex(middle.x + random.uniform(-70, 70), middle.y + random.uniform(-70, 70)) for _ in range(random.randint(3, 6)))


def light(random: Random) -> SceneObject:
    shared = {"brightness": random.choice([0.01, 0.5, 2.5]), "wavelength": random.choice(WAVES)}
    match random.randrange(4):
        case 0:
            return SingleRay(**ends(random), **shared)
        case 1:
            return PointSource(x=random.uniform(-200, 200), y=random.uniform(-150, 150), **shared)
        case 2:
            return AngleSource(**ends(random), **shared, emis_angle=50, symmetric=random.random() < 0.5)
        case _:
            return Beam(**ends(random), **shared, emis_angle=random.choice([0, 31]), lambert=random.random() < 0.5)


def thing(random: Random) -> SceneObject:
    match random.randrange(11):
        case 0:
            return Mirror(**ends(random), **band(random))
        case 1:
            return ArcMirror(**bowed(random), **band(random))
        case 2:
            return BeamSplitter(**ends(random), **band(random), trans_ratio=random.choice([0.005, 0.3, 0.98]))
        case 3:
            return IdealLens(**ends(random), focal_length=random.choice([-60, 80]))
        case 4:
            orders = {"custom_brightness": random.random() < 0.5, "brightnesses": (0.3, 0.4, 0.1, 0.05)}
            return DiffractionGrating(**ends(random), **orders, line_density=random.choice([150, 900]), mirrored=random.random() < 0.5)
        case 5:
            return Detector(**ends(random))
        case 6:
            return Blocker(**ends(random), **band(random))
        case 7:
            return CircleGlass(**ends(random), **glass(random))
        case 8:
            return PlaneGlass(**ends(random), **glass(random))
        case _:
            return Glass(path=outline(random), **glass(random))


def bench(seed: int) -> Scene:
    """A scene of light and things in any order; one in four is large enough for the hierarchy."""
    random = Random(seed)
    count = random.randint(14, 22) if seed % 4 == 0 else random.randint(2, 6)
    objects = [light(random) for _ in range(random.randint(1, 2))] + [thing(random) for _ in range(count)]
    random.shuffle(objects)
    settings = Settings(
        mode=random.choice(["rays", "observer"]), color_mode=random.choice(["default", "linear"]), simulate_colors=random.random() < 0.6,
        ray_mode_density=0.08, image_mode_density=0.05, max_ray_depth=random.choice([3.0, math.inf]),
        length_scale=random.choice([1.0, 2.0]),
    )  # fmt: skip
    return Scene.of(objects, settings)


@pytest.mark.parametrize("seed", range(60))
def test_every_row_is_that_of_the_plain_tracer(seed: int) -> None:
    scene = bench(seed)
    wanted, measured = plain_trace(scene, MOST)
    found = trace(scene, threads=1, max_segments=MOST + 1)
    assert len(found) == len(wanted)
    along = (found.p2 - found.p1) / np.hypot(*(found.p2 - found.p1).T)[:, None]
    end = np.where(found.escaped[:, None], found.p1 + 100 * along, found.p2)
    for i, row in enumerate(wanted):
        if row.depth <= DEEP:
            actual = (found.hit[i], found.parent[i], found.depth[i], found.source_ray[i])
            assert actual == (row.hit, row.parent, row.depth, row.source_ray), f"row {i}"
            far = max(1.0, abs(row.end) / 1000)
            np.testing.assert_allclose(
                [*found.p1[i], *end[i]], [row.start.real, row.start.imag, row.end.real, row.end.imag], atol=1e-6 * far
            )
            np.testing.assert_allclose(found.power[i], [row.s, row.p], rtol=1e-6, atol=1e-12)
    if max(r.depth for r in wanted) <= DEEP:
        assert {d.index: d.power for d in found.detectors} == pytest.approx(measured, rel=1e-9, abs=1e-12)
