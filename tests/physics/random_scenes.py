"""Random scenes of many kinds at once, for comparison with the plain tracer."""

from __future__ import annotations

import math
from random import Random

from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.curved_glasses import CustomGlass
from raybench.kinds.custom_surfaces import CustomArcSurface, CustomSurface, OutRayFormulas
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, CustomMirror, IdealMirror, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex

WAVES = (450.0, 532.8, 589.3, 632.8)
OUT_RAYS = tuple(
    OutRayFormulas(angle, power)
    for angle, power in (
        (r"\theta_0", r"0.7\cdot P_0"), (r"\pi-\theta_0", r"P_0-P_1"), (r"0.5\cdot\theta_0", r"0.1\cdot P_0"),
        (r"\theta_0+0.2\cdot p", r"P_0"), (r"\pi-\theta_0+0.1\cdot t", r"0.3\cdot P_0\cdot\left(1+p\right)"),
        (r"\theta_0", r"0.01\cdot P_0"), (r"0.1\cdot n_0-0.2\cdot n_1", r"0.4\cdot P_0"),
        (r"\arcsin\left(2\cdot\sin\left(\theta_0\right)\right)", r"0.5\cdot P_0"),
        (r"\left(\lambda-500\right)\cdot 0.001", r"0.001\cdot P_0"), (r"\pi", r"P_0"),
    )
)  # fmt: skip
"""Outgoing rays that may stand at any place in a list but for P_1, which needs one before it."""
GRAPHS = (
    r"0.2\cdot\operatorname{floor}\left(1.9\cdot x\right)", r"0.3\cdot\operatorname{sgn}\left(x-0.25\right)",
    r"0.4\cdot\operatorname{sgn}\left(x\right)",
    r"0.1\cdot\operatorname{floor}\left(2.3\cdot x\right)+0.2\cdot x", r"0.5\cdot\operatorname{abs}\left(x\right)", "0.1",
)  # fmt: skip


def somewhere(random: Random) -> Point:
    return Point(random.uniform(-200, 200), random.uniform(-150, 150))


def ends(random: Random) -> dict[str, Point]:
    a, angle, length = somewhere(random), random.uniform(0, 2 * math.pi), random.uniform(40, 120)
    return {"p1": a, "p2": Point(a.x + length * math.cos(angle), a.y + length * math.sin(angle))}


def on_the_grid(random: Random) -> dict[str, Point]:
    """Ends along an axis, at multiples of ten."""
    x, y, length = (
        random.randrange(-15, 15) * 10.0,
        random.randrange(-10, 10) * 10.0,
        random.choice([-80.0, 40.0, 120.0]),
    )
    return {
        "p1": Point(x, y),
        "p2": Point(x + length, y) if random.random() < 0.5 else Point(x, y + length),
    }


def bowed(random: Random) -> dict[str, Point]:
    both, bow = ends(random), random.choice([-1, 1]) * random.uniform(0.1, 0.8)
    a, b = both["p1"], both["p2"]
    return both | {
        "p3": Point((a.x + b.x) / 2 - bow * (b.y - a.y), (a.y + b.y) / 2 + bow * (b.x - a.x))
    }


def band(random: Random) -> dict[str, object]:
    return {
        "filter": random.random() < 0.5,
        "invert": random.random() < 0.3,
        "wavelength": random.choice(WAVES),
        "bandwidth": 60,
    }


def glass(random: Random) -> dict[str, object]:
    index = random.choice([0.8, 1.2, 1.5, 2.4, -1.3])
    return {
        "ref_index": index,
        "cauchy_b": random.choice([0.0, 0.02]),
        "partial_reflect": random.random() < 0.8,
    }


def formulas(random: Random) -> dict[str, object]:
    rays = random.sample(OUT_RAYS, random.randint(0, 3))
    rays.sort(key=lambda ray: "P_1" in ray.eqn_p)
    if len(rays) == 1 and "P_1" in rays[0].eqn_p:
        rays = []
    return {"out_rays": tuple(rays), "two_sided": random.random() < 0.6}


def outline(random: Random) -> tuple[Vertex, ...]:
    """A polygon, some that cross themselves."""
    middle = somewhere(random)
    return tuple(
        Vertex(middle.x + random.uniform(-70, 70), middle.y + random.uniform(-70, 70))
        for _ in range(random.randint(3, 6))
    )


def light(random: Random) -> SceneObject:
    shared = {
        "brightness": random.choice([0.01, 0.1, 0.5, 1.0, 2.5]),
        "wavelength": random.choice(WAVES),
    }
    match random.randrange(4):
        case 0:
            return SingleRay(**random.choice([ends, on_the_grid])(random), **shared)
        case 1:
            return PointSource(x=random.uniform(-200, 200), y=random.uniform(-150, 150), **shared)
        case 2:
            return AngleSource(
                **ends(random), **shared, emis_angle=50, symmetric=random.random() < 0.5
            )
        case _:
            return Beam(
                **ends(random),
                **shared,
                emis_angle=random.choice([0, 31]),
                lambert=random.random() < 0.5,
            )


