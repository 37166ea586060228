"""A tool as the entry point (SEED4): projects run by ``raybench run``, listed and called by the
other commands.
"""

from __future__ import annotations

import json

import pytest
from tests.core.agent.project import worker
from tests.workbench.numbered.conftest import Commands

MAIN = '''
import json as _json
from math import sqrt

_count = [0]


@tool_context(param="context", effect="read")
async def main(context, input: str, times: int = 1) -> dict:
    """Count and ask."""
    first = await context.call_tool("scaled", {"x": 2.0, "by": 3.0})
    second = await context.call_tool("counted", {})
    again = await context.call_tool("counted", {})
    return {"input": input, "scaled": first, "counted": [second, again], "depth": context.depth}


@tool_options(effect="read")
def scaled(x: float, by: float = 2.0) -> float:
    """Scale."""
    return x * by


@tool_options(effect="read")
def counted() -> int:
    """Count calls since the file was run."""
    _count[0] += 1
    return _count[0]


class Helper:
    """Not a tool."""


@tool_context(effect="read")
async def below(ctx, input: str) -> str:
    """Call itself."""
    return await ctx.call_tool("below", {"input": input})


@tool_context(effect="read")
async def judged(ctx, input: str) -> str:
    """Ask the worker in both ways."""
    one = await ctx.call_tool("judge", input)
    two = await ctx.call_tool("judge", {"input": input})
    return f"{one} {two}"


@tool_context(effect="edit")
async def moved(ctx, name: str) -> str:
    """Move."""
    await ctx.apply([{"move": name, "dx": 5}])
    return "moved"


@tool_context(effect="read")
async def asks_to_move(ctx, name: str) -> str:
    """Have it moved."""
    return await ctx.call_tool("moved", {"name": name})


@tool_context(effect="read")
def seen(ctx, input: str = "") -> list:
    """What the context holds."""
    return [len(ctx.scene.objects), ctx.depth, sorted(a.name for a in ctx.attachments)]


@tool_options(effect="read")
def many(a: int, b: int = 2) -> int:
    """Add."""
    return a + b


@tool_options(effect="read")
def anything(**given: int) -> dict:
    """Take any."""
    return given
'''
JUDGE = worker("Judge it.", description="Judges.")


def test_seed4_1_to_5_and_18_what_is_found_where(commands: Commands) -> None:
    commands.project(MAIN)
    listed = commands.listed()
    assert "main(input :string, times :int?)" in listed
    assert "[tools.py::main, read] Count and ask." in listed
    for hidden in ("Helper", "sqrt", "_json", "_count", "json_"):
        assert f"\n{hidden}" not in listed
    (commands.folder / "folded").mkdir()
    (commands.folder / "folded" / "worker.worker").write_text(worker(description="In a folder."))
    commands.project(MAIN, judge=JUDGE)
    listed = commands.listed()
    assert "judge(input :string)\n    [judge.worker, read, asks a model] Judges." in listed
    assert "folded(input :string)" in listed
    commands.project(MAIN, main=JUDGE, scaled=JUDGE, find_rays_xml=JUDGE)
    status, _, told = commands("tool", str(commands.scene), "many", "1")
    assert status == 1
    for both in (
        "tools.py::main and main.worker",
        "tools.py::scaled and scaled.worker",
        "find_rays_xml (built in) and find_rays_xml.worker",
    ):
        assert both in told


def test_seed4_6_and_7_the_file_runs_once_and_an_error_in_it_names_its_line(
    commands: Commands,
) -> None:
    commands.project(MAIN)
    assert commands.run("x")["counted"] == [1, 2]
    told = commands.run("x", "--tool", "mian")
    assert "Tool not found: mian." in told
    assert "main?" in told.partition("Did you mean ")[2]
    commands.project("1 / 0\n")
    assert (
        "tools.py, line 10: ZeroDivisionError: division by zero. Correct it and try again."
        in commands.run("x")
    )


def test_seed4_8_to_10_the_context_is_in_no_schema_and_no_model_gives_it(
    commands: Commands,
) -> None:
    commands.project(MAIN)
    assert list(commands.schemas()["main"]["input_schema"]["properties"]) == ["input", "times"]
    told = commands.asked(
        [{"call": "main", "arguments": {"input": "x", "context": "mine"}}], "Done."
    )["tool_calls"][-1]
    assert told["ok"]
    assert told["values"]["input"] == "x"
    commands.project(
        "@tool_context(param='cxt')\ndef main(ctx, input: str) -> str:\n    return input\n"
    )
    assert "cxt" in commands.listed().partition("Not usable")[2] + commands("tool", "--list")[2]


def test_seed4_11_and_13_the_context_is_the_same_at_the_top_and_below(commands: Commands) -> None:
    commands.project(MAIN)
    assert commands.run("x", "--scene", str(commands.scene)) == {
        "input": "x",
        "scaled": 6.0,
        "counted": [1, 2],
        "depth": 0,
    }
    assert commands.run("--tool", "seen", "--scene", str(commands.scene)) == [2, 0, []]


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (("--tool", "counted"), 1),
        (("--tool", "counted", "--input", "{}"), 1),
        (("--tool", "counted", "--input", '{"x": 1}'), "counted takes no"),
        (("--tool", "many", "--input", '{"a": 1, "b": 5}'), 6),
        (("--tool", "many", "--input", '{"a": 1, "c": 5}'), "many takes no c; it takes a, b."),
        (("--tool", "many", "--input", '{"a": "one"}'), "'a'"),
        (("--tool", "anything", "--input", '{"a": 1}'), {"a": 1}),
        (("--tool", "scaled", "4"), 8.0),
    ],
)
def test_seed4_12_an_input_is_bound_as_the_function_takes_it(
    given: tuple[str, ...], output: object, commands: Commands
) -> None:
    commands.project(MAIN)
    found = commands.run(*given)
    assert found == output or (isinstance(output, str) and output in found), found


def test_seed4_13_and_14_code_calls_workers_and_every_hop_counts(commands: Commands) -> None:
    commands.project(MAIN, judge=JUDGE)
    assert (
        commands.run("x", "--tool", "judged", *commands.scripted("good", "better")) == "good better"
    )
    assert "tool calls nest at most 5 deep" in commands.run("x", "--tool", "below")


def test_seed4_15_and_17_an_edit_is_checked_by_the_profile_whoever_calls_it(
    commands: Commands,
) -> None:
    commands.project(MAIN)
    moves = commands.scene.parent / "moved.json"
    given = (
        "Mirror",
        "--tool",
        "asks_to_move",
        "--scene",
        str(commands.scene),
        "--save",
        str(moves),
    )
    refused = commands.run(*given, "--profile", "read-only")
    assert "read" in refused
    assert not moves.exists()
    assert commands.run(*given, "--profile", "auto") == "moved"
    assert json.loads(moves.read_text())["objs"][1]["p1"]["x"] == 14


def test_seed4_16_attachments_are_on_the_context_and_checked_by_a_workers_policy(
    commands: Commands,
) -> None:
    commands.project(MAIN, main_worker=worker("Read it.", description="Reads."))
    notes = []
    for i in range(5):
        notes.append(commands.folder.parent / f"note{i}.txt")
        notes[-1].write_text("secret words")
    attached = ("--attachments", *map(str, notes))
    assert commands.run("--tool", "seen", "--scene", str(commands.scene), *attached)[2] == [
        note.name for note in notes
    ]
    assert "4" in commands.run("x", "--tool", "main_worker", *commands.scripted("fine"), *attached)
