"""What holds for any scene: the ledger balances, nothing passes what blocks, and light does not
depend on how a scene is written.
"""

from __future__ import annotations

import dataclasses
import math
import os
from random import Random

import numpy as np
import pytest
from tests.core.analysis.random_light import random_scene
from tests.core.scene.changes.same_light import assert_same_light, rays
from tests.edited import edited
from tests.physics.random_scenes import bench

from raybench.analysis.geometry.contact import THROUGH, contacts_with_shape
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import PointSource, SingleRay, Source
from raybench.scene.changes import Mirror as Reflect
from raybench.scene.changes import Move, Rotate, Scale
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.result import TraceResult
from raybench.trace.run import generations
from raybench.trace.trace import load_kernels, trace

SCENES = 400 if os.environ.get("RAYBENCH_LONG") else 20
BLOCK = 20
MOST = 3_000
FIRST = 10_000 * int(os.environ.get("RAYBENCH_SEED") or 0)
SEEDS = pytest.mark.parametrize("first", range(FIRST, FIRST + SCENES, BLOCK))
pytestmark = pytest.mark.long


def scenes(first: int) -> list[tuple[int, Scene]]:
    """Scenes of bodies that are apart from each other, and of mirrors, splitters, lenses and
    screens, which may cross anything.
    """
    return [
        (seed, random_scene(np.random.default_rng(seed))) for seed in range(first, first + BLOCK)
    ]


def linear(scene: Scene) -> Scene:
    """The scene without weak reflections that stand for several."""
    return scene.with_settings(color_mode="linear")


def assert_same_rays(a: TraceResult, b: TraceResult, seed: int) -> None:
    """The same rays in any order. Where one of the traces is cut at its limit, which rays it has
    depends on their order.
    """
    if max(len(a), len(b)) >= MOST:
        return
    one, other = rays(a), rays(b)
    assert len(one) == len(other), seed
    scale = np.array([1e-5, 1e-5, 1e-6, 1e-6, 1e-7, 1e-7])
    for row in one:
        assert np.min(np.max(np.abs(other - row) / scale, axis=1)) < 1, (seed, row)
    assert b.ledger.escaped == pytest.approx(a.ledger.escaped, rel=1e-7), seed


@SEEDS
def test_the_ledger_of_any_scene_balances(first: int) -> None:
    for seed in range(first, first + BLOCK):
        result = trace(bench(seed), max_segments=600)
        ledger = result.ledger
        assert abs(ledger.imbalance) <= 1e-9 * (
            ledger.emitted + abs(ledger.gained) + ledger.resampled
        ), seed
        assert (
            min(ledger.escaped, ledger.absorbed, ledger.truncated, ledger.alive)
            >= -1e-12 * ledger.emitted
        ), seed


@SEEDS
def test_no_light_passes_what_blocks_it(first: int) -> None:
    for seed, scene in scenes(first):
        result = trace(scene, max_segments=MOST)
        way = result.p2 - result.p1
        unit = way / np.hypot(*way.T)[:, None]
        p2 = np.where(result.escaped[:, None], result.p1 + 1e4 * unit, result.p2)
        for obj in scene.objects:
            if isinstance(obj, Mirror | Blocker):
                (edge,) = object_edges(obj)
                met = contacts_with_shape(result.p1, p2, edge.shape)
                at = met.points(result.p1, p2)
                from_ends = np.minimum(
                    *(np.hypot(*(at - np.array(end)).T) for end in (obj.p1, obj.p2))
                )
                inside = (met.along > 1e-4) & (
                    met.along < np.hypot(*(p2 - result.p1)[met.segment].T) - 1e-4
                )
                assert not ((met.place == THROUGH) & inside & (from_ends > 1e-4)).any(), (seed, obj)
                # what ends on it goes on at no side or, at a mirror, at the side that it came from
                after = (
                    np.flatnonzero(result.hit[result.parent] == scene.optical.index(obj))
                    if obj in scene.optical
                    else []
                )
                after = [row for row in after if result.parent[row] >= 0]
                assert isinstance(obj, Mirror) or not len(after), (seed, obj)
                across = np.array([obj.p1.y - obj.p2.y, obj.p2.x - obj.p1.x])
                assert (
                    (unit[after] @ across) * (unit[result.parent[after]] @ across) <= 1e-9
                ).all(), (seed, obj)


