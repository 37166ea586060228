"""Nothing in a project fails silently: what is wrong is listed, refused or said when it runs."""

from __future__ import annotations

import json

import pytest
from tests.core.agent.project import worker
from tests.workbench.numbered.conftest import Commands

RETURNED = """
import functools


def _decorated(function):
    @functools.wraps(function)
    def inner(*given, **named):
        return function(*given, **named)

    return inner


@tool_options(effect="read")
@_decorated
async def decorated(a: int) -> int:
    return a


@tool_options(effect="read")
def passed_on(a: int):
    return decorated(a)


class _Waits:
    async def __call__(self, a: int) -> int:
        return a


waits = Tool.new("waits", (_Waits(), {"effect": "read"}))
partly = Tool.new("partly", (functools.partial(decorated), {"effect": "read"}))


@tool_options(effect="read")
async def yields(a: int):
    yield a


@tool_options(effect="read")
def makes(a: int):
    return _Waits()


@tool_options(effect="read")
def names(a: int):
    return {"class": _Waits}
"""


@pytest.mark.parametrize("name", ["decorated", "passed_on", "waits", "partly"])
def test_what_can_be_awaited_is(name: str, commands: Commands) -> None:
    commands.project(RETURNED)
    assert commands.run("5", "--tool", name) == 5


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("yields", "an async_generator has no form in JSON. Collect what it yields in a list"),
        ("makes", "a _Waits has no form in JSON. Return numbers, texts, lists, dicts or"),
        ("names", "the class _Waits has no form in JSON. Return numbers, texts, lists"),
    ],
)
def test_what_is_no_value_is_an_error_and_no_source(
    name: str, what: str, commands: Commands
) -> None:
    commands.project(RETURNED)
    assert f"{name} returned what is no result: {what}" in commands.run("5", "--tool", name)
    told = commands.asked([{"call": name, "arguments": {"a": 5}}], "Done.")
    assert not told["tool_calls"][0]["ok"]
    assert "Sources" not in told["answer"]


FAULTS = """
class Half(StateTool):
    name = "half"
    description = "Show half."

    def _run(self) -> dict:
        return {}

    def aply_to_state(self, state: ViewDraft) -> str:
        return "Never."


@tool_options(visibility="private")
class Quiet(StateTool):
    name = "quiet"
    description = "Show all."

    def _run(self) -> dict:
        return {}

    def apply_to_state(self, state: ViewDraft) -> str:
        return "All."


@tool_options(efect="read")
def opted() -> int:
    return 1


def main(ctx, input: str) -> str:
    return input


named = Tool.new("named", (lambda a, b: a, "(a :int, c :int) -> :int"))
"""


def test_faults_of_a_project_are_listed_with_their_remedies(commands: Commands) -> None:
    commands.project(FAULTS, one=worker(description="One.", tools="quiet, grep, opted, nowhere"))
    listed, _, refused = commands.listed().partition("Not usable:")
    assert "quiet()\n    [tools.py::quiet, read, private]" in listed
    for problem in (
        "Half has no method apply_to_state. Rename aply_to_state to apply_to_state.",
        "tools.py::opted: there is no option 'efect'. Did you mean effect?",
        "main takes a ToolContext as 'ctx'. Write @tool_context above it.",
        "named: its signature (a :int, c :int) -> :int does not fit its function, which takes a, b.",
        "it lists the tool quiet, which is private",
        "it lists the tool grep, which only programs can call. List run_program, too.",
        "it lists the tool opted, whose effect is external, but allows read.",
        "it lists the tool nowhere, which does not exist.",
    ):
        assert problem in refused


def test_a_workers_tools_and_effects_hold_in_its_programs(commands: Commands) -> None:
    tools = RETURNED + "\n\ndef posted() -> int:\n    return 1\n"
    commands.project(tools, coder=worker(description="Codes.", tools="run_program, waits, posted"))
    programs = [
        [{"call": "run_program", "arguments": {"code": code}}]
        for code in ("waits(5)", "decorated(5)", "posted()")
    ]
    given = commands.scripted(*programs, [{"call": "posted", "arguments": {}}], "Done.")
    status, out, err = commands(
        "run", str(commands.folder), "x", "--tool", "coder", "--json", *given
    )
    assert status == 0
    told = [call for call in json.loads(out)["tool_calls"] if call["tool"] != "waits"]
    assert [call["ok"] for call in told] == [True, False, False, False]
    assert "Tools: waits." in told[1]["result"]
    assert "Unknown tool 'posted'. Tools: run_program, waits" in err
