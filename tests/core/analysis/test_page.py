"""Pages of answers: no list is longer than asked for, and what is left is counted."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from core.agent.by_hand.typed_call import tool_at_hand, typed_call
from core.agent.call.call import ToolOutcome
from core.analysis import agentic_tools as tools
from core.analysis.answers.preview import A_PAGE
from core.analysis.tools.discovery import tools as all_tools
from core.errors import RaybenchError
from core.kinds.glasses import Glass
from core.kinds.sources import Beam
from core.scene.document import Document
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.session import Session
from core.shapes.point import Point, Vertex
from core.trace.trace import trace

PRISM = Glass(name="Prism", path=(Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20)))
SCENE = Scene.of([PRISM, Beam(name="Laser", p1=Point(-90, -5), p2=Point(-90, 5))], Settings(ray_mode_density=8))


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    tools.set_context_from_result(SCENE, trace(SCENE))
    yield
    tools.clear_context()


def called(name: str, **arguments: object) -> ToolOutcome:
    return typed_call(Session(Document(scene=SCENE)), tool_at_hand(name), (), arguments)


def test_pages_one_after_the_other_hold_every_ray_once_and_say_what_is_left() -> None:
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


def test_a_page_of_ranked_paths_goes_on_where_the_one_before_ended() -> None:
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


@pytest.mark.parametrize("page", [{"limit": 0}, {"limit": 1001}, {"limit": True}, {"offset": -1}, {"offset": 1.5}])
def test_what_is_no_page_is_refused(page: dict[str, object]) -> None:
    with pytest.raises(RaybenchError, match="give a whole number"):
        tools.find_rays_inside_glass_xml("Prism", **page)


def test_every_tool_that_lists_takes_limit_and_offset() -> None:
    without = {name for name, tool in all_tools().items() if not tool.limit}
    assert without == {"query_rays_xml", "refractive_index_xml", "fresnel_xml"}
    for name in all_tools().keys() - without:
        assert {"limit", "offset"} <= set(tool_at_hand(name).parameters.names)


def test_a_preview_begins_with_a_summary_by_source_interaction_and_direction_and_fits_on_a_page() -> None:
    told = called("find_rays_inside_glass_xml", glass_name="Prism").model_text
    assert len(told) < A_PAGE + 200
    assert told.index("<summary>") < told.index('<source name="Laser" rays="') < told.index("<interaction ") < told.index("<direction ")
    assert told.index("</summary>") < told.index("<ray ")
    assert f"[the first {told.count('<ray ')} of " in told


def test_a_preview_is_longer_where_more_is_asked_for() -> None:
    short, long = (called("find_rays_inside_glass_xml", glass_name="Prism", **more).model_text for more in ({}, {"limit": 20}))
    assert 5 <= short.count("<ray ") < long.count("<ray ") == 20
