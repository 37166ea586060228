"""The page of tools in Help, made from the tools themselves."""

from __future__ import annotations

from importlib.resources import files

from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.guide import EFFECTS, guide


def test_the_page_that_ships_is_made_from_the_tools() -> None:
    """Where it is not current: ``python -m raybench.agent.catalogue.guide >
    resources/raybench_resources/help/tools.md``.
    """
    assert (
        files("raybench_resources").joinpath("help", "tools.md").read_text(encoding="utf-8")
        == guide()
    )


def test_every_tool_is_listed_once() -> None:
    text = guide()
    for tool in agent_tools():
        assert tool.effect in EFFECTS
        assert text.count(f"- `{tool.usage}`:") == 1, tool.name
