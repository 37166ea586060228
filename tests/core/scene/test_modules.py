"""Modules: the parts of instances, their names and keys, and the problems of invalid modules."""

from __future__ import annotations

import json
import math
import re
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.edited import edited

from raybench.errors import SceneFileError
from raybench.files.scene_json import scene_from_json, scene_to_json
from raybench.formula import Scope
from raybench.kinds.module_instance import ModuleObj
from raybench.scene.changes import Duplicate, Move, Set
from raybench.scene.codec import object_from_json
from raybench.scene.control_points import control_points
from raybench.scene.hit_test import BodyHit, EdgeHit, find_hit_at_point, scene_extent
from raybench.scene.modules import expansion
from raybench.scene.modules.module import make_names_unique
from raybench.scene.modules.seeded_random import SeededRandom
from raybench.scene.modules.templates import (
    InvalidTemplate,
    fill_template,
    javascript_number,
    stepped_values,
)
from raybench.scene.names import UnknownName, glass_named, object_named
from raybench.scene.problems import find_scene_problems
from raybench.shapes.point import Point
from raybench.trace.trace import trace

MIRROR = {
    "type": "Mirror",
    "p1": {"x": "`x_1`", "y": "`y_1`"},
    "p2": {"x": "`x_1+L`", "y": "`y_1`"},
}
ROW = {
    "numPoints": 1,
    "params": ["N=1:1:10:3", "L=1:1:9:2"],
    "objs": [{**MIRROR, "for": "i=1:1:N", "p2": {"x": "`x_1+i*L`", "y": 0}}],
}
BALL = {
    "type": "CircleGlass",
    "p1": {"x": "`x_1`", "y": "`y_1`"},
    "p2": {"x": "`x_1+5`", "y": "`y_1`"},
}


def instance(module="M", *points, **more):
    return {
        "type": "ModuleObj",
        "module": module,
        "points": [{"x": x, "y": y} for x, y in points or ((0, 0),)],
        **more,
    }


def scene_with(definition, *objs, **rest):
    return scene_from_json(
        {
            "version": 5,
            "modules": {"M": definition, **rest.pop("modules", {})},
            "objs": list(objs) or [instance()],
            **rest,
        }
    )


def parts(definition, **more):
    scene = scene_with(definition, instance(**more))
    return scene.parts_of(scene.objects[0])


def trouble(definition, *objs, **rest):
    scene = scene_with(definition, *objs, **rest)
    assert scene.optical == ()
    texts = [p.text for p in find_scene_problems(scene) if p.key == scene.objects[0].key]
    assert len(texts) == 1
    assert scene_to_json(scene)["modules"]["M"] == definition
    return texts[0]


# --- templates


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("plain", "plain"),
        ("`2^3+a`", 11.0),
        ("`a` of `1/4`", "3 of 0.25"),
        ("``a*t^2``", "3\\cdot t^{2}"),
        ("y = ``a*x``+`a`", "y = 3\\cdot x+3"),
        ("a `lone tick", "a `lone tick"),
        ({"x": ["`a`", {"y": "`a+1`"}]}, {"x": [3.0, {"y": 4.0}]}),
        ([{"for": "i=1:1:3", "v": "`i`"}], [{"v": 1.0}, {"v": 2.0}, {"v": 3.0}]),
        ([{"for": ["i=1:1:2", "j=a:-1:2"], "v": "`i``j`"}], None),
        (
            [{"for": ["i=1:1:2", "j=a:-1:2"], "v": "`10i+j`"}],
            [{"v": 13.0}, {"v": 12.0}, {"v": 23.0}, {"v": 22.0}],
        ),
        (
            [
                {"for": "i=1:1:4", "if": "mod(i,2)==0", "v": "`i`"},
                {"if": "a<0"},
                {"if": True, "k": 1},
            ],
            [{"v": 2.0}, {"v": 4.0}, {"k": 1}],
        ),
        ([{"for": "lambda=1:2:0", "v": 1}], []),
    ],
)
def test_templates_are_evaluated(template, value):
    scope = Scope({"a": 3.0})
    if value is not None:
        assert fill_template(template, scope, 1000) == value
    else:
        assert [v["v"] for v in fill_template(template, scope, 1000)] == ["13", "12", "23", "22"]


