"""The benchmark scenes: a prism in a beam, and mirrored rooms full of glass. They are the same on
every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from raybench.errors import RaybenchError, list_choices
from raybench.files.scene_json import load_scene
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.grin import GrinGlass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource
from raybench.scene.modules.module import Module
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex

RAYS_PER_DENSITY = 500
"""Rays of a point source at density 1."""
LEFT, TOP, RIGHT, BOTTOM = 100.0, 100.0, 1100.0, 800.0
SCATTERED_MIRRORS = 46
ROOM_DEPTH = 40


def prism(rays: int) -> Scene:
    """A beam of ``rays`` rays, 100 units wide, on a triangular prism of index 1.5."""
    corners = (
        Vertex(500, 300),
        Vertex(600, 300 + 100 * math.sqrt(3)),
        Vertex(400, 300 + 100 * math.sqrt(3)),
    )
    density = rays / 100
    beam = Beam(p1=Point(300, 350.123), p2=Point(300, 450.123), brightness=density)
    return Scene.of(
        [beam, Glass(name="Prism", path=corners, ref_index=1.5)], Settings(ray_mode_density=density)
    )


def room(glasses: int, rays: int) -> Scene:
    """A closed mirrored room with a point source, 46 small mirrors and ``glasses`` round glasses,
    none of which touch.
    """
    rng = np.random.default_rng(glasses)
    count = glasses + SCATTERED_MIRRORS
    size = math.sqrt((RIGHT - LEFT) * (BOTTOM - TOP) / (1.3 * count + 40))
    columns, rows = int((RIGHT - LEFT) / size), int((BOTTOM - TOP) / size)
    source = Point(600.37, 450.71)
    cells = [
        middle
        for i in range(columns)
        for j in range(rows)
        if math.dist(middle := (LEFT + (i + 0.5) * size, TOP + (j + 0.5) * size), source)
        > 1.5 * size
    ]
    places = [cells[k] for k in rng.permutation(len(cells))[:count]]
    a, b, c, d = Point(LEFT, TOP), Point(RIGHT, TOP), Point(RIGHT, BOTTOM), Point(LEFT, BOTTOM)
    density = rays / RAYS_PER_DENSITY
    objects: list[SceneObject] = [PointSource(x=source.x, y=source.y, brightness=density)]
    objects += [Mirror(p1=p, p2=q) for p, q in ((a, b), (b, c), (c, d), (d, a))]
    shares, angles = (
        rng.uniform(0.15, 0.35, count).tolist(),
        rng.uniform(0, math.pi, count).tolist(),
    )
    for k, ((x, y), share, angle) in enumerate(zip(places, shares, angles, strict=True)):
        if k < SCATTERED_MIRRORS:
            dx, dy = share * size * math.cos(angle), share * size * math.sin(angle)
            objects.append(Mirror(p1=Point(x - dx, y - dy), p2=Point(x + dx, y + dy)))
        else:
            objects.append(
                CircleGlass(p1=Point(x, y), p2=Point(x + share * size, y), ref_index=1.5)
            )
    return Scene.of(objects, Settings(ray_mode_density=density, max_ray_depth=ROOM_DEPTH))


def comb(parts: int, rays: int) -> Scene:
    """A beam on an instance of a module: a row of ``parts`` small mirrors."""
    tooth = {
        "for": f"i=1:1:{parts}",
        "type": "Mirror",
        "p1": {"x": "`x_1 + i`", "y": "`y_1`"},
        "p2": {"x": "`x_1 + i + 0.5`", "y": "`y_1 + 0.2`"},
    }
    module = Module.from_json("Comb", {"numPoints": 1, "maxLoopLength": parts, "objs": [tooth]})
    density = rays / 100
    beam = Beam(p1=Point(0, 100), p2=Point(100, 100), brightness=density)
    instance = ModuleObj(module="Comb", points=(Point(0, 0),), name="Comb")
    return Scene.of([beam, instance], Settings(ray_mode_density=density), modules={"Comb": module})


def medium(waves: int, rays: int) -> Scene:
    """A beam of ``rays`` rays through a gradient-index slab, whose index is a sum of so many random
    waves: the light branches.
    """
    rng = np.random.default_rng(waves)
    angles, phases = rng.uniform(0, 2 * math.pi, (2, waves)).tolist()
    numbers, height = rng.uniform(0.02, 0.12, waves).tolist(), 0.1 / math.sqrt(waves)
    index = "1.5"
    for angle, phase, number in zip(angles, phases, numbers, strict=True):
        x, y = number * math.cos(angle), number * math.sin(angle)
        index += rf"+{height:.6f}\cdot\cos\left({x:.6f}\cdot x+{y:.6f}\cdot y+{phase:.6f}\right)".replace(
            "+-", "-"
        )
    corners = (Vertex(0, 0), Vertex(1000, 0), Vertex(1000, 600), Vertex(0, 600))
    body = GrinGlass(
        name="Medium",
        path=corners,
        origin=Point(500, 300),
        ref_index_fn=index,
        partial_reflect=False,
    )
    beam = Beam(p1=Point(-50, 250.3), p2=Point(-50, 350.3), brightness=rays / 100)
    return Scene.of([beam, body], Settings(ray_mode_density=rays / 100))


SYNTHETIC: dict[str, Callable[[], Scene]] = {
    "a_prism_1k": lambda: prism(1_000),
    "a_prism_10k": lambda: prism(10_000),
    "a_prism_100k": lambda: prism(100_000),
    "b_room20_100": lambda: room(20, 100),
    "b_room20_1k": lambda: room(20, 1_000),
    "b_room20_10k": lambda: room(20, 10_000),
    "c_room500_20": lambda: room(500, 20),
    "c_room500_200": lambda: room(500, 200),
    "c_room500_1k": lambda: room(500, 1_000),
}
"""The benchmark scenes by name: prisms, and rooms with 20 and 500 glasses."""


def synthetic_scene(name: str, folder: Path | None = None) -> Scene:
    """A benchmark scene: ``folder/<name>.json`` if it exists, else the generated one."""
    path = folder / f"{name}.json" if folder is not None else None
    if path is not None and path.exists():
        return load_scene(path)
    if name not in SYNTHETIC:
        raise RaybenchError(
            f"There is no benchmark scene '{name}'. There are {list_choices(list(SYNTHETIC), 'and')}."
        )
    return SYNTHETIC[name]()
