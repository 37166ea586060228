"""What a call asks for, in words."""

from __future__ import annotations

import pytest

from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.tools.tool import Tool, tool_named


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("zoom_to", {"names": ["Lens"]}, "zoom to Lens"),
        ("zoom_to", {}, "zoom to the whole scene"),
        ("zoom_to", {"names": True}, "zoom to: names True"),
        ("select_objects", {}, "select nothing"),
        (
            "optimise",
            {
                "goals": ["least divergence(Lens)"],
                "vary": ["Lamp.x=-9..9", "Lens.x=0..5"],
                "whole_range": False,
                "seed": 0,
            },
            "optimise least divergence(Lens) by Lamp.x=-9..9, Lens.x=0..5",
        ),
        (
            "sweep",
            {"axes": ["Lamp.x=0..9:5"], "measures": ["rms(Screen)"], "limit": 21},
            "sweep Lamp.x=0..9:5: rms(Screen)",
        ),
        ("sweep", {"axes": ["Lamp.x=0..9:5"]}, "sweep: axes Lamp.x=0..9:5"),
        (
            "tolerance",
            {"vary": ["Lens.x±0.1"], "measures": ["rms(Screen)"]},
            "tolerance of rms(Screen) to Lens.x±0.1",
        ),
        ("find_glass", {"name": "N-BK7", "family": "", "limit": 5}, "find glass N-BK7"),
        ("find_glass", {"name": "", "n_d": 1.5, "v_d": 60}, "find glass n_d 1.5 and v_d 60"),
        ("object_kinds", {"kinds": ["Detector"]}, "how to add Detector"),
        ("object_kinds", {"kinds": None}, "kinds of objects"),
        ("own_tool", {"text": "a", "n": 2}, "own tool: text a, n 2"),
    ],
)
def test_a_call_is_told_in_words_whatever_its_arguments_are(
    tool: str, arguments: dict[str, object], words: str
) -> None:
    assert (tool_named(agent_tools(), tool) or Tool(tool)).question(arguments) == words


def test_each_tool_that_ships_has_words_of_its_own() -> None:
    assert [tool.name for tool in agent_tools() if tool.asks is None] == [
        "grep",
        "grep-n",
        "llm-query",
    ]


def test_a_call_with_any_arguments_is_told_in_one_short_line() -> None:
    odd = "\x1b[31m\n\u202e" + "x" * 100_000
    for tool in agent_tools():
        for arguments in (
            dict.fromkeys(tool.parameters.names, odd),
            {odd: 1},
            {f"argument {i}": i for i in range(5_000)},
        ):
            words = tool.question(arguments)
            assert len(words) < 500
            assert not {"\x1b", "\n", "\u202e"} & set(words)