def test_a_loop_includes_its_end_despite_rounding():
    assert list(stepped_values(0, 0.1, 0.3, limit=10)) == pytest.approx([0, 0.1, 0.2, 0.3])
    assert len(list(stepped_values(0, 2 * math.pi / 7, 2 * math.pi - 1e-4, limit=10))) == 7
    assert list(stepped_values(2, -1, 0, limit=3)) == [2, 1, 0]


@pytest.mark.parametrize(
    ("loop", "says"),
    [
        ("i=0:0:1", "step is 0"),
        ("i=0:1:1e9", "more than 1000"),
        ("i=0:1e-30:1", "more than 1000"),
        ("i=0:1:1/0", "finite"),
        ("i=0:0/0:1", "finite"),
        ("i=0:1", "range"),
        ("i=0:1:2:3", "name=start:step:end"),
        ("i=0:1:q", "'q'"),
        (3, "must be a loop"),
        (["i=1:1:2", 4], "must be a loop"),
    ],
)
def test_an_invalid_loop_is_refused_with_the_reason(loop, says):
    with pytest.raises(InvalidTemplate, match=says):
        fill_template([{"for": loop}], Scope(), 1000)


def test_numbers_within_text_are_written_as_javascript_writes_them():
    values = [3.0, -0.0, 0.1 + 0.2, 1e-6, 1.5e-7, 1e20, 1e21, -2.5e-9, math.inf, math.nan]
    texts = [
        "3",
        "0",
        "0.30000000000000004",
        "0.000001",
        "1.5e-7",
        "100000000000000000000",
        "1e+21",
        "-2.5e-9",
        "Infinity",
        "NaN",
    ]
    assert [javascript_number(v) for v in values] == texts


# --- instances


def test_an_instance_is_expanded_to_its_parts_in_order():
    lamp = {"type": "PointSource", "x": 0, "y": 9}
    scene = scene_with(ROW, lamp, instance("M", (1, 2), params={"N": 2, "L": "5"}), lamp)
    assert [o.type for o in scene.optical] == ["PointSource", "Mirror", "Mirror", "PointSource"]
    assert [(o.p1, o.p2) for o in scene.optical[1:3]] == [((1, 2), (6, 0)), ((1, 2), (11, 0))]


def test_parameters_default_to_their_default_or_the_start_of_their_range():
    definition = {
        "numPoints": 1,
        "params": ["A=pi:1:9: 2pi", "B=4:1:9"],
        "objs": [{"type": "PointSource", "x": "`A`", "y": "`B`"}],
    }
    (lamp,) = parts(definition)
    assert (lamp.x, lamp.y) == (2 * math.pi, 4)


def test_statements_run_in_order_and_functions_go_into_latex():
    definition = {
        "numPoints": 2,
        "vars": ["w = x_2 - x_1", "f(t) = w*t", "g(t) = f(t)^2"],
        "objs": [
            {"type": "TextLabel", "x": "`w`", "y": "`g(2)`", "text": "``g(t)``"},
            {"type": "TextLabel", "x": 0, "y": 0, "text": "`w`"},
        ],
    }
    scene = scene_with(definition, instance("M", (1, 0), (4, 0)))
    first, second = scene.expanded_objects
    assert (first.x, first.y) == (3, 36)
    assert first.text == "\\left(3\\cdot t\\right)^{2}"
    assert second.text == "3"
    assert scene.optical == ()


def test_flags_and_arcs_may_be_conditions():
    path = [{"x": "`i`", "y": "`i^2`", "arc": "`i==2`", "for": "i=1:1:3"}]
    (glass,) = parts(
        {"numPoints": 1, "objs": [{"type": "Glass", "path": path, "partialReflect": "`1>2`"}]}
    )
    assert [tuple(v) for v in glass.path] == [(1, 1, False), (2, 4, True), (3, 9, False)]
    assert glass.partial_reflect is False


def test_instances_may_be_nested_and_recursive_under_a_condition():
    tree = {
        "numPoints": 1,
        "params": ["n=0:1:5:3"],
        "objs": [
            MIRROR | {"p2": {"x": "`x_1`", "y": "`n`"}},
            instance("M", params={"n": "`n-1`"}) | {"if": "n>1"},
        ],
    }
    found = parts(tree)
    assert [o.p2.y for o in found] == [3, 2, 1]
    assert [o.title for o in found] == ["M 1/Mirror", "M 1/M/Mirror", "M 1/M/M/Mirror"]
    assert len({o.key for o in found}) == 3


