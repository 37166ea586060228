"""Evaluating the iterations of a loop together gives the same result as one by one."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from raybench.files.scene_json import scene_from_json
from raybench.kinds.kinds import KINDS
from raybench.scene.codec import object_from_json, object_to_json
from raybench.scene.modules import expansion, templates
from raybench.scene.problems import find_scene_problems

NUMBERS = [
    "x_1", "i", "x_1+2i", "i*L/3", "y_2-i^2", "cos(i)", "sqrt(i-2)", "abs(x_2-i)", "f(i)", "g(3)", "a[2]*i", "mod(i,3)", "round(i/2)",
    "max(i,2)", "i>2", "2*k", "atan2(i,x_1)", "-i", "i<2?1:i", "L!", "i!", "3", "hypot(i,y_1)",
]  # fmt: skip
ODD = [
    "random()",
    "random(i)",
    "i<2?q:i",
    "h(i)",
    "1/(i-2)",
    "a[i]",
    "nothing",
    "0/0",
    "f",
    "1e60*i",
]
LOOPS = [
    "i=1:1:N",
    "i=0:0.1:0.7",
    "i=N:-1:0",
    ["i=1:1:2", "k=0:2:L"],
    ["k=1:1:2", "i=k:1:3"],
    "i=5:1:4",
    "i=x_1:x_2:20",
    "i=1:1:random(4)",
    "i=1:1:1e9",
]
CONDITIONS = ["i>1", "mod(i,2)==0", True, "L>9", "i/0", "h(i)>1", "i>1 and i<3"]


def random_template(rng: np.random.Generator, kind: str) -> dict[str, object]:
    def formula() -> str:
        return f"`{pick(ODD if rng.random() < 0.04 else NUMBERS)}`"

    def pick(values: list[str]) -> str:
        return values[int(rng.integers(len(values)))]

    def point() -> dict[str, object]:
        return {"x": formula(), "y": formula() if rng.random() < 0.8 else pick(["7", "-2.5"])}

    data: dict[str, object] = {
        "Mirror": lambda: {
            "p1": point(),
            "p2": point(),
            "filter": rng.random() < 0.5,
            "wavelength": formula(),
        },
        "CircleGlass": lambda: {
            "p1": point(),
            "p2": point(),
            "refIndex": formula(),
            "partialReflect": pick(["`i>1`", "`L>1`"]),
        },
        "Glass": lambda: {
            "path": [
                point(),
                {**point(), "arc": pick(["`L>1`", "`i>1`"])},
                point(),
                {**point(), "for": "j=1:1:L"},
            ]
        },
        "PointSource": lambda: {
            "x": formula(),
            "y": formula(),
            "brightness": formula(),
            pick(["note", "locked"]): "locked",
        },
        "ModuleObj": lambda: {"module": "Inner", "points": [point()], "params": {"r": formula()}},
        "CustomMirror": lambda: {
            "p1": point(),
            "p2": point(),
            "eqn": pick(["``L*x``", "0.2", "``i*x``"]),
        },
        "ParamMirror": lambda: {
            "pieces": [{"eqnX": "t", "eqnY": "t^2", "tMin": formula(), "tMax": "9", "tStep": 1}]
        },
        "Hologram": lambda: {"p1": point()},
    }[kind]()
    data["type"] = kind
    if rng.random() < 0.8:
        data["for"] = LOOPS[int(rng.integers(len(LOOPS) - (rng.random() < 0.95)))]
    if rng.random() < 0.3:
        data["if"] = CONDITIONS[int(rng.integers(len(CONDITIONS)))]
    if rng.random() < 0.2:
        data["name"] = pick(["Ball", "Ball `L`", "Ball `i`"])
    if rng.random() < 0.1:
        data["unheard"] = formula()
    return data


SORTS = [
    "Mirror",
    "CircleGlass",
    "Glass",
    "PointSource",
    "ModuleObj",
    "CustomMirror",
    "ParamMirror",
    "Hologram",
]


def random_json(seed: int) -> dict[str, object]:
    rng = np.random.default_rng(seed)
    kinds = rng.choice(SORTS, size=int(rng.integers(1, 4)))
    outer = {
        "numPoints": 2,
        "params": ["N=1:1:9:4", "L=1:1:9:3"],
        "vars": [
            "f(t)=t*L+x_2",
            "g(t)=t^2",
            "h(n)=if(n<=1,1,n*h(n-1))",
            "a=[1,2.5,L]",
            "i=1.5",
            "k=2",
            "j=1",
        ],
        "objs": [random_template(rng, str(kind)) for kind in kinds],
    }
    inner = {
        "numPoints": 1,
        "params": ["r=0:1:9"],
        "objs": [{"type": "PointSource", "x": "`x_1+r`", "y": "`y_1+c`", "for": "c=1:1:3"}],
    }
    points = [{"x": float(x), "y": float(y)} for x, y in rng.integers(-9, 9, (2, 2))]
    return {
        "version": 5,
        "modules": {"Outer": outer, "Inner": inner},
        "objs": [
            {"type": "ModuleObj", "module": "Outer", "points": points},
            {"type": "ModuleObj", "module": "Outer", "points": points},
        ],
    }


def everything(data: dict[str, object]) -> tuple[object, ...]:
    """Everything about the expansions of instances except the steps, since batches count both
    branches of a condition.
    """
    scene = scene_from_json(json.loads(json.dumps(data)))
    expansions = [scene.expansions[o.key] for o in scene.objects]
    placed = [{key: place for place, key in o.part_keys.items()} for o in scene.objects]
    placed_parts = [
        (placed[k][p.key], repr(dataclasses.replace(p, key=0)))
        for k in (0, 1)
        for p in expansions[k].parts
    ]
    assert all(
        object_from_json(object_to_json(p)) == p
        for e in expansions
        for p in e.parts
        if p.type in KINDS
    )
    return (
        placed_parts,
        [e.drawn for e in expansions],
        [e.trouble for e in expansions],
        [p.text for p in find_scene_problems(scene)],
    )


@pytest.mark.parametrize("seed", range(0, 400, 40))
def test_iterations_evaluated_together_agree_with_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in range(seed, seed + 40):
        data = random_json(one)
        together = everything(data)
        with monkeypatch.context() as m:
            m.setattr(templates, "_fill_all_iterations", lambda *_: None)
            assert everything(data) == together, data


def test_a_loop_is_decoded_once_for_all_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    monkeypatch.setattr(
        expansion,
        "_decode_object",
        lambda data, i, real=expansion._decode_object: read.append(i) or real(data, i),
    )
    tooth = {
        "type": "Mirror",
        "p1": {"x": "`x_1+i`", "y": 0},
        "p2": {"x": "`cos(i)`", "y": "`i>3`"},
        "for": "i=1:1:50",
        "if": "mod(i,2)>0",
    }
    module = {"numPoints": 1, "objs": [tooth]}
    scene = scene_from_json(
        {
            "modules": {"M": module},
            "objs": [{"type": "ModuleObj", "module": "M", "points": [{"x": 5, "y": 0}]}],
        }
    )
    assert [o.p1.x for o in scene.optical] == [5.0 + i for i in range(1, 51, 2)]
    assert [o.p2.y for o in scene.optical] == [0.0, 0.0, *[1.0] * 23]
    assert len({id(o.p1) for o in scene.optical}) == len(scene.optical) == 25
    assert read == [0]