def thing(random: Random) -> SceneObject:
    line = random.choice([ends, ends, on_the_grid])
    match random.randrange(19):
        case 0:
            return Mirror(**line(random), **band(random))
        case 1:
            return ArcMirror(**bowed(random), **band(random))
        case 2:
            return BeamSplitter(
                **line(random),
                **band(random),
                trans_ratio=random.choice([0.005, 0.01, 0.1, 0.3, 0.98, 0.99]),
            )
        case 3:
            return IdealLens(**line(random), focal_length=random.choice([-60, 80]))
        case 4:
            orders = {
                "custom_brightness": random.random() < 0.5,
                "brightnesses": (0.3, 0.4, 0.1, 0.05, 0.01),
            }
            slits = {
                "line_density": random.choice([150, 900]),
                "slit_ratio": random.choice([0.1, 0.5]),
            }
            return DiffractionGrating(
                **line(random), **orders, **slits, mirrored=random.random() < 0.5
            )
        case 5:
            return Detector(**line(random), two_sided=random.random() < 0.6)
        case 6:
            return Blocker(**line(random), **band(random))
        case 7:
            return CircleGlass(**ends(random), **glass(random))
        case 8:
            return PlaneGlass(**line(random), **glass(random))
        case 9:
            return CircleBlocker(**ends(random), **band(random))
        case 10:
            both = line(random)
            a, b = both["p1"], both["p2"]
            inner = [Point(a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)) for u in (0.4, 0.7)]
            return Aperture(**both, p3=inner[0], p4=inner[1], **band(random))
        case 11:
            return IdealMirror(
                **line(random), **band(random), focal_length=random.choice([-60, 80])
            )
        case 12 | 13:
            return CustomSurface(**line(random), **formulas(random))
        case 14:
            return CustomArcSurface(**bowed(random), **formulas(random))
        case 15:
            return CustomMirror(**ends(random), **band(random), eqn=random.choice(GRAPHS))
        case 16:
            return CustomGlass(
                **ends(random),
                **glass(random),
                eqn1=random.choice(["-0.6", "-0.6+0.1*x"]),
                eqn2=random.choice(GRAPHS),
            )
        case _:
            return Glass(path=outline(random), **glass(random))


def touching(random: Random, body: Glass) -> SceneObject:
    """Something on an edge of a glass: a coating from corner to corner or on part of it, or another
    glass that shares the edge.
    """
    k = random.randrange(len(body.path))
    a, b = body.path[k], body.path[(k + 1) % len(body.path)]
    p, q = Point(a.x, a.y), Point(b.x, b.y)
    if random.random() < 0.5:
        p, q = q, p
    if random.random() < 0.2:
        q = Point((p.x + q.x) / 2, (p.y + q.y) / 2)
    match random.randrange(6):
        case 0:
            return Mirror(p1=p, p2=q)
        case 1:
            return Blocker(p1=p, p2=q, **band(random))
        case 2 | 3:
            return CustomSurface(p1=p, p2=q, **formulas(random))
        case _:
            far = Vertex(a.x + b.x - body.path[k - 1].x, a.y + b.y - body.path[k - 1].y)
            return Glass(path=(Vertex(*p), Vertex(*q), far), **glass(random))


def aimed(random: Random, objects: list[SceneObject]) -> SceneObject:
    """A ray to an end or a corner of something."""
    places = [p for o in objects if isinstance(o, Glass) for p in o.path]
    places += [
        p
        for o in objects
        if isinstance(o, Mirror | Blocker | Detector | CustomSurface | IdealLens | Aperture)
        for p in (o.p1, o.p2)
    ]
    places += [p for o in objects if isinstance(o, Aperture) for p in (o.p3, o.p4)]
    at = random.choice(places) if places else somewhere(random)
    return SingleRay(
        p1=somewhere(random), p2=Point(at.x, at.y), brightness=1.0, wavelength=random.choice(WAVES)
    )


def bench(seed: int) -> Scene:
    """A scene of light and things in any order; one in four is large enough for the hierarchy, and
    in half of them things touch.
    """
    random = Random(seed)
    count = random.randint(14, 22) if seed % 4 == 0 else random.randint(2, 6)
    objects = [thing(random) for _ in range(count)]
    bodies = [o for o in objects if isinstance(o, Glass)]
    if seed % 2 and bodies:
        objects += [touching(random, random.choice(bodies)) for _ in range(random.randint(1, 3))]
    objects += [light(random) for _ in range(random.randint(1, 2))]
    if seed % 3 == 0:
        objects += [aimed(random, objects) for _ in range(random.randint(1, 3))]
    random.shuffle(objects)
    settings = Settings(
        mode=random.choice(["rays", "observer"]), color_mode=random.choice(["default", "linear"]), simulate_colors=random.random() < 0.6,
        ray_mode_density=0.08, image_mode_density=0.05, max_ray_depth=random.choice([3.0, math.inf]),
        length_scale=random.choice([1.0, 2.0]),
    )  # fmt: skip
    return Scene.of(objects, settings)
