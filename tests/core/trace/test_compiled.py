"""A scene is compiled to the same tables with and without an earlier compiled scene."""

from __future__ import annotations

import numpy as np
import pytest
from random_objects import random_object, random_scene
from tests.edited import edited

from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.mirrors import CustomMirror, Mirror
from raybench.kinds.object import InvalidObject
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes import Add, Delete, Move
from raybench.scene.changes.materials import SetMaterial
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.run.emission import initial_rays
from raybench.trace.run.memory import TraceMemory
from raybench.trace.tables import object_rows
from raybench.trace.tables.compiled import CompiledScene, compile_scene
from raybench.trace.trace import trace


def assert_same(a: CompiledScene, b: CompiledScene) -> None:
    for name in a.tables._fields:
        mine, other = getattr(a.tables, name), getattr(b.tables, name)
        if name == "programs":
            for x, y in zip(mine, other, strict=True):
                np.testing.assert_array_equal(x, y)
        elif name == "hierarchy":
            np.testing.assert_array_equal(
                np.unique(mine.primitive), np.unique(other.primitive), err_msg=name
            )
        else:
            np.testing.assert_array_equal(mine, other, err_msg=name)
            assert np.asarray(mine).dtype == np.asarray(other).dtype
    np.testing.assert_array_equal(a.rows.box, b.rows.box)
    assert (a.names, a.faults) == (b.names, b.faults)


def randomly_edited(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene after one random edit."""
    keys = [o.key for o in scene.objects]
    key = keys[int(rng.integers(len(keys)))]
    x, y = rng.uniform(0, 200, 2).tolist()
    new = [
        random_object(rng),
        CircleGrinGlass(p1=Point(x, y), p2=Point(x + 3, y), ref_index_fn="1.5+0.01\\cdot x"),
        CustomMirror(p1=Point(x, y), p2=Point(x + 5, y), eqn="0.2\\cos(x)"),
        CustomMirror(p1=Point(x, y), p2=Point(x + 5, y), eqn="\\cos("),
        DiffractionGrating(
            p1=Point(x, y),
            p2=Point(x, y + 9),
            line_density=300,
            custom_brightness=True,
            brightnesses=(1.0, 0.5),
        ),
    ]
    bodies = [o.key for o in scene.objects if isinstance(o, HomogeneousGlass)]
    match int(rng.integers(8)):
        case 0 | 1:
            return edited(scene, Move(key, *rng.uniform(-5, 5, 2).tolist()))
        case 2:
            return edited(scene, Move(keys, 1.0, 2.0))
        case 3:
            return edited(scene, Add((new[int(rng.integers(len(new)))],)))
        case 4:
            return edited(scene, Delete(key)) if len(keys) > 3 else scene
        case 5 if bodies:
            material = str(rng.choice(["N-BK7", "N-SF11", ""]))
            return edited(
                scene, SetMaterial((bodies[int(rng.integers(len(bodies)))],), name=material)
            )
        case 6:
            objects = list(scene.objects)
            i, j = rng.integers(len(objects), size=2)
            objects[i], objects[j] = objects[j], objects[i]
            return scene.with_objects(objects)
        case _:
            choice = int(rng.integers(4))
            return scene.with_settings(
                **[
                    {"simulate_colors": True},
                    {"simulate_colors": False},
                    {"length_scale": 2.0},
                    {"color_mode": "linear"},
                ][choice]
            )


@pytest.mark.parametrize("seed", range(6))
def test_edits_give_the_tables_of_the_scene(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene, last = random_scene(seed, 25), None
    for _ in range(40):
        scene = randomly_edited(scene, rng)
        some = [o.key for o in scene.objects if rng.random() < 0.1]
        disabled = frozenset(some) if rng.random() < 0.3 else frozenset()
        last = compile_scene(scene, disabled, last)
        assert_same(last, compile_scene(scene, disabled))


def test_only_edited_objects_are_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = random_scene(1, 200)
    last = compile_scene(scene)
    looked: list[int] = []
    monkeypatch.setattr(
        object_rows,
        "object_piece",
        lambda obj, colours, real=object_rows.object_piece: (
            looked.append(obj.key) or real(obj, colours)
        ),
    )
    key = scene.objects[50].key
    for step in range(3):
        scene = edited(scene, Move(key, 0.1 * (step + 1), 0))
        last = compile_scene(scene, (), last)
    assert set(looked) == {key}
    assert len(looked) == 3


def test_changed_numbers_are_written_into_the_same_tables() -> None:
    scene = Scene.of([Mirror(p1=Point(0, y), p2=Point(9, y)) for y in range(4)])
    first = compile_scene(scene)
    moved = edited(scene, Move(scene.objects[2].key, 3.0, 0.0))
    again = compile_scene(moved, (), first)
    assert again.tables is first.tables
    assert_same(again, compile_scene(moved))


def test_source_rays_are_kept_while_sources_are() -> None:
    lamp = Beam(p1=Point(0, 0), p2=Point(0, 10))
    scene = Scene.of([lamp, Mirror(p1=Point(9, 0), p2=Point(9, 9))])
    first = initial_rays(scene)
    assert initial_rays(edited(scene, Move(scene.objects[1].key, 1, 0)), before=first) is first
    moved = initial_rays(edited(scene, Move(lamp.key, 1, 0)), before=first)
    np.testing.assert_array_equal(moved.start[:, 0], first.start[:, 0] + 1)
    assert len(initial_rays(scene, {lamp.key}, before=first)) == 0
    assert len(initial_rays(scene.with_settings(ray_mode_density=2.0), before=first)) > len(first)


def test_dragged_objects_are_traced_where_they_are() -> None:
    mirror = Mirror(p1=Point(10, -5), p2=Point(10, 5), name="Front")
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            mirror,
            *(Mirror(p1=Point(50, i), p2=Point(51, i)) for i in range(1, 30)),
        ]
    )
    memory = TraceMemory()
    for x in (0, 3, -2, 7):
        result = trace(edited(scene, Move(mirror.key, x, 0)), memory=memory)
        assert result.p2[0].tolist() == [10 + x, 0]


def test_too_many_orders_are_told_each_time() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            DiffractionGrating(p1=Point(5, -5), p2=Point(5, 5), line_density=1e-3, name="Coarse"),
        ]
    )
    for _ in range(2):
        with pytest.raises(InvalidObject, match="'Coarse'"):
            compile_scene(scene)


@pytest.mark.parametrize("count", [3, 10, 40])
def test_adding_and_removing_leaves_no_old_rows(count: int) -> None:
    """With so few objects, equal counts of rows could hide that indices have shifted."""
    scene = random_scene(5, count)
    last = compile_scene(scene)
    for other in (
        scene.with_objects(scene.objects[1:]),
        scene.with_objects([*scene.objects, Mirror(p1=Point(0, 0), p2=Point(1, 1))]),
        Scene.of(scene.objects[:2]),
    ):
        assert_same(compile_scene(other, (), last), compile_scene(other))
