"""Pages of answers: no list is longer than asked for, and what is left is counted."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace

import pytest

from raybench.agent.by_hand.command_line import run_typed_call, tool_without_model
from raybench.agent.call.outcome import ToolOutcome
from raybench.analysis import agentic_tools as tools
from raybench.analysis.answers.page import MOST_PAGE_ELEMENTS, check_page
from raybench.analysis.answers.preview import A_PAGE
from raybench.analysis.tools.discovery import tools as all_tools
from raybench.errors import RaybenchError
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

PRISM = Glass(name="Prism", path=(Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20)))
SCENE = Scene.of(
    [PRISM, Beam(name="Laser", p1=Point(-90, -5), p2=Point(-90, 5))], Settings(ray_mode_density=8)
)


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    tools.set_context_from_result(SCENE, trace(SCENE))
    yield
    tools.clear_context()


def called(name: str, **arguments: object) -> ToolOutcome:
    return run_typed_call(Session(Document(scene=SCENE)), tool_without_model(name), (), arguments)


def test_pages_hold_every_ray_once() -> None:
    whole = ET.fromstring(tools.find_rays_inside_glass_xml("Prism"))
    rays = [ray.attrib["id"] for ray in whole.findall("ray")]
    assert len(rays) == int(whole.attrib["count"]) > 100
    assert not {"left", "offset"} & whole.attrib.keys()
    seen: list[str] = []
    while len(seen) < len(rays):
        page = ET.fromstring(tools.find_rays_inside_glass_xml("Prism", limit=47, offset=len(seen)))
        seen += [ray.attrib["id"] for ray in page.findall("ray")]
        left = len(rays) - len(seen)
        assert page.attrib.get("left") == (f"{left} ray" if left else None)
        assert page.attrib["count"] == whole.attrib["count"]
    assert seen == rays


def test_a_page_of_ranked_paths_goes_on() -> None:
    def surfaces(**page: int) -> list[str]:
        root = ET.fromstring(tools.rank_paths_by_energy_xml(max_paths=0, **page))
        assert root.findall("paths/path") == []
        return [group.attrib["surfaces"] for group in root.findall("groups/group")]

    whole = surfaces(top_n=40)
    assert len(whole) == 4
    assert [*surfaces(top_n=2), *surfaces(top_n=2, offset=2)] == whole


def test_groups_are_listed_without_single_paths() -> None:
    root = ET.fromstring(tools.find_paths_xml("Laser > * > escape", max_paths=0))
    assert root.findall("path") == []
    assert len(root.findall("groups/group")) == int(root.find("groups").attrib["count"]) > 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "page", [{"limit": 0}, {"limit": 1001}, {"limit": True}, {"offset": -1}, {"offset": 1.5}]
)
def test_what_is_no_page_is_refused(page: dict[str, object]) -> None:
    with pytest.raises(RaybenchError, match="give a whole number"):
        tools.find_rays_inside_glass_xml("Prism", **page)


def test_every_tool_that_lists_takes_limit_and_offset() -> None:
    without = {name for name, tool in all_tools().items() if not tool.limit}
    assert without == {"query_rays_xml", "refractive_index_xml", "fresnel_xml", "pupils_xml"}
    for name in all_tools().keys() - without:
        assert {"limit", "offset"} <= set(tool_without_model(name).parameters.names)


def test_a_preview_begins_with_a_summary() -> None:
    told = called("find_rays_inside_glass_xml", glass_name="Prism").model_text
    assert len(told) < A_PAGE + 200
    assert (
        told.index("<summary>")
        < told.index('<source name="Laser" rays="')
        < told.index("<interaction ")
        < told.index("<direction ")
    )
    assert told.index("</summary>") < told.index("<ray ")
    assert f"[the first {told.count('<ray ')} of " in told


def test_a_preview_is_longer_where_more_is_asked_for() -> None:
    short, long = (
        called("find_rays_inside_glass_xml", glass_name="Prism", **more).model_text
        for more in ({}, {"limit": 20})
    )
    assert 5 <= short.count("<ray ") < long.count("<ray ") == 20


def test_many_objects_on_a_page() -> None:
    copies = [
        replace(PRISM.with_new_key(), name=f"A prism of which there are many {k}")
        for k in range(30)
    ]
    session = Session(Document(scene=Scene.of(copies)))
    told = run_typed_call(
        session, tool_without_model("read_objects"), (), {"names": [o.name for o in copies]}
    ).model_text
    assert len(told) <= A_PAGE
    records, _, last = told[told.index("[{") :].rpartition("\n")
    assert 2 < len(json.loads(records)) < 30
    assert last.startswith(f"[the first {len(json.loads(records))} of 30, ")
    few = run_typed_call(
        session, tool_without_model("read_objects"), (), {"names": [o.name for o in copies[:2]]}
    ).model_text
    assert len(json.loads(few[few.index("[{") :])) == 2


@pytest.mark.parametrize(
    "query",
    [
        "how do I rotate an object",
        "what does a measure of a detector mean",
        "write a tool in Python",
    ],
)
def test_help_fits_on_a_page(query: str) -> None:
    told = called("search_help", query=query).model_text
    assert told.count("**") // 2 + told.rpartition("Also: ")[2].count(";") + ("Also: " in told) >= 3
    assert len(told) <= A_PAGE


def test_the_presets_fit_on_a_page() -> None:
    told = called("list_presets").model_text
    assert len(told) <= A_PAGE
    assert len(json.loads(told)) > 10


def test_a_path_of_thousands_of_surfaces() -> None:
    left, right = (
        Mirror(name=name, p1=Point(x, -50), p2=Point(x, 50))
        for name, x in (("A long name", 0), ("Another long name", 10))
    )
    ray = SingleRay(name="Ray", p1=Point(5, 0), p2=Point(9, 0.001))
    session = Session(Document(scene=Scene.of([left, right, ray], Settings(max_ray_depth=500))))
    result = trace(session.document)
    told = run_typed_call(
        session,
        tool_without_model("ray_path_xml"),
        (),
        {"ray_id": result.segment_id(len(result) - 1)},
    ).model_text
    path = ET.fromstring(
        told[told.index("<?xml") : told.index("</ray_path>") + len("</ray_path>")].encode()
    ).find("path")
    assert path is not None
    assert (path.attrib["segments"], path.attrib["power"]) == (str(len(result)), "1")
    assert " → * → " in path.attrib["surfaces"]
    assert len(told) <= A_PAGE


@pytest.mark.parametrize(("limit", "offset"), [(1, 0), (MOST_PAGE_ELEMENTS, 10**9)])
def test_the_smallest_and_the_largest_page_are_allowed(limit: int, offset: int) -> None:
    check_page(limit, offset, least=1)


@pytest.mark.parametrize(
    ("limit", "offset"), [(0, 0), (MOST_PAGE_ELEMENTS + 1, 0), (1, -1), (True, 0), (1, False)]
)
def test_other_pages_are_refused(limit: int, offset: int) -> None:
    with pytest.raises(RaybenchError, match="give a whole number"):
        check_page(limit, offset, least=1)


def test_a_large_scene_fits_on_a_page() -> None:
    many = [
        Glass(name=f"P{i}", path=tuple(v._replace(x=v.x + 100 * i) for v in PRISM.path))
        for i in range(60)
    ]
    scene = Scene.of(many)
    tools.set_context_from_result(scene, trace(scene))
    for tool, without in (
        (tools.describe_scene_xml, "property"),
        (tools.describe_edges_xml, "part"),
    ):
        seen: list[str] = []
        while len(seen) < len(many):
            xml = tool(offset=len(seen))
            root = ET.fromstring(xml)
            assert len(xml) <= A_PAGE
            assert root.attrib["without"] == without
            assert root.find(f".//{without}") is None
            seen += [o.attrib["name"] for o in root.findall("object")]
            assert root.attrib.get("left") == (
                f"{len(many) - len(seen)} object" if len(seen) < len(many) else None
            )
        assert seen == [o.title for o in many]
        asked = ET.fromstring(tool(limit=2))
        assert len(asked.findall("object")) == 2
        assert asked.find(f".//{without}") is not None
    alone = ET.fromstring(tools.describe_edges_xml("P7"))
    assert len(alone.findall("object/edge/part")) == 3


def round_glass(corners: int, name: str = "Round") -> Glass:
    turns = [2 * math.pi * i / corners for i in range(corners)]
    return Glass(
        name=name, path=tuple(Vertex(50 * math.cos(turn), 50 * math.sin(turn)) for turn in turns)
    )


def test_the_edges_of_one_object_are_paged() -> None:
    scene = Scene.of([round_glass(250), PRISM])
    tools.set_context_from_result(scene, trace(scene))
    seen: list[str] = []
    for left in ("150 edge", "50 edge", None):
        xml = tools.describe_edges_xml("Round", offset=len(seen))
        root = ET.fromstring(xml)
        assert root.attrib.get("left") == left
        assert len(xml) < 100_000
        seen += [edge.attrib["index"] for edge in root.findall("object/edge")]
    assert seen == [str(i) for i in range(250)]
    asked = ET.fromstring(tools.describe_edges_xml("Round", limit=3, offset=7))
    assert [edge.attrib["index"] for edge in asked.findall("object/edge")] == ["7", "8", "9"]
    session = Session(Document(scene=scene))
    told = run_typed_call(
        session, tool_without_model("describe_edges_xml"), (), {"object_name": "Round", "offset": 7}
    ).model_text
    assert '<edge index="7"' in told
    assert "of 250" in told


def test_each_of_several_objects_lists_first_edges() -> None:
    scene = Scene.of([round_glass(250), PRISM])
    tools.set_context_from_result(scene, trace(scene))
    found = ET.fromstring(tools.describe_edges_xml(limit=2)).findall("object")
    assert [(len(each.findall("edge")), each.attrib.get("edges_left")) for each in found] == [
        (100, "150"),
        (3, None),
    ]
    assert found[0].attrib["edges"].endswith(" and 210 more")
    assert len(tools.describe_edges_xml()) < 100_000


def test_an_edge_that_many_bodies_touch() -> None:
    scene = Scene.of([PRISM, *(Glass(name=f"Copy {i}", path=PRISM.path) for i in range(130))])
    tools.set_context_from_result(scene, trace(scene))
    part = ET.fromstring(tools.describe_edges_xml("Prism", limit=1)).find("object/edge/part")
    assert part is not None
    assert (len(part.findall("touches")), part.attrib["touches_left"]) == (100, "30")
