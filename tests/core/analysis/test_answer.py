"""An answer is a value; XML, previews and text are made from it, and nothing is read back."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.elements import element, listed

from raybench.analysis.answers.answer import Answer, Leaf
from raybench.analysis.answers.preview import answer_preview
from raybench.analysis.answers.rays_xml import rays_to_xml
from raybench.analysis.answers.text import answer_text
from raybench.analysis.answers.xml_answer import to_xml
from raybench.analysis.context import TracedScene, override_context, require_context
from raybench.analysis.tools.discovery import tools
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.ray_set import RaySet
from raybench.trace.trace import trace

PRISM = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)), name="Prism")
SCREEN = Detector(p1=Point(0, 260), p2=Point(300, 260), name="Screen")


@pytest.fixture(scope="module")
def traced() -> TracedScene:
    document = Document(scene=Scene.of([PRISM, PointSource(x=99, y=75, name="Lamp"), SCREEN]))
    return TracedScene.from_document(document, trace(document))


def answer_of(traced: TracedScene, tool: str, **arguments: object) -> Answer:
    with override_context(traced):
        return tools()[tool].function(**arguments)


def small(rows: int) -> Answer:
    items = [element("row", name=f"n{i}", power=np.float64(i) / 2, gap=None) for i in range(rows)]
    root = element(
        "rows",
        element("best", Leaf("angle", None, missing="none"), x=1.5),
        listed("row", items),
        count=rows,
        from_="a",
    )
    return Answer(root, f"{rows} rows")


def test_values_are_named_as_in_the_xml() -> None:
    assert small(1).values == {
        "count": 1,
        "from": "a",
        "best": {"x": 1.5, "angle": None},
        "row": [{"name": "n0", "power": 0.0, "gap": None}],
    }
    assert type(small(1).values["row"][0]["power"]) is float
    assert small(0).values["row"] == []
    assert '<row name="n0" power="0"/>' in to_xml(small(1))
    assert "<angle>none</angle>" in to_xml(small(1))


def test_an_answer_has_a_sentence() -> None:
    with pytest.raises(ValueError, match="needs a sentence"):
        Answer(element("a"), "")


def test_only_rays_that_exist_are_named() -> None:
    some, none = RaySet(np.arange(2), "q", 1), RaySet(np.arange(0), "q", 1)
    assert Answer(element("a"), "2 rays", some).full_sentence("R1") == "2 rays (R1)."
    assert (
        Answer(element("a"), "No ray", none).full_sentence("R1")
        == Answer(element("a"), "No ray").full_sentence("R1")
        == "No ray."
    )


def test_values_of_rays_are_unrounded(traced: TracedScene) -> None:
    answer = answer_of(traced, "find_rays_by_polarization_xml")
    rays = answer.values["ray"]
    written = ET.fromstring(to_xml(answer))
    assert len(rays) == answer.values["count"] == len(written) == len(traced.result)
    for ray, element_ in zip(rays, written, strict=True):
        for name in ("id", "parent", "interaction", "source", "object", "edge", "status"):
            assert ray[name] == element_.get(name)
        assert f"{ray['p2']['x']:.4f}" == element_.find("p2").get("x")  # type: ignore[union-attr]
        assert f"{ray['brightness_total']:.6f}" == element_.findtext("brightness_total")
        assert ray["tir_count"] == int(element_.findtext("tir/tir_count") or 0)
        assert ray["caused_tir"] is (element_.findtext("tir/caused_tir") == "true")
    assert rays[0]["p2"]["x"] == traced.result.p2[0, 0]
    assert any(math.isinf(ray["length"]) for ray in rays)


def test_a_question_leaves_no_trace(traced: TracedScene) -> None:
    from raybench.analysis.agentic_tools import find_rays_inside_glass_xml

    with override_context(traced):
        before = len(require_context().answers)
        answer = tools()["find_rays_inside_glass_xml"].function(glass_name="Prism")
        assert len(require_context().answers) == before
        assert find_rays_inside_glass_xml("Prism") == to_xml(answer)
        assert answer.rays is not None
        assert require_context().answers[-1].rows.tolist() == answer.rays.rows.tolist()


@pytest.mark.parametrize("cap", [600, 2000, 4000])
def test_a_preview_is_whole_xml_that_fits(traced: TracedScene, cap: int) -> None:
    answer = answer_of(traced, "rank_paths_by_energy_xml", top_n=50, max_paths=50)
    assert len(to_xml(answer)) > 4000
    text = answer_preview(answer, cap)
    assert len(text) <= cap
    xml, _, note = text.rpartition("\n")
    shown = ET.fromstring(xml)
    for tag, listing in (
        ("group", answer.values["groups"]["group"]),
        ("path", answer.values["paths"]["path"]),
    ):
        count = len(shown.findall(f".//{tag}"))
        assert (f"the first {count} of {len(listing)} {tag}s" in note) is (count < len(listing))
    assert "the first" in note


def test_a_preview_shows_as_much_as_fits(traced: TracedScene) -> None:
    answer = answer_of(traced, "query_rays_xml", sql="SELECT id, power FROM rays", limit=1000)
    for cap in range(600, 2600, 50):
        text = answer_preview(answer, cap)
        assert cap - len(text) <= max(
            len(line) for line in text.splitlines() if "<row>" in line
        ) + len("1")


def test_a_preview_of_a_short_answer_is_the_answer(traced: TracedScene) -> None:
    answer = small(3)
    assert answer_preview(answer) == to_xml(answer)
    edges = answer_of(traced, "describe_edges_xml")
    assert edges.details  # which a long preview leaves out
    assert "<part" in answer_preview(edges, 100_000) == to_xml(edges)
    rows = answer_of(traced, "query_rays_xml", sql="SELECT id, power, depth FROM rays", limit=1000)
    assert "<column>power</column><column>depth</column>" in answer_preview(
        rows, 900
    )  # columns and cells are never shortened
    assert "of 1000 rows" in answer_preview(
        rows, 900
    ) or f"of {len(traced.result)} rows" in answer_preview(rows, 900)


def test_text_for_people_is_a_sentence_and_tables(traced: TracedScene) -> None:
    text = answer_text(small(3))
    assert text.startswith("rows: count 3, from a\nbest: x 1.5\nrow\n")
    assert text.endswith("  name  power\n  n0        0\n  n1      0.5\n  n2        1")
    assert answer_text(small(30), 2).endswith("not shown 28 row")
    sql = answer_of(
        traced,
        "query_rays_xml",
        sql="SELECT source, count(*) AS n, NULL AS gone FROM rays GROUP BY source",
    )
    assert sql.sentence == f"source = Lamp, n = {len(traced.result)}, gone = NULL"
    assert [line.split() for line in answer_text(sql).splitlines()[2:4]] == [
        ["source", "n", "gone"],
        ["Lamp", str(len(traced.result))],
    ]
    rays = answer_text(
        answer_of(traced, "find_rays_inside_glass_xml", glass_name="Prism"), 5
    ).splitlines()
    assert rays[2].split()[:3] == ["id", "interaction", "source"]
    assert "Lamp" in rays[3]


def test_left_of_a_page_and_left_of_a_box() -> None:
    box = element("box", left=2.0, bottom=3.0)
    assert answer_text(
        Answer(element("boxes", box, left="4 box", unit="mm"), "boxes")
    ).splitlines() == [
        "boxes: unit mm",
        "box: left 2 mm, bottom 3 mm",
        "units lengths in mm, not shown 4 box",
    ]


def test_values_go_through_json(traced: TracedScene) -> None:
    for name, arguments in (
        ("describe_scene_xml", {}),
        ("tir_analysis_xml", {"glass_name": "Prism"}),
        ("ray_statistics_xml", {}),
    ):
        values = answer_of(traced, name, **arguments).values
        assert json.loads(json.dumps(values))["revision"] == traced.result.revision
    assert answer_of(traced, "describe_scene_xml").values["object"][2]["property"][0]["value"] == (
        0.0,
        260.0,
    )


def test_segments_that_were_picked_keep_who_they_are(traced: TracedScene) -> None:
    whole = {
        ray.attrib["id"]: ray
        for ray in ET.fromstring(to_xml(answer_of(traced, "find_rays_by_polarization_xml")))
    }
    picked = [traced.result.segments[row] for row in (7, 3)]
    root = ET.fromstring(rays_to_xml(picked))
    assert root.attrib["revision"] == str(traced.result.revision)
    assert [ray.attrib["id"] for ray in root] == [
        traced.result.segment_id(7),
        traced.result.segment_id(3),
    ]
    for ray in root:
        known = {
            name: value for name, value in whole[ray.attrib["id"]].attrib.items() if name != "index"
        }
        assert {name: value for name, value in ray.attrib.items() if name != "index"} == known
