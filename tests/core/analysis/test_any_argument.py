"""Whatever a model sends, a tool gives an answer that fits the schema, or an error in a line."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from tests.answers_schema import answers_schema

from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tool_registry import get_agentic_tools
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import ParabolicMirror
from raybench.kinds.sources import PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

WORDS = [
    "Prism",
    "Ball",
    "Dish",
    "Screen",
    "Lamp",
    "S",
    "E",
    "W",
    "Rim",
    "0",
    "1",
    "99",
    "",
    "r7-0",
    "r7-5",
    "r0-1",
    "Lamp > Prism",
    "* > Screen",
]
QUERIES = [
    "SELECT * FROM rays",
    "SELECT id FROM rays JOIN crossings USING (row)",
    "SELECT 1e999, -1e999, NULL, x'00ff', 'a\tb'",
    "SELECT",
    "(",
    ";",
]
VALUES: dict[str, st.SearchStrategy[object]] = {
    "string": st.one_of(
        st.sampled_from(WORDS),
        st.sampled_from(QUERIES),
        st.text(st.characters(exclude_categories=()), max_size=30),
    ),
    "number": st.one_of(
        st.floats(0, 90), st.floats(), st.sampled_from([0.0, -1.0, 1.5, 540.0, math.nan, math.inf])
    ),
    "integer": st.one_of(st.integers(1, 20), st.integers()),
    "boolean": st.booleans(),
}


@cache
def about() -> TracedScene:
    prism = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)), name="Prism")
    others = [
        CircleGlass(p1=Point(60, 160), p2=Point(60, 180), name="Ball"),
        ParabolicMirror(p1=Point(300, 0), p2=Point(300, 200), p3=Point(330, 100), name="Dish"),
    ]
    scene = Scene.of(
        [
            prism,
            *others,
            PointSource(x=99, y=75, name="Lamp"),
            Detector(p1=Point(0, 260), p2=Point(300, 260), name="Screen"),
        ]
    )
    return TracedScene.from_document(Document(scene=scene), trace(scene, revision=7))


@pytest.mark.parametrize("entry", get_agentic_tools(), ids=lambda e: e["name"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_argument_is_answered_or_refused_in_a_line(
    entry: dict[str, Any], data: st.DataObject
) -> None:
    arguments = {
        name: data.draw(VALUES[about_it["type"]], name)
        for name, about_it in entry["parameters"].items()
    }
    refusal = ""
    with override_context(about()):
        try:
            xml = entry["function"](**arguments)
        except UnicodeError:
            raise
        except (ValueError, RuntimeError) as error:
            refusal = str(error) or "without a word"
    if refusal:
        assert refusal != "without a word"
        assert len(refusal) < 3000
        return
    root = etree.fromstring(xml.encode(), etree.XMLParser(huge_tree=True))
    assert answers_schema().validate(root), answers_schema().error_log.last_error


WRONG = [
    None,
    -1,
    -1.5,
    10**400,
    True,
    b"x",
    1j,
    [],
    {},
    "",
    "\x00",
    "x" * 10_000,
    math.nan,
    math.inf,
    np.float64(1),
    np.int64(1),
]


@pytest.mark.parametrize("entry", get_agentic_tools(), ids=lambda e: e["name"])
def test_a_value_of_the_wrong_type(
    entry: dict[str, Any],
) -> None:
    right = {"string": "Prism", "number": 1.5, "integer": 3}
    for name in entry["parameters"]:
        for wrong in WRONG:
            arguments = {n: right[p["type"]] for n, p in entry["parameters"].items()} | {
                name: wrong
            }
            if "edge_label" in arguments and name != "edge_label":
                arguments["edge_label"] = "S"
            refusal = ""
            with override_context(about()):
                try:
                    entry["function"](**arguments)
                except RaybenchError as error:
                    refusal = str(error)
            assert len(refusal) < 2500, (name, wrong)
