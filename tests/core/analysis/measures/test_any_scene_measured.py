"""Each measure of objects of random scenes is a number, or undefined with a reason, and does not
depend on how the scene is written: on where it is, how it is turned, what its objects are called
and in which order they are.
"""

from __future__ import annotations

import math
import os
from random import Random

import numpy as np
import pytest
from tests.core.analysis.random_light import random_scene
from tests.core.analysis.random_measures import every_measure
from tests.physics.random_scenes import bench

from raybench.analysis.measures.bound import BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Role, Unit
from raybench.analysis.measures.table import FAMILIES, MEASURES
from raybench.kinds.sources import PointSource
from raybench.scene.changes import Change, Move, Reorder, Rotate, Set, apply_changes
from raybench.scene.document import Document
from raybench.scene.problems.pairs import find_coinciding_surfaces
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.trace import trace

SCENES, BLOCK = (1_000, 20) if os.environ.get("RAYBENCH_LONG") else (6, 3)
MOST = 1_500
"""Segments: of a trace that is cut, which rays there are depends on their order."""
FIRST = 10_000 * int(os.environ.get("RAYBENCH_SEED") or 0)
FAR, OFTEN = 1e5, 40
SHIFT = {"x": 137.5, "y": -60.25}
PLACED = {name: name[-1] for name in MEASURES if name.endswith(("_x", "_y"))}
"""Measures that are coordinates, and of which axis."""
DIRECTED = {
    *PLACED,
    "direction",
    "arriving_direction",
    "horizontal_size",
    "vertical_size",
    "tilt",
    "largest_angle",
}
"""Measures that are other numbers in a scene that is turned."""
NEAR_THE_MIDDLE = {"vergence"} | {
    m.name for family in ("Focus", "Image", "Aperture stop and pupils") for m in FAMILIES[family]
}
"""Measures of the rays next to the middle of a bundle, of which two may be as near, with values
that differ.
"""
ROUNDING = {
    Unit.POWER: 1e-7,
    Unit.ONE: 1e-6,
    Unit.LENGTH: 1e-4,
    Unit.ANGLE: 1e-4,
    Unit.VERGENCE: 1e-5,
    Unit.TIME: 1e-3,
    Unit.IRRADIANCE: 1e-6,
    Unit.DISPERSION: 1e-5,
}
pytestmark = pytest.mark.long


def trace_with_hit_columns(document: Document) -> Light | None:
    """The light of a document; None where its trace is cut."""
    result = trace(document, threads=1, max_segments=MOST)
    return Light.from_document(document, result) if len(result) < MOST else None


def is_tied(bound: BoundMeasure, light: Light) -> bool:
    """Whether a measure is of the strongest of several bundles, and another is as strong but has
    another value; of two bundles, whether another is as strong as one of them.
    """
    index, *of = bound.argument_indices(light) or [None]
    sources = [
        s
        for s, p in zip(of, bound.measure.parameters[1:], strict=True)
        if p.role is Role.SOURCE and isinstance(s, int)
    ]
    if bound.measure in FAMILIES["Where two beams cross"] or (
        bound.measure.takes is None and len(sources) > 1
    ):
        every = [light.bundles(index, source) for source in sources] or [
            light.bundles(i) for i in (index, *of) if isinstance(i, int)
        ]
        return any(
            math.isclose(b.power, bundles[0].power, rel_tol=1e-6)
            for bundles in every
            for b in bundles[1:]
        )
    rivals = bound.bundles_with_other_values(light)
    return rivals is not None and any(
        math.isclose(b.power, rivals[0].power, rel_tol=1e-6) for b, _ in rivals[1]
    )


def can_miss(light: Light) -> bool:
    """Whether light meets something so far away, or after so many others, that it can miss it after
    a rounding error: between curved mirrors an error may double at each of them.
    """
    result = light.result
    return bool((np.abs(result.p2[~result.escaped]) > FAR).any() or (result.depth > OFTEN).any())


def assert_same(
    one: Measured, other: Measured, unit: Unit, shift: float, where: tuple[int, str]
) -> None:
    assert one.defined == other.defined, (where, str(one), str(other))
    close = math.isclose(one.value + shift, other.value, rel_tol=1e-5, abs_tol=ROUNDING[unit])
    assert close or not one.defined, (where, str(one), str(other))


def rewritten(scene: Scene, chance: Random) -> dict[str, list[Change]]:
    """Changes after which the scene is the same, written otherwise."""
    keys = [o.key for o in scene.objects]
    ways: dict[str, list[Change]] = {
        "moved": [Move(keys, SHIFT["x"], SHIFT["y"])],
        "renamed": [Set(key, {"name": f'it, ({i}) > "x"'}) for i, key in enumerate(keys)],
    }
    ends = [frozenset((o.p1, o.p2)) for o in scene.objects if hasattr(o, "p1") and hasattr(o, "p2")]
    alone = len(set(ends)) == len(ends) and not any(find_coinciding_surfaces(scene))
    if alone:  # of two that lie on each other, light meets the first
        ways["reordered"] = [Reorder((key,), to=0.0) for key in chance.sample(keys, len(keys))]
    if not any(isinstance(o, PointSource) for o in scene.objects):  # whose rays do not turn with it
        ways["turned"] = [Rotate(keys, 90.0, Point(0, 0))]
    return ways


@pytest.mark.parametrize("first", range(FIRST, FIRST + SCENES, BLOCK))
def test_measures_do_not_depend_on_notation(
    first: int,
) -> None:
    defined = 0
    for seed in range(first, first + BLOCK):
        chance = Random(seed)
        # benches where nothing touches and no ray is aimed at a corner, where it is the order that
        # decides
        scene = (
            bench(seed) if seed % 2 == 0 and seed % 3 else random_scene(np.random.default_rng(seed))
        )
        document = Document(scene=scene.with_settings(color_mode="linear"))
        bound = every_measure(document, chance)
        if (light := trace_with_hit_columns(document)) is None:
            continue
        before = [b.evaluate(light) for b in bound]
        for m in before:
            assert type(m.value) is float, (seed, m)
            assert math.isfinite(m.value) if m.defined else len(m.reason.splitlines()) == 1, (
                seed,
                m,
            )
        defined += sum(m.defined for m in before)
        same = [
            (b, m)
            for b, m in zip(bound, before, strict=True)
            if not is_tied(b, light) and b.measure.name not in NEAR_THE_MIDDLE
        ]
        for how, changes in rewritten(document.scene, chance).items():
            if how in ("moved", "turned") and can_miss(light):
                continue
            after = trace_with_hit_columns(apply_changes(changes, document))
            for b, one in same if after is not None else []:
                name, by_text = (
                    b.measure.name,
                    any(p.role in (Role.EDGE, Role.PATTERN) for p in b.measure.parameters),
                )
                if (
                    how in ("renamed", "turned") and by_text
                ):  # texts name objects, and edges by the side that they are on
                    continue
                if how == "turned" and name in DIRECTED:
                    continue
                shift = SHIFT[PLACED[name]] if how == "moved" and name in PLACED else 0.0
                assert_same(one, b.evaluate(after), b.unit, shift, (seed, how))
    assert defined > BLOCK
