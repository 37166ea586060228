"""Shares that are made for many objects at once, selected, replaced and joined equal those made
object by object.
"""

from __future__ import annotations

import numpy as np
import pytest
from random_objects import random_object

from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import BeamSplitter, IdealMirror, Mirror
from raybench.kinds.object import SceneObject
from raybench.shapes.point import Point
from raybench.trace.tables import object_rows
from raybench.trace.tables.object_rows import (
    ObjectRows,
    build_object_rows,
    join_rows,
    object_piece,
    rows_from_pieces,
)


def simple(rng: np.random.Generator) -> SceneObject:
    """A line or circle that differs from some others only in its ends; some have length 0, or no
    effect.
    """
    (ax, ay), (bx, by) = rng.uniform(-50, 50, (2, 2)).tolist()
    ends = {"p1": Point(ax, ay), "p2": Point(ax, ay) if rng.random() < 0.02 else Point(bx, by)}
    some = bool(rng.random() < 0.5)
    kinds: list[SceneObject] = [
        Mirror(**ends, filter=some, wavelength=500.0, name=str(ax)),
        BeamSplitter(**ends, trans_ratio=0.3 if some else 0.5),
        Blocker(**ends, filter=True, invert=some),
        DiffractionGrating(
            **ends, line_density=300, custom_brightness=some, brightnesses=(1.0, 0.5), mirrored=True
        ),
        DiffractionGrating(**ends, line_density=0),
        Detector(**ends, two_sided=some),
        IdealLens(**ends, focal_length=30.0 if some else -30.0),
        IdealMirror(**ends, focal_length=20.0),
        CircleGlass(**ends, ref_index=1.5, partial_reflect=some),
        CircleGlass(p1=ends["p1"], p2=Point(ax + 1e-9 * bx, ay)),
        CircleBlocker(**ends),
    ]
    return kinds[int(rng.integers(len(kinds)))]


def one_by_one(objects: list[SceneObject]) -> ObjectRows:
    return rows_from_pieces([object_piece(o, True) for o in objects], range(len(objects)), 1e-6)


def assert_same(a: ObjectRows, b: ObjectRows) -> None:
    for name, mine, other in zip(ObjectRows._fields, a, b, strict=True):
        if name == "remarkable":
            assert list(mine.items()) == list(other.items())
        else:
            np.testing.assert_array_equal(mine, other, err_msg=name)
            assert mine.dtype == other.dtype, name


@pytest.mark.parametrize("seed", range(6))
def test_many_lines_and_circles_at_once_equal_those_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    objects = [simple(rng) if rng.random() < 0.9 else random_object(rng) for _ in range(400)]
    monkeypatch.setattr(object_rows, "FEW_SURFACES", 2)
    assert_same(build_object_rows(objects, range(400), True, 1e-6), one_by_one(objects))


def test_of_many_similar_surfaces_only_one_piece_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(
        object_rows,
        "object_piece",
        lambda obj, colours, real=object_rows.object_piece: (
            looked.append(obj.key) or real(obj, colours)
        ),
    )
    objects = [Mirror(p1=Point(i, 0), p2=Point(i, 1)) for i in range(500)]
    assert build_object_rows(objects, range(500), False, 1e-6).geometry[:, 0].tolist() == list(
        range(500)
    )
    assert looked == [objects[0].key]


@pytest.mark.parametrize("seed", range(6))
def test_selected_rows_join_to_the_whole(seed: int) -> None:
    rng = np.random.default_rng(seed)
    objects = [simple(rng) if rng.random() < 0.5 else random_object(rng) for _ in range(60)]
    whole = one_by_one(objects)
    chosen = np.flatnonzero(rng.random(60) < 0.5)
    rest = np.setdiff1d(np.arange(60), chosen)
    assert_same(
        join_rows([whole.select_objects(rest, rest), whole.select_objects(chosen, chosen)]), whole
    )
    assert_same(
        whole.select_objects(chosen, np.arange(len(chosen))),
        one_by_one([objects[i] for i in chosen]),
    )


@pytest.mark.parametrize("seed", range(6))
def test_objects_with_the_same_number_of_primitives_are_overwritten(seed: int) -> None:
    rng = np.random.default_rng(seed)
    objects = [simple(rng) if rng.random() < 0.5 else random_object(rng) for _ in range(60)]
    places = np.sort(rng.choice(60, 20, replace=False)).tolist()
    others = list(objects)
    for i in places:
        others[i] = simple(rng)
    before = one_by_one(objects)
    kept = ObjectRows._make([c if isinstance(c, dict) else c.copy() for c in before])
    new = before.with_objects_overwritten(build_object_rows(others, places, True, 1e-6))
    now = one_by_one(others)
    if np.array_equal(now.size, before.size):
        assert new is not None
        assert_same(new, now)
        assert new.geometry is before.geometry
    else:
        assert new is None
        assert_same(before, kept)
    same = kept.with_objects_overwritten(kept.select_objects(np.array(places), np.array(places)))
    assert same is not None
    assert_same(same, kept)
