"""Tools that change what is shown (SEED3), of a project and shipped ones: by a model, by commands
and in the window.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from tests.core.agent.project import ONLY_BELOW
from tests.messages_server import MessagesServer, refuse, use
from tests.workbench.numbered.conftest import Commands

from raybench.agent.models.anthropic import AnthropicBackend
from raybench.view import View
from raybench_workbench.shot import wait_until_settled

LASER = (
    ONLY_BELOW
    + '''

class Wrong(StateTool):
    name = "wrong"
    description = "Merge what cannot be."

    def _run(self) -> dict:
        return {"nearly": []}

    def apply_to_state(self, state: ViewDraft) -> str:
        merge_filter(state, self._run())
        return "Never."


class Half(StateTool):
    name = "half"
    description = "Lacks a part."

    def _run(self) -> dict:
        return {}


@tool_options(effect="read")
async def breaks() -> str:
    """Break."""
    raise ValueError("broken")
'''
)


def exported(commands: Commands, tool: str) -> int:
    """How many rays are left of the trace's two by a tool of the view."""
    path = commands.folder.parent / "rays.csv"
    status, _, err = commands("export", str(commands.scene), str(path), "--tool", tool)
    assert status == 0, err
    with path.open() as lines:
        return len([row for row in csv.reader(lines) if row and not row[0].startswith("#")]) - 1


def test_seed3_1_to_5_a_class_of_a_project_is_a_tool_whose_state_nobody_gives(
    commands: Commands,
) -> None:
    commands.project(LASER)
    listed = commands.listed()
    assert (
        "only_below(power :float?)\n    [tools.py::only_below, read] Show only weak rays." in listed
    )
    assert "half" not in listed.partition("Not usable")[0]
    schema = commands.schemas()["only_below"]
    assert schema["description"] == "Show only weak rays."
    assert list(schema["input_schema"]["properties"]) == ["power"]
    assert schema["input_schema"]["properties"]["power"]["default"] == 0.5
    assert exported(commands, "only_below 2") == exported(commands, "only_below power=2") == 2
    assert exported(commands, "only_below 0.000001") == 0
    call = {"call": "only_below", "arguments": {"power": 2, "state": {}}}
    (told,) = commands.asked([call], "Done.")["tool_calls"]
    assert told["ok"]
    assert told["arguments"] == {"power": 2.0}


def test_seed3_7_an_unknown_clause_is_an_error_and_other_calls_go_on(commands: Commands) -> None:
    commands.project(LASER)
    told = commands.asked(
        [{"call": "wrong", "arguments": {}}, {"call": "only_below", "arguments": {}}], "Done."
    )["tool_calls"]
    assert [call["ok"] for call in told] == [False, True]
    assert "nearly" in told[0]["result"]


@pytest.mark.parametrize(
    ("arguments", "ok", "words"),
    [
        ({"quantity": "power", "at_least": 0.5}, True, "0.5"),
        ({"quantity": "depth", "above": 0, "below": 2}, True, "depth"),
        ({"quantity": "power"}, True, "No"),
        ({"quantity": "power", "at_least": 2, "at_most": 1}, False, "2"),
        ({"quantity": "colour", "at_least": 2}, False, "power"),
    ],
)
def test_seed3_8_a_range_says_what_it_shows(
    arguments: dict[str, Any], ok: bool, words: str, commands: Commands
) -> None:
    commands.project()
    (told,) = commands.asked([{"call": "range_filter", "arguments": arguments}], "Done.")[
        "tool_calls"
    ]
    assert told["ok"] is ok
    assert words in told["result"]
    assert "None" not in told["result"]


@pytest.mark.parametrize(
    ("tool", "arguments", "ok", "words"),
    [
        ("source_filter", {}, True, "No"),
        ("source_filter", {"sources": ["Laser"], "objects": ["Mirror"]}, True, "Laser"),
        ("source_filter", {"sources": ["Lasre"]}, False, "Laser"),
        ("pick_rays", {"rays": []}, True, "No"),
        ("pick_rays", {"rays": ["R1"]}, True, "2 rays"),
        ("pick_rays", {"rays": ["r999-0"]}, False, "r999-0"),
    ],
)
def test_seed3_9_and_10_sources_and_rays_are_shown_by_name(
    tool: str, arguments: dict[str, Any], ok: bool, words: str, commands: Commands
) -> None:
    commands.project()
    found = [{"call": "find_rays_xml", "arguments": {"source": "Laser"}}]
    _, told = commands.asked(found, [{"call": tool, "arguments": arguments}], "Done.")["tool_calls"]
    assert (told["ok"], words in told["result"]) == (ok, True), told["result"]


def test_seed3_6_11_and_12_filters_of_a_turn_add_up_and_are_shown_when_it_is_over_though_a_tool_failed(
    commands: Commands, open_window: Any, qtbot: Any
) -> None:
    window = open_window(Path(commands.scene))
    wait_until_settled(window)
    views: list[View] = []
    session, dock = window.document.session, window.chat_dock
    window.document.viewChanged.connect(lambda: views.append(session.view))
    shown = ("power > 2", "power > 2, from Laser", "power > 2, from Laser", "")
    for command, words in zip(
        (
            "range_filter power above=2",
            "source_filter Laser",
            "range_filter nothing",
            "clear_filter",
        ),
        shown,
        strict=True,
    ):
        dock.ask(f"/{command}")
        qtbot.waitUntil(lambda: not dock.busy, timeout=30_000)
        assert session.view.description(session.document) == words
    assert [view.description(session.document) for view in views if view.has_ray_filter] == [
        "power > 2",
        "power > 2, from Laser",
    ]
    with MessagesServer(
        [use("range_filter", quantity="depth", at_most=0), refuse(500, "error")]
    ) as server:
        dock.agent.switch_model(AnthropicBackend("m", server.url, "sk-0123456789", max_retries=0))
        dock.ask("Show what has met nothing yet.")
        qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
    assert session.view.description(session.document) == "depth ≤ 0"
