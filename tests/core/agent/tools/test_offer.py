"""A model calls the tools that it is not offered: by their names, or by `call_tool`."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.open_prism import open_prism

from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.models.scripted import ScriptedBackend
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.offer import (
    CALL_TOOL,
    listed_tools,
    offered_definition,
    tools_for_model,
)
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.history import call_block

INSIDE = "find_rays_inside_glass_xml"


def outcome_of(name: str, arguments: Any) -> ToolOutcome:
    backend = ScriptedBackend([[call_block("c1", name, arguments)], "Done."])
    turn = asyncio.run(Conversation(open_prism(), backend).say("Which rays are inside?"))
    (outcome,) = turn.outcomes
    return outcome


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (INSIDE, {"glass_name": "Main Prism"}),
        (CALL_TOOL.name, {"name": INSIDE, "arguments": {"glass_name": "Main Prism"}}),
        (CALL_TOOL.name, {"name": INSIDE, "arguments": '{"glass_name": "Main Prism"}'}),
        (CALL_TOOL.name, {"name": INSIDE, "glass_name": "Main Prism"}),
    ],
)
def test_a_tool_on_demand_is_called_by_its_name_or_by_another_tool(
    name: str, arguments: Any
) -> None:
    outcome = outcome_of(name, arguments)
    assert outcome.ok
    assert outcome.tool == INSIDE
    assert outcome.model_text.startswith("2 rays are inside Main Prism (R1).")


def test_a_wrong_call_of_a_tool_on_demand_returns_its_definition() -> None:
    text = outcome_of(CALL_TOOL.name, {"name": "tolerance", "arguments": {}}).model_text
    assert "'vary' is missing" in text
    assert "Compute how much measures change" in text
    assert "How far parameters may be off" in text
    assert outcome_of(CALL_TOOL.name, {"name": "no_such"}).text.startswith("Unknown tool 'no_such'")


def test_every_tool_is_offered_or_named() -> None:
    tools = exposed_tools(agent_tools(), "native")
    for small in (False, True):
        offered = tools_for_model(tools, window=True, small=small)
        assert {t.name for t in tools} < {t.name for t in offered}
        listed = {t.name for t in listed_tools(offered)}
        about = offered[-1].description or ""
        hidden = [t for t in tools if t.name not in listed]
        assert all(t.name in about for t in hidden if small is (t.offered == "usually"))
    assert len(listed) <= 12


def test_of_a_short_definition_nothing_is_left_out_that_its_text_does_not_say() -> None:
    def search(query: str, extent: float | None = None, seed: int = 3) -> str:
        """Search.

        Args:
            query: What to search.
            extent: How far.
            seed: Of the random numbers.
        """
        return ""

    tool = Tool.new("search", (search, {"effect": "read", "brief": "Search by a query."}))
    assert offered_definition(tool) == {
        "name": "search",
        "description": "Search by a query.",
        "input_schema": {
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "extent": {"type": "number", "description": "How far."},
                "seed": {"type": "integer"},
            },
            "required": ["query"],
        },
    }
    assert json.dumps(tool.definition).count("description") == 4