@SEEDS
def test_the_order_of_objects_does_not_matter(first: int) -> None:
    for seed, scene in scenes(first):
        shuffled = list(scene.objects)
        Random(seed).shuffle(shuffled)
        assert_same_rays(
            trace(linear(scene), max_segments=MOST),
            trace(linear(Scene.of(shuffled, scene.settings)), max_segments=MOST),
            seed,
        )


@SEEDS
def test_an_edge_in_two_parts_acts_as_one(first: int) -> None:
    changed = 0
    for seed, scene in scenes(first):
        parts = [part for obj in scene.objects for part in in_two(obj, seed)]
        changed += len(parts) > len(scene.objects) or any(
            a is not b for a, b in zip(parts, scene.objects, strict=False)
        )
        whole = trace(linear(scene), max_segments=MOST)
        if not ends_on_a_vertex(whole, parts):  # where a ray would end
            assert_same_rays(
                whole, trace(linear(Scene.of(parts, scene.settings)), max_segments=MOST), seed
            )
    assert changed > BLOCK / 2


def ends_on_a_vertex(result: TraceResult, objects: list[SceneObject]) -> bool:
    """Whether a ray meets a vertex of a glass, or the end of a mirror or blocker, within rounding
    errors.
    """
    lines = [p for o in objects if isinstance(o, Mirror | Blocker) for p in (o.p1, o.p2)]
    vertices = [p for o in objects if isinstance(o, Glass) for p in o.path]
    return any(np.hypot(*(result.p2 - (p.x, p.y)).T).min() < 2e-6 for p in (*lines, *vertices))


def in_two(obj: SceneObject, seed: int) -> list[SceneObject]:
    """A glass with a further vertex on each straight edge, a mirror or a blocker as two; another
    object as it is.
    """
    u = 0.3 + 0.0123 * (seed % 30)
    if isinstance(obj, Mirror | Blocker):
        at = Point(obj.p1.x + u * (obj.p2.x - obj.p1.x), obj.p1.y + u * (obj.p2.y - obj.p1.y))
        return [
            dataclasses.replace(obj.with_new_key(), p2=at),
            dataclasses.replace(obj.with_new_key(), p1=at),
        ]
    if not isinstance(obj, Glass):
        return [obj]
    path: list[Vertex] = []
    for a, b in zip(obj.path, (*obj.path[1:], obj.path[0]), strict=True):
        path.append(a)
        if not a.arc and not b.arc:
            path.append(Vertex(a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)))
    return [dataclasses.replace(obj, path=tuple(path))]


@SEEDS
def test_light_sent_back_along_its_path_returns_with_the_same_part_of_its_power(first: int) -> None:
    returned = 0
    for seed, scene in scenes(first):
        things = [o for o in scene.objects if not isinstance(o, Source)]
        laser = next(o for o in scene.objects if isinstance(o, SingleRay))
        there = trace(linear(Scene.of([*things, laser], scene.settings)), max_segments=MOST)
        ends = np.flatnonzero(there.escaped & (there.depth > 0) & (there.depth <= 6))
        if len(ends) == 0:
            continue
        last = int(ends[np.argmax(there.total_power[ends])])
        path = [last]
        while there.parent[path[-1]] >= 0:
            path.append(int(there.parent[path[-1]]))
        way = there.p2[last] - there.p1[last]
        start = there.p1[last] + 100 * way / np.hypot(*way)
        back = trace(
            linear(
                Scene.of(
                    [
                        *things,
                        dataclasses.replace(
                            laser, p1=Point(*start.tolist()), p2=Point(*there.p1[last].tolist())
                        ),
                    ],
                    scene.settings,
                )
            ),
            max_segments=MOST,
        )
        if len(back) >= MOST:
            continue
        row = 0
        for old in path[:-1]:  # each ray begins where the one sent back ends
            assert back.p2[row] == pytest.approx(there.p1[old], abs=1e-4), seed
            after = np.flatnonzero(back.parent == row)
            wanted = there.p1[there.parent[old]] - there.p1[old]
            run = back.p2[after] - back.p1[after]
            cosine = (run @ wanted) / (np.hypot(*run.T) * np.hypot(*wanted))
            row = int(after[np.argmax(cosine)])
            assert cosine.max() > 1 - 1e-8, seed
        assert back.power[row] / back.power[0] == pytest.approx(
            there.power[last] / there.power[path[-1]], rel=1e-5
        ), seed
        returned += 1
    assert returned > BLOCK / 2


