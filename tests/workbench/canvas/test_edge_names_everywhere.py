"""An edge has one name: that painted on the canvas is understood and told by path patterns,
measures, SQL, tools and the chat.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import pytest

from raybench.agent.by_hand.command_line import ask_question
from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene, override_context
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point, Vertex
from raybench_workbench.canvas.labels import edge_labels
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


def turned(x: float, y: float, degrees: float = 34.0) -> Vertex:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Vertex(60 + x * c - y * s, 60 + x * s + y * c)


WEDGE = Glass(
    path=(turned(0, -20), turned(20, -20), turned(28, 20), turned(0, 20)),
    ref_index=1.5,
    name="Wedge",
)
RIGHT = Glass(path=(Vertex(120, 0), Vertex(160, 40), Vertex(120, 40)), ref_index=1.5, name="Right")
DOME = Glass(
    path=(Vertex(0, -80), Vertex(40, -80), Vertex(20, -110, arc=True)), ref_index=1.5, name="Dome"
)
BALL = CircleGlass(p1=Point(120, -60), p2=Point(140, -60), ref_index=1.5, name="Ball")
LOWER = Glass(
    path=(Vertex(0, 110), Vertex(50, 110), Vertex(50, 140), Vertex(0, 140)),
    ref_index=1.5,
    name="Lower",
)
UPPER = Glass(
    path=(Vertex(0, 80), Vertex(50, 80), Vertex(50, 110), Vertex(0, 110)),
    ref_index=1.6,
    name="Upper",
)
MIRROR = Mirror(p1=Point(200, -20), p2=Point(240, 20), name="Mirror")
LASER = Beam(p1=Point(-60, -120), p2=Point(-60, 150), brightness=0.5, name="Laser")
BODIES = {
    "Wedge": ["NE", "SE", "SW", "NW"], "Right": ["NE", "S", "W"], "Dome": ["S", "N"], "Lower": ["N", "E", "S", "W"],
    "Upper": ["N", "E", "S", "W"],
}  # fmt: skip


@pytest.fixture
def window(open_window):
    objects = [LASER, WEDGE, RIGHT, DOME, BALL, LOWER, UPPER, MIRROR]
    window = open_window(Document(scene=Scene.of(objects, Settings(ray_mode_density=0.3))))
    wait_until_settled(window)
    return window


def test_names_on_the_canvas_are_those_of_tools_patterns_measures_and_sentences(window):
    document, result = window.document.document, window.document.result
    painted = {
        o.title: [label.pieces[0][0] for label in edge_labels(o, {}, window.canvas.camera)]
        for o in document.scene.optical
        if o is not LASER
    }
    assert {name: painted[name] for name in BODIES} == BODIES
    assert painted["Mirror"] == ["NE", "SW"]  # of its two sides
    session = Session(document)
    with override_context(TracedScene.from_document(document, result)):
        told = ET.fromstring(tools.describe_edges_xml(limit=1000))
        sql = ET.fromstring(
            tools.query_rays_xml(
                "SELECT object, label FROM edges ORDER BY object_index, edge_index"
            )
        )
        rows = [tuple(cell.text for cell in row) for row in sql.findall("row")]
        for name, labels in BODIES.items():
            edges = told.find(f"object[@name='{name}']")
            assert edges is not None
            assert [e.attrib["label"] for e in edges.iter("edge")] == labels
            assert [label for title, label in rows if title == name] == labels
            for label in labels:
                texts = f"edge_rays({name}:{label}); path_rays('* > {name}:{label}')"
                reached, along = (
                    float(m.attrib["value"]) for m in ET.fromstring(tools.measure_xml(texts))
                )
                assert reached == along, (name, label)
    said = [
        re.findall(r"\d+", ask_question(session, question).text)[0]
        for question in (
            "How many rays hit the north west side of Wedge?",
            "How many rays reach edge NW of Wedge",
            "edge_rays(Wedge:NW)",
        )
    ]
    assert set(said) == {said[0]}


def test_both_names_of_a_shared_edge_tell_the_same(window):
    with override_context(
        TracedScene.from_document(window.document.document, window.document.result)
    ):
        texts = (
            "edge_power(Lower:N); edge_power(Upper:S); path_power('* > Lower:N'); path_power('* >"
            " Upper:S')"
        )
        values = [m.attrib["value"] for m in ET.fromstring(tools.measure_xml(texts))]
        assert float(values[0]) > 0
        assert set(values) == {values[0]}
        counts = {
            ET.fromstring(tools.find_paths_xml(f"* > {edge} > *", max_paths=0)).attrib["count"]
            for edge in ("Lower:N", "Upper:S")
        }
    assert len(counts) == 1
    assert counts != {"0"}