def test_detectors_of_modules_are_read_in_order():
    gate = {
        "type": "Detector",
        "p1": {"x": "`10*i`", "y": -5},
        "p2": {"x": "`10*i`", "y": 5},
        "for": "i=1:1:2",
    }
    stop = {"type": "Blocker", "p1": {"x": 15, "y": -5}, "p2": {"x": 15, "y": 5}}
    ray = {"type": "SingleRay", "p1": {"x": 0, "y": 1}, "p2": {"x": 1, "y": 1}}
    scene = scene_with({"numPoints": 1, "objs": [gate, stop]}, ray, instance())
    assert [(r.index, r.power) for r in trace(scene).detectors] == [(1, 1.0), (2, 0.0)]


def test_disabling_an_instance_disables_its_parts():
    wall = {"type": "Blocker", "p1": {"x": 5, "y": -5}, "p2": {"x": 5, "y": 5}}
    scene = scene_with(
        {"numPoints": 1, "objs": [wall]},
        {"type": "SingleRay", "p1": {"x": 0, "y": 1}, "p2": {"x": 1, "y": 1}},
        instance(),
    )
    key = scene.objects[1].key
    assert trace(scene).hit.tolist() == [1]
    assert trace(scene, disabled={key}).hit.tolist() == [-1]
    assert scene.keys_with_parts({key}) == {key, scene.optical[1].key}


# --- random numbers


def test_the_seed_gives_the_numbers_that_its_generator_is_known_for():
    random = SeededRandom("hello.")
    assert [random(), random()] == [0.9282578795792454, 0.3752569768646784]
    random.position = 0
    assert random() == 0.9282578795792454


def test_random_numbers_come_from_the_scenes_seed_and_differ_between_instances():
    definition = {
        "numPoints": 1,
        "objs": [{"type": "PointSource", "x": "`random()`", "y": "`random(5,6)`"}],
    }
    a, b = scene_with(definition, instance(), instance(), randomSeed="hello.").optical
    assert (a.x, b.x) == (0.9282578795792454, pytest.approx(b.x))
    assert a.x != b.x
    assert 5 <= a.y < 6
    again = scene_with(definition, instance(), instance(), randomSeed="hello.").optical
    assert [(o.x, o.y) for o in again] == [(a.x, a.y), (b.x, b.y)]
    other = scene_with(definition, randomSeed="other").optical
    assert other[0].x != a.x
    assert scene_with(definition).optical[0].x == scene_with(definition).optical[0].x


# --- names, keys and picking


def test_parts_are_found_by_the_name_of_the_instance_and_their_own():
    definition = {
        "numPoints": 1,
        "objs": [
            BALL | {"name": "Eye"},
            BALL,
            BALL,
            MIRROR | {"p2": {"x": 1, "y": 1}, "name": "m`1+1`"},
        ],
    }
    scene = scene_with(definition, instance(name="Face"), instance())
    titles = [o.title for o in scene.optical]
    assert titles[:4] == ["Face/Eye", "Face/Circle glass 1", "Face/Circle glass 2", "Face/m2"]
    assert titles[4] == "M 1/Eye"
    assert glass_named(scene, "Face/Eye") is scene.optical[0]
    assert object_named(scene, "Face/Circle glass 2") is scene.optical[2]
    assert object_named(scene, "Face") is scene.objects[0]
    with pytest.raises(
        UnknownName,
        match=(
            r"Named objects: \['Face', 'Face/Eye', .*Unnamed objects answer to: \['Face/Circle"
            r" glass 1'"
        ),
    ):
        object_named(scene, "Eye")
    with pytest.raises(UnknownName, match=r"Glass objects: .*'Face/Eye'"):
        glass_named(scene, "Face/m2")


def test_an_error_lists_only_the_first_of_many_parts():
    scene = scene_with(ROW | {"objs": [BALL | {"for": "i=1:1:500"}]})
    with pytest.raises(UnknownName, match=r"488 more|489 more") as error:
        object_named(scene, "nothing")
    assert len(str(error.value)) < 1000


def test_duplicate_names_are_numbered():
    assert make_names_unique(["a", "b", "a", "a 1"]) == ["a 2", "b", "a 3", "a 1"]