@SEEDS
def test_light_moves_turns_and_grows_with_its_scene(first: int) -> None:
    for seed, scattered in scenes(first):
        chance, things = (
            Random(seed),
            [o for o in scattered.objects if not isinstance(o, PointSource)],
        )  # whose rays do not turn with it
        aimed = [
            SingleRay(p1=Point(-35, 0), p2=Point(*chance.choices(range(-20, 60), k=2)))
            for _ in range(3)
        ]
        scene = linear(Scene.of([*things, *aimed], scattered.settings))
        every = [o.key for o in scene.objects]
        about = Point(chance.uniform(-50, 50), chance.uniform(-50, 50))
        match seed % 3:
            case 0:
                change = Rotate(every, chance.uniform(-180, 180), about)
            case 1:
                change = Reflect(every, chance.uniform(-180, 180), about)
            case _:
                change = Scale(every, chance.choice((0.5, 3.0)), about)
        assert_same_light(scene, change, change.similarity(Document(scene=scene)))
        moved = edited(scene, *(Move(key, dx=137.5, dy=-60.25) for key in every))
        before, after = (rays(trace(s, max_segments=MOST)) for s in (scene, moved))
        assert len(before) == len(after), seed
        before[:, :2] += (137.5, -60.25)
        for row in before:
            assert (
                np.min(np.max(np.abs(after - row) / (1e-5, 1e-5, 1e-6, 1e-6, 1e-7, 1e-7), axis=1))
                < 1
            ), (seed, row)


@SEEDS
def test_no_light_leaves_a_closed_box_of_mirrors(first: int) -> None:
    """Whatever is inside, and wherever the corners of the box are."""
    for seed, scene in scenes(first):
        chance = Random(seed)
        sides, turn = chance.randint(3, 9), chance.uniform(0, 2 * math.pi)
        corners = [
            Point(
                40 + 400 * math.cos(turn + 2 * math.pi * k / sides),
                400 * math.sin(turn + 2 * math.pi * k / sides),
            )
            for k in range(sides)
        ]
        walls = [
            Mirror(p1=a, p2=b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
        ]
        aimed = [SingleRay(p1=Point(-35, 0), p2=corner) for corner in corners]
        boxed = linear(
            Scene.of(
                [*scene.objects, *walls, *aimed],
                dataclasses.replace(scene.settings, max_ray_depth=200),
            )
        )
        result = trace(boxed, max_segments=MOST)
        assert not result.escaped.any(), seed
        assert result.ledger.escaped == 0, seed
        assert np.hypot(*(result.p2 - (40, 0)).T).max() < 400 + 1e-6, seed


@SEEDS
def test_the_rows_do_not_depend_on_the_number_of_threads(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        generations, "WORTH_CALLING", 0
    )  # small scenes are too short for more than one
    load_kernels()  # while they are compiled, other code may round another way
    for seed in range(first, first + BLOCK):
        scene = bench(seed)
        one, *more = (trace(scene, threads=threads, max_segments=MOST) for threads in (1, 2, 3, 7))
        for other in more:
            assert len(other) == len(one), seed
            for name in (
                "p1",
                "p2",
                "power",
                "wavelength",
                "parent",
                "source_ray",
                "hit",
                "depth",
                "interaction",
                "status",
            ):
                assert np.array_equal(
                    getattr(one, name), getattr(other, name), equal_nan=name == "wavelength"
                ), (seed, name)
            assert other.ledger == one.ledger, seed
