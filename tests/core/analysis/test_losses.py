"""Where light goes: all parts together are what was emitted."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from tests.core.analysis.random_light import random_scene
from tests.physics.random_scenes import bench

from raybench.analysis.agentic_tools import set_context
from raybench.analysis.answers.answer import Answer
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tools.power.losses import Loss, losses
from raybench.files.shared import read_shared
from raybench.kinds.blockers import Blocker
from raybench.kinds.mirrors import BeamSplitter
from raybench.kinds.sources import Beam, Source
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.trace import trace

SCENES = 500 if os.environ.get("RAYBENCH_LONG") else 20
FIRST = 10_000 * int(os.environ.get("RAYBENCH_SEED") or 0)


def parts_of(scene: Scene, source: str = "", **about: object) -> tuple[Answer, list[Loss]]:
    """The balance of a scene, which adds up."""
    document = Document(scene=scene.with_settings(**about))
    with override_context(
        TracedScene.from_document(document, trace(document, max_segments=20_000))
    ):
        answer = losses(source_name=source)
    parts = list(answer.root.loss)
    emitted = answer.root.emitted
    total = math.fsum(part.power for part in parts)
    scale = max([emitted, *(abs(part.power) for part in parts)])
    assert abs(total - emitted) <= 1e-9 * scale
    if emitted:
        assert sum(part.share for part in parts) == pytest.approx(1, rel=1e-9)
    return answer, parts


@pytest.mark.long
@pytest.mark.parametrize("first", range(FIRST, FIRST + SCENES, 10))
def test_the_balance_of_any_scene_closes(first: int) -> None:
    for seed in range(first, first + 10):
        for scene in (random_scene(np.random.default_rng(seed)), bench(seed)):
            for source in ("", *(o.title for o in scene.optical if isinstance(o, Source))):
                _, parts = parts_of(scene, source)
                assert "rest" not in {part.kind for part in parts}, (seed, source)


@pytest.mark.parametrize("mode", ["rays", "extended_rays", "images", "observer"])
def test_weak_reflections_are_accounted_for(mode: str) -> None:
    scene = read_shared("example:prism").document.scene
    answer, parts = parts_of(scene, mode=mode)
    (resampled,) = (part.power for part in parts if part.kind == "resampled")
    (truncated,) = (part.power for part in parts if part.kind == "truncated")
    assert -0.1 * answer.root.emitted < resampled < 0 < truncated
    assert abs(truncated + resampled) < 0.1 * truncated, "what is too weak is carried by others"
    assert "parts, in the table, are" in answer.full_sentence()


def test_the_balance_of_a_coated_plate() -> None:
    """A beam on a splitter: what it passes is absorbed by the dump, the rest escapes."""
    laser = Beam(p1=Point(0, -5), p2=Point(0, 5), brightness=0.4, name="Laser")
    plate = BeamSplitter(p1=Point(40, -40), p2=Point(60, 40), trans_ratio=0.3, name="Plate")
    dump = Blocker(p1=Point(100, -40), p2=Point(100, 40), name="Dump")
    answer, parts = parts_of(Scene.of([laser, plate, dump]))
    found = {(part.kind, part.object): part.share for part in parts}
    assert found == {
        ("escaped", "Plate"): pytest.approx(0.7),
        ("absorbed", "Dump"): pytest.approx(0.3),
    }
    assert "(70 %) escapes after Plate" in answer.sentence


def test_light_of_unknown_origin() -> None:
    """Segments of another program, of which neither the source nor the object that they met before
    is in the scene.
    """
    scene = read_shared("example:prism").document.scene
    first = {"p1": (5000, 5000), "p2": (6000, 5000), "brightness_s": 1.0, "brightness_p": 0.0}
    after = {
        "p1": (6000, 5000),
        "p2": (7000, 6000),
        "brightness_s": 1.0,
        "brightness_p": 0.0,
        "parent": 0,
    }
    for segments, sentence in (
        ([first], "escapes straight from an unknown object"),
        ([first, after], "escapes after an unknown object"),
    ):
        set_context(scene, segments)
        assert sentence in losses().full_sentence()