def test_a_part_keeps_its_key_through_edits_and_a_copy_has_its_own():
    scene = scene_with(ROW, instance(params={"N": 3, "L": 1}))
    key = scene.objects[0].key
    before = [o.key for o in scene.optical]
    moved = edited(scene, Move(key, 1, 1))
    assert [o.key for o in moved.optical] == before
    assert [o.p1 for o in moved.optical] == [(1, 1)] * 3
    fewer = edited(scene, Set(key, {"params": {"N": 2, "L": 1}}))
    more = edited(fewer, Set(key, {"params": {"N": 4, "L": 1}}))
    assert [o.key for o in fewer.optical] == before[:2]
    assert [o.key for o in more.optical][:3] == before
    copied = edited(scene, Duplicate(key, 0, 0))
    keys = [o.key for o in copied.optical]
    assert len(set(keys)) == 6
    assert [copied.instance_key_of(k) for k in before] == [key] * 3


def test_the_expansion_of_an_unchanged_instance_is_cached():
    random = {"numPoints": 1, "objs": [{"type": "PointSource", "x": "`random()`", "y": 0}]}
    scene = scene_with(
        ROW,
        {"type": "PointSource", "x": 0, "y": 9},
        instance(),
        instance("R"),
        instance("R"),
        modules={"R": random},
    )
    moved = edited(scene, Move(scene.objects[0].key, 5, 0))
    assert all(a is b for a, b in zip(scene.optical[1:], moved.optical[1:], strict=True))
    # without the first of them, the second draws the first's number
    fewer = scene.with_objects(o for o in scene.objects if o is not scene.objects[2])
    assert fewer.optical[-1].x == scene.optical[-2].x
    assert fewer.optical[1] is scene.optical[1]
    assert fewer.with_settings(random_seed="x").optical[-1].x != fewer.optical[-1].x


def test_an_instance_is_hit_as_one_object_and_dragged_by_its_points():
    scene = scene_with({"numPoints": 1, "objs": [BALL]}, instance("M", (10, 10)))
    obj = scene.objects[0]
    assert find_hit_at_point(scene, Point(12, 10), 0.5) == BodyHit(obj.key)
    found = find_hit_at_point(scene, Point(15.2, 10), 0.5)
    assert isinstance(found, EdgeHit)
    assert found.key == obj.key
    assert scene_extent(scene) == pytest.approx((5, 5, 15, 15))
    (control,) = control_points(obj)
    dragged = edited(scene, Set(obj.key, control.values(Point(0, 0))))
    assert dragged.optical[0].p2 == (5, 0)
    assert scene_to_json(dragged)["objs"] == [instance("M", (0, 0))]


# --- trouble


@pytest.mark.parametrize(
    ("definition", "obj", "says"),
    [
        (
            ROW,
            instance("Other"),
            r"'Other 1' \(module Other\): there is no such module; there are \['M'\]",
        ),
        (ROW, instance("M", (0, 0), (1, 1)), "2 points instead of 1"),
        (ROW, instance(params={"N": 2}), "no value for the parameter 'L'"),
        (ROW, instance(params={"N": 2, "L": "wide"}), "parameter 'L' must be a number"),
        (ROW, instance(params=[1]), "'params' must map"),
        ({"numPoints": 1, "objs": [MIRROR]}, instance(), r"objs\[0\].p2.x: .*'L'"),
        (
            {"numPoints": 1, "objs": [BALL | {"refIndex": "`1/0`"}]},
            instance(),
            "'refIndex' must be a finite number",
        ),
        (
            {"numPoints": 1, "objs": [BALL | {"refIndex": "`1+`"}]},
            instance(),
            r"objs\[0\].refIndex",
        ),
        ({"numPoints": 1, "objs": ["ball"]}, instance(), "must be a JSON object"),
        ({"numPoints": 1, "objs": 3}, instance(), "'objs' must be a list"),
        ({"numPoints": 1.5}, instance(), "'numPoints' must be a whole number"),
        ({"numPoints": 1, "params": ["N"]}, instance(), "name=start:step:end"),
        (
            {"numPoints": 1, "params": ["N=1:1:2", "N=1:1:2"]},
            instance(),
            "two parameters are called 'N'",
        ),
        ({"numPoints": 1, "vars": ["a=b"]}, instance(), r"vars\[0\] 'a=b'"),
        ("text", instance(), "is a JSON object"),
        ({"numPoints": 1, "objs": [instance()]}, instance(), "does one contain itself"),
        ({"numPoints": 1, "objs": [instance(), instance()]}, instance(), "does one contain itself"),
        (
            {"numPoints": 1, "maxLoopLength": 5, "objs": [BALL | {"for": "i=1:1:6"}]},
            instance(),
            "more than 5 times",
        ),
    ],
)
def test_an_invalid_instance_has_no_parts_and_reports_the_reason(definition, obj, says):
    assert re.search(says, trouble(definition, obj))


