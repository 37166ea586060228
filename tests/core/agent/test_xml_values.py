"""Answers in XML as values."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.agent.call.context import ToolContext
from core.agent.call.xml_values import read_xml
from core.agent.catalogue.registry import ToolRegistry
from core.agent.programs.program_tool import program_tool
from core.agent.tools.tool import agent_tools
from core.errors import RaybenchError
from tests.prism_bench import prism_bench


def test_elements_are_dicts_with_their_children_in_a_list() -> None:
    first_ray = '<ray id="7" source="3"><p1 x="1.5" y="-2"/><length>inf</length><gap>true</gap></ray>'
    text = f'<rays count="2" unit="mm">{first_ray}<ray id="8"/></rays>'
    read = read_xml(text)
    assert (read["tag"], read["count"], read["unit"]) == ("rays", 2, "mm")
    first, second = read["children"]
    assert (first["id"], first["source"], first["p1"]["x"], first["length"], first["gap"]) == ("7", "3", 1.5, float("inf"), True)
    assert second == {"tag": "ray", "id": "8", "children": []}


def test_one_ray_is_a_list_of_one() -> None:
    assert [r["id"] for r in read_xml('<rays count="1"><ray id="a"/></rays>')["children"]] == ["a"]
    assert read_xml('<rays count="0"/>')["children"] == []


@pytest.mark.parametrize("text", ["", "<a>", "no", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "<a>&x;</a>", "<a b='1' b='2'/>"])
def test_what_is_no_answer_is_an_error(text: str) -> None:
    with pytest.raises(RaybenchError):
        read_xml(text)


@given(st.text().map(lambda t: f"<a b='{t}'>{t}</a>"))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read = read_xml(text)
    except RaybenchError:
        return
    assert read["tag"] == "a"


def test_a_program_computes_with_the_rays_of_an_answer() -> None:
    code = """
rays = read_xml(find_rays_by_polarization_xml())["children"]
[len(rays), round(sum(r["brightness_total"] for r in rays), 2), min(r["p1"]["x"] for r in rays)]
"""
    ctx = ToolContext(prism_bench(), ToolRegistry(agent_tools()))
    assert asyncio.run(ctx.run(program_tool(), {"code": code})).text == "[5, 2.95, -60.0]"
