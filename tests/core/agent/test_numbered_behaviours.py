"""Every numbered behaviour has a line in the agent's README, and the kept and corrected ones of tool records have a test."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from core.agent.tools.tool import Tool

README = files("core.agent").joinpath("README.md").read_text(encoding="utf-8")
TESTS = Path(__file__).parents[2]
LAST = {"SEED1": 53, "SEED2": 33, "SEED3": 12, "SEED4": 21}
TESTED = {"SEED1": range(1, 54), "SEED2": range(1, 34), "SEED3": range(1, 13), "SEED4": range(1, 22)}


def listed() -> dict[str, list[tuple[int, str]]]:
    """By seed, each number with the text beside it."""
    found: dict[str, list[tuple[int, str]]] = {}
    for seed, numbers, verdict in re.findall(r"^\| (SEED\d)-([\d, to]+) \| (\w[\w ]*) \|", README, re.MULTILINE):
        for part in numbers.split(", "):
            first, _, last = part.partition(" to ")
            found.setdefault(seed, []).extend((n, verdict) for n in range(int(first), int(last or first) + 1))
    return found


@pytest.mark.parametrize("seed", LAST)
def test_each_number_is_listed_once_with_a_verdict(seed: str) -> None:
    assert sorted(number for number, _ in listed()[seed]) == list(range(1, LAST[seed] + 1))
    assert {verdict for _, verdict in listed()[seed]} <= {"kept", "corrected", "left out"}


@pytest.mark.parametrize("seed", TESTED)
def test_each_behaviour_of_tool_records_has_a_test_that_names_it(seed: str) -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    names = re.findall(rf"def test_{seed.lower()}_(\d+)(?:_(and|to)_(\d+))?", tests)
    named = {
        n for first, how, last in names for n in ({int(first), int(last)} if how == "and" else range(int(first), int(last or first) + 1))
    }
    there = {number for number, verdict in listed()[seed] if verdict != "left out"}
    assert sorted(there & set(TESTED[seed]) - named) == []


def test_the_examples_run_as_they_stand() -> None:
    first, second = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {"__name__": "example"}
    exec(first, names)
    assert names["brightest"]
    exec(compile(second, "example", "exec", dont_inherit=True), names)
    assert Tool.new("main", names["main"]).signature == "(input :string) -> :string"
