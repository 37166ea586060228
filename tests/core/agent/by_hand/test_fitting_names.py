"""The names that are offered while a command is written."""

from __future__ import annotations

import pytest

from raybench.agent.by_hand.slash import argument_candidates
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.tools.tool import tool_named
from raybench.files.scene_json import scene_from_json
from raybench.scene.document import Document

LINE = {"p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 10}}
WEDGE = [{"x": 0, "y": 0}, {"x": 40, "y": 0}, {"x": 40, "y": 30}]
OBJECTS = [
    {"type": "Beam", "name": "Laser", **LINE},
    {"type": "Glass", "name": "Main Prism", "path": WEDGE},
    {"type": "Detector", "name": "Screen", **LINE},
    {"type": "Ruler", "name": "Ruler", **LINE},
]


@pytest.mark.parametrize(
    ("command", "written", "offered"),
    [
        ("find_rays_inside_glass_xml", "", ["Main Prism"]),
        ("find_rays_inside_glass_xml", '"Mai', ["Main Prism"]),
        ("find_rays_inside_glass_xml", '"Main Prism" ', []),
        ("find_rays_crossing_edge_xml", '"Main Prism" ', ["N", "E", "SW"]),
        ("find_rays_crossing_edge_xml", '"Main Prism" edge_label=', ["N", "E", "SW"]),
        ("detector_xml", "", ["Screen"]),
        ("spot_xml", "", ["Main Prism", "Screen"]),
        ("spot_xml", "source_name=", ["Laser"]),
        ("read_objects", "", None),
    ],
)
def test_a_parameter_is_offered_the_names_that_fit(
    command: str, written: str, offered: list[str] | None
) -> None:
    tool = tool_named(agent_tools(), command)
    assert tool is not None
    found = argument_candidates(
        tool, written, Document(scene=scene_from_json({"version": 5, "objs": OBJECTS}))
    )
    assert (None if found is None else list(found)) == offered
