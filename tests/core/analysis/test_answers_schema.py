"""Every tool's answer fits the XML schema that ships with the program, whatever the names hold."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources

import pytest
from lxml import etree
from tests.answers_schema import answers_schema
from tests.core.analysis.tool_calls import every_call

from raybench.analysis import agentic_tools as tools
from raybench.analysis.answers.schema import answers_schema as answers_schema_text
from raybench.analysis.context import override_context
from raybench.analysis.tool_registry import TOOLS, get_agentic_tools

NOT_ABOUT_POWER = (tools.measure_xml, tools.focus_xml, tools.spot_xml, tools.ray_path_xml)
"""Tools that tell a power beside what they are about, or only where they are asked for one."""
OF_A_RAY = ("ray", "segment", "step", "object")
"""Elements whose powers are those of single rays or of sources, which are not lessened by weak
light.
"""


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
def test_every_answer_fits_the_schema(tool: Callable[..., str]) -> None:
    for name, about, arguments in every_call(tool):
        with override_context(about):
            xml = tool(**arguments)
        root = etree.fromstring(xml.encode(), etree.XMLParser(huge_tree=True))
        assert answers_schema().validate(root), (
            f"{tool.__name__} {arguments} on {name}: {answers_schema().error_log.last_error}."
            " Mend the Record of the element."
        )
        if tool is not tools.fresnel_xml:
            assert root.attrib["revision"] == str(about.result.revision)
            assert root.attrib.get("stale") == ("true" if name == "stale" else None)
        if name == "weak" and tool not in NOT_ABOUT_POWER:
            told = {
                a
                for e in root.iter()
                if e.tag not in OF_A_RAY
                for a in e.attrib
                if "power" in a or "energy" in a
            }
            assert told == {"power_unit"} or "truncated_share" in root.attrib, (
                f"{tool.__name__} has {told}: its TOOL lacks power=True"
            )


def test_the_schema_refuses_what_is_no_answer() -> None:
    xml = tools.fresnel_xml(1.5, 1.0, 10.0)
    for wrong in (
        xml.replace('angle="10"', 'angle="steep"'),
        xml.replace("<critical_angle>", "<critical>").replace("</critical_angle>", "</critical>"),
        xml.replace('angle_unit="deg"', 'angle_unit="rad"'),
        xml.replace("<fresnel", "<frenel").replace("</fresnel", "</frenel"),
    ):
        assert wrong != xml
        assert not answers_schema().validate(etree.fromstring(wrong.encode()))


def test_the_schema_that_ships_is_that_of_the_types() -> None:
    shipped = resources.files("raybench_resources").joinpath("answers.xsd")
    assert shipped.read_text(encoding="utf-8") == answers_schema_text(), (
        "Make it again: python -m raybench.analysis.answers.schema >"
        " resources/raybench_resources/answers.xsd"
    )


def test_every_tool_has_its_schema_from_its_signature() -> None:
    assert [t["function"] for t in get_agentic_tools()] == list(TOOLS)
