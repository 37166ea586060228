"""Broken scenes open with problems or are refused in one line; none hangs, and none loses data on
saving.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from broken_scenes import Broken, broken_scenes

from raybench.errors import RaybenchError, SceneFileError
from raybench.files.document_file import load_document, save_document
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import KINDS
from raybench.kinds.outline import object_edges
from raybench.scene.document import Document
from raybench.scene.hit_test import find_hit_at_point
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import load_kernels, trace

ROWS = tuple(broken_scenes())
MOST_SEGMENTS = 20_000
PATIENCE = 60.0
"""Seconds of a processor that one of opening, tracing and saving may take; most take milliseconds.
"""


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    load_kernels()


def test_there_are_hundreds_of_distinct_broken_scenes() -> None:
    assert len(ROWS) > 200
    assert [how for how, count in Counter(r.how for r in ROWS).items() if count > 1] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.how)
@pytest.mark.security
def test_a_broken_scene_is_refused_or_opens_with_problems_and_loses_nothing(
    row: Broken, tmp_path: Path
) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(row.content)
    begun = time.process_time()
    if row.refused:
        with pytest.raises(SceneFileError) as refusal:
            load_document(path)
        message = str(refusal.value)
        assert message.startswith(f"{path}: ")
        assert row.message in message
        assert_is_a_line(message)
        assert time.process_time() - begun < PATIENCE
        return
    scene = load_document(path).scene
    messages = [p.text for p in find_scene_problems(scene)]
    assert time.process_time() - begun < PATIENCE
    messages += traced(scene)
    assert all(map(assert_is_a_line, messages))
    assert row.message in "\n".join(messages)
    looked_at(scene)
    saved(scene, json.loads(row.content.decode("utf-8-sig"), parse_constant=str), tmp_path)


def assert_is_a_line(text: str) -> bool:
    """Whether a text is one non-empty line of limited length."""
    assert 10 < len(text) < 600, text
    assert len(text.splitlines()) == 1, text
    return True


def traced(scene: Scene) -> list[str]:
    """The warnings of tracing a scene; asserts that the trace ends in time and its rows are finite."""
    begun = time.process_time()
    try:
        result = trace(scene, max_segments=MOST_SEGMENTS)
    except RaybenchError as error:
        return [str(error)]
    finally:
        assert time.process_time() - begun < PATIENCE
    for column in (result.p1, result.p2, result.power):
        assert np.isfinite(column).all()
    assert (np.hypot(*(result.p2 - result.p1)[result.escaped].T) > 0).all()
    return [w.text for w in result.warnings]


def looked_at(scene: Scene) -> None:
    """Assert that outlines and hit tests of a scene do not fail."""
    for obj in scene.expanded_objects:
        edges_bounding_box(object_edges(obj))
    find_hit_at_point(scene, Point(1.0, 1.0), 5.0, handles_of={o.key for o in scene.objects})


def saved(scene: Scene, data: Any, folder: Path) -> None:
    """A saved scene reads the same, and holds every value of the file, but for defaults, where it
    is of this version.
    """
    begun = time.process_time()
    path = folder / "saved.json"
    save_document(Document(scene=scene), path)
    assert time.process_time() - begun < PATIENCE
    again = load_document(path).scene
    assert (again.objects, again.settings, again.name, again.modules) == (
        scene.objects,
        scene.settings,
        scene.name,
        scene.modules,
    )
    if isinstance(data, dict) and data.get("version") == 5:
        written = json.loads(path.read_text())
        assert without_defaults(written, Settings) == without_defaults(data, Settings)
        objs = zip(data.get("objs", []), written["objs"], strict=True)
        for before, after in objs:
            if not isinstance(before, dict):
                assert json.dumps(after) == json.dumps(before)
                continue
            kind = KINDS.get(before.get("type")) if isinstance(before.get("type"), str) else None
            assert without_defaults(after, kind) == without_defaults(before, kind)


def without_defaults(data: dict[str, Any], kind: type | None) -> dict[str, Any]:
    """The items of a JSON object that are no defaults of a kind; the objects of a scene are left
    out too.
    """
    defaults = {f.json_name: f.default for f in described_fields(kind)} if kind else {}
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in defaults.items()}
    return {
        k: v
        for k, v in data.items()
        if k != "objs" and not (k in plain and plain[k] == v) and not (k == "name" and v == "")
    }