def test_a_broken_instance_leaves_the_others_alone():
    scene = scene_with(ROW, instance("None"), instance())
    assert len(scene.optical) == 3


def test_parts_of_unknown_kinds_are_kept_and_reported():
    scene = scene_with({"numPoints": 1, "objs": [{"type": "Hologram", "for": "i=1:1:9"}, BALL]})
    assert (len(scene.expanded_objects), len(scene.optical)) == (10, 1)
    texts = [p.text for p in find_scene_problems(scene)]
    assert len(texts) == 4
    assert "Hologram" in texts[0]
    assert "6 more" in texts[3]


def test_definitions_that_are_not_used_are_checked_too():
    scene = scene_with(ROW | {"colour": "red"}, instance(), modules={"N": {"params": 7}})
    assert sorted(p.text for p in find_scene_problems(scene)) == [
        "Module 'M': unknown property 'colour' is kept but has no effect.",
        "Module 'N' is kept but cannot be used: 'params' must be a list.",
    ]


def test_modules_that_are_not_a_json_object_are_refused():
    with pytest.raises(SceneFileError, match="'modules' must map names"):
        scene_from_json({"modules": [1], "objs": []})


def test_an_unfinished_instance_is_kept():
    data = {"type": "ModuleObj", "module": "M", "points": [], "notDone": True}
    scene = scene_with(ROW, data)
    assert scene_to_json(scene)["objs"] == [data]


def test_what_was_read_is_written_back_and_other_parameters_with_it():
    obj = instance(params={"N": "2", "L": 3}, name="Row", odd=1)
    scene = scene_with(ROW | {"importedFromBeta": True}, obj)
    assert scene_to_json(scene)["objs"] == [obj]
    renamed = edited(scene, Set(scene.objects[0].key, {"name": "Line"}))
    assert scene_to_json(renamed)["objs"] == [obj | {"name": "Line"}]
    assert scene_to_json(renamed)["modules"]["M"] == ROW | {"importedFromBeta": True}
    assert [o.title for o in renamed.optical] == ["Line/Mirror 1", "Line/Mirror 2"]


# --- hostile modules

DEEP: dict = {"x": 1}
for _ in range(300):
    DEEP = {"x": DEEP}
