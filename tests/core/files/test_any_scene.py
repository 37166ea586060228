"""Fuzz tests: valid scenes with a few values replaced by anything are refused, or opened, traced
and saved.
"""

from __future__ import annotations

import copy
import json
import os
import random
import time
from typing import Any

import numpy as np
import pytest
from broken_scenes import RAYS, a, piece
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.edge_values import edge_object, edge_value

from raybench.errors import RaybenchError, SceneFileError
from raybench.files.document_file import document_from_json
from raybench.files.scene_json import parse_json, scene_to_json
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import KINDS
from raybench.kinds.outline import object_edges
from raybench.scene.hit_test import find_hit_at_point
from raybench.scene.problems import find_scene_problems
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace

COUNT = 10_000 if os.environ.get("RAYBENCH_LONG") else 40
LARGEST_INDEX = 1e12
"""With a larger index light may meet a surface where no float holds the place of its end."""
SLOWEST = 4.0
"""Seconds of the processor that a scene may take to open, trace and save."""

ODD_NUMBERS = st.sampled_from(
    [0, -1, 1e-300, -1e-9, 0.5, 1e9, -1e30, 1e49, 1e51, 1e308, 360, "7", "x", ""]
)
ODD_FORMULAS = st.sampled_from(
    [
        "",
        "x",
        "1/0",
        r"\frac{1}{x}",
        "t",
        r"\sqrt{y}",
        "P_0",
        r"\theta_0",
        "((",
        "-1",
        "10^{300}",
        r"\ln(x)",
        "`1`",
    ]
)
ODD = st.one_of(
    ODD_NUMBERS,
    ODD_FORMULAS,
    st.sampled_from(
        [
            None,
            True,
            False,
            [],
            {},
            [1],
            {"x": 1},
            {"x": 1, "y": "2"},
            [[]],
            [{}],
            [None],
            {"x": None, "y": 0},
        ]
    ),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)


def default(value: Any) -> Any:
    """A field's default as JSON has it, or something in its place where it is required."""
    if isinstance(value, Point):
        return {"x": value.x, "y": value.y}
    return (
        json.loads(json.dumps(value))
        if isinstance(value, (str, int, float, bool, list, tuple, dict, type(None)))
        else {"x": 3, "y": 4}
    )


@st.composite
def objects(draw: st.DrawFn) -> dict[str, Any]:
    """An object of any kind with all its properties, of which a few are replaced, at any depth."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    made = {f.json_name: default(f.default) for f in described_fields(KINDS[kind])} | a(
        kind, **({"pieces": piece()} if "Param" in kind else {})
    )
    made = copy.deepcopy(made)
    made |= {"module": "M", "points": [], "params": {}} if kind == "ModuleObj" else {}
    for _ in range(draw(st.integers(0, 3))):
        inside: Any = made
        name = draw(st.sampled_from(sorted(made)))
        # sometimes not the property itself, but something in it
        while isinstance(inside[name], (dict, list)) and len(inside[name]) and draw(st.booleans()):
            inside = inside[name]
            name = draw(
                st.sampled_from(sorted(inside) if isinstance(inside, dict) else range(len(inside)))
            )
        inside[name] = copy.deepcopy(draw(ODD))
    return made


@st.composite
def scenes(draw: st.DrawFn) -> dict[str, Any]:
    """A scene of such objects in light, with odd settings now and then."""
    names = [f.json_name for f in described_fields(Settings)]
    odd = draw(st.dictionaries(st.sampled_from([*names, "zz", "name", "modules"]), ODD, max_size=2))
    modules = {"M": {"numPoints": 0, "params": ["k=0:1:9:2"], "objs": [draw(objects())]}}
    return {
        "version": 5,
        "modules": modules,
        "maxRayDepth": 40,
        **odd,
        "objs": [*draw(st.lists(objects(), min_size=1, max_size=3)), *copy.deepcopy(RAYS)],
    }


def is_a_line(text: str) -> None:
    """Assert that a text is one non-empty line of limited length."""
    assert len(text.splitlines()) == 1
    assert 10 < len(text) < 600


def assert_refused_or_opened(data: dict[str, Any]) -> bool:
    """Whether a scene is opened; it is then drawn, saved and traced. Else it is refused in a line."""
    try:
        scene = parse_json(json.dumps(data), document_from_json).scene
    except SceneFileError as error:
        is_a_line(str(error))
        return False
    for problem in find_scene_problems(scene):
        is_a_line(problem.text)
    for obj in scene.expanded_objects:
        edges_bounding_box(object_edges(obj))
    find_hit_at_point(scene, Point(1.0, 1.0), 5.0, handles_of={o.key for o in scene.objects})
    written = json.loads(json.dumps(scene_to_json(scene), allow_nan=False))
    again = parse_json(json.dumps(written), document_from_json).scene
    assert (again.objects, again.settings, again.modules) == (
        scene.objects,
        scene.settings,
        scene.modules,
    )
    for before, after in zip(data["objs"], written["objs"], strict=True):
        kind = KINDS.get(str(before.get("type")))
        kept = {f.json_name: default(f.default) for f in described_fields(kind)} if kind else {}
        assert {k: v for k, v in before.items() if k not in after and v != kept.get(k, ...)} in (
            {},
            {"name": ""},
            {"name": None},
        )
    try:
        result = trace(scene, max_segments=2_000)
    except RaybenchError as error:
        is_a_line(str(error))
        return True
    if any(abs(getattr(obj, "ref_index", 1)) > LARGEST_INDEX for obj in scene.expanded_objects):
        return True
    for column in (result.p1, result.p2, result.power):
        assert np.isfinite(column).all()
    return True


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenes())
@pytest.mark.security
def test_any_scene_is_refused_in_one_line_or_opened_traced_drawn_and_saved(
    data: dict[str, Any],
) -> None:
    assert_refused_or_opened(data)


@pytest.mark.long
@pytest.mark.security
def test_objects_at_the_ends_of_what_their_fields_may_hold_are_refused_or_opened_soon() -> None:
    chance = random.Random(f"ends {os.environ.get('RAYBENCH_SEED', '')}")
    opened = 0
    for _ in range(COUNT):
        made = []
        for kind in chance.choices(sorted(KINDS), k=chance.choice((1, 1, 2, 3))):
            right = {
                f.json_name: default(f.default)
                for f in described_fields(KINDS[kind])
                if chance.random() < 0.2
            }
            own = (
                {"pieces": piece()}
                if "Param" in kind
                else {"module": "M", "points": [], "params": {}}
                if kind == "ModuleObj"
                else {}
            )
            made.append(edge_object(kind, right | copy.deepcopy(a(kind, **own)), chance))
        odd = {
            f.json_name: edge_value(f.about, chance)
            for f in chance.choices(described_fields(Settings), k=chance.choice((0, 0, 1, 2)))
        }
        modules = {"M": {"numPoints": 0, "params": ["k=0:1:9:2"], "objs": made[:1]}}
        data = {
            "version": 5,
            "maxRayDepth": 40,
            "modules": modules,
            **odd,
            "objs": [*made, *copy.deepcopy(RAYS)],
        }
        begun = time.process_time()
        opened += assert_refused_or_opened(data)
        # light in a medium that is huge beside its step takes long; its trace can be stopped
        assert time.process_time() - begun < SLOWEST or any("Grin" in o["type"] for o in made), data
    assert opened > COUNT / 4