HOSTILE = {
    "long loops within loops": {"numPoints": 1, "objs": [BALL | {"for": ["i=1:1:1000"] * 4}]},
    "an endless allowance": {
        "numPoints": 1,
        "maxLoopLength": 1e14,
        "objs": [BALL | {"for": "i=1:1:1e13"}],
    },
    "loops that give nothing": {
        "numPoints": 1,
        "objs": [BALL | {"for": ["i=1:1:1000"] * 3, "if": "false"}],
    },
    "loops in loops of modules": {"numPoints": 1, "objs": [instance() | {"for": "i=1:1:1000"}] * 2},
    "a function without end": {"numPoints": 1, "vars": ["f(n)=f(n+1)", "a=f(0)"]},
    "a slow function in a loop": {
        "numPoints": 1,
        "vars": ["f(n)=n<2?n:f(n-1)+f(n-2)"],
        "objs": [BALL | {"for": "i=1:1:1000", "refIndex": "`f(22)`"}],
    },
    "a formula that doubles": {
        "numPoints": 1,
        "vars": ["f0(x)=x+x", *(f"f{i}(x)=f{i - 1}(x)+f{i - 1}(x)" for i in range(1, 30))],
        "objs": [{"type": "TextLabel", "x": 0, "y": 0, "text": "``f29(t)``", "for": "i=1:1:1000"}],
    },
    "thousands of functions": {
        "numPoints": 1,
        "vars": [f"f{i}(x)=x+{i}" for i in range(20_000)],
        "objs": [BALL],
    },
    "deep nesting": {"numPoints": 1, "objs": [DEEP]},
    "a long outline in a loop": {
        "numPoints": 1,
        "objs": [{"type": "Glass", "path": [{"x": 0, "y": 0}] * 2000, "for": "i=1:1:1000"}],
    },
    "a thousand loops": {
        "numPoints": 1,
        "objs": [
            BALL | {"for": ["i=1:1:1000", "j=1:1:15", *(f"a{k}=1:1:1" for k in range(1_000))]}
        ],
    },
    "a long text in a loop": {
        "numPoints": 1,
        "objs": [
            {
                "type": "TextLabel",
                "x": 0,
                "y": 0,
                "text": "`i`" + "x" * 200_000,
                "for": "i=1:1:1000",
            }
        ],
    },
    "a long name in a loop": {
        "numPoints": 1,
        "objs": [BALL | {"name": "x" * 200_000, "for": "i=1:1:1000"}],
    },
    "thousands of variables": {
        "numPoints": 1,
        "vars": [f"a{i}={i}" for i in range(5_000)],
        "objs": [BALL],
    },
    "arrays of arrays": {
        "numPoints": 1,
        "vars": ["a0=[1,1]", *(f"a{i}=[a{i - 1},a{i - 1}]" for i in range(1, 40))],
        "objs": [{"type": "TextLabel", "x": 0, "y": 0, "text": "``a39``"}],
    },
    "an array of columns": {
        "numPoints": 1,
        "maxLoopLength": 1e6,
        "objs": [
            BALL
            | {
                "for": "i=1:1:10000",
                "refIndex": f"`[{','.join(f'i+{k}' for k in range(2_000))}]`",
            }
        ],
    },
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.security
def test_a_hostile_module_is_bounded_in_time_and_memory(name, monkeypatch):
    monkeypatch.setattr(expansion, "MAX_STEPS", 30_000)  # a fiftieth of what there is, to be quick
    tracemalloc.start()
    try:
        scene = scene_with(HOSTILE[name], instance(), instance(), instance())
        found = [scene.expansions[o.key] for o in scene.objects]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert all(e.parts == () for e in found)
    assert all(
        e.trouble.startswith(
            ("'M 1' (module M)", "'M 1/", "'M 2' (module M)", "'M 3' (module M)", "'M 2/", "'M 3/")
        )
        for e in found
    )
    assert sum(e.steps for e in found) < 33_000
    assert peak < 60_000_000


@pytest.mark.security
def test_thousands_of_parameters_and_long_keys_are_read_at_once():
    start = time.thread_time()
    assert (
        len(
            parts(
                {"numPoints": 1, "params": [f"a{i}=1:1:9" for i in range(30_000)], "objs": [BALL]}
            )
        )
        == 1
    )
    scene = scene_with(
        {"numPoints": 1, "objs": [{"k" * 10_000_000: {str(i): 1 for i in range(30_000)}}]}
    )
    assert scene.expansions[scene.objects[0].key].steps > 30_000
    assert time.thread_time() - start < 5


def test_what_is_said_of_a_missing_module_is_short_however_many_there_are():
    others = {f"{'long ' * 20}{i}": {} for i in range(2_000)}
    text = trouble(ROW, instance("Other"), modules=others)
    assert "there is no such module; there are ['M'" in text
    assert len(text) < 1_000


PIECES = st.sampled_from(
    [
        "`",
        "``",
        "x_1",
        "N",
        "t",
        "+",
        "*",
        "^",
        "(",
        ")",
        "=",
        ":",
        ",",
        "1",
        "2.5",
        "1e9",
        "random()",
        "f(",
        "if",
        " ",
        "\\",
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=12)
VALUES = st.recursive(
    TEXTS | st.none() | st.integers(-3, 3),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(TEXTS | st.just("for"), v, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(TEXTS, max_size=2),
    st.lists(TEXTS, max_size=2),
    VALUES,
    TEXTS,
    st.sampled_from(["for", "if", "refIndex", "p1", "name"]),
)
@pytest.mark.security
def test_any_module_opens_and_is_written_back(params, statements, template, text, field):
    definition = {
        "numPoints": 1,
        "params": params,
        "vars": statements,
        "objs": [template, BALL | {field: text}],
        "maxLoopLength": 20,
    }
    scene = scene_with(definition)
    find_scene_problems(scene)
    assert len(scene.optical) <= 100
    assert json.loads(json.dumps(scene_to_json(scene)))["modules"]["M"] == json.loads(
        json.dumps(definition)
    )


def test_an_instance_is_read_like_any_object():
    obj = object_from_json(instance("M", (1, 2), params={"N": 1}))
    assert isinstance(obj, ModuleObj)
    assert obj.points == ((1, 2),)
    with pytest.raises(SceneFileError, match="'points' must be a list"):
        object_from_json({"type": "ModuleObj", "module": "M", "points": 3})
